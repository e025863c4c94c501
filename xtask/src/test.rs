//! `cargo xtask test`: everything that must hold before a change is good; with `--quick`, a part of it for
//! every few minutes of work: the same tests with a share of their random cases, and some of the examples.

use crate::process::{self, Done, cargo};
use crate::{contest, examples, tidy};
use std::time::Instant;

/// A part of the whole: its name and what it does.
type Part = (&'static str, fn() -> Done);

/// How large a part of their cases the tests take if it has to be quick (see `burnside-cases`).
const SHARE: &str = "0.04";

/// Examples that are run if it has to be quick: small, and different in what they use.
const EXAMPLES: [&str; 6] =
    ["mutex", "alternating_bit", "philosophers", "readers_writers", "resource", "heljanko_mutex.pnml"];

/// Tests that take long whatever the share is, and that a change seldom breaks: memory, sizes and times of
/// the program, and all examples twice.
const SLOW: [&str; 9] = [
    "memory_in_every_phase",
    "long_runs_take_little_memory",
    "two_runs_print_the_same",
    "all_examples_replay",
    "steps_with_many_outcomes_are_replayed",
    "many_places",
    "many_independent_transitions",
    "many_declarations",
    "interrupts_end_what_comes_after_the_search",
];

/// Runs all parts.
pub fn run() -> Done {
    run_parts(&[
        ("tidy", tidy::run),
        ("format", format),
        ("clippy", clippy),
        ("docs", docs),
        ("tests", tests),
        ("examples", || examples::run(&[])),
        ("contest", contest::test),
    ])
}

/// Runs what is quick. What is built is not: it is the first part.
pub fn quick() -> Done {
    run_parts(&[
        ("build", build),
        ("tidy", tidy::run),
        ("format", format),
        ("tests", some_tests),
        ("examples", || examples::run(&EXAMPLES)),
    ])
}

/// Runs parts, in the order in which failures are cheapest, and stops at the first that fails.
fn run_parts(parts: &[Part]) -> Done {
    let start = Instant::now();
    let mut times = Vec::new();
    for (name, part) in parts {
        println!("== {name}");
        let began = Instant::now();
        part().map_err(|message| format!("{message}\n\nFAILED: {name}"))?;
        times.push(format!("{name} {:.0} s", began.elapsed().as_secs_f64()));
    }
    println!("\nok: {} ({:.0} s in all)", times.join(", "), start.elapsed().as_secs_f64());
    Ok(())
}

fn format() -> Done {
    process::run(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Done {
    process::run(&mut cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn docs() -> Done {
    let mut command = cargo(&["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    process::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn build() -> Done {
    process::run(&mut cargo(&["test", "--quiet", "--workspace", "--lib", "--bins", "--tests", "--no-run"]))?;
    process::build_tested().map(drop)
}

/// Without those in documentation, which are built one by one.
fn some_tests() -> Done {
    let mut command = cargo(&["test", "--quiet", "--workspace", "--lib", "--bins", "--tests"]);
    command.arg("--").args(SLOW.iter().flat_map(|name| ["--skip", name]));
    process::run(command.env("BURNSIDE_TEST_SHARE", SHARE))
}

fn tests() -> Done {
    process::run(&mut cargo(&["test", "--quiet", "--workspace"]))
}
