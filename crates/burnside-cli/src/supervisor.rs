//! Limits for all that a command does, from its start to its end.
//!
//! The command runs in a thread of its own, inside of an [`Interrupt`] that a [`Watchdog`] and Ctrl-C raise;
//! every phase looks at it. The main thread waits. If the command has not ended soon after the interrupt was
//! raised, some phase does not look (a read that nobody answers, an operation of a library): then the main
//! thread says so and ends the program, so that limits hold in any case.
//!
//! When the search is over a limit may have been reached, and there is still something to say. So the last
//! phase, [`Supervisor::closing`], has an interrupt of its own and a little time. All of this together is not
//! longer than [`LATEST`] after the time limit or Ctrl-C, but for what is kept of a check on a disk: that is
//! waited for, for [`WRITING`] at most.

use crate::args::LimitArgs;
use crate::memory;
use burnside::Checkpoints;
use burnside_limits::{Interrupt, Limits, Share, Stop, Watchdog, catch, next_look, resident};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time for the last phase, after a limit.
const CLOSING: Duration = Duration::from_millis(400);
/// A phase that does not end so soon after it was asked to does not look.
const GRACE: Duration = Duration::from_millis(700);
/// The same for work on one property: with it the answers for all others would be lost.
const PATIENCE: Duration = Duration::from_secs(10);
/// The program ends so soon after its time limit or Ctrl-C, whatever it does.
const LATEST: Duration = Duration::from_millis(900);
/// What is kept of a check is written in so much time, or left as it was before.
const WRITING: Duration = Duration::from_secs(60);
/// What is printed before the number of looks.
const LOOKS: &str = "looks:";
/// How often that is looked at; near the limit on memory more often.
const PERIOD: Duration = Duration::from_millis(10);

/// Watches over a command. Clones are the same.
#[derive(Clone)]
pub struct Supervisor(Arc<Shared>);

struct Shared {
    started: Instant,
    limits: Limits,
    /// Raised for the whole.
    interrupt: Interrupt,
    /// What Ctrl-C raises now: that of the whole, or of the last phase.
    now: Mutex<Interrupt>,
    phase: Mutex<&'static str>,
    /// Whether the result is being written: from then on the reader sets the pace.
    writing: AtomicBool,
    /// If the command goes on in rounds: how long each may take, and when this one began.
    round: Option<(Duration, Mutex<Instant>)>,
    /// What is said before the program is given up.
    last_words: Mutex<Option<LastWords>>,
    /// Where the check is kept, if it is.
    kept: Mutex<Option<Checkpoints>>,
    _watchdog: Watchdog,
}

type LastWords = Box<dyn Fn(&Stop) + Send>;

impl Supervisor {
    /// Starts the clock.
    pub fn start(limits: LimitArgs) -> Self {
        Self::with(limits, None)
    }

    /// Starts to watch over a command that goes on until somebody ends it: the limit on time is for the
    /// searches of each of its rounds.
    pub fn start_rounds(limits: LimitArgs) -> Self {
        Self::with(LimitArgs { timeout: None, ..limits }, limits.timeout)
    }

    fn with(limits: LimitArgs, round: Option<Duration>) -> Self {
        let started = Instant::now();
        let memory = limits.max_memory.or_else(memory::default_limit);
        let interrupt = Interrupt::new();
        let limits = Limits {
            time: limits.timeout,
            since: Some(started),
            memory,
            interrupt: interrupt.clone(),
            ..Limits::default()
        };
        if let Some((looks, stop)) = trap() {
            interrupt.raise_after(looks, stop);
        }
        let watchdog = Watchdog::start(&limits);
        Self(Arc::new(Shared {
            started,
            limits,
            now: Mutex::new(interrupt.clone()),
            interrupt,
            phase: Mutex::new("starting"),
            writing: AtomicBool::new(false),
            round: round.map(|time| (time, Mutex::new(started))),
            last_words: Mutex::new(None),
            kept: Mutex::new(None),
            _watchdog: watchdog,
        }))
    }

    /// What the command, or this round of it, may use.
    pub fn limits(&self) -> Limits {
        let limits = self.0.limits.clone();
        match &self.0.round {
            Some((time, since)) => Limits { time: Some(*time), since: Some(*lock(since)), ..limits },
            None => limits,
        }
    }

    /// Begins a round, or the time between two: what was done was not the last. A Ctrl-C that ended only the
    /// last phase of a round ends the command.
    pub fn begin_round(&self) {
        if let Some((_, since)) = &self.0.round {
            *lock(since) = Instant::now();
        }
        self.0.writing.store(false, Ordering::SeqCst);
        let before = std::mem::replace(&mut *lock(&self.0.now), self.0.interrupt.clone());
        if let Some(stop @ Stop::Interrupted) = before.stop() {
            self.0.interrupt.raise(stop);
        }
    }

    /// Somebody wants it to end.
    pub fn interrupt(&self) {
        lock(&self.0.now).raise(Stop::Interrupted);
    }

    /// The check is kept here: whoever writes there is waited for.
    pub fn keep(&self, kept: &Checkpoints) {
        *lock(&self.0.kept) = Some(kept.clone());
    }

    /// Notes what is done now, for messages: "while …".
    pub fn phase(&self, phase: &'static str) {
        *lock(&self.0.phase) = phase;
    }

    /// From now on the result is written.
    pub fn writing(&self) {
        self.0.writing.store(true, Ordering::SeqCst);
    }

    /// Does the work of a command. A limit ends it.
    pub fn guard<R>(&self, work: impl FnOnce() -> R) -> Result<R, Stop> {
        catch(|| self.0.interrupt.enter(work))
    }

    /// Does what is left after a search: it has the time that is left, and a little in any case. After Ctrl-C
    /// it has only that little.
    pub fn closing<R>(&self, work: impl FnOnce() -> R) -> Result<R, Stop> {
        let interrupt = Interrupt::new();
        let Limits { time, since, memory, .. } = self.0.limits;
        let left = time.map(|time| time.saturating_sub(self.0.started.elapsed()));
        // The reason is the limit that was given, so the clock is set back instead.
        let late =
            left.filter(|left| *left < CLOSING).and_then(|left| Instant::now().checked_sub(time? - left));
        let since = late.and_then(|late| late.checked_add(CLOSING)).or(since);
        if let Some((_, stop)) = trap().filter(|_| !self.0.interrupt.is_over()) {
            interrupt.raise_after(self.0.interrupt.looks_left(), stop);
        }
        let limits = Limits { time, since, memory, interrupt: interrupt.clone(), ..Limits::default() };
        let watchdog = Watchdog::start(&limits);
        *lock(&self.0.now) = interrupt.clone();
        // Looked at after the exchange: a Ctrl-C until then has raised the one before.
        if let Some(stop @ Stop::Interrupted) = self.0.interrupt.stop() {
            watchdog.share(Some(Share { end: Instant::now() + CLOSING, stop }));
        }
        catch(|| interrupt.enter(work))
    }

    /// For tests: how often the interrupt was looked at.
    pub fn tell_looks(&self) {
        if let Some((looks, _)) = trap() {
            let left = lock(&self.0.now).looks_left();
            eprintln!("{LOOKS} {}", looks - left);
        }
    }

    /// How a stop is told.
    pub fn explain(&self, stop: &Stop) -> String {
        format!("{stop} while {}", lock(&self.0.phase))
    }

    /// Others have to be told if the program ends without the command.
    pub fn set_last_words(&self, words: impl Fn(&Stop) + Send + 'static) {
        *lock(&self.0.last_words) = Some(Box::new(words));
    }

    /// Tells those who have to be told why the program ends without the command.
    pub fn say_last_words(&self, stop: &Stop) {
        lock(&self.0.last_words).iter().for_each(|words| words(stop));
    }

    /// Waits for what a command gives back; if that does not come although it should have ended, gives the
    /// reason. Nothing: the command has panicked.
    pub fn wait<R>(&self, ended: &Receiver<R>) -> Option<Result<R, Stop>> {
        let (mut since, mut over): (Option<Instant>, Option<Instant>) = (None, None);
        let mut most = None;
        loop {
            match ended.recv_timeout(self.0.period()) {
                Ok(result) => return Some(Ok(result)),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.0.writing.load(Ordering::SeqCst) || self.0.is_keeping() {
                (since, over) = (None, None);
                continue;
            }
            if let Some(stop) = self.0.interrupt.stop().filter(is_urgent)
                && over.get_or_insert_with(Instant::now).elapsed() > LATEST
            {
                return Some(Err(stop));
            }
            match lock(&self.0.now).stop() {
                None => since = None,
                Some(stop) if since.get_or_insert_with(Instant::now).elapsed() > patience(&stop) => {
                    return Some(Err(stop));
                }
                Some(stop) if outgrows(&stop, &mut most) => return Some(Err(stop)),
                Some(_) => {}
            }
        }
    }
}

impl Shared {
    /// Whether something is being kept, and not for too long.
    fn is_keeping(&self) -> bool {
        let begun = lock(&self.kept).as_ref().and_then(Checkpoints::writing_since);
        begun.is_some_and(|begun| begun.elapsed() < WRITING)
    }

    /// How long to wait for the command before the next look.
    fn period(&self) -> Duration {
        let limit = self.limits.memory.map(|limit| limit.max(Watchdog::LEAST_MEMORY));
        let until_memory = limit.and_then(|limit| Some(next_look(resident()?, limit)));
        until_memory.unwrap_or(PERIOD)
    }
}

/// Whether somebody counts the seconds until the end of the program.
fn is_urgent(stop: &Stop) -> bool {
    matches!(stop, Stop::Time(_) | Stop::Interrupted)
}

/// Whether a phase that was asked to end for the memory in use goes on to use more. The most that is let pass
/// is what was in use at the first look, and a little.
fn outgrows(stop: &Stop, most: &mut Option<u64>) -> bool {
    let Stop::Memory(limit) = stop else { return false };
    let limit = (*limit).max(Watchdog::LEAST_MEMORY);
    resident().is_some_and(|bytes| bytes > *most.get_or_insert(bytes.max(limit) + limit / 25))
}

/// How long a phase that was asked to end is waited for.
fn patience(stop: &Stop) -> Duration {
    match stop {
        Stop::Share(..) | Stop::PropertyTime(_) => PATIENCE,
        _ => GRACE,
    }
}

/// In builds for tests the environment can ask for a limit after so many looks at the interrupt, `1234 time`
/// for example: see `tests/inject`.
fn trap() -> Option<(u64, Stop)> {
    let wanted = cfg!(debug_assertions).then(|| std::env::var("BURNSIDE_INJECT").ok()).flatten()?;
    let (looks, kind) = wanted.split_once(' ')?;
    let stop = match kind {
        "time" => Stop::Time(Duration::from_secs(1)),
        "property" => Stop::PropertyTime(Duration::from_secs(1)),
        "memory" => Stop::Memory(1 << 30),
        _ => Stop::Interrupted,
    };
    Some((looks.parse().ok()?, stop))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn supervisor() -> Supervisor {
        Supervisor::start(LimitArgs { timeout: None, max_memory: None })
    }

    fn wait(supervisor: &Supervisor, work: impl FnOnce() + Send) -> (Option<Result<(), Stop>>, Duration) {
        let (result, ended) = channel();
        let started = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                work();
                let _ = result.send(());
            });
            (supervisor.wait(&ended), started.elapsed())
        })
    }

    #[test]
    fn a_property_that_ends_late_does_not_end_the_others() {
        let supervisor = supervisor();
        supervisor.limits().interrupt.raise_part(Stop::Share(Duration::ZERO, Duration::from_secs(60)));
        let (waited, _) = wait(&supervisor, || std::thread::sleep(2 * GRACE));
        assert_eq!(waited, Some(Ok(())));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_does_not_go_on_to_grow() {
        let (now, mut most) = (resident().unwrap(), None);
        let stop = Stop::Memory(now.max(Watchdog::LEAST_MEMORY));
        assert!(!outgrows(&stop, &mut most) && !outgrows(&Stop::Interrupted, &mut most));
        let used = vec![1u8; 160 << 20];
        assert!(outgrows(&stop, &mut most), "{}", used[5]);
    }

    #[test]
    fn the_last_phase_ends_soon_after_an_interrupt_before_it() {
        let supervisor = supervisor();
        supervisor.interrupt();
        let closed = supervisor.closing(|| {
            let end = Instant::now() + Duration::from_secs(60);
            while Instant::now() < end {
                burnside_limits::poll();
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        assert_eq!(closed, Err(Stop::Interrupted));
    }

    #[test]
    fn nothing_is_waited_for_twice() {
        let supervisor = supervisor();
        supervisor.interrupt();
        // The last phase begins late and does not look: it must not have all of its time again.
        let (waited, time) = wait(&supervisor, || {
            std::thread::sleep(GRACE / 2);
            let closed = supervisor.closing(|| std::thread::sleep(4 * LATEST));
            assert!(closed.is_ok());
        });
        assert_eq!(waited, Some(Err(Stop::Interrupted)));
        assert!(time >= LATEST);
    }
}
