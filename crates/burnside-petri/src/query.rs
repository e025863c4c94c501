//! What can be asked about a net. Data only.

use crate::net::{PlaceId, TransitionId};
use burnside_ts::{Compare, Kind, Path};

/// A question about a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Its name.
    pub name: String,
    /// Its text, for people.
    pub text: String,
    /// What is asked.
    pub asked: NetQuestion,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetQuestion {
    /// Whether it is true in every reachable marking. No path operators.
    Invariant(Formula),
    /// Whether it is true in some reachable marking. No path operators.
    Reachable(Formula),
    /// Whether it is true on every run. Path operators without quantifiers.
    Ltl(Formula),
    /// Whether it is true in the initial marking. Every path operator with its quantifier.
    Ctl(Formula),
    /// The greatest value that any of the sums has in any reachable marking. At least one sum.
    Bound(Vec<Sum>),
}

impl NetQuestion {
    /// The kind of property that it becomes.
    pub fn kind(&self) -> Kind {
        match self {
            NetQuestion::Invariant(_) => Kind::Invariant,
            NetQuestion::Reachable(_) => Kind::Reachable,
            NetQuestion::Ltl(_) => Kind::Ltl,
            NetQuestion::Ctl(_) => Kind::Ctl,
            NetQuestion::Bound(_) => Kind::Bound,
        }
    }
}

/// A condition or a temporal formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A condition on a marking.
    Atom(Atom),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// Implication.
    Implies(Box<[Formula; 2]>),
    /// Equivalence.
    Iff(Box<[Formula; 2]>),
    /// In the next marking.
    Next(Option<Path>, Box<Formula>),
    /// Some time.
    Finally(Option<Path>, Box<Formula>),
    /// At all times.
    Globally(Option<Path>, Box<Formula>),
    /// The first until the second, which comes.
    Until(Option<Path>, Box<[Formula; 2]>),
    /// The second until and including the first, which need not come.
    Release(Option<Path>, Box<[Formula; 2]>),
    /// The first until the second, which need not come.
    WeakUntil(Option<Path>, Box<[Formula; 2]>),
    /// The second until and including the first, which comes.
    StrongRelease(Option<Path>, Box<[Formula; 2]>),
}

/// A condition on a marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Always or never.
    Constant(bool),
    /// A comparison of numbers of tokens.
    Compare(Compare, Sum, Sum),
    /// Some of the transitions can fire, under some binding.
    Fireable(Vec<TransitionId>),
    /// No transition can fire.
    Deadlock,
}

/// A number that depends on the marking.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// What is always added.
    pub constant: i64,
    /// Numbers of tokens, each times a factor.
    pub tokens: Vec<(i64, Tokens)>,
}

/// The number of tokens in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    /// The place.
    pub place: PlaceId,
    /// Only those of this colour: the elements of its components.
    pub colour: Option<Vec<u32>>,
}

impl Formula {
    /// Whether a path operator is inside: what has none is a condition on one marking.
    pub fn is_temporal(&self) -> bool {
        match self {
            Formula::Atom(_) => false,
            Formula::Not(inner) => inner.is_temporal(),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(Formula::is_temporal),
            Formula::Implies(sides) | Formula::Iff(sides) => sides.iter().any(Formula::is_temporal),
            _ => true,
        }
    }
}
