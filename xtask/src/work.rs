//! Runs of our program that are measured: what they must find, and how outcomes are shown.
//!
//! Entry points: [`check`] and [`hunt`] make a job of one, [`show`] and [`ratio`] tell what came of it. A run
//! that finds another number of states or another verdict than the known ones has failed.

use crate::cpu::{Job, Timing};
use crate::process::{ALONE, output, root};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// A run that must find so many orbits (or states) and this verdict of the last property, if one is named.
/// One thread, if the options do not name another number.
pub fn check(program: &Path, model: &Path, options: &str, orbits: u64, verdict: &'static str) -> Job {
    let read = move |printed: &str| read(printed, orbits, verdict);
    Job { words: words(program, model, options), read: Rc::new(read) }
}

/// A run that must find a violation of the last property. It counts the steps that show it.
pub fn hunt(program: &Path, model: &Path, options: &str) -> Job {
    Job { words: words(program, model, options), read: Rc::new(read_length) }
}

fn words(program: &Path, model: &Path, options: &str) -> Vec<String> {
    let start = [text(program), "check".into(), text(model)];
    let format = ["--format", "json", "--quiet"].into_iter();
    let alone = ALONE.into_iter().filter(|_| !options.contains(ALONE[0]));
    let options = format.chain(alone).chain(options.split_whitespace()).map(String::from);
    start.into_iter().chain(options).collect()
}

/// The same with the program of another revision, which may not know of threads.
pub fn with_program(job: &Job, program: &Path) -> Job {
    let mut words = job.words.clone();
    words[0] = text(program);
    let help = output(Command::new(program).args(["check", "--help"]));
    let alone = words.windows(2).position(|it| it == ALONE);
    if let Some(at) = alone.filter(|_| help.is_ok_and(|help| !help.contains(ALONE[0]))) {
        words.drain(at..at + 2);
    }
    Job { words, read: job.read.clone() }
}

/// The file of an example.
pub fn example(name: &str) -> PathBuf {
    root().join("examples").join(name).with_extension("orb")
}

pub fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The steps, if the orbits and the verdict (if one is named) of the last property are what they must be.
fn read(printed: &str, orbits: u64, verdict: &str) -> Result<Option<u64>, String> {
    let document = last_verdict(printed, verdict)?;
    match document["stats"]["states"].as_u64() {
        Some(states) if states == orbits => Ok(document["stats"]["transitions"].as_u64()),
        states => Err(format!("there are {orbits} orbits, not {states:?}")),
    }
}

/// The report, if the verdict of its last property is this one; if none is named, if it is known at all.
fn last_verdict(printed: &str, verdict: &str) -> Result<Value, String> {
    let document: Value = serde_json::from_str(printed).map_err(|error| error.to_string())?;
    let results = document["results"].as_array().ok_or("the report lacks results")?;
    let found = results.last().and_then(|it| it["verdict"].as_str()).unwrap_or_default();
    if found != verdict && (found == "unknown" || !verdict.is_empty()) {
        return Err(format!("the verdict is {found}, not {verdict}"));
    }
    Ok(document)
}

/// The length of the run that shows a violation of the last property.
fn read_length(printed: &str) -> Result<Option<u64>, String> {
    let document = last_verdict(printed, "violated")?;
    let last = document["results"].as_array().and_then(|results| results.last());
    let steps = last.and_then(|it| it["evidence"]["steps"].as_array());
    steps.map(|it| Some(it.len() as u64)).ok_or_else(|| "the report lacks evidence".into())
}

/// The seconds of an outcome.
pub fn show(outcome: &Timing, limit: u32) -> String {
    match outcome {
        Ok(Some(took)) => format!("{:.3}", took.seconds),
        Ok(None) => format!("> {limit}"),
        Err(_) => "failed".into(),
    }
}

/// How much longer the other took: above 1, we are faster.
pub fn ratio(other: &Timing, ours: &Timing) -> Option<f64> {
    match (other, ours) {
        (Ok(Some(other)), Ok(Some(ours))) => Some(other.seconds / ours.seconds.max(0.001)),
        _ => None,
    }
}

/// A figure, or a dash if there is none.
pub fn dash(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or("-".into(), |it| format!("{it:.decimals$}"))
}

/// The geometric mean; none of nothing.
pub fn mean(figures: &[f64]) -> Option<f64> {
    let logarithms: f64 = figures.iter().map(|it| it.ln()).sum();
    (!figures.is_empty()).then(|| (logarithms / figures.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Took;

    #[test]
    fn reports_are_compared() {
        let report = r#"{"results": [{"verdict": "holds"}], "stats": {"states": 5, "transitions": 7}}"#;
        assert_eq!(read(report, 5, "holds"), Ok(Some(7)));
        assert!(read(report, 6, "holds").is_err());
        assert!(read(report, 5, "violated").is_err());
        assert!(read(&report.replace("holds", "unknown"), 5, "").is_err());
        assert_eq!(read(&report.replace("holds", "unknown"), 5, "unknown"), Ok(Some(7)));
    }

    #[test]
    fn one_thread_if_nothing_else_is_said() {
        let job = check(Path::new("burnside"), Path::new("a.orb"), "-p faults", 5, "holds");
        let words = "burnside check a.orb --format json --quiet --threads 1 -p faults";
        assert_eq!(job.words.join(" "), words);
        let two = hunt(Path::new("burnside"), Path::new("a.orb"), "--threads 2");
        assert_eq!(two.words.join(" "), "burnside check a.orb --format json --quiet --threads 2");
        // What `echo` says of its options does not name threads.
        assert_eq!(
            with_program(&job, Path::new("echo")).words.join(" "),
            words.replace("burnside", "echo").replace(" --threads 1", "")
        );
    }

    #[test]
    fn runs_have_a_length() {
        let report = r#"{"results": [{"verdict": "violated", "evidence": {"steps": [{}, {}]}}]}"#;
        assert_eq!(read_length(report), Ok(Some(2)));
        assert!(read_length(&report.replace("violated", "holds")).is_err());
        assert!(read_length(&report.replace("steps", "states")).is_err());
    }

    #[test]
    fn ratios_above_one_are_in_our_favour() {
        let took = |seconds| Ok(Some(Took { seconds, ..Took::default() }));
        assert_eq!(ratio(&took(3.0), &took(2.0)), Some(1.5));
        assert_eq!(ratio(&Ok(None), &took(2.0)), None);
        assert_eq!(ratio(&Err("wrong".into()), &took(2.0)), None);
        assert_eq!((show(&took(2.0), 10), show(&Ok(None), 10)), ("2.000".into(), "> 10".into()));
    }

    #[test]
    fn means_are_geometric() {
        assert!((mean(&[0.5, 2.0, 8.0]).unwrap() - 2.0).abs() < 1e-9);
        assert_eq!((mean(&[]), dash(None, 1), dash(Some(1.25), 1)), (None, "-".into(), "1.2".into()));
    }
}
