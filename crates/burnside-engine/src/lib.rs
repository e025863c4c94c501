//! What every engine is asked, and what it answers. No engine is here, and no search.
//!
//! [`Options`] say how to check, a [`Checker`] answers the questions of [properties](burnside_ts::Property),
//! an [`Answer`] is what comes back: a verdict with its figures and with evidence that nobody has replayed
//! yet.

mod answer;
mod checker;
mod options;

pub use answer::{Answer, NotReduced, PartialOrderUse, Procedure, Verdict, Weighed};
pub use checker::{Checker, Listener, Settled};
pub use options::{
    AutomatonSymmetry, CtlAlgorithm, DeadlockPaths, DiagramOptions, Engine, Execution, Fairness, Invariance,
    Method, Options, Part, PartialOrder, Search, Shortcut, Shortcuts, SymbolicMethod, Symmetry, Weighing,
};
