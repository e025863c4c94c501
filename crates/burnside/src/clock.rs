//! Time for properties: the limit of the whole, the limit of each, and fair shares.
//!
//! Entry point: [`Clock::divide`]. One long property must not eat the time of all others. So if the whole has
//! a time limit, every unit of work first gets a short try (all of them together a tenth of the limit); what
//! is then still open shares the time that is left, in equal parts, and what one does not need goes to those
//! after it, and then once more to those before it. A unit is what is searched for together: all questions
//! about states with one symmetry, or one other property.

use burnside_limits::{Interrupt, Limits, Share, Stop, Watchdog, catch};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The part of the time limit that the first tries get together.
const TRIES: u32 = 10;

/// The time, after a limit, to tell of what was found before.
const GRACE: Duration = Duration::from_millis(250);

/// The time and memory of a check.
pub(crate) struct Clock {
    watchdog: Watchdog,
    interrupt: Interrupt,
    started: Instant,
    limits: Limits,
    /// The end of the time for telling of what was found, once that is needed.
    grace: Mutex<Option<Instant>>,
}

impl Clock {
    /// Starts to watch over the limits.
    pub fn start(limits: &Limits) -> Self {
        let mut limits = limits.clone();
        let started = *limits.since.get_or_insert_with(Instant::now);
        Self {
            watchdog: Watchdog::start(&limits),
            interrupt: limits.interrupt.clone(),
            started,
            limits,
            grace: Mutex::default(),
        }
    }

    /// Why work was ended: if it was interrupted, by whom.
    pub fn explain(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Interrupted => self.interrupt.stop().unwrap_or(stop),
            stop => stop,
        }
    }

    /// Works on units in order, perhaps several times: what ended for its share is begun anew with a larger
    /// one.
    pub fn divide<E>(&self, units: usize, mut work: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        let mut open: Vec<usize> = (0..units).collect();
        if let Some(time) = self.limits.time.filter(|_| units > 1) {
            let share = time / TRIES / u32::try_from(units).unwrap_or(u32::MAX);
            let mut again = Vec::new();
            for unit in open {
                if self.one(Some((share, time)), || work(unit))? {
                    again.push(unit);
                }
            }
            open = again;
        }
        while !open.is_empty() {
            let (mut again, mut longest) = (Vec::new(), Duration::ZERO);
            for (done, &unit) in open.iter().enumerate() {
                // The last one has all that is left.
                let share = self.part(open.len() - done).filter(|_| done + 1 < open.len());
                if self.one(share, || work(unit))? {
                    longest = longest.max(share.map_or(Duration::ZERO, |(share, _)| share));
                    again.push(unit);
                }
            }
            // What others did not need may be enough for those that were cut, if it is more than they had.
            let pays = self.part(again.len().max(1)).is_some_and(|(part, _)| part > longest * 5 / 4);
            open = if pays { again } else { Vec::new() };
        }
        Ok(())
    }

    /// Works on units in order, once, without shares: several processes that do the same stay together, as
    /// nothing that they do depends on their clocks but where all of it ends.
    pub fn each<E>(&self, units: usize, mut work: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        (0..units).try_for_each(|unit| self.one(None, || work(unit)).map(drop))
    }

    /// An equal part of the time that is left, and the limit.
    fn part(&self, units: usize) -> Option<(Duration, Duration)> {
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.limits.time.map(|time| (time.saturating_sub(self.started.elapsed()) / units, time))
    }

    /// Works on one unit, with a share of the time limit if there is one. Whether it was ended for this
    /// share.
    fn one<E>(
        &self,
        share: Option<(Duration, Duration)>,
        work: impl FnOnce() -> Result<(), E>,
    ) -> Result<bool, E> {
        let of_whole = share.map(|(share, time)| (share, Stop::Share(share, time)));
        let of_each = self.limits.property_time.map(|time| (time, Stop::PropertyTime(time)));
        let least = [of_each, of_whole].into_iter().flatten().min_by_key(|(time, _)| *time);
        if !self.interrupt.is_over() {
            // What this unit finds must not suffer from one before that was ended.
            *lock(&self.grace) = None;
        }
        let now = Instant::now();
        let end = |(time, stop)| Some(Share { end: now.checked_add(time)?, stop });
        self.watchdog.share(least.and_then(end));
        let result = work();
        let ended = self.interrupt.stop();
        self.watchdog.share(None);
        result.map(|()| matches!(ended, Some(Stop::Share(..))))
    }

    /// Does some work in an equal part of the time that is left; if it is ended, gives the reason.
    pub fn in_part<R>(&self, parts: usize, work: impl FnOnce() -> R) -> Result<R, Stop> {
        let now = Instant::now();
        let end =
            |(share, time)| Some(Share { end: now.checked_add(share)?, stop: Stop::Share(share, time) });
        self.watchdog.share(self.part(parts).and_then(end));
        let result = self.within(work);
        self.watchdog.share(None);
        result
    }

    /// Does what it takes to tell of something that was found. It has a little time in any case: a violation
    /// that was found before a limit still counts.
    pub fn finish<R>(&self, work: impl Fn() -> R) -> Result<R, Stop> {
        self.within(&work).or_else(|_| {
            let end = *lock(&self.grace).get_or_insert_with(|| Instant::now() + GRACE);
            let stop = self.interrupt.stop().unwrap_or(Stop::Interrupted);
            burnside_limits::grace(end, stop, &work)
        })
    }

    /// Does the work for an answer; if it is ended somewhere deep, gives the reason.
    pub fn within<R>(&self, work: impl FnOnce() -> R) -> Result<R, Stop> {
        let looked = || {
            burnside_limits::poll();
            work()
        };
        catch(|| self.interrupt.enter(looked))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: Option<Duration>, property_time: Option<Duration>) -> Clock {
        Clock::start(&Limits { time, property_time, ..Limits::default() })
    }

    /// Works on units that take so many milliseconds each. Which of them were begun, and ended of themselves.
    fn run(clock: &Clock, units: &[u64]) -> Vec<(usize, bool)> {
        let mut log = Vec::new();
        let divided: Result<(), ()> = clock.divide(units.len(), |unit| {
            let end = Instant::now() + Duration::from_millis(units[unit]);
            while Instant::now() < end && !clock.interrupt.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
            log.push((unit, !clock.interrupt.is_raised()));
            Ok(())
        });
        divided.unwrap();
        log
    }

    #[test]
    fn a_long_unit_leaves_time_for_the_others() {
        let time = Some(Duration::from_secs(2));
        let forever = 3_600_000;
        assert_eq!(run(&clock(time, None), &[forever, 0, 0]), [(0, false), (1, true), (2, true), (0, false)]);
    }

    #[test]
    fn what_others_leave_goes_to_those_that_were_cut() {
        let time = Some(Duration::from_secs(3));
        // Too long for a third of the time, but not for what the others leave of it.
        let log = run(&clock(time, None), &[1_050, 250, 250]);
        let begun: Vec<usize> = log.iter().map(|(unit, _)| *unit).collect();
        assert_eq!((begun, log.last()), (vec![0, 1, 2, 0, 1, 2, 0], Some(&(0, true))));
    }

    /// Work that looks at the interrupt all the time, for a twentieth of a second.
    fn tell() {
        let end = Instant::now() + Duration::from_millis(50);
        while Instant::now() < end {
            burnside_limits::poll();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn each_unit_has_time_to_tell_what_it_found() {
        let clock = clock(None, Some(Duration::from_millis(20)));
        let mut told = Vec::new();
        let divided: Result<(), ()> = clock.divide(2, |_| {
            while !clock.interrupt.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
            told.push(clock.finish(tell).is_ok());
            std::thread::sleep(2 * GRACE);
            Ok(())
        });
        assert_eq!((divided, told), (Ok(()), vec![true, true]));
    }

    #[test]
    fn without_a_limit_each_is_tried_once() {
        assert_eq!(run(&clock(None, None), &[1, 1]), [(0, true), (1, true)]);
        let each = Some(Duration::from_millis(20));
        assert_eq!(run(&clock(None, each), &[3_600_000, 0]), [(0, false), (1, true)]);
    }
}
