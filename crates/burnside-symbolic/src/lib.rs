//! Symbolic checking: sets of states as decision diagrams.

mod store;

pub use store::{Bit, Out, Renaming, Set, Stop, Store};
