//! Whom a run is about: the values of the quantifiers in front of a formula of which the run shows that it is
//! false.
//!
//! Entry point: [`name`].

use crate::names::show_number;
use burnside::Model;
use burnside_lang::hir::{self, Expr, ExprKind, Quantifier};
use burnside_trace::{Evidence, culprits};
use burnside_ts::Question;

/// `c = Client#0`, or nothing if no quantifier is in front.
pub fn name(model: &Model, property: &str, evidence: &Evidence) -> Option<String> {
    let checked = model.hir()?;
    let hir = checked.properties.iter().find(|known| known.name == property)?;
    let lowered = model.system.properties.iter().find(|known| known.name == property)?;
    let (hir::PropertyKind::Ltl(expr), Question::Linear(formula)) = (&hir.kind, &lowered.question) else {
        return None;
    };
    let values = culprits(&model.system, evidence, formula);
    let values =
        values.into_iter().map(|(binder, number)| show_number(&model.system.types, binder.ty, number));
    let pairs = bound(checked, expr).into_iter().zip(values.collect::<Option<Vec<_>>>()?);
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name} = {value}")).collect();
    (!pairs.is_empty()).then(|| pairs.join(", "))
}

/// The names that `forall` binds in front, from outside to inside.
fn bound<'m>(model: &'m hir::Model, mut expr: &'m Expr) -> Vec<&'m str> {
    let mut names = Vec::new();
    while let ExprKind::Quantify { quantifier: Quantifier::Forall, binders, filter, body } = &expr.kind {
        names.extend(binders.iter().map(|binder| model.locals[binder.local.index()].name.as_str()));
        if filter.is_some() {
            break;
        }
        expr = body;
    }
    names
}
