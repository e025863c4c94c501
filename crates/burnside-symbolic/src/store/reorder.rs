//! Better orders of the variables.

/// When to look for a better order next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Schedule {}
