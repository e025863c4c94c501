//! Queues: taking out the front while giving it a name, taking out and putting in at a position.
//!
//! Entry points: [`Checker::let_popped`], [`Checker::assign_popped`] and [`Checker::shift`]. They stand for
//! several statements each, which use slices of the queue, so nothing after the checker knows of them.

use super::Checker;
use super::expr::{TypeHint, expr, int, strip};
use super::scope::Bound;
use crate::diagnostic::Span;
use crate::hir::{ArithOp, Expr, ExprKind, Initial, LocalId, Stmt, StmtKind, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId};

/// The queue in `q.pop()`.
pub(super) fn popped(value: &ast::Expr) -> Option<&ast::Expr> {
    match &strip(value).kind {
        ast::ExprKind::Method(queue, method, args) if method.text == "pop" && args.is_empty() => Some(queue),
        _ => None,
    }
}

/// Whether a method moves the elements of a queue: `insert`, and `remove`, which sets and bags have too.
pub(super) fn is_shift(method: &ast::Name) -> bool {
    matches!(method.text.as_str(), "insert" | "remove")
}

fn stmt(span: Span, kind: StmtKind) -> Stmt {
    Stmt { span, kind }
}

impl Checker<'_> {
    /// `let x = q.pop();`
    pub(super) fn let_popped(
        &mut self,
        span: Span,
        name: &ast::Name,
        ty: Option<&ast::Type>,
        value: &ast::Expr,
    ) -> Option<Vec<Stmt>> {
        let taken = self.take_front(span, value);
        let ty = match ty {
            Some(ty) => self.stored(ty),
            None => taken.as_ref().map(|(_, _, element)| *element),
        };
        let value = taken.and_then(|(statements, front, _)| {
            let front = self.coerce(front, ty?)?;
            Some((statements, front))
        });
        let local = self.bind(name, ty, Bound::Let);
        let (mut statements, front) = value?;
        statements.push(stmt(span, StmtKind::Let(local, Initial::Value(front))));
        Some(statements)
    }

    /// `x = q.pop();`
    pub(super) fn assign_popped(
        &mut self,
        span: Span,
        target: &ast::Expr,
        value: &ast::Expr,
    ) -> Option<Vec<Stmt>> {
        let target = self.target(target);
        let taken = self.take_front(span, value);
        let ((place, stored), (mut statements, front, _)) = (target?, taken?);
        let front = self.coerce(front, stored)?;
        statements.push(stmt(span, StmtKind::Assign(place, Initial::Value(front))));
        Some(statements)
    }

    /// Statements that take out the front of a queue, a name for it, and its type.
    fn take_front(&mut self, span: Span, value: &ast::Expr) -> Option<(Vec<Stmt>, Expr, Stored)> {
        let queue = popped(value)?;
        let (place, stored) = self.target(queue)?;
        let Some((_, element)) = self.queue_of(stored) else {
            let ast::ExprKind::Method(_, method, _) = &strip(value).kind else { return None };
            self.unknown_method(&place, method, &[]);
            return None;
        };
        if let ExprKind::Var(var, _) = root(&place).kind {
            // Its front is read.
            self.vars[var.index()].reads += 1;
        }
        let mut statements = Vec::new();
        let place = self.settled(place, &mut statements);
        let front = expr(value.span, self.ty_of(element), ExprKind::End(false, Box::new(place.clone())));
        let name = self.name_for(&mut statements, front, Stored::Type(element));
        statements.push(stmt(span, StmtKind::Pop(place)));
        Some((statements, name, Stored::Type(element)))
    }

    /// The type of a queue and of its elements.
    fn queue_of(&self, stored: Stored) -> Option<(TypeId, TypeId)> {
        let Stored::Type(ty) = stored else { return None };
        match *self.types.get(ty) {
            Type::Queue { element, .. } => Some((ty, element)),
            _ => None,
        }
    }

    /// A new name for a value.
    fn name_for(&mut self, before: &mut Vec<Stmt>, value: Expr, stored: Stored) -> Expr {
        let (span, ty) = (value.span, value.ty);
        let local: LocalId = self.fresh("_", span, stored, Bound::Let);
        before.push(stmt(span, StmtKind::Let(local, Initial::Value(value))));
        expr(span, ty, ExprKind::Local(local))
    }

    /// `q.remove(i);` and `q.insert(i, e);` of queues; other collections have the first too.
    pub(super) fn shift(
        &mut self,
        span: Span,
        target: &ast::Expr,
        method: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<Vec<Stmt>> {
        // Looked at twice, but noted and reported once.
        let quiet = (self.diagnostics.len(), self.incomplete, self.copying, self.recorder.take());
        let vars: Vec<(u32, u32)> = self.vars.iter().map(|var| (var.reads, var.writes)).collect();
        let locals = self.locals.len();
        self.copying = true;
        let stored = self.target(target).map(|(_, stored)| stored);
        self.diagnostics.truncate(quiet.0);
        (self.incomplete, self.copying, self.recorder) = (quiet.1, quiet.2, quiet.3);
        self.locals.truncate(locals);
        self.local_info.truncate(locals);
        self.vars.iter_mut().zip(vars).for_each(|(var, (reads, writes))| {
            (var.reads, var.writes) = (reads, writes);
        });
        let Some((ty, element)) = stored.and_then(|stored| self.queue_of(stored)) else {
            let kind = self.method_stmt(target, method, args)?;
            return Some(vec![stmt(span, kind)]);
        };
        let (place, _) = self.target(target)?;
        let expected = if method.text == "insert" { 2 } else { 1 };
        if args.len() != expected {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(method, expected, args.len());
            return None;
        }
        let position = self.integer(&args[0]);
        let value = args.get(1).map(|arg| self.check(arg, Stored::Type(element)));
        let mut statements = Vec::new();
        let place = self.settled(place, &mut statements);
        let position = position?;
        let position = self.name_for(&mut statements, position, Stored::Int);
        match value {
            None => self.take_out(span, ty, place, position, &mut statements),
            Some(value) => {
                let value = self.name_for(&mut statements, value?, Stored::Type(element));
                self.put_in_at(span, ty, (place, position, value), &mut statements);
            }
        }
        Some(statements)
    }

    /// `q = q[0..i - 1] + q[i + 1..q.size() - 1];`, with a fault if there is no element `i`.
    fn take_out(&mut self, span: Span, ty: TypeId, queue: Expr, position: Expr, out: &mut Vec<Stmt>) {
        out.push(self.is_inside(ty, &queue, &position));
        let end = minus_one(size(&queue));
        let before = self.slice_of(ty, &queue, int(span, 0), minus_one(position.clone()));
        let behind = self.slice_of(ty, &queue, plus_one(position), end);
        let joined = expr(span, Ty::Of(ty), ExprKind::Concat(Box::new(before), Box::new(behind)));
        out.push(stmt(span, StmtKind::Assign(queue, Initial::Value(joined))));
    }

    /// The end is put aside, the element pushed, and the end put back.
    fn put_in_at(
        &mut self,
        span: Span,
        ty: TypeId,
        (queue, position, value): (Expr, Expr, Expr),
        out: &mut Vec<Stmt>,
    ) {
        let at_end = self.equal(span, true, position.clone(), size(&queue));
        let inside = self.is_inside(ty, &queue, &position);
        out.push(stmt(span, StmtKind::If(at_end, vec![inside], Vec::new())));
        let behind = self.slice_of(ty, &queue, position.clone(), minus_one(size(&queue)));
        let behind = self.name_for(out, behind, Stored::Type(ty));
        let before = self.slice_of(ty, &queue, int(span, 0), minus_one(position));
        out.push(stmt(span, StmtKind::Assign(queue.clone(), Initial::Value(before))));
        out.push(stmt(span, StmtKind::Push(queue.clone(), value)));
        let joined = ExprKind::Concat(Box::new(queue.clone()), Box::new(behind));
        out.push(stmt(span, StmtKind::Assign(queue, Initial::Value(expr(span, Ty::Of(ty), joined)))));
    }

    /// A fault unless there is an element at a position.
    fn is_inside(&mut self, ty: TypeId, queue: &Expr, position: &Expr) -> Stmt {
        let Some((_, element)) = self.queue_of(Stored::Type(ty)) else { unreachable!("a queue") };
        let kind = ExprKind::Index(Box::new(queue.clone()), Box::new(position.clone()));
        let read = expr(position.span, self.ty_of(element), kind);
        let local = self.fresh("_", position.span, Stored::Type(element), Bound::Let);
        stmt(position.span, StmtKind::Let(local, Initial::Value(read)))
    }

    fn slice_of(&self, ty: TypeId, queue: &Expr, from: Expr, to: Expr) -> Expr {
        let kind = ExprKind::Slice(Box::new(queue.clone()), Box::new(from), Box::new(to));
        expr(queue.span, Ty::Of(ty), kind)
    }
}

fn root(place: &Expr) -> &Expr {
    let mut root = place;
    while let ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) = &root.kind {
        root = base;
    }
    root
}

fn size(queue: &Expr) -> Expr {
    expr(queue.span, Ty::Int, ExprKind::Size(Box::new(queue.clone())))
}

fn step(e: Expr, op: ArithOp) -> Expr {
    let span = e.span;
    expr(span, Ty::Int, ExprKind::Arith(op, Box::new(e), Box::new(int(span, 1))))
}

fn minus_one(e: Expr) -> Expr {
    step(e, ArithOp::Sub)
}

fn plus_one(e: Expr) -> Expr {
    step(e, ArithOp::Add)
}
