//! `cargo xtask bench`: how fast the interpreter is and what a state costs, on some examples.
//!
//! Seconds are processor time of the whole program, the median of some runs; other figures come from its own
//! report. With `--baseline REV` the same is measured with the program of that revision, built in a git
//! worktree, by turns with this one, and shown as a ratio (above 1: faster now).

use crate::cpu::{self, Job};
use crate::growth;
use crate::machine;
use crate::process::{self, Done, build_program, check_model, output, root, target_directory};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// Seconds that a program may take.
const LIMIT: u32 = 100;
/// One search over all states and nothing else.
const ONLY: [&str; 6] = ["--symmetry", "none", "--property", "faults", "--property", "deadlock"];

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
    println!("\nProcessor time. The limit is the packed width rounded up to 8 bytes, plus 16.");
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

/// The median run of each program. They take turns, so that a busy machine is unfair to all of them alike.
fn measure(programs: &[&Path], name: &str, settings: &[(&str, &str)]) -> Vec<Result<Figures, String>> {
    let model = root().join("examples").join(name).with_extension("orb");
    let settings: Vec<_> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let jobs: Vec<Job> = programs.iter().map(|program| job(program, &model, &settings)).collect();
    let timings = cpu::medians(&jobs.iter().collect::<Vec<_>>(), LIMIT);
    let figures = |(program, timing): (&&Path, cpu::Timing)| {
        let took = timing?.ok_or_else(|| format!("it takes more than {LIMIT} s"))?;
        let document = check_model(program, &model, &settings, &ONLY)?;
        read(&document, took.seconds).ok_or_else(|| "the report lacks figures".to_string())
    };
    programs.iter().zip(timings).map(figures).collect()
}

fn job(program: &Path, model: &Path, settings: &[(String, String)]) -> Job {
    let mut words = vec![program.display().to_string(), "check".to_string(), model.display().to_string()];
    words.extend(ONLY.map(String::from));
    for (name, value) in settings {
        words.extend(["--set".to_string(), format!("{name}={value}")]);
    }
    Job { words, read: Rc::new(|_| Ok(None)) }
}

fn read(document: &Value, seconds: f64) -> Option<Figures> {
    let stats = &document["stats"];
    Some(Figures {
        states: stats["states"].as_u64()?,
        transitions: stats["transitions"].as_u64()?,
        seconds,
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
