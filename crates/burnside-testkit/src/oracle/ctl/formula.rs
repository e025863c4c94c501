//! CTL formulas over numbered atoms, with every quantifier written out.

/// A formula about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    /// The atom is true in the state.
    Atom(usize),
    Not(Box<Formula>),
    Join(Connective, Box<[Formula; 2]>),
    /// For all values of a name, or for some: one formula for each value, in ascending order.
    Quantified {
        exists: bool,
        parts: Vec<Formula>,
    },
    /// On some path, or on all.
    Path {
        exists: bool,
        operator: Operator,
        parts: Vec<Formula>,
    },
}

/// What joins two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connective {
    And,
    Or,
    Implies,
    Iff,
}

/// What is said of a path. All but the first three have two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operator {
    /// In the second state. There must be one.
    Next,
    /// In some state.
    Finally,
    /// In every state.
    Globally,
    /// `a U b`: `b` in some state, and `a` in every state before it.
    Until,
    /// `a R b`: `b` in every state that has no state before it with `a`.
    Release,
    /// `a W b`: `a U b`, or `a` in every state.
    WeakUntil,
    /// `a M b`: `a R b`, and `a` in some state.
    StrongRelease,
}

impl Connective {
    pub fn join(self, a: bool, b: bool) -> bool {
        match self {
            Connective::And => a && b,
            Connective::Or => a || b,
            Connective::Implies => !a || b,
            Connective::Iff => a == b,
        }
    }
}

impl Operator {
    #[cfg(test)]
    pub const ALL: [Operator; 7] = [
        Operator::Next,
        Operator::Finally,
        Operator::Globally,
        Operator::Until,
        Operator::Release,
        Operator::WeakUntil,
        Operator::StrongRelease,
    ];

    /// What is true of the opposites of the parts just where this is false of the parts. (At the end of a
    /// path `Next` is false of everything, and its dual would be true; whoever asks for all paths means
    /// that.)
    pub fn dual(self) -> Self {
        match self {
            Operator::Next => Operator::Next,
            Operator::Finally => Operator::Globally,
            Operator::Globally => Operator::Finally,
            Operator::Until => Operator::Release,
            Operator::Release => Operator::Until,
            Operator::WeakUntil => Operator::StrongRelease,
            Operator::StrongRelease => Operator::WeakUntil,
        }
    }

    /// How many parts it has.
    #[cfg(test)]
    pub fn arity(self) -> usize {
        match self {
            Operator::Next | Operator::Finally | Operator::Globally => 1,
            _ => 2,
        }
    }
}

impl Formula {
    /// The formulas directly inside.
    pub fn parts(&self) -> &[Formula] {
        match self {
            Formula::Atom(_) => &[],
            Formula::Not(inner) => std::slice::from_ref(inner),
            Formula::Join(_, sides) => &sides[..],
            Formula::Quantified { parts, .. } | Formula::Path { parts, .. } => parts,
        }
    }
}
