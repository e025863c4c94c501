//! Walking the checked model: the direct parts of an expression, and everything inside a statement.

use crate::hir::{Binder, Domain, Expr, ExprKind, Initial, Model, PropertyKind, Sequence, Stmt, StmtKind};
use burnside_limits::poll;

impl Expr {
    /// Calls `visit` with each direct part.
    pub fn each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        poll();
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::None | ExprKind::Empty => {}
            ExprKind::Var(_, parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Record(parts)
            | ExprKind::Array(parts)
            | ExprKind::Set(parts) => parts.iter().for_each(visit),
            ExprKind::Field(a, _)
            | ExprKind::Unwrap(a)
            | ExprKind::Next(a)
            | ExprKind::Some(a)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Ord(a)
            | ExprKind::Element(a)
            | ExprKind::Abs(a)
            | ExprKind::ArrayOf(_, a)
            | ExprKind::Size(a)
            | ExprKind::Full(a)
            | ExprKind::Majority(a)
            | ExprKind::End(_, a)
            | ExprKind::Temporal(_, a)
            | ExprKind::Path { body: a, .. } => visit(a),
            ExprKind::Index(a, b)
            | ExprKind::Arith(_, a, b)
            | ExprKind::Equal(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Iff(a, b)
            | ExprKind::Let(_, a, b)
            | ExprKind::Extremum(_, a, b)
            | ExprKind::SetOp(_, a, b)
            | ExprKind::Subset(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Count(a, b)
            | ExprKind::Concat(a, b)
            | ExprKind::Until(_, a, b)
            | ExprKind::Rotate { element: a, steps: b, .. }
            | ExprKind::Less { left: a, right: b, .. } => {
                visit(a);
                visit(b);
            }
            ExprKind::If(a, b, c) | ExprKind::Slice(a, b, c) => {
                visit(a);
                visit(b);
                visit(c);
            }
            ExprKind::Block(statements, value) => {
                statements.iter().for_each(|it| it.each(&mut |statement| statement.each_expr(visit)));
                visit(value);
            }
            ExprKind::Quantify { binders, filter, body, .. } => {
                binders.iter().filter_map(collection).for_each(&mut *visit);
                filter.iter().for_each(|filter| visit(filter));
                visit(body);
            }
            ExprKind::SetOf(binder, filter) => {
                collection(binder).into_iter().for_each(&mut *visit);
                visit(filter);
            }
            ExprKind::Enabled { member, args, .. } => {
                member.iter().flatten().for_each(&mut *visit);
                args.iter().flatten().for_each(visit);
            }
        }
    }

    /// Calls `visit` with the expression and everything inside it.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        self.each_part(&mut |part| part.each(visit));
    }
}

/// The collection that a binder ranges over, if it does.
pub fn collection(binder: &Binder) -> Option<&Expr> {
    match &binder.domain {
        Domain::Type => None,
        Domain::Collection(collection) => Some(collection),
    }
}

impl Initial {
    /// The expression inside, if any.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Initial::Value(expr) | Initial::Fill(expr) | Initial::AnyIn(expr) => Some(expr),
            Initial::Zero | Initial::Any => None,
        }
    }
}

impl Stmt {
    /// The place that is written.
    pub fn target(&self) -> Option<&Expr> {
        match &self.kind {
            StmtKind::Assign(target, _)
            | StmtKind::Push(target, _)
            | StmtKind::Add(target, _)
            | StmtKind::Remove(target, _)
            | StmtKind::Pop(target)
            | StmtKind::Clear(target) => Some(target),
            StmtKind::Let(..)
            | StmtKind::For(..)
            | StmtKind::If(..)
            | StmtKind::Assert(..)
            | StmtKind::Assume(_) => None,
        }
    }

    /// Calls `visit` with each expression that stands directly in this statement (not in nested ones).
    pub fn each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match &self.kind {
            StmtKind::Assign(target, value) => {
                visit(target);
                value.expr().into_iter().for_each(visit);
            }
            StmtKind::Let(_, value) => value.expr().into_iter().for_each(visit),
            StmtKind::If(condition, ..) | StmtKind::Assert(condition, _) | StmtKind::Assume(condition) => {
                visit(condition);
            }
            StmtKind::For(binders, filter, _) => {
                binders.iter().filter_map(collection).for_each(&mut *visit);
                filter.iter().for_each(visit);
            }
            StmtKind::Push(a, b) | StmtKind::Add(a, b) | StmtKind::Remove(a, b) => {
                visit(a);
                visit(b);
            }
            StmtKind::Pop(a) | StmtKind::Clear(a) => visit(a),
        }
    }

    /// The statements nested in this one.
    pub fn nested(&self) -> impl Iterator<Item = &Stmt> {
        let (first, second): (&[Stmt], &[Stmt]) = match &self.kind {
            StmtKind::If(_, then, otherwise) => (then, otherwise),
            StmtKind::For(_, _, body) => (body, &[]),
            _ => (&[], &[]),
        };
        first.iter().chain(second)
    }

    /// Calls `visit` with this statement and all nested ones.
    pub fn each<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        visit(self);
        self.nested().for_each(|statement| statement.each(visit));
    }
}

impl Sequence {
    /// Calls `visit` with each condition.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            Sequence::State(condition) => visit(condition),
            Sequence::Then(parts) | Sequence::Or(parts) => parts.iter().for_each(|part| part.each(visit)),
            Sequence::Repeat { body, .. } => body.each(visit),
        }
    }
}

impl PropertyKind {
    /// Calls `visit` with each expression at the top of the claim.
    pub fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        match self {
            PropertyKind::Invariant(expr)
            | PropertyKind::Reachable(expr)
            | PropertyKind::Ltl(expr)
            | PropertyKind::Ctl(expr) => visit(expr),
            PropertyKind::Never(sequence) => sequence.each(visit),
        }
    }
}

impl Model {
    /// Calls `visit` with each expression at the top of variables, functions, guards and bodies (not of
    /// properties).
    pub fn each_expr<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        self.vars.iter().filter_map(|var| var.initial.expr()).for_each(&mut *visit);
        self.functions.iter().for_each(|function| visit(&function.body));
        for rule in &self.rules {
            rule.params.iter().filter_map(collection).for_each(&mut *visit);
            rule.guard.iter().for_each(&mut *visit);
        }
        self.constraints.iter().for_each(&mut *visit);
        self.each_stmt(&mut |statement| statement.each_expr(visit));
    }

    /// Calls `visit` with each statement of bodies and `init`, nested ones included, but for those in
    /// expressions.
    pub fn each_stmt<'s>(&'s self, visit: &mut dyn FnMut(&'s Stmt)) {
        let bodies = self.rules.iter().map(|rule| &rule.body).chain([&self.init]);
        bodies.flatten().for_each(|statement| statement.each(visit));
    }
}
