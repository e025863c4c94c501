//! What work used: figures while it goes on, and at its end. Data only.

use std::fmt;
use std::time::Duration;

/// Counts are not told apart from here on. Only sets of states have as many; the exact number is then beside
/// the figures, if it is known.
pub const MANY: u64 = u64::MAX;

/// A count, unless it is one of those that are not told apart.
pub fn told(count: u64) -> Option<u64> {
    (count < MANY).then_some(count)
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Different states (or orbits) found. As many as [`MANY`] are so many or more.
    pub states: u64,
    /// Rule instances fired, each outcome of `any` counted.
    pub transitions: u64,
    /// Greatest distance of a state from an initial one.
    pub depth: u64,
    /// Bytes of states and tables.
    pub memory: u64,
    /// For a linear-time property: figures of the product with its automaton.
    pub product: Option<Product>,
    /// For a branching-time property: figures of the labelling.
    pub labelling: Option<Labelling>,
    /// If sets of states were kept as decision diagrams: figures of these.
    pub diagrams: Option<Diagrams>,
    /// If a hunt answered: figures of it, beside those of the breadth-first search until then.
    pub hunt: Option<HuntStats>,
}

/// Figures of the hunt that answered a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HuntStats {
    /// Steps that it took, in all its bursts and to shorten what it found.
    pub steps: u64,
    /// How many steps the run had before it was shortened.
    pub found: u64,
}

impl fmt::Display for HuntStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found by a hunt of {} steps", self.steps)
    }
}

/// Figures of the product of a system with the automaton of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Product {
    /// Nodes found: a state (or orbit), the tracked indices, a state of the automaton.
    pub states: u64,
    /// Edges followed.
    pub transitions: u64,
}

/// What labelling the states with the parts of a branching-time formula took, at the level that took most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labelling {
    /// How many operations the formula came to.
    pub operations: usize,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Bytes of the graph.
    pub graph: usize,
    /// Bytes of bitmaps: those of the operations, and two for the search.
    pub bitmaps: usize,
    /// Bytes of depth-first numbers.
    pub numbers: usize,
    /// The most bytes that stacks took, in searches for existential untils.
    pub stacks: usize,
    /// Bytes of predecessors.
    pub predecessors: usize,
    /// How long it took, without finding the graph and evaluating conditions.
    pub time: Duration,
}

impl Labelling {
    /// Bytes in all.
    pub fn bytes(&self) -> usize {
        self.graph + self.bitmaps + self.numbers + self.stacks + self.predecessors
    }
}

/// Figures of decision diagrams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagrams {
    /// The most nodes that were in use.
    pub nodes: u64,
    /// Nodes of the relations of all rule instances.
    pub relation: u64,
    /// The relation between representatives and states, where one was built.
    pub xi: Option<Xi>,
}

/// Figures of the relation between representatives and states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Xi {
    /// Nodes of the relation.
    pub nodes: u64,
    /// How long it took to choose the representatives and to build it.
    pub time: Duration,
}

/// Where a running search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The figures so far.
    pub stats: Stats,
    /// States still to be expanded.
    pub queue: u64,
    /// Whether the search goes level by level: then the queue is all that is known to be left.
    pub by_levels: bool,
}

/// What a search is for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The properties that it answers: their numbers in the check, from 0, and their names.
    pub properties: Vec<(usize, String)>,
    /// How many properties the check has.
    pub of: usize,
    /// What is done for them, if that is not told by what is checked: the size of an instance, say.
    pub phase: Option<String>,
}

/// Told now and then how a search gets on.
pub trait Observer {
    /// Where it is.
    fn progress(&mut self, progress: &Progress);

    /// How many states each thread of the search has expanded, if there are several.
    fn threads(&mut self, _expanded: &[u64]) {}

    /// A search begins; what is told from now on is about it.
    fn begins(&mut self, _task: &Task) {}

    /// The property with this number is answered, or given up, with these figures.
    fn ends(&mut self, _property: usize, _progress: &Progress) {}
}

/// Nobody looks.
impl Observer for () {
    fn progress(&mut self, _: &Progress) {}
}

impl<F: FnMut(&Progress)> Observer for F {
    fn progress(&mut self, progress: &Progress) {
        self(progress);
    }
}
