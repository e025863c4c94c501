//! Statements.

use super::expr::{load, shifted};
use super::place::{Typed, local, tag};
use super::{Lowering, Storage};
use crate::hir::{self, Expr, ExprKind, Initial, LocalId, StmtKind, Stored, Ty};
use burnside_limits::poll;
use burnside_ts::{self as ts, Root, Stmt, Target, Type, TypeId};

impl Lowering<'_> {
    pub(super) fn block(&mut self, statements: &[hir::Stmt]) -> Box<[Stmt]> {
        let mut out = Vec::new();
        for statement in statements {
            self.statement(statement, &mut out);
        }
        out.into()
    }

    fn statement(&mut self, statement: &hir::Stmt, out: &mut Vec<Stmt>) {
        poll();
        match &statement.kind {
            StmtKind::Assign(target, value) => self.assign(target, value, out),
            StmtKind::Let(id, value) => self.declare(*id, value, out),
            StmtKind::If(condition, then, otherwise) => {
                let (made, span) = (Self::is_made(condition, statement.span), statement.span);
                let condition = self.branch_condition(condition, span);
                let then = self.branch(made, then, span);
                out.push(Stmt::If(condition, then, self.branch(made, otherwise, span)));
            }
            StmtKind::For(binders, filter, body) => self.repeat(binders, filter.as_ref(), body, out),
            StmtKind::Assert(condition, message) => {
                let site = self.site_with(condition.span, message.clone());
                let condition = self.scalar(condition);
                out.push(Stmt::Assert(condition, site));
            }
            StmtKind::Assume(condition) => {
                let site = self.site(condition.span);
                let condition = self.scalar(condition);
                out.push(Stmt::Assume(condition, site));
            }
            StmtKind::Push(queue, element) => {
                let (it, operand, site) = self.element_of(queue, element, statement, out);
                out.push(Stmt::Push(it.place, it.ty, operand, site));
            }
            StmtKind::Pop(queue) => {
                let it = self.place(queue, out);
                let site = self.site(statement.span);
                out.push(Stmt::Pop(it.place, it.ty, site));
            }
            StmtKind::Add(collection, element) => {
                if let Some(set) = self.as_set(collection, out) {
                    return self.member(&set, element, out);
                }
                let (it, operand, site) = self.element_of(collection, element, statement, out);
                out.push(Stmt::Add(it.place, it.ty, operand, site));
            }
            StmtKind::Remove(collection, element) => {
                if let Some(set) = self.as_set(collection, out) {
                    let Type::Set(ty) = *self.types.get(set.ty) else { unreachable!("not a set") };
                    let number = self.element_number(element, ty, false, out);
                    return out.push(Stmt::Member(set.place, number, false));
                }
                let (it, operand, site) = self.element_of(collection, element, statement, out);
                out.push(Stmt::Remove(it.place, it.ty, operand, site));
            }
            StmtKind::Clear(collection) => {
                let it = self.place(collection, out);
                out.push(Stmt::Clear(it.place));
            }
        }
    }

    fn as_set(&mut self, collection: &Expr, out: &mut Vec<Stmt>) -> Option<Typed> {
        let Ty::Of(ty) = collection.ty else { return None };
        matches!(self.types.get(ty), Type::Set(_)).then(|| self.place(collection, out))
    }

    fn element_of(
        &mut self,
        collection: &Expr,
        element: &Expr,
        blame: &hir::Stmt,
        out: &mut Vec<Stmt>,
    ) -> (Typed, ts::Operand, ts::SiteId) {
        let it = self.place(collection, out);
        let (Type::Queue { element: ty, .. } | Type::Bag { element: ty, .. }) = *self.types.get(it.ty) else {
            unreachable!("not a queue or bag")
        };
        let operand = self.operand(element, ty, true, out);
        (it, operand, self.site(blame.span))
    }

    /// A loop. Collections are copied first: the body may change them.
    fn repeat(
        &mut self,
        binders: &[hir::Binder],
        filter: Option<&Expr>,
        body: &[hir::Stmt],
        out: &mut Vec<Stmt>,
    ) {
        let Some((first, rest)) = binders.split_first() else {
            match filter {
                Some(filter) => {
                    let condition = self.scalar(filter);
                    let body = self.block(body);
                    out.push(Stmt::If(condition, body, Box::new([])));
                }
                None => out.extend(self.block(body)),
            }
            return;
        };
        let mut binder = self.binder(first);
        if let ts::Domain::Collection(collection) = &mut binder.domain {
            out.extend(std::mem::take(&mut collection.setup));
            let copy = self.temporary(collection.ty);
            let original = std::mem::replace(&mut collection.place, copy.place.clone());
            out.push(Stmt::Copy(copy.place, original));
        }
        let (mut inside, start) = (Vec::new(), self.frame.position());
        self.repeat(rest, filter, body, &mut inside);
        // Names and temporaries of the body are its own, and no function is running.
        let scratch = [self.frame.functions(), start..self.frame.position()];
        if scratch.iter().any(|words| !words.is_empty()) {
            inside.insert(0, Stmt::Forget(Box::new(scratch)));
        }
        out.push(Stmt::For(Box::new(binder), inside.into()));
    }

    fn assign(&mut self, target: &Expr, value: &Initial, out: &mut Vec<Stmt>) {
        if let ExprKind::Local(id) = &target.kind {
            return self.give(*id, value, out);
        }
        if let ExprKind::Unwrap(optional) = &target.kind
            && self.is_scalar(optional.ty)
        {
            return self.assign_inside(target, optional, value, out);
        }
        let to = self.place(target, out);
        self.store(&to, value, out);
    }

    /// `x! = e` on an optional scalar: there must be a value already.
    fn assign_inside(&mut self, target: &Expr, optional: &Expr, value: &Initial, out: &mut Vec<Stmt>) {
        let Ty::Of(ty) = optional.ty else { unreachable!("not an optional") };
        let Type::Option(held) = *self.types.get(ty) else { unreachable!("not an optional") };
        let present = self.scalar(target);
        out.push(Stmt::Local(self.frame.slot(), present));
        let new = self.temporary(held);
        self.store(&new, value, out);
        let code = ts::Expr::Offset(Box::new(load(new)), 1 - self.types.bias(held));
        match &optional.kind {
            ExprKind::Local(id) => {
                let Storage::Slot(slot) = self.storage(*id) else { unreachable!("a scalar local") };
                out.push(Stmt::Local(slot, code));
            }
            _ => {
                let to = self.place(optional, out);
                out.push(Stmt::Store(to.place, code));
            }
        }
    }

    /// Puts an initial or assigned value to a place.
    pub(super) fn store(&mut self, to: &Typed, value: &Initial, out: &mut Vec<Stmt>) {
        match value {
            Initial::Zero => out.push(Stmt::Clear(to.place.clone())),
            Initial::Any => out.push(Stmt::Choose(to.place.clone(), to.ty)),
            Initial::Fill(value) => self.fill_all(to, value, out),
            Initial::AnyIn(collection) => {
                let (from, ty) = self.choose_from(collection, out);
                match from {
                    Target::Scalar(slot) => {
                        let value = self.fitted(local(slot), ty, to.ty, collection);
                        out.push(Stmt::Store(to.place.clone(), value));
                    }
                    Target::Wide(bit) => {
                        let mut to = to.clone();
                        if to.ty != ty {
                            out.push(Stmt::Store(tag(&to), ts::Expr::Const(1)));
                            to = self.part(&to, 1, ty);
                        }
                        out.push(Stmt::Copy(to.place, self.at(Root::Frame, bit, ty).place));
                    }
                }
            }
            Initial::Value(value) if self.types.is_scalar(to.ty) || value.is_place() => {
                self.fill(to, value, out)
            }
            Initial::Value(value) => {
                let temporary = self.temporary(to.ty);
                self.fill(&temporary, value, out);
                out.push(Stmt::Copy(to.place.clone(), temporary.place));
            }
        }
    }

    /// A value of one type where another is stored: a check if both are ranges and they differ; into an
    /// optional.
    fn fitted(&mut self, value: ts::Expr, from: TypeId, to: TypeId, blame: &Expr) -> ts::Expr {
        if from == to {
            return value;
        }
        if let Some((lo, hi)) = self.types.bounds(to) {
            let site = self.site(blame.span);
            return ts::Expr::Check(Box::new(ts::Check { value, lo, hi, site }));
        }
        match *self.types.get(to) {
            Type::Option(held) => {
                let value = self.fitted(value, from, held, blame);
                shifted(value, 1 - self.types.bias(held))
            }
            _ => value,
        }
    }

    /// Declares a local name with its first value.
    fn declare(&mut self, id: LocalId, value: &Initial, out: &mut Vec<Stmt>) {
        match value {
            Initial::Value(value) => self.define(id, value, out),
            _ => {
                // The collection of `any in` may use an outer name that this one hides; names are ids, so
                // order is free.
                self.bind(id);
                self.give(id, value, out);
            }
        }
    }

    /// Gives a local name that has room a value.
    fn give(&mut self, id: LocalId, value: &Initial, out: &mut Vec<Stmt>) {
        let declared = self.model.locals[id.index()].ty;
        match (self.storage(id), declared) {
            (Storage::Wide(bit), Stored::Type(ty)) => {
                let to = self.at(Root::Frame, bit, ty);
                self.store(&to, value, out);
            }
            (Storage::Slot(slot), declared) => {
                let value = self.scalar_initial(declared, value, out);
                out.push(Stmt::Local(slot, value));
            }
            (Storage::Wide(_), Stored::Int) => unreachable!("an integer is a scalar"),
        }
    }

    fn scalar_initial(&mut self, declared: Stored, value: &Initial, out: &mut Vec<Stmt>) -> ts::Expr {
        match (value, declared) {
            (Initial::Value(value) | Initial::Fill(value), Stored::Type(ty)) => self.checked(value, ty),
            (Initial::Value(value) | Initial::Fill(value), Stored::Int) => self.scalar(value),
            (Initial::Zero, Stored::Type(ty)) => ts::Expr::Const(self.types.bias(ty)),
            (Initial::Zero, Stored::Int) => ts::Expr::Const(0),
            (Initial::Any, Stored::Type(ty)) => self.choose(ty, out),
            (Initial::Any, Stored::Int) => unreachable!("any needs a finite type"),
            (Initial::AnyIn(collection), declared) => {
                let (from, ty) = self.choose_from(collection, out);
                let Target::Scalar(slot) = from else { unreachable!("a scalar element") };
                match declared {
                    Stored::Type(to) => self.fitted(local(slot), ty, to, collection),
                    Stored::Int => local(slot),
                }
            }
        }
    }
}
