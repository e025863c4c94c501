//! The modules of the library use each other in one direction only.
//!
//! Entry point: [`check`]. Edges are read from the text: `crate::x` means the module `x`, or the module that
//! defines the name which the root re-exports. A name that the root takes from another crate is no edge.

use crate::process::root;
use std::collections::{BTreeMap, BTreeSet};

/// The folders of sources whose modules must not use each other in circles.
const FOLDERS: [&str; 1] = ["crates/burnside/src"];

/// By module, what it uses.
type Edges = BTreeMap<String, BTreeSet<String>>;

/// All circles that there are.
pub fn check() -> Result<Vec<String>, String> {
    let mut breaches = Vec::new();
    for folder in FOLDERS {
        let found = circle(&edges(&sources(folder)?));
        breaches.extend(found.map(|circle| format!("{folder}: modules in a circle: {}", circle.join(" → "))));
    }
    Ok(breaches)
}

/// The modules of a folder with their texts; those inside a module are part of it.
fn sources(folder: &str) -> Result<Vec<(String, String)>, String> {
    let folder = root().join(folder);
    let mut all = Vec::new();
    for path in super::files(&folder)? {
        let inside = path.strip_prefix(&folder).unwrap_or(&path);
        let Some(first) = inside.components().next() else { continue };
        let module = first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_string();
        let read = |error| format!("cannot read {}: {error}", path.display());
        all.push((module, std::fs::read_to_string(&path).map_err(read)?));
    }
    Ok(all)
}

fn edges(sources: &[(String, String)]) -> Edges {
    let modules: BTreeSet<&str> = sources.iter().map(|(module, _)| module.as_str()).collect();
    let root = sources.iter().find(|(module, _)| module == "lib").map_or("", |(_, text)| text);
    let defined = reexports(root, &modules);
    let mut edges = Edges::new();
    for (module, text) in sources.iter().filter(|(module, _)| module != "lib") {
        let used = edges.entry(module.clone()).or_default();
        for name in mentioned(text) {
            let target = if modules.contains(name.as_str()) { Some(&name) } else { defined.get(&name) };
            used.extend(target.filter(|target| *target != module).cloned());
        }
    }
    edges
}

/// Names that the root re-exports from its own modules, each with the module.
fn reexports(root: &str, modules: &BTreeSet<&str>) -> BTreeMap<String, String> {
    let mut defined = BTreeMap::new();
    for item in code(root).split(';') {
        let Some((_, path)) = item.split_once("pub use ") else { continue };
        let path = path.trim().trim_start_matches("crate::").trim_start_matches("self::");
        let Some((module, names)) = path.split_once("::") else { continue };
        if modules.contains(module) {
            let names = names.split(|c: char| !is_letter(c)).filter(|name| !name.is_empty());
            defined.extend(names.map(|name| (name.to_string(), module.to_string())));
        }
    }
    defined
}

/// The first name of every path that starts at the root.
fn mentioned(text: &str) -> Vec<String> {
    let text = code(text);
    let mut names = Vec::new();
    for (at, start) in text.match_indices("crate::") {
        if text[..at].chars().next_back().is_some_and(is_letter) {
            continue;
        }
        let rest = &text[at + start.len()..];
        match rest.strip_prefix('{') {
            Some(group) => names.extend(firsts(group)),
            None => names.extend(first(rest)),
        }
    }
    names
}

/// The first name of every path in a group, up to its end.
fn firsts(group: &str) -> Vec<String> {
    let (mut depth, mut is_start, mut names) = (0, true, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_start = true,
            c if is_letter(c) && is_start => {
                names.extend(first(&group[at..]));
                is_start = false;
            }
            _ => {}
        }
    }
    names
}

fn first(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| is_letter(*c)).collect();
    (!name.is_empty()).then_some(name)
}

/// The text without its comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A circle, if there is one: what is left when modules that use nothing of what is left are taken away.
fn circle(edges: &Edges) -> Option<Vec<String>> {
    let mut left = edges.clone();
    loop {
        let names: BTreeSet<String> = left.keys().cloned().collect();
        left.retain(|_, used| used.iter().any(|it| names.contains(it)));
        if left.len() == names.len() {
            break;
        }
    }
    let mut path = vec![left.keys().next()?.clone()];
    loop {
        let used = &left[path.last()?];
        let next = used.iter().find(|it| left.contains_key(*it))?.clone();
        let seen = path.iter().position(|it| *it == next);
        path.push(next);
        if let Some(start) = seen {
            return Some(path.split_off(start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sources: &[(&str, &str)]) -> Option<Vec<String>> {
        let sources: Vec<_> =
            sources.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        circle(&edges(&sources))
    }

    #[test]
    fn one_direction_is_fine() {
        let root = "mod a;\nmod b;\npub use a::{A, B};\npub use other::C;";
        let b = "use crate::{A, C, a::{self, B}};\n// use crate::b;\nfn f() { crate::a::g() }";
        assert_eq!(found(&[("lib", root), ("a", "use other::C;"), ("b", b)]), None);
    }

    /// By a module, by a name that the root re-exports, inside a group and inside an expression.
    #[test]
    fn planted_circles_are_found() {
        let root = "mod a;\nmod b;\npub use a::{\n    A,\n    B as Other,\n};\npub use b::b;";
        for a in ["use crate::b::X;", "use crate::{c, b::X};", "fn f() { crate::b::g() }"] {
            for b in ["use crate::a::Y;", "use crate::A;", "use crate::{\n    Other,\n};"] {
                let sources = [("lib", root), ("a", a), ("b", b), ("c", "use crate::a::Y;")];
                let circle = found(&sources).unwrap_or_else(|| panic!("{a} {b}"));
                assert!(circle.len() > 2 && circle.first() == circle.last(), "{circle:?}");
            }
        }
        let longer = [("lib", ""), ("a", "use crate::b;"), ("b", "use crate::c;"), ("c", "use crate::a;")];
        assert_eq!(found(&longer), Some(["a", "b", "c", "a"].map(String::from).to_vec()));
    }

    /// The library itself, and with one edge against the direction.
    #[test]
    fn the_library_goes_one_way() {
        let mut sources = sources(FOLDERS[0]).unwrap();
        assert!(sources.len() > 10);
        assert_eq!(circle(&edges(&sources)), None);
        let model = sources.iter_mut().find(|(module, _)| module == "model").unwrap();
        model.1.push_str("use crate::check;\n");
        assert!(circle(&edges(&sources)).is_some());
    }
}
