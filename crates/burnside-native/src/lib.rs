//! Transition systems as machine code, by Cranelift: guards, bodies of rules and conditions.
//!
//! Entry points: [`Native`], which a [`System`](burnside_ts::System) names as its accelerator to be run by
//! native code, and [`NativeMachine`]. The interpreter defines what a system does; code here must agree with
//! it step by step,
//! and leaves to it whatever goes wrong (`emitter`), what it does not know (`expr`, `stmt`), and short walks
//! (`machine`). Nothing here is used by replay.
//!
//! What is `unsafe` here is to call what was compiled, to free it, and to share it: `code`,
//! `jit` and one copy in `steps`.

mod accelerator;
mod choice;
mod code;
mod collection;
mod domain;
mod emitter;
mod expr;
mod jit;
mod machine;
mod place;
mod scan;
mod steps;
mod stmt;

pub use accelerator::Native;
pub use code::NativeCode;
pub use machine::NativeMachine;
