//! What the bodies of rule instances do, by tables: for the bits that a body reads, its outcomes.
//!
//! Entry point: [`Effects::find`]. An outcome is a fault, or which bits become what. The interpreter runs the
//! body, with all its choices, in the first state that has these values; in every other the outcomes are the
//! same, in the same order. Bits that the body leaves alone in some branches are told from those that it
//! writes by a second run, from a state in which all bits that it may write but does not read are flipped.
//!
//! Bodies that read more than 64 bits, that have many outcomes, or whose results do not come again, are left
//! to the interpreter.

use super::dependency::StateBits;
use super::key::{BitRun, gather, runs};
use super::plan::Instances;
use crate::fault::Fault;
use crate::interpreter::{Cause, Halt, Interpreter, Stop};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Bodies that read more bits are looked up by hash.
const MOST_DIRECT: u32 = 10;
/// Entries of all tables without hashing.
const MOST_INDEXED: usize = 1 << 18;
/// Results of bodies that are kept.
const MOST_RESULTS: usize = 1 << 16;
/// Bodies with more outcomes are left to the interpreter.
const MOST_OUTCOMES: usize = 64;
/// After so many failures, a body whose results do not come again is given up.
const PATIENCE: u32 = 256;

/// The tables of bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    bodies: Vec<CachedBody>,
    keys: Vec<BitRun>,
    masks: Vec<WriteMask>,
    /// For bodies that are looked up directly: the number of the result, from 1; 0 if there is none yet.
    index: Vec<u32>,
    /// For the others: by instance and key.
    hashed: HashMap<(u32, u64), u32, BuildHasherDefault<Mix>>,
    /// The outcomes of each result.
    results: Vec<std::ops::Range<u32>>,
    outcomes: Vec<Effect>,
    writes: Vec<WordWrite>,
    /// The outcomes of a run from the state at hand, and from one with flipped bits.
    run: [Vec<RawOutcome>; 2],
    flipped: Vec<u64>,
}

/// What a body does in some states.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// It fails.
    Fault(Fault),
    /// It writes.
    Writes(std::ops::Range<u32>),
}

/// Some bits of a word get new values.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordWrite {
    word: u32,
    mask: u64,
    value: u64,
}

impl WordWrite {
    /// Does it.
    #[inline(always)]
    pub fn apply(&self, state: &mut [u64]) {
        let word = &mut state[self.word as usize];
        *word = *word & !self.mask | self.value;
    }

    /// Undoes it.
    #[inline(always)]
    pub fn undo(&self, state: &mut [u64], source: &[u64]) {
        state[self.word as usize] = source[self.word as usize];
    }
}

/// The bits of a word that a body may write, and which of them it does not read.
#[derive(Clone, Copy, Debug)]
struct WriteMask {
    word: u32,
    may: u64,
    unread: u64,
}

#[derive(Clone, Debug)]
struct CachedBody {
    key: (u32, u32),
    masks: (u32, u32),
    lookup: Lookup,
}

#[derive(Clone, Copy, Debug)]
enum Lookup {
    /// From here on in the index.
    Direct(u32),
    /// How often it was found, and how often not.
    Hashed(u32, u32),
    /// It is left to the interpreter.
    Never,
}

type RawOutcome = Result<Box<[u64]>, Fault>;

impl Effects {
    /// Adds the body of the next instance: what it may read and write, if that is known.
    pub fn add(&mut self, body: Option<(StateBits, StateBits)>) {
        let (first_key, first_mask) = (self.keys.len() as u32, self.masks.len() as u32);
        let mut lookup = Lookup::Never;
        if let Some((reads, writes)) = body.filter(|(reads, _)| reads.count() <= 64) {
            self.keys.extend(runs(&reads));
            self.masks.extend(writes.words().map(|(word, may)| WriteMask {
                word,
                may,
                unread: may & !reads.of_word(word),
            }));
            let entries = 1usize << reads.count().min(MOST_DIRECT);
            lookup = Lookup::Hashed(0, 0);
            if reads.count() <= MOST_DIRECT && self.index.len() + entries <= MOST_INDEXED {
                lookup = Lookup::Direct(self.index.len() as u32);
                self.index.resize(self.index.len() + entries, 0);
            }
        }
        let (key, masks) = ((first_key, self.keys.len() as u32), (first_mask, self.masks.len() as u32));
        self.bodies.push(CachedBody { key, masks, lookup });
    }

    /// The outcomes of the body of an instance in a state, which the machine has loaded; none if it is left
    /// to the interpreter.
    #[inline]
    pub fn find(
        &mut self,
        machine: &mut Interpreter<'_>,
        instances: &Instances,
        instance: u32,
        state: &[u64],
    ) -> Result<Option<std::ops::Range<u32>>, Stop> {
        let body = &mut self.bodies[instance as usize];
        let key = gather(&self.keys[body.key.0 as usize..body.key.1 as usize], state);
        let known = match &mut body.lookup {
            Lookup::Direct(first) => Some(self.index[*first as usize + key as usize]).filter(|&it| it != 0),
            Lookup::Hashed(hits, misses) => match self.hashed.get(&(instance, key)) {
                Some(&it) => {
                    *hits += 1;
                    Some(it)
                }
                None => {
                    *misses += 1;
                    if *misses >= PATIENCE && *misses > *hits / 4 {
                        body.lookup = Lookup::Never;
                    }
                    None
                }
            },
            Lookup::Never => return Ok(None),
        };
        match known {
            Some(it) => Ok(Some(self.results[it as usize - 1].clone())),
            None => self.record(machine, instances, instance, key, state),
        }
    }

    /// An outcome.
    #[inline]
    pub fn outcome(&self, number: u32) -> &Effect {
        &self.outcomes[number as usize]
    }

    /// Writes of an outcome.
    #[inline]
    pub fn writes(&self, which: &std::ops::Range<u32>) -> &[WordWrite] {
        &self.writes[which.start as usize..which.end as usize]
    }

    /// Runs the body and keeps its outcomes.
    #[cold]
    fn record(
        &mut self,
        machine: &mut Interpreter<'_>,
        instances: &Instances,
        instance: u32,
        key: u64,
        state: &[u64],
    ) -> Result<Option<std::ops::Range<u32>>, Stop> {
        if self.results.len() >= MOST_RESULTS {
            return Ok(None);
        }
        let body = self.bodies[instance as usize].clone();
        let masks = body.masks.0 as usize..body.masks.1 as usize;
        self.flipped.clear();
        self.flipped.extend_from_slice(state);
        self.masks[masks.clone()].iter().for_each(|mask| self.flipped[mask.word as usize] ^= mask.unread);
        instances.give(machine, instance);
        let rule = instances.list[instance as usize].rule;
        let complete = outcomes(machine, rule, state, &mut self.run[0])?
            && outcomes(machine, rule, &self.flipped, &mut self.run[1])?;
        machine.load(state);
        if !complete {
            self.bodies[instance as usize].lookup = Lookup::Never;
            return Ok(None);
        }
        let first = self.outcomes.len() as u32;
        let [run, flipped] = &self.run;
        assert_eq!(run.len(), flipped.len(), "a body depends on what it reads only");
        for both in run.iter().zip(flipped) {
            let (Ok(after), Ok(other)) = both else {
                assert_eq!(both.0.as_ref().err(), both.1.as_ref().err(), "it depends on what it reads only");
                self.outcomes.extend(both.0.as_ref().err().map(|&fault| Effect::Fault(fault)));
                continue;
            };
            let from = self.writes.len() as u32;
            for &WriteMask { word, may, unread } in &self.masks[masks.clone()] {
                let at = word as usize;
                // What is as different as before was not written.
                let mask = may & !(unread & (after[at] ^ other[at]));
                self.writes.push(WordWrite { word, mask, value: after[at] & mask });
            }
            self.outcomes.push(Effect::Writes(from..self.writes.len() as u32));
        }
        let result = first..self.outcomes.len() as u32;
        self.results.push(result.clone());
        let number = self.results.len() as u32;
        match body.lookup {
            Lookup::Direct(first) => self.index[first as usize + key as usize] = number,
            Lookup::Hashed(..) => drop(self.hashed.insert((instance, key), number)),
            Lookup::Never => {}
        }
        Ok(Some(result))
    }
}

/// All outcomes of a body from a state, unless they are many.
fn outcomes(
    machine: &mut Interpreter<'_>,
    rule: crate::system::RuleId,
    state: &[u64],
    out: &mut Vec<RawOutcome>,
) -> Result<bool, Stop> {
    out.clear();
    let body = &machine.system.rule(rule).body;
    let classes = machine.symmetry.classes.take();
    machine.choices.restart();
    let complete = loop {
        machine.load(state);
        match (machine.block(body), machine.cause) {
            (Ok(()), _) => out.push(Ok(machine.state[..state.len()].into())),
            (Err(Halt), Cause::Fault(fault)) => out.push(Err(fault)),
            (Err(Halt), Cause::Interrupted) => {
                machine.symmetry.classes = classes;
                return Err(Stop::Interrupted);
            }
            (Err(Halt), Cause::Dropped(_)) => break false,
        }
        if out.len() > MOST_OUTCOMES {
            break false;
        }
        if !machine.choices.advance() {
            break true;
        }
    };
    machine.symmetry.classes = classes;
    Ok(complete)
}

/// A hash of few words.
#[derive(Clone, Debug, Default)]
pub(super) struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
