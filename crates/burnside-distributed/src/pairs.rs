//! The pairs of a product that one worker owns, and where each was first reached from.
//!
//! Entry points: [`Pairs::insert`], [`Pairs::words`]. A pair is owned by the owner of its state, so that all
//! pairs of an orbit are at one place, and its words are kept once.

use crate::level::owner;
use crate::note::Place;
use crate::parents::Parents;
use burnside_explicit::{Insert, NodeId, Store};
use burnside_limits::{Limits, Stop};
use burnside_ts::System;

/// The pairs of a worker.
#[derive(Debug)]
pub(crate) struct Pairs {
    states: Store,
    /// A state, by number, with the other words of the pair.
    pairs: Store,
    pub parents: Parents,
    /// The first pair of each level.
    pub levels: Vec<u32>,
    /// Words of a state, and of a pair.
    state: usize,
    width: usize,
    workers: usize,
    scratch: Vec<u64>,
}

impl Pairs {
    /// None, among so many workers.
    pub fn new(system: &System, width: usize, workers: usize, limits: &Limits) -> Self {
        let state = system.words();
        let room = Limits { memory: limits.memory, ..Limits::default() };
        Self {
            states: Store::of_states(system, 0, limits),
            pairs: Store::new(1 + width - state, &room),
            parents: Parents::new(workers),
            levels: Vec::new(),
            state,
            width,
            workers,
            scratch: Vec::new(),
        }
    }

    /// Words of a pair.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many pairs there are.
    pub fn len(&self) -> u32 {
        self.pairs.len()
    }

    /// How many states they have.
    pub fn states(&self) -> u32 {
        self.states.len()
    }

    /// Bytes of all.
    pub fn bytes(&self) -> u64 {
        self.states.bytes() + self.pairs.bytes() + self.parents.bytes()
    }

    /// The worker that owns a pair.
    #[inline]
    pub fn owner(&self, words: &[u64]) -> usize {
        if self.workers > 1 { owner(self.states.hash(&words[..self.state]), self.workers) } else { 0 }
    }

    /// A number that pairs with equal words have.
    pub fn hash(&self, words: &[u64]) -> u64 {
        let mix = |hash: u64, word: &u64| (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        words.iter().fold(0, mix)
    }

    /// Adds a pair that came from a worker, with the key of the pair that leads to it.
    pub fn insert(&mut self, words: &[u64], from: u32, key: u64) -> Result<u32, Stop> {
        let (state, rest) = words.split_at(self.state);
        let state = match self.states.insert(state, None) {
            Insert::New(id) | Insert::Old(id) => id,
            Insert::Full => return Err(self.states.full()),
        };
        self.scratch.clear();
        self.scratch.push(state.0.into());
        self.scratch.extend_from_slice(rest);
        match self.pairs.insert(&self.scratch, None) {
            Insert::Old(id) => {
                self.parents.also(id.0, from, key);
                Ok(id.0)
            }
            Insert::New(id) => {
                self.parents.push(from, key);
                Ok(id.0)
            }
            Insert::Full => Err(self.pairs.full()),
        }
    }

    /// The number of a pair; none: it is not here.
    pub fn find(&self, words: &[u64]) -> Option<u32> {
        let (state, rest) = words.split_at(self.state);
        let state = self.states.find(state, self.states.hash(state))?;
        let pair = [&[state.0.into()], rest].concat();
        self.pairs.find(&pair, self.pairs.hash(&pair)).map(|id| id.0)
    }

    /// The state of a pair, by number.
    pub fn state(&self, id: u32) -> u32 {
        self.pairs.get(NodeId(id))[0] as u32
    }

    /// Appends the words of a pair.
    pub fn words(&self, id: u32, out: &mut Vec<u64>) {
        let pair = self.pairs.get(NodeId(id));
        out.extend_from_slice(&self.states.get(NodeId(pair[0] as u32)));
        out.extend_from_slice(&pair[1..]);
    }

    /// How many steps lead to a pair at least.
    pub fn depth(&self, id: u32) -> usize {
        self.levels.partition_point(|&first| first <= id)
    }

    /// Where a pair was reached from; none: it is initial.
    pub fn parent(&self, id: u32) -> Option<Place> {
        self.parents.get(id)
    }
}
