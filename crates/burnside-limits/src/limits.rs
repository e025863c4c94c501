//! What work may use.

use crate::Interrupt;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// After so many states.
    pub states: Option<u64>,
    /// When so many bytes are in use.
    pub memory: Option<u64>,
    /// After so many nodes of decision diagrams.
    pub nodes: Option<u64>,
    /// After so long.
    pub time: Option<Duration>,
    /// Each property after so long.
    pub property_time: Option<Duration>,
    /// When the clock of the time limit began; none: with the work.
    pub since: Option<Instant>,
    /// With these threads.
    pub threads: Threads,
    /// With states packed as tightly as we can: less memory, and more time. Results are the same.
    pub compress: bool,
    /// When somebody raises it, for example on Ctrl-C. Who watches over the other limits raises it too, and
    /// takes that back in the end.
    pub interrupt: Interrupt,
}

/// How work is shared out among threads. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// How many there are.
    pub count: NonZeroUsize,
    /// One thread begins: with fewer nodes of a graph it is not worth while to start others.
    pub alone: u32,
    /// How many nodes are worked on before the threads wait for each other.
    pub block: u32,
}

impl Threads {
    /// So many.
    pub const fn of(count: NonZeroUsize) -> Self {
        Self { count, alone: 1 << 12, block: 1 << 14 }
    }

    /// As many as the machine runs at once.
    pub fn all() -> Self {
        Self::of(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

impl Default for Threads {
    /// One.
    fn default() -> Self {
        Self::of(NonZeroUsize::MIN)
    }
}

impl Limits {
    /// At most so many states.
    pub fn of_states(states: u64) -> Self {
        Self { states: Some(states), ..Self::default() }
    }

    /// At most so many nodes of decision diagrams.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}
