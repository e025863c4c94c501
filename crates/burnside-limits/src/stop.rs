//! Why there is no answer: the one vocabulary for it, from the deepest loop to the report.

use std::fmt;
use std::time::Duration;

/// Why work ended without an answer. A limit is named as it was given, not by what was left of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Somebody asked for it. Inside a search also: the [`crate::Interrupt`] is raised, and knows the reason.
    Interrupted,
    /// The time limit of the whole.
    Time(Duration),
    /// The time limit of one property.
    PropertyTime(Duration),
    /// One property's share of the time limit of the whole: the share, and the limit.
    Share(Duration, Duration),
    /// There are more states than this.
    States(u64),
    /// So many bytes are in use.
    Memory(u64),
    /// Decision diagrams have more nodes than this.
    Nodes(u64),
    /// Something is larger than can be dealt with, whatever the limits are.
    TooLarge(Large),
    /// A condition has no value in a reachable state: its text.
    Undefined(String),
    /// A symmetry was used that nobody proved; which, and what is known of it.
    Unverified(String),
    /// The method that was asked for cannot tell, and why.
    Inconclusive(String),
    /// A place of a net has no room for its tokens, whatever room it gets; which, and why.
    Unbounded(String),
    /// A part of a cluster is gone; which, and how.
    Lost(String),
    /// There is no initial state, so there is nothing that a property could speak of.
    NoInitialState,
    /// Nothing was done for it.
    NotChecked,
}

/// What is too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Large {
    /// There are more states than can be numbered.
    States,
    /// The search is deeper than can be numbered.
    Depth,
    /// The quantifiers in front of a formula have too many values.
    Tuples,
    /// The loop that shows a violation.
    Run,
    /// Anything else, as a sentence.
    Other(String),
}

impl Stop {
    /// That something is too large, as a sentence.
    pub fn too_large(what: impl Into<String>) -> Self {
        Stop::TooLarge(Large::Other(what.into()))
    }

    /// Its name in outputs.
    pub fn code(&self) -> &'static str {
        match self {
            Stop::Interrupted => "interrupted",
            Stop::Time(_) => "time",
            Stop::PropertyTime(_) => "property-time",
            Stop::Share(..) => "time-share",
            Stop::States(_) => "states",
            Stop::Memory(_) => "memory",
            Stop::Nodes(_) => "nodes",
            Stop::TooLarge(_) => "too-large",
            Stop::Undefined(_) => "undefined",
            Stop::Unverified(_) => "unverified-generator",
            Stop::Inconclusive(_) => "inconclusive",
            Stop::Unbounded(_) => "unbounded",
            Stop::Lost(_) => "lost",
            Stop::NoInitialState => "no-initial-state",
            Stop::NotChecked => "not-checked",
        }
    }

    /// Whether there is no room: giving some back could help.
    pub fn is_room(&self) -> bool {
        matches!(self, Stop::Memory(_) | Stop::Nodes(_))
    }

    /// Whether more time or room could have brought an answer.
    pub fn is_limit(&self) -> bool {
        matches!(
            self,
            Stop::Interrupted
                | Stop::Time(_)
                | Stop::PropertyTime(_)
                | Stop::Share(..)
                | Stop::States(_)
                | Stop::Memory(_)
                | Stop::Nodes(_)
        )
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Interrupted => write!(f, "interrupted"),
            Stop::Time(limit) => write!(f, "the time limit of {} s is reached", limit.as_secs_f64()),
            Stop::PropertyTime(limit) => {
                write!(f, "the time limit of {} s for each property is reached", limit.as_secs_f64())
            }
            Stop::Share(share, limit) => write!(
                f,
                "its share of the time limit of {} s is used up ({:.*} s)",
                limit.as_secs_f64(),
                // Shares of short limits are shorter than a tenth of a second.
                if share.as_secs() > 0 { 1 } else { 3 },
                share.as_secs_f64()
            ),
            Stop::States(limit) => write!(f, "the limit of {limit} states is reached"),
            Stop::Memory(limit) => write!(f, "the limit of {limit} bytes is reached"),
            Stop::Nodes(limit) => write!(f, "the limit of {limit} nodes is reached"),
            Stop::TooLarge(large) => large.fmt(f),
            Stop::Undefined(text) => write!(f, "the condition faults in a reachable state: `{text}`"),
            Stop::Unverified(why) | Stop::Inconclusive(why) | Stop::Unbounded(why) | Stop::Lost(why) => {
                f.write_str(why)
            }
            Stop::NoInitialState => write!(f, "there is no initial state"),
            Stop::NotChecked => write!(f, "it was not checked"),
        }
    }
}

impl fmt::Display for Large {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Large::States => "there are more states than can be numbered",
            Large::Depth => "the search is deeper than can be numbered",
            Large::Tuples => "the quantifiers in front have too many values",
            Large::Run => "there is a violation, but a loop that shows it has more than two million steps",
            Large::Other(sentence) => sentence,
        })
    }
}

impl std::error::Error for Stop {}
