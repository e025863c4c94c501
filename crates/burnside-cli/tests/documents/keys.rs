//! Every key of every document is on the page about JSON, and the page invents none.
//!
//! The keys are collected from what the program prints about all examples and about some nets, by all
//! commands, with both engines, and about mistakes.

use crate::root;
use crate::shell::plain_burnside;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Members of these have names from the model.
const BY_NAME: [&str; 8] =
    ["constants", "arguments", "argument_values", "changes", "values", "state_values", "cells", "state"];

pub fn examples(ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples")).expect("there are examples");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    paths
}

fn collect(value: &Value, keys: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                keys.insert(key.clone());
                // Of a run the states are objects of cells; of a graph they have keys of their own.
                let is_run = key == "states" && member[0].get("id").is_none();
                if !is_run && !BY_NAME.contains(&key.as_str()) {
                    collect(member, keys);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, keys)),
        _ => {}
    }
}

fn run(args: &[&str], keys: &mut BTreeSet<String>) {
    let output = plain_burnside().args(args).current_dir(root()).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    let document = serde_json::from_str(&text);
    collect(&document.unwrap_or_else(|error| panic!("{args:?}: {error}: {text}")), keys);
}

fn scratch(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.display().to_string()
}

fn printed() -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let trace = scratch("keys.json", "");
    for path in examples("orb").iter().chain(&examples("pnml")) {
        let path = path.to_str().expect("a path");
        run(&["check", path, "-q", "--format", "json", "--max-states", "3000", "--trace", &trace], &mut keys);
        let text = std::fs::read_to_string(&trace).expect("a trace file");
        collect(&serde_json::from_str(&text).expect("a document"), &mut keys);
        run(&["symmetry", path, "--format", "json"], &mut keys);
        for options in [&[][..], &["--quotient"], &["--summary"], &["--quotient", "--summary"]] {
            run(&[&["graph", path, "--format", "json", "--max-states", "50"], options].concat(), &mut keys);
        }
    }
    let faults = "var x: 0..1; process P { rule up { x = x + 1; } }";
    run(&["check", &scratch("faults.orb", faults), "--format", "json"], &mut keys);
    run(&["graph", &scratch("faults.orb", faults), "--format", "json"], &mut keys);
    let wrong = scratch("wrong.orb", "const N = 1; var x: bol; var x: bool;");
    run(&["check", &wrong, "--format", "json", "-q"], &mut keys);
    run(
        &["check", &scratch("n.orb", "const N = 1; var x: 0..N;"), "--set", "M=1", "--format", "json", "-q"],
        &mut keys,
    );
    let net = "examples/heljanko_mutex.pnml";
    run(
        &[
            "check",
            net,
            "--global",
            "StateSpace",
            "--bound",
            "critical",
            "--ltl",
            "F critical > 0",
            "--format",
            "json",
        ],
        &mut keys,
    );
    let unexpected = "var x: 0..3; process P { rule up { x = (x + 1) % 4; } } check { states = 5; }";
    run(&["test", &scratch("unexpected.orb", unexpected), &wrong, "--format", "json"], &mut keys);
    let small = "examples/mutex.orb";
    for (path, constant) in [(small, "N"), ("examples/paxos.orb", "N")] {
        run(&["check", path, "--for-every", constant, "--format", "json", "-q"], &mut keys);
    }
    let open = "const N = 2; symmetric C[N]; process C[c] { var x: bool; rule r { x = !x; } } invariant i = forall c: C { !x[c] };";
    run(&["check", &scratch("open.orb", open), "--for-every", "--format", "json", "-q"], &mut keys);
    run(&["explain", "--format", "json"], &mut keys);
    run(&["explain", "unknown-name", "--format", "json"], &mut keys);
    let progress =
        plain_burnside().args(["check", small, "-q", "--progress", "json"]).current_dir(root()).output();
    for line in String::from_utf8(progress.expect("the program runs").stderr).expect("UTF-8").lines() {
        collect(&serde_json::from_str(line).expect("a line is a document"), &mut keys);
    }
    run(&["check", small, "--engine", "symbolic", "--format", "json", "-q"], &mut keys);
    run(
        &["check", small, "--engine", "symbolic", "--symbolic-method", "symmetry", "--format", "json", "-q"],
        &mut keys,
    );
    run(&["check", small, "--ltl", "G F true", "--trace", &trace, "--format", "json", "-q"], &mut keys);
    collect(
        &serde_json::from_str(&std::fs::read_to_string(&trace).expect("a file")).expect("a document"),
        &mut keys,
    );
    keys
}

/// The words that the page has in backquotes, also those in the example.
fn documented() -> (BTreeSet<String>, BTreeSet<String>) {
    let page = std::fs::read_to_string(root().join("docs/src/json.md")).expect("the page");
    let words = |text: &str| -> BTreeSet<String> {
        let spans = text.split('`').skip(1).step_by(2).map(|span| span.trim_matches('"').to_string());
        spans
            .filter(|span| !span.is_empty() && span.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
            .collect()
    };
    let prose: String = page.split("```").step_by(2).collect();
    let first =
        prose.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    (words(&prose), words(&first.collect::<Vec<_>>().join(" ")))
}

#[test]
fn every_key_is_documented() {
    let (documented, in_tables) = documented();
    let printed = printed();
    assert!(printed.len() > 60, "{printed:?}");
    let missing: Vec<_> = printed.difference(&documented).collect();
    assert!(missing.is_empty(), "docs/src/json.md says nothing about the keys {missing:?}");
    // The tables of `how` and `shown_by` list values.
    let values = [
        "executed",
        "disabled",
        "never_enabled",
        "neglected",
        "condition",
        "sides",
        "value",
        "run",
        "everywhere",
        "omitted",
    ];
    let invented: Vec<_> =
        in_tables.difference(&printed).filter(|word| !values.contains(&word.as_str())).collect();
    assert!(invented.is_empty(), "no document has the keys {invented:?} of docs/src/json.md");
}
