//! The action on fairness units: where permutations take them, and which units a symmetric state makes alike.
//!
//! Entry point: [`UnitAction`]. Acceptance sets that local symmetries of the automaton permute are counted as
//! units too: behind the others, always enabled, and executed by the edges with their mark. Such a unit is
//! treated fairly just if it is executed.

use super::annotation::Annotation;
use super::indexed::{IndexedQuotient, carry, least_names};
use super::interned::AnnotationId;
use crate::alike::ClassesId;
use burnside_limits::poll;
use burnside_ts::{Action, Classes, Permutation, SortId, Strength, Type, UnitId, Units};
use std::cell::RefCell;
use std::rc::Rc;

/// How permutations and symmetries of states act on the fairness units.
pub(crate) struct UnitAction<'s> {
    /// None: only acceptance sets are counted.
    units: Option<Units<'s>>,
    /// The first number of an acceptance set.
    first_mark: u32,
    action: Action<'s>,
    /// For each unit whether it is strongly fair.
    strong: Vec<bool>,
    families: Vec<Family>,
    /// By annotation: where it takes each unit.
    images: RefCell<KnownUnits>,
    /// By partition of the members, as long as these are not counted anew: the units that stand for others.
    leads: RefCell<(u32, KnownUnits)>,
}

/// Units by some number, as far as they are known.
type KnownUnits = Vec<Option<Rc<[u32]>>>;

struct Family {
    first: u32,
    count: u32,
    /// For each index its type, the sort if it is just an element of one, and how many values it has.
    indices: Vec<(burnside_ts::TypeId, Option<SortId>, u64)>,
}

impl<'s> UnitAction<'s> {
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
            images: RefCell::default(),
            leads: RefCell::default(),
        }
    }

    /// Whether a unit is an acceptance set.
    pub fn is_mark(&self, unit: u32) -> bool {
        unit >= self.first_mark
    }

    /// Where an annotation takes an acceptance set.
    fn mark_image(&self, annotation: &Annotation, unit: u32) -> u32 {
        self.first_mark + annotation.marks.image(unit - self.first_mark)
    }

    fn moved(&self, annotation: &Annotation, unit: u32) -> u32 {
        match &self.units {
            Some(units) if !self.is_mark(unit) => {
                units.moved(&self.action, &annotation.permutation, UnitId(unit)).0
            }
            _ => self.mark_image(annotation, unit),
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

    /// Where an annotation takes each unit; none is the identity.
    pub fn images(&self, annotation: Option<&Annotation>) -> Vec<u32> {
        poll();
        let Some(annotation) = annotation else { return (0..self.len() as u32).collect() };
        let mut images = Vec::with_capacity(self.len());
        for family in &self.families {
            if let [(_, Some(sort), _)] = family.indices[..]
                && self.action.system().rule_sort.is_none()
            {
                images.extend(
                    annotation.permutation.images[sort.index()].iter().map(|image| family.first + image),
                );
                continue;
            }
            let units = family.first..family.first + family.count;
            images.extend(units.map(|unit| self.moved(annotation, unit)));
        }
        images.extend((self.first_mark..self.len() as u32).map(|unit| self.mark_image(annotation, unit)));
        images
    }

    /// Where an annotation takes each unit, computed once; none is the identity.
    pub fn images_of(&self, quotient: &IndexedQuotient<'_>, annotation: AnnotationId) -> Option<Rc<[u32]>> {
        if annotation == AnnotationId::IDENTITY {
            return None;
        }
        let known = &mut *self.images.borrow_mut();
        let i = annotation.0 as usize;
        if known.len() <= i {
            known.resize((i + 1).max(known.len() * 5 / 4), None);
        }
        let images = || self.images(quotient.annotation_of(annotation).as_deref()).into();
        Some(known[i].get_or_insert_with(images).clone())
    }

    /// The units that stand for others, computed once for each partition.
    pub fn leads_of(&self, quotient: &IndexedQuotient<'_>, classes: ClassesId) -> Rc<[u32]> {
        let (epoch, known) = &mut *self.leads.borrow_mut();
        if *epoch != quotient.epoch() {
            *epoch = quotient.epoch();
            known.clear();
        }
        let i = classes.0 as usize;
        if known.len() <= i {
            known.resize((i + 1).max(known.len() * 5 / 4), None);
        }
        known[i].get_or_insert_with(|| self.leads(Some(&quotient.classes_by(classes))).into()).clone()
    }

    /// Where an annotation takes one unit.
    pub fn image(&self, annotation: Option<&Annotation>, unit: u32) -> u32 {
        match annotation {
            None => unit,
            Some(annotation) => self.moved(annotation, unit),
        }
    }

    /// For each unit one that stands for all units that the symmetries of a state make of it.
    pub fn leads(&self, classes: Option<&Classes>) -> Vec<u32> {
        poll();
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
    pub fn swap(&self, from: u32, to: u32) -> Option<Permutation> {
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
