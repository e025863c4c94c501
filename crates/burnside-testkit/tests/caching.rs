//! The interpreter with a memory takes the steps of the plain one, which is the definition: the same labels,
//! states, faults and weights in the same order, with every filter. On random models of all kinds, on all
//! examples and small models, and on nets. The tables are made before the first state, and every state is
//! looked at several times, so that what was kept is used.

use burnside::{LoadOptions, Model};
use burnside_explicit::Canoniser;
use burnside_limits::Interrupt;
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::generate::{Flavor, generate};
use burnside_testkit::nets::{random_net, write_pnml};
use burnside_ts::{
    CachingInterpreter, Fault, Interpreter, Label, Machine, Outcome, RuleId, Sink, StepFilter, System, Walk,
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

/// Compares in some reachable states: how many steps were looked at, and how many faults.
fn compare(system: &System, most: usize) -> (usize, usize) {
    let mut plain = Interpreter::new(system);
    let mut caching = CachingInterpreter::after(system, Interrupt::default(), 0);
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
            let found = steps(&mut caching, &state, filter, Some(256));
            assert_eq!(found, (expected, walk), "{filter:?} in {state:?}");
        }
        let (expected, walk) = steps(&mut plain, &state, StepFilter::All, Some(2));
        assert_eq!(steps(&mut caching, &state, StepFilter::All, Some(2)), (expected, walk));
        let (all, _) = steps(&mut caching, &state, StepFilter::All, Some(256));
        compared += all.len();
        faults += all.iter().filter(|step| step.outcome.is_err()).count();
        open.extend(all.into_iter().filter_map(|step| step.outcome.ok()));
    }
    (compared, faults)
}

#[test]
fn random_models() {
    let (mut compared, mut faults) = (0, 0);
    for seed in seeds(0..150) {
        for flavor in [Flavor::Any, Flavor::Symmetric, Flavor::Liveness, Flavor::Indexed] {
            let text = generate(seed, flavor).text;
            let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
            let more = compare(&model.system, 40);
            (compared, faults) = (compared + more.0, faults + more.1);
        }
    }
    println!("{compared} steps compared, {faults} faults among them");
    assert!(!are_all() || compared > 50_000 && faults > 1_000, "{compared} {faults}");
}

/// Models in a folder, in so many states each.
fn folder(name: &str, ending: &str, most: usize) -> usize {
    let folder = format!("{}/../../{name}", env!("CARGO_MANIFEST_DIR"));
    let mut compared = 0;
    for path in files(folder, ending) {
        let text = std::fs::read_to_string(&path).expect("readable");
        // Some are there to be refused.
        let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
        compared += compare(&model.system, most).0;
    }
    println!("{compared} steps compared");
    compared
}

#[test]
fn examples() {
    let compared = folder("examples", "orb", 500);
    assert!(!are_all() || compared > 20_000, "{compared}");
}

#[test]
fn small_models() {
    let compared = folder("tests/models", "orb", 60);
    assert!(!are_all() || compared > 2_000, "{compared}");
}

#[test]
fn nets() {
    let mut compared = 0;
    for seed in seeds(0..300) {
        let text = write_pnml(&random_net(seed, seed % 2 == 0));
        let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
        compared += compare(&model.system, 40).0;
    }
    println!("{compared} steps compared");
    assert!(!are_all() || compared > 1_500, "{compared}");
}
