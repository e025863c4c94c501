//! The symbolic engine from outside.

use super::*;

const SYMBOLIC: &[&str] = &["--engine", "symbolic"];

/// Two workers of which only one can break the tool, said to be alike.
const NOT_ALIKE: &str = "\
enum Worker { careful, clumsy }
var up: array[Worker] of bool;
var broken: bool;
process W[w: Worker] {
    rule toggle { up[w] = !up[w]; }
    rule smash when w == clumsy && up[w] && !up[careful] { broken = true; }
}
symmetry { Worker (careful clumsy); }
invariant whole = !broken;
invariant sane = broken -> broken;
";

fn example(name: &str) -> String {
    format!("{}/../../examples/{name}.orb", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn states_are_counted_exactly() {
    let counted = |options: &[&str]| {
        let document = run(&[options, SYMBOLIC, &["--format", "json"]].concat()).code(0).json();
        document["stats"]["states_unreduced"].as_str().unwrap().to_string()
    };
    // 2^(N-1) (N + 2)
    let mutex = counted(&["check", &example("mutex"), "--set", "N=40", "-p", "exclusion"]);
    assert_eq!(mutex, (42u64 << 39).to_string());
    let options = ["--set", "N=40", "--set", "LIMIT=1", "--set", "BURST=1", "-p", "exclusive"];
    let arbiter = counted(&[&["check", &example("arbiter")], &options[..]].concat());
    // 2 (5 + 3 N) 5^(N-1)
    assert_eq!(arbiter, (250 * 5u128.pow(39)).to_string());
}

/// What does not fit into a number is exact or not told, never the greatest number that fits.
#[test]
fn counts_that_do_not_fit_are_not_told() {
    let check = ["check", &example("mutex"), "--set", "N=64", "-p", "exclusion"];
    let document = run(&[&check, SYMBOLIC, &["--format", "json"]].concat()).code(0).json();
    assert!(document["stats"]["states"].is_null());
    assert_eq!(document["stats"]["states_unreduced"], (66u128 << 63).to_string());
    let text = run(&[&check[..], SYMBOLIC].concat()).code(0).out;
    assert!(text.contains("608,742,554,432,415,203,328 states"), "{text}");
    let line = run(&[&check[..], SYMBOLIC, &["--format", "junit"]].concat()).code(0).out;
    assert!(!line.contains("18446744073709551615"), "{line}");
}

/// A formula alone: the states of its product are states that were met.
#[test]
fn states_of_a_formula_are_counted() {
    let states = |property: &str, engine: &str| {
        let options = ["-p", property, "--engine", engine, "--symmetry", "none", "--format", "json"];
        let ran = run(&[&["check", &example("mutex_strong")], &options[..]].concat()).code(0);
        ran.json()["stats"]["states"].as_u64().expect("it fits")
    };
    assert_eq!(states("entry", "symbolic"), states("exclusion", "explicit"));
}

#[test]
fn representatives_and_their_states_are_counted() {
    let judged = |method| {
        let options = ["--set", "N=12", "-p", "home", "--fairness", "none", "--symbolic-method", method];
        let rest = [SYMBOLIC, &["--format", "json"]].concat();
        let document = run(&[&["check", &example("mutex")], &options[..], &rest].concat()).code(0).json();
        result(&document, "home").clone()
    };
    let found = ["representatives", "orbit"].map(|method| {
        let result = judged(method);
        let stats = &result["stats"];
        assert_eq!(
            (&stats["states"], &stats["states_unreduced"]),
            (&25.into(), &(14 << 11).to_string().into())
        );
        assert!(stats["diagrams"]["xi"]["seconds"].as_f64().unwrap() > 0.0);
        stats["diagrams"]["xi"]["nodes"].as_u64().unwrap()
    });
    // Both are the same relation.
    assert!(found[0] > 100 && found[0] == found[1], "{found:?}");
    assert!(judged("classic")["stats"]["diagrams"]["xi"].is_null());
}

#[test]
fn a_step_with_many_outcomes_chooses_the_engine() {
    let options =
        ["--set", "N=12", "--set", "LIMIT=1", "--set", "BURST=1", "-p", "exclusive", "--format", "json"];
    let document = run(&[&["check", &example("arbiter")], &options[..]].concat()).code(0).json();
    assert_eq!(result(&document, "exclusive")["engine"], "symbolic");
    let reason = document["engine_reason"].as_str().unwrap();
    assert!(reason.contains("Clock.tick") && reason.contains("outcomes"), "{reason}");
    let document = check_text(COUNTER, &[]).code(1).json();
    assert_eq!(result(&document, "small")["engine"], "explicit");
    assert!(document["engine_reason"].is_null());
}

#[test]
fn few_nodes_end_in_unknown() {
    let options =
        ["check", &example("futurebus"), "--set", "N=8", "--max-nodes", "10000", "--format", "json"];
    let document = run(&[&options[..], SYMBOLIC].concat()).code(3).json();
    let reason = result(&document, "one_owner")["reason"].as_str().unwrap().to_string();
    assert!(reason.contains("10000 nodes"), "{reason}");
    assert!(document["stats"]["states_unreduced"].is_null(), "{}", document["stats"]);
}

#[test]
fn the_other_limits_count_too() {
    for (limit, words) in
        [(["--max-states", "1000"], "1000 states"), (["--max-memory", "100K"], "102400 bytes")]
    {
        let document = check_text(HUGE, &[&limit[..], SYMBOLIC].concat()).code(3).json();
        let reason = result(&document, "legal")["reason"].as_str().unwrap().to_string();
        assert!(reason.contains(words), "{reason}");
    }
}

/// A step that faults makes the answer doubtful, also if only a linear-time property is asked for.
#[test]
fn faults_are_not_missed() {
    let text = "var x: 0..3;\nprocess P { rule up { x = x + 1; } }\nltl low = G x <= 3;\n";
    for method in ["classic", "symmetry"] {
        let options = ["-p", "low", "--engine", "symbolic", "--symbolic-method", method];
        let document = check_text(text, &options).code(1).json();
        assert_eq!(result(&document, "faults")["verdict"], "violated", "{method}");
    }
}

#[test]
fn every_method_gives_the_same_verdicts() {
    let verdicts = |options: &[&str]| {
        let document = check_text(COUNTER, options).code(1).json();
        let results = document["results"].as_array().unwrap();
        let verdict = |one: &Value| (one["property"].clone(), one["verdict"].clone());
        results.iter().map(verdict).collect::<Vec<_>>()
    };
    let expected = verdicts(&[]);
    for method in ["classic", "symmetry", "hints", "representatives", "orbit"] {
        assert_eq!(verdicts(&["--engine", "symbolic", "--symbolic-method", method]), expected, "{method}");
    }
}

#[test]
fn a_wrong_generator_does_no_harm() {
    check_text(NOT_ALIKE, &[]).code(2);
    let options = ["--keep-generators", "--engine", "symbolic", "--symbolic-method", "symmetry"];
    let document = check_text(NOT_ALIKE, &options).code(1).json();
    assert_eq!(result(&document, "whole")["verdict"], "violated");
    let document = check_text(NOT_ALIKE, &[&options[..], &["-p", "sane"]].concat()).code(3).json();
    let sane = result(&document, "sane");
    assert_eq!(sane["verdict"], "unknown");
    assert!(sane["reason"].as_str().unwrap().contains("(Worker careful clumsy) is not a symmetry"));
    // Without it the same is proved.
    let document = check_text(NOT_ALIKE, &["--keep-generators", "-p", "sane"]).code(0).json();
    assert_eq!(result(&document, "sane")["verdict"], "holds");
}

/// Few members show it, however many there are.
#[test]
fn a_formula_about_all_paths_is_refuted_on_few_members() {
    let refuted = |n: &str| {
        let formula = "AG (need[Cpu#0] != nothing -> AF need[Cpu#0] == nothing)";
        let options =
            ["--set", n, "--set", "ROUNDS=false", "--ctl", formula, "--symbolic-method", "live-rep"];
        let document =
            run(&[&["check", &example("futurebus"), "--format", "json"], &options[..], SYMBOLIC].concat());
        let document = document.code(1).json();
        let result = result(&document, "ctl-1").clone();
        assert_eq!((&result["verdict"], &result["method"]), (&"violated".into(), &"live-rep".into()));
        result["stats"]["states"].as_u64().unwrap()
    };
    // As many as two processors alone have.
    assert_eq!(refuted("N=3"), 149);
    assert_eq!(refuted("N=6"), 149);
}

#[test]
fn what_is_forgotten_leaves_answers_open() {
    let check = |property: &str, options: &[&str]| {
        let given = ["--symbolic-method", "symmetry", "--approximate", "slice", "-p", property];
        run(&[
            &["check", &example("mutex"), "--set", "N=5", "--format", "json"],
            &given[..],
            SYMBOLIC,
            options,
        ]
        .concat())
    };
    // Of 112 states.
    assert_eq!(check("exclusion", &[]).code(0).json()["stats"]["states"], 35);
    let document = check("exclusion", &["--forget"]).code(3).json();
    assert_eq!(result(&document, "exclusion")["reason"], "the search left out some states");
}

/// A step of this model has more than 10^9 outcomes: runs through it are found, shown and replayed all the
/// same.
#[test]
fn steps_with_many_outcomes_are_replayed() {
    let trace = scratch("many_outcomes.json");
    let trace = trace.to_str().unwrap();
    let options = ["--set", "N=10", "--set", "BUG=2", "-p", "overtaken", "-p", "served", "-p", "prompt"];
    let model = example("arbiter");
    let document =
        run(&[&["check", &model, "--format", "json", "--trace", trace], &options[..], SYMBOLIC].concat());
    let document = document.code(1).json();
    for property in ["overtaken", "served", "prompt"] {
        assert_eq!(result(&document, property)["verdict"], "violated", "{property}");
    }
    run(&["replay", &model, trace]).code(0);
}
