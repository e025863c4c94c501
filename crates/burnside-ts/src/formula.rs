//! Temporal formulas over atoms, with index quantifiers still in place, and regular sequences.
//!
//! Data only. An atom is a boolean [`Expr`] that may read the slots bound by the quantifiers above it.

use crate::code::{Binder, Expr};

/// An LTL or CTL formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A condition on a state, with its text.
    Atom(Expr, String),
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
