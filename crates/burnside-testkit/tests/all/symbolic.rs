//! Random models checked with decision diagrams: every verdict is that of the oracle, every count is that of
//! the interpreter, and all evidence replays.
//!
//! More seeds, without end, are for `cargo xtask fuzz symbolic`.

use burnside::{
    CheckError, DiagramOptions, Engine, Fairness, Limits, LoadOptions, Model, Options, SymbolicMethod,
    Verdict, check,
};
use burnside_testkit::cases::{are_all, files, given_seeds, seeds};
use burnside_testkit::compare::Way;
use burnside_testkit::fuzz::{Tally, agree};
use burnside_testkit::generate::{Flavor, generate};
use std::ops::Range;

fn run(seeds: impl IntoIterator<Item = u64>, flavor: Flavor) -> Tally {
    agree(seeds, flavor, 250, Way::symbolic)
}

/// Most of the models of a flavor are small enough.
fn most(usual: Range<u64>, flavor: Flavor, least: u64) {
    let tally = run(seeds(usual), flavor);
    assert!(!are_all() || tally.agreed >= least, "{tally:?}");
}

#[test]
fn any_models() {
    most(0..150, Flavor::Any, 130);
}

#[test]
fn symmetric_models() {
    most(0..60, Flavor::Symmetric, 45);
}

#[test]
fn fair_models_with_linear_time() {
    most(0..200, Flavor::Liveness, 160);
}

#[test]
fn fair_models_with_branching_time() {
    most(0..200, Flavor::Branching, 160);
}

const METHODS: [SymbolicMethod; 6] = [
    SymbolicMethod::Classic,
    SymbolicMethod::Symmetry,
    SymbolicMethod::Hints,
    SymbolicMethod::LiveRep,
    SymbolicMethod::Representatives,
    SymbolicMethod::Orbit,
];

/// Checks a model by every method and compares the verdicts with those of the explicit engine. What a method
/// leaves unknown is counted.
fn compare_methods(name: &str, model: &Model, fairness: Fairness) -> Option<[u64; 2]> {
    // The relation between states of more bits is too large for a test.
    if model.system.width > 32 {
        return None;
    }
    let limits = burnside::Limits { states: Some(1_000), ..Default::default() };
    let explicit = Options { engine: Engine::Explicit, fairness, limits, ..Options::default() };
    let expected = match check(model, &explicit, &mut ()) {
        Err(CheckError::NoInitialState(_)) => return None,
        checked => checked.unwrap(),
    };
    if expected.results.iter().any(|result| matches!(result.verdict, Verdict::Unknown(_))) {
        return None;
    }
    let (mut known, mut unknown) = (0, 0);
    for method in METHODS {
        let diagrams = DiagramOptions { method, ..DiagramOptions::default() };
        let limits = Limits::of_nodes(1 << 18);
        let options = Options { engine: Engine::Symbolic, diagrams, fairness, limits, ..Options::default() };
        let report =
            check(model, &options, &mut ()).unwrap_or_else(|error| panic!("{name} {method:?}: {error:?}"));
        assert_eq!(report.results.len(), expected.results.len());
        for (result, expected) in report.results.iter().zip(&expected.results) {
            match &result.verdict {
                Verdict::Unknown(_) => unknown += 1,
                verdict => {
                    known += 1;
                    assert_eq!(*verdict, expected.verdict, "{name} {method:?} {}", result.property);
                }
            }
        }
        if let (Some(found), Some(all)) = (&report.unreduced, &expected.unreduced) {
            assert_eq!(found, all, "{name} {method:?}");
        }
    }
    Some([known, unknown])
}

#[test]
fn examples_by_every_method() {
    let mut sums = [0, 0, 0];
    for path in files("../../examples", "orb") {
        let text = std::fs::read_to_string(&path).unwrap();
        let model = Model::load(&text, &LoadOptions::new()).model.unwrap();
        let fairness = if text.len() % 2 == 0 { Fairness::Model } else { Fairness::None };
        if let Some([known, unknown]) = compare_methods(&path.display().to_string(), &model, fairness) {
            sums = [sums[0] + 1, sums[1] + known, sums[2] + unknown];
        }
    }
    let [examples, known, unknown] = sums;
    assert!(!are_all() || examples >= 8 && known > 4 * unknown, "{sums:?}");
}

#[test]
fn random_models_by_every_method() {
    let mut sums = [0, 0, 0];
    for (flavor, usual) in [(Flavor::Symmetric, 0..40), (Flavor::Branching, 1000..1040)] {
        for seed in seeds(usual) {
            let Ok(model) = Model::load(&generate(seed, flavor).text, &LoadOptions::new()).model else {
                continue;
            };
            let fairness = if seed % 2 == 0 { Fairness::Model } else { Fairness::None };
            if let Some([known, unknown]) = compare_methods(&format!("{flavor:?} {seed}"), &model, fairness) {
                sums = [sums[0] + 1, sums[1] + known, sums[2] + unknown];
            }
        }
    }
    let [models, known, unknown] = sums;
    assert!(!are_all() || models >= 20 && known > 2 * unknown, "{sums:?}");
}

/// Other seeds, from outside, with all kinds of models in turn: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask
/// fuzz symbolic` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(given) = given_seeds() else { return };
    let (mut agreed, mut skipped, mut by_method) = (0, 0, 0);
    for seed in seeds(given) {
        let flavors = [Flavor::Any, Flavor::Symmetric, Flavor::Liveness, Flavor::Branching];
        let flavor = flavors[seed as usize % flavors.len()];
        let tally = run(seed..seed + 1, flavor);
        (agreed, skipped) = (agreed + tally.agreed, skipped + tally.skipped);
        if let Ok(model) = Model::load(&generate(seed, flavor).text, &LoadOptions::new()).model {
            let fairness = if seed / 4 % 2 == 0 { Fairness::Model } else { Fairness::None };
            by_method +=
                u64::from(compare_methods(&format!("{flavor:?} {seed}"), &model, fairness).is_some());
        }
    }
    println!("{agreed} models agree, {skipped} are too large; {by_method} agree by every method");
}
