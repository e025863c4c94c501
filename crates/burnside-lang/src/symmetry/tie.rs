//! Indices that belong to one value of a loop's name: different values have different cells.
//!
//! Entry points: [`Ties::of_loop`], [`Ties::of`]. An index is tied to the name if it is the name, a record
//! with the name in a field (so also a part of a union where the union is meant), what a value of a union
//! holds, or a `let` for one of these: parameters of procedures and the names of a `match` are such. So is
//! what a `match`, or a function that has one, finds in it, where all other cases are faults. Two indices
//! at one place that are tied in the same way are different if the values of the name are.

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

/// How many calls may be inside each other in an index.
const CALLS: usize = 2;

/// The names that are tied to that of a loop.
#[derive(Clone)]
pub(super) struct Ties<'m> {
    model: &'m Model,
    /// The type of the values.
    ty: Stored,
    /// How many calls may still be inside of what is looked at.
    calls: usize,
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
        let mut ties =
            Self { model, ty, calls: CALLS, known: BTreeMap::from([(name, BTreeSet::from([Tie::Same]))]) };
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
            ExprKind::Some(inner) => self.of(inner),
            ExprKind::Unwrap(inner) => self.of_value(inner),
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

    /// How the value of an optional is tied to the name, if there is one: `none` is a fault.
    fn of_value(&self, optional: &Expr) -> BTreeSet<Tie> {
        match &optional.kind {
            ExprKind::If(_, left, right) => match (&left.kind, &right.kind) {
                (_, ExprKind::None) => self.of_value(left),
                (ExprKind::None, _) => self.of_value(right),
                _ => &self.of_value(left) & &self.of_value(right),
            },
            ExprKind::Let(local, value, body) => self.with([(*local, self.of(value))]).of_value(body),
            ExprKind::Call(function, arguments) if self.calls > 0 => {
                let function = &self.model.functions[function.index()];
                let of_arguments = arguments.iter().map(|argument| self.of(argument));
                let mut inside = self.with(function.params.iter().copied().zip(of_arguments));
                inside.calls -= 1;
                inside.of_value(&function.body)
            }
            _ => self.of(optional),
        }
    }

    /// The same with more names.
    fn with(&self, names: impl IntoIterator<Item = (LocalId, BTreeSet<Tie>)>) -> Self {
        let mut more = self.clone();
        more.known.extend(names);
        more
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
