//! Fairness units: of processes, of rules, and of sets of rules.

use crate::hir::{self, Fairness, Model};
use burnside_ts::{self as ts, Fair, FairSet, FairSetId, SetMember, System, TypeId, UnitFamily, UnitId};

/// Adds the fairness units: those of processes first, then those of rules, then those of sets.
pub(super) fn add(model: &Model, system: &mut System) {
    system.fair_sets = model.fair_sets.iter().map(|set| fair_set(set, system)).collect();
    let mut families = Families { system, families: Vec::new(), next: 0 };
    for (i, process) in model.processes.iter().enumerate() {
        let indices = system.processes[i].indices.iter().copied();
        families.add(Fair::Process(ts::ProcessId(i as u32)), process.fairness, indices);
    }
    for (i, rule) in model.rules.iter().enumerate() {
        let params = system.rules[i].params.iter().map(|param| param.binder.ty);
        families.add(Fair::Rule(ts::RuleId(i as u32)), rule.fairness, params);
    }
    for (i, set) in model.fair_sets.iter().enumerate() {
        let indices = system.fair_sets[i].indices.iter().copied();
        families.add(Fair::Set(FairSetId(i as u32)), Some(set.fairness), indices);
    }
    system.fairness = families.families;
}

fn fair_set(set: &hir::FairSet, system: &System) -> FairSet {
    let member = |it: &hir::SetMember| SetMember { rule: ts::RuleId(it.rule.0), params: it.params.clone() };
    let members: Vec<SetMember> = set.members.iter().map(member).collect();
    // They have the same types in all of its rules.
    let first = members.first().expect("a set of rules is not empty");
    let ty = |&param: &usize| system.rule(first.rule).params[param].binder.ty;
    let process = set.process.map(|process| ts::ProcessId(process.0));
    FairSet { name: set.name.clone(), process, indices: first.params.iter().map(ty).collect(), members }
}

struct Families<'s> {
    system: &'s System,
    families: Vec<UnitFamily>,
    next: u32,
}

impl Families<'_> {
    fn add(&mut self, target: Fair, fairness: Option<Fairness>, types: impl Iterator<Item = TypeId>) {
        let Some(Fairness { strength, changing }) = fairness else { return };
        let sizes = types.map(|ty| self.system.types.size(ty).unwrap_or(u64::MAX));
        let count = sizes.fold(1, u64::saturating_mul);
        let count = u32::try_from(count).expect("the number of fairness units was checked");
        self.families.push(UnitFamily { target, strength, changing, first: UnitId(self.next), count });
        self.next += count;
    }
}
