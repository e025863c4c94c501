//! Orbits as a search sees them: representatives instead of states, one step of each symmetric class, and
//! runs of representatives lifted to runs of the original system.
//!
//! A run of representatives `r0, r1, …` is lifted without having stored permutations: `r0` is an initial
//! state (the initial states are closed under the group), some original step leads from each representative
//! to a state whose representative is the next, and the permutations between are found again.

use crate::canon::Canoniser;
use crate::store::{NodeId, Store};
use burnside_checkpoint::persist_struct;
use burnside_limits::poll;
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Step, step_to};
use burnside_ts::{Classes, Fault, Label, Machine, Outcome, Permutation, SortId, Symmetry};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The orbits of a search.
#[derive(Debug)]
pub(crate) struct Orbits<'s> {
    canoniser: Canoniser<'s>,
    scratch: Vec<u64>,
    /// The orbits that were found, by the order of their stabilisers; there are few different ones.
    tally: Vec<(u128, u64)>,
    tallied: u64,
}

/// What a search has found of its orbits, besides themselves.
#[derive(Clone, Debug)]
pub(crate) struct Tallies {
    tally: Vec<(u128, u64)>,
    tallied: u64,
    /// Whether a state was too hard to bring into order.
    too_hard: bool,
}

persist_struct!(Tallies { tally, tallied, too_hard });

/// Counting orbits costs about the number of orbits times the square of the bits of the group's order; above
/// this it is left out, unless the orbits are few.
const COUNTING_BITS: f64 = (1u64 << 36) as f64;
const FEW: u32 = 64;

/// How many orbits are looked at to weigh the group.
const SAMPLE: u32 = 256;

impl<'s> Orbits<'s> {
    pub fn new(canoniser: Canoniser<'s>) -> Self {
        Self { canoniser, scratch: Vec::new(), tally: Vec::new(), tallied: 0 }
    }

    /// Writes the representative of a state.
    pub fn canonise(&mut self, state: &[u64], out: &mut [u64]) {
        self.canoniser.canonise(state, out);
    }

    /// The part of the group that is worth its while, if it is not all of it: judged by some of the orbits.
    /// The state of a node has so many words.
    pub fn profitable(&mut self, store: &Store, words: usize) -> Option<Symmetry> {
        profitable(&mut self.canoniser, store, store.len(), words, &[])
    }

    /// After how many orbits that is to be asked, if at all.
    pub fn weighed_at(&self) -> Option<u32> {
        self.canoniser.weighed_at()
    }

    /// If a state was too hard to bring into order: how much work was spent on it.
    pub fn too_hard(&self) -> Option<u64> {
        self.canoniser.too_hard()
    }

    /// What was found of the orbits so far, besides themselves.
    pub fn tallies(&self) -> Tallies {
        Tallies { tally: self.tally.clone(), tallied: self.tallied, too_hard: self.too_hard().is_some() }
    }

    /// Goes on from there.
    pub fn resume(&mut self, tallies: Tallies) {
        (self.tally, self.tallied) = (tallies.tally, tallies.tallied);
        if tallies.too_hard {
            self.canoniser.give_up_exactness();
        }
    }

    /// The same orbits for another thread.
    pub fn another(&self) -> Self {
        Self::new(self.canoniser.another())
    }

    /// How many permutations leave the state as it is that was brought into order last, if that is known.
    pub fn last_stabiliser(&self) -> Option<u128> {
        self.canoniser.known_stabiliser()
    }

    /// There is a new orbit, whose representative has a stabiliser of this order.
    pub fn tally(&mut self, order: Option<u128>) {
        let Some(order) = order else { return };
        match self.tally.iter_mut().find(|(other, _)| *other == order) {
            Some((_, count)) => *count += 1,
            None => self.tally.push((order, 1)),
        }
        self.tallied += 1;
    }

    /// Which members can be swapped in a state; none if in no state any can be.
    pub fn classes(&mut self, state: &[u64]) -> Option<Arc<Classes>> {
        self.canoniser.swaps().then(|| self.canoniser.classes(state))
    }

    /// By rule, whether a rule before it leads from a state to the same orbits; nothing if that is not known.
    pub fn covered(&mut self, state: &[u64], covered: &mut Vec<bool>) {
        covered.clear();
        covered.extend_from_slice(self.canoniser.covered(state).unwrap_or_default());
    }

    /// The states of all orbits in a store, by orbit and stabiliser. Those that were tallied are known.
    pub fn count(&mut self, store: &Store) -> Option<Natural> {
        let bits = self.canoniser.order_bits();
        if self.tallied == u64::from(store.len()) && bits * bits * self.tally.len() as f64 <= COUNTING_BITS {
            let order = self.canoniser.order();
            let states = |&(fixing, orbits): &(u128, u64)| {
                &order.exact_div(&Natural::from(fixing)) * &Natural::from(orbits)
            };
            return Some(self.tally.iter().map(states).sum());
        }
        if bits * bits * f64::from(store.len()) > COUNTING_BITS && store.len() > FEW {
            return None;
        }
        let size = |id| {
            poll();
            self.canoniser.orbit(&store.get(NodeId(id)))
        };
        (0..store.len()).map(size).sum()
    }

    /// A run of the original system through the orbits of these representatives.
    ///
    /// The concrete state is always the representative moved by what is known so far. This needs no
    /// representative to be the only one.
    pub fn lift(
        &mut self,
        machine: &mut dyn Machine<'s>,
        representatives: Vec<Box<[u64]>>,
        end: End,
    ) -> Evidence {
        let mut states: Vec<Box<[u64]>> = Vec::with_capacity(representatives.len());
        let mut steps = Vec::new();
        let mut permutation = Permutation::identity(&machine.system().types);
        for pair in representatives.windows(2) {
            poll();
            let concrete = self.canoniser.moved(&permutation, &pair[0]);
            let mut back = None;
            let (_, target) = step_between(machine, &pair[0], |state| {
                self.scratch.resize(state.len(), 0);
                let there = self.canoniser.canonise(state, &mut self.scratch);
                back = Some(there.inverse());
                *self.scratch == *pair[1]
            });
            let target = self.canoniser.moved(&permutation, &target);
            steps.push(step_between(machine, &concrete, |state| *state == *target).0);
            states.push(concrete.into());
            permutation = permutation.after(&back.expect("the step was found"));
        }
        states.extend(representatives.last().map(|last| self.canoniser.moved(&permutation, last).into()));
        let end = match (end, states.last()) {
            (End::Fault(Some(_), fault), Some(last)) => fault_at(machine, last, fault),
            (end, _) => end,
        };
        Evidence { states, steps, end }
    }
}

/// The part of a canoniser's group that is worth its while, if it is not all of it, judged by some of the
/// orbits in a store, of which so many are looked at. The state of a node has so many words. Members of some
/// sorts are tracked.
pub(crate) fn profitable(
    canoniser: &mut Canoniser<'_>,
    store: &Store,
    orbits: u32,
    words: usize,
    tracked: &[SortId],
) -> Option<Symmetry> {
    let step = (orbits / SAMPLE).max(1) as usize;
    let some = (0..orbits).step_by(step);
    let sample: Vec<Box<[u64]>> = some.map(|id| store.get(NodeId(id))[..words].into()).collect();
    canoniser.profitable(sample.iter().map(|state| &**state), tracked)
}

/// The first step from a state to one that is wanted, and that state.
pub(crate) fn step_between(
    machine: &mut dyn Machine<'_>,
    from: &[u64],
    wanted: impl FnMut(&[u64]) -> bool,
) -> (Step, Box<[u64]>) {
    step_to(machine, from, wanted).expect("the store only has nodes that a step leads to")
}

/// The first step from a state that faults.
pub(crate) fn first_fault(machine: &mut dyn Machine<'_>, state: &[u64]) -> End {
    let mut found = None;
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| match outcome {
        Outcome::Fault(fault) => {
            found = Some((Step::from(label), fault));
            ControlFlow::Break(())
        }
        Outcome::State(_) => ControlFlow::Continue(()),
    });
    let (step, fault) = found.expect("the state has a step that faults");
    End::Fault(Some(step), fault)
}

/// A step that faults, of the same kind if there is one.
fn fault_at(machine: &mut dyn Machine<'_>, state: &[u64], fault: Fault) -> End {
    let mut found: Option<(Step, Fault)> = None;
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| match outcome {
        Outcome::Fault(this) if found.is_none() || this == fault => {
            found = Some((Step::from(label), this));
            if this == fault { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    });
    let (step, fault) = found.expect("a fault of one state of an orbit is a fault of all");
    End::Fault(Some(step), fault)
}
