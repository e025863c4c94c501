//! Things to do, as statements, and which loops keep the symmetry of what they range over.

use super::lower::{Code, Lowering, Result, error};
use super::term::{Act, Change, Deed, Node, Term};
use super::{Name, Variable};
use crate::code::{Binder, Domain, Expr, Index, Place, Root, SiteId, Stmt, Target};
use crate::types::{Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

impl Lowering<'_> {
    /// The statements of some acts.
    pub(super) fn acts(&mut self, acts: &[Act]) -> Result<Box<[Stmt]>> {
        let mut out = Vec::new();
        acts.iter().try_for_each(|act| self.act(act, &mut out))?;
        Ok(out.into())
    }

    fn act(&mut self, act: &Act, out: &mut Vec<Stmt>) -> Result<()> {
        match &act.0 {
            Deed::Set(place, value) => {
                let (to, ty) = self.place(place)?;
                return self.set(to, ty, value, out);
            }
            Deed::Change(change, collection, element) => {
                out.push(self.change(*change, collection, element)?);
            }
            Deed::Pop(queue) => {
                let (place, ty) = self.place(queue)?;
                if !matches!(self.builder.types.get(ty), Type::Queue { .. }) {
                    return self.no(queue, "a queue");
                }
                out.push(Stmt::Pop(place, ty, self.site(queue)));
            }
            Deed::Assert(condition) => {
                out.push(Stmt::Assert(self.condition(condition)?, self.site(condition)))
            }
            Deed::Assume(condition) if self.initial => {
                out.push(Stmt::Assume(self.condition(condition)?, self.site(condition)));
            }
            Deed::Assume(_) => return error("only the initialisation can assume something"),
            Deed::Branch(condition, then, otherwise) => {
                let condition = self.condition(condition)?;
                out.push(Stmt::If(condition, self.acts(then)?, self.acts(otherwise)?));
            }
            Deed::Each(name, acts) => {
                let binder = self.bind(*name)?;
                if !is_independent(*name, acts) {
                    let sorts = self.builder.types.sorts_in(binder.ty);
                    sorts.into_iter().for_each(|sort| self.uses.order(sort));
                }
                out.push(Stmt::For(Box::new(binder), self.acts(acts)?));
                self.free(1);
            }
        }
        Ok(())
    }

    /// Gives a place a value, or all cells of an array the same.
    pub(super) fn set(&mut self, to: Place, ty: TypeId, value: &Term, out: &mut Vec<Stmt>) -> Result<()> {
        let types = &self.builder.types;
        match (&*value.0, types.get(ty).clone()) {
            (Node::Any, _) => out.push(Stmt::Choose(to, ty)),
            (Node::First, _) => {
                self.note_first(ty);
                out.push(Stmt::Clear(to));
            }
            (Node::Nothing, Type::Option(_)) => out.push(Stmt::Clear(to)),
            (
                Node::Number(_) | Node::Truth(_) | Node::Word(_) | Node::Nothing,
                Type::Array { index, element },
            ) => {
                out.push(self.filled(to, index, element, value)?);
            }
            (_, Type::Option(held)) if !types.is_scalar(ty) => {
                let Ok((from, given)) = self.place(value) else { return self.no(value, "a wide value") };
                if given == held {
                    let tag = self.part(to.clone(), 0, self.builder.truth);
                    out.push(Stmt::Store(tag, Expr::Const(1)));
                    out.push(Stmt::Copy(self.part(to, 1, held), from));
                } else {
                    let Code::Wide(from) = self.assigned(value, ty)? else { unreachable!("it is wide") };
                    out.push(Stmt::Copy(to, from));
                }
            }
            _ => out.push(match self.assigned(value, ty)? {
                Code::Scalar(expr) => Stmt::Store(to, expr),
                Code::Wide(from) => Stmt::Copy(to, from),
            }),
        }
        Ok(())
    }

    /// Sets all cells of an array to a constant.
    fn filled(&mut self, array: Place, index: TypeId, element: TypeId, value: &Term) -> Result<Stmt> {
        let types = &self.builder.types;
        let binder = Binder { target: self.room(index), ty: index, domain: Domain::Type };
        let number = match binder.target {
            Target::Scalar(slot) => Expr::Local(slot),
            Target::Wide(bit) => Expr::Rank(Box::new(self.whole(Root::Frame, bit, index)), index),
        };
        let size = types.size(index).expect("an index type is numbered");
        let low = types.bias(index);
        // It cannot fault, so there is nothing to blame.
        let by = Index { value: number, low, size, stride: types.width(element), site: SiteId(0) };
        let cell = self.part(array, 0, element);
        let indices = cell.indices.into_iter().chain([by]).collect();
        let mut body = Vec::new();
        self.set(Place { indices, ..cell }, element, value, &mut body)?;
        Ok(Stmt::For(Box::new(binder), body.into()))
    }

    /// The first value of a type has the first elements of the sorts in it.
    fn note_first(&mut self, ty: TypeId) {
        let types = &self.builder.types;
        match *types.get(ty) {
            Type::Sort(sort) => self.uses.name(sort, 0),
            Type::Record(id) => types.record(id).fields.iter().for_each(|field| self.note_first(field.ty)),
            Type::Array { element, .. } => self.note_first(element),
            // Nothing, or empty.
            Type::Option(_) | Type::Set(_) | Type::Queue { .. } | Type::Bag { .. } => {}
            Type::Bool | Type::Range { .. } | Type::Enum(_) => {}
        }
    }

    fn change(&mut self, change: Change, collection: &Term, element: &Term) -> Result<Stmt> {
        let (place, ty, inside) = self.collection(collection)?;
        let site = self.site(collection);
        match (change, self.builder.types.get(ty)) {
            (Change::Insert | Change::Delete, Type::Set(_)) => {
                Ok(Stmt::Member(place, self.number(element, inside)?, change == Change::Insert))
            }
            (Change::Push, Type::Queue { .. }) => {
                Ok(Stmt::Push(place, ty, self.operand(element, inside)?, site))
            }
            (Change::Add, Type::Bag { .. }) => Ok(Stmt::Add(place, ty, self.operand(element, inside)?, site)),
            (Change::Take, Type::Bag { .. }) => {
                Ok(Stmt::Remove(place, ty, self.operand(element, inside)?, site))
            }
            _ => self.no(collection, "a collection that can be changed so"),
        }
    }
}

/// Whether the acts for different values of a name never touch the same cell of a variable that some of them
/// write. Then the order of the values does not matter.
fn is_independent(name: Name, acts: &[Act]) -> bool {
    let mut accesses = Accesses { name, of: BTreeMap::new() };
    acts.iter().for_each(|act| accesses.act(act));
    accesses.of.values().all(|(written, depths)| !written || !depths.as_ref().is_none_or(BTreeSet::is_empty))
}

/// By variable: whether it is written, and at which of its indices the name stands wherever it is used.
struct Accesses {
    name: Name,
    of: BTreeMap<usize, (bool, Option<BTreeSet<usize>>)>,
}

impl Accesses {
    fn act(&mut self, act: &Act) {
        match &act.0 {
            Deed::Set(place, value) | Deed::Change(_, place, value) => {
                self.term(place, true);
                self.term(value, false);
            }
            Deed::Pop(place) => self.term(place, true),
            Deed::Assert(condition) | Deed::Assume(condition) => self.term(condition, false),
            Deed::Branch(condition, then, otherwise) => {
                self.term(condition, false);
                then.iter().chain(otherwise).for_each(|act| self.act(act));
            }
            Deed::Each(_, acts) => acts.iter().for_each(|act| self.act(act)),
        }
    }

    fn term(&mut self, term: &Term, written: bool) {
        match variable(term, self.name) {
            Some((variable, depths)) => {
                let known = self.of.entry(variable.0).or_default();
                known.0 |= written;
                known.1 = Some(match known.1.take() {
                    Some(before) => &before & &depths,
                    None => depths,
                });
                self.indices(term);
            }
            None => term.children().iter().for_each(|inner| self.term(inner, written)),
        }
    }

    /// What is read to find a cell.
    fn indices(&mut self, term: &Term) {
        match &*term.0 {
            Node::Cell([base, index]) => {
                self.term(index, false);
                self.indices(base);
            }
            Node::Field(base, _) => self.indices(base),
            _ => {}
        }
    }
}

/// The variable that a term is a part of, and at which indices the name itself stands.
fn variable(term: &Term, name: Name) -> Option<(Variable, BTreeSet<usize>)> {
    let (mut depths, mut from_inside, mut at) = (BTreeSet::new(), 0, term);
    loop {
        match &*at.0 {
            Node::Variable(variable) => {
                // Counted from the variable on.
                return Some((
                    *variable,
                    depths.into_iter().map(|depth: usize| from_inside - depth).collect(),
                ));
            }
            Node::Cell([base, index]) => {
                if matches!(*index.0, Node::Name(it) if it.0 == name.0) {
                    depths.insert(from_inside);
                }
                from_inside += 1;
                at = base;
            }
            Node::Field(base, _) => at = base,
            _ => return None,
        }
    }
}
