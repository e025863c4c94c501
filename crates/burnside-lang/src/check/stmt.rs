//! Statements of rule bodies and `init` blocks.

use super::Checker;
use super::collections::STATEMENTS;
use super::expr::{TypeHint, expr};
use super::queues::{is_shift, popped};
use super::scope::{Bound, Context};
use super::suggest::{list, nearest};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Initial, Stmt, StmtKind, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::Type;

impl Checker<'_> {
    /// The statements of a block; nothing if one is wrong.
    pub(super) fn block(&mut self, block: &ast::Block) -> Option<Vec<Stmt>> {
        self.blocks += 1;
        let statements = self.scoped(|checker| checker.statements(block));
        self.blocks -= 1;
        statements
    }

    /// The statements of a block, whose names stay known.
    pub(super) fn statements(&mut self, block: &ast::Block) -> Option<Vec<Stmt>> {
        let checker = self;
        let each = block.statements.iter().map(|stmt| match &stmt.kind {
            ast::StmtKind::Call { name, args } => checker.call_procedure(stmt.span, name, args),
            ast::StmtKind::Match { value, arms } => checker.match_stmt(value, arms),
            ast::StmtKind::Method { target, method, args } if is_shift(method) => {
                checker.shift(stmt.span, target, method, args)
            }
            ast::StmtKind::Let { name, ty, value: ast::Initial::Expr(value) } if popped(value).is_some() => {
                checker.let_popped(stmt.span, name, ty.as_ref(), value)
            }
            ast::StmtKind::Assign { target, value: ast::Initial::Expr(value) } if popped(value).is_some() => {
                checker.assign_popped(stmt.span, target, value)
            }
            _ => checker.stmt(stmt).map(|stmt| vec![stmt]),
        });
        let statements: Vec<Option<Vec<Stmt>>> = each.collect();
        let statements: Option<Vec<Vec<Stmt>>> = statements.into_iter().collect();
        statements.map(|statements| statements.into_iter().flatten().collect())
    }

    fn stmt(&mut self, stmt: &ast::Stmt) -> Option<Stmt> {
        use ast::StmtKind as Kind;
        let kind = match &stmt.kind {
            Kind::Assign { target, value } => self.assign(target, value),
            Kind::Let { name, ty, value } => self.let_stmt(name, ty.as_ref(), value),
            Kind::Var(var) => {
                let ty = self.finite(&var.ty);
                let value = self.declared(ty, var);
                let local = self.bind(&var.name, ty.map(Stored::Type), Bound::Var);
                value.map(|value| StmtKind::Let(local, value))
            }
            Kind::If { condition, then, otherwise } => self.if_stmt(condition, then, otherwise.as_ref()),
            Kind::For { binders, filter, body } => self.for_stmt(binders, filter.as_ref(), body),
            Kind::Assert { condition, message } => {
                let condition = self.condition(condition);
                condition.map(|condition| StmtKind::Assert(condition, message.clone()))
            }
            Kind::Assume(condition) => self.assume(stmt.span, condition),
            Kind::Goto(location) => self.goto(stmt.span, location),
            Kind::Method { target, method, args } => self.method_stmt(target, method, args),
            Kind::Call { .. } | Kind::Match { .. } => None,
            Kind::Error => self.left_out(),
        };
        kind.map(|kind| Stmt { span: stmt.span, kind })
    }

    fn assign(&mut self, target: &ast::Expr, value: &ast::Initial) -> Option<StmtKind> {
        let target = self.target(target);
        let value = self.value(target.as_ref().map(|(_, ty)| *ty), value, false);
        Some(StmtKind::Assign(target?.0, value?))
    }

    fn let_stmt(
        &mut self,
        name: &ast::Name,
        ty: Option<&ast::Type>,
        value: &ast::Initial,
    ) -> Option<StmtKind> {
        let (value, ty) = match ty {
            Some(ty) => {
                let ty = self.stored(ty);
                (self.value(ty, value, true), ty)
            }
            None => self.let_untyped(value),
        };
        let local = self.bind(name, ty, Bound::Let);
        value.map(|value| StmtKind::Let(local, value))
    }

    fn let_untyped(&mut self, value: &ast::Initial) -> (Option<Initial>, Option<Stored>) {
        match value {
            ast::Initial::Expr(e) => {
                let value = self.infer(e, TypeHint::None);
                let ty = value.as_ref().map(|value| self.stored_ty(value.ty));
                (value.map(Initial::Value), ty)
            }
            ast::Initial::Any(span) => {
                let diagnostic = Diagnostic::error(Code::NeedsType, *span, "`any` of which type?");
                self.report(diagnostic.help("give the type: `let y: T = any;`"));
                (None, None)
            }
            ast::Initial::AnyIn(_, e) => {
                let Some(e) = self.infer(e, TypeHint::None) else { return (None, None) };
                let ty = self.element_type(&e).map(Stored::Type);
                (ty.map(|_| Initial::AnyIn(e)), ty)
            }
        }
    }

    fn if_stmt(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Block,
        otherwise: Option<&ast::Block>,
    ) -> Option<StmtKind> {
        let condition = self.condition(condition);
        let then = self.block(then);
        let otherwise = otherwise.map_or(Some(Vec::new()), |block| self.block(block));
        Some(StmtKind::If(condition?, then?, otherwise?))
    }

    fn for_stmt(
        &mut self,
        binders: &[ast::Binder],
        filter: Option<&ast::Expr>,
        body: &ast::Block,
    ) -> Option<StmtKind> {
        self.scoped(|checker| {
            let binders = checker.binders(binders, Bound::Loop);
            let filter = filter.map(|filter| checker.condition(filter));
            let body = checker.block(body);
            let filter = match filter {
                Some(filter) => Some(filter?),
                None => None,
            };
            Some(StmtKind::For(binders?, filter, body?))
        })
    }

    fn assume(&mut self, span: Span, condition: &ast::Expr) -> Option<StmtKind> {
        let condition = self.condition(condition);
        if self.env.context != Context::Init {
            let diagnostic =
                Diagnostic::error(Code::AssumeOutsideInit, span, "`assume` is only for `init` blocks");
            self.report(diagnostic.help("a condition for the rule to fire belongs after `when`"));
            return None;
        }
        condition.map(StmtKind::Assume)
    }

    fn goto(&mut self, span: Span, location: &ast::Name) -> Option<StmtKind> {
        let Some(process) = self.env.process else {
            let diagnostic = Diagnostic::error(
                Code::GotoOutsideProcess,
                span,
                "`goto` is only for the rules of a process",
            );
            self.report(diagnostic.help("every process starts at its first location"));
            return None;
        };
        let (pc, position) = self.location(process, location)?;
        let ty = self.vars[pc.index()].ty?;
        self.vars[pc.index()].writes += 1;
        let target = expr(location.span, Ty::Of(ty), ExprKind::Var(pc, self.own_member(location.span)));
        let value = expr(location.span, Ty::Of(ty), ExprKind::Const(position));
        Some(StmtKind::Assign(target, Initial::Value(value)))
    }

    pub(super) fn method_stmt(
        &mut self,
        target: &ast::Expr,
        method: &ast::Name,
        args: &[ast::Expr],
    ) -> Option<StmtKind> {
        let Some((place, stored)) = self.target(target) else {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            return None;
        };
        let shape = match stored {
            Stored::Type(ty) => self.types.get(ty).clone(),
            Stored::Int => Type::Bool,
        };
        let known = super::collections::statements_of(&shape);
        let element = match shape {
            Type::Queue { element, .. } | Type::Set(element) | Type::Bag { element, .. } => element,
            _ => return self.unknown_statement(&place, method, &[], args),
        };
        if !known.contains(&method.text.as_str()) {
            return self.unknown_statement(&place, method, known, args);
        }
        let expected = match method.text.as_str() {
            "pop" | "clear" => 0,
            "insert" => 2,
            _ => 1,
        };
        if args.len() != expected {
            args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
            self.argument_count(method, expected, args.len());
            return None;
        }
        match method.text.as_str() {
            "pop" => return Some(StmtKind::Pop(place)),
            "clear" => return Some(StmtKind::Clear(place)),
            _ => {}
        }
        let value = self.check(&args[0], Stored::Type(element))?;
        Some(match method.text.as_str() {
            "push" => StmtKind::Push(place, value),
            "add" => StmtKind::Add(place, value),
            _ => StmtKind::Remove(place, value),
        })
    }

    fn unknown_statement<T>(
        &mut self,
        place: &Expr,
        method: &ast::Name,
        known: &[&str],
        args: &[ast::Expr],
    ) -> Option<T> {
        args.iter().for_each(|arg| drop(self.infer(arg, TypeHint::Unknown)));
        let message = format!("{} has no statement `.{}(…)`", self.a_ty(place.ty), method.text);
        let help = if self.optional_inner(place.ty).is_some() {
            String::from("`!` takes the value out of an optional")
        } else if known.is_empty() {
            String::from("only sets, queues and bags have methods")
        } else if let Some(near) = nearest(&method.text, known.iter().copied()) {
            format!("did you mean `{near}`?")
        } else if super::collections::is_method(&method.text) && !STATEMENTS.contains(&method.text.as_str()) {
            format!("`.{}()` gives a value and changes nothing", method.text)
        } else {
            format!("its statements are {}", list(known))
        };
        self.report(Diagnostic::error(Code::UnknownMethod, method.span, message).help(help));
        None
    }
}
