//! `check --invariant`, `--ltl`, `--ctl`: properties from the command line.

use super::*;

const LIGHT: &str = "\
enum Light { red, green, yellow }
var light: Light = red;
var count: 0..3;
fn stop(): bool = light == red;
fair process Lamp {
    rule go when light == red { light = green; count = (count + 1) % 4; }
    rule slow when light == green { light = yellow; }
    rule halt when light == yellow { light = red; }
}
invariant few = count < 3;
ltl turns = G F stop();
";

/// What is looked for in any case.
const FAULTS: (&str, &str) = ("faults", "holds");

/// Checks with these options and gives the names of what was checked with the verdicts.
#[track_caller]
fn verdicts(options: &[&str]) -> Vec<(String, String)> {
    verdicts_in(&check_text(LIGHT, options).json())
}

fn expected(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(name, verdict)| (name.to_string(), verdict.to_string())).collect()
}

#[test]
fn only_these_are_checked() {
    let faults = FAULTS;
    assert_eq!(verdicts(&["--ltl", "G F light == green"]), expected(&[faults, ("ltl-1", "holds")]));
    assert_eq!(
        verdicts(&[
            "--ltl",
            "G stop()",
            "--invariant",
            "count <= 3",
            "--ltl",
            "F G stop()",
            "--invariant",
            "stop()"
        ]),
        expected(&[
            faults,
            ("invariant-1", "holds"),
            ("invariant-2", "violated"),
            ("ltl-1", "violated"),
            ("ltl-2", "violated")
        ])
    );
    assert_eq!(verdicts(&["--ctl", "AG EF stop()"])[1].0, "ctl-1");
    assert_eq!(
        verdicts(&["--ltl", "F true", "-p", "few", "-p", "deadlock"]),
        expected(&[faults, ("deadlock", "holds"), ("few", "violated"), ("ltl-1", "holds")])
    );
    assert_eq!(verdicts(&["--ltl", "F true", "-p", "ltl-1"]), expected(&[faults, ("ltl-1", "holds")]));
    let hoa = "HOA: v1\nStart: 0\nAP: 1 \"stop\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n";
    let always = model_file("always_stop.hoa", hoa);
    assert_eq!(
        verdicts(&["--ltl", "F true", "--never", &always]),
        expected(&[faults, ("ltl-1", "holds"), ("always_stop", "holds")])
    );
}

#[test]
fn operators_bind_as_in_nusmv() {
    for (short, long) in [
        ("G stop() -> F count == 1", "(G stop()) -> (F (count == 1))"),
        ("!stop() U stop() && F count == 2", "((!stop()) U stop()) && (F (count == 2))"),
        ("stop() || F stop() && G stop()", "stop() || ((F stop()) && (G stop()))"),
        ("count == 0 U count == 1 U count == 2", "(count == 0) U ((count == 1) U (count == 2))"),
        ("stop() <-> X stop() -> F G stop()", "stop() <-> ((X stop()) -> (F (G stop())))"),
        ("!G stop()", "!(G (stop()))"),
    ] {
        let same = format!("({short}) <-> ({long})");
        assert_eq!(verdicts(&["--ltl", &same]), expected(&[FAULTS, ("ltl-1", "holds")]), "{short}");
        assert_eq!(verdicts(&["--ltl", short])[1].1, verdicts(&["--ltl", long])[1].1, "{short}");
    }
}

#[test]
fn runs_are_recorded_with_the_text() {
    let model = model_file("light.orb", LIGHT);
    let trace = scratch("light.json").to_str().unwrap().to_string();
    let args =
        ["check", &model, "--trace", &trace, "--ltl", "F G stop()", "--invariant", "6 / (2 - count) > 0"];
    let ran = run(&args).code(1);
    assert!(ran.out.contains("false of this run: F G stop()"), "{}", ran.out);
    let place = " --> <command line: --invariant>:1:1\n";
    assert!(ran.out.contains(place) && ran.out.contains("1 | 6 / (2 - count) > 0"), "{}", ran.out);
    let document: Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
    assert_eq!(document["given"][1]["property"], "ltl-1");
    assert_eq!(document["traces"][0]["evidence"]["fault"]["origin"], "<command line: --invariant>");
    let ran = run(&["replay", &model, &trace]).code(0);
    assert!(
        ran.out.contains("✓ invariant-1: replays") && ran.out.contains("✓ ltl-1: replays"),
        "{}",
        ran.out
    );
    let text = std::fs::read_to_string(&trace).unwrap();
    let other = model_file("light_other.json", &text.replace("F G stop()", "F stop()"));
    let ran = run(&["replay", &model, &other]).code(1);
    assert!(ran.out.contains("✗ ltl-1: the property is not false of the run"), "{}", ran.out);
    let broken = model_file("light_broken.json", &text.replace("F G stop()", "F G halt()"));
    assert!(run(&["replay", &model, &broken]).code(2).err.contains("<command line: --ltl>:1:5"));
}

#[test]
fn warnings_are_about_the_text() {
    let unfair = LIGHT.replace("fair process", "process").replace("ltl turns = G F stop();\n", "");
    let model = model_file("unfair_light.orb", &unfair);
    let ran = run(&["check", &model, "--ltl", "F stop()"]).code(0);
    assert!(ran.err.contains("warning[no-fairness]: `ltl-1`"), "{}", ran.err);
    assert!(ran.err.contains("--> <command line: --ltl>:1:1"), "{}", ran.err);
    let document = run(&["check", &model, "--ltl", "F stop()", "--format", "json"]).code(0).json();
    assert_eq!(document["warnings"][0]["origin"], "<command line: --ltl>");
    assert_eq!(run(&["check", &model, "--quiet", "--ltl", "F stop()"]).code(0).err, "");
}

#[test]
fn mistakes_are_shown_in_the_text() {
    let model = model_file("mistakes.orb", LIGHT);
    let expected = "\
error[unknown-name]: unknown name `ligth`
 --> <command line: --ltl>:1:5
  |
1 | G F ligth == red
  |     ^^^^^
  |
  = help: did you mean `light`?

error: `<command line: --ltl>` cannot be used because of an error
for more: burnside explain unknown-name
";
    assert_eq!(run(&["check", &model, "--ltl", "G F ligth == red"]).code(2).err, expected);
    let deep = "(".repeat(100_000);
    for (option, text, message) in [
        ("--ltl", "", "expected an expression"),
        ("--ltl", "G (", ":1:4"),
        ("--ltl", "G F", ":1:4"),
        ("--ltl", "stop() U", "expected an expression"),
        ("--ltl", "AG stop()", "`AG` is an operator of `ctl`"),
        ("--ltl", "A[stop() U stop()]", "--ltl>:1:1"),
        ("--ltl", "G count", "expected a `bool`"),
        ("--ltl", "G stop", "`stop` is a function"),
        ("--ltl", "F stop();", "--ltl>:1:9"),
        ("--ltl", "G (light == red & stop())", "for \"and\" write `&&`"),
        ("--ltl", "G light = red", "did you mean `==`?"),
        ("--ltl", "p = G stop()", "--ltl>:1:"),
        ("--ltl", &deep, "--ltl>:1:"),
        ("--ctl", "G stop()", "write `AG` or `EG`"),
        ("--ctl", "stop() U stop()", "--ctl>:1:"),
        ("--ctl", "A[G stop()]", "--ctl>:1:"),
        ("--invariant", "F stop()", "--invariant>:1:"),
        ("--invariant", "count", "expected a `bool`"),
        ("--invariant", "count < 3 ü", "--invariant>:1:11"),
        ("--invariant", "stop() &&\n\n count == no", "--invariant>:3:11"),
        ("--invariant", "any", "--invariant>:1:1"),
        ("--invariant", "/* stop()", "--invariant>:1:1"),
    ] {
        let ran = run(&["check", &model, option, text]).code(2);
        assert!(ran.err.contains(message), "{option} {text}: {}", ran.err);
        assert!(ran.err.contains("<command line: --") && ran.out.is_empty(), "{}", ran.err);
        let document = run(&["check", &model, option, text, "--format", "json"]).code(2).json();
        let origin = document["error"]["diagnostics"][0]["origin"].as_str().unwrap().to_string();
        assert_eq!(origin, format!("<command line: {option}>"));
    }
    // Several at once, and each by itself.
    let ran = run(&["check", &model, "--ltl", "G one", "--ltl", "G stop()", "--ctl", "AG two"]).code(2);
    assert!(
        ran.err.contains("`one`") && ran.err.contains("`two`") && !ran.err.contains("stop"),
        "{}",
        ran.err
    );
    run(&["check", &model, "--ltl"]).code(2);
}

#[test]
fn names_are_not_taken_from_the_model() {
    let model = model_file("taken.orb", &LIGHT.replace("ltl turns", "ltl ltl_1"));
    let ran = run(&["check", &model, "--ltl", "F stop()", "-p", "ltl_1"]).code(0);
    assert!(ran.out.contains("ltl_1") && ran.out.contains("ltl-1"), "{}", ran.out);
    let ran = run(&["check", &model, "--ltl", "F stop()", "-p", "ltl-2"]).code(2);
    assert!(ran.err.contains("did you mean `ltl-1`?"), "{}", ran.err);
}

#[test]
fn the_trace_file_is_not_an_automaton_that_is_read() {
    let hoa = "HOA: v1\nAP: 0\nAcceptance: 0 t\n--BODY--\n--END--\n";
    let (model, automaton) = (model_file("both.orb", LIGHT), model_file("both.hoa", hoa));
    let ran = run(&["check", &model, "--never", &automaton, "--trace", &automaton]).code(2);
    assert!(ran.err.contains("is an automaton"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&automaton).unwrap(), hoa);
}

#[test]
fn hints_change_nothing_that_is_checked() {
    let all = verdicts(&[]);
    assert_eq!(all.len(), 4, "{all:?}");
    let hints = ["--hint", "count < 2", "--hint", "stop() || light == green"];
    assert_eq!(verdicts(&hints), all);
    let with = |more: &[&'static str]| verdicts(&[&hints[..], more].concat());
    assert_eq!(with(&["--ltl", "F true"]), expected(&[FAULTS, ("ltl-1", "holds")]));
    assert_eq!(with(&["-p", "few"]), verdicts(&["-p", "few"]));
    let hoa = "HOA: v1\nStart: 0\nAP: 1 \"stop\"\nAcceptance: 0 t\n--BODY--\nState: 0\n[0] 0\n--END--\n";
    let always = model_file("always_hinted.hoa", hoa);
    assert_eq!(with(&["--never", always.leak()]).len(), 5);
}

#[test]
fn mistakes_in_hints_are_shown_in_the_text() {
    let model = model_file("hinted.orb", &format!("{LIGHT}hint low = count < 2;\n"));
    let wrong = "\
error[unknown-name]: unknown name `ligth`
 --> <command line: --hint>:1:10
  |
1 | stop() ||ligth == red
  |          ^^^^^
  |
  = help: did you mean `light`?

error: `<command line: --hint>` cannot be used because of an error
for more: burnside explain unknown-name
";
    let ran = run(&["check", &model, "--hint", "true", "--hint", "stop() ||ligth == red"]);
    assert_eq!(ran.code(2).err, wrong);
    for (text, message) in [
        ("", "expected an expression"),
        ("count", "expected a `bool`"),
        ("G stop()", "a temporal operator cannot stand here"),
        ("low", "unknown name `low`"),
    ] {
        let ran = run(&["check", &model, "--hint", text]).code(2);
        assert!(ran.err.contains(message) && ran.err.contains("<command line: --hint>:1:"), "{}", ran.err);
    }
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/heljanko_mutex.pnml");
    let ran = run(&["check", net, "--hint", "critical < 1"]).code(2);
    assert!(ran.err.contains("error[no-hints]: a Petri net takes no hints"), "{}", ran.err);
}

#[test]
fn hints_are_recorded_too() {
    let model = model_file("hinted_light.orb", LIGHT);
    let trace = scratch("hinted.json").to_str().unwrap().to_string();
    run(&[
        "check",
        &model,
        "--trace",
        &trace,
        "--hint",
        "6 / count > 1",
        "--invariant",
        "6 / (2 - count) > 0",
    ])
    .code(1);
    let ran = run(&["replay", &model, &trace]).code(0);
    assert!(ran.out.contains("✓ invariant-1: replays"), "{}", ran.out);
}
