//! Checks that the editor asks for, each in a thread of its own.
//!
//! Entry points: [`Checks::start`] and [`Checks::cancel`]. The request of the editor is answered when the
//! check is over; until then progress is told, and the check can be cancelled by the request or by the
//! progress. A new check of a text ends the one before. What was found is kept with the text that it is
//! about.

use burnside::{Interrupt, Limits, LoadOptions, Model, Options, Progress, Report, Source, Stop, Verdict};
use burnside_lang::check::settings_of_blocks;
use burnside_lang::import;
use burnside_limits::{Watchdog, catch};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The command that checks a property, or all.
pub(crate) const COMMAND: &str = "burnside.check";

/// Room for the recursive walks over deep expressions, also in builds without optimisation.
pub(crate) const STACK: usize = 64 << 20;

/// Progress is told so often.
const PERIOD: Duration = Duration::from_millis(250);

/// What was found about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// The same as a sentence, with the reason or the size of what shows it.
    pub told: String,
    /// Why it is unknown.
    pub reason: Option<String>,
}

/// What was found about the properties of a text, by their names.
pub(crate) type Verdicts = BTreeMap<String, Found>;

/// What the editor can do.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Abilities {
    /// It shows progress.
    pub progress: bool,
    /// It asks for lenses again when told to.
    pub lenses: bool,
    /// The same for inlay hints.
    pub hints: bool,
}

/// What the threads share with the server.
#[derive(Debug, Default)]
struct Board {
    /// By address: a text, and what was found about it.
    verdicts: BTreeMap<String, (String, Verdicts)>,
    /// The number of the next request to the editor.
    next: u64,
}

/// What somebody asked for.
pub(crate) struct Wanted {
    /// The request to answer.
    pub id: RequestId,
    /// The address of the text.
    pub uri: String,
    /// The text.
    pub text: String,
    /// A property, or all.
    pub property: Option<String>,
    /// What the check may use.
    pub limits: Limits,
}

struct Job {
    id: RequestId,
    uri: String,
    token: String,
    interrupt: Interrupt,
    thread: JoinHandle<()>,
}

/// The checks that are under way, and what was found.
pub(crate) struct Checks<S> {
    sender: S,
    board: Arc<Mutex<Board>>,
    jobs: Vec<Job>,
    abilities: Abilities,
}

/// Something that messages can be sent with, from several threads.
pub(crate) trait Post: Fn(Message) + Clone + Send + 'static {}
impl<T: Fn(Message) + Clone + Send + 'static> Post for T {}

impl<S: Post> Checks<S> {
    /// None yet.
    pub fn new(sender: S, abilities: Abilities) -> Self {
        Self { sender, board: Arc::default(), jobs: Vec::new(), abilities }
    }

    /// Starts a check; one of the same text that is under way ends.
    pub fn start(&mut self, wanted: Wanted) {
        self.jobs.retain(|job| !job.thread.is_finished());
        self.jobs
            .iter()
            .filter(|job| job.uri == wanted.uri)
            .for_each(|job| job.interrupt.raise(Stop::Interrupted));
        let interrupt = Interrupt::new();
        let (id, uri) = (wanted.id.clone(), wanted.uri.clone());
        let since = Some(Instant::now());
        let limits = Limits { interrupt: interrupt.clone(), since, ..wanted.limits.clone() };
        let token = format!("burnside-check-{}", ticket(&self.board));
        let work = Work {
            wanted: Wanted { limits, ..wanted },
            sender: self.sender.clone(),
            board: Arc::clone(&self.board),
            abilities: self.abilities,
            token: token.clone(),
        };
        let thread = std::thread::Builder::new().name("check".into()).stack_size(STACK);
        match thread.spawn(move || work.run()) {
            Ok(thread) => self.jobs.push(Job { id, uri, token, interrupt, thread }),
            Err(error) => {
                let message = format!("cannot start a thread: {error}");
                let code = ErrorCode::InternalError as i32;
                (self.sender)(Response::new_err(id, code, message).into());
            }
        }
    }

    /// Ends the check of a request.
    pub fn cancel(&self, id: &RequestId) {
        let meant = self.jobs.iter().filter(|job| job.id == *id);
        meant.for_each(|job| job.interrupt.raise(Stop::Interrupted));
    }

    /// Ends the check whose progress has this token.
    pub fn cancel_token(&self, token: &str) {
        let meant = self.jobs.iter().filter(|job| job.token == token);
        meant.for_each(|job| job.interrupt.raise(Stop::Interrupted));
    }

    /// Ends the checks of a text that is closed, and forgets it.
    pub fn close(&mut self, uri: &str) {
        let meant = self.jobs.iter().filter(|job| job.uri == uri);
        meant.for_each(|job| job.interrupt.raise(Stop::Interrupted));
        lock(&self.board).verdicts.remove(uri);
    }

    /// Ends all checks. Whether they have ended.
    pub fn end(self, patience: Duration) -> bool {
        self.jobs.iter().for_each(|job| job.interrupt.raise(Stop::Interrupted));
        let end = Instant::now() + patience;
        while self.jobs.iter().any(|job| !job.thread.is_finished()) {
            if Instant::now() > end {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }

    /// What was found about a text, if it is the one that was checked.
    pub fn verdicts(&self, uri: &str, text: &str) -> Option<Verdicts> {
        let board = lock(&self.board);
        board.verdicts.get(uri).filter(|(checked, _)| checked == text).map(|(_, found)| found.clone())
    }
}

fn lock(board: &Mutex<Board>) -> std::sync::MutexGuard<'_, Board> {
    board.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that nobody has.
fn ticket(board: &Mutex<Board>) -> u64 {
    let mut board = lock(board);
    board.next += 1;
    board.next
}

/// A check in its thread.
struct Work<S> {
    wanted: Wanted,
    sender: S,
    board: Arc<Mutex<Board>>,
    abilities: Abilities,
    token: String,
}

impl<S: Post> Work<S> {
    fn run(self) {
        self.begin();
        let interrupt = self.wanted.limits.interrupt.clone();
        // Loading counts too: generators of `symmetry` blocks are proved there.
        let watchdog = Watchdog::start(&self.wanted.limits);
        let outcome = catch_unwind(AssertUnwindSafe(|| catch(|| interrupt.enter(|| self.check()))));
        drop(watchdog);
        self.tell(
            "$/progress",
            json!({"token": self.token, "value": {"kind": "end"}}),
            self.abilities.progress,
        );
        let cancelled = interrupt.stop() == Some(Stop::Interrupted);
        let id = self.wanted.id.clone();
        let response = match outcome {
            Ok(_) if cancelled => {
                Response::new_err(id, ErrorCode::RequestCanceled as i32, "the check was cancelled".into())
            }
            Ok(Ok(Ok(found))) => self.found(id, found),
            Ok(Ok(Err(message))) => {
                self.message(2, &message);
                Response::new_err(id, ErrorCode::RequestFailed as i32, message)
            }
            Ok(Err(stop)) => {
                let message = format!("not checked: {stop}");
                self.message(2, &message);
                Response::new_err(id, ErrorCode::RequestFailed as i32, message)
            }
            Err(_) => {
                let message = "an internal error ended the check: this is a bug in Burnside".to_string();
                self.message(1, &message);
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            }
        };
        (self.sender)(response.into());
    }

    /// Loads and checks; what was found, in the order of the report.
    fn check(&self) -> Result<Vec<(String, Found)>, String> {
        let Wanted { uri, text, property, limits, .. } = &self.wanted;
        let settings = settings_of_blocks(&import::parse(text).file);
        let loading = LoadOptions::new().settings(&settings);
        let model = Model::load(Source::named(uri, text.as_str()), &loading);
        let model = model.into_model().map_err(|error| format!("not checked: {error}"))?;
        let properties = property.iter().cloned().collect();
        let options = Options { properties, limits: limits.clone(), ..Options::default() };
        let mut last = Instant::now();
        let mut observer = |progress: &Progress| {
            if last.elapsed() >= PERIOD {
                last = Instant::now();
                let value = json!({"kind": "report", "message": format!("{} states", progress.stats.states)});
                self.tell(
                    "$/progress",
                    json!({"token": self.token, "value": value}),
                    self.abilities.progress,
                );
            }
        };
        let report = burnside::check(&model, &options, &mut observer)
            .map_err(|error| format!("not checked: {error}"))?;
        Ok(report.results.iter().map(|answer| (answer.property.clone(), found(&report, answer))).collect())
    }

    /// Keeps and tells what was found.
    fn found(&self, id: RequestId, results: Vec<(String, Found)>) -> Response {
        let violated = results.iter().any(|(_, found)| found.verdict == "violated");
        let unknown = results.iter().any(|(_, found)| found.verdict == "unknown");
        let rows = results.iter().map(|(property, found)| {
            json!({"property": property, "verdict": found.verdict, "reason": found.reason})
        });
        let rows: Vec<Value> = rows.collect();
        let told = summary(&results);
        {
            let Wanted { uri, text, .. } = &self.wanted;
            let mut board = lock(&self.board);
            let known = board.verdicts.entry(uri.clone()).or_default();
            if known.0 != *text {
                *known = (text.clone(), Verdicts::new());
            }
            known.1.extend(results);
        }
        self.message(if violated || unknown { 2 } else { 3 }, &told);
        self.ask("workspace/codeLens/refresh", self.abilities.lenses);
        self.ask("workspace/inlayHint/refresh", self.abilities.hints);
        Response::new_ok(id, json!({"results": rows}))
    }

    fn begin(&self) {
        if self.abilities.progress {
            let id = RequestId::from(format!("burnside-{}", ticket(&self.board)));
            let create = json!({"token": self.token});
            (self.sender)(Request::new(id, "window/workDoneProgress/create".into(), create).into());
        }
        let what = self.wanted.property.as_deref().unwrap_or("all properties");
        let value = json!({"kind": "begin", "title": format!("Checking {what}"), "cancellable": true});
        self.tell("$/progress", json!({"token": self.token, "value": value}), self.abilities.progress);
    }

    fn tell(&self, method: &str, params: Value, wanted: bool) {
        if wanted {
            (self.sender)(Notification::new(method.into(), params).into());
        }
    }

    /// A request whose answer says nothing.
    fn ask(&self, method: &str, wanted: bool) {
        if wanted {
            let id = RequestId::from(format!("burnside-{}", ticket(&self.board)));
            (self.sender)(Request::new(id, method.into(), Value::Null).into());
        }
    }

    /// 1 is an error, 2 a warning, 3 news.
    fn message(&self, kind: u8, message: &str) {
        self.tell("window/showMessage", json!({"type": kind, "message": message}), true);
    }
}

/// What was found in one line. An editor may show only its beginning: what does not hold comes first.
fn summary(results: &[(String, Found)]) -> String {
    let (holding, others): (Vec<_>, Vec<_>) = results.iter().partition(|(_, found)| found.verdict == "holds");
    let mut parts: Vec<String> = others.iter().map(|(_, found)| found.told.clone()).collect();
    match holding.as_slice() {
        [] => {}
        [(_, found)] => parts.push(found.told.clone()),
        several => {
            let names: Vec<String> = several.iter().map(|(name, _)| format!("`{name}`")).collect();
            parts.push(format!("{} hold: {}", several.len(), names.join(", ")));
        }
    }
    parts.join("; ")
}

/// A verdict in words.
fn found(report: &Report, answer: &burnside::Answer) -> Found {
    let name = &answer.property;
    let steps = report.run(answer).map(|run| run.steps().len());
    match &answer.verdict {
        Verdict::Holds => Found { verdict: "holds".into(), told: format!("`{name}` holds"), reason: None },
        Verdict::Violated => {
            let shown = steps.map(|steps| match steps {
                1 => ": a run of 1 step shows it".to_string(),
                _ => format!(": a run of {steps} steps shows it"),
            });
            let shown = shown.unwrap_or_default();
            Found { verdict: "violated".into(), told: format!("`{name}` is violated{shown}"), reason: None }
        }
        Verdict::Unknown(stop) => {
            let reason = stop.to_string();
            Found {
                verdict: "unknown".into(),
                told: format!("`{name}` is unknown: {reason}"),
                reason: Some(reason),
            }
        }
    }
}
