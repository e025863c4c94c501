//! `burnside test`: models against what they expect. And what `check` says about expectations.

use crate::{HUGE, Ran, check_text, command, model_file, result, root, run, scratch};
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A counter that says what comes of it, but for `{…}`.
const COUNTER: &str = "\
const N = 2;
const START = 1;
var x: START..9 = START;
process P { rule up when x <= N { x = x + 1; } rule back when x > N { x = START; } }
invariant small = x < 5;
reachable top = x == N + 1;
ltl low = G x < 3 expect violated;
";

/// A folder of its own, with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> String {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, text) in files {
        let path: PathBuf = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    folder.to_str().expect("paths of tests are texts").to_string()
}

/// The lines with their times left out, and paths from the folder on.
fn lines(ran: &Ran, folder: &str) -> Vec<String> {
    let clean = |line: &str| {
        let line = line.replace(&format!("{folder}/"), "");
        match line.rsplit_once("  ") {
            Some((rest, time)) if time.ends_with(" s") || time.ends_with(" s)") => rest.to_string(),
            _ => line,
        }
    };
    ran.out.lines().map(clean).collect()
}

fn counter(blocks: &str) -> String {
    format!("{COUNTER}{blocks}\n")
}

#[test]
fn everything_as_expected() {
    let good =
        counter("check { states = 3; transitions = 3; orbits = 3; }\ncheck { N = 5; small = violated; }");
    let files = [
        ("b.orb", good.as_str()),
        ("a/z.orb", &counter("")),
        ("a/silent.orb", "var x: bool; process P { rule r { x = !x; } }"),
        ("a/notes.txt", "check"),
        (".hidden/bad.orb", "nonsense"),
    ];
    let folder = folder("test_good", &files);
    let ran = run(&["test", &folder]).code(0);
    let wanted = [
        "- a/silent.orb  nothing is expected",
        "✓ a/z.orb",
        "✓ b.orb",
        "✓ b.orb  N = 5",
        "3 as expected, 1 model expects nothing",
    ];
    assert_eq!((lines(&ran, &folder), ran.err.as_str()), (wanted.map(String::from).to_vec(), ""));
    let quiet = run(&["test", &folder, "--quiet", "--jobs", "1"]).code(0);
    assert_eq!(lines(&quiet, &folder), ["3 as expected, 1 model expects nothing"]);
    // One model in all modes.
    let modes = run(&["test", &format!("{folder}/b.orb"), "--symmetry", "none,exact"]).code(0);
    let wanted = [
        "✓ b.orb  (symmetry none)",
        "✓ b.orb  (symmetry exact)",
        "✓ b.orb  N = 5 (symmetry none)",
        "✓ b.orb  N = 5 (symmetry exact)",
        "4 as expected",
    ];
    assert_eq!(lines(&modes, &folder), wanted);
}

#[test]
fn what_is_not_as_expected_is_told_and_how_to_see_it() {
    let text = counter(
        "check { N = 4; states = 6; transitions = 5; orbits = 4; top = violated; fairness = none; max_states = 100; }",
    );
    let folder =
        folder("test_wrong", &[("it is.orb", &text), ("fine.orb", &counter("check { states = 3; }"))]);
    let ran = run(&["test", &folder, "--engine", "explicit", "--symmetry", "none"]).code(1);
    let wanted = [
        "✓ fine.orb  (engine explicit, symmetry none)",
        "✗ it is.orb  N = 4; fairness = none; max_states = 100 (engine explicit, symmetry none)  not as expected",
        "    small: expected holds, found violated",
        "    top: expected violated, found holds",
        "    states: expected 6, found 5",
        "    orbits: expected 4, found 5",
    ];
    let told = lines(&ran, &folder);
    assert_eq!(told[..6], wanted, "{told:#?}");
    let again = told[6].strip_prefix("    again: burnside ").expect("a command");
    let options = "--set N=4 --fairness none --max-states 100 --engine explicit --symmetry none";
    assert_eq!(again, format!("check '{folder}/it is.orb' {options}").replace(&format!("{folder}/"), ""));
    assert_eq!(told[7], "1 as expected, 1 not as expected");

    let json = run(&["test", &folder, "--format", "json"]).code(1).json();
    let test = &json["tests"][1];
    assert_eq!((&json["exit_code"], &test["outcome"]), (&1.into(), &"not as expected".into()));
    assert_eq!(test["conditions"][0], "N = 4");
    assert_eq!(test["differences"][1]["what"], "top");
    assert_eq!(
        (&test["differences"][1]["expected"], &test["differences"][1]["found"]),
        (&"violated".into(), &"holds".into())
    );
    // faults, deadlock, three properties, one figure
    assert_eq!(
        (&json["tests"][0]["outcome"], &json["tests"][0]["compared"]),
        (&"as expected".into(), &6.into())
    );

    let junit = run(&["test", &folder, "--format", "junit"]).code(1).out;
    assert!(
        junit.contains("<testsuites name=\"burnside test\" tests=\"2\" failures=\"1\" errors=\"0\""),
        "{junit}"
    );
    assert!(
        junit
            .contains("<failure type=\"not as expected\" message=\"small: expected holds, found violated\">"),
        "{junit}"
    );
}

#[test]
fn figures_are_looked_at_whatever_the_symmetry() {
    // A step faults, so the figures cannot be counted by orbits.
    let faults = "symmetric S[2]; var x: array[S] of 0..1; process S[i] { rule up { x[i] = x[i] + 1; } }";
    for (figures, code) in [
        ("states = 4; transitions = 4; orbits = 3", 0),
        ("states = 3; transitions = 4; orbits = 3", 1),
        ("states = 4; transitions = 3; orbits = 3", 1),
        ("states = 4; transitions = 4; orbits = 4", 1),
    ] {
        let text = format!("{faults} check {{ faults = violated; {figures}; }}");
        let path = model_file("test_figures.orb", &text);
        for symmetry in ["auto", "none", "exact", "fast"] {
            run(&["test", &path, "--symmetry", symmetry]).code(code);
        }
        if code == 0 {
            run(&["test", &path, "--engine", "symbolic"]).code(code);
        }
    }
}

#[test]
fn bad_models_are_worst() {
    let files = [
        ("a.orb", counter("check { STRT = 3; }")),
        ("b.orb", counter("check { START = 12; }")),
        ("c.orb", counter("check { states = 4; }")),
        ("d.orb", counter("check { states = 3; }")),
        ("e.orb", "nonsense".to_string()),
        ("f.orb", "var x: 0..3; init { assume x > 5; } process P { rule r { x = x; } } check {}".to_string()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("test_bad", &files);
    let ran = run(&["test", &folder]).code(2);
    let heads: Vec<String> = lines(&ran, &folder).into_iter().filter(|line| !line.starts_with(' ')).collect();
    let wanted = [
        "✗ a.orb  bad model",
        "✗ b.orb  START = 12  bad model",
        "✗ c.orb  not as expected",
        "✓ d.orb",
        "✗ e.orb  bad model",
        "✗ f.orb  bad model",
        "1 as expected, 1 not as expected, 4 bad models",
    ];
    assert_eq!(heads, wanted, "{}", ran.out);
    assert!(
        ran.out.contains("there is no constant or figure `STRT`") && ran.out.contains("a.orb:8:9"),
        "{}",
        ran.out
    );
    let json = run(&["test", &folder, "--format", "json"]).code(2).json();
    assert_eq!(json["tests"][0]["outcome"], "bad model");
    assert!(json["tests"][0]["message"].as_str().expect("a message").contains("did you mean `START`?"));
    let junit = run(&["test", &folder, "--format", "junit"]).code(2).out;
    assert!(junit.contains("tests=\"6\" failures=\"1\" errors=\"4\""), "{junit}");
}

#[test]
fn paths_that_lead_nowhere() {
    let empty = folder("test_empty", &[("notes.txt", "")]);
    let none = run(&["test", &empty]).code(2);
    assert!(none.err.contains("there are no models in") && none.err.contains("*.orb"), "{}", none.err);
    let gone = run(&["test", "no/such/model.orb"]).code(2);
    assert!(gone.out.contains("there is no file `no/such/model.orb`"), "{}", gone.out);
    assert!(run(&["test", "-"]).code(2).err.contains("not standard input"));
    run(&["test"]).code(2);
    run(&["test", &empty, "--jobs", "0"]).code(2);
}

#[test]
fn unknown_may_be_expected() {
    let huge = |blocks: &str| format!("{HUGE}{blocks}\n");
    let limited = "max_states = 100; deadlock = unknown; faults = unknown;";
    let path = model_file("test_unknown.orb", &huge(&format!("check {{ {limited} legal = unknown; }}")));
    run(&["test", &path]).code(0);
    let path = model_file("test_unknown.orb", &huge(&format!("check {{ {limited} }}")));
    let ran = run(&["test", &path]).code(3);
    assert!(
        ran.out.contains("legal: expected holds, found unknown (the limit of 100 states is reached)"),
        "{}",
        ran.out
    );
    let path = model_file("test_unknown.orb", &counter("check { small = unknown; }"));
    let ran = run(&["test", &path]).code(1);
    assert!(ran.out.contains("small: expected unknown, found holds"), "{}", ran.out);
}

#[test]
fn a_long_model_leaves_time_for_the_others() {
    let (long, short) = (format!("{HUGE}check {{}}\n"), counter(""));
    let files = [("a.orb", long.as_str()), ("b.orb", &short), ("c.orb", &short), ("d.orb", &short)];
    let folder = folder("test_timeout", &files);
    let start = Instant::now();
    let ran = run(&["test", &folder, "--jobs", "1", "--timeout", "1.5"]).code(3);
    assert!(start.elapsed() < Duration::from_secs(20));
    let heads: Vec<String> = lines(&ran, &folder).into_iter().filter(|line| !line.starts_with(' ')).collect();
    let wanted = ["? a.orb  unknown", "✓ b.orb", "✓ c.orb", "✓ d.orb", "3 as expected, 1 unknown"];
    assert_eq!(heads, wanted, "{}", ran.out);
    // The limit is the one that was given, and options are those that there are.
    let whole = "(the time limit of 1.5 s is reached)";
    let share = "(its share of the time limit of 1.5 s is used up (";
    assert!(ran.out.contains(share) || ran.out.contains(whole), "{}", ran.out);
    assert!(!ran.out.contains("--property-timeout"), "{}", ran.out);
}

#[test]
fn without_any_time_documents_are_whole() {
    let folder = folder("test_no_time", &[("a.orb", &counter(""))]);
    let ran = run(&["test", &folder, "--timeout", "0", "--format", "json"]).code(3);
    let document = ran.json();
    assert_eq!(document["tests"].as_array().map(Vec::len), Some(1), "{document}");
    assert!(ran.out.contains("the time limit of 0 s is reached"), "{}", ran.out);
    let ran = run(&["test", &folder, "--timeout", "0", "--format", "junit"]).code(3);
    assert!(ran.out.contains("</testsuites>"), "{}", ran.out);
    assert!(run(&["test", &folder, "--timeout", "0"]).code(3).err.contains("the time limit of 0 s"));
}

#[cfg(unix)]
#[test]
fn interrupts_end_with_what_is_known() {
    let (long, short) = (format!("{HUGE}check {{}}\n"), counter(""));
    let files = [("a.orb", short.as_str()), ("b.orb", &long), ("c.orb", &long)];
    let folder = folder("test_interrupt", &files);
    let mut command = command(&["test", &folder, "--jobs", "1"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut told = String::new();
    // The first is told while the second is worked on.
    out.read_line(&mut told).expect("a line");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    out.read_to_string(&mut told).expect("the rest");
    let ran = Ran::new(child.wait_with_output().expect("the program ends")).code(3);
    let ran = Ran { out: told, ..ran };
    let heads: Vec<String> = lines(&ran, &folder).into_iter().filter(|line| !line.starts_with(' ')).collect();
    let wanted = ["✓ a.orb", "? b.orb  unknown", "? c.orb  unknown", "1 as expected, 2 unknown"];
    assert_eq!(heads, wanted, "{}", ran.out);
    assert!(ran.out.contains("    interrupted\n"), "{}", ran.out);
}

#[test]
fn nets_expect_in_comments() {
    let net = std::fs::read_to_string(root().join("examples/heljanko_mutex.pnml")).expect("the net");
    let ran = run(&["test", "examples/heljanko_mutex.pnml", "--symmetry", "none,auto"]).code(0);
    assert!(ran.out.contains("2 as expected"), "{}", ran.out);
    let with = |from: &str, to: &str| model_file("test_net.pnml", &net.replace(from, to));
    let ran = run(&["test", &with("orbits = 5", "orbits = 6")]).code(1);
    assert!(ran.out.contains("orbits: expected 6, found 5"), "{}", ran.out);
    run(&["test", &with("deadlock = holds", "deadlock = violated")]).code(1);
    let ran = run(&["test", &with("deadlock = holds", "lock = holds")]).code(2);
    assert!(
        ran.out.contains("there is no property `lock`") && ran.out.contains("test_net.pnml:7:"),
        "{}",
        ran.out
    );
    let ran = run(&["test", &with("check {", "CHECK {")]).code(0);
    assert!(ran.out.contains("nothing is expected"), "{}", ran.out);
}

/// What `check` says about expectations changes nothing else.
#[test]
fn check_tells_what_was_expected() {
    let text =
        counter("check { N = 3; small = violated; }\ncheck { N = 2; fairness = none; small = unknown; }");
    let path = model_file("test_told.orb", &text);
    let told = |options: &[&str], code: i32| {
        let ran = run(&[&["check", &path], options].concat()).code(code);
        let line = |name: &str| {
            let line = ran.out.lines().find(|line| line.contains(&format!(" {name} "))).expect("a line");
            line.rsplit_once('(').filter(|_| line.ends_with(')')).map(|(_, rest)| format!("({rest}"))
        };
        ["small", "low", "top"].map(line)
    };
    let expected = Some("(expected)".to_string());
    assert_eq!(told(&[], 1), [None, expected.clone(), None]);
    let wrong = |verdict: &str| Some(format!("(not expected: it should be `{verdict}`)"));
    assert_eq!(told(&["--set", "N=3"], 1), [wrong("violated"), expected.clone(), None]);
    assert_eq!(told(&["--fairness", "none"], 1), [wrong("unknown"), expected.clone(), None]);
    // Another constant is set: no block is about that.
    assert_eq!(told(&["--set", "N=3", "--set", "START=2"], 1), [None, expected, None]);
    let document = check_text(&text, &["--set", "N=3"]).code(1).json();
    assert_eq!(result(&document, "small")["expected"], "violated");
    assert_eq!(result(&document, "low")["expected"], "violated");
    assert!(result(&document, "top")["expected"].is_null());
}

#[test]
fn new_models_are_green() {
    let folder = folder("test_new", &[("taken.orb", "mine")]);
    for template in ["lock", "messages", "empty"] {
        let path = format!("{folder}/my-{template}");
        let ran = run(&["new", &path, "--template", template]).code(0);
        let file = format!("{path}.orb");
        assert!(ran.out.contains(&format!("burnside test {file}")), "{}", ran.out);
        let text = std::fs::read_to_string(&file).expect("the model");
        assert!(text.contains(&format!("my-{template}")) && !text.contains("NAME"), "{text}");
        let modes = run(&["test", &file, "--symmetry", "none,auto,exact,fast"]).code(0);
        assert!(modes.out.contains("8 as expected"), "{}", modes.out);
        assert_eq!(run(&["fmt", "--check", &file]).code(0).out, "");
        assert_eq!(run(&["check", &file, "-p", "faults"]).code(0).err, "");
        let again = run(&["new", &file]).code(2);
        assert!(again.err.contains("is there already"), "{}", again.err);
        assert_eq!(std::fs::read_to_string(&file).expect("the model"), text);
    }
    run(&["new", &format!("{folder}/taken")]).code(2);
    assert_eq!(std::fs::read_to_string(format!("{folder}/taken.orb")).expect("mine"), "mine");
    for wrong in ["2fast", "a b", "", "..", "-"] {
        let refused = run(&["new", wrong]).code(2);
        assert!(refused.err.contains("is not a name for a model") || wrong.is_empty(), "{}", refused.err);
    }
    let gone = run(&["new", &format!("{folder}/no/such/model")]).code(2);
    assert!(gone.err.contains("there is no such folder"), "{}", gone.err);
}

/// A build server gets a document even where there is nothing to test.
#[test]
fn a_folder_without_models_is_a_document() {
    let folder = folder("test_nothing", &[("notes.txt", "nothing")]);
    let json = run(&["test", &folder, "--format", "json"]).code(2).json();
    assert_eq!((&json["exit_code"], json["tests"].as_array().map(Vec::len)), (&2.into(), Some(1)));
    let junit = run(&["test", &folder, "--format", "junit"]).code(2).out;
    assert!(junit.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{junit}");
    let page = run(&["check", &format!("{folder}/<b>.orb"), "--format", "html"]).code(2).out;
    assert!(
        page.starts_with("<!doctype html>") && page.contains("&lt;b&gt;") && !page.contains("<b>"),
        "{page}"
    );
}
