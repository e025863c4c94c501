//! Equal inputs give equal outputs, but for times: what a hash map happens to do is seen nowhere.
//!
//! Each process has hash maps of its own order, so two runs are enough to see one.

use crate::keys::examples;
use crate::layout::still;
use crate::root;
use crate::shell::{plain_burnside, timeless};

fn printed(args: &[&str]) -> String {
    let output = plain_burnside().args(args).current_dir(root()).output().expect("the program runs");
    assert_ne!(output.status.code(), Some(70), "{args:?}");
    let out = String::from_utf8(output.stdout).expect("the program prints UTF-8");
    let err = String::from_utf8(output.stderr).expect("the program prints UTF-8");
    // A document without its times and its memory is compared as text: the order of its keys counts.
    let out = match serde_json::from_str(&out) {
        Ok(mut document) => {
            still(&mut document);
            format!("{document:#}")
        }
        Err(_) => timeless(&out),
    };
    out + &timeless(&err)
}

#[test]
fn two_runs_print_the_same() {
    let commands: &[&[&str]] = &[
        &["check", "--max-states", "600", "--witness"],
        &["check", "--max-states", "600", "--format", "json"],
        &["check", "--max-states", "600", "--format", "sarif"],
        &["check", "--max-states", "600", "--format", "junit"],
        &["check", "--max-states", "600", "--symmetry", "none"],
        &["symmetry"],
        &["symmetry", "--format", "json"],
        &["graph", "--max-states", "40"],
        &["graph", "--max-states", "40", "--quotient", "--format", "json"],
        &["simulate", "--seed", "7", "--steps", "12"],
        &["dump", "--stage", "system"],
    ];
    for path in examples("orb").iter().chain(&examples("pnml")) {
        for command in commands {
            let args = [&command[..1], &[path.to_str().expect("a path")], &command[1..]].concat();
            assert_eq!(printed(&args), printed(&args), "{args:?}");
        }
    }
    for method in ["classic", "symmetry", "live-rep"] {
        let args = ["check", "examples/mutex.orb", "--engine", "symbolic", "--symbolic-method", method];
        assert_eq!(printed(&args), printed(&args), "{args:?}");
    }
    let args = ["translate", "--symmetry", "G F p1 && G F p2 && (p1 U p3)"];
    assert_eq!(printed(&args), printed(&args));
}
