//! What a question looks at: the atoms of its formula, without what is built from them.
//!
//! Entry point: [`watched`]. A permutation of the net that leaves each of these as it is leaves the answer as
//! it is, and the truth of every part of the formula in every marking.

use crate::net::TransitionId;
use crate::query::{Atom, Formula, NetQuestion, Query, Sum, Tokens};

/// What one atom depends on.
pub(crate) enum Dependency<'q> {
    /// A weighted sum of tokens. In a comparison, the right side less the left.
    Tokens(Vec<(i128, &'q Tokens)>),
    /// Whether some of these can fire.
    Transitions(&'q [TransitionId]),
}

/// What the atoms of a question depend on; atoms that nothing can change are left out.
pub(crate) fn watched(query: &Query) -> Vec<Dependency<'_>> {
    let formula = match &query.asked {
        NetQuestion::Invariant(formula)
        | NetQuestion::Reachable(formula)
        | NetQuestion::Ltl(formula)
        | NetQuestion::Ctl(formula) => formula,
        NetQuestion::Bound(sums) => return of_bound(sums),
    };
    let mut found = Vec::new();
    let mut pending = vec![formula];
    while let Some(formula) = pending.pop() {
        match formula {
            Formula::Atom(atom) => found.extend(of_atom(atom)),
            Formula::Not(one)
            | Formula::Next(_, one)
            | Formula::Finally(_, one)
            | Formula::Globally(_, one) => pending.push(one),
            Formula::And(all) | Formula::Or(all) => pending.extend(all),
            Formula::Implies(two)
            | Formula::Iff(two)
            | Formula::Until(_, two)
            | Formula::Release(_, two)
            | Formula::WeakUntil(_, two)
            | Formula::StrongRelease(_, two) => pending.extend(two.iter()),
        }
    }
    found
}

/// The greatest of several sums. Where each is one number of tokens, it does not matter which is which.
fn of_bound(sums: &[Sum]) -> Vec<Dependency<'_>> {
    let is_plain = |sum: &Sum| matches!(sum.tokens[..], [(1, _)]) && sum.constant == 0;
    match sums.iter().all(is_plain) {
        true => vec![Dependency::Tokens(sums.iter().flat_map(|sum| terms(1, sum)).collect())],
        false => sums.iter().map(|sum| Dependency::Tokens(terms(1, sum).collect())).collect(),
    }
}

fn of_atom(atom: &Atom) -> Option<Dependency<'_>> {
    match atom {
        Atom::Constant(_) | Atom::Deadlock => None,
        Atom::Compare(_, left, right) => {
            Some(Dependency::Tokens(terms(-1, left).chain(terms(1, right)).collect()))
        }
        Atom::Fireable(transitions) => Some(Dependency::Transitions(transitions)),
    }
}

fn terms(sign: i128, sum: &Sum) -> impl Iterator<Item = (i128, &Tokens)> {
    sum.tokens.iter().map(move |(factor, tokens)| (sign * i128::from(*factor), tokens))
}
