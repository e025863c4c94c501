//! Whom a run is about: the values of the quantifiers in front of a formula of which the run shows that it is false.
//!
//! Entry point: [`name`].

use burnside::Model;
use burnside::lang::hir::{self, Expr, ExprKind, Quantifier};
use burnside::trace::{Evidence, culprits};
use burnside::ts::{Claim, Type, TypeId, Types, bits, show_value};

/// `c = Client#0`, or nothing if no quantifier is in front.
pub fn name(model: &Model, property: &str, evidence: &Evidence) -> Option<String> {
    let hir = model.hir.properties.iter().find(|known| known.name == property)?;
    let lowered = model.system.properties.iter().find(|known| known.name == property)?;
    let (hir::Claim::Ltl(expr), Claim::Ltl(formula)) = (&hir.claim, &lowered.claim) else { return None };
    let values = culprits(&model.system, evidence, formula);
    let values = values.into_iter().map(|(ty, number)| show(&model.system.types, ty, number));
    let pairs = bound(model, expr).into_iter().zip(values.collect::<Option<Vec<_>>>()?);
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name} = {value}")).collect();
    (!pairs.is_empty()).then(|| pairs.join(", "))
}

/// The names that `forall` binds in front, from outside to inside.
fn bound<'m>(model: &'m Model, mut expr: &'m Expr) -> Vec<&'m str> {
    let mut names = Vec::new();
    while let ExprKind::Quantify { quantifier: Quantifier::Forall, binders, filter, body } = &expr.kind {
        names.extend(binders.iter().map(|binder| model.hir.locals[binder.local.index()].name.as_str()));
        if filter.is_some() {
            break;
        }
        expr = body;
    }
    names
}

/// The value with a number, if it is a simple one.
fn show(types: &Types, ty: TypeId, number: u64) -> Option<String> {
    let words = [&[number][..], &[0; bits::SPARE]].concat();
    matches!(types.get(ty), Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_))
        .then(|| show_value(types, ty, &words, 0))
}
