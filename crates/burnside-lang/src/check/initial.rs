//! What variables start with and what is assigned: expressions, defaults, `any` and `any in`.

use super::Checker;
use super::expr::{TypeHint, expr, strip};
use super::scope::{Bound, Context};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Initial, Stored, Ty, VarId};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId};

impl Checker<'_> {
    /// The initial values of all variables, in the order of the text.
    pub(super) fn initial_values(&mut self) {
        for index in 0..self.vars.len() {
            let Some(decl) = self.decls.vars[index] else {
                self.initial[index] = Some(Initial::Zero);
                continue;
            };
            let ty = self.vars[index].ty;
            let context = Context::Initial(VarId(index as u32));
            let env = self.process_env(context, self.vars[index].process);
            self.initial[index] = self.within(env, |checker| checker.declared(ty, decl)).0;
        }
    }

    /// The value of a declared variable, global or local.
    pub(super) fn declared(&mut self, ty: Option<TypeId>, decl: &ast::Var) -> Option<Initial> {
        match &decl.value {
            Some(value) => self.value(ty.map(Stored::Type), value, true),
            None => self.default_of(ty?, &decl.name),
        }
    }

    fn default_of(&mut self, ty: TypeId, name: &ast::Name) -> Option<Initial> {
        let Some(path) = self.without_default(ty) else {
            return Some(self.default(ty, name.span));
        };
        let message = format!("`{}{path}` has no default value", name.text);
        let help = if path.is_empty() {
            let ty = self.type_name(ty);
            format!("say `= any`, or make it optional: `{}: {ty}?`", name.text)
        } else {
            String::from("give an initial value, or make it optional")
        };
        self.report(Diagnostic::error(Code::MissingInitialValue, name.span, message).help(help));
        None
    }

    /// A value for a place of a type. `fill`: in a declaration, a value for the elements of an array will do.
    pub(super) fn value(&mut self, ty: Option<Stored>, value: &ast::Initial, fill: bool) -> Option<Initial> {
        match (value, ty) {
            (ast::Initial::Expr(e), Some(Stored::Type(ty))) if fill => self.filled(e, ty),
            (ast::Initial::Expr(e), ty) => self.check_maybe(e, ty).map(Initial::Value),
            (ast::Initial::Any(span), ty) => self.any(*span, ty?),
            (ast::Initial::AnyIn(_, e), ty) => {
                let hint = self.set_hint(e, ty);
                let e = self.infer(e, hint)?;
                self.any_in(e, ty?)
            }
        }
    }

    fn any(&mut self, span: Span, ty: Stored) -> Option<Initial> {
        match ty {
            Stored::Type(id) if self.types.size(id).is_some() => Some(Initial::Any),
            Stored::Int => {
                let diagnostic =
                    Diagnostic::error(Code::UnboundedType, span, "`any` of `int` would have no end");
                self.report(diagnostic.help("give a range such as `0..7`"));
                None
            }
            Stored::Type(id) => {
                let message = format!(
                    "the values of `{}` cannot be numbered, so there is no `any`",
                    self.type_name(id)
                );
                self.error(Code::NotNumbered, span, message);
                None
            }
        }
    }

    /// For the elements of a literal: a set of what is wanted.
    fn set_hint(&mut self, e: &ast::Expr, want: Option<Stored>) -> TypeHint {
        match want {
            None => TypeHint::Unknown,
            Some(Stored::Type(ty)) if self.needs_hint(e) => {
                let element = self.optional_inner(Ty::Of(ty)).unwrap_or(ty);
                let set = self.types.intern(Type::Set(element)).ok();
                set.map_or(TypeHint::None, |set| TypeHint::Is(Stored::Type(set)))
            }
            Some(_) => TypeHint::None,
        }
    }

    fn any_in(&mut self, e: Expr, ty: Stored) -> Option<Initial> {
        let element = self.element_type(&e)?;
        let (found, want) = (self.ty_of(element), self.ty(ty));
        let inside = self.optional_inner(want).map(|inner| self.ty_of(inner));
        if found == want || Some(found) == inside {
            return Some(Initial::AnyIn(e));
        }
        let message =
            format!("expected elements of type `{}`, found {}", self.stored_name(ty), self.a_ty(found));
        self.error(Code::TypeMismatch, e.span, message);
        None
    }

    /// A value of the type or, for an array, of its elements.
    fn filled(&mut self, e: &ast::Expr, ty: TypeId) -> Option<Initial> {
        let innermost = self.innermost(ty);
        if innermost == ty {
            return self.check(e, Stored::Type(ty)).map(Initial::Value);
        }
        let hint = if is_array_literal(e) { ty } else { innermost };
        let value = self.infer(e, TypeHint::Is(Stored::Type(hint)))?;
        if value.ty == Ty::Of(ty) {
            return Some(Initial::Value(value));
        }
        let element = self.ty_of(innermost);
        let inside = self.optional_inner(element).map(|inner| self.ty_of(inner));
        let is_part = |ty| self.case_of_part(ty, value.ty).is_some();
        if value.ty == element || Some(value.ty) == inside || is_part(element) || inside.is_some_and(is_part)
        {
            return self.coerce(value, Stored::Type(innermost)).map(Initial::Fill);
        }
        self.repeated(value, ty).map(Initial::Value)
    }

    /// A value for the outer dimensions: an array of the inner ones.
    fn repeated(&mut self, value: Expr, ty: TypeId) -> Option<Expr> {
        let mut outer: Vec<(TypeId, TypeId)> = Vec::new();
        let mut inner = ty;
        while Ty::Of(inner) != value.ty {
            let Type::Array { index, element } = *self.types.get(inner) else {
                return self.coerce(value, Stored::Type(ty));
            };
            outer.push((inner, index));
            inner = element;
        }
        let span = value.span;
        Some(outer.into_iter().rev().fold(value, |value, (ty, index)| {
            let local = self.fresh("_", span, Stored::Type(index), Bound::Quantified);
            expr(span, Ty::Of(ty), ExprKind::ArrayOf(local, Box::new(value)))
        }))
    }
}

/// Whether the text is that of an array, so that its elements want the hint.
fn is_array_literal(e: &ast::Expr) -> bool {
    match &strip(e).kind {
        ast::ExprKind::Array(items) => !items.is_empty(),
        ast::ExprKind::ArrayOf { .. } => true,
        ast::ExprKind::If(_, a, b) => is_array_literal(a) || is_array_literal(b),
        ast::ExprKind::Match(_, arms) => arms.iter().any(|arm| is_array_literal(&arm.body)),
        ast::ExprKind::Let { body, .. } => is_array_literal(body),
        _ => false,
    }
}
