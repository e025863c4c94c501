//! Limits at every point: the program is run on the examples, and the interrupt is raised at its k-th look,
//! for a random k, as if Ctrl-C had come there, or the time or the memory had run out. It must end, with an
//! exit code that the book promises, whole documents or none, and no verdict but `unknown` and those of the
//! unlimited run.
//!
//! A look is one call of
//! `Interrupt::is_raised`; a build for tests raises the flag where the environment variable `BURNSIDE_INJECT`
//! says.

mod jobs;

use burnside_testkit::cases::{Cases, Test, given_seeds, seeds};
use jobs::{Job, jobs};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// What the tests inject.
const INJECTIONS: u64 = 2_200;
/// Nothing takes so long after it was asked to end.
const BOUND: Duration = Duration::from_secs(20);
/// Threads that run programs.
const WORKERS: usize = 3;

#[test]
fn limits_hold_at_every_look() {
    inject(seeds(0..INJECTIONS));
}

/// `cargo xtask fuzz limits`
#[test]
fn models_of_given_seeds_agree() {
    if let Some(given) = given_seeds() {
        inject(seeds(given));
    }
}

/// Runs jobs without a limit once, then with one at a random look for each seed.
fn inject(seeds: Cases<u64>) {
    let (jobs, test) = (jobs(), Test::running());
    let plain: Vec<OnceLock<Plain>> = jobs.iter().map(|_| OnceLock::new()).collect();
    let (seeds, failures) = (Mutex::new(seeds), Mutex::new(Vec::new()));
    let (all, raised) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let next = || seeds.lock().unwrap().next();
    let work = || {
        while let Some(seed) = next() {
            all.fetch_add(1, Ordering::Relaxed);
            let job = (seed % jobs.len() as u64) as usize;
            let plain = plain[job].get_or_init(|| Plain::of(&jobs[job]));
            match one(&jobs[job], plain, seed) {
                Ok(stopped) => drop(raised.fetch_add(usize::from(stopped), Ordering::Relaxed)),
                Err(wrong) => {
                    let told = format!("seed {seed}: {wrong}\n{}", test.again(seed));
                    failures.lock().unwrap().push(told);
                }
            }
        }
    };
    std::thread::scope(|scope| (0..WORKERS).for_each(|_| drop(scope.spawn(work))));
    let (all, failures) = (all.into_inner(), failures.into_inner().unwrap());
    assert!(failures.is_empty(), "{} of {all}:\n{}", failures.len(), failures.join("\n"));
    let raised = raised.into_inner();
    assert!(all < 100 || raised >= all / 2, "only {raised} of {all} runs were ended by a limit");
}

/// A run without a limit.
struct Plain {
    code: i32,
    out: String,
    /// How often it looked.
    looks: u64,
    /// The verdicts of the properties of a check.
    verdicts: HashMap<String, String>,
}

impl Plain {
    fn of(job: &Job) -> Self {
        let output = run(job, &format!("{} interrupt", u64::MAX));
        let looks = text(&output.stderr).rsplit_once("looks: ").map(|(_, looks)| looks.trim().parse());
        let looks = looks.expect("the program tells how often it looked").expect("a number");
        let (code, out) = (output.status.code().expect("an exit code"), text(&output.stdout));
        let document = job.json.then(|| parse(&out).unwrap_or_else(|wrong| panic!("{job}: {wrong}")));
        Plain { code, looks, verdicts: document.as_ref().map(verdicts).unwrap_or_default(), out }
    }
}

/// One injection. Whether it ended the run early.
fn one(job: &Job, plain: &Plain, seed: u64) -> Result<bool, String> {
    let mut dice = Dice(seed);
    // Early phases look seldom: half of the time all magnitudes are as likely.
    let look = match dice.roll(2) {
        0 => dice.roll(plain.looks + 1),
        _ => {
            let bits = dice.roll(u64::from(plain.looks.checked_ilog2().unwrap_or(0)) + 2);
            dice.roll(1 << bits)
        }
    };
    let kind = ["time", "memory", "interrupt", "property"][dice.roll(4) as usize];
    let wanted = format!("{look} {kind}");
    let wrong = |what: String| format!("{job}, {wanted}: {what}");
    let start = Instant::now();
    let output = run(job, &wanted);
    if start.elapsed() > BOUND {
        return Err(wrong(format!("it took {:?}", start.elapsed())));
    }
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code().ok_or_else(|| wrong("it was killed".into()))?;
    judge(job, plain, code, &out).map_err(|what| wrong(format!("{what}\n{err}")))?;
    Ok(out != plain.out || code != plain.code)
}

/// Whether the outcome is one that a limit may have.
fn judge(job: &Job, plain: &Plain, code: i32, out: &str) -> Result<(), String> {
    if ![plain.code, 1, 3].contains(&code) || code == 1 && plain.code != 1 {
        return Err(format!("exit code {code}, not {} or 3", plain.code));
    }
    if !job.json {
        return Ok(());
    }
    if out.is_empty() && code == 3 && !job.is_check() {
        return Ok(());
    }
    let document = parse(out)?;
    if !job.is_check() {
        return Ok(());
    }
    if let Some(error) = document.get("error") {
        let honest = code == 3 && error["unknown"] == true || code == plain.code && out == plain.out;
        return if honest { Ok(()) } else { Err(format!("exit code {code} with {error}")) };
    }
    let found = verdicts(&document);
    for (property, verdict) in &found {
        if verdict != "unknown" && plain.verdicts.get(property) != Some(verdict) {
            let was = plain.verdicts.get(property);
            return Err(format!("`{property}` is {verdict}, but without a limit {was:?}"));
        }
    }
    let has = |verdict: &str| found.values().any(|it| it == verdict);
    let expected = if has("violated") { 1 } else { i32::from(has("unknown")) * 3 };
    if code == expected { Ok(()) } else { Err(format!("exit code {code} with verdicts {found:?}")) }
}

fn verdicts(document: &Value) -> HashMap<String, String> {
    let results = document["results"].as_array().into_iter().flatten();
    let string = |value: &Value| value.as_str().unwrap_or_default().to_string();
    results.map(|result| (string(&result["property"]), string(&result["verdict"]))).collect()
}

fn parse(out: &str) -> Result<Value, String> {
    serde_json::from_str(out).map_err(|error| format!("this is no document: {error}\n{out}"))
}

fn run(job: &Job, inject: &str) -> Output {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(&job.arguments).current_dir(root).env("BURNSIDE_INJECT", inject).stdin(Stdio::null());
    command.output().expect("the program can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}

/// Numbers that look random (SplitMix64).
struct Dice(u64);

impl Dice {
    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % sides.max(1)
    }
}
