//! Whether a linear-time formula is false of an infinite run, evaluated on the positions of the run and on
//! nothing else.
//!
//! Entry points: [`is_false`], and for people [`culprits`] and [`truths`]. Quantifiers are written out over
//! the values of their types. An operator over time is a least or greatest fixpoint along the run; because
//! the run is a lasso, two passes from its end find it. Down to the first of those operators only the first
//! position matters, so that one false instance of `forall` is enough.
//!
//! A condition that faults has no truth value. It is taken for whatever would make the formula true: what is
//! false all the same is false.

use crate::evidence::Evidence;
use burnside_ts::{AnyMachine, Binder, Domain, Expr, Fault, Formula, System, Temporal, Undefined};

/// The states of an infinite run: after the last comes the one at `start` again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lasso<'e> {
    /// The states, at least one.
    pub states: &'e [Box<[u64]>],
    /// Where it goes on after the last.
    pub start: usize,
}

/// Whether the formula is false of the run.
pub(crate) fn is_false(system: &System, run: Lasso<'_>, formula: &Formula) -> bool {
    with_memory(system, run, formula, |system, run, formula| {
        !LassoJudge { machine: system.machine(), run, bound: Vec::new() }.at_first(formula, true)
    })
}

/// Judges a formula on a run. If it has conditions on steps, then on the run whose states remember what was
/// before the step that leads to each.
fn with_memory<T>(
    system: &System,
    run: Lasso<'_>,
    formula: &Formula,
    judge: impl FnOnce(&System, Lasso<'_>, &Formula) -> T,
) -> T {
    if formula.steps().is_empty() {
        return judge(system, run, formula);
    }
    let (system, formula, memory) = system.remembering(formula);
    // The state to which the loop returns is there twice: after the state before it, and after the last.
    let again = run.states.last().map(|last| memory.after(Some(last), &run.states[run.start]));
    let before = std::iter::once(None).chain(run.states.iter().map(|state| Some(&**state)));
    let states = run.states.iter().zip(before).map(|(state, before)| memory.after(before, state));
    let states: Vec<Box<[u64]>> = states.chain(again).collect();
    judge(&system, Lasso { states: &states, start: run.start + 1 }, &formula)
}

/// Of which values a formula with `forall` in front is false on an infinite run: for each of these
/// quantifiers the number of a value, the least ones. Nothing for a finite run, and fewer if the formula is
/// not false.
pub fn culprits<'s>(system: &'s System, evidence: &Evidence, formula: &'s Formula) -> Vec<(&'s Binder, u64)> {
    let Some(run) = lasso(evidence) else { return Vec::new() };
    let mut found = Vec::new();
    let mut rest = formula;
    for value in with_memory(system, run, formula, falsifying) {
        let Formula::Forall(binder, body) = rest else { break };
        found.push((binder, value));
        rest = body;
    }
    found
}

/// The least values of the quantifiers in front for which a formula is false.
fn falsifying(system: &System, run: Lasso<'_>, mut formula: &Formula) -> Vec<u64> {
    let mut judge = LassoJudge { machine: system.machine(), run, bound: Vec::new() };
    while let Formula::Forall(binder, body) = formula {
        let mut values = judge.values(binder).unwrap_or(0..0);
        let found = values.find(|&value| !judge.with(binder, value, |judge| judge.at_first(body, true)));
        let Some(value) = found else { break };
        judge.bound.push((binder, value));
        formula = body;
    }
    judge.bound.into_iter().map(|(_, value)| value).collect()
}

/// The truth of a formula in each state of an infinite run, for these values of the names around it; none
/// where a condition that faults decides. Nothing for a finite run.
pub fn truths<'s>(
    system: &'s System,
    evidence: &Evidence,
    bound: &[(&'s Binder, u64)],
    formula: &'s Formula,
) -> Vec<Option<bool>> {
    let Some(run) = lasso(evidence) else { return Vec::new() };
    let mut truths = with_memory(system, run, formula, |system, run, formula| {
        LassoJudge { machine: system.machine(), run, bound: bound.to_vec() }.certain(formula)
    });
    truths.truncate(evidence.states.len());
    truths
}

/// The truth of a branching-time formula in each state of a run, for these values of the names around it, as
/// far as the states alone tell it: none where it hangs on a path operator, or on a condition that faults.
pub fn branching_truths<'s>(
    system: &'s System,
    evidence: &Evidence,
    bound: &[(&'s Binder, u64)],
    formula: &'s Formula,
) -> Vec<Option<bool>> {
    // What follows the last state does not matter: no operator but those of paths looks ahead.
    let run = Lasso { states: &evidence.states, start: 0 };
    LassoJudge { machine: system.machine(), run, bound: bound.to_vec() }.certain(formula)
}

/// The states of evidence that is infinite.
fn lasso(evidence: &Evidence) -> Option<Lasso<'_>> {
    evidence.loop_start().map(|start| Lasso { states: &evidence.states, start })
}

/// The faults of the conditions of a formula in a state, for all values of what is quantified, one by one
/// until `next` is false. Conditions on steps are judged of the step that led there from the state before.
pub fn faults(
    system: &System,
    before: Option<&[u64]>,
    state: &[u64],
    formula: &Formula,
    next: &mut dyn FnMut(Fault) -> bool,
) {
    let mut judge = |system: &System, state: Box<[u64]>, formula: &Formula| {
        let run = Lasso { states: &[state], start: 0 };
        LassoJudge { machine: system.machine(), run, bound: Vec::new() }.each_fault(formula, next);
    };
    if formula.steps().is_empty() {
        return judge(system, state.into(), formula);
    }
    let (system, formula, memory) = system.remembering(formula);
    judge(&system, memory.after(before, state), &formula);
}

/// Evaluates formulas on a run. Evaluations have a flag: what a condition that faults is taken for.
struct LassoJudge<'s, 'e> {
    machine: AnyMachine<'s>,
    run: Lasso<'e>,
    /// The quantified variables around the formula, with the numbers of their values.
    bound: Vec<(&'s Binder, u64)>,
}

impl<'s> LassoJudge<'s, '_> {
    /// The truth at each position, where it is the same whatever is not known is taken for.
    fn certain(&mut self, formula: &'s Formula) -> Vec<Option<bool>> {
        let [most, least] = [true, false].map(|unknown| self.everywhere(formula, unknown));
        most.into_iter().zip(least).map(|(most, least)| (most == least).then_some(most)).collect()
    }

    /// The truth at the first position.
    fn at_first(&mut self, formula: &'s Formula, unknown: bool) -> bool {
        match formula {
            Formula::Atom(condition, _) => self.condition(condition, 0).unwrap_or(unknown),
            Formula::Not(a) => !self.at_first(a, !unknown),
            Formula::And(both) => self.at_first(&both[0], unknown) && self.at_first(&both[1], unknown),
            Formula::Or(both) => self.at_first(&both[0], unknown) || self.at_first(&both[1], unknown),
            Formula::Implies(both) => !self.at_first(&both[0], !unknown) || self.at_first(&both[1], unknown),
            Formula::Iff(both) => {
                let [a, b] = &**both;
                (!self.at_first(a, !unknown) || self.at_first(b, unknown))
                    && (!self.at_first(b, !unknown) || self.at_first(a, unknown))
            }
            Formula::Forall(binder, body) => match self.values(binder) {
                Some(values) => values
                    .into_iter()
                    .all(|value| self.with(binder, value, |judge| judge.at_first(body, unknown))),
                None => unknown,
            },
            Formula::Exists(binder, body) => match self.values(binder) {
                Some(values) => values
                    .into_iter()
                    .any(|value| self.with(binder, value, |judge| judge.at_first(body, unknown))),
                None => unknown,
            },
            Formula::Temporal(..) | Formula::Step(_) => self.everywhere(formula, unknown)[0],
        }
    }

    /// The truth at each position.
    fn everywhere(&mut self, formula: &'s Formula, unknown: bool) -> Vec<bool> {
        match formula {
            Formula::Atom(condition, _) => {
                let positions = 0..self.run.states.len();
                positions.map(|at| self.condition(condition, at).unwrap_or(unknown)).collect()
            }
            Formula::Not(a) => negated(self.everywhere(a, !unknown)),
            Formula::And(both) => self.both(both, unknown, |a, b| a && b),
            Formula::Or(both) => self.both(both, unknown, |a, b| a || b),
            Formula::Implies(both) => {
                let a = negated(self.everywhere(&both[0], !unknown));
                joined(a, &self.everywhere(&both[1], unknown), |a, b| a || b)
            }
            Formula::Iff(both) => {
                let [a, b] = &**both;
                let there =
                    joined(negated(self.everywhere(a, !unknown)), &self.everywhere(b, unknown), |a, b| {
                        a || b
                    });
                let back =
                    joined(negated(self.everywhere(b, !unknown)), &self.everywhere(a, unknown), |a, b| {
                        a || b
                    });
                joined(there, &back, |a, b| a && b)
            }
            Formula::Forall(binder, body) => self.over_values(binder, body, unknown, true, |a, b| a && b),
            Formula::Exists(binder, body) => self.over_values(binder, body, unknown, false, |a, b| a || b),
            Formula::Temporal(None, operator) => self.temporal(operator, unknown),
            // Not a linear-time formula, or not of a run that remembers.
            Formula::Temporal(Some(_), _) | Formula::Step(_) => vec![unknown; self.run.states.len()],
        }
    }

    fn temporal(&mut self, operator: &'s Temporal, unknown: bool) -> Vec<bool> {
        match operator {
            Temporal::Next(a) => {
                let mut values = self.everywhere(a, unknown);
                let last = values[self.run.start];
                values.remove(0);
                values.push(last);
                values
            }
            Temporal::Finally(a) => {
                let a = self.everywhere(a, unknown);
                self.fixpoint(false, |at, later| a[at] || later)
            }
            Temporal::Globally(a) => {
                let a = self.everywhere(a, unknown);
                self.fixpoint(true, |at, later| a[at] && later)
            }
            Temporal::Until(sides) => self.until(sides, unknown, false, |a, b, later| b || a && later),
            Temporal::WeakUntil(sides) => self.until(sides, unknown, true, |a, b, later| b || a && later),
            Temporal::Release(sides) => self.until(sides, unknown, true, |a, b, later| b && (a || later)),
            Temporal::StrongRelease(sides) => {
                self.until(sides, unknown, false, |a, b, later| b && (a || later))
            }
        }
    }

    fn until(
        &mut self,
        sides: &'s [Formula; 2],
        unknown: bool,
        greatest: bool,
        step: fn(bool, bool, bool) -> bool,
    ) -> Vec<bool> {
        let (a, b) = (self.everywhere(&sides[0], unknown), self.everywhere(&sides[1], unknown));
        self.fixpoint(greatest, |at, later| step(a[at], b[at], later))
    }

    /// The least or greatest solution of `value[at] = step(at, value[after at])`. The first pass supposes the
    /// extreme value after the last position. If that was wrong of the position that follows it, the second
    /// pass supposes the other one, which the first pass has found there.
    fn fixpoint(&self, greatest: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![greatest; self.run.states.len()];
        for _ in 0..2 {
            let mut later = values[self.run.start];
            for at in (0..values.len()).rev() {
                later = step(at, later);
                values[at] = later;
            }
        }
        values
    }

    fn both(&mut self, both: &'s [Formula; 2], unknown: bool, join: fn(bool, bool) -> bool) -> Vec<bool> {
        let a = self.everywhere(&both[0], unknown);
        joined(a, &self.everywhere(&both[1], unknown), join)
    }

    fn over_values(
        &mut self,
        binder: &'s Binder,
        body: &'s Formula,
        unknown: bool,
        neutral: bool,
        join: fn(bool, bool) -> bool,
    ) -> Vec<bool> {
        let Some(values) = self.values(binder) else { return vec![unknown; self.run.states.len()] };
        values.into_iter().fold(vec![neutral; self.run.states.len()], |all, value| {
            joined(all, &self.with(binder, value, |judge| judge.everywhere(body, unknown)), join)
        })
    }

    /// The numbers of the values that a quantifier is about, if they are those of a type.
    fn values(&self, binder: &Binder) -> Option<std::ops::Range<u64>> {
        match binder.domain {
            Domain::Type => self.machine.system().types.size(binder.ty).map(|size| 0..size),
            Domain::Collection(_) => None,
        }
    }

    fn with<T>(&mut self, binder: &'s Binder, value: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        self.bound.push((binder, value));
        let result = act(self);
        self.bound.pop();
        result
    }

    /// The truth of a condition in the state at a position, if it has one.
    fn condition(&mut self, condition: &'s Expr, at: usize) -> Option<bool> {
        self.evaluate(condition, at).ok()
    }

    fn evaluate(&mut self, condition: &'s Expr, at: usize) -> Result<bool, Undefined> {
        // Evaluations of other conditions may have used the places of the bound variables.
        for &(binder, value) in &self.bound {
            self.machine.bind(binder, value);
        }
        self.machine.holds(condition, &self.run.states[at])
    }

    /// Tells whether to go on.
    fn each_fault(&mut self, formula: &'s Formula, next: &mut dyn FnMut(Fault) -> bool) -> bool {
        match formula {
            Formula::Atom(condition, _) => match self.evaluate(condition, 0) {
                Err(Undefined::Fault(fault)) => next(fault),
                _ => true,
            },
            Formula::Forall(binder, body) | Formula::Exists(binder, body) => {
                let mut values = self.values(binder).unwrap_or(0..0);
                values.all(|value| self.with(binder, value, |judge| judge.each_fault(body, next)))
            }
            _ => formula.children().iter().all(|one| self.each_fault(one, next)),
        }
    }
}

fn negated(mut values: Vec<bool>) -> Vec<bool> {
    values.iter_mut().for_each(|value| *value = !*value);
    values
}

fn joined(mut left: Vec<bool>, right: &[bool], join: fn(bool, bool) -> bool) -> Vec<bool> {
    left.iter_mut().zip(right).for_each(|(left, right)| *left = join(*left, *right));
    left
}
