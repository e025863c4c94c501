//! What a property sees along a run, one row for each of its parts.
//!
//! Entry point: [`rows`]. A linear-time formula is shown with its subformulas, outermost first, and for the
//! values of the quantifiers in front that the run is about; a condition with the parts of its conjunction; a
//! sequence or an automaton with where it is. [`branch`] is for a run in a tree: the operands of the path
//! operator that it shows.

use crate::names::Names;
use burnside::Model;
use burnside_lang::diagnostic::Span;
use burnside_lang::hir::{self, ExprKind};
use burnside_trace::{
    Evidence, Place, automaton_states, branching_truths, culprits, sequence_positions, truths, values,
};
use burnside_ts::{Binder, Expr, Formula, Property, Question, System};

/// So many rows are shown.
pub const MOST_ROWS: usize = 30;

/// A row: something in each state of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What.
    pub text: String,
    /// How it is there.
    pub cells: Cells,
}

/// What a row says of each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Whether it is true; none if that cannot be said.
    Truths(Vec<Option<bool>>),
    /// A text.
    Texts(Vec<String>),
}

/// The rows of a property. `source` is the text of the model.
pub fn rows(model: &Model, source: &str, property: &str, evidence: &Evidence) -> Vec<Row> {
    let system = &model.system;
    let Some(known) = system.properties.iter().find(|known| known.name == property) else {
        return Vec::new();
    };
    let told = |text: &str, all: Vec<Vec<usize>>| {
        let show = |set: Vec<usize>| {
            let numbers: Vec<String> = set.iter().map(usize::to_string).collect();
            format!("{{{}}}", numbers.join(", "))
        };
        vec![Row { text: text.into(), cells: Cells::Texts(all.into_iter().map(show).collect()) }]
    };
    match &known.question {
        Question::Linear(formula) => linear(model, known, formula, evidence),
        Question::Invariant(condition) | Question::Reachable(condition) => {
            conditions(model, source, known, condition, evidence)
        }
        Question::Bound(number) => {
            let show = |value: Option<i64>| value.map_or_else(|| "?".into(), |value| value.to_string());
            let texts = values(system, evidence, number).into_iter().map(show).collect();
            vec![Row { text: known.text.clone(), cells: Cells::Texts(texts) }]
        }
        Question::Sequence(sequence) => {
            told("conditions matched last", sequence_positions(system, evidence, sequence))
        }
        Question::Automaton(automaton, conditions) => {
            told("automaton state", automaton_states(system, evidence, automaton, conditions))
        }
        Question::Fault | Question::Deadlock | Question::Branching(_) => Vec::new(),
    }
}

/// The subformulas of a formula; behind the quantifiers in front, of the values that the run is about.
fn linear(model: &Model, property: &Property, formula: &Formula, evidence: &Evidence) -> Vec<Row> {
    if evidence.loop_start().is_none() {
        return Vec::new();
    }
    let system = &*model.system;
    let names = Names::of(model, &property.name);
    let bound = culprits(system, evidence, formula);
    let body = (0..bound.len()).fold(formula, |formula, _| match formula {
        Formula::Forall(_, body) => body,
        other => other,
    });
    let mut parts: Vec<(&Formula, usize)> = Vec::new();
    if !bound.is_empty() {
        parts.push((formula, 0));
    }
    collect(body, bound.len(), &mut parts);
    parts.truncate(MOST_ROWS);
    let row = |(part, depth): (&Formula, usize)| {
        let bound = &bound[..depth];
        let text = about(&names, bound, part);
        Row { text, cells: Cells::Truths(truths(system, evidence, bound, part)) }
    };
    parts.into_iter().map(row).collect()
}

/// The rows of a run in a tree: the operands of the path operator that it shows, with the conditions in them.
/// Whether a path operator inside of one is true is known only where the tree says it.
pub fn branch<'s>(
    system: &'s System,
    names: &Names<'_>,
    formula: &'s Formula,
    bound: &[(&'s Binder, u64)],
    evidence: &Evidence,
    places: &[Place<'_, '_>],
) -> Vec<Row> {
    let mut parts: Vec<&Formula> = Vec::new();
    let operands = formula.children();
    operands.iter().for_each(|operand| conditions_in(operand, &mut parts));
    parts.truncate(MOST_ROWS);
    let row = |part: &'s Formula| {
        let mut truths = branching_truths(system, evidence, bound, part);
        for place in places.iter().filter(|place| operands.get(place.operand) == Some(part)) {
            if let Some(truth) = truths.get_mut(place.position) {
                *truth = Some(place.reason.truth);
            }
        }
        Row { text: about(names, bound, part), cells: Cells::Truths(truths) }
    };
    parts.into_iter().map(row).collect()
}

/// A formula and its parts above path operators, each once.
fn conditions_in<'f>(formula: &'f Formula, parts: &mut Vec<&'f Formula>) {
    if parts.contains(&formula) || parts.len() > MOST_ROWS {
        return;
    }
    parts.push(formula);
    if !matches!(formula, Formula::Forall(..) | Formula::Exists(..) | Formula::Temporal(..)) {
        formula.children().iter().for_each(|inner| conditions_in(inner, parts));
    }
}

/// A formula as text, with the values of the names that it speaks of.
fn about(names: &Names<'_>, bound: &[(&Binder, u64)], formula: &Formula) -> String {
    let text = names.show(formula);
    let values: Vec<String> = bound.iter().filter_map(|value| named(names, value, &text)).collect();
    if values.is_empty() { text } else { format!("{text}  [{}]", values.join(", ")) }
}

/// A formula and its subformulas, each once; not those behind quantifiers, which speak of many at once.
fn collect<'f>(formula: &'f Formula, depth: usize, parts: &mut Vec<(&'f Formula, usize)>) {
    if parts.iter().any(|(known, _)| *known == formula) || parts.len() > MOST_ROWS {
        return;
    }
    parts.push((formula, depth));
    if !matches!(formula, Formula::Forall(..) | Formula::Exists(..)) {
        formula.children().iter().for_each(|inner| collect(inner, depth, parts));
    }
}

/// `c = Client#0`, if the text speaks of it.
fn named(names: &Names<'_>, (binder, number): &(&Binder, u64), text: &str) -> Option<String> {
    let name = names.name(binder);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == name).then(|| format!("{name} = {}", names.value(binder, *number)))
}

/// A condition, and the parts of its conjunction if it is one.
fn conditions(
    model: &Model,
    source: &str,
    property: &Property,
    condition: &Expr,
    evidence: &Evidence,
) -> Vec<Row> {
    let mut parts = Vec::new();
    let given = model.external.iter().any(|(name, _)| *name == property.name);
    let hir = model.hir().filter(|_| !given);
    let known = hir.and_then(|hir| hir.properties.iter().find(|known| known.name == property.name));
    if let Some(hir::PropertyKind::Invariant(expr) | hir::PropertyKind::Reachable(expr)) =
        known.map(|known| &known.kind)
    {
        conjuncts(expr, condition, &mut parts);
    }
    let whole = (property.text.clone(), condition);
    let texts = parts.iter().filter(|_| parts.len() > 1).map(|(span, part)| (one_line(source, *span), *part));
    let row = |(text, condition): (String, &Expr)| {
        let truths = values(&model.system, evidence, condition).into_iter();
        Row { text, cells: Cells::Truths(truths.map(|value| value.map(|value| value != 0)).collect()) }
    };
    std::iter::once(whole).chain(texts).take(MOST_ROWS).map(row).collect()
}

/// The parts of a conjunction, as they are written and as they are evaluated. The one is translated to the
/// other part by part, so both are walked at once.
fn conjuncts<'m>(written: &hir::Expr, meant: &'m Expr, parts: &mut Vec<(Span, &'m Expr)>) {
    match (&written.kind, meant) {
        (ExprKind::And(left, right), Expr::And(both)) => {
            conjuncts(left, &both[0], parts);
            conjuncts(right, &both[1], parts);
        }
        _ => parts.push((written.span, meant)),
    }
}

fn one_line(source: &str, span: Span) -> String {
    span.text(source).split_whitespace().collect::<Vec<_>>().join(" ")
}
