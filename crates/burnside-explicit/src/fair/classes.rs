//! Fairness of a component: which units share their fate, and whether each is treated fairly.
//!
//! Entry point: [`FairnessClasses`], a partition of the units in the names of one root of the search. Two
//! units of a class are swapped by some closed path of the component (or by a symmetry of one of its states),
//! so a run that uses the whole component treats both fairly or none. Follows Gyuris and Sistla.
//!
//! Costs are proportional to the number of units: per node for its own symmetries, per edge that closes a
//! cycle for the orbits of its permutation.

use super::units::UnitAction;
use burnside_limits::poll;
use burnside_perm::Partition;

const EXECUTED: u8 = 1;
const ENABLED: u8 = 2;
const DISABLED: u8 = 4;

/// What a component does to the units, class by class.
#[derive(Clone, Debug)]
pub(crate) struct FairnessClasses {
    classes: Partition,
    /// For each class, at its least unit: what happens to units of it.
    flags: Vec<u8>,
    /// Which units are enabled in the node at hand.
    here: Vec<bool>,
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
        Self {
            classes: Partition::discrete(unit_action.len()),
            flags: vec![0; unit_action.len()],
            here: Vec::new(),
        }
    }

    /// Of nothing again.
    pub fn clear(&mut self) {
        self.classes.clear();
        self.flags.fill(0);
    }

    /// Adds a node: `images` lead from its names to those of the root (none: they are the same), `leads` say
    /// which unit stands for those alike (none: each for itself), `enabled` are units that its steps execute,
    /// each for those alike.
    pub fn add_node(
        &mut self,
        unit_action: &UnitAction<'_>,
        images: Option<&[u32]>,
        leads: Option<&[u32]>,
        enabled: impl Iterator<Item = u32>,
    ) {
        poll();
        let image = |unit: u32| images.map_or(unit, |images| images[unit as usize]);
        let lead = |unit: u32| leads.map_or(unit, |leads| leads[unit as usize]);
        let mut here = std::mem::take(&mut self.here);
        here.clear();
        here.resize(self.flags.len(), false);
        enabled.for_each(|unit| here[lead(unit) as usize] = true);
        for unit in 0..self.flags.len() as u32 {
            let lead = lead(unit);
            if lead != unit {
                self.join(image(unit), image(lead));
            }
            let enabled = here[lead as usize] || unit_action.is_mark(unit);
            self.mark(image(unit), if enabled { ENABLED } else { DISABLED });
        }
        self.here = here;
    }

    /// Adds an edge that closes a cycle. `from` are the images under the annotation of the source composed
    /// with that of the edge, `to` those under the annotation of the target; none: under the identity.
    pub fn add_cycle(&mut self, from: Option<&[u32]>, to: Option<&[u32]>) {
        for unit in 0..self.flags.len() as u32 {
            let image = |images: Option<&[u32]>| images.map_or(unit, |images| images[unit as usize]);
            self.join(image(from), image(to));
        }
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
