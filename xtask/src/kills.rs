//! `cargo xtask kills [COUNT [SEED [PROGRAM]]]`: kills checks at random moments while they are kept on a
//! disk, goes on with them, and compares what they say in the end with what a check says that nobody has
//! disturbed.
//!
//! Each check is killed until it has ended by itself, or often enough; then it may end. The moments are
//! spread over the time that the check takes, some of them early. Files are written all the time, so that
//! many kills come while one is written.

use crate::process::{Done, build_tested, root, target_directory};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is checked: models of the examples, with options. States on orbits and without, hunts, runs under
/// fairness, branching time, partial order, packed states.
const JOBS: &[&[&str]] = &[
    &["examples/german.orb", "--set", "N=3"],
    &["examples/german.orb", "--symmetry", "none", "--compress"],
    &["examples/philosophers.orb", "--set", "N=7", "--search", "breadth"],
    &["examples/filter_lock.orb"],
    &["examples/paxos.orb"],
    &["examples/raft_election.orb", "--set", "N=3"],
    &["examples/resource_strong.orb"],
    &["examples/bakery.orb"],
    &["examples/synod.orb"],
    &["examples/mutex.orb", "--set", "N=8", "--symmetry", "none"],
    &["examples/philosophers.orb", "--partial-order", "auto"],
];
/// A check is killed so often at most before it may end.
const MOST: u32 = 12;

/// Random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % most.max(1)
    }
}

/// Runs the chore.
pub fn run(rest: &[&str]) -> Done {
    let number = |i: usize, usual: u64| match rest.get(i) {
        Some(text) => text.parse().map_err(|_| format!("`{text}` is no number")),
        None => Ok(usual),
    };
    let (count, seed) = (number(0, 1000)?, number(1, 1)?);
    let program = rest.get(2).map_or_else(build_tested, |program| Ok(PathBuf::from(program)))?;
    let mut dice = Dice(seed);
    let folder = target_directory()?.join(format!("kills-{seed}"));
    let jobs = JOBS.iter().filter(|job| root().join(job[0]).exists());
    let jobs = jobs.map(|job| KillJob::new(&program, job)).collect::<Result<Vec<_>, _>>()?;
    let (mut kills, mut checks, mut writing) = (0, 0, 0);
    while kills < count {
        let job = &jobs[(checks % jobs.len() as u64) as usize];
        let killed = one(&program, job, &folder, &mut dice, &mut writing)
            .map_err(|why| format!("{:?} after {kills} kills: {why}", job.args))?;
        (kills, checks) = (kills + u64::from(killed), checks + 1);
        if checks.is_multiple_of(20) {
            println!("{kills} kills of {checks} checks, {writing} while a file was written");
        }
    }
    println!("{kills} kills of {checks} checks, {writing} while a file was written: all answers are equal");
    Ok(())
}

struct KillJob {
    args: Vec<String>,
    /// What an undisturbed check says.
    plain: Value,
    time: Duration,
}

impl KillJob {
    fn new(program: &Path, args: &[&str]) -> Result<Self, String> {
        let since = Instant::now();
        let plain = report(Command::new(program).current_dir(root()).arg("check").args(args))?;
        let args = args.iter().map(|arg| arg.to_string()).collect();
        Ok(Self { args, plain, time: since.elapsed() })
    }
}

/// One check, to its end. How often it was killed.
fn one(
    program: &Path,
    job: &KillJob,
    folder: &Path,
    dice: &mut Dice,
    writing: &mut u64,
) -> Result<u32, String> {
    let _ = std::fs::remove_dir_all(folder);
    let command = |last: bool| {
        let mut command = Command::new(program);
        command.current_dir(root()).stdin(Stdio::null());
        match folder.join("run.kept").exists() {
            false => command.arg("check").args(&job.args).arg("--checkpoint").arg(folder),
            true => command.arg("resume").arg(folder),
        };
        command.args(["--every", if last { "10m" } else { "0.005" }]);
        command
    };
    for killed in 0..MOST {
        let mut child = command(false)
            .args(if folder.join("run.kept").exists() { &[][..] } else { &["--format", "json"] })
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let whole = (job.time.as_micros() as u64).min(3_000_000);
        let most = if dice.below(3) == 0 { whole / 8 } else { whole };
        std::thread::sleep(Duration::from_micros(dice.below(most)));
        let ended = child.try_wait().map_err(|error| error.to_string())?.is_some();
        child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
        let left = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let beside = left.map(|it| it.path()).any(|path| path.extension().is_some_and(|it| it == "new"));
        *writing += u64::from(beside);
        if ended {
            return compare(job, &mut command(true), folder).map(|()| killed);
        }
    }
    compare(job, &mut command(true), folder).map(|()| MOST)
}

/// Lets a check end, and compares what it says.
fn compare(job: &KillJob, command: &mut Command, folder: &Path) -> Done {
    if report(command)? == job.plain {
        return std::fs::remove_dir_all(folder).map_err(|error| error.to_string());
    }
    Err(format!("the report differs; see {}", folder.display()))
}

/// The report of a check without times and memory.
fn report(command: &mut Command) -> Result<Value, String> {
    // A folder that is kept says itself how the report is printed.
    let resumes = command.get_args().next().is_some_and(|arg| arg == "resume");
    if !resumes {
        command.args(["--format", "json"]);
    }
    let ran = command.output().map_err(|error| error.to_string())?;
    if !matches!(ran.status.code(), Some(0 | 1)) {
        return Err(format!("{}: {}", ran.status, String::from_utf8_lossy(&ran.stderr)));
    }
    let mut document = serde_json::from_slice(&ran.stdout).map_err(|error| error.to_string())?;
    strip(&mut document);
    Ok(document)
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["seconds", "peak_memory"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(strip);
        }
        Value::Array(values) => values.iter_mut().for_each(strip),
        _ => {}
    }
}
