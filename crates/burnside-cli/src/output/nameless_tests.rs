//! Models whose array, rules or both have no names, as nets have: how they look, and whether what is written
//! can be read back.

use crate::args::Color;
use crate::commands::replay::Judge;
use crate::exit::Exit;
use crate::input::{Input, Source, load_source};
use crate::output::text::Printer;
use crate::output::view::View;
use crate::output::{Console, Paint};
use crate::recorded::walker::Walker;
use crate::recorded::{self, Assumed, Stream};
use burnside::{LoadOptions, Options, Report, Verdict, check};
use burnside_report::decode::TraceDecoder;
use burnside_report::json as documents;
use burnside_trace::TreeOptions;
use burnside_ts::{Expr, Property, Question};
use serde_json::{Value, json};

/// A token that goes around three places, and may also stay.
const NET: &str = "
enum Place { p1, p2, p3 }
var m: array[Place] of bool;
process t1 { fair rule a when m[p1] { m[p1] = false; m[p2] = true; } }
process t2 { fair rule b when m[p2] { m[p2] = false; m[p3] = true; } }
process t3 { fair rule c(again: bool) when m[p3] { if !again { m[p3] = false; m[p1] = true; } } }
init { m[p1] = true; }
invariant never_third = !m[p3];
ltl settles = F G !m[p3];
";

fn nameless() -> Input {
    let source = Source { path: "net.orb".into(), text: NET.to_string().into() };
    let mut input = load_source(source, &LoadOptions::new()).unwrap_or_else(|_| panic!("the model is good"));
    let system = std::sync::Arc::make_mut(&mut input.model.system);
    system.vars[0].name.clear();
    system.rules.iter_mut().for_each(|rule| rule.name.clear());
    input
}

fn checked(input: &Input) -> Report {
    let report = check(&input.model, &Options::default(), &mut ()).unwrap();
    let verdict = |name: &str| &report.results.iter().find(|it| it.property == name).unwrap().verdict;
    assert_eq!((verdict("never_third"), verdict("settles")), (&Verdict::Violated, &Verdict::Violated));
    report
}

/// What is said about a trace file.
fn replayed(input: &Input, document: &[u8]) -> (Vec<String>, Exit) {
    let mut answer = None;
    let read = recorded::read(&mut Stream::new("trace.json", document), |head, stream| {
        let walker = Walker::new(&input.model);
        let assumed = Assumed { fair: head.fair, maximal: head.maximal == Some(true) };
        let judge = Judge { walker: &walker, asked: assumed, made: assumed, net: false };
        answer = Some(judge.entries(&Console::new(Color::Never), stream)?);
        Ok(())
    });
    read.unwrap_or_else(|_| panic!("it was just written"));
    answer.expect("there are traces")
}

#[test]
fn what_is_recorded_can_be_read_back() {
    let input = nameless();
    let report = checked(&input);
    let mut out = Vec::new();
    documents::traces(&input, &TraceDecoder::new(&input.model), &report, TreeOptions::default())
        .write(&mut out)
        .unwrap();
    let document: Value = serde_json::from_slice(&out).unwrap();
    let run = &document["traces"][0]["evidence"];
    assert_eq!(run["states"][0], json!({"p1": "true", "p2": "false", "p3": "false"}));
    let first = json!({
        "process": "t1", "rule": "", "arguments": {}, "changes": {"p1": "false", "p2": "true"},
    });
    assert_eq!(run["steps"][0], first);
    let units = document["traces"][1]["evidence"]["fairness"].as_array().unwrap();
    let names: Vec<_> = units.iter().map(|unit| unit["unit"].as_str().unwrap()).collect();
    assert_eq!(names, ["t1", "t2", "t3(false)", "t3(true)"]);
    let (lines, exit) = replayed(&input, &out);
    assert_eq!((lines.len(), exit), (2, Exit::Good), "{lines:?}");
}

#[test]
fn runs_name_each_transition_once() {
    let input = nameless();
    let report = checked(&input);
    let mut out = Vec::new();
    let paint = Paint::PLAIN;
    let printer =
        Printer { input: &input, paint, view: View::CHANGES, witness: false, paths: TreeOptions::default() };
    printer.report(&mut out, &report).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("  1  t1  p1: true → false\n"), "{text}");
    assert!(text.contains("  3  t3(again = false)  p1"), "{text}");
    assert!(!text.contains("t1."), "{text}");
}

#[test]
fn bounds_are_shown_with_their_values() {
    let mut input = nameless();
    let Question::Invariant(condition) = &input.model.system.properties[0].question else {
        panic!("an invariant")
    };
    let sum = Expr::Offset(Box::new(condition.clone()), 6);
    let symmetry = input.model.system.symmetry.clone();
    let (name, text) = ("most".to_string(), "6 + !m[p3]".to_string());
    std::sync::Arc::make_mut(&mut input.model.system).properties =
        vec![Property { name, text, question: Question::Bound(sum), symmetry, named: None }];
    let report = check(&input.model, &Options::default(), &mut ()).unwrap();
    let mut out = Vec::new();
    let paint = Paint::PLAIN;
    let printer =
        Printer { input: &input, paint, view: View::CHANGES, witness: true, paths: TreeOptions::default() };
    printer.report(&mut out, &report).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("  ✓ most = 7  bound  holds  3 states"), "{text}");
    assert!(text.contains("reached in an initial state\n") && text.contains("7 here: 6 + !m[p3]"), "{text}");
    let mut out = Vec::new();
    documents::traces(&input, &TraceDecoder::new(&input.model), &report, TreeOptions::default())
        .write(&mut out)
        .unwrap();
    assert_eq!(replayed(&input, &out), (vec!["✓ most: replays (0 steps)".to_string()], Exit::Good));
    for (wrong, message) in
        [("\"value\": 6,", "does not show what is claimed"), ("", "a value is for a bound")]
    {
        let text = String::from_utf8(out.clone()).unwrap().replace("\"value\": 7,", wrong);
        let (lines, exit) = replayed(&input, text.as_bytes());
        assert!(exit == Exit::Violated && lines[0].contains(message), "{lines:?}");
    }
}

/// A run to a smaller value is not one to the greatest.
#[test]
fn a_bound_is_the_greatest_value() {
    let mut input = nameless();
    let Question::Invariant(condition) = &input.model.system.properties[0].question else {
        panic!("an invariant")
    };
    let third = Expr::Offset(Box::new(Expr::Not(Box::new(condition.clone()))), 0);
    let symmetry = input.model.system.symmetry.clone();
    let (name, text) = ("most".to_string(), "m[p3]".to_string());
    std::sync::Arc::make_mut(&mut input.model.system).properties =
        vec![Property { name, text, question: Question::Bound(third), symmetry, named: None }];
    let state = json!({"p1": "true", "p2": "false", "p3": "false"});
    let run = json!({
        "kind": "path", "loop_start": null, "validated": true, "steps": [], "states": [state], "fault": null,
    });
    let entry = json!({"property": "most", "kind": "bound", "verdict": "holds", "value": 0, "evidence": run});
    let document = json!({"format": 1, "constants": {}, "traces": [entry]}).to_string();
    let (lines, exit) = replayed(&input, document.as_bytes());
    assert_eq!((&lines[0][..], exit), ("✗ most: the greatest value is 1, not 0", Exit::Violated));
}
