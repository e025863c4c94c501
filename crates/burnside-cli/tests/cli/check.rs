//! `burnside check`: verdicts, exit codes, both formats.

use super::*;

/// Replaces times, which differ from run to run.
pub(super) fn without_times(text: &str) -> String {
    let mut words: Vec<String> = text.split(' ').map(String::from).collect();
    for i in 1..words.len() {
        let is_unit = words[i].trim_end_matches([')', '\n']) == "s" || words[i].starts_with("s\n");
        if is_unit && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "0.00".into();
        }
    }
    words.join(" ")
}

#[test]
fn the_text_report_reads_well() {
    let path = model_file("report.orb", COUNTER);
    let ran = run(&["check", &path]).code(1);
    let expected = "
report.orb  MAX = 3

  ✓ faults             holds     4 states  3 transitions  depth 3  0.00 s
  ✗ small   invariant  violated  4 states  3 transitions  depth 2  0.00 s  after 3 steps
      0  initial state
           x = 0
      1  Up  up  x: 0 → 1
      2  Up  up  x: 1 → 2
      3  Up  up  x: 2 → 3

      false here: x < 3

  ✓ legal   invariant  holds     4 states  3 transitions  depth 3  0.00 s
  ✓ two     reachable  holds     3 states  2 transitions  depth 1  0.00 s  reached after 2 steps
  ✗ pair    never      violated  3 states  2 transitions  depth 1  0.00 s  after 2 steps
      0  initial state
           x = 0
      1  Up  up  x: 0 → 1
      2  Up  up  x: 1 → 2

      matched here: x == 1; x == 2

  ✓ rises   ltl        holds     4 states  3 transitions  depth 3  0.00 s  4 states in the product
  ✗ back    ctl        violated  4 states  3 transitions           0.00 s  after 1 step
      false in this initial state: AG EF x == 0
        0  initial state
             x = 0
        1  Up  up  x: 0 → 1
           false here: EF x == 0
             on no run from here

3 violated, 4 hold  (4 states, 3 transitions, 0.00 s)
";
    let shown = without_times(&ran.out.replace(&path, "report.orb"));
    assert_eq!(shown, expected[1..]);
}

#[test]
fn exit_codes() {
    let path = model_file("codes.orb", COUNTER);
    run(&["check", &path, "-p", "legal"]).code(0);
    run(&["check", &path, "-p", "small"]).code(1);
    run(&["check", &path, "-p", "rises"]).code(0);
    run(&["check", &path, "-p", "back"]).code(1);
    run(&["check", &path, "-p", "back", "-p", "small"]).code(1);
    run(&["check", &path, "--no-such-option"]).code(2);
    run(&["check"]).code(2);
    run(&[]).code(2);
    run(&["--help"]).code(0);
    run(&["--version"]).code(0);
}

#[test]
fn the_document_has_the_promised_keys() {
    let document = check_text(COUNTER, &["--set", "MAX=4"]).code(1).json();
    let keys: Vec<_> = document.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "burnside",
        "format",
        "model",
        "constants",
        "net",
        "symmetry",
        "engine_reason",
        "state_bits",
        "seconds",
        "stats",
        "state_space",
        "coverage",
        "warnings",
        "omitted",
        "results",
    ];
    assert_eq!(keys, expected);
    assert_eq!((&document["net"], &document["state_space"]), (&Value::Null, &Value::Null));
    assert_eq!((&document["format"], &document["constants"]["MAX"]), (&1.into(), &4.into()));
    let small = result(&document, "small");
    let keys: Vec<_> = small.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = [
        "property",
        "kind",
        "verdict",
        "expected",
        "reason",
        "reason_code",
        "value",
        "value_so_far",
        "vacuous",
        "within_constraint",
        "weighed",
        "partial_order",
        "engine",
        "symmetry",
        "group",
        "method",
        "automaton_symmetry",
        "seconds",
        "stats",
        "evidence",
    ];
    assert_eq!(keys, expected);
    assert_eq!((&small["kind"], &small["verdict"]), (&"invariant".into(), &"violated".into()));
    for key in ["states", "transitions", "states_unreduced", "depth", "peak_memory"] {
        assert!(!small["stats"][key].is_null(), "{key}");
    }
    assert_eq!(document["stats"]["states_unreduced"], "5");
    assert_eq!(small["stats"]["product_states"], Value::Null);
    let rises = result(&document, "rises");
    assert_eq!((&rises["verdict"], &rises["method"]), (&"holds".into(), &"on-the-fly".into()));
    assert_eq!(rises["stats"]["product_states"], 5);
    let back = result(&document, "back");
    assert_eq!((&back["verdict"], &back["method"]), (&"violated".into(), &"new".into()));
    assert_eq!(result(&document, "legal")["evidence"], Value::Null);
}

#[test]
fn evidence_is_a_run() {
    let document = check_text(COUNTER, &[]).json();
    let evidence = &result(&document, "small")["evidence"];
    assert_eq!((&evidence["kind"], &evidence["validated"]), (&"path".into(), &true.into()));
    assert_eq!((&evidence["loop_start"], &evidence["fault"]), (&Value::Null, &Value::Null));
    let step = serde_json::json!({
        "process": "Up", "rule": "up", "arguments": {}, "argument_values": {}, "changes": {"x": "3"},
    });
    assert_eq!(evidence["steps"].as_array().unwrap().len(), 3);
    assert_eq!(evidence["steps"][2], step);
    assert_eq!(evidence["states"].as_array().unwrap().len(), 4);
    assert_eq!(evidence["states"][3]["x"], "3");
}

#[test]
fn faults_name_the_expression() {
    let text = "var x: 0..2;\nprocess P {\n    rule up { x = x + 1; }\n}\n";
    let document = check_text(text, &[]).code(1).json();
    let fault = &result(&document, "faults")["evidence"]["fault"];
    assert_eq!(
        (&fault["expression"], &fault["line"], &fault["column"]),
        (&"x + 1".into(), &3.into(), &19.into())
    );
    assert!(fault["message"].as_str().unwrap().contains("outside 0..2"));
    assert_eq!(fault["step"]["rule"], "up");
    let shown = run_with(&["check", "-"], text).code(1).out;
    assert!(
        shown.contains("3  P  up  faults") && shown.contains("^^^^^") && shown.contains("<stdin>:3:19"),
        "{shown}"
    );
}

#[test]
fn a_fault_in_the_initialisation() {
    let text = "var x: 0..2;\ninit { x = 3 / (x - x); }\nprocess P { rule r { x = 0; } }\n";
    let document = check_text(text, &[]).code(1).json();
    let evidence = &result(&document, "faults")["evidence"];
    assert_eq!(evidence["fault"]["during"], "initialisation");
    assert!(run_with(&["check", "-"], text).code(1).out.contains("the initialisation faults"));
}

#[test]
fn deadlocks() {
    let text = "var x: 0..2;\nprocess P { rule up when x < 2 { x = x + 1; } }\n";
    assert_eq!(result(&check_text(text, &[]).code(1).json(), "deadlock")["verdict"], "violated");
    assert!(run_with(&["check", "-"], text).out.contains("no rule is enabled here"));
    let document = check_text(text, &["--no-deadlock"]).code(0).json();
    assert!(document["results"].as_array().unwrap().iter().all(|result| result["property"] != "deadlock"));
}

#[test]
fn documents_are_deterministic() {
    let without_seconds = |text: String| {
        text.lines().filter(|line| !line.contains("\"seconds\"")).map(String::from).collect::<Vec<_>>()
    };
    let once = without_seconds(check_text(COUNTER, &[]).out);
    assert_eq!(once, without_seconds(check_text(COUNTER, &[]).out));
    assert!(once.len() > 50);
}

#[test]
fn witnesses_are_shown_when_asked_for() {
    let path = model_file("witness.orb", COUNTER);
    assert!(!run(&["check", &path, "-p", "two"]).code(0).out.contains("true here"));
    assert!(run(&["check", &path, "-p", "two", "--witness"]).code(0).out.contains("true here: x == 2"));
}

#[test]
fn quiet_means_quiet() {
    let path = model_file("quiet.orb", &format!("const UNUSED = 1;\n{COUNTER}"));
    assert!(run(&["check", &path]).code(1).err.contains("warning"));
    let ran = run(&["check", &path, "--quiet"]).code(1);
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""));
    run(&["check", &path, "--quiet", "--format", "json"]).code(1).json();
}

#[test]
fn colours_only_where_wanted() {
    let path = model_file("colour.orb", COUNTER);
    assert!(!run(&["check", &path]).out.contains('\u{1b}'));
    assert!(run(&["check", &path, "--color", "always"]).out.contains('\u{1b}'));
    let ran = command(&["check", &path, "--color", "always"]).env("NO_COLOR", "1").output().expect("runs");
    assert!(String::from_utf8_lossy(&ran.stdout).contains('\u{1b}'), "what is typed wins");
}

#[test]
fn known_state_counts() {
    let counts = [
        ("resource_simple", None, 20, None),
        ("heljanko_mutex", None, 9, Some(16)),
        ("mutex", Some("N=12"), 28_672, None),
    ];
    for (name, setting, states, transitions) in counts {
        let path = format!("examples/{name}.orb");
        let mut args = vec!["check", &path, "--symmetry", "none", "--format", "json", "-p", "deadlock"];
        args.extend(setting.iter().flat_map(|setting| ["--set", setting]));
        let document = run(&args).code(0).json();
        assert_eq!(document["stats"]["states"], states, "{name}");
        assert!(transitions.is_none_or(|count| document["stats"]["transitions"] == count), "{name}");
    }
}

#[test]
fn symmetry_is_used_and_told() {
    let document = run(&["check", "examples/philosophers.orb", "--format", "json"]).code(1).json();
    let symmetry = &document["symmetry"];
    assert_eq!((&symmetry["used"], &symmetry["order"]), (&"exact".into(), &"5".into()));
    assert_eq!(symmetry["types"][0]["kind"], "ring");
    assert_eq!(
        (&document["stats"]["states"], &document["stats"]["states_unreduced"]),
        (&51.into(), &"243".into())
    );
    let text = run(&["check", "examples/philosophers.orb"]).out;
    assert!(text.contains("(51 of 243 states"), "{text}");
    let document =
        run(&["check", "examples/philosophers.orb", "--symmetry", "none", "--format", "json"]).json();
    assert_eq!(
        (&document["symmetry"]["used"], &document["symmetry"]["order"]),
        (&"none".into(), &"1".into())
    );
    assert_eq!(document["stats"]["states"], 243);
}

#[test]
fn broken_symmetry_is_told_with_its_place() {
    let text = "symmetric P[3];\nprocess P[p] { var x: bool; rule r when p != P#1 { x = !x; } }\n";
    let document = check_text(text, &[]).code(0).json();
    let broken = &document["symmetry"]["broken"][0];
    assert_eq!((&broken["type"], &broken["line"]), (&"P".into(), &2.into()));
    assert_eq!(document["symmetry"]["order"], "2");
}

/// A fault at the end, which no formula needs to look at.
const FAULTING: &str = "\
var x: 0..3;
process P { rule up when x < 3 { x = x + 1; } rule over when x == 3 { x = x + 1; } rule back when x == 1 { x = 0; } }
ltl first = G x == 0;
ltl all = G x <= 3;
ltl nothing = G true;
ctl home = AG EF x == 0;
never twice { x == 1; x == 1 }
";

#[test]
fn faults_are_looked_for_in_any_case() {
    for engine in ["explicit", "symbolic"] {
        for (options, name) in [
            (["-p", "first"], "first"),
            (["-p", "all"], "all"),
            (["-p", "nothing"], "nothing"),
            (["-p", "home"], "home"),
            (["-p", "twice"], "twice"),
            (["--ltl", "F x == 1"], "ltl-1"),
            (["--ltl", "true"], "ltl-1"),
            (["--ctl", "true"], "ctl-1"),
        ] {
            let document =
                check_text(FAULTING, &[&options[..], &["--engine", engine]].concat()).code(1).json();
            let found = verdicts_in(&document);
            assert_eq!(found[0], ("faults".to_string(), "violated".to_string()), "{engine} {options:?}");
            assert_eq!((found.len(), found[1].0.as_str()), (2, name), "{engine} {options:?}");
        }
    }
}

/// The search for faults looks at every state, so it comes last and may reach a limit: the violation is there
/// all the same.
#[test]
fn a_violation_that_is_found_on_the_fly_does_not_wait_for_faults() {
    let text = HUGE.replace("invariant legal", "ltl still = G x[0] == 0; invariant legal");
    let document = check_text(&text, &["-p", "still", "--max-states", "2000"]).code(1).json();
    assert_eq!(verdicts_in(&document)[1], ("still".to_string(), "violated".to_string()));
    assert_eq!(verdicts_in(&document)[0], ("faults".to_string(), "unknown".to_string()));
}

#[test]
fn a_property_of_no_run_is_vacuous_however_it_is_asked_for() {
    let text = "var x: 0..1; process P { rule up { x = x + 1; } } ltl nothing = G true;";
    for options in [&[][..], &["-p", "nothing"], &["--engine", "symbolic"]] {
        let document = check_text(text, options).code(1).json();
        let results = document["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["property"] == "nothing").expect("it was asked for");
        assert_eq!(result["vacuous"], "there is no fair run at all", "{options:?}");
    }
}

#[test]
fn the_order_is_that_of_the_symmetries_that_are_used() {
    let text = "symmetric S[2]; enum Colour { red, green, blue }
        var s: array[S] of bool; var c: Colour = any;
        process P { rule a(i: S) { s[i] = !s[i]; } rule b(d: Colour) { c = d; } }";
    for (mode, order) in [("auto", "12"), ("fast", "12"), ("exact", "2"), ("none", "1")] {
        let document = check_text(text, &["--symmetry", mode]).code(0).json();
        assert_eq!(document["symmetry"]["order"], order, "{mode}");
    }
}
