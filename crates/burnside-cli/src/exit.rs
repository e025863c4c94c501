//! How the program ends: exit codes, and failures that end a command early.

use crate::input::BadModel;
use burnside_limits::Stop;
pub use burnside_ts::visible;
use std::io;

/// The exit codes, as promised in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Every property holds; what was asked is done.
    Good,
    /// Some property is violated; a trace does not replay; a file would be formatted.
    Violated,
    /// Bad usage or a bad model.
    Bad,
    /// Not known: a limit was hit or something is not supported.
    Unknown,
    /// Our own fault.
    Internal,
}

impl Exit {
    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Good => 0,
            Exit::Violated => 1,
            Exit::Bad => 2,
            Exit::Unknown => 3,
            Exit::Internal => 70,
        }
    }
}

/// Why a command cannot do what it was asked.
#[derive(Debug)]
pub enum Failure {
    /// Wrong usage or a world that does not play along: a message and what to do about it.
    Bad(Bad),
    /// A model, or properties from outside, that have no meaning.
    Model(Vec<BadModel>),
    /// A limit was reached, or it was interrupted.
    Stopped(Stop),
    /// Standard output does not take more.
    Output(io::Error),
    /// Our own fault.
    Internal(String),
}

/// What is wrong with the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// One sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Failure {
    /// A bad request.
    pub fn bad(message: impl Into<String>) -> Self {
        Failure::Bad(Bad { message: message.into(), help: None })
    }

    /// A bad request, with advice.
    pub fn bad_with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Failure::Bad(Bad { message: message.into(), help: Some(help.into()) })
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// What a command gives back.
pub type Outcome = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_documented() {
        let all = [Exit::Good, Exit::Violated, Exit::Bad, Exit::Unknown, Exit::Internal];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 70]);
    }
}
