//! Progress: a line on a terminal, lines elsewhere if asked for, JSON for programs.

use crate::{COUNTER, HUGE, Ran, command, model_file, run};
use serde_json::Value;

/// The lines of a stream as documents.
fn documents(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn json_has_a_last_line_for_each_property() {
    let model = model_file("progress.orb", COUNTER);
    let ran = run(&["check", &model, "--progress", "json", "--format", "json"]).code(1);
    let report = ran.json();
    let lines = documents(&ran.err);
    let done: Vec<_> = lines.iter().filter(|it| it["done"] == true).collect();
    let results = report["results"].as_array().unwrap();
    assert_eq!(ran.err.lines().filter(|line| line.contains("\"done\":true")).count(), results.len());
    for result in results {
        let own: Vec<_> = done.iter().filter(|it| it["properties"][0] == result["property"]).collect();
        let [last] = own[..] else { panic!("{}: {own:?}", result["property"]) };
        assert_eq!(
            (last["states"].clone(), last["of"].clone()),
            (result["stats"]["states"].clone(), 7.into())
        );
        assert!(last["number"].as_u64().unwrap() >= 1 && last["thread"].is_null(), "{last}");
    }
    let mut numbers: Vec<_> = done.iter().map(|it| it["number"].as_u64().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=7).collect::<Vec<_>>());
}

/// With both engines, and for a graph: figures that grow, a share of the limits, and not too many of them.
#[test]
fn json_tells_how_a_long_search_gets_on() {
    let huge = model_file("progress_huge.orb", HUGE);
    let limits = ["--max-states", "100000000", "--progress", "json"];
    let cases: [&[&str]; 2] = [&["check", &huge, "--no-deadlock"], &["graph", &huge, "--summary"]];
    for words in cases {
        // A machine that has other things to do leaves out lines.
        let timeouts = ["1.5", "6", "24"];
        let mut tries =
            timeouts.iter().map(|time| run(&[words, &limits, &["--timeout", time]].concat()).code(3));
        let still = |ran: &Ran| documents(&ran.err).iter().filter(|it| it["done"] == false).count();
        let ran = tries.find(|ran| still(ran) >= 3).expect("lines");
        let lines = documents(&ran.err);
        let running: Vec<_> = lines.iter().filter(|it| it["done"] == false).collect();
        let seconds = running.last().and_then(|it| it["seconds"].as_f64()).expect("a time");
        assert!(running.len() as f64 <= 1.0 + 4.0 * seconds, "{words:?}: {}", ran.err);
        let is_rising = |key: &str| running.is_sorted_by(|a, b| a[key].as_f64() <= b[key].as_f64());
        assert!(
            ["states", "seconds", "depth", "of_time", "of_states"].into_iter().all(is_rising),
            "{}",
            ran.err
        );
        let last = running.last().unwrap();
        assert!(last["rate"].as_u64() > Some(0) && last["queue"].as_u64() > Some(0), "{last}");
        assert!(last["memory"].as_u64() > Some(0) && last["of_time"].as_f64() > Some(0.5), "{last}");
        assert!(last["at_least"].is_null(), "the queue grows: {last}");
        let names = if words[0] == "check" { 2 } else { 0 };
        assert_eq!(last["properties"].as_array().unwrap().len(), names, "{last}");
        assert_eq!(last["number"].is_null(), names == 0, "{last}");
    }
}

#[test]
fn the_symbolic_engine_tells_the_same() {
    let model = model_file("progress_symbolic.orb", COUNTER);
    let ran = run(&["check", &model, "--engine", "symbolic", "--progress", "json", "-p", "small"]).code(1);
    let lines = documents(&ran.err);
    let last = lines.iter().filter(|it| it["done"] == true);
    let names: Vec<_> = last.map(|it| it["properties"][0].as_str().unwrap()).collect();
    assert_eq!(names, ["faults", "small"], "{}", ran.err);
}

#[test]
fn a_pipe_gets_lines_only_if_asked_for() {
    let huge = model_file("progress_pipe.orb", HUGE);
    let with =
        |words: &[&str]| -> Ran { run(&[&["check", &huge, "--timeout", "1.3"], words].concat()).code(3) };
    for silent in [&[][..], &["--no-progress"], &["--progress", "never"], &["--progress", "auto"], &["-q"]] {
        assert!(!with(silent).err.contains("queue"), "{silent:?}");
    }
    for words in [&["--progress", "always"][..], &["-q", "--progress", "always"]] {
        // One each second, as far as the machine has time.
        let mut tries = ["1.3", "5", "20"]
            .iter()
            .map(|time| run(&[&["check", &huge, "--timeout", time], words].concat()).code(3));
        let ran = tries.find(|ran| ran.err.contains("  queue ")).expect("a line");
        let lines: Vec<_> = ran.err.lines().filter(|line| line.contains("  queue ")).collect();
        assert!(lines[0].starts_with("1-3 of 3: faults, deadlock, legal  "), "{}", lines[0]);
        assert!(lines[0].contains(" % of --timeout") && !ran.err.contains('\u{1b}'), "{}", lines[0]);
    }
    run(&["check", &huge, "--no-progress", "--progress", "json"]).code(2);
    run(&["check", &huge, "--progress", "sometimes"]).code(2);
}

#[test]
#[cfg(unix)]
fn a_terminal_gets_one_line_that_is_removed() {
    use crate::terminal::pseudo::{bare, seen};
    let huge = model_file("progress_terminal.orb", HUGE);
    for words in
        [&["check", &huge, "--timeout", "1"][..], &["graph", &huge, "--summary", "--max-states", "300000"]]
    {
        let shown = seen(words, 200, &[]);
        let drawn = bare(shown.split("\u{1b}[?7l").nth(1).unwrap_or_else(|| panic!("{shown}")));
        let title = if words[0] == "check" { "1-3 of 3: faults, deadlock, legal  " } else { "" };
        assert!(drawn.starts_with(title) && drawn.contains(" states  "), "{drawn}");
        assert!(drawn.contains(" % of --"), "{drawn}");
        let last = shown.rfind("\u{1b}[?7l").expect("a line");
        assert!(shown[last..].contains("\u{1b}[K"), "it is removed");
        // Lines for programs are the same everywhere.
        let shown = seen(&[words, &["--progress", "json"]].concat(), 40, &[]);
        assert!(!documents(&shown).is_empty() && !shown.contains("\u{1b}[?7l"), "{shown}");
    }
    assert!(!seen(&["check", &huge, "--timeout", "1", "--no-progress"], 200, &[]).contains("queue"));
}

/// Nothing of it costs more than a look at the clock: with and without, the report is the same.
#[test]
fn the_report_stays_the_same() {
    let model = model_file("progress_same.orb", COUNTER);
    let plain = command(&["check", &model]).output().expect("the program runs");
    let with = command(&["check", &model, "--progress", "json"]).output().expect("the program runs");
    let still = |text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
        text.split_whitespace().filter(|word| !is_time(word)).map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(still(&plain.stdout), still(&with.stdout));
}

/// With several threads it is told what each of them has done.
#[test]
fn the_shares_of_threads_are_told() {
    let huge = model_file("progress_threads.orb", HUGE);
    let told = |threads: &str| {
        let args = ["--symmetry", "none", "--timeout", "2", "--progress", "json", "--threads", threads];
        let ran = run(&[&["check", &huge, "--no-deadlock"], &args[..]].concat()).code(3);
        documents(&ran.err).into_iter().rfind(|it| it["done"] == false).expect("a line")
    };
    let last = told("2");
    let shares: Vec<u64> =
        last["threads"].as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number")).collect();
    assert!(shares.len() == 2 && shares.iter().all(|share| *share > 0), "{last}");
    let expanded = last["states"].as_u64().unwrap() - last["queue"].as_u64().unwrap();
    assert!(shares.iter().sum::<u64>() <= expanded, "{last}");
    assert!(told("1")["threads"].is_null());
}
