//! The checked model: every name resolved, every expression typed, constants folded in, nothing wrong left.
//!
//! Made by [`check`](crate::check), read by [`lower`](crate::lower) and by everything that explains a model
//! to its author. Invariant: it lowers without an error. Spans stay, for faults and for later analyses.

use crate::diagnostic::Span;
use crate::expect::Expectations;
use burnside_ts::{Automaton, Strength, TypeId, Types};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// As an index into the table it belongs to.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A variable of the model, in [`Model::vars`].
    VarId;
    /// A process or family, in [`Model::processes`].
    ProcessId;
    /// A rule, in [`Model::rules`].
    RuleId;
    /// A function, in [`Model::functions`].
    FunctionId;
    /// A name bound in an expression or body (parameter, index, `let`, local `var`, quantified name), in
    /// [`Model::locals`]. Every binding in the text has its own.
    LocalId;
}

/// A checked model.
#[derive(Clone, Debug)]
pub struct Model {
    /// All types. [`Types`] holds no `int`.
    pub types: Types,
    /// Constants in the order of the text, with their values after `--set`.
    pub constants: Vec<Constant>,
    /// Variables in the order of the text.
    pub vars: Vec<Var>,
    /// Names bound anywhere.
    pub locals: Vec<Local>,
    /// Functions; a function only calls those before it.
    pub functions: Vec<Function>,
    /// Processes in the order of the text.
    pub processes: Vec<Process>,
    /// Rules, by process and in the order of the text.
    pub rules: Vec<Rule>,
    /// Sets of rules that are fair together.
    pub fair_sets: Vec<FairSet>,
    /// The statements of the `init` blocks, after the variables have their initial values.
    pub init: Vec<Stmt>,
    /// Properties in the order of the text; `deadlock` is not among them.
    pub properties: Vec<Property>,
    /// What automata from outside look at.
    pub observed: Vec<Observed>,
    /// What is true of the states in which something is tried, all of them together.
    pub constraints: Vec<Expr>,
    /// Hints in the order of the text.
    pub hints: Vec<Hint>,
    /// Whether a deadlock is an error (the default).
    pub deadlock_free: bool,
    /// The permutations of the `symmetry` blocks. Nothing is known yet about whether the model is symmetric
    /// under them.
    pub generators: Vec<Generator>,
    /// What should come out of checking it.
    pub expectations: Expectations,
    /// The names of the model, for properties that are checked later.
    pub names: crate::check::Names,
}

/// A permutation of values of some types, as its author claims it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// Where it stands.
    pub span: Span,
    /// What it does to each type that it moves; no type twice.
    pub parts: Vec<Moved>,
}

/// What a generator does to one type: an enum, a named range or a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The type.
    pub ty: TypeId,
    /// Its name.
    pub name: String,
    /// Where each value goes, by position: 0 is the first constant or the least number.
    pub images: Vec<u32>,
}

/// A constant with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: ConstantValue,
}

/// The value of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
}

impl std::fmt::Display for ConstantValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConstantValue::Int(value) => value.fmt(f),
            ConstantValue::Bool(value) => value.fmt(f),
        }
    }
}

/// A variable of the model.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name as declared.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
    /// The process it belongs to. In a family, one for each member.
    pub process: Option<ProcessId>,
    /// Its declared type (of one member's variable, in a family).
    pub ty: TypeId,
    /// What it starts with (never missing: defaults are filled in). In a family it may use the indices of the
    /// process.
    pub initial: Initial,
}

/// What a variable starts with or what is assigned.
#[derive(Clone, Debug)]
pub enum Initial {
    /// A value of exactly the target's type.
    Value(Expr),
    /// For arrays in declarations: this value, of the innermost element's type, everywhere.
    Fill(Expr),
    /// Every bit zero is the right default value (false, first constant, none, empty): nothing to do.
    Zero,
    /// Any value of the type.
    Any,
    /// Any element of a set, queue or bag.
    AnyIn(Expr),
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// An integer. Reading a variable of a range type gives this.
    Int,
    /// A value of a type that is not a range.
    Of(TypeId),
}

/// A bound name.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// Where it is bound.
    pub span: Span,
    /// What it holds. `Int` for `let` without type and for parameters and results of type
    /// `int`; a name declared with a range type has `Stored::Type(range)`.
    pub ty: Stored,
}

/// The declared type of a local name, parameter or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stored {
    /// `int`
    Int,
    /// A finite type, ranges included.
    Type(TypeId),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<LocalId>,
    /// Its result type. The body is converted to it (range-checked) when it returns.
    pub result: Stored,
    /// Its body.
    pub body: Expr,
}

/// How fair a process, a rule or a set of rules is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// `fair` or `strong fair`
    pub strength: Strength,
    /// `changing`: only steps that change something count.
    pub changing: bool,
}

/// Rules that are fair together.
#[derive(Clone, Debug)]
pub struct FairSet {
    /// Its name, or the names of its rules in braces.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The process that it belongs to; then the indices of its units are those of the process, and its own
    /// parameters.
    pub process: Option<ProcessId>,
    /// Its rules, at least one and none twice.
    pub members: Vec<SetMember>,
    /// How fair.
    pub fairness: Fairness,
}

/// A rule in a set that is fair.
#[derive(Clone, Debug)]
pub struct SetMember {
    /// The rule.
    pub rule: RuleId,
    /// For each index of the set, which parameter of the rule it is; the indices of the rule's process come
    /// first.
    pub params: Vec<usize>,
}

/// A process or family.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Where it is declared (its name).
    pub span: Span,
    /// Its indices; empty for a single process.
    pub indices: Vec<LocalId>,
    /// Its fairness, if it has any.
    pub fairness: Option<Fairness>,
    /// The variable that holds its location, if it has locations.
    pub pc: Option<VarId>,
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// The whole rule.
    pub span: Span,
    /// Its process.
    pub process: ProcessId,
    /// Its own parameters (the indices of the process are not among them).
    pub params: Vec<Binder>,
    /// Its guard: a conjunction, from left to right. Locations come first, as an ordinary comparison of `pc`.
    pub guard: Vec<Expr>,
    /// What it does. `goto` is an ordinary assignment to `pc`.
    pub body: Vec<Stmt>,
    /// It is enabled only where no rule of higher priority is.
    pub priority: i64,
    /// Its own fairness, if it has any.
    pub fairness: Option<Fairness>,
}

/// One bound name with what it ranges over.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The name.
    pub local: LocalId,
    /// The values.
    pub domain: Domain,
}

/// What a binder ranges over.
#[derive(Clone, Debug)]
pub enum Domain {
    /// All values of the type of the local (a numbered type).
    Type,
    /// The elements of a set, queue or bag: of a parameter each different one once, otherwise each as often
    /// as it is there.
    Collection(Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// The whole statement.
    pub span: Span,
    /// What it does.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Assign to a place (see [`Expr::is_place`]). `Fill` and `Zero` do not occur.
    Assign(Expr, Initial),
    /// `let` or local `var`: gives the local a value. `Fill` occurs as in declarations, `Zero` too.
    Let(LocalId, Initial),
    /// Two branches.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// For each combination of values; the filter is evaluated with all names bound.
    For(Vec<Binder>, Option<Expr>, Vec<Stmt>),
    /// A fault if false.
    Assert(Expr, Option<String>),
    /// Only in `init`.
    Assume(Expr),
    /// `q.push(e)`: target place, element
    Push(Expr, Expr),
    /// `q.pop()`
    Pop(Expr),
    /// `s.add(e)` for a set or bag
    Add(Expr, Expr),
    /// `s.remove(e)` for a set or bag
    Remove(Expr, Expr),
    /// `x.clear()`
    Clear(Expr),
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The text it comes from.
    pub span: Span,
    /// Its type.
    pub ty: Ty,
    /// What it is.
    pub kind: ExprKind,
}

impl Expr {
    /// Whether it denotes a place that a value is stored at: a variable or local, with indices, fields and
    /// `!`.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Var(..) | ExprKind::Local(_) => true,
            ExprKind::Index(base, _) | ExprKind::Field(base, _) | ExprKind::Unwrap(base) => base.is_place(),
            _ => false,
        }
    }
}

/// The kinds of expressions. Where a range type is meant, the expression has type [`Ty::Int`] and whoever
/// stores it checks.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, a truth value (0, 1), an enum constant (position), an element of a sort (position): see
    /// `ty`.
    Const(i64),
    /// A variable. The expressions select the member of the family it belongs to (none for globals and single
    /// processes).
    Var(VarId, Vec<Expr>),
    /// A bound name.
    Local(LocalId),
    /// `e[i]`: base an array (index any numbered type) or a queue (index int). One index; several are nested.
    Index(Box<Expr>, Box<Expr>),
    /// `e.f`: the field's position.
    Field(Box<Expr>, u32),
    /// `e!`
    Unwrap(Box<Expr>),
    /// `e'`: its value in the next state. Only in `ltl` properties, and not inside another one.
    Next(Box<Expr>),
    /// `none`, typed.
    None,
    /// A `T` where a `T?` is meant.
    Some(Box<Expr>),
    /// `!e`
    Not(Box<Expr>),
    /// `-e`
    Neg(Box<Expr>),
    /// `a + b` and the like on integers.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `n + k`, `n - k`, `next(n)`, `prev(n)` on a ring: the element, the steps (an integer), forwards or
    /// backwards.
    Rotate {
        /// The element.
        element: Box<Expr>,
        /// How far.
        steps: Box<Expr>,
        /// `n - k`
        backwards: bool,
    },
    /// `ord(x)`: number of an element, an enum constant, … (any scalar except int).
    Ord(Box<Expr>),
    /// `S#(e)` with an expression that is not constant; type is the sort.
    Element(Box<Expr>),
    /// `a == b` (or, with `true`, `a != b`) on two values of one type.
    Equal(bool, Box<Expr>, Box<Expr>),
    /// `a < b` and the like: on integers, or on two values of one sort or enum.
    Less {
        /// The smaller side.
        left: Box<Expr>,
        /// The greater side.
        right: Box<Expr>,
        /// `<=`
        or_equal: bool,
    },
    /// `a && b`
    And(Box<Expr>, Box<Expr>),
    /// `a || b`
    Or(Box<Expr>, Box<Expr>),
    /// `a -> b`
    Implies(Box<Expr>, Box<Expr>),
    /// `a <-> b`
    Iff(Box<Expr>, Box<Expr>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `let x = e; body`
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// The value after some statements, which change nothing but locals of theirs: the body of a function, or
    /// `choose`.
    Block(Vec<Stmt>, Box<Expr>),
    /// `forall binders where filter { body }` and the like. Over temporal bodies only `forall` and `exists`
    /// over types.
    Quantify {
        /// Which.
        quantifier: Quantifier,
        /// Over what; at least one.
        binders: Vec<Binder>,
        /// Which combinations count.
        filter: Option<Box<Expr>>,
        /// Of what.
        body: Box<Expr>,
    },
    /// A call of a function.
    Call(FunctionId, Vec<Expr>),
    /// `min(a, b)` (false) or `max(a, b)` (true)
    Extremum(bool, Box<Expr>, Box<Expr>),
    /// `abs(a)`
    Abs(Box<Expr>),
    /// A record, one expression per field in the order of the type.
    Record(Vec<Expr>),
    /// An array, one expression per index value.
    Array(Vec<Expr>),
    /// `[i: T => e]` for one dimension (several are nested).
    ArrayOf(LocalId, Box<Expr>),
    /// An empty queue (`[]`) or bag (`{}`).
    Empty,
    /// `{a, b}`
    Set(Vec<Expr>),
    /// `{x: T where e}`: the elements for which the filter holds.
    SetOf(Box<Binder>, Box<Expr>),
    /// `a | b`, `a & b`, `a \ b`
    SetOp(SetOp, Box<Expr>, Box<Expr>),
    /// `a subset b`
    Subset(Box<Expr>, Box<Expr>),
    /// `x in s` for a set, queue or bag.
    In(Box<Expr>, Box<Expr>),
    /// `s.size()`
    Size(Box<Expr>),
    /// `q.full()` of a queue or bag. (`s.empty()` is a comparison of the size.)
    Full(Box<Expr>),
    /// `s.majority()` of a set: it has more than half of all values of the type of its elements.
    Majority(Box<Expr>),
    /// `q.front()` (false), `q.back()` (true)
    End(bool, Box<Expr>),
    /// `a + b` of two queues or two bags: the elements of both, those of the first in front. They may differ
    /// in how many they hold; a fault if they are more than the type holds.
    Concat(Box<Expr>, Box<Expr>),
    /// `q[a..b]`: the elements of a queue from one position to another, both included; none if the second is
    /// less. A fault if one of them is beyond the end.
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `b.count(x)`
    Count(Box<Expr>, Box<Expr>),
    /// Some instance of one of the rules is enabled, with these indices of the process and these arguments
    /// (missing ones mean: some).
    Enabled {
        /// The rules, all of one process.
        rules: Vec<RuleId>,
        /// The member.
        member: Option<Vec<Expr>>,
        /// The arguments.
        args: Option<Vec<Expr>>,
    },
    /// `X p` and the like. Only in `ltl` and `ctl` properties, above everything that is not temporal (or
    /// boolean).
    Temporal(TemporalOp, Box<Expr>),
    /// `p U q` (only in `ltl`, or directly below `Path`).
    Until(UntilOp, Box<Expr>, Box<Expr>),
    /// `A[p U q]` (exists = false), `E[p U q]`
    Path {
        /// E
        exists: bool,
        /// The until.
        body: Box<Expr>,
    },
}

pub use crate::syntax::ast::Quantifier;
pub use burnside_logic::operator::{PathOp, TemporalOp, UntilOp};

/// Integer operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

/// Set operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// `|`
    Union,
    /// `&`
    Intersection,
    /// `\`
    Difference,
}

/// A property.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its text (of the body).
    pub span: Span,
    /// What it claims.
    pub kind: PropertyKind,
}

/// The conditions that an automaton from outside reads.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The name of the property.
    pub name: String,
    /// What the automaton is called by its author.
    pub text: String,
    /// What its atoms mean, each of boolean type.
    pub conditions: Vec<Expr>,
    /// The automaton.
    pub automaton: Automaton,
}

/// A condition that may guide a search. It claims nothing, and it does not tell elements apart.
#[derive(Clone, Debug)]
pub struct Hint {
    /// Its name.
    pub name: String,
    /// Its text (of the condition).
    pub span: Span,
    /// The condition, of boolean type.
    pub condition: Expr,
}

/// What a property claims.
#[derive(Clone, Debug)]
pub enum PropertyKind {
    /// True in every reachable state.
    Invariant(Expr),
    /// True in some reachable state.
    Reachable(Expr),
    /// An LTL formula, of boolean type.
    Ltl(Expr),
    /// A CTL formula, of boolean type.
    Ctl(Expr),
    /// A sequence that must not happen.
    Never(Sequence),
}

/// A regular sequence of conditions.
#[derive(Clone, Debug)]
pub enum Sequence {
    /// One state.
    State(Expr),
    /// One after the other.
    Then(Vec<Sequence>),
    /// One of them.
    Or(Vec<Sequence>),
    /// Repeated.
    Repeat {
        /// What.
        body: Box<Sequence>,
        /// At least.
        least: u32,
        /// At most.
        most: Option<u32>,
    },
}
