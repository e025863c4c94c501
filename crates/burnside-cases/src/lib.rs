//! The cases of a test with many of them, and the command that runs one of them again.
//!
//! Entry points: [`seeds`], [`files`], [`named`] and [`parts`], which tests go through; if a test panics on
//! the way, the command for the case at hand is printed. [`again`] gives it to tests that collect what is
//! wrong. [`Again`] is for tests whose cases come one out of the other, from one seed that is always the
//! same: it prints the command for all of them. Nothing of the project is used, so that every crate can.
//! Two environment variables, read here and nowhere else, say which cases are taken: `BURNSIDE_CASE`
//! is a seed, `FIRST..END` or the name of a file, and `BURNSIDE_TEST_SHARE=0.1` takes a tenth of all (`cargo
//! xtask test --quick`). What is said about all cases together is only asked if all are taken: see
//! [`are_all`].

use std::ops::Range;
use std::path::{Path, PathBuf};

/// The variable that names the cases to take.
const CASE: &str = "BURNSIDE_CASE";
/// The variable that tells how large a part of the cases to take.
const SHARE: &str = "BURNSIDE_TEST_SHARE";

/// Something with which a test can be run alone.
pub trait Case {
    /// The text that means it.
    fn name(&self) -> String;
}

impl Case for u64 {
    fn name(&self) -> String {
        self.to_string()
    }
}

impl Case for PathBuf {
    fn name(&self) -> String {
        self.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

impl Case for String {
    fn name(&self) -> String {
        self.clone()
    }
}

/// The cases of a test, one after the other.
pub struct Cases<T: Case> {
    left: std::vec::IntoIter<T>,
    /// The one that was given last.
    current: Option<String>,
}

impl<T: Case> Cases<T> {
    fn new(cases: Vec<T>) -> Self {
        Self { left: cases.into_iter(), current: None }
    }
}

impl<T: Case> Iterator for Cases<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let next = self.left.next();
        self.current = next.as_ref().map(Case::name);
        next
    }
}

/// A panic while a case was looked at is its own.
impl<T: Case> Drop for Cases<T> {
    fn drop(&mut self) {
        if let (Some(case), true) = (&self.current, std::thread::panicking()) {
            eprintln!("{}", again(case));
        }
    }
}

/// The seeds of a test: a share of these, or those that are given.
pub fn seeds(usual: Range<u64>) -> Cases<u64> {
    let count = part(usual.end - usual.start, share());
    match std::env::var(CASE) {
        Ok(text) => Cases::new(range(&text).unwrap_or(0..0).collect()),
        Err(_) => Cases::new((usual.start..usual.start + count).collect()),
    }
}

/// The numbered parts of a test, such as those of a long list: a share of them, or the one that is given.
pub fn parts(count: usize) -> impl Iterator<Item = usize> {
    seeds(0..count as u64).map(|part| part as usize).filter(move |&part| part < count)
}

/// The seeds that are given from outside, for tests that have none of their own (`cargo xtask fuzz`).
pub fn given_seeds() -> Option<Range<u64>> {
    std::env::var(CASE).ok().and_then(|text| range(&text))
}

/// The files of a folder whose names end like this: a share of them, or the one that is given.
pub fn files(folder: impl AsRef<Path>, ending: &str) -> Cases<PathBuf> {
    let folder = folder.as_ref();
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == ending));
    paths.sort();
    named(paths)
}

/// A share of these cases, from all over, or the one that is given.
pub fn named<T: Case + Clone>(cases: Vec<T>) -> Cases<T> {
    let all = cases.len() as u64;
    let count = part(all, share());
    match std::env::var(CASE) {
        Ok(name) => Cases::new(cases.into_iter().filter(|case| case.name() == name).collect()),
        Err(_) => Cases::new((0..count).map(|i| cases[(i * all / count) as usize].clone()).collect()),
    }
}

/// Whether all cases of every test are taken.
pub fn are_all() -> bool {
    std::env::var_os(CASE).is_none() && share() >= 1.0
}

/// How large a part of the cases is taken.
fn share() -> f64 {
    let share = std::env::var(SHARE).map_or(1.0, |text| text.parse().expect("a share is a number"));
    assert!(share > 0.0 && share <= 1.0, "{SHARE}={share} is no share");
    share
}

/// This share of so many, at least one.
fn part(all: u64, share: f64) -> u64 {
    ((all as f64 * share).ceil() as u64).clamp(all.min(1), all)
}

/// `N` or `FIRST..END`.
fn range(text: &str) -> Option<Range<u64>> {
    match text.split_once("..") {
        Some((first, end)) => Some(first.parse().ok()?..end.parse().ok()?),
        None => text.parse().ok().map(|seed: u64| seed..seed + 1),
    }
}

/// The line that tells how to run one case of the running test again.
pub fn again(case: impl std::fmt::Display) -> String {
    Test::running().again(case)
}

/// Prints the command that runs the whole test again if it panics while this is there.
#[derive(Debug)]
pub struct Again;

impl Drop for Again {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("again: {}", Test::running().command());
        }
    }
}

/// A test, as cargo knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    package: String,
    /// What cargo is told to choose the program: `--lib`, `--bin X`, `--test X`.
    target: String,
    /// The test's name in the program.
    name: Option<String>,
    release: bool,
}

impl Test {
    /// The one that this thread runs.
    pub fn running() -> Self {
        let variable = |name| std::env::var(name).unwrap_or_else(|_| "burnside-cases".to_string());
        let package = variable("CARGO_PKG_NAME");
        let program = std::env::current_exe().unwrap_or_default();
        let program = program.file_stem().unwrap_or_default().to_string_lossy();
        let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
        let tests = Path::new(&variable("CARGO_MANIFEST_DIR")).join("tests");
        let target = match program {
            _ if tests.join(program).exists() || tests.join(format!("{program}.rs")).exists() => {
                format!("--test {program}")
            }
            _ if program == package.replace('-', "_") => "--lib".to_string(),
            _ => format!("--bin {program}"),
        };
        // The harness names threads as the tests. A single thread is that of the program.
        let name = std::thread::current().name().filter(|name| *name != "main").map(str::to_string);
        Self { package, target, name, release: !cfg!(debug_assertions) }
    }

    /// The line that tells how to run one case of it again.
    pub fn again(&self, case: impl std::fmt::Display) -> String {
        format!("again: {CASE}={case} {}", self.command())
    }

    /// The command that runs all of it.
    fn command(&self) -> String {
        let Self { package, target, name, release } = self;
        let release = if *release { " --release" } else { "" };
        let name = name.as_ref().map_or_else(String::new, |name| format!(" -- --exact {name}"));
        format!("cargo test{release} -p {package} {target}{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        assert_eq!([part(2000, 1.0), part(2000, 0.1), part(3, 0.1), part(0, 0.1)], [2000, 200, 1, 0]);
    }

    #[test]
    fn cases_are_read() {
        assert_eq!(range("7"), Some(7..8));
        assert_eq!(range("5..9"), Some(5..9));
        assert_eq!(range("mutex.orb"), None);
    }

    #[test]
    fn commands() {
        let own = Test::running();
        assert_eq!((own.package.as_str(), own.target.as_str()), ("burnside-cases", "--lib"));
        let name = Some("models_agree_1".to_string());
        let test =
            Test { package: "burnside-cli".into(), target: "--test inject".into(), name, release: true };
        assert_eq!(
            test.again(7),
            "again: BURNSIDE_CASE=7 cargo test --release -p burnside-cli --test inject -- --exact models_agree_1"
        );
        let test = Test { name: None, release: false, ..test };
        assert_eq!(
            test.again("mutex.orb"),
            "again: BURNSIDE_CASE=mutex.orb cargo test -p burnside-cli --test inject"
        );
    }
}
