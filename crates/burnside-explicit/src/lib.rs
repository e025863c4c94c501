//! Explicit-state search over packed states, on the states themselves or on the orbits of a symmetry group.
//!
//! [`Store`] keeps the nodes, [`search()`] walks them breadth-first and answers safety questions with
//! shortest runs, [`Canoniser`] finds the representative of an orbit, [`Quotient`] is the graph of orbits
//! with annotated edges. [`ltl`] and [`ctl`] check linear-time and branching-time properties on it, under
//! fairness. [`Explicit`] puts all this behind the interface of engines.

mod ahead;
mod alike;
mod canon;
mod checker;
mod count;
pub mod ctl;
mod edges;
mod fair;
mod hunt;
pub mod ltl;
mod orbits;
mod pool;
mod quotient;
mod search;
mod short;
mod store;
mod stubborn;

pub use canon::Canoniser;
pub use checker::Explicit;
pub use count::{Counts, count, visit};
pub use hunt::{NextStep, RandomWalker};
pub use ltl::remote::{Looked, PairFacts, Remains, RunExpander, RunQuery, RunSearch};
pub use quotient::{EdgeReduction, EdgeStorage, EdgeTarget, Quotient, QuotientEdge};
pub use search::remote::{Expander, NodeSteps, Opinion, OrbitSetting, StateSearch};
pub use search::{Finding, SearchResult, Witness, search};
pub use short::shorten_lasso;
pub use store::{Insert, Node, NodeId, Store};
