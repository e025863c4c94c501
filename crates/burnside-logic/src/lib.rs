//! Linear temporal logic over opaque atoms, and automata on infinite words.
//!
//! Knows neither models nor states: an atom is a number, a letter of a word is the set of the atoms that are true.
//! [`Ltl`] is a formula, [`Automaton`] a transition-based generalised Büchi automaton, [`translate`] leads from the one
//! to the other, and [`Lasso`] is a word to judge both by.

mod automaton;
mod components;
mod expand;
mod ltl;
mod normal;
mod translate;
mod word;

pub use automaton::{Automaton, Cube, Edge, Marks, StateId};
pub use ltl::{AtomId, Ltl};
pub use translate::{Limits, TooLarge, translate};
pub use word::{Lasso, Letter};
