//! A name of a type means one thing within a crate: a reader who looks for it finds one. A word of the common
//! vocabulary means one thing in all of them.
//!
//! Seen are structs, enums, traits and type aliases outside of tests. The syntax tree and the checked model
//! of the language have the same names for the same things, and may.

use std::collections::BTreeMap;

/// Files that share names by design.
const MIRRORED: [&str; 2] = ["crates/burnside-lang/src/syntax/ast.rs", "crates/burnside-lang/src/hir.rs"];

/// What is asked, answered and used, each with the crate that says what it is.
const VOCABULARY: [(&str, &str); 12] = [
    ("Answer", "burnside-engine"),
    ("Engine", "burnside-engine"),
    ("Evidence", "burnside-trace"),
    ("Interrupt", "burnside-limits"),
    ("Limits", "burnside-limits"),
    ("Observer", "burnside-limits"),
    ("Progress", "burnside-limits"),
    ("Question", "burnside-ts"),
    ("Report", "burnside"),
    ("Stats", "burnside-limits"),
    ("Stop", "burnside-limits"),
    ("Verdict", "burnside-engine"),
];

/// Where names are declared: by crate and name, the files with the lines.
#[derive(Default)]
pub struct Declared(BTreeMap<(String, String), Vec<(String, usize)>>);

impl Declared {
    /// Notes what a file declares.
    pub fn add(&mut self, path: &str, text: &str) {
        let Some((name, _)) = path.split_once("/src/").filter(|_| !is_for_tests(path)) else { return };
        for (line, declared) in declarations(text) {
            let place = (path.to_string(), line);
            self.0.entry((name.to_string(), declared.to_string())).or_default().push(place);
        }
    }

    /// The names that mean several things.
    pub fn breaches(&self) -> Vec<String> {
        let several = self.0.iter().filter(|(_, places)| places.len() > 1 && !are_mirrored(places));
        let several = several
            .map(|((_, name), places)| format!("{}: the crate has several types `{name}`", shown(places)));
        several.chain(self.0.iter().filter_map(|((of, name), places)| borrowed(of, name, places))).collect()
    }
}

/// A word of the vocabulary that a crate gives a meaning of its own.
fn borrowed(folder: &str, name: &str, places: &[(String, usize)]) -> Option<String> {
    let (word, owner) = VOCABULARY.iter().find(|(word, _)| *word == name)?;
    let is_own = folder.strip_prefix("crates/") == Some(*owner);
    (!is_own).then(|| format!("{}: `{word}` is what `{owner}` calls so", shown(places)))
}

fn shown(places: &[(String, usize)]) -> String {
    let shown: Vec<String> = places.iter().map(|(path, line)| format!("{path}:{line}")).collect();
    shown.join(", ")
}

fn are_mirrored(places: &[(String, usize)]) -> bool {
    let mut files: Vec<&str> = places.iter().map(|(path, _)| path.as_str()).collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    files == MIRRORED
}

/// Whether nothing of a file is in a program or a library.
fn is_for_tests(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    path.starts_with("crates/burnside-testkit/") || file == "tests.rs" || file.ends_with("_tests.rs")
}

/// The names that a text declares, with their lines; not those of its tests.
fn declarations(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut tests, mut is_next) = (Vec::new(), false, false);
    for (i, line) in text.lines().enumerate() {
        tests &= line != "}";
        tests |= is_next && line.starts_with("mod ") && line.ends_with('{');
        is_next = line == "#[cfg(test)]";
        found.extend(declared(line).filter(|_| !tests).map(|name| (i + 1, name)));
    }
    found
}

/// The name that a line declares. What is called `type` inside of something else is a part of an `impl`.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub")).peekable();
    let kind = words.next()?;
    let is_one = matches!(kind, "struct" | "enum" | "trait" | "union");
    let is_alias = kind == "type" && !line.starts_with(' ');
    let name = words.next().filter(|_| is_one || is_alias)?;
    let name = name.split(|sign: char| !sign.is_alphanumeric()).next()?;
    name.starts_with(char::is_uppercase).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(files: &[(&str, &str)]) -> usize {
        let mut declared = Declared::default();
        files.iter().for_each(|(path, text)| declared.add(path, text));
        declared.breaches().len()
    }

    #[test]
    fn declarations_are_seen() {
        let text = "pub(crate) struct Reader<'a> {\n    type Output = u8;\n    let kind = 1;\n}\ntype Part = u8;\n\
                    enum Kind { A }\n#[cfg(test)]\nmod tests {\n    struct Dice(u64);\n}\npub trait Judge: Send {}\n";
        let names: Vec<&str> = declarations(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["Reader", "Part", "Kind", "Judge"]);
    }

    #[test]
    fn names_are_unique_in_a_crate() {
        let (a, b) = (("crates/a/src/x.rs", "struct Reader;"), ("crates/a/src/y/z.rs", "enum Reader {}"));
        assert_eq!(breaches(&[a, b]), 1);
        assert_eq!(breaches(&[a, ("crates/b/src/x.rs", "struct Reader;")]), 0);
        assert_eq!(breaches(&[a, ("crates/a/tests/x.rs", "struct Reader;")]), 0);
        assert_eq!(breaches(&[a, ("crates/a/src/y_tests.rs", "struct Reader;")]), 0);
    }

    #[test]
    fn the_vocabulary_is_common() {
        let (own, other) = ("crates/burnside-limits/src/stop.rs", "crates/burnside-ts/src/stop.rs");
        assert_eq!(breaches(&[(own, "pub enum Stop {}")]), 0);
        assert_eq!(breaches(&[(other, "enum Stop {}")]), 1);
        assert_eq!(breaches(&[(other, "pub struct Stopped;")]), 0);
    }

    #[test]
    fn the_tree_and_the_model_share_names() {
        let tree = MIRRORED.map(|path| (path, "pub struct Rule;"));
        assert_eq!(breaches(&tree), 0);
        let third = ("crates/burnside-lang/src/lower/mod.rs", "struct Rule;");
        assert_eq!(breaches(&[tree[0], third]), 1);
        assert_eq!(breaches(&[tree[0], tree[1], third]), 1);
    }
}
