//! Checks in the background: one at a time, by the library, with progress and a way to end it.
//!
//! Entry points: [`Explorer::start`], [`Job::document`]. A verdict is shown as soon as it is there, while the
//! check goes on with the other properties. What is known of a property stays known: the model
//! does not change, so a later check that ends without an answer takes nothing back.

use crate::explorer::{Explorer, lock};
use crate::response::{Refusal, Response};
use crate::server::STACK;
use burnside::{Answer, CheckError, Limits, Model, Observer, Options, Progress, Task, Verdict};
use burnside_limits::{Interrupt, Stop, catch};
use burnside_report::input::Input;
use burnside_report::page;
use burnside_trace::TreeOptions;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is known of a property.
#[derive(Debug)]
pub(crate) struct PropertyResult {
    pub answer: Answer,
    /// What the evidence is about.
    pub model: Model,
    /// As it is shown.
    result: Value,
}

/// The check that is running, or was the last, and what is known.
#[derive(Debug)]
pub(crate) struct Job {
    /// How many were started.
    runs: u64,
    state: &'static str,
    message: Option<String>,
    running: Option<Running>,
    /// Where it is, or was.
    progress: Value,
    known: Vec<Arc<PropertyResult>>,
    /// All of this as it is shown, until something changes: pages ask again and again.
    document: Option<Arc<[u8]>>,
}

#[derive(Debug)]
struct Running {
    interrupt: Interrupt,
    /// Whether somebody has asked to end it.
    cancelled: bool,
}

impl Job {
    /// Nothing was checked yet, but something may be known.
    pub fn new(input: &Input, known: Vec<Answer>, paths: TreeOptions) -> Self {
        let result = |answer| Arc::new(PropertyResult::recorded(input, answer, paths));
        let known = known.into_iter().map(result).collect();
        Self {
            runs: 0,
            state: "idle",
            message: None,
            running: None,
            progress: Value::Null,
            known,
            document: None,
        }
    }

    /// What is going on, and what is known, as a document.
    pub fn document(&mut self) -> Arc<[u8]> {
        if let Some(known) = &self.document {
            return Arc::clone(known);
        }
        let document = json!({
            "run": (self.runs > 0).then_some(self.runs),
            "state": self.state,
            "message": self.message,
            "progress": self.progress,
            "results": self.known.iter().map(|known| &known.result).collect::<Vec<_>>(),
        });
        let body = self.document.insert(Response::json(200, &document).body.into());
        Arc::clone(body)
    }

    /// What is known of a property.
    pub fn about(&self, property: &str) -> Option<Arc<PropertyResult>> {
        self.known.iter().find(|result| result.answer.property == property).cloned()
    }

    /// Ends what is running.
    pub fn cancel(&mut self) {
        if let Some(running) = &mut self.running {
            running.cancelled = true;
            running.interrupt.raise(Stop::Interrupted);
        }
    }

    /// It has ended, with these answers or for a reason.
    fn end(&mut self, order: &[String], ended: Result<Vec<PropertyResult>, String>) {
        let cancelled = self.running.take().is_some_and(|running| running.cancelled);
        let (state, message, results) = match ended {
            _ if cancelled => ("cancelled", None, ended.unwrap_or_default()),
            Ok(results) => ("done", None, results),
            Err(message) => ("failed", Some(message), Vec::new()),
        };
        (self.state, self.message, self.progress, self.document) = (state, message, Value::Null, None);
        for result in results {
            let is_open = matches!(result.answer.verdict, Verdict::Unknown(_));
            let property = &result.answer.property;
            // What was not looked at before the end is as unknown as before.
            let not_asked = cancelled && self.about(property).is_none();
            if !is_open || !(not_asked || self.is_known(property)) {
                self.learn(order, result);
            }
        }
    }

    /// Something is known, perhaps anew.
    fn learn(&mut self, order: &[String], result: PropertyResult) {
        self.known.retain(|old| old.answer.property != result.answer.property);
        self.known.push(Arc::new(result));
        let place =
            |result: &Arc<PropertyResult>| order.iter().position(|name| *name == result.answer.property);
        self.known.sort_by_key(place);
        self.document = None;
    }

    fn is_known(&self, property: &str) -> bool {
        self.about(property).is_some_and(|result| !matches!(result.answer.verdict, Verdict::Unknown(_)))
    }
}

impl PropertyResult {
    fn new(input: &Input, model: &Model, answer: Answer, paths: TreeOptions) -> Self {
        let result = page::result(input, model, &answer, paths);
        Self { answer, model: model.clone(), result }
    }

    /// What was found elsewhere: how long that took, and how many states were seen, is not known.
    fn recorded(input: &Input, answer: Answer, paths: TreeOptions) -> Self {
        let mut result = Self::new(input, &input.model, answer, paths);
        (result.result["stats"], result.result["seconds"]) = (Value::Null, Value::Null);
        result
    }
}

impl Explorer {
    /// The properties that can be asked for.
    fn properties(&self) -> Vec<String> {
        let built_in = if self.checked.net().is_some() { &["deadlock"][..] } else { &["faults", "deadlock"] };
        let own = self.checked.properties();
        built_in.iter().copied().chain(own).map(str::to_string).collect()
    }

    /// Whether there are properties of these names.
    pub(crate) fn named(&self, names: &[String]) -> Result<(), Refusal> {
        let known = self.properties();
        match names.iter().find(|name| !known.contains(name)) {
            Some(name) => {
                let known = known.join(", ");
                Err(Refusal::new(400, format!("there is no property `{name}`; there are {known}")))
            }
            None => Ok(()),
        }
    }

    /// Starts to check some properties, or all if none is named. Gives the number of the check.
    pub(crate) fn start(
        self: &Arc<Self>,
        mut names: Vec<String>,
        timeout: Option<Duration>,
    ) -> Result<u64, Refusal> {
        self.named(&names)?;
        // A net without questions can still be asked this.
        if names.is_empty() && self.checked.net().is_some() && self.checked.properties().next().is_none() {
            names.push("deadlock".into());
        }
        let mut job = lock(&self.job);
        if job.running.is_some() {
            return Err(Refusal::new(409, "a check is running: wait for it, or cancel it"));
        }
        let interrupt = Interrupt::new();
        let limits = Limits {
            time: timeout,
            memory: self.bounds.memory,
            interrupt: interrupt.clone(),
            ..self.options.limits.clone()
        };
        let options = Options { properties: names, limits, ..self.options.clone() };
        let (inside, known) = (Arc::clone(self), self.properties());
        let thread = std::thread::Builder::new().name("check".into()).stack_size(STACK);
        let started = thread.spawn(move || {
            let work = || inside.check(&options);
            let ended = catch_unwind(AssertUnwindSafe(work))
                .unwrap_or_else(|_| Err("an internal error: see where the program runs".into()));
            lock(&inside.job).end(&known, ended);
        });
        started.map_err(|error| Refusal::new(503, format!("a check cannot be started: {error}")))?;
        job.runs += 1;
        (job.state, job.message, job.progress, job.document) = ("running", None, Value::Null, None);
        job.running = Some(Running { interrupt, cancelled: false });
        Ok(job.runs)
    }

    fn check(&self, options: &Options) -> Result<Vec<PropertyResult>, String> {
        let mut observer = JobObserver::new(self);
        let (order, paths) = (self.properties(), options.paths());
        let answered = &mut |answer: &Answer| {
            let result = || PropertyResult::new(&self.input, &self.checked, answer.clone(), paths);
            // If there is no time for it now, the report has it.
            if let Ok(result) = catch(result) {
                lock(&self.job).learn(&order, result);
            }
        };
        let report = burnside::check_each(&self.checked, options, &mut observer, answered);
        let report = report.map_err(|error| match error {
            CheckError::NoInitialState(_) => "the model has no initial state: nothing can be checked".into(),
            error => error.to_string(),
        })?;
        let model = &report.model;
        // Trees are looked through once more.
        let result = |answer| PropertyResult::new(&self.input, model, answer, paths);
        let results = || report.results.into_iter().map(result).collect();
        catch(|| options.limits.interrupt.enter(results)).map_err(|stop| stop.to_string())
    }
}

/// Notes how a check gets on, a few times each second.
struct JobObserver<'e> {
    explorer: &'e Explorer,
    started: Instant,
    reported: Option<Instant>,
    /// What the search at hand is for.
    task: Task,
    /// The numbers of the properties that are answered, in whichever search.
    answered: BTreeSet<usize>,
}

impl<'e> JobObserver<'e> {
    fn new(explorer: &'e Explorer) -> Self {
        let (task, answered) = Default::default();
        Self { explorer, started: Instant::now(), reported: None, task, answered }
    }

    /// The names of the properties that the search is still about.
    fn open(&self) -> Vec<&str> {
        let own = self.task.properties.iter().filter(|(number, _)| !self.answered.contains(number));
        own.map(|(_, name)| name.as_str()).collect()
    }

    fn report(&mut self, progress: &Progress) {
        self.reported = Some(Instant::now());
        let (stats, seconds) = (progress.stats, self.started.elapsed().as_secs_f64());
        let states = burnside::told(stats.states);
        let document = json!({
            "properties": self.open(),
            "answered": self.answered.len(),
            "of": self.task.of,
            "states": states,
            "transitions": stats.transitions,
            "depth": stats.depth,
            "queue": progress.queue,
            "rate": states.map(|states| (states as f64 / seconds.max(0.001)).round()),
            "memory": stats.memory,
            "seconds": seconds,
        });
        let mut job = lock(&self.explorer.job);
        if job.running.is_some() {
            (job.progress, job.document) = (document, None);
        }
    }
}

impl Observer for JobObserver<'_> {
    fn progress(&mut self, progress: &Progress) {
        const PERIOD: Duration = Duration::from_millis(100);
        if self.reported.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.report(progress);
        }
    }

    fn begins(&mut self, task: &Task) {
        self.task = task.clone();
        // A net whose places need more room is checked anew.
        self.task.properties.iter().for_each(|(number, _)| {
            self.answered.remove(number);
        });
        self.reported = None;
    }

    fn ends(&mut self, property: usize, progress: &Progress) {
        self.answered.insert(property);
        self.report(progress);
    }
}
