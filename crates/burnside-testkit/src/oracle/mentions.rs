//! Which bound names an expression mentions.

use burnside_lang::hir::{Binder, Domain, Expr, ExprKind, LocalId};
use std::collections::BTreeSet;

/// Adds the names that the expression mentions, those it binds itself included.
pub(super) fn mentions(expr: &Expr, found: &mut BTreeSet<LocalId>) {
    let mut each = |parts: &[&Expr]| parts.iter().for_each(|part| mentions(part, found));
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::None | ExprKind::Empty => {}
        ExprKind::Local(id) => drop(found.insert(*id)),
        ExprKind::Unwrap(a)
        | ExprKind::Next(a)
        | ExprKind::Some(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Ord(a)
        | ExprKind::Element(a)
        | ExprKind::Abs(a)
        | ExprKind::Field(a, _)
        | ExprKind::ArrayOf(_, a)
        | ExprKind::Size(a)
        | ExprKind::Full(a)
        | ExprKind::Majority(a)
        | ExprKind::End(_, a)
        | ExprKind::Temporal(_, a)
        | ExprKind::Path { body: a, .. } => mentions(a, found),
        ExprKind::Index(a, b)
        | ExprKind::Arith(_, a, b)
        | ExprKind::Rotate { element: a, steps: b, .. }
        | ExprKind::Equal(_, a, b)
        | ExprKind::Less { left: a, right: b, .. }
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Implies(a, b)
        | ExprKind::Iff(a, b)
        | ExprKind::Let(_, a, b)
        | ExprKind::Extremum(_, a, b)
        | ExprKind::SetOp(_, a, b)
        | ExprKind::Subset(a, b)
        | ExprKind::In(a, b)
        | ExprKind::Count(a, b)
        | ExprKind::Concat(a, b)
        | ExprKind::Until(_, a, b) => each(&[a, b]),
        ExprKind::If(a, b, c) | ExprKind::Slice(a, b, c) => each(&[a, b, c]),
        ExprKind::Var(_, parts)
        | ExprKind::Call(_, parts)
        | ExprKind::Record(parts)
        | ExprKind::Array(parts)
        | ExprKind::Set(parts) => parts.iter().for_each(|part| mentions(part, found)),
        ExprKind::SetOf(binder, filter) => {
            domain(binder, found);
            mentions(filter, found);
        }
        ExprKind::Quantify { binders, filter, body, .. } => {
            binders.iter().for_each(|binder| domain(binder, found));
            filter.iter().for_each(|filter| mentions(filter, found));
            mentions(body, found);
        }
        ExprKind::Block(..) => expr.each_part(&mut |part| mentions(part, found)),
        ExprKind::Enabled { member, args, .. } => {
            member.iter().chain(args).flatten().for_each(|part| mentions(part, found));
        }
    }
}

fn domain(binder: &Binder, found: &mut BTreeSet<LocalId>) {
    if let Domain::Collection(collection) = &binder.domain {
        mentions(collection, found);
    }
}
