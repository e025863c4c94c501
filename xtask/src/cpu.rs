//! Processor time of other programs, user and system together, as `bash` tells it.
//!
//! Entry point: [`medians`]. Programs that are compared take turns, so that a busy machine is unfair to all
//! of them alike. A limit counts processor time too: a busy machine does not change who meets it. What a
//! program says is looked at by its [`Job`], and another answer than the expected one is an error.

use crate::process::root;
use std::process::Command;
use std::rc::Rc;

/// How often a program is run, and one that is so quick that a run is mostly noise.
const RUNS: usize = 3;
const QUICK_RUNS: usize = 9;
const QUICK: f64 = 0.1;
/// What takes longer than this is run once.
const SLOW: f64 = 5.0;

/// Looks at what a program prints and tells what it counted, if that is of interest.
pub type Reader = Rc<dyn Fn(&str) -> Result<Option<u64>, String>>;

/// What a program took; none if it has not ended in time; or why it failed.
pub type Timing = Result<Option<Took>, String>;

/// A program with its arguments, and what it must say.
pub struct Job {
    pub words: Vec<String>,
    pub read: Reader,
}

/// What a program took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    pub seconds: f64,
    pub count: Option<u64>,
}

/// Runs a program once, for so many seconds of processor time at most.
fn run(job: &Job, limit: u32) -> Timing {
    let script = format!("ulimit -t {limit}; TIMEFORMAT='%3U %3S'; time \"$@\"");
    let mut command = Command::new("bash");
    command.current_dir(root()).args(["-c", &script, "bash"]).args(&job.words);
    let output = command.output().map_err(|error| format!("cannot run bash: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = job.words.join(" ");
    let seconds = last_times(&errors).ok_or_else(|| format!("`{shown}`: {errors}"))?;
    if seconds > f64::from(limit) - 1.0 && output.status.code().is_none_or(|code| code > 128) {
        return Ok(None);
    }
    let count = (job.read)(&String::from_utf8_lossy(&output.stdout));
    let count = count.map_err(|why| format!("`{shown}`: {why}\n{errors}"))?;
    Ok(Some(Took { seconds, count }))
}

/// User and system time, the last line that `time` writes.
fn last_times(errors: &str) -> Option<f64> {
    let (user, system) = errors.lines().last()?.split_once(' ')?;
    Some(user.parse::<f64>().ok()? + system.parse::<f64>().ok()?)
}

/// The median run of each program.
pub fn medians(jobs: &[&Job], limit: u32) -> Vec<Timing> {
    let mut all: Vec<Result<Vec<Took>, String>> = jobs.iter().map(|_| Ok(Vec::new())).collect();
    let mut rounds = 1;
    let mut round = 0;
    while round < rounds {
        for (job, runs) in jobs.iter().zip(&mut all) {
            let Ok(list) = runs else { continue };
            if round > 0 && list.last().is_none_or(|took| took.seconds > SLOW) {
                continue;
            }
            match run(job, limit) {
                Ok(took) => list.extend(took),
                Err(why) => *runs = Err(why),
            }
        }
        if round == 0 {
            let quick = all.iter().flatten().flatten().any(|took| took.seconds < QUICK);
            rounds = if quick { QUICK_RUNS } else { RUNS };
        }
        round += 1;
    }
    all.into_iter().map(|runs| runs.map(median)).collect()
}

fn median(mut runs: Vec<Took>) -> Option<Took> {
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    runs.get(runs.len().saturating_sub(1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_after_other_messages() {
        assert_eq!(last_times("bash: line 1: 17 Killed \"$@\"\n1.250 0.500\n"), Some(1.75));
        assert_eq!(last_times("bash: nothing: command not found"), None);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let runs = [3.0, 1.0, 2.0].map(|seconds| Took { seconds, count: None });
        assert_eq!(median(runs.to_vec()).map(|took| took.seconds), Some(2.0));
        assert_eq!(median(Vec::new()), None);
    }
}
