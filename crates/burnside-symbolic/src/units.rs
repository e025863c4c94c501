//! Which steps execute which fairness units.

use crate::encode::Argument;
use crate::space::Space;
use crate::store::{Out, Set};
use burnside_ts::{Executed, Strength, Units};
use std::collections::BTreeSet;

/// The fairness units of a system, as sets.
#[derive(Debug)]
pub(crate) struct UnitSteps {
    /// By unit: the steps that execute it.
    pub steps: Vec<BTreeSet<usize>>,
    /// By unit: where it is enabled.
    pub enabled: Vec<Set>,
    /// By unit: how fair it is.
    pub strength: Vec<Strength>,
}

impl UnitSteps {
    pub fn new(space: &Space<'_>) -> Out<Self> {
        let system = space.system;
        let units = Units::new(system);
        let mut steps = vec![BTreeSet::new(); units.len()];
        for (i, step) in space.steps.iter().enumerate() {
            for Executed { family, params } in units.executed_by(step.rule) {
                if !step.changes && system.fairness[*family].changing {
                    continue;
                }
                let number = |&param: &usize| match step.args[param] {
                    Argument::Number(number) => number,
                    Argument::Slot => unreachable!("the arguments of a unit are known by number"),
                };
                let indices: Vec<u64> = params.iter().map(number).collect();
                steps[units.unit(*family, &indices).index()].insert(i);
            }
        }
        let enabled = |steps: &BTreeSet<usize>| {
            space.store.union(steps.iter().map(|&i| space.steps[i].enabled.clone()).collect())
        };
        let enabled = steps.iter().map(enabled).collect::<Out<_>>()?;
        let unit = |i: usize| units.strength(burnside_ts::UnitId(i as u32));
        Ok(Self { strength: (0..steps.len()).map(unit).collect(), steps, enabled })
    }
}
