//! Branching-time formulas by definition: all states that can be reached, every operator a fixpoint over all
//! of them.
//!
//! Entry points: [`holds`] in one state, [`holds_initially`] in all initial ones, and [`greatest`] for the
//! values of an expression. Slow and short. It is for what no run and no tree can show, and only without
//! fairness.

use burnside_ts::{
    AnyMachine, Binder, Domain, Expr, Formula, Label, Machine, Outcome, Path, System, Temporal,
};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Whether a formula is true in a state, for these values of the names around it. In a deadlock paths stay
/// for ever or, if they are `maximal`, end. `None` if more states than the limit can be reached, if some
/// condition faults in one of them, if all that can be tried in one of them faults, or if one is outside of the
/// constraint.
pub(crate) fn holds<'s>(
    system: &'s System,
    formula: &'s Formula,
    bound: &[(&'s Binder, u64)],
    state: &[u64],
    maximal: bool,
    limit: usize,
) -> Option<bool> {
    let mut machine = system.machine();
    let graph = Graph::explore(&mut *machine, vec![state.into()], maximal, limit)?;
    let values = Evaluator { machine, graph: &graph, bound: bound.to_vec() }.formula(formula)?;
    Some(values[0])
}

/// Whether a formula is true in all initial states, likewise. `None` too if the initialisation can fault.
pub fn holds_initially<'s>(
    system: &'s System,
    formula: &'s Formula,
    maximal: bool,
    limit: usize,
) -> Option<bool> {
    let mut machine = system.machine();
    let initial = initial(&mut *machine, limit)?;
    let count = initial.len();
    let graph = Graph::explore(&mut *machine, initial, maximal, limit)?;
    let values = Evaluator { machine, graph: &graph, bound: Vec::new() }.formula(formula)?;
    Some(values[..count].iter().all(|&value| value))
}

/// The greatest value of an expression in all states that can be reached; `None` if there are more than the
/// limit, or something faults.
pub fn greatest<'s>(system: &'s System, expr: &'s Expr, limit: usize) -> Option<i64> {
    let mut machine = system.machine();
    let initial = initial(&mut *machine, limit)?;
    let graph = Graph::explore(&mut *machine, initial, true, limit)?;
    let values = graph.states.iter().map(|state| machine.value(expr, state).ok());
    values.collect::<Option<Vec<_>>>()?.into_iter().max()
}

/// All initial states, each once.
fn initial(machine: &mut dyn Machine<'_>, limit: usize) -> Option<Vec<Box<[u64]>>> {
    let mut known: HashSet<Box<[u64]>> = HashSet::new();
    let (mut all, mut faults) = (Vec::new(), false);
    machine.initial(&mut |outcome| {
        match outcome {
            Outcome::State(state) => {
                if known.insert(state.into()) {
                    all.push(state.into());
                }
            }
            Outcome::Fault(_) => faults = true,
        }
        if faults || all.len() > limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (!faults && all.len() <= limit).then_some(all)
}

/// The states that can be reached from the first ones.
struct Graph {
    states: Vec<Box<[u64]>>,
    successors: Vec<Vec<usize>>,
}

impl Graph {
    /// From these states, which come first.
    fn explore(
        machine: &mut dyn Machine<'_>,
        first: Vec<Box<[u64]>>,
        maximal: bool,
        limit: usize,
    ) -> Option<Self> {
        let mut known: HashMap<Box<[u64]>, usize> = first.iter().cloned().zip(0..).collect();
        let mut graph = Self { states: first, successors: Vec::new() };
        while graph.successors.len() < graph.states.len() {
            if graph.states.len() > limit {
                return None;
            }
            let at = graph.successors.len();
            let mut successors = Vec::new();
            let mut faults = false;
            let state = graph.states[at].clone();
            machine.successors(&state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
                match outcome {
                    Outcome::State(next) => {
                        let number = *known.entry(next.into()).or_insert(graph.states.len());
                        if number == graph.states.len() {
                            graph.states.push(next.into());
                        }
                        successors.push(number);
                    }
                    Outcome::Fault(_) => faults = true,
                }
                ControlFlow::Continue(())
            });
            match (successors.is_empty(), faults) {
                (true, true) => return None,
                (true, false) if machine.is_outside(&state) != Ok(false) => return None,
                (true, false) if !maximal => successors.push(at),
                _ => {}
            }
            graph.successors.push(successors);
        }
        Some(graph)
    }
}

struct Evaluator<'g, 's> {
    machine: AnyMachine<'s>,
    graph: &'g Graph,
    bound: Vec<(&'s Binder, u64)>,
}

impl<'s> Evaluator<'_, 's> {
    /// The truth values in all states.
    fn formula(&mut self, formula: &'s Formula) -> Option<Vec<bool>> {
        match formula {
            Formula::Atom(condition, _) => self.condition(condition),
            Formula::Not(inner) => self.formula(inner).map(negated),
            Formula::And(sides) => self.both(sides, |a, b| a && b),
            Formula::Or(sides) => self.both(sides, |a, b| a || b),
            Formula::Implies(sides) => self.both(sides, |a, b| !a || b),
            Formula::Iff(sides) => self.both(sides, |a, b| a == b),
            Formula::Forall(binder, body) => self.quantified(binder, body, true, |a, b| a && b),
            Formula::Exists(binder, body) => self.quantified(binder, body, false, |a, b| a || b),
            Formula::Temporal(Some(path), operator) => self.temporal(*path, operator),
            Formula::Temporal(None, _) => None,
        }
    }

    fn condition(&mut self, condition: &'s Expr) -> Option<Vec<bool>> {
        let graph = self.graph;
        let values = graph.states.iter().map(|state| {
            for &(binder, value) in &self.bound {
                self.machine.bind(binder, value);
            }
            self.machine.holds(condition, state).ok()
        });
        values.collect()
    }

    fn both(&mut self, sides: &'s [Formula; 2], join: fn(bool, bool) -> bool) -> Option<Vec<bool>> {
        let (left, right) = (self.formula(&sides[0])?, self.formula(&sides[1])?);
        Some(left.into_iter().zip(right).map(|(left, right)| join(left, right)).collect())
    }

    fn quantified(
        &mut self,
        binder: &'s Binder,
        body: &'s Formula,
        neutral: bool,
        join: fn(bool, bool) -> bool,
    ) -> Option<Vec<bool>> {
        let Domain::Type = binder.domain else { return None };
        let mut all = vec![neutral; self.graph.states.len()];
        for value in 0..self.machine.system().types.size(binder.ty)? {
            self.bound.push((binder, value));
            let values = self.formula(body);
            self.bound.pop();
            all = all.into_iter().zip(values?).map(|(all, one)| join(all, one)).collect();
        }
        Some(all)
    }

    fn temporal(&mut self, path: Path, operator: &'s Temporal) -> Option<Vec<bool>> {
        let truth = vec![true; self.graph.states.len()];
        let (left, right) = match operator {
            Temporal::Next(body) | Temporal::Finally(body) => (truth, self.formula(body)?),
            Temporal::Globally(body) => (negated(truth), self.formula(body)?),
            Temporal::Until(sides)
            | Temporal::Release(sides)
            | Temporal::WeakUntil(sides)
            | Temporal::StrongRelease(sides) => (self.formula(&sides[0])?, self.formula(&sides[1])?),
        };
        let until = |at: usize, later: bool| right[at] || left[at] && later;
        let release = |at: usize, later: bool| right[at] && (left[at] || later);
        Some(match operator {
            Temporal::Next(_) => self.after(path, &right, path == Path::All),
            Temporal::Finally(_) | Temporal::Until(_) => self.fixpoint(path, false, until),
            Temporal::WeakUntil(_) => self.fixpoint(path, true, until),
            Temporal::Globally(_) | Temporal::Release(_) => self.fixpoint(path, true, release),
            Temporal::StrongRelease(_) => self.fixpoint(path, false, release),
        })
    }

    /// The least or greatest values with `values[at] = step(at, values after at)`.
    fn fixpoint(&self, path: Path, greatest: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![greatest; self.graph.states.len()];
        loop {
            let later = self.after(path, &values, greatest);
            let next: Vec<bool> = later.into_iter().enumerate().map(|(at, later)| step(at, later)).collect();
            if next == values {
                return values;
            }
            values = next;
        }
    }

    /// Whether the values are true in some, or in all, states that follow; `at_end` where none does.
    fn after(&self, path: Path, values: &[bool], at_end: bool) -> Vec<bool> {
        let value = |successors: &Vec<usize>| match (successors.is_empty(), path) {
            (true, _) => at_end,
            (false, Path::Some) => successors.iter().any(|&next| values[next]),
            (false, Path::All) => successors.iter().all(|&next| values[next]),
        };
        self.graph.successors.iter().map(value).collect()
    }
}

fn negated(values: Vec<bool>) -> Vec<bool> {
    values.into_iter().map(|value| !value).collect()
}
