//! Looks for a proof that no reachable marking meets a goal: the state equation with traps.
//!
//! Entry points: [`Equation::refute`], [`Equation::greatest`]. The inequalities of the goal are put to the
//! state equation (`tableau`). If a solution is left in which a trap is empty that cannot be, that is one
//! more inequality. If it meets no case of some alternatives, each case is looked at for itself. If it
//! meets all, nothing is known. What is found here is believed only after `proof` has looked at it.

use super::flat::Flat;
use super::goal::{AtMost, Goal};
use super::proof::{Case, Certificate, Proof, verify};
use super::tableau::{Required, Tableau, Weighing, Work};
use std::collections::BTreeMap;

/// Cases within cases.
const DEEPEST: usize = 200;
/// All cases that are open at a time hold so many numbers.
const MOST_OPEN: usize = 20_000_000;

/// The state equation of a net.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    tableau: Tableau,
}

/// A case on the way.
#[derive(Clone, Debug)]
struct Open<'g> {
    case: Case<'g>,
    tableau: Tableau,
    /// What each inequality of the tableau is, in order.
    known: Vec<Known>,
    /// So many sums of the case are in the tableau.
    done: usize,
}

#[derive(Clone, Debug)]
enum Known {
    Assumed(usize),
    Trap(Vec<u32>),
}

impl Equation {
    /// None where places are emptied, which no equation says.
    pub fn of(flat: &Flat) -> Option<Self> {
        (!flat.has_resets()).then(|| Self { tableau: Tableau::of(flat) })
    }

    /// A verified proof that no reachable marking meets the goal, if one is found.
    pub fn refute(&self, flat: &Flat, goal: &Goal, work: &mut Work) -> Option<Proof> {
        let (case, known, done) = (Case::default(), Vec::new(), 0);
        let mut open = Open { case, tableau: self.tableau.clone(), known, done };
        open.case.assume(goal);
        let proof = case_of(flat, open, 0, work)?;
        verify(flat, goal, &proof).then_some(proof)
    }

    /// A number that a sum is said never to exceed. It is not verified.
    pub fn greatest(&self, weights: &[(u32, i64)], work: &mut Work) -> Option<i64> {
        self.tableau.greatest(weights, work)
    }
}

/// A proof for a case.
fn case_of(flat: &Flat, mut open: Open<'_>, depth: usize, work: &mut Work) -> Option<Proof> {
    let size = open.tableau.size();
    work.spend(size)?;
    if depth > DEEPEST || depth.saturating_mul(size) > MOST_OPEN {
        return None;
    }
    loop {
        while let Some(&sum) = open.case.sums.get(open.done) {
            let known = Known::Assumed(open.done);
            open.done += 1;
            if let Some(proof) = open.require(sum, known, work)? {
                return Some(proof);
            }
        }
        let tokens = open.tableau.tokens();
        let Some(trap) = empty_trap(flat, &tokens) else { break };
        let weights = trap.iter().map(|&cell| (cell, -1)).collect();
        if let Some(proof) = open.require(&AtMost { weights, most: -1 }, Known::Trap(trap), work)? {
            return Some(proof);
        }
    }
    let tokens = open.tableau.tokens();
    let unmet = open.case.choices.iter().enumerate();
    let unmet = unmet.filter(|(_, parts)| !parts.iter().any(|part| open.tableau.meets(part, &tokens)));
    let (at, parts) = unmet.min_by_key(|(_, parts)| parts.len())?;
    let proofs = parts.iter().map(|part| {
        let mut inner = open.clone();
        inner.case.choose(at, part);
        case_of(flat, inner, depth + 1, work)
    });
    Some(Proof::Split(at, proofs.collect::<Option<_>>()?))
}

/// The largest trap without a token in a solution, if it is not empty at first.
fn empty_trap(flat: &Flat, tokens: &[Option<(i64, i64)>]) -> Option<Vec<u32>> {
    let mut inside: Vec<bool> = tokens.iter().map(Option::is_none).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for firing in &flat.firings {
            if firing.gives.iter().any(|it| inside[it.0 as usize]) {
                continue;
            }
            for &(cell, _) in &firing.takes {
                changed |= std::mem::replace(&mut inside[cell as usize], false);
            }
        }
    }
    let marked = inside.iter().zip(&flat.initial).any(|(inside, tokens)| *inside && *tokens > 0);
    let cells = inside.iter().enumerate().filter(|(_, inside)| **inside);
    marked.then(|| cells.map(|(cell, _)| cell as u32).collect())
}

impl Open<'_> {
    /// Adds an inequality: the proof, if that is impossible. None if nothing is known.
    fn require(&mut self, sum: &AtMost, known: Known, work: &mut Work) -> Option<Option<Proof>> {
        self.known.push(known);
        Some(match self.tableau.require(sum, work)? {
            Required::Possible => None,
            Required::Impossible(weighing) => Some(Proof::Weights(self.certificate(&weighing))),
        })
    }

    fn certificate(&self, weighing: &Weighing) -> Certificate {
        let mut certificate = Certificate::default();
        let mut rising: BTreeMap<u32, i128> = BTreeMap::new();
        for &(cell, weight) in &weighing.cells {
            *rising.entry(cell).or_default() -= i128::from(weight);
        }
        for &(number, weight) in &weighing.required {
            let weight = i128::from(weight);
            match &self.known[number] {
                Known::Assumed(sum) => {
                    for &(cell, factor) in &self.case.sums[*sum].weights {
                        *rising.entry(cell).or_default() += weight * i128::from(factor);
                    }
                    certificate.assumed.push((*sum, weight));
                }
                Known::Trap(trap) => {
                    trap.iter().for_each(|&cell| *rising.entry(cell).or_default() -= weight);
                    certificate.traps.push((trap.clone(), weight));
                }
            }
        }
        certificate.rising = rising.into_iter().filter(|it| it.1 != 0).collect();
        certificate
    }
}

impl Tableau {
    /// Whether the solution meets a goal.
    fn meets(&self, goal: &Goal, tokens: &[Option<(i64, i64)>]) -> bool {
        match goal {
            Goal::AtMost(sum) => self.satisfies(sum, tokens),
            Goal::All(parts) => parts.iter().all(|part| self.meets(part, tokens)),
            Goal::Any(parts) => parts.iter().any(|part| self.meets(part, tokens)),
        }
    }
}
