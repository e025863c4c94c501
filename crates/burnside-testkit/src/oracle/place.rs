//! Places: variables and local names with indices, fields and `!`, to be read and written.

use super::value::Value;
use super::{Eval, Oracle, World, all, both};
use burnside_lang::hir::{Expr, ExprKind, LocalId, Stored, Ty, VarId};
use burnside_ts::{FaultKind, Type};

/// Where a value is stored.
#[derive(Clone, Debug)]
pub(super) struct Place {
    root: Root,
    path: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Root {
    Var(VarId, Vec<Value>),
    Local(LocalId),
}

/// From a value to a part of it.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// An element or field.
    At(usize),
    /// The value of an optional.
    Inside,
}

impl Oracle<'_> {
    /// The declared type of what is stored at a place.
    pub(super) fn place_type(&self, expr: &Expr) -> Stored {
        let part = |base: &Expr| match self.place_type(base) {
            Stored::Type(ty) => self.model.types.get(ty),
            Stored::Int => panic!("an integer has no parts"),
        };
        match &expr.kind {
            ExprKind::Var(id, _) => Stored::Type(self.model.vars[id.index()].ty),
            ExprKind::Local(id) => self.local_type(*id),
            ExprKind::Index(base, _) => match part(base) {
                Type::Array { element, .. } | Type::Queue { element, .. } => Stored::Type(*element),
                other => panic!("no elements: {other:?}"),
            },
            ExprKind::Field(base, field) => match part(base) {
                Type::Record(id) => Stored::Type(self.model.types.record(*id).fields[*field as usize].ty),
                other => panic!("no fields: {other:?}"),
            },
            ExprKind::Unwrap(base) => match part(base) {
                Type::Option(inner) => Stored::Type(*inner),
                other => panic!("not an optional: {other:?}"),
            },
            other => panic!("not a place: {other:?}"),
        }
    }

    /// The place that an expression denotes.
    pub(super) fn place(&self, world: &mut World, expr: &Expr) -> Eval<Place> {
        match &expr.kind {
            ExprKind::Var(id, member) => {
                let member = self.member(world, *id, member)?;
                Ok(Place { root: Root::Var(*id, member), path: Vec::new() })
            }
            ExprKind::Local(id) => Ok(Place { root: Root::Local(*id), path: Vec::new() }),
            ExprKind::Index(base, index) => {
                let (place, index_value) = both(self.place(world, base), self.eval(world, index))?;
                let position = self.position(base.ty, &self.read(world, &place), &index_value, index.span)?;
                Ok(place.then(Part::At(position)))
            }
            ExprKind::Field(base, field) => Ok(self.place(world, base)?.then(Part::At(*field as usize))),
            ExprKind::Unwrap(base) => {
                let place = self.place(world, base)?;
                match self.read(world, &place) {
                    Value::None => Err(self.fault(FaultKind::NoValue, expr.span)),
                    _ => Ok(place.then(Part::Inside)),
                }
            }
            other => panic!("not a place: {other:?}"),
        }
    }

    /// The indices that select the member of the family that a variable belongs to.
    fn member(&self, world: &mut World, var: VarId, member: &[Expr]) -> Eval<Vec<Value>> {
        let process = self.model.vars[var.index()].process;
        let indices = process.map_or(&[][..], |p| &self.model.processes[p.index()].indices);
        let value = |(index, expr): (&LocalId, &Expr)| {
            let value = self.eval(world, expr)?;
            let Stored::Type(ty) = self.local_type(*index) else { panic!("an index has a finite type") };
            self.number(ty, &value, expr.span)?;
            Ok(value)
        };
        all(indices.iter().zip(member).map(value))
    }

    /// The value at a place.
    pub(super) fn read(&self, world: &World, place: &Place) -> Value {
        let mut value = match &place.root {
            Root::Var(id, member) => &world.state.vars[id.index()][member],
            Root::Local(id) => {
                &world.locals.iter().rev().find(|(local, _)| local == id).expect("a bound name").1
            }
        };
        for part in &place.path {
            value = match (part, value) {
                (Part::At(i), Value::Array(list) | Value::Queue(list) | Value::Record(list)) => &list[*i],
                (Part::Inside, Value::Some(inner)) => inner,
                (part, value) => panic!("no {part:?} in {value:?}"),
            };
        }
        value.clone()
    }

    /// Puts a value to a place.
    pub(super) fn write(&self, world: &mut World, place: &Place, new: Value) {
        let mut value = match &place.root {
            Root::Var(id, member) => {
                world.state.vars[id.index()].get_mut(member).expect("a variable that has a value")
            }
            Root::Local(id) => {
                &mut world.locals.iter_mut().rev().find(|(local, _)| local == id).expect("a bound name").1
            }
        };
        for part in &place.path {
            value = match (part, value) {
                (Part::At(i), Value::Array(list) | Value::Queue(list) | Value::Record(list)) => &mut list[*i],
                (Part::Inside, Value::Some(inner)) => inner,
                (part, value) => panic!("no {part:?} in {value:?}"),
            };
        }
        *value = new;
    }

    /// The place of a collection, with the type of its elements and its capacity.
    pub(super) fn collection_place(&self, world: &mut World, expr: &Expr) -> Eval<(Place, Stored, u32)> {
        let place = self.place(world, expr)?;
        let Ty::Of(ty) = expr.ty else { panic!("an integer is no collection") };
        let (element, capacity) = match *self.model.types.get(ty) {
            Type::Set(element) => (element, u32::MAX),
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => (element, capacity),
            ref other => panic!("not a collection: {other:?}"),
        };
        Ok((place, Stored::Type(element), capacity))
    }
}

impl Place {
    fn then(mut self, part: Part) -> Self {
        self.path.push(part);
        self
    }
}
