//! `--symmetry auto` that weighs early, on random models: verdicts, lengths of evidence and numbers of states
//! are those of all other ways, whatever part of the group is given up.

use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::agree;
use burnside_testkit::generate::Flavor;

/// Larger models are left out.
const LIMIT: usize = 250;

/// Of runs and trees.
fn temporal(usual: std::ops::Range<u64>, flavor: Flavor) {
    let tally = agree(seeds(usual), flavor, LIMIT, Way::weighed_temporal);
    assert!(!are_all() || tally.agreed > 60, "only {}", tally.agreed);
}

#[test]
fn giving_up_changes_no_run() {
    temporal(0..150, Flavor::Liveness);
}

#[test]
fn giving_up_changes_no_run_with_indices_inside() {
    temporal(0..150, Flavor::Indexed);
}

#[test]
fn giving_up_changes_no_tree() {
    temporal(0..150, Flavor::Branching);
}

#[test]
fn giving_up_changes_nothing() {
    let tally = agree(seeds(0..250), Flavor::Symmetric, LIMIT, Way::weighed);
    assert!(!are_all() || tally.agreed > 100, "only {}", tally.agreed);
}
