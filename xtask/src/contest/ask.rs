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

/// The answers of an examination, by the names of the oracle.
pub fn ask(
    program: &Path,
    instance: &Instance,
    examination: &str,
    wanted: &Wanted,
) -> Result<BTreeMap<String, String>, String> {
    let file = instance.folder.join(examination).with_extension("xml");
    let arguments: Vec<String> = match GLOBALS.contains(&examination) {
        true => vec!["--global".to_string(), examination.to_string()],
        false if file.is_file() => vec!["--properties".to_string(), file.display().to_string()],
        false => return Ok(BTreeMap::new()),
    };
    let mut answers = one_run(program, instance, &arguments, wanted)?;
    let open: Vec<String> = answers
        .iter()
        .filter(|(_, answer)| *answer == "CANNOT_COMPUTE")
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
) -> Result<BTreeMap<String, String>, String> {
    let mut command = Command::new(program);
    command.arg("check").arg(instance.folder.join("model.pnml")).args(arguments);
    command.args(["--format", "contest", "--quiet", "--symmetry", &wanted.symmetry]);
    command.args(["--timeout", &wanted.timeout.to_string()]);
    let output = command.output().map_err(|error| format!("cannot run the program: {error}"))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("{} {}: {}\n{complaint}", instance.name, arguments.join(" "), output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| answer(instance, line)).collect())
}

/// The property and the answer in a line.
fn answer(instance: &Instance, line: &str) -> Option<(String, String)> {
    match line.split(' ').collect::<Vec<_>>()[..] {
        ["FORMULA", name, answer, ..] if GLOBALS.contains(&name) => {
            Some((format!("{}-{name}", instance.name), answer.to_string()))
        }
        ["FORMULA", name, answer, ..] => Some((name.to_string(), answer.to_string())),
        ["STATE_SPACE", "ORBITS", count, ..] => Some((ORBITS.to_string(), count.to_string())),
        ["STATE_SPACE", figure, value, ..] => {
            Some((format!("{}-StateSpace-{figure}", instance.name), value.to_string()))
        }
        _ => None,
    }
}
