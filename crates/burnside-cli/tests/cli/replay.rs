//! `burnside check --trace` and `burnside replay`.

use super::*;

const FAULTY: &str = "\
const N = 2;
symmetric P[N];
var x: 0..5 = any;
process P[p] {
    var mine: 0..9;
    rule up(k: 1..2) when x < 5 { mine = mine + k; x = x + k; }
}
invariant small = x < 4;
invariant odd = 10 / (3 - x) > 0;
reachable far = x == 5;
never twice { x == 1; x == 2; 6 / (4 - x) > 0 }
";

/// Checks a model and gives the paths of model and trace.
fn recorded(name: &str, text: &str, options: &[&str]) -> (String, String) {
    let model = model_file(&format!("{name}.orb"), text);
    let trace = scratch(&format!("{name}.json")).to_str().unwrap().to_string();
    let ran = run(&[&["check", &model, "--quiet", "--trace", &trace], options].concat());
    assert!(ran.code == 0 || ran.code == 1, "{}", ran.err);
    (model, trace)
}

/// Changes a recorded trace.
fn change(trace: &str, change: impl FnOnce(&mut Value)) {
    let mut document = serde_json::from_str(&std::fs::read_to_string(trace).unwrap()).unwrap();
    change(&mut document);
    std::fs::write(trace, document.to_string()).unwrap();
}

#[test]
fn what_is_recorded_replays() {
    let (model, trace) = recorded("replays", FAULTY, &["--set", "N=3"]);
    let ran = run(&["replay", &model, &trace]).code(0);
    for property in ["faults", "deadlock", "small", "odd", "far", "twice"] {
        assert!(ran.out.contains(&format!("✓ {property}: replays")), "{property}: {}", ran.out);
    }
    run(&["replay", &model, &trace, "--set", "N=3"]).code(0);
    let ran = run(&["replay", &model, &trace, "--set", "N=2"]).code(2);
    assert!(ran.err.contains("was made with N=3"), "{}", ran.err);
}

#[test]
fn all_examples_replay() {
    for (i, path) in examples().iter().enumerate() {
        let trace = scratch(&format!("example_{i}.json")).to_str().unwrap().to_string();
        run(&["check", path, "--quiet", "--max-states", "20000", "--trace", &trace]);
        let ran = run(&["replay", path, &trace]).code(0);
        assert!(ran.out.contains("replays") || ran.out.contains("no runs"), "{path}: {}", ran.out);
    }
}

/// A name, a way to wreck a trace, and what is said about it.
type Wreck = (&'static str, fn(&mut Value), &'static str);

#[test]
fn what_is_not_a_run_does_not() {
    let wrong: [Wreck; 6] = [
        ("state", |t| t["traces"][0]["evidence"]["states"][1]["mine[0]"] = "7".into(), "does not lead to"),
        (
            "initial",
            |t| t["traces"][0]["evidence"]["states"][0]["mine[0]"] = "7".into(),
            "not an initial state",
        ),
        ("rule", |t| t["traces"][0]["evidence"]["steps"][0]["rule"] = "down".into(), "is not enabled"),
        ("argument", |t| t["traces"][0]["evidence"]["steps"][0]["arguments"]["k"] = "1".into(), "step 1"),
        ("claim", |t| t["traces"][0]["property"] = "legal".into(), "does not show what is claimed"),
        ("property", |t| t["traces"][0]["property"] = "other".into(), "no invariant property"),
    ];
    let text = "symmetric P[2];\nprocess P[p] { var mine: 0..9; rule up(k: 1..2) when mine < 8 { mine = mine + k; } }\n\
                deadlock allowed;\ninvariant small = mine[P#0] < 4;\ninvariant legal = mine[P#0] < 10;\n";
    for (name, wreck, message) in wrong {
        let (model, trace) = recorded(&format!("wrong_{name}"), text, &["-p", "small"]);
        run(&["replay", &model, &trace]).code(0);
        change(&trace, wreck);
        let ran = run(&["replay", &model, &trace]).code(1);
        assert!(ran.out.contains(message), "{name}: {}", ran.out);
    }
}

#[test]
fn a_changed_model_is_noticed() {
    let (_, trace) = recorded("changed", FAULTY, &[]);
    let other = model_file("changed_other.orb", &FAULTY.replace("mine + k", "mine + 2"));
    run(&["replay", &other, &trace]).code(1);
    let other = model_file("changed_more.orb", &FAULTY.replace("var x", "var y: bool;\nvar x"));
    assert!(run(&["replay", &other, &trace]).code(1).out.contains("`y`"));
}

#[test]
fn malformed_files() {
    let model = model_file("malformed.orb", FAULTY);
    for (i, text) in ["", "{", "[]", "{}", r#"{"format":1}"#, r#"{"format":1,"traces":[{}],"constants":{}}"#]
        .iter()
        .enumerate()
    {
        let file = model_file(&format!("malformed_{i}.json"), text);
        let ran = run(&["replay", &model, &file]).code(2);
        assert!(ran.err.contains("is not a trace file"), "{}", ran.err);
    }
    run(&["replay", &model, "no_such_file.json"]).code(2);
    run(&["replay", "-", "-"]).code(2);
}

#[test]
fn altered_changes_do_not_replay() {
    let climb = "var x: 0..2; process P { rule up when x < 2 { x = x + 1; } } deadlock allowed; reachable top = x == 2;";
    let (model, trace) = recorded("altered_changes", climb, &[]);
    change(&trace, |document| {
        let text = document.to_string().replacen("\"changes\":{", "\"changes\":{\"nothing\":\"0\",", 1);
        *document = serde_json::from_str(&text).unwrap();
    });
    let ran = run(&["replay", &model, &trace]).code(1);
    assert!(ran.out.contains("the recorded changes are not those between its states"), "{}", ran.out);
}
