//! `cargo xtask docs`: runs the documents; with `--bless`, writes what the program prints into them.
//!
//! The work is done by the test `documents` of `burnside-cli`, which knows how blocks are run.

use crate::process::{self, Done, cargo};

/// Runs the test, or lets it write.
pub fn run(bless: bool) -> Done {
    let mut command = cargo(&["test", "--quiet", "-p", "burnside-cli", "--test", "documents"]);
    if bless {
        command.env("BURNSIDE_BLESS", "1");
    }
    process::run(&mut command)
}
