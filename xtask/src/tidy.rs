//! `cargo xtask tidy`: the rules of this codebase that no compiler checks.
//!
//! Allowed dependencies between crates, modules of the library without circles, licences and versions of
//! foreign crates, no printing outside the programs, a reason beside every `unsafe`, no leftovers, no long
//! functions, names of types that mean one thing in a crate, links that lead somewhere, no paths of
//! somebody's machine. That every option of the program is documented is a test of `burnside-cli`.

mod dependencies;
mod functions;
mod licence;
mod links;
mod modules;
mod packages;
mod source;
mod types;

use crate::process::{Done, root};
use std::path::{Path, PathBuf};

/// Checks all rules and reports every breach.
pub fn run() -> Done {
    let mut breaches = Vec::new();
    breaches.extend(dependencies::check()?);
    breaches.extend(packages::check()?);
    breaches.extend(modules::check()?);
    let mut declared = types::Declared::default();
    for path in files(root())? {
        let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string().replace('\\', "/");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let found = match path.extension().and_then(|ending| ending.to_str()) {
            Some("rs") => {
                declared.add(&shown, &text);
                [source::check(&shown, &text), functions::check(&text)].concat()
            }
            Some("md") => links::check(&path, &text),
            _ => Vec::new(),
        };
        breaches.extend(found.into_iter().map(|breach| format!("{shown}:{breach}")));
        breaches.extend(foreign_paths(&text).into_iter().map(|breach| format!("{shown}:{breach}")));
    }
    breaches.extend(declared.breaches());
    breaches.extend(links::unlisted_pages(root())?);
    match breaches.len() {
        0 => Ok(()),
        count => Err(format!("{}\nbreaches of the rules: {count}", breaches.join("\n"))),
    }
}

/// All files of the project: what is neither hidden nor built.
fn files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let read = |error| format!("cannot read {}: {error}", directory.display());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(read)? {
        let path = entry.map_err(read)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        let is_built = name == "target" || path.ends_with("docs/book");
        if name.starts_with('.') && !matches!(name, ".ci" | ".cargo") || is_built {
            continue;
        }
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// Places that mention a path of one machine.
fn foreign_paths(text: &str) -> Vec<String> {
    // Written in pieces, or this file would be a breach itself.
    let foreign =
        [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];
    let lines = text.lines().enumerate();
    let hits = lines.filter(|(_, line)| foreign.iter().any(|path| line.contains(path)));
    hits.map(|(i, _)| format!("{}: a path of somebody's machine", i + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_machines_are_found() {
        assert_eq!(foreign_paths(concat!("fine\nsee /ho", "me/someone/x")).len(), 1);
        assert!(foreign_paths("/proc/meminfo").is_empty());
    }
}
