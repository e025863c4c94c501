//! Threads change nothing, and packed states neither: verdicts, figures, numbers of original states and
//! evidence are those of one thread, on random models and on all examples, with blocks so small that much
//! happens in few states.

use burnside::{LoadOptions, Model, Options, Symmetry, Threads, check};
use burnside_testkit::cases::{files, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use std::num::NonZeroUsize;
use std::path::Path;

/// Everything that is said of a model, but for times and memory.
fn answers(model: &Model, symmetry: Symmetry, states: u64, threads: Threads, compress: bool) -> Vec<String> {
    let mut options = Options { symmetry, ..Options::default() };
    options.limits.states = Some(states);
    options.limits.threads = threads;
    options.limits.compress = compress;
    let report = match check(model, &options, &mut ()) {
        Ok(report) => report,
        Err(error) => return vec![error.to_string()],
    };
    let tell = |answer: &burnside::Answer| {
        let mut stats = answer.stats;
        (stats.memory, stats.labelling) = (0, None);
        format!(
            "{}: {:?} {:?} {:?} {stats:?} {:?} {:?} {:?} {:?} {:?}",
            answer.property,
            answer.verdict,
            answer.value,
            answer.value_so_far,
            answer.symmetry,
            answer.weighed,
            answer.unreduced,
            answer.evidence,
            answer.tree,
        )
    };
    report.results.iter().map(tell).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn threads(count: usize, alone: u32, block: u32) -> Threads {
    Threads { count: NonZeroUsize::new(count).expect("some"), alone, block }
}

fn compare(model: &Model, states: u64, seed: u64) {
    let block = [1, 2, 5, 33, 256][(seed % 5) as usize];
    let many = threads(2 + (seed % 3) as usize, (seed % 3) as u32, block);
    for symmetry in [Symmetry::Auto, Symmetry::None, Symmetry::Fast] {
        let one = answers(model, symmetry, states, Threads::default(), false);
        let several = answers(model, symmetry, states, many, seed.is_multiple_of(4));
        assert_eq!(one, several, "{symmetry:?}, {many:?}, {states}");
        let packed = answers(model, symmetry, states, Threads::default(), true);
        assert_eq!(one, packed, "{symmetry:?}, packed, {states}");
    }
}

#[test]
fn random_models() {
    for seed in seeds(0..300) {
        let flavor = [Flavor::Any, Flavor::Symmetric][(seed % 2) as usize];
        let Ok(model) = load(&generate(seed, flavor).text, &[]) else { continue };
        let limit = [2_000, 1 + seed % 40][(seed / 2 % 2) as usize];
        compare(&model, limit, seed);
    }
}

#[test]
fn examples() {
    for path in files(root().join("examples"), "orb") {
        let model = Model::load(path, &LoadOptions::new()).model.expect("it is right");
        compare(&model, 5_000, 13);
    }
}
