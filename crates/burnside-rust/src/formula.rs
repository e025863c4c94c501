//! Temporal formulas over closures.
//!
//! A formula is built by functions: `forall(|c: Member<Client>| globally(atom("waits", …).implies(…)))`. The
//! body of a quantifier is a function of a member, called for each member when the formula is lowered; the
//! results must have the same shape, and the closures in one place of it become one condition with the
//! members as its arguments.

use crate::data::Data;
use crate::member::{Member, Sort};
use crate::model::{Measure, measure};
use std::fmt;
use std::sync::Arc;

/// A formula of linear time, or of branching time if its operators say on which paths.
pub struct Formula<S>(pub(crate) Arc<Node<S>>);

pub(crate) enum Node<S> {
    Atom(String, Measure<S>),
    Not(Formula<S>),
    Binary(Binary, Formula<S>, Formula<S>),
    Temporal(Option<burnside_ts::Path>, Operator, Vec<Formula<S>>),
    Quantified(Binder<S>),
}

/// Connectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    And,
    Or,
    Implies,
    Iff,
}

/// Path operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
}

/// A quantifier over the members of a symmetric type.
pub(crate) struct Binder<S> {
    pub forall: bool,
    pub key: usize,
    pub sort: &'static str,
    pub body: Arc<dyn Fn(u32) -> Formula<S> + Send + Sync>,
}

impl<S> Clone for Formula<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S> fmt::Debug for Formula<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Formula")
    }
}

fn make<S>(node: Node<S>) -> Formula<S> {
    Formula(Arc::new(node))
}

/// A condition on a state, with the text that stands for it in reports.
pub fn atom<S: Data>(
    name: impl Into<String>,
    condition: impl Fn(&S) -> bool + Send + Sync + 'static,
) -> Formula<S> {
    make(Node::Atom(name.into(), measure(condition)))
}

fn quantified<S: Data, Q: Sort>(
    forall: bool,
    body: impl Fn(Member<Q>) -> Formula<S> + Send + Sync + 'static,
) -> Formula<S> {
    let body = move |number| body(Member::new(number));
    make(Node::Quantified(Binder { forall, key: Q::key().number(), sort: Q::NAME, body: Arc::new(body) }))
}

/// For all members of a symmetric type.
pub fn forall<S: Data, Q: Sort>(
    body: impl Fn(Member<Q>) -> Formula<S> + Send + Sync + 'static,
) -> Formula<S> {
    quantified(true, body)
}

/// For some member of a symmetric type.
pub fn exists<S: Data, Q: Sort>(
    body: impl Fn(Member<Q>) -> Formula<S> + Send + Sync + 'static,
) -> Formula<S> {
    quantified(false, body)
}

/// Functions for path operators: name, path quantifier, operator and operands.
macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident($($operand:ident),*) = $path:expr, $operator:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<S>($($operand: Formula<S>),*) -> Formula<S> {
            make(Node::Temporal($path, Operator::$operator, vec![$($operand),*]))
        }
    )*};
}

use burnside_ts::Path::{All, Some as OnSome};

operators! {
    /// In the next state.
    next(inner) = None, Next;
    /// Some time.
    finally(inner) = None, Finally;
    /// At all times.
    globally(inner) = None, Globally;
    /// The first until the second, which comes.
    until(left, right) = None, Until;
    /// The second until and including the first, which need not come.
    release(left, right) = None, Release;
    /// The first until the second, which need not come.
    weak_until(left, right) = None, WeakUntil;
    /// On all paths in the next state.
    all_next(inner) = Some(All), Next;
    /// On some path in the next state.
    some_next(inner) = Some(OnSome), Next;
    /// On all paths some time.
    all_finally(inner) = Some(All), Finally;
    /// On some path some time.
    some_finally(inner) = Some(OnSome), Finally;
    /// On all paths at all times.
    all_globally(inner) = Some(All), Globally;
    /// On some path at all times.
    some_globally(inner) = Some(OnSome), Globally;
    /// On all paths the first until the second, which comes.
    all_until(left, right) = Some(All), Until;
    /// On some path the first until the second, which comes.
    some_until(left, right) = Some(OnSome), Until;
}

impl<S> Formula<S> {
    fn with(self, connective: Binary, other: Formula<S>) -> Formula<S> {
        make(Node::Binary(connective, self, other))
    }

    /// Both.
    pub fn and(self, other: Formula<S>) -> Formula<S> {
        self.with(Binary::And, other)
    }

    /// One of them or both.
    pub fn or(self, other: Formula<S>) -> Formula<S> {
        self.with(Binary::Or, other)
    }

    /// The other one if this one.
    pub fn implies(self, other: Formula<S>) -> Formula<S> {
        self.with(Binary::Implies, other)
    }

    /// Both or none.
    pub fn iff(self, other: Formula<S>) -> Formula<S> {
        self.with(Binary::Iff, other)
    }
}

impl<S> std::ops::Not for Formula<S> {
    type Output = Formula<S>;

    fn not(self) -> Formula<S> {
        make(Node::Not(self))
    }
}
