//! What the program is asked to do: every command on every example, with constants that keep it short.

use burnside_testkit::expect;
use std::fmt;
use std::path::{Path, PathBuf};

/// A call of the program.
pub struct Job {
    /// What is typed.
    pub arguments: Vec<String>,
    /// Whether one JSON document comes out.
    pub json: bool,
}

impl Job {
    fn new(arguments: &[&str]) -> Self {
        let json = arguments.contains(&"json");
        Self { arguments: arguments.iter().map(ToString::to_string).collect(), json }
    }

    /// Whether properties are checked.
    pub fn is_check(&self) -> bool {
        self.arguments[0] == "check"
    }
}

impl fmt::Display for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "burnside {}", self.arguments.join(" "))
    }
}

/// Ways to check a model.
const WAYS: [&[&str]; 6] = [
    &[],
    &["--symmetry", "none"],
    &["--method", "two-phase", "--ctl-algorithm", "emc"],
    &["--ctl-algorithm", "almc", "--automaton-symmetry", "exact"],
    &["--engine", "symbolic"],
    &["--engine", "symbolic", "--symbolic-method", "symmetry"],
];

/// Models with diagrams so large that to build them takes as long as a test may.
const LARGE: [&str; 2] = ["directory", "linked_list"];

/// All calls. Every model has a command of each kind; the ways to check it take turns.
pub fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (number, (model, settings)) in models().iter().enumerate() {
        let set: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
        let mut add = |command: &str, rest: &[&str]| {
            jobs.push(Job::new(&[&[command, model], &set[..], rest].concat()));
        };
        let symbolic = if LARGE.iter().any(|name| model.contains(name)) { 1 } else { 4 + number % 2 };
        for way in [WAYS[0], WAYS[1 + number % 3], WAYS[symbolic]] {
            add("check", &[&["--format", "json"], way].concat());
        }
        add("check", &["--quiet"]);
        add("symmetry", &["--format", "json"]);
        add("graph", &["--format", "json", "--max-states", "50"]);
        add("graph", &["--quotient", "--max-states", "50"]);
        add("simulate", &["--seed", "7"]);
        add("dump", &["--stage", "system"]);
    }
    for formula in ["G F a && (b U c) -> F G d", "(F a && F b && F c) || G (d -> X e)"] {
        jobs.push(Job::new(&["translate", formula]));
    }
    jobs
}

/// The examples, each with constants of one of its expectations that has few states.
fn models() -> Vec<(String, Vec<String>)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let files = std::fs::read_dir(root.join("examples")).expect("there are examples");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("an entry").path()).collect();
    paths.sort();
    let model = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("an example can be read");
        let name = path.file_name().expect("a file").to_string_lossy();
        (format!("examples/{name}"), smallest(&text))
    };
    paths.iter().map(model).collect()
}

/// The constants of the configuration with the fewest states.
fn smallest(text: &str) -> Vec<String> {
    let best = expect::read(text).checks.into_iter().min_by_key(|check| check.states);
    let settings = best.into_iter().flat_map(|check| check.settings);
    settings.map(|(name, value)| format!("{name}={value}")).collect()
}
