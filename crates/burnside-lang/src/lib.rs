//! The `.orb` language: text → syntax tree → checked model → transition system, with diagnostics as data.
//!
//! Nothing here prints, reads files or explores states.

pub mod check;
pub mod diagnostic;
pub mod hir;
pub mod lower;
pub mod syntax;
