//! Whose what is: processes as lanes, and the cells that belong to them.
//!
//! Entry points: [`owners`], [`members`], [`of_run`]. A variable of a process belongs to it; in a family, to
//! one member. An array outside of all processes belongs to the members of a family if the family is the only
//! one with that index: `var inbox: array[Client] of …` with `process Client[c]`. All else is shared.

use burnside_trace::{Evidence, Step};
use burnside_ts::{Leaf, ProcessId, System, Type};
use std::collections::HashSet;

/// So many members of a family are listed.
pub const MOST_MEMBERS: u64 = 200;
/// So many are put into order.
const MOST_SORTED: u64 = 2_000;

/// The process that each cell belongs to, such as `Client[2]`; none if it is shared.
pub fn owners(system: &System, leaves: &[Leaf]) -> Vec<Option<String>> {
    leaves.iter().map(|leaf| owner(system, leaf)).collect()
}

fn owner(system: &System, leaf: &Leaf) -> Option<String> {
    let var = &system.vars[leaf.var.index()];
    let (process, number) = match var.process {
        Some(process) if system.process(process).indices.is_empty() => (process, 0),
        Some(process) => (process, leaf.member?),
        None => {
            let Type::Array { index, .. } = *system.types.get(var.ty) else { return None };
            let mut families = processes(system).filter(|&id| system.process(id).indices == [index]);
            let family = families.next().filter(|_| families.next().is_none())?;
            (family, leaf.member?)
        }
    };
    Some(system.show_member(process, number))
}

fn processes(system: &System) -> impl Iterator<Item = ProcessId> {
    (0..system.processes.len() as u32).map(ProcessId)
}

/// The processes, each with the names of its members, at most so many.
pub fn members(system: &System, most: u64) -> Vec<(&str, Vec<String>)> {
    let listed = processes(system).map(|id| {
        let count = system.members(id).unwrap_or(0).min(most);
        (system.process(id).name.as_str(), (0..count).map(|number| system.show_member(id, number)).collect())
    });
    listed.collect()
}

/// The lanes of a run: the processes that take a step in it or own a cell, in the order of the model.
pub fn of_run(system: &System, owners: &[Option<String>], evidence: &Evidence) -> Vec<String> {
    of_steps(system, owners, &evidence.steps)
}

/// The same for any steps.
pub fn of_steps<'e>(
    system: &System,
    owners: &[Option<String>],
    steps: impl IntoIterator<Item = &'e Step>,
) -> Vec<String> {
    let mut seen = HashSet::new();
    let stepping = steps.into_iter().map(|step| system.show_process(step.label()));
    let all: Vec<String> =
        owners.iter().flatten().cloned().chain(stepping).filter(|name| seen.insert(name.clone())).collect();
    let sorted = members(system, MOST_SORTED).into_iter().flat_map(|(_, members)| members);
    let mut lanes: Vec<String> = sorted.filter(|name| seen.remove(name)).collect();
    // What is beyond those that are put into order comes as it is met.
    lanes.extend(all.into_iter().filter(|name| seen.contains(name)));
    lanes
}
