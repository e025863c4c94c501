//! Whether a generator leaves a property as it is.
//!
//! Entry point: [`preserves`]. Conditions are compared as functions of the state; the rest of a formula must
//! be the same, except that the instances of a quantifier may come in another order.

use super::rule::within_room;
use super::sample;
use super::stage::{Moved, Stage};
use crate::encode::Executor;
use crate::store::{Out, Set};
use burnside_ts::{Action, Binder, Domain, Expr, Formula, Permutation, Question, Sequence, System, Temporal};
use foldhash::{HashMap, HashMapExt as _};
use std::ops::ControlFlow;

/// A formula over functions of the state, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Atom(usize),
    /// An operator with its operands in order.
    Of(String, Vec<Shape>),
    /// The instances of a quantifier, sorted.
    Each(bool, Vec<Shape>),
}

/// A formula, and the same seen through a generator.
type Both = (Shape, Shape);

/// Whether the claim is true of a state or run exactly if it is true of the moved one. May say no if it is
/// too hard to tell.
pub(super) fn preserves(system: &System, permutation: &Permutation, question: &Question) -> bool {
    if let Question::Linear(formula) = question
        && question.is_about_steps()
    {
        let (system, formula, _) = system.remembering(formula);
        return preserves(&system, permutation, &Question::Linear(formula));
    }
    let action = Action::new(system);
    let agree = || {
        let stage = Stage::new(system, None)?;
        functions_agree(&stage, &stage.moved(&action, permutation)?, question)
    };
    within_room(agree()).flatten().unwrap_or_else(|| match question {
        Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => {
            same_everywhere(&action, permutation, it)
        }
        Question::Automaton(_, conditions) => {
            conditions.iter().all(|condition| same_everywhere(&action, permutation, condition))
        }
        _ => false,
    })
}

/// None if the question cannot be compared like this.
fn functions_agree<'s>(
    stage: &Stage<'s>,
    moved: &Moved<'_, 's>,
    question: &'s Question,
) -> Out<Option<bool>> {
    let mut shapes = Shapes { stage, moved, executor: stage.executor(), known: HashMap::new() };
    let both = match question {
        Question::Invariant(condition) | Question::Reachable(condition) => Some(shapes.atom(condition)?),
        Question::Bound(expr) => Some(shapes.number(expr)?),
        // The automaton sees the conditions one by one.
        Question::Automaton(_, conditions) => {
            let atoms = conditions.iter().map(|condition| shapes.atom(condition));
            Some(of("automaton", atoms.collect::<Out<_>>()?))
        }
        Question::Fault | Question::Deadlock => return Ok(Some(true)),
        Question::Sequence(sequence) => Some(shapes.sequence(sequence)?),
        Question::Linear(formula) | Question::Branching(formula) => shapes.formula(formula)?,
    };
    Ok(both.map(|(here, there)| here == there))
}

fn of(operator: &str, parts: Vec<Both>) -> Both {
    let (here, there) = parts.into_iter().unzip();
    (Shape::Of(operator.to_string(), here), Shape::Of(operator.to_string(), there))
}

fn each(kind: bool, parts: Vec<Both>) -> Both {
    let (mut here, mut there): (Vec<Shape>, Vec<Shape>) = parts.into_iter().unzip();
    here.sort();
    there.sort();
    (Shape::Each(kind, here), Shape::Each(kind, there))
}

struct Shapes<'a, 's> {
    stage: &'a Stage<'s>,
    moved: &'a Moved<'a, 's>,
    executor: Executor<'s, 'a>,
    /// The numbers of functions.
    known: HashMap<Vec<Set>, usize>,
}

impl<'s> Shapes<'_, 's> {
    /// A function of states that some sets describe.
    fn function(&mut self, sets: Vec<Set>) -> Out<Both> {
        let proper = &self.stage.proper;
        let here = sets.iter().map(|set| set.and(proper)).collect::<Out<_>>()?;
        let there = sets.iter().map(|set| self.moved.pulled_back(set)?.and(proper)).collect::<Out<_>>()?;
        let mut number = |function: Vec<Set>| {
            let next = self.known.len();
            Shape::Atom(*self.known.entry(function).or_insert(next))
        };
        Ok((number(here), number(there)))
    }

    fn atom(&mut self, condition: &'s Expr) -> Out<Both> {
        let (holds, fault) = self.executor.condition(condition)?;
        self.function(vec![holds, fault])
    }

    fn number(&mut self, expr: &'s Expr) -> Out<Both> {
        let value = self.executor.scalar(expr)?;
        let digits = value.int.digits().iter().map(|digit| digit.minus(&value.fault));
        let sets = digits.chain([Ok(value.fault.clone())]).collect::<Out<_>>()?;
        self.function(sets)
    }

    fn sequence(&mut self, sequence: &'s Sequence) -> Out<Both> {
        let mut all = |operator: &str, parts: &'s [Sequence]| {
            let parts: Out<_> = parts.iter().map(|part| self.sequence(part)).collect();
            Ok(of(operator, parts?))
        };
        match sequence {
            Sequence::State(condition) => self.atom(condition),
            Sequence::Then(parts) => all("then", parts),
            Sequence::Or(parts) => all("or", parts),
            Sequence::Repeat(body, least, most) => {
                all(&format!("{least} to {most:?}"), std::slice::from_ref(&**body))
            }
        }
    }

    fn formula(&mut self, formula: &'s Formula) -> Out<Option<Both>> {
        let mut all = |operator: &str, parts: &'s [Formula]| {
            let parts: Out<Option<_>> = parts.iter().map(|part| self.formula(part)).collect();
            Ok(parts?.map(|parts| of(operator, parts)))
        };
        match formula {
            Formula::Atom(condition, _) => self.atom(condition).map(Some),
            // It reads what only a system that remembers has.
            Formula::Step(_) => Ok(None),
            Formula::Not(inner) => all("not", std::slice::from_ref(&**inner)),
            Formula::And(sides) => all("and", &**sides),
            Formula::Or(sides) => all("or", &**sides),
            Formula::Implies(sides) => all("implies", &**sides),
            Formula::Iff(sides) => all("iff", &**sides),
            Formula::Forall(binder, body) => self.instances(true, binder, body),
            Formula::Exists(binder, body) => self.instances(false, binder, body),
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

    fn instances(&mut self, kind: bool, binder: &'s Binder, body: &'s Formula) -> Out<Option<Both>> {
        if !matches!(binder.domain, Domain::Type) {
            return Ok(None);
        }
        let size = self.stage.system.types.size(binder.ty).expect("a bound type is numbered");
        let instance = |number: u64| {
            self.executor.bind(binder, number);
            self.formula(body)
        };
        let parts: Out<Option<Vec<Both>>> = (0..size).map(instance).collect();
        Ok(parts?.map(|parts| each(kind, parts)))
    }
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
