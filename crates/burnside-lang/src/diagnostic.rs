//! Diagnostics as data: what is wrong, where, and what to do about it. Rendering happens elsewhere.

pub use crate::code::Code;

/// A half-open range of bytes in the source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to but excluding `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// How many bytes it has.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether it has no bytes.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The text of the span.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model has no meaning; nothing is checked.
    Error,
    /// The model is checked, but something in it is probably not meant.
    Warning,
}

/// A place in the text with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about, with a stable name, for example `unknown-name`.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// The place it is about.
    pub primary: Note,
    /// Other places that explain it (for example the first declaration of a name).
    pub secondary: Vec<Note>,
    /// What to do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, span, message.into())
    }

    fn new(code: Code, severity: Severity, span: Span, message: String) -> Self {
        let primary = Note { span, text: String::new() };
        Self { code, severity, message, primary, secondary: Vec::new(), help: None }
    }

    /// Says something right under the primary place.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds another place.
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Note { span, text: text.into() });
        self
    }

    /// Says what to do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// All places, the primary one first.
    pub fn notes_mut(&mut self) -> impl Iterator<Item = &mut Note> {
        std::iter::once(&mut self.primary).chain(&mut self.secondary)
    }

    /// Whether this is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
