//! What a question sees along a run, state by state: for people who look at the run.
//!
//! Entry points: [`values`] of a condition or a number, [`sequence_positions`] of a sequence, and
//! [`automaton_states`]. The truth of linear-time formulas is in `truth.rs`.

use crate::evidence::Evidence;
use crate::never::Regular;
use burnside_ts::{Automaton, Expr, Sequence, System};

/// The value of a scalar in each state; none where it faults.
pub fn values<'s>(system: &'s System, evidence: &Evidence, scalar: &'s Expr) -> Vec<Option<i64>> {
    let mut machine = system.machine();
    evidence.states.iter().map(|state| machine.value(scalar, state).ok()).collect()
}

/// After each state, the conditions of a sequence that can be the last one matched, by their positions from
/// 0 in the sequence with its repetitions written out. Ends where a condition faults, and is nothing if the
/// sequence is too long.
pub fn sequence_positions<'s>(
    system: &'s System,
    evidence: &Evidence,
    sequence: &'s Sequence,
) -> Vec<Vec<usize>> {
    let Some(regular) = Regular::new(sequence) else { return Vec::new() };
    let mut machine = system.machine();
    let mut before = vec![0; regular.words()];
    let mut after = before.clone();
    let mut all = Vec::new();
    for state in &evidence.states {
        if regular.advance(&mut *machine, &before, state, &mut after).is_err() {
            break;
        }
        let is_in = |position: &usize| after[position / 64] >> (position % 64) & 1 == 1;
        all.push((0..regular.conditions().len()).filter(is_in).collect());
        std::mem::swap(&mut before, &mut after);
    }
    all
}

/// Before each state, the states in which an automaton can be that reads the run; the conditions say what its
/// atoms mean. Ends where one of them faults.
pub fn automaton_states<'s>(
    system: &'s System,
    evidence: &Evidence,
    automaton: &Automaton,
    conditions: &'s [Expr],
) -> Vec<Vec<usize>> {
    let mut machine = system.machine();
    let mut here = vec![false; automaton.len()];
    automaton.initial.iter().for_each(|state| here[state.index()] = true);
    let mut all = Vec::new();
    for state in &evidence.states {
        let set: Vec<usize> = (0..here.len()).filter(|&i| here[i]).collect();
        let mut letter = vec![0u64; conditions.len().div_ceil(64)];
        for (i, condition) in conditions.iter().enumerate() {
            match machine.holds(condition, state) {
                Ok(truth) => letter[i / 64] |= u64::from(truth) << (i % 64),
                Err(_) => return all,
            }
        }
        here.fill(false);
        for edge in set.iter().flat_map(|&from| &automaton.edges[from]) {
            here[edge.target.index()] |= edge.label.holds(&letter);
        }
        all.push(set);
    }
    all
}
