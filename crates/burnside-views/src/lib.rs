//! Parameterised verification by view abstraction: invariants, and that no step faults, for families of every
//! size.
//!
//! A state of a system with a symmetric family is its *globals* and a word for each member; pointers to
//! members and sets of members are bits of the words. A *view* is the globals with the words of `k` members,
//! in any order. A set of views stands for all states, of any size, that have no other views. If it contains
//! the views of all initial states, and of all states that states which it stands for step to, then every
//! reachable state of every size is among those, and what is true of all of them is true for every size. That
//! sizes up to a bound speak for all of them is for the front end to know ([`Needs`]): see the book
//! (`internals/every-n.md`).
//!
//! Entry points: [`prove()`], which closes a set of views under steps, and [`verify()`], which knows nothing
//! of that and asks the interpreter, size by size, whether a [`Certificate`] is one. What a state and a view
//! are is in [`layout`], which both use. Only the code of systems is run here, on ordinary states of small
//! instances; nothing here says what a step is.

pub mod attribute;
pub mod certificate;
pub mod clause;
pub mod context;
mod demand;
pub mod layout;
mod live;
mod majority;
mod meter;
mod prove;
mod ring;
pub mod simple;
pub mod tla;
mod verify;

pub use certificate::{Certificate, Damage, Proof};
pub use live::{Followed, LiveNeeds, follow};
pub use prove::{Attempt, Closed, Counterview, Failure, prove};
pub use ring::{RingNeeds, Windows, prove_ring};
pub use verify::{Rejection, Verified, verify};

use burnside_ts::System;
use std::sync::Arc;

/// How many members matter to what happens in a state, beside those that variables point to and those of the
/// view that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The name of the type of the family's members.
    pub sort: String,
    /// To the initialisation.
    pub init: u32,
    /// To a step, or a fault, of any rule.
    pub step: u32,
    /// The same by rule; empty if that is not known.
    pub rules: Vec<u32>,
    /// To whether a state violates a property: its name and how many.
    pub invariants: Vec<(String, u32)>,
    /// By function: whether it keeps its value when a state is cut down to members that matter.
    pub functions: Vec<bool>,
    /// Variables with sets of members, and those with a flag for each set: numbers of variables. Of a state
    /// of the model itself, with flags that tell the truth, true flags belong to sets with a common member.
    pub majorities: Vec<(usize, usize)>,
}

impl Needs {
    /// The invariants among some properties, with how many members matter to each.
    fn wanted<'n>(&'n self, names: &'n [String]) -> impl Iterator<Item = (&'n str, u32)> {
        let wanted = self.invariants.iter().filter(|(name, _)| names.contains(name));
        wanted.map(|(name, members)| (name.as_str(), *members))
    }
}

/// The name under which faults are claimed.
pub const FAULTS: &str = "faults";

/// The instances of a model, by the size of the family.
pub trait Instances {
    /// The instance of a size from 1 on; nothing if it is too large to be built.
    fn instance(&self, size: u32) -> Option<Arc<System>>;

    /// The instance as it is meant, where [`instance`](Self::instance) has flags instead of majorities.
    fn exact(&self, size: u32) -> Option<Arc<System>> {
        self.instance(size)
    }
}

/// What sizes are to be looked at, for views of `k` members and some contexts.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    k: u32,
    /// Members that keep the counts of the contexts, before or after a step.
    kept: u32,
    init: u32,
    step: u32,
}

impl Bounds {
    fn new(needs: &Needs, k: u32, contexts: &[context::Context]) -> Self {
        let kept = contexts.iter().map(|context| context.most).sum();
        Self { k, kept, init: needs.init, step: needs.step }
    }

    /// The largest initial states.
    fn initial(&self) -> u32 {
        self.k + self.init + self.kept
    }

    /// The largest states, with so many pointers set, whose steps are to be looked at.
    fn step(&self, pointers: u32) -> u32 {
        self.k + self.step + pointers + 2 * self.kept
    }

    /// The largest states, with so many pointers set, that are to be asked whether they violate a property
    /// that so many members matter to.
    fn invariant(&self, witnesses: u32, pointers: u32) -> u32 {
        self.k.max(witnesses + pointers + self.kept)
    }
}
