//! Explicit-state search over packed states, on the states themselves or on the orbits of a symmetry group.
//!
//! [`Store`] keeps the nodes, [`search()`] walks them breadth-first and answers safety questions with shortest runs,
//! [`Canoniser`] finds the representative of an orbit, [`Quotient`] is the graph of orbits with annotated edges. [`ltl`] and [`ctl`] judge
//! linear-time and branching-time properties on it, under fairness.

pub mod automorphism;
mod canon;
mod count;
pub mod ctl;
mod fair;
pub mod ltl;
mod orbits;
mod quotient;
mod search;
mod store;

pub use canon::Canoniser;
pub use count::{Counts, count};
pub use quotient::{Bounds, Degree, Edge, Holding, Quotient, Stopped, Target};
pub use search::{Answer, Budget, Found, Outcome, Progress, Question, Stats, search};
pub use store::{Full, Insert, NodeId, Store};
