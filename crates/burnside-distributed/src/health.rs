//! Whether all of a cluster is still there.
//!
//! Entry points: [`Health::lose`], for whoever notices that something is gone, and [`Health::check`] for all
//! who wait for somebody. What is gone stays so.

use burnside_limits::{Interrupt, Stop};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who has said farewell does not take part in what comes later; what it has sent before arrives so soon.
const LATE: Duration = Duration::from_secs(3);

/// The health of a cluster, as one process knows it.
#[derive(Debug)]
pub(crate) struct Health {
    lost: AtomicBool,
    left: AtomicBool,
    over: AtomicBool,
    facts: Mutex<Facts>,
    /// Ends the work of this process.
    interrupt: Interrupt,
}

#[derive(Debug, Default)]
struct Facts {
    /// Why something is lost.
    why: Option<Stop>,
    /// When the first process said farewell, and which.
    left: Option<(Instant, String)>,
}

impl Health {
    /// All is well. The interrupt is raised when that is over.
    pub fn new(interrupt: Interrupt) -> Self {
        let flag = || AtomicBool::new(false);
        Self { lost: flag(), left: flag(), over: flag(), facts: Mutex::default(), interrupt }
    }

    fn facts(&self) -> MutexGuard<'_, Facts> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something is gone; what, and how. The first reason counts.
    pub fn lose(&self, why: impl Into<String>) {
        let mut facts = self.facts();
        if facts.why.is_none() && !self.over.load(Ordering::SeqCst) {
            // Who ends for a limit goes away, too.
            let before = self.interrupt.stop().filter(|_| self.interrupt.is_over());
            let stop = before.unwrap_or_else(|| Stop::Lost(why.into()));
            facts.why = Some(stop.clone());
            self.lost.store(true, Ordering::SeqCst);
            self.interrupt.raise(stop);
        }
    }

    /// A process has said farewell.
    pub fn left(&self, name: &str) {
        self.facts().left.get_or_insert((Instant::now(), name.into()));
        self.left.store(true, Ordering::SeqCst);
    }

    /// This process is done: what the others do now is their own affair.
    pub fn retire(&self) {
        // Under the lock, so that nothing is raised afterwards.
        let _known = self.facts();
        self.over.store(true, Ordering::SeqCst);
    }

    /// Whether something is gone.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// An error if something is gone that is waited for.
    pub fn check(&self) -> Result<(), Stop> {
        if self.left.load(Ordering::Relaxed) {
            let left = self.facts().left.clone();
            if let Some((_, name)) = left.filter(|(then, _)| then.elapsed() > LATE) {
                self.lose(format!("{name} has ended its part of the work"));
            }
        }
        if !self.is_lost() {
            return Ok(());
        }
        let why = self.facts().why.clone();
        Err(why.unwrap_or_else(|| Stop::Lost("a part of the cluster is gone".into())))
    }

    /// What ends the work of this process.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts() {
        let health = Health::new(Interrupt::new());
        assert_eq!(health.check(), Ok(()));
        health.lose("one");
        health.lose("two");
        assert_eq!(health.check(), Err(Stop::Lost("one".into())));
        assert_eq!(health.interrupt().stop(), Some(Stop::Lost("one".into())));
    }

    #[test]
    fn a_farewell_is_no_loss_at_once_and_none_at_the_end() {
        let health = Health::new(Interrupt::new());
        health.left("process 1");
        assert_eq!(health.check(), Ok(()));
        health.retire();
        health.lose("late");
        assert!(!health.is_lost() && !health.interrupt().is_raised());
    }
}
