//! What linear and branching time share: the quotient with tracked elements, its product with an automaton, and fair components.
//!
//! `indexed` is the quotient with tracked indices, `product` its product with an automaton, `groupoid` the automaton's local symmetries and `position` where
//! its names are in a state, `threads` the bookkeeping of fairness, `component` looks for fair parts
//! of an explicit part of the product, `lasso` makes a concrete run of one.

mod component;
mod groupoid;
mod indexed;
mod lasso;
mod position;
mod product;
mod scc;
mod threads;

pub(crate) use component::{Component, times};
pub use groupoid::{Groupoid, Movable};
pub(crate) use indexed::{Indexed, Located, SetId, SpotId};
pub(crate) use lasso::{Stem, attempt, build, moved_tuple};
pub(crate) use product::{PairId, Product, Rank, Transition};
pub(crate) use scc::components;
pub(crate) use threads::{Judgement, Naming, Threads};

use crate::quotient::Stopped;
use crate::search::{Budget, Progress, Stats};
use crate::store::Full;
use burnside_ts::{Binder, Expr, Fault};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A condition on a state whose names are tracked indices or have a value each.
#[derive(Clone, Debug, PartialEq)]
pub struct Atom<'s> {
    /// The condition.
    pub condition: &'s Expr,
    /// Its text.
    pub text: &'s str,
    /// Names of quantifiers that were expanded, with their values.
    pub bound: Vec<(&'s Binder, u64)>,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halted {
    /// A limit.
    Full(Full),
    /// From outside.
    Interrupted,
    /// An atom has no value in a reachable state.
    Undefined(Fault),
    /// Too many pairs on the stack.
    TooDeep,
    /// The tracked names have too many values.
    TooManyTuples,
    /// The run that closes the loop would be longer than can be shown.
    TooLong,
}

impl From<Stopped> for Halted {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Full(full) => Halted::Full(full),
            Stopped::Interrupted => Halted::Interrupted,
        }
    }
}

const TICK: Duration = Duration::from_millis(100);

/// Keeps an eye on limits and tells the observer how the search gets on.
pub(crate) struct Meter<'m> {
    budget: &'m Budget,
    observer: &'m mut dyn FnMut(&Progress),
    next: Instant,
    /// Pairs found.
    pub pairs: u64,
    pub bytes: u64,
    pub depth: u64,
    looks: u32,
}

impl<'m> Meter<'m> {
    pub fn new(budget: &'m Budget, observer: &'m mut dyn FnMut(&Progress)) -> Self {
        Self { budget, observer, next: Instant::now() + TICK, pairs: 0, bytes: 0, depth: 0, looks: 0 }
    }

    /// A pair was found. `open` of them are on the stack or in the queue, and the search has tables of so many bytes.
    pub fn look(&mut self, product: &Product<'_>, pairs: u64, open: u64, tables: u64) -> Result<(), Halted> {
        self.pairs = pairs;
        self.depth = self.depth.max(open);
        self.looks = self.looks.wrapping_add(1);
        if !self.looks.is_multiple_of(64) {
            return Ok(());
        }
        self.bytes = product.indexed.bytes() + tables;
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Err(Halted::Interrupted);
        }
        if self.budget.memory.is_some_and(|most| self.bytes > most) {
            return Err(Halted::Full(Full::Memory));
        }
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK;
            let stats = Stats {
                states: u64::from(product.indexed.states()),
                transitions: product.indexed.transitions,
                depth: self.depth,
                memory: self.bytes,
            };
            (self.observer)(&Progress { stats, queue: open });
        }
        Ok(())
    }
}
