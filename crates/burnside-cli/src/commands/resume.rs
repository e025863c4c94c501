//! `burnside resume`: go on with a check that was kept in a folder.

use crate::args::{CheckArgs, Cli, Command, ResumeArgs};
use crate::commands::check;
use crate::commands::kept::{Kept, shown};
use crate::exit::{Failure, Outcome};
use crate::output::Console;
use crate::supervisor::Supervisor;
use burnside::Checkpoints;
use burnside_checkpoint::{Damage, OpenError};
use std::path::Path;

/// Runs the command.
pub fn run(args: &ResumeArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("what was kept was looked through");
    let opened = Checkpoints::open(&args.folder, args.every).map_err(|error| refused(&args.folder, error))?;
    let wrong = |damage| refused(&args.folder, OpenError::Damaged(args.folder.clone(), damage));
    let kept = Kept::read(&opened.head).map_err(wrong)?;
    let texts = kept.texts().map_err(wrong)?;
    let no_check = || wrong(Damage::Content("it does not say what was to be checked"));
    let typed = match Cli::again(&kept.words).map(|cli| cli.command) {
        Ok(Command::Check(typed)) => *typed,
        _ => return Err(no_check()),
    };
    check::answer(&with(typed, args), texts, Some(opened.checkpoints), console, supervisor)
}

/// What was typed then, with what is said anew.
fn with(typed: CheckArgs, args: &ResumeArgs) -> CheckArgs {
    let mut kept = typed.kept;
    kept.checkpoint = Some(args.folder.clone());
    CheckArgs {
        kept,
        threads: args.threads,
        max_states: args.max_states,
        property_timeout: args.property_timeout,
        progress: args.progress,
        ..typed
    }
}

fn refused(folder: &Path, error: OpenError) -> Failure {
    let folder = shown(folder);
    match error {
        OpenError::Missing => Failure::bad_with_help(
            format!("no check is kept in `{folder}`"),
            "give the folder that was given to `burnside check --checkpoint`",
        ),
        OpenError::Damaged(file, damage) => {
            Failure::bad_with_help(format!("cannot go on with `{}`: {damage}", shown(&file)), ANEW)
        }
        OpenError::Version(other) => {
            let ours = env!("CARGO_PKG_VERSION");
            let message = format!("version {other} has kept the check in `{folder}`, and this is {ours}");
            Failure::bad_with_help(message, format!("go on with version {other}, or check the model again"))
        }
        OpenError::OtherRun(file) => {
            let message = format!("cannot go on with `{}`: it is about another check", shown(&file));
            Failure::bad_with_help(message, ANEW)
        }
        OpenError::Io(error) => Failure::bad(format!("cannot read `{folder}`: {error}")),
    }
}

/// What to do where nothing can be trusted.
const ANEW: &str = "check the model again, with another folder";
