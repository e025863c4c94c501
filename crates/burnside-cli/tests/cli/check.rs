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
        "warnings",
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
        "reason",
        "value",
        "vacuous",
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
    let step = serde_json::json!({"process": "Up", "rule": "up", "arguments": {}, "changes": {"x": "3"}});
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

/// The text between a line and the next fence of a Markdown page.
fn block<'p>(page: &'p str, fence: &str) -> &'p str {
    let start = page.find(fence).expect("the block is there") + fence.len() + 1;
    &page[start..start + page[start..].find("```").expect("the block ends")]
}

#[test]
fn the_readme_is_true() {
    let page = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    let ran = run(&["check", "examples/philosophers.orb"]).code(1);
    assert_eq!(without_times(block(&page, "```text")), without_times(&ran.out));
    let model =
        std::fs::read_to_string(root().join("examples/philosophers.orb")).expect("there is the example");
    for line in block(&page, "```orb").lines() {
        assert!(model.lines().any(|other| other == line), "not in the example: {line}");
    }
    let net = ["check", "examples/heljanko_mutex.pnml", "--invariant", "critical <= 1", "--ltl"];
    let net = [&net[..], &["G F critical > 0", "--fair", "weak", "--bound", "trying + critical"]].concat();
    let shown =
        net.iter().map(|word| if word.contains(' ') { format!("'{word}'") } else { word.to_string() });
    let shown = shown.collect::<Vec<_>>().join(" ");
    assert!(page.contains(&format!("\nburnside {shown}\n")), "{shown}");
    assert_eq!(without_times(block(&page, "```console")), without_times(&run(&net).code(0).out));
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
