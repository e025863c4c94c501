//! Symmetry on sets of states, with under-approximation, after Barner and Grumberg.
//!
//! `action` says how permutations act, `generator` makes them act on sets, `good` checks that they are
//! symmetries of the graph, whoever executes a step, `invariance` which of them leave a property alone,
//! `sigma` closes sets, `approximate` chooses parts of a frontier. On these stand the search on
//! representatives (`on_the_fly`), the relation between representatives and states (`representatives`) and
//! the part of a model that lies on representatives (`restricted`).
//!
//! `proof` shows that permutations are symmetries of the model, rule by rule, before any engine uses them.
//!
//! Whatever the generators are, each run that is found is one of the system. That nothing was missed is only
//! said if all generators were found good.

mod action;
mod approximate;
mod generator;
mod good;
mod invariance;
mod on_the_fly;
mod path;
pub mod proof;
mod representatives;
mod restricted;
mod sigma;
mod word;

pub use action::states;
pub use approximate::Approximation;
pub use generator::{Generator, generators};
pub use good::{Judge, Quality};
pub use invariance::{keeping, stabiliser};
pub use on_the_fly::{Conclusion, Outcome, Settings, Statistics};
pub use representatives::{Representatives, Xi, create_xi, least, orbit_to_xi};
pub use restricted::Restricted;
pub use sigma::{Closure, Effort, sigma_step};

// For searches on more than the states of a system, such as products with an automaton.
pub(crate) use on_the_fly::{Explored, Moves, doubt, explore};
