//! The `.orb` language: text → syntax tree → checked model → transition system, with diagnostics as data.
//!
//! Nothing here prints, reads files or explores states.

pub mod check;
mod code;
pub mod diagnostic;
pub mod expect;
pub mod family;
pub mod hir;
mod hir_spans;
mod hir_walk;
pub mod import;
pub mod lines;
pub mod lower;
pub mod symmetry;
pub mod syntax;
