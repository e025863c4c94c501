//! Many units of work, several at a time, with the limits of a command.
//!
//! Entry point: [`work`]. Every thread has an interrupt of its own, since what ends one unit must not end the
//! others; what ends the command is passed on to all. If the command has a time limit, each unit gets a fair
//! share of what is left; one that was cut short is tried once more when all others had their turn.

use crate::STACK;
use crate::exit::Failure;
use burnside_limits::{Interrupt, Limits, Stop};
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often it is looked whether the command is to end.
const PERIOD: Duration = Duration::from_millis(10);

/// What is left to do.
struct Queue {
    /// Units by number, and whether they were tried before.
    waiting: VecDeque<(usize, bool)>,
    /// How many are being worked on.
    active: usize,
}

/// A unit's share of the time: what is left for each of the units that are left, if so many go on at a time.
fn share(limits: &Limits, units: usize, jobs: usize) -> Option<Duration> {
    let since = limits.since.unwrap_or_else(Instant::now);
    let left = limits.time?.saturating_sub(since.elapsed());
    let units = u32::try_from(units.max(1)).unwrap_or(u32::MAX);
    let jobs = u32::try_from(jobs).unwrap_or(u32::MAX);
    Some(left.saturating_mul(jobs) / units).map(|share| share.min(left))
}

/// Works on units, so many at a time, and hands over what comes of each, by number, as soon as it is there.
/// `run` tells too whether more time might tell more. Gives the reason if the command ended before all was
/// done.
pub fn work<R: Send>(
    units: usize,
    jobs: usize,
    limits: &Limits,
    run: impl Fn(usize, Limits) -> (R, bool) + Sync,
    mut done: impl FnMut(usize, R) -> Result<(), Failure>,
) -> Result<Option<Stop>, Failure> {
    let jobs = jobs.clamp(1, units.max(1));
    let queue = Mutex::new(Queue { waiting: (0..units).map(|unit| (unit, false)).collect(), active: 0 });
    let interrupts: Vec<Interrupt> = (0..jobs).map(|_| Interrupt::new()).collect();
    let stop_all = |stop: &Stop| {
        lock(&queue).waiting.clear();
        interrupts.iter().for_each(|interrupt| interrupt.raise(stop.clone()));
    };
    let (sender, results) = channel();
    std::thread::scope(|scope| {
        for interrupt in &interrupts {
            let (sender, queue, run) = (sender.clone(), &queue, &run);
            let worker = move || {
                while let Some((unit, again, share)) = next(queue, limits, jobs) {
                    let own = Limits {
                        time: share,
                        since: Some(Instant::now()),
                        interrupt: interrupt.clone(),
                        ..limits.clone()
                    };
                    let (result, cut) = run(unit, own);
                    let pays = share.is_some_and(|share| {
                        let left = limits.time.map(|time| time.saturating_sub(elapsed(limits)));
                        left.is_some_and(|left| left > share * 5 / 4)
                    });
                    let mut queue = lock(queue);
                    queue.active -= 1;
                    if cut && !again && pays && interrupt.stop().is_none() {
                        queue.waiting.push_back((unit, true));
                    } else if sender.send((unit, result)).is_err() {
                        break;
                    }
                }
            };
            let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            started.map_err(|error| Failure::bad(format!("cannot start a thread: {error}")))?;
        }
        drop(sender);
        let mut stopped = None;
        loop {
            let stop = limits.interrupt.stop();
            if let Some(stop) = stop.filter(|_| stopped.is_none()) {
                stop_all(&stop);
                stopped = Some(stop);
            }
            match results.recv_timeout(PERIOD) {
                Ok((unit, result)) => {
                    if let Err(failure) = done(unit, result) {
                        stop_all(&Stop::Interrupted);
                        return Err(failure);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(stopped),
            }
        }
    })
}

/// The next unit with its share of the time. If there is none now but others may come back, waits for them.
fn next(queue: &Mutex<Queue>, limits: &Limits, jobs: usize) -> Option<(usize, bool, Option<Duration>)> {
    loop {
        let mut now = lock(queue);
        if let Some((unit, again)) = now.waiting.pop_front() {
            now.active += 1;
            let share = share(limits, now.waiting.len() + 1, jobs);
            return Some((unit, again, share));
        }
        if now.active == 0 || limits.time.is_none() {
            return None;
        }
        drop(now);
        std::thread::sleep(PERIOD);
    }
}

fn elapsed(limits: &Limits) -> Duration {
    limits.since.map_or(Duration::ZERO, |since| since.elapsed())
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units that take so many milliseconds each. Which of them came to an end, in the order of their
    /// numbers.
    fn run(units: &[u64], jobs: usize, limits: &Limits) -> (Vec<Option<bool>>, Option<Stop>) {
        let mut ended = vec![None; units.len()];
        let one = |unit: usize, own: Limits| {
            let end = Instant::now() + Duration::from_millis(units[unit]);
            let limit = own.time.and_then(|time| Instant::now().checked_add(time));
            let over = || own.interrupt.is_raised() || limit.is_some_and(|limit| Instant::now() >= limit);
            while Instant::now() < end && !over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let whole = Instant::now() >= end;
            (whole, !whole)
        };
        let stop = work(units.len(), jobs, limits, one, |unit, whole| {
            assert_eq!(ended[unit].replace(whole), None);
            Ok(())
        });
        (ended, stop.expect("nothing is refused"))
    }

    #[test]
    fn everything_is_done_once() {
        for jobs in [1, 3, 100] {
            let (ended, stop) = run(&[1; 20], jobs, &Limits::default());
            assert_eq!((ended, stop), (vec![Some(true); 20], None));
        }
        assert_eq!(run(&[], 2, &Limits::default()), (vec![], None));
    }

    #[test]
    fn a_long_unit_leaves_time_for_the_others() {
        let limits =
            Limits { time: Some(Duration::from_secs(2)), since: Some(Instant::now()), ..Limits::default() };
        let forever = 3_600_000;
        let (ended, _) = run(&[forever, 1, 1, 1], 1, &limits);
        assert_eq!(ended, [Some(false), Some(true), Some(true), Some(true)]);
        assert!(elapsed(&limits) < Duration::from_secs(10));
    }

    #[test]
    fn what_others_leave_goes_to_those_that_were_cut() {
        let limits =
            Limits { time: Some(Duration::from_secs(4)), since: Some(Instant::now()), ..Limits::default() };
        let (ended, _) = run(&[1500, 1, 1, 1], 1, &limits);
        assert_eq!(ended, [Some(true); 4]);
    }

    #[test]
    fn the_end_of_the_command_is_the_end_of_all() {
        let limits = Limits::default();
        limits.interrupt.raise(Stop::Interrupted);
        let (ended, stop) = run(&[3_600_000; 9], 2, &limits);
        assert_eq!(stop, Some(Stop::Interrupted));
        assert!(ended.iter().all(|ended| *ended != Some(true)));
    }

    #[test]
    fn a_refusal_ends_it() {
        let one = |_: usize, own: Limits| {
            while !own.interrupt.is_raised() {
                std::thread::sleep(Duration::from_millis(1));
            }
            ((), false)
        };
        let mut first = true;
        let quick = |unit: usize, own: Limits| if unit == 0 { ((), false) } else { one(unit, own) };
        let refused = work(9, 2, &Limits::default(), quick, |_, ()| {
            assert!(std::mem::take(&mut first));
            Err(Failure::bad("no more"))
        });
        assert!(matches!(refused, Err(Failure::Bad(_))));
    }
}
