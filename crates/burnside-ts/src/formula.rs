//! Temporal formulas over atoms, with index quantifiers still in place, and regular sequences.
//!
//! Data only. An atom is a boolean [`Expr`] that may read the slots bound by the quantifiers above it.

use crate::code::{Binder, Expr};
use crate::system::VarId;

/// An LTL or CTL formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A condition on a state, with its text.
    Atom(Expr, String),
    /// A condition on a step, from here to the next state. Only in linear time, and nothing that engines see:
    /// they are asked of a system that [remembers](crate::System::remembering) what such conditions need.
    Step(Box<StepCondition>),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Box<[Formula; 2]>),
    /// Disjunction.
    Or(Box<[Formula; 2]>),
    /// Implication.
    Implies(Box<[Formula; 2]>),
    /// Equivalence.
    Iff(Box<[Formula; 2]>),
    /// For all values of a type.
    Forall(Binder, Box<Formula>),
    /// For some value of a type.
    Exists(Binder, Box<Formula>),
    /// A path operator, with its path quantifier in CTL and without in LTL.
    Temporal(Option<Path>, Temporal),
}

/// A condition on the states before and after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepCondition {
    /// It reads the state after the step where its variables are, and the one before where they are
    /// remembered.
    pub condition: Expr,
    /// Its text.
    pub text: String,
    /// Where values from before the step are, in the order of their places. The first is right behind the
    /// state, and there are no gaps.
    pub remembered: Vec<Remembered>,
}

/// Room for the value that a variable had before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The variable.
    pub var: VarId,
    /// First bit.
    pub offset: u32,
    /// Whether the condition reads it. Otherwise it is for another one.
    pub used: bool,
}

/// Path quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// On all paths.
    All,
    /// On some path.
    Some,
}

/// Path operators.
#[derive(Clone, Debug, PartialEq)]
pub enum Temporal {
    /// In the next state.
    Next(Box<Formula>),
    /// Some time.
    Finally(Box<Formula>),
    /// At all times.
    Globally(Box<Formula>),
    /// The first until the second, which comes.
    Until(Box<[Formula; 2]>),
    /// The second until and including the first, which need not come.
    Release(Box<[Formula; 2]>),
    /// The first until the second, which need not come.
    WeakUntil(Box<[Formula; 2]>),
    /// The second until and including the first, which comes.
    StrongRelease(Box<[Formula; 2]>),
}

/// A regular sequence of conditions on consecutive states.
#[derive(Clone, Debug, PartialEq)]
pub enum Sequence {
    /// One state in which the condition is true.
    State(Expr),
    /// One after the other.
    Then(Vec<Sequence>),
    /// One of them.
    Or(Vec<Sequence>),
    /// Repeated at least and at most so often.
    Repeat(Box<Sequence>, u32, Option<u32>),
}
