//! Recorded states and steps, found again in the model.
//!
//! Entry point: [`Walker`]. What is recorded is texts. Where a cell has few values, or numbers, its text is
//! read; what cannot be read is looked for among the real states, which two different values never write
//! alike. So what is found is what was meant.

use crate::exit::Failure;
use crate::recorded::Stream;
use crate::run::{Move, State, moves, own};
use burnside::Model;
use burnside_report::decode::{DecodedStep, TraceDecoder, spare};
use burnside_trace::{Replay, Step};
use burnside_ts::{
    Goal, Label, Leaf, Machine, Outcome, System, Type, TypeId, Types, bits::SPARE, show_value, unrank,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Types with at most so many values are read by trying all.
const FEW: u64 = 4096;

/// Finds recorded states and steps in a system.
pub struct Walker<'s> {
    /// The model.
    pub model: &'s Model,
    /// Tells its states and steps.
    pub decoder: TraceDecoder<'s>,
    /// The cells by name.
    cells: HashMap<String, usize>,
    /// The numbers of values by their texts, for types with few.
    numbers: HashMap<TypeId, HashMap<String, u64>>,
}

/// A state as it is recorded: what could be read of it, and what could not.
#[derive(Debug)]
pub struct RecordedState {
    words: Vec<u64>,
    /// The bits that are known.
    part: Vec<u64>,
    /// The cells that are there.
    there: Vec<bool>,
    /// The other cells with their texts.
    unread: Vec<(usize, String)>,
    /// A cell that the model does not have.
    foreign: Option<String>,
}

impl<'s> Walker<'s> {
    /// For a model.
    pub fn new(model: &'s Model) -> Self {
        let decoder = TraceDecoder::new(model);
        let types = &decoder.system.types;
        let mut numbers = HashMap::new();
        for ty in decoder.leaves.iter().map(|leaf| leaf.ty) {
            if let Some(size) = types.size(ty).filter(|&size| size <= FEW) {
                numbers.entry(ty).or_insert_with(|| (0..size).map(|it| (text(types, ty, it), it)).collect());
            }
        }
        let cells = decoder.leaves.iter().map(|leaf| leaf.name.clone()).zip(0..).collect();
        Self { model, decoder, cells, numbers }
    }

    /// Its system.
    pub fn system(&self) -> &'s System {
        self.decoder.system
    }

    /// The number of a cell.
    pub fn cell(&self, name: &str) -> Option<usize> {
        self.cells.get(name).copied()
    }

    /// Room for a recorded state.
    pub fn wanted(&self) -> RecordedState {
        let words = self.system().words() + SPARE;
        RecordedState {
            words: vec![0; words],
            part: vec![0; words],
            there: vec![false; self.decoder.leaves.len()],
            unread: Vec::new(),
            foreign: None,
        }
    }

    /// Reads a recorded state.
    pub fn read(&self, stream: &mut Stream<'_>, wanted: &mut RecordedState) -> Result<(), Failure> {
        wanted.words.fill(0);
        wanted.part.fill(0);
        wanted.there.fill(false);
        wanted.unread.clear();
        wanted.foreign = None;
        // The cells usually come in order.
        let mut next = 0;
        stream.object(|stream, name| {
            let expected = self.decoder.leaves.get(next).is_some_and(|leaf| leaf.name == name);
            let cell = if expected { Some(next) } else { self.cell(name) };
            let Some(cell) = cell else {
                wanted.foreign = Some(name.to_string());
                return stream.skip();
            };
            next = cell + 1;
            if std::mem::replace(&mut wanted.there[cell], true) {
                return Err(stream.twice(name));
            }
            self.note(wanted, cell, stream.text()?);
            Ok(())
        })
    }

    fn note(&self, wanted: &mut RecordedState, cell: usize, text: &str) {
        let types = &self.system().types;
        let leaf = &self.decoder.leaves[cell];
        match self.number(leaf, text) {
            None => wanted.unread.push((cell, text.to_string())),
            Some(number) => {
                unrank(types, leaf.ty, &mut wanted.words, leaf.offset, number);
                (leaf.offset..leaf.offset + types.width(leaf.ty)).for_each(|bit| {
                    wanted.part[bit as usize / 64] |= 1 << (bit % 64);
                });
            }
        }
    }

    /// The number of the value that a text stands for, if that is easily seen.
    fn number(&self, leaf: &Leaf, text: &str) -> Option<u64> {
        if let Some(known) = self.numbers.get(&leaf.ty) {
            return known.get(text).copied();
        }
        let Type::Range { lo, hi } = *self.system().types.get(leaf.ty) else { return None };
        let value: i64 = text.parse().ok()?;
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = !digits.starts_with('+') && (text == "0" || !digits.starts_with('0'));
        (is_plain && (lo..=hi).contains(&value)).then(|| value.wrapping_sub(lo) as u64)
    }

    /// Whether the cells are those of the model.
    pub fn fits(&self, wanted: &RecordedState) -> Result<(), String> {
        if let Some(cell) = wanted.there.iter().position(|&there| !there) {
            let name = &self.decoder.leaves[cell].name;
            return Err(format!("a recorded state does not say what `{name}` is"));
        }
        match &wanted.foreign {
            Some(name) => Err(format!("the model has no `{name}`")),
            None => Ok(()),
        }
    }

    /// The state, if all of it could be read.
    fn whole<'w>(&self, wanted: &'w RecordedState) -> Option<&'w [u64]> {
        wanted.unread.is_empty().then(|| &wanted.words[..self.system().words()])
    }

    /// Whether a state reads as recorded.
    pub fn reads(&self, state: &[u64], wanted: &RecordedState) -> bool {
        let known = state.iter().zip(&wanted.words).zip(&wanted.part);
        if known.fold(0, |wrong, ((is, wanted), part)| wrong | (is ^ wanted) & part) != 0 {
            return false;
        }
        let words = spare(state);
        wanted.unread.iter().all(|(cell, text)| {
            let leaf = &self.decoder.leaves[*cell];
            show_value(&self.system().types, leaf.ty, &words, leaf.offset) == *text
        })
    }

    fn goal(&self, wanted: &RecordedState) -> Goal {
        let words = self.system().words();
        Goal::part(&wanted.words[..words], &wanted.part[..words])
    }

    /// Starts a run in the initial state that reads as recorded.
    pub fn start(&self, path: &mut Replay<'s>, wanted: &RecordedState) -> Result<(), String> {
        self.fits(wanted)?;
        let missing = || "the first state is not an initial state of the model".to_string();
        if let Some(state) = self.whole(wanted) {
            return path.start(state).map_err(|_| missing());
        }
        let mut found: Option<State> = None;
        path.machine().initial_to(&self.goal(wanted), &mut |outcome| match own(outcome) {
            Ok(state) if self.reads(&state, wanted) => {
                found = Some(state);
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        path.start(&found.ok_or_else(missing)?).map_err(|_| missing())
    }

    /// Takes the step that reads as recorded, to the state that does. The step is known if it was taken
    /// before.
    pub fn step(
        &self,
        path: &mut Replay<'s>,
        decoded: &DecodedStep,
        known: &mut Option<Step>,
        wanted: &RecordedState,
    ) -> Result<(), String> {
        self.fits(wanted)?;
        if let (Some(step), Some(state)) = (&*known, self.whole(wanted))
            && path.step(step, state).is_ok()
        {
            return Ok(());
        }
        let (step, state) = self.search(path, decoded, wanted)?;
        path.step(&step, &state).map_err(|mismatch| mismatch.to_string())?;
        *known = Some(step);
        Ok(())
    }

    /// The step that reads as recorded, from the last state back to one that is known.
    pub fn step_back(
        &self,
        path: &mut Replay<'s>,
        decoded: &DecodedStep,
        to: &[u64],
    ) -> Result<Step, String> {
        let mut wanted = self.wanted();
        wanted.words[..to.len()].copy_from_slice(to);
        wanted.part[..to.len()].fill(u64::MAX);
        self.search(path, decoded, &wanted).map(|(step, _)| step)
    }

    fn search(
        &self,
        path: &mut Replay<'s>,
        decoded: &DecodedStep,
        wanted: &RecordedState,
    ) -> Result<(Step, State), String> {
        let Some(from) = path.last().map(State::from) else { return Err("there is no first state".into()) };
        let mut found = None;
        path.machine().successors_to(
            &from,
            &self.goal(wanted),
            &mut |label: Label<'_>, outcome: Outcome<'_>| {
                let step = Step::from(label);
                match own(outcome) {
                    Ok(state) if self.is_decoded(&step, decoded) && self.reads(&state, wanted) => {
                        found = Some((step, state));
                        ControlFlow::Break(())
                    }
                    _ => ControlFlow::Continue(()),
                }
            },
        );
        if let Some(found) = found {
            return Ok(found);
        }
        let mut enabled = false;
        path.machine().instances(&from, &mut |label: Label<'_>, _: Outcome<'_>| {
            enabled |= self.is_decoded(&label.into(), decoded);
            ControlFlow::Continue(())
        });
        match enabled {
            true => Err(format!("`{}` does not lead to the next state", name(decoded))),
            false => Err(format!("`{}` is not enabled", name(decoded))),
        }
    }

    /// Whether a step reads as recorded. The recorded arguments are in the order of their names.
    fn is_decoded(&self, step: &Step, decoded: &DecodedStep) -> bool {
        if self.system().rule(step.rule).name != decoded.rule {
            return false;
        }
        let mut is = self.decoder.step(step);
        is.arguments.sort_unstable();
        is == *decoded
    }

    /// The possible steps of a name.
    pub fn named(
        &self,
        machine: &mut dyn Machine<'_>,
        from: &[u64],
        decoded: &DecodedStep,
    ) -> Result<Vec<Move>, String> {
        let mut all = moves(machine, from).0;
        all.retain(|found| self.is_decoded(&found.step, decoded));
        if all.is_empty() { Err(format!("`{}` is not enabled", name(decoded))) } else { Ok(all) }
    }
}

/// The text of the value of a type with a number.
fn text(types: &Types, ty: TypeId, number: u64) -> String {
    let mut words = vec![0; types.width(ty) as usize / 64 + 1 + SPARE];
    unrank(types, ty, &mut words, 0, number);
    show_value(types, ty, &words, 0)
}

fn name(decoded: &DecodedStep) -> String {
    let (process, call) = decoded.parts();
    if call.is_empty() { process } else { format!("{process}.{call}") }
}
