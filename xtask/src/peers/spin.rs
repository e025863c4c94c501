//! SPIN: a model's states one by one in depth, in C that it generates.
//!
//! Entry point: [`compile`]. SPIN is faster with a hash table that fits the states and a stack that fits the
//! depth, so a run that is not measured finds out both beforehand.

use super::tools::{Compiled, Subject, before, installed, make, models};
use crate::cpu::Job;
use crate::work::text;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

/// The stack of the run beforehand.
const DEPTH: u64 = 2_000_000;

/// What is asked.
#[derive(Clone, Copy)]
pub enum SpinQuestion {
    /// Whether an assertion fails. So many states must be found.
    Safety(u64),
    /// Where it goes on no more. There must be such a state.
    Deadlock,
    /// Whether this formula holds if every process is weakly fair. It must.
    Fair(&'static str),
}

/// A model for SPIN, compiled in this folder.
pub fn compile(folder: &Path, subject: Subject, question: SpinQuestion) -> Result<Compiled, String> {
    let script = models()?.join("spin.sh");
    installed("spin")?;
    let (kind, options, run) = match question {
        SpinQuestion::Safety(_) => ("safety", "-DSAFETY", "-E"),
        SpinQuestion::Deadlock => ("deadlock", "-DSAFETY", ""),
        SpinQuestion::Fair(_) => ("fair", "-DNFAIR=6", "-a -f"),
    };
    let folder = folder.join(format!("{}_{}_{kind}", subject.model, subject.n));
    let (code, program) = (folder.join("pan.c"), folder.join("pan"));
    let mut fill = subject.script(&script, &[&text(&folder)]);
    if let SpinQuestion::Fair(formula) = question {
        fill.insert(1, format!("LTL=ltl asked {{ {formula} }}"));
    }
    let compiler = ["cc", "-O2", "-DNOREDUCE", options, "-w", "-o", &text(&program), &text(&code)];
    let seconds = make(&[fill, compiler.map(String::from).into()], &program)?;
    // It writes what it finds into the folder that it runs in.
    let start = ["env", "-C", &text(&folder), "./pan"].map(String::from);
    let words = |more: String| -> Vec<String> {
        let options = run.split_whitespace().chain(more.split_whitespace()).map(String::from);
        start.iter().cloned().chain(options).collect()
    };
    let (states, depth) = try_out(&words(format!("-m{DEPTH}")))?;
    // Four places for each state: fewer collide more, and more of them take longer to set up.
    let table = states.max(1).ilog2() + 3;
    let read = move |printed: &str| read(printed, question);
    let words = words(format!("-m{} -w{table}", depth + 100));
    Ok(Compiled { job: Job { words, read: Rc::new(read) }, seconds })
}

/// States, and how deep they are.
fn try_out(words: &[String]) -> Result<(u64, u64), String> {
    let output = Command::new(&words[0]).args(&words[1..]).output();
    let output = output.map_err(|error| format!("cannot run SPIN's program: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let figures = before(&printed, " states, stored").zip(before(&printed, ", errors:"));
    figures.ok_or_else(|| format!("SPIN's program tells no figures:\n{printed}"))
}

/// The states, or the length of the run that was found.
fn read(printed: &str, question: SpinQuestion) -> Result<Option<u64>, String> {
    if printed.contains("max search depth too small") {
        return Err("its stack is too small".into());
    }
    let states = before(printed, " states, stored");
    let errors = printed.split_once("errors: ").and_then(|it| it.1.split_whitespace().next());
    match (question, errors) {
        (SpinQuestion::Safety(wanted), Some("0")) if states == Some(wanted) => Ok(states),
        (SpinQuestion::Safety(wanted), Some("0")) => {
            Err(format!("there are {wanted} states, not {states:?}"))
        }
        (SpinQuestion::Fair(_), Some("0")) => Ok(states),
        (SpinQuestion::Deadlock, Some("1")) => Ok(before(printed, ")\npan: wrote")),
        _ => Err(format!("it finds something else than it must:\n{printed}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_compared() {
        let report = "State-vector 28 byte, depth reached 19, errors: 0\n      120 states, stored\n";
        assert_eq!(read(report, SpinQuestion::Safety(120)), Ok(Some(120)));
        assert!(read(report, SpinQuestion::Safety(121)).is_err());
        assert!(read(report, SpinQuestion::Deadlock).is_err());
        assert!(
            read(&format!("error: max search depth too small\n{report}"), SpinQuestion::Safety(120)).is_err()
        );
        assert_eq!(read(report, SpinQuestion::Fair("[] true")), Ok(Some(120)));
        assert!(read(&report.replace("errors: 0", "errors: 1"), SpinQuestion::Fair("[] true")).is_err());
    }

    #[test]
    fn runs_have_a_length() {
        let report = "pan:1: invalid end state (at depth 24)\npan: wrote m.pml.trail\n\nerrors: 1\n";
        assert_eq!(read(report, SpinQuestion::Deadlock), Ok(Some(24)));
    }
}
