//! The book, as a part of the program: its pages, found by name, and shown in a terminal or a browser.
//!
//! Entry points: [`find`] for a page, [`terminal::render`] and [`html::render`] to show it. The pages are
//! those of `docs/src`, put into the program by `build.rs`. What of Markdown they use is read by
//! [`markdown`], and a test sees that this is all that they use.

pub mod html;
mod inline;
pub mod markdown;
pub mod terminal;

use std::borrow::Cow;

/// All files of the book: paths below `docs/src`, and texts.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/book.rs"));

/// A page of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPage {
    /// Its path, such as `errors/unknown-name.md`.
    pub path: &'static str,
    text: &'static str,
}

impl BookPage {
    /// Its text in Markdown, with what it includes from elsewhere.
    pub fn text(self) -> Cow<'static, str> {
        let Some(rest) = self.text.strip_prefix("{{#include ") else { return Cow::Borrowed(self.text) };
        let (include, rest) = rest.split_once("}}").unwrap_or((rest, ""));
        let path = include.split(':').next().unwrap_or(include);
        let included = FILES.iter().find(|(known, _)| *known == path).map_or("", |(_, text)| text);
        // It stands one folder above the pages, and so do its links.
        Cow::Owned(format!("{}{rest}", included.replace("](src/", "](")))
    }

    /// Its path without the ending: what it is called on the command line.
    pub fn name(self) -> &'static str {
        self.path.trim_end_matches(".md").trim_end_matches("/README")
    }

    /// Its first heading.
    pub fn title(self) -> String {
        let text = self.text();
        let heading = text.lines().find_map(|line| line.strip_prefix("# "));
        heading.unwrap_or(self.name()).replace('`', "")
    }
}

/// All pages, in the order of their paths.
pub fn pages() -> impl Iterator<Item = BookPage> {
    let pages = FILES.iter().filter(|(path, _)| path.ends_with(".md") && !path.starts_with(".."));
    pages.filter(|(path, _)| *path != "SUMMARY.md").map(|&(path, text)| BookPage { path, text })
}

/// The page that a name means, in any case: a path with or without its ending, the last part of one, or a
/// code.
pub fn find(name: &str) -> Option<BookPage> {
    let wanted = name.to_ascii_lowercase();
    let wanted = wanted.trim_end_matches(".md");
    pages().find(|page| page.name() == wanted).or_else(|| {
        let last = |page: &BookPage| page.name().rsplit('/').next() == Some(wanted);
        let numbered = |page: &BookPage| page.name().contains(&format!("/{wanted}-")) && wanted.len() == 4;
        pages().find(last).or_else(|| pages().find(numbered))
    })
}

/// A picture of the book.
pub fn picture(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_lang::diagnostic::Code;

    #[test]
    fn pages_are_found_by_name() {
        let path = |name: &str| find(name).map(|page| page.path);
        assert_eq!(path("tutorial"), Some("tutorial.md"));
        assert_eq!(path("Command-Line.md"), Some("command-line.md"));
        assert_eq!(path("UNKNOWN-NAME"), Some("errors/unknown-name.md"));
        assert_eq!(path("errors"), Some("errors/README.md"));
        assert_eq!(path("0003"), Some("decisions/0003-kleene-quantifiers.md"));
        assert_eq!(path("nonsense"), None);
        for code in Code::ALL {
            assert_eq!(find(code.name()).map(|page| page.text().into_owned()), Some(code.page().into()));
        }
    }

    #[test]
    fn included_texts_are_there() {
        let page = find("benchmarks").expect("it is there");
        assert!(page.title() == "Benchmarks" && !page.text().contains("{{"), "{}", page.title());
        assert!(pages().all(|page| !page.text().contains("{{#include")));
    }
}
