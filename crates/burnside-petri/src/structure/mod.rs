//! Answers without a search: what the initial marking tells, walks that meet a goal, and the state equation
//! with traps, which shows that none can.
//!
//! Entry points: [`Structure::of`], [`Structure::answer`]. A coloured net is unfolded first (`flat`). Every
//! run is a sequence of firings, to be replayed by who asked; every "never" has a proof that was verified
//! (`proof`). What none of it tells stays open, and so does everything about fair runs only.

mod flat;
mod goal;
mod proof;
mod refute;
mod tableau;
mod temporal;
#[cfg(test)]
mod tests;
mod walk;

use crate::net::{Net, TransitionId};
use crate::query::{Formula, NetQuestion, Query, Sum};
use burnside_ts::Path;
use flat::joined;
pub(crate) use flat::{Firing, Flat, Weights};
pub(crate) use goal::{AtMost, Goal};
pub(crate) use refute::Equation;
use std::cell::Cell;
pub(crate) use tableau::Work;
use temporal::{Here, folded, truth};
use walk::{Seen, Walker};

/// What an answer without a search rests on; if on several, the last of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ground {
    /// The initial marking alone.
    Initial,
    /// The state equation with traps; its proof was verified.
    Equation,
    /// Walks, which are to be replayed.
    Walk,
}

/// Formulas with more parts about reachability are left to searches.
const MOST_GOALS: usize = 20_000;

/// A net that is asked without searching.
#[derive(Clone, Debug)]
pub struct Structure {
    pub(crate) flat: Flat,
    equation: Option<Equation>,
    walks: bool,
    /// Whether paths, but not runs, end at dead markings.
    maximal: bool,
}

/// A transition and what its parameters are bound to.
pub type Fired = (TransitionId, Box<[u64]>);

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Whether the property holds; of a bound true.
    pub holds: bool,
    /// The bound.
    pub value: Option<i64>,
    /// A run that shows the answer.
    pub run: Option<Vec<Fired>>,
    /// Runs that the answer rests on without being shown by one of them.
    pub beside: Vec<Vec<Fired>>,
    /// How it was found.
    pub by: Ground,
}

/// The work on one question.
struct Attempt<'s> {
    it: &'s Structure,
    effort: u64,
    runs: Vec<Vec<u32>>,
    by: Ground,
}

impl Structure {
    /// Prepares a net. None if it is too large without colours.
    pub fn of(net: &Net, maximal: bool) -> Option<Self> {
        let flat = Flat::of(net)?;
        let equation = Equation::of(&flat);
        Some(Self { flat, equation, walks: true, maximal })
    }

    /// The same with one technique alone, beside what the initial marking tells: for comparisons.
    pub fn only(self, ground: Ground) -> Self {
        let equation = self.equation.filter(|_| ground == Ground::Equation);
        Self { equation, walks: ground == Ground::Walk, ..self }
    }

    /// Tries to answer a question, with so much effort: numbers that are computed in each of a few steps.
    pub fn answer(&self, query: &Query, effort: u64) -> Option<Found> {
        let (runs, by) = (Vec::new(), Ground::Initial);
        let mut attempt = Attempt { it: self, effort, runs, by };
        let (holds, value) = match &query.asked {
            NetQuestion::Reachable(condition) => (attempt.is_reachable(condition, true)?, None),
            NetQuestion::Invariant(condition) => (!attempt.is_reachable(condition, false)?, None),
            NetQuestion::Bound(sums) => (true, Some(attempt.greatest(sums)?)),
            NetQuestion::Ltl(formula) => {
                let formula = attempt.simplified(formula, false);
                (attempt.linear(&formula)?, None)
            }
            NetQuestion::Ctl(formula) => {
                let formula = attempt.simplified(formula, self.maximal);
                (attempt.branching(&formula)?, None)
            }
        };
        let mut runs: Vec<_> = attempt.runs.iter().map(|run| self.fired(run)).collect();
        let is_shown = match &query.asked {
            NetQuestion::Reachable(_) => holds,
            NetQuestion::Invariant(_) => !holds,
            NetQuestion::Bound(_) => true,
            NetQuestion::Ltl(_) | NetQuestion::Ctl(_) => false,
        };
        let run = if is_shown { runs.pop() } else { None };
        Some(Found { holds, value, run, beside: runs, by: attempt.by })
    }

    /// A run as what the transition system calls it.
    pub(crate) fn fired(&self, run: &[u32]) -> Vec<Fired> {
        let firing = |&number: &u32| {
            let firing = &self.flat.firings[number as usize];
            (TransitionId(firing.transition), firing.args.clone())
        };
        run.iter().map(firing).collect()
    }

    /// The truth of a condition in a marking.
    fn condition(&self, formula: &Formula, marking: &[i64]) -> Option<bool> {
        self.flat.goal(formula, true).map(|goal| goal.is_met(marking))
    }

    /// Whether a proof is found that no reachable marking meets a goal.
    fn is_refuted(&self, goal: &Goal, effort: u64) -> bool {
        let refute = |it: &Equation| it.refute(&self.flat, goal, &mut Work(effort));
        self.equation.as_ref().and_then(refute).is_some()
    }
}

impl Attempt<'_> {
    fn walker(&self) -> Option<Walker<'_>> {
        self.it.walks.then(|| Walker::new(&self.it.flat, self.effort))
    }

    fn used(&mut self, by: Ground) {
        self.by = self.by.max(by);
    }

    /// Whether a marking is reachable in which a condition has this truth.
    fn is_reachable(&mut self, condition: &Formula, truth: bool) -> Option<bool> {
        let goal = self.it.flat.goal(condition, truth)?;
        self.is_met(&goal)
    }

    fn is_met(&mut self, goal: &Goal) -> Option<bool> {
        if goal.is_met(&self.it.flat.initial) {
            self.runs.push(Vec::new());
            return Some(true);
        }
        // A short walk first: most goals that are met are met soon.
        if self.walks_to(goal, self.effort / 8) {
            return Some(true);
        }
        if self.it.is_refuted(goal, self.effort) {
            self.used(Ground::Equation);
            return Some(false);
        }
        self.walks_to(goal, self.effort).then_some(true)
    }

    fn walks_to(&mut self, goal: &Goal, effort: u64) -> bool {
        let distance = |marking: &[i64]| goal.distance(marking);
        let look = |marking: &[i64], _| if goal.is_met(marking) { Seen::Enough } else { Seen::Nothing };
        let Some(mut walker) = self.walker() else { return false };
        let run = walker.walk(look, Some(&distance), goal.size(), &mut Work(effort));
        self.keep(run)
    }

    fn keep(&mut self, run: Option<Vec<u32>>) -> bool {
        let Some(run) = run else { return false };
        self.used(Ground::Walk);
        self.runs.push(run);
        true
    }

    /// The greatest value of any of some sums.
    fn greatest(&mut self, sums: &[Sum]) -> Option<i64> {
        let flat = &self.it.flat;
        let sums: Vec<AtMost> = sums.iter().map(|sum| flat.at_most(&[(1, sum)], 0)).collect::<Option<_>>()?;
        let equation = self.it.equation.as_ref()?;
        let mut most = i64::MIN;
        let mut work = Work(self.effort);
        for sum in &sums {
            // What is always added has become a smaller number to be below.
            let greatest = equation.greatest(&sum.weights, &mut work)?.checked_sub(sum.most)?;
            most = most.max(greatest);
        }
        let value = |marking: &[i64]| sums.iter().map(|sum| sum.excess(marking)).max().unwrap_or(0);
        let best = Cell::new(i128::MIN);
        let look = |marking: &[i64], _| {
            let value = value(marking);
            let better = value > best.get();
            best.set(best.get().max(value));
            match value >= i128::from(most) {
                true => Seen::Enough,
                false if better => Seen::Better,
                false => Seen::Nothing,
            }
        };
        let distance = |marking: &[i64]| -value(marking);
        let cost = sums.iter().map(|sum| 1 + sum.weights.len()).sum();
        let run = self.walker()?.walk(look, Some(&distance), cost, &mut Work(self.effort))?;
        if best.get() != i128::from(most) {
            return None;
        }
        let above = sums.iter().map(|sum| {
            let weights = sum.weights.iter().map(|&(cell, weight)| Some((cell, weight.checked_neg()?)));
            let least = most.checked_add(1)?.checked_add(sum.most)?.checked_neg()?;
            Some(Goal::AtMost(AtMost { weights: weights.collect::<Option<_>>()?, most: least }))
        });
        let above = Goal::Any(above.collect::<Option<_>>()?);
        self.used(Ground::Equation);
        (self.it.is_refuted(&above, self.effort) && self.keep(Some(run))).then_some(most)
    }

    /// The formula with conditions that are the same in all reachable markings put in.
    fn simplified(&mut self, formula: &Formula, maximal: bool) -> Formula {
        let (it, effort) = (self.it, self.effort / 16);
        if self.at_first(formula, maximal).is_some() {
            return formula.clone();
        }
        let mut left = MOST_GOALS;
        folded(formula, &mut |part| {
            left = left.saturating_sub(1);
            let truth = it.condition(part, &it.flat.initial).filter(|_| left > 0)?;
            let constant = it.is_refuted(&it.flat.goal(part, !truth)?, effort);
            if constant {
                self.used(Ground::Equation);
            }
            constant.then_some(truth)
        })
    }

    fn at_first(&self, formula: &Formula, maximal: bool) -> Option<bool> {
        let initial = &self.it.flat.initial;
        let dead = !self.it.flat.firings.iter().any(|firing| firing.is_enabled(initial));
        truth(formula, &Here { condition: &|part| self.it.condition(part, initial), dead, maximal })
    }

    /// Whether a formula is true on every run.
    fn linear(&mut self, formula: &Formula) -> Option<bool> {
        if let Some(truth) = self.at_first(formula, false) {
            return Some(truth);
        }
        match formula {
            Formula::Atom(_) => self.it.condition(formula, &self.it.flat.initial),
            Formula::And(parts) => joined(parts.iter().map(|part| self.linear(part)), false),
            // That no run satisfies one part says nothing about others.
            Formula::Or(parts) => parts.iter().any(|part| self.linear(part) == Some(true)).then_some(true),
            Formula::Globally(_, inner) if !inner.is_temporal() => {
                self.is_reachable(inner, false).map(|it| !it)
            }
            Formula::Globally(_, inner) => self.meets(inner, false, false).then_some(false),
            _ => None,
        }
    }

    /// Whether a formula is true in the initial marking.
    fn branching(&mut self, formula: &Formula) -> Option<bool> {
        if let Some(truth) = self.at_first(formula, self.it.maximal) {
            return Some(truth);
        }
        match formula {
            Formula::Not(inner) => self.branching(inner).map(|truth| !truth),
            Formula::And(parts) => joined(parts.iter().map(|part| self.branching(part)), false),
            Formula::Or(parts) => joined(parts.iter().map(|part| self.branching(part)), true),
            Formula::Implies(sides) => {
                let left = self.branching(&sides[0]).map(|truth| !truth);
                match left {
                    Some(true) => Some(true),
                    _ => joined([left, self.branching(&sides[1])].into_iter(), true),
                }
            }
            Formula::Iff(sides) => Some(self.branching(&sides[0])? == self.branching(&sides[1])?),
            Formula::Finally(Some(Path::Some), inner) if !inner.is_temporal() => {
                self.is_reachable(inner, true)
            }
            Formula::Globally(Some(Path::All), inner) if !inner.is_temporal() => {
                self.is_reachable(inner, false).map(|it| !it)
            }
            Formula::Finally(Some(Path::Some), inner) => {
                self.meets(inner, true, self.it.maximal).then_some(true)
            }
            Formula::Globally(Some(Path::All), inner) => {
                self.meets(inner, false, self.it.maximal).then_some(false)
            }
            _ => None,
        }
    }

    /// Walks to a marking that alone shows that a formula has this truth there.
    fn meets(&mut self, formula: &Formula, wanted: bool, maximal: bool) -> bool {
        let it = self.it;
        let look = |marking: &[i64], dead| {
            let condition = |part: &Formula| it.condition(part, marking);
            let found = truth(formula, &Here { condition: &condition, dead, maximal });
            if found == Some(wanted) { Seen::Enough } else { Seen::Nothing }
        };
        let Some(mut walker) = self.walker() else { return false };
        let run = walker.walk(look, None, 1000, &mut Work(self.effort));
        self.keep(run)
    }
}
