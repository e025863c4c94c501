//! How great an integer becomes: the same in every symmetry mode as by looking at all states, with a run to a
//! state that has it.

use burnside::{Answer, Kind, Limits, LoadOptions, Model, Options, Stop, Symmetry, Verdict, check};
use burnside_trace::{Claim, End, Mismatch, replay};
use burnside_ts::{Expr, Interpreter, Label, Machine, Outcome, Property, Question};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

const CLIENTS: &str = "
const N = 4;
symmetric Client[N];
enum Phase { idle, waiting, inside }
var phase: array[Client] of Phase;
var last: Client?;
var level: 0..9 = 5;
process Room {
    rule ask(c: Client) when phase[c] == idle { phase[c] = waiting; }
    rule enter(c: Client) when phase[c] == waiting && (count d: Client { phase[d] == inside }) < 2 {
        phase[c] = inside;
        last = c;
    }
    rule leave(c: Client) when phase[c] == inside { phase[c] = idle; }
    rule rise when level < 7 && (forall c: Client { phase[c] != idle }) { level = level + 1; }
}
invariant inside = (count c: Client { phase[c] == inside }) <= 9;
invariant waiting = (count c: Client { phase[c] == waiting }) <= 9;
invariant level_high = level <= 9;
invariant less = (0 - level) <= 9;
invariant pairs = (sum c: Client { count d: Client { phase[c] == inside && phase[d] == waiting } }) <= 99;
invariant first = (sum c: Client where phase[c] != idle { 10 + count d: Client { last == d } }) <= 99;
";

/// The model with the left sides of its invariants as questions.
fn questions(source: &str) -> Model {
    let loaded = Model::load(source, &LoadOptions::new());
    let mut model = loaded.model.unwrap_or_else(|error| panic!("{error}"));
    for Property { question, .. } in &mut Arc::make_mut(&mut model.system).properties {
        let Question::Invariant(Expr::Compare(_, sides)) = question else { panic!("{question:?}") };
        *question = Question::Bound(sides[0].clone());
    }
    model
}

/// The greatest values, by the interpreter.
fn greatest(model: &Model) -> Vec<i64> {
    let mut machine = Interpreter::new(&model.system);
    let mut states = Vec::new();
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            states.push(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    let mut known: HashSet<Vec<u64>> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len() {
        let state = states[next].clone();
        next += 1;
        machine.successors(&state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(target) = outcome
                && known.insert(target.to_vec())
            {
                states.push(target.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    let most = |expr: &Expr| {
        states.iter().map(|state| Interpreter::new(&model.system).value(expr, state).unwrap()).max()
    };
    model.system.properties.iter().map(|property| most(expr(property)).unwrap()).collect()
}

fn expr(property: &Property) -> &Expr {
    let Question::Bound(expr) = &property.question else { panic!("{property:?}") };
    expr
}

fn ask(model: &Model, options: &Options) -> Vec<Answer> {
    let report = check(model, options, &mut ()).unwrap();
    report.results.into_iter().filter(|result| result.kind == Kind::Bound).collect()
}

#[test]
fn values_are_the_same_in_all_modes() {
    let model = questions(CLIENTS);
    let expected = greatest(&model);
    assert_eq!(expected, [2, 4, 7, -5, 4, 44]);
    let steps = |results: &[Answer]| -> Vec<usize> {
        results.iter().map(|result| result.evidence.as_ref().unwrap().steps.len()).collect()
    };
    let plain = ask(&model, &Options { symmetry: Symmetry::None, ..Options::default() });
    for symmetry in [Symmetry::None, Symmetry::Auto, Symmetry::Exact, Symmetry::Fast] {
        let results = ask(&model, &Options { symmetry, ..Options::default() });
        let values: Vec<i64> = results.iter().map(|result| result.value.unwrap()).collect();
        assert_eq!(values, expected, "{symmetry:?}");
        assert!(results.iter().all(|result| result.verdict == Verdict::Holds));
        assert_eq!(steps(&results), steps(&plain), "{symmetry:?}");
        for (result, property) in results.iter().zip(&model.system.properties) {
            let (run, value) = (result.evidence.as_ref().unwrap(), result.value.unwrap());
            let question = &property.question;
            let claim = |value| Claim { question, fair: false, value: Some(value) };
            let replayed = |value| replay(&model.system, run, claim(value));
            assert_eq!(replayed(value), Ok(()));
            assert_eq!(replayed(value + 1), Err(Mismatch::NotShown));
            assert_eq!(replayed(value - 1), Err(Mismatch::NotShown));
        }
    }
    let exact = ask(&model, &Options::default());
    assert!(exact[0].stats.states < plain[0].stats.states);
}

#[test]
fn a_part_of_the_states_says_only_how_great_it_is_so_far() {
    let model = questions(CLIENTS);
    for symmetry in [Symmetry::None, Symmetry::Auto] {
        let limits = Limits { states: Some(5), ..Limits::default() };
        let results = ask(&model, &Options { symmetry, limits, ..Options::default() });
        let waiting = results.iter().find(|result| result.property == "waiting").unwrap();
        assert!(waiting.value.is_none() && waiting.evidence.is_none());
        assert_eq!(waiting.verdict, Verdict::Unknown(Stop::States(5)));
        assert_eq!(waiting.value_so_far, Some(if symmetry == Symmetry::None { 1 } else { 3 }));
    }
}

#[test]
fn a_bound_that_faults_is_violated_there() {
    let source = "
        var x: 0..3; process P { rule up when x < 3 { x = x + 1; } } deadlock allowed;
        invariant quotient = 6 / (2 - x) <= 9; invariant x_itself = x <= 9;";
    let results = ask(&questions(source), &Options::default());
    assert_eq!((&results[0].verdict, results[0].value), (&Verdict::Violated, None));
    let run = results[0].evidence.as_ref().unwrap();
    assert!(matches!(run.end, End::Undefined(_)) && run.steps.len() == 2);
    // The other is still answered from all states.
    assert_eq!((&results[1].verdict, results[1].value), (&Verdict::Holds, Some(3)));
}
