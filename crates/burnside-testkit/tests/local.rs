//! Random models with linear-time properties whose indices are inside temporal operators, with fixed seeds:
//! with local symmetries of the automata, with all of them and with none, on the fly and in two phases, the
//! library says what the oracle says, and what it shows refutes the property.
//!
//! More seeds, without end, are for `cargo xtask fuzz local`.

use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, examine, fuzz, minimise};
use burnside_testkit::generate::Flavor;
use std::ops::{ControlFlow, Range};

/// Larger models are left out.
const LIMIT: usize = 80;

fn run(seeds: Range<u64>) -> Tally {
    let mut problems = Vec::new();
    let tally = fuzz(seeds, Flavor::Indexed, LIMIT, Way::some_local, |failure| {
        let ways = Way::some_local(failure.seed);
        let fails = |text: &str| match examine(text, LIMIT, &ways, true) {
            Err(problem) => !problem.starts_with("does not load"),
            Ok(_) => false,
        };
        let small = minimise(&failure.text, fails);
        let problem = examine(&small, LIMIT, &ways, true).err().unwrap_or(failure.problem);
        problems.push(format!("seed {}: {problem}\n{small}", failure.seed));
        if problems.len() < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    println!("{}", tally.linear);
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    tally
}

/// The models agree, and are worth it: verdicts differ, fairness matters, there is symmetry.
fn agree(seeds: Range<u64>) {
    let tally = run(seeds);
    let linear = &tally.linear;
    let properties = linear.properties;
    assert!(linear.reduced * 2 > linear.models, "too few are symmetric: {linear}");
    assert!(linear.fairness_matters * 10 > linear.models, "fairness matters too rarely: {linear}");
    assert!(linear.local * 3 > properties, "local symmetries are too rare: {linear}");
    assert!(linear.holding * 10 > properties * 2 && linear.holding * 10 < properties * 8, "{linear}");
    assert!(linear.unaffordable * 10 < properties, "too many are not judged: {linear}");
    assert!(linear.unanswered * 20 < properties, "too many are not answered: {linear}");
    let used = |construct| tally.used.get(construct).copied().unwrap_or(0);
    let compound = used("liveness.compound") + used("ltl.compound");
    assert!(compound * 5 > linear.models, "too few conditions build values: {compound} of {linear}");
}

#[test]
fn models_agree_1() {
    agree(0..1250);
}

#[test]
fn models_agree_2() {
    agree(1250..2500);
}

#[test]
fn models_agree_3() {
    agree(2500..3750);
}

#[test]
fn models_agree_4() {
    agree(3750..5000);
}

/// Other seeds, from outside: `BURNSIDE_FUZZ=FIRST..END`, as `cargo xtask fuzz local` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Ok(text) = std::env::var("BURNSIDE_FUZZ") else { return };
    let (first, end) = text.split_once("..").expect("BURNSIDE_FUZZ is FIRST..END");
    run(first.parse().expect("a seed")..end.parse().expect("a seed"));
}
