//! Types: where members of the family may be in values.
//!
//! A value may be a member or none, hold sets of members and arrays with something for each member; each may
//! be in records, optionals, queues and arrays over other types. What is there for each member holds no
//! members.

use super::{INSTEAD, Refusal, WitnessCount, Witnesses, times_of};
use crate::diagnostic::Span;
use burnside_ts::{Type, TypeId};

impl WitnessCount<'_> {
    /// Whether values of a type have to do with members.
    pub(super) fn mentions(&self, ty: TypeId) -> bool {
        self.model.types.sorts_in(ty).contains(&self.sort)
    }

    /// How many members a value can point to.
    pub(super) fn shape(&self, ty: TypeId, span: Span) -> Witnesses {
        let types = &self.model.types;
        if !self.mentions(ty) {
            return Ok(0);
        }
        let name = &types.sort(self.sort).name;
        let refuse = |what: &str, help: &str| Err(Refusal::new(span, format!("{what} `{name}`")).help(help));
        match *types.get(ty) {
            Type::Sort(_) => Ok(1),
            Type::Option(inner) if inner != self.ty && types.is_scalar(inner) => {
                refuse("there is an optional in an optional member of", "put one of them into a record")
            }
            Type::Option(inner) => self.shape(inner, span),
            Type::Record(record) => {
                types.record(record).fields.iter().map(|field| self.shape(field.ty, span)).sum()
            }
            Type::Array { index, element } if index == self.ty => match self.mentions(element) {
                true => refuse("each member has something that depends on other members of", INSTEAD),
                false => Ok(0),
            },
            Type::Array { index, .. } if self.mentions(index) => refuse(
                "an array has an index that is made of members of",
                "make the members themselves its index",
            ),
            Type::Array { index, element } => {
                times_of(self.shape(element, span)?, types.size(index).unwrap_or(u64::MAX), span)
            }
            Type::Set(element) if element == self.ty => Ok(0),
            Type::Set(_) => refuse(
                "a set has elements that are made of members of",
                "have a set of members for each case",
            ),
            Type::Queue { capacity, element } => {
                times_of(self.shape(element, span)?, u64::from(capacity), span)
            }
            Type::Bag { .. } => {
                refuse("a bag holds members of", "keep them in a queue, a set or a few variables")
            }
            Type::Bool | Type::Range { .. } | Type::Enum(_) => Ok(0),
        }
    }

    /// Whether a value of zeros points to the first member.
    pub(super) fn zero_is_member(&self, ty: TypeId) -> bool {
        let types = &self.model.types;
        match *types.get(ty) {
            Type::Sort(sort) => sort == self.sort,
            Type::Record(record) => {
                types.record(record).fields.iter().any(|field| self.zero_is_member(field.ty))
            }
            Type::Array { element, .. } => self.zero_is_member(element),
            Type::Bool
            | Type::Range { .. }
            | Type::Enum(_)
            | Type::Option(_)
            | Type::Set(_)
            | Type::Queue { .. }
            | Type::Bag { .. } => false,
        }
    }
}
