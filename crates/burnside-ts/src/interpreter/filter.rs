//! Leaving out steps, and values of quantified names, that a symmetry of the state makes redundant.
//!
//! If two members can be swapped without changing the state, a step with one of them in place of the other
//! leads to a swapped state, and a condition has the same value for both. So a parameter or a quantified name
//! needs to take, from each class of such members, only those that enclosing names have taken and one more,
//! which stands for the rest of the class.
//!
//! Only for looking at a state: while a body changes it, the classes are put aside.

use super::domain::{Each, Visit};
use super::{Halt, Interpreter};
use crate::code::{Binder, Domain, Target};
use crate::symmetry::{Classes, StepFilter};
use crate::system::{Label, Rule, System};
use crate::types::{SortId, Type, TypeId, Types};
use std::sync::Arc;

/// What is known of the symmetry of the state at hand.
#[derive(Clone, Debug)]
pub(super) struct StateSymmetry {
    /// The classes of the state; none if they are not known or not to be used.
    pub classes: Option<Arc<Classes>>,
    /// The elements that enclosing names have taken.
    taken: Vec<(SortId, u32)>,
    /// How many enclosing names hold elements in a way that is not looked into.
    opaque: u32,
    /// How many combinations of values the present one stands for.
    pub weight: u64,
    /// For each type, whether a sort occurs in it.
    touched: Box<[bool]>,
}

impl StateSymmetry {
    pub fn new(types: &Types) -> Self {
        let touched = types.iter().map(|(ty, _)| !types.sorts_in(ty).is_empty()).collect();
        Self { classes: None, taken: Vec::new(), opaque: 0, weight: 1, touched }
    }

    fn is_taken(&self, sort: SortId, element: u32) -> bool {
        self.taken.contains(&(sort, element))
    }

    /// Whether an element is one that enclosing names have taken, or the first of its class that they have
    /// not.
    fn is_wanted(&self, sort: SortId, element: u32, classes: &Classes) -> bool {
        if self.opaque > 0 || self.is_taken(sort, element) {
            return true;
        }
        let mut first = classes.lead(sort, element);
        while let Some(next) = classes.next(sort, first).filter(|_| self.is_taken(sort, first)) {
            first = next;
        }
        first == element
    }

    /// The next element of the class of an element that is taken.
    fn taken_after(&self, classes: &Classes, sort: SortId, element: u32) -> Option<u32> {
        let lead = classes.lead(sort, element);
        let later = |&&(its, other): &&(SortId, u32)| {
            its == sort && other > element && classes.lead(sort, other) == lead
        };
        self.taken.iter().filter(later).map(|&(_, other)| other).min()
    }

    /// How many elements of a class are not taken.
    fn left(&self, classes: &Classes, sort: SortId, lead: u32) -> u64 {
        let mine = |&(i, &(its, element)): &(usize, &(SortId, u32))| {
            its == sort && classes.lead(sort, element) == lead && !self.taken[..i].contains(&(sort, element))
        };
        u64::from(classes.size(sort, lead)) - self.taken.iter().enumerate().filter(mine).count() as u64
    }
}

/// The sort that a type is, and 1 if it is an optional of it.
fn sort_of(types: &Types, ty: TypeId) -> Option<(SortId, u64)> {
    match *types.get(ty) {
        Type::Sort(sort) => Some((sort, 0)),
        Type::Option(inner) => match *types.get(inner) {
            Type::Sort(sort) => Some((sort, 1)),
            _ => None,
        },
        _ => None,
    }
}

/// Tells which steps a filter lets through, for machines that list all. Of the instances of a rule it takes
/// the same as the interpreter.
#[derive(Clone, Debug)]
pub struct StepSelector(StateSymmetry);

impl StepSelector {
    /// One for systems with these types.
    pub fn new(types: &Types) -> Self {
        Self(StateSymmetry::new(types))
    }

    /// How many instances a step stands for; none if another one stands for it. Arguments are scalars.
    pub fn weigh(&mut self, system: &System, filter: StepFilter<'_>, label: Label<'_>) -> Option<u64> {
        let Some(classes) = filter.classes() else { return Some(1) };
        let (rule, known) = (system.rule(label.rule), &mut self.0);
        known.taken.clear();
        (known.opaque, known.weight) = (0, 1);
        let executors = system.process(rule.process).indices.len();
        for (level, (param, &arg)) in rule.params.iter().zip(label.args).enumerate() {
            let ty = param.binder.ty;
            let Some((sort, optional)) = sort_of(&system.types, ty) else {
                known.opaque += u32::from(known.touched[ty.index()]);
                continue;
            };
            let code = (arg as i64 - system.types.bias(ty)) as u64;
            let Some(element) = code.checked_sub(optional).map(|number| number as u32) else { continue };
            let reduced = matches!(filter, StepFilter::Distinct(_)) || level < executors;
            if reduced && !known.is_wanted(sort, element, classes) {
                return None;
            }
            if reduced && known.opaque == 0 && !known.is_taken(sort, element) {
                let left = known.left(classes, sort, classes.lead(sort, element));
                known.weight = known.weight.saturating_mul(left);
            }
            known.taken.push((sort, element));
        }
        Some(known.weight)
    }
}

impl<'s> Interpreter<'s> {
    /// Uses the classes of the state from here on; `None` to use none.
    pub(super) fn look_through(&mut self, filter: StepFilter<'_>) {
        self.symmetry.classes = filter.classes().cloned();
        self.symmetry.taken.clear();
        (self.symmetry.opaque, self.symmetry.weight) = (0, 1);
    }

    /// Gives a parameter each of its wanted values in turn.
    pub(super) fn each_filtered(
        &mut self,
        rule: &'s Rule,
        level: usize,
        filter: StepFilter<'_>,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        let executor = level < self.system.process(rule.process).indices.len();
        let reduced = matches!(filter, StepFilter::Distinct(_)) || executor;
        self.each_representative(&rule.params[level].binder, Each::Different, reduced, visit)
    }

    /// Gives a name the values that are needed, or all if not `reduced`.
    pub(super) fn each_representative(
        &mut self,
        binder: &'s Binder,
        wanted: Each,
        reduced: bool,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        let Some(classes) = self.symmetry.classes.clone() else { return self.each(binder, wanted, visit) };
        match (sort_of(&self.system.types, binder.ty), &binder.domain) {
            (Some((sort, 0)), Domain::Type) if reduced && self.symmetry.opaque == 0 => {
                self.each_lead(binder, sort, &classes, visit)
            }
            (Some((sort, optional)), _) => {
                self.each(binder, wanted, &mut |machine: &mut Self| match machine.held(binder, optional) {
                    None => visit(machine),
                    Some(element) if reduced && !machine.symmetry.is_wanted(sort, element, &classes) => {
                        Ok(true)
                    }
                    Some(element) => {
                        // The others of its class that are not taken are there as well, equally often, and
                        // were or will be skipped.
                        let alone = !reduced
                            || machine.symmetry.opaque > 0
                            || machine.symmetry.is_taken(sort, element);
                        let lead = classes.lead(sort, element);
                        let stands_for = if alone { 1 } else { machine.symmetry.left(&classes, sort, lead) };
                        machine.with_taken(sort, element, stands_for, visit)
                    }
                })
            }
            (None, _) if self.symmetry.touched[binder.ty.index()] => {
                self.each(binder, wanted, &mut |machine: &mut Self| {
                    machine.symmetry.opaque += 1;
                    let result = visit(machine);
                    machine.symmetry.opaque -= 1;
                    result
                })
            }
            (None, _) => self.each(binder, wanted, visit),
        }
    }

    fn each_lead(
        &mut self,
        binder: &'s Binder,
        sort: SortId,
        classes: &Classes,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        for &lead in classes.leads(sort) {
            let (mut element, mut fresh) = (Some(lead), false);
            while let Some(this) = element {
                self.poll()?;
                self.give(binder, u64::from(this));
                let taken = self.symmetry.is_taken(sort, this);
                let stands_for = if taken { 1 } else { self.symmetry.left(classes, sort, lead) };
                if !self.with_taken(sort, this, stands_for, visit)? {
                    return Ok(false);
                }
                fresh |= !taken;
                // A parameter that takes all values may have taken any of them, not only the first.
                element = match fresh {
                    true => self.symmetry.taken_after(classes, sort, this),
                    false => classes.next(sort, this),
                };
            }
        }
        Ok(true)
    }

    fn with_taken(
        &mut self,
        sort: SortId,
        element: u32,
        stands_for: u64,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        let weight = self.symmetry.weight;
        self.symmetry.weight = weight.saturating_mul(stands_for);
        self.symmetry.taken.push((sort, element));
        let result = visit(self);
        self.symmetry.taken.pop();
        self.symmetry.weight = weight;
        result
    }

    /// The element that a bound name holds.
    fn held(&self, binder: &Binder, optional: u64) -> Option<u32> {
        let Target::Scalar(slot) = binder.target else { unreachable!("an element is a scalar") };
        // The values of a range that became a sort start at its lower end.
        let code = (self.frame[slot.index()] as i64 - self.system.types.bias(binder.ty)) as u64;
        code.checked_sub(optional).map(|number| number as u32)
    }
}
