//! The conditions of a formula with names in place of the elements of declared types that they name.
//!
//! Entry point: [`Lowering::named`]. A formula that says `p[P#0]` and `p[P#2]` has one condition, `p[x]`, for
//! two elements. Each condition is lowered once more, from the same point of the frame and with the same
//! place to blame, so that conditions that differ in elements only come out equal. The names of a condition
//! are numbered as they occur.

use super::Lowering;
use super::property::is_temporal;
use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Ty};
use burnside_ts::{self as ts, Binder, Domain, Named, Slot, Target, Type, TypeId};

/// The names of the condition at hand.
#[derive(Debug)]
pub(super) struct ElementNames {
    /// What to blame for faults.
    pub span: Span,
    /// Names that conditions have used, by type.
    pool: Vec<(TypeId, Slot)>,
    /// Of those: the ones that this condition uses, with their elements and where these stand.
    used: Vec<(usize, u64, Span)>,
    /// Whether an element got no name: it is not moved along then.
    short: bool,
}

impl Lowering<'_> {
    /// The conditions of a formula with names for elements; none if an element is used in a way that does not
    /// allow it.
    pub(super) fn named(&mut self, formula: &Expr, span: Span, symmetry: ts::Symmetry) -> Option<Named> {
        let mut atoms = Vec::new();
        conditions(formula, &mut atoms);
        let most = atoms.iter().map(|atom| self.elements(atom)).max().unwrap_or(0);
        let types: Vec<TypeId> = atoms.iter().flat_map(|atom| self.named_types(atom)).collect();
        let mut pool: Vec<(TypeId, Slot)> = Vec::new();
        for ty in types {
            if pool.iter().all(|(known, _)| *known != ty) {
                pool.extend((0..most).map(|_| (ty, self.frame.slot())).collect::<Vec<_>>());
            }
        }
        let start = self.frame.position();
        let mut conditions = Vec::new();
        for atom in atoms {
            self.frame.back_to(start);
            self.element_names =
                Some(ElementNames { span, pool: pool.clone(), used: Vec::new(), short: false });
            let condition = self.scalar(atom);
            let ElementNames { used, short, .. } = self.element_names.take().expect("it was put there");
            if short || used.len() != self.elements(atom) {
                return None;
            }
            let name = |(at, element, _): (usize, u64, Span)| {
                let (ty, slot) = pool[at];
                (Binder { target: Target::Scalar(slot), ty, domain: Domain::Type }, element)
            };
            conditions.push((condition, used.into_iter().map(name).collect()));
        }
        Some(Named { conditions, symmetry })
    }

    /// While elements are turned into names: one for an element of a declared type that stands there. What is
    /// lowered for each rule of a member, in `enabled(P[P#0])`, has the same one.
    pub(super) fn name_for(&mut self, ty: Ty, value: i64, span: Span) -> Option<ts::Expr> {
        let ty = self.declared(ty)?;
        let element_names = self.element_names.as_mut()?;
        let same = |&&(at, element, its): &&(usize, u64, Span)| {
            (element_names.pool[at].0, element, its) == (ty, value as u64, span)
        };
        if let Some((at, ..)) = element_names.used.iter().find(same) {
            return Some(ts::Expr::Local(element_names.pool[*at].1));
        }
        let free = |at: &usize| {
            element_names.pool[*at].0 == ty && element_names.used.iter().all(|(used, ..)| used != at)
        };
        let Some(at) = (0..element_names.pool.len()).find(free) else {
            element_names.short = true;
            return None;
        };
        element_names.used.push((at, value as u64, span));
        Some(ts::Expr::Local(element_names.pool[at].1))
    }

    /// The type of an element of a declared type.
    fn declared(&self, ty: Ty) -> Option<TypeId> {
        let Ty::Of(ty) = ty else { return None };
        match *self.types.get(ty) {
            Type::Sort(sort) if self.types.sort(sort).labels.is_none() => Some(ty),
            _ => None,
        }
    }

    /// How many elements a condition names.
    fn elements(&self, condition: &Expr) -> usize {
        self.named_types(condition).len()
    }

    fn named_types(&self, condition: &Expr) -> Vec<TypeId> {
        let mut found = Vec::new();
        condition.each(&mut |part| {
            if matches!(part.kind, ExprKind::Const(_)) {
                found.extend(self.declared(part.ty));
            }
        });
        found
    }
}

/// The conditions of a formula, in the order in which they become its atoms.
fn conditions<'e>(expr: &'e Expr, out: &mut Vec<&'e Expr>) {
    if !is_temporal(expr) {
        return out.push(expr);
    }
    match &expr.kind {
        ExprKind::Quantify { filter, body, .. } => {
            filter.iter().for_each(|filter| conditions(filter, out));
            conditions(body, out);
        }
        _ => expr.each_part(&mut |part| conditions(part, out)),
    }
}
