//! Random models checked with decision diagrams: every verdict is that of the oracle, every count is that of the interpreter, and all evidence replays.
//!
//! More seeds, without end, are for `cargo xtask fuzz`.

use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, fuzz};
use burnside_testkit::generate::Flavor;
use std::ops::ControlFlow;

fn run(seeds: std::ops::Range<u64>, flavor: Flavor) -> Tally {
    let mut problems = Vec::new();
    let tally = fuzz(seeds, flavor, 250, Way::symbolic, |failure| {
        problems.push(format!("seed {}: {}\n{}", failure.seed, failure.problem, failure.text));
        if problems.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    tally
}

#[test]
fn any_models() {
    let tally = run(0..500, Flavor::Any);
    assert!(tally.agreed >= 450, "{tally:?}");
}

#[test]
fn symmetric_models() {
    let tally = run(0..300, Flavor::Symmetric);
    assert!(tally.agreed >= 250, "{tally:?}");
}

#[test]
fn fair_models_with_linear_time() {
    let tally = run(0..600, Flavor::Liveness);
    assert!(tally.agreed >= 500, "{tally:?}");
}

#[test]
fn fair_models_with_branching_time() {
    let tally = run(0..600, Flavor::Branching);
    assert!(tally.agreed >= 500, "{tally:?}");
}
