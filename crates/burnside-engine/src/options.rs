//! What a caller can ask of a check.

use burnside_checkpoint::Checkpoints;
use burnside_limits::{Limits, choices};
use burnside_trace::TreeOptions;
use burnside_ts::{Symmetry as Group, Types};

choices! {
    /// In which order questions about states are searched for.
    pub enum Search {
        #[default]
        Auto = "auto": "Breadth-first; short hunts beside it begin when it has done some work without an answer",
        Breadth = "breadth": "Breadth-first only: every run that is shown is a shortest one",
        Depth = "depth": "A hunt first, as deep as it goes; then as `auto`",
        Random = "random": "A hunt first, by random walks; then as `auto`",
    }
}

choices! {
    /// When questions about a Petri net are answered without a search, where that is possible.
    pub enum Shortcuts {
        #[default]
        Auto = "auto": "When a search has looked at many states without an answer",
        First = "first": "Before anything is searched",
        None = "none": "Never",
    }
}

choices! {
    /// How a question about a Petri net was answered without a search.
    pub enum Shortcut {
        #[default]
        Initial = "initial": "By the initial marking alone",
        Equation = "state-equation": "By the state equation with traps, whose proof was verified",
        Walk = "walk": "By walks, which were replayed",
    }
}

choices! {
    /// Which symmetry reduction to use.
    pub enum Symmetry {
        #[default]
        Auto = "auto": "Like `exact`, also for ranges and enums that are found to be symmetric, as far as it pays",
        Exact = "exact": "One state of each orbit of the declared symmetric and ring types",
        Fast = "fast": "Like `auto`, but cheaper for states that are hard to bring into order: several states of an orbit may remain",
        None = "none": "None: explore the original states",
    }
}

choices! {
    /// Whether steps are left out that commute with others.
    pub enum PartialOrder {
        #[default]
        None = "none": "All steps are taken: figures are those of all states, or orbits, that can be reached",
        Auto = "auto": "Of steps that commute only some orders are looked at, where that changes no verdict",
    }
}

choices! {
    /// How linear-time properties are checked.
    pub enum Method {
        #[default]
        OnTheFly = "on-the-fly": "Look for a fair violation while the product with the property's automaton grows",
        TwoPhase = "two-phase": "Build the whole product first, then unfold its components for every fairness unit; for comparison",
    }
}

choices! {
    /// How branching-time properties are checked: they differ in how untils are judged.
    pub enum CtlAlgorithm {
        #[default]
        New = "new": "Depth-first searches that need no predecessors",
        Emc = "emc": "Backwards along the predecessors of states",
        Almc = "almc": "Only what the initial states need",
        Naive = "naive": "Sweeps over all states until nothing changes",
    }
}

choices! {
    /// What happens after a deadlock, for branching-time properties.
    pub enum DeadlockPaths {
        #[default]
        Stutter = "stutter": "The state repeats for ever",
        Maximal = "maximal": "Paths end there: `EX` is false, `AX` is true",
    }
}

choices! {
    /// Which local symmetries of a linear-time property's automaton are used: they matter if the property has
    /// quantifiers inside temporal operators.
    pub enum AutomatonSymmetry {
        Exact = "exact": "Those of all permutations if they are few, else as `local`",
        #[default]
        Local = "local": "Those that swaps of two elements make",
        None = "none": "None: a type that such a quantifier ranges over loses its symmetry",
    }
}

choices! {
    /// Which fairness to assume.
    pub enum Fairness {
        #[default]
        Model = "model": "What the model says",
        None = "none": "None: `fair` and `strong fair` are ignored",
    }
}

choices! {
    /// What searches.
    pub enum Engine {
        #[default]
        Auto = "auto": "What suits the model: `explicit`, unless single steps have too many outcomes to be listed",
        Explicit = "explicit": "State by state, or orbit by orbit",
        Symbolic = "symbolic": "Sets of states as binary decision diagrams",
    }
}

choices! {
    /// How the symbolic engine uses symmetry. What a method cannot do the classical one does.
    pub enum SymbolicMethod {
        #[default]
        Classic = "classic": "Not at all: all reachable states",
        // Symmetry_MC.
        Symmetry = "symmetry": "Conditions and sequences are looked for on representatives that are chosen on the way",
        // Hints_Sym.
        Hints = "hints": "The same, guided by the hints of the model and of `--hint`",
        // Live_Rep.
        LiveRep = "live-rep": "`ctl` properties about all paths are refuted on such representatives",
        // Create_ξ.
        Representatives = "representatives": "`ctl` properties are judged on the graph of representatives (without fairness)",
        // Orbit_To_ξ.
        Orbit = "orbit": "The same by way of the whole orbit relation; for comparison",
    }
}

choices! {
    /// Which generators may be used for a question.
    pub enum Invariance {
        // The rule of Barner and Grumberg.
        Generators = "generators": "Of the group's generators, those that leave every condition alone",
        #[default]
        Stabiliser = "stabiliser": "Generators of all that leaves every condition alone",
    }
}

choices! {
    /// What runs the steps of a model in the explicit engine.
    pub enum Execution {
        #[default]
        Auto = "auto": "Native code as soon as it pays, where it can be had",
        Interpreter = "interpreter": "The interpreter",
        Native = "native": "Native code from the first state on, where it can be had",
    }
}

choices! {
    /// Which part of a frontier to go on from first.
    pub enum Part {
        #[default]
        Whole = "none": "All of it",
        Density = "density": "A part with many states and few nodes",
        Random = "random": "A part by chance",
        Slice = "slice": "Only some members move",
        Least = "least": "The states that no generator of the symmetry makes less",
        Widen = "widen": "Only one member moves, then two and so on; the rest is left out until the end",
    }
}

/// How decision diagrams are used.
#[derive(Clone, Debug)]
pub struct DiagramOptions {
    /// Whether to look for better orders of the variables.
    pub reorder: bool,
    /// How symmetry is used.
    pub method: SymbolicMethod,
    /// Which part of a frontier to go on from first; none: the best for the method.
    pub part: Option<Part>,
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
            reorder: true,
            method: SymbolicMethod::Classic,
            part: None,
            forget: false,
            rounds: None,
            seldom: false,
            invariance: Invariance::Stabiliser,
            check: false,
        }
    }
}

/// When `--symmetry auto` gives up what does not pay, counted and never timed. The default is what the
/// program uses; anything else is for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighing {
    /// After so many orbits were looked at, it is asked which parts of the group pay.
    pub orbits: u32,
    /// To bring one state into order may take so much work: ends of edges that are looked at, some 10 ns
    /// each.
    pub work: u64,
}

impl Default for Weighing {
    fn default() -> Self {
        Self { orbits: 1 << 12, work: 1 << 22 }
    }
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
    /// What runs the steps of the model.
    pub machine: Execution,
    /// How decision diagrams are used.
    pub diagrams: DiagramOptions,
    /// In which order questions about states are searched for.
    pub search: Search,
    /// Where the random numbers of hunts start.
    pub seed: u64,
    /// When questions about a net are answered without a search.
    pub shortcuts: Shortcuts,
    /// Symmetry reduction.
    pub symmetry: Symmetry,
    /// When it is weighed whether that pays.
    pub weighing: Weighing,
    /// Whether steps are left out that commute with others.
    pub partial_order: PartialOrder,
    /// How linear-time properties are checked.
    pub method: Method,
    /// Which local symmetries of their automata are used.
    pub automaton_symmetry: AutomatonSymmetry,
    /// Whether their quantifiers stay where they are instead of being pulled to the front: for comparisons
    /// only.
    pub keep_quantifiers: bool,
    /// How branching-time properties are checked.
    pub ctl: CtlAlgorithm,
    /// What happens after a deadlock, for branching-time properties.
    pub deadlock_paths: DeadlockPaths,
    /// Which fairness to assume.
    pub fairness: Fairness,
    /// When to give up.
    pub limits: Limits,
    /// Where the explicit engine keeps what it has found, and looks for what was kept before. The folder must
    /// be that of the same model with the same options, but for the limits.
    pub checkpoints: Option<Checkpoints>,
}

impl Options {
    /// Whether only fair runs count.
    pub fn is_fair(&self) -> bool {
        self.fairness == Fairness::Model
    }

    /// What paths are, for branching-time properties and their evidence.
    pub fn paths(&self) -> TreeOptions {
        TreeOptions {
            fair: self.is_fair(),
            maximal: self.deadlock_paths == DeadlockPaths::Maximal,
            explore: 0,
        }
    }

    /// The permutations that may be used, of some group.
    pub fn allowed(&self, group: &Group, types: &Types) -> Group {
        match self.symmetry {
            Symmetry::None => Group::trivial(types),
            Symmetry::Exact => group.of_declared(types),
            Symmetry::Auto | Symmetry::Fast => group.clone(),
        }
    }
}
