//! What the pages mention exists: commands, options and files of the repository, also in running text.

use crate::shell::plain_burnside;
use crate::{pages, root};
use std::collections::BTreeSet;

const COMMANDS: &[&str] = &[
    "check",
    "resume",
    "cluster",
    "test",
    "new",
    "replay",
    "verify",
    "symmetry",
    "graph",
    "explore",
    "simulate",
    "fmt",
    "dump",
    "convert",
    "translate",
    "lsp",
    "explain",
    "docs",
    "completions",
    "man",
    "help",
];

fn help(command: &str) -> String {
    let output = plain_burnside().args(["help", command]).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("help is text")
}

/// Words that look like options.
fn options(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("--").filter_map(move |(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = &text[at + 2..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
        let is_start = before.is_none_or(|c| !c.is_ascii_alphanumeric() && c != '-' && c != '<');
        (is_start && end > 1 && rest.starts_with(|c: char| c.is_ascii_lowercase())).then(|| &rest[..end])
    })
}

#[test]
fn options_of_the_pages_exist() {
    let mut known: BTreeSet<String> = ["help", "version"].map(String::from).into();
    for command in COMMANDS {
        known.extend(options(&help(command)).map(String::from));
    }
    // Of cargo, and of the chores of the repository: these say themselves what they take.
    let chores = std::fs::read_to_string(root().join("xtask/src/main.rs")).expect("the chores");
    known.extend(options(&chores).map(String::from));
    known.extend(
        ["release", "path", "workspace", "all-targets", "example", "no-default-features", "test"]
            .map(String::from),
    );
    let mut unknown = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        unknown.extend(
            options(&text).filter(|it| !known.contains(*it)).map(|it| format!("{}: --{it}", page.display())),
        );
    }
    assert!(unknown.is_empty(), "there are no such options:\n{}", unknown.join("\n"));
}

#[test]
fn files_and_commands_of_the_pages_exist() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        for span in text.split('`').skip(1).step_by(2) {
            let shown = page.display();
            let is_path = |part: &str| {
                part.starts_with("examples/") || part.starts_with("crates/") || part.starts_with("tests/")
            };
            if is_path(span) && !span.contains([' ', '*']) && !root().join(span).exists() {
                wrong.push(format!("{shown}: there is no `{span}`"));
            }
            let command = span.strip_prefix("burnside ").and_then(|rest| rest.split_whitespace().next());
            if command
                .is_some_and(|command| !COMMANDS.contains(&command) && !command.starts_with(['-', 'M', 'C']))
            {
                wrong.push(format!("{shown}: there is no command `{span}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The page about the examples names them all.
#[test]
fn every_example_is_listed() {
    let page = std::fs::read_to_string(root().join("docs/src/examples.md")).expect("the page");
    for path in crate::keys::examples("orb") {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(page.contains(&format!("| `{name}` |")), "docs/src/examples.md says nothing about `{name}`");
    }
}

/// Help is shown on every terminal.
#[test]
fn help_is_ascii() {
    for command in COMMANDS {
        let text = if *command == "help" { help("") } else { help(command) };
        assert!(text.is_ascii(), "{command}: {text}");
    }
}

/// What help says about each option, on one line.
fn entries(help: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in help.lines().map(str::trim) {
        if line.starts_with("--") || line.starts_with('-') && line.contains(", --") {
            entries.push(String::new());
        }
        if let Some(entry) = entries.last_mut() {
            entry.push_str(line);
            entry.push(' ');
        }
    }
    entries
}

/// The default of every option that has one is on the page, in a line about the option: for options of all
/// commands anywhere, for others in the section of the command.
#[test]
fn defaults_are_documented() {
    let page = std::fs::read_to_string(root().join("docs/src/command-line.md")).expect("the page");
    // A command without options of its own.
    let of_all = help("man");
    let is_global = |option: &str| options(&of_all).any(|it| it == option);
    let mut missing = Vec::new();
    for command in COMMANDS.iter().filter(|command| **command != "help") {
        let text = help(command);
        let Some((_, section)) = page.split_once(&format!("\n## burnside {command}\n")) else { continue };
        let section = section.split("\n## burnside ").next().expect("a first part");
        for entry in entries(&text) {
            let Some(option) = options(&entry).next() else { continue };
            let Some((_, default)) = entry.split_once("[default: ") else { continue };
            let default = default.split([']', ' ', ',']).next().expect("a word");
            let part = if is_global(option) { &page } else { section };
            let rows = part.lines().filter(|row| row.contains(&format!("`--{option}")));
            let plain = |row: &str| row.replace(',', "");
            let says = |row: &str| {
                plain(row).contains(default)
                    && (row.contains("default") || row.contains("ithout it") || row.contains("if not given"))
            };
            if !rows.into_iter().any(says) {
                missing.push(format!("{command}: --{option} is {default} by default"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/src/command-line.md does not say:\n{}", missing.join("\n"));
}
