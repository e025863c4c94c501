//! Finding the steps between states again, for engines that keep only states.

use crate::evidence::Step;
use burnside_ts::{Goal, Label, Machine, Outcome};
use std::ops::ControlFlow;

/// The first step from a state to one that is wanted, and that state.
pub fn step_to(
    machine: &mut dyn Machine<'_>,
    from: &[u64],
    mut wanted: impl FnMut(&[u64]) -> bool,
) -> Option<(Step, Box<[u64]>)> {
    let mut found = None;
    machine.successors(from, &mut |label: Label<'_>, outcome: Outcome<'_>| match outcome {
        Outcome::State(state) if wanted(state) => {
            found = Some((Step::from(label), state.into()));
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    found
}

/// The first step from a state to another one that is wanted, by rule and arguments.
pub fn step_between(
    machine: &mut dyn Machine<'_>,
    from: &[u64],
    to: &[u64],
    mut wanted: impl FnMut(Label<'_>) -> bool,
) -> Option<Step> {
    let mut found = None;
    machine.successors_to(from, &Goal::state(to), &mut |label: Label<'_>, _: Outcome<'_>| {
        if !wanted(label) {
            return ControlFlow::Continue(());
        }
        found = Some(Step::from(label));
        ControlFlow::Break(())
    });
    found
}
