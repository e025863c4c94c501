//! What work may use ([`Limits`]), what it used ([`Stats`],
//! [`Progress`]), and why it ended without an answer ([`Stop`]): one vocabulary for every engine and phase.
//!
//! An [`Interrupt`] is raised once, with a reason (a [`Stop`]): by a signal, or by a [`Watchdog`], a thread
//! that knows the clock and the memory in use. Whoever works looks at it in one of two ways:
//!
//! - A search that has something to tell when it ends early asks [`Interrupt::is_raised`] and returns.
//! - Everything else, however deep, calls
//!   [`poll`] in its loops. Where the interrupt that was [entered](Interrupt::enter) is raised, `poll`
//!   unwinds to the nearest [`catch`], which gives the reason. So no phase needs a `Result` for this, and
//!   none is left out. What is unwound must not be looked at again: only values that the closure owns, or
//!   that are dropped with the answer, may be half done.
//!
//! Looking is cheap (a load), but not free: loops whose rounds take nanoseconds look every so many rounds,
//! see [`Pace`]. In programs that abort on panics nothing can unwind: there [`poll`] does nothing, and limits
//! hold only where searches ask.

mod ambient;
mod choice;
mod interrupt;
mod limits;
mod memory;
mod pace;
mod random;
mod stats;
mod stop;
mod watchdog;

pub use ambient::{catch, current, give_up, poll};
pub use choice::Choice;
pub use interrupt::Interrupt;
pub use limits::{Limits, Threads};
pub use memory::{next_look, resident};
pub use pace::Pace;
pub use random::Random;
pub use stats::{Diagrams, HuntStats, Labelling, MANY, Observer, Product, Progress, Stats, Task, Xi, told};
pub use stop::{Large, Stop};
pub use watchdog::{Share, Watchdog, grace};
