//! Steps that are looked for by where they lead are those that a look at all steps finds.

use burnside::{LoadOptions, Model};
use burnside_testkit::cases::{are_all, files, seeds};
use burnside_testkit::generate::{Flavor, generate};
use burnside_ts::{Goal, Interpreter, Label, Machine, Outcome, System};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

type State = Box<[u64]>;
/// A rule with its arguments.
type Instance = (u32, Box<[u64]>);

fn instance(label: Label<'_>) -> Instance {
    (label.rule.0, label.args.into())
}

/// All initial states; none if there are too many.
fn initial(system: &System, goal: Option<&Goal>) -> Option<BTreeSet<State>> {
    let (mut found, mut outcomes) = (BTreeSet::new(), 0);
    let mut sink = |outcome: Outcome<'_>| {
        outcomes += 1;
        if let Outcome::State(state) = outcome {
            found.insert(State::from(state));
        }
        if outcomes < 2_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    match goal {
        Some(goal) => Interpreter::new(system).initial_to(goal, &mut sink),
        None => Interpreter::new(system).initial(&mut sink),
    };
    (outcomes < 2_000).then_some(found)
}

/// All steps to states; none if there are too many outcomes.
fn steps(machine: &mut Interpreter<'_>, state: &[u64]) -> Option<BTreeSet<(Instance, State)>> {
    let (mut found, mut outcomes) = (BTreeSet::new(), 0);
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        outcomes += 1;
        if let Outcome::State(state) = outcome {
            found.insert((instance(label), State::from(state)));
        }
        if outcomes < 2_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (outcomes < 2_000).then_some(found)
}

fn steps_to(machine: &mut Interpreter<'_>, state: &[u64], goal: &Goal) -> BTreeSet<(Instance, State)> {
    let mut found = BTreeSet::new();
    machine.successors_to(state, goal, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let Outcome::State(state) = outcome else { panic!("{outcome:?} is no state") };
        found.insert((instance(label), State::from(state)));
        ControlFlow::Continue(())
    });
    found
}

/// Compares what is found from some reachable states. The answer is how many goals were looked for.
fn compare(system: &System, most: usize) -> usize {
    let Some(first) = initial(system, None) else { return 0 };
    let mut compared = 0;
    for state in first.iter().take(20) {
        let found = initial(system, Some(&Goal::state(state)));
        assert_eq!(found, Some(BTreeSet::from([state.clone()])));
        compared += 1;
    }
    let (mut seen, mut open): (BTreeSet<State>, Vec<State>) = (first.clone(), first.into_iter().collect());
    let mut machine = Interpreter::new(system);
    while let Some(state) = open.pop() {
        let Some(all) = steps(&mut machine, &state) else { return compared };
        let mut enabled = BTreeSet::new();
        machine.instances(&state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(_) = outcome {
                assert!(enabled.insert(instance(label)), "an instance is pushed once");
            }
            ControlFlow::Continue(())
        });
        assert_eq!(enabled, all.iter().map(|(instance, _)| instance.clone()).collect());
        // Real successors, and states that may be none.
        let others = seen.iter().take(5).cloned().chain([state.clone()]);
        let goals: BTreeSet<State> = all.iter().map(|(_, after)| after.clone()).chain(others).collect();
        for (i, goal) in goals.iter().take(30).enumerate() {
            let expected: BTreeSet<_> = all.iter().filter(|(_, after)| after == goal).cloned().collect();
            assert_eq!(steps_to(&mut machine, &state, &Goal::state(goal)), expected);
            // Any part of it, by chance.
            let chance =
                |word: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(word as u32);
            let part: Vec<u64> = (0..goal.len()).map(chance).collect();
            let agrees =
                |after: &State| after.iter().zip(goal).zip(&part).all(|((a, b), part)| (a ^ b) & part == 0);
            let expected: BTreeSet<_> = all.iter().filter(|(_, after)| agrees(after)).cloned().collect();
            assert_eq!(steps_to(&mut machine, &state, &Goal::part(goal, &part)), expected);
            compared += 2;
        }
        for (_, after) in all {
            if seen.len() < most && seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    compared
}

#[test]
fn goals_of_random_models() {
    let mut compared = 0;
    for flavor in [Flavor::Any, Flavor::Symmetric, Flavor::Liveness] {
        for seed in seeds(0..150) {
            let model = Model::load(&generate(seed, flavor).text, &LoadOptions::new())
                .model
                .expect("the model is right");
            compared += compare(&model.system, 30);
        }
    }
    assert!(!are_all() || compared > 50_000, "{compared}");
}

#[test]
fn goals_of_the_examples() {
    for path in files("../../examples", "orb") {
        let text = std::fs::read_to_string(&path).unwrap();
        let model = Model::load(&text, &LoadOptions::new()).model.expect("the example is right");
        assert!(compare(&model.system, 40) > 0, "{}", path.display());
    }
}

/// 10^40 outcomes of one step, of which one is wanted.
#[test]
fn many_choices_are_no_obstacle() {
    let text = "
        const N = 40;
        symmetric Cell[N];
        process Cell[c] {
            var value: 0..8;
            var touched: bool;
        }
        process Clock {
            rule turn {
                for c: Cell {
                    let flip: bool = any;
                    if flip {
                        value[c] = any;
                        touched[c] = true;
                    }
                }
            }
        }
    ";
    let system = Model::load(text, &LoadOptions::new()).model.expect("the model is right").into_system();
    let mut machine = Interpreter::new(&system);
    let first = initial(&system, None).unwrap().pop_first().unwrap();
    // All ones that are a value: 8 and true.
    let mut last = first.clone();
    for leaf in system.leaves() {
        let value = if leaf.name.starts_with("value") { 8 } else { 1 };
        let mut words = [&last[..], &[0, 0]].concat();
        burnside_ts::bits::write(&mut words, leaf.offset, system.types.width(leaf.ty), value);
        last.copy_from_slice(&words[..last.len()]);
    }
    assert_eq!(steps_to(&mut machine, &first, &Goal::state(&last)).len(), 1);
    // What is touched stays so.
    assert_eq!(steps_to(&mut machine, &last, &Goal::state(&first)).len(), 0);
}
