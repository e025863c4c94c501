//! Burnside as a library: load a model, check its properties, get verdicts with evidence that was replayed. Prints nothing.
//!
//! ```
//! use burnside::{Model, Options, Verdict};
//!
//! let text = "var x: 0..3; process P { rule up when x < 3 { x = x + 1; } } deadlock allowed; invariant small = x < 3;";
//! let model = Model::load(text, &[]).model.unwrap();
//! let report = burnside::check(&model, &Options::default(), &mut ()).unwrap();
//! let small = report.results.iter().find(|r| r.property == "small").unwrap();
//! assert_eq!(small.verdict, Verdict::Violated);
//! assert_eq!(small.evidence.as_ref().unwrap().steps.len(), 3);
//! ```

mod automaton;
mod check;
mod ctl;
mod engine;
mod generators;
mod given;
mod ltl;
mod model;
mod net;
mod options;
mod report;
mod symbolic;

pub use burnside_explicit as explicit;
pub use burnside_lang as lang;
pub use burnside_logic as logic;
pub use burnside_perm as perm;
pub use burnside_petri as petri;
pub use burnside_trace as trace;
pub use burnside_ts as ts;

pub use check::{CheckError, check};
pub use given::{Given, GivenKind};
pub use model::{Front, Loaded, Model};
pub use net::{NetModel, NetOptions, check_growing, state_space};
pub use options::{
    Approximation, AutomatonSymmetry, CtlAlgorithm, DeadlockPaths, DiagramOptions, Engine, Fairness,
    Invariance, Limits, Method, Options, SymbolicMethod, Symmetry,
};
pub use report::{Diagrams, Kind, Observer, Product, Progress, PropertyResult, Report, Stats, Verdict, Xi};
