//! Formulas of linear temporal logic, as data.

/// An atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

/// A formula, as written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ltl {
    /// Always true.
    True,
    /// Always false.
    False,
    /// True if the atom is.
    Atom(AtomId),
    /// Negation.
    Not(Box<Ltl>),
    /// All of them; none: true.
    And(Vec<Ltl>),
    /// One of them; none: false.
    Or(Vec<Ltl>),
    /// Implication.
    Implies(Box<[Ltl; 2]>),
    /// Equivalence.
    Iff(Box<[Ltl; 2]>),
    /// In the next state.
    Next(Box<Ltl>),
    /// Some time.
    Finally(Box<Ltl>),
    /// At all times.
    Globally(Box<Ltl>),
    /// The first until the second, which comes.
    Until(Box<[Ltl; 2]>),
    /// The second until and including the first, which need not come.
    Release(Box<[Ltl; 2]>),
    /// The first until the second, which need not come.
    WeakUntil(Box<[Ltl; 2]>),
    /// The second until and including the first, which comes.
    StrongRelease(Box<[Ltl; 2]>),
}
