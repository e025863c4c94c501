//! `cargo xtask screenshots`: takes the pictures of the book, in Chromium.
//!
//! The work is done by a test of `burnside-cli` beside the other tests of the page.

use crate::process::{self, Done, cargo};

/// Writes `docs/src/images/page-*.png`.
pub fn run() -> Done {
    let mut command = cargo(&["test", "--quiet", "-p", "burnside-cli", "--test", "browser"]);
    command.env("BURNSIDE_PICTURES", "1");
    process::run(command.args(["--", "--exact", "screenshots::screenshots"]))
}
