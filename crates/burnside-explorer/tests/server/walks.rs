//! Walking by requests is walking by the machine.

use crate::common::{Client, Example, examples, input, root, serve, serve_text};
use burnside::LoadOptions;
use burnside_explorer::Bounds;
use burnside_report::decode::TraceDecoder;
use burnside_report::json;
use burnside_trace::Step;
use burnside_ts::{Label, Outcome, System};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;

/// A packed state.
type State = Box<[u64]>;

/// What the machine says of a state: steps in its order, as a document tells them.
fn enabled(decoder: &TraceDecoder<'_>, system: &System, state: &[u64]) -> (Vec<Value>, Vec<Option<State>>) {
    let (mut told, mut after) = (Vec::new(), Vec::new());
    system.machine().successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
        let mut step = json::step(&decoder.step(&Step::from(label)));
        step["index"] = json!(told.len());
        let next = match outcome {
            Outcome::State(next) => Some(next),
            Outcome::Fault(_) => None,
        };
        let changes = next.map_or_else(Vec::new, |next| decoder.changes(state, next));
        let changes = changes.into_iter().map(|change| (change.cell, json!(change.after)));
        step["changes"] = json::object(changes);
        told.push(step);
        after.push(next.map(Into::into));
        ControlFlow::Continue(())
    });
    (told, after)
}

/// Walks from path to path, breadth first, up to some states: how many there are, and how many steps.
fn walk(client: &mut Client, example: &Example, most: usize) -> (usize, usize) {
    let input = input(&example.name, &example.text, &example.load);
    let (system, decoder) = (&*input.model.system, TraceDecoder::new(&input.model));
    let mut first: Vec<State> = Vec::new();
    system.machine().initial(&mut |outcome| {
        if let Outcome::State(state) = outcome
            && !first.iter().any(|known| **known == *state)
        {
            first.push(state.into());
        }
        ControlFlow::Continue(())
    });
    let starts = client.get("api/walk");
    assert_eq!(starts["initial_total"], first.len(), "{}", example.name);
    let mut seen: HashMap<State, ()> = first.iter().map(|state| (state.clone(), ())).collect();
    let mut open: VecDeque<(String, State)> =
        first.into_iter().enumerate().map(|(i, state)| (i.to_string(), state)).collect();
    let (mut states, mut steps) = (0, 0);
    while let Some((path, state)) = open.pop_front() {
        if states == most {
            break;
        }
        states += 1;
        let told = client.get(&format!("api/walk?path={path}"));
        assert_eq!(told["state"], json::cells_part(&decoder, &state).value(), "{} {path}", example.name);
        let (expected, after) = enabled(&decoder, system, &state);
        let mut shown: Vec<Value> = told["enabled"].as_array().expect("a list").clone();
        shown.iter_mut().for_each(|step| _ = step.as_object_mut().expect("an object").remove("fault"));
        let page = expected.len().min(200);
        assert_eq!(shown, expected[..page], "{} {path}", example.name);
        assert_eq!(told["enabled_total"], expected.len());
        assert_eq!(told["deadlock"], expected.is_empty());
        steps += expected.len();
        for (i, next) in after.into_iter().enumerate() {
            if let Some(next) = next.filter(|next| seen.insert(next.clone(), ()).is_none()) {
                open.push_back((format!("{path}.{i}"), next));
            }
        }
    }
    (states, steps)
}

#[test]
fn small_examples_are_walked_through() {
    let mut whole = 0;
    for example in examples() {
        let mut client = serve(&example.name, &example.text, example.load.clone(), Bounds::default());
        match example.states <= 60 {
            true => {
                let counts = walk(&mut client, &example, usize::MAX);
                assert_eq!(counts, (example.states, example.transitions), "{}", example.name);
                whole += 1;
            }
            false => _ = walk(&mut client, &example, 12),
        }
    }
    assert!(whole >= 8, "only {whole} examples are small");
}

#[test]
fn nets_are_walked_through() {
    let text = std::fs::read_to_string(root().join("examples/heljanko_mutex.pnml")).expect("readable");
    let load = LoadOptions::new();
    let example = Example { name: "heljanko_mutex.pnml".into(), text, load, states: 0, transitions: 0 };
    let mut client = serve(&example.name, &example.text, example.load.clone(), Bounds::default());
    assert_eq!(client.get("api/model")["is_net"], true);
    assert_eq!(walk(&mut client, &example, usize::MAX).0, 9);
}

const COUNTER: &str = "
    var x: 0..2; var y: bool = any;
    process P { rule up { x = x + 1; } rule flip when x == 0 { y = !y; } }
    invariant small = x < 2;
    reachable top = x == 2;
    ltl ever = F y;
";

#[test]
fn a_path_says_where_one_is() {
    let mut client = serve_text(COUNTER);
    let starts = client.get("api/walk");
    assert_eq!(starts["initial"][1], json!({"index": 1, "state": {"x": "0", "y": "true"}}));
    let told = client.get("api/walk?path=1.0.0");
    assert_eq!(told["path"], json!([1, 0, 0]));
    assert_eq!(told["state"], json!({"x": "2", "y": "true"}));
    assert_eq!(told["step"], json!({"process": "P", "rule": "up", "arguments": {}}));
    assert_eq!(told["changes"], json!(["x"]));
    assert_eq!(told["trail"].as_array().map(Vec::len), Some(2));
    assert_eq!(told["truths"], json!({"small": false, "top": true}));
    let fault = told["enabled"][0]["fault"].as_str().expect("it faults");
    assert!(fault.contains("outside 0..2"), "{fault}");
    assert_eq!((&told["enabled_total"], &told["deadlock"]), (&json!(1), &json!(false)));
    let start = client.get("api/walk?path=0");
    assert_eq!((&start["step"], &start["changes"], &start["trail"]), (&Value::Null, &json!([]), &json!([])));
}

#[test]
fn a_path_that_does_not_exist_is_refused() {
    let mut client = serve_text(COUNTER);
    for (path, status, part) in [
        ("2", 404, "no initial state 2"),
        ("0.7", 404, "step 1 of the path does not exist: the state has 2 steps"),
        ("0.0.0.0", 404, "step 3 of the path does not exist: it faults"),
        ("0.0.0.0.0", 404, "step 3 "),
        ("x", 400, "list of numbers"),
        ("0.", 400, "list of numbers"),
        ("0..1", 400, "list of numbers"),
        ("-1", 400, "list of numbers"),
        ("0.99999999999999999999", 400, "list of numbers"),
    ] {
        let answer = client.ask(&format!("api/walk?path={path}"));
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.error().contains(part), "{path}: {}", answer.error());
    }
    assert_eq!(client.ask("api/walk?path=0&from=x").status, 400);
}

#[test]
fn long_paths_are_followed() {
    let mut client = serve_text("var x: bool; process P { rule flip { x = !x; } }");
    let path = format!("0{}", ".0".repeat(30_001));
    assert_eq!(path.len(), 60_003);
    let told = client.get(&format!("api/walk?path={path}"));
    assert_eq!(told["state"], json!({"x": "true"}));
    assert_eq!(told["trail"].as_array().map(Vec::len), Some(200));
    assert_eq!(client.ask(&format!("api/walk?path=0{}", ".0".repeat(40_000))).status, 414);
}
