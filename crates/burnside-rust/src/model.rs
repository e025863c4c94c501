//! What a model in Rust says: its states, its actions, its fairness and its properties.

use crate::action::Action;
use crate::data::Fields;
use crate::formula::Formula;
use crate::member::Sort;
use burnside_ts::Strength;
use std::fmt;
use std::sync::Arc;

/// A model written in Rust.
///
/// A state is a struct that derives `Data`, an action an enum that derives `Action`. Symmetric types are unit
/// structs that derive `Symmetric` (all permutations) or `Ring` (rotations); [`RustModel::sorts`] says how
/// many members each has.
pub trait RustModel: Send + Sync + 'static {
    /// The state. Its fields are the variables.
    type State: Fields;
    /// What can happen.
    type Action: Action;

    /// Says how many members each symmetric type has.
    fn sorts(&self, _sorts: &mut Sorts) {}

    /// The states to start from: all of them, so that a permutation of one is another one.
    fn initial(&self) -> Vec<Self::State>;

    /// Pushes the actions that are enabled in a state.
    fn actions(&self, state: &Self::State, actions: &mut Vec<Self::Action>);

    /// Does what an action does. It is enabled in the state. A panic is a fault of the model: a violation,
    /// with the run that leads to it.
    fn apply(&self, action: &Self::Action, state: &mut Self::State);

    /// What is asked.
    fn properties(&self) -> Vec<Property<Self::State>> {
        Vec::new()
    }

    /// What is fair.
    fn fairness(&self) -> Vec<Fairness> {
        Vec::new()
    }

    /// Whether a state without an enabled action is an error.
    fn is_deadlock_free(&self) -> bool {
        true
    }
}

/// How many members symmetric types have.
#[derive(Debug, Default)]
pub struct Sorts {
    pub(crate) declared: Vec<DeclaredSort>,
}

#[derive(Debug)]
pub(crate) struct DeclaredSort {
    pub key: usize,
    pub name: &'static str,
    pub kind: burnside_ts::SortKind,
    pub size: u32,
}

impl Sorts {
    /// A type with so many members.
    pub fn add<S: Sort>(&mut self, members: u32) -> &mut Self {
        self.declared.push(DeclaredSort {
            key: S::key().number(),
            name: S::NAME,
            kind: S::KIND,
            size: members,
        });
        self
    }
}

/// What is fair, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    pub(crate) target: FairTarget,
    pub(crate) strength: Strength,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FairTarget {
    Process(String),
    Rule(String),
}

impl Fairness {
    /// Each member of a process: not for ever enabled without doing something.
    pub fn weak_process(name: impl Into<String>) -> Self {
        Self { target: FairTarget::Process(name.into()), strength: Strength::Weak }
    }

    /// Each member of a process: not infinitely often enabled without doing something infinitely often.
    pub fn strong_process(name: impl Into<String>) -> Self {
        Self { target: FairTarget::Process(name.into()), strength: Strength::Strong }
    }

    /// Each instance of an action, by the name of its rule: not for ever enabled without happening.
    pub fn weak(rule: impl Into<String>) -> Self {
        Self { target: FairTarget::Rule(rule.into()), strength: Strength::Weak }
    }

    /// Each instance of an action: not infinitely often enabled without happening infinitely often.
    pub fn strong(rule: impl Into<String>) -> Self {
        Self { target: FairTarget::Rule(rule.into()), strength: Strength::Strong }
    }
}

/// A number that depends on a state.
pub(crate) type Measure<S> = Arc<dyn Fn(&S) -> i64 + Send + Sync>;

/// A property of a model.
#[derive(Clone)]
pub struct Property<S> {
    pub(crate) name: String,
    pub(crate) asked: ModelQuestion<S>,
}

/// What a property asks.
pub(crate) enum ModelQuestion<S> {
    Invariant(Measure<S>),
    Reachable(Measure<S>),
    Bound(Measure<S>),
    Ltl(Formula<S>),
    Ctl(Formula<S>),
}

impl<S> Clone for ModelQuestion<S> {
    fn clone(&self) -> Self {
        match self {
            ModelQuestion::Invariant(it) => ModelQuestion::Invariant(Arc::clone(it)),
            ModelQuestion::Reachable(it) => ModelQuestion::Reachable(Arc::clone(it)),
            ModelQuestion::Bound(it) => ModelQuestion::Bound(Arc::clone(it)),
            ModelQuestion::Ltl(formula) => ModelQuestion::Ltl(formula.clone()),
            ModelQuestion::Ctl(formula) => ModelQuestion::Ctl(formula.clone()),
        }
    }
}

impl<S> fmt::Debug for Property<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Property").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A condition as a number.
pub(crate) fn measure<S>(condition: impl Fn(&S) -> bool + Send + Sync + 'static) -> Measure<S> {
    Arc::new(move |state| i64::from(condition(state)))
}

impl<S> Property<S> {
    fn new(name: impl Into<String>, asked: ModelQuestion<S>) -> Self {
        Self { name: name.into(), asked }
    }

    /// True in every reachable state.
    pub fn invariant(
        name: impl Into<String>,
        condition: impl Fn(&S) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, ModelQuestion::Invariant(measure(condition)))
    }

    /// True in some reachable state.
    pub fn reachable(
        name: impl Into<String>,
        condition: impl Fn(&S) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, ModelQuestion::Reachable(measure(condition)))
    }

    /// How great a number becomes in reachable states.
    pub fn bound(name: impl Into<String>, value: impl Fn(&S) -> i64 + Send + Sync + 'static) -> Self {
        Self::new(name, ModelQuestion::Bound(Arc::new(value)))
    }

    /// True of every fair run.
    pub fn ltl(name: impl Into<String>, formula: Formula<S>) -> Self {
        Self::new(name, ModelQuestion::Ltl(formula))
    }

    /// True in every initial state, on fair runs.
    pub fn ctl(name: impl Into<String>, formula: Formula<S>) -> Self {
        Self::new(name, ModelQuestion::Ctl(formula))
    }
}
