//! What work may use.

use crate::Interrupt;
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
    /// When somebody raises it, for example on Ctrl-C. Who watches over the other limits raises it too, and
    /// takes that back in the end.
    pub interrupt: Interrupt,
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
