//! The names that formulas bind. Formulas of the transition system do not know them; the checked model does,
//! and has the same quantifiers in the same order.
//!
//! Entry point: [`Names::of`].

use burnside::Model;
use burnside_lang::hir::{self, Expr, ExprKind};
use burnside_ts::{Binder, Formula, Question, System, Type, TypeId, Types, bits, show_value};

/// The quantifiers of a formula with the names that they bind.
pub struct Names<'m> {
    system: &'m System,
    pairs: Vec<(&'m Binder, &'m str)>,
}

/// The branching-time formula of a property.
pub fn formula<'m>(model: &'m Model, property: &str) -> Option<&'m Formula> {
    let found = model.system.properties.iter().find(|known| known.name == property)?;
    match &found.question {
        Question::Branching(formula) => Some(formula),
        _ => None,
    }
}

impl<'m> Names<'m> {
    /// For a property.
    pub fn of(model: &'m Model, property: &str) -> Self {
        let mut names = Vec::new();
        let mut binders = Vec::new();
        if let Some(hir) = model.hir()
            && let Some(known) = hir.properties.iter().find(|known| known.name == property)
            && let hir::PropertyKind::Ctl(expr) | hir::PropertyKind::Ltl(expr) = &known.kind
        {
            each_name(hir, expr, &mut names);
        }
        let found = model.system.properties.iter().find(|known| known.name == property);
        if let Some(Question::Branching(formula) | Question::Linear(formula)) = found.map(|it| &it.question) {
            each_binder(formula, &mut binders);
        }
        Self { system: &model.system, pairs: binders.into_iter().zip(names).collect() }
    }

    /// The name that a quantifier binds.
    pub fn name(&self, binder: &Binder) -> &'m str {
        let found = self.pairs.iter().find(|(known, _)| std::ptr::eq(*known, binder));
        found.map_or("_", |(_, name)| name)
    }

    /// A formula as text.
    pub fn show(&self, formula: &Formula) -> String {
        let show = |binder: &Binder| format!("{}: {}", self.name(binder), show_type(self.system, binder.ty));
        formula.show(&show)
    }

    /// The value of a bound name, by its number.
    pub fn value(&self, binder: &Binder, number: u64) -> String {
        show_number(&self.system.types, binder.ty, number).unwrap_or_else(|| format!("value {number}"))
    }
}

/// The value with a number, if it is a simple one.
pub fn show_number(types: &Types, ty: TypeId, number: u64) -> Option<String> {
    let words = [&[number][..], &[0; bits::SPARE]].concat();
    matches!(types.get(ty), Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_))
        .then(|| show_value(types, ty, &words, 0))
}

/// The names that are bound outside of conditions, from left to right, outer ones first.
fn each_name<'m>(model: &'m hir::Model, expr: &'m Expr, names: &mut Vec<&'m str>) {
    match &expr.kind {
        _ if !is_temporal(expr) => {}
        ExprKind::Not(inner) | ExprKind::Temporal(_, inner) => each_name(model, inner, names),
        ExprKind::Path { body, .. } => each_name(model, body, names),
        ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Implies(left, right)
        | ExprKind::Iff(left, right)
        | ExprKind::Until(_, left, right) => {
            each_name(model, left, names);
            each_name(model, right, names);
        }
        ExprKind::Quantify { binders, body, .. } => {
            names.extend(binders.iter().map(|binder| model.locals[binder.local.index()].name.as_str()));
            each_name(model, body, names);
        }
        _ => {}
    }
}

/// Whether a temporal operator is inside: what has none is one condition.
fn is_temporal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::Path { .. } => true,
        ExprKind::Not(inner) => is_temporal(inner),
        ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Implies(left, right)
        | ExprKind::Iff(left, right) => is_temporal(left) || is_temporal(right),
        ExprKind::Quantify { body, .. } => is_temporal(body),
        _ => false,
    }
}

fn each_binder<'m>(formula: &'m Formula, binders: &mut Vec<&'m Binder>) {
    if let Formula::Forall(binder, _) | Formula::Exists(binder, _) = formula {
        binders.push(binder);
    }
    formula.children().iter().for_each(|inner| each_binder(inner, binders));
}

/// A type as in the language.
pub fn show_type(system: &System, id: TypeId) -> String {
    let types = &system.types;
    let show = |id| show_type(system, id);
    match *types.get(id) {
        Type::Bool => "bool".into(),
        Type::Range { lo, hi } => format!("{lo}..{hi}"),
        Type::Enum(id) => types.enumeration(id).name.clone(),
        Type::Sort(id) => types.sort(id).name.clone(),
        Type::Option(inner) => format!("{}?", show(inner)),
        Type::Record(id) if types.record(id).name.is_empty() => {
            let fields = types.record(id).fields.iter().map(|field| show(field.ty));
            format!("({})", fields.collect::<Vec<_>>().join(", "))
        }
        Type::Record(id) => types.record(id).name.clone(),
        Type::Array { index, element } => format!("array[{}] of {}", show(index), show(element)),
        Type::Set(element) => format!("set of {}", show(element)),
        Type::Queue { capacity, element } => format!("queue[{capacity}] of {}", show(element)),
        Type::Bag { capacity, element } => format!("bag[{capacity}] of {}", show(element)),
    }
}
