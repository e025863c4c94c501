//! Whether a generator leaves a property as it is.
//!
//! Entry point: [`preserves`]. Conditions are compared as functions of the state; the rest of a formula must
//! be the same, except that the instances of a quantifier may come in another order.

use super::diagram::{Diagrams, Node, Out, TooLarge};
use super::eval::Taken;
use super::proof::{BUDGET, renaming};
use super::sample;
use super::symbolic::Symbolic;
use burnside_ts::{Action, Binder, Domain, Expr, Formula, Permutation, Question, Sequence, System, Temporal};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A formula over functions of the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Atom(Node),
    /// An operator with its operands in order.
    Of(String, Vec<Shape>),
    /// The instances of a quantifier, sorted.
    Each(bool, Vec<Shape>),
}

/// Whether the claim is true of a state or run exactly if it is true of the moved one. May say no if it is
/// too hard to tell.
pub(super) fn preserves<'s>(system: &'s System, permutation: &Permutation, question: &'s Question) -> bool {
    let action = Action::new(system);
    functions_agree(&action, permutation, question).unwrap_or_else(|TooLarge| match question {
        Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => {
            same_everywhere(&action, permutation, it)
        }
        Question::Automaton(_, conditions) => {
            conditions.iter().all(|condition| same_everywhere(&action, permutation, condition))
        }
        _ => false,
    })
}

fn functions_agree<'s>(
    action: &'s Action<'s>,
    permutation: &Permutation,
    question: &'s Question,
) -> Result<bool, TooLarge> {
    let mut symbolic = Symbolic::new(action, BUDGET);
    symbolic.unknown_state()?;
    let shape = match question {
        Question::Invariant(condition) | Question::Reachable(condition) => atom(&mut symbolic, condition)?,
        // Only functions that are true or false are compared.
        Question::Bound(_) => return Err(TooLarge),
        // The automaton sees the conditions one by one.
        Question::Automaton(_, conditions) => {
            let atoms = conditions.iter().map(|condition| atom(&mut symbolic, condition));
            Shape::Of("automaton".into(), atoms.collect::<Result<_, _>>()?)
        }
        Question::Fault | Question::Deadlock => return Ok(true),
        Question::Sequence(sequence) => of_sequence(&mut symbolic, sequence)?,
        Question::Linear(formula) | Question::Branching(formula) => of_formula(&mut symbolic, formula)?,
    };
    let to = renaming(&symbolic, permutation)?;
    let mut done = HashMap::new();
    let moved = shape.renamed(&mut |atom| symbolic.d.rename(atom, &to, &mut done))?;
    Ok(moved == shape)
}

impl Shape {
    /// The formula with other functions.
    fn renamed(&self, rename: &mut dyn FnMut(Node) -> Out) -> Result<Shape, TooLarge> {
        let mut all = |parts: &[Shape]| -> Result<Vec<Shape>, TooLarge> {
            parts.iter().map(|part| part.renamed(rename)).collect()
        };
        match self {
            Shape::Of(operator, parts) => Ok(Shape::Of(operator.clone(), all(parts)?)),
            Shape::Each(kind, parts) => Ok(Shape::each(*kind, all(parts)?)),
            Shape::Atom(node) => rename(*node).map(Shape::Atom),
        }
    }

    fn each(kind: bool, mut parts: Vec<Shape>) -> Shape {
        parts.sort();
        Shape::Each(kind, parts)
    }
}

fn atom<'s>(symbolic: &mut Symbolic<'s>, condition: &'s Expr) -> Result<Shape, TooLarge> {
    symbolic.condition(condition).map(Shape::Atom)
}

fn of_sequence<'s>(symbolic: &mut Symbolic<'s>, sequence: &'s Sequence) -> Result<Shape, TooLarge> {
    let mut all = |operator: String, parts: &'s [Sequence]| {
        let parts: Result<_, _> = parts.iter().map(|part| of_sequence(symbolic, part)).collect();
        Ok(Shape::Of(operator, parts?))
    };
    match sequence {
        Sequence::State(condition) => atom(symbolic, condition),
        Sequence::Then(parts) => all("then".to_string(), parts),
        Sequence::Or(parts) => all("or".to_string(), parts),
        Sequence::Repeat(body, least, most) => {
            all(format!("{least} to {most:?}"), std::slice::from_ref(&**body))
        }
    }
}

fn of_formula<'s>(symbolic: &mut Symbolic<'s>, formula: &'s Formula) -> Result<Shape, TooLarge> {
    let mut all = |operator: &str, parts: &'s [Formula]| {
        let parts: Result<_, _> = parts.iter().map(|part| of_formula(symbolic, part)).collect();
        Ok(Shape::Of(operator.to_string(), parts?))
    };
    match formula {
        Formula::Atom(condition, _) => atom(symbolic, condition),
        Formula::Not(inner) => all("not", std::slice::from_ref(&**inner)),
        Formula::And(sides) => all("and", &**sides),
        Formula::Or(sides) => all("or", &**sides),
        Formula::Implies(sides) => all("implies", &**sides),
        Formula::Iff(sides) => all("iff", &**sides),
        Formula::Forall(binder, body) => instances(symbolic, true, binder, body),
        Formula::Exists(binder, body) => instances(symbolic, false, binder, body),
        Formula::Temporal(path, temporal) => {
            let (name, parts) = match temporal {
                Temporal::Next(inner) => ("next", std::slice::from_ref(&**inner)),
                Temporal::Finally(inner) => ("finally", std::slice::from_ref(&**inner)),
                Temporal::Globally(inner) => ("globally", std::slice::from_ref(&**inner)),
                Temporal::Until(sides) => ("until", &sides[..]),
                Temporal::Release(sides) => ("release", &sides[..]),
                Temporal::WeakUntil(sides) => ("weak until", &sides[..]),
                Temporal::StrongRelease(sides) => ("strong release", &sides[..]),
            };
            all(&format!("{path:?} {name}"), parts)
        }
    }
}

fn instances<'s>(
    symbolic: &mut Symbolic<'s>,
    kind: bool,
    binder: &'s Binder,
    body: &'s Formula,
) -> Result<Shape, TooLarge> {
    if !matches!(binder.domain, Domain::Type) {
        return Err(TooLarge);
    }
    let (_, values) = symbolic.values(binder, Diagrams::TRUE)?;
    let instance = |taken: Taken| {
        symbolic.take(binder, &taken.value)?;
        of_formula(symbolic, body)
    };
    Ok(Shape::each(kind, values.into_iter().map(instance).collect::<Result<_, _>>()?))
}

/// Compares the values of a scalar on every state of the right types, if there are few.
fn same_everywhere<'s>(action: &Action<'s>, permutation: &Permutation, expr: &'s Expr) -> bool {
    let system = action.system();
    if sample::each_state_count(system).is_none() {
        return false;
    }
    let mut machine = system.machine();
    let mut same = true;
    sample::each_state(system, &mut |state| {
        let image = sample::moved(action, permutation, state);
        same = machine.value(expr, state).ok() == machine.value(expr, &image).ok();
        if same { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    same
}
