//! Forged evidence of random models, with fixed seeds, and of the examples: what the replay accepts is right
//! in the eyes of the oracle.
//!
//! More seeds, without end, are for `cargo xtask fuzz evidence`. Trace files are forged in the tests of the
//! program.

use burnside_testkit::cases::{are_all, files, given_seeds, seeds};
use burnside_testkit::forge::{Tally, forge, forge_text};
use burnside_testkit::generate::Flavor;

/// Larger models are left out.
const LIMIT: usize = 120;
/// So many forgeries are made for each model.
const MUTANTS: u64 = 60;

fn run(seeds: impl IntoIterator<Item = u64>, flavor: Flavor) -> Tally {
    let tally = forge(seeds, flavor, LIMIT, MUTANTS).unwrap_or_else(|problem| panic!("{problem}"));
    println!("{flavor:?}: {tally:?}");
    tally
}

#[test]
fn forged_paths() {
    let tally = run(seeds(0..170), Flavor::Any);
    assert!(!are_all() || tally.mutants > 7_000 && tally.accepted * 20 > tally.mutants, "{tally:?}");
}

#[test]
fn forged_lassos() {
    let tally = run(seeds(0..150), Flavor::Liveness);
    assert!(!are_all() || tally.mutants > 7_000 && tally.accepted * 20 > tally.mutants, "{tally:?}");
    assert!(!are_all() || tally.lassos * 2 > tally.accepted, "{tally:?}");
}

#[test]
fn forged_trees() {
    let tally = run(seeds(0..150), Flavor::Branching);
    assert!(!are_all() || tally.mutants > 7_000 && tally.accepted * 20 > tally.mutants, "{tally:?}");
    assert!(!are_all() || tally.trees * 2 > tally.accepted, "{tally:?}");
}

#[test]
fn forged_examples() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let mut tally = Tally::default();
    for path in files(examples, "orb") {
        let text = std::fs::read_to_string(&path).expect("readable");
        let forged = forge_text(&text, 1, 300, 500, &mut tally);
        forged.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    }
    println!("{tally:?}");
    assert!(!are_all() || tally.models > 2, "{tally:?}");
}

/// Other seeds, from outside: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz evidence` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds() else { return };
    for flavor in [Flavor::Any, Flavor::Liveness, Flavor::Branching, Flavor::Indexed] {
        run(seeds.clone(), flavor);
    }
}
