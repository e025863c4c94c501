//! `cargo xtask contest DIR`: the Model Checking Contest's instances, against the known answers.
//!
//! The folder holds one folder per instance (`model.pnml` and the formulas), `oracle.csv` (`model,property_id,expected`) and, if it is known,
//! `instances.csv` with the numbers of states. Each examination of an instance is one run of the program; formulas that are left
//! without an answer when its time is up are asked one by one. A wrong answer fails the chore.

use crate::process::{Done, build_program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Examinations with a file of formulas.
const FILES: [&str; 7] = [
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "CTLCardinality",
    "CTLFireability",
    "LTLCardinality",
    "LTLFireability",
    "UpperBounds",
];
/// Examinations without.
const GLOBALS: [&str; 6] =
    ["ReachabilityDeadlock", "OneSafe", "QuasiLiveness", "Liveness", "StableMarking", "StateSpace"];

/// What is wanted.
struct Wanted {
    timeout: f64,
    most: u64,
    only: Vec<String>,
    symmetry: String,
}

/// Answers of one kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    right: u32,
    wrong: u32,
    unknown: u32,
}

/// An instance of the corpus.
struct Instance {
    name: String,
    folder: PathBuf,
    states: Option<u64>,
    /// By property, what is expected.
    expected: BTreeMap<String, String>,
}

/// Runs all instances of a folder.
pub fn run(folder: &str, options: &[&str]) -> Done {
    let wanted = wanted(options)?;
    let program = build_program()?;
    let instances = instances(Path::new(folder))?;
    let chosen = instances.iter().filter(|instance| wanted.chooses(instance));
    let (mut totals, mut wrong): (BTreeMap<&str, Tally>, Vec<String>) = Default::default();
    println!(
        "| instance | states | orbits | right | wrong | unknown | seconds |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    for instance in chosen {
        let mut sum = Tally::default();
        let started = Instant::now();
        let mut orbits = None;
        for examination in FILES.into_iter().chain(GLOBALS) {
            let mut answers = ask(&program, instance, examination, &wanted)?;
            if let Some(count) = answers.remove(ORBITS) {
                orbits = Some(count);
            }
            let tally = judge(instance, examination, &answers, &mut wrong);
            totals.entry(examination).or_default().add(tally);
            sum.add(tally);
        }
        let states = instance.states.map_or_else(String::new, |states| states.to_string());
        let Tally { right, wrong, unknown } = sum;
        let seconds = started.elapsed().as_secs_f64();
        let orbits = orbits.unwrap_or_default();
        println!(
            "| {} | {states} | {orbits} | {right} | {wrong} | {unknown} | {seconds:.1} |",
            instance.name
        );
    }
    println!("\n| examination | right | wrong | unknown | answered |\n|---|---:|---:|---:|---:|");
    let mut all = Tally::default();
    for (examination, tally) in &totals {
        println!("{}", tally.row(examination));
        all.add(*tally);
    }
    println!("{}", all.row("all"));
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{} answers are wrong", wrong.join("\n"), wrong.len())),
    }
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.unknown += other.unknown;
    }

    fn row(self, name: &str) -> String {
        let Tally { right, wrong, unknown } = self;
        let all = f64::from((right + wrong + unknown).max(1));
        let answered = 100.0 * f64::from(right + wrong) / all;
        format!("| {name} | {right} | {wrong} | {unknown} | {answered:.1} % |")
    }
}

impl Wanted {
    fn chooses(&self, instance: &Instance) -> bool {
        let small = instance.states.is_none_or(|states| states <= self.most);
        let named = self.only.iter().any(|name| instance.name.contains(name.as_str()));
        small && (self.only.is_empty() || named)
    }
}

fn wanted(options: &[&str]) -> Result<Wanted, String> {
    let mut wanted = Wanted { timeout: 60.0, most: u64::MAX, only: Vec::new(), symmetry: "auto".to_string() };
    for pair in options.chunks(2) {
        let bad = || format!("`{}` is not understood", pair.join(" "));
        match *pair {
            ["--timeout", seconds] => wanted.timeout = seconds.parse().map_err(|_| bad())?,
            ["--most", states] => wanted.most = states.parse().map_err(|_| bad())?,
            ["--only", name] => wanted.only.push(name.to_string()),
            ["--symmetry", kind] => wanted.symmetry = kind.to_string(),
            _ => return Err(bad()),
        }
    }
    Ok(wanted)
}

fn instances(folder: &Path) -> Result<Vec<Instance>, String> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let sizes: BTreeMap<String, u64> =
        read("instances.csv").map_or_else(|_| BTreeMap::new(), |text| sizes(&text));
    let mut expected: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for line in read("oracle.csv")?.lines().skip(1) {
        if let [model, property, answer] = line.split(',').collect::<Vec<_>>()[..] {
            let known = expected.entry(model.to_string()).or_default();
            known.insert(property.to_string(), answer.trim().to_string());
        }
    }
    let instance = |(name, expected): (String, BTreeMap<String, String>)| Instance {
        folder: folder.join(&name),
        states: sizes.get(&name).copied(),
        expected,
        name,
    };
    let mut all: Vec<Instance> = expected.into_iter().map(instance).collect();
    all.sort_by_key(|instance| (instance.states, instance.name.clone()));
    Ok(all)
}

/// The numbers of states, by instance.
fn sizes(text: &str) -> BTreeMap<String, u64> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let Some(column) = head.iter().position(|title| *title == "states") else { return BTreeMap::new() };
    let size = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Some((cells.first()?.to_string(), cells.get(column)?.parse().ok()?))
    };
    lines.filter_map(size).collect()
}

/// Not a property: the number of orbits that were found for the state space.
const ORBITS: &str = "ORBITS";

/// The answers of an examination, by the names of the oracle.
fn ask(
    program: &Path,
    instance: &Instance,
    examination: &str,
    wanted: &Wanted,
) -> Result<BTreeMap<String, String>, String> {
    let file = instance.folder.join(examination).with_extension("xml");
    let arguments: Vec<String> = match GLOBALS.contains(&examination) {
        true => vec!["--global".to_string(), examination.to_string()],
        false if file.is_file() => vec!["--properties".to_string(), file.display().to_string()],
        false => return Ok(BTreeMap::new()),
    };
    let mut answers = one_run(program, instance, &arguments, wanted)?;
    let open: Vec<String> = answers
        .iter()
        .filter(|(_, answer)| *answer == "CANNOT_COMPUTE")
        .map(|(name, _)| name.clone())
        .collect();
    // One formula may have taken the time of the others.
    if open.len() < answers.len() || open.len() > 1 {
        for name in open.iter().filter(|_| FILES.contains(&examination)) {
            let single = [&arguments[..], &["--property".to_string(), name.clone()]].concat();
            answers.extend(one_run(program, instance, &single, wanted)?);
        }
    }
    Ok(answers)
}

fn one_run(
    program: &Path,
    instance: &Instance,
    arguments: &[String],
    wanted: &Wanted,
) -> Result<BTreeMap<String, String>, String> {
    let mut command = Command::new(program);
    command.arg("check").arg(instance.folder.join("model.pnml")).args(arguments);
    command.args(["--format", "contest", "--quiet", "--symmetry", &wanted.symmetry]);
    command.args(["--timeout", &wanted.timeout.to_string()]);
    let output = command.output().map_err(|error| format!("cannot run the program: {error}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("{} {}: {}\n{complaint}", instance.name, arguments.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| answer(instance, line)).collect())
}

/// The property and the answer in a line.
fn answer(instance: &Instance, line: &str) -> Option<(String, String)> {
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["FORMULA", name, answer, ..] if GLOBALS.contains(&name) => {
            Some((format!("{}-{name}", instance.name), answer.to_string()))
        }
        ["FORMULA", name, answer, ..] => Some((name.to_string(), answer.to_string())),
        ["STATE_SPACE", "ORBITS", count, ..] => Some((ORBITS.to_string(), count.to_string())),
        ["STATE_SPACE", figure, value, ..] => {
            Some((format!("{}-StateSpace-{figure}", instance.name), value.to_string()))
        }
        _ => None,
    }
}

/// Compares with what is expected.
fn judge(
    instance: &Instance,
    examination: &str,
    answers: &BTreeMap<String, String>,
    wrong: &mut Vec<String>,
) -> Tally {
    let mut tally = Tally::default();
    let prefix = format!("{}-{examination}", instance.name);
    for (property, expected) in instance.expected.range(prefix.clone()..) {
        let Some(rest) = property.strip_prefix(&prefix) else { break };
        if !rest.is_empty() && !rest.starts_with('-') {
            continue;
        }
        match answers.get(property).map(String::as_str) {
            Some(answer) if answer == expected => tally.right += 1,
            None | Some("CANNOT_COMPUTE") => tally.unknown += 1,
            Some(answer) => {
                tally.wrong += 1;
                wrong.push(format!("{property}: {answer}, expected {expected}"));
            }
        }
    }
    tally
}
