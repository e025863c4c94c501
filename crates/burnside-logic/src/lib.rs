//! Linear temporal logic over opaque atoms, and automata on infinite words.
//!
//! Knows neither models nor states: an atom is a number, a letter of a word is the set of the atoms that are true.
//! [`Ltl`] is a formula, [`Automaton`] a transition-based generalised Büchi automaton.

mod automaton;
mod ltl;

pub use automaton::{Automaton, Cube, Edge, Marks, StateId};
pub use ltl::{AtomId, Ltl};
