//! What is wrong with a text, and where.

use std::fmt;
use std::ops::Range;

/// Why a net or a formula cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The bytes of the text that are to blame.
    pub span: Range<usize>,
    /// What is wrong: names the element.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Error {
    /// An error without advice.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    /// With advice.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
