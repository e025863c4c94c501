//! Partial order reduction in the search for states: of the steps from a node only those of a stubborn set.
//!
//! Entry point: [`BreadthFirst::expand_reduced`]. The proviso: a node whose chosen steps lead to no new
//! node is expanded fully, so that from every node, along steps that were taken, a node is reached that
//! was. A node in which a step faults is expanded fully, too. The set is chosen for the representative at
//! hand, among all of its steps; symmetric steps are left out only where it is expanded fully. Any node may
//! be expanded fully, so the reduction is given up if there is little to leave out. One thread does this,
//! however many there are.

use super::{BreadthFirst, Ended};
use crate::hunt::Hunt;
use crate::store::NodeId;
use crate::stubborn::Stubborn;
use burnside_checkpoint::persist_struct;
use burnside_limits::catch;
use burnside_ts::{Machine, Question, Walk};

/// After so many nodes it is asked whether steps were left out in this part of them at least.
const TRIAL: u64 = 1 << 12;
const WORTHWHILE: u64 = 16;

/// Leaves out steps.
pub(super) struct Reduction<'s> {
    stubborn: Stubborn<'s>,
    /// How many nodes were looked at, and in how many steps were left out.
    tried: u64,
    reduced: u64,
    given_up: bool,
    /// By question: whether the run that was found is as short as it is made here.
    shortened: Vec<bool>,
}

/// How far a reduction has come.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    tried: u64,
    reduced: u64,
    given_up: bool,
    shortened: Vec<bool>,
}

persist_struct!(Reduced { tried, reduced, given_up, shortened });

impl Reduction<'_> {
    pub fn state(&self) -> Reduced {
        let Self { tried, reduced, given_up, .. } = *self;
        Reduced { tried, reduced, given_up, shortened: self.shortened.clone() }
    }

    /// Goes on from there. False: it was for other questions.
    pub fn resume(&mut self, state: Reduced) -> bool {
        let fits = state.shortened.len() == self.shortened.len();
        (self.tried, self.reduced, self.given_up) = (state.tried, state.reduced, state.given_up);
        self.shortened = state.shortened;
        fits
    }

    /// In how many nodes steps were left out.
    pub fn nodes(&self) -> u64 {
        self.reduced
    }
}

impl<'s> BreadthFirst<'s> {
    /// Leaves out steps from now on, if there are stubborn sets.
    pub(super) fn reduce(&mut self, stubborn: Option<Stubborn<'s>>) {
        let Some(stubborn) = stubborn else { return };
        // What is new must be known when a node has been expanded.
        self.batches = false;
        self.reduction = Some(Reduction {
            stubborn,
            tried: 0,
            reduced: 0,
            given_up: false,
            shortened: vec![false; self.questions.len()],
        });
    }

    /// Whether steps are left out.
    pub(super) fn is_reducing(&self) -> bool {
        self.reduction.as_ref().is_some_and(|reduction| !reduction.given_up)
    }

    /// Takes steps from a node: those of a stubborn set, if that is enough, else all.
    pub(super) fn expand_reduced(
        &mut self,
        machine: &mut dyn Machine<'s>,
        id: NodeId,
        source: &[u64],
    ) -> Option<Ended> {
        let Some(mut reduction) = self.reduction.take_if(|reduction| !reduction.given_up) else {
            return self.expand(machine, id, source);
        };
        reduction.tried += 1;
        let chosen = reduction.stubborn.look(machine, &mut *self.evaluator, source);
        let ended = match chosen {
            Ok(true) => self.take_some(&mut reduction, machine, id, source),
            Ok(false) => self.expand(machine, id, source),
            Err(_) => self.ended(Walk::Interrupted),
        };
        reduction.given_up = reduction.tried == TRIAL && reduction.reduced < TRIAL / WORTHWHILE;
        self.reduction = Some(reduction);
        ended
    }

    /// Takes the steps that were chosen; all if none of them leads to a new node.
    fn take_some(
        &mut self,
        reduction: &mut Reduction<'s>,
        machine: &mut dyn Machine<'s>,
        id: NodeId,
        source: &[u64],
    ) -> Option<Ended> {
        let (known, transitions) = (self.store.len(), self.stats.transitions);
        let mut walk = Walk::Complete;
        for (_, target) in reduction.stubborn.chosen() {
            self.stats.transitions += 1;
            if self.reach(Some(id), &[], target).is_break() {
                walk = Walk::Stopped;
                break;
            }
        }
        if walk == Walk::Complete && self.store.len() == known {
            self.stats.transitions = transitions;
            return self.expand(machine, id, source);
        }
        reduction.reduced += 1;
        self.ended(walk)
    }

    /// Makes the runs shorter that were found where steps were left out, each once.
    pub(super) fn shorten_found(&mut self, hunt: &mut Option<Hunt<'_>>) {
        let (Some(reduction), Some(hunt)) = (&mut self.reduction, hunt) else { return };
        for (i, found) in self.found.iter_mut().enumerate() {
            let Some(witness) = found.as_mut().filter(|_| !reduction.shortened[i]) else { continue };
            reduction.shortened[i] = true;
            let is_hunted = witness.stats.hunt.is_some() || matches!(self.questions[i], Question::Bound(_));
            if reduction.reduced > 0 && !is_hunted {
                // If a limit is reached here the run stays as it is.
                if let Ok(run) = catch(|| hunt.shorten(i, witness.evidence.clone())) {
                    witness.evidence = run;
                }
            }
        }
    }
}
