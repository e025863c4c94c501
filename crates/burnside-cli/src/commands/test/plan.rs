//! What is to be tested: from paths to models, from models to their configurations.
//!
//! Entry point: [`plan`]. Models are files named on the command line, and the files `*.orb` and `*.pnml` in
//! folders, at any depth, in the order of their names; hidden folders are passed over. A Petri net says what
//! it expects in `check` blocks inside of comments.

use crate::exit::Failure;
use crate::input::{self, BadModel, Source, shown};
use crate::output::tested::{TestEnding, Tested};
use burnside_lang::check::{check, check_blocks, settings_of_blocks};
use burnside_lang::diagnostic::Diagnostic;
use burnside_lang::expect::{Configuration, Expectations};
use burnside_lang::import;
use burnside_lang::syntax::ast::File;
use burnside_lang::syntax::parse;
use burnside_limits::poll;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A model to be tested in one configuration.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The model.
    pub source: Source,
    /// What it expects.
    pub expectations: Arc<Expectations>,
    /// Which configuration.
    pub configuration: Configuration,
}

/// A model of which nothing more is to be found out, or a configuration of it.
#[derive(Debug)]
pub enum Planned {
    /// There is something to check.
    Unit(Box<Unit>),
    /// There is not.
    Done(Tested),
}

/// The files that are meant by the paths.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        if input::is_stdin(path) {
            return Err(Failure::bad("models to be tested are files, not standard input"));
        }
        if !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let before = found.len();
        let walked = walk(path, &mut found);
        walked.map_err(|error| Failure::bad(format!("cannot read `{}`: {error}", shown(path))))?;
        if found.len() == before {
            return Err(Failure::bad_with_help(
                format!("there are no models in `{}`", shown(path)),
                "models are named `*.orb` or `*.pnml`",
            ));
        }
    }
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    poll();
    let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_model = path.extension().is_some_and(|ending| ending == "orb" || ending == "pnml");
        // A link to a folder may lead back to where we are.
        if kind.is_dir() && !hidden {
            walk(&path, found)?;
        } else if is_model && !hidden && path.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// What is to be done for each model.
pub fn plan(paths: &[PathBuf]) -> Result<Vec<Planned>, Failure> {
    Ok(files(paths)?.iter().flat_map(|path| of_model(path)).collect())
}

/// What documents tell where there is nothing to test: the reason, as the only test.
pub fn nothing(paths: &[PathBuf], failure: Failure) -> Tested {
    let paths: Vec<String> = paths.iter().map(|path| shown(path)).collect();
    let quoted: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
    Tested {
        model: paths.join(" "),
        conditions: Vec::new(),
        way: None,
        time: Duration::ZERO,
        ending: match failure {
            Failure::Stopped(stop) => TestEnding::Stopped(stop),
            failure => TestEnding::Bad(failure),
        },
        command: format!("burnside test {}", quoted.join(" ")),
    }
}

fn of_model(path: &Path) -> Vec<Planned> {
    poll();
    let done = |ending| {
        vec![Planned::Done(Tested {
            model: shown(path),
            conditions: Vec::new(),
            way: None,
            time: Duration::ZERO,
            ending,
            command: format!("burnside check {}", quoted(&shown(path))),
        })]
    };
    let read = input::read(path).map(Source::with_imports);
    let read = read.and_then(|source| Ok((expectations(&source)?, source)));
    let (expectations, source) = match read {
        Ok(read) => read,
        Err(failure) => return done(TestEnding::Bad(failure)),
    };
    if expectations.is_empty() {
        return done(TestEnding::NothingExpected);
    }
    let expectations = Arc::new(expectations);
    let unit =
        |configuration| Unit { source: source.clone(), expectations: expectations.clone(), configuration };
    expectations.tests().into_iter().map(|it| Planned::Unit(Box::new(unit(it)))).collect()
}

/// Whether a file has nothing but what others can import: it is no model.
fn is_library(file: &File) -> bool {
    !file.items.is_empty() && file.items.iter().all(|item| import::is_importable(&item.kind))
}

/// What a model expects, or what is wrong with it.
fn expectations(source: &Source) -> Result<Expectations, Failure> {
    let signs = match (source.is_net(), source.is_murphi()) {
        (true, _) => Some(("<!--", "-->")),
        (_, true) => Some(("/*", "*/")),
        _ => None,
    };
    let (found, diagnostics) = if let Some(signs) = signs {
        let parsed = parse(&blocks_in_comments(&source.text, signs));
        let (found, diagnostics) = check_blocks(&parsed.file, &[]);
        (found, [parsed.diagnostics, diagnostics].concat())
    } else {
        let parsed = import::parse(&source.text);
        if is_library(&parsed.file) {
            return Ok(Expectations::default());
        }
        let checked = check(&parsed.file, &settings_of_blocks(&parsed.file));
        let found = checked.model.map(|model| model.expectations).unwrap_or_default();
        (found, [parsed.diagnostics, checked.diagnostics].concat())
    };
    if !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(found);
    }
    let setting_errors = Vec::new();
    Err(Failure::Model(vec![BadModel { source: source.clone(), diagnostics, setting_errors }]))
}

/// The lines of a net's comments from one that starts with `check {` to the brace that closes it, everything
/// else blank: so places stay what they are.
fn blocks_in_comments(text: &str, (open, close): (&str, &str)) -> String {
    let mut kept = vec![false; text.len()];
    let mut at = 0;
    while let Some(start) = text[at..].find(open).map(|start| at + start + open.len()) {
        let end = text[start..].find(close).map_or(text.len(), |length| start + length);
        let mut line = start;
        while line < end {
            let next = text[line..end].find('\n').map_or(end, |length| line + length + 1);
            let first = text[line..next].trim_start();
            if first.strip_prefix("check").is_some_and(|rest| rest.trim_start().starts_with('{')) {
                let last = text[line..end].find('}').map_or(end, |length| line + length + 1);
                kept[line..last].fill(true);
                line = last;
            } else {
                line = next;
            }
        }
        at = end;
    }
    let blank = |(at, sign): (usize, char)| match kept[at] || sign == '\n' {
        true => sign.to_string(),
        false => " ".repeat(sign.len_utf8()),
    };
    text.char_indices().map(blank).collect()
}

/// A word for a shell.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:+,".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_in_comments_only() {
        let net = "<pnml>check { a }<!-- é\n  check { states = 9;\n deadlock = holds; } more\n checks { b }\n check: no\n--><x/>\n<!--check{}--></pnml>";
        let found = blocks_in_comments(net, ("<!--", "-->"));
        assert_eq!((found.len(), found.lines().count()), (net.len(), net.lines().count()));
        let words: Vec<&str> = found.split_whitespace().collect();
        assert_eq!(words.join(" "), "check { states = 9; deadlock = holds; } check{}");
        assert_eq!(found.find("states"), net.find("states"));
        assert_eq!(blocks_in_comments("<!-- check { x = 1;", ("<!--", "-->")).trim(), "check { x = 1;");
    }

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        assert_eq!(quoted("examples/a-b_1.orb"), "examples/a-b_1.orb");
        assert_eq!(quoted("it's a model.orb"), r"'it'\''s a model.orb'");
        assert_eq!(quoted(""), "''");
    }
}
