//! What every machine inherits by definition agrees with what the interpreter does in its own way: a double
//! that has only what a machine must have is compared with it, on random models.

use burnside::{LoadOptions, Model};
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::generate::{Flavor, generate};
use burnside_ts::{
    Binder, Expr, Goal, InitialSink, Interpreter, Label, Machine, Outcome, RuleId, Sink, StepFilter, System,
    Undefined, Walk,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Only what a machine must have.
#[derive(Debug)]
struct Double<'s>(Interpreter<'s>);

impl<'s> Machine<'s> for Double<'s> {
    fn system(&self) -> &'s System {
        self.0.system()
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        self.0.initial(sink)
    }

    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk {
        self.0.successors_filtered(state, filter, sink)
    }

    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined> {
        self.0.value_filtered(expr, state, filter)
    }

    fn bind(&mut self, binder: &Binder, number: u64) {
        self.0.bind(binder, number);
    }
}

/// A step as data; a fault by its text.
type Step = (RuleId, Vec<u64>, Result<Vec<u64>, String>);

#[derive(Default)]
struct Steps(Vec<Step>);

impl Sink for Steps {
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        let outcome = match outcome {
            Outcome::State(state) => Ok(state.to_vec()),
            Outcome::Fault(fault) => Err(format!("{fault:?}")),
        };
        self.0.push((label.rule, label.args.to_vec(), outcome));
        ControlFlow::Continue(())
    }
}

fn steps(walk: impl FnOnce(&mut dyn Sink) -> Walk) -> Vec<Step> {
    let mut steps = Steps::default();
    assert_eq!(walk(&mut steps), Walk::Complete);
    steps.0
}

fn initial(machine: &mut dyn Machine<'_>, goal: Option<&Goal>) -> Vec<Vec<u64>> {
    let mut states = Vec::new();
    let mut sink = |outcome: Outcome<'_>| {
        if let Outcome::State(state) = outcome {
            states.push(state.to_vec());
        }
        ControlFlow::Continue(())
    };
    match goal {
        Some(goal) => machine.initial_to(goal, &mut sink),
        None => machine.initial(&mut sink),
    };
    states
}

/// Compares in some reachable states: how many steps were looked at.
fn compare(system: &System, most: usize) -> usize {
    let (mut whole, mut double) = (Interpreter::new(system), Double(Interpreter::new(system)));
    let mut open = initial(&mut whole, None);
    let mut seen: BTreeSet<Vec<u64>> = BTreeSet::new();
    let mut compared = 0;
    for state in &open {
        let goal = Goal::state(state);
        assert_eq!(initial(&mut whole, Some(&goal)), initial(&mut double, Some(&goal)));
    }
    while let Some(state) = open.pop().filter(|_| seen.len() < most) {
        if !seen.insert(state.clone()) {
            continue;
        }
        let all = steps(|sink| whole.successors(&state, sink));
        assert_eq!(all, steps(|sink| double.successors(&state, sink)));
        let counts =
            [whole.count_filtered(&state, StepFilter::All), double.count_filtered(&state, StepFilter::All)];
        assert_eq!(counts, [Some(all.iter().filter(|step| step.2.is_ok()).count() as u64); 2]);
        let instances =
            [steps(|sink| whole.instances(&state, sink)), steps(|sink| double.instances(&state, sink))];
        assert_eq!(instances[0], instances[1]);
        for (rule, args, outcome) in &all {
            let fired = [
                steps(|sink| whole.fire(&state, *rule, args, sink)),
                steps(|sink| double.fire(&state, *rule, args, sink)),
            ];
            assert_eq!(fired[0], fired[1]);
            let Ok(next) = outcome else { continue };
            let goal = Goal::state(next);
            let to = [
                steps(|sink| whole.successors_to(&state, &goal, sink)),
                steps(|sink| double.successors_to(&state, &goal, sink)),
                steps(|sink| whole.fire_to(&state, *rule, args, &goal, sink)),
                steps(|sink| double.fire_to(&state, *rule, args, &goal, sink)),
            ];
            assert_eq!((&to[0], &to[2]), (&to[1], &to[3]));
            compared += 1;
            open.push(next.clone());
        }
    }
    compared
}

#[test]
fn what_is_inherited_agrees_with_the_interpreter() {
    let mut compared = 0;
    for flavor in [Flavor::Any, Flavor::Symmetric, Flavor::Liveness] {
        for seed in seeds(0..60) {
            let Ok(model) = Model::load(&generate(seed, flavor).text, &LoadOptions::new()).model else {
                continue;
            };
            compared += compare(&model.system, 12);
        }
    }
    assert!(!are_all() || compared > 3_000, "{compared}");
}
