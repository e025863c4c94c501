//! Loading models with symmetry blocks, and everything that must agree about them.

use burnside::{LoadOptions, Model, Options, Report, Symmetry, check};
use burnside_explicit::Canoniser;
use burnside_lang::diagnostic::{Diagnostic, Severity};
use burnside_ts::{Action, Interpreter, Label, Machine, Outcome, Permutation, bits};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

pub fn load(source: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let loaded = Model::load(source, &LoadOptions::new());
    (loaded.model.ok(), loaded.diagnostics)
}

/// A model of which nothing is wrong.
pub fn fine(source: &str) -> Model {
    let (model, diagnostics) = load(source);
    assert!(diagnostics.is_empty(), "{source}\n{diagnostics:#?}");
    model.unwrap()
}

pub fn run(model: &Model, symmetry: Symmetry) -> Report {
    check(model, &Options { symmetry, ..Options::default() }, &mut ()).unwrap()
}

pub fn verdicts(report: &Report) -> BTreeMap<String, String> {
    report.results.iter().map(|r| (r.property.clone(), format!("{:?}", r.verdict))).collect()
}

/// All states that can be reached, by the interpreter.
fn reachable(model: &Model) -> BTreeSet<Vec<u64>> {
    let mut machine = Interpreter::new(&model.system);
    let mut todo = Vec::new();
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            todo.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    let mut seen: BTreeSet<Vec<u64>> = todo.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        machine.successors(&state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(next) = outcome
                && seen.insert(next.to_vec())
            {
                todo.push(next.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    seen
}

/// Everything that must agree: verdicts in all modes, orbit sizes, and the steps of moved states. The number
/// of states and of orbits.
pub fn agree(source: &str) -> (usize, u64) {
    let model = fine(source);
    let none = run(&model, Symmetry::None);
    let all = reachable(&model);
    assert_eq!(none.stats.states, all.len() as u64, "{source}");
    for mode in [Symmetry::Auto, Symmetry::Exact, Symmetry::Fast] {
        let with = run(&model, mode);
        assert_eq!(verdicts(&with), verdicts(&none), "{mode:?}\n{source}");
        for result in with.results.iter().chain(&none.results) {
            if let Some(unreduced) = &result.unreduced {
                assert_eq!(unreduced.to_string(), all.len().to_string(), "{} {mode:?}", result.property);
            }
        }
    }
    equivariant(&model, &all);
    canonical(&model, &all);
    let with = run(&model, Symmetry::Auto);
    assert_eq!(with.unreduced.map(|n| n.to_string()), Some(all.len().to_string()), "{source}");
    (all.len(), with.stats.states)
}

/// A representative is the state moved by the permutation that comes with it, and moved states have the same
/// one.
fn canonical(model: &Model, states: &BTreeSet<Vec<u64>>) {
    let mut canoniser = Canoniser::new(&model.system, &model.system.symmetry, true);
    assert!(canoniser.is_exact());
    let action = Action::new(&model.system);
    for state in states.iter().step_by(states.len() / 200 + 1) {
        let (mut out, mut other) = (state.clone(), state.clone());
        let permutation = canoniser.canonise(state, &mut out);
        assert_eq!(moved(&action, permutation, state), out);
        for generator in &model.system.symmetry.generators {
            let generator = generator.written(&model.system.types);
            canoniser.canonise(&moved(&action, &generator, state), &mut other);
            assert_eq!(out, other);
        }
    }
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

type Step = (u32, Vec<u64>, Option<Vec<u64>>);

fn steps(machine: &mut Interpreter<'_>, state: &[u64]) -> BTreeSet<Step> {
    let mut steps = BTreeSet::new();
    machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let target = match outcome {
            Outcome::State(target) => Some(target.to_vec()),
            Outcome::Fault(_) => None,
        };
        steps.insert((label.rule.0, label.args.to_vec(), target));
        ControlFlow::Continue(())
    });
    steps
}

/// Every generator that is used maps every step of reachable states (all, unless there are many) to a step.
fn equivariant(model: &Model, states: &BTreeSet<Vec<u64>>) {
    let action = Action::new(&model.system);
    let mut machine = Interpreter::new(&model.system);
    for generator in &model.system.symmetry.generators {
        let permutation = &generator.written(&model.system.types);
        let moved = |state: &[u64]| moved(&action, permutation, state);
        for state in states.iter().step_by(states.len() / 1000 + 1) {
            let image = moved(state);
            assert!(states.contains(&image));
            let expected: BTreeSet<Step> = steps(&mut machine, state)
                .into_iter()
                .map(|(rule, args, target)| {
                    let mut to = args.clone();
                    let rule = action.label(permutation, burnside_ts::RuleId(rule), &args, &mut to);
                    (rule.0, to, target.map(|target| moved(&target)))
                })
                .collect();
            assert_eq!(steps(&mut machine, &image), expected);
        }
    }
}

pub fn with_block(model: &str, block: &str) -> String {
    format!("{model}\nsymmetry {{ {block} }}\n")
}

/// A generator that is refused because of a rule (or, with an empty name, of the initial states).
pub fn refused(model: &str, block: &str, rule: &str) {
    let (loaded, diagnostics) = load(&with_block(model, block));
    assert!(loaded.is_none(), "{block}\n{model}");
    let error = diagnostics.iter().find(|d| d.severity == Severity::Error).unwrap();
    assert_eq!(error.code, "not-a-symmetry", "{diagnostics:#?}");
    let expected = match rule {
        "" => "it moves an initial state elsewhere".to_string(),
        rule => format!("it breaks the rule `{rule}`"),
    };
    assert!(error.message.ends_with(&expected), "{block}: {error:#?}");
    assert!(!error.primary.text.is_empty());
}

pub fn order(source: &str) -> String {
    let model = fine(source);
    Canoniser::new(&model.system, &model.system.symmetry, true).order().to_string()
}
