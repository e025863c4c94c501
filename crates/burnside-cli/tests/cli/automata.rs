//! `check --never`: automata of forbidden runs.

use super::*;

/// A lamp that may stay on for ever.
const LAMP: &str = "\
const SPEED = 2;
const QUICK = true;
symmetric Fly[3];
var on: bool;
var heat: 0..SPEED;
fn dark(): bool = !on;
fn warm(h: 0..SPEED): bool = h > 0;
process Lamp {
    rule switch when heat == 0 { on = !on; }
    rule glow when on && heat < SPEED { heat = heat + 1; }
    rule cool when heat > 0 { heat = 0; }
}
process Fly[f] {
    var near: bool;
    rule come when on { near = true; }
}
deadlock allowed;
invariant lamp = heat <= SPEED;
";

/// Accepts runs in which the proposition is true again and again, if it is one.
fn infinitely_often(proposition: &str) -> String {
    let quoted = proposition.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "HOA: v1\nStart: 0\nAP: 1 \"{quoted}\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0 {{0}}\n[!0] 0\n--END--\n"
    )
}

/// Writes a model and automata, and checks only the automata.
#[track_caller]
fn check_never(name: &str, automata: &[&str], options: &[&str]) -> Ran {
    let model = model_file(&format!("{name}.orb"), LAMP);
    let mut args = vec!["check".to_string(), model, "--format".into(), "json".into()];
    for (i, automaton) in automata.iter().enumerate() {
        let file = model_file(&format!("{name}_{i}.hoa"), automaton);
        args.extend(["--never".to_string(), file]);
        args.extend(["-p".to_string(), format!("{name}_{i}")]);
    }
    args.extend(options.iter().map(ToString::to_string));
    run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn propositions_are_conditions_of_the_model() {
    for (i, (proposition, expected)) in [
        ("on", "violated"),
        ("QUICK", "violated"),
        ("!QUICK", "holds"),
        ("dark", "violated"),
        ("(dark)", "violated"),
        ("dark()", "violated"),
        ("warm(heat)", "violated"),
        ("heat == SPEED && !on", "holds"),
        ("near[Fly#1]", "violated"),
        ("exists f: Fly { near[f] && dark() }", "violated"),
        ("enabled(cool) && enabled(switch)", "holds"),
        ("enabled(Fly[Fly#0].come)", "violated"),
        ("heat > 0 /* comment \"quoted\" */ && true", "violated"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("bound{i}");
        let ran = check_never(&name, &[&infinitely_often(proposition)], &[]);
        let document = ran.json();
        let result = result(&document, &format!("{name}_0"));
        assert_eq!(
            (&result["verdict"], &result["kind"]),
            (&expected.into(), &"automaton".into()),
            "{proposition}"
        );
        assert_eq!(ran.code, i32::from(expected == "violated"), "{proposition}");
        assert_eq!(result["evidence"]["validated"].as_bool(), (expected == "violated").then_some(true));
    }
}

#[test]
fn all_properties_are_checked_too() {
    let model = model_file("too.orb", LAMP);
    let on = model_file("on.hoa", &infinitely_often("on"));
    let titled = infinitely_often("on").replace("Start", "name: \"the lamp\n is on\"\nStart");
    let lamp = model_file("lamp.hoa", &titled);
    let deadlock = model_file("deadlock.hoa", &infinitely_often("false"));
    let ran = run(&["check", &model, "--never", &on, "--never", &lamp, "--never", &deadlock, "--never", &on]);
    let ran = ran.code(1);
    let names = ["faults", "lamp", "on", "lamp-2", "deadlock-2", "on-2"];
    let mut rest = ran.out.as_str();
    for name in names {
        rest = rest.split_once(&format!(" {name} ")).unwrap_or_else(|| panic!("{name}: {}", ran.out)).1;
    }
    assert!(ran.out.contains("this run is accepted: on.hoa"), "{}", ran.out);
    assert!(ran.out.contains("this run is accepted: the lamp\\n is on"), "{}", ran.out);
    let dark = model_file(
        "dark.hoa",
        &infinitely_often("dark() && QUICK && exists f: Fly { near[f] && warm(heat) }"),
    );
    assert!(run(&["check", &model]).code(0).err.contains("`warm` is never used"));
    assert_eq!(run(&["check", &model, "--never", &dark]).err, "");
    let ran = run(&["check", &model, "--never", &on, "-p", "lamp", "--format", "json"]).code(1);
    assert_eq!(ran.json()["results"].as_array().unwrap().len(), 3, "faults, lamp, and what was given");
}

#[test]
fn symmetry_is_what_the_propositions_leave() {
    let states = |name: &str, proposition: &str, options: &[&str]| {
        let document = check_never(name, &[&infinitely_often(proposition)], options).code(0).json();
        let result = result(&document, &format!("{name}_0"));
        (result["stats"]["states"].as_u64().unwrap(), result["symmetry"].as_str().unwrap().to_string())
    };
    // Nothing is accepted, so all states are seen.
    let (all, _) = states("sym_none", "!QUICK", &["--symmetry", "none"]);
    let (some, used) = states("sym_one", "!QUICK && near[Fly#0]", &[]);
    let (few, _) = states("sym_all", "!QUICK && exists f: Fly { near[f] }", &[]);
    assert!(few < some && some < all, "{few} {some} {all}");
    assert_eq!(used, "exact");
}

#[test]
fn every_way_to_check() {
    let response = "HOA: v1\nStart: 0\nAP: 2 \"on\" \"dark\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n[0&!1] 1\nState: 1 {0}\n[!1] 1\n--END--\n";
    for options in [
        &["--symmetry", "none"][..],
        &["--symmetry", "fast"],
        &["--method", "two-phase"],
        &["--fairness", "none"],
        &["--method", "two-phase", "--symmetry", "none"],
    ] {
        let name = format!("ways{}", options.join(""));
        check_never(&name, &[response], options).code(1);
    }
    let fair = LAMP.replace("process Lamp {", "process Idle { rule idle { on = on; } }\nfair process Lamp {");
    let fair = fair.replace("when heat == 0 {", "when !on {");
    let (model, automaton) =
        (model_file("fair_lamp.orb", &fair), model_file("fair.hoa", &infinitely_often("dark")));
    run(&["check", &model, "--never", &automaton, "-p", "fair"]).code(0);
    run(&["check", &model, "--never", &automaton, "-p", "fair", "--fairness", "none"]).code(1);
}

#[test]
fn recorded_runs_hold_the_automaton() {
    let model = model_file("recorded_lamp.orb", LAMP);
    let trace = scratch("recorded_lamp.json").to_str().unwrap().to_string();
    let accepted = model_file("accepted.hoa", &infinitely_often("near[Fly#1]"));
    // Faults when it is warm, in the text of the automaton and within the model.
    let undefined = model_file("undefined.hoa", &infinitely_often("!on ||\n 1 / (1 - heat) > 0"));
    let inner = model_file("inner.hoa", &infinitely_often("warm(heat + 1)"));
    let args =
        ["check", &model, "--never", &accepted, "--never", &undefined, "--never", &inner, "--trace", &trace];
    let ran = run(&args).code(1);
    assert!(ran.out.contains("evaluating `undefined` here faults"), "{}", ran.out);
    assert!(ran.out.contains("undefined.hoa:4:2"), "{}", ran.out);
    std::fs::remove_file(&accepted).unwrap();
    let ran = run(&["replay", &model, &trace]).code(0);
    for name in ["accepted", "undefined", "inner"] {
        assert!(ran.out.contains(&format!("✓ {name}: replays")), "{name}: {}", ran.out);
    }
    let wreck = |from: &str, to: &str| {
        let text = std::fs::read_to_string(&trace).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        let wrecked = model_file("wrecked_lamp.json", &text.replace(from, to));
        run(&["replay", &model, &wrecked])
    };
    let ran = wreck("near[Fly#1]", "false").code(1);
    assert!(ran.out.contains("✗ accepted: the automaton does not accept the run"), "{}", ran.out);
    assert!(wreck("near[Fly#1]", "nearer").code(2).err.contains("accepted.hoa:3:8"));
    assert!(wreck("HOA: v1", "HOA: v2").code(2).err.contains("`v2`"));
    assert!(wreck("\"given\"", "\"taken\"").code(1).out.contains("no automaton property"));
    assert!(wreck("\"origin\": \"", "\"from\": \"").code(2).err.contains("entry 1 of `given`"));
}

/// The program refuses an automaton with these words, in both formats.
#[track_caller]
fn refuses(name: &str, automaton: &str, words: &[&str]) {
    let file = model_file(&format!("{name}.hoa"), automaton);
    let model = model_file(&format!("{name}_refused.orb"), LAMP);
    let ran = run(&["check", &model, "--never", &file]).code(2);
    for word in words {
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    assert!(ran.err.contains(&format!("{name}.hoa:")) && ran.out.is_empty(), "{}", ran.err);
    let document = run(&["check", &model, "--never", &file, "--format", "json"]).code(2).json();
    let first = &document["error"]["diagnostics"][0];
    assert!(first["origin"].as_str().unwrap().ends_with(&format!("{name}.hoa")), "{document}");
}

#[test]
fn wrong_automata() {
    refuses("empty", "", &["an automaton starts with `HOA: v1`"]);
    refuses("words", "never claim { }", &["an automaton starts with `HOA: v1`"]);
    let good = infinitely_often("on");
    refuses("version", &good.replace("v1", "v3"), &["`v3`"]);
    let rabin = good.replace("Acceptance: 1 Inf(0)", "acc-name: Rabin 1\nAcceptance: 2 Fin(1) & Inf(0)");
    refuses("rabin", &rabin, &["Rabin acceptance is not supported"]);
    refuses("co_buchi", &good.replace("Inf(0)", "Fin(0)"), &["`Fin` is not supported"]);
    let alternating = good.replace("[0] 0 {0}", "[0] 0&0 {0}");
    refuses("alternating", &alternating, &["alternating", ":7:"]);
    refuses("aborted", &good.replace("--END--", "--ABORT--"), &["aborted"]);
    refuses("cut", &good[..good.len() / 2], &["error[hoa]"]);
    let twice = good.clone() + &good;
    refuses("twice", &twice, &["more than one automaton"]);
}

#[test]
fn wrong_propositions() {
    let refuses = |name: &str, proposition: &str, words: &[&str]| {
        refuses(name, &infinitely_often(proposition), words);
    };
    refuses(
        "unknown_name",
        "haet > 0",
        &["unknown name `haet`", "unknown_name.hoa:3:8", "did you mean `heat`?"],
    );
    refuses("wrong_type", "heat", &["expected a `bool`", "wrong_type.hoa:3:8"]);
    refuses("wrong_type_inside", "on && heat + on > 1", &["is for integers", "wrong_type_inside.hoa:3:21"]);
    refuses("syntax", "on && ", &["expected an expression", "syntax.hoa:3:14"]);
    refuses("left_over", "on on", &["left_over.hoa:3:11"]);
    refuses("nothing", "", &["expected an expression", "nothing.hoa:3:8"]);
    refuses("parameter", "warm", &["parameter.hoa:3:8"]);
    refuses("temporal", "G on", &["temporal.hoa:3:"]);
    refuses("open_comment", "on /* and", &["open_comment.hoa:3:11"]);
    refuses("escaped", "\"x\" == on", &["escaped.hoa:3:"]);
    refuses("deep", &"(".repeat(100_000), &["deep.hoa:3:"]);
    refuses("member", "near[Fly#7]", &["member.hoa:3:"]);
}

#[test]
fn wrong_files() {
    let model = model_file("files.orb", LAMP);
    let refuses = |path: &str, word: &str| {
        let ran = run(&["check", &model, "--never", path]).code(2);
        assert!(ran.err.contains(word), "{}", ran.err);
    };
    refuses("/nowhere/at/all.hoa", "there is no file");
    refuses("examples", "is a directory, not an automaton");
    let binary = scratch("binary.hoa");
    std::fs::write(&binary, [0, 159, 146, 150]).unwrap();
    refuses(binary.to_str().unwrap(), "is not a text file");
    model_file("ending.hoa", "");
    refuses(scratch("ending").to_str().unwrap(), "there is `");
    assert!(run(&["check", "-", "--never", "-"]).code(2).err.contains("only one of model and automata"));
    let on = infinitely_often("on");
    assert!(run_with(&["check", &model, "--never", "-"], &on).code(1).out.contains("✗ stdin"));
    // All that is wrong is said at once.
    let (one, two) = (model_file("one.hoa", "x"), model_file("two.hoa", &infinitely_often("two")));
    let ran = run(&["check", &model, "--never", &one, "--never", &two]).code(2);
    assert!(ran.err.contains("one.hoa:1:1") && ran.err.contains("two.hoa:3:8"), "{}", ran.err);
    let wrong = model_file("wrong_files.orb", "var x: bol;");
    assert!(run(&["check", &wrong, "--never", &one]).code(2).err.contains("bol"));
}
