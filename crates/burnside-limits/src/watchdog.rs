//! A thread that looks at the clock and at the memory in use, and raises an interrupt when a limit is
//! reached.
//!
//! Entry point: [`Watchdog::start`]. The limit on memory is for everything that the program holds; a program
//! without work has a few megabytes, so limits below [`Watchdog::LEAST_MEMORY`] are left to those who count
//! their own bytes.

use crate::{Interrupt, Limits, Stop, catch, next_look, resident};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When the work for one property is to end.
#[derive(Clone, Debug)]
pub struct Share {
    /// Then.
    pub end: Instant,
    /// And why.
    pub stop: Stop,
}

/// Watches over limits until it is dropped. Then what it raised is taken back, so that the interrupt can be
/// used again.
#[derive(Debug)]
pub struct Watchdog {
    shared: Arc<Shared>,
    interrupt: Interrupt,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    share: Option<Share>,
    /// What it raised for the whole.
    raised: Vec<Stop>,
    over: bool,
}

impl Watchdog {
    /// Less memory than this is not looked at from here. A build for debugging is near the lesser one before
    /// it does anything, as its own pages count.
    pub const LEAST_MEMORY: u64 = if cfg!(debug_assertions) { 36 << 20 } else { 24 << 20 };

    /// Raises the interrupt of the limits when one of time or memory is reached.
    pub fn start(limits: &Limits) -> Self {
        let (shared, interrupt) = (Arc::new(Shared::default()), &limits.interrupt);
        let watchdog = Self { shared: Arc::clone(&shared), interrupt: interrupt.clone() };
        let end = limits.time.and_then(|time| limits.since.unwrap_or_else(Instant::now).checked_add(time));
        let patrol =
            Patrol { end, time: limits.time, memory: limits.memory, interrupt: interrupt.clone(), shared };
        // Without a thread limits hold only where searches count for themselves.
        let _ = std::thread::Builder::new().name("watchdog".into()).spawn(move || patrol.run());
        watchdog
    }

    /// From now on the work for one property is watched, or no property's.
    pub fn share(&self, share: Option<Share>) {
        let mut state = lock(&self.shared);
        // The thread looks at the share under the same lock, so an old one cannot end the new work.
        self.interrupt.resume();
        state.share = share;
        self.shared.changed.notify_all();
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.share(None);
        let mut state = lock(&self.shared);
        state.over = true;
        state.raised.drain(..).for_each(|stop| self.interrupt.withdraw(&stop));
        self.shared.changed.notify_all();
    }
}

/// Does some work in a time of its own, until `end`, whatever interrupt was entered before: for what is still
/// to be told when a limit was reached.
pub fn grace<R>(end: Instant, stop: Stop, work: impl FnOnce() -> R) -> Result<R, Stop> {
    let interrupt = Interrupt::new();
    let watchdog = Watchdog::start(&Limits { interrupt: interrupt.clone(), ..Limits::default() });
    watchdog.share(Some(Share { end, stop }));
    catch(|| interrupt.enter(work))
}

fn lock(shared: &Shared) -> std::sync::MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Patrol {
    end: Option<Instant>,
    time: Option<Duration>,
    memory: Option<u64>,
    interrupt: Interrupt,
    shared: Arc<Shared>,
}

impl Patrol {
    fn run(mut self) {
        self.memory = self.memory.filter(|_| resident().is_some());
        let shared = Arc::clone(&self.shared);
        let mut state = lock(&shared);
        while !state.over {
            let next = self.look(&mut state);
            state = match next {
                None => shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(wait) => {
                    let waited = shared.changed.wait_timeout(state, wait);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }

    fn raise(&self, state: &mut State, stop: Stop) {
        self.interrupt.raise(stop.clone());
        state.raised.push(stop);
    }

    /// Raises what is to be raised. Returns how long until the next look.
    fn look(&mut self, state: &mut State) -> Option<Duration> {
        let now = Instant::now();
        if let (Some(end), Some(limit)) = (self.end, self.time)
            && now >= end
        {
            self.raise(state, Stop::Time(limit));
            self.end = None;
        }
        if let Some(share) = state.share.take_if(|share| now >= share.end) {
            self.interrupt.raise_part(share.stop);
        }
        let until_memory = self.look_at_memory(state);
        let ends = [self.end, state.share.as_ref().map(|share| share.end)].into_iter().flatten().min();
        let until_end = ends.map(|end| end.saturating_duration_since(now));
        [until_end, until_memory].into_iter().flatten().min()
    }

    fn look_at_memory(&mut self, state: &mut State) -> Option<Duration> {
        let limit = self.memory?;
        let (bytes, most) = (resident()?, limit.max(Watchdog::LEAST_MEMORY));
        if bytes <= most {
            return Some(next_look(bytes, most));
        }
        self.raise(state, Stop::Memory(limit));
        self.memory = None;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(interrupt: &Interrupt) -> Option<Stop> {
        let end = Instant::now() + Duration::from_secs(10);
        while !interrupt.is_raised() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        interrupt.stop()
    }

    #[test]
    fn time_runs_out_and_the_interrupt_can_be_used_again() {
        let time = Duration::from_millis(20);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let watchdog = Watchdog::start(&limits);
        assert_eq!(wait(&limits.interrupt), Some(Stop::Time(time)));
        drop(watchdog);
        assert!(!limits.interrupt.is_raised());
    }

    #[test]
    fn the_clock_may_have_begun_before() {
        let time = Duration::from_secs(3600);
        let since = Instant::now().checked_sub(time);
        if since.is_some() {
            let limits = Limits { time: Some(time), since, ..Limits::default() };
            let _watchdog = Watchdog::start(&limits);
            assert_eq!(wait(&limits.interrupt), Some(Stop::Time(time)));
        }
    }

    #[test]
    fn a_share_ends_only_itself() {
        let limits = Limits::default();
        let watchdog = Watchdog::start(&limits);
        let stop = Stop::PropertyTime(Duration::from_millis(10));
        watchdog.share(Some(Share { end: Instant::now() + Duration::from_millis(10), stop: stop.clone() }));
        assert_eq!(wait(&limits.interrupt), Some(stop.clone()));
        watchdog.share(Some(Share { end: Instant::now() + Duration::from_secs(3600), stop }));
        assert!(!limits.interrupt.is_raised());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_runs_out() {
        let limit = resident().unwrap() + (100 << 20);
        let limits = Limits { memory: Some(limit), ..Limits::default() };
        let _watchdog = Watchdog::start(&limits);
        let used = vec![1u8; 160 << 20];
        assert_eq!(wait(&limits.interrupt), Some(Stop::Memory(limit)), "{}", used[3]);
    }
}
