//! The `burnside` program: what was typed, what it means, and how the answer is shown. The work itself is in the library.
//!
//! `main` parses the arguments, runs one command from [`commands`] and turns what comes back into an exit code
//! ([`exit::Exit`]). Only this crate prints.

mod args;
mod claim;
mod commands;
mod crash;
mod exit;
mod input;
mod interrupt;
mod memory;
mod output;
mod random;
mod recorded;
mod recorded_tree;
mod run;

use clap::Parser;
use std::process::ExitCode;

/// Room for the recursive walks over deep expressions, also in builds without optimisation.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    crash::install();
    let document = cli.document();
    let worker =
        std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(move || commands::run(cli));
    let exit = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // The hook has said what people need to know.
        Ok(Err(_panic)) => {
            document.iter().for_each(|model| output::json::print_internal_error(model));
            exit::Exit::Internal
        }
        Err(error) => {
            output::error(&format!("cannot start a thread: {error}"), None, false);
            exit::Exit::Bad
        }
    };
    ExitCode::from(exit.code())
}
