//! Runs of the program about an instance, and their answers: [`ask`].
//!
//! An examination is one run. Formulas that are left without an answer when its time is up are asked one by
//! one, each with the whole time.

use super::{FILES, GLOBALS, Instance, Wanted};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Not a property: the number of orbits that were found for the state space.
pub const ORBITS: &str = "ORBITS";

/// An answer of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolAnswer {
    /// The answer itself.
    pub answer: String,
    /// What it says that it used.
    pub techniques: String,
}

/// The answers of an examination, by the names of the oracle.
pub fn ask(
    program: &Path,
    instance: &Instance,
    examination: &str,
    wanted: &Wanted,
) -> Result<BTreeMap<String, ToolAnswer>, String> {
    let file = instance.folder.join(examination).with_extension("xml");
    let arguments: Vec<String> = match GLOBALS.contains(&examination) {
        true => vec!["--global".to_string(), examination.to_string()],
        false if file.is_file() => vec!["--properties".to_string(), file.display().to_string()],
        false => return Ok(BTreeMap::new()),
    };
    let mut answers = one_run(program, instance, &arguments, wanted)?;
    let open: Vec<String> = answers
        .iter()
        .filter(|(_, told)| told.answer == "CANNOT_COMPUTE")
        .map(|(name, _)| name.clone())
        .collect();
    // One formula may have taken the time of the others.
    if open.len() < answers.len() || open.len() > 1 {
        for name in open.iter().filter(|_| FILES.contains(&examination)) {
            let single = [&arguments[..], &["--property".to_string(), name.clone()]].concat();
            answers.extend(one_run(program, instance, &single, wanted)?);
        }
    }
    Ok(answers)
}

fn one_run(
    program: &Path,
    instance: &Instance,
    arguments: &[String],
    wanted: &Wanted,
) -> Result<BTreeMap<String, ToolAnswer>, String> {
    let mut command = Command::new(program);
    command.arg("check").arg(instance.folder.join("model.pnml")).args(arguments);
    command.args(["--format", "contest", "--quiet", "--symmetry", &wanted.symmetry]);
    command.args(["--timeout", &wanted.timeout.to_string(), "--shortcuts", &wanted.shortcuts]);
    let output = command.output().map_err(|error| format!("cannot run the program: {error}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("{} {}: {}\n{complaint}", instance.name, arguments.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| answer(instance, line)).collect())
}

/// The property and the answer in a line.
fn answer(instance: &Instance, line: &str) -> Option<(String, ToolAnswer)> {
    let (line, techniques) = line.split_once(" TECHNIQUES ").unwrap_or((line, ""));
    let (name, answer) = match line.split(' ').collect::<Vec<_>>()[..] {
        ["FORMULA", name, answer, ..] if GLOBALS.contains(&name) => {
            (format!("{}-{name}", instance.name), answer)
        }
        ["FORMULA", name, answer, ..] => (name.to_string(), answer),
        ["STATE_SPACE", "ORBITS", count, ..] => (ORBITS.to_string(), count),
        ["STATE_SPACE", figure, value, ..] => (format!("{}-StateSpace-{figure}", instance.name), value),
        _ => return None,
    };
    Some((name, ToolAnswer { answer: answer.to_string(), techniques: techniques.to_string() }))
}
