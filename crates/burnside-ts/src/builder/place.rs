//! Terms to places: variables, cells of arrays, fields, fronts of queues, and the elements of collections.

use super::lower::{Code, Lowering, Result, Ty, Typed, error, shifted};
use super::term::{Node, Term};
use crate::code::{Cell, Expr, Index, Operand, Place, Root};
use crate::types::{Type, TypeId};

impl Lowering<'_> {
    pub(super) fn loaded(&self, place: Place, ty: TypeId) -> Typed {
        let code = match self.builder.types.is_scalar(ty) {
            false => Code::Wide(place),
            true if place.indices.is_empty() && place.root == Root::State => {
                let Place { offset, width, bias, .. } = place;
                Code::Scalar(Expr::Cell(Cell { offset, width, bias }))
            }
            true => Code::Scalar(Expr::Load(Box::new(place))),
        };
        Typed { ty: Ty::Of(ty), code }
    }

    /// All of a value.
    pub(super) fn whole(&self, root: Root, offset: u32, ty: TypeId) -> Place {
        let (width, bias) = (self.builder.types.width(ty), self.builder.types.bias(ty));
        Place { root, offset, indices: Box::new([]), width, bias }
    }

    /// Where something is.
    pub(super) fn place(&mut self, term: &Term) -> Result<(Place, TypeId)> {
        let types = &self.builder.types;
        match &*term.0 {
            Node::Variable(id) => match self.builder.variables.get(id.0) {
                Some(variable) => Ok((self.whole(Root::State, variable.offset, variable.ty), variable.ty)),
                None => error("no such variable"),
            },
            Node::Name(name) => match self.name(*name)? {
                Typed { ty: Ty::Of(ty), code: Code::Wide(place) } => Ok((place, ty)),
                _ => self.no(term, "a place"),
            },
            Node::Cell([base, index]) => {
                let (base_place, ty) = self.place(base)?;
                let Type::Array { index: by, element } = *types.get(ty) else {
                    return self.no(base, "an array");
                };
                let place = self.cell(base_place, term, index, by, element)?;
                Ok((place, element))
            }
            Node::Field(base, name) => {
                let (place, ty) = self.place(base)?;
                let Type::Record(id) = *types.get(ty) else { return self.no(base, "a record") };
                let Some(field) = types.record(id).fields.iter().find(|field| field.name == *name) else {
                    return error(format!("`{}` has no field `{name}`", self.builder.show(base)));
                };
                Ok((self.part(place, field.offset, field.ty), field.ty))
            }
            Node::Front(queue) => {
                let (place, ty) = self.place(queue)?;
                let Type::Queue { capacity, element } = *types.get(ty) else {
                    return self.no(queue, "a queue");
                };
                let (slots, site) = (types.slots(capacity, element), self.site(term));
                let length = Expr::Size(Box::new(place.clone()), ty);
                let value = Expr::Bound(Box::new([Expr::Const(0), length]), site);
                let index =
                    Index { value, low: 0, size: u64::from(capacity).max(1), stride: slots.slot, site };
                let front = self.part(place, slots.offset(0), element);
                Ok((with_index(front, index), element))
            }
            _ => self.no(term, "a place"),
        }
    }

    /// A part of a value.
    pub(super) fn part(&self, place: Place, offset: u32, ty: TypeId) -> Place {
        let Place { width, bias, .. } = self.whole(place.root, 0, ty);
        Place { offset: place.offset + offset, width, bias, ..place }
    }

    pub(super) fn cell(
        &mut self,
        base: Place,
        term: &Term,
        index: &Term,
        by: TypeId,
        element: TypeId,
    ) -> Result<Place> {
        let types = &self.builder.types;
        let (low, size, stride) = (types.bias(by), self.size(by)?, types.width(element));
        // Integers are checked when the cell is looked up, so not before.
        let value = self.value(index, Some(by))?;
        let value = match (self.bounds(value.ty), types.get(by), value.code) {
            (Some(_), Type::Range { .. }, Code::Scalar(expr)) => expr,
            (_, _, code) => match self.converted(Typed { ty: value.ty, code }, by, index)? {
                Code::Scalar(expr) => expr,
                Code::Wide(place) => Expr::Rank(Box::new(place), by),
            },
        };
        let place = self.part(base, 0, element);
        match value {
            Expr::Const(number) if (low..low + size as i64).contains(&number) => {
                Ok(Place { offset: place.offset + (number - low) as u32 * stride, ..place })
            }
            Expr::Const(number) => {
                error(format!("the index {number} is outside {low}..{}", low + size as i64 - 1))
            }
            value => {
                let site = self.site(term);
                Ok(with_index(place, Index { value, low, size, stride, site }))
            }
        }
    }

    pub(super) fn size(&self, ty: TypeId) -> Result<u64> {
        match self.builder.types.size(ty) {
            Some(size) => Ok(size),
            None => error(format!("{} has too many values", self.builder.show_type(ty))),
        }
    }

    /// A collection and what it holds.
    pub(super) fn collection(&mut self, term: &Term) -> Result<(Place, TypeId, TypeId)> {
        let (place, ty) = self.place(term)?;
        match *self.builder.types.get(ty) {
            Type::Set(element) | Type::Queue { element, .. } | Type::Bag { element, .. } => {
                Ok((place, ty, element))
            }
            _ => self.no(term, "a set, a queue or a bag"),
        }
    }

    /// The number of an element of a set.
    pub(super) fn number(&mut self, term: &Term, ty: TypeId) -> Result<Expr> {
        Ok(match self.assigned(term, ty)? {
            Code::Scalar(expr) => shifted(expr, -self.builder.types.bias(ty)),
            Code::Wide(place) => Expr::Rank(Box::new(place), ty),
        })
    }

    /// An element of a queue or bag.
    pub(super) fn operand(&mut self, term: &Term, ty: TypeId) -> Result<Operand> {
        Ok(match self.assigned(term, ty)? {
            Code::Scalar(expr) => Operand::Scalar(expr, self.builder.types.bias(ty)),
            Code::Wide(place) => Operand::Wide(place),
        })
    }
}

fn with_index(place: Place, index: Index) -> Place {
    let indices = place.indices.into_iter().chain([index]).collect();
    Place { indices, ..place }
}
