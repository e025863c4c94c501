//! The syntax tree of a Murphi model. Data only.

use burnside_lang::diagnostic::Span;

/// A name where it stands.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    pub span: Span,
    pub kind: TypeKind,
}

/// The kinds of types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    Boolean,
    Range(Expr, Expr),
    Enum(Vec<Name>),
    Scalarset(Expr),
    Union(Vec<TypeExpr>),
    Record(Vec<VarDecl>),
    Array(Box<TypeExpr>, Box<TypeExpr>),
    Multiset(Expr, Box<TypeExpr>),
    Named(String),
}

/// `a, b: T;`
#[derive(Clone, Debug)]
pub struct VarDecl {
    pub names: Vec<Name>,
    pub ty: TypeExpr,
}

/// A declaration of a model, a function or a rule.
#[derive(Clone, Debug)]
pub enum Decl {
    Const(Name, Expr),
    Type(Name, TypeExpr),
    Var(VarDecl),
}

/// `var a, b: T`
#[derive(Clone, Debug)]
pub struct Param {
    pub by_reference: bool,
    pub decl: VarDecl,
}

/// A function, or a procedure, which has no result.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Option<TypeExpr>,
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

/// What stands at the top of a model, in the order of the text.
#[derive(Clone, Debug)]
pub enum Item {
    Decl(Decl),
    Function(Function),
    Rule(Rule),
}

/// A rule, or what rules stand in.
#[derive(Clone, Debug)]
pub struct Rule {
    pub span: Span,
    pub kind: RuleKind,
}

/// The kinds of rules.
#[derive(Clone, Debug)]
pub enum RuleKind {
    Ruleset(Vec<Quantifier>, Vec<Rule>),
    Alias(Vec<(Name, Expr)>, Vec<Rule>),
    Choose(Name, Expr, Vec<Rule>),
    Start {
        decls: Vec<Decl>,
        body: Vec<Stmt>,
    },
    Simple {
        name: Option<Name>,
        guard: Option<Expr>,
        /// As in CMurphi: of the enabled rules, only those with the least number are taken.
        priority: i64,
        decls: Vec<Decl>,
        body: Vec<Stmt>,
    },
    Property {
        kind: PropertyKind,
        name: Option<Name>,
        body: Expr,
    },
}

/// What a property claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    Invariant,
    Assume,
    Cover,
    Liveness,
}

/// A name and the values that it takes.
#[derive(Clone, Debug)]
pub struct Quantifier {
    pub name: Name,
    pub domain: Domain,
}

/// What a quantifier ranges over.
#[derive(Clone, Debug)]
pub enum Domain {
    Type(TypeExpr),
    Steps { from: Expr, to: Expr, by: Option<Expr> },
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Int(i64),
    Bool(bool),
    Name(String),
    Field(Box<Expr>, Name),
    Index(Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Conditional(Box<[Expr; 3]>),
    Quantified {
        all: bool,
        quantifier: Box<Quantifier>,
        body: Box<Expr>,
    },
    IsUndefined(Box<Expr>),
    IsMember(Box<Expr>, Box<TypeExpr>),
    Call(Name, Vec<Expr>),
    /// `MultisetCount(i: m, condition)`
    Count(Name, Box<Expr>, Box<Expr>),
    /// `G p` and the like; in formulas only.
    Temporal(&'static str, Box<Expr>),
    /// `p U q` and the like; in formulas only.
    Until(&'static str, Box<Expr>, Box<Expr>),
    /// `A[p U q]`, `E[p U q]`; in formulas only.
    Path(&'static str, Box<Expr>),
}

/// Operators in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Minus,
    BitNot,
}

/// Operators between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Implies,
    Iff,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitXor,
}

/// What is said on the way.
#[derive(Clone, Debug)]
pub enum PutKind {
    Text(String),
    Value(Expr),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    pub kind: StmtKind,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Assign(Expr, Expr),
    Clear(Expr),
    Undefine(Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Vec<Stmt>),
    Switch(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Vec<Stmt>),
    For(Quantifier, Vec<Stmt>),
    While(Expr, Vec<Stmt>),
    Alias(Vec<(Name, Expr)>, Vec<Stmt>),
    Assert(Expr, Option<String>),
    /// In start states; elsewhere it is an `if` with the next.
    Assume(Expr),
    Cover(Expr, Option<Name>),
    /// The rest of a rule does not count, and neither does the state that it leads to.
    Drop,
    Error(Option<String>),
    Put(PutKind),
    Return(Option<Expr>),
    Call(Name, Vec<Expr>),
    Add(Expr, Expr),
    Remove(Expr, Expr),
    RemoveIf(Name, Expr, Expr),
}
