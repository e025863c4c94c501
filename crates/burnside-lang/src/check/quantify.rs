//! Binders and quantifiers: names that run through the values of a type or the elements of a collection.

use super::Checker;
use super::expr::{TypeHint, expr};
use super::scope::Bound;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Binder, Domain, Expr, ExprKind, Initial, Quantifier, Stmt, StmtKind, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::{Type, TypeId};

impl Checker<'_> {
    /// Binds the names from here to the end of the scope. The result has a hole where something is wrong.
    pub(super) fn binders(&mut self, binders: &[ast::Binder], kind: Bound) -> Option<Vec<Binder>> {
        let mut bound = Vec::new();
        let mut seen: Vec<&ast::Name> = Vec::new();
        for binder in binders {
            let (ty, domain) = self.domain(&binder.domain);
            for name in &binder.names {
                match seen.iter().find(|first| first.text == name.text && name.text != "_") {
                    Some(first) => self.duplicate(name, first.span),
                    None => seen.push(name),
                }
                let local = self.rebind(name, ty, kind, &seen);
                bound.push(domain.clone().map(|domain| Binder { local, domain }));
            }
        }
        bound.into_iter().collect()
    }

    /// Binds a name; one that is a duplicate in its own list is not reported as hidden as well.
    fn rebind(
        &mut self,
        name: &ast::Name,
        ty: Option<Stored>,
        kind: Bound,
        seen: &[&ast::Name],
    ) -> crate::hir::LocalId {
        if seen.iter().any(|known| std::ptr::eq(*known, name)) {
            return self.bind(name, ty, kind);
        }
        self.fresh(&name.text, name.span, ty.unwrap_or(Stored::Int), kind)
    }

    fn domain(&mut self, domain: &ast::Domain) -> (Option<Stored>, Option<Domain>) {
        match domain {
            ast::Domain::Type(ty) => {
                let ty = self.numbered(ty, "the values that a name runs through");
                (ty.map(Stored::Type), ty.map(|_| Domain::Type))
            }
            ast::Domain::Collection(e) => {
                let Some(e) = self.infer(e, TypeHint::None) else { return (None, None) };
                let element = self.element_type(&e);
                (element.map(Stored::Type), element.map(|_| Domain::Collection(e)))
            }
        }
    }

    /// The element type of a set, queue or bag.
    pub(super) fn element_type(&mut self, e: &Expr) -> Option<TypeId> {
        if let Ty::Of(id) = e.ty
            && let Type::Set(element) | Type::Queue { element, .. } | Type::Bag { element, .. } =
                *self.types.get(id)
        {
            return Some(element);
        }
        let message = format!("expected a set, queue or bag, found {}", self.a_ty(e.ty));
        self.error(Code::NotACollection, e.span, message);
        None
    }

    pub(super) fn quantify(
        &mut self,
        span: Span,
        quantifier: Quantifier,
        binders: &[ast::Binder],
        (filter, body): (Option<&ast::Expr>, &ast::Expr),
    ) -> Option<Expr> {
        let temporal = self.env.temporal && self.carries(quantifier, binders);
        self.env.temporal = false;
        let boolean = matches!(quantifier, Quantifier::Forall | Quantifier::Exists | Quantifier::Count);
        let (binders, filter, body) = self.scoped(|checker| {
            let binders = checker.binders(binders, Bound::Quantified);
            let filter = filter.map(|filter| checker.condition(filter));
            checker.env.temporal = temporal;
            let body = if boolean { checker.condition(body) } else { checker.integer(body) };
            (binders, filter, body)
        });
        let filter = match filter {
            Some(filter) => Some(Box::new(filter?)),
            None => None,
        };
        let (binders, body) = (binders?, Box::new(body?));
        let truth = matches!(quantifier, Quantifier::Forall | Quantifier::Exists);
        let ty = if truth { Ty::Of(self.boolean) } else { Ty::Int };
        Some(expr(span, ty, ExprKind::Quantify { quantifier, binders, filter, body }))
    }

    /// `choose x in s where e`: the first value that passes. It is a loop over the values that keeps the
    /// first, so that everything that is known of loops holds for it: which engine can do it, and whether it
    /// tells elements apart.
    pub(super) fn choose(
        &mut self,
        span: Span,
        binder: &ast::Binder,
        filter: Option<&ast::Expr>,
    ) -> Option<Expr> {
        self.env.temporal = false;
        let (binders, filter) = self.scoped(|checker| {
            let binders = checker.binders(std::slice::from_ref(binder), Bound::Quantified);
            (binders, filter.map(|filter| checker.condition(filter)))
        });
        let (binder, filter) = (binders?.pop()?, filter.map_or(Some(None), |it| it.map(Some))?);
        let stored = self.locals[binder.local.index()].ty;
        let value = expr(span, self.ty(stored), ExprKind::Local(binder.local));
        let Some(optional) = self.optional_of(stored) else {
            let message = format!("there is no `choose` among values of type {}", self.a_ty(value.ty));
            self.error(Code::TypeMismatch, span, message);
            return None;
        };
        let chosen = self.fresh("_chosen", span, Stored::Type(optional), Bound::Var);
        let ty = Ty::Of(optional);
        let first = expr(span, ty, ExprKind::Local(chosen));
        let none = || expr(span, ty, ExprKind::None);
        let is_none = |negated| self.equal(span, negated, first.clone(), none());
        let passes = match filter {
            Some(filter) => self.boolean(span, ExprKind::And(Box::new(is_none(false)), Box::new(filter))),
            None => is_none(false),
        };
        let stmt = |kind| Stmt { span, kind };
        let kept = expr(span, ty, ExprKind::Some(Box::new(value.clone())));
        let keep = vec![stmt(StmtKind::Assign(first.clone(), Initial::Value(kept)))];
        let message = Some("there is nothing to choose".to_string());
        let statements = vec![
            stmt(StmtKind::Let(chosen, Initial::Value(none()))),
            stmt(StmtKind::For(vec![binder], Some(passes), keep)),
            stmt(StmtKind::Assert(is_none(true), message)),
        ];
        let first = expr(span, value.ty, ExprKind::Unwrap(Box::new(first)));
        Some(expr(span, first.ty, ExprKind::Block(statements, Box::new(first))))
    }

    /// The type of an optional value of a type; none for what is optional already.
    fn optional_of(&mut self, stored: Stored) -> Option<TypeId> {
        let Stored::Type(ty) = stored else { return None };
        match self.types.get(ty) {
            Type::Option(_) => None,
            _ => self.types.intern(Type::Option(ty)).ok(),
        }
    }

    /// Whether a temporal formula may stand below this quantifier.
    fn carries(&self, quantifier: Quantifier, binders: &[ast::Binder]) -> bool {
        let over_types = binders.iter().all(|binder| matches!(binder.domain, ast::Domain::Type(_)));
        matches!(quantifier, Quantifier::Forall | Quantifier::Exists) && over_types
    }

    /// The type and local of a binder that must have one name over a type.
    pub(super) fn type_binder(&mut self, binder: &ast::Binder) -> Vec<(Option<TypeId>, ast::Name)> {
        match &binder.domain {
            ast::Domain::Type(ty) => {
                let ty = self.numbered(ty, "the indices of an array");
                binder.names.iter().map(|name| (ty, name.clone())).collect()
            }
            ast::Domain::Collection(e) => {
                let diagnostic = Diagnostic::error(
                    Code::ArrayOverCollection,
                    e.span,
                    "an array has an element for each value of a type",
                );
                self.report(diagnostic.help("write `[i: T => …]`"));
                binder.names.iter().map(|name| (None, name.clone())).collect()
            }
        }
    }
}
