//! Leaving out steps that a symmetry of the state makes redundant.
//!
//! If two members can be swapped without changing the state, a step with one of them in place of the other leads to a swapped state. So
//! a parameter needs to take, from each class of such members, only those that parameters before it have taken and one more.

use super::domain::Visit;
use super::{Halt, Machine};
use crate::code::{Domain, Target};
use crate::symmetry::Classes;
use crate::system::Rule;
use crate::types::{SortId, Type, TypeId};

/// Which steps of a state are wanted. The classes are those of the state.
#[derive(Clone, Copy, Debug)]
pub enum Among<'c> {
    /// All.
    All,
    /// Of the processes, one of each class of symmetric ones.
    Executors(&'c Classes),
    /// Of the rule instances, one of each class of symmetric ones.
    Distinct(&'c Classes),
}

impl<'s> Machine<'s> {
    /// Gives a parameter each of its wanted values in turn.
    pub(super) fn each_among(
        &mut self,
        rule: &'s Rule,
        level: usize,
        among: Among<'_>,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        let binder = &rule.params[level].binder;
        let executor = level < self.system.process(rule.process).indices.len();
        let classes = match among {
            Among::Executors(classes) if executor => classes,
            Among::Distinct(classes) => classes,
            _ => return self.each(binder, visit),
        };
        match (self.sort_of(binder.ty), &binder.domain) {
            (Some((sort, 0)), Domain::Type) => {
                for lead in classes.leads(sort) {
                    let mut element = Some(lead);
                    while let Some(this) = element {
                        self.poll()?;
                        self.bind(binder, u64::from(this));
                        if !visit(self)? {
                            return Ok(false);
                        }
                        element = classes.next(sort, this).filter(|_| self.is_taken(rule, level, sort, this));
                    }
                }
                Ok(true)
            }
            (Some((sort, _)), _) => self.each(binder, &mut |machine: &mut Self| match machine
                .is_wanted(rule, level, sort, classes)
            {
                true => visit(machine),
                false => Ok(true),
            }),
            (None, _) => self.each(binder, visit),
        }
    }

    /// The sort that a parameter's type is, and 1 if it is an optional of it.
    fn sort_of(&self, ty: TypeId) -> Option<(SortId, u64)> {
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Sort(sort) => Some((sort, 0)),
            Type::Option(inner) => match *types.get(inner) {
                Type::Sort(sort) => Some((sort, 1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The element that a bound parameter holds, if it is of the sort.
    fn held(&self, rule: &Rule, level: usize, sort: SortId) -> Option<u32> {
        let binder = &rule.params[level].binder;
        let (its, optional) = self.sort_of(binder.ty)?;
        let Target::Scalar(slot) = binder.target else { return None };
        let code = (self.frame[slot.index()] as i64 - self.system.types.bias(binder.ty)) as u64;
        let number = code.checked_sub(optional)?;
        (its == sort).then_some(number as u32)
    }

    fn is_taken(&self, rule: &Rule, level: usize, sort: SortId, element: u32) -> bool {
        (0..level).any(|earlier| self.held(rule, earlier, sort) == Some(element))
    }

    /// Whether the value just bound is one that earlier parameters have taken, or the first of its class that they have not.
    fn is_wanted(&self, rule: &Rule, level: usize, sort: SortId, classes: &Classes) -> bool {
        let Some(element) = self.held(rule, level, sort) else { return true };
        if self.is_taken(rule, level, sort, element) {
            return true;
        }
        let mut first = classes.lead(sort, element);
        while let Some(next) = classes.next(sort, first).filter(|_| self.is_taken(rule, level, sort, first)) {
            first = next;
        }
        first == element
    }
}
