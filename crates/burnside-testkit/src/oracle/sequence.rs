//! Forbidden sequences by partial derivatives: what is left of a sequence after a state has matched its
//! beginning.

use super::{Eval, Faults};
use burnside_lang::hir::{Expr, Sequence};
use std::collections::BTreeSet;

/// What is left of a sequence. Conditions are numbers in a table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rest {
    State(usize),
    Then(Vec<Rest>),
    Or(Vec<Rest>),
    Repeat(Box<Rest>, u32, Option<u32>),
}

impl Rest {
    /// The whole sequence; its conditions go to the table.
    pub fn new<'m>(sequence: &'m Sequence, conditions: &mut Vec<&'m Expr>) -> Self {
        match sequence {
            Sequence::State(condition) => {
                conditions.push(condition);
                Rest::State(conditions.len() - 1)
            }
            Sequence::Then(parts) => {
                Rest::Then(parts.iter().map(|part| Rest::new(part, conditions)).collect())
            }
            Sequence::Or(parts) => Rest::Or(parts.iter().map(|part| Rest::new(part, conditions)).collect()),
            Sequence::Repeat { body, least, most } => {
                Rest::Repeat(Box::new(Rest::new(body, conditions)), *least, *most)
            }
        }
    }

    /// Whether nothing more has to come.
    pub fn is_complete(&self) -> bool {
        match self {
            Rest::State(_) => false,
            Rest::Then(parts) => parts.iter().all(Rest::is_complete),
            Rest::Or(parts) => parts.iter().any(Rest::is_complete),
            Rest::Repeat(body, least, _) => *least == 0 || body.is_complete(),
        }
    }

    /// What can be left after one more state. All conditions that could match next are evaluated.
    pub fn after(&self, holds: &mut dyn FnMut(usize) -> Eval<bool>) -> Eval<BTreeSet<Rest>> {
        match self {
            Rest::State(condition) => Ok(if holds(*condition)? {
                BTreeSet::from([Rest::Then(Vec::new())])
            } else {
                BTreeSet::new()
            }),
            Rest::Then(parts) => {
                let Some((first, rest)) = parts.split_first() else { return Ok(BTreeSet::new()) };
                let rest = Rest::Then(rest.to_vec());
                let follow = |left: Rest| Rest::Then(vec![left, rest.clone()]);
                let mut results = vec![first.after(holds).map(|left| left.into_iter().map(follow).collect())];
                if first.is_complete() {
                    results.push(rest.after(holds));
                }
                union(results)
            }
            Rest::Or(parts) => union(parts.iter().map(|part| part.after(holds)).collect()),
            Rest::Repeat(_, _, Some(0)) => Ok(BTreeSet::new()),
            Rest::Repeat(body, least, most) => {
                let fewer = Rest::Repeat(body.clone(), least.saturating_sub(1), most.map(|most| most - 1));
                let follow = |left: Rest| Rest::Then(vec![left, fewer.clone()]);
                Ok(body.after(holds)?.into_iter().map(follow).collect())
            }
        }
    }

    /// The same without parts that are over.
    pub fn tidy(self) -> Rest {
        let Rest::Then(parts) = self else { return self };
        let mut flat = Vec::new();
        for part in parts.into_iter().map(Rest::tidy) {
            match part {
                Rest::Then(inner) => flat.extend(inner),
                Rest::Repeat(_, _, Some(0)) => {}
                other => flat.push(other),
            }
        }
        Rest::Then(flat)
    }
}

fn union(results: Vec<Eval<BTreeSet<Rest>>>) -> Eval<BTreeSet<Rest>> {
    let (mut found, mut faults) = (BTreeSet::new(), Faults::new());
    for result in results {
        match result {
            Ok(more) => found.extend(more),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}
