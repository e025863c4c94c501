//! Concrete runs: from sets of states back to single states, and the steps between them found by the interpreter.

use crate::space::{Reached, Space};
use crate::store::{Out, Set};
use burnside_trace::{End, Evidence, Step, step_to};
use burnside_ts::Machine;

impl<'s> Space<'s> {
    /// A shortest run from an initial state to one of the goal, which the rings reach.
    pub(crate) fn run_to(&self, reached: &Reached, goal: &Set) -> Out<Option<Evidence>> {
        Ok(self.path(&reached.rings, goal)?.map(|states| self.evidence(states, End::State)))
    }

    /// A path through sets of states, each of which steps from the one before lead to, that ends in the goal as early as possible.
    pub(crate) fn path(&self, rings: &[Set], goal: &Set) -> Out<Option<Vec<Box<[u64]>>>> {
        for (i, ring) in rings.iter().enumerate() {
            let Some(last) = self.pick(&ring.and(goal)?) else { continue };
            let mut states = vec![last];
            for before in rings[..i].iter().rev() {
                let here = self.point(states.last().expect("there is a last state"))?;
                let before = self.preimage(&here)?.and(before)?;
                states.push(self.pick(&before).expect("a ring is the image of the one before"));
            }
            states.reverse();
            return Ok(Some(states));
        }
        Ok(None)
    }

    /// A run through some states.
    pub(crate) fn evidence(&self, states: Vec<Box<[u64]>>, end: End) -> Evidence {
        let mut machine = Machine::new(self.system);
        let steps = states.windows(2).map(|pair| step_between(&mut machine, &pair[0], &pair[1])).collect();
        Evidence { states, steps, end }
    }
}

/// A step from one state to another that it leads to.
pub(crate) fn step_between(machine: &mut Machine<'_>, from: &[u64], to: &[u64]) -> Step {
    let found = step_to(machine, from, |state| state == to);
    found.expect("the relation only has steps of the system").0
}
