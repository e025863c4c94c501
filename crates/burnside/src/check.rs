//! Checks a model: chooses what to search for, searches, replays what was found, and says what it means.
//!
//! Entry point: [`check`]. Every piece of evidence is replayed here before anyone sees it; one that does not replay is our own
//! fault and ends the check with [`CheckError::Internal`].

use crate::{Kind, Model, Observer, Options, Progress, PropertyResult, Report, Stats, Verdict};
use burnside_explicit::{self as explicit, Answer, Budget, Full, Question};
use burnside_trace::{Claimed, End, Evidence, Regular, replay};
use burnside_ts::{Claim, Property, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Why a check gives no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// There is no property of this name; these there are.
    UnknownProperty(String, Vec<String>),
    /// Our own fault: evidence that does not replay. Says which property and why.
    Internal {
        /// The property.
        property: String,
        /// What does not fit.
        message: String,
    },
}

/// A property that is to be answered.
struct Task<'s> {
    name: &'s str,
    text: &'s str,
    kind: Kind,
    question: Option<Question<'s>>,
    claimed: Option<Claimed<'s>>,
}

/// Checks a model.
pub fn check(model: &Model, options: &Options, observer: &mut dyn Observer) -> Result<Report, CheckError> {
    let started = Instant::now();
    let system = &model.system;
    let tasks = select(tasks(system, options), options)?;
    let watch = Watch::start(options.limits.time, options.interrupt.clone());
    let mut runner = Runner { system, options, watch: &watch, observer };
    let mut results = runner.main_search(&tasks)?;
    let stats = results.first().map_or_else(Stats::default, |(_, stats)| *stats);
    for (task, (result, _)) in tasks.iter().zip(&mut results) {
        if let Some(Claim::Never(sequence)) = claim_of(system, task)
            && result.kind == Kind::Never
        {
            *result = runner.never(task, sequence)?;
        }
    }
    let results = results.into_iter().map(|(result, _)| result).collect();
    Ok(Report { results, stats, time: started.elapsed() })
}

fn claim_of<'s>(system: &'s System, task: &Task<'_>) -> Option<&'s Claim> {
    let own = !matches!(task.kind, Kind::Faults | Kind::Deadlock);
    own.then(|| system.properties.iter().find(|p| p.name == task.name).map(|p| &p.claim)).flatten()
}

/// Everything that can be asked about a model, in the order of the report.
fn tasks<'s>(system: &'s System, options: &Options) -> Vec<Task<'s>> {
    let faults = Task {
        name: "faults",
        text: "",
        kind: Kind::Faults,
        question: Some(Question::Fault),
        claimed: Some(Claimed::Faults),
    };
    let deadlock = Task {
        name: "deadlock",
        text: "",
        kind: Kind::Deadlock,
        question: Some(Question::Deadlock),
        claimed: Some(Claimed::Deadlock),
    };
    let asked = options.properties.iter().any(|name| name == "deadlock");
    let mut tasks = vec![faults];
    if asked || (system.deadlock_free && !options.ignore_deadlock) {
        tasks.push(deadlock);
    }
    tasks.extend(system.properties.iter().map(task));
    tasks
}

fn task(property: &Property) -> Task<'_> {
    let (kind, question, claimed) = match &property.claim {
        Claim::Invariant(condition) => {
            (Kind::Invariant, Some(Question::Violation(condition)), Some(Claimed::Violates(condition)))
        }
        Claim::Reachable(condition) => {
            (Kind::Reachable, Some(Question::Witness(condition)), Some(Claimed::Reaches(condition)))
        }
        Claim::Never(sequence) => (Kind::Never, None, Some(Claimed::Matches(sequence))),
        Claim::Ltl(_) => (Kind::Ltl, None, None),
        Claim::Ctl(_) => (Kind::Ctl, None, None),
    };
    Task { name: &property.name, text: &property.text, kind, question, claimed }
}

/// Keeps what the caller wants. Faults are always looked for: they make the other answers doubtful.
fn select<'s>(tasks: Vec<Task<'s>>, options: &Options) -> Result<Vec<Task<'s>>, CheckError> {
    for name in &options.properties {
        if !tasks.iter().any(|task| task.name == name) {
            let known = tasks.iter().map(|task| task.name.to_string()).collect();
            return Err(CheckError::UnknownProperty(name.clone(), known));
        }
    }
    let wanted = |task: &Task<'_>| {
        options.properties.is_empty()
            || task.kind == Kind::Faults
            || options.properties.iter().any(|name| name == task.name)
    };
    Ok(tasks.into_iter().filter(wanted).collect())
}

struct Runner<'r, 's> {
    system: &'s System,
    options: &'r Options,
    watch: &'r Watch,
    observer: &'r mut dyn Observer,
}

impl<'s> Runner<'_, 's> {
    /// One search for all questions about single states and steps.
    fn main_search(&mut self, tasks: &[Task<'s>]) -> Result<Vec<(PropertyResult, Stats)>, CheckError> {
        let questions: Vec<Question<'s>> = tasks.iter().filter_map(|task| task.question).collect();
        let outcome = self.search(&questions);
        let mut answers = outcome.answers.iter();
        tasks
            .iter()
            .map(|task| {
                let answer = task.question.and_then(|_| answers.next());
                let result = self.result(task, answer, &outcome)?;
                Ok((result, stats(outcome.stats)))
            })
            .collect()
    }

    /// A search of its own for a forbidden sequence.
    fn never(&mut self, task: &Task<'s>, sequence: &'s burnside_ts::Sequence) -> Result<PropertyResult, CheckError> {
        let Some(regular) = Regular::new(sequence) else {
            let reason = format!("the sequence needs more than {} positions", Regular::MAX_POSITIONS);
            let verdict = Verdict::Unknown(reason);
            return Ok(result(task, verdict, Duration::ZERO, Stats::default(), None));
        };
        let outcome = explicit::search(
            self.system,
            &[Question::Match(&regular)],
            &self.budget(),
            &mut |progress| self.observer.progress(&convert(progress)),
        );
        self.result(task, outcome.answers.first(), &outcome)
    }

    fn search(&mut self, questions: &[Question<'s>]) -> explicit::Outcome {
        let budget = self.budget();
        explicit::search(self.system, questions, &budget, &mut |progress| self.observer.progress(&convert(progress)))
    }

    fn budget(&self) -> Budget {
        let limits = &self.options.limits;
        Budget { states: limits.states, memory: limits.memory, interrupt: self.options.interrupt.clone() }
    }

    fn result(
        &self,
        task: &Task<'s>,
        answer: Option<&Answer>,
        outcome: &explicit::Outcome,
    ) -> Result<PropertyResult, CheckError> {
        let whole = stats(outcome.stats);
        let Some(answer) = answer else {
            let verdict = Verdict::Unknown("not yet supported".to_string());
            return Ok(result(task, verdict, Duration::ZERO, Stats::default(), None));
        };
        match answer {
            Answer::Yes(found) => {
                self.replay(task, &found.evidence)?;
                let reached = task.kind == Kind::Reachable && matches!(found.evidence.end, End::State);
                let verdict = if reached { Verdict::Holds } else { Verdict::Violated };
                Ok(result(task, verdict, found.time, stats(found.stats), Some(found.evidence.clone())))
            }
            Answer::No if outcome.stats.states == 0 => {
                let verdict = Verdict::Unknown("there is no initial state".to_string());
                Ok(result(task, verdict, outcome.time, whole, None))
            }
            Answer::No => {
                let verdict = if task.kind == Kind::Reachable { Verdict::Violated } else { Verdict::Holds };
                Ok(result(task, verdict, outcome.time, whole, None))
            }
            Answer::Unknown => {
                Ok(result(task, Verdict::Unknown(self.reason(outcome)), outcome.time, whole, None))
            }
        }
    }

    fn replay(&self, task: &Task<'s>, evidence: &Evidence) -> Result<(), CheckError> {
        let claimed = task.claimed.expect("a property with evidence says what it shows");
        replay(self.system, evidence, claimed).map_err(|mismatch| CheckError::Internal {
            property: task.name.to_string(),
            message: mismatch.to_string(),
        })
    }

    fn reason(&self, outcome: &explicit::Outcome) -> String {
        let limits = &self.options.limits;
        match outcome.full {
            Some(Full::Nodes) => match limits.states {
                Some(states) => format!("the limit of {states} states is reached"),
                None => "there are more states than can be numbered".to_string(),
            },
            Some(Full::Memory) => format!("the limit of {} bytes is reached", limits.memory.unwrap_or_default()),
            None => match (self.watch.expired(), limits.time) {
                (true, Some(time)) => format!("the time limit of {} s is reached", time.as_secs_f64()),
                _ => "interrupted".to_string(),
            },
        }
    }
}

fn result(
    task: &Task<'_>,
    verdict: Verdict,
    time: Duration,
    stats: Stats,
    evidence: Option<Evidence>,
) -> PropertyResult {
    PropertyResult {
        property: task.name.to_string(),
        kind: task.kind,
        text: task.text.to_string(),
        verdict,
        engine: "explicit",
        symmetry: "none",
        time,
        stats,
        evidence,
    }
}

fn stats(stats: explicit::Stats) -> Stats {
    let explicit::Stats { states, transitions, depth, memory } = stats;
    Stats { states, transitions, depth, memory }
}

fn convert(progress: &explicit::Progress) -> Progress {
    let explicit::Stats { states, transitions, depth, memory } = progress.stats;
    Progress { states, transitions, queue: progress.queue, depth, memory }
}

/// Raises the interrupt flag when the time is up, from a thread of its own: a single step may take long.
struct Watch {
    expired: Arc<AtomicBool>,
    _stop: mpsc::Sender<()>,
}

impl Watch {
    fn start(limit: Option<Duration>, interrupt: Arc<AtomicBool>) -> Self {
        let expired = Arc::new(AtomicBool::new(false));
        let (stop, stopped) = mpsc::channel();
        if let Some(limit) = limit {
            let expired = expired.clone();
            std::thread::spawn(move || {
                if stopped.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                    expired.store(true, Ordering::Relaxed);
                    interrupt.store(true, Ordering::Relaxed);
                }
            });
        }
        Self { expired, _stop: stop }
    }

    fn expired(&self) -> bool {
        self.expired.load(Ordering::Relaxed)
    }
}
