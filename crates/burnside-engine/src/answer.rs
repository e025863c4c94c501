//! What an engine says of a property: a verdict with figures and evidence. Data only.

use crate::{AutomatonSymmetry, CtlAlgorithm, Engine, Method, Shortcut, SymbolicMethod, Symmetry};
use burnside_limits::{Choice, Stats, Stop};
use burnside_perm::Natural;
use burnside_trace::{Evidence, Tree};
use burnside_ts::{Kind, Property, Symmetry as Group};
use std::fmt;
use std::time::Duration;

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// True.
    Holds,
    /// False. The evidence shows it if a single run can (a `reachable` goal that no run reaches has none).
    Violated,
    /// Not known, and why.
    Unknown(Stop),
}

/// How a property was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Procedure {
    /// A linear-time property, state by state.
    Linear(Method),
    /// A branching-time property, state by state.
    Branching(CtlAlgorithm),
    /// By a hunt: a question about states that a run answers, which need not be a shortest one.
    Hunt,
    /// On sets of states.
    Symbolic(SymbolicMethod),
    /// Without a search.
    Shortcut(Shortcut),
}

impl Procedure {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Procedure::Linear(method) => method.name(),
            Procedure::Branching(algorithm) => algorithm.name(),
            Procedure::Hunt => "hunt",
            Procedure::Symbolic(method) => method.name(),
            Procedure::Shortcut(shortcut) => shortcut.name(),
        }
    }
}

/// Why the symmetry was used otherwise than asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weighed {
    /// A part of it did not pay: a sample of the orbits had hardly more states than there were orbits.
    NotWorthwhile {
        /// How many orbits were known then.
        orbits: u64,
        /// The names of the types that are not permuted any more.
        sorts: Vec<String>,
    },
    /// A state was too hard to bring into order, so that some orbits may count several times.
    TooHard {
        /// How much work was spent on that state: connections between members that were looked at.
        work: u64,
    },
}

impl fmt::Display for Weighed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Weighed::NotWorthwhile { orbits, sorts } => write!(
                f,
                "the symmetry of {} was given up: the first {orbits} orbits had less than 1.5 states each",
                sorts.join(", ")
            ),
            Weighed::TooHard { work } => write!(
                f,
                "orbits may count several times: {work} steps were not enough to bring a state into order"
            ),
        }
    }
}

/// What became of a partial order reduction that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialOrderUse {
    /// Steps were left out in so many of the states, or orbits, that were expanded.
    Reduced(u64),
    /// None were left out.
    Off(NotReduced),
}

/// Why no steps were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReduced {
    /// Whether steps commute cannot be seen: they are not code of ours, or too much of it.
    Opaque,
    /// Each step has to do with every other.
    Dependent,
    /// Fairness counts who acts how often.
    Fairness,
    /// The formula speaks of the next state.
    Next,
    /// The question is of a kind that the order of steps matters for.
    Kind(Kind),
    /// A shortest run may be among those that are left out.
    Shortest,
    /// Another engine looks at sets of states.
    Engine,
    /// Several workers share out the states.
    Workers,
}

impl NotReduced {
    /// Its name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            NotReduced::Opaque => "opaque",
            NotReduced::Dependent => "dependent",
            NotReduced::Fairness => "fairness",
            NotReduced::Next => "next",
            NotReduced::Kind(_) => "kind",
            NotReduced::Shortest => "shortest",
            NotReduced::Engine => "engine",
            NotReduced::Workers => "workers",
        }
    }
}

impl fmt::Display for NotReduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotReduced::Opaque => write!(f, "what the rules read and write is not known"),
            NotReduced::Dependent => write!(f, "each rule instance has to do with every other"),
            NotReduced::Fairness => {
                write!(f, "the model has fairness, for which it matters who acts how often")
            }
            NotReduced::Next => write!(f, "the formula speaks of the next state"),
            NotReduced::Kind(kind) => write!(f, "it does not keep what `{kind}` asks about"),
            NotReduced::Shortest => write!(f, "`--search breadth` asks for shortest runs"),
            NotReduced::Engine => write!(f, "the symbolic engine takes all steps at once"),
            NotReduced::Workers => write!(f, "workers that share out the states take all steps"),
        }
    }
}

impl fmt::Display for PartialOrderUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartialOrderUse::Reduced(nodes) => {
                write!(f, "partial order: some steps left out in {nodes} states")
            }
            PartialOrderUse::Off(why) => write!(f, "no partial order reduction: {why}"),
        }
    }
}

/// The answer for one property.
#[derive(Clone, Debug)]
pub struct Answer {
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
    /// The same where it is unknown: the greatest value in the states that were seen.
    pub value_so_far: Option<i64>,
    /// Which engine answered.
    pub engine: Engine,
    /// Which symmetry reduction was used.
    pub symmetry: Symmetry,
    /// The permutations that were used: those of the system that leave the property as it is.
    pub group: Group,
    /// How it was checked, where there are several ways.
    pub method: Option<Procedure>,
    /// Which local symmetries of its automaton were used for a linear-time property.
    pub automaton_symmetry: Option<AutomatonSymmetry>,
    /// Why the property holds for a reason that was hardly meant.
    pub vacuous: Option<String>,
    /// Whether the answer is only about what is within the constraint of the model.
    pub within_constraint: bool,
    /// Why the symmetry was used otherwise than asked for.
    pub weighed: Option<Weighed>,
    /// What became of a partial order reduction, if it was asked for.
    pub partial_order: Option<PartialOrderUse>,
    /// How long the search took until the answer.
    pub time: Duration,
    /// Figures of the search that answered.
    pub stats: Stats,
    /// How many original states there are, if the search saw all orbits and could count them.
    pub unreduced: Option<Natural>,
    /// A run that shows the answer: against the property if it is violated, for a `reachable` property if it
    /// holds, to a state with the greatest value for a bound.
    pub evidence: Option<Evidence>,
    /// For a branching-time property: why it is true, or false, in an initial state, and that state.
    pub tree: Option<(Box<[u64]>, Tree)>,
}

impl Answer {
    /// The answer for a property before anything was done for it.
    pub fn open(property: &Property, engine: Engine, group: Group) -> Self {
        Self {
            property: property.name.clone(),
            kind: property.question.kind(),
            text: property.text.clone(),
            verdict: Verdict::Unknown(Stop::NotChecked),
            value: None,
            value_so_far: None,
            engine,
            symmetry: Symmetry::None,
            group,
            method: None,
            automaton_symmetry: None,
            vacuous: None,
            within_constraint: false,
            weighed: None,
            partial_order: None,
            time: Duration::ZERO,
            stats: Stats::default(),
            unreduced: None,
            evidence: None,
            tree: None,
        }
    }

    /// Whether it is a run, or a formula about all paths that was refuted on some states: then it rests on
    /// nothing else.
    pub fn is_shown(&self) -> bool {
        let method = self.method == Some(Procedure::Symbolic(SymbolicMethod::LiveRep));
        let refuted = method && self.verdict == Verdict::Violated;
        refuted || self.evidence.is_some() && self.kind != Kind::Bound
    }

    /// Takes the answer back.
    pub fn retract(&mut self, stop: Stop) {
        self.verdict = Verdict::Unknown(stop);
        (self.evidence, self.tree, self.value) = (None, None, None);
    }
}
