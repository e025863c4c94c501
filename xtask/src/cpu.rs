//! Processor time of other programs, user and system together, as `bash` tells it.
//!
//! Entry points: [`medians`], and [`once`] for what is run a single time. Programs that are compared take
//! turns, so that a busy machine is unfair to all of them alike. A limit counts processor time too: a busy
//! machine does not change who meets it. What a program says is looked at by its [`Job`], and another answer
//! than the expected one is an error. Memory is told for a job that was made by [`Job::weighed`], where there
//! is the program `time` of GNU.

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Took {
    /// Processor time.
    pub seconds: f64,
    /// Time by the clock.
    pub elapsed: f64,
    /// The most memory that it had at a time, in bytes, if that was asked for.
    pub peak: Option<u64>,
    pub count: Option<u64>,
}

/// What GNU's `time` prints of the memory, after a number of kilobytes.
const PEAK: &str = " kB at most";

impl Job {
    /// The same, with its memory told if there is a program for it.
    pub fn weighed(self) -> Job {
        if Command::new("time").arg("true").output().is_err() {
            return self;
        }
        let measured = ["time", "-f", &format!("%M{PEAK}")].map(String::from);
        Job { words: measured.into_iter().chain(self.words).collect(), ..self }
    }
}

/// Runs a program once, for so many seconds of processor time at most.
pub fn once(job: &Job, limit: u32) -> Timing {
    let script = format!("ulimit -t {limit}; TIMEFORMAT='%3U %3S %3R'; time \"$@\"");
    let mut command = Command::new("bash");
    command.current_dir(root()).args(["-c", &script, "bash"]).args(&job.words);
    let output = command.output().map_err(|error| format!("cannot run bash: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = job.words.join(" ");
    let (seconds, elapsed) = last_times(&errors).ok_or_else(|| format!("`{shown}`: {errors}"))?;
    if seconds > f64::from(limit) - 1.0 && output.status.code().is_none_or(|code| code > 128) {
        return Ok(None);
    }
    let count = (job.read)(&String::from_utf8_lossy(&output.stdout));
    let count = count.map_err(|why| format!("`{shown}`: {why}\n{errors}"))?;
    Ok(Some(Took { seconds, elapsed, peak: peak(&errors), count }))
}

/// User and system time together, and that of the clock: the last line that `time` writes.
fn last_times(errors: &str) -> Option<(f64, f64)> {
    let mut figures = errors.lines().last()?.split(' ').map(str::parse::<f64>);
    let mut next = || figures.next()?.ok();
    Some((next()? + next()?, next()?))
}

/// Bytes, if a line tells them.
fn peak(errors: &str) -> Option<u64> {
    let kilobytes = errors.lines().rev().find_map(|line| line.strip_suffix(PEAK))?;
    Some(kilobytes.parse::<u64>().ok()? * 1024)
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
            match once(job, limit) {
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

/// The run in the middle by processor time, with what is in the middle by the clock.
fn median(mut runs: Vec<Took>) -> Option<Took> {
    let middle = runs.len().saturating_sub(1) / 2;
    runs.sort_by(|a, b| a.elapsed.total_cmp(&b.elapsed));
    let elapsed = runs.get(middle)?.elapsed;
    runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Some(Took { elapsed, ..runs[middle] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_after_other_messages() {
        assert_eq!(last_times("bash: line 1: 17 Killed \"$@\"\n1.250 0.500 3.125\n"), Some((1.75, 3.125)));
        assert_eq!(last_times("bash: nothing: command not found"), None);
        assert_eq!(peak("a warning\n2048 kB at most\n1.250 0.500 3.125\n"), Some(2 << 20));
        assert_eq!(peak("1.250 0.500 3.125\n"), None);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let runs = [(3.0, 5.0), (1.0, 6.0), (2.0, 4.0)];
        let runs = runs.map(|(seconds, elapsed)| Took { seconds, elapsed, ..Took::default() });
        assert_eq!(median(runs.to_vec()).map(|took| (took.seconds, took.elapsed)), Some((2.0, 5.0)));
        assert_eq!(median(Vec::new()), None);
    }
}
