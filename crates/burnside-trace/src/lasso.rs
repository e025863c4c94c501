//! Replay of infinite runs: the loop closes or the end is dead, every unit is treated fairly, the claim is
//! true of the word.
//!
//! Entry point:
//! [`check`]. That the states before and in the loop follow each other is checked by [`crate::replay()`], as
//! for finite runs. Nothing here knows of symmetry, products or components.

use crate::evidence::{Claim, Evidence};
use crate::fairness::{Treatment, treatments};
use crate::replay::Mismatch;
use crate::truth::{self, Lasso};
use burnside_logic::Automaton;
use burnside_ts::{Expr, Machine, Question, System, UnitId, Units};

/// Checks what is claimed of an infinite run that loops back to `start`.
pub(crate) fn check(
    system: &System,
    evidence: &Evidence,
    start: usize,
    claimed: Claim<'_>,
) -> Result<(), Mismatch> {
    let run = Lasso { states: &evidence.states, start };
    match claimed.question {
        Question::Linear(formula) => {
            check_fairness(system, evidence, claimed.fair)?;
            if truth::is_false(system, run, formula) { Ok(()) } else { Err(Mismatch::NotFalse) }
        }
        Question::Automaton(automaton, atoms) => {
            check_fairness(system, evidence, claimed.fair)?;
            match is_accepted(system, run, automaton, atoms) {
                true => Ok(()),
                false => Err(Mismatch::NotAccepted),
            }
        }
        _ => Err(Mismatch::NotShown),
    }
}

/// Every unit is treated fairly, if that is asked for.
pub(crate) fn check_fairness(system: &System, evidence: &Evidence, fair: bool) -> Result<(), Mismatch> {
    if !fair {
        return Ok(());
    }
    let units = Units::new(system);
    let treatments = treatments(&mut *system.machine(), &units, evidence);
    match treatments.iter().position(|treatment| *treatment == Treatment::Neglected) {
        Some(unit) => Err(Mismatch::Unfair(units.show(UnitId(unit as u32)))),
        None => Ok(()),
    }
}

/// Whether the automaton accepts the word of the run; not if an atom faults somewhere.
fn is_accepted(system: &System, run: Lasso<'_>, automaton: &Automaton, atoms: &[Expr]) -> bool {
    let mut machine = system.machine();
    let letters = run.states.iter().map(|state| letter(&mut *machine, state, atoms));
    let Some(mut stem) = letters.collect::<Option<Vec<_>>>() else { return false };
    let cycle = stem.split_off(run.start);
    burnside_logic::Lasso { stem, cycle }.is_accepted(automaton)
}

fn letter<'s>(
    machine: &mut dyn Machine<'s>,
    state: &[u64],
    atoms: &'s [Expr],
) -> Option<burnside_logic::Letter> {
    let mut letter = vec![0; atoms.len().div_ceil(64)];
    for (i, atom) in atoms.iter().enumerate() {
        letter[i / 64] |= u64::from(machine.holds(atom, state).ok()?) << (i % 64);
    }
    Some(letter.into())
}
