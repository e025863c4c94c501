//! `burnside explore`: a model in a browser. The server and the page are in `burnside-explorer`.
//!
//! It runs until Ctrl-C or `--timeout`, which is how it is meant to end.

use crate::args::ExploreArgs;
use crate::commands::unless_closed;
use crate::exit::{Exit, Failure, Outcome};
use crate::input;
use crate::output::Console;
use crate::output::terminal::StandardStream;
use crate::supervisor::Supervisor;
use burnside::{DeadlockPaths, LoadOptions, Options};
use burnside_explorer::{Bounds, Explorer, Server, Subject};
use burnside_limits::Stop;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The part of the memory that requests and checks may use, in percent: the program itself must go on.
const SHARE: u64 = 90;
/// How often is looked whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("the model was loaded");
    let subject = subject(args, console)?;
    let limits = supervisor.limits();
    let memory = limits.memory.map(|memory| memory / 100 * SHARE);
    let shown = subject.input.source.path.clone();
    let explorer = Explorer::new(subject, Bounds { memory, ..Bounds::default() });
    let server = Server::start(explorer, args.port.unwrap_or(0)).map_err(|error| cannot_start(args, &error))?;
    supervisor.phase("the model was explored");
    tell(console, &shown, &server.url())?;
    if args.open && !open(&server.url()) {
        console.note("no browser could be started: open the address yourself");
    }
    // Nothing is written any more, so the limits are looked at here.
    while !limits.interrupt.is_raised() {
        std::thread::sleep(LOOK);
    }
    drop(server);
    match limits.interrupt.stop() {
        None | Some(Stop::Interrupted | Stop::Time(_)) => Ok(Exit::Good),
        Some(stop) => Err(Failure::Stopped(stop)),
    }
}

/// What is explored.
fn subject(args: &ExploreArgs, console: &Console) -> Result<Subject, Failure> {
    let input = input::load_and_warn(&args.model, console)?;
    let load = LoadOptions::new().settings(&args.model.settings);
    let paths = if input.source.is_net() { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter };
    let options = Options { deadlock_paths: paths, ..Options::default() };
    Ok(Subject { input, load, options, known: Vec::new() })
}

/// Says where the page is: to people with a word about it, to programs alone.
fn tell(console: &Console, model: &str, url: &str) -> Result<(), Failure> {
    let mut out = console.report();
    let written = match StandardStream::Out.is_terminal() {
        true => writeln!(out, "Exploring {model} at\n\n  {url}\n\nOpen this address in a browser; Ctrl-C ends it."),
        false => writeln!(out, "{url}"),
    };
    unless_closed(written.and_then(|()| out.flush()))
}

fn cannot_start(args: &ExploreArgs, error: &std::io::Error) -> Failure {
    match args.port {
        Some(port) => Failure::bad_with_help(
            format!("cannot listen on port {port} of this machine: {error}"),
            "leave out `--port`: then a free one is used",
        ),
        None => Failure::bad(format!("cannot listen on a port of this machine: {error}")),
    }
}

/// Starts the system's browser. Tells whether something was started.
fn open(url: &str) -> bool {
    let ways: &[&[&str]] = match () {
        () if cfg!(target_os = "macos") => &[&["open"]],
        () if cfg!(target_os = "windows") => &[&["rundll32", "url.dll,FileProtocolHandler"]],
        () => &[&["xdg-open"], &["x-www-browser"], &["sensible-browser"], &["wslview"]],
    };
    ways.iter().any(|way| {
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().is_ok()
    })
}
