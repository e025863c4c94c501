//! The interrupt of the work at hand, and the way out of it.
//!
//! Each thread has at most one. [`poll`] looks at it and unwinds if it is raised; [`catch`] is where
//! unwinding ends. The panic hook is not called, for nobody panics.

use crate::{Interrupt, Stop};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

thread_local! {
    static CURRENT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
}

/// What unwinds.
struct Stopped(Stop);

/// Puts back the interrupt that was there before.
struct Restore(Option<Interrupt>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.with(|current| *current.borrow_mut() = self.0.take());
    }
}

impl Interrupt {
    /// Does some work that ends when this is raised:
    /// [`poll`] looks at it meanwhile, in this thread. Unwinding goes on: see [`catch`].
    pub fn enter<R>(&self, work: impl FnOnce() -> R) -> R {
        let _restore = Restore(CURRENT.with(|current| current.replace(Some(self.clone()))));
        work()
    }
}

/// The interrupt that was entered in this thread, if any.
pub fn current() -> Option<Interrupt> {
    CURRENT.with(|current| current.borrow().clone())
}

/// Ends the work at hand if its interrupt is raised: unwinds to the nearest [`catch`].
#[inline]
pub fn poll() {
    if CURRENT.with(|current| current.borrow().as_ref().is_some_and(Interrupt::is_raised)) {
        unwind();
    }
}

#[cold]
#[inline(never)]
fn unwind() {
    if cfg!(panic = "unwind") && !std::thread::panicking() {
        let stop = current().and_then(|interrupt| interrupt.stop());
        resume_unwind(Box::new(Stopped(stop.unwrap_or(Stop::Interrupted))));
    }
}

/// Ends the work at hand for a reason that was just found: unwinds to the nearest [`catch`].
pub fn give_up(stop: Stop) -> ! {
    resume_unwind(Box::new(Stopped(stop)))
}

/// Does some work; gives the reason if it was ended by [`poll`]. What the work changed outside of itself may
/// be half done then.
pub fn catch<R>(work: impl FnOnce() -> R) -> Result<R, Stop> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Stopped>() {
        Ok(stopped) => stopped.0,
        Err(panic) => resume_unwind(panic),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(n: u32) -> u32 {
        poll();
        if n == 0 { 0 } else { 1 + deep(n - 1) }
    }

    #[test]
    fn polls_unwind_to_the_nearest_catch() {
        let interrupt = Interrupt::new();
        assert_eq!(catch(|| interrupt.enter(|| deep(5))), Ok(5));
        interrupt.raise_after(3, Stop::Memory(9));
        assert_eq!(catch(|| interrupt.enter(|| deep(5))), Err(Stop::Memory(9)));
        assert!(current().is_none());
    }

    #[test]
    fn nothing_is_raised_where_nothing_was_entered() {
        assert_eq!(catch(|| deep(3)), Ok(3));
    }

    #[test]
    fn panics_go_on() {
        let panicked = catch_unwind(|| catch(|| resume_unwind(Box::new("ours"))));
        assert_eq!(panicked.unwrap_err().downcast_ref::<&str>(), Some(&"ours"));
    }
}
