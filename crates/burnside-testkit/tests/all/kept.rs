//! Checks that are kept: ended at any look, again and again, and gone on with, they come to the same
//! verdicts, figures and evidence as checks that nobody disturbs. On random models of all kinds and on all
//! examples, with other threads each time.

use burnside::{
    Checkpoints, CtlAlgorithm, Interrupt, LoadOptions, Model, Options, PartialOrder, Report, Stop, Symmetry,
    Threads, Verdict, check,
};
use burnside_testkit::cases::{files, seeds};
use burnside_testkit::compare::load;
use burnside_testkit::generate::{Flavor, generate};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A check is ended so often at most, each time after twice as many looks.
const ENDS: u32 = 24;

/// Everything that is said of a model, but for times and memory.
fn told(report: &Report) -> Vec<String> {
    let tell = |answer: &burnside::Answer| {
        let mut stats = answer.stats;
        (stats.memory, stats.labelling) = (0, None);
        format!(
            "{}: {:?} {:?} {:?} {stats:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            answer.property,
            answer.verdict,
            answer.value,
            answer.value_so_far,
            answer.symmetry,
            answer.weighed,
            answer.partial_order,
            answer.vacuous,
            answer.unreduced,
            answer.evidence,
            answer.tree,
            answer.method,
        )
    };
    report.results.iter().map(tell).collect()
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("burnside-kept-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn threads(count: usize, alone: u32, block: u32) -> Threads {
    Threads { count: NonZeroUsize::new(count).expect("some"), alone, block }
}

/// Compares a check with one that is ended and gone on with. Says how often it was.
fn compare(model: &Model, plain: &Options, seed: u64, every: Duration) -> u32 {
    let undisturbed = match check(model, plain, &mut ()) {
        Ok(report) => told(&report),
        Err(error) => vec![error.to_string()],
    };
    let folder = Folder::new(&format!("{seed}"));
    let mut looks = 3 + seed * 7919 % 97;
    for end in 0..ENDS {
        let kept = match end {
            0 => Checkpoints::create(&folder.0, Vec::new(), every).expect("a folder"),
            _ => Checkpoints::open(&folder.0, every).expect("it is whole").checkpoints,
        };
        let mut options = Options { checkpoints: Some(kept), ..plain.clone() };
        options.limits.interrupt = Interrupt::new();
        if end + 1 < ENDS {
            options.limits.interrupt.raise_after(looks, Stop::Interrupted);
        }
        if (seed + u64::from(end)).is_multiple_of(3) {
            options.limits.threads = threads(2, 0, [1, 7, 64][(seed % 3) as usize]);
        }
        looks += looks / 2 + u64::from(end);
        let report = match check(model, &options, &mut ()) {
            Ok(report) => report,
            Err(burnside::CheckError::Stopped(Stop::Interrupted)) => continue,
            Err(error) => {
                assert_eq!(undisturbed, [error.to_string()], "{plain:?}");
                return end;
            }
        };
        let interrupted = |answer: &burnside::Answer| answer.verdict == Verdict::Unknown(Stop::Interrupted);
        // A last word may be cut short, too.
        if !options.limits.interrupt.is_raised() {
            assert!(!report.results.iter().any(interrupted));
            assert_eq!(undisturbed, told(&report), "after {end} ends, {:?}", plain.symmetry);
            return end;
        }
        let lost = report.results.iter().find(|it| matches!(it.verdict, Verdict::Unknown(Stop::Lost(_))));
        assert!(lost.is_none(), "{lost:?}");
    }
    panic!("it does not end");
}

fn options(seed: u64) -> Options {
    let mut options = Options {
        symmetry: [Symmetry::Auto, Symmetry::None, Symmetry::Exact][(seed % 3) as usize],
        ctl: [CtlAlgorithm::New, CtlAlgorithm::Emc, CtlAlgorithm::Almc][(seed / 3 % 3) as usize],
        ..Options::default()
    };
    if seed % 5 == 4 {
        options.partial_order = PartialOrder::Auto;
    }
    options.limits.states = Some([2_000, 1 + seed % 40][usize::from(seed % 7 == 6)]);
    options.limits.compress = seed.is_multiple_of(11);
    options
}

#[test]
fn random_models() {
    let mut ends = 0;
    for seed in seeds(0..120) {
        let flavors = [Flavor::Any, Flavor::Symmetric, Flavor::Liveness, Flavor::Branching];
        let flavor = flavors[(seed % 4) as usize];
        let Ok(model) = load(&generate(seed, flavor).text, &[]) else { continue };
        let every = [Duration::ZERO, Duration::from_secs(9999)][(seed / 4 % 2) as usize];
        ends += compare(&model, &options(seed), seed, every);
    }
    assert!(ends > 20, "checks were ended {ends} times only");
}

#[test]
fn examples() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for (number, path) in (1000..).zip(files(root.join("examples"), "orb")) {
        let model = Model::load(path, &LoadOptions::new()).model.expect("it is right");
        let mut options = options(number);
        options.limits.states = Some(3_000);
        compare(&model, &options, number, Duration::from_secs(9999));
    }
}
