//! Actions: an enum whose variants are the rules of a system and whose fields are their parameters.

use crate::data::{Data, Layout, Schema};
use burnside_ts::{FaultKind, TypeError, TypeId};

/// What can happen. Derive it for an enum, with `#[process(Name)]` on a variant that belongs to a single
/// process and `#[process(Name, 1)]` if the first (or so many) of its fields say which member of a family.
/// Variants without are a process each.
pub trait Action: Clone + Send + Sync + 'static {
    /// The rules, by number.
    fn rules() -> Vec<RuleSpec>;

    /// The number of the rule, and its arguments into a list that is empty: a number for each.
    fn label(&self, layout: &Layout, args: &mut Vec<u64>) -> Result<usize, FaultKind>;
}

/// A rule as an action declares it.
#[derive(Clone, Debug)]
pub struct RuleSpec {
    /// Its name.
    pub name: &'static str,
    /// The name of its process; like its own if it has none.
    pub process: &'static str,
    /// How many of its parameters say which member of the process it is.
    pub indices: usize,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// A parameter of a rule.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its type in a table of types.
    pub describe: fn(&mut Schema<'_>) -> Result<TypeId, TypeError>,
    /// Whether its values are numbers.
    pub scalar: bool,
}

impl Parameter {
    /// One of a type.
    pub fn of<T: Data>(name: &'static str) -> Self {
        Self { name, describe: T::describe, scalar: T::SCALAR }
    }
}

/// An argument as a word of a label.
#[doc(hidden)]
pub fn argument<T: Data>(value: &T, layout: &Layout) -> Result<u64, FaultKind> {
    Ok((value.code(layout)? as i64).wrapping_add(T::BIAS) as u64)
}
