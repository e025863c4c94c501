//! The documents are true: README.md, the other pages at the root and those of the book are run.
//!
//! Every fenced block is one of these, and a block that is none of them is a failure:
//!
//! | block | what is done with it |
//! |---|---|
//! | `orb` | the model is checked for mistakes; with a name after it (`orb lock.orb`) it is also put where the commands of the page find it |
//! | `orb declarations` | the same, with a rule added: a model needs one |
//! | `orb fragment` | it is parsed: as declarations, as statements or as an expression |
//! | `orb wrong` | on the page of an error: exactly that error is reported about it, or the one that is named after it (see `errors.rs`) |
//! | `console` | each line `$ command` is run, and what follows must be what it prints |
//! | `sh` | each line is run; a comment at its end may say `holds`, `violated` or `unknown` |
//! | `json` below `<!-- printed by: command -->` | it is the whole document that the command prints, laid out |
//! | anything below `<!-- lines of: FILE -->` | every line is one of the file's |
//! | anything below `<!-- file: NAME -->` | it is put where the commands of the page find it |
//! | anything below `<!-- not run: reason -->` | nothing |
//!
//! `BURNSIDE_BLESS=1` (or `cargo xtask docs --bless`) writes what the commands print into the pages.

mod diff;
mod equal;
mod errors;
mod keys;
mod layout;
mod options;
mod page;
mod shell;

use burnside::LoadOptions;
use page::Block;
use shell::Shell;
use std::path::{Path, PathBuf};

/// Commands that only a developer types and that are not run here, each with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo xtask test", "it runs this test"),
    ("cargo install --path crates/burnside-cli", "it would change the machine"),
    ("cargo run --release -p burnside --example lock -- 9", "a test of the library runs it"),
    ("cargo run --release -p burnside --example register -- 3 none", "a test of the library runs it"),
];

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The pages at the root and all pages of the book.
pub fn pages() -> Vec<PathBuf> {
    let mut pages =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|page| root().join(page)).to_vec();
    let mut folders = vec![root().join("docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the book can be read") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

#[test]
fn every_page_is_true() {
    let bless = std::env::var_os("BURNSIDE_BLESS").is_some_and(|value| !value.is_empty());
    let mut failures = Vec::new();
    for path in pages() {
        let shown = path.strip_prefix(root()).expect("inside").display().to_string();
        let text = std::fs::read_to_string(&path).expect("a page is text");
        let mut shell = Shell::new(&shown.replace(['/', '\\', '.'], "_"));
        let mut changes = Vec::new();
        for block in page::blocks(&text) {
            match judge(&block, &mut shell) {
                Ok(printed) if printed == block.body => {}
                Ok(printed) if bless => changes.push((block.range.clone(), printed)),
                Ok(printed) => {
                    let diff = diff::lines(block.body, &printed);
                    failures
                        .push(format!("{shown}:{}: the program prints something else:\n{diff}", block.line));
                }
                Err(why) => failures.push(format!("{shown}:{}: {why}", block.line)),
            }
        }
        if !changes.is_empty() {
            std::fs::write(&path, page::replaced(&text, &changes)).expect("a page can be written");
        }
    }
    let advice = "`cargo xtask docs --bless` writes what the program prints into the pages";
    assert!(failures.is_empty(), "{}\n\n{advice}", failures.join("\n\n"));
}

/// What the block should be, or what is wrong with it.
fn judge(block: &Block<'_>, shell: &mut Shell) -> Result<String, String> {
    let as_it_is = |result: Result<(), String>| result.map(|()| block.body.to_string());
    match (block.words.as_slice(), &block.directive) {
        (_, Some(("not run", reason))) if !reason.is_empty() => as_it_is(Ok(())),
        (_, Some(("file", name))) => {
            shell.put(name, block.body);
            as_it_is(Ok(()))
        }
        (["orb", "wrong", ..], _) => as_it_is(Ok(())),
        (["orb", "fragment"], _) => as_it_is(parses(block.body)),
        (["orb", "declarations"], _) => as_it_is(is_a_model(&format!(
            "{}\nvar idle__: bool; process Idle__ {{ rule idle__ {{}} }}\n",
            block.body
        ))),
        (["orb", rest @ ..], directive) => {
            if let [name] = rest {
                shell.put(name, block.body);
            }
            if let Some(("lines of", file)) = directive {
                are_lines(block.body, file)?;
            }
            as_it_is(is_a_model(block.body))
        }
        (["console"], _) => transcript(block.body, shell),
        (["sh"], _) => as_it_is(block.body.lines().try_for_each(|line| command(line, shell))),
        (["json"], Some(("printed by", command))) => layout::document(&shell.run(command)?.printed),
        (_, Some(("lines of", file))) => as_it_is(are_lines(block.body, file)),
        (words, _) => Err(format!(
            "nothing is known about this block (`{}`): make it `orb`, `console` or `sh`, or say why it is not run (`<!-- not run: … -->` above it)",
            words.join(" ")
        )),
    }
}

fn is_a_model(text: &str) -> Result<(), String> {
    let loaded = burnside::Model::load(text, &LoadOptions::new());
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let errors: Vec<_> = errors.map(|wrong| wrong.message.as_str()).collect();
    match errors.is_empty() && loaded.model.is_ok() {
        true => Ok(()),
        false => Err(format!("this is not a model: {}", errors.join("; "))),
    }
}

/// A fragment is correct as declarations, as the body of a rule or as a condition.
fn parses(text: &str) -> Result<(), String> {
    let wrappers = [
        ("", ""),
        ("process P { rule r {", "} }"),
        ("invariant p = ", ";"),
        ("ltl p = ", ";"),
        ("ctl p = ", ";"),
    ];
    let is_good = |(before, after): &(&str, &str)| {
        burnside_lang::syntax::parse(&format!("{before}{text}{after}")).diagnostics.is_empty()
    };
    match wrappers.iter().any(is_good) {
        true => Ok(()),
        false => Err(
            "this fragment cannot be parsed, neither as declarations nor as statements nor as an expression"
                .into(),
        ),
    }
}

fn are_lines(text: &str, file: &str) -> Result<(), String> {
    let whole = std::fs::read_to_string(root().join(file)).map_err(|error| format!("`{file}`: {error}"))?;
    let known: Vec<&str> = whole.lines().map(str::trim).collect();
    match text.lines().map(str::trim).find(|line| !line.is_empty() && !known.contains(line)) {
        None => Ok(()),
        Some(line) => Err(format!("`{file}` has no line `{line}`")),
    }
}

/// The transcript with what the commands print now.
fn transcript(text: &str, shell: &mut Shell) -> Result<String, String> {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), parts.last_mut()) {
            (Some(command), _) => parts.push((command, Vec::new())),
            (None, Some((_, printed))) => printed.push(line),
            (None, None) => return Err("a transcript begins with `$ ` and a command".into()),
        }
    }
    let mut decoded = String::new();
    for (i, (command, shown)) in parts.iter().enumerate() {
        let ran = shell.run(command)?;
        let is_decoded = parts.get(i + 1).is_some_and(|(next, _)| *next == "echo $?");
        if ran.code == 70 || ran.code == 2 && !is_decoded {
            return Err(format!("`{command}` ends with {}:\n{}", ran.code, ran.printed));
        }
        let printed = shell::timeless(&ran.printed);
        // An empty line before the next command is for the eye.
        let gap = if i + 1 < parts.len() && shown.last() == Some(&"") { "\n" } else { "" };
        decoded.push_str(&format!("$ {command}\n{}{gap}", diff::with_gaps(shown, &printed)));
    }
    Ok(decoded)
}

/// A line of a block of commands.
fn command(line: &str, shell: &mut Shell) -> Result<(), String> {
    let (typed, comment) = shell::comment(line);
    if typed.is_empty() || NOT_RUN.iter().any(|(known, _)| *known == typed) {
        return Ok(());
    }
    let ran = shell.run(
        typed
            .strip_prefix("cargo run --release -p burnside-cli -- ")
            .map_or(typed.to_string(), |rest| format!("burnside {rest}"))
            .as_str(),
    )?;
    let expected = ["holds", "violated", "unknown"].iter().position(|word| comment.starts_with(word));
    let wanted: &[i32] = match expected {
        Some(0) => &[0],
        Some(1) => &[1],
        Some(_) => &[3],
        None => &[0, 1, 3],
    };
    match wanted.contains(&ran.code) {
        true => Ok(()),
        false => Err(format!("`{typed}` ends with {}:\n{}", ran.code, ran.printed)),
    }
}

#[test]
fn mistakes_are_found() {
    let mut shell = Shell::new("mistakes");
    let mut check = |page: &str| {
        let blocks = page::blocks(page);
        assert_eq!(blocks.len(), 1, "{page}");
        judge(&blocks[0], &mut shell).map(|printed| printed == blocks[0].body)
    };
    assert!(check("```text\nfree\n```\n").is_err());
    assert_eq!(check("<!-- not run: a drawing -->\n```text\nfree\n```\n"), Ok(true));
    assert!(check("<!-- not run: -->\n```text\nfree\n```\n").is_err());
    assert!(check("```orb\nvar x: bol;\n```\n").is_err());
    assert_eq!(check("```orb declarations\nvar x: bool;\n```\n"), Ok(true));
    assert_eq!(check("```orb fragment\nx = y + 1;\n```\n"), Ok(true));
    assert!(check("```orb fragment\nx = = y;\n```\n").is_err());
    assert!(check("```sh\nburnside chekc x.orb\n```\n").is_err());
    assert!(check("```sh\nburnside check examples/mutex.orb -p exclusion # violated\n```\n").is_err());
    assert_eq!(check("```sh\nburnside check examples/mutex.orb -p exclusion # holds\n```\n"), Ok(true));
    assert_eq!(check("```console\n$ burnside check examples/mutex.orb\n13 states\n```\n"), Ok(false));
    assert!(check("```console\n$ burnside check missing.orb\n```\n").is_err());
    assert!(check("<!-- lines of: examples/mutex.orb -->\n```text\nno such line\n```\n").is_err());
}
