//! Random models with linear-time properties under fairness, with fixed seeds: on the fly, in two phases,
//! with symmetry and without, the library says what the oracle says, and what it shows refutes the property.
//!
//! More seeds, without end, are for `cargo xtask fuzz ltl`.

use burnside_testkit::cases::{are_all, given_seeds, seeds};
use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, agree};
use burnside_testkit::generate::{Flavor, generate};
use std::ops::Range;

/// Larger models are left out.
const LIMIT: usize = 150;

fn run(seeds: impl IntoIterator<Item = u64>, ways: fn(u64) -> Vec<Way>) -> Tally {
    let tally = agree(seeds, Flavor::Liveness, LIMIT, ways);
    println!("{}", tally.linear);
    tally
}

/// The models agree, and are worth it: verdicts differ, fairness matters, there is symmetry, and there are
/// cycles.
fn worthwhile(usual: Range<u64>) {
    let tally = run(seeds(usual), Way::some);
    if !are_all() {
        return;
    }
    let (all, linear) = (tally.agreed + tally.skipped, &tally.linear);
    assert!(tally.skipped * 20 < all, "too many are skipped: {tally:?}");
    assert!(linear.reduced * 2 > linear.models, "too few are symmetric: {linear}");
    assert!(linear.cyclic * 3 > linear.models * 2, "too few go around: {linear}");
    assert!(linear.fairness_matters * 4 > linear.models, "fairness matters too rarely: {linear}");
    let properties = linear.properties;
    assert!(linear.holding * 10 > properties * 3 && linear.holding * 10 < properties * 7, "{linear}");
    assert!(linear.by_strong_fairness * 50 > properties, "too few need strong fairness: {linear}");
    assert!(linear.unaffordable * 25 < properties, "too many are not judged: {linear}");
    assert!(linear.unanswered * 200 < properties, "too many are not answered: {linear}");
    assert!(linear.undefined > 0 && linear.undefined * 20 < properties, "{linear}");
    let constructs = [
        "fairness.mixed",
        "fairness.none",
        "fairness.strong",
        "fairness.weak",
        "liveness.assert",
        "liveness.collection",
        "liveness.compound",
        "liveness.generators",
        "liveness.idle",
        "constraint",
        "fairness.changing",
        "rule.priority",
        "set.inside",
        "set.outside",
        "set.parameter",
        "liveness.named",
        "liveness.nested",
        "liveness.parameter",
        "liveness.pile",
        "liveness.range",
        "liveness.ring",
        "liveness.single",
        "liveness.symmetric",
        "liveness.two_sorts",
        "formula.enabled",
        "ltl.compound",
        "ltl.exists",
        "ltl.exists_two",
        "ltl.forall",
        "ltl.forall_exists",
        "ltl.forall_two",
        "ltl.inner",
        "ltl.named",
        "ltl.nested",
        "formula.may_fault",
        "ltl.no_front",
        "ltl.random",
        "ltl.step",
    ];
    let missing: Vec<_> =
        constructs.iter().filter(|construct| !tally.used.contains_key(*construct)).collect();
    assert!(missing.is_empty(), "never generated: {missing:?}");
}

#[test]
fn models_agree_1() {
    worthwhile(0..1000);
}

#[test]
fn models_agree_2() {
    worthwhile(1000..2000);
}

#[test]
fn models_agree_3() {
    worthwhile(2000..3000);
}

#[test]
fn models_agree_4() {
    worthwhile(3000..4000);
}

#[test]
fn models_agree_5() {
    worthwhile(4000..5000);
}

/// Other seeds, from outside, in every way: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz ltl` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    run(seeds, |_| Way::all());
}

#[test]
fn the_same_seed_gives_the_same_text() {
    for seed in 0..50 {
        assert_eq!(generate(seed, Flavor::Liveness).text, generate(seed, Flavor::Liveness).text);
    }
}
