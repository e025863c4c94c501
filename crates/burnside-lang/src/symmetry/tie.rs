//! Indices that belong to one value of a loop's name: different values have different cells.
//!
//! Entry points: [`Ties::of_loop`], [`Ties::of`]. An index is tied to the name if it is the name, a record
//! with the name in a field (so also a part of a union where the union is meant), what a value of a union
//! holds, or a `let` for one of these: parameters of procedures and the names of a `match` are such. Two
//! indices at one place that are tied in the same way are different if the values of the name are.

use crate::hir::{Expr, ExprKind, Initial, LocalId, Model, Stmt, StmtKind, Stored, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// How an index is tied to the name. What is optional and what is not are taken for the same: which of both
/// is there follows from the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tie {
    /// It is the name.
    Same,
    /// It has the name in this field.
    In(u32),
    /// The name is of a union, and it is what the only case with this field holds.
    Part(u32),
}

/// The names that are tied to that of a loop.
pub(super) struct Ties<'m> {
    model: &'m Model,
    /// The type of the values.
    ty: Stored,
    known: BTreeMap<LocalId, BTreeSet<Tie>>,
}

impl<'m> Ties<'m> {
    /// The name itself, and the names in the body that are given to what is tied to it, and never assigned.
    pub fn of_loop(model: &'m Model, name: LocalId, body: &[Stmt]) -> Self {
        let mut assigned = BTreeSet::new();
        for statement in body {
            statement.each(&mut |statement| assigned.extend(statement.target().and_then(local)));
        }
        let ty = model.locals[name.index()].ty;
        let mut ties = Self { model, ty, known: BTreeMap::from([(name, BTreeSet::from([Tie::Same]))]) };
        for statement in body {
            statement.each(&mut |statement| {
                if let StmtKind::Let(local, Initial::Value(value)) = &statement.kind
                    && !assigned.contains(local)
                {
                    let found = ties.of(value);
                    ties.known.insert(*local, found);
                }
            });
        }
        ties
    }

    /// How an index is tied to the name.
    pub fn of(&self, index: &Expr) -> BTreeSet<Tie> {
        match &index.kind {
            ExprKind::Local(local) => self.known.get(local).cloned().unwrap_or_default(),
            ExprKind::Some(inner) | ExprKind::Unwrap(inner) => self.of(inner),
            ExprKind::Record(fields) => {
                // What a value of a union holds, put into that union again, is the value.
                let whole = matches!((self.ty, index.ty), (Stored::Type(ty), Ty::Of(of)) if ty == of);
                let found = (0..).zip(fields).flat_map(|(i, field)| {
                    let of_field = self.of(field);
                    let same = (whole && of_field.contains(&Tie::Part(i))).then_some(Tie::Same);
                    same.into_iter().chain(of_field.contains(&Tie::Same).then_some(Tie::In(i)))
                });
                found.collect()
            }
            ExprKind::Field(base, field) => {
                let of_base = self.of(base);
                let same = of_base.contains(&Tie::In(*field)).then_some(Tie::Same);
                let part = of_base.contains(&Tie::Same) && self.is_only_part(base.ty, *field);
                same.into_iter().chain(part.then_some(Tie::Part(*field))).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Whether a field of a union is used by one case alone, which holds nothing else. In the other cases it
    /// is empty, so that nothing can be found there.
    fn is_only_part(&self, ty: Ty, field: u32) -> bool {
        let Ty::Of(ty) = ty else { return false };
        let mut using =
            self.model.types.cases(ty).iter().filter(|case| case.parts.iter().any(|it| it.field == field));
        match (using.next(), using.next()) {
            (Some(case), None) => matches!(&case.parts[..], [only] if only.optional),
            _ => false,
        }
    }
}

/// The local name at the root of a place.
fn local(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) => local(base),
        _ => None,
    }
}
