//! A model whose conditions can be watched: data for `coverage`.

use burnside_lang::diagnostic::Span;
use burnside_lang::lower::Probe;
use burnside_ts::{Site, System};

/// A model whose conditions can be watched.
#[derive(Debug)]
pub struct Probed {
    pub(crate) system: System,
    pub(crate) probes: Vec<Probe>,
    /// The rules of the model, and where they stand.
    pub(crate) rules: Vec<(Span, Site)>,
}
