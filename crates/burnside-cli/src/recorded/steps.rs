//! The steps of a recorded run, before its states are known.
//!
//! Entry point: [`Steps::read`]. In a file all steps come before all states. A run can have millions of steps
//! but takes only few different ones; each of these is kept once, and what a step is said to change is kept
//! as bytes until its states come.

use crate::exit::Failure;
use crate::recorded::Stream;
use crate::recorded::walker::Walker;
use burnside_report::decode::{DecodedStep, spare};
use burnside_trace::Step;
use burnside_ts::show_value;
use std::collections::HashMap;

/// The steps of a run.
#[derive(Debug, Default)]
pub struct Steps {
    /// The different steps, each with what it was found to be.
    pub different: Vec<(DecodedStep, Option<Step>)>,
    known: HashMap<DecodedStep, usize>,
    /// Which of these each step is.
    numbers: Vec<u32>,
    /// What each step is said to change: how many cells, then the number, the length of the text and the text
    /// of each.
    changes: Vec<u8>,
    /// How far the changes have been looked at.
    looked: usize,
}

impl Steps {
    /// Reads all steps.
    pub fn read(stream: &mut Stream<'_>, walker: &Walker<'_>) -> Result<Self, Failure> {
        let mut steps = Self::default();
        stream.list(|stream, _| {
            let (decoded, changes) = read_step(stream, walker, true)?;
            steps.push(decoded, changes);
            Ok(())
        })?;
        Ok(steps)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Which of the different steps a step is.
    pub fn number(&self, i: usize) -> Option<usize> {
        self.numbers.get(i).map(|&number| number as usize)
    }

    fn push(&mut self, decoded: DecodedStep, changes: Vec<(usize, String)>) {
        let number = match self.known.get(&decoded) {
            Some(&number) => number,
            None => {
                self.known.insert(decoded.clone(), self.different.len());
                self.different.push((decoded, None));
                self.different.len() - 1
            }
        };
        self.numbers.push(number as u32);
        put(&mut self.changes, changes.len());
        for (cell, text) in &changes {
            put(&mut self.changes, *cell);
            put(&mut self.changes, text.len());
            self.changes.extend_from_slice(text.as_bytes());
        }
    }

    /// Whether the next step changes what it is said to change, from one state to another.
    pub fn changes_fit(&mut self, walker: &Walker<'_>, before: &[u64], after: &[u64]) -> bool {
        let types = &walker.system().types;
        let (before, after) = (spare(before), spare(after));
        let mut changed = walker.decoder.changed(&before, &after);
        let mut fit = true;
        for _ in 0..self.get() {
            let (cell, length) = (self.get(), self.get());
            let said = &self.changes[self.looked..self.looked + length];
            fit &=
                changed.next() == Some(cell)
                    && walker.decoder.leaves.get(cell).is_some_and(|leaf| {
                        show_value(types, leaf.ty, &after, leaf.offset).as_bytes() == said
                    });
            self.looked += length;
        }
        fit && changed.next().is_none()
    }

    /// The next number among the changes, seven bits in each byte.
    fn get(&mut self) -> usize {
        let mut number = 0;
        for shift in (0..usize::BITS).step_by(7) {
            let Some(&byte) = self.changes.get(self.looked) else { break };
            self.looked += 1;
            number |= usize::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        number
    }
}

fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a step, with the cells that it changes and their new texts if it must say so, all in order. Cells
/// that the model does not have get numbers beyond all others.
pub fn read_step(
    stream: &mut Stream<'_>,
    walker: &Walker<'_>,
    with_changes: bool,
) -> Result<(DecodedStep, Vec<(usize, String)>), Failure> {
    let (mut process, mut rule, mut arguments, mut changes) = (None, None, None, None);
    stream.object(|stream, key| match key {
        "process" => {
            let text = stream.text()?.to_string();
            stream.keep(&mut process, key, text)
        }
        "rule" => {
            let text = stream.text()?.to_string();
            stream.keep(&mut rule, key, text)
        }
        "arguments" => {
            let texts = read_texts(stream, |name| name.to_string())?;
            stream.keep(&mut arguments, key, texts)
        }
        "changes" if with_changes => {
            let mut beyond = walker.decoder.leaves.len()..;
            let texts = read_texts(stream, |name| walker.cell(name).or_else(|| beyond.next()).unwrap_or(0))?;
            stream.keep(&mut changes, key, texts)
        }
        _ => stream.unknown(key),
    })?;
    match (process, rule, arguments, changes, with_changes) {
        (Some(process), Some(rule), Some(arguments), changes, _) if changes.is_some() == with_changes => {
            Ok((DecodedStep { process, rule, arguments }, changes.unwrap_or_default()))
        }
        _ => Err(stream.wrong("a step is incomplete")),
    }
}

/// Reads an object of texts, in the order of its keys.
fn read_texts<K: Ord>(
    stream: &mut Stream<'_>,
    mut key_of: impl FnMut(&str) -> K,
) -> Result<Vec<(K, String)>, Failure> {
    let mut all: Vec<(K, String)> = Vec::new();
    stream.object(|stream, name| {
        all.push((key_of(name), stream.text()?.to_string()));
        Ok(())
    })?;
    all.sort_unstable();
    match all.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        true => Err(stream.wrong("a key stands twice in an object")),
        false => Ok(all),
    }
}
