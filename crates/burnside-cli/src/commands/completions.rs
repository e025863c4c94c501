//! `burnside completions`: a completion script for a shell.

use crate::args::{Cli, CompletionsArgs};
use crate::exit::{Exit, Outcome};
use crate::output::Console;
use clap::CommandFactory;
use std::io::Write;

/// Runs the command.
pub fn run(args: &CompletionsArgs, console: &Console) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "burnside", &mut script);
    let mut out = console.stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Good)
}
