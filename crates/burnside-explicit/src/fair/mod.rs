//! What linear and branching time share: the quotient with tracked elements, its product with an automaton,
//! and fair components.
//!
//! `indexed` is the indexed quotient, `product` its product with an automaton and `annotation` what its edges
//! do to names, numbered in `interned`; `groupoid` are the automaton's local symmetries and `position` says
//! where its names are in a state; `units` is the action on fairness units and `classes` says which of them
//! share their fate; `subgraph` looks for fair components of an explicit part of the product, and `lasso`
//! makes a concrete run of one, with a `stem` and a closed `walk`.

mod annotation;
mod classes;
mod groupoid;
mod indexed;
mod interned;
mod lasso;
mod position;
mod product;
mod scc;
mod stem;
mod subgraph;
mod units;
mod walk;

pub(crate) use annotation::{compose, permutation_of};
pub(crate) use classes::{FairnessClasses, FairnessVerdict};
pub use groupoid::{Groupoid, Movable};
pub(crate) use indexed::{AnnotatedNode, IndexedNodeId, IndexedQuotient, UnitSetId, opaque_sorts};
pub(crate) use interned::{AnnotationId, Annotations};
pub(crate) use lasso::{close_loop, lift_lasso, lift_lasso_along};
pub(crate) use product::{MergedEdge, PairId, Product, Rank, Transition, merge_edges};
pub(crate) use scc::components;
pub(crate) use stem::Stem;
pub(crate) use subgraph::Subgraph;
pub(crate) use units::UnitAction;

use burnside_limits::{Limits, Observer, Progress, Stats, Stop};
use burnside_ts::{Binder, Expr};
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

const TICK: Duration = Duration::from_millis(100);

/// Keeps an eye on limits and tells the observer how the search gets on.
pub(crate) struct Meter<'m> {
    limits: &'m Limits,
    observer: &'m mut dyn Observer,
    next: Instant,
    /// Pairs found.
    pub pairs: u64,
    pub bytes: u64,
    pub depth: u64,
    looks: u32,
    /// After so many pairs the search ends, as if it were interrupted: others go on.
    pub patience: Option<u64>,
}

impl<'m> Meter<'m> {
    pub fn new(limits: &'m Limits, observer: &'m mut dyn Observer) -> Self {
        Self {
            limits,
            observer,
            next: Instant::now() + TICK,
            pairs: 0,
            bytes: 0,
            depth: 0,
            looks: 0,
            patience: None,
        }
    }

    /// Whether there were too many pairs for the patience that there is.
    pub fn is_impatient(&self) -> bool {
        self.patience.is_some_and(|most| self.pairs > most)
    }

    /// A pair was found. `open` of them are on the stack or in the queue, and the search has tables of so
    /// many bytes.
    pub fn look(&mut self, product: &Product<'_>, pairs: u64, open: u64, tables: u64) -> Result<(), Stop> {
        self.pairs = pairs;
        self.depth = self.depth.max(open);
        if self.is_impatient() {
            return Err(Stop::Interrupted);
        }
        self.looks = self.looks.wrapping_add(1);
        if !self.looks.is_multiple_of(64) {
            return Ok(());
        }
        self.bytes = product.quotient.bytes() + tables;
        if self.limits.interrupt.is_raised() {
            return Err(Stop::Interrupted);
        }
        if let Some(most) = self.limits.memory.filter(|most| self.bytes > *most) {
            return Err(Stop::Memory(most));
        }
        let now = Instant::now();
        if now >= self.next {
            self.next = now + TICK;
            let stats = Stats {
                states: u64::from(product.quotient.orbits()),
                transitions: product.quotient.transitions,
                depth: self.depth,
                memory: self.bytes,
                ..Stats::default()
            };
            let shares = product.quotient.explored();
            if !shares.is_empty() {
                self.observer.threads(&shares);
            }
            self.observer.progress(&Progress { stats, queue: open, by_levels: false });
            product.quotient.keep_if_due();
        }
        Ok(())
    }
}
