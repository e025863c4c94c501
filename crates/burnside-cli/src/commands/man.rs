//! `burnside man`: manual pages.

use crate::args::{Cli, ManArgs};
use crate::exit::{Exit, Failure, Outcome, visible};
use crate::output::Console;
use clap::CommandFactory;
use std::io::Write;

/// Runs the command.
pub fn run(args: &ManArgs, console: &Console) -> Outcome {
    let mut program = Cli::command();
    program.build();
    let page = match &args.command {
        None => program,
        Some(name) => command(&program, name)?,
    };
    let mut out = console.stdout();
    let source = concat!("burnside ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page).source(source).manual("Burnside").render(&mut out)?;
    out.flush()?;
    Ok(Exit::Good)
}

fn command(program: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    let Some(command) = program.find_subcommand(name) else {
        let names: Vec<_> =
            program.get_subcommands().map(|command| format!("`{}`", command.get_name())).collect();
        let message = format!("there is no command `{}`", visible(name));
        return Err(Failure::bad_with_help(message, format!("the commands are {}", names.join(", "))));
    };
    // A page of its own is called `burnside-check`.
    let title = format!("burnside-{}", command.get_name());
    Ok(command.clone().display_name(title))
}
