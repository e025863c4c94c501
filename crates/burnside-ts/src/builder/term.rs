//! What systems are built from: terms, things to do, and patterns of states. Trees without meaning until they
//! are [built](super).

use super::{Name, Variable};
use crate::code::{Arith, Compare, Quantifier};
use crate::formula::{Formula, Path, Temporal};

/// A value, a condition, a place or a formula over time. Made from handles, numbers, truth values and words
/// by [`Operators`].
#[derive(Clone, Debug)]
pub struct Term(pub(super) Box<Node>);

#[derive(Clone, Debug)]
pub(super) enum Node {
    Number(i64),
    Truth(bool),
    /// A constant of an enum, or an element of a sort with labels.
    Word(String),
    Nothing,
    First,
    Any,
    Variable(Variable),
    Name(Name),
    Cell([Term; 2]),
    Field(Term, String),
    Value(Term),
    Front(Term),
    Not(Term),
    Join(Join, [Term; 2]),
    Compare(Compare, [Term; 2]),
    Arith(Arith, [Term; 2]),
    Turn([Term; 2]),
    If([Term; 3]),
    Quantify(Quantifier, Vec<Name>, Term),
    Contains([Term; 2]),
    Subset([Term; 2]),
    Size(Term),
    Count([Term; 2]),
    Time(Option<Path>, Timed, Vec<Term>),
}

/// Connectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    And,
    Or,
    Implies,
    Iff,
}

/// Operators over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timed {
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Timed {
    pub(super) fn of(self, mut parts: Vec<Formula>) -> Temporal {
        let last = parts.pop().expect("an operator has an operand");
        let one = |last| Box::new(last);
        let two = |mut parts: Vec<Formula>, last| Box::new([parts.pop().expect("it has two"), last]);
        match self {
            Timed::Next => Temporal::Next(one(last)),
            Timed::Finally => Temporal::Finally(one(last)),
            Timed::Globally => Temporal::Globally(one(last)),
            Timed::Until => Temporal::Until(two(parts, last)),
            Timed::Release => Temporal::Release(two(parts, last)),
            Timed::WeakUntil => Temporal::WeakUntil(two(parts, last)),
            Timed::StrongRelease => Temporal::StrongRelease(two(parts, last)),
        }
    }
}

impl Term {
    pub(super) fn new(node: Node) -> Self {
        Self(Box::new(node))
    }

    /// The terms directly inside.
    pub(super) fn children(&self) -> &[Term] {
        use std::slice::from_ref;
        match &*self.0 {
            Node::Number(_)
            | Node::Truth(_)
            | Node::Word(_)
            | Node::Nothing
            | Node::First
            | Node::Any
            | Node::Variable(_)
            | Node::Name(_) => &[],
            Node::Field(inner, _)
            | Node::Value(inner)
            | Node::Front(inner)
            | Node::Not(inner)
            | Node::Quantify(_, _, inner)
            | Node::Size(inner) => from_ref(inner),
            Node::Cell(two)
            | Node::Join(_, two)
            | Node::Compare(_, two)
            | Node::Arith(_, two)
            | Node::Turn(two)
            | Node::Contains(two)
            | Node::Subset(two)
            | Node::Count(two) => two,
            Node::If(three) => three,
            Node::Time(_, _, parts) => parts,
        }
    }

    /// Whether an operator over time is inside.
    pub(super) fn is_timed(&self) -> bool {
        matches!(*self.0, Node::Time(..)) || self.children().iter().any(Term::is_timed)
    }

    /// Whether its type depends on where it stands.
    pub(super) fn is_literal(&self) -> bool {
        matches!(*self.0, Node::Number(_) | Node::Word(_) | Node::Nothing | Node::First | Node::Any)
    }
}

macro_rules! terms {
    ($($from:ty: $value:ident => $node:expr;)*) => {$(
        impl From<$from> for Term {
            fn from($value: $from) -> Self {
                Term::new($node)
            }
        }
    )*};
}

terms! {
    i64: value => Node::Number(value);
    i32: value => Node::Number(value.into());
    u32: value => Node::Number(value.into());
    bool: value => Node::Truth(value);
    &str: word => Node::Word(word.to_string());
    Variable: variable => Node::Variable(variable);
    Name: name => Node::Name(name);
}

impl Operators for Term {}
impl Operators for Variable {}
impl Operators for Name {}

macro_rules! compared {
    ($($(#[$doc:meta])* $name:ident: $node:ident::$op:ident;)*) => {$(
        $(#[$doc])*
        fn $name(self, other: impl Into<Term>) -> Term {
            Term::new(Node::$node($node::$op, [self.into(), other.into()]))
        }
    )*};
}

/// What can be made of terms and handles. A number stands for itself, for an element of a sort by its
/// position, or is wrapped where an optional is wanted; a word is a constant of an enum or a labelled
/// element.
pub trait Operators: Into<Term> {
    compared! {
        /// Whether they are equal.
        eq: Compare::Eq;
        /// Whether they differ.
        ne: Compare::Ne;
        /// Whether the first is less. Of elements of a sort this takes away the sort's symmetry.
        lt: Compare::Lt;
        /// Whether the first is at most the second.
        le: Compare::Le;
        /// Both; the second is not looked at if the first is false.
        and: Join::And;
        /// One of them; the second is not looked at if the first is true.
        or: Join::Or;
        /// The second, if the first.
        implies: Join::Implies;
        /// Both or neither.
        iff: Join::Iff;
        /// The sum.
        add: Arith::Add;
        /// The difference.
        sub: Arith::Sub;
        /// The product.
        mul: Arith::Mul;
        /// The quotient; a fault if the second is zero.
        div: Arith::Div;
        /// The remainder, never negative; a fault if the second is zero.
        rem: Arith::Rem;
        /// The lesser one.
        min: Arith::Min;
        /// The greater one.
        max: Arith::Max;
    }

    /// Whether the first is greater.
    fn gt(self, other: impl Into<Term>) -> Term {
        other.into().lt(self)
    }

    /// Whether the first is at least the second.
    fn ge(self, other: impl Into<Term>) -> Term {
        other.into().le(self)
    }

    /// The negation.
    fn not(self) -> Term {
        Term::new(Node::Not(self.into()))
    }

    /// An element of a sort, so many steps further around. Keeps the symmetry of rings only.
    fn turned(self, steps: impl Into<Term>) -> Term {
        Term::new(Node::Turn([self.into(), steps.into()]))
    }

    /// The cell of an array; a fault if the index is none.
    fn at(self, index: impl Into<Term>) -> Term {
        Term::new(Node::Cell([self.into(), index.into()]))
    }

    /// A field of a record.
    fn field(self, name: &str) -> Term {
        Term::new(Node::Field(self.into(), name.to_string()))
    }

    /// What an optional scalar holds; a fault if that is nothing.
    fn value(self) -> Term {
        Term::new(Node::Value(self.into()))
    }

    /// The front of a queue; a fault if it is empty.
    fn front(self) -> Term {
        Term::new(Node::Front(self.into()))
    }

    /// Whether a set has an element.
    fn contains(self, element: impl Into<Term>) -> Term {
        Term::new(Node::Contains([self.into(), element.into()]))
    }

    /// Whether all elements of a set are in another.
    fn subset_of(self, of: impl Into<Term>) -> Term {
        Term::new(Node::Subset([self.into(), of.into()]))
    }

    /// How many elements a set, queue or bag has.
    fn size(self) -> Term {
        Term::new(Node::Size(self.into()))
    }

    /// How often a queue or bag has an element.
    fn count_of(self, element: impl Into<Term>) -> Term {
        Term::new(Node::Count([self.into(), element.into()]))
    }

    /// The second if this condition is true, else the third.
    fn choose(self, then: impl Into<Term>, otherwise: impl Into<Term>) -> Term {
        Term::new(Node::If([self.into(), then.into(), otherwise.into()]))
    }
}

/// The optional without a value.
pub fn none() -> Term {
    Term::new(Node::Nothing)
}

/// The first value of a type, of all cells if it is wide: zero or the lower end, false, the first constant,
/// none, empty. To set something to.
pub fn first() -> Term {
    Term::new(Node::First)
}

/// Any value of a type: one step, or initial state, for each. To set something to.
pub fn any() -> Term {
    Term::new(Node::Any)
}

macro_rules! quantifiers {
    ($($(#[$doc:meta])* $name:ident: $quantifier:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<const N: usize>(names: [Name; N], body: impl Into<Term>) -> Term {
            Term::new(Node::Quantify(Quantifier::$quantifier, names.to_vec(), body.into()))
        }
    )*};
}

quantifiers! {
    /// Whether it is true for all values of some names.
    forall: Forall;
    /// Whether it is true for some values of some names.
    exists: Exists;
    /// For how many values of some names it is true.
    count: Count;
    /// The sum over all values of some names.
    sum: Sum;
    /// The least over all values of some names.
    least: Min;
    /// The greatest over all values of some names.
    greatest: Max;
}

macro_rules! temporal {
    ($($(#[$doc:meta])* $name:ident: $timed:ident($($part:ident),*);)*) => {$(
        $(#[$doc])*
        pub fn $name($($part: impl Into<Term>),*) -> Term {
            Term::new(Node::Time(None, Timed::$timed, vec![$($part.into()),*]))
        }
    )*};
}

temporal! {
    /// In the next state.
    next: Next(inner);
    /// Some time.
    finally: Finally(inner);
    /// At all times.
    globally: Globally(inner);
    /// The first until the second, which comes.
    until: Until(left, right);
    /// The second until and including the first, which need not come.
    release: Release(left, right);
    /// The first until the second, which need not come.
    weak_until: WeakUntil(left, right);
    /// The second until and including the first, which comes.
    strong_release: StrongRelease(left, right);
}

/// The operator over time that is outermost, on all paths.
pub fn on_all_paths(formula: Term) -> Term {
    with_path(Path::All, formula)
}

/// The operator over time that is outermost, on some path.
pub fn on_some_path(formula: Term) -> Term {
    with_path(Path::Some, formula)
}

fn with_path(path: Path, formula: Term) -> Term {
    match *formula.0 {
        Node::Time(_, timed, parts) => Term::new(Node::Time(Some(path), timed, parts)),
        other => Term::new(other),
    }
}

/// Something that a rule, or the initialisation, does.
#[derive(Clone, Debug)]
pub struct Act(pub(super) Deed);

#[derive(Clone, Debug)]
pub(super) enum Deed {
    Set(Term, Term),
    Change(Change, Term, Term),
    Pop(Term),
    Assert(Term),
    Assume(Term),
    Branch(Term, Vec<Act>, Vec<Act>),
    Each(Name, Vec<Act>),
}

/// How an element changes a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Insert,
    Delete,
    Push,
    Add,
    Take,
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident: $change:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(collection: impl Into<Term>, element: impl Into<Term>) -> Act {
            Act(Deed::Change(Change::$change, collection.into(), element.into()))
        }
    )*};
}

changes! {
    /// Puts an element into a set.
    insert: Insert;
    /// Takes an element out of a set, if it is there.
    delete: Delete;
    /// Appends to a queue; a fault if it is full.
    push: Push;
    /// Puts an element into a bag; a fault if it is full.
    put: Add;
    /// Takes an element out of a bag; a fault if it is not there.
    take: Take;
}

/// Gives a place a value; a fault if an integer does not fit.
pub fn set(place: impl Into<Term>, value: impl Into<Term>) -> Act {
    Act(Deed::Set(place.into(), value.into()))
}

/// Removes the front of a queue; a fault if it is empty.
pub fn pop(queue: impl Into<Term>) -> Act {
    Act(Deed::Pop(queue.into()))
}

/// A fault if the condition is false.
pub fn assert(condition: impl Into<Term>) -> Act {
    Act(Deed::Assert(condition.into()))
}

/// No initial state if the condition is false. Only for the initialisation.
pub fn assume(condition: impl Into<Term>) -> Act {
    Act(Deed::Assume(condition.into()))
}

/// Some acts if the condition is true, others if not.
pub fn branch<const N: usize, const M: usize>(
    condition: impl Into<Term>,
    then: [Act; N],
    otherwise: [Act; M],
) -> Act {
    Act(Deed::Branch(condition.into(), then.into(), otherwise.into()))
}

/// Some acts for each value of a name, in order. Keeps the symmetry of the name's type if no value's acts can
/// touch what those of another do.
pub fn each<const N: usize>(name: Name, acts: [Act; N]) -> Act {
    Act(Deed::Each(name, acts.into()))
}

/// A regular sequence of conditions on consecutive states.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// One state in which the condition is true.
    State(Term),
    /// One after the other.
    Then(Vec<Pattern>),
    /// One of them.
    Or(Vec<Pattern>),
    /// Repeated at least and at most so often.
    Repeat(Box<Pattern>, u32, Option<u32>),
}
