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

impl Ltl {
    /// The formulas it is made of, in order.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::True | Self::False | Self::Atom(_) => &[],
            Self::Not(one) | Self::Next(one) | Self::Finally(one) | Self::Globally(one) => {
                std::slice::from_ref(one)
            }
            Self::And(all) | Self::Or(all) => all,
            Self::Implies(two)
            | Self::Iff(two)
            | Self::Until(two)
            | Self::Release(two)
            | Self::WeakUntil(two)
            | Self::StrongRelease(two) => &two[..],
        }
    }

    /// Every formula in it, each after those it is made of. Does not recurse.
    pub fn postorder(&self) -> Vec<&Self> {
        let mut order = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            order.push(formula);
            open.extend(formula.children());
        }
        order.reverse();
        order
    }

    /// How deep it is nested; 1 for an atom. Does not recurse.
    pub fn depth(&self) -> usize {
        let mut depths = Vec::new();
        for formula in self.postorder() {
            let from = depths.len() - formula.children().len();
            let below = depths.drain(from..).max().unwrap_or(0);
            depths.push(below + 1);
        }
        depths[0]
    }

    /// One more than the greatest atom in it.
    pub fn atoms(&self) -> u32 {
        let atom =
            |formula: &&Self| if let Self::Atom(AtomId(atom)) = formula { Some(atom + 1) } else { None };
        self.postorder().iter().filter_map(atom).max().unwrap_or(0)
    }
}
