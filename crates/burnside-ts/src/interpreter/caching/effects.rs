//! What rule instances do, by tables: for the bits that the body of an instance reads (and those parts of its
//! guard that are in no table of [`guards`](super::guards)), its steps.
//!
//! Entry point: [`Effects::find`]. A step ends in a fault, or says which bits become what. The interpreter
//! takes the steps, with all choices, in the first state that has these values; in every other they are the
//! same, in the same order. Bits that are left alone in some branches are told from those that are written by
//! a second run, from a state in which all bits that may be written but are not read are flipped.
//!
//! Instances that read more than 64 bits, that have many steps, or whose results do not come again, are left
//! to the interpreter.

use super::dependency::StateBits;
use super::key::{BitRun, gather, runs};
use super::plan::Instances;
use crate::fault::Fault;
use crate::interpreter::{EarlyEnd, Interpreter};
use crate::machine::{Outcome, Sink};
use crate::symmetry::StepFilter;
use crate::system::Label;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

/// Instances that read more bits are looked up by hash.
const MOST_DIRECT: u32 = 14;
/// Entries of all tables without hashing.
const MOST_INDEXED: usize = 1 << 19;
/// Results that are kept, and what they may consist of.
const MOST_RESULTS: usize = 1 << 16;
const MOST_WRITES: usize = 1 << 18;
/// Instances with more steps are left to the interpreter.
const MOST_STEPS: usize = 64;
/// After so many failures an instance is given up if each of its results was used less often than this: to
/// keep one takes as long as to interpret it several times.
const PATIENCE: u32 = 512;
const WORTH: u32 = 8;

/// The tables of what instances do.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    plans: Vec<EffectPlan>,
    keys: Vec<BitRun>,
    masks: Vec<WriteMask>,
    /// For instances that are looked up directly: the number of the result, from 1; 0 if there is none yet.
    index: Vec<u32>,
    /// How many entries it has.
    entries: usize,
    /// For the others: by instance and key.
    hashed: HashMap<(u32, u64), u32, BuildHasherDefault<Mix>>,
    /// The steps of each result.
    results: Vec<std::ops::Range<u32>>,
    steps: Vec<CachedStep>,
    args: Vec<u64>,
    writes: Vec<WordWrite>,
    /// The steps from the state at hand, and from one with flipped bits.
    run: [StepRecord; 2],
    flipped: Vec<u64>,
}

/// A step of an instance in some states.
#[derive(Clone, Debug)]
struct CachedStep {
    /// Where its arguments begin.
    args: u32,
    effect: Effect,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// It fails.
    Fault(Fault),
    /// It writes.
    Writes(std::ops::Range<u32>),
}

/// What the interpreter did.
#[derive(Clone, Debug, Default)]
struct StepRecord {
    /// For each step where its state begins, or what went wrong.
    outcomes: Vec<Result<usize, Fault>>,
    states: Vec<u64>,
    /// The arguments of all steps.
    args: Vec<u64>,
}

impl StepRecord {
    fn clear(&mut self) {
        self.outcomes.clear();
        self.states.clear();
        self.args.clear();
    }
}

impl Sink for StepRecord {
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        self.args.extend_from_slice(label.args);
        self.outcomes.push(match outcome {
            Outcome::State(_) => Ok(self.states.len()),
            Outcome::Fault(fault) => Err(fault),
        });
        if let Outcome::State(state) = outcome {
            self.states.extend_from_slice(state);
        }
        if self.outcomes.len() > MOST_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
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

/// The bits of a word that an instance may write, and which of them it does not read.
#[derive(Clone, Copy, Debug)]
struct WriteMask {
    word: u32,
    may: u64,
    unread: u64,
}

#[derive(Clone, Debug)]
struct EffectPlan {
    key: std::ops::Range<u32>,
    masks: std::ops::Range<u32>,
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

fn usize_range(range: &std::ops::Range<u32>) -> std::ops::Range<usize> {
    range.start as usize..range.end as usize
}

impl Effects {
    /// Adds the next instance: what it may read and write, if that is known.
    pub fn add(&mut self, bits: Option<(StateBits, StateBits)>) {
        let (first_key, first_mask) = (self.keys.len() as u32, self.masks.len() as u32);
        let mut lookup = Lookup::Never;
        if let Some((reads, writes)) = bits.filter(|(reads, _)| reads.count() <= 64) {
            self.keys.extend(runs(&reads));
            self.masks.extend(writes.words().map(|(word, may)| WriteMask {
                word,
                may,
                unread: may & !reads.of_word(word),
            }));
            let entries = 1usize << reads.count().min(MOST_DIRECT);
            lookup = Lookup::Hashed(0, 0);
            if reads.count() <= MOST_DIRECT && self.entries + entries <= MOST_INDEXED {
                lookup = Lookup::Direct(self.entries as u32);
                self.entries += entries;
            }
        }
        let (key, masks) = (first_key..self.keys.len() as u32, first_mask..self.masks.len() as u32);
        self.plans.push(EffectPlan { key, masks, lookup });
    }

    /// To be said when all instances are there.
    pub fn settle(&mut self) {
        self.index = vec![0; self.entries];
    }

    /// The steps of an instance in a state, which the machine has loaded; none if they are left to the
    /// interpreter.
    #[inline]
    pub fn find(
        &mut self,
        machine: &mut Interpreter<'_>,
        instances: &Instances,
        instance: u32,
        state: &[u64],
    ) -> Result<Option<std::ops::Range<u32>>, EarlyEnd> {
        let plan = &mut self.plans[instance as usize];
        let key = gather(&self.keys[usize_range(&plan.key)], state);
        let known = match &mut plan.lookup {
            Lookup::Direct(first) => self.index[*first as usize + key as usize],
            Lookup::Hashed(hits, misses) => match self.hashed.get(&(instance, key)) {
                Some(&it) => {
                    *hits = hits.saturating_add(1);
                    it
                }
                None => {
                    *misses += 1;
                    if misses.is_multiple_of(PATIENCE) && *misses > *hits / WORTH {
                        plan.lookup = Lookup::Never;
                    }
                    0
                }
            },
            Lookup::Never => return Ok(None),
        };
        match known {
            0 => self.record(machine, instances, instance, key, state),
            number => Ok(Some(self.results[number as usize - 1].clone())),
        }
    }

    /// The effect of a step, and its arguments, which are so many words.
    #[inline]
    pub fn step(&self, number: u32, args: usize) -> (&Effect, &[u64]) {
        let step = &self.steps[number as usize];
        (&step.effect, &self.args[step.args as usize..][..args])
    }

    /// What is written.
    #[inline]
    pub fn writes(&self, which: &std::ops::Range<u32>) -> &[WordWrite] {
        &self.writes[usize_range(which)]
    }

    /// Has the interpreter take the steps and keeps them.
    #[cold]
    fn record(
        &mut self,
        machine: &mut Interpreter<'_>,
        instances: &Instances,
        instance: u32,
        key: u64,
        state: &[u64],
    ) -> Result<Option<std::ops::Range<u32>>, EarlyEnd> {
        if self.results.len() >= MOST_RESULTS || self.writes.len() >= MOST_WRITES {
            return Ok(None);
        }
        let plan = self.plans[instance as usize].clone();
        let masks = usize_range(&plan.masks);
        self.flipped.clear();
        self.flipped.extend_from_slice(state);
        self.masks[masks.clone()].iter().for_each(|mask| self.flipped[mask.word as usize] ^= mask.unread);
        let mut complete = true;
        // If nothing was flipped, one run is enough.
        let runs = if *self.flipped == *state { 1 } else { 2 };
        for (source, run) in [state, &self.flipped].into_iter().zip(&mut self.run).take(runs) {
            run.clear();
            machine.load(source);
            match instances.interpret(machine, instance, source, StepFilter::All, run) {
                Ok(()) => {}
                Err(EarlyEnd::Sink) => complete = false,
                Err(EarlyEnd::Interrupted) => return Err(EarlyEnd::Interrupted),
            }
        }
        machine.load(state);
        if !complete {
            self.plans[instance as usize].lookup = Lookup::Never;
            return Ok(None);
        }
        let args = machine.system.rule(instances.list[instance as usize].rule).args.len();
        let result = self.keep(masks, args, runs);
        self.results.push(result.clone());
        let number = self.results.len() as u32;
        match plan.lookup {
            Lookup::Direct(first) => self.index[first as usize + key as usize] = number,
            Lookup::Hashed(..) => drop(self.hashed.insert((instance, key), number)),
            Lookup::Never => {}
        }
        Ok(Some(result))
    }

    /// Keeps the steps of the last runs, one or two, of an instance that may write these bits and has so many
    /// words of arguments.
    fn keep(&mut self, masks: std::ops::Range<usize>, args: usize, runs: usize) -> std::ops::Range<u32> {
        let first = self.steps.len() as u32;
        let (run, other) = (&self.run[0], &self.run[runs - 1]);
        assert_eq!(run.args, other.args, "steps depend on what is read only");
        assert_eq!(run.outcomes, other.outcomes, "steps depend on what is read only");
        for (i, outcome) in run.outcomes.iter().enumerate() {
            let effect = match *outcome {
                Ok(start) => {
                    let from = self.writes.len() as u32;
                    for &WriteMask { word, may, unread } in &self.masks[masks.clone()] {
                        let at = start + word as usize;
                        // What is as different as before was not written.
                        let different = if runs == 1 { 0 } else { run.states[at] ^ other.states[at] };
                        let mask = may & !(unread & different);
                        self.writes.push(WordWrite { word, mask, value: run.states[at] & mask });
                    }
                    Effect::Writes(from..self.writes.len() as u32)
                }
                Err(fault) => Effect::Fault(fault),
            };
            self.steps.push(CachedStep { args: self.args.len() as u32, effect });
            self.args.extend_from_slice(&run.args[i * args..][..args]);
        }
        first..self.steps.len() as u32
    }
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
