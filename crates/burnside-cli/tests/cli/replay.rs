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
        let ran = run(&["replay", path, &trace]);
        let ran = if ran.out.contains('?') { ran.code(3) } else { ran.code(0) };
        assert!(ran.out.contains("replays") || ran.out.contains("no runs"), "{path}: {}", ran.out);
        // Only what a tree says about all fair runs is not checked.
        let open = ran.out.lines().filter(|line| line.starts_with('?'));
        open.for_each(|line| assert!(line.ends_with("or leaves out, was not checked"), "{path}: {line}"));
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

/// Two processes, one of which a fair run may not forget, and something of every kind to show.
const CLAIMS: &str = "\
const MAX = 2;
symmetric P[2];
var x: 0..MAX;
var z: bool = any;
var y: 0..1;
fair process P[p] {
    var on: bool;
    rule flip { on = !on; }
}
process Idle { rule idle { y = y; } }
process Up { rule up when x < MAX { x = x + 1; } rule break when x == MAX && y == 0 { y = x / (x - 2); } }
invariant small = x < 2;
reachable top = x == 2;
never twice { x == 1; x == 2 }
ltl rises = F x == MAX;
ltl flips = F exists p: P { on[p] };
ctl comes = EF x == 2;
ctl starts = !z && EX true;
ctl stays = AG EF x == 1;
ctl low = E[x < 2 U on[P#0]];
";

/// Alters the entry of a property and replays it. The model, the options of the check, the property and what
/// is done to its entry.
fn altered(name: &str, options: &[&str], property: &str, alter: impl FnOnce(&mut Value)) -> Ran {
    let (model, trace) = recorded(&format!("altered_{name}"), CLAIMS, options);
    change(&trace, |document| {
        let traces = document["traces"].as_array_mut().unwrap();
        traces.retain(|trace| trace["property"] == property);
        alter(&mut traces[0]);
    });
    run(&["replay", &model, &trace])
}

#[test]
fn the_verdict_is_checked() {
    for property in ["faults", "small", "top", "twice", "rises", "comes", "starts"] {
        assert!(altered("as_is", &[], property, |_| {}).code != 1, "{property}");
        let other = |trace: &mut Value| {
            trace["verdict"] = if trace["verdict"] == "holds" { "violated" } else { "holds" }.into();
        };
        altered("verdict", &[], property, other).code(1);
        altered("unknown", &[], property, |trace| trace["verdict"] = "unknown".into()).code(1);
        altered("no_verdict", &[], property, |trace| {
            trace.as_object_mut().unwrap().remove("verdict");
        })
        .code(2);
    }
}

#[test]
fn names_and_kinds_are_checked() {
    for (property, other) in [("faults", "small"), ("small", "faults"), ("top", "small"), ("rises", "flips")]
    {
        altered("name", &[], property, |trace| trace["property"] = other.into()).code(1);
    }
    for (property, kind) in
        [("small", "reachable"), ("top", "invariant"), ("faults", "deadlock"), ("rises", "ctl")]
    {
        altered("kind", &[], property, |trace| trace["kind"] = kind.into()).code(1);
    }
    altered("value", &[], "small", |trace| trace["value"] = 2.into()).code(1);
    altered("expression", &[], "faults", |trace| trace["evidence"]["fault"]["expression"] = "x".into())
        .code(1);
}

/// An unfair run shows nothing about a fair model, whatever it says about itself.
#[test]
fn unfair_runs_are_told_apart() {
    let ran = altered("unfair", &["--fairness", "none"], "flips", |_| {}).code(3);
    assert!(
        ran.out.contains("? flips: replays (") && ran.out.contains("only with `--fairness none`"),
        "{}",
        ran.out
    );
    let (model, trace) = recorded("unfair_claimed", CLAIMS, &["--fairness", "none", "-p", "flips"]);
    change(&trace, |document| document["fairness"] = "model".into());
    assert!(run(&["replay", &model, &trace]).code(1).out.contains("not fair to P["));
    change(&trace, |document| drop(document.as_object_mut().unwrap().remove("fairness")));
    assert!(run(&["replay", &model, &trace]).code(1).out.contains("not fair to P["));
}

#[test]
fn what_paths_are_is_checked() {
    altered("tree_fair", &[], "low", |trace| trace["evidence"]["fair"] = false.into()).code(1);
    altered("tree_paths", &[], "low", |trace| trace["evidence"]["deadlock_paths"] = "maximal".into()).code(1);
    let (model, trace) = recorded("tree_both", CLAIMS, &["--fairness", "none", "-p", "low"]);
    let ran = run(&["replay", &model, &trace]);
    assert!(ran.code == 3 && ran.out.contains("only with `--fairness none`"), "{}", ran.out);
    assert!(run(&["replay", &model, &trace, "--fairness", "none"]).code(0).out.contains("✓ low"));
}

/// A tree is about one initial state. What holds does so in all of them.
#[test]
fn other_initial_states_are_looked_at() {
    let text = "var z: bool = any; var x: 0..2; process P { rule up when z { x = 2; } rule stay { x = x; } } ctl up = EX x == 2;";
    let (model, trace) = recorded("initial", text, &["-p", "up"]);
    assert!(run(&["replay", &model, &trace]).code(0).out.contains("✓ up"), "it is violated where z is false");
    let witness = model_file("initial_one.orb", &text.replace("any", "true"));
    let one = scratch("initial_one.json").to_str().unwrap().to_string();
    run(&["check", &witness, "-q", "--trace", &one, "-p", "up"]).code(0);
    run(&["replay", &witness, &one]).code(0);
    let ran = run(&["replay", &model, &one]).code(1);
    assert!(ran.out.contains("✗ up: it is not true in all initial states"), "{}", ran.out);
    // With fairness that is not looked at.
    let fair = model_file("initial_fair.orb", &text.replace("process", "fair process"));
    assert!(run(&["replay", &fair, &one]).code != 0);
}

#[test]
fn constants_that_are_not_those_of_the_model_are_told() {
    let (model, trace) = recorded("constants", CLAIMS, &["--set", "MAX=3", "-p", "top"]);
    let said = "with constants of the file: MAX = 3 (not 2)";
    assert!(run(&["replay", &model, &trace]).code(0).out.starts_with(said));
    assert!(!run(&["replay", &model, &trace, "--set", "MAX=3"]).code(0).out.contains("constants"));
    change(&trace, |document| document["constants"] = serde_json::json!({}));
    run(&["replay", &model, &trace]).code(2);
}

#[test]
fn keys_stand_once_and_are_known() {
    let (model, trace) = recorded("keys", CLAIMS, &["-p", "top"]);
    let text = std::fs::read_to_string(&trace).unwrap();
    let wrecked = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        run(&["replay", &model, &model_file("keys_wrecked.json", &text.replacen(from, to, 1))])
    };
    for key in ["format", "constants", "traces", "verdict", "kind", "states", "steps", "process", "x", "MAX"]
    {
        let key = format!("\"{key}\":");
        let ran = wrecked(&key, &format!("{key} 0, {key}"));
        assert!(ran.code == 1 || ran.code == 2, "{key}: {}{}", ran.out, ran.err);
    }
    let ran = wrecked("\"verdict\"", "\"proof\": [{}], \"verdict\"").code(3);
    assert!(ran.out.contains("? keys that are not known were not looked at: `proof`"), "{}", ran.out);
    for end in 1..12 {
        let cut = &text[..text.len() - end * text.len() / 12];
        run(&["replay", &model, &model_file("keys_cut.json", cut)]).code(2);
    }
    run(&["replay", &model, &model_file("keys_more.json", &format!("{text}{{}}"))]).code(2);
}

/// Keys in another order mean the same.
#[test]
fn the_order_of_keys_does_not_matter() {
    fn reversed(value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                members.iter().rev().map(|(key, member)| (key.clone(), reversed(member))).collect()
            }
            Value::Array(items) => items.iter().map(reversed).collect(),
            other => other.clone(),
        }
    }
    let (model, trace) = recorded("order", CLAIMS, &[]);
    let expected = run(&["replay", &model, &trace]);
    change(&trace, |document| *document = reversed(document));
    let ran = run(&["replay", &model, &trace]);
    assert_eq!((ran.code, ran.out), (expected.code, expected.out));
}

/// A file is replayed while it is read: the memory that this takes is a small part of it.
#[test]
#[cfg(target_os = "linux")]
fn long_runs_take_little_memory() {
    let text = |n: usize| {
        format!(
            "const N = {n}; var x: 0..N; var name: 0..1; \
             process Up {{ rule up when x < N {{ x = x + 1; }} }} deadlock allowed; reachable top = x == N;"
        )
    };
    let within = |kilobytes: u64, (model, trace): &(String, String)| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_burnside"), "replay", model, trace]);
        // Each thread reserves 64 MB for its heap if it can, and the next one fails for the want of that.
        command.env("MALLOC_ARENA_MAX", "1");
        Ran::new(command.output().expect("there is a shell"))
    };
    let (short, long) = (recorded("short", &text(3), &[]), recorded("long", &text(30000), &[]));
    // The address space that a short run needs (as the machine will have it), and a quarter of the long file.
    let least = (10..500).map(|step| step * 4_000).find(|&least| within(least, &short).code == 0);
    let more = std::fs::metadata(&long.1).unwrap().len() / 4096;
    let ran = within(least.expect("a short run is replayed in 2 GB") + more, &long).code(0);
    assert!(ran.out.contains("✓ top: replays (30,000 steps)"), "{}", ran.out);
}
