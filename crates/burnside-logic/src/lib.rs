//! Linear temporal logic over opaque atoms, and automata on infinite words.
//!
//! Knows neither models nor states: an atom is a number, a letter of a word is the set of the atoms that are
//! true. [`Ltl`] is a formula, [`Automaton`] a transition-based generalised Büchi automaton,
//! [`translate()`] leads from the one to the other, and [`Lasso`] is a word to judge both by.

mod automaton;
mod bisimulation;
mod climb;
mod components;
mod degeneralise;
mod demand;
mod expand;
mod hoa;
mod letters;
mod lex;
mod ltl;
mod normal;
pub mod operator;
mod parse;
mod product;
mod prune;
mod show;
mod simplify;
mod simulation;
mod span;
mod translate;
mod weak;
mod word;

pub use automaton::{Automaton, Cube, Edge, Marks, StateId};
pub use bisimulation::{Form, Image};
pub use climb::Climb;
pub use components::{Components, NOWHERE};
pub use degeneralise::{degeneralise, on_states};
pub use hoa::{Hoa, HoaError, print_dot, print_hoa, read_hoa};
pub use ltl::{AtomId, Ltl};
pub use parse::{ParseError, Parsed, parse};
pub use product::disjoint;
pub use prune::prune;
pub use show::show;
pub use simplify::simplify;
pub use simulation::simulate;
pub use translate::{AutomatonLimits, Steps, translate, translate_by};
pub use word::{Lasso, Letter};
