//! Symbolic checking: sets of states as decision diagrams.
//!
//! `store` keeps the diagrams, `vector` is arithmetic on them,
//! `encode` runs models on all states at once, `relation` takes images, `space` is a whole system, `graph`
//! that with an automaton beside it, `run` finds the steps between states again. On these: `state` (faults,
//! deadlocks, conditions), `never` (forbidden sequences), `fair` (fair infinite runs), `ltl`, `ctl` and
//! `tree`; `symmetry` works on representatives of orbits, `reduced` answers questions with it, `live_rep`
//! refutes branching-time formulas.

mod checker;
mod ctl;
mod encode;
mod fair;
mod formula;
mod graph;
mod layout;
mod live_rep;
mod ltl;
mod never;
mod reduced;
mod relation;
mod run;
mod space;
mod state;
mod store;
pub mod symmetry;
mod tree;
mod units;
mod vector;

pub use checker::{MOST_BITS, Symbolic, unknown};
pub use ctl::{Branching, ctl, on_representatives};
pub use live_rep::{Refuted, live_rep};
pub use ltl::{Linear, automaton, ltl, no_run};
pub use never::never;
pub use reduced::Reduction;
pub use space::Space;
pub use state::Reachability;
pub use store::{Bit, MOST_NODES, NODE_BYTES, Out, Renaming, Set, Store};
