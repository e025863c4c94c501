//! Checkpoints of long runs. What is in them is the affair of those who search; here is how values become
//! bytes, how files tell that they are whole, and when a folder of them is written.
//!
//! Entry points: [`Checkpoints`], a folder that a run is kept in, and [`Persist`], what can be kept. `file`
//! is the one format of all files: parts with checksums that follow from each other, and an end. `persist`
//! has values of the standard library, `values` those of the crates below.
//!
//! A file is written beside and renamed when it is whole, so that whoever is killed leaves the one before.
//! Nothing is kept that could not be found again: a run that goes on without a file begins with what the file
//! was for anew, and comes to the same answer.

mod file;
mod folder;
mod persist;
mod values;

pub use file::{Damage, FORMAT, Reader, Writer};
pub use folder::{Checkpoints, CreateError, Event, Keeping, Key, OpenError, Opened};
pub use persist::Persist;
