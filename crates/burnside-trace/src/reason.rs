//! A tree that has been replayed, with what each part of it shows: for people and documents.
//!
//! A [`Tree`](crate::Tree) does not say which part of the formula it is about, nor whether that is true or
//! false. The replay finds out, and this is what it found.

use crate::evidence::Evidence;
use burnside_ts::{Binder, Formula};

/// Why a formula has its truth value in a state.
#[derive(Clone, Debug)]
pub struct Reason<'s, 't> {
    /// The formula, without negations in front.
    pub formula: &'s Formula,
    /// Its truth value.
    pub truth: bool,
    /// Whether everything about it has been checked.
    pub complete: bool,
    /// What shows it.
    pub why: Why<'s, 't>,
}

/// What shows a truth value.
#[derive(Clone, Debug)]
pub enum Why<'s, 't> {
    /// The state itself.
    Condition,
    /// These sides of a connective, by number.
    Sides(Vec<(usize, Reason<'s, 't>)>),
    /// The value of a bound name, by number.
    Value(&'s Binder, u64, Box<Reason<'s, 't>>),
    /// A run from the state.
    Run(&'t Evidence, Vec<Place<'s, 't>>),
    /// Some run, which is left out: there are too many.
    Omitted,
    /// It is so on all runs, or for all values.
    Everywhere,
}

/// What an operand of a path operator is somewhere on a run.
#[derive(Clone, Debug)]
pub struct Place<'s, 't> {
    /// The position in the states of the run.
    pub position: usize,
    /// Which operand: 0 or, of an operator with two, 1.
    pub operand: usize,
    /// Why it is true, or false, there.
    pub reason: Reason<'s, 't>,
}

impl Reason<'_, '_> {
    /// Whether the state alone shows it.
    pub fn is_condition(&self) -> bool {
        matches!(self.why, Why::Condition)
    }
}
