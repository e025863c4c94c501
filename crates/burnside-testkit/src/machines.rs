//! One machine against another: the same labels, states, faults and weights in the same order, with every
//! filter, and the same values of conditions. The plain interpreter is the definition.
//!
//! Entry points: [`compare`], and what it is done with: [`random_models`], [`folder`], [`random_nets`]. Every
//! state is looked at several times, so that what a machine kept is used.

use crate::cases::{files, seeds, text};
use crate::generate::{Flavor, generate};
use crate::nets::{random_net, write_pnml};
use burnside::{LoadOptions, Model};
use burnside_explicit::Canoniser;
use burnside_ts::{
    Expr, Fault, Interpreter, Label, Machine, Outcome, Question, RuleId, Sink, StepFilter, System, Walk,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// What a sink is told.
#[derive(Debug, PartialEq)]
struct Step {
    rule: RuleId,
    args: Vec<u64>,
    weight: u64,
    outcome: Result<Vec<u64>, Fault>,
}

#[derive(Default)]
struct Steps {
    list: Vec<Step>,
    weight: u64,
    /// After so many steps it has had enough.
    most: Option<usize>,
}

impl Sink for Steps {
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        let outcome = match outcome {
            Outcome::State(state) => Ok(state.to_vec()),
            Outcome::Fault(fault) => Err(fault),
        };
        // A fault in a guard has no weight of its own.
        let weight = if outcome.is_ok() { self.weight } else { 0 };
        self.list.push(Step { rule: label.rule, args: label.args.to_vec(), weight, outcome });
        match self.most {
            Some(most) if self.list.len() >= most => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn weigh(&mut self, instances: u64) {
        self.weight = instances;
    }
}

fn steps(
    machine: &mut dyn Machine<'_>,
    state: &[u64],
    filter: StepFilter<'_>,
    most: Option<usize>,
) -> (Vec<Step>, Walk) {
    let mut sink = Steps { most, ..Steps::default() };
    let walk = machine.successors_filtered(state, filter, &mut sink);
    (sink.list, walk)
}

/// Compares a machine with the plain interpreter in some reachable states, with every filter: how many steps
/// were looked at, and how many faults.
pub fn compare<'s>(machine: &mut dyn Machine<'s>, most: usize) -> (usize, usize) {
    let system = machine.system();
    let conditions = conditions(system);
    let mut plain = Interpreter::new(system);
    let mut canoniser = Canoniser::new(system, &system.symmetry, true);
    let (mut open, mut seen, mut faults) = (Vec::new(), HashSet::new(), 0);
    plain.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            open.push(state.to_vec());
        }
        if open.len() < 64 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut compared = 0;
    while let Some(state) = open.pop().filter(|_| seen.len() < most) {
        if !seen.insert(state.clone()) {
            continue;
        }
        let classes = canoniser.classes(&state);
        for filter in [StepFilter::All, StepFilter::Executors(&classes), StepFilter::Distinct(&classes)] {
            let (expected, walk) = steps(&mut plain, &state, filter, Some(256));
            let found = steps(machine, &state, filter, Some(256));
            assert_eq!(found, (expected, walk), "{filter:?} in {state:?}");
        }
        for condition in &conditions {
            let (expected, found) = (plain.value(condition, &state), machine.value(condition, &state));
            assert_eq!(found, expected, "{condition:?} in {state:?}");
        }
        let (expected, walk) = steps(&mut plain, &state, StepFilter::All, Some(2));
        assert_eq!(steps(machine, &state, StepFilter::All, Some(2)), (expected, walk));
        let (all, _) = steps(machine, &state, StepFilter::All, Some(256));
        compared += all.len();
        faults += all.iter().filter(|step| step.outcome.is_err()).count();
        open.extend(all.into_iter().filter_map(|step| step.outcome.ok()));
    }
    (compared, faults)
}

/// The conditions of all properties that have no free names.
fn conditions(system: &System) -> Vec<&Expr> {
    let mut all = Vec::new();
    for property in &system.properties {
        match &property.question {
            Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => all.push(it),
            Question::Automaton(_, atoms) => all.extend(atoms),
            _ => {}
        }
    }
    all
}

/// Compares machines of a kind, in so many states each of random models of all kinds: steps and faults.
pub fn random_models(
    most: usize,
    compared: &mut dyn FnMut(&System, usize) -> (usize, usize),
) -> (usize, usize) {
    let mut all = (0, 0);
    for seed in seeds(0..150) {
        for flavor in [Flavor::Any, Flavor::Symmetric, Flavor::Liveness, Flavor::Indexed] {
            let text = generate(seed, flavor).text;
            let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
            let more = compared(&model.system, most);
            all = (all.0 + more.0, all.1 + more.1);
        }
    }
    println!("{} steps compared, {} faults among them", all.0, all.1);
    all
}

/// The same with the models in a folder.
pub fn folder(name: &str, most: usize, compared: &mut dyn FnMut(&System, usize) -> (usize, usize)) -> usize {
    let folder = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    let mut all = 0;
    for path in files(folder, "orb") {
        let text = text(&path);
        // Some are there to be refused.
        let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
        all += compared(&model.system, most).0;
    }
    println!("{all} steps compared");
    all
}

/// The same with random nets.
pub fn random_nets(most: usize, compared: &mut dyn FnMut(&System, usize) -> (usize, usize)) -> usize {
    let mut all = 0;
    for seed in seeds(0..300) {
        let text = write_pnml(&random_net(seed, seed % 2 == 0));
        let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
        all += compared(&model.system, most).0;
    }
    println!("{all} steps compared");
    all
}
