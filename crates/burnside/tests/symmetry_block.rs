//! Symmetry blocks: what is proved is used and changes no verdict, what is wrong is refused with the rule that it breaks.

#![allow(missing_docs)]

use burnside::lang::diagnostic::{Diagnostic, Severity};
use burnside::ts::{Action, Label, Machine, Outcome, bits};
use burnside::{Model, Options, Report, Symmetry, check};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

fn load(source: &str) -> (Option<Model>, Vec<Diagnostic>) {
    let loaded = Model::load(source, &[]);
    (loaded.model, loaded.diagnostics)
}

/// A model of which nothing is wrong.
fn fine(source: &str) -> Model {
    let (model, diagnostics) = load(source);
    assert!(diagnostics.is_empty(), "{source}\n{diagnostics:#?}");
    model.unwrap()
}

fn run(model: &Model, symmetry: Symmetry) -> Report {
    check(model, &Options { symmetry, ..Options::default() }, &mut ()).unwrap()
}

fn verdicts(report: &Report) -> BTreeMap<String, String> {
    report.results.iter().map(|r| (r.property.clone(), format!("{:?}", r.verdict))).collect()
}

/// All states that can be reached, by the interpreter.
fn reachable(model: &Model) -> BTreeSet<Vec<u64>> {
    let mut machine = Machine::new(&model.system);
    let mut todo = Vec::new();
    machine.initial(|outcome| {
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

/// Everything that must agree: verdicts in all modes, orbit sizes, and the steps of moved states. The number of states and of orbits.
fn agree(source: &str) -> (usize, u64) {
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
    let with = run(&model, Symmetry::Auto);
    assert_eq!(with.unreduced.map(|n| n.to_string()), Some(all.len().to_string()), "{source}");
    (all.len(), with.stats.states)
}

type Step = (u32, Vec<u64>, Option<Vec<u64>>);

fn steps(machine: &mut Machine<'_>, state: &[u64]) -> BTreeSet<Step> {
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

/// Every generator that is used maps every step of every reachable state to a step.
fn equivariant(model: &Model, states: &BTreeSet<Vec<u64>>) {
    let action = Action::new(&model.system);
    let mut machine = Machine::new(&model.system);
    for motion in &model.system.symmetry.generators {
        let moved = |state: &[u64]| {
            let padded = [state, &[0; bits::SPARE]].concat();
            let mut image = vec![0; padded.len()];
            action.state(motion, &padded, &mut image);
            image.truncate(state.len());
            image
        };
        for state in states {
            let image = moved(state);
            assert!(states.contains(&image));
            let expected: BTreeSet<Step> = steps(&mut machine, state)
                .into_iter()
                .map(|(rule, args, target)| {
                    let mut to = args.clone();
                    action.arguments(motion, burnside::ts::RuleId(rule), &args, &mut to);
                    (rule, to, target.map(|target| moved(&target)))
                })
                .collect();
            assert_eq!(steps(&mut machine, &image), expected);
        }
    }
}

const SQUARE: &str = "
enum Corner { a, b, c, d }
fn right(x: Corner): Corner = if x == a { b } else if x == b { c } else if x == c { d } else { a };
var token: Corner = any;
var lamp: array[Corner] of bool;
process Token {
    rule go { lamp[token] = !lamp[token]; token = right(token); }
}
invariant lit = count x: Corner { lamp[x] } <= 4;
reachable dark = forall x: Corner { lamp[x] };
";

fn with_block(model: &str, block: &str) -> String {
    format!("{model}\nsymmetry {{ {block} }}\n")
}

#[test]
fn a_square_turns() {
    let turned = with_block(SQUARE, "Corner (a b c d);");
    let (states, orbits) = agree(&turned);
    assert_eq!((states, orbits), (64, 16));
}

#[test]
fn a_square_that_goes_around_has_no_mirror() {
    for wrong in ["Corner (a b)(c d);", "Corner (a c);", "Corner (a b);", "Corner (a b c);"] {
        let source = with_block(SQUARE, wrong);
        let (model, diagnostics) = load(&source);
        assert!(model.is_none());
        assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
        assert_eq!((diagnostics[0].code, diagnostics[0].severity), ("not-a-symmetry", Severity::Error));
        assert!(diagnostics[0].message.contains("`Token.go`"), "{diagnostics:#?}");
        println!("{}", diagnostics[0].primary.text);
    }
}
