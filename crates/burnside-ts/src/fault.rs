//! What can go wrong while a model runs. A fault is a finding about the model, not an error of ours.

use crate::code::SiteId;
use crate::system::System;
use std::fmt;

/// What went wrong and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub site: SiteId,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A number is assigned to something that cannot hold it.
    OutOfRange {
        /// The number.
        value: i64,
        /// The least that fits.
        lo: i64,
        /// The greatest that fits.
        hi: i64,
    },
    /// An array has no such element.
    IndexOutOfRange {
        /// The index.
        index: i64,
        /// The first that there is.
        lo: i64,
        /// The last that there is.
        hi: i64,
    },
    /// A division by zero.
    DivisionByZero,
    /// A number that does not fit 64 bits.
    Overflow,
    /// `e!` where there is none.
    NoValue,
    /// One more element for a queue or a bag that is full.
    Full {
        /// So many it holds.
        capacity: u32,
    },
    /// An element of a queue that is empty.
    Empty,
    /// An element to be removed that the bag does not hold.
    NotInBag,
    /// `any in` of something that is empty.
    NothingToChoose,
    /// The least or greatest of nothing.
    NothingToCompare,
    /// An assertion that is false.
    AssertionFailed,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FaultKind::OutOfRange { value, lo, hi } => write!(f, "the value {value} is outside {lo}..{hi}"),
            FaultKind::IndexOutOfRange { index, lo, hi } => {
                write!(f, "the index {index} is outside {lo}..{hi}")
            }
            FaultKind::DivisionByZero => write!(f, "division by zero"),
            FaultKind::Overflow => write!(f, "the result does not fit 64 bits"),
            FaultKind::NoValue => write!(f, "the value of none is taken"),
            FaultKind::Full { capacity } => write!(f, "full: its capacity is {capacity}"),
            FaultKind::Empty => write!(f, "the queue is empty"),
            FaultKind::NotInBag => write!(f, "the bag does not hold this element"),
            FaultKind::NothingToChoose => write!(f, "nothing to choose from: the collection is empty"),
            FaultKind::NothingToCompare => write!(f, "the minimum or maximum of nothing"),
            FaultKind::AssertionFailed => write!(f, "the assertion is false"),
        }
    }
}

impl Fault {
    /// A sentence that says what went wrong in which expression of the text.
    pub fn describe(&self, system: &System) -> String {
        let site = system.site(self.site);
        let mut text = format!("{} in `{}`", self.kind, site.text);
        if site.line > 0 {
            text = format!("{text} (line {})", site.line);
        }
        if let Some(message) = &site.message {
            text = format!("{text}: {message}");
        }
        text
    }
}
