//! The meaning of statements: from one world to all worlds that it can become.

use super::place::Place;
use super::value::{self, Value};
use super::{Eval, Faults, Oracle, World, both};
use burnside_lang::hir::{Binder, Expr, Initial, Stmt, StmtKind, Stored, Ty};
use burnside_ts::{FaultKind, Type};

/// What a body can end in.
#[derive(Clone, Debug)]
pub(super) enum End {
    World(World),
    Fault(Faults),
    /// An `assume` was false.
    Dropped,
}

impl From<Eval<World>> for End {
    fn from(result: Eval<World>) -> Self {
        match result {
            Ok(world) => End::World(world),
            Err(faults) => End::Fault(faults),
        }
    }
}

/// Goes on from every world that did not end.
pub(super) fn and_then(ends: Vec<End>, mut next: impl FnMut(World) -> Vec<End>) -> Vec<End> {
    let go_on = |end| match end {
        End::World(world) => next(world),
        other => vec![other],
    };
    ends.into_iter().flat_map(go_on).collect()
}

impl Oracle<'_> {
    /// One statement after the other.
    pub(super) fn block(&self, world: World, statements: &[Stmt]) -> Vec<End> {
        statements.iter().fold(vec![End::World(world)], |ends, statement| {
            and_then(ends, |world| self.statement(world, statement))
        })
    }

    fn statement(&self, mut world: World, statement: &Stmt) -> Vec<End> {
        match &statement.kind {
            StmtKind::Assign(target, value) => self.assign(world, target, value),
            StmtKind::Let(id, value) => {
                let ty = self.local_type(*id);
                match self.possible(&mut world, value, ty) {
                    Err(faults) => vec![End::Fault(faults)],
                    Ok(values) => values
                        .into_iter()
                        .map(|value| {
                            let mut world = world.clone();
                            value.map(|value| {
                                world.locals.push((*id, value));
                                world
                            })
                        })
                        .map(End::from)
                        .collect(),
                }
            }
            StmtKind::If(condition, then, otherwise) => match self.truth(&mut world, condition) {
                Err(faults) => vec![End::Fault(faults)],
                Ok(true) => self.block(world, then),
                Ok(false) => self.block(world, otherwise),
            },
            StmtKind::For(binders, filter, body) => self.repeat(world, binders, filter.as_ref(), body),
            StmtKind::Assert(condition, _) => match self.truth(&mut world, condition) {
                Err(faults) => vec![End::Fault(faults)],
                Ok(true) => vec![End::World(world)],
                Ok(false) => vec![End::Fault(self.fault(FaultKind::AssertionFailed, condition.span))],
            },
            StmtKind::Assume(condition) => match self.truth(&mut world, condition) {
                Err(faults) => vec![End::Fault(faults)],
                Ok(true) => vec![End::World(world)],
                Ok(false) => vec![End::Dropped],
            },
            StmtKind::Push(..)
            | StmtKind::Pop(_)
            | StmtKind::Add(..)
            | StmtKind::Remove(..)
            | StmtKind::Clear(_) => vec![End::from(self.change(world, statement))],
        }
    }

    fn assign(&self, mut world: World, target: &Expr, value: &Initial) -> Vec<End> {
        let place = self.place(&mut world, target);
        let ty = self.place_type(target);
        match both(place, self.possible(&mut world, value, ty)) {
            Err(faults) => vec![End::Fault(faults)],
            Ok((place, values)) => self.spread(&world, &place, values),
        }
    }

    fn spread(&self, world: &World, place: &Place, values: Vec<Eval<Value>>) -> Vec<End> {
        let one = |value: Eval<Value>| {
            let mut world = world.clone();
            End::from(value.map(|value| {
                self.write(&mut world, place, value);
                world
            }))
        };
        values.into_iter().map(one).collect()
    }

    /// All values that an initial or assigned value can be. The outer fault comes before a choice, the inner
    /// after it.
    pub(super) fn possible(&self, world: &mut World, value: &Initial, ty: Stored) -> Eval<Vec<Eval<Value>>> {
        match (value, ty) {
            (Initial::Value(expr), ty) => Ok(vec![Ok(self.eval_as(world, expr, ty)?)]),
            (Initial::Fill(expr), Stored::Type(_)) => Ok(vec![Ok(self.filled(world, expr, ty)?)]),
            (Initial::Fill(expr), Stored::Int) => Ok(vec![Ok(self.eval(world, expr)?)]),
            (Initial::Zero, Stored::Type(ty)) => Ok(vec![Ok(value::default(&self.model.types, ty))]),
            (Initial::Zero, Stored::Int) => Ok(vec![Ok(Value::Int(0))]),
            (Initial::Any, Stored::Type(ty)) => Ok(self.values(ty).iter().cloned().map(Ok).collect()),
            (Initial::Any, Stored::Int) => panic!("any needs a finite type"),
            (Initial::AnyIn(collection), ty) => {
                let elements = self.eval(world, collection)?.different();
                if elements.is_empty() {
                    return Err(self.fault(FaultKind::NothingToChoose, collection.span));
                }
                let chosen = |value| self.wrapped(value, collection, ty);
                Ok(elements.into_iter().map(chosen).collect())
            }
        }
    }

    /// An element of a collection where a value of the type, perhaps an optional one, is stored.
    fn wrapped(&self, value: Value, collection: &Expr, ty: Stored) -> Eval<Value> {
        let types = &self.model.types;
        let element = match collection.ty {
            Ty::Of(id) => match types.get(id) {
                Type::Set(element) | Type::Queue { element, .. } | Type::Bag { element, .. } => {
                    types.get(*element)
                }
                other => panic!("not a collection: {other:?}"),
            },
            Ty::Int => panic!("an integer is no collection"),
        };
        match ty {
            Stored::Type(id) if !matches!(element, Type::Option(_)) => match *types.get(id) {
                Type::Option(held) => {
                    Ok(Value::Some(Box::new(self.fit(value, Stored::Type(held), collection.span)?)))
                }
                _ => self.fit(value, ty, collection.span),
            },
            _ => self.fit(value, ty, collection.span),
        }
    }

    /// An array with the same value in all innermost elements.
    fn filled(&self, world: &mut World, expr: &Expr, ty: Stored) -> Eval<Value> {
        let Stored::Type(id) = ty else { panic!("an integer is no array") };
        match *self.model.types.get(id) {
            Type::Array { index, element } if expr.ty != Ty::Of(id) => {
                let one = self.filled(world, expr, Stored::Type(element))?;
                Ok(Value::Array(vec![one; self.values(index).len()]))
            }
            _ => self.eval_as(world, expr, ty),
        }
    }

    fn repeat(&self, mut world: World, binders: &[Binder], filter: Option<&Expr>, body: &[Stmt]) -> Vec<End> {
        let Some((first, rest)) = binders.split_first() else {
            return match filter.map_or(Ok(true), |filter| self.truth(&mut world, filter)) {
                Err(faults) => vec![End::Fault(faults)],
                Ok(true) => self.block(world, body),
                Ok(false) => vec![End::World(world)],
            };
        };
        let values = match self.domain(&mut world, first) {
            Ok(values) => values,
            Err(faults) => return vec![End::Fault(faults)],
        };
        values.into_iter().fold(vec![End::World(world)], |ends, value| {
            and_then(ends, |mut world| {
                world.locals.push((first.local, value.clone()));
                self.repeat(world, rest, filter, body)
            })
        })
    }

    /// Statements that change a collection.
    fn change(&self, mut world: World, statement: &Stmt) -> Eval<World> {
        let blame = statement.span;
        match &statement.kind {
            StmtKind::Clear(target) => {
                let (place, _, _) = self.collection_place(&mut world, target)?;
                let empty = match self.read(&world, &place) {
                    Value::Set(_) => Value::Set(Default::default()),
                    Value::Queue(_) => Value::Queue(Vec::new()),
                    _ => Value::Bag(Vec::new()),
                };
                self.write(&mut world, &place, empty);
            }
            StmtKind::Pop(target) => {
                let (place, _, _) = self.collection_place(&mut world, target)?;
                let Value::Queue(mut list) = self.read(&world, &place) else { panic!("not a queue") };
                if list.is_empty() {
                    return Err(self.fault(FaultKind::Empty, blame));
                }
                list.remove(0);
                self.write(&mut world, &place, Value::Queue(list));
            }
            StmtKind::Push(target, element) | StmtKind::Add(target, element) => {
                let place = self.collection_place(&mut world, target);
                let value = self.eval(&mut world, element);
                let ((place, ty, capacity), value) = both(place, value)?;
                let value = self.fit(value, ty, element.span)?;
                let mut collection = self.read(&world, &place);
                if !matches!(collection, Value::Set(_)) && collection.size() == capacity as usize {
                    return Err(self.fault(FaultKind::Full { capacity }, blame));
                }
                match &mut collection {
                    Value::Set(members) => drop(members.0.insert(value)),
                    Value::Queue(list) => list.push(value),
                    Value::Bag(list) => {
                        list.push(value);
                        list.sort();
                    }
                    other => panic!("not a collection: {other:?}"),
                }
                self.write(&mut world, &place, collection);
            }
            StmtKind::Remove(target, element) => {
                let place = self.collection_place(&mut world, target);
                let ((place, ty, _), value) = both(place, self.eval(&mut world, element))?;
                let mut collection = self.read(&world, &place);
                match &mut collection {
                    Value::Set(members) => drop(members.0.remove(&value)),
                    Value::Bag(list) => match list.iter().position(|other| *other == value) {
                        Some(i) => drop(list.remove(i)),
                        None => {
                            let missing = self.fault(FaultKind::NotInBag, blame);
                            let outside = self.fit(value, ty, element.span).err().unwrap_or_default();
                            return Err(&missing | &outside);
                        }
                    },
                    other => panic!("nothing is removed by value from {other:?}"),
                }
                self.write(&mut world, &place, collection);
            }
            other => panic!("does not change a collection: {other:?}"),
        }
        Ok(world)
    }
}
