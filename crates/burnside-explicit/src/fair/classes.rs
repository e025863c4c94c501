//! Fairness of a component: which units share their fate, and whether each is treated fairly.
//!
//! Entry point: [`FairnessClasses`], a partition of the units in the names of one root of the search. Two
//! units of a class are swapped by some closed path of the component (or by a symmetry of one of its states),
//! so a run that uses the whole component treats both fairly or none. Follows Gyuris and Sistla.
//!
//! Costs are proportional to the number of units: per node for its own symmetries, per edge that closes a
//! cycle for the orbits of its permutation.

use super::annotation::Annotation;
use super::units::UnitAction;
use burnside_limits::poll;
use burnside_perm::Partition;
use burnside_ts::Classes;

const EXECUTED: u8 = 1;
const ENABLED: u8 = 2;
const DISABLED: u8 = 4;

/// What a component does to the units, class by class.
#[derive(Clone, Debug)]
pub(crate) struct FairnessClasses {
    classes: Partition,
    /// For each class, at its least unit: what happens to units of it.
    flags: Vec<u8>,
}

/// Whether a component treats all units fairly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FairnessVerdict {
    /// All.
    Fair,
    /// Not all, and no part of the component can.
    Unfair,
    /// Not all: these classes (by their least units) of strongly fair units are enabled but never executed.
    Starved(Vec<u32>),
}

impl FairnessClasses {
    /// Of nothing yet.
    pub fn new(unit_action: &UnitAction<'_>) -> Self {
        Self { classes: Partition::discrete(unit_action.len()), flags: vec![0; unit_action.len()] }
    }

    /// Adds a node: `annotation` leads from its names to those of the root, `enabled` are units that its
    /// steps execute, of which each stands for those that the classes make alike.
    pub fn add_node(
        &mut self,
        unit_action: &UnitAction<'_>,
        annotation: Option<&Annotation>,
        classes: Option<&Classes>,
        enabled: impl Iterator<Item = u32>,
    ) {
        poll();
        let mut is_enabled = vec![false; unit_action.len()];
        if classes.is_none() && annotation.is_none() {
            enabled.for_each(|unit| is_enabled[unit as usize] = true);
            for (unit, enabled) in is_enabled.into_iter().enumerate() {
                let enabled = enabled || unit_action.is_mark(unit as u32);
                self.mark(unit as u32, if enabled { ENABLED } else { DISABLED });
            }
            return;
        }
        let (images, leads) = (unit_action.images(annotation), unit_action.leads(classes));
        enabled.for_each(|unit| is_enabled[leads[unit as usize] as usize] = true);
        for (unit, &lead) in leads.iter().enumerate() {
            self.join(images[unit], images[lead as usize]);
            let enabled = is_enabled[lead as usize] || unit_action.is_mark(unit as u32);
            let flag = if enabled { ENABLED } else { DISABLED };
            self.mark(images[unit], flag);
        }
    }

    /// Adds an edge that closes a cycle. `from` is the annotation of the source composed with that of the
    /// edge, `to` the annotation of the target.
    pub fn add_cycle(
        &mut self,
        unit_action: &UnitAction<'_>,
        from: Option<&Annotation>,
        to: Option<&Annotation>,
    ) {
        if from == to {
            return;
        }
        let (from, to) = (unit_action.images(from), unit_action.images(to));
        from.into_iter().zip(to).for_each(|(a, b)| self.join(a, b));
    }

    /// A unit, in the names of the root, is executed.
    pub fn execute(&mut self, unit: u32) {
        self.mark(unit, EXECUTED);
    }

    /// Adds another part of the component.
    pub fn merge(&mut self, other: &FairnessClasses) {
        poll();
        for unit in 0..self.flags.len() as u32 {
            let lead = other.classes.representative(unit);
            self.join(unit, lead);
            if lead == unit {
                self.mark(unit, other.flags[unit as usize]);
            }
        }
    }

    /// The least unit of a unit's class.
    pub fn class(&self, unit: u32) -> u32 {
        self.classes.representative(unit)
    }

    /// Whether a unit's class is enabled somewhere.
    pub fn is_enabled(&self, unit: u32) -> bool {
        self.flags[self.class(unit) as usize] & ENABLED != 0
    }

    /// Whether every unit is treated fairly.
    pub fn verdict(&self, unit_action: &UnitAction<'_>) -> FairnessVerdict {
        poll();
        let mut starved = Vec::new();
        for (unit, &flags) in self.flags.iter().enumerate() {
            if self.classes.representative(unit as u32) != unit as u32 || flags & EXECUTED != 0 {
                continue;
            }
            match unit_action.is_strong(unit as u32) {
                true if flags & ENABLED != 0 => starved.push(unit as u32),
                false if flags & DISABLED == 0 => return FairnessVerdict::Unfair,
                _ => {}
            }
        }
        if starved.is_empty() { FairnessVerdict::Fair } else { FairnessVerdict::Starved(starved) }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.classes.find(a), self.classes.find(b));
        if a != b {
            self.classes.join(a, b);
            let flags = self.flags[a as usize] | self.flags[b as usize];
            self.flags[a.min(b) as usize] = flags;
        }
    }

    fn mark(&mut self, unit: u32, flag: u8) {
        let lead = self.classes.find(unit);
        self.flags[lead as usize] |= flag;
    }
}
