//! How an infinite run treats the fairness units, worked out from the steps and the successors of the states
//! that repeat.
//!
//! Entry points: [`explain`] for people, `treatments` for the replay. A unit is enabled in a state if some
//! step labelled with it leads to a state; a step that faults does not count. The states of the loop are
//! walked once, whatever the number of units.

use crate::evidence::{End, Evidence};
use burnside_ts::{Label, Machine, Outcome, Strength, System, UnitId, Units};
use std::ops::ControlFlow;

/// How an infinite run treats a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// This step executes it, the first of the loop that does.
    Executed(usize),
    /// No step of the loop executes it, and in this state, the first of the loop, it is not enabled.
    Disabled(usize),
    /// It is enabled in no state that repeats.
    NeverEnabled,
    /// Enabled, infinitely often or always as its strength has it, and never executed: the run is not fair to
    /// it.
    Neglected,
}

/// How an infinite run treats a unit, with what there is to say about the unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFairness {
    /// The unit.
    pub unit: UnitId,
    /// Its name.
    pub name: String,
    /// How fair it must be treated.
    pub strength: Strength,
    /// How it is treated.
    pub treatment: Treatment,
}

/// Why an infinite run is fair: how each unit is treated. Nothing for a finite run.
pub fn explain(system: &System, evidence: &Evidence) -> Vec<UnitFairness> {
    let units = Units::new(system);
    let treatments = treatments(&mut *system.machine(), &units, evidence);
    let all = treatments.into_iter().enumerate().map(|(i, treatment)| {
        let unit = UnitId(i as u32);
        UnitFairness { unit, name: units.show(unit), strength: units.strength(unit), treatment }
    });
    all.collect()
}

/// How each unit is treated; nothing for a finite run.
pub(crate) fn treatments(
    machine: &mut dyn Machine<'_>,
    units: &Units<'_>,
    evidence: &Evidence,
) -> Vec<Treatment> {
    match evidence.end {
        // In a deadlock nothing is enabled.
        End::Stutter => vec![Treatment::NeverEnabled; units.len()],
        End::Loop(start) => {
            let executed = executed(units, evidence, start);
            let seen = match executed.iter().all(Option::is_some) {
                true => vec![Seen::default(); units.len()],
                false => seen(machine, units, evidence, start),
            };
            let judge = |i: usize| treatment(units.strength(UnitId(i as u32)), executed[i], seen[i]);
            (0..units.len()).map(judge).collect()
        }
        End::State | End::Fault(..) | End::Undefined(_) => Vec::new(),
    }
}

fn treatment(strength: Strength, executed: Option<usize>, seen: Seen) -> Treatment {
    match (executed, seen, strength) {
        (Some(step), ..) => Treatment::Executed(step),
        (None, Seen { enabled: false, .. }, _) => Treatment::NeverEnabled,
        (None, Seen { disabled: Some(state), .. }, Strength::Weak) => Treatment::Disabled(state),
        _ => Treatment::Neglected,
    }
}

/// The first step of the loop that executes each unit.
fn executed(units: &Units<'_>, evidence: &Evidence, start: usize) -> Vec<Option<usize>> {
    let mut first = vec![None; units.len()];
    for (i, step) in evidence.steps.iter().enumerate().skip(start) {
        for unit in units.executed(step.label()) {
            first[unit.index()].get_or_insert(i);
        }
    }
    first
}

/// Where a unit is enabled in a loop.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// In some state.
    enabled: bool,
    /// The first state in which it is not.
    disabled: Option<usize>,
}

fn seen(machine: &mut dyn Machine<'_>, units: &Units<'_>, evidence: &Evidence, start: usize) -> Vec<Seen> {
    let mut all = vec![Seen::default(); units.len()];
    let mut here = vec![false; units.len()];
    for (i, state) in evidence.states.iter().enumerate().skip(start) {
        here.fill(false);
        machine.instances(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(_) = outcome {
                for unit in units.executed(label) {
                    here[unit.index()] = true;
                }
            }
            ControlFlow::Continue(())
        });
        for (seen, &enabled) in all.iter_mut().zip(&here) {
            match enabled {
                true => seen.enabled = true,
                false => _ = seen.disabled.get_or_insert(i),
            }
        }
    }
    all
}
