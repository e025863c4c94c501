//! Fairness of a component: which units share their fate, and whether each is treated fairly.
//!
//! Entry points: [`Naming`], which says where motions take units and which units a symmetric state makes alike, and [`Threads`], a partition of the
//! units in the names of one root of the search. Two units of a class are swapped by some closed path of the component (or by a symmetry of one
//! of its states), so a run that uses the whole component treats both fairly or none. Follows Gyuris and Sistla.
//!
//! Acceptance sets that local symmetries of the automaton permute are counted as units too: behind the others, always enabled, and executed by the edges with
//! their mark. Such a unit is treated fairly just if it is executed.
//!
//! Costs are proportional to the number of units: per node for its own symmetries, per edge that closes a cycle for the orbits of its motion.

use super::indexed::{carry, least_names};
use burnside_perm::Partition;
use burnside_ts::{Action, Classes, Motion, SortId, Strength, Type, UnitId, Units};

const EXECUTED: u8 = 1;
const ENABLED: u8 = 2;
const DISABLED: u8 = 4;

/// How motions and symmetries of states act on the fairness units.
pub(crate) struct Naming<'s> {
    /// None: only acceptance sets are counted.
    units: Option<Units<'s>>,
    /// The first number of an acceptance set.
    first_mark: u32,
    action: Action<'s>,
    /// For each unit whether it is strongly fair.
    strong: Vec<bool>,
    families: Vec<Family>,
}

struct Family {
    first: u32,
    count: u32,
    /// For each index its type, the sort if it is just an element of one, and how many values it has.
    indices: Vec<(burnside_ts::TypeId, Option<SortId>, u64)>,
}

impl<'s> Naming<'s> {
    /// With so many acceptance sets behind the units.
    pub fn new(units: Option<&Units<'s>>, action: &Action<'s>, marks: u32) -> Self {
        let system = action.system();
        let of_units = |units: &Units<'s>| -> Vec<Family> {
            let family = |(i, family): (usize, &burnside_ts::UnitFamily)| Family {
                first: family.first.0,
                count: family.count,
                indices: (units.types(i).iter())
                    .map(|&ty| {
                        let sort = match *system.types.get(ty) {
                            Type::Sort(sort) => Some(sort),
                            _ => None,
                        };
                        (ty, sort, system.types.size(ty).expect("an index is numbered"))
                    })
                    .collect(),
            };
            system.fairness.iter().enumerate().map(family).collect()
        };
        let count = units.map_or(0, |units| units.len() as u32);
        let strong = |unit| units.is_some_and(|units| units.strength(UnitId(unit)) == Strength::Strong);
        Self {
            strong: (0..count).map(strong).chain((0..marks).map(|_| false)).collect(),
            families: units.map_or(Vec::new(), of_units),
            units: units.cloned(),
            first_mark: count,
            action: action.clone(),
        }
    }

    /// Whether a unit is an acceptance set.
    pub fn is_mark(&self, unit: u32) -> bool {
        unit >= self.first_mark
    }

    /// Where a motion takes an acceptance set.
    fn mark_image(&self, motion: &Motion, unit: u32) -> u32 {
        let marks = motion.images.get(self.action.system().types.sorts().count());
        marks.map_or(unit, |images| self.first_mark + images[(unit - self.first_mark) as usize])
    }

    fn moved(&self, motion: &Motion, unit: u32) -> u32 {
        match &self.units {
            Some(units) if !self.is_mark(unit) => units.moved(&self.action, motion, UnitId(unit)).0,
            _ => self.mark_image(motion, unit),
        }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.strong.len()
    }

    /// Whether a unit is strongly fair.
    pub fn is_strong(&self, unit: u32) -> bool {
        self.strong[unit as usize]
    }

    /// Where a motion takes each unit.
    pub fn images(&self, motion: Option<&Motion>) -> Vec<u32> {
        let Some(motion) = motion else { return (0..self.len() as u32).collect() };
        let mut images = Vec::with_capacity(self.len());
        for family in &self.families {
            if let [(_, Some(sort), _)] = family.indices[..]
                && self.action.system().rule_sort.is_none()
            {
                images.extend(motion.images[sort.index()].iter().map(|image| family.first + image));
                continue;
            }
            let units = family.first..family.first + family.count;
            images.extend(units.map(|unit| self.moved(motion, unit)));
        }
        images.extend((self.first_mark..self.len() as u32).map(|unit| self.mark_image(motion, unit)));
        images
    }

    /// Where a motion takes one unit.
    pub fn image(&self, motion: Option<&Motion>, unit: u32) -> u32 {
        match motion {
            None => unit,
            Some(motion) => self.moved(motion, unit),
        }
    }

    /// For each unit one that stands for all units that the symmetries of a state make of it.
    pub fn leads(&self, classes: Option<&Classes>) -> Vec<u32> {
        let Some(classes) = classes else { return (0..self.len() as u32).collect() };
        (0..self.len() as u32).map(|unit| self.lead(Some(classes), unit)).collect()
    }

    /// The unit that stands for all units that the symmetries of a state make of this one.
    pub fn lead(&self, classes: Option<&Classes>, unit: u32) -> u32 {
        let (Some(classes), Some(units)) = (classes, &self.units) else { return unit };
        if self.is_mark(unit) {
            return unit;
        }
        let family = units.family(UnitId(unit));
        let Family { first, indices, .. } = &self.families[family];
        match indices[..] {
            [] => unit,
            [(_, None, _)] => unit,
            [(_, Some(sort), _)] => first + classes.lead(sort, unit - first),
            _ => {
                let named = least_names(classes, self.elements(unit));
                let rename = |sort: SortId, element: u64| {
                    let found =
                        named.iter().find(|&&(its, from, _)| (its, u64::from(from)) == (sort, element));
                    u64::from(found.expect("every element is named").2)
                };
                let numbers: Vec<u64> = (units.indices(UnitId(unit)).into_iter())
                    .zip(indices)
                    .map(|(number, (_, sort, _))| sort.map_or(number, |sort| rename(sort, number)))
                    .collect();
                units.unit(family, &numbers).0
            }
        }
    }

    /// A symmetry of a state that takes one unit to another that it makes alike; none: the identity does.
    pub fn swap(&self, from: u32, to: u32) -> Option<Motion> {
        let mut named: Vec<(SortId, u32, u32)> = Vec::new();
        for ((sort, from), (_, to)) in self.elements(from).zip(self.elements(to)) {
            if !named.contains(&(sort, from, to)) {
                named.push((sort, from, to));
            }
        }
        carry(&self.action.system().types, &named)
    }

    /// The elements of sorts among the indices of a unit.
    fn elements(&self, unit: u32) -> impl Iterator<Item = (SortId, u32)> {
        let units = self.units.as_ref().filter(|_| !self.is_mark(unit));
        units.into_iter().flat_map(move |units| {
            let indices = &self.families[units.family(UnitId(unit))].indices;
            let numbers = units.indices(UnitId(unit)).into_iter();
            numbers.zip(indices).filter_map(|(number, (_, sort, _))| Some(((*sort)?, number as u32)))
        })
    }
}

/// What a component does to the units.
#[derive(Clone, Debug)]
pub(crate) struct Threads {
    classes: Partition,
    /// For each class, at its least unit: what happens to units of it.
    flags: Vec<u8>,
}

/// Whether a component treats all units fairly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    /// All.
    Fair,
    /// Not all, and no part of the component can.
    Unfair,
    /// Not all: these classes (by their least units) of strongly fair units are enabled but never executed.
    Starved(Vec<u32>),
}

impl Threads {
    /// Of nothing yet.
    pub fn new(naming: &Naming<'_>) -> Self {
        Self { classes: Partition::discrete(naming.len()), flags: vec![0; naming.len()] }
    }

    /// Adds a node: `motion` leads from its names to those of the root, `enabled` are units that its steps execute, of which each
    /// stands for those that the classes make alike.
    pub fn add_node(
        &mut self,
        naming: &Naming<'_>,
        motion: Option<&Motion>,
        classes: Option<&Classes>,
        enabled: impl Iterator<Item = u32>,
    ) {
        let mut is_enabled = vec![false; naming.len()];
        if classes.is_none() && motion.is_none() {
            enabled.for_each(|unit| is_enabled[unit as usize] = true);
            for (unit, enabled) in is_enabled.into_iter().enumerate() {
                let enabled = enabled || naming.is_mark(unit as u32);
                self.mark(unit as u32, if enabled { ENABLED } else { DISABLED });
            }
            return;
        }
        let (images, leads) = (naming.images(motion), naming.leads(classes));
        enabled.for_each(|unit| is_enabled[leads[unit as usize] as usize] = true);
        for (unit, &lead) in leads.iter().enumerate() {
            self.join(images[unit], images[lead as usize]);
            let enabled = is_enabled[lead as usize] || naming.is_mark(unit as u32);
            let flag = if enabled { ENABLED } else { DISABLED };
            self.mark(images[unit], flag);
        }
    }

    /// Adds an edge that closes a cycle. `from` is the motion of the source times that of the edge, `to` the motion of the target.
    pub fn add_cycle(&mut self, naming: &Naming<'_>, from: Option<&Motion>, to: Option<&Motion>) {
        if from == to {
            return;
        }
        let (from, to) = (naming.images(from), naming.images(to));
        from.into_iter().zip(to).for_each(|(a, b)| self.join(a, b));
    }

    /// A unit, in the names of the root, is executed.
    pub fn execute(&mut self, unit: u32) {
        self.mark(unit, EXECUTED);
    }

    /// Adds another part of the component.
    pub fn merge(&mut self, other: &Threads) {
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
    pub fn judge(&self, naming: &Naming<'_>) -> Judgement {
        let mut starved = Vec::new();
        for (unit, &flags) in self.flags.iter().enumerate() {
            if self.classes.representative(unit as u32) != unit as u32 || flags & EXECUTED != 0 {
                continue;
            }
            match naming.strong[unit] {
                true if flags & ENABLED != 0 => starved.push(unit as u32),
                false if flags & DISABLED == 0 => return Judgement::Unfair,
                _ => {}
            }
        }
        if starved.is_empty() { Judgement::Fair } else { Judgement::Starved(starved) }
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
