//! Questions about a net without colours: what they look at, what must be kept for them, and how they are
//! said of a smaller net.
//!
//! Entry points: [`keep`], [`observed`], [`translated`]. Conditions become sums of cells that are at most a
//! number, also those about firing; cells that are constant are put in.

use super::premise::Keep;
use crate::net::PlaceId;
use crate::query::{Atom, Formula, NetQuestion, Sum, Tokens};
use crate::structure::{AtMost, Flat, Goal};
use burnside_ts::Compare;

/// Conditions with more parts are left alone.
const MOST_PARTS: usize = 100_000;

/// What must be kept for the answer.
pub(super) fn keep(asked: &NetQuestion) -> Keep {
    match asked {
        NetQuestion::Reachable(condition) if is_deadlock(condition) => Keep::Deadlock,
        NetQuestion::Invariant(Formula::Not(condition)) if is_deadlock(condition) => Keep::Deadlock,
        NetQuestion::Reachable(_) | NetQuestion::Invariant(_) | NetQuestion::Bound(_) => Keep::Markings,
        NetQuestion::Ltl(formula) | NetQuestion::Ctl(formula) if has_next(formula) => Keep::Steps,
        NetQuestion::Ltl(_) => Keep::Runs,
        NetQuestion::Ctl(_) => Keep::Choices,
    }
}

fn is_deadlock(condition: &Formula) -> bool {
    matches!(condition, Formula::Atom(Atom::Deadlock))
}

fn has_next(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) => false,
        Formula::Next(..) => true,
        Formula::Not(inner) | Formula::Finally(_, inner) | Formula::Globally(_, inner) => has_next(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().any(has_next),
        Formula::Implies(sides) | Formula::Iff(sides) => sides.iter().any(has_next),
        Formula::Until(_, sides)
        | Formula::Release(_, sides)
        | Formula::WeakUntil(_, sides)
        | Formula::StrongRelease(_, sides) => sides.iter().any(has_next),
    }
}

/// By cell, whether a question looks at it. None if that is too much.
pub(super) fn observed(flat: &Flat, asked: &NetQuestion) -> Option<Vec<bool>> {
    let mut seen = vec![false; flat.initial.len()];
    if keep(asked) == Keep::Deadlock {
        return Some(seen);
    }
    let mut parts = 0;
    let mut note = |goal: &Goal| {
        parts += goal.size();
        goal.cells(&mut |cell| seen[cell as usize] = true);
        (parts <= MOST_PARTS).then_some(Formula::Atom(Atom::Constant(true)))
    };
    match asked {
        NetQuestion::Bound(sums) => {
            for sum in sums {
                note(&Goal::AtMost(flat.at_most(&[(1, sum)], 0)?))?;
            }
        }
        NetQuestion::Reachable(formula)
        | NetQuestion::Invariant(formula)
        | NetQuestion::Ltl(formula)
        | NetQuestion::Ctl(formula) => {
            mapped(formula, &mut |condition| note(&flat.goal(condition, true)?))?;
        }
    }
    Some(seen)
}

/// The same question about what is left. `place` tells what became of a cell.
pub(super) fn translated(
    flat: &Flat,
    asked: &NetQuestion,
    place: &dyn Fn(u32) -> Option<PlaceId>,
) -> Option<NetQuestion> {
    if keep(asked) == Keep::Deadlock {
        return Some(asked.clone());
    }
    let of = |formula: &Formula| {
        mapped(formula, &mut |condition| flat.condition_of(&flat.goal(condition, true)?, place))
    };
    Some(match asked {
        NetQuestion::Reachable(condition) => NetQuestion::Reachable(of(condition)?),
        NetQuestion::Invariant(condition) => NetQuestion::Invariant(of(condition)?),
        NetQuestion::Ltl(formula) => NetQuestion::Ltl(of(formula)?),
        NetQuestion::Ctl(formula) => NetQuestion::Ctl(of(formula)?),
        NetQuestion::Bound(sums) => {
            let sums = sums.iter().map(|sum| {
                let it = flat.at_most(&[(1, sum)], 0)?;
                let (tokens, fixed) = flat.left(&it, place)?;
                Some(Sum { constant: fixed.checked_sub(it.most)?, tokens })
            });
            NetQuestion::Bound(sums.collect::<Option<_>>()?)
        }
    })
}

/// Weights of places.
type Weighted = Vec<(i64, Tokens)>;

impl Flat {
    /// The part of a sum that is about places that are left, and what the rest of it is.
    fn left(&self, it: &AtMost, place: &dyn Fn(u32) -> Option<PlaceId>) -> Option<(Weighted, i64)> {
        let (mut tokens, mut fixed) = (Vec::new(), 0i64);
        for &(cell, weight) in &it.weights {
            match place(cell) {
                Some(place) => tokens.push((weight, Tokens { place, colour: None })),
                None => fixed = fixed.checked_add(weight.checked_mul(self.initial[cell as usize])?)?,
            }
        }
        Some((tokens, fixed))
    }

    fn condition_of(&self, goal: &Goal, place: &dyn Fn(u32) -> Option<PlaceId>) -> Option<Formula> {
        let several = |parts: &[Goal], decisive: bool| {
            let mut kept = Vec::new();
            for part in parts {
                match self.condition_of(part, place)? {
                    Formula::Atom(Atom::Constant(truth)) if truth == decisive => {
                        return Some(Formula::Atom(Atom::Constant(decisive)));
                    }
                    Formula::Atom(Atom::Constant(_)) => {}
                    open => kept.push(open),
                }
            }
            Some(match kept.len() {
                0 => Formula::Atom(Atom::Constant(!decisive)),
                1 => kept.remove(0),
                _ if decisive => Formula::Or(kept),
                _ => Formula::And(kept),
            })
        };
        match goal {
            Goal::All(parts) => several(parts, false),
            Goal::Any(parts) => several(parts, true),
            Goal::AtMost(it) => {
                let (tokens, fixed) = self.left(it, place)?;
                let most = it.most.checked_sub(fixed)?;
                if tokens.is_empty() {
                    return Some(Formula::Atom(Atom::Constant(0 <= most)));
                }
                let (more, less): (Weighted, Weighted) = tokens.into_iter().partition(|it| it.0 > 0);
                let less = less.into_iter().map(|(weight, tokens)| (-weight, tokens)).collect();
                let (left, right) = (Sum { constant: 0, tokens: more }, Sum { constant: most, tokens: less });
                Some(Formula::Atom(Atom::Compare(Compare::Le, left, right)))
            }
        }
    }
}

impl Goal {
    /// Tells all cells that it is about.
    fn cells(&self, tell: &mut dyn FnMut(u32)) {
        match self {
            Goal::AtMost(it) => it.weights.iter().for_each(|arc| tell(arc.0)),
            Goal::All(parts) | Goal::Any(parts) => parts.iter().for_each(|part| part.cells(tell)),
        }
    }
}

/// A formula with other conditions.
fn mapped(formula: &Formula, of: &mut dyn FnMut(&Formula) -> Option<Formula>) -> Option<Formula> {
    if !formula.is_temporal() {
        return of(formula);
    }
    let mut inside = |inner: &Formula| mapped(inner, of).map(Box::new);
    Some(match formula {
        Formula::Atom(_) => return None,
        Formula::Not(inner) => Formula::Not(inside(inner)?),
        Formula::Next(path, inner) => Formula::Next(*path, inside(inner)?),
        Formula::Finally(path, inner) => Formula::Finally(*path, inside(inner)?),
        Formula::Globally(path, inner) => Formula::Globally(*path, inside(inner)?),
        Formula::And(parts) => {
            Formula::And(parts.iter().map(|part| mapped(part, of)).collect::<Option<_>>()?)
        }
        Formula::Or(parts) => Formula::Or(parts.iter().map(|part| mapped(part, of)).collect::<Option<_>>()?),
        Formula::Implies(sides) => Formula::Implies(both(sides, of)?),
        Formula::Iff(sides) => Formula::Iff(both(sides, of)?),
        Formula::Until(path, sides) => Formula::Until(*path, both(sides, of)?),
        Formula::Release(path, sides) => Formula::Release(*path, both(sides, of)?),
        Formula::WeakUntil(path, sides) => Formula::WeakUntil(*path, both(sides, of)?),
        Formula::StrongRelease(path, sides) => Formula::StrongRelease(*path, both(sides, of)?),
    })
}

fn both(sides: &[Formula; 2], of: &mut dyn FnMut(&Formula) -> Option<Formula>) -> Option<Box<[Formula; 2]>> {
    Some(Box::new([mapped(&sides[0], of)?, mapped(&sides[1], of)?]))
}
