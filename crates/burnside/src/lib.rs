//! Burnside as a library: load a model, check its properties, get verdicts with evidence that was replayed.
//! Prints nothing.
//!
//! ```
//! use burnside::{Model, Options, Value, Verdict};
//!
//! let text = "
//!     var x: 0..3;
//!     process P { rule up when x < 3 { x = x + 1; } }
//!     deadlock allowed;
//!     invariant small = x < 3;
//! ";
//! let model = Model::load(text, &[]).model.unwrap();
//! let report = burnside::check(&model, &Options::default(), &mut ()).unwrap();
//! let small = report.answer("small").unwrap();
//! assert_eq!(small.verdict, Verdict::Violated);
//! let run = model.run(small).unwrap();
//! assert_eq!(run.step(2).rule(), "up");
//! assert_eq!(run.state(3).get("x"), Some(Value::Int(3)));
//! ```

mod check;
mod clock;
mod engine;
mod external;
mod generators;
mod model;
mod net;
mod report;
mod run;
mod stack;

pub use burnside_explicit as explicit;
pub use burnside_lang as lang;
pub use burnside_limits as limits;
pub use burnside_logic as logic;
pub use burnside_perm as perm;
pub use burnside_petri as petri;
pub use burnside_trace as trace;
pub use burnside_ts as ts;

pub use burnside_engine::{
    Answer, AutomatonSymmetry, CtlAlgorithm, DeadlockPaths, DiagramOptions, Engine, Fairness, Invariance,
    Method, Options, Part, Procedure, SymbolicMethod, Symmetry, Verdict,
};
pub use burnside_limits::{
    Choice, Diagrams, Interrupt, Labelling, Limits, Observer, Product, Progress, Stats, Stop, Xi,
};
pub use burnside_ts::{Kind, Value};
pub use check::{CheckError, check};
pub use external::{ExternalKind, ExternalProperty};
pub use model::{Front, Loaded, Model};
pub use net::{NetModel, NetOptions, check_growing, state_space};
pub use report::Report;
pub use run::{Run, StateView, StepView};
