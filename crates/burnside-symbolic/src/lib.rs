//! Symbolic checking: sets of states as decision diagrams.
//!
//! `store` keeps the diagrams, `vector` is arithmetic on them, `encode` runs models on all states at once, `relation` takes images, `space` is a whole
//! system, `run` finds concrete runs again. `symmetry` works on
//! representatives of orbits.

mod encode;
mod layout;
mod relation;
mod run;
mod space;
mod store;
pub mod symmetry;
mod vector;

pub use space::{Budget, Progress, Reached, Report, Space};
pub use store::{Bit, Out, Renaming, Set, Stop, Store};
