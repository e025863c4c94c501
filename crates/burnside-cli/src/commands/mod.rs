//! One file per command.

mod check;
mod completions;
mod dump;
mod fmt;
pub mod graph;
mod interactive;
mod man;
pub mod replay;
mod replay_tree;
mod simulate;
pub mod symmetry;
mod translate;

use crate::args::{Cli, Command};
use crate::exit::{Bad, Exit, Failure};
use crate::output::Console;
use crate::{crash, output};
use std::io;

/// Runs a command and says what went wrong, if anything.
pub fn run(cli: Cli) -> Exit {
    let console = Console::new(cli.color);
    let outcome = match cli.command {
        Command::Check(args) => check::run(&args, &console),
        Command::Replay(args) => replay::run(&args, &console),
        Command::Symmetry(args) => symmetry::run(&args, &console),
        Command::Graph(args) => graph::run(&args, &console),
        Command::Simulate(args) => simulate::run(&args, &console),
        Command::Fmt(args) => fmt::run(&args, &console),
        Command::Dump(args) => dump::run(&args, &console),
        Command::Translate(args) => translate::run(&args, &console),
        Command::Completions(args) => completions::run(&args, &console),
        Command::Man(args) => man::run(&args, &console),
    };
    outcome.unwrap_or_else(|failure| explain(&failure, &console))
}

/// Prints a failure and gives its exit code.
pub fn explain(failure: &Failure, console: &Console) -> Exit {
    match failure {
        Failure::Bad(Bad { message, help }) => {
            console.error(message, help.as_deref());
            Exit::Bad
        }
        Failure::Model(bad) => {
            bad.iter().for_each(|bad| console.bad_model(bad));
            Exit::Bad
        }
        // The reader has seen enough.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good,
        Failure::Output(error) => {
            output::error(&format!("cannot write to standard output: {error}"), None, console.err.colored);
            Exit::Bad
        }
        Failure::Internal(message) => {
            crash::report(None, message);
            Exit::Internal
        }
    }
}

/// Turns a closed pipe into success, where the exit code has something else to tell.
pub fn unless_closed(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
