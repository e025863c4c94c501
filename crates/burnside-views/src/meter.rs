//! How far the work has come, for those who watch it.
//!
//! Entry point: [`Meter`], which counts the states that are run.

use burnside_limits::{Observer, Progress, Stats};

/// So many states are run before somebody is told again.
const OFTEN: u64 = 64;

/// Counts states, and tells an observer of them.
pub(crate) struct Meter<'o> {
    observer: &'o mut dyn Observer,
    stats: Stats,
}

impl<'o> Meter<'o> {
    pub fn new(observer: &'o mut dyn Observer) -> Self {
        Self { observer, stats: Stats::default() }
    }

    /// One state more is run; so many views, or states, are known to wait.
    pub fn count(&mut self, waiting: usize) {
        self.stats.states += 1;
        if self.stats.states.is_multiple_of(OFTEN) {
            let (stats, queue) = (self.stats, waiting as u64);
            self.observer.progress(&Progress { stats, queue, by_levels: false });
        }
    }
}
