//! Conditions on markings of a net without colours, as sums that are at most a number.
//!
//! Entry point: [`Flat::goal`]. Negation is gone: it is moved to the sums, where over integers `!(a <= b)` is
//! `b + 1 <= a`. None where a number does not fit.

use super::flat::{Firing, Flat, Weights};
use crate::query::{Atom, Formula, Sum};
use burnside_limits::poll;
use burnside_ts::Compare;
use std::collections::BTreeMap;

/// A condition with more parts is left to the search.
const MOST_PARTS: usize = 2_000_000;

/// A question with larger factors is left to the search.
const GREATEST_WEIGHT: i128 = 1 << 40;

/// A condition on a marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// True there if the sum is at most the number.
    AtMost(AtMost),
    /// All of them are true.
    All(Vec<Goal>),
    /// One of them is.
    Any(Vec<Goal>),
}

/// A weighted sum of tokens is at most a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AtMost {
    /// The weights.
    pub weights: Weights,
    /// The number.
    pub most: i64,
}

impl AtMost {
    /// The sum less the number: at most 0 where it is true.
    pub fn excess(&self, marking: &[i64]) -> i128 {
        let sum =
            |sum, &(cell, weight): &(u32, i64)| sum + i128::from(weight) * i128::from(marking[cell as usize]);
        // Weights are at most 2^40, and there are fewer than 2^24 cells with up to 2^63 tokens each.
        self.weights.iter().fold(-i128::from(self.most), sum)
    }
}

impl Goal {
    /// A condition that is always true, or never.
    pub fn constant(truth: bool) -> Self {
        if truth { Goal::All(Vec::new()) } else { Goal::Any(Vec::new()) }
    }

    /// Whether a marking is one.
    pub fn is_met(&self, marking: &[i64]) -> bool {
        match self {
            Goal::AtMost(sum) => sum.excess(marking) <= 0,
            Goal::All(parts) => parts.iter().all(|part| part.is_met(marking)),
            Goal::Any(parts) => parts.iter().any(|part| part.is_met(marking)),
        }
    }

    /// How far a marking is from it: 0 if it is one.
    pub fn distance(&self, marking: &[i64]) -> i128 {
        match self {
            Goal::AtMost(sum) => sum.excess(marking).max(0),
            Goal::All(parts) => {
                parts.iter().fold(0, |sum: i128, part| sum.saturating_add(part.distance(marking)))
            }
            Goal::Any(parts) => parts.iter().map(|part| part.distance(marking)).min().unwrap_or(i128::MAX),
        }
    }

    /// Of how many parts it is made.
    pub fn size(&self) -> usize {
        match self {
            Goal::AtMost(sum) => 1 + sum.weights.len(),
            Goal::All(parts) | Goal::Any(parts) => 1 + parts.iter().map(Goal::size).sum::<usize>(),
        }
    }
}

impl Flat {
    /// The markings in which a condition without path operators has this truth.
    pub fn goal(&self, formula: &Formula, truth: bool) -> Option<Goal> {
        let goal = self.part(formula, truth)?;
        (goal.size() <= MOST_PARTS).then_some(goal)
    }

    fn part(&self, formula: &Formula, truth: bool) -> Option<Goal> {
        poll();
        let all = |parts: &[Formula], truth| {
            parts.iter().map(|part| self.part(part, truth)).collect::<Option<Vec<_>>>()
        };
        match formula {
            Formula::Atom(atom) => self.atom(atom, truth),
            Formula::Not(inner) => self.part(inner, !truth),
            Formula::And(parts) if truth => all(parts, true).map(Goal::All),
            Formula::And(parts) => all(parts, false).map(Goal::Any),
            Formula::Or(parts) if truth => all(parts, true).map(Goal::Any),
            Formula::Or(parts) => all(parts, false).map(Goal::All),
            Formula::Implies(sides) => {
                let both = vec![self.part(&sides[0], !truth)?, self.part(&sides[1], truth)?];
                Some(if truth { Goal::Any(both) } else { Goal::All(both) })
            }
            Formula::Iff(sides) => {
                let case = |left| {
                    let both = vec![self.part(&sides[0], left)?, self.part(&sides[1], left == truth)?];
                    Some(Goal::All(both))
                };
                Some(Goal::Any(vec![case(true)?, case(false)?]))
            }
            _ => None,
        }
    }

    fn atom(&self, atom: &Atom, truth: bool) -> Option<Goal> {
        match atom {
            Atom::Constant(value) => Some(Goal::constant(*value == truth)),
            Atom::Compare(op, left, right) => self.comparison(*op, left, right, truth),
            Atom::Fireable(transitions) => {
                let firings = transitions.iter().flat_map(|transition| self.firings_of(transition.index()));
                some_enabled(firings, truth)
            }
            Atom::Deadlock => some_enabled(self.firings.iter(), !truth),
        }
    }

    fn comparison(&self, op: Compare, left: &Sum, right: &Sum, truth: bool) -> Option<Goal> {
        let below = |left, right, by| self.at_most(&[(1, left), (-1, right)], by).map(Goal::AtMost);
        match (op, truth) {
            (Compare::Le, true) => below(left, right, 0),
            (Compare::Lt, true) => below(left, right, -1),
            (Compare::Le, false) => below(right, left, -1),
            (Compare::Lt, false) => below(right, left, 0),
            (Compare::Eq, true) | (Compare::Ne, false) => {
                Some(Goal::All(vec![below(left, right, 0)?, below(right, left, 0)?]))
            }
            (Compare::Eq, false) | (Compare::Ne, true) => {
                Some(Goal::Any(vec![below(left, right, -1)?, below(right, left, -1)?]))
            }
        }
    }

    /// Sums, each with a sign, are together at most a number.
    pub fn at_most(&self, sums: &[(i64, &Sum)], most: i64) -> Option<AtMost> {
        let mut most = i128::from(most);
        let mut weights: BTreeMap<u32, i128> = BTreeMap::new();
        for (sign, sum) in sums {
            let sign = i128::from(*sign);
            most -= sign * i128::from(sum.constant);
            for (factor, tokens) in &sum.tokens {
                let cells = match &tokens.colour {
                    None => self.cells(tokens.place),
                    Some(colour) => self.cell(tokens.place, colour),
                };
                for cell in cells {
                    // No more factors than a file holds, each of 64 bits.
                    *weights.entry(cell).or_default() += sign * i128::from(*factor);
                }
            }
        }
        let fit = |(cell, weight): (u32, i128)| {
            (weight.abs() <= GREATEST_WEIGHT).then_some((cell, i64::try_from(weight).ok()?))
        };
        let weights = weights.into_iter().filter(|(_, weight)| *weight != 0).map(fit);
        Some(AtMost { weights: weights.collect::<Option<_>>()?, most: i64::try_from(most).ok()? })
    }
}

/// Some of the firings are possible; or none is.
fn some_enabled<'f>(firings: impl Iterator<Item = &'f Firing>, truth: bool) -> Option<Goal> {
    let parts = firings.map(|firing| {
        let enough = firing.needs.iter().map(|&(cell, weight)| bound(cell, weight, truth));
        let few = firing.inhibited.iter().map(|&(cell, weight)| bound(cell, weight, !truth));
        let parts = enough.chain(few).collect();
        if truth { Goal::All(parts) } else { Goal::Any(parts) }
    });
    let parts = parts.collect();
    Some(if truth { Goal::Any(parts) } else { Goal::All(parts) })
}

/// At least so many tokens, or fewer.
fn bound(cell: u32, weight: i64, least: bool) -> Goal {
    Goal::AtMost(match least {
        true => AtMost { weights: vec![(cell, -1)], most: -weight },
        false => AtMost { weights: vec![(cell, 1)], most: weight - 1 },
    })
}
