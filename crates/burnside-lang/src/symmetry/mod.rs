//! The symmetry discipline: which permutations of the elements of its sorts leave a model and its properties
//! as they are.
//!
//! Entry point: [`analyse`]. Elements may be compared for equality, stored and used as an index. What breaks
//! this is found with its place: a named element is taken out of the group, anything else fixes the whole
//! sort. The answer is always on the safe side: a permutation of the group that is left maps initial states
//! to initial states, steps to steps, and each property to itself.

mod flow;
mod infer;
mod order;
mod tie;
mod warn;

pub use infer::Rejected;
pub use warn::warnings;

use crate::diagnostic::Span;
use crate::hir::{Expr, ExprKind, Model, Stmt, StmtKind, Ty};
use burnside_limits::poll;
use burnside_ts::{SortGroup, SortId, SortKind, Symmetry, Type, TypeId, Types};
use std::collections::{BTreeMap, BTreeSet};

/// What is known about the symmetry of a model.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The types of the model, in which named ranges and enums that were found to be symmetric are sorts.
    pub types: Types,
    /// The sorts that nobody declared.
    pub inferred: Vec<SortId>,
    /// The named ranges and enums that are not symmetric.
    pub rejected: Vec<Rejected>,
    /// The group of the model.
    pub model: Symmetry,
    /// What broke it.
    pub breaks: Vec<Break>,
    /// For each property, the permutations that leave it as it is, and what broke the others.
    pub properties: Vec<(Symmetry, Vec<Break>)>,
    /// For each property, the permutations that leave it as it is if the elements of declared types that it
    /// names are moved along.
    pub named: Vec<Symmetry>,
    /// The same for what automata look at.
    pub observed: Vec<(Symmetry, Vec<Break>)>,
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
    /// The first element that passes is chosen.
    Chosen,
    /// A variable starts with this element because no other is given.
    Default(u32),
    /// A value of a range is taken as a number: arithmetic, sums, positions in queues.
    Computed,
    /// A value of a range is stored as, or compared with, something else than a value of the same named
    /// range.
    Mixed,
}

impl Reason {
    /// The only element that this takes out of the group; none if it fixes the whole sort.
    pub fn element(self) -> Option<u32> {
        match self {
            Reason::Named(element) | Reason::Default(element) => Some(element),
            _ => None,
        }
    }

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
            Reason::Chosen => "chooses the first of the elements".to_string(),
            Reason::Default(element) => {
                format!("starts with element {element}, which is therefore not interchangeable")
            }
            Reason::Computed => "takes the value as a number".to_string(),
            Reason::Mixed => "mixes the values with other numbers".to_string(),
        }
    }
}

/// Finds the symmetry of a model and of its properties.
pub fn analyse(model: &Model) -> Analysis {
    let uses = flow::of_model(model);
    let inferred = infer::infer(model, |inferred| of_model(model, inferred, &uses));
    let left = |tops: Vec<&Expr>| {
        let mut finder = Finder::new(&inferred, &flow::of_exprs(model, &tops));
        tops.into_iter().for_each(|expr| finder.expr(model, &inferred.types, expr));
        finder
    };
    let properties = model.properties.iter().map(|property| {
        let mut tops = Vec::new();
        property.kind.each(&mut |expr| tops.push(expr));
        let finder = left(tops);
        (finder.without_names(&inferred.types), finder.finish(&inferred.types))
    });
    let (named, properties) = properties.unzip();
    let observed = model.observed.iter().map(|observed| left(observed.conditions.iter().collect()));
    let observed = observed.map(|finder| finder.finish(&inferred.types)).collect();
    let (symmetry, breaks) = of_model(model, &inferred, &uses).finish(&inferred.types);
    let infer::Inferred { types, sorts, rejected } = inferred;
    let inferred = sorts.into_values().collect();
    Analysis { types, inferred, rejected, model: symmetry, breaks, properties, named, observed }
}

/// Everything in variables, functions, rules and `init` blocks that breaks a sort.
fn of_model(model: &Model, inferred: &infer::Inferred, uses: &[flow::Use]) -> Finder {
    let types = &inferred.types;
    let mut finder = Finder::new(inferred, uses);
    model.each_expr(&mut |expr| finder.expr(model, types, expr));
    model.each_stmt(&mut |statement| finder.statement(model, types, statement, Reason::Loop));
    finder
}

/// What breaks sorts, as far as it was found.
struct Finder {
    breaks: Vec<Break>,
    /// Rings whose neighbourhood is used.
    turned: BTreeSet<SortId>,
}

impl Finder {
    /// With what is known about ranges and enums that became sorts.
    fn new(inferred: &infer::Inferred, uses: &[flow::Use]) -> Self {
        let mut finder = Self { breaks: Vec::new(), turned: BTreeSet::new() };
        for found in uses {
            let sort = inferred.sorts.get(&found.ty).copied();
            finder.break_all(&sort.into_iter().collect(), found.span, found.reason);
        }
        finder
    }

    /// What is left if the elements of declared types that are named are moved along.
    fn without_names(&self, types: &Types) -> Symmetry {
        let named = |found: &&Break| {
            matches!(found.reason, Reason::Named(_)) && types.sort(found.sort).labels.is_none()
        };
        let breaks = self.breaks.iter().filter(|found| !named(found)).cloned().collect();
        Self { breaks, turned: self.turned.clone() }.finish(types).0
    }

    fn finish(self, types: &Types) -> (Symmetry, Vec<Break>) {
        let mut named: BTreeMap<SortId, BTreeSet<u32>> = BTreeMap::new();
        let mut broken: BTreeSet<SortId> = BTreeSet::new();
        for found in &self.breaks {
            match found.reason.element() {
                Some(element) => drop(named.entry(found.sort).or_default().insert(element)),
                None => drop(broken.insert(found.sort)),
            }
        }
        let none = BTreeSet::new();
        let sorts = types.sorts().map(|(id, sort)| {
            let named = named.get(&id).unwrap_or(&none);
            match sort.kind == SortKind::Ring && self.turned.contains(&id) {
                _ if sort.size < 2 || broken.contains(&id) => SortGroup::Fixed,
                true if named.is_empty() => SortGroup::Rotations,
                true => SortGroup::Fixed,
                // A ring whose neighbours are never asked for is as good as a set.
                false => SortGroup::full((0..sort.size).filter(|e| !named.contains(e)).collect()),
            }
        });
        (Symmetry::product(sorts.collect()), self.breaks)
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
    fn expr(&mut self, model: &Model, types: &Types, expr: &Expr) {
        expr.each(&mut |part| self.part(model, types, part));
    }

    /// A loop whose result may depend on the order of its values.
    fn statement(&mut self, model: &Model, types: &Types, statement: &Stmt, reason: Reason) {
        let StmtKind::For(binders, filter, body) = &statement.kind else { return };
        for (i, binder) in binders.iter().enumerate() {
            // The order of a queue is part of the state and moves with it.
            if is_queue(types, binder) {
                continue;
            }
            let sorts = sorts_of(types, model, binder);
            // Everything after the binder is done anew for each of its values.
            let rest =
                order::Rest { binders: &binders[i + 1..], filter: filter.as_ref(), body: body.as_slice() };
            if !sorts.is_empty() && !order::is_free(model, binder.local, rest) {
                self.break_all(&sorts, statement.span, reason);
            }
        }
    }

    fn part(&mut self, model: &Model, types: &Types, expr: &Expr) {
        poll();
        match &expr.kind {
            ExprKind::Block(statements, _) => {
                for statement in statements {
                    // What `choose` consists of stands where it stands itself.
                    let reason = if statement.span == expr.span { Reason::Chosen } else { Reason::Loop };
                    statement.each(&mut |inside| self.statement(model, types, inside, reason));
                }
            }
            ExprKind::Const(element) => {
                if let Some(sort) = sort(types, expr.ty) {
                    self.break_all(&BTreeSet::from([sort]), expr.span, Reason::Named(*element as u32));
                }
            }
            ExprKind::Less { left, .. } => self.break_in(types, left.ty, expr.span, Reason::Ordered),
            ExprKind::Ord(inner) => self.break_in(types, inner.ty, expr.span, Reason::Numbered),
            ExprKind::Element(_) => self.break_in(types, expr.ty, expr.span, Reason::Numbered),
            ExprKind::Rotate { .. } => self.turned.extend(sort(types, expr.ty)),
            ExprKind::Array(_) => {
                if let Ty::Of(ty) = expr.ty
                    && let Type::Array { index, .. } = *types.get(ty)
                {
                    self.break_all(&sorts_in(types, index), expr.span, Reason::Listed);
                }
            }
            _ => {}
        }
    }

    fn break_in(&mut self, types: &Types, ty: Ty, span: Span, reason: Reason) {
        if let Ty::Of(ty) = ty {
            self.break_all(&sorts_in(types, ty), span, reason);
        }
    }
}

fn sort(types: &Types, ty: Ty) -> Option<SortId> {
    match ty {
        Ty::Of(ty) => match *types.get(ty) {
            Type::Sort(sort) => Some(sort),
            _ => None,
        },
        Ty::Int => None,
    }
}

/// Whether a binder takes the elements of a queue.
fn is_queue(types: &Types, binder: &crate::hir::Binder) -> bool {
    crate::hir_walk::collection(binder).is_some_and(|from| match from.ty {
        Ty::Of(ty) => matches!(types.get(ty), Type::Queue { .. }),
        Ty::Int => false,
    })
}

/// The sorts in the values of a binder.
fn sorts_of(types: &Types, model: &Model, binder: &crate::hir::Binder) -> BTreeSet<SortId> {
    match model.locals[binder.local.index()].ty {
        crate::hir::Stored::Type(ty) => sorts_in(types, ty),
        crate::hir::Stored::Int => BTreeSet::new(),
    }
}

fn sorts_in(types: &Types, ty: TypeId) -> BTreeSet<SortId> {
    poll();
    match *types.get(ty) {
        Type::Bool | Type::Range { .. } | Type::Enum(_) => BTreeSet::new(),
        Type::Sort(sort) => BTreeSet::from([sort]),
        Type::Option(inner) | Type::Set(inner) => sorts_in(types, inner),
        Type::Queue { element, .. } | Type::Bag { element, .. } => sorts_in(types, element),
        Type::Record(id) => types.record(id).fields.iter().flat_map(|f| sorts_in(types, f.ty)).collect(),
        Type::Array { index, element } => &sorts_in(types, index) | &sorts_in(types, element),
    }
}
