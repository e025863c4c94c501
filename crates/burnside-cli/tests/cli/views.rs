//! What is shown of runs, and what never happens.

use super::*;
use serde_json::json;

#[test]
fn the_whole_state_after_each_step() {
    let ran = run(&["check", "examples/mutex.orb", "-p", "entry", "--show", "full"]).code(1);
    let first = "1  Proc[0]  try\n           busy        = false\n           phase[0]    = trying\n";
    assert!(ran.out.contains(first), "{}", ran.out);
    assert!(!ran.out.contains('→'), "{}", ran.out);
}

#[test]
fn some_variables_only() {
    for vars in ["busy", "busy,busy"] {
        let ran = run(&["check", "examples/mutex.orb", "-p", "entry", "--vars", vars]).code(1);
        assert!(ran.out.contains("busy: false → true"), "{}", ran.out);
        assert!(ran.out.contains("try    changes nothing of this"), "{}", ran.out);
        assert!(!ran.out.contains("phase[0]:"), "{}", ran.out);
    }
    let ran = run(&[
        "simulate",
        "examples/mutex.orb",
        "--seed",
        "3",
        "--steps",
        "4",
        "--vars",
        "phase[1],Proc.phase",
    ]);
    assert!(!ran.code(0).out.contains("busy"));
    let document = run(&["check", "examples/mutex.orb", "-p", "entry", "--vars", "busy", "--format", "json"]);
    let document = document.code(1).json();
    let state = &result(&document, "entry")["evidence"]["states"][0];
    assert_eq!(state.as_object().unwrap().len(), 4);
}

#[test]
fn names_that_there_are_not() {
    for command in [&["check"][..], &["simulate", "--seed", "1"]] {
        let ran = run(&[command, &["examples/mutex.orb", "--vars", "busy,bussy"]].concat()).code(2);
        assert!(ran.err.contains("the model has no variable `bussy`"), "{}", ran.err);
        assert!(ran.err.contains("did you mean `busy`? its variables are `busy`, `phase`"), "{}", ran.err);
    }
    let ran = run(&["check", "examples/mutex.orb", "--show", "all"]).code(2);
    assert!(ran.err.contains("changes, full"), "{}", ran.err);
}

#[test]
fn recorded_runs_are_shown() {
    let trace = scratch("views.json").to_str().unwrap().to_string();
    run(&["check", "examples/mutex.orb", "-p", "entry", "--trace", &trace]).code(1);
    let plain = run(&["replay", "examples/mutex.orb", &trace]).code(0);
    assert_eq!(plain.out.lines().count(), 1);
    let shown = run(&["replay", "examples/mutex.orb", &trace, "--show", "changes", "--vars", "busy"]).code(0);
    assert!(shown.out.starts_with(&plain.out), "{}", shown.out);
    assert!(shown.out.contains("\nentry\n  0  initial state\n       busy = false\n"), "{}", shown.out);
    let wrong = run(&["replay", "examples/mutex.orb", &trace, "--vars", "x"]).code(2);
    assert!(wrong.err.contains("the model has no variable `x`"), "{}", wrong.err);
}

#[test]
fn a_loop_is_explained() {
    let check = ["check", "examples/mutex.orb", "-p", "entry"];
    let ran = run(&check).code(1);
    assert!(ran.out.contains("in the loop Proc[2] moves, again and again\n"), "{}", ran.out);
    assert!(ran.out.contains("Proc[0..1] wait for ever: they could move at times"), "{}", ran.out);
    let document = run(&[&check[..], &["--format", "json"]].concat()).code(1).json();
    let explanation = &result(&document, "entry")["evidence"]["explanation"];
    assert_eq!(explanation["moves"], json!(["Proc[2]"]));
    let first = json!({"process": "Proc[0]", "why": "sometimes_enabled", "enabled": 2, "disabled": 4, "fairness": "weak"});
    assert_eq!(explanation["waits"][0], first);
}

#[test]
fn members_are_in_order_whatever_finds_the_run() {
    for options in [&["--engine", "symbolic"][..], &["--symmetry", "fast"], &["--method", "two-phase"]] {
        let ran = run(&[&["check", "examples/resource.orb", "-p", "access"], options].concat()).code(1);
        let indices: Vec<&str> = ran
            .out
            .lines()
            .filter(|line| line.contains(" request  "))
            .filter_map(|line| line.split("Client[").nth(1)?.split(']').next())
            .collect();
        assert_eq!(indices[..2], ["0", "1"], "{}", ran.out);
        assert!(ran.out.contains("false of this run, c = Client#0"), "{}", ran.out);
    }
}

#[test]
fn what_never_happens() {
    let text = "
        enum Msg { ping, pong }
        var x: 0..3;
        var m: Msg;
        process P {
            rule up when x < 2 {
                if x > 5 { x = 0; } else { x = x + 1; }
                match m { ping => { m = ping; } pong => { x = 0; } }
            }
            rule down when x == 2 { x = 0; }
            rule lost when x >= 0 && x == 3 { if m == pong { x = 0; } }
        }
        invariant a = x == 3 -> m == ping;
        ltl b = G (m == pong -> F x == 0);
    ";
    let model = scratch("coverage.orb").to_str().unwrap().to_string();
    std::fs::write(&model, text).unwrap();
    for engine in ["explicit", "symbolic"] {
        let ran = run(&["check", &model, "--coverage", "--engine", engine]).code(0);
        let told = ran.out.split("what never happens:").nth(1).unwrap_or_else(|| panic!("{}", ran.out));
        let lines: Vec<String> =
            told.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let expected = [
            "line 7:20 `x > 5` is never true",
            "line 8:59 `x = 0;` is a case that never happens",
            "line 11:13 P.lost never fires: `x == 3` is never true there, line 11",
            "line 13:23 `x == 3` is assumed and never true",
            "line 14:20 `m == pong` is assumed and never true",
        ];
        assert_eq!(lines, expected);
    }
    let document = run(&["check", &model, "--coverage", "--format", "json"]).code(0).json();
    let coverage = &document["coverage"];
    assert_eq!((&coverage["rules"], &coverage["visited"]), (&json!(3), &json!(3)));
    assert_eq!(coverage["gaps"].as_array().unwrap().len(), 5);
    assert_eq!(coverage["gaps"][2]["guard"]["text"], "x == 3");
    let limited = run(&["check", &model, "--coverage", "--max-states", "2", "-p", "a"]);
    assert!(limited.out.contains("coverage is unknown: "), "{}", limited.out);
    let without = run(&["check", &model, "--format", "json"]).code(0).json();
    assert_eq!(without["coverage"], json!(null));
}
