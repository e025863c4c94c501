//! A flag that ends work, with the reason.
//!
//! There are two levels: the whole work is ended for good, or only what is done for one property, after which
//! [`Interrupt::resume`] lets the next one begin.

use crate::Stop;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The whole work ends.
const WHOLE: u8 = 1;
/// The work for one property ends.
const PART: u8 = 2;
/// Looks are counted, and one of them raises the flag.
const TRAP: u8 = 4;

/// A flag that ends work. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<InterruptFlag>);

#[derive(Debug, Default)]
struct InterruptFlag {
    raised: AtomicU8,
    reasons: Mutex<Reasons>,
    /// How many looks are left until the trap closes.
    looks: AtomicU64,
}

#[derive(Debug, Default)]
struct Reasons {
    /// As often as it was raised, the first first.
    whole: Vec<Stop>,
    part: Option<Stop>,
    trap: Option<Stop>,
}

impl Interrupt {
    /// A flag that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to end.
    #[inline]
    pub fn is_raised(&self) -> bool {
        match self.0.raised.load(Ordering::Relaxed) {
            0 => false,
            raised => raised != TRAP || self.step_on_trap(),
        }
    }

    /// Ends the whole work. The first reason counts.
    pub fn raise(&self, stop: Stop) {
        self.reasons().whole.push(stop);
        self.0.raised.fetch_or(WHOLE, Ordering::SeqCst);
    }

    /// Takes back that the whole work ends for this reason. It goes on if there is no other.
    pub fn withdraw(&self, stop: &Stop) {
        let mut reasons = self.reasons();
        if let Some(at) = reasons.whole.iter().position(|reason| reason == stop) {
            reasons.whole.remove(at);
        }
        if reasons.whole.is_empty() {
            self.0.raised.fetch_and(!WHOLE, Ordering::SeqCst);
        }
    }

    /// Ends the work for one property. The first reason counts.
    pub fn raise_part(&self, stop: Stop) {
        self.reasons().part.get_or_insert(stop);
        self.0.raised.fetch_or(PART, Ordering::SeqCst);
    }

    /// Lets the work for the next property begin, unless the whole has ended.
    pub fn resume(&self) {
        self.reasons().part = None;
        self.0.raised.fetch_and(!PART, Ordering::SeqCst);
    }

    /// Why it is raised.
    pub fn stop(&self) -> Option<Stop> {
        let reasons = self.reasons();
        reasons.whole.first().cloned().or_else(|| reasons.part.clone())
    }

    /// Whether the whole work is to end.
    pub fn is_over(&self) -> bool {
        !self.reasons().whole.is_empty()
    }

    /// For tests: raises the flag at a later look, after so many. A property's work ends there if the reason
    /// is of that kind, else the whole.
    pub fn raise_after(&self, looks: u64, stop: Stop) {
        self.0.looks.store(looks, Ordering::SeqCst);
        self.reasons().trap = Some(stop);
        self.0.raised.fetch_or(TRAP, Ordering::SeqCst);
    }

    /// For tests: how many looks are left until the flag is raised.
    pub fn looks_left(&self) -> u64 {
        self.0.looks.load(Ordering::SeqCst)
    }

    #[cold]
    fn step_on_trap(&self) -> bool {
        let left = self.0.looks.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if left.is_ok() {
            return false;
        }
        self.0.raised.fetch_and(!TRAP, Ordering::SeqCst);
        let stop = self.reasons().trap.take();
        match stop {
            Some(stop @ (Stop::PropertyTime(_) | Stop::Share(..))) => self.raise_part(stop),
            stop => self.raise(stop.unwrap_or(Stop::Interrupted)),
        }
        true
    }

    fn reasons(&self) -> std::sync::MutexGuard<'_, Reasons> {
        self.0.reasons.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_first_reason_counts() {
        let interrupt = Interrupt::new();
        assert!(!interrupt.is_raised() && interrupt.stop().is_none());
        interrupt.raise(Stop::Memory(7));
        interrupt.raise(Stop::Interrupted);
        assert!(interrupt.is_raised() && interrupt.is_over());
        assert_eq!(interrupt.stop(), Some(Stop::Memory(7)));
    }

    #[test]
    fn reasons_are_taken_back_one_by_one() {
        let interrupt = Interrupt::new();
        interrupt.raise(Stop::Memory(7));
        interrupt.raise(Stop::Memory(7));
        interrupt.withdraw(&Stop::Memory(7));
        assert_eq!(interrupt.stop(), Some(Stop::Memory(7)));
        interrupt.withdraw(&Stop::Interrupted);
        assert!(interrupt.is_raised());
        interrupt.withdraw(&Stop::Memory(7));
        assert!(!interrupt.is_raised() && !interrupt.is_over());
    }

    #[test]
    fn a_part_ends_alone() {
        let interrupt = Interrupt::new();
        interrupt.raise_part(Stop::PropertyTime(Duration::from_secs(1)));
        assert!(interrupt.is_raised() && !interrupt.is_over());
        interrupt.resume();
        assert!(!interrupt.is_raised() && interrupt.stop().is_none());
        interrupt.raise_part(Stop::PropertyTime(Duration::from_secs(1)));
        interrupt.raise(Stop::Interrupted);
        interrupt.resume();
        assert!(interrupt.is_raised());
        assert_eq!(interrupt.stop(), Some(Stop::Interrupted));
    }

    #[test]
    fn a_trap_closes_after_so_many_looks() {
        let interrupt = Interrupt::new();
        interrupt.raise_after(2, Stop::Interrupted);
        assert_eq!([0; 4].map(|_| interrupt.is_raised()), [false, false, true, true]);
    }
}
