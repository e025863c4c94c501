//! Which functions are worth keeping the results of: those whose evaluation makes many calls.
//!
//! Entry point: [`kept`]. A call of such a function is counted as one, since its own calls are made once. So
//! no evaluation makes more than about [`MANY`] calls for each in the text, unless their arguments differ,
//! while functions of ordinary models are below and cost what they did.

use crate::hir::{Binder, Domain, Expr, ExprKind, LocalId, Model, Stored, Ty};
use burnside_ts::{Type, TypeId};

/// Looking up a result costs about as much as this many calls of small functions.
const MANY: u64 = 32;

/// For each function, whether its results are kept.
pub(super) fn kept(model: &Model) -> Vec<bool> {
    let mut counting = Counting { model, calls: Vec::new() };
    let mut kept = Vec::with_capacity(model.functions.len());
    // Callees come first.
    for function in &model.functions {
        let calls = counting.expr(&function.body);
        kept.push(calls > MANY);
        counting.calls.push(if calls > MANY { 0 } else { calls });
    }
    kept
}

struct Counting<'m> {
    model: &'m Model,
    /// How many calls a call of each function makes.
    calls: Vec<u64>,
}

impl Counting<'_> {
    /// How many calls evaluating an expression makes at most.
    fn expr(&self, expr: &Expr) -> u64 {
        let mut calls = match &expr.kind {
            ExprKind::Call(function, _) => 1 + self.calls[function.index()],
            _ => 0,
        };
        expr.each_part(&mut |part| calls = calls.saturating_add(self.expr(part)));
        calls.saturating_mul(self.rounds(expr))
    }

    /// How often the parts of an expression are evaluated at most.
    fn rounds(&self, expr: &Expr) -> u64 {
        match &expr.kind {
            ExprKind::Quantify { binders, .. } => {
                binders.iter().map(|binder| self.values(binder)).fold(1, u64::saturating_mul)
            }
            ExprKind::SetOf(binder, _) => self.values(binder),
            ExprKind::ArrayOf(index, _) => self.size(*index),
            _ => 1,
        }
    }

    fn values(&self, binder: &Binder) -> u64 {
        match &binder.domain {
            Domain::Type => self.size(binder.local),
            Domain::Collection(Expr { ty: Ty::Of(ty), .. }) => match *self.model.types.get(*ty) {
                Type::Queue { capacity, .. } | Type::Bag { capacity, .. } => u64::from(capacity),
                _ => self.size(binder.local),
            },
            Domain::Collection(_) => self.size(binder.local),
        }
    }

    fn size(&self, local: LocalId) -> u64 {
        let of_type = |ty: TypeId| self.model.types.size(ty).unwrap_or(u64::MAX);
        match self.model.locals[local.index()].ty {
            Stored::Type(ty) => of_type(ty),
            Stored::Int => u64::MAX,
        }
    }
}
