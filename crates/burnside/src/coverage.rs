//! What a model never does: rules that never fire, conditions that are never true or never false, premises
//! that are never true.
//!
//! Entry point: [`coverage`]. All reachable states, or one of each orbit, are visited once more, by a walk of
//! its own, whatever engine has checked the properties; in each of them an interpreter that remembers takes
//! all steps and evaluates the conditions of all properties. What is told speaks of places in the text, which
//! a permutation leaves where they are, so it is the same with and without symmetry: quantifiers look at all
//! values then, and the group is one of all properties.

use crate::clock::Clock;
use crate::model::Model;
use crate::probed::Probed;
use burnside_engine::Options;
use burnside_explicit::{Canoniser, visit};
use burnside_lang::diagnostic::Span;
use burnside_lang::lower::{Probe, ProbeRole};
use burnside_limits::{Stop, choices};
use burnside_ts::{
    Binder, Expr, Formula, Interpreter, Label, Machine, Outcome, Question, SeenValues, Sequence, Site,
    Symmetry, System,
};
use std::ops::ControlFlow;

choices! {
    /// What never happens.
    pub enum GapKind {
        #[default]
        Rule = "rule-never-fires": "A rule never fires",
        True = "never-true": "The condition of an `if` is never true",
        False = "never-false": "The condition of an `if` is never false",
        Reached = "never-reached": "A condition is never evaluated",
        Case = "case-never-taken": "A case of a `match` is never taken",
        Premise = "premise-never-true": "What an implication assumes is never true",
    }
}

/// Something that never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What.
    pub kind: GapKind,
    /// The rule that never fires, with its process.
    pub rule: Option<String>,
    /// The condition or the rule, with its place; none if it stands in no text.
    pub site: Option<Site>,
    /// Of a rule that never fires: the part of its guard that is never true where those before it are; none
    /// if there is no such part.
    pub guard: Option<Site>,
}

/// What a model never does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many states, or orbits, were visited.
    pub visited: u32,
    /// How many rules there are.
    pub rules: usize,
    /// How many conditions were watched.
    pub conditions: usize,
    /// What never happens, in the order of the text.
    pub gaps: Vec<Gap>,
}

/// Visits all reachable states and tells what never happens. Conditions are watched if the model was loaded
/// with [`LoadOptions::coverage`](crate::LoadOptions::coverage); otherwise, and if it is no text of ours,
/// only rules are.
///
/// ```
/// use burnside::{LoadOptions, Model, Options};
///
/// let text = "
///     var x: 0..3;
///     process P {
///         rule up when x < 2 { if x > 5 { x = 0; } else { x = x + 1; } }
///         rule down when x == 2 { x = 0; }
///         rule lost when x == 3 { x = 0; }
///     }
///     invariant small = x == 3 -> x < 2;
/// ";
/// let options = LoadOptions { coverage: true, ..LoadOptions::new() };
/// let model = Model::load(text, &options).into_model()?;
/// let coverage = burnside::coverage(&model, &Options::default())?;
/// let told = coverage.gaps.iter().map(|gap| format!("{} {}", gap.kind, gap.site.as_ref().unwrap().text));
/// let told: Vec<String> = told.collect();
/// assert_eq!(told, ["never-true x > 5", "rule-never-fires P.lost", "premise-never-true x == 3"]);
/// assert_eq!(coverage.gaps[1].guard.as_ref().unwrap().text, "x == 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coverage(model: &Model, options: &Options) -> Result<Coverage, Stop> {
    let clock = Clock::start(&options.limits);
    let system = &*model.system;
    let seen = clock.within(|| watch(model, options, &group(system, options)));
    let (visited, fired, seen) = seen.and_then(|seen| seen).map_err(|stop| clock.explain(stop))?;
    let probed = model.probed.as_deref();
    let mut gaps: Vec<(Option<Span>, Gap)> = Vec::new();
    for (rule, _) in fired.iter().enumerate().filter(|(_, fired)| !**fired) {
        gaps.push(unfired(system, probed, &seen, rule));
    }
    if let Some(probed) = probed {
        unmet(probed, &seen, &mut gaps);
    }
    gaps.sort_by_key(|(_, gap)| gap.site.as_ref().map(|site| (site.origin, site.line, site.column)));
    let gaps = gaps.into_iter().map(|(_, gap)| gap).collect();
    let conditions = probed.map_or(0, |probed| probed.probes.len());
    Ok(Coverage { visited, rules: fired.len(), conditions, gaps })
}

/// The permutations that all properties allow.
fn group(system: &System, options: &Options) -> Symmetry {
    let all = system.properties.iter().map(|property| &property.symmetry);
    let group = all.fold(system.symmetry.clone(), |group, own| group.meet(own, &system.types));
    options.allowed(&group, &system.types)
}

/// Visits the states: how many, which rules fire, and what conditions are there.
fn watch(
    model: &Model,
    options: &Options,
    symmetry: &Symmetry,
) -> Result<(u32, Vec<bool>, Vec<SeenValues>), Stop> {
    let system = &*model.system;
    let mut fired = vec![false; system.rules.len()];
    let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(system, symmetry, true));
    let Some(probed) = model.probed.as_deref() else {
        let mut machine = system.machine();
        let visited = visit(system, canoniser, &options.limits, &mut |state| {
            steps(&mut *machine, state, &mut fired);
        })?;
        return Ok((visited, fired, Vec::new()));
    };
    let mut machine = Interpreter::new(&probed.system);
    machine.remember();
    machine.initial(&mut |_| ControlFlow::Continue(()));
    let visited = visit(system, canoniser, &options.limits, &mut |state| {
        steps(&mut machine, state, &mut fired);
        for property in &probed.system.properties {
            ask(&mut machine, &property.question, state);
        }
    })?;
    Ok((visited, fired, machine.remembered().to_vec()))
}

/// Takes all steps from a state.
fn steps(machine: &mut dyn Machine<'_>, state: &[u64], fired: &mut [bool]) {
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        fired[label.rule.index()] |= matches!(outcome, Outcome::State(_));
        ControlFlow::Continue(())
    });
}

/// Evaluates the conditions of a question in a state; those that fault have no value.
fn ask<'s>(machine: &mut Interpreter<'s>, question: &'s Question, state: &[u64]) {
    match question {
        Question::Fault | Question::Deadlock => {}
        Question::Invariant(condition) | Question::Reachable(condition) | Question::Bound(condition) => {
            _ = machine.value(condition, state);
        }
        Question::Sequence(sequence) => ask_sequence(machine, sequence, state),
        Question::Automaton(_, conditions) => {
            conditions.iter().for_each(|condition| _ = machine.holds(condition, state));
        }
        Question::Linear(formula) | Question::Branching(formula) => {
            ask_formula(machine, formula, &mut Vec::new(), state);
        }
    }
}

fn ask_sequence<'s>(machine: &mut Interpreter<'s>, sequence: &'s Sequence, state: &[u64]) {
    match sequence {
        Sequence::State(condition) => _ = machine.holds(condition, state),
        Sequence::Then(parts) | Sequence::Or(parts) => {
            parts.iter().for_each(|part| ask_sequence(machine, part, state));
        }
        Sequence::Repeat(body, ..) => ask_sequence(machine, body, state),
    }
}

/// Evaluates the conditions of a formula for all values of the names in front of them.
fn ask_formula<'s>(
    machine: &mut Interpreter<'s>,
    formula: &'s Formula,
    names: &mut Vec<&'s Binder>,
    state: &[u64],
) {
    match formula {
        Formula::Atom(condition, _) => ask_for_all(machine, condition, names, &mut Vec::new(), state),
        Formula::Forall(binder, body) | Formula::Exists(binder, body) => {
            names.push(binder);
            ask_formula(machine, body, names, state);
            names.pop();
        }
        _ => formula.children().iter().for_each(|inner| ask_formula(machine, inner, names, state)),
    }
}

fn ask_for_all<'s>(
    machine: &mut Interpreter<'s>,
    condition: &'s Expr,
    names: &[&'s Binder],
    values: &mut Vec<u64>,
    state: &[u64],
) {
    let Some(name) = names.get(values.len()) else {
        names.iter().zip(&*values).for_each(|(name, &value)| machine.bind(name, value));
        _ = machine.holds(condition, state);
        return;
    };
    for value in 0..machine.system().types.size(name.ty).unwrap_or(0) {
        values.push(value);
        ask_for_all(machine, condition, names, values, state);
        values.pop();
    }
}

/// What is to be said of a rule that never fires.
fn unfired(
    system: &System,
    probed: Option<&Probed>,
    seen: &[SeenValues],
    rule: usize,
) -> (Option<Span>, Gap) {
    let it = &system.rules[rule];
    let process = &system.process(it.process).name;
    let name = if it.name.is_empty() { process.clone() } else { format!("{process}.{}", it.name) };
    let own = probed.and_then(|probed| probed.rules.get(rule));
    let guard = probed.and_then(|probed| {
        let mut guards = probed.probes.iter().filter(|probe| probe.role == ProbeRole::Guard(rule));
        let never = guards.find(|probe| is_never_true(seen, probe))?;
        Some(probed.system.site(never.site).clone())
    });
    let site = own.map(|(_, site)| site.clone());
    (own.map(|(span, _)| *span), Gap { kind: GapKind::Rule, rule: Some(name), site, guard })
}

/// Whether a condition was evaluated, and false.
fn is_never_true(seen: &[SeenValues], probe: &Probe) -> bool {
    let seen = seen[probe.site.index()];
    seen.false_once && !seen.true_once
}

/// Adds what is to be said of conditions. What lies in something that never happens is not told again.
fn unmet(probed: &Probed, seen: &[SeenValues], gaps: &mut Vec<(Option<Span>, Gap)>) {
    // What lies outside comes first.
    let mut probes: Vec<&Probe> = probed.probes.iter().collect();
    probes.sort_by_key(|probe| (probe.scope.start, std::cmp::Reverse(probe.scope.end)));
    for probe in probes {
        let SeenValues { true_once, false_once } = seen[probe.site.index()];
        let kind = match (probe.role, true_once, false_once) {
            (ProbeRole::Guard(_), ..) | (_, true, true) | (ProbeRole::Premise | ProbeRole::Case, true, _) => {
                continue;
            }
            (ProbeRole::Case, false, _) => GapKind::Case,
            (ProbeRole::Premise, false, true) => GapKind::Premise,
            (ProbeRole::Condition, false, true) => GapKind::True,
            (ProbeRole::Condition, true, false) => GapKind::False,
            (_, false, false) => GapKind::Reached,
        };
        let inside = |scope: &Span| scope.start <= probe.scope.start && probe.scope.end <= scope.end;
        if !(true_once || false_once) && gaps.iter().any(|(scope, _)| scope.as_ref().is_some_and(inside)) {
            continue;
        }
        let site = probed.system.site(probe.site).clone();
        gaps.push((Some(probe.scope), Gap { kind, rule: None, site: Some(site), guard: None }));
    }
}
