//! Steps of a model as owned data: what a walk that people look at needs. Engines do this without allocating.

use burnside_trace::Step;
use burnside_ts::{Fault, Label, Machine, Outcome};
use std::ops::ControlFlow;

/// A packed state.
pub type State = Box<[u64]>;

/// A step that can be taken, and what it ends in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The rule instance.
    pub step: Step,
    /// Where it leads.
    pub after: Result<State, Fault>,
}

/// All steps from a state, in the order of the interpreter. The second is false if the walk was interrupted.
pub fn moves(machine: &mut dyn Machine<'_>, state: &[u64]) -> (Vec<Move>, bool) {
    let mut found = Vec::new();
    let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        found.push(Move { step: label.into(), after: own(outcome) });
        ControlFlow::Continue(())
    });
    (found, walk == burnside_ts::Walk::Complete)
}

/// An outcome as owned data.
pub fn own(outcome: Outcome<'_>) -> Result<State, Fault> {
    match outcome {
        Outcome::State(state) => Ok(state.into()),
        Outcome::Fault(fault) => Err(fault),
    }
}
