//! The syntax tree: what was written, nothing resolved. Every node knows its span.
//!
//! The tree is total: where the text is wrong the parser puts [`ExprKind::Error`] or [`TypeKind::Error`] and
//! goes on.

use crate::diagnostic::Span;
use crate::expect::Expected;
use burnside_logic::operator::{ADD, AND, COMPARE, IFF, IMPLIES, MUL, OR, TemporalOp, UntilOp};

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// The declarations in the order of the text.
    pub items: Vec<Item>,
    /// Where the text of the file itself ends, if others are behind it that it imports.
    pub own: Option<u32>,
    /// Whether something that it imports is not there: then what is unknown may be in that.
    pub lacks: bool,
}

impl File {
    /// Whether a place is in a file that this one imports.
    pub fn is_imported(&self, place: Span) -> bool {
        self.own.is_some_and(|own| own < place.start)
    }
}

/// A declaration at the top level.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// From the first token to the last.
    pub span: Span,
    /// What it declares.
    pub kind: ItemKind,
    /// Of a property: what its verdict should be, if it says so.
    pub expect: Option<Expect>,
}

/// `expect violated`, after a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expect {
    /// The word for the verdict.
    pub span: Span,
    /// Which it is.
    pub verdict: Expected,
}

/// The kinds of declarations.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `import "lib.orb" as lib;`
    Import {
        /// The file, as written between the quotes.
        path: Name,
        /// What its names are called here, if it says so.
        alias: Option<Name>,
    },
    /// `const N: T = e;`
    Const {
        /// Its name.
        name: Name,
        /// Its type, if it says so.
        ty: Option<Type>,
        /// Its value; none if it must be set from outside.
        value: Option<Expr>,
    },
    /// `type T = …;`
    Type {
        /// Its name.
        name: Name,
        /// Its type.
        ty: Type,
    },
    /// `symmetric S[N];` or `ring S[N];`
    Sort {
        /// Whether it is a ring.
        ring: bool,
        /// Its name.
        name: Name,
        /// How many elements it has.
        size: Expr,
    },
    /// `enum E { a, b }`
    Enum {
        /// Its name.
        name: Name,
        /// The constants, in order.
        constants: Vec<Name>,
    },
    /// `enum M { request(from: T), ack }`: an enum of which at least one constant holds something
    Union {
        /// Its name.
        name: Name,
        /// What it can be, in order.
        variants: Vec<Variant>,
    },
    /// `record P { x: T, y: U }`
    Record {
        /// Its name.
        name: Name,
        /// The fields, in order.
        fields: Vec<Field>,
    },
    /// `var x: T = e;`
    Var(Var),
    /// `fn f(a: T): U = e;` or with a block
    Function {
        /// Its name.
        name: Name,
        /// The parameters, in order.
        params: Vec<Field>,
        /// The type of the result.
        result: Type,
        /// What it computes.
        body: Expr,
    },
    /// `proc p(a: T, inout b: U) { … }`
    Proc {
        /// Its name.
        name: Name,
        /// The parameters, in order.
        params: Vec<Param>,
        /// What it does.
        body: Block,
    },
    /// `init { … }`
    Init(Block),
    /// `process P[i: I] { … }`
    Process(Process),
    /// `fair { P.a, Q.b }`
    Fair(FairSet),
    /// `symmetry { … }`
    Symmetry(Vec<Generator>),
    /// A property.
    Property(Property),
    /// `hint h = e;`
    Hint {
        /// Its name.
        name: Name,
        /// The condition.
        body: Expr,
    },
    /// `constraint e;`
    Constraint(Expr),
    /// `check { N = 2; states = 30; p = violated; }`
    Check(Vec<Entry>),
}

/// `N = 2;` in a `check` block. What the key means is for the checker to find.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// A constant, a property, or a word of the language.
    pub key: Name,
    /// What it is said to be; `true`, `false` and `none` are names here.
    pub value: Element,
}

/// `Node (1 4)(2 3), Side (left right);` in a `symmetry` block: a permutation of values of some types.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    /// Where.
    pub span: Span,
    /// What it does, type by type.
    pub parts: Vec<Part>,
}

/// What a generator does to the values of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The type.
    pub ty: Name,
    /// Its cycles.
    pub cycles: Vec<Vec<Element>>,
}

/// A value by itself: one that a generator moves, or one in a `check` block.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: ElementKind,
}

/// How such a value is written.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementKind {
    /// A number, as it is written.
    Number(i64),
    /// A name.
    Name(String),
    /// Something else; already reported.
    Error,
}

/// `x: T`, in records and parameter lists of functions (`a, b: T` gives two).
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// `request(from: T)` in an enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// Its name.
    pub name: Name,
    /// What it holds, in order.
    pub fields: Vec<Field>,
}

/// A parameter of a procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Whether it stands for a place of the caller.
    pub inout: bool,
    /// Its name and its type.
    pub field: Field,
}

/// `var x: T = e;` (also a local variable in a body).
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// What it starts with, if it says so.
    pub value: Option<Initial>,
}

/// What a variable starts with, or what is assigned.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    /// An expression.
    Expr(Expr),
    /// `any`
    Any(Span),
    /// `any in e`
    AnyIn(Span, Expr),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: TypeKind,
}

/// The kinds of types.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `lo..hi`
    Range(Box<Expr>, Box<Expr>),
    /// A named type.
    Name(Name),
    /// `T?`
    Optional(Box<Type>),
    /// `array[I, J] of T`; at least one index type
    Array(Vec<Type>, Box<Type>),
    /// `set of T`
    Set(Box<Type>),
    /// `queue[K] of T`
    Queue(Box<Expr>, Box<Type>),
    /// `bag[K] of T`
    Bag(Box<Expr>, Box<Type>),
    /// `Home | Client`; at least two
    Union(Vec<Name>),
    /// Something that is not a type; already reported.
    Error,
}

/// Weak or strong fairness, with the place where it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// Where.
    pub span: Span,
    /// Whether it is strong.
    pub strong: bool,
    /// Whether only steps that change something count.
    pub changing: bool,
}

/// `fair answer(c: Client) { grant(c, _), refuse(c) }`: rules that are fair together.
#[derive(Clone, Debug, PartialEq)]
pub struct FairSet {
    /// How fair.
    pub fairness: Fairness,
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// One set for each of their values.
    pub params: Vec<Field>,
    /// The rules, as in `enabled(…)`: their arguments are parameters of the set or `_`.
    pub members: Vec<Expr>,
}

/// A process or a family of processes.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    /// How fair, if it says so.
    pub fairness: Option<Fairness>,
    /// Its name.
    pub name: Name,
    /// `[i: I, j]`; a missing type means "the type named like the process".
    pub indices: Vec<Index>,
    /// What stands inside.
    pub members: Vec<Member>,
}

/// One index of a family.
#[derive(Clone, Debug, PartialEq)]
pub struct Index {
    /// Its name.
    pub name: Name,
    /// Its type; none means the one named like the process.
    pub ty: Option<Type>,
}

/// What stands inside a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: MemberKind,
}

/// The kinds of members.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// `var x: T = e;`
    Var(Var),
    /// `locations a, b, c;`
    Locations(Vec<Name>),
    /// `rule …`
    Rule(Rule),
    /// `fair { a, b }`
    Fair(FairSet),
    /// `at L, M { rule … rule … }`
    At(Vec<Name>, Vec<Rule>),
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The whole rule.
    pub span: Span,
    /// How fair, if it says so.
    pub fairness: Option<Fairness>,
    /// Its name.
    pub name: Name,
    /// The parameters, in order.
    pub params: Vec<Binder>,
    /// `priority 2`: those of higher priority come first.
    pub priority: Option<Expr>,
    /// The locations where it can happen.
    pub at: Vec<Name>,
    /// When it can happen.
    pub guard: Option<Expr>,
    /// What it does.
    pub body: Block,
}

/// `a, b: T` or `m in e`, in parameter lists, quantifiers, loops and comprehensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// One or more names for `names: T`; exactly one for `name in e`.
    pub names: Vec<Name>,
    /// What they range over.
    pub domain: Domain,
}

/// What a binder ranges over.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// All values of a type.
    Type(Type),
    /// The elements of a set, queue or bag: of a parameter each different one once, otherwise each as often
    /// as it is there.
    Collection(Expr),
}

/// `{ statements }`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// With the braces.
    pub span: Span,
    /// The statements, in order.
    pub statements: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `x = e;` `x = any;` `x = any in s;`
    Assign {
        /// What is changed.
        target: Expr,
        /// What it becomes.
        value: Initial,
    },
    /// `let y: T = e;`
    Let {
        /// Its name.
        name: Name,
        /// Its type, if it says so.
        ty: Option<Type>,
        /// What the name stands for.
        value: Initial,
    },
    /// `var y: T = e;`
    Var(Var),
    /// `if c { … } else …`; `else if` is an `If` alone in `otherwise`
    If {
        /// The condition.
        condition: Expr,
        /// What is done if it is true.
        then: Block,
        /// What is done if it is false.
        otherwise: Option<Block>,
    },
    /// `match e { a => { … } _ => { … } }`
    Match {
        /// What is looked at.
        value: Expr,
        /// What is done in which case.
        arms: Vec<Arm<Block>>,
    },
    /// `for binders where e { … }`
    For {
        /// The names, with what they range over.
        binders: Vec<Binder>,
        /// Which of their values count.
        filter: Option<Expr>,
        /// What is done for each.
        body: Block,
    },
    /// `assert e, "message";`
    Assert {
        /// The condition.
        condition: Expr,
        /// What is said if it is false.
        message: Option<String>,
    },
    /// `assume e;`
    Assume(Expr),
    /// `goto L;`
    Goto(Name),
    /// `p(args);`
    Call {
        /// The procedure.
        name: Name,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `target.method(args);`
    Method {
        /// What it is called on.
        target: Expr,
        /// The name of the method.
        method: Name,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// Something that is not a statement; already reported.
    Error,
}

/// `a | b => body` in a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm<B> {
    /// Where.
    pub span: Span,
    /// The cases; at least one.
    pub patterns: Vec<Pattern>,
    /// What is done, or the value.
    pub body: B,
}

/// A case of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: PatternKind,
}

/// The kinds of cases.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternKind {
    /// `_`: everything that is left
    Rest,
    /// `none`
    None,
    /// `true`, `false`
    Bool(bool),
    /// `idle`, `Phase.idle`, `some(c)`, `request(from: c)`
    Case {
        /// The type, if it says so.
        of: Option<Name>,
        /// The name of the case.
        name: Name,
        /// The names for what it holds, if it says so.
        parts: Option<Vec<PatternPart>>,
    },
    /// Something that is not a case; already reported.
    Error,
}

/// A name for a part of a value: `c`, or `from: c`.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternPart {
    /// The field, if it says so.
    pub field: Option<Name>,
    /// The new name; `_` for a part that does not matter.
    pub name: Name,
}

/// An expression or, in properties, a temporal formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `none`
    None,
    /// A name: variable, constant, enum constant, parameter, process, …
    Name(String),
    /// `S#0`, `S#(e)`
    Element(Name, Box<Expr>),
    /// `(e)`: kept so that the formatter can keep it
    Paren(Box<Expr>),
    /// `!e`, `-e`
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`, `a && b`, …
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a + b - c + …`: operands of one level, grouped to the left, with the operators between them. Only
    /// where there are many: trees must not be deep.
    Chain(Vec<Expr>, Vec<BinaryOp>),
    /// `e[i, j]`
    Index(Box<Expr>, Vec<Expr>),
    /// `q[a..b]`
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `e.f` (also `Enum.constant`, `Process.variable`)
    Field(Box<Expr>, Name),
    /// `e!`
    Unwrap(Box<Expr>),
    /// `e'`: its value in the next state
    Next(Box<Expr>),
    /// `P[i]@L`, `P@L`, `@L`
    At(Option<Box<Expr>>, Name),
    /// `f(a, b)`: function, built-in or record in order; `min(a, b)` and `max(a, b)` too
    Call(Name, Vec<Expr>),
    /// `R(x: a, y: b)`
    Record(Name, Vec<(Name, Expr)>),
    /// `e.m(a)`
    Method(Box<Expr>, Name, Vec<Expr>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match e { a => x, _ => y }`
    Match(Box<Expr>, Vec<Arm<Expr>>),
    /// `{ let y: T = e; … }` as an expression (body of a function or of a branch)
    Let {
        /// Its name.
        name: Name,
        /// Its type, if it says so.
        ty: Option<Type>,
        /// What the name stands for.
        value: Box<Expr>,
        /// What the name is known in.
        body: Box<Expr>,
    },
    /// `{ var y: T; y = e; … y }` as the body of a function: statements, and then the value
    Block(Vec<Stmt>, Box<Expr>),
    /// `forall binders where filter { body }` and the like
    Quantify {
        /// Which.
        quantifier: Quantifier,
        /// The names, with what they range over.
        binders: Vec<Binder>,
        /// Which of their values count.
        filter: Option<Box<Expr>>,
        /// Of what.
        body: Box<Expr>,
    },
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[i: T => e]`
    ArrayOf {
        /// The names, with what they range over.
        binders: Vec<Binder>,
        /// The elements.
        body: Box<Expr>,
    },
    /// `{a, b}`, `{}`
    Set(Vec<Expr>),
    /// `{i: T where e}`, `{i in s where e}`: exactly one name
    SetOf {
        /// The name, with what it ranges over.
        binder: Box<Binder>,
        /// Which of their values count.
        filter: Box<Expr>,
    },
    /// `{f(x): x in s where e}`
    SetMap {
        /// The elements.
        value: Box<Expr>,
        /// The names, with what they range over.
        binders: Vec<Binder>,
        /// Which of their values count.
        filter: Option<Box<Expr>>,
    },
    /// `choose x in s where e`: the first that passes
    Choose {
        /// The name, with what it ranges over.
        binder: Box<Binder>,
        /// Which of its values count.
        filter: Option<Box<Expr>>,
    },
    /// `enabled(target)`; the target is a `Name`, `Call`, `Field`, `Index` or `Method` expression
    Enabled(Box<Expr>),
    /// `G p`, `F p`, `X p`; `AG p`, `EX p`, …
    Temporal(TemporalOp, Box<Expr>),
    /// `p U q`; `A[p U q]` is `Path(false, p U q)`
    Until(UntilOp, Box<Expr>, Box<Expr>),
    /// `p ~> q`: whenever the first is true, so is the second, then or later
    LeadsTo(Box<Expr>, Box<Expr>),
    /// `A[…]` (exists = false), `E[…]` (exists = true) around an until
    Path {
        /// Whether it is `E`.
        exists: bool,
        /// The until.
        body: Box<Expr>,
    },
    /// Something that is not an expression; already reported.
    Error,
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!e`
    Not,
    /// `-e`
    Neg,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `a <-> b`
    Iff,
    /// `a -> b`
    Implies,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a in b`
    In,
    /// `a not in b`
    NotIn,
    /// `a subset b`
    Subset,
    /// `a is b`, where `b` is a case
    Is,
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a | b`
    Union,
    /// `a \ b`
    Difference,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a % b`
    Rem,
    /// `a & b`
    Intersection,
}

impl BinaryOp {
    /// How tight it binds.
    pub fn level(self) -> u8 {
        use BinaryOp::*;
        match self {
            Iff => IFF,
            Implies => IMPLIES,
            Or => OR,
            And => AND,
            Eq | Ne | Lt | Le | Gt | Ge | In | NotIn | Subset | Is => COMPARE,
            Add | Sub | Union | Difference => ADD,
            Mul | Div | Rem | Intersection => MUL,
        }
    }
}

/// `forall` and its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `count`
    Count,
    /// `sum`
    Sum,
    /// `min`
    Min,
    /// `max`
    Max,
}

/// A property.
#[derive(Clone, Debug, PartialEq)]
pub enum Property {
    /// `invariant p = e;`
    Invariant {
        /// Its name.
        name: Name,
        /// What it says.
        body: Expr,
    },
    /// `reachable p = e;`
    Reachable {
        /// Its name.
        name: Name,
        /// What it says.
        body: Expr,
    },
    /// `ltl p = f;`
    Ltl {
        /// Its name.
        name: Name,
        /// What it says.
        body: Expr,
    },
    /// `ctl p = f;`
    Ctl {
        /// Its name.
        name: Name,
        /// What it says.
        body: Expr,
    },
    /// `never p { s }`
    Never {
        /// Its name.
        name: Name,
        /// The sequence that must not happen.
        body: Sequence,
    },
    /// `deadlock free;` (allowed = false) or `deadlock allowed;`
    Deadlock {
        /// Whether it is `deadlock allowed;`.
        allowed: bool,
    },
}

/// A regular sequence of conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Where.
    pub span: Span,
    /// What it is.
    pub kind: SequenceKind,
}

/// The kinds of sequences.
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceKind {
    /// One state in which the condition is true.
    State(Expr),
    /// One after the other; at least one.
    Then(Vec<Sequence>),
    /// `{s} | {t}`; at least two.
    Or(Vec<Sequence>),
    /// `s[*2..4]`; no upper bound means any number. `[*]` is 0.., `[+]` is 1.., `[*3]` is 3..=3.
    Repeat {
        /// What is repeated.
        body: Box<Sequence>,
        /// How often at least.
        least: u32,
        /// How often at most.
        most: Option<u32>,
    },
    /// `{ s }`: kept for the formatter
    Group(Box<Sequence>),
}
