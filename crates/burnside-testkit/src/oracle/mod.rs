//! A second meaning of the language, as naive as possible: the checked model is interpreted as it stands, on
//! values that are trees, with lists of all possibilities where there are several.
//!
//! Entry point: [`Oracle::explore`]. It shares the checked model with the interpreter and nothing behind it:
//! no lowering, no packed state, no frame, no odometer of choices, no store.
//!
//! Where the language leaves open which of several faults is named (the operands of an operator, the values
//! of a quantifier), evaluation gives the set of all of them, and whoever compares asks for one of these.

mod ctl;
mod eval;
mod exec;
mod explore;
mod ltl;
mod mentions;
mod path;
mod place;
mod rule;
mod sequence;
mod show;
mod value;
mod witness;

pub use ctl::{Looked, Setting, Texts};
pub use explore::{Exploration, Finding, Judgement, TooLarge};
pub use path::{PathClaim, PathEnd, ShownPath};
pub use value::{Members, Value};
pub use witness::Shown;

use burnside_lang::diagnostic::Span;
use burnside_lang::hir::{LocalId, Model, Stored};
use burnside_ts::{FaultKind, Type, TypeId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The faults that may be named, each as text: what, where, in which expression.
pub type Faults = BTreeSet<String>;

/// A value, or the faults that may be named instead.
pub(crate) type Eval<T> = Result<T, Faults>;

/// The values of all variables: for each variable, by member of its family (one without indices for all
/// others).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    pub(crate) vars: Vec<BTreeMap<Vec<Value>, Value>>,
}

/// A state with the bound names that are in scope, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub state: State,
    /// The state after the step, where a condition is about one.
    pub next: Option<State>,
    pub locals: Vec<(LocalId, Value)>,
}

impl World {
    /// A state, and no names.
    pub fn of(state: State) -> Self {
        Self { state, next: None, locals: Vec::new() }
    }
}

/// The meaning of one model.
pub struct Oracle<'m> {
    model: &'m Model,
    source: &'m str,
    values: RefCell<HashMap<TypeId, Rc<Vec<Value>>>>,
}

impl<'m> Oracle<'m> {
    /// For a model and its text, which faults quote.
    pub fn new(model: &'m Model, source: &'m str) -> Self {
        Self { model, source, values: RefCell::default() }
    }

    /// All values of a type, in ascending order.
    fn values(&self, ty: TypeId) -> Rc<Vec<Value>> {
        let all = || Rc::new(value::values(&self.model.types, ty));
        self.values.borrow_mut().entry(ty).or_insert_with(all).clone()
    }

    fn local_type(&self, local: LocalId) -> Stored {
        self.model.locals[local.index()].ty
    }

    /// All values of the type of a bound name.
    fn local_values(&self, local: LocalId) -> Rc<Vec<Value>> {
        match self.local_type(local) {
            Stored::Type(ty) => self.values(ty),
            Stored::Int => panic!("a name without a finite type runs through nothing"),
        }
    }

    /// The value where one of the type is stored: a fault if it is outside the range.
    fn fit(&self, value: Value, ty: Stored, blame: Span) -> Eval<Value> {
        if let Stored::Type(ty) = ty
            && let Type::Range { lo, hi } = *self.model.types.get(ty)
            && !(lo..=hi).contains(&value.int())
        {
            return Err(self.fault(FaultKind::OutOfRange { value: value.int(), lo, hi }, blame));
        }
        Ok(value)
    }

    /// One fault.
    fn fault(&self, kind: FaultKind, blame: Span) -> Faults {
        let before = &self.source[..blame.start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let text = blame.text(self.source).split_whitespace().collect::<Vec<_>>().join(" ");
        Faults::from([crate::graph::fault_text(kind, line, column, &text)])
    }
}

/// Both values, or the faults of both.
fn both<A, B>(a: Eval<A>, b: Eval<B>) -> Eval<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(&a | &b),
        (Err(faults), Ok(_)) | (Ok(_), Err(faults)) => Err(faults),
    }
}

/// All values, or the faults of all.
fn all<T>(results: impl IntoIterator<Item = Eval<T>>) -> Eval<Vec<T>> {
    let (mut values, mut faults) = (Vec::new(), Faults::new());
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(values) } else { Err(faults) }
}
