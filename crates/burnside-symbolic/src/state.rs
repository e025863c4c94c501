//! Questions about single states and steps: faults, deadlocks, conditions, greatest values.
//!
//! Entry point: [`Reachability`]. It finds reachable states ring by ring, only as far as an answer needs;
//! what one question found the next one uses.

use crate::encode::Value;
use crate::graph::{Graph, NodeBits};
use crate::space::Space;
use crate::store::{Out, Set};
use burnside_limits::Observer;
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Binder, Expr, Fault, Label, Outcome, Undefined};
use std::ops::ControlFlow;

/// The reachable states, as far as they were needed.
#[derive(Debug)]
pub struct Reachability<'a, 's> {
    space: &'a Space<'s>,
    all: Set,
    rings: Vec<Set>,
    complete: bool,
    /// States that searches of products met, and how far they went.
    met: (Set, u64),
}

impl<'a, 's> Reachability<'a, 's> {
    /// With the initial states only.
    pub fn new(space: &'a Space<'s>) -> Self {
        let (all, rings) = (space.initial.clone(), vec![space.initial.clone()]);
        Self { space, all, rings, complete: false, met: (space.store.none(), 0) }
    }

    /// What is searched.
    pub(crate) fn space(&self) -> &'a Space<'s> {
        self.space
    }

    /// Whether there is no initial state.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many states were found.
    pub fn states(&self) -> Natural {
        self.space.count(&self.all)
    }

    /// The same with those that searches of products met.
    pub fn states_met(&self) -> Out<Natural> {
        Ok(self.space.count(&self.all.or(&self.met.0)?))
    }

    /// The greatest distance of a state that was found from an initial one.
    pub fn depth(&self) -> u64 {
        self.rings.len() as u64 - 1
    }

    /// The same with those that searches of products met.
    pub fn depth_met(&self) -> u64 {
        self.depth().max(self.met.1)
    }

    /// Notes the states that the search of a product met, and how far it went.
    pub(crate) fn meet(&mut self, states: &Set, depth: u64) -> Out<()> {
        self.met = (self.met.0.or(states)?, self.met.1.max(depth));
        Ok(())
    }

    /// Whether all reachable states were found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Finds all reachable states.
    pub fn complete(&mut self, observer: &mut dyn Observer) -> Out<()> {
        while self.advance(observer)? {}
        Ok(())
    }

    pub(crate) fn all(&self) -> &Set {
        &self.all
    }

    /// One ring more; false if there is none.
    fn advance(&mut self, observer: &mut dyn Observer) -> Out<bool> {
        if self.complete {
            return Ok(false);
        }
        let frontier = self.rings.last().expect("there is a first ring");
        let new = self.space.image(frontier)?.minus(&self.all)?;
        if new.is_empty() {
            self.complete = true;
            return Ok(false);
        }
        self.all = self.all.or(&new)?;
        self.rings.push(new);
        self.space.store.settle();
        self.space.store.tell(observer, self.depth(), &self.states())?;
        Ok(true)
    }

    /// A shortest path of states to a goal; none if no reachable state is one.
    pub(crate) fn find(&mut self, goal: &Set, observer: &mut dyn Observer) -> Out<Option<Vec<Box<[u64]>>>> {
        while self.all.is_apart(goal)? {
            if goal.is_empty() && self.complete || !self.advance(observer)? {
                return Ok(None);
            }
        }
        let graph = Graph::plain(self.space, None, self.space.store.none());
        let nodes: Vec<NodeBits> = graph.trace(&self.rings, goal)?.expect("a state of the goal was found");
        Ok(Some(nodes.iter().map(|node| graph.state(node)).collect()))
    }

    /// Whether a step from a state that was found, or the initialisation, faults.
    pub fn meets_fault(&self) -> Out<bool> {
        Ok(self.space.initial_fault || !self.all.is_apart(&self.space.fault)?)
    }

    /// A run that faults.
    pub fn fault(&mut self, observer: &mut dyn Observer) -> Out<Option<Evidence>> {
        if let Some(evidence) = self.space.initial_fault() {
            return Ok(Some(evidence));
        }
        Ok(self.find(&self.space.fault, observer)?.map(|states| self.space.faulting(states)))
    }

    /// A run to a deadlock.
    pub fn deadlock(&mut self, observer: &mut dyn Observer) -> Out<Option<Evidence>> {
        let mut at = 0;
        while at < self.rings.len() || self.advance(observer)? {
            let dead = self.space.dead(&self.rings[at])?;
            if !dead.is_empty() {
                let states = self.find(&dead, observer)?;
                return Ok(states.map(|states| self.space.evidence(states, End::State)));
            }
            at += 1;
        }
        Ok(None)
    }

    /// A run to a state in which a condition is not true.
    pub fn violation(&mut self, condition: &'s Expr, observer: &mut dyn Observer) -> Out<Option<Evidence>> {
        let (holds, _) = self.space.condition(condition, &[])?;
        self.shown(&holds.not(), condition, observer)
    }

    /// A run to a state in which a condition is true; if there is none, to one in which it faults.
    pub fn witness(&mut self, condition: &'s Expr, observer: &mut dyn Observer) -> Out<Option<Evidence>> {
        let (holds, fault) = self.space.condition(condition, &[])?;
        match self.shown(&holds, condition, observer)? {
            Some(evidence) => Ok(Some(evidence)),
            None => self.shown(&fault, condition, observer),
        }
    }

    /// The greatest value of a scalar and a run to a state that has it; none: there is no state. A run to a
    /// state in which it faults has no value.
    pub fn maximum(
        &mut self,
        expr: &'s Expr,
        observer: &mut dyn Observer,
    ) -> Out<Option<(Option<i64>, Evidence)>> {
        self.complete(observer)?;
        let Value { int, fault } = self.space.executor().scalar(expr)?;
        if let Some(evidence) = self.shown(&fault, expr, observer)? {
            return Ok(Some((None, evidence)));
        }
        let (greatest, value) = int.greatest(&self.all)?;
        let states = self.find(&greatest, observer)?;
        Ok(states.map(|states| (Some(value as i64), self.space.evidence(states, End::State))))
    }

    /// A run to a state of the goal, with the fault of the condition there if it has one.
    fn shown(
        &mut self,
        goal: &Set,
        condition: &'s Expr,
        observer: &mut dyn Observer,
    ) -> Out<Option<Evidence>> {
        let Some(states) = self.find(goal, observer)? else { return Ok(None) };
        Ok(Some(self.space.ending(states, condition, &[])))
    }
}

impl<'s> Space<'s> {
    /// A fault of the initialisation.
    pub(crate) fn initial_fault(&self) -> Option<Evidence> {
        if !self.initial_fault {
            return None;
        }
        let mut found = None;
        self.system.machine().initial(&mut |outcome| match outcome {
            Outcome::Fault(fault) => {
                found = Some(fault);
                ControlFlow::Break(())
            }
            Outcome::State(_) => ControlFlow::Continue(()),
        });
        let fault = found.expect("the initialisation faults");
        Some(Evidence { states: Vec::new(), steps: Vec::new(), end: End::Fault(None, fault) })
    }

    /// A run through some states that faults after the last one.
    pub(crate) fn faulting(&self, states: Vec<Box<[u64]>>) -> Evidence {
        let mut found: Option<(Step, Fault)> = None;
        let last = states.last().expect("a path has a state");
        self.system.machine().successors(last, &mut |label: Label<'_>, outcome: Outcome<'_>| match outcome {
            Outcome::Fault(fault) => {
                found = Some((Step::from(label), fault));
                ControlFlow::Break(())
            }
            Outcome::State(_) => ControlFlow::Continue(()),
        });
        let (step, fault) = found.expect("a step faults here");
        self.evidence(states, End::Fault(Some(step), fault))
    }

    /// A run through some states that shows a condition in the last one.
    pub(crate) fn ending(
        &self,
        states: Vec<Box<[u64]>>,
        condition: &'s Expr,
        bound: &[(&'s Binder, u64)],
    ) -> Evidence {
        let mut machine = self.system.machine();
        bound.iter().for_each(|(binder, number)| machine.bind(binder, *number));
        let end = match machine.value(condition, states.last().expect("a path has a state")) {
            Err(Undefined::Fault(fault)) => End::Undefined(fault),
            _ => End::State,
        };
        self.evidence(states, end)
    }
}
