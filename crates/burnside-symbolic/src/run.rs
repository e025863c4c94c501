//! Concrete runs: the steps between states, found by the interpreter.

use crate::space::Space;
use burnside_trace::{End, Evidence, Step, step_between};
use burnside_ts::{Label, Machine};

impl<'s> Space<'s> {
    /// A run through some states.
    pub(crate) fn evidence(&self, states: Vec<Box<[u64]>>, end: End) -> Evidence {
        let mut machine = self.system.machine();
        let steps = states.windows(2).map(|pair| step(&mut *machine, &pair[0], &pair[1], |_| true)).collect();
        Evidence { states, steps, end }
    }
}

/// A step from one state to another that it leads to.
pub(crate) fn step(
    machine: &mut dyn Machine<'_>,
    from: &[u64],
    to: &[u64],
    wanted: impl FnMut(Label<'_>) -> bool,
) -> Step {
    step_between(machine, from, to, wanted).expect("the relation only has steps of the system")
}
