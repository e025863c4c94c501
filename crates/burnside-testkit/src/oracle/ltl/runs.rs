//! The runs of a model as a graph of numbered states, with the fairness units that each step executes.
//!
//! A run is an infinite sequence of steps that lead to states; a step that faults leads nowhere and is not
//! here. A state in which nothing at all can be tried is a deadlock and has a loop that executes no unit.

/// A set of fairness units, by number.
pub(crate) type Units = u128;

/// More units than this are too many.
pub(crate) const MAX_UNITS: usize = Units::BITS as usize;

/// All runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs {
    /// Where they start.
    pub initial: Vec<usize>,
    /// The steps from each state.
    pub steps: Vec<Vec<Step>>,
    /// The units that are weakly fair.
    pub weak: Units,
    /// The units that are strongly fair.
    pub strong: Units,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    /// The state it leads to.
    pub to: usize,
    /// The units it executes.
    pub units: Units,
}

impl Runs {
    /// The units that are enabled in a state: those that some step from it executes.
    pub fn enabled(&self, state: usize) -> Units {
        self.steps[state].iter().fold(0, |units, step| units | step.units)
    }
}
