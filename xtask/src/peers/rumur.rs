//! Rumur: a model's states one by one in breadth, in C that it generates.

use super::tools::{Compiled, Subject, before, installed, make, models};
use crate::cpu::Job;
use crate::work::text;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What Rumur makes of interchangeable members.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// Ranges of numbers.
    Apart,
    /// Scalarsets, reduced by its heuristic.
    Alike,
}

/// A file of a model for Rumur: `.m` is its text.
pub fn file(folder: &Path, subject: Subject, members: Members, ending: &str) -> PathBuf {
    let members = if members == Members::Alike { "alike" } else { "apart" };
    folder.join(format!("{}_{}_{members}{ending}", subject.model, subject.n))
}

/// A model for Rumur, compiled in this folder. It looks for faults and asserts, and not for deadlocks. With
/// members apart it must find so many states.
pub fn compile(folder: &Path, subject: Subject, members: Members, states: u64) -> Result<Compiled, String> {
    let script = models()?.join("murphi.sh");
    installed("rumur")?;
    let alike = members == Members::Alike;
    let at = |ending: &str| file(folder, subject, members, ending);
    let (source, code, program) = (at(".m"), at("_rumur.c"), at("_rumur"));
    let reduction = if alike { "heuristic --scalarset-schedules off" } else { "off" };
    let rumur =
        format!("rumur --threads 1 --deadlock-detection off --symmetry-reduction {reduction} --output");
    let words = |start: &str, rest: &[&Path]| -> Vec<String> {
        start.split(' ').map(String::from).chain(rest.iter().map(|it| text(it))).collect()
    };
    let mut compiler = words("cc -O3 -march=native -mcx16 -w -o", &[&program, &code]);
    compiler.push("-lpthread".into());
    let fill = subject.script(&script, &[&text(&source), if alike { "1" } else { "0" }]);
    let seconds = make(&[fill, words(&rumur, &[&code, &source]), compiler], &program)?;
    let read = move |printed: &str| {
        let found = before(printed, " states,");
        match printed.contains("No error found") {
            true if alike || found == Some(states) => Ok(found),
            true => Err(format!("there are {states} states, not {found:?}")),
            false => Err(format!("an error was found:\n{printed}")),
        }
    };
    Ok(Compiled { job: Job { words: vec![text(&program)], read: Rc::new(read) }, seconds })
}
