//! Single runs: whether a formula is true of one, and whether it is fair, both by definition.

use super::formula::Formula;
use super::runs::{Runs, Units};

/// A run that goes around for ever: after the last step it is where it was at `back`.
#[derive(Clone, Debug)]
pub(crate) struct Lasso {
    pub states: Vec<usize>,
    /// The units that each step executes.
    pub steps: Vec<Units>,
    pub back: usize,
}

impl Lasso {
    fn next(&self, position: usize) -> usize {
        if position + 1 < self.states.len() { position + 1 } else { self.back }
    }

    /// All positions that come at or after this one.
    fn later(&self, position: usize) -> std::ops::Range<usize> {
        position.min(self.back)..self.states.len()
    }

    /// Whether the formula is true from each position on.
    pub fn truth(&self, atoms: &[Vec<bool>], formula: &Formula) -> Vec<bool> {
        let all = 0..self.states.len();
        let sub = |formula: &Formula| self.truth(atoms, formula);
        // The least or greatest solution of an equation for what is true here, given what is true next.
        let solve = |start: bool, equation: &dyn Fn(usize, bool) -> bool| {
            let mut values = vec![start; self.states.len()];
            loop {
                let new: Vec<bool> = all.clone().map(|i| equation(i, values[self.next(i)])).collect();
                if new == values {
                    return values;
                }
                values = new;
            }
        };
        match formula {
            Formula::Atom(atom) => self.states.iter().map(|&state| atoms[*atom][state]).collect(),
            Formula::Not(a) => sub(a).into_iter().map(|value| !value).collect(),
            Formula::And(parts) => {
                let parts: Vec<_> = parts.iter().map(sub).collect();
                all.map(|i| parts.iter().all(|part| part[i])).collect()
            }
            Formula::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(sub).collect();
                all.map(|i| parts.iter().any(|part| part[i])).collect()
            }
            Formula::Iff(sides) => {
                let (a, b) = (sub(&sides[0]), sub(&sides[1]));
                all.map(|i| a[i] == b[i]).collect()
            }
            Formula::Next(a) => {
                let a = sub(a);
                all.map(|i| a[self.next(i)]).collect()
            }
            Formula::Finally(a) => {
                let a = sub(a);
                all.map(|i| self.later(i).any(|j| a[j])).collect()
            }
            Formula::Globally(a) => {
                let a = sub(a);
                all.map(|i| self.later(i).all(|j| a[j])).collect()
            }
            Formula::Until(sides) => {
                let (a, b) = (sub(&sides[0]), sub(&sides[1]));
                solve(false, &|i, next| b[i] || (a[i] && next))
            }
            Formula::Release(sides) => {
                let (a, b) = (sub(&sides[0]), sub(&sides[1]));
                solve(true, &|i, next| b[i] && (a[i] || next))
            }
            Formula::WeakUntil(sides) => {
                let (a, b) = (sub(&sides[0]), sub(&sides[1]));
                solve(true, &|i, next| b[i] || (a[i] && next))
            }
            Formula::StrongRelease(sides) => {
                let (a, b) = (sub(&sides[0]), sub(&sides[1]));
                solve(false, &|i, next| b[i] && (a[i] || next))
            }
        }
    }

    /// Whether every unit is treated fairly.
    pub fn is_fair(&self, runs: &Runs) -> bool {
        let around = self.back..self.states.len();
        (0..Units::BITS).all(|unit| {
            let enabled = |i: usize| runs.enabled(self.states[i]) >> unit & 1 == 1;
            let executed = |i: usize| self.steps[i] >> unit & 1 == 1;
            if runs.weak >> unit & 1 == 1 {
                around.clone().any(|i| !enabled(i) || executed(i))
            } else if runs.strong >> unit & 1 == 1 {
                !around.clone().any(enabled) || around.clone().any(executed)
            } else {
                true
            }
        })
    }
}
