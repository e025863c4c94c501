//! What shows a branching-time verdict: a tree of runs, as data.
//!
//! A [`Tree`] says why a formula is true, or why it is false, in one state. It follows the shape of the
//! formula; where a path operator is shown by a run, other trees hang at the states of the run.

use crate::Evidence;

/// Why a formula has its truth value in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// The state itself shows it: evaluate the condition.
    Condition,
    /// Both sides of a connective, each with its own truth value.
    Both(Box<[Tree; 2]>),
    /// The first or second side of a connective suffices.
    Side(usize, Box<Tree>),
    /// For this value (by number) of a quantified name.
    Value(u64, Box<Tree>),
    /// A run that starts in the state: a witness of `E…`, or a counterexample of `A…`. The trees say what is
    /// true or false where on it, by position in `states`; in ascending order.
    Run(Box<Evidence>, Vec<(usize, Tree)>),
    /// There is a run that shows it, but it is left out, since the tree would have too many.
    Omitted,
    /// Nothing finite shows it: it is about all runs from here, or about all values of a name.
    Everywhere,
}
