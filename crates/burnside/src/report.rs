//! What a check gives back: one result per property, with figures and evidence. Data only.

use burnside_perm::Natural;
use burnside_trace::{Evidence, Tree};
use burnside_ts::Symmetry;
use std::time::Duration;

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No step faults.
    Faults,
    /// No reachable state is a deadlock.
    Deadlock,
    /// `invariant`
    Invariant,
    /// `reachable`
    Reachable,
    /// `never`
    Never,
    /// `ltl`
    Ltl,
    /// `ctl`
    Ctl,
    /// An automaton of forbidden runs.
    Automaton,
    /// How great an integer becomes.
    Bound,
}

impl Kind {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Faults => "faults",
            Kind::Deadlock => "deadlock",
            Kind::Invariant => "invariant",
            Kind::Reachable => "reachable",
            Kind::Never => "never",
            Kind::Ltl => "ltl",
            Kind::Ctl => "ctl",
            Kind::Automaton => "automaton",
            Kind::Bound => "bound",
        }
    }
}

/// The answer for one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// True.
    Holds,
    /// False. The evidence shows it if a single run can (a `reachable` goal that no run reaches has none).
    Violated,
    /// Not known, and why.
    Unknown(String),
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Different states found.
    pub states: u64,
    /// Rule instances fired, each outcome of `any` counted.
    pub transitions: u64,
    /// Greatest distance of a state from an initial one.
    pub depth: u64,
    /// Bytes of states and tables at the end.
    pub memory: u64,
    /// For a linear-time property: figures of the product with its automaton.
    pub product: Option<Product>,
    /// For a branching-time property: figures of the judging.
    pub branching: Option<burnside_explicit::ctl::Figures>,
    /// If sets of states were kept as decision diagrams: figures of these.
    pub diagrams: Option<Diagrams>,
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

/// Figures of the product of a system with the automaton of a property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Product {
    /// Nodes found: a state (or orbit), the tracked indices, a state of the automaton.
    pub states: u64,
    /// Edges followed.
    pub transitions: u64,
}

/// The result for one property.
#[derive(Clone, Debug)]
pub struct PropertyResult {
    /// Its name.
    pub property: String,
    /// Its kind.
    pub kind: Kind,
    /// Its text (empty for `faults` and `deadlock`).
    pub text: String,
    /// The answer.
    pub verdict: Verdict,
    /// For a question about a bound: the greatest value in all reachable states.
    pub value: Option<i64>,
    /// Which engine answered.
    pub engine: &'static str,
    /// Which symmetry reduction was used.
    pub symmetry: &'static str,
    /// The motions that were used: those of the system that leave the property as it is.
    pub group: Symmetry,
    /// How a linear-time property was checked: `on-the-fly` or `two-phase`.
    pub method: Option<&'static str>,
    /// Which local symmetries of its automaton were used for a linear-time property: `exact`, `local` or `none`.
    pub automaton_symmetry: Option<&'static str>,
    /// Why the property holds for a reason that was hardly meant.
    pub vacuous: Option<String>,
    /// How long the search took until the answer.
    pub time: Duration,
    /// Figures of the search that answered.
    pub stats: Stats,
    /// How many original states there are, if the search saw all orbits and could count them.
    pub unreduced: Option<Natural>,
    /// A run that shows the answer: against the property if it is violated, for a `reachable` property if it holds, to a state with the
    /// greatest value for a bound. It has been replayed.
    pub evidence: Option<Evidence>,
    /// For a branching-time property: why it is true, or false, in an initial state, and that state. It has been replayed.
    pub tree: Option<(Box<[u64]>, Tree)>,
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// `faults`, then `deadlock` if checked, then the properties in the order of the model, then those given beside it.
    pub results: Vec<PropertyResult>,
    /// The motions that could be used: those of the system that the options allow.
    pub group: Symmetry,
    /// Figures of the main search.
    pub stats: Stats,
    /// How many original states there are, if the main search saw all orbits and could count them.
    pub unreduced: Option<Natural>,
    /// How long everything took.
    pub time: Duration,
    /// Why the engine was chosen, if that was left open and it is not the usual one.
    pub chosen: Option<String>,
}

/// Where a running search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// States found.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// States still to be expanded.
    pub queue: u64,
    /// Distance from the initial states.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
}

/// Is told how a search gets on, several times per second.
pub trait Observer {
    /// The search is here now.
    fn progress(&mut self, _progress: &Progress) {}
}

impl Observer for () {}
