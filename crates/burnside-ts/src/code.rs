//! What rules are made of: expressions, statements and the places they read and write. Data only;
//! [`Interpreter`] gives the meaning.
//!
//! Expressions give scalars. A wide value is always at a
//! [`Place`]; what computes one is a list of statements that write into the frame, run by [`Expr::Do`]. The
//! *frame* is scratch memory beside the state: one word per scalar local, and areas of bits for wide ones.
//! Every use has its own fixed part of it, so evaluating allocates nothing. There is no recursion.
//!
//! [`Interpreter`]: crate::Interpreter

use crate::ids::ids;
use crate::types::TypeId;
use std::ops::Range;

ids! {
    /// A word of the frame.
    Slot;
    /// What a fault can be blamed on, in [`System::sites`](crate::System::sites).
    SiteId;
    /// A function, in [`System::functions`](crate::System::functions).
    FunctionId;
}

/// A scalar-valued expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A value.
    Const(i64),
    /// The scalar in a slot of the frame.
    Local(Slot),
    /// A scalar at a fixed place of the state: the common case of [`Expr::Load`].
    Cell(Cell),
    /// The scalar at a place.
    Load(Box<Place>),
    /// Logical negation.
    Not(Box<Expr>),
    /// The value plus a constant; cannot overflow.
    Offset(Box<Expr>, i64),
    /// Integer arithmetic; faults on overflow and on division by zero.
    Arith(Arith, Box<[Expr; 2]>, SiteId),
    /// A comparison of two scalars.
    Compare(Compare, Box<[Expr; 2]>),
    /// Both; the second only if the first is true.
    And(Box<[Expr; 2]>),
    /// One of them; the second only if the first is false.
    Or(Box<[Expr; 2]>),
    /// The second if the first is true, else the third.
    If(Box<[Expr; 3]>),
    /// The second, with the first in a slot.
    Let(Slot, Box<[Expr; 2]>),
    /// Over many values. Does not depend on their order: see [`Quantifier`].
    Quantify(Box<Quantify>),
    /// The value after some statements that write only to the frame.
    Do(Box<[Stmt]>, Box<Expr>),
    /// The scalar result of a function whose parameters are in place.
    Call(FunctionId),
    /// The value; a fault unless it is from `lo` to `hi`.
    Check(Box<Check>),
    /// The value; a fault unless it is at least 0 and less than the second, the length of a queue.
    Bound(Box<[Expr; 2]>, SiteId),
    /// The value less one plus a bias: what an optional scalar holds; a fault if it is 0.
    Unwrap(Box<Expr>, i64, SiteId),
    /// Whether two wide values of this width are equal.
    Same(Box<[Place; 2]>, u32),
    /// The number of a wide value of a numbered type.
    Rank(Box<Place>, TypeId),
    /// Whether a set (at the place) has the element with this number; there may be no such element.
    Contains(Box<Place>, Box<Expr>),
    /// Whether the first set is part of the second; both of this width.
    Subset(Box<[Place; 2]>, u32),
    /// How many elements a set, queue or bag has.
    Size(Box<Place>, TypeId),
    /// How often a queue or bag holds an element.
    Count(Box<Place>, TypeId, Box<Operand>),
    /// The condition with this number of the [system's](crate::System::foreign) foreign conditions, with
    /// arguments.
    Foreign(u32, Box<[Expr]>),
}

impl Expr {
    /// A conjunction; true if empty. A balanced tree if it is long, so that walks over it are safe.
    pub fn all(parts: impl DoubleEndedIterator<Item = Expr>) -> Expr {
        const SHORT: usize = 16;
        let chain = |parts: Vec<Expr>| {
            parts.into_iter().rev().reduce(|right, left| Expr::And(Box::new([left, right])))
        };
        let mut level: Vec<Expr> = parts.collect();
        while level.len() > SHORT {
            let mut rest = level.into_iter();
            let groups = std::iter::from_fn(|| chain(rest.by_ref().take(SHORT).collect()));
            level = groups.collect();
        }
        chain(level).unwrap_or(Expr::Const(1))
    }

    /// A comparison.
    pub fn compare(op: Compare, left: Expr, right: Expr) -> Expr {
        Expr::Compare(op, Box::new([left, right]))
    }

    /// The negation.
    pub fn negate(self) -> Expr {
        match self {
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        }
    }
}

/// A scalar field of the state at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// First bit.
    pub offset: u32,
    /// Number of bits, at most 64.
    pub width: u32,
    /// Value less code.
    pub bias: i64,
}

/// Where bits are.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// In the state or in the frame.
    pub root: Root,
    /// First bit, before the indices count.
    pub offset: u32,
    /// What is added for dynamic indices.
    pub indices: Box<[Index]>,
    /// Number of bits.
    pub width: u32,
    /// Value less code, if a scalar is there.
    pub bias: i64,
}

/// What a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// The state.
    State,
    /// The frame.
    Frame,
}

/// A dynamic index: adds `(value - low) * stride`; a fault unless the difference is at least 0 and less than
/// `size`.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// The index value.
    pub value: Expr,
    /// The least index value.
    pub low: i64,
    /// How many there are.
    pub size: u64,
    /// How many bits lie between two.
    pub stride: u32,
    /// What to blame.
    pub site: SiteId,
}

/// A scalar expression or a wide value at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A scalar value with its bias.
    Scalar(Expr, i64),
    /// A wide value.
    Wide(Place),
}

/// A range check.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What is checked.
    pub value: Expr,
    /// The least allowed value.
    pub lo: i64,
    /// The greatest allowed value.
    pub hi: i64,
    /// What to blame.
    pub site: SiteId,
}

/// Integer operators. Division rounds so that the remainder is never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arith {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a % b`
    Rem,
    /// The smaller of both.
    Min,
    /// The greater of both.
    Max,
    /// The first plus the second, around a circle of this many elements.
    Rotate(u32),
    /// The first minus the second, around a circle of this many elements.
    RotateBack(u32),
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
}

/// A quantified expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantify {
    /// Which.
    pub quantifier: Quantifier,
    /// Over what: all combinations.
    pub binders: Box<[Binder]>,
    /// Which combinations count; for `Forall` and `Exists` it is part of the body.
    pub filter: Option<Expr>,
    /// Of what.
    pub body: Expr,
    /// What to blame if `Sum` overflows, or if there is nothing to take the `Min` or `Max` of.
    pub site: SiteId,
}

/// How a quantifier combines. `Forall` is false if the body is false for some value, else it faults if the
/// body does for some value, else it is true; `Exists` is its dual; the others fault if the body or the
/// filter does for some value. So the result (though not which of several faults is named) is the same for
/// every order of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Whether the body is true for all values.
    Forall,
    /// Whether the body is true for some value.
    Exists,
    /// The number of values for which the body is true.
    Count,
    /// The sum of the body over all values.
    Sum,
    /// The least value of the body.
    Min,
    /// The greatest value of the body.
    Max,
}

/// A name that takes many values.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// Where the value goes.
    pub target: Target,
    /// Its type.
    pub ty: TypeId,
    /// Which values.
    pub domain: Domain,
}

/// Where a bound value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A scalar, in a slot.
    Scalar(Slot),
    /// A wide value, at this bit of the frame.
    Wide(u32),
}

/// What a binder ranges over.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// All values of the type, in the order of their numbers.
    Type,
    /// The elements of a set, queue or bag. A loop and a quantifier take each as often as it is there: those
    /// of a queue from front to back, of a bag or set in ascending order. A parameter of a rule and a choice
    /// take each different one once.
    Collection(Box<Collection>),
}

/// A set, queue or bag whose elements a binder takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Collection {
    /// Statements that compute it into the frame, if it is not stored anywhere.
    pub setup: Box<[Stmt]>,
    /// Where it is.
    pub place: Place,
    /// Its type.
    pub ty: TypeId,
}

/// A statement. It writes to the state (in bodies of rules and in the initialisation) or to the frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Stores a scalar that is already known to be in the range of the place.
    Store(Place, Expr),
    /// Puts a scalar into a slot.
    Local(Slot, Expr),
    /// Copies a wide value.
    Copy(Place, Place),
    /// Sets all bits to zero.
    Clear(Place),
    /// One of two branches.
    If(Expr, Box<[Stmt]>, Box<[Stmt]>),
    /// For each value in the order of its [`Domain`]. The collection must not change meanwhile.
    For(Box<Binder>, Box<[Stmt]>),
    /// What these words of the frame hold does not matter any more: the body of a loop starts anew.
    Forget(Box<[Range<usize>; 2]>),
    /// A fault if false.
    Assert(Expr, SiteId),
    /// Gives up this branch if false (only in the initialisation).
    Assume(Expr, SiteId),
    /// Any value of a type: one branch for each.
    Choose(Place, TypeId),
    /// Any element of a collection, into the binder's target: one branch for each; a fault if there is none.
    ChooseFrom(Box<Binder>, SiteId),
    /// Adds (true) or removes the element with this number to a set. Only removing allows numbers of no
    /// element.
    Member(Place, Expr, bool),
    /// Combines two sets into a third place.
    Combine(SetOp, Box<[Place; 3]>),
    /// Appends to a queue of this type; a fault if it is full.
    Push(Place, TypeId, Operand, SiteId),
    /// Removes the front of a queue of this type; a fault if it is empty.
    Pop(Place, TypeId, SiteId),
    /// Adds to a bag of this type; a fault if it is full.
    Add(Place, TypeId, Operand, SiteId),
    /// Removes one from a bag of this type; a fault if there is none.
    Remove(Place, TypeId, Operand, SiteId),
    /// Runs a function with a wide result, which it leaves at a fixed place of the frame.
    Call(FunctionId),
}

/// Set operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// What is in one of both.
    Union,
    /// What is in both.
    Intersection,
    /// What is in the first only.
    Difference,
}

/// A function: parameters and results are at fixed places of the frame. Its result depends on its parameters
/// and the state only.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Where the parameters are.
    pub params: Box<[Parameter]>,
    /// What it computes.
    pub body: Body,
    /// Whether a result is kept as long as the state does not change: a call makes many others. Functions
    /// that call each other several times would else take exponential time.
    pub kept: bool,
}

/// A parameter of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it is.
    pub target: Target,
    /// Its number of bits, if it is wide.
    pub width: u32,
}

/// What a function computes.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A scalar.
    Scalar(Expr),
    /// A wide value that the statements write to the place.
    Wide(Box<[Stmt]>, Place),
}
