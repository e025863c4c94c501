//! What a caller can ask of a check.

pub use burnside_symbolic::Invariance;
pub use burnside_symbolic::symmetry::Approximation;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Which symmetry reduction to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// The best there is: one representative for each orbit of declared symmetric types, and of named ranges and enums that were found
    /// to be symmetric.
    #[default]
    Auto,
    /// One representative for each orbit of declared symmetric types.
    Exact,
    /// As `Auto`, but a cheaper representative, several of which may remain in an orbit. Verdicts are the same.
    Fast,
    /// None: the original states.
    None,
}

/// How linear-time properties are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// While the product with the property's automaton grows, stopping as soon as a fair violation is seen.
    #[default]
    OnTheFly,
    /// The whole product first, then each component unfolded for every fairness unit (Emerson and Sistla): a baseline.
    TwoPhase,
}

/// How branching-time properties are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CtlAlgorithm {
    /// Depth-first searches without predecessors.
    #[default]
    New,
    /// Backwards along predecessors (Clarke, Emerson and Sistla).
    Emc,
    /// Only what the initial states need (Vergauwen and Lewi).
    Almc,
    /// Sweeps until nothing changes.
    Naive,
}

/// What happens after a deadlock, for branching-time properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadlockPaths {
    /// It repeats for ever.
    #[default]
    Stutter,
    /// Paths end there: it has no successor.
    Maximal,
}

/// Which local symmetries of a linear-time property's automaton are used: they matter if the property has quantifiers inside temporal operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AutomatonSymmetry {
    /// Those that swaps of two elements make.
    #[default]
    Local,
    /// All, if there are few permutations; else as `Local`.
    Exact,
    /// None: a type that such a quantifier ranges over loses its symmetry.
    None,
}

/// Which fairness to assume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fairness {
    /// What the model says.
    #[default]
    Model,
    /// None.
    None,
}

/// What searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The one that suits the model: explicit, unless single steps have too many outcomes to be listed.
    #[default]
    Auto,
    /// State by state, or orbit by orbit.
    Explicit,
    /// Sets of states as decision diagrams.
    Symbolic,
}

/// How the symbolic engine uses symmetry. What a method cannot do the classical one does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymbolicMethod {
    /// Not at all: all reachable states.
    #[default]
    Classic,
    /// Questions about states and sequences on representatives that are chosen on the way (Symmetry_MC).
    Symmetry,
    /// The same, guided by hints (Hints_Sym).
    Hints,
    /// Branching-time formulas about all paths are refuted on such representatives (Live_Rep).
    LiveRep,
    /// Branching-time formulas are judged on the graph of representatives, with the relation closed for these (Create_ξ).
    Representatives,
    /// The same with the whole orbit relation (Orbit_To_ξ): a baseline.
    Orbit,
}

/// How decision diagrams are used.
#[derive(Clone, Debug)]
pub struct DiagramOptions {
    /// Give up after so many nodes.
    pub nodes: usize,
    /// Whether to look for better orders of the variables.
    pub reorder: bool,
    /// How symmetry is used.
    pub method: SymbolicMethod,
    /// Which part of a frontier to go on from first.
    pub approximation: Approximation,
    /// Whether to leave out the other part for good. Then nothing is proved.
    pub forget: bool,
    /// Close sets under the generators by at most so many rounds.
    pub rounds: Option<u32>,
    /// Whether to close sets only when the hint changes, not after each image.
    pub seldom: bool,
    /// Which generators may be used for a property.
    pub invariance: Invariance,
    /// Whether to check also generators that have been proved by other means.
    pub check: bool,
}

impl Default for DiagramOptions {
    fn default() -> Self {
        Self {
            nodes: 20_000_000,
            reorder: true,
            method: SymbolicMethod::Classic,
            approximation: Approximation::None,
            forget: false,
            rounds: None,
            seldom: false,
            invariance: Invariance::Stabiliser,
            check: false,
        }
    }
}

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// After so many states.
    pub states: Option<u64>,
    /// After so many bytes of states and tables.
    pub memory: Option<u64>,
    /// After so long.
    pub time: Option<Duration>,
}

/// How to check.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The properties to check, by name (`deadlock` and `faults` included); empty means all.
    pub properties: Vec<String>,
    /// Whether to leave out the deadlock check even if the model asks for it.
    pub ignore_deadlock: bool,
    /// What searches.
    pub engine: Engine,
    /// How decision diagrams are used.
    pub diagrams: DiagramOptions,
    /// Symmetry reduction.
    pub symmetry: Symmetry,
    /// How linear-time properties are checked.
    pub method: Method,
    /// Which local symmetries of their automata are used.
    pub automaton_symmetry: AutomatonSymmetry,
    /// Whether their quantifiers stay where they are instead of being pulled to the front: for comparisons only.
    pub keep_quantifiers: bool,
    /// How branching-time properties are checked.
    pub ctl: CtlAlgorithm,
    /// What happens after a deadlock, for branching-time properties.
    pub deadlock_paths: DeadlockPaths,
    /// Which fairness to assume.
    pub fairness: Fairness,
    /// When to give up.
    pub limits: Limits,
    /// Raised by the caller (for example on Ctrl-C) to stop the check soon. A check also raises it when its time is up.
    pub interrupt: Arc<AtomicBool>,
}
