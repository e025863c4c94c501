//! The size of the original state graph, from one walk over the orbits.
//!
//! Entry points: [`count`], and [`visit`] for whoever wants to see the states. An orbit has as many states
//! as the group has permutations for each that keeps the representative, and all of its states have equally
//! many steps. So the steps of the original graph, parallel ones counted, are those of the representatives
//! (all instances, not only distinct ones), each times the size of its orbit. Needs exact representatives.

use crate::canon::Canoniser;
use crate::store::{Insert, NodeId, Store};
use burnside_limits::{Limits, Stop, poll};
use burnside_perm::Natural;
use burnside_ts::{AnyMachine, Fault, Label, Outcome, StepFilter, System, Walk};
use std::ops::ControlFlow;

/// The size of a state graph and of its quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Orbits; states if there is no group.
    pub orbits: u32,
    /// A step that faults, if one does. Then the walk ended there, and the rest is not known.
    pub fault: Option<Fault>,
    /// Original states; none if representatives are not exact, or the number is too long.
    pub states: Option<Natural>,
    /// Original steps that lead to a state: rule instances, each outcome of a choice counted. None if
    /// representatives are not exact, or a single state has too many.
    pub transitions: Option<Natural>,
}

/// Counts the reachable states and steps of a system. With a canoniser it looks at one state of each orbit.
pub fn count<'s>(
    system: &'s System,
    canoniser: Option<Canoniser<'s>>,
    limits: &Limits,
) -> Result<Counts, Stop> {
    let machine = system.machine_with_interrupt(limits.interrupt.clone());
    let store = Store::of_states(system, 0, limits);
    let mut walker = Walker { canoniser, store, stopped: None, fault: None };
    walker.run(machine)
}

/// Shows one state of each orbit to somebody, every state without a canoniser: how many there were. Steps
/// that fault lead nowhere.
pub fn visit<'s>(
    system: &'s System,
    canoniser: Option<Canoniser<'s>>,
    limits: &Limits,
    look: &mut dyn FnMut(&[u64]),
) -> Result<u32, Stop> {
    let mut machine = system.machine_with_interrupt(limits.interrupt.clone());
    let store = Store::of_states(system, 0, limits);
    let mut walker = Walker { canoniser, store, stopped: None, fault: None };
    walker.walk(&mut machine, &mut |_, _, state, _| {
        look(state);
        ControlFlow::Continue(())
    })
}

struct Walker<'s> {
    canoniser: Option<Canoniser<'s>>,
    store: Store,
    stopped: Option<Stop>,
    fault: Option<Fault>,
}

/// Looks at a state whose steps were followed. `Break` ends the walk.
type Look<'l, 's> =
    dyn FnMut(&mut Walker<'s>, &mut AnyMachine<'s>, &[u64], StepFilter<'_>) -> ControlFlow<()> + 'l;

impl<'s> Walker<'s> {
    fn run(&mut self, mut machine: AnyMachine<'s>) -> Result<Counts, Stop> {
        let (mut states, mut transitions) = (Some(Natural::from(0u64)), Some(Natural::from(0u64)));
        let orbits = self.walk(&mut machine, &mut |walker, machine, state, filter| {
            let orbit = walker.orbit(state);
            let steps = machine.count_filtered(state, filter).map(Natural::from).zip(orbit.as_ref());
            let sum = transitions.take().zip(steps);
            transitions = sum.map(|(sum, (steps, orbit))| &sum + &(orbit * &steps));
            states = states.take().zip(orbit).map(|(states, orbit)| &states + &orbit);
            if walker.fault.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let exact = self.canoniser.as_ref().is_none_or(Canoniser::is_exact) && self.fault.is_none();
        let transitions = transitions.filter(|_| exact);
        Ok(Counts { orbits, fault: self.fault, states: states.filter(|_| exact), transitions })
    }

    /// Follows the steps of one state of each orbit, and lets somebody look at it: how many there were.
    fn walk(&mut self, machine: &mut AnyMachine<'s>, look: &mut Look<'_, 's>) -> Result<u32, Stop> {
        let walk = machine.initial(&mut |outcome| self.reach(outcome));
        self.go_on(walk)?;
        let (mut next, mut flow) = (0, ControlFlow::Continue(()));
        while next < self.store.len() && flow.is_continue() {
            let state = self.store.get(NodeId(next)).to_vec();
            let classes = self.canoniser.as_mut().map(|canoniser| canoniser.classes(&state));
            let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
            let covered = self.canoniser.as_mut().and_then(|canoniser| canoniser.covered(&state));
            let covered = covered.map(<[bool]>::to_vec).unwrap_or_default();
            let walk =
                machine.successors_filtered(&state, filter, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                    match (covered.get(label.rule.index()), &outcome) {
                        (Some(true), Outcome::State(_)) => ControlFlow::Continue(()),
                        _ => self.reach(outcome),
                    }
                });
            self.go_on(walk)?;
            flow = look(self, machine, &state, filter);
            next += 1;
        }
        Ok(next)
    }

    /// How many states the orbit of a representative has, if that can be said.
    fn orbit(&mut self, representative: &[u64]) -> Option<Natural> {
        poll();
        match &mut self.canoniser {
            Some(canoniser) if canoniser.is_exact() => canoniser.orbit(representative),
            _ => Some(Natural::one()),
        }
    }

    fn reach(&mut self, outcome: Outcome<'_>) -> ControlFlow<()> {
        let state = match outcome {
            Outcome::State(state) => state,
            Outcome::Fault(fault) => {
                self.fault.get_or_insert(fault);
                return ControlFlow::Continue(());
            }
        };
        let mut representative = state.to_vec();
        if let Some(canoniser) = &mut self.canoniser {
            canoniser.canonise(state, &mut representative);
        }
        match self.store.insert(&representative, None) {
            Insert::New(_) | Insert::Old(_) => ControlFlow::Continue(()),
            Insert::Full => {
                self.stopped = Some(self.store.full());
                ControlFlow::Break(())
            }
        }
    }

    fn go_on(&mut self, walk: Walk) -> Result<(), Stop> {
        match (walk, self.stopped.take()) {
            (Walk::Interrupted, _) => Err(Stop::Interrupted),
            (_, Some(stopped)) => Err(stopped),
            _ => Ok(()),
        }
    }
}
