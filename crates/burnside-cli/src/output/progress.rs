//! One line on the terminal that says how a search gets on. Never in a pipe.

use crate::memory::show_bytes;
use crate::output::terminal::{self, StandardStream};
use crate::output::{message, thousands};
use burnside::{Observer, Progress};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Not redrawn more often than this.
const INTERVAL: Duration = Duration::from_millis(100);

/// Whether a progress line is on the terminal now.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Draws progress on standard error.
#[derive(Debug)]
pub struct ProgressLine {
    start: Instant,
    drawn: Instant,
    /// States and time of some seconds ago, for the rate.
    before: (u64, Instant),
}

impl ProgressLine {
    /// A line, if standard error is a terminal that can move its cursor.
    pub fn on_terminal() -> Option<Self> {
        let now = Instant::now();
        let is_able = StandardStream::Err.is_terminal() && !terminal::is_dumb();
        is_able.then_some(Self { start: now, drawn: now, before: (0, now) })
    }
}

impl Observer for ProgressLine {
    fn progress(&mut self, progress: &Progress) {
        let now = Instant::now();
        if now - self.drawn < INTERVAL {
            return;
        }
        self.drawn = now;
        let span = (now - self.before.1).as_secs_f64();
        let states = progress.stats.states;
        let rate = (states.saturating_sub(self.before.0) as f64 / span) as u64;
        if span > 2.0 {
            self.before = (states, now);
        }
        SHOWN.store(true, Ordering::SeqCst);
        // Without wrapping, so that a narrow terminal cuts the line off instead of keeping the rest of old
        // ones.
        message(&format!("\r\u{1b}[?7l{}\u{1b}[K\u{1b}[?7h", line(progress, rate, now - self.start)));
    }
}

impl Drop for ProgressLine {
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

fn line(progress: &Progress, rate: u64, time: Duration) -> String {
    format!(
        "{} states  {}/s  queue {}  depth {}  {}  {:.1} s",
        thousands(progress.stats.states),
        thousands(rate),
        thousands(progress.queue),
        progress.stats.depth,
        show_bytes(progress.stats.memory),
        time.as_secs_f64()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside::Stats;

    #[test]
    fn says_all_figures() {
        let stats = Stats { states: 12_345, transitions: 99, depth: 9, memory: 3 << 20, ..Stats::default() };
        let progress = Progress { stats, queue: 678 };
        let expected = "12,345 states  1,000/s  queue 678  depth 9  3.0 MiB  1.5 s";
        assert_eq!(line(&progress, 1000, Duration::from_millis(1500)), expected);
    }
}
