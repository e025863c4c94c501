//! Checks a model: chooses what to search for, searches, replays what was found, and says what it means.
//!
//! Entry point: [`check`]. Every piece of evidence is replayed here before anyone sees it; one that does not replay is our own
//! fault and ends the check with [`CheckError::Internal`].

use crate::automaton::Watcher;
use crate::{
    Engine, Kind, Limits, Model, NetModel, Observer, Options, Progress, PropertyResult, Report, Stats,
    Verdict,
};
use crate::{engine, symbolic};
use burnside_explicit::{self as explicit, Answer, Budget, Canoniser, Full, Question};
use burnside_trace::{Claimed, End, Evidence, Regular, replay};
use burnside_ts::{Claim, Formula, Named, Property, Sequence, Symmetry, System};
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
pub(crate) struct Task<'s> {
    pub name: &'s str,
    pub text: &'s str,
    pub kind: Kind,
    /// The motions that leave the question as it is.
    pub symmetry: Symmetry,
    pub question: Asked<'s>,
    pub claimed: Option<Claimed<'s>>,
    /// Of a linear-time formula: its conditions with names for the elements that it names, and the motions that may then be used.
    pub named: Option<(&'s Named, Symmetry)>,
}

/// How a property is answered.
#[derive(Clone, Copy)]
pub(crate) enum Asked<'s> {
    /// Together with others, by looking at single states and steps.
    State(Question<'s>),
    /// By a search of its own.
    Sequence(&'s Sequence),
    /// By searches of the product with automata.
    Linear(&'s Formula),
    /// By a search of the product with an automaton that was given.
    Automaton(Watcher<'s>),
    /// By judging it on the whole quotient.
    Branching(&'s Formula),
}

/// Checks a model.
pub fn check(model: &Model, options: &Options, observer: &mut dyn Observer) -> Result<Report, CheckError> {
    dispatch(model, options, observer, false)
}

/// Lets the engine that was chosen, or that is the better one for the model, do it.
fn dispatch(
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
    until_fault: bool,
) -> Result<Report, CheckError> {
    let chosen = engine::choose(model, options);
    let report = match chosen.engine {
        Engine::Symbolic => symbolic::run(model, options, observer)?,
        _ => run(model, options, observer, until_fault)?,
    };
    Ok(Report { chosen: chosen.reason, ..report })
}

/// Checks a model, but stops when a step faults: then the report says so, and properties that were not looked at are missing.
pub(crate) fn check_unless_outgrown(
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Report, CheckError> {
    dispatch(model, options, observer, true)
}

fn run(
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
    until_fault: bool,
) -> Result<Report, CheckError> {
    let started = Instant::now();
    let system = &model.system;
    let tasks = select(tasks(model, options), options)?;
    let watch = Watch::start(options.limits.time, options.interrupt.clone());
    let mut runner = Runner { system, options, watch: &watch, observer, faulted: false, prepared: None };
    let mut results: Vec<Option<PropertyResult>> = tasks.iter().map(|_| None).collect();
    let mut main = None;
    for symmetry in distinct(&tasks) {
        let group = |task: &Task<'_>| task.symmetry == symmetry;
        let outcome = runner.together(&symmetry, &tasks, group, &mut results)?;
        main.get_or_insert((stats(outcome.stats), outcome.unreduced));
    }
    let has_fault = |result: &Option<PropertyResult>| {
        result.as_ref().is_some_and(|it| it.kind == Kind::Faults && it.verdict == Verdict::Violated)
    };
    runner.faulted |= results.iter().any(has_fault);
    for (task, result) in tasks.iter().zip(&mut results) {
        if until_fault && runner.faulted {
            break;
        }
        match task.question {
            Asked::State(_) => {}
            Asked::Sequence(sequence) => *result = Some(runner.never(task, sequence)?),
            Asked::Linear(formula) => *result = Some(runner.ltl(task, formula)?),
            Asked::Automaton(watcher) => *result = Some(runner.automaton(task, watcher)?),
            Asked::Branching(formula) => *result = Some(runner.ctl(task, formula)?),
        }
    }
    let mut results: Vec<PropertyResult> = results.into_iter().flatten().collect();
    if runner.faulted && !results.iter().any(|result| result.kind == Kind::Faults) {
        // Nobody asked, but it was seen, and it makes the other answers doubtful.
        let faults = vec![faults(system, options)];
        let mut result = vec![None];
        runner.together(&faults[0].symmetry, &faults, |_| true, &mut result)?;
        results.splice(0..0, result.into_iter().flatten());
    }
    let (stats, unreduced) =
        main.unwrap_or_else(|| (results.first().map_or(Stats::default(), |it| it.stats), None));
    Ok(Report {
        results,
        group: allowed(&system.symmetry, system, options),
        stats,
        unreduced,
        time: started.elapsed(),
        chosen: None,
    })
}

/// The different symmetries of what is asked about states, in the order of the tasks.
fn distinct(tasks: &[Task<'_>]) -> Vec<Symmetry> {
    let mut symmetries: Vec<Symmetry> = Vec::new();
    for task in tasks.iter().filter(|task| matches!(task.question, Asked::State(_))) {
        if !symmetries.contains(&task.symmetry) {
            symmetries.push(task.symmetry.clone());
        }
    }
    symmetries
}

/// Everything that can be asked about a model, in the order of the report.
pub(crate) fn tasks<'s>(model: &'s Model, options: &Options) -> Vec<Task<'s>> {
    let system = &model.system;
    let group = allowed(&system.symmetry, system, options);
    let asked = options.properties.iter().any(|name| name == "deadlock");
    // A net has no faults but places that are too small.
    let can_fault = model.net().is_none_or(NetModel::may_outgrow);
    let mut tasks: Vec<Task<'_>> = can_fault.then(|| faults(system, options)).into_iter().collect();
    if asked || (system.deadlock_free && !options.ignore_deadlock) {
        tasks.push(built_in("deadlock", Kind::Deadlock, &group, Question::Deadlock, Claimed::Deadlock));
    }
    tasks.extend(system.properties.iter().map(|property| task(property, system, options)));
    let watchers = model.automata.iter().zip(&system.observed);
    tasks.extend(watchers.map(|(automaton, observed)| Task {
        name: &observed.name,
        text: &observed.text,
        kind: Kind::Automaton,
        symmetry: allowed(&observed.symmetry, system, options),
        question: Asked::Automaton(Watcher { automaton, observed }),
        claimed: None,
        named: None,
    }));
    tasks
}

/// The motions that may be used, of those that leave a question as it is.
pub(crate) fn allowed(symmetry: &Symmetry, system: &System, options: &Options) -> Symmetry {
    match options.symmetry {
        crate::Symmetry::None => Symmetry::trivial(&system.types),
        crate::Symmetry::Exact => symmetry.of_declared(&system.types),
        crate::Symmetry::Auto | crate::Symmetry::Fast => symmetry.clone(),
    }
}

pub(crate) fn faults<'s>(system: &'s System, options: &Options) -> Task<'s> {
    let group = allowed(&system.symmetry, system, options);
    built_in("faults", Kind::Faults, &group, Question::Fault, Claimed::Faults)
}

fn built_in<'s>(
    name: &'s str,
    kind: Kind,
    group: &Symmetry,
    question: Question<'s>,
    claimed: Claimed<'s>,
) -> Task<'s> {
    let (question, claimed) = (Asked::State(question), Some(claimed));
    Task { name, text: "", kind, symmetry: group.clone(), question, claimed, named: None }
}

fn task<'s>(property: &'s Property, system: &System, options: &Options) -> Task<'s> {
    let symmetry = allowed(&property.symmetry, system, options);
    let within = |symmetry| allowed(&system.symmetry.meet(symmetry, &system.types), system, options);
    let named = property.named.as_ref().map(|named| (named, within(&named.symmetry)));
    let (kind, question, claimed) = match &property.claim {
        Claim::Invariant(condition) => (
            Kind::Invariant,
            Asked::State(Question::Violation(condition)),
            Some(Claimed::Violates(condition)),
        ),
        Claim::Reachable(condition) => {
            (Kind::Reachable, Asked::State(Question::Witness(condition)), Some(Claimed::Reaches(condition)))
        }
        Claim::Never(sequence) => (Kind::Never, Asked::Sequence(sequence), Some(Claimed::Matches(sequence))),
        Claim::Ltl(formula) => (Kind::Ltl, Asked::Linear(formula), None),
        Claim::Ctl(formula) => (Kind::Ctl, Asked::Branching(formula), None),
        // What is shown is known only with the answer; a fault needs no value.
        Claim::Bound(expr) => {
            (Kind::Bound, Asked::State(Question::Maximum(expr)), Some(Claimed::Attains(expr, 0)))
        }
    };
    Task { name: &property.name, text: &property.text, kind, symmetry, question, claimed, named }
}

/// Keeps what the caller wants. Faults are looked for as well, since they make the other answers doubtful; but if only linear-time
/// properties are wanted, the search for those is left to stop where it can, and faults are reported only if it meets some.
pub(crate) fn select<'s>(tasks: Vec<Task<'s>>, options: &Options) -> Result<Vec<Task<'s>>, CheckError> {
    for name in &options.properties {
        if !tasks.iter().any(|task| task.name == name) {
            let known = tasks.iter().map(|task| task.name.to_string()).collect();
            return Err(CheckError::UnknownProperty(name.clone(), known));
        }
    }
    let named = |task: &Task<'_>| options.properties.iter().any(|name| name == task.name);
    let mut chosen = tasks.iter().filter(|task| named(task));
    let is_linear = |task: &Task<'_>| matches!(task.question, Asked::Linear(_) | Asked::Automaton(_));
    let only_linear = chosen.clone().count() > 0 && chosen.all(is_linear);
    let wanted = |task: &Task<'_>| {
        options.properties.is_empty() || named(task) || (task.kind == Kind::Faults && !only_linear)
    };
    Ok(tasks.into_iter().filter(wanted).collect())
}

pub(crate) struct Runner<'r, 's> {
    pub system: &'s System,
    pub options: &'r Options,
    watch: &'r Watch,
    pub observer: &'r mut dyn Observer,
    /// Whether a step faulted in the search for something else.
    pub faulted: bool,
    /// The graph of the branching-time property before.
    pub prepared: Option<explicit::ctl::Prepared<'s>>,
}

impl<'s> Runner<'_, 's> {
    /// One search for all questions about single states and steps that have the same symmetry.
    fn together(
        &mut self,
        symmetry: &Symmetry,
        tasks: &[Task<'s>],
        group: impl Fn(&Task<'s>) -> bool,
        results: &mut [Option<PropertyResult>],
    ) -> Result<explicit::Outcome, CheckError> {
        let question = |task: &Task<'s>| match task.question {
            Asked::State(question) if group(task) => Some(question),
            _ => None,
        };
        let questions: Vec<Question<'s>> = tasks.iter().filter_map(question).collect();
        let outcome = self.search(&questions, symmetry);
        let mut answers = outcome.answers.iter();
        for (task, result) in tasks.iter().zip(results) {
            if question(task).is_some() {
                let answer = answers.next().expect("one answer per question");
                *result = Some(self.result(task, answer, &outcome)?);
            }
        }
        Ok(outcome)
    }

    /// A search of its own for a forbidden sequence.
    fn never(&mut self, task: &Task<'s>, sequence: &'s Sequence) -> Result<PropertyResult, CheckError> {
        let Some(regular) = Regular::new(sequence) else {
            let reason = format!("the sequence needs more than {} positions", Regular::MAX_POSITIONS);
            return Ok(PropertyResult { verdict: Verdict::Unknown(reason), ..unanswered(task) });
        };
        let outcome = explicit::search(
            self.system,
            &[Question::Match(&regular)],
            self.canoniser(&task.symmetry),
            &self.budget(),
            &mut |progress| self.observer.progress(&convert(progress)),
        );
        self.result(task, &outcome.answers[0], &outcome)
    }

    pub(crate) fn search<'q>(&mut self, questions: &[Question<'q>], symmetry: &Symmetry) -> explicit::Outcome
    where
        's: 'q,
    {
        let (canoniser, budget) = (self.canoniser(symmetry), self.budget());
        let progress = &mut |progress: &explicit::Progress| self.observer.progress(&convert(progress));
        explicit::search(self.system, questions, canoniser, &budget, progress)
    }

    pub(crate) fn canoniser(&self, symmetry: &Symmetry) -> Option<Canoniser<'s>> {
        let exact = self.options.symmetry != crate::Symmetry::Fast;
        (!symmetry.is_trivial()).then(|| Canoniser::new(self.system, symmetry, exact))
    }

    /// Whether orbits have one representative. Only for large groups given by generators this cannot always be had.
    pub(crate) fn is_exact(&self, symmetry: &Symmetry) -> bool {
        symmetry.generators.is_empty()
            || self.canoniser(symmetry).is_none_or(|canoniser| canoniser.is_exact())
    }

    pub(crate) fn budget(&self) -> Budget {
        let limits = &self.options.limits;
        Budget { states: limits.states, memory: limits.memory, interrupt: self.options.interrupt.clone() }
    }

    fn result(
        &self,
        task: &Task<'s>,
        answer: &Answer,
        outcome: &explicit::Outcome,
    ) -> Result<PropertyResult, CheckError> {
        let mut result = unanswered(task);
        result.symmetry = self.symmetry_name(&task.symmetry);
        (result.time, result.stats) = (outcome.time, stats(outcome.stats));
        result.unreduced.clone_from(&outcome.unreduced);
        result.verdict = match answer {
            Answer::Yes(found) => {
                let claimed = task.claimed.expect("a property with evidence says what it shows");
                self.replay(task, &found.evidence, claimed)?;
                (result.time, result.stats) = (found.time, stats(found.stats));
                result.evidence = Some(found.evidence.clone());
                let reached = task.kind == Kind::Reachable && matches!(found.evidence.end, End::State);
                if reached { Verdict::Holds } else { Verdict::Violated }
            }
            Answer::No if outcome.stats.states == 0 => {
                Verdict::Unknown("there is no initial state".to_string())
            }
            Answer::No if task.kind == Kind::Reachable => Verdict::Violated,
            Answer::No => Verdict::Holds,
            Answer::Unknown => Verdict::Unknown(self.reason(outcome)),
            Answer::Greatest(value, None) => {
                Verdict::Unknown(format!("{}; the greatest value so far is {value}", self.reason(outcome)))
            }
            Answer::Greatest(value, Some(found)) => {
                let Some(Claimed::Attains(expr, _)) = task.claimed else {
                    unreachable!("only asked of these")
                };
                self.replay(task, &found.evidence, Claimed::Attains(expr, *value))?;
                result.evidence = Some(found.evidence.clone());
                result.value = Some(*value);
                Verdict::Holds
            }
        };
        Ok(result)
    }

    pub(crate) fn replay(
        &self,
        task: &Task<'s>,
        evidence: &Evidence,
        claimed: Claimed<'s>,
    ) -> Result<(), CheckError> {
        replay(self.system, evidence, claimed).map_err(|mismatch| CheckError::Internal {
            property: task.name.to_string(),
            message: mismatch.to_string(),
        })
    }

    pub(crate) fn reason(&self, outcome: &explicit::Outcome) -> String {
        self.limit(outcome.full)
    }

    /// Which limit was reached; none: the search was stopped from outside.
    pub(crate) fn limit(&self, full: Option<Full>) -> String {
        match full {
            Some(full) => limit(full, &self.options.limits),
            None => self.watch.reason(self.options.limits.time),
        }
    }
}

/// Which limit was reached.
pub(crate) fn limit(full: Full, limits: &Limits) -> String {
    match (full, limits.states) {
        (Full::Nodes, Some(states)) => format!("the limit of {states} states is reached"),
        (Full::Nodes, None) => "there are more states than can be numbered".to_string(),
        (Full::Memory, _) => format!("the limit of {} bytes is reached", limits.memory.unwrap_or_default()),
    }
}

/// The result for a property before anything was done for it.
pub(crate) fn unanswered(task: &Task<'_>) -> PropertyResult {
    PropertyResult {
        property: task.name.to_string(),
        kind: task.kind,
        text: task.text.to_string(),
        verdict: Verdict::Unknown("it was not checked".to_string()),
        value: None,
        engine: "explicit",
        symmetry: "none",
        group: task.symmetry.clone(),
        method: None,
        automaton_symmetry: None,
        vacuous: None,
        time: Duration::ZERO,
        stats: Stats::default(),
        unreduced: None,
        evidence: None,
        tree: None,
    }
}

fn stats(stats: explicit::Stats) -> Stats {
    let explicit::Stats { states, transitions, depth, memory } = stats;
    Stats { states, transitions, depth, memory, ..Stats::default() }
}

pub(crate) fn convert(progress: &explicit::Progress) -> Progress {
    let explicit::Stats { states, transitions, depth, memory } = progress.stats;
    Progress { states, transitions, queue: progress.queue, depth, memory }
}

/// Raises the interrupt flag when the time is up, from a thread of its own: a single step may take long.
pub(crate) struct Watch {
    expired: Arc<AtomicBool>,
    _stop: mpsc::Sender<()>,
}

impl Watch {
    pub fn start(limit: Option<Duration>, interrupt: Arc<AtomicBool>) -> Self {
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

    /// Why a search was interrupted.
    pub fn reason(&self, limit: Option<Duration>) -> String {
        match (self.expired.load(Ordering::Relaxed), limit) {
            (true, Some(time)) => format!("the time limit of {} s is reached", time.as_secs_f64()),
            _ => "interrupted".to_string(),
        }
    }
}
