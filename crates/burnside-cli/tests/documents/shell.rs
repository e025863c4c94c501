//! A shell that knows one program: it runs `burnside` in a folder of its own, with copies of models.
//!
//! Words may be quoted; `> FILE` at the end takes the standard output, and `echo $?` tells how the last
//! command ended. That is all that the pages need, and it is the same on every system.

use crate::root;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Where commands run.
pub struct Shell {
    folder: PathBuf,
    last: i32,
    is_ready: bool,
}

/// What a command did.
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Both of its streams, as they came.
    pub printed: String,
}

impl Shell {
    /// In an empty folder of this name.
    pub fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("documents").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        Self { folder, last: 0, is_ready: false }
    }

    /// Makes the folder: most pages need none.
    fn prepare(&mut self) {
        if std::mem::replace(&mut self.is_ready, true) {
            return;
        }
        let folder = &self.folder;
        for part in ["examples", "tests/contest/Forks-COL-4"] {
            let copy = folder.join(part);
            std::fs::create_dir_all(&copy).expect("a folder for the commands");
            for entry in std::fs::read_dir(root().join(part)).expect("there are models") {
                let path = entry.expect("readable").path();
                std::fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
    }

    /// Puts a file there.
    pub fn put(&mut self, name: &str, text: &str) {
        self.prepare();
        std::fs::write(self.folder.join(name), text).expect("the file can be written");
    }

    /// Runs a command.
    pub fn run(&mut self, line: &str) -> Result<Ran, String> {
        if line == "echo $?" {
            return Ok(Ran { code: 0, printed: format!("{}\n", self.last) });
        }
        self.prepare();
        let mut words = split(line)?;
        let file = match words.iter().position(|word| word == ">") {
            Some(at) if at + 2 == words.len() => words.drain(at..).nth(1),
            Some(_) => return Err(format!("`{line}`: `>` comes before the last word")),
            None => None,
        };
        if words.first().is_none_or(|program| program != "burnside") {
            return Err(format!(
                "`{line}` is not a command of ours, nor is it in the list of those that are not run"
            ));
        }
        let ran = self.burnside(&words[1..], file).map_err(|error| format!("`{line}`: {error}"))?;
        self.last = ran.code;
        Ok(ran)
    }

    fn burnside(&self, args: &[String], file: Option<String>) -> std::io::Result<Ran> {
        let (mut reader, writer) = std::io::pipe()?;
        let mut command = plain_burnside();
        command.args(args).current_dir(&self.folder).stderr(writer.try_clone()?);
        // Only the program keeps an end of the pipe to write to, or the reader would wait for ever.
        match file {
            Some(name) => {
                command.stdout(std::fs::File::create(self.folder.join(name))?);
                drop(writer);
            }
            None => drop(command.stdout(writer)),
        }
        let mut child = command.spawn()?;
        drop(command);
        let mut printed = String::new();
        reader.read_to_string(&mut printed)?;
        Ok(Ran { code: child.wait()?.code().unwrap_or(-1), printed })
    }
}

/// The program, whatever the terminal and the locale are.
pub fn plain_burnside() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.stdin(Stdio::null()).env("LC_ALL", "C.UTF-8");
    for name in ["TERM", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

/// A line and the comment at its end.
pub fn comment(line: &str) -> (&str, &str) {
    let is_outside = |at: &usize| line[..*at].matches('\'').count().is_multiple_of(2);
    match line.match_indices(" # ").map(|(at, _)| at).find(is_outside) {
        Some(at) => (line[..at].trim(), line[at + 3..].trim()),
        None => (line.trim(), ""),
    }
}

fn split(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, ' ') => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(format!("`{line}`: a quote is not closed")) } else { Ok(words) }
}

/// The text with all times as if nothing took any.
pub fn timeless(text: &str) -> String {
    let text = &without(&without(text, "time=\"", "0.000"), "name=\"peak memory\" value=\"", "398336");
    let mut decoded = String::new();
    for part in text.split_inclusive(" s") {
        let before = part.strip_suffix(" s").unwrap_or(part);
        let digits = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let number = &before[digits..];
        match number.split_once('.') {
            Some((whole, rest)) if part.len() > before.len() && !whole.is_empty() && rest.len() == 2 => {
                decoded.push_str(&before[..digits]);
                decoded.push_str("0.00 s");
            }
            _ => decoded.push_str(part),
        }
    }
    decoded
}

/// The text with another value of an attribute, wherever it is.
fn without(text: &str, attribute: &str, value: &str) -> String {
    let mut parts = text.split(attribute);
    let mut decoded = parts.next().unwrap_or("").to_string();
    for part in parts {
        let rest = part.find('"').map_or("", |end| &part[end..]);
        decoded.push_str(&format!("{attribute}{value}{rest}"));
    }
    decoded
}

#[test]
fn words_and_times() {
    assert_eq!(timeless("<a time=\"0.013\" x=\"1\"/>"), "<a time=\"0.000\" x=\"1\"/>");
    assert_eq!(split("a 'b c' --x=\"d\" ''").unwrap(), ["a", "b c", "--x=d", ""]);
    assert!(split("a 'b").is_err());
    assert_eq!(comment("a 'b # c' # d"), ("a 'b # c'", "d"));
    assert_eq!(
        timeless("7 states  1.25 s  in 12.00 s, 3 s, 1.5 s x 0.10 st"),
        "7 states  0.00 s  in 0.00 s, 3 s, 1.5 s x 0.00 st"
    );
}
