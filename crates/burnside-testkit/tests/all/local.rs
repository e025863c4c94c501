//! Random models with linear-time properties whose indices are inside temporal operators, with fixed seeds:
//! with local symmetries of the automata, with all of them and with none, on the fly and in two phases, the
//! library says what the oracle says, and what it shows refutes the property.
//!
//! More seeds, without end, are for `cargo xtask fuzz local`.

use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, agree};
use burnside_testkit::generate::Flavor;
use std::ops::Range;

/// Larger models are left out.
const LIMIT: usize = 80;

fn run(seeds: impl IntoIterator<Item = u64>) -> Tally {
    let tally = agree(seeds, Flavor::Indexed, LIMIT, Way::some_local);
    println!("{}", tally.linear);
    tally
}

/// The models agree, and are worth it: verdicts differ, fairness matters, there is symmetry.
fn worthwhile(usual: Range<u64>) {
    let tally = run(seeds(usual));
    if !are_all() {
        return;
    }
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
    worthwhile(0..1250);
}

#[test]
fn models_agree_2() {
    worthwhile(1250..2500);
}

#[test]
fn models_agree_3() {
    worthwhile(2500..3750);
}

#[test]
fn models_agree_4() {
    worthwhile(3750..5000);
}

/// Other seeds, from outside: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz local` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    run(seeds);
}
