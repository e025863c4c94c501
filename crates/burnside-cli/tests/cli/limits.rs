//! Limits, interrupts and closed pipes: the program stops in an orderly way.

use super::*;
use std::io::Read;
use std::time::{Duration, Instant};

#[track_caller]
fn unknown_because(options: &[&str], reason: &str) -> Value {
    let ran = check_text(HUGE, options).code(3);
    let document = ran.json();
    let legal = result(&document, "legal");
    assert_eq!(legal["verdict"], "unknown");
    assert!(legal["reason"].as_str().unwrap().contains(reason), "{}", legal["reason"]);
    document
}

#[test]
fn states() {
    let document = unknown_because(&["--max-states", "1000"], "1000 states");
    assert_eq!(document["stats"]["states"], 1000);
}

#[test]
fn memory() {
    let document = unknown_because(&["--max-memory", "4M"], "bytes");
    assert!(document["stats"]["peak_memory"].as_u64().unwrap() <= 4 << 20);
}

#[test]
fn time() {
    let start = Instant::now();
    let document = unknown_because(&["--timeout", "0.2"], "0.2 s");
    assert!(document["stats"]["states"].as_u64().unwrap() > 0);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_violation_found_in_time_counts() {
    let text = format!("{HUGE}invariant low = x[0] < 2;\n");
    let document = check_text(&text, &["--max-states", "5000"]).code(1).json();
    assert_eq!(result(&document, "low")["verdict"], "violated");
    assert_eq!(result(&document, "legal")["verdict"], "unknown");
}

#[cfg(unix)]
#[test]
fn interrupts_end_with_figures() {
    let (path, trace) = (model_file("interrupt.orb", HUGE), scratch("interrupt.json"));
    let _ = std::fs::remove_file(&trace);
    let mut command = command(&["check", &path, "--format", "json", "--trace", trace.to_str().unwrap()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    // The trace file is opened when interrupts are already handled.
    while !trace.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let ran = Ran::new(child.wait_with_output().expect("the program ends")).code(3);
    let document = ran.json();
    assert_eq!(result(&document, "legal")["reason"], "interrupted");
    assert!(document["stats"]["states"].as_u64().unwrap() > 0);
}

/// Runs a command whose reader leaves after the first bytes.
fn with_closed_pipe(args: &[&str]) -> Ran {
    let mut child =
        command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut out = child.stdout.take().expect("piped");
    out.read_exact(&mut [0; 10]).expect("something is printed");
    drop(out);
    Ran::new(child.wait_with_output().expect("the program ends"))
}

#[test]
fn closed_pipes() {
    let path = model_file("closed.orb", HUGE);
    with_closed_pipe(&["graph", &path, "--max-states", "3000"]).code(0);
    with_closed_pipe(&["simulate", &path, "--steps", "1000000"]).code(0);
    with_closed_pipe(&["completions", "zsh"]).code(0);
    with_closed_pipe(&["dump", &path, "--stage", "system"]).code(0);
}

#[test]
fn a_closed_pipe_does_not_change_the_verdict() {
    let path = model_file("closed_check.orb", COUNTER);
    let ran = with_closed_pipe(&["check", &path, "--format", "json"]);
    ran.code(1);
}
