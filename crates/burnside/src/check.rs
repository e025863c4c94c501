//! To come.
use crate::{Model, Observer, Options, Report};

/// Why a check gives no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// There is no property of this name; these there are.
    UnknownProperty(String, Vec<String>),
    /// Our own fault: evidence that does not replay. Says which property and why.
    Internal {
        /// The property.
        property: String,
        /// What does not fit.
        message: String,
    },
}

/// Checks a model.
pub fn check(_model: &Model, _options: &Options, _observer: &mut dyn Observer) -> Result<Report, CheckError> {
    unreachable!()
}
