//! Trees of runs that show why `ctl` properties are true or false: how they look, what is recorded, and what
//! replays.

use super::*;
use serde_json::json;

const LOCK: &str = "\
symmetric C[2];
enum Phase { idle, waiting, inside }
fair process C[c] {
    var phase: Phase = idle;
    rule ask when phase == idle { phase = waiting; }
    rule enter when phase == waiting && forall d: C { phase[d] != inside } { phase = inside; }
    rule leave when phase == inside { phase = idle; }
}
ctl served = forall c: C { AG (phase[c] == waiting -> AF phase[c] == inside) };
ctl turns = exists c: C { E[phase[c] == idle U EX phase[c] == inside] };
ctl always = EG (exists c: C { EX phase[c] == waiting });
ctl apart = AG !(phase[C#0] == inside && phase[C#1] == inside);
ctl together = EF (phase[C#0] == inside && phase[C#1] == inside);
";

/// The lines about one property.
fn section(text: &str, property: &str) -> String {
    let of_it = |line: &&str| line.split_whitespace().nth(1) == Some(property);
    let mut lines = text.lines().skip_while(|line| !of_it(line)).skip(1);
    let lines: Vec<_> = lines.by_ref().take_while(|line| line.starts_with("      ")).collect();
    lines.join("\n")
}

#[test]
fn a_tree_is_indented_under_its_steps() {
    let ran = run_with(&["check", "-"], LOCK).code(1);
    let expected = "
      false in this initial state: forall c: C { AG (phase[c] == waiting -> AF phase[c] == inside) }
        false in this initial state, c = C#0: AG (phase[c] == waiting -> AF phase[c] == inside)
          0  initial state
               phase[0..1] = idle
          1  C[0]  ask  phase[0]: idle → waiting
             false here, c = C#0: phase[c] == waiting -> AF phase[c] == inside
               true here, c = C#0: phase[c] == waiting
               false here, c = C#0: AF phase[c] == inside
                 0  from here
                 loop:
                 1  C[1]  ask    phase[1]: idle → waiting
                 2  C[1]  enter  phase[1]: waiting → inside
                 3  C[1]  leave  phase[1]: inside → idle
                    back to where this run begins
                 false all along, c = C#0: phase[c] == inside
                 why this run is fair, in the loop:
                   C[0]  weak  disabled after step 2
                   C[1]  weak  taken in step 1
          from here on a fair run goes on";
    assert_eq!(section(&ran.out, "served"), expected[1..]);
    let expected = "
      false in this initial state: EF (phase[C#0] == inside && phase[C#1] == inside)
        on no run from here
        0  initial state
             phase[0..1] = idle";
    assert_eq!(section(&ran.out, "together"), expected[1..]);
    assert_eq!(section(&ran.out, "turns"), "", "what holds is shown only if asked for");
}

#[test]
fn what_holds_is_shown_as_a_witness() {
    let shown = run_with(&["check", "-", "--witness", "--fairness", "none"], LOCK).code(1).out;
    let turns = section(&shown, "turns");
    assert!(
        turns.starts_with("      true in this initial state: exists c: C { E[phase[c] == idle U EX"),
        "{turns}"
    );
    assert!(turns.contains("true here, c = C#0: EX phase[c] == inside"), "{turns}");
    assert!(!turns.contains("fair"), "{turns}");
    let always = section(&shown, "always");
    assert!(always.contains("true here, c = C#1: EX phase[c] == waiting"), "{always}");
    assert_eq!(section(&shown, "apart"), "", "nothing finite shows it");
}

#[test]
fn deadlock_paths() {
    let model = "var x: 0..1; deadlock allowed; process P { rule go when x == 0 { x = 1; } }
        ctl next = AG EX true; ctl stays = EF EG x == 1; ctl ends = EF !(EX true);";
    let verdicts = |options: &[&str]| {
        let document = check_text(model, options).json();
        ["next", "stays", "ends"].map(|name| result(&document, name)["verdict"].as_str().unwrap().to_string())
    };
    assert_eq!(verdicts(&[]), ["holds", "holds", "violated"]);
    assert_eq!(verdicts(&["--deadlock-paths", "maximal"]), ["violated", "holds", "holds"]);
    for paths in ["stutter", "maximal"] {
        let (model, trace) = record("deadlock_paths", model, &["--deadlock-paths", paths]);
        assert_eq!(document(&trace)["traces"][0]["evidence"]["deadlock_paths"], paths);
        let ran = run(&["replay", &model, &trace, "--deadlock-paths", paths]).code(0);
        assert!(ran.out.contains("✓ stays: replays (2 runs)"), "{}", ran.out);
        // A path that ends is not one that stays.
        let other = if paths == "stutter" { "maximal" } else { "stutter" };
        let ran = run(&["replay", &model, &trace, "--deadlock-paths", other]).code(3);
        let only = format!("only with `--deadlock-paths {paths}`, as the file was made");
        assert!(ran.out.contains("? stays: replays (2 runs)") && ran.out.contains(&only), "{}", ran.out);
        let mut changed = document(&trace);
        changed["deadlock_paths"] = other.into();
        for trace in changed["traces"].as_array_mut().unwrap() {
            trace["evidence"]["deadlock_paths"] = other.into();
        }
        std::fs::write(&trace, changed.to_string()).unwrap();
        let ran = run(&["replay", &model, &trace]).code(1);
        assert!(ran.out.contains("✗ stays: in `EG x == 1`: "), "{}", ran.out);
    }
}

#[test]
fn all_algorithms_show_something() {
    for algorithm in ["new", "emc", "almc", "naive"] {
        let ran = check_text(LOCK, &["--ctl-algorithm", algorithm]).code(1);
        let served = result(&ran.json(), "served").clone();
        assert_eq!((&served["verdict"], &served["method"]), (&"violated".into(), &algorithm.into()));
        assert_eq!(served["evidence"]["kind"], "tree");
    }
}

#[test]
fn documents_have_the_whole() {
    let document = check_text(LOCK, &[]).code(1).json();
    assert_eq!(result(&document, "apart")["evidence"], Value::Null, "nothing finite shows it");
    let evidence = &result(&document, "served")["evidence"];
    assert_eq!((&evidence["kind"], &evidence["fair"]), (&"tree".into(), &true.into()));
    assert_eq!(evidence["state"], json!({"phase[0]": "idle", "phase[1]": "idle"}));
    let root = &evidence["tree"];
    assert_eq!(
        (&root["shown_by"], &root["number"], &root["truth"]),
        (&"value".into(), &0.into(), &false.into())
    );
    let run = &root["children"][0];
    assert_eq!(run["formula"], "AG (phase[c] == waiting -> AF phase[c] == inside)");
    assert_eq!((&run["values"], &run["shown_by"]), (&json!({"c": "C#0"}), &"run".into()));
    assert_eq!(run["run"]["kind"], "lasso", "it is the beginning of a fair run");
    let [place] = &run["children"].as_array().unwrap()[..] else { panic!("{run}") };
    assert_eq!((&place["position"], &place["operand"]), (&1.into(), &0.into()));
    assert_eq!((&place["shown_by"], &place["children"][1]["side"]), (&"sides".into(), &1.into()));
    let inner = &place["children"][1]["run"];
    assert_eq!((&inner["kind"], &inner["loop_start"]), (&"lasso".into(), &0.into()));
    assert_eq!(inner["states"][0], run["run"]["states"][1]);
}

fn record(name: &str, text: &str, options: &[&str]) -> (String, String) {
    let model = model_file(&format!("tree_{name}.orb"), text);
    let trace = scratch(&format!("tree_{name}.json")).to_str().unwrap().to_string();
    let ran = run(&[&["check", &model, "--quiet", "--trace", &trace], options].concat());
    assert!(ran.code == 0 || ran.code == 1, "{}", ran.err);
    (model, trace)
}

fn document(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The ways to all values in a document that are neither lists nor objects.
fn leaves(value: &Value, way: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| {
                leaves(member, &format!("{way}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            });
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| leaves(item, &format!("{way}/{i}"), found));
        }
        _ => found.push(way.to_string()),
    }
}

#[test]
fn recorded_trees_replay_and_changes_are_seen() {
    let (model, trace) = record("changes", LOCK, &[]);
    let ran = run(&["replay", &model, &trace]).code(3);
    let left_out = "? together: replays (0 runs), but what it says about all runs";
    for shown in ["✓ served: replays (2 runs)", "✓ turns: replays (2 runs)", left_out] {
        assert!(ran.out.contains(shown), "{}", ran.out);
    }
    let valid = document(&trace);
    let traces = valid["traces"].as_array().unwrap();
    let i = traces.iter().position(|trace| trace["property"] == "served").unwrap();
    let mut ways = Vec::new();
    leaves(&valid["traces"][i], "", &mut ways);
    assert!(ways.len() > 100);
    for way in ways {
        let mut changed = json!({"burnside": "0.1.0", "format": 1, "constants": {}, "traces": [traces[i]]});
        let leaf = changed["traces"][0].pointer_mut(&way).unwrap();
        *leaf = match &*leaf {
            Value::Bool(value) => (!*value).into(),
            Value::Number(number) => (number.as_u64().unwrap() + 1).into(),
            Value::String(text) => format!("{text}x").into(),
            _ => 0.into(),
        };
        std::fs::write(&trace, changed.to_string()).unwrap();
        let ran = run(&["replay", &model, &trace]);
        assert!(ran.code == 1 || ran.code == 2, "{way}: {} {}{}", ran.code, ran.out, ran.err);
    }
}

/// A tree with too many runs says where one is left out, and replays.
#[test]
fn runs_are_left_out_of_large_trees() {
    let model = "var x: 0..2299; process P { rule up { x = (x + 1) % 2300; } } ctl goes = EG (EX true);";
    let model = model_file("long_tree.orb", model);
    let trace = model.replace("long_tree.orb", "long_tree.json");
    let document = run(&["check", &model, "--format", "json", "--trace", &trace]).code(0).json();
    let tree = &result(&document, "goes")["evidence"]["tree"];
    let children = tree["children"].as_array().unwrap();
    let count = |how: &str| children.iter().filter(|child| child["shown_by"] == how).count();
    assert_eq!((&tree["shown_by"], children.len()), (&json!("run"), 2300));
    assert_eq!((count("run"), count("omitted")), (1999, 301));
    assert_eq!(children[1999]["shown_by"], "omitted");
    run(&["replay", &model, &trace]).code(0);
}
