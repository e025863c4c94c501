//! The program from outside: arguments in; output, files and exit codes out.

mod automata;
mod bad_input;
mod check;
mod clusters;
mod corners;
mod every;
mod explain;
mod explore;
mod external;
mod groups;
mod imports;
mod kept;
mod lassos;
mod limits;
mod lsp;
mod names;
mod nets;
mod nets_bad;
mod nets_wide;
mod phases;
mod progress;
mod replay;
mod reports;
mod structure;
mod symbolic;
mod terminal;
mod testing;
mod tokens;
mod tools;
mod translate;
mod trees;
mod values;
mod views;
mod walks;
mod watch;

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A counter of two bits with everything that can be asked about it.
const COUNTER: &str = "\
const MAX = 3;
var x: 0..MAX;
process Up { rule up when x < MAX { x = x + 1; } }
deadlock allowed;
invariant small = x < 3;
invariant legal = x <= MAX;
reachable two = x == 2;
never pair { x == 1; x == 2 }
ltl rises = F x == MAX;
ctl back = AG EF x == 0;
";

/// More states than anybody can explore.
const HUGE: &str = "\
const N = 30;
process Cell[i: 0..N] {
    var x: 0..9;
    rule up when x < 9 { x = x + 1; }
    rule down when x > 0 { x = x - 1; }
}
invariant legal = forall i: 0..N { x[i] <= 9 };
";

/// What the program did.
#[derive(Clone)]
struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Self { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Standard output as one JSON document.
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }

    /// The program ended with this code, and without a word about bugs.
    #[track_caller]
    fn code(self, expected: i32) -> Self {
        assert_eq!(self.code, expected, "stdout: {}\nstderr: {}", self.out, self.err);
        assert!(!self.err.contains("panick") && !self.err.contains("this is a bug"), "{}", self.err);
        self
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(args).current_dir(root()).env("LC_ALL", "C.UTF-8");
    for name in ["TERM", "COLUMNS", "NO_COLOR", "CI", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

fn run(args: &[&str]) -> Ran {
    Ran::new(command(args).stdin(Stdio::null()).output().expect("the program runs"))
}

fn run_with(args: &[&str], input: &str) -> Ran {
    let mut command = command(args);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    // The program may end before it has read everything.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    Ran::new(child.wait_with_output().expect("the program ends"))
}

/// Checks a text and gives the document.
fn check_text(text: &str, options: &[&str]) -> Ran {
    run_with(&[&["check", "-", "--format", "json"], options].concat(), text)
}

/// What the document says about each property, by name.
fn verdicts_in(document: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_string();
    let results = document["results"].as_array().expect("results").iter();
    results.map(|result| (text(&result["property"]), text(&result["verdict"]))).collect()
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A path for a file of one test.
fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A model in a file of its own.
fn model_file(name: &str, text: &str) -> String {
    let path = scratch(name);
    std::fs::write(&path, text).expect("the file can be written");
    path.to_str().expect("paths of tests are texts").to_string()
}

fn examples() -> Vec<String> {
    let entries = std::fs::read_dir(root().join("examples")).expect("there are examples");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "orb"));
    paths.sort();
    paths.into_iter().map(|path| path.to_str().expect("text").to_string()).collect()
}

/// The result for a property.
#[track_caller]
fn result<'d>(document: &'d Value, property: &str) -> &'d Value {
    let results = document["results"].as_array().expect("there are results");
    results.iter().find(|result| result["property"] == property).expect("the property is there")
}
