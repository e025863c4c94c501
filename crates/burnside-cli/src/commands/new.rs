//! `burnside new`: a commented model to start from.

use crate::args::{NewArgs, Template};
use crate::commands::unless_closed;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::shown;
use crate::output::Console;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The most characters of a name.
const LONGEST: usize = 100;

/// Runs the command.
pub fn run(args: &NewArgs, console: &Console) -> Outcome {
    let (path, name) = checked(&args.name)?;
    let text = match args.template {
        Template::Lock => include_str!("../../templates/lock.orb"),
        Template::Messages => include_str!("../../templates/messages.orb"),
        Template::Empty => include_str!("../../templates/empty.orb"),
    };
    let written = File::create_new(&path).and_then(|mut file| file.write_all(filled(text, &name).as_bytes()));
    let shown = shown(&path);
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::bad_with_help(
            format!("`{shown}` is there already, and stays as it is"),
            "choose another name",
        ),
        ErrorKind::NotFound => Failure::bad_with_help(
            format!("cannot write `{shown}`: there is no such folder"),
            "make the folder first",
        ),
        _ => Failure::bad(format!("cannot write `{shown}`: {error}")),
    })?;
    let mut out = console.report();
    let told = writeln!(out, "made `{shown}`; now try\n  burnside check {shown}\n  burnside test {shown}");
    unless_closed(told.and_then(|()| out.flush()))?;
    Ok(Exit::Good)
}

/// The file, and the name of the model.
fn checked(path: &Path) -> Result<(PathBuf, String), Failure> {
    let file = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let name = file.strip_suffix(".orb").unwrap_or(file);
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    if !first || !name.chars().all(letters) || name.len() > LONGEST {
        return Err(Failure::bad_with_help(
            format!("`{}` is not a name for a model", shown(path)),
            format!(
                "a name is made of letters a to z, digits, `_` and `-`, starts with a letter, and has at most {LONGEST} of them"
            ),
        ));
    }
    Ok((path.with_file_name(format!("{name}.orb")), name.to_string()))
}

/// A template with the name of the model.
fn filled(template: &str, name: &str) -> String {
    template.replace("NAME", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_checked() {
        let named = |path: &str| checked(Path::new(path)).ok();
        assert_eq!(named("lock"), Some(("lock.orb".into(), "lock".into())));
        assert_eq!(named("a/my-lock_2.orb"), Some(("a/my-lock_2.orb".into(), "my-lock_2".into())));
        let long = "x".repeat(LONGEST + 1);
        for wrong in ["", ".", "..", "a/", "-x", "2x", "a b", "a.b", ".orb", "é", "-", long.as_str()] {
            let refused = named(wrong).is_none();
            assert!(refused || wrong == "a/", "{wrong}");
        }
    }
}
