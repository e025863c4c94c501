//! A model in several files as one text: the file itself, and behind it each file that it imports, after a
//! line that starts with a character that no model has and goes on with the name of the file.
//!
//! Entry points: [`gather`] makes such a text, [`parts`] takes it apart. Names of files are relative to the
//! directory of the first one, so the text can be moved, stored and replayed. A file that could not be read
//! is there with the reason in place of its text.

use crate::syntax::ast::ItemKind;
use crate::syntax::parse;
use std::collections::BTreeSet;

/// What a line between two files starts with.
const MARK: char = '\u{1c}';

/// More files than this are not read.
const MAX_FILES: usize = 1000;

/// A file in the text of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelFile<'t> {
    /// Its name, relative to the directory of the first file, which has none.
    pub name: &'t str,
    /// Why it could not be read.
    pub refused: Option<&'t str>,
    /// Where its text starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// The files of a text; the first is the model itself.
pub fn parts(text: &str) -> Vec<ModelFile<'_>> {
    let mut marks = text.match_indices(MARK).map(|(at, _)| at).filter(|&at| at > 0);
    let mut next = || marks.by_ref().find(|&at| text.as_bytes()[at - 1] == b'\n');
    let mut parts = vec![ModelFile { name: "", refused: None, start: 0, end: text.len() }];
    while let Some(at) = next() {
        let end = text[at..].find('\n').map_or(text.len(), |line| at + line);
        let (name, why) = match text[at + 1..end].split_once(MARK) {
            Some((name, why)) => (name, Some(why)),
            None => (&text[at + 1..end], None),
        };
        let last = parts.last_mut().expect("there is one");
        last.end = (at - 1).max(last.start);
        let start = (end + 1).min(text.len());
        parts.push(ModelFile { name, refused: why, start, end: text.len() });
    }
    parts
}

/// Puts behind a text the files that it imports, and those that they import; nothing if it imports none or
/// they are there already. `read` gives the text of a file by its name, or says why not.
pub fn gather(text: &str, read: &mut dyn FnMut(&str) -> Result<String, String>) -> Option<String> {
    if !text.contains("import") || text.contains(MARK) {
        return None;
    }
    let mut all = text.to_string();
    let mut known = BTreeSet::new();
    let mut open: Vec<String> = wanted("", text);
    while !open.is_empty() {
        for name in std::mem::take(&mut open) {
            if !known.insert(name.clone()) {
                continue;
            }
            let found = match known.len() > MAX_FILES {
                true => Err(format!("more than {MAX_FILES} files are imported")),
                false => read(&name),
            };
            let found = found.and_then(|text| match text.contains(MARK) {
                true => Err("it holds a character that separates files".to_string()),
                false => Ok(text),
            });
            match found {
                Ok(text) => {
                    open.extend(wanted(&name, &text));
                    all.push_str(&format!("\n{MARK}{name}\n{text}"));
                }
                Err(why) => all.push_str(&format!("\n{MARK}{name}{MARK}{}\n", why.replace('\n', " "))),
            }
        }
    }
    (!known.is_empty()).then_some(all)
}

/// The names of the files that a file imports.
fn wanted(name: &str, text: &str) -> Vec<String> {
    let file = parse(text).file;
    let paths = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Import { path, .. } if is_path(&path.text) => Some(resolve(name, &path.text)),
        _ => None,
    });
    paths.collect()
}

/// Whether a text can be the path of a file.
pub(super) fn is_path(path: &str) -> bool {
    !path.is_empty() && !path.chars().any(char::is_control)
}

/// The name of a file that another one imports by a path.
pub fn resolve(from: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_string();
    }
    let absolute = from.starts_with('/');
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(path.split('/')) {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, steps.join("/"))
}

/// How a file of a model is shown that is called so itself.
pub fn shown(model: &str, name: &str) -> String {
    match model.rsplit_once('/') {
        _ if name.is_empty() => model.to_string(),
        Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_behind_each_other() {
        let model = "import \"a.orb\";\nimport \"sub/b.orb\";\n";
        let mut read = |name: &str| match name {
            "a.orb" => Ok("import \"sub/../sub/b.orb\";\nconst N = 1;".to_string()),
            "sub/b.orb" => Ok("import \"../none.orb\";".to_string()),
            name => Err(format!("no {name}")),
        };
        let text = gather(model, &mut read).unwrap();
        let parts = parts(&text);
        let names: Vec<_> = parts.iter().map(|part| (part.name, part.refused)).collect();
        assert_eq!(
            names,
            [("", None), ("a.orb", None), ("sub/b.orb", None), ("none.orb", Some("no none.orb"))]
        );
        assert_eq!(&text[parts[0].start..parts[0].end], model);
        assert_eq!(&text[parts[2].start..parts[2].end], "import \"../none.orb\";");
        assert_eq!(gather(&text, &mut read), None, "they are there already");
        assert_eq!(gather("var important: bool;", &mut read), None);
    }

    #[test]
    fn any_text_has_parts() {
        for text in
            ["", "\u{1c}", "\n\u{1c}", "\n\u{1c}a\n\u{1c}b", "\n\u{1c}\n\n\u{1c}\u{1c}\n", "ü\n\u{1c}ü"]
        {
            for part in parts(text) {
                assert!(text.get(part.start..part.end).is_some(), "{part:?} of {text:?}");
            }
        }
    }

    #[test]
    fn paths_are_relative_to_the_importing_file() {
        let cases = [
            ("", "a.orb", "a.orb"),
            ("", "./x/../a.orb", "a.orb"),
            ("sub/b.orb", "a.orb", "sub/a.orb"),
            ("sub/b.orb", "../a.orb", "a.orb"),
            ("", "../a.orb", "../a.orb"),
            ("../b.orb", "../a.orb", "../../a.orb"),
            ("/lib/b.orb", "../a.orb", "/a.orb"),
            ("b.orb", "/lib/a.orb", "/lib/a.orb"),
        ];
        for (from, path, name) in cases {
            assert_eq!(resolve(from, path), name, "{path} from {from}");
        }
        assert_eq!(shown("dir/m.orb", "sub/a.orb"), "dir/sub/a.orb");
        assert_eq!(shown("m.orb", "a.orb"), "a.orb");
        assert_eq!(shown("dir/m.orb", ""), "dir/m.orb");
    }
}
