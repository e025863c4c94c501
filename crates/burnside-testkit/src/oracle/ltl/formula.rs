//! LTL formulas over numbered atoms, without quantifiers.

/// A formula about the rest of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// The atom is true in the first state.
    Atom(usize),
    Not(Box<Formula>),
    /// All of them; true if there are none.
    And(Vec<Formula>),
    /// One of them; false if there are none.
    Or(Vec<Formula>),
    Iff(Box<[Formula; 2]>),
    /// From the next state on.
    Next(Box<Formula>),
    /// From some state on.
    Finally(Box<Formula>),
    /// From every state on.
    Globally(Box<Formula>),
    /// `a U b`: `b` from some state on, and `a` from every state before it.
    Until(Box<[Formula; 2]>),
    /// `a R b`: `b` from every state on that has no state before it with `a`.
    Release(Box<[Formula; 2]>),
    /// `a W b`: `a U b`, or `a` from every state on.
    WeakUntil(Box<[Formula; 2]>),
    /// `a M b`: `a R b`, and `a` from some state on.
    StrongRelease(Box<[Formula; 2]>),
}

impl Formula {
    pub fn not(self) -> Self {
        Formula::Not(Box::new(self))
    }

    /// Formulas that are all true just when this one is.
    pub fn conjuncts(self) -> Vec<Formula> {
        match self {
            Formula::And(parts) => parts.into_iter().flat_map(Formula::conjuncts).collect(),
            other => vec![other],
        }
    }
}
