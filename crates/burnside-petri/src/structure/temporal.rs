//! What one marking tells of a formula, and what is left of one when a part of it is known everywhere.
//!
//! Entry points: [`truth`], [`folded`]. Neither knows fairness.

use super::flat::joined;
use crate::query::{Atom, Formula};
use burnside_ts::Path;

/// A marking as far as it matters here.
pub(crate) struct Here<'m> {
    /// The truth of conditions.
    pub condition: &'m dyn Fn(&Formula) -> Option<bool>,
    /// Whether nothing can fire.
    pub dead: bool,
    /// Whether paths, but not runs, end there.
    pub maximal: bool,
}

/// The truth of a formula in a marking (without quantifiers: on every run from there), if the marking alone
/// tells it.
pub(crate) fn truth(formula: &Formula, here: &Here<'_>) -> Option<bool> {
    if !formula.is_temporal() {
        return (here.condition)(formula);
    }
    let of = |formula: &Formula| truth(formula, here);
    match formula {
        Formula::Atom(_) => None,
        Formula::Not(inner) => of(inner).map(|truth| !truth),
        Formula::And(parts) => joined(parts.iter().map(of), false),
        Formula::Or(parts) => joined(parts.iter().map(of), true),
        Formula::Implies(sides) => {
            joined([of(&sides[0]).map(|truth| !truth), of(&sides[1])].into_iter(), true)
        }
        Formula::Iff(sides) => Some(of(&sides[0])? == of(&sides[1])?),
        Formula::Next(path, inner) => match (here.dead, path) {
            (false, _) => None,
            (true, Some(path)) if here.maximal => Some(*path == Path::All),
            (true, _) => of(inner),
        },
        Formula::Finally(_, inner) => of(inner).filter(|truth| *truth || here.dead),
        Formula::Globally(_, inner) => of(inner).filter(|truth| !*truth || here.dead),
        Formula::Until(_, sides) => until(of(&sides[0]), of(&sides[1]), here.dead),
        Formula::WeakUntil(_, sides) => {
            let both = joined([of(&sides[0]), of(&sides[1])].into_iter(), true);
            match of(&sides[1]) {
                Some(true) => Some(true),
                _ => both.filter(|truth| !*truth || here.dead),
            }
        }
        Formula::Release(_, sides) => release(of(&sides[0]), of(&sides[1]), here.dead),
        Formula::StrongRelease(_, sides) => {
            let both = joined([of(&sides[0]), of(&sides[1])].into_iter(), false);
            match of(&sides[1]) {
                Some(false) => Some(false),
                _ => both.filter(|truth| *truth || here.dead),
            }
        }
    }
}

fn until(left: Option<bool>, right: Option<bool>, dead: bool) -> Option<bool> {
    match (left, right) {
        (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        (_, right) => right.filter(|_| dead),
    }
}

fn release(left: Option<bool>, right: Option<bool>, dead: bool) -> Option<bool> {
    match (left, right) {
        (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        (_, right) => right.filter(|_| dead),
    }
}

/// The formula with what is known everywhere put in. What is asked of a part says whether it has the same
/// truth in all reachable markings, and which.
pub(crate) fn folded(formula: &Formula, known: &mut dyn FnMut(&Formula) -> Option<bool>) -> Formula {
    let whole = if formula.is_temporal() { None } else { known(formula) };
    if let Some(truth) = whole {
        return constant(truth);
    }
    let mut of = |formula: &Formula| Box::new(folded(formula, known));
    match formula {
        Formula::Atom(_) => formula.clone(),
        Formula::Not(inner) => {
            let inner = of(inner);
            match value(&inner) {
                Some(truth) => constant(!truth),
                None => Formula::Not(inner),
            }
        }
        Formula::And(parts) => several(parts.iter().map(|part| *of(part)).collect(), false),
        Formula::Or(parts) => several(parts.iter().map(|part| *of(part)).collect(), true),
        Formula::Implies(sides) => {
            let (left, right) = (of(&sides[0]), of(&sides[1]));
            match (value(&left), value(&right)) {
                (Some(false), _) | (_, Some(true)) => constant(true),
                (Some(true), _) => *right,
                (_, Some(false)) => Formula::Not(left),
                _ => Formula::Implies(Box::new([*left, *right])),
            }
        }
        Formula::Iff(sides) => Formula::Iff(Box::new([*of(&sides[0]), *of(&sides[1])])),
        // Where a path ends there is no next marking.
        Formula::Next(path, inner) => {
            let inner = of(inner);
            match (path, value(&inner)) {
                (None, Some(truth)) => constant(truth),
                (Some(Path::All), Some(true)) => constant(true),
                (Some(Path::Some), Some(false)) => constant(false),
                _ => Formula::Next(*path, inner),
            }
        }
        Formula::Finally(path, inner) => kept(of(inner), |inner| Formula::Finally(*path, inner)),
        Formula::Globally(path, inner) => kept(of(inner), |inner| Formula::Globally(*path, inner)),
        Formula::Until(path, sides) => {
            let [left, right] = [of(&sides[0]), of(&sides[1])];
            match (value(&left), value(&right)) {
                (_, Some(truth)) => constant(truth),
                (Some(false), _) => *right,
                (Some(true), _) => Formula::Finally(*path, right),
                _ => Formula::Until(*path, Box::new([*left, *right])),
            }
        }
        Formula::Release(path, sides) => {
            let [left, right] = [of(&sides[0]), of(&sides[1])];
            match (value(&left), value(&right)) {
                (_, Some(truth)) => constant(truth),
                (Some(true), _) => *right,
                (Some(false), _) => Formula::Globally(*path, right),
                _ => Formula::Release(*path, Box::new([*left, *right])),
            }
        }
        Formula::WeakUntil(path, sides) => {
            let [left, right] = [of(&sides[0]), of(&sides[1])];
            match (value(&left), value(&right)) {
                (Some(true), _) | (_, Some(true)) => constant(true),
                (Some(false), _) => *right,
                (_, Some(false)) => Formula::Globally(*path, left),
                _ => Formula::WeakUntil(*path, Box::new([*left, *right])),
            }
        }
        Formula::StrongRelease(path, sides) => {
            let [left, right] = [of(&sides[0]), of(&sides[1])];
            match (value(&left), value(&right)) {
                (Some(false), _) | (_, Some(false)) => constant(false),
                (Some(true), _) => *right,
                (_, Some(true)) => Formula::Finally(*path, left),
                _ => Formula::StrongRelease(*path, Box::new([*left, *right])),
            }
        }
    }
}

fn kept(inner: Box<Formula>, around: impl FnOnce(Box<Formula>) -> Formula) -> Formula {
    match value(&inner) {
        Some(truth) => constant(truth),
        None => around(inner),
    }
}

fn several(parts: Vec<Formula>, decisive: bool) -> Formula {
    let values = parts.iter().map(value);
    if let Some(truth) = joined(values, decisive) {
        return constant(truth);
    }
    let mut open: Vec<Formula> = parts.into_iter().filter(|part| value(part).is_none()).collect();
    match open.len() {
        1 => open.remove(0),
        _ if decisive => Formula::Or(open),
        _ => Formula::And(open),
    }
}

fn constant(truth: bool) -> Formula {
    Formula::Atom(Atom::Constant(truth))
}

fn value(formula: &Formula) -> Option<bool> {
    match formula {
        Formula::Atom(Atom::Constant(truth)) => Some(*truth),
        _ => None,
    }
}
