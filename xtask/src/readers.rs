//! `cargo xtask fuzz readers`: libFuzzer on the readers of texts, with the targets in `fuzz/`.
//!
//! What `cargo fuzz` does, without a nightly Rust: the counters of libFuzzer are made by a pass that stable
//! compilers have too. There is no address sanitizer, for there is next to no
//! `unsafe`. Inputs that reach something new are kept in `target/fuzz/corpus`, what fails in
//! `target/fuzz/artifacts`.

use crate::process::{self, Done, cargo, root, target_directory};
use std::path::Path;
use std::process::Command;

/// The targets.
const TARGETS: [&str; 8] = ["orb", "pnml", "murphi", "hoa", "contest", "trace", "ltl", "query"];

/// How long each is run.
const SECONDS: &str = "60";

/// What makes code count how often it is reached.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Runs a target, or all, for some seconds each.
pub fn run(args: &[&str]) -> Done {
    let targets = match args.first() {
        None => &TARGETS[..],
        Some(name) => match TARGETS.iter().position(|target| target == name) {
            Some(at) => &TARGETS[at..=at],
            None => return Err(format!("`{name}` is no target: there are {}", TARGETS.join(", "))),
        },
    };
    let seconds = args.get(1).unwrap_or(&SECONDS);
    if seconds.parse::<u32>().is_err() {
        return Err(format!("`{seconds}` is not a number of seconds"));
    }
    let folder = target_directory()?.join("fuzz");
    write_seeds(&folder.join("seeds"))?;
    targets.iter().try_for_each(|target| fuzz(&folder, target, seconds))
}

/// The tests know right texts.
fn write_seeds(folder: &Path) -> Done {
    let suites = [["burnside-testkit", "--test=readers"], ["burnside-cli", "--bin=burnside"]];
    suites.iter().try_for_each(|[package, suite]| {
        let mut test = cargo(&["test", "--quiet", "-p", package, suite, "seeds_are_written"]);
        process::run(test.env("BURNSIDE_SEEDS", folder))
    })
}

fn fuzz(folder: &Path, target: &str, seconds: &str) -> Done {
    println!("== {target}, {seconds} s");
    // With a target platform the flags are not for build scripts and macros.
    let platform = platform()?;
    let mut build = cargo(&["build", "--release", "--bin", target, "--target", &platform]);
    build.current_dir(root().join("fuzz")).env("CARGO_TARGET_DIR", folder);
    process::run(build.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")))?;
    let (corpus, artifacts) = (folder.join("corpus").join(target), folder.join("artifacts"));
    for made in [&corpus, &artifacts] {
        std::fs::create_dir_all(made).map_err(|error| format!("cannot make {}: {error}", made.display()))?;
    }
    let mut program = Command::new(folder.join(platform).join("release").join(target));
    program.arg(corpus).arg(folder.join("seeds").join(target));
    program.arg(format!("-max_total_time={seconds}")).args([
        "-timeout=20",
        "-max_len=16384",
        "-print_final_stats=1",
    ]);
    let prefix = format!("{}/{target}-", artifacts.display());
    let file = program.get_program().to_string_lossy().into_owned();
    let again = |message| format!("{message}\nagain: {file} FILE, where the file {prefix}… is shown above");
    process::run(program.arg(format!("-artifact_prefix={prefix}"))).map_err(again)
}

/// The platform that is built for.
fn platform() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    process::output(Command::new(rustc).args(["--print", "host-tuple"])).map(|text| text.trim().to_string())
}
