//! One file per command.

mod check;
mod cluster;
mod completions;
mod convert;
mod docs;
mod dump;
mod every;
mod explain;
mod explore;
mod external;
mod fmt;
pub mod graph;
mod interactive;
mod kept;
mod lsp;
mod man;
mod member;
mod new;
pub mod replay;
mod resume;
mod runs;
mod simulate;
pub mod symmetry;
mod test;
mod translate;
mod watch;

use crate::args::{Cli, Command, Document};
use crate::crash;
use crate::exit::{Bad, Exit, Failure, Outcome};
use crate::output::{self, Console, failure};
use crate::supervisor::Supervisor;
use burnside_limits::Stop;
use std::io;

/// Runs a command and says what went wrong, if anything.
pub fn run(cli: Cli, supervisor: &Supervisor) -> Exit {
    let console = Console::new(cli.color);
    let document = cli.document();
    let outcome = supervisor.guard(|| dispatch(&cli.command, &console, supervisor));
    let failure = match outcome {
        Ok(Ok(exit)) => return exit,
        Ok(Err(failure)) => failure,
        Err(stop) => Failure::Stopped(stop),
    };
    let exit = explain(&failure, &console, supervisor);
    if let (Failure::Model(bad), None) = (&failure, &document) {
        console.more(bad);
    }
    if let Some(document) = document.filter(|_| !matches!(failure, Failure::Output(_))) {
        failure::print_failure(&document, &failure, supervisor);
    }
    exit
}

fn dispatch(command: &Command, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase(match command {
        Command::Replay(_) => "the runs were replayed",
        Command::Symmetry(_) => "the symmetry was analysed",
        Command::Explore(_) => "the model was explored",
        Command::Simulate(_) => "the walk was taken",
        Command::Fmt(_) => "the models were laid out",
        Command::Dump(_) => "the model was shown",
        Command::Convert(_) => "the model was converted",
        Command::Translate(_) => "the formula was translated",
        Command::Lsp(_) => "an editor was served",
        Command::Cluster(_) => "the processes of the cluster were at work",
        _ => "the command was started",
    });
    match command {
        Command::Check(args) => check::run(args, console, supervisor),
        Command::Cluster(args) => cluster::run(args, supervisor),
        Command::Test(args) => test::run(args, console, supervisor),
        Command::Resume(args) => resume::run(args, console, supervisor),
        Command::New(args) => new::run(args, console),
        Command::Replay(args) => replay::run(args, console),
        Command::Verify(args) => every::check_certificate(args, console, supervisor),
        Command::Symmetry(args) => symmetry::run(args, console),
        Command::Graph(args) => graph::run(args, console, supervisor),
        Command::Explore(args) => explore::run(args, console, supervisor),
        Command::Simulate(args) => simulate::run(args, console),
        Command::Fmt(args) => fmt::run(args, console, supervisor),
        Command::Dump(args) => dump::run(args, console),
        Command::Convert(args) => convert::run(args, console),
        Command::Translate(args) => translate::run(args, console),
        Command::Lsp(args) => lsp::run(args, supervisor),
        Command::Explain(args) => explain::run(args, console),
        Command::Docs(args) => docs::run(args, console),
        Command::Completions(args) => completions::run(args, console),
        Command::Man(args) => man::run(args, console),
    }
}

/// Says that a command was ended from outside; its console is not known any more.
pub fn give_up(supervisor: &Supervisor, stop: Stop, document: Option<&Document>) -> Exit {
    supervisor.say_last_words(&stop);
    output::bare_error(&supervisor.explain(&stop));
    if let Some(document) = document {
        failure::print_failure(document, &Failure::Stopped(stop), supervisor);
    }
    Exit::Unknown
}

/// Prints a failure and gives its exit code.
pub fn explain(failure: &Failure, console: &Console, supervisor: &Supervisor) -> Exit {
    match failure {
        Failure::Bad(Bad { message, help }) => {
            console.error(message, help.as_deref());
            Exit::Bad
        }
        Failure::Model(bad) => {
            bad.iter().for_each(|bad| console.bad_model(bad));
            Exit::Bad
        }
        Failure::Stopped(stop) => {
            output::progress::clear_line();
            console.error(&supervisor.explain(stop), None);
            Exit::Unknown
        }
        // The reader has seen enough.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Good,
        Failure::Output(error) => {
            console.error(&format!("cannot write to standard output: {error}"), None);
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
