//! Comparisons: equality, order, membership and inclusion. The two sides tell each other their types.

use super::Checker;
use super::expr::{TypeHint, expr, strip};
use super::scope::Bound;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind, Stored, Ty};
use crate::syntax::ast::{self, BinaryOp};
use burnside_ts::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn equality(
        &mut self,
        span: Span,
        negated: bool,
        a: &ast::Expr,
        b: &ast::Expr,
    ) -> Option<Expr> {
        let (a, b) = self.both(a, b, TypeHint::None);
        let (a, b) = (a?, b?);
        if a.ty == b.ty {
            return Some(self.equal(span, negated, a, b));
        }
        if self.takes_part(a.ty, b.ty) {
            let b = self.coerce(b, self.stored_ty(a.ty))?;
            return Some(self.equal(span, negated, a, b));
        }
        if self.takes_part(b.ty, a.ty) {
            let a = self.coerce(a, self.stored_ty(b.ty))?;
            return Some(self.equal(span, negated, a, b));
        }
        if self.is_optional_of(a.ty, b.ty) {
            return Some(self.equal_optional(span, negated, a, b));
        }
        if self.is_optional_of(b.ty, a.ty) {
            return Some(self.equal_optional(span, negated, b, a));
        }
        self.incomparable(span, &a, &b);
        None
    }

    pub(super) fn equal(&self, span: Span, negated: bool, a: Expr, b: Expr) -> Expr {
        self.boolean(span, ExprKind::Equal(negated, Box::new(a), Box::new(b)))
    }

    fn is_optional_of(&self, optional: Ty, ty: Ty) -> bool {
        self.optional_inner(optional).is_some_and(|inner| self.ty_of(inner) == ty)
    }

    /// An optional against a value. An integer that may not fit into the optional's range is compared with
    /// what is inside, so that it is merely different and not a fault.
    fn equal_optional(&mut self, span: Span, negated: bool, optional: Expr, value: Expr) -> Expr {
        let inner = self.optional_inner(optional.ty).expect("checked by the caller");
        if value.ty == Ty::Int && !self.interval(&value).within(self.range_of(inner)) {
            return self.equal_inside(span, negated, optional, value);
        }
        let some = expr(value.span, optional.ty, ExprKind::Some(Box::new(value)));
        self.equal(span, negated, optional, some)
    }

    fn equal_inside(&mut self, span: Span, negated: bool, optional: Expr, value: Expr) -> Expr {
        let ty = self.stored_ty(optional.ty);
        let local = self.fresh("_", optional.span, ty, Bound::Let);
        let bound = |kind| expr(optional.span, optional.ty, kind);
        let some = self.equal(span, true, bound(ExprKind::Local(local)), bound(ExprKind::None));
        let inside = ExprKind::Unwrap(Box::new(bound(ExprKind::Local(local))));
        let same = self.equal(span, false, expr(optional.span, Ty::Int, inside), value);
        let both = self.boolean(span, ExprKind::And(Box::new(some), Box::new(same)));
        let kind = ExprKind::Let(local, Box::new(optional), Box::new(both));
        let equal = self.boolean(span, kind);
        if negated { self.boolean(span, ExprKind::Not(Box::new(equal))) } else { equal }
    }

    fn incomparable(&mut self, span: Span, a: &Expr, b: &Expr) {
        let message = format!("{} cannot be compared with {}", self.a_ty(a.ty), self.a_ty(b.ty));
        let diagnostic = Diagnostic::error(Code::TypeMismatch, span, message);
        let (left, right) = (format!("this is {}", self.a_ty(a.ty)), format!("this is {}", self.a_ty(b.ty)));
        self.report(diagnostic.note(a.span, left).note(b.span, right));
    }

    /// `<` and the like, on integers, or on two values of one enum or sort.
    pub(super) fn ordering(
        &mut self,
        span: Span,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
    ) -> Option<Expr> {
        let (a, b) = self.both(a, b, TypeHint::None);
        let (a, b) = (a?, b?);
        if a.ty != b.ty {
            self.incomparable(span, &a, &b);
            return None;
        }
        if !self.is_ordered(a.ty) {
            let message = format!("{} has no order", self.a_ty(a.ty));
            let diagnostic = Diagnostic::error(Code::TypeMismatch, span, message);
            let set = matches!(a.ty, Ty::Of(id) if matches!(self.types.get(id), Type::Set(_)));
            let help = set.then(|| String::from("inclusion of sets is `subset`"));
            self.report(Diagnostic { help, ..diagnostic });
            return None;
        }
        let or_equal = matches!(op, BinaryOp::Le | BinaryOp::Ge);
        let (left, right) = if matches!(op, BinaryOp::Lt | BinaryOp::Le) { (a, b) } else { (b, a) };
        let (left, right) = (Box::new(left), Box::new(right));
        Some(self.boolean(span, ExprKind::Less { left, right, or_equal }))
    }

    fn is_ordered(&self, ty: Ty) -> bool {
        match ty {
            Ty::Int => true,
            Ty::Of(id) => matches!(self.types.get(id), Type::Enum(_) | Type::Sort(_)),
        }
    }

    /// `x in s`
    pub(super) fn membership(&mut self, span: Span, x: &ast::Expr, s: &ast::Expr) -> Option<Expr> {
        if let ast::ExprKind::Set(items) = &strip(s).kind {
            return self.one_of(span, x, items);
        }
        let s = self.infer(s, TypeHint::None);
        let element = match &s {
            Some(s) => self.element_type(s),
            None => None,
        };
        let x = self.infer(x, TypeHint::want(element.map(Stored::Type)))?;
        let (s, element) = (s?, element?);
        let x = if x.ty == self.ty_of(element) { x } else { self.coerce(x, Stored::Type(element))? };
        Some(self.boolean(span, ExprKind::In(Box::new(x), Box::new(s))))
    }

    /// `x in {a, b}`: the members may tell the type, and integers need no common range.
    fn one_of(&mut self, span: Span, x: &ast::Expr, items: &[ast::Expr]) -> Option<Expr> {
        let all: Vec<&ast::Expr> = std::iter::once(x).chain(items).collect();
        let mut found = self.infer_all(&all, TypeHint::None).into_iter();
        let x = found.next().flatten();
        let items: Option<Vec<Expr>> = found.collect();
        let (x, items) = (x?, items?);
        if x.ty == Ty::Int {
            let equal: Option<Vec<Expr>> =
                items.into_iter().map(|item| self.coerce(item, Stored::Int)).collect();
            return Some(self.equals_some(span, x, equal?));
        }
        let element = self.set_element(x.ty, span)?;
        let items: Option<Vec<Expr>> =
            items.into_iter().map(|item| self.coerce(item, Stored::Type(element))).collect();
        let set = match self.types.intern(Type::Set(element)) {
            Ok(set) => expr(span, Ty::Of(set), ExprKind::Set(items?)),
            Err(error) => return self.type_error(error, span),
        };
        Some(self.boolean(span, ExprKind::In(Box::new(x), Box::new(set))))
    }

    fn set_element(&mut self, ty: Ty, span: Span) -> Option<TypeId> {
        match ty {
            Ty::Of(id) if self.types.size(id).is_some() => Some(id),
            ty => {
                let message = format!("the values of {} cannot be members of a set", self.a_ty(ty));
                self.error(Code::NotNumbered, span, message);
                None
            }
        }
    }

    fn equals_some(&mut self, span: Span, x: Expr, items: Vec<Expr>) -> Expr {
        let local = self.fresh("_", x.span, Stored::Int, Bound::Let);
        let bound = expr(x.span, Ty::Int, ExprKind::Local(local));
        let tests = items.into_iter().map(|item| self.equal(item.span, false, bound.clone(), item));
        let tests: Vec<Expr> = tests.collect();
        let any = tests.into_iter().reduce(|a, b| self.boolean(span, ExprKind::Or(Box::new(a), Box::new(b))));
        let any = any.unwrap_or_else(|| self.boolean(span, ExprKind::Const(0)));
        self.boolean(span, ExprKind::Let(local, Box::new(x), Box::new(any)))
    }

    pub(super) fn subset(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr) -> Option<Expr> {
        let (a, b) = self.both(a, b, TypeHint::None);
        let (a, b) = (self.as_set(a?), self.as_set(b?));
        let (a, b) = (a?, b?);
        if a.ty != b.ty {
            self.incomparable(span, &a, &b);
            return None;
        }
        Some(self.boolean(span, ExprKind::Subset(Box::new(a), Box::new(b))))
    }
}
