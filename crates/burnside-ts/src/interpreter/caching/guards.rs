//! Which rule instances are enabled, by tables: for a few bits of the state at a time, the set of instances
//! that their values do not exclude.
//!
//! Entry point: [`Guards::look`]. The parts of guards are put into groups that read at most [`MOST_BITS`]
//! bits together. For each value of these bits that was seen a row says for which instances all parts of the
//! group are true; the intersection of the rows of all groups are the candidates, in the order of the
//! instances. A row is filled by the interpreter, in the first state that needs it.
//!
//! A part that faults makes its instance suspect: its guard is evaluated anew, from left to right. So a part
//! that is false excludes an instance only where no part before it can have faulted; parts behind one that
//! may fault and is in no group are in no group either (see `plan.rs`).

use super::dependency::StateBits;
use super::key::{BitRun, gather, runs};
use super::plan::Instances;
use crate::interpreter::{Cause, EarlyEnd, Halt, Interpreter};
use std::collections::BTreeMap;

/// How many bits a group may read.
pub(super) const MOST_BITS: u32 = 10;
/// How many of the last groups a part may join.
const NEAR: usize = 8;
/// Rows of more bytes are thrown away.
const MOST_BYTES: usize = 1 << 22;

/// A part of the guard of an instance, and what it reads.
#[derive(Debug)]
pub(super) struct GuardTest {
    pub instance: u32,
    pub part: u32,
    pub reads: StateBits,
}

/// The tables of guards.
#[derive(Clone, Debug)]
pub(super) struct Guards {
    groups: Vec<GuardGroup>,
    /// Bytes of all rows.
    bytes: usize,
    /// Bit by instance: all of them.
    all: Vec<u64>,
    /// Bit by instance: the candidates of the state at hand.
    pub enabled: Vec<u64>,
    /// Bit by instance: those with a part that faults in the state at hand.
    pub suspect: Vec<u64>,
}

#[derive(Clone, Debug)]
struct GuardGroup {
    key: Vec<BitRun>,
    /// The words of the sets that its instances are in.
    words: Vec<u32>,
    /// Instance and part, ascending.
    tests: Vec<(u32, u32)>,
    /// By key: the number of the row, from 1; 0 if there is none yet.
    index: Vec<u32>,
    /// Each row has two bits for each instance: whether it is not excluded, whether it is suspect.
    rows: Vec<u64>,
    /// Whether some row has a suspect.
    suspects: bool,
}

impl Guards {
    pub fn new(instances: usize, tests: Vec<GuardTest>) -> Self {
        let words = instances.div_ceil(64);
        Self {
            groups: grouped(tests),
            bytes: 0,
            all: (0..words).map(|i| crate::bits::mask((instances - i * 64).min(64) as u32)).collect(),
            enabled: vec![0; words],
            suspect: vec![0; words],
        }
    }

    /// Finds the candidates in a state, which the machine has loaded.
    #[inline]
    pub fn look<'s>(
        &mut self,
        machine: &mut Interpreter<'s>,
        instances: &Instances,
        state: &[u64],
    ) -> Result<(), EarlyEnd> {
        self.enabled.copy_from_slice(&self.all);
        self.suspect.fill(0);
        for i in 0..self.groups.len() {
            let group = &self.groups[i];
            let key = gather(&group.key, state) as usize;
            let row = match group.index[key] {
                0 => self.fill(machine, instances, i, key)?,
                row => row,
            };
            let group = &self.groups[i];
            let width = group.words.len();
            let row = &group.rows[(row - 1) as usize * 2 * width..][..2 * width];
            for (&word, &bits) in group.words.iter().zip(row) {
                self.enabled[word as usize] &= bits;
            }
            if group.suspects {
                for (&word, &bits) in group.words.iter().zip(&row[width..]) {
                    self.suspect[word as usize] |= bits;
                }
            }
        }
        Ok(())
    }

    /// Whether some of consecutive instances is a candidate or suspect.
    pub fn any(&self, first: u32, count: u32) -> bool {
        Self::words(first, count).any(|(word, mask)| (self.enabled[word] | self.suspect[word]) & mask != 0)
    }

    /// The words that consecutive instances are in, and which bits of them they are.
    pub fn words(first: u32, count: u32) -> impl Iterator<Item = (usize, u64)> {
        let end = first + count;
        (first / 64..end.div_ceil(64)).map(move |word| {
            let above = u64::MAX << (first.max(word * 64) % 64);
            let below = crate::bits::mask((end - word * 64).min(64));
            (word as usize, above & below)
        })
    }

    /// Whether an instance is suspect.
    #[inline]
    pub fn is_suspect(&self, instance: u32) -> bool {
        self.suspect[instance as usize / 64] >> (instance % 64) & 1 != 0
    }

    /// Makes the row of a group for the state at hand.
    #[cold]
    fn fill<'s>(
        &mut self,
        machine: &mut Interpreter<'s>,
        instances: &Instances,
        group: usize,
        key: usize,
    ) -> Result<u32, EarlyEnd> {
        if self.bytes > MOST_BYTES {
            self.bytes = 0;
            self.groups.iter_mut().for_each(GuardGroup::clear);
        }
        let group = &mut self.groups[group];
        // Which members are alike is for names inside of rules, and depends on the state.
        let classes = machine.symmetry.classes.take();
        let filled = group.fill(machine, instances);
        machine.symmetry.classes = classes;
        self.bytes += 2 * group.words.len() * size_of::<u64>();
        let row = filled?;
        group.index[key] = row;
        Ok(row)
    }
}

impl GuardGroup {
    fn new(reads: &StateBits, mut tests: Vec<(u32, u32)>) -> Self {
        tests.sort_unstable();
        let mut words: Vec<u32> = tests.iter().map(|test| test.0 / 64).collect();
        words.dedup();
        let (key, index) = (runs(reads).collect(), vec![0; 1 << reads.count()]);
        Self { key, words, tests, index, rows: Vec::new(), suspects: false }
    }

    fn clear(&mut self) {
        self.index.fill(0);
        self.rows.clear();
    }

    fn fill<'s>(&mut self, machine: &mut Interpreter<'s>, instances: &Instances) -> Result<u32, EarlyEnd> {
        let (start, width) = (self.rows.len(), self.words.len());
        self.rows.resize(start + width, u64::MAX);
        self.rows.resize(start + 2 * width, 0);
        let mut at = 0;
        for tests in self.tests.chunk_by(|a, b| a.0 == b.0) {
            let instance = tests[0].0;
            while self.words[at] != instance / 64 {
                at += 1;
            }
            instances.give(machine, instance);
            let guard = &machine.system.rule(instances.list[instance as usize].rule).guard;
            for &(_, part) in tests {
                match machine.eval(&guard[part as usize].condition) {
                    Ok(0) => self.rows[start + at] &= !(1 << (instance % 64)),
                    Ok(_) => continue,
                    Err(Halt) if matches!(machine.cause, Cause::Fault(_)) => {
                        self.rows[start + width + at] |= 1 << (instance % 64);
                        self.suspects = true;
                    }
                    Err(Halt) => {
                        self.rows.truncate(start);
                        return Err(EarlyEnd::Interrupted);
                    }
                }
                break;
            }
        }
        Ok((start / (2 * width)) as u32 + 1)
    }
}

/// Puts tests into groups that read few bits. Neighbours in the state come together, so that a group has few
/// instances.
fn grouped(tests: Vec<GuardTest>) -> Vec<GuardGroup> {
    let mut alike: BTreeMap<StateBits, Vec<(u32, u32)>> = BTreeMap::new();
    for test in tests {
        alike.entry(test.reads).or_default().push((test.instance, test.part));
    }
    let mut groups: Vec<(StateBits, Vec<(u32, u32)>)> = Vec::new();
    for (reads, tests) in alike {
        let nearest = groups.len().saturating_sub(NEAR)..groups.len();
        let joined = nearest.map(|i| (i, groups[i].0.union(&reads)));
        let fitting = joined.filter(|(_, joined)| joined.count() <= MOST_BITS);
        let growth = |(i, joined): &(usize, StateBits)| joined.count() - groups[*i].0.count();
        match fitting.min_by_key(growth) {
            Some((i, joined)) => {
                groups[i].0 = joined;
                groups[i].1.extend(tests);
            }
            None => groups.push((reads, tests)),
        }
    }
    groups.into_iter().map(|(reads, tests)| GuardGroup::new(&reads, tests)).collect()
}
