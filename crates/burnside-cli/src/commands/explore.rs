//! `burnside explore`: a model in a browser. The server and the page are in `burnside-explorer`.
//!
//! It runs until Ctrl-C or `--timeout`, which is how it is meant to end.

use crate::args::{ExploreArgs, FairTo, ReplayArgs};
use crate::commands::replay::{self, Shown};
use crate::commands::{external, unless_closed};
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::input::{self, Input};
use crate::output::Console;
use crate::output::terminal::StandardStream;
use crate::supervisor::Supervisor;
use burnside::nets::NetOptions;
use burnside::{DeadlockPaths, Fairness, LoadOptions, Options};
use burnside_explorer::{Bounds, Explorer, Server, Subject};
use burnside_limits::Stop;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The part of the memory that requests and checks may use, in percent: the program itself must go on.
const SHARE: u64 = 90;
/// How often is looked whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

/// Runs the command.
pub fn run(args: &ExploreArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("the model was loaded");
    let Some(subject) = subject(args, console)? else { return Ok(Exit::Violated) };
    let limits = supervisor.limits();
    let memory = limits.memory.map(|memory| memory / 100 * SHARE);
    let shown = subject.input.source.path.clone();
    let explorer = Explorer::new(subject, Bounds { memory, ..Bounds::default() });
    let server =
        Server::start(explorer, args.port.unwrap_or(0)).map_err(|error| cannot_start(args, &error))?;
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

/// What is explored; nothing if the trace file was refused, which was said then.
fn subject(args: &ExploreArgs, console: &Console) -> Result<Option<Subject>, Failure> {
    let Some(file) = &args.trace else {
        let (input, load) = load(args)?;
        input::warn(&input, console);
        let options = options(true, input.source.is_net());
        return Ok(Some(Subject { input, load, options, known: Vec::new() }));
    };
    if args.external.is_some() {
        return Err(Failure::bad_with_help(
            "the properties come from the trace file",
            "leave out the file, or the properties",
        ));
    }
    if input::is_stdin(&args.model.model) && input::is_stdin(file) {
        return Err(Failure::bad("only one of model and trace file can be standard input"));
    }
    let (model, file) = (args.model.clone(), file.clone());
    let (fairness, deadlock_paths) = (Fairness::Model, None);
    let args = ReplayArgs { model, file, fairness, deadlock_paths, fair: None, fair_to: FairTo::Transition };
    match replay::shown(&args)? {
        Ok(Shown { input, load, made, answers }) => {
            input::warn(&input, console);
            let options = options(made.fair, made.maximal);
            Ok(Some(Subject { input, load, options, known: answers }))
        }
        Err(wrong) => {
            let file = visible(&args.file.display().to_string());
            let why = wrong.join("\n");
            let help = "`burnside replay` says more about it; `burnside check --trace` makes a new one";
            console.error(&format!("`{file}` does not replay: {why}"), Some(help));
            Ok(None)
        }
    }
}

/// The model with the properties that are given beside it, and room for walks.
fn load(args: &ExploreArgs) -> Result<(Input, LoadOptions), Failure> {
    let external = external::external(&args.external, &args.model.model, &[])?;
    let source = input::read(&args.model.model)?;
    if !source.is_net() {
        external::nets_only(&args.external)?;
    }
    let fairness = external::net_fairness(args.external.fair, args.external.fair_to);
    let net = NetOptions { fairness, ..NetOptions::default() };
    let load = LoadOptions { net, ..LoadOptions::new() }.settings(&args.model.settings).external(&external);
    let mut input = input::load_source(source, &load)?;
    input::widen(&mut input)?;
    Ok((input, load))
}

/// How it is checked: about fair runs only or all, and with paths that end in a deadlock or stay there.
fn options(fair: bool, maximal: bool) -> Options {
    Options {
        fairness: if fair { Fairness::Model } else { Fairness::None },
        deadlock_paths: if maximal { DeadlockPaths::Maximal } else { DeadlockPaths::Stutter },
        ..Options::default()
    }
}

/// Says where the page is: to people with a word about it, to programs alone.
fn tell(console: &Console, model: &str, url: &str) -> Result<(), Failure> {
    let mut out = console.report();
    let written = match StandardStream::Out.is_terminal() {
        true => writeln!(
            out,
            "Exploring {model} at\n\n  {url}\n\nOpen this address in a browser; Ctrl-C ends it."
        ),
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
