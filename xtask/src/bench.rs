//! `cargo xtask bench`: how fast the interpreter is and what a state costs, on some examples.
//!
//! Seconds are processor time of the whole program on one thread, the median of some runs; other figures come
//! from its own report. `cargo xtask bench compare` takes the same runs: [`own`].

use crate::cpu::{self, Job};
use crate::growth;
use crate::machine;
use crate::process::{ALONE, Done, build_program, check_model};
use crate::work::{example, text};
use serde_json::Value;
use std::path::Path;
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
pub fn run() -> Done {
    let program = build_program()?;
    println!("{}\n", machine::describe());
    println!("| model | states | transitions | seconds | transitions/s | bytes/state | limit |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    for (name, settings) in CASES {
        println!("{}", row(name, settings, &measure(&program, name, settings)?));
    }
    println!("\nProcessor time. The limit is the packed width rounded up to 8 bytes, plus 16.");
    growth::run(&program)
}

/// The runs of these cases, for a comparison with another revision.
pub fn own(program: &Path) -> Vec<(String, Job)> {
    let named = |&(name, settings): &(&str, &[(&str, &str)])| {
        (format!("{name} {}: safety, no symmetry", show(settings)), job(program, name, settings))
    };
    CASES.iter().map(named).collect()
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

fn show(settings: &[(&str, &str)]) -> String {
    settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

fn row(name: &str, settings: &[(&str, &str)], figures: &Figures) -> String {
    let bytes = figures.bytes as f64 / figures.states.max(1) as f64;
    format!(
        "| {name} {} | {} | {} | {:.3} | {:.0} | {bytes:.1} | {} |",
        show(settings),
        figures.states,
        figures.transitions,
        figures.seconds,
        figures.rate(),
        figures.limit()
    )
}

/// The median run.
fn measure(program: &Path, name: &str, settings: &[(&str, &str)]) -> Result<Figures, String> {
    let timing = cpu::medians(&[&job(program, name, settings)], LIMIT).remove(0)?;
    let took = timing.ok_or_else(|| format!("it takes more than {LIMIT} s"))?;
    let settings: Vec<_> =
        settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let document = check_model(program, &example(name), &settings, &ONLY)?;
    read(&document, took.seconds).ok_or_else(|| "the report lacks figures".to_string())
}

fn job(program: &Path, name: &str, settings: &[(&str, &str)]) -> Job {
    let mut words = vec![text(program), "check".to_string(), text(&example(name))];
    words.extend(ONLY.into_iter().chain(ALONE).map(String::from));
    for (name, value) in settings {
        words.extend(["--set".to_string(), format!("{name}={value}")]);
    }
    let read = |printed: &str| match printed.is_empty() {
        true => Err("it prints nothing".to_string()),
        false => Ok(None),
    };
    Job { words, read: Rc::new(read) }
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
