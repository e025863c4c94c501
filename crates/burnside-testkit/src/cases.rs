//! The cases of a test with many of them, and the command that runs one of them again: see
//! [`burnside_cases`]. Here is what needs the library besides.

pub use burnside_cases::*;

use burnside::files::with_imports;
use std::path::Path;

/// The text of a model with the files that it imports.
pub fn text(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    with_imports(path, &text).unwrap_or(text)
}
