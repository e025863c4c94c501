//! Evidence for verdicts, and its replay. Trust flows from here: this crate knows the system and its
//! interpreter, and no reduction, no store and no engine.

mod actors;
mod along;
mod branching;
mod evidence;
mod fairness;
mod lasso;
mod naive;
mod never;
mod reason;
mod replay;
mod step;
mod tree;
mod truth;

pub use actors::{Actor, Fairness, Waiting, actors};
pub use along::{automaton_states, sequence_positions, values};
pub use branching::{Shown, TreeOptions, explain_tree, replay_subtree, replay_tree};
pub use evidence::{Claim, End, Evidence, Step};
pub use fairness::{Treatment, UnitFairness, UnitTimes, explain, timetable};
pub use naive::{greatest, holds_initially};
pub use never::{Positions, Regular};
pub use reason::{Place, Reason, Why};
pub use replay::{Mismatch, Replay, replay};
pub use step::{step_between, step_to};
pub use tree::Tree;
pub use truth::{branching_truths, culprits, faults, truths};
