//! `burnside fmt`: the one true layout.

use crate::args::FmtArgs;
use crate::commands::explain;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, BadModel, Source};
use crate::output::{Console, message};
use crate::supervisor::Supervisor;
use burnside_lang::syntax;
use std::io::Write;
use std::path::Path;

/// Runs the command. Goes on with the next file when one is bad.
pub fn run(args: &FmtArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    let mut worst = Exit::Good;
    for path in &args.models {
        let outcome = one(path, args.check, console);
        let exit = match outcome {
            Err(Failure::Output(error)) => return Err(Failure::Output(error)),
            outcome => outcome.unwrap_or_else(|failure| explain(&failure, console, supervisor)),
        };
        if exit.code() > worst.code() {
            worst = exit;
        }
    }
    Ok(worst)
}

fn one(path: &Path, only_check: bool, console: &Console) -> Outcome {
    let source = input::read(path)?;
    let formatted = formatted(&source)?;
    if only_check {
        return changed(&source, &formatted, console);
    }
    if input::is_stdin(path) {
        let mut out = console.stdout();
        out.write_all(formatted.as_bytes())?;
        out.flush()?;
    } else if formatted != *source.text {
        let written = std::fs::write(path, formatted);
        written.map_err(|error| Failure::bad(format!("cannot write `{}`: {error}", source.path)))?;
        message(&format!("formatted `{}`\n", source.path));
    }
    Ok(Exit::Good)
}

/// Lists the file if formatting changes it.
fn changed(source: &Source, formatted: &str, console: &Console) -> Outcome {
    if formatted == *source.text {
        return Ok(Exit::Good);
    }
    let mut out = console.stdout();
    writeln!(out, "{}", source.path)?;
    out.flush()?;
    Ok(Exit::Violated)
}

/// The text in the one true layout; a text with syntax errors has none.
fn formatted(source: &Source) -> Result<String, Failure> {
    if source.is_net() {
        return Err(Failure::bad(format!("`{}` is a Petri net, which has no layout", source.path)));
    }
    if source.is_murphi() {
        let help = "`burnside convert` prints it in our own language";
        return Err(Failure::bad_with_help(
            format!("`{}` is a Murphi model, which has no layout", source.path),
            help,
        ));
    }
    syntax::format(&source.text).map_err(|diagnostics| {
        let bad = BadModel { source: source.clone(), diagnostics, setting_errors: Vec::new() };
        Failure::Model(vec![bad])
    })
}
