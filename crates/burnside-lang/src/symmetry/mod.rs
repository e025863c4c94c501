//! The symmetry discipline: which permutations of the elements of its sorts leave a model and its properties as they are.
//!
//! Entry point: [`analyse`]. Elements may be compared for equality, stored and used as an index. What breaks this is found with its place: a
//! named element is taken out of the group, anything else fixes the whole sort. The answer is always on the safe side: a motion of the
//! group that is left maps initial states to initial states, steps to steps, and each property to itself.

mod order;

use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Model, StmtKind, Ty};
use burnside_ts::{Freedom, SortId, SortKind, Symmetry, Type, TypeId, Types};
use std::collections::BTreeSet;

/// What is known about the symmetry of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The group of the model.
    pub model: Symmetry,
    /// What broke it.
    pub breaks: Vec<Break>,
    /// For each property, the permutations that leave it as it is, and what broke the others.
    pub properties: Vec<(Symmetry, Vec<Break>)>,
}

/// A place where a symmetry breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The sort.
    pub sort: SortId,
    /// Where.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

/// Why a symmetry breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An element is named.
    Named(u32),
    /// Elements are compared by order.
    Ordered,
    /// The number of an element is taken, or an element is made from a number.
    Numbered,
    /// An array over the sort is listed element by element.
    Listed,
    /// A loop over the elements whose result may depend on their order.
    Loop,
}

impl Reason {
    /// What to tell the author.
    pub fn describe(self) -> String {
        match self {
            Reason::Named(element) => {
                format!("names element {element}, which is therefore not interchangeable")
            }
            Reason::Ordered => "compares elements by order".to_string(),
            Reason::Numbered => "uses the number of an element".to_string(),
            Reason::Listed => "lists an array element by element".to_string(),
            Reason::Loop => "loops over the elements, and the result may depend on their order".to_string(),
        }
    }
}

/// Finds the symmetry of a model and of its properties.
pub fn analyse(model: &Model) -> Analysis {
    let mut finder = Finder::new(&model.types);
    model.each_expr(&mut |expr| finder.expr(expr));
    model.each_stmt(&mut |statement| {
        if let StmtKind::For(binders, _, body) = &statement.kind {
            for binder in binders {
                let sorts = finder.sorts_of(model, binder);
                if !sorts.is_empty() && !order::is_free(model, binder.local, body) {
                    finder.break_all(&sorts, statement.span, Reason::Loop);
                }
            }
        }
    });
    let properties = model.properties.iter().map(|property| {
        let mut finder = Finder::new(&model.types);
        property.claim.each(&mut |expr| finder.expr(expr));
        finder.finish()
    });
    let properties = properties.collect();
    let (symmetry, breaks) = finder.finish();
    Analysis { model: symmetry, breaks, properties }
}

struct Finder<'t> {
    types: &'t Types,
    breaks: Vec<Break>,
    /// Rings whose neighbourhood is used.
    turned: BTreeSet<SortId>,
}

impl<'t> Finder<'t> {
    fn new(types: &'t Types) -> Self {
        Self { types, breaks: Vec::new(), turned: BTreeSet::new() }
    }

    fn finish(self) -> (Symmetry, Vec<Break>) {
        let sorts = self.types.sorts().map(|(id, sort)| {
            let mine = || self.breaks.iter().filter(|b| b.sort == id);
            let named: BTreeSet<u32> =
                mine().filter_map(|b| if let Reason::Named(e) = b.reason { Some(e) } else { None }).collect();
            let turned = sort.kind == SortKind::Ring && self.turned.contains(&id);
            match turned {
                _ if sort.size < 2 || mine().any(|b| !matches!(b.reason, Reason::Named(_))) => Freedom::Fixed,
                true if named.is_empty() => Freedom::Rotations,
                true => Freedom::Fixed,
                // A ring whose neighbours are never asked for is as good as a set.
                false => Freedom::full((0..sort.size).filter(|e| !named.contains(e)).collect()),
            }
        });
        (Symmetry { sorts: sorts.collect() }, self.breaks)
    }

    fn break_all(&mut self, sorts: &BTreeSet<SortId>, span: Span, reason: Reason) {
        for &sort in sorts {
            let found = Break { sort, span, reason };
            if !self.breaks.contains(&found) {
                self.breaks.push(found);
            }
        }
    }

    /// Everything in an expression that breaks a sort.
    fn expr(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        expr.each(&mut |part| found.push(part));
        for part in found {
            self.part(part);
        }
    }

    fn part(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(element) => {
                if let Some(sort) = self.sort(expr.ty) {
                    self.break_all(&BTreeSet::from([sort]), expr.span, Reason::Named(*element as u32));
                }
            }
            ExprKind::Less { left, .. } => self.break_in(left.ty, expr.span, Reason::Ordered),
            ExprKind::Ord(inner) => self.break_in(inner.ty, expr.span, Reason::Numbered),
            ExprKind::Element(_) => self.break_in(expr.ty, expr.span, Reason::Numbered),
            ExprKind::Rotate { .. } => self.turned.extend(self.sort(expr.ty)),
            ExprKind::Array(_) => {
                if let Ty::Of(ty) = expr.ty
                    && let Type::Array { index, .. } = *self.types.get(ty)
                {
                    self.break_all(&sorts_in(self.types, index), expr.span, Reason::Listed);
                }
            }
            _ => {}
        }
    }

    fn break_in(&mut self, ty: Ty, span: Span, reason: Reason) {
        if let Ty::Of(ty) = ty {
            self.break_all(&sorts_in(self.types, ty), span, reason);
        }
    }

    fn sort(&self, ty: Ty) -> Option<SortId> {
        match ty {
            Ty::Of(ty) => match *self.types.get(ty) {
                Type::Sort(sort) => Some(sort),
                _ => None,
            },
            Ty::Int => None,
        }
    }

    /// The sorts in the values of a binder.
    fn sorts_of(&self, model: &Model, binder: &crate::hir::Binder) -> BTreeSet<SortId> {
        match model.locals[binder.local.index()].ty {
            crate::hir::Stored::Type(ty) => sorts_in(self.types, ty),
            crate::hir::Stored::Int => BTreeSet::new(),
        }
    }
}

fn sorts_in(types: &Types, ty: TypeId) -> BTreeSet<SortId> {
    match *types.get(ty) {
        Type::Bool | Type::Range { .. } | Type::Enum(_) => BTreeSet::new(),
        Type::Sort(sort) => BTreeSet::from([sort]),
        Type::Option(inner) | Type::Set(inner) => sorts_in(types, inner),
        Type::Queue { element, .. } | Type::Bag { element, .. } => sorts_in(types, element),
        Type::Record(id) => types.record(id).fields.iter().flat_map(|f| sorts_in(types, f.ty)).collect(),
        Type::Array { index, element } => &sorts_in(types, index) | &sorts_in(types, element),
    }
}
