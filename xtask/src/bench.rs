//! `cargo xtask bench`: how fast the interpreter is and what a state costs, on some examples.
//!
//! Figures come from the program's own report, the fastest of some runs. With `--baseline REV` the same is
//! measured with the program of that revision, built in a git worktree, and shown as a ratio (above 1: faster
//! now).

use crate::growth;
use crate::machine;
use crate::process::{self, Done, build_program, check_model, output, root, target_directory};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNS: usize = 5;
/// One search over all states and nothing else.
const ONLY: [&str; 6] = ["--symmetry", "none", "--property", "faults", "--property", "deadlock"];
/// Slow cases are run less often.
const SLOW_SECONDS: f64 = 5.0;

/// Example and constants. The first is the one that the project promises something about.
const CASES: &[(&str, &[(&str, &str)])] = &[
    ("filter_lock", &[("N", "4")]),
    ("mutex", &[("N", "16")]),
    ("resource", &[("N", "14")]),
    ("mesi", &[("N", "5")]),
    ("german", &[("N", "3"), ("V", "2")]),
    ("raft_election", &[("N", "4")]),
    ("paxos", &[("N", "3"), ("B", "3")]),
];

/// What was measured.
struct Figures {
    states: u64,
    transitions: u64,
    seconds: f64,
    bytes: u64,
    width: u64,
}

/// Measures all cases and prints a table.
pub fn run(baseline: Option<&str>) -> Done {
    let now = build_program()?;
    let before = baseline.map(build_baseline).transpose()?;
    println!("{}\n", machine::describe());
    println!(
        "| model | states | transitions | seconds | transitions/s | bytes/state | limit |{}",
        head(baseline)
    );
    println!("|---|--:|--:|--:|--:|--:|--:|{}", if baseline.is_some() { "--:|" } else { "" });
    for (name, settings) in CASES {
        let programs: Vec<&Path> = std::iter::once(&now).chain(&before).map(PathBuf::as_path).collect();
        let figures = measure(&programs, name, settings);
        let current = figures[0].as_ref().map_err(Clone::clone)?;
        let ratio = figures.get(1).map_or(String::new(), |old| match old {
            Ok(old) => format!(" {:.2} |", current.rate() / old.rate()),
            // The example or its constants may be younger than the revision.
            Err(_) => " - |".into(),
        });
        println!("{}{ratio}", row(name, settings, current));
    }
    println!("\nOne core. The limit is the packed width rounded up to 8 bytes, plus 16.");
    growth::run(&now)
}

impl Figures {
    fn rate(&self) -> f64 {
        self.transitions as f64 / self.seconds.max(1e-9)
    }

    /// What a state may cost.
    fn limit(&self) -> u64 {
        self.width.div_ceil(64) * 8 + 16
    }
}

fn head(baseline: Option<&str>) -> String {
    baseline.map_or(String::new(), |revision| format!(" against {revision} |"))
}

fn row(name: &str, settings: &[(&str, &str)], figures: &Figures) -> String {
    let settings: Vec<_> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let bytes = figures.bytes as f64 / figures.states.max(1) as f64;
    format!(
        "| {name} {} | {} | {} | {:.3} | {:.0} | {bytes:.1} | {} |",
        settings.join(" "),
        figures.states,
        figures.transitions,
        figures.seconds,
        figures.rate(),
        figures.limit()
    )
}

/// The fastest of some runs of each program. They take turns, so that a busy machine is unfair to all of them
/// alike.
fn measure(programs: &[&Path], name: &str, settings: &[(&str, &str)]) -> Vec<Result<Figures, String>> {
    let model = root().join("examples").join(name).with_extension("orb");
    let settings: Vec<_> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let once = |program: &&Path| {
        let document = check_model(program, &model, &settings, &ONLY)?;
        read(&document).ok_or_else(|| "the report lacks figures".to_string())
    };
    let mut best: Vec<_> = programs.iter().map(once).collect();
    let slow = best.iter().flatten().any(|figures| figures.seconds > SLOW_SECONDS);
    for _ in 1..if slow { 1 } else { RUNS } {
        for (program, best) in programs.iter().zip(&mut best) {
            if let (Ok(figures), Ok(fastest)) = (once(program), best.as_mut())
                && figures.seconds < fastest.seconds
            {
                *fastest = figures;
            }
        }
    }
    best
}

fn read(document: &Value) -> Option<Figures> {
    let stats = &document["stats"];
    Some(Figures {
        states: stats["states"].as_u64()?,
        transitions: stats["transitions"].as_u64()?,
        seconds: document["seconds"].as_f64()?,
        bytes: stats["peak_memory"].as_u64()?,
        width: document["state_bits"].as_u64()?,
    })
}

/// Builds the program of another revision, beside this one.
pub fn build_baseline(revision: &str) -> Result<PathBuf, String> {
    let commit = output(Command::new("git").current_dir(root()).args([
        "rev-parse",
        "--verify",
        &format!("{revision}^{{commit}}"),
    ]))?;
    let target = target_directory()?.join("baseline");
    let tree = target.join(format!("tree-{}", commit.trim()));
    if !tree.exists() {
        let tree = tree.to_str().ok_or("the target directory is not text")?;
        process::run(Command::new("git").current_dir(root()).args([
            "worktree",
            "add",
            "--detach",
            "--force",
            tree,
            commit.trim(),
        ]))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(&tree).args(["build", "--release", "--quiet", "-p", "burnside-cli"]);
    process::run(build.env("CARGO_TARGET_DIR", target.join("build")))?;
    let program = target.join("build/release").join(format!("burnside{}", std::env::consts::EXE_SUFFIX));
    Ok(program)
}
