//! How a search gets on, on standard error: one line on a terminal that is drawn again and again, or lines
//! below each other, or JSON.
//!
//! Entry point: [`ProgressDisplay`], an observer. An estimate is shown only where it is honest: the part of a
//! limit that is used up, and, if a search that goes level by level has had a shrinking queue for a while,
//! the time that the queue alone will take at the present speed.

use crate::args::{ProgressArgs, ProgressMode};
use crate::exit::visible;
use crate::memory::show_bytes;
use crate::output::terminal::{self, StandardStream};
use crate::output::{message, thousands};
use burnside::{Checkpoints, Limits, Observer, Progress, Task, told};
use burnside_checkpoint::Event;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The rate is that of about so long.
const WINDOW: Duration = Duration::from_secs(2);
/// A queue that was smaller after each of so many windows shrinks.
const WINDOWS: u32 = 2;
/// Shorter times tell nothing about a rate.
const MOMENT: Duration = Duration::from_millis(50);
/// The shares of so many threads are shown.
const SHARES: usize = 8;
/// Names of properties take so many letters at most.
const NAMES: usize = 30;

/// Whether a progress line is on the terminal now.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// How it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Nothing,
    /// One line, drawn again and again.
    Redrawn,
    /// Lines below each other.
    Lines,
    Json,
}

impl Form {
    fn of(mode: ProgressMode) -> Self {
        let is_able = StandardStream::Err.is_terminal() && !terminal::is_dumb();
        match mode {
            ProgressMode::Json => Form::Json,
            ProgressMode::Auto | ProgressMode::Always if is_able => Form::Redrawn,
            ProgressMode::Always => Form::Lines,
            ProgressMode::Auto | ProgressMode::Never => Form::Nothing,
        }
    }

    /// Not shown more often than this.
    fn interval(self) -> Duration {
        Duration::from_millis(match self {
            Form::Nothing => u64::MAX,
            Form::Redrawn => 100,
            Form::Lines => 1000,
            Form::Json => 250,
        })
    }
}

/// Shows progress on standard error.
#[derive(Debug)]
pub struct ProgressDisplay {
    form: Form,
    /// When the clock of the time limit began.
    start: Instant,
    shown: Instant,
    limits: Limits,
    task: Task,
    /// When the search began.
    began: Instant,
    trend: Trend,
    /// How many states each thread has expanded, if there are several.
    threads: Vec<u64>,
}

impl ProgressDisplay {
    /// As asked for; the limits are those that may end the search.
    pub fn new(progress: ProgressArgs, limits: &Limits) -> Self {
        let now = Instant::now();
        Self {
            form: Form::of(progress.mode()),
            start: limits.since.unwrap_or(now),
            shown: now,
            limits: limits.clone(),
            task: Task::default(),
            began: now,
            trend: Trend::new(now),
            threads: Vec::new(),
        }
    }

    /// Tells what is written of a check that is kept, too, and what cannot be.
    pub fn tell_of(&self, kept: &Checkpoints) {
        let (form, folder) = (self.form, visible(&kept.folder().display().to_string()));
        kept.listen(move |event| match event {
            Event::Failed(why) => {
                clear_line();
                message(&format!(
                    "warning: cannot write to `{folder}`: {why}; the check goes on, and what was kept before stays\n"
                ));
            }
            Event::Written(bytes, time) => {
                let seconds = time.as_secs_f64();
                match form {
                    Form::Nothing => {}
                    Form::Redrawn | Form::Lines => {
                        clear_line();
                        let size = show_bytes(*bytes);
                        message(&format!("kept in `{folder}`: {size} in {seconds:.1} s\n"));
                    }
                    Form::Json => {
                        let seconds = (seconds * 1000.0).round() / 1000.0;
                        message(&format!("{}\n", json!({ "kept": { "bytes": bytes, "seconds": seconds } })));
                    }
                }
            }
        });
    }

    fn sight(&self, progress: &Progress, now: Instant) -> Sight {
        let time = now - self.start;
        let part = |used: f64, limit: Option<f64>| limit.map(|limit| (used / limit).clamp(0.0, 1.0));
        let of_time = |time: Duration, limit: Option<Duration>| {
            part(time.as_secs_f64(), limit.map(|it| it.as_secs_f64()))
        };
        Sight {
            rate: self.trend.rate(progress, now),
            time,
            of_states: part(progress.stats.states as f64, self.limits.states.map(|it| it as f64)),
            of_time: of_time(time, self.limits.time),
            of_property_time: of_time(now - self.began, self.limits.property_time),
            at_least: self.trend.at_least(progress, now),
        }
    }

    fn show(&mut self, progress: &Progress, now: Instant) {
        let sight = self.sight(progress, now);
        match self.form {
            Form::Nothing => {}
            Form::Redrawn => {
                SHOWN.store(true, Ordering::SeqCst);
                // Without wrapping, so that a narrow terminal cuts the line off instead of keeping the rest
                // of old ones.
                let line = self.line(progress, &sight);
                message(&format!("\r\u{1b}[?7l{line}\u{1b}[K\u{1b}[?7h"));
            }
            Form::Lines => message(&format!("{}\n", self.line(progress, &sight))),
            Form::Json => {
                message(&format!("{}\n", document(&self.task, progress, &self.threads, &sight, false)));
            }
        }
    }

    fn line(&self, progress: &Progress, sight: &Sight) -> String {
        line(&self.task, progress, sight) + &shares(&self.threads)
    }
}

impl Observer for ProgressDisplay {
    fn progress(&mut self, progress: &Progress) {
        if self.form == Form::Nothing {
            return;
        }
        let now = Instant::now();
        if now - self.shown < self.form.interval() {
            return;
        }
        self.shown = now;
        self.show(progress, now);
        self.trend.note(progress, now);
    }

    fn begins(&mut self, task: &Task) {
        let now = Instant::now();
        (self.task, self.began, self.trend) = (task.clone(), now, Trend::new(now));
        self.threads.clear();
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.threads.clear();
        self.threads.extend_from_slice(expanded);
    }

    fn ends(&mut self, property: usize, progress: &Progress) {
        if self.form != Form::Json {
            return;
        }
        let own = self.task.properties.iter().filter(|(number, _)| *number == property).cloned().collect();
        let task = Task { properties: own, ..self.task.clone() };
        let now = Instant::now();
        // At the end the whole of the search counts.
        let rate = told(progress.stats.states).and_then(|states| rate(states, now - self.began));
        let sight = Sight { rate, at_least: None, ..self.sight(progress, now) };
        message(&format!("{}\n", document(&task, progress, &self.threads, &sight, true)));
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        clear_line();
    }
}

/// Removes the line, if there is one.
pub fn clear_line() {
    if SHOWN.swap(false, Ordering::SeqCst) {
        message("\r\u{1b}[K");
    }
}

/// What the figures of some seconds ago tell about the present ones.
#[derive(Debug)]
struct Trend {
    states: u64,
    queue: u64,
    since: Instant,
    /// After how many windows in a row the queue was smaller.
    shrinking: u32,
}

impl Trend {
    fn new(now: Instant) -> Self {
        Self { states: 0, queue: 0, since: now, shrinking: 0 }
    }

    /// Keeps figures if those that are kept are old.
    fn note(&mut self, progress: &Progress, now: Instant) {
        if now - self.since < WINDOW {
            return;
        }
        let shrinks = progress.by_levels && progress.queue < self.queue;
        self.shrinking = if shrinks { self.shrinking + 1 } else { 0 };
        (self.states, self.queue, self.since) = (progress.stats.states, progress.queue, now);
    }

    /// States per second.
    fn rate(&self, progress: &Progress, now: Instant) -> Option<u64> {
        told(progress.stats.states)?;
        rate(progress.stats.states.saturating_sub(self.states), now - self.since)
    }

    /// How long the queue will take, if it has been shrinking and more than nothing was expanded.
    fn at_least(&self, progress: &Progress, now: Instant) -> Option<Duration> {
        let expanded = |states: u64, queue: u64| states.saturating_sub(queue);
        let done =
            expanded(progress.stats.states, progress.queue).saturating_sub(expanded(self.states, self.queue));
        let is_known = self.shrinking >= WINDOWS && progress.by_levels && progress.queue < self.queue;
        let rate = rate(done, now - self.since).filter(|rate| is_known && *rate > 0)?;
        Duration::try_from_secs_f64(progress.queue as f64 / rate as f64).ok()
    }
}

/// States per second, if the time was long enough.
fn rate(states: u64, time: Duration) -> Option<u64> {
    (time >= MOMENT).then(|| (states as f64 / time.as_secs_f64()) as u64)
}

/// What is shown beside the figures of a search.
#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    rate: Option<u64>,
    time: Duration,
    /// The parts of the limits that are used up, where there are any.
    of_states: Option<f64>,
    of_time: Option<f64>,
    of_property_time: Option<f64>,
    at_least: Option<Duration>,
}

impl Sight {
    /// The limit that is used up most.
    fn nearest_limit(&self) -> Option<(f64, &'static str)> {
        let limits = [
            (self.of_states, "--max-states"),
            (self.of_time, "--timeout"),
            (self.of_property_time, "--property-timeout"),
        ];
        let given = limits.into_iter().filter_map(|(part, option)| Some((part?, option)));
        given.max_by(|a, b| a.0.total_cmp(&b.0))
    }
}

fn line(task: &Task, progress: &Progress, sight: &Sight) -> String {
    let mut line = format!(
        "{}{} states  {}/s  queue {}  depth {}  {}  {:.1} s",
        title(task),
        thousands(progress.stats.states),
        sight.rate.map_or("?".to_string(), thousands),
        thousands(progress.queue),
        progress.stats.depth,
        show_bytes(progress.stats.memory),
        sight.time.as_secs_f64()
    );
    if let Some((part, option)) = sight.nearest_limit() {
        line.push_str(&format!("  {:.0} % of {option}", part * 100.0));
    }
    if let Some(time) = sight.at_least {
        line.push_str(&format!("  at least {:.0} s more", time.as_secs_f64().ceil()));
    }
    line
}

/// `  threads 52 % 48 %`: which part of the states that threads have expanded each of them has; nothing if
/// there is one thread, or so many that nobody reads it.
fn shares(threads: &[u64]) -> String {
    let all: u64 = threads.iter().sum();
    if all == 0 || !(2..=SHARES).contains(&threads.len()) {
        return String::new();
    }
    let shares: Vec<String> =
        threads.iter().map(|&one| format!("{:.0} %", one as f64 * 100.0 / all as f64)).collect();
    format!("  threads {}", shares.join(" "))
}

/// `3 of 7: access  `, or `1-4 of 7: faults, deadlock, …  `; nothing if there are no properties.
fn title(task: &Task) -> String {
    let (Some((first, _)), Some((last, _))) = (task.properties.first(), task.properties.last()) else {
        return String::new();
    };
    let are_in_row = last - first + 1 == task.properties.len();
    let numbers = match task.properties.len() {
        1 => format!("{}", first + 1),
        _ if are_in_row => format!("{}-{}", first + 1, last + 1),
        count => format!("{count}"),
    };
    let names: Vec<String> = task.properties.iter().map(|(_, name)| visible(name)).collect();
    let mut names = names.join(", ");
    if names.chars().count() > NAMES {
        names = names.chars().take(NAMES - 1).chain(['…']).collect();
    }
    let phase = task.phase.iter().map(|phase| format!(" ({})", visible(phase))).collect::<String>();
    format!("{numbers} of {}: {names}{phase}  ", task.of)
}

/// A line of `--progress json`.
fn document(task: &Task, progress: &Progress, threads: &[u64], sight: &Sight, done: bool) -> Value {
    let names: Vec<&str> = task.properties.iter().map(|(_, name)| name.as_str()).collect();
    let round = |number: f64| (number * 1000.0).round() / 1000.0;
    json!({
        "properties": names,
        "number": task.properties.first().map(|(number, _)| number + 1),
        "of": (!names.is_empty()).then_some(task.of),
        "phase": task.phase,
        "done": done,
        "thread": null,
        "threads": (!threads.is_empty()).then_some(threads),
        "states": told(progress.stats.states),
        "transitions": progress.stats.transitions,
        "rate": sight.rate,
        "queue": progress.queue,
        "depth": progress.stats.depth,
        "memory": progress.stats.memory,
        "seconds": round(sight.time.as_secs_f64()),
        "of_states": sight.of_states.map(round),
        "of_time": sight.of_time.map(round),
        "of_property_time": sight.of_property_time.map(round),
        "at_least": sight.at_least.map(|time| round(time.as_secs_f64())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside::Stats;

    fn progress(states: u64, queue: u64) -> Progress {
        let stats = Stats { states, transitions: 99, depth: 9, memory: 3 << 20, ..Stats::default() };
        Progress { stats, queue, by_levels: true }
    }

    fn task(names: &[(usize, &str)]) -> Task {
        let properties = names.iter().map(|(number, name)| (*number, name.to_string())).collect();
        Task { properties, of: 7, phase: None }
    }

    /// More states than can be told have no number, and none are found in a second.
    #[test]
    fn many_states_have_no_number() {
        let (many, now) = (progress(u64::MAX, 0), Instant::now());
        assert_eq!(Trend::new(now).rate(&many, now + Duration::from_secs(9)), None);
        assert_eq!(Trend::new(now).rate(&progress(90, 0), now + Duration::from_secs(9)), Some(10));
        let sight = Sight::default();
        assert!(line(&Task::default(), &many, &sight).starts_with("over 10^19 states  ?/s"));
        assert!(document(&Task::default(), &many, &[], &sight, false)["states"].is_null());
    }

    #[test]
    fn says_all_figures() {
        let sight = Sight { rate: Some(1000), time: Duration::from_millis(1500), ..Sight::default() };
        let progress = progress(12_345, 678);
        let figures = "12,345 states  1,000/s  queue 678  depth 9  3.0 MiB  1.5 s";
        assert_eq!(line(&Task::default(), &progress, &sight), figures);
        assert_eq!(line(&task(&[(2, "access")]), &progress, &sight), format!("3 of 7: access  {figures}"));
        let limited = Sight { of_states: Some(0.25), of_time: Some(0.5), ..sight };
        assert_eq!(line(&Task::default(), &progress, &limited), format!("{figures}  50 % of --timeout"));
        let shrinking = Sight { at_least: Some(Duration::from_millis(2100)), ..sight };
        assert_eq!(line(&Task::default(), &progress, &shrinking), format!("{figures}  at least 3 s more"));
    }

    #[test]
    fn names_what_is_searched_for() {
        assert_eq!(title(&task(&[(0, "faults"), (1, "deadlock")])), "1-2 of 7: faults, deadlock  ");
        assert_eq!(title(&task(&[(0, "a"), (1, "b"), (4, "c")])), "3 of 7: a, b, c  ");
        let long = title(&task(&[(0, "a_rather_long_name"), (1, "another_long_name")]));
        assert_eq!(long, "1-2 of 7: a_rather_long_name, another_l…  ");
    }

    /// The queue must have been smaller after two windows, and a search that is not by levels promises
    /// nothing.
    #[test]
    fn an_estimate_needs_a_queue_that_shrinks() {
        let start = Instant::now();
        let after = |seconds: f64| start + Duration::from_secs_f64(seconds);
        let mut trend = Trend::new(start);
        for (seconds, states, queue) in [(2.0, 1000, 500), (4.0, 1500, 400), (6.0, 1800, 300)] {
            assert_eq!(trend.at_least(&progress(states, queue), after(seconds)), None, "{seconds}");
            trend.note(&progress(states, queue), after(seconds));
        }
        // Since then 200 states were found and 300 expanded in a second; 200 are left.
        let now = progress(2000, 200);
        assert_eq!(trend.rate(&now, after(7.0)), Some(200));
        assert_eq!(trend.rate(&now, after(6.01)), None, "too short a time");
        let left = trend.at_least(&now, after(7.0)).expect("it shrinks").as_secs_f64();
        assert!((left - 200.0 / 300.0).abs() < 0.01, "{left}");
        assert_eq!(trend.at_least(&Progress { by_levels: false, ..now }, after(7.0)), None);
        assert_eq!(trend.at_least(&progress(2500, 350), after(7.0)), None, "it grows again");
        trend.note(&progress(2500, 350), after(8.1));
        assert_eq!(trend.at_least(&progress(2600, 300), after(8.5)), None);
    }

    #[test]
    fn threads_have_shares() {
        assert_eq!(shares(&[520, 480]), "  threads 52 % 48 %");
        assert_eq!(
            [shares(&[]), shares(&[7]), shares(&[0, 0]), shares(&[1; 9])],
            [const { String::new() }; 4]
        );
    }
}
