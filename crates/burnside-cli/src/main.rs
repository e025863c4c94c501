//! The `burnside` program: what was typed, what it means, and how the answer is shown. The work itself is in
//! the library.
//!
//! `main` parses the arguments, runs one command from [`commands`] and turns what comes back into an exit
//! code ([`exit::Exit`]). Only this crate prints.

mod args;
mod book;
mod claim;
mod commands;
mod crash;
mod exit;
mod input;
mod interrupt;
mod memory;
mod nearest;
mod output;
mod recorded;
mod run;
mod supervisor;

use std::process::ExitCode;
use std::sync::mpsc;
use supervisor::Supervisor;

/// Room for the recursive walks over deep expressions, also in builds without optimisation.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let cli = match args::Cli::read() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            output::usage(&error);
            return ExitCode::from(exit::Exit::Bad.code());
        }
        Err(help) => help.exit(),
    };
    crash::install();
    let document = cli.document();
    let supervisor =
        if cli.watches() { Supervisor::start_rounds(cli.limits) } else { Supervisor::start(cli.limits) };
    interrupt::stop_on_interrupt(&supervisor);
    let (result, ended) = mpsc::channel();
    let inside = supervisor.clone();
    let work = move || {
        // Nobody waits any more only if the program ends.
        let _ = result.send(commands::run(cli, &inside));
    };
    let worker = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(work);
    let exit = match worker.map(|_| supervisor.wait(&ended)) {
        Ok(Some(Ok(exit))) => exit,
        Ok(Some(Err(stop))) => {
            // The thread of the command goes on: nothing of it may be waited for, so the program ends here.
            output::progress::clear_line();
            let exit = commands::give_up(&supervisor, stop, document.as_ref());
            std::process::exit(i32::from(exit.code()))
        }
        // The hook has said what people need to know.
        Ok(None) => {
            let failure = exit::Failure::Internal("an internal error: see standard error".into());
            document
                .iter()
                .for_each(|document| output::failure::print_failure(document, &failure, &supervisor));
            exit::Exit::Internal
        }
        Err(error) => {
            output::bare_error(&format!("cannot start a thread: {error}"));
            exit::Exit::Bad
        }
    };
    supervisor.tell_looks();
    ExitCode::from(exit.code())
}
