//! Constraints, constants without a value, and rules that are fair together, as the program shows them.

use crate::{check_text, model_file, result, run};
use serde_json::json;

const CHANNEL: &str = "\
const N: 1..8;
var sent: 0..100;
var received: 0..100;
process Net {
    rule send { sent = sent + 1; }
    rule receive when received < sent { received = received + 1; }
}
constraint sent <= N;
invariant order = received <= sent;
invariant few = sent <= 3;
reachable far = sent == 50;
reachable near = sent == 2;
ltl low = G sent <= 100;
ctl even = AG EF received == sent;
";

#[test]
fn a_verdict_says_that_it_is_within_the_constraint() {
    for engine in ["explicit", "symbolic"] {
        let report = check_text(CHANNEL, &["--set", "N=4", "--engine", engine]).code(1).json();
        let found = |property: &str| {
            let result = result(&report, property);
            (result["verdict"].clone(), result["within_constraint"].clone(), result["vacuous"].clone())
        };
        let nothing_stays = json!("there is no fair run at all");
        assert_eq!(found("faults"), (json!("holds"), json!(true), json!(null)));
        assert_eq!(found("deadlock"), (json!("holds"), json!(true), json!(null)));
        assert_eq!(found("order"), (json!("holds"), json!(true), json!(null)));
        assert_eq!(found("few"), (json!("violated"), json!(false), json!(null)));
        assert_eq!(found("far"), (json!("violated"), json!(true), json!(null)));
        assert_eq!(found("near"), (json!("holds"), json!(false), json!(null)));
        assert_eq!(found("low"), (json!("holds"), json!(true), nothing_stays));
        assert_eq!(found("even").1, json!(true));
    }
    let path = model_file("channel.orb", CHANNEL);
    let text = run(&["check", &path, "--set", "N=4", "-p", "order"]).code(0).out;
    assert_eq!(text.matches("within the constraint").count(), 2, "{text}");
    for format in ["sarif", "junit", "markdown"] {
        let report = run(&["check", &path, "--set", "N=4", "--format", format]).code(1).out;
        assert!(report.contains("within the constraint"), "{format}: {report}");
    }
    let walk = run(&["simulate", &path, "--set", "N=2", "--steps", "200", "--seed", "1"]).code(0).out;
    assert!(walk.ends_with("the end: this state is outside of the constraint\n"), "{walk}");
}

#[test]
fn a_constant_without_a_value_needs_one() {
    let path = model_file("unset.orb", CHANNEL);
    for command in ["check", "simulate", "graph", "symmetry"] {
        let ran = run(&[command, &path]).code(2);
        let advice = "give it one from outside, `--set N=1`";
        assert!(
            ran.err.contains("error[unset-constant]: `N` has no value") && ran.err.contains(advice),
            "{}",
            ran.err
        );
    }
    let ran = run(&["check", &path, "--set", "N=9"]).code(2);
    assert!(ran.err.contains("9 is outside the declared range 1..8"), "{}", ran.err);
    assert!(run(&["test", &path]).code(2).out.contains("has no value"));
    let blocks = "check { N = 2; states = 9; far = violated; even = violated; } check { N = 3; few = violated; far = violated; even = violated; }\n";
    let path = model_file("set.orb", &format!("{CHANNEL}{blocks}"));
    let ran = run(&["test", &path]);
    assert!(ran.out.contains("2 as expected"), "{}{}", ran.out, ran.err);
}

#[test]
fn units_of_sets_have_names() {
    let text = "\
symmetric C[2];
enum Msg { ping, pong }
var last: C?;
var idle: bool;
process S {
    rule send(c: C, m: Msg) when last == none || m == ping { last = c; }
    fair serve(c: C) { send(c, _) }
}
process C[c] { rule a when last == c { last = none; } rule b when idle { idle = false; } fair { a, b } }
ltl idle_ = G last == none;
";
    let report = check_text(text, &[]).code(1).json();
    let units = result(&report, "idle_")["evidence"]["fairness"].as_array().expect("units").clone();
    let mut names: Vec<&str> = units.iter().map(|unit| unit["unit"].as_str().expect("a name")).collect();
    names.sort_unstable();
    assert_eq!(names, ["C[0].{a, b}", "C[1].{a, b}", "S.serve(0)", "S.serve(1)"]);
}
