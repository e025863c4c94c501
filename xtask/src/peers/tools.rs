//! The other checkers: where their models are, how they are installed, and one compiled model.

use crate::cpu::{self, Job, Reader};
use crate::process::{Done, root};
use crate::work::text;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::OnceLock;

/// Programs of Debian, each in the package of its name: two checkers, and what tells how much memory they
/// take.
const PROGRAMS: [&str; 3] = ["spin", "rumur", "time"];
/// Seconds of processor time for a compiler.
const LIMIT: u32 = 100;

/// A model with its constants; V is 2 where there is one.
#[derive(Clone, Copy)]
pub struct Subject {
    pub model: &'static str,
    pub n: u32,
    /// The greatest number of the bakery.
    pub m: u32,
}

/// A checker for one model.
pub struct Compiled {
    pub job: Job,
    /// Processor time that it took to make it.
    pub seconds: f64,
}

impl Subject {
    /// Its name with what was chosen.
    pub fn name(&self) -> String {
        let more = if self.model == "bakery" { format!(", M={}", self.m) } else { String::new() };
        format!("{} {}{more}", self.model, self.n)
    }

    /// The constants as options of our program.
    pub fn settings(&self) -> String {
        let more = match self.model {
            "bakery" => format!(" --set M={}", self.m),
            "german" => " --set V=2".to_string(),
            _ => String::new(),
        };
        format!("--set N={}{more}", self.n)
    }

    /// A script of the others' models with the constants in its environment.
    pub fn script(&self, script: &Path, arguments: &[&str]) -> Vec<String> {
        let constants = [format!("N={}", self.n), "V=2".into(), format!("M={}", self.m)];
        let start = std::iter::once("env".to_string()).chain(constants).chain([text(script)]);
        start.chain([self.model.to_string()]).chain(arguments.iter().map(|it| it.to_string())).collect()
    }
}

/// The folder of the others' models, or that there is none.
pub fn models() -> Result<PathBuf, String> {
    let folder = root().parent().map(|it| it.join("shared/peers")).filter(|it| it.is_dir());
    folder.ok_or_else(|| "its models are not in ../shared/peers".to_string())
}

/// Whether there is a program, after it was installed if it can be. That is tried once, for all that is
/// missing.
pub fn installed(program: &str) -> Done {
    static TRIED: OnceLock<()> = OnceLock::new();
    if !found(program) {
        TRIED.get_or_init(install);
    }
    if found(program) { Ok(()) } else { Err(format!("there is no `{program}`")) }
}

fn found(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

fn install() {
    let missing: Vec<_> = PROGRAMS.into_iter().filter(|program| !found(program)).collect();
    if !found("apt-get") {
        return;
    }
    eprintln!("installing {}", missing.join(", "));
    for work in [vec!["update"], [vec!["install", "--yes"], missing].concat()] {
        let mut command = Command::new("apt-get");
        // What cannot be installed is missing afterwards.
        let _ = command.args(["-qq", "-o", "DPkg::Lock::Timeout=120"]).args(work).output();
    }
}

/// Runs the steps that make a file, and tells their processor time.
pub fn make(steps: &[Vec<String>], file: &Path) -> Result<f64, String> {
    // What an earlier run has left is not what these make.
    let _ = std::fs::remove_file(file);
    let mut seconds = 0.0;
    for words in steps {
        let read: Reader = Rc::new(|_| Ok(None));
        let took = cpu::once(&Job { words: words.clone(), read }, LIMIT)?;
        seconds += took.ok_or_else(|| format!("`{}` takes more than {LIMIT} s", words.join(" ")))?.seconds;
    }
    if file.is_file() { Ok(seconds) } else { Err(format!("`{}` failed", steps.concat().join(" "))) }
}

/// The number before a word.
pub fn before(printed: &str, word: &str) -> Option<u64> {
    let number =
        printed.split(word).next().filter(|it| it.len() < printed.len())?.split_whitespace().last()?;
    Some(number.parse::<f64>().ok()? as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_words() {
        assert_eq!(before("\n   589824 states, stored\n", " states, stored"), Some(589_824));
        assert_eq!(before("1.2345e+08 states", " states"), Some(123_450_000));
        assert_eq!(before("no states", " states"), None);
        assert_eq!(before("12", " states"), None);
    }

    #[test]
    fn constants() {
        let bakery = Subject { model: "bakery", n: 4, m: 5 };
        assert_eq!(
            (bakery.name(), bakery.settings()),
            ("bakery 4, M=5".into(), "--set N=4 --set M=5".into())
        );
        let words = Subject { model: "german", ..bakery }.script(Path::new("x.sh"), &["out"]);
        assert_eq!(words.join(" "), "env N=4 V=2 M=5 x.sh german out");
    }
}
