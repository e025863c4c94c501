//! Petri nets through every command.

use super::check::without_times;
use super::*;

const MUTEX: &str = "examples/heljanko_mutex.pnml";

/// A page of a place/transition net.
fn black(page: &str) -> String {
    format!(
        "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n<page id=\"g\">\n{page}\n</page></net></pnml>\n"
    )
}

/// Places with their tokens, and transitions with what they take and bring.
fn net(places: &[(&str, u32)], transitions: &[(&str, &[&str], &[&str])]) -> String {
    let place = |(id, tokens): &(&str, u32)| {
        format!("<place id=\"{id}\"><initialMarking><text>{tokens}</text></initialMarking></place>\n")
    };
    let mut page: String = places.iter().map(place).collect();
    for (id, takes, brings) in transitions {
        page += &format!("<transition id=\"{id}\"/>\n");
        for (i, place) in takes.iter().enumerate() {
            page += &format!("<arc id=\"{id}-in{i}\" source=\"{place}\" target=\"{id}\"/>\n");
        }
        for (i, place) in brings.iter().enumerate() {
            page += &format!("<arc id=\"{id}-out{i}\" source=\"{id}\" target=\"{place}\"/>\n");
        }
    }
    black(&page)
}

/// A sender that never waits for the receiver.
fn endless() -> String {
    net(&[("idle", 1), ("queue", 0)], &[("send", &["idle"], &["idle", "queue"]), ("take", &["queue"], &[])])
}

/// Two tokens that either stay or are lost for ever.
fn dying() -> String {
    net(&[("alive", 2), ("dead", 0)], &[("stay", &["alive"], &["alive"]), ("die", &["alive"], &["dead"])])
}

fn verdicts(ran: &Ran) -> Vec<String> {
    let document = ran.json();
    let results = document["results"].as_array().expect("there are results");
    results.iter().map(|result| result["verdict"].as_str().expect("a word").to_string()).collect()
}

#[test]
fn deadlocks_are_looked_for() {
    let ran = run(&["check", MUTEX]).code(0);
    let expected = "\
examples/heljanko_mutex.pnml

  ✓ deadlock    holds  5 states  8 transitions  depth 3  0.00 s

1 holds  (5 of 9 states, 8 transitions, 0.00 s)
";
    assert_eq!(without_times(&ran.out), expected);
    let document = run(&["check", MUTEX, "--symmetry", "none", "--format", "json"]).code(0).json();
    assert_eq!(document["stats"]["states"], 9);
    assert_eq!(document["stats"]["transitions"], 16);
    assert_eq!(document["net"], serde_json::json!({"fair": null}));
    let path = model_file("dying.pnml", &dying());
    assert!(run(&["check", &path]).code(1).out.contains("deadlock: no rule is enabled here"));
}

#[test]
fn firing_sequences_are_shown() {
    let ran = run(&["check", MUTEX, "--invariant", "critical == 0"]).code(1);
    let expected = "\
examples/heljanko_mutex.pnml

  ✗ invariant-1  invariant  violated  4 states  4 transitions  depth 1  0.00 s  after 2 steps
      0  initial state
           noncritical[0..1] = 1
           trying[0..1]      = 0
           critical[0..1]    = 0
           turn[0..1]        = 0
           free              = 1
      1  first(x = 0)  noncritical[0]: 1 → 0
                       trying[0]:      0 → 1
                       turn[0]:        0 → 1
                       free:           1 → 0
      2  enter(x = 0)  trying[0]:      1 → 0
                       critical[0]:    0 → 1

      false here: critical == 0

1 violated  (5 of 9 states, 8 transitions, 0.00 s)
";
    assert_eq!(without_times(&ran.out), expected);
}

#[test]
fn every_kind_of_property() {
    let options = [
        "--invariant",
        "critical <= 1",
        "--reachable",
        "critical == 2",
        "--ltl",
        "G (trying > 0 -> F critical > 0)",
        "--ctl",
        "AG EF fireable(enter)",
        "--bound",
        "trying + critical",
    ];
    for symmetry in ["auto", "exact", "fast", "none"] {
        let ran =
            run(&[&["check", MUTEX, "--format", "json", "--symmetry", symmetry], &options[..]].concat());
        let ran = ran.code(1);
        assert_eq!(verdicts(&ran), ["holds", "violated", "holds", "holds", "holds"], "{symmetry}");
        assert_eq!(result(&ran.json(), "bound-1")["value"], 2, "{symmetry}");
    }
}

#[test]
fn lines_of_the_contest() {
    let globals =
        ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "Liveness", "StableMarking", "StateSpace"];
    let options: Vec<&str> = globals.iter().flat_map(|global| ["--global", global]).collect();
    let ran = run(&[&["check", MUTEX, "--format", "contest"], &options[..]].concat()).code(1);
    let expected = "\
FORMULA ReachabilityDeadlock FALSE TECHNIQUES EXPLICIT SYMMETRIES
FORMULA OneSafe FALSE TECHNIQUES EXPLICIT SYMMETRIES
FORMULA QuasiLiveness TRUE TECHNIQUES EXPLICIT SYMMETRIES
FORMULA Liveness TRUE TECHNIQUES EXPLICIT SYMMETRIES
FORMULA StableMarking FALSE TECHNIQUES EXPLICIT SYMMETRIES
STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT SYMMETRIES
STATE_SPACE MAX_TOKEN_PER_MARKING 3 TECHNIQUES EXPLICIT SYMMETRIES
STATE_SPACE STATES 9 TECHNIQUES EXPLICIT SYMMETRIES
STATE_SPACE TRANSITIONS 16 TECHNIQUES EXPLICIT SYMMETRIES
STATE_SPACE ORBITS 5 TECHNIQUES EXPLICIT SYMMETRIES
";
    assert_eq!(ran.out, expected);
    let plain = ["check", MUTEX, "--format", "contest", "--symmetry", "none"];
    let ran = run(&[&plain[..], &options[..]].concat()).code(1);
    assert_eq!(ran.out, expected.replace(" SYMMETRIES", "").replace("ORBITS 5", "ORBITS 9"));
}

#[test]
fn the_state_space_in_every_format() {
    let ran = run(&["check", MUTEX, "--global", "StateSpace"]).code(0);
    assert!(ran.out.ends_with("state space: 9 markings, 16 firings; 5 orbits\n"), "{}", ran.out);
    let document = run(&["check", MUTEX, "--global", "StateSpace", "--format", "json"]).code(0).json();
    let expected = serde_json::json!({"states": "9", "transitions": "16", "orbits": 5});
    assert_eq!(document["state_space"], expected);
}

#[test]
fn files_of_formulas() {
    let folder = "tests/contest/HeljankoMutex-COL-3";
    let model = format!("{folder}/model.pnml");
    let file = format!("{folder}/UpperBounds.xml");
    let ran = run(&["check", &model, "--properties", &file, "--format", "contest"]).code(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0], "FORMULA HeljankoMutex-COL-3-UpperBounds-00 3 TECHNIQUES EXPLICIT SYMMETRIES");
    let one = ["-p", "HeljankoMutex-COL-3-UpperBounds-03"];
    let ran =
        run(&[&["check", &model, "--properties", &file, "--format", "json"], &one[..]].concat()).code(0);
    assert_eq!(ran.json()["results"].as_array().map(Vec::len), Some(1));
    // What was typed is checked as well.
    let typed = ["--invariant", "noncritical >= 0", "--global", "OneSafe"];
    let ran =
        run(&[&["check", &model, "--properties", &file, "--format", "json"], &one[..], &typed].concat())
            .code(1);
    assert_eq!(ran.json()["results"].as_array().map(Vec::len), Some(3));
    // The same file twice: the names are made different.
    let twice = ["check", &model, "--properties", &file, "--properties", &file, "--format", "contest"];
    assert!(run(&twice).code(0).out.contains("HeljankoMutex-COL-3-UpperBounds-00-2 3 "));
}

#[test]
fn recorded_runs_replay() {
    let trace = scratch("net_trace.json").to_str().expect("text").to_string();
    let options = [
        "--invariant",
        "critical == 0",
        "--ltl",
        "G F critical > 0",
        "--ctl",
        "AG noncritical > 0",
        "--bound",
        "trying",
        "--reachable",
        "trying == 2",
        "--trace",
        &trace,
        "-q",
    ];
    run(&[&["check", MUTEX], &options[..]].concat()).code(1);
    let ran = run(&["replay", MUTEX, &trace]).code(0);
    for name in ["invariant-1", "reachable-1", "ltl-1", "ctl-1", "bound-1"] {
        assert!(ran.out.contains(&format!("✓ {name}: replays")), "{name}: {}", ran.out);
    }
    let text = std::fs::read_to_string(&trace).expect("it was written");
    std::fs::write(&trace, text.replace("\"enter\"", "\"leave\"")).expect("it can be written");
    assert!(run(&["replay", MUTEX, &trace]).code(1).out.contains("✗ invariant-1"));
}

#[test]
fn fairness_is_recorded() {
    let path = model_file("dying_fair.pnml", &dying());
    let trace = scratch("net_fair.json").to_str().expect("text").to_string();
    let asked = ["--ltl", "F alive == 0", "--fair", "weak", "--trace", &trace];
    assert_eq!(
        verdicts(&run(&[&["check", &path, "--format", "json"], &asked[..]].concat()).code(0)),
        ["holds"]
    );
    let asked = ["--ltl", "X alive == 1", "--fair", "weak", "--trace", &trace, "-q"];
    run(&[&["check", &path], &asked[..]].concat()).code(1);
    let text = std::fs::read_to_string(&trace).expect("it was written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["net"], serde_json::json!({"fair": "weak", "fair_to": "transition"}));
    run(&["replay", &path, &trace]).code(0);
}

#[test]
fn fairness_changes_answers() {
    let asked = |options: &[&str]| {
        let ran =
            run(&[&["check", MUTEX, "--format", "json", "--ltl", "G F critical > 0"], options].concat());
        verdicts(&ran).remove(0)
    };
    assert_eq!(asked(&[]), "violated");
    assert_eq!(asked(&["--fair", "weak"]), "holds");
    assert_eq!(asked(&["--fair", "strong"]), "holds");
    assert_eq!(asked(&["--fair", "weak", "--fairness", "none"]), "violated");
    let library = "tests/contest/Library-COL-3x2/model.pnml";
    let comes = |options: &[&str]| {
        let asked = ["check", library, "--format", "json", "--ltl", "G F home[ann] == 0"];
        verdicts(&run(&[&asked[..], options].concat())).remove(0)
    };
    // Fair to the transition is not fair to each reader: one may stay at home for ever.
    assert_eq!(comes(&["--fair", "strong"]), "violated");
    assert_eq!(comes(&["--fair", "weak", "--fair-to", "binding"]), "holds");
}

#[test]
fn paths_end_in_dead_markings() {
    let path = model_file("dying_paths.pnml", &dying());
    let dead = |options: &[&str]| {
        let ran = run(&[&["check", &path, "--format", "json", "--ctl", "AG EX true"], options].concat());
        verdicts(&ran).remove(0)
    };
    assert_eq!(dead(&[]), "violated");
    assert_eq!(dead(&["--deadlock-paths", "maximal"]), "violated");
    assert_eq!(dead(&["--deadlock-paths", "stutter"]), "holds");
}

#[test]
fn unbounded_places_are_named() {
    let path = model_file("endless.pnml", &endless());
    let ran = run(&["check", &path]).code(3);
    assert!(ran.out.contains("unknown") && ran.out.contains("place `queue` is unbounded"), "{}", ran.out);
    let asked =
        ["check", &path, "--invariant", "queue <= 20", "--invariant", "idle == 1", "--format", "json"];
    // The state equation knows that there is always one.
    assert_eq!(verdicts(&run(&asked)), ["violated", "holds"]);
    let ran = run(&[&asked[..], &["--shortcuts", "none"]].concat());
    assert_eq!(verdicts(&ran), ["violated", "unknown"]);
    let ran = ran.code(1);
    assert_eq!(result(&ran.json(), "invariant-1")["evidence"]["steps"].as_array().map(Vec::len), Some(21));
    assert_eq!(result(&ran.json(), "invariant-2")["reason"], "place `queue` is unbounded");
    let ran = run(&["check", &path, "--bound", "queue", "--format", "json"]).code(3);
    assert_eq!(result(&ran.json(), "bound-1")["value"], Value::Null);
}

#[test]
fn every_question_is_answered_if_no_run_to_a_full_place_is_known() {
    // Depth first the queue is full at once; breadth first the switches use up the states.
    let switches: Vec<[String; 3]> =
        (0..8).map(|i| ["on", "off", "switch"].map(|name| format!("{name}{i}"))).collect();
    let mut places = vec![("idle", 1), ("queue", 0)];
    let send = ("send", vec!["idle"], vec!["idle", "queue"]);
    let mut transitions = vec![send];
    for [on, off, switch] in &switches {
        places.extend([(on.as_str(), 1), (off.as_str(), 0)]);
        transitions.push((switch, vec![on], vec![off]));
    }
    let transitions: Vec<_> =
        transitions.iter().map(|(id, takes, brings)| (*id, &takes[..], &brings[..])).collect();
    let path = model_file("switches.pnml", &net(&places, &transitions));
    let options = ["--ltl", "G queue >= 0", "--ltl", "G idle == 1", "--ctl", "AG queue >= 0"];
    let more = ["--ctl", "AG idle == 0", "--max-states", "30", "--symmetry", "none"];
    for engine in ["explicit", "symbolic"] {
        let check = ["check", &path, "--engine", engine, "--format", "json"];
        assert_eq!(verdicts(&run(&[&check, &options[..], &more].concat())).len(), 4);
        assert_eq!(verdicts(&run(&[&check, &options[..4], &more[2..]].concat())).len(), 2);
    }
}

#[test]
fn a_violation_before_a_full_place_leaves_the_rest_open() {
    // `p` has room for three tokens at first, and no invariant says that it needs ten. The first formula is
    // violated where it is full.
    let page = "<place id=\"e\"><initialMarking><text>5</text></initialMarking></place><place id=\"p\"/><place id=\"d\"/>
        <place id=\"z\"><initialMarking><text>1</text></initialMarking></place>
        <transition id=\"t\"/><transition id=\"u\"/><transition id=\"y\"/>
        <arc id=\"a\" source=\"p\" target=\"t\"><type value=\"inhibitor\"/><inscription><text>10</text></inscription></arc>
        <arc id=\"b\" source=\"t\" target=\"p\"/><arc id=\"c\" source=\"p\" target=\"u\"/>
        <arc id=\"f\" source=\"e\" target=\"u\"/><arc id=\"k\" source=\"u\" target=\"d\"/>
        <arc id=\"h\" source=\"z\" target=\"y\"/><arc id=\"i\" source=\"y\" target=\"z\"/>";
    let path = model_file("full_place.pnml", &black(page));
    for first in ["G (d < 1)", "G (p < 2)", "G (p < 3)", "G (d < 3)"] {
        for engine in ["explicit", "symbolic"] {
            let formulas = ["--ltl", first, "--ltl", "G (p <= 5)", "--ltl", "G (p <= 10)"];
            let named = ["-p", "ltl-1", "-p", "ltl-2", "-p", "ltl-3", "--format", "json", "--engine", engine];
            let document = run(&[&["check", &path][..], &formulas, &named].concat()).code(1).json();
            let verdict = |name| result(&document, name)["verdict"].as_str().map(str::to_string);
            let said = ["ltl-1", "ltl-2", "ltl-3"].map(verdict).map(Option::unwrap_or_default);
            assert_eq!(said, ["violated", "violated", "holds"], "{first} {engine}");
        }
    }
}

#[test]
fn a_net_has_no_property_called_faults() {
    let path = model_file("outgrown.pnml", &endless());
    for model in [&path, MUTEX] {
        let ran = run(&["check", model, "-p", "faults"]).code(2);
        assert!(ran.err.contains("no property `faults`"), "{}", ran.err);
        assert!(!ran.err.contains("are `faults`"), "{}", ran.err);
    }
}

#[test]
fn unbounded_nets_have_no_state_space() {
    let path = model_file("endless_space.pnml", &endless());
    let ran = run(&["check", &path, "--global", "StateSpace", "--format", "contest"]).code(3);
    let unknown = |figure| format!("STATE_SPACE {figure} CANNOT_COMPUTE TECHNIQUES EXPLICIT\n");
    let figures = ["MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING", "STATES", "TRANSITIONS", "ORBITS"];
    assert_eq!(ran.out, figures.map(unknown).concat());
    let ran = run(&["check", &path, "--global", "StateSpace"]).code(3);
    assert!(ran.out.ends_with("state space: unknown (place `queue` is unbounded)\n"), "{}", ran.out);
}

#[test]
fn graphs_walks_and_symmetry() {
    let document = run(&["graph", MUTEX, "--format", "json"]).code(0).json();
    assert_eq!(document["states"].as_array().map(Vec::len), Some(9));
    assert_eq!(document["edges"].as_array().map(Vec::len), Some(16));
    let quotient = run(&["graph", MUTEX, "--quotient", "--summary", "--format", "json"]).code(0).json();
    assert_eq!((&quotient["states"], &quotient["states_unreduced"]), (&5.into(), &"9".into()));
    assert!(run(&["graph", MUTEX]).code(0).out.contains("  s1 -> s3 [label=\"try(x=1, y=0)\"];\n"));
    let ran = run(&["symmetry", MUTEX]).code(0);
    let expected = "\
examples/heljanko_mutex.pnml

the group has order 2
  generated by P (0 1)

symmetric types
  P (2 elements): all permutations
";
    assert_eq!(ran.out, expected);
    let walk = run(&["simulate", MUTEX, "--steps", "4", "--seed", "1"]).code(0).out;
    assert_eq!(walk.matches("(x = ").count(), 4, "{walk}");
    assert_eq!(walk, run(&["simulate", MUTEX, "--steps", "4", "--seed", "1"]).code(0).out);
    assert!(run(&["simulate", "--interactive", MUTEX]).code(0).out.contains("first(x = 1)"));
}

#[test]
fn stages_of_nets() {
    assert!(run(&["dump", MUTEX, "--stage", "system"]).code(0).out.contains("rule pass(x %0: P, y %1: P)"));
    for stage in ["tokens", "syntax", "model"] {
        let ran = run(&["dump", MUTEX, "--stage", stage]).code(2);
        assert!(ran.err.contains("a Petri net has no such stage"), "{}", ran.err);
    }
    assert!(run(&["fmt", "--check", MUTEX]).code(2).err.contains("is a Petri net, which has no layout"));
}

#[test]
fn options_for_the_other_kind_of_model() {
    let nets: [&[&str]; 4] = [
        &["--bound", "x"],
        &["--properties", "tests/contest/Tank-PT-3/UpperBounds.xml"],
        &["--global", "OneSafe"],
        &["--fair", "weak"],
    ];
    for options in nets {
        let ran = run(&[&["check", "examples/mutex.orb"], options].concat()).code(2);
        assert!(ran.err.contains(&format!("`{}` is for Petri nets", options[0])), "{}", ran.err);
    }
    assert!(run(&["check", MUTEX, "--set", "N=3"]).code(2).err.contains("no constants that could be set"));
    run(&["check", MUTEX, "--fair-to", "binding"]).code(2);
    run(&["check", MUTEX, "--global", "Fluid"]).code(2);
}

#[test]
fn nets_from_the_standard_input() {
    let ran = run_with(&["check", "-", "--global", "OneSafe", "--format", "contest"], &dying()).code(1);
    assert_eq!(ran.out, "FORMULA OneSafe FALSE TECHNIQUES EXPLICIT\n");
}
