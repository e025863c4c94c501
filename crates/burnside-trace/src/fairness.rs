//! How an infinite run treats the fairness units, worked out from the steps and the successors of the states
//! that repeat.
//!
//! Entry points: [`explain`] and [`timetable`] for people, `treatments` for the replay. A unit is enabled in
//! a state if some step labelled with it leads to a state; a step that faults does not count. The states of
//! the loop are walked once, whatever the number of units.

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

/// When a unit is executed in a loop, and when it cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitTimes {
    /// Its name.
    pub name: String,
    /// How fair it must be treated.
    pub strength: Strength,
    /// The steps of the loop that execute it.
    pub taken: Vec<usize>,
    /// The states of the loop in which it is not enabled.
    pub disabled: Vec<usize>,
}

/// For each unit, when it is executed and when it is not enabled in the part of an infinite run that repeats,
/// up to a number of states of the run. Nothing for a finite run.
pub fn timetable(system: &System, evidence: &Evidence, most: usize) -> Vec<UnitTimes> {
    let Some(start) = evidence.loop_start() else { return Vec::new() };
    let units = Units::new(system);
    let times = |unit: u32| {
        let (unit, taken, disabled) = (UnitId(unit), Vec::new(), Vec::new());
        UnitTimes { name: units.show(unit), strength: units.strength(unit), taken, disabled }
    };
    let mut table: Vec<UnitTimes> = (0..units.len() as u32).map(times).collect();
    for (i, step) in evidence.steps.iter().enumerate().take(most).skip(start) {
        let changes = evidence.changes(system, i);
        units.executed(step.label(), changes).for_each(|unit| table[unit.index()].taken.push(i));
    }
    let mut machine = system.machine();
    let mut here = vec![false; units.len()];
    for (i, state) in evidence.states.iter().enumerate().take(most).skip(start) {
        enabled(&mut *machine, &units, state, &mut here);
        let absent = table.iter_mut().zip(&here).filter(|(_, enabled)| !**enabled);
        absent.for_each(|(times, _)| times.disabled.push(i));
    }
    table
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
            let executed = executed(machine.system(), units, evidence, start);
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
fn executed(system: &System, units: &Units<'_>, evidence: &Evidence, start: usize) -> Vec<Option<usize>> {
    let mut first = vec![None; units.len()];
    for (i, step) in evidence.steps.iter().enumerate().skip(start) {
        for unit in units.executed(step.label(), evidence.changes(system, i)) {
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
        enabled(machine, units, state, &mut here);
        for (seen, &enabled) in all.iter_mut().zip(&here) {
            match enabled {
                true => seen.enabled = true,
                false => _ = seen.disabled.get_or_insert(i),
            }
        }
    }
    all
}

/// Which units are enabled in a state.
fn enabled(machine: &mut dyn Machine<'_>, units: &Units<'_>, state: &[u64], here: &mut [bool]) {
    here.fill(false);
    let system = machine.system();
    let mut sink = |label: Label<'_>, outcome: Outcome<'_>| {
        if let Outcome::State(target) = outcome {
            units.executed(label, system.changes(state, target)).for_each(|unit| here[unit.index()] = true);
        }
        ControlFlow::Continue(())
    };
    // One outcome of an instance may change something, and another nothing.
    match system.distinguishes_changes() {
        true => machine.successors(state, &mut sink),
        false => machine.instances(state, &mut sink),
    };
}
