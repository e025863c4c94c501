//! Why no reachable marking meets a goal, and the checker of that, which shares nothing with what finds it.
//!
//! Entry point: [`verify`]. A proof splits the alternatives of the goal into cases, and refutes each by
//! weights: a sum of tokens that no firing makes less, that is at first more than the inequalities of the
//! case allow, added up. A trap that holds a token holds one for ever, so such an inequality may be used
//! too. All is computed in whole numbers of 128 bits; what does not fit is no proof.
//!
//! It is right: let `a·m <= b` be the sum of the inequalities with their weights, none negative, and `v` at
//! most `a` in every cell. For a marking `m` that meets them, `v·m <= a·m <= b`. For a marking that is
//! reachable, `v·m >= v·initial > b`. So none is both.

use super::flat::Flat;
use super::goal::{AtMost, Goal};
use burnside_limits::poll;

/// Why no reachable marking meets a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The inequalities of the case cannot all be true.
    Weights(Certificate),
    /// One of the goal's alternatives, by its number, and a proof for each of its cases.
    Split(usize, Vec<Proof>),
}

/// Weights that refute a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// The sum that no firing makes less, by cell, in order.
    pub rising: Vec<(u32, i128)>,
    /// The weights of inequalities of the case, by their number.
    pub assumed: Vec<(usize, i128)>,
    /// Traps that are not empty at first, with the weights of "it holds a token".
    pub traps: Vec<(Vec<u32>, i128)>,
}

/// What is assumed in a case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Case<'g> {
    /// Inequalities, all of them.
    pub sums: Vec<&'g AtMost>,
    /// Alternatives, one of each.
    pub choices: Vec<&'g [Goal]>,
}

impl<'g> Case<'g> {
    /// Assumes a goal.
    pub fn assume(&mut self, goal: &'g Goal) {
        match goal {
            Goal::AtMost(sum) => self.sums.push(sum),
            Goal::All(parts) => parts.iter().for_each(|part| self.assume(part)),
            Goal::Any(parts) => self.choices.push(parts),
        }
    }

    /// Assumes one of some alternatives, which then are none any more.
    pub fn choose(&mut self, at: usize, part: &'g Goal) {
        self.choices.remove(at);
        self.assume(part);
    }
}

/// Whether it is a proof that no reachable marking meets the goal.
pub(crate) fn verify(flat: &Flat, goal: &Goal, proof: &Proof) -> bool {
    let mut case = Case::default();
    case.assume(goal);
    !flat.has_resets() && verify_case(flat, &case, proof)
}

fn verify_case(flat: &Flat, case: &Case<'_>, proof: &Proof) -> bool {
    poll();
    match proof {
        Proof::Weights(certificate) => refutes(flat, case, certificate).unwrap_or(false),
        Proof::Split(at, proofs) => case.choices.get(*at).is_some_and(|parts| {
            let proved = |(part, proof)| {
                let mut inner = case.clone();
                inner.choose(*at, part);
                verify_case(flat, &inner, proof)
            };
            parts.len() == proofs.len() && parts.iter().zip(proofs).all(proved)
        }),
    }
}

/// None if a number does not fit, or something does not exist.
fn refutes(flat: &Flat, case: &Case<'_>, certificate: &Certificate) -> Option<bool> {
    let Certificate { rising, assumed, traps } = certificate;
    let mut sum: Vec<i128> = vec![0; flat.initial.len()];
    let mut most = 0i128;
    for &(number, weight) in assumed {
        let it = case.sums.get(number)?;
        most = most.checked_add(weight.checked_mul(i128::from(it.most))?)?;
        for &(cell, factor) in &it.weights {
            let entry = sum.get_mut(cell as usize)?;
            *entry = entry.checked_add(weight.checked_mul(i128::from(factor))?)?;
        }
    }
    for (trap, weight) in traps {
        most = most.checked_sub(*weight)?;
        for &cell in trap {
            let entry = sum.get_mut(cell as usize)?;
            *entry = entry.checked_sub(*weight)?;
        }
    }
    let mut weights: Vec<i128> = vec![0; flat.initial.len()];
    for &(cell, weight) in rising {
        *weights.get_mut(cell as usize)? = weight;
    }
    let mut initial = 0i128;
    for (weight, &tokens) in weights.iter().zip(&flat.initial) {
        initial = initial.checked_add(weight.checked_mul(i128::from(tokens))?)?;
    }
    let none_negative = assumed.iter().all(|it| it.1 >= 0) && traps.iter().all(|it| it.1 >= 0);
    let below = weights.iter().zip(&sum).all(|(weight, sum)| weight <= sum);
    let traps = traps.iter().all(|(trap, _)| is_marked_trap(flat, trap));
    Some(none_negative && below && initial > most && traps && never_falls(flat, &weights)?)
}

/// Whether no firing makes the weighted sum of tokens less.
fn never_falls(flat: &Flat, weights: &[i128]) -> Option<bool> {
    for firing in &flat.firings {
        let mut change = 0i128;
        for (sign, (cell, tokens)) in
            firing.gives.iter().map(|it| (1, it)).chain(firing.takes.iter().map(|it| (-1, it)))
        {
            let part = weights[*cell as usize].checked_mul(sign * i128::from(*tokens))?;
            change = change.checked_add(part)?;
        }
        if change < 0 {
            return Some(false);
        }
    }
    Some(true)
}

/// Whether some cells hold a token at first, and every firing that takes from them gives to them.
fn is_marked_trap(flat: &Flat, trap: &[u32]) -> bool {
    let mut inside = vec![false; flat.initial.len()];
    trap.iter().for_each(|&cell| inside[cell as usize] = true);
    let touches = |weights: &[(u32, i64)]| weights.iter().any(|&(cell, _)| inside[cell as usize]);
    let marked = trap.iter().any(|&cell| flat.initial[cell as usize] > 0);
    marked && flat.firings.iter().all(|firing| !touches(&firing.takes) || touches(&firing.gives))
}
