//! The signs that are not ASCII, in one table, with what stands for them where only ASCII is safe: in a
//! locale whose charset is not UTF-8, and on a terminal that calls itself dumb.
//!
//! Printers ask for a sign ([`Paint::mark`](super::Paint::mark)), so that columns fit. Texts that come from
//! elsewhere, such as messages of the library, names in a model and paths, are spelt out on their way to the
//! stream ([`spell`]): the signs of the table as it says, and everything else by its number, so that two
//! names never look alike. Documents for programs are UTF-8 in any case.

use std::borrow::Cow;

/// A property holds; a run replays.
pub const HOLDS: char = '✓';
/// A property is violated; a run does not replay.
pub const VIOLATED: char = '✗';
/// From the old value to the new one.
pub const BECOMES: char = '→';
/// Something is left out.
pub const MORE: char = '…';
/// An element left a collection.
pub const LEFT: char = '−';

/// What stands for each sign.
const ASCII: [(char, &str); 5] = [(HOLDS, "+"), (VIOLATED, "x"), (BECOMES, "->"), (MORE, "..."), (LEFT, "-")];

/// A sign of the table, as a text.
pub fn mark(sign: char, ascii: bool) -> Cow<'static, str> {
    match ASCII.iter().find(|(known, _)| *known == sign) {
        Some((_, plain)) if ascii => Cow::Borrowed(plain),
        _ => Cow::Owned(sign.to_string()),
    }
}

/// A text in ASCII.
pub fn spell(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut spelt = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match ASCII.iter().find(|(known, _)| *known == c) {
            Some((_, plain)) => spelt.push_str(plain),
            None if c.is_ascii() => spelt.push(c),
            None => spelt.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(spelt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    #[test]
    fn signs_and_names_are_spelt() {
        assert_eq!(spell("✓ x: a → b, …"), "+ x: a -> b, ...");
        assert_eq!(spell("Müller"), "M\\u{fc}ller");
        assert_eq!(mark(HOLDS, false), "✓");
        assert_eq!(mark(BECOMES, true), "->");
    }

    fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// The lines of a source that can reach a reader: neither comments nor tests.
    fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
        let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
        let lines = text[..end].lines().enumerate();
        lines.filter(|(_, line)| !line.trim_start().starts_with("//")).map(|(i, line)| {
            let comment = line.find(" // ").unwrap_or(line.len());
            (i + 1, &line[..comment])
        })
    }

    /// The line without single letters in quotes: these are compared with what was typed.
    fn without_letters(line: &str) -> String {
        let chars: Vec<char> = line.chars().collect();
        let is_letter = |i: usize| i > 0 && chars[i - 1] == '\'' && chars.get(i + 1) == Some(&'\'');
        (0..chars.len()).filter(|&i| !is_letter(i)).map(|i| chars[i]).collect()
    }

    /// Other files of the program ask for signs; other crates use only signs of the table.
    #[test]
    fn no_sign_is_anywhere_else() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates are in a folder");
        let mut files = Vec::new();
        for entry in std::fs::read_dir(crates).expect("the crates") {
            let sub = entry.expect("readable").path().join("src");
            if sub.is_dir() && !sub.to_string_lossy().contains("testkit") {
                sources(&sub, &mut files);
            }
        }
        assert!(files.len() > 100);
        let mut breaches = Vec::new();
        for file in &files {
            let shown = file.to_string_lossy().replace('\\', "/");
            // What may be typed, not what is printed.
            let reads_signs = shown.ends_with("burnside-logic/src/lex.rs");
            if reads_signs || shown.ends_with("output/marks.rs") || shown.ends_with("tests.rs") {
                continue;
            }
            let ours = shown.contains("/burnside-cli/");
            for (line, text) in code(&std::fs::read_to_string(file).expect("a text")) {
                let is_known = |c: char| c.is_ascii() || !ours && ASCII.iter().any(|(known, _)| *known == c);
                if !without_letters(text).chars().all(is_known) {
                    breaches.push(format!("{shown}:{line}: {}", text.trim()));
                }
            }
        }
        assert!(breaches.is_empty(), "signs that are not in the table:\n{}", breaches.join("\n"));
    }
}
