//! Who moves in a loop for ever, and who waits for ever: processes, not fairness units, since that is what a
//! reader of a run asks first.
//!
//! Entry point: [`actors`].

use crate::evidence::{End, Evidence};
use burnside_ts::{Fair, Label, Outcome, ProcessId, Strength, System};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// With more processes than this, or more states in the loop, nothing is told.
const MOST_PROCESSES: u64 = 2_000;
const MOST_STATES: usize = 2_000;

/// What a process does in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// Its name.
    pub process: String,
    /// If it never moves: whether it could.
    pub waits: Option<Waiting>,
    /// How fair it must be treated.
    pub fairness: Fairness,
}

/// How fair a process must be treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// So, as a whole.
    Process(Strength),
    /// Only some of its rules must be.
    Rules,
    /// Nothing is assumed.
    None,
}

/// Whether a process that does not move could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It is enabled nowhere in the loop.
    NeverEnabled,
    /// It is enabled in some states of the loop, and not in others: the first of each.
    Sometimes {
        /// It is enabled here.
        enabled: usize,
        /// It is not here.
        disabled: usize,
    },
    /// It is enabled in all states of the loop.
    Always,
}

/// What each process, in the order of the model, does in the part of an infinite run that repeats; nothing if
/// the run is finite or stays in a deadlock, or there are too many processes to tell.
pub fn actors(system: &System, evidence: &Evidence) -> Vec<Actor> {
    let End::Loop(start) = evidence.end else { return Vec::new() };
    let Some(members) = members(system) else { return Vec::new() };
    if evidence.states.len() - start > MOST_STATES {
        return Vec::new();
    }
    let numbers: HashMap<&str, usize> =
        members.iter().enumerate().map(|(i, (_, name))| (name.as_str(), i)).collect();
    let number = |label: Label<'_>| numbers.get(system.show_process(label).as_str()).copied();
    let mut moving = vec![false; members.len()];
    for step in &evidence.steps[start..] {
        number(step.label()).into_iter().for_each(|i| moving[i] = true);
    }
    let mut machine = system.machine();
    let mut seen: Vec<(Option<usize>, Option<usize>)> = vec![(None, None); members.len()];
    for (at, state) in evidence.states.iter().enumerate().skip(start) {
        let mut here = vec![false; members.len()];
        machine.instances(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if let (Outcome::State(_), Some(i)) = (outcome, number(label)) {
                here[i] = true;
            }
            ControlFlow::Continue(())
        });
        for ((enabled, disabled), here) in seen.iter_mut().zip(here) {
            _ = if here { enabled.get_or_insert(at) } else { disabled.get_or_insert(at) };
        }
    }
    let actor = |(i, (process, name)): (usize, (ProcessId, String))| {
        let why = match seen[i] {
            (None, _) => Waiting::NeverEnabled,
            (Some(enabled), Some(disabled)) => Waiting::Sometimes { enabled, disabled },
            (Some(_), None) => Waiting::Always,
        };
        let waits = (!moving[i]).then_some(why);
        Actor { process: name, waits, fairness: fairness(system, process) }
    };
    members.iter().cloned().enumerate().map(actor).collect()
}

/// All processes that have rules, with their names.
fn members(system: &System) -> Option<Vec<(ProcessId, String)>> {
    let mut all = Vec::new();
    for process in (0..system.processes.len() as u32).map(ProcessId) {
        if system.rules.iter().all(|rule| rule.process != process) {
            continue;
        }
        let count = system.members(process).filter(|count| *count <= MOST_PROCESSES)?;
        all.extend((0..count).map(|number| (process, system.show_member(process, number))));
    }
    (all.len() as u64 <= MOST_PROCESSES).then_some(all)
}

/// How fair a process must be treated.
fn fairness(system: &System, process: ProcessId) -> Fairness {
    let own = system.fairness.iter().find(|family| family.target == Fair::Process(process));
    let is_own = |rule| system.rule(rule).process == process;
    let of_rule = |target: Fair| match target {
        Fair::Process(_) => false,
        Fair::Rule(rule) => is_own(rule),
        Fair::Set(set) => system.fair_set(set).members.iter().any(|member| is_own(member.rule)),
    };
    match own {
        Some(family) => Fairness::Process(family.strength),
        None if system.fairness.iter().any(|family| of_rule(family.target)) => Fairness::Rules,
        None => Fairness::None,
    }
}
