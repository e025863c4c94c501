//! One round of a check: the questions, an engine's answers, their replay, the report.
//!
//! Entry point: [`round`]. Every piece of evidence is replayed here, and only here, before anyone sees it;
//! one that does not replay is our own fault and ends the check with [`CheckError::Internal`]. Limits hold
//! here too: each search of an engine has its share of the time (see `clock`), and what a limit ends is
//! unknown.

use crate::clock::Clock;
use crate::engine::{self, Chosen};
use crate::model::Model;
use crate::ordered::in_order;
use crate::report::Report;
use crate::stack::on_large_stack;
use crate::steps::Stepwise;
use burnside_distributed::Cluster;
use burnside_engine::{
    Answer, Checker, Engine, Execution, Listener, NotReduced, Options, PartialOrder, PartialOrderUse,
    Settled, Verdict,
};
use burnside_explicit::{StateSearch, shorten_lasso};
use burnside_limits::{Observer, Progress, Stats, Stop, Task, catch};
use burnside_petri::NetModel;
use burnside_symbolic::{Space, Symbolic};
use burnside_trace::{Claim, End, Evidence, Mismatch, replay, replay_tree};
use burnside_ts::{Accelerator, Constraint, Fault, Kind, Property, Question, SiteId, System};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// Why a check gives no report.
///
/// ```
/// use burnside::{CheckError, LoadOptions, Model, Options};
///
/// let text = "var x: bool; process P { rule r { x = !x; } } invariant off = !x;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let options = Options { properties: vec!["of".into()], ..Options::default() };
/// let error = burnside::check(&model, &options, &mut ()).unwrap_err();
/// assert!(matches!(error, CheckError::UnknownProperty(..)));
/// assert_eq!(error.to_string(), "there is no property `of`; there are faults, deadlock, off");
/// # Ok::<(), burnside::LoadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// There is no property of this name; these there are.
    UnknownProperty(String, Vec<String>),
    /// All initial states are excluded, by the assumptions at these places.
    NoInitialState(BTreeSet<SiteId>),
    /// It was ended before there was any answer.
    Stopped(Stop),
    /// Our own fault: evidence that does not replay. Says which property and why.
    Internal {
        /// The property.
        property: String,
        /// What does not fit.
        message: String,
    },
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::UnknownProperty(name, known) => {
                write!(f, "there is no property `{name}`; there are {}", known.join(", "))
            }
            CheckError::NoInitialState(_) => write!(f, "there is no initial state"),
            CheckError::Stopped(stop) => stop.fmt(f),
            CheckError::Internal { property, message } => {
                write!(f, "internal error: the evidence for `{property}` does not replay: {message}")
            }
        }
    }
}

impl std::error::Error for CheckError {}

/// Asks the engine that was chosen, or that is the better one for the model. If it is to stop when a step
/// faults, then the report says so, and properties that were not looked at are missing.
pub(crate) fn round(
    model: &Model,
    options: &Options,
    audience: &mut Audience<'_>,
    until_fault: bool,
) -> Result<Report, CheckError> {
    let model = &accelerated(model, options);
    let cluster = audience.cluster;
    let chosen = match cluster {
        Some(_) => Chosen { engine: Engine::Explicit, reason: None },
        None => engine::choose(model, options),
    };
    let built_in = built_in(model, options);
    let properties = select(built_in.iter().chain(&model.system.properties).collect(), model, options)?;
    let clock = Clock::start(&options.limits);
    let faults = model.system.built_in(Question::Fault);
    // Diagrams know from the start whether a step may fault, so they never leave off.
    let until_fault = until_fault && chosen.engine != Engine::Symbolic;
    let drive = Drive { model, options, clock: &clock, properties, faults: &faults, until_fault, cluster };
    let elsewhere = cluster.map(|cluster| cluster.on(Arc::clone(&model.system)));
    let elsewhere = elsewhere.as_ref().map(|elsewhere| elsewhere as &dyn StateSearch);
    let work = || match chosen.engine {
        Engine::Symbolic => apart(audience, |audience| drive.symbolic(audience)),
        _ => drive.run(&mut Stepwise::explicit(&model.system, options, elsewhere), audience),
    };
    let report = catch(|| options.limits.interrupt.enter(work)).map_err(CheckError::Stopped)??;
    if has_no_initial_state(&report) {
        return Err(CheckError::NoInitialState(model.system.machine().excluding()));
    }
    Ok(Report { chosen: chosen.reason, ..report })
}

/// The model, with native code for its steps if that is wanted. Replay does not use it.
fn accelerated(model: &Model, options: &Options) -> Model {
    let mut model = model.clone();
    if let Some(accelerator) = accelerator(options.machine) {
        Arc::make_mut(&mut model.system).accelerator = Some(accelerator);
    }
    model
}

#[cfg(feature = "native")]
fn accelerator(machine: Execution) -> Option<Arc<dyn Accelerator>> {
    let eager = machine == Execution::Native;
    (machine != Execution::Interpreter).then(|| Arc::new(burnside_native::Native { eager }) as _)
}

#[cfg(not(feature = "native"))]
fn accelerator(_: Execution) -> Option<Arc<dyn Accelerator>> {
    None
}

/// Who is told how a check gets on, and each answer as soon as nothing can take it back.
pub(crate) struct Audience<'a> {
    pub observer: &'a mut dyn Observer,
    /// If answers are wanted before the report.
    pub answered: Option<&'a mut dyn FnMut(&Answer)>,
    /// Who searches for states, if not this process alone.
    pub cluster: Option<&'a Cluster>,
}

/// Does some work in a thread with a large stack; what is told of it is passed on here.
fn apart<R: Send>(audience: &mut Audience<'_>, work: impl FnOnce(&mut Audience<'_>) -> R + Send) -> R {
    let (sender, receiver) = mpsc::channel();
    let wanted = audience.answered.is_some();
    let work = move || {
        let answers = sender.clone();
        // Nobody listens any more only if the caller is gone.
        let mut answered = |answer: &Answer| _ = answers.send(Event::Answer(Box::new(answer.clone())));
        let answered: Option<&mut dyn FnMut(&Answer)> = if wanted { Some(&mut answered) } else { None };
        work(&mut Audience { observer: &mut Passed(sender), answered, cluster: None })
    };
    on_large_stack(work, || receiver.into_iter().for_each(|event: Event| event.tell(audience)))
}

/// What is told, on its way to another thread.
enum Event {
    Progress(Progress),
    Threads(Vec<u64>),
    Begins(Task),
    Ends(usize, Progress),
    Answer(Box<Answer>),
}

impl Event {
    fn tell(self, audience: &mut Audience<'_>) {
        match self {
            Event::Progress(progress) => audience.observer.progress(&progress),
            Event::Threads(expanded) => audience.observer.threads(&expanded),
            Event::Begins(task) => audience.observer.begins(&task),
            Event::Ends(property, progress) => audience.observer.ends(property, &progress),
            Event::Answer(answer) => audience.answered.iter_mut().for_each(|answered| answered(&answer)),
        }
    }
}

/// Passes everything on.
struct Passed(mpsc::Sender<Event>);

impl Observer for Passed {
    fn progress(&mut self, progress: &Progress) {
        let _ = self.0.send(Event::Progress(*progress));
    }

    fn threads(&mut self, expanded: &[u64]) {
        let _ = self.0.send(Event::Threads(expanded.to_vec()));
    }

    fn begins(&mut self, task: &Task) {
        let _ = self.0.send(Event::Begins(task.clone()));
    }

    fn ends(&mut self, property: usize, progress: &Progress) {
        let _ = self.0.send(Event::Ends(property, *progress));
    }
}

/// Whether there is no initial state, nor a fault on the way to one.
fn has_no_initial_state(report: &Report) -> bool {
    let verdict = Verdict::Unknown(Stop::NoInitialState);
    report.results.iter().any(|result| result.verdict == verdict) && !report.results.iter().any(has_fault)
}

/// The fault that a run ends with.
pub(crate) fn faulted(run: &Evidence) -> Option<Fault> {
    match run.end {
        End::Fault(_, fault) | End::Undefined(fault) => Some(fault),
        _ => None,
    }
}

fn has_fault(answer: &Answer) -> bool {
    answer.kind == Kind::Faults && answer.verdict == Verdict::Violated
}

/// What is asked of every model: faults, and deadlocks if they count or are asked for.
fn built_in(model: &Model, options: &Options) -> Vec<Property> {
    let system = &model.system;
    // A net has no faults but places that are too small.
    let can_fault = model.net().is_none_or(NetModel::may_outgrow);
    let asked = options.properties.iter().any(|name| name == "deadlock");
    let deadlock = asked || (system.deadlock_free && !options.ignore_deadlock);
    let faults = can_fault.then(|| system.built_in(Question::Fault));
    faults.into_iter().chain(deadlock.then(|| system.built_in(Question::Deadlock))).collect()
}

/// Keeps what the caller wants. Faults are looked for as well, since they make the other answers doubtful. In
/// a net a fault is a place without room: if only linear-time properties are wanted, one that their search
/// does not meet does not matter.
fn select<'s>(
    properties: Vec<&'s Property>,
    model: &Model,
    options: &Options,
) -> Result<Vec<&'s Property>, CheckError> {
    let is_fault = |property: &Property| property.question.kind() == Kind::Faults;
    // What a net calls a fault is nothing that can be asked for.
    let nameable = |property: &&&Property| !is_fault(property) || model.net().is_none();
    for name in &options.properties {
        if !properties.iter().filter(nameable).any(|property| property.name == *name) {
            let mut known: Vec<_> = properties.iter().filter(nameable).map(|it| it.name.clone()).collect();
            if !known.iter().any(|name| name == "deadlock") {
                known.push("deadlock".to_string());
            }
            return Err(CheckError::UnknownProperty(name.clone(), known));
        }
    }
    let named = |property: &Property| options.properties.contains(&property.name);
    let mut chosen = properties.iter().filter(|property| named(property)).peekable();
    let some = chosen.peek().is_some();
    let without_faults = model.net().is_some() && some && chosen.all(|it| it.question.is_linear());
    let wanted = |property: &&Property| {
        options.properties.is_empty() || named(property) || (is_fault(property) && !without_faults)
    };
    Ok(properties.into_iter().filter(wanted).collect())
}

/// Passes progress on and keeps the last: the figures of work that was ended somewhere deep.
struct Seen<'o> {
    observer: &'o mut dyn Observer,
    answered: Option<&'o mut dyn FnMut(&Answer)>,
    last: Progress,
    /// The properties whose end was told.
    ended: BTreeSet<usize>,
    /// What was answered before the end of a search, with evidence that was replayed.
    settled: BTreeMap<usize, Answer>,
}

impl Seen<'_> {
    /// Tells the end of a property, once.
    fn ended(&mut self, property: usize, stats: Stats) {
        if self.ended.insert(property) {
            self.observer.ends(property, &Progress { stats, ..Progress::default() });
        }
    }

    /// Tells an answer to those who want it.
    fn tell(&mut self, answer: &Answer) {
        self.answered.iter_mut().for_each(|answered| answered(answer));
    }
}

impl Observer for Seen<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.last = *progress;
        self.observer.progress(progress);
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.observer.threads(expanded);
    }
}

/// Hears of answers before the end of a search.
struct Listening<'a, 'd, 's, 'o> {
    drive: &'a Drive<'d, 's>,
    /// The numbers of the properties of the search.
    search: &'a [usize],
    seen: &'a mut Seen<'o>,
}

impl Observer for Listening<'_, '_, '_, '_> {
    fn progress(&mut self, progress: &Progress) {
        self.seen.progress(progress);
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.seen.threads(expanded);
    }
}

impl Listener for Listening<'_, '_, '_, '_> {
    fn settled(&mut self, settled: &Settled<'_>) {
        // A search for one property ends with its answer.
        let [_, _, ..] = self.search else { return };
        let number = self.search[settled.place];
        if self.seen.answered.is_some() {
            let replayed = || {
                let property = self.drive.properties[number];
                let mut answer = self.drive.readable(property, (settled.answer)());
                self.drive.limit(&mut answer);
                let replayed = self.drive.replay(property, &answer);
                (replayed.is_ok() && self.drive.is_final(&answer)).then_some(answer)
            };
            // If a limit ends it, or it does not replay, that is told at the end.
            let Ok(Some(answer)) = self.drive.clock.within(replayed) else { return };
            self.seen.tell(&answer);
            self.seen.settled.insert(number, answer);
        }
        self.seen.ended(number, settled.stats);
    }
}

/// What an engine is to be asked.
struct Drive<'d, 's> {
    model: &'s Model,
    options: &'s Options,
    clock: &'d Clock,
    properties: Vec<&'s Property>,
    /// What is asked if a fault was seen and nobody asked.
    faults: &'s Property,
    until_fault: bool,
    /// The workers that search for states, if there are some besides this process.
    cluster: Option<&'s Cluster>,
}

/// The answers so far, by property.
type Answers = Vec<Option<Answer>>;

impl<'s> Drive<'_, 's> {
    fn system(&self) -> &'s System {
        &self.model.system
    }

    fn symbolic(&self, audience: &mut Audience<'_>) -> Result<Report, CheckError> {
        let started = Instant::now();
        let (limits, reorder) = (&self.options.limits, self.options.diagrams.reorder);
        let space = self.clock.within(|| Space::for_check(self.system(), limits, reorder));
        match space.and_then(|space| space) {
            Ok(space) => {
                let engine = Symbolic::new(&space, self.options, &self.model.claimed);
                self.run(&mut Stepwise::symbolic(engine, self.system(), self.options), audience)
            }
            Err(stop) => {
                let unknown = |property: &&Property| {
                    let mut answer = burnside_symbolic::unknown(self.system(), property);
                    answer.verdict = Verdict::Unknown(self.clock.explain(stop.clone()));
                    answer
                };
                let results: Vec<Answer> = self.properties.iter().map(unknown).collect();
                let stats = results.first().map_or(Stats::default(), |answer| answer.stats);
                let group = burnside_ts::Symmetry::trivial(&self.system().types);
                let (model, time) = (self.model.clone(), started.elapsed());
                let smaller = BTreeMap::new();
                Ok(Report { results, group, stats, unreduced: None, time, chosen: None, smaller, model })
            }
        }
    }

    fn run(&self, engine: &mut dyn Checker<'s>, audience: &mut Audience<'_>) -> Result<Report, CheckError> {
        let started = Instant::now();
        let Audience { observer, answered, .. } = audience;
        let mut seen = Seen {
            observer: &mut **observer,
            answered: answered.as_deref_mut().map(|answered| answered as _),
            last: Progress::default(),
            ended: BTreeSet::new(),
            settled: BTreeMap::new(),
        };
        let mut answers: Answers = self.properties.iter().map(|_| None).collect();
        let searches = engine.searches(&self.properties);
        let mut one = |search: usize| {
            let search = &searches[search];
            let looks_for_it = search.iter().any(|&i| self.properties[i].question.kind() == Kind::Faults);
            let found = answers.iter().flatten().any(has_fault);
            if self.leaves_off(engine) && (found || !looks_for_it) {
                return Ok(());
            }
            self.search(engine, search, &mut answers, &mut seen)
        };
        match self.cluster {
            Some(_) => self.clock.each(searches.len(), &mut one)?,
            None => self.clock.divide(searches.len(), &mut one)?,
        }
        let unasked = self.unasked_faults(engine, &answers, &mut seen)?;
        let found = unasked.iter().chain(answers.iter().flatten()).any(has_fault);
        if self.leaves_off(engine) && !found {
            // No run to the fault is known, so nothing will begin anew: what was left out is asked after all.
            for search in &searches {
                if search.iter().any(|&i| answers[i].is_none()) {
                    self.search(engine, search, &mut answers, &mut seen)?;
                }
            }
        }
        for (i, answer) in answers.iter().enumerate() {
            answer.iter().for_each(|answer| seen.ended(i, answer.stats));
        }
        let shown = unasked.iter().any(has_fault);
        let faults = unasked.iter().chain(answers.iter().flatten()).find(|it| it.kind == Kind::Faults);
        let doubt = faults.map(|answer| answer.verdict.clone());
        let mut results: Vec<Answer> =
            unasked.into_iter().filter(|_| shown).chain(answers.into_iter().flatten()).collect();
        if let (Some(Verdict::Unknown(stop)), true) =
            (doubt, self.model.net().is_some() && engine.may_fault())
        {
            // A step may fault, but it could not be told after which run: then only what a run shows counts.
            results.iter_mut().filter(|it| !it.is_shown()).for_each(|it| it.retract(stop.clone()));
        }
        // Nobody asked for faults, and runs show all that was asked for.
        results.retain(|it| it.kind != Kind::Faults || it.verdict != Verdict::Unknown(Stop::NotChecked));
        results.iter_mut().for_each(|answer| self.limit(answer));
        let (stats, unreduced) = engine
            .figures()
            .unwrap_or_else(|| (results.first().map_or(Stats::default(), |it| it.stats), None));
        let (group, time, model) = (engine.group(), started.elapsed(), self.model.clone());
        let smaller = BTreeMap::new();
        Ok(Report { results, group, stats, unreduced, time, chosen: None, smaller, model })
    }

    /// Says of an answer whether it is only about what is within the constraint, and that the symbolic engine
    /// leaves no steps out.
    fn limit(&self, answer: &mut Answer) {
        let decided = !matches!(answer.verdict, Verdict::Unknown(_));
        answer.within_constraint = self.system().constraint.is_some()
            && decided
            && Constraint::limits(answer.kind, answer.verdict == Verdict::Violated);
        if answer.engine == Engine::Symbolic && self.options.partial_order == PartialOrder::Auto {
            answer.partial_order = Some(PartialOrderUse::Off(NotReduced::Engine));
        }
    }

    /// Whether a place of a net was met that has no room: the check will begin anew with more.
    fn leaves_off(&self, engine: &dyn Checker<'s>) -> bool {
        self.until_fault && engine.may_fault()
    }

    /// Looks for faults if nobody asked for them but one was seen.
    fn unasked_faults(
        &self,
        engine: &mut dyn Checker<'s>,
        answers: &Answers,
        seen: &mut Seen<'_>,
    ) -> Result<Option<Answer>, CheckError> {
        let asked = self.properties.iter().any(|it| it.question.kind() == Kind::Faults);
        // What was left out is not shown: it would be answered in a net whose places are too small.
        let shown = |answer: &Option<Answer>| answer.as_ref().is_some_and(Answer::is_shown);
        let all_shown = !answers.is_empty() && answers.iter().all(shown);
        if asked || !engine.may_fault() || all_shown {
            return Ok(None);
        }
        let mut answers = vec![None];
        let (number, name) = (self.properties.len(), self.faults.name.clone());
        seen.observer.begins(&Task { properties: vec![(number, name)], of: number + 1, phase: None });
        self.ask(engine, &[self.faults], &[0], &mut answers, seen)?;
        answers.iter().flatten().for_each(|answer| seen.ended(number, answer.stats));
        Ok(answers.pop().flatten())
    }

    /// Whether a verdict stays what it is, whatever the other searches find. In a net whose places may be too
    /// small that is known only when all of them are done.
    fn is_final(&self, answer: &Answer) -> bool {
        let faulted = || answer.evidence.as_ref().and_then(faulted).is_some();
        self.model.net().is_none_or(|net| !net.may_outgrow() && !faulted())
    }

    /// One search of an engine. What was answered before a fault was known is looked at again.
    fn search(
        &self,
        engine: &mut dyn Checker<'s>,
        search: &[usize],
        answers: &mut Answers,
        seen: &mut Seen<'_>,
    ) -> Result<(), CheckError> {
        let known = engine.may_fault();
        let properties = search.iter().map(|&i| (i, self.properties[i].name.clone())).collect();
        seen.observer.begins(&Task { properties, of: self.properties.len(), phase: None });
        self.ask(engine, &self.properties, search, answers, seen)?;
        for &i in search {
            // What a limit has ended may be begun anew.
            let decided = answers[i].iter().filter(|answer| !matches!(answer.verdict, Verdict::Unknown(_)));
            for answer in decided {
                if !seen.ended.contains(&i) && self.is_final(answer) {
                    seen.tell(answer);
                }
                seen.ended(i, answer.stats);
            }
        }
        if engine.may_fault() && !known {
            let before = self.properties.iter().zip(answers).enumerate();
            for (_, (property, answer)) in before.filter(|(i, _)| !search.contains(i)) {
                if let Some(answer) = answer.as_mut().filter(|answer| answer.verdict == Verdict::Holds) {
                    // If a limit ends it, nothing more is said.
                    let _ = self.clock.within(|| engine.reconsider(property, answer, seen));
                }
            }
        }
        Ok(())
    }

    fn ask(
        &self,
        engine: &mut dyn Checker<'s>,
        properties: &[&'s Property],
        search: &[usize],
        answers: &mut Answers,
        seen: &mut Seen<'_>,
    ) -> Result<(), CheckError> {
        let started = Instant::now();
        seen.last = Progress::default();
        let asked: Vec<&'s Property> = search.iter().map(|&i| properties[i]).collect();
        let answered =
            self.clock.within(|| engine.answer(&asked, &mut Listening { drive: self, search, seen }));
        let answered = self.agreed(engine, answered)?;
        let ended = |property: &'s Property, stop: Stop| {
            let (time, stats) = (started.elapsed(), seen.last.stats);
            let open = engine.open(property);
            let diagrams = open.stats.diagrams;
            let verdict = Verdict::Unknown(self.clock.explain(stop));
            Answer { verdict, time, stats: Stats { diagrams, ..stats }, ..open }
        };
        match answered {
            Err(stop) => {
                for (&i, property) in search.iter().zip(asked) {
                    let settled = seen.settled.get(&i).cloned();
                    answers[i] = Some(settled.unwrap_or_else(|| ended(property, stop.clone())));
                }
            }
            Ok(given) => {
                for ((&i, property), answer) in search.iter().zip(asked).zip(given) {
                    // If a limit ends it, the run is told as it was found.
                    let as_found = answer.clone();
                    let readable = self.clock.within(|| self.readable(property, answer));
                    let answer = readable.unwrap_or(as_found);
                    let settled = seen.settled.get(&i);
                    let known = settled.is_some_and(|settled| settled.evidence == answer.evidence);
                    let replay = || if known { Ok(()) } else { self.replay(property, &answer) };
                    let answer = match self.clock.finish(replay) {
                        Ok(replayed) => self.told(answer, replayed)?,
                        Err(stop) => ended(property, stop),
                    };
                    let is_open = matches!(answer.verdict, Verdict::Unknown(_));
                    // What was told stays.
                    answers[i] = Some(settled.filter(|_| is_open).cloned().unwrap_or(answer));
                }
            }
        }
        Ok(())
    }

    /// What this process has found out, if all others of a cluster have found out the same. If one could not
    /// tell, nobody can.
    fn agreed(
        &self,
        engine: &dyn Checker<'s>,
        answered: Result<Vec<Answer>, Stop>,
    ) -> Result<Result<Vec<Answer>, Stop>, CheckError> {
        let Some(cluster) = self.cluster else { return Ok(answered) };
        let verdict = |answer: &Answer| match answer.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown(_) => "unknown",
        };
        let own = match &answered {
            Ok(answers) => {
                let verdicts: Vec<&str> = answers.iter().map(verdict).collect();
                format!("{} {}", verdicts.join(" "), engine.may_fault())
            }
            Err(_) => "unknown".into(),
        };
        let told = match cluster.agree(&own, answered.as_ref().err()) {
            Ok(told) => told,
            Err(stop) => return Ok(Err(stop)),
        };
        let Some(other) = told.iter().find(|other| **other != own) else { return Ok(answered) };
        if told.iter().any(|told| told.contains("unknown")) {
            let why = Stop::Lost("another process of the cluster could not tell".into());
            return Ok(Err(answered.err().unwrap_or(why)));
        }
        Err(CheckError::Internal {
            property: "the cluster".into(),
            message: format!("one process says `{own}`, another `{other}`"),
        })
    }

    /// An answer whose evidence was replayed.
    fn told(&self, mut answer: Answer, replayed: Result<(), Mismatch>) -> Result<Answer, CheckError> {
        replayed.map_err(|mismatch| CheckError::Internal {
            property: answer.property.clone(),
            message: mismatch.to_string(),
        })?;
        if let Verdict::Unknown(stop) = answer.verdict {
            answer.verdict = Verdict::Unknown(self.clock.explain(stop));
        }
        Ok(answer)
    }

    /// The answer with a run for people: short, and with members in order. A run that does not replay then
    /// stays as it was found.
    fn readable(&self, property: &'s Property, mut answer: Answer) -> Answer {
        let (system, options) = (self.system(), self.options);
        let Some(mut run) = answer.evidence.take() else { return answer };
        let shortens = property.question.is_linear() && !property.question.is_about_steps();
        if answer.engine == Engine::Symbolic && shortens {
            let pairs = answer.stats.product.map_or(0, |product| product.states);
            run = shorten_lasso(system, property, options, pairs, run);
        }
        let symmetry = options.allowed(&property.symmetry, &system.types);
        let claim = Claim { question: &property.question, fair: options.is_fair(), value: answer.value };
        let ordered = in_order(system, &symmetry, &run);
        let right = ordered.filter(|moved| replay(system, moved, claim).is_ok());
        answer.evidence = Some(right.unwrap_or(run));
        answer
    }

    /// Replays the evidence of an answer.
    fn replay(&self, property: &Property, answer: &Answer) -> Result<(), Mismatch> {
        replayed(self.system(), self.options, property, answer)
    }
}

/// Replays the evidence of an answer on the transition system: the one way by which evidence comes to be
/// shown.
pub(crate) fn replayed(
    system: &System,
    options: &Options,
    property: &Property,
    answer: &Answer,
) -> Result<(), Mismatch> {
    let question = &property.question;
    if let Some(evidence) = &answer.evidence {
        let claim = Claim { question, fair: options.is_fair(), value: answer.value };
        replay(system, evidence, claim)?;
    }
    if let (Some((state, tree)), Question::Branching(formula)) = (&answer.tree, question) {
        let truth = answer.verdict == Verdict::Holds;
        replay_tree(system, formula, truth, state, tree, options.paths())?;
    }
    Ok(())
}
