//! A whole transition system: variables and their layout, processes, rules, fairness units, properties. Data
//! only.

use crate::bits;
use crate::code::{Binder, Expr, Function, SiteId, Stmt};
use crate::formula::{Formula, Sequence};
use crate::ids::ids;
use crate::machine::{Accelerator, Foreign};
use crate::symmetry::Symmetry;
use crate::types::{SortId, TypeId, Types};
use burnside_limits::choices;
use burnside_logic::Automaton;
use std::sync::Arc;

ids! {
    /// A variable.
    VarId;
    /// A process or family of processes.
    ProcessId;
    /// A rule.
    RuleId;
    /// A fairness unit: a process, an instance of a rule, or a set of instances.
    UnitId;
    /// A set of rules that are fair together.
    FairSetId;
    /// A property.
    PropertyId;
}

/// A transition system.
#[derive(Clone, Debug)]
pub struct System {
    /// All types.
    pub types: Types,
    /// Variables, in the order of the state.
    pub vars: Vec<Var>,
    /// Bits of a state.
    pub width: u32,
    /// Of a system that remembers: the bits of the original state, which come first. The others say what was
    /// before, and no step counts as a change for them.
    pub original: Option<u32>,
    /// Words of the frame, the spare one at the end included.
    pub frame: usize,
    /// Processes and families.
    pub processes: Vec<Process>,
    /// Rules.
    pub rules: Vec<Rule>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Makes the initial states from a state of zeros.
    pub init: Box<[Stmt]>,
    /// Fairness, by process, rule or set of rules.
    pub fairness: Vec<UnitFamily>,
    /// Sets of rules that are fair together.
    pub fair_sets: Vec<FairSet>,
    /// Properties.
    pub properties: Vec<Property>,
    /// Conditions that may guide a search, in the order in which they are to be tried.
    pub hints: Vec<Hint>,
    /// Whether a deadlock is an error.
    pub deadlock_free: bool,
    /// What is true of the states in which something is tried.
    pub constraint: Option<Constraint>,
    /// The permutations under which it is symmetric: they map initial states to initial states and steps to
    /// steps.
    pub symmetry: Symmetry,
    /// A sort with one element per rule, if permutations move rules: one that takes element `i` to `j` takes
    /// rule `i` to rule `j`. These have parameters of the same types, they are alone in their processes, and
    /// what is fair of one is as fair of the other.
    pub rule_sort: Option<SortId>,
    /// What faults can be blamed on.
    pub sites: Vec<Site>,
    /// What runs it, if that is not its code.
    pub foreign: Option<Arc<dyn Foreign>>,
    /// What runs it in searches, if that is more than the interpreter.
    pub accelerator: Option<Arc<dyn Accelerator>>,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name; empty if it is an array whose cells are called like their indices.
    pub name: String,
    /// The process it belongs to. In a family, the outer array dimensions of its type are the family's
    /// indices.
    pub process: Option<ProcessId>,
    /// Whether its name alone does not tell it apart, so that its process must be shown with it.
    pub qualified: bool,
    /// Its type.
    pub ty: TypeId,
    /// First bit.
    pub offset: u32,
}

/// A process or a family of processes.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The types of its indices; none for a single process.
    pub indices: Vec<TypeId>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name; empty if it is called like its process, in which it is alone.
    pub name: String,
    /// Its process.
    pub process: ProcessId,
    /// The indices of the process, then its own parameters. Their targets lie side by side in the frame.
    pub params: Vec<Param>,
    /// The words of the frame that hold all of them.
    pub args: std::ops::Range<usize>,
    /// What must be true, from left to right.
    pub guard: Vec<Conjunct>,
    /// What it does.
    pub body: Box<[Stmt]>,
}

/// A parameter of a rule.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Where it is and what it ranges over.
    pub binder: Binder,
}

/// A part of a guard.
#[derive(Clone, Debug)]
pub struct Conjunct {
    /// How many parameters must be bound before it (and all parts before it) can be evaluated.
    pub level: usize,
    /// The condition.
    pub condition: Expr,
}

/// What is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fair {
    /// Each member of a process.
    Process(ProcessId),
    /// Each instance of a rule.
    Rule(RuleId),
    /// Instances of several rules together, for each value of their indices.
    Set(FairSetId),
}

/// Rules that are fair together: one unit for each value of the indices, which all the instances with these
/// values execute.
#[derive(Clone, Debug)]
pub struct FairSet {
    /// Its name, or the text of its members in braces.
    pub name: String,
    /// The process whose indices come first, if it belongs to one.
    pub process: Option<ProcessId>,
    /// The types of its indices.
    pub indices: Vec<TypeId>,
    /// Its rules, none of them twice.
    pub members: Vec<SetMember>,
}

/// A rule in a set that is fair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetMember {
    /// The rule.
    pub rule: RuleId,
    /// For each index of the set, which parameter of the rule it is.
    pub params: Vec<usize>,
}

choices! {
    /// How fair it is.
    pub enum Strength {
        #[default]
        Weak = "weak": "What is enabled for ever is executed",
        Strong = "strong": "What is enabled again and again is executed again and again",
    }
}

/// The fairness units of one process, rule or set: one for each member, instance or value of the indices.
#[derive(Clone, Debug)]
pub struct UnitFamily {
    /// What is fair.
    pub target: Fair,
    /// How fair.
    pub strength: Strength,
    /// Whether a step that changes nothing neither executes nor enables its units.
    pub changing: bool,
    /// The first unit.
    pub first: UnitId,
    /// How many there are: the product of the sizes of the indices (and parameters).
    pub count: u32,
}

/// A property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What it asks.
    pub question: Question,
    /// Permutations of the system's group that leave the question as it is. A front end may give any
    /// permutations that do; see [`System::meet_properties`].
    pub symmetry: Symmetry,
    /// If it is a linear-time formula that names elements: the same with names for them.
    pub named: Option<Named>,
}

/// The conditions of a formula with names in place of the elements that they name, so that these can be
/// moved.
#[derive(Clone, Debug)]
pub struct Named {
    /// By condition, in the order of the text: it with its elements as names, and what these stand for.
    /// Conditions that are alike but for their elements are equal.
    pub conditions: Vec<(Expr, Vec<(Binder, u64)>)>,
    /// Permutations that leave each condition as it is if they move what its names stand for.
    pub symmetry: Symmetry,
}

/// A condition on states that its author thinks is good to search by first. It changes no verdict, and no
/// permutation has to leave it as it is.
#[derive(Clone, Debug)]
pub struct Hint {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The condition, a boolean.
    pub condition: Expr,
}

/// A condition on states: those outside are reached and looked at, but nothing is tried in them. It is a part
/// of all guards, so that a state outside has no steps; it is no deadlock either, and no run goes through it.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its text.
    pub text: String,
    /// The condition, a boolean.
    pub condition: Expr,
}

impl Constraint {
    /// Whether an answer is only about what is within a constraint, so that the system without it may have
    /// another one. A run that was found is one of that system too, and as fair there.
    pub fn limits(kind: Kind, is_violated: bool) -> bool {
        match kind {
            Kind::Ctl | Kind::Bound => true,
            Kind::Reachable => is_violated,
            Kind::Faults | Kind::Deadlock | Kind::Invariant | Kind::Never | Kind::Ltl | Kind::Automaton => {
                !is_violated
            }
        }
    }
}

/// What is asked about a system.
#[derive(Clone, Debug)]
pub enum Question {
    /// Does no step, nor the initialisation, fault?
    Fault,
    /// Has every reachable state a step?
    Deadlock,
    /// Is this true in every reachable state?
    Invariant(Expr),
    /// Is this true in some reachable state?
    Reachable(Expr),
    /// How great does this integer become in reachable states?
    Bound(Expr),
    /// Does no run have consecutive states that match?
    Sequence(Sequence),
    /// Is this true of every fair run?
    Linear(Formula),
    /// Is this true in every initial state?
    Branching(Formula),
    /// Is no fair run accepted? The conditions say what the atoms of the automaton mean.
    Automaton(Automaton, Vec<Expr>),
}

impl Question {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Question::Fault => Kind::Faults,
            Question::Deadlock => Kind::Deadlock,
            Question::Invariant(_) => Kind::Invariant,
            Question::Reachable(_) => Kind::Reachable,
            Question::Bound(_) => Kind::Bound,
            Question::Sequence(_) => Kind::Never,
            Question::Linear(_) => Kind::Ltl,
            Question::Branching(_) => Kind::Ctl,
            Question::Automaton(..) => Kind::Automaton,
        }
    }

    /// Whether it is answered by looking at single states and steps.
    pub fn is_about_states(&self) -> bool {
        use Kind::{Bound, Deadlock, Faults, Invariant, Reachable};
        matches!(self.kind(), Faults | Deadlock | Invariant | Reachable | Bound)
    }

    /// Whether it is about all fair runs.
    pub fn is_linear(&self) -> bool {
        matches!(self, Question::Linear(_) | Question::Automaton(..))
    }
}

choices! {
    /// The kinds of properties.
    pub enum Kind {
        #[default]
        Faults = "faults": "No step faults",
        Deadlock = "deadlock": "No reachable state is a deadlock",
        Invariant = "invariant": "True in every reachable state",
        Reachable = "reachable": "True in some reachable state",
        Never = "never": "No consecutive states match",
        Ltl = "ltl": "True of every fair run",
        Ctl = "ctl": "True in every initial state",
        Automaton = "automaton": "No fair run is accepted",
        Bound = "bound": "How great an integer becomes",
    }
}

/// Something in the text that can fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The expression or statement.
    pub text: String,
    /// The text that it stands in: 0 is the model; others, such as formulas that were given beside it, are
    /// numbered from 1.
    pub origin: u32,
    /// Its line, from 1; 0 if it stands in no text.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// What the author says about it.
    pub message: Option<String>,
}

/// One firing: a rule with its arguments (the indices of the process first), as words of the rule's part of
/// the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'a> {
    /// The rule.
    pub rule: RuleId,
    /// The arguments.
    pub args: &'a [u64],
}

impl System {
    /// Words that a packed state takes.
    pub fn words(&self) -> usize {
        (self.width as usize).div_ceil(64)
    }

    /// A rule.
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }

    /// A process.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// A set of rules that are fair together.
    pub fn fair_set(&self, id: FairSetId) -> &FairSet {
        &self.fair_sets[id.index()]
    }

    /// A site.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.index()]
    }

    /// Leaves of the permutations that keep a property only those of the system's group, for front ends that
    /// find the two apart.
    pub fn meet_properties(&mut self) {
        for property in &mut self.properties {
            property.symmetry = self.symmetry.meet(&property.symmetry, &self.types);
        }
    }

    /// A property that every system has, called like its kind.
    pub fn built_in(&self, question: Question) -> Property {
        let (name, text, symmetry) = (question.kind().to_string(), String::new(), self.symmetry.clone());
        Property { name, text, question, symmetry, named: None }
    }

    /// Whether it counts for the fairness of some unit if a step changes something.
    pub fn distinguishes_changes(&self) -> bool {
        self.fairness.iter().any(|family| family.changing)
    }

    /// Whether a step from one state to the other changes something, which counts for fairness.
    pub fn changes(&self, from: &[u64], to: &[u64]) -> bool {
        let Some(width) = self.original else { return from != to };
        let (whole, rest) = (width as usize / 64, width % 64);
        from[..whole] != to[..whole] || (rest > 0 && (from[whole] ^ to[whole]) & bits::mask(rest) != 0)
    }

    /// How many fairness units there are.
    pub fn units(&self) -> u32 {
        self.fairness.iter().map(|family| family.count).sum()
    }
}
