//! Random Murphi programs: what we say of them, and what Rumur does. Without Rumur (a package of Debian)
//! and a C compiler this is skipped, and says so.

use burnside::{Answer, LoadOptions, Model, Options, Source, Symmetry, Verdict, check};
use burnside_testkit::cases::{given_seeds, seeds};
use burnside_testkit::murphi::{CONSTRUCTS, program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is compared: whether something is wrong; and if not, the states and the rules fired.
#[derive(Debug, PartialEq, Eq)]
enum Found {
    Wrong,
    Right { states: u64, fired: u64 },
}

#[test]
fn programs_agree_with_rumur() {
    if installed() {
        for seed in seeds(0..12) {
            agree(seed);
        }
    }
}

#[test]
fn programs_have_every_construct() {
    let programs: Vec<String> = (0..400).map(program).collect();
    let having = |sign: &str| programs.iter().filter(|text| text.contains(sign)).count();
    let few: Vec<_> =
        CONSTRUCTS.iter().map(|(name, sign)| (name, having(sign))).filter(|it| it.1 < 4).collect();
    assert!(few.is_empty(), "{few:?}");
}

/// Other seeds, from outside: `BURNSIDE_CASE=FIRST..END`, as `cargo xtask fuzz murphi` sets it.
#[test]
fn models_of_given_seeds_agree() {
    let Some(seeds) = given_seeds().filter(|_| installed()) else { return };
    let count = seeds.end - seeds.start;
    for (name, sign) in CONSTRUCTS {
        eprintln!("{:>6}  {name}", seeds.clone().filter(|seed| program(*seed).contains(sign)).count());
    }
    let right = seeds.map(agree).filter(|found| *found != Found::Wrong).count();
    eprintln!("{count} programs agree with rumur, {right} of them without an error");
}

fn installed() -> bool {
    let runs =
        |program: &str| Command::new(program).arg("--version").output().is_ok_and(|it| it.status.success());
    let both = runs("rumur") && runs("cc");
    if !both {
        eprintln!("skipped: rumur or a C compiler is not installed (apt-get install rumur gcc)");
    }
    both
}

fn agree(seed: u64) -> Found {
    let text = program(seed);
    let folder = std::env::temp_dir().join(format!("burnside-murphi-{}-{seed}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room");
    let (mine, whole) = ours(&text, Symmetry::None);
    let other = theirs(&folder, &text, "off");
    // States that fail an assumption are counted here, and those after a `cover` statement are states of
    // their own.
    if text.contains("assume ") || text.contains("cover \"met\"") {
        assert_eq!(mine == Found::Wrong, other == Found::Wrong, "seed {seed}\n{text}");
        return mine;
    }
    assert_eq!(mine, other, "seed {seed}\n{text}");
    let (reduced, symmetric) = ours(&text, Symmetry::Exact);
    assert!(whole, "without symmetry all of it is kept");
    if symmetric {
        match (theirs(&folder, &text, "exhaustive"), reduced) {
            // We do not fire rules that are alike.
            (Found::Right { states, .. }, Found::Right { states: orbits, .. }) => {
                assert_eq!(orbits, states, "orbits of seed {seed}\n{text}");
            }
            (theirs, ours) => assert_eq!(ours, theirs, "seed {seed} with symmetry\n{text}"),
        }
    }
    std::fs::remove_dir_all(&folder).expect("it is ours");
    mine
}

/// Whether deadlocks are compared: where all enabled rules fail an assumption is one for Rumur alone.
fn may_be_stuck(text: &str) -> bool {
    !text.contains("assume ")
}

/// What we find, and whether the whole scalarset is symmetric.
fn ours(text: &str, symmetry: Symmetry) -> (Found, bool) {
    let loaded = Model::load(Source::named("random.m", text), &LoadOptions::new());
    let model = loaded.into_model().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let size = model.system.types.sorts().next().map_or(1, |(_, sort)| sort.size);
    let whole = symmetry == Symmetry::None || size < 2 || model.system.symmetry.sorts[0].is_whole(size);
    let options = Options { symmetry, ..Options::default() };
    let report = check(&model, &options, &mut ()).expect("it can be checked");
    let is_wrong = |result: &Answer| {
        let counts = may_be_stuck(text) || result.property != "deadlock";
        counts && !matches!(result.verdict, Verdict::Holds)
    };
    if report.results.iter().any(is_wrong) {
        return (Found::Wrong, whole);
    }
    let stats = &report.stats;
    (Found::Right { states: stats.states, fired: stats.transitions }, whole)
}

/// What Rumur finds.
fn theirs(folder: &Path, text: &str, symmetry: &str) -> Found {
    let file = |name: &str| -> PathBuf { folder.join(name) };
    std::fs::write(file("model.m"), text).expect("there is room");
    let mut rumur = Command::new("rumur");
    rumur.args(["--quiet", "--threads", "1", "--scalarset-schedules", "off", "--value-type", "int32_t"]);
    let stuck = if may_be_stuck(text) { "stuck" } else { "off" };
    rumur.args(["--deadlock-detection", stuck, "--output-format", "machine-readable"]);
    // A smaller table may have to grow, which ends the verifiers of some models with `liveness` by a signal.
    rumur.args(["--symmetry-reduction", symmetry, "--set-capacity", "4000000", "--output"]);
    run(rumur.arg(file("model.c")).arg(file("model.m")), text);
    let mut cc = Command::new("cc");
    run(
        cc.args(["-O0", "-w", "-o"]).arg(file("model")).arg(file("model.c")).args(["-lpthread", "-latomic"]),
        text,
    );
    let out = Command::new(file("model")).output().expect("it was compiled");
    let out = String::from_utf8_lossy(&out.stdout).into_owned();
    let number = |name: &str| {
        let found = out.rsplit_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        found
            .and_then(|number| number.parse::<u64>().ok())
            .unwrap_or_else(|| panic!("no {name} in {out}\n{text}"))
    };
    match number("errors") {
        0 => Found::Right { states: number("states"), fired: number("rules_fired") },
        _ => Found::Wrong,
    }
}

fn run(command: &mut Command, text: &str) {
    let out = command.output().expect("it is installed");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{said}\n{text}");
}
