//! Wide values: the statements that write the value of an expression to a place.
//!
//! The place must not be read by the expression; callers write to a temporary first where it might be.

use super::expr::load;
use super::place::{Typed, tag};
use super::{Lowering, Storage};
use crate::hir::{self, Expr, ExprKind};
use burnside_limits::poll;
use burnside_ts::{self as ts, Stmt, Target, Type, TypeId};

impl Lowering<'_> {
    /// Writes the value of an expression, scalar or wide, to a place of its type.
    pub(super) fn fill(&mut self, to: &Typed, expr: &Expr, out: &mut Vec<Stmt>) {
        poll();
        if self.types.is_scalar(to.ty) {
            let value = self.checked(expr, to.ty);
            out.push(Stmt::Store(to.place.clone(), value));
            return;
        }
        match &expr.kind {
            ExprKind::None | ExprKind::Empty => out.push(Stmt::Clear(to.place.clone())),
            ExprKind::Some(inner) => {
                let Type::Option(held) = *self.types.get(to.ty) else { unreachable!("not an optional") };
                out.push(Stmt::Store(tag(to), ts::Expr::Const(1)));
                let payload = self.part(to, 1, held);
                self.fill(&payload, inner, out);
            }
            ExprKind::Record(fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let part = self.field(to, i as u32);
                    self.fill(&part, field, out);
                }
            }
            ExprKind::Array(elements) => self.fill_array(to, elements, out),
            ExprKind::ArrayOf(index, body) => {
                let binder = self.binder(&hir::Binder { local: *index, domain: hir::Domain::Type });
                let storage = self.locals[index].storage;
                let element = self.bound_element(to, storage, binder.ty, expr);
                self.for_each(binder, out, |lowering, out| lowering.fill(&element, body, out));
            }
            ExprKind::Set(elements) => {
                out.push(Stmt::Clear(to.place.clone()));
                for element in elements {
                    self.member(to, element, out);
                }
            }
            ExprKind::SetOf(binder, filter) => self.fill_set(to, binder, filter, out),
            ExprKind::SetOp(op, left, right) => {
                let left = self.place(left, out);
                let right = self.place(right, out);
                let places = Box::new([to.place.clone(), left.place, right.place]);
                out.push(Stmt::Combine(set_op(*op), places));
            }
            ExprKind::Concat(left, right) => {
                let (left, right) = (self.place(left, out), self.place(right, out));
                out.push(Stmt::Clear(to.place.clone()));
                self.append(to, left, expr, out, |push| vec![push]);
                self.append(to, right, expr, out, |push| vec![push]);
            }
            ExprKind::Slice(queue, first, last) => self.fill_slice(to, (queue, first, last), expr, out),
            ExprKind::If(condition, then, otherwise) => {
                let [mut yes, mut no] = self.cases_of(condition, [then, otherwise], expr.span);
                let condition = self.branch_condition(condition, expr.span);
                self.fill(to, then, &mut yes);
                self.fill(to, otherwise, &mut no);
                out.push(Stmt::If(condition, yes.into(), no.into()));
            }
            ExprKind::Block(statements, value) => {
                out.extend(self.block(statements));
                self.fill(to, value, out);
            }
            ExprKind::Let(id, value, body) => {
                self.define(*id, value, out);
                self.fill(to, body, out);
            }
            ExprKind::Next(inner) => self.after_step(|lowering| lowering.fill(to, inner, out)),
            ExprKind::Call(function, args) => {
                self.arguments(*function, args, out);
                let called = self.called(*function);
                out.push(Stmt::Call(called));
                let result = self.at(ts::Root::Frame, self.results[called.index()], to.ty);
                out.push(Stmt::Copy(to.place.clone(), result.place));
            }
            _ => {
                let from = self.place(expr, out);
                out.push(Stmt::Copy(to.place.clone(), from.place));
            }
        }
    }

    fn fill_array(&mut self, to: &Typed, elements: &[Expr], out: &mut Vec<Stmt>) {
        let Type::Array { element, .. } = *self.types.get(to.ty) else { unreachable!("not an array") };
        for (i, value) in elements.iter().enumerate() {
            let part = self.part(to, i as u32 * self.types.width(element), element);
            self.fill(&part, value, out);
        }
    }

    fn fill_set(&mut self, to: &Typed, binder: &hir::Binder, filter: &Expr, out: &mut Vec<Stmt>) {
        let Type::Set(ty) = *self.types.get(to.ty) else { unreachable!("not a set") };
        out.push(Stmt::Clear(to.place.clone()));
        let bound = self.binder(binder);
        let storage = self.locals[&binder.local].storage;
        let number = match self.bound_number(storage, bound.ty) {
            value if self.types.is_scalar(ty) && self.types.bias(ty) != 0 => {
                ts::Expr::Offset(Box::new(value), -self.types.bias(ty))
            }
            value => value,
        };
        self.for_each(bound, out, |lowering, out| {
            let condition = lowering.scalar(filter);
            let add = Stmt::Member(to.place.clone(), number, true);
            out.push(Stmt::If(condition, Box::new([add]), Box::new([])));
        });
    }

    /// Puts the elements of a queue or bag behind those of another; `each` says what is done with one.
    fn append(
        &mut self,
        to: &Typed,
        from: Typed,
        blame: &Expr,
        out: &mut Vec<Stmt>,
        each: impl FnOnce(Stmt) -> Vec<Stmt>,
    ) {
        let (Type::Queue { element, .. } | Type::Bag { element, .. }) = *self.types.get(from.ty) else {
            unreachable!("not a queue or bag")
        };
        let (target, operand) = match self.types.is_scalar(element) {
            true => {
                let slot = self.frame.slot();
                let operand = ts::Operand::Scalar(ts::Expr::Local(slot), self.types.bias(element));
                (Target::Scalar(slot), operand)
            }
            false => {
                let bit = self.frame.area(self.types.width(element));
                let operand = ts::Operand::Wide(self.at(ts::Root::Frame, bit, element).place);
                (Target::Wide(bit), operand)
            }
        };
        let site = self.site(blame.span);
        let put = match self.types.get(to.ty) {
            Type::Queue { .. } => Stmt::Push(to.place.clone(), to.ty, operand, site),
            _ => Stmt::Add(to.place.clone(), to.ty, operand, site),
        };
        let collection = ts::Collection { setup: Box::new([]), place: from.place, ty: from.ty };
        let domain = ts::Domain::Collection(Box::new(collection));
        out.push(Stmt::For(Box::new(ts::Binder { target, ty: element, domain }), each(put).into()));
    }

    /// The elements of a queue from one position to another.
    fn fill_slice(
        &mut self,
        to: &Typed,
        (queue, first, last): (&Expr, &Expr, &Expr),
        blame: &Expr,
        out: &mut Vec<Stmt>,
    ) {
        let from = self.place(queue, out);
        let [low, high, checked, position] = [(); 4].map(|()| self.frame.slot());
        let local = ts::Expr::Local;
        let (first_site, last_site) = (self.site(first.span), self.site(last.span));
        let first = self.scalar(first);
        out.push(Stmt::Local(low, first));
        let last = self.scalar(last);
        out.push(Stmt::Local(high, last));
        let length = ts::Expr::Size(Box::new(from.place.clone()), from.ty);
        let inside =
            |slot, site| Stmt::Local(checked, ts::Expr::Bound(Box::new([local(slot), length.clone()]), site));
        let some = ts::Expr::compare(ts::Compare::Le, local(low), local(high));
        let both = [inside(low, first_site), inside(high, last_site)];
        out.push(Stmt::If(some, Box::new(both), Box::new([])));
        out.push(Stmt::Clear(to.place.clone()));
        out.push(Stmt::Local(position, ts::Expr::Const(0)));
        let wanted = ts::Expr::And(Box::new([
            ts::Expr::compare(ts::Compare::Le, local(low), local(position)),
            ts::Expr::compare(ts::Compare::Le, local(position), local(high)),
        ]));
        self.append(to, from, blame, out, |push| {
            let next = ts::Expr::Offset(Box::new(local(position)), 1);
            vec![Stmt::If(wanted, Box::new([push]), Box::new([])), Stmt::Local(position, next)]
        });
    }

    /// Adds an element to the set at a place.
    pub(super) fn member(&mut self, to: &Typed, element: &Expr, out: &mut Vec<Stmt>) {
        let Type::Set(ty) = *self.types.get(to.ty) else { unreachable!("not a set") };
        let number = self.element_number(element, ty, true, out);
        out.push(Stmt::Member(to.place.clone(), number, true));
    }

    /// Writes the same value to all innermost elements of an array.
    pub(super) fn fill_all(&mut self, to: &Typed, value: &Expr, out: &mut Vec<Stmt>) {
        if !matches!(self.types.get(to.ty), Type::Array { .. }) || self.has_type(value, to.ty) {
            return self.fill(to, value, out);
        }
        self.every_element(to, value, out, |lowering, element, out| lowering.fill_all(element, value, out));
    }

    /// A loop over the elements of an array.
    fn every_element(
        &mut self,
        to: &Typed,
        blame: &Expr,
        out: &mut Vec<Stmt>,
        body: impl FnOnce(&mut Self, &Typed, &mut Vec<Stmt>),
    ) {
        let Type::Array { index, .. } = *self.types.get(to.ty) else { unreachable!("not an array") };
        let storage = match self.types.is_scalar(index) {
            true => Storage::Slot(self.frame.slot()),
            false => Storage::Wide(self.frame.area(self.types.width(index))),
        };
        let target = super::place::target(storage);
        let binder = ts::Binder { target, ty: index, domain: ts::Domain::Type };
        let element = self.bound_element(to, storage, index, blame);
        self.for_each(binder, out, |lowering, out| body(lowering, &element, out));
    }

    fn bound_element(&mut self, to: &Typed, storage: Storage, index: TypeId, blame: &Expr) -> Typed {
        let number = self.bound_number(storage, index);
        self.element(to.clone(), number, blame)
    }

    fn for_each(
        &mut self,
        binder: ts::Binder,
        out: &mut Vec<Stmt>,
        body: impl FnOnce(&mut Self, &mut Vec<Stmt>),
    ) {
        let mut inside = Vec::new();
        body(self, &mut inside);
        out.push(Stmt::For(Box::new(binder), inside.into()));
    }

    fn has_type(&self, value: &Expr, ty: TypeId) -> bool {
        value.ty == hir::Ty::Of(ty)
    }

    /// Any element of a collection, in the frame.
    pub(super) fn choose_from(&mut self, collection: &Expr, out: &mut Vec<Stmt>) -> (Target, TypeId) {
        let it = self.place(collection, out);
        let (Type::Set(ty) | Type::Queue { element: ty, .. } | Type::Bag { element: ty, .. }) =
            *self.types.get(it.ty)
        else {
            unreachable!("not a collection")
        };
        let target = match self.types.is_scalar(ty) {
            true => Target::Scalar(self.frame.slot()),
            false => Target::Wide(self.frame.area(self.types.width(ty))),
        };
        let from = ts::Collection { setup: Box::new([]), place: it.place, ty: it.ty };
        let domain = ts::Domain::Collection(Box::new(from));
        let site = self.site(collection.span);
        out.push(Stmt::ChooseFrom(Box::new(ts::Binder { target, ty, domain }), site));
        (target, ty)
    }

    /// Any value of a type, in the frame.
    pub(super) fn choose(&mut self, ty: TypeId, out: &mut Vec<Stmt>) -> ts::Expr {
        let temporary = self.temporary(ty);
        out.push(Stmt::Choose(temporary.place.clone(), ty));
        load(temporary)
    }
}

fn set_op(op: hir::SetOp) -> ts::SetOp {
    match op {
        hir::SetOp::Union => ts::SetOp::Union,
        hir::SetOp::Intersection => ts::SetOp::Intersection,
        hir::SetOp::Difference => ts::SetOp::Difference,
    }
}
