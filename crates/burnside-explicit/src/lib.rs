//! Explicit-state search over packed states.
//!
//! [`Store`] keeps the states, [`search`] walks them breadth-first and answers safety questions with shortest runs.

mod search;
mod store;

pub use search::{Answer, Budget, Found, Outcome, Progress, Question, Stats, search};
pub use store::{Full, Insert, NodeId, Store};
