//! A page as an HTML file that needs nothing else: its style and its pictures are in it. Links lead to the
//! files of the other pages.
//!
//! Entry point: [`render`]. What is written is well-formed XML too, so that a test can read all pages.

use super::inline::Inline;
use super::markdown::{Element, elements};
use super::{BookPage, picture};
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1.5rem; }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { padding: 0.8rem 1rem; overflow-x: auto; border-left: 3px solid #8888; background: #8881; }
pre.wrong { border-left-color: #d33; }
code { background: #8882; padding: 0 0.2em; border-radius: 3px; overflow-wrap: anywhere; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
div.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid #8884; }
blockquote { margin-left: 0; padding-left: 1rem; border-left: 3px solid #8884; }
svg { max-width: 100%; height: auto; background: #fff; }
nav { font-size: 0.9em; }";

/// The file of a page, relative to the folder of the book.
pub fn file(page: BookPage) -> String {
    page.path.replace(".md", ".html")
}

/// The text of the file.
pub fn render(page: BookPage) -> String {
    let up = "../".repeat(page.path.matches('/').count());
    let mut html = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    html.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    let _ = writeln!(html, "<title>{} - Burnside</title>", escaped(&page.title()));
    let _ = writeln!(html, "<style>\n{STYLE}\n</style>\n</head>\n<body>");
    let links = [("introduction", "Burnside"), ("tutorial", "Tutorial"), ("language", "Language")];
    let links = links.into_iter().chain([("command-line", "Command line"), ("errors/README", "Errors")]);
    let links: Vec<_> = links.map(|(to, text)| format!("<a href=\"{up}{to}.html\">{text}</a>")).collect();
    let _ = writeln!(html, "<nav>{}</nav>\n<main>", links.join(" | "));
    all(&mut html, &elements(&page.text()));
    html.push_str("</main>\n</body>\n</html>\n");
    html
}

fn all(html: &mut String, elements: &[Element]) {
    elements.iter().for_each(|element| one(html, element));
}

fn one(html: &mut String, element: &Element) {
    let _ = match element {
        Element::Heading(level, text) => {
            let id = anchor(&plain(text));
            writeln!(html, "<h{level} id=\"{}\">{}</h{level}>", escaped(&id), inside(text))
        }
        Element::Paragraph(text) => writeln!(html, "<p>{}</p>", inside(text)),
        Element::Listing(info, text) => {
            let class = if info.starts_with("orb wrong") { " class=\"wrong\"" } else { "" };
            writeln!(html, "<pre{class}><code>{}</code></pre>", escaped(text))
        }
        Element::Quotation(elements) => {
            html.push_str("<blockquote>\n");
            all(html, elements);
            writeln!(html, "</blockquote>")
        }
        Element::List(numbered, items) => {
            let tag = if *numbered { "ol" } else { "ul" };
            let _ = writeln!(html, "<{tag}>");
            for item in items {
                html.push_str("<li>");
                all(html, item);
                html.push_str("</li>\n");
            }
            writeln!(html, "</{tag}>")
        }
        Element::Table(head, rows) => {
            html.push_str("<div class=\"table\"><table>\n");
            let cells = |tag: &str, row: &[Vec<Inline>]| -> String {
                row.iter().map(|cell| format!("<{tag}>{}</{tag}>", inside(cell))).collect()
            };
            if head.iter().any(|cell| !cell.is_empty()) {
                let _ = writeln!(html, "<tr>{}</tr>", cells("th", head));
            }
            for row in rows {
                let _ = writeln!(html, "<tr>{}</tr>", cells("td", row));
            }
            writeln!(html, "</table></div>")
        }
    };
}

fn inside(text: &[Inline]) -> String {
    text.iter()
        .map(|inline| match inline {
            Inline::Plain(text) => escaped(text),
            Inline::Verbatim(code) => format!("<code>{}</code>", escaped(code)),
            Inline::Emphasis(text) => format!("<em>{}</em>", inside(text)),
            Inline::Strong(text) => format!("<strong>{}</strong>", inside(text)),
            Inline::Link(text, to) => format!("<a href=\"{}\">{}</a>", escaped(&target(to)), inside(text)),
            Inline::Picture(alt, from) => match picture(from) {
                Some(svg) => svg.split_once("?>").map_or(svg, |(_, svg)| svg).trim().to_string(),
                None => escaped(alt),
            },
        })
        .collect()
}

/// Where a link leads: pages are files beside each other.
fn target(to: &str) -> String {
    match to.split_once('#') {
        _ if to.starts_with("http") => to.to_string(),
        Some((page, part)) => format!("{}#{part}", page.replace(".md", ".html")),
        None => to.replace(".md", ".html"),
    }
}

/// What links to a heading end with.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The text without any marks.
fn plain(text: &[Inline]) -> String {
    text.iter()
        .map(|inline| match inline {
            Inline::Plain(text) | Inline::Verbatim(text) | Inline::Picture(text, _) => text.clone(),
            Inline::Emphasis(text) | Inline::Strong(text) | Inline::Link(text, _) => plain(text),
        })
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::pages;
    use std::collections::{BTreeMap, BTreeSet};

    /// The document of a page: it is well-formed.
    fn checked(page: BookPage) -> String {
        let html = render(page);
        let xml = html.strip_prefix("<!DOCTYPE html>\n").expect("it begins so");
        roxmltree::Document::parse(xml).unwrap_or_else(|error| panic!("{}: {error}\n{xml}", page.path));
        html
    }

    /// The path of a link, seen from a page.
    fn resolve(from: &str, to: &str) -> String {
        let mut parts: Vec<&str> = from.split('/').collect();
        if !to.is_empty() {
            parts.pop();
        }
        for part in to.split('/').filter(|part| !part.is_empty()) {
            match part {
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Every page is a document of its own, and links lead to pages and headings that exist.
    #[test]
    fn all_pages_of_the_book_are_shown() {
        let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut links = Vec::new();
        for page in pages() {
            let html = checked(page);
            let xml = html.strip_prefix("<!DOCTYPE html>\n").expect("it begins so");
            let document = roxmltree::Document::parse(xml).expect("checked");
            let own = ids.entry(file(page)).or_default();
            own.extend(document.descendants().filter_map(|node| node.attribute("id")).map(String::from));
            let targets = document.descendants().filter_map(|node| node.attribute("href"));
            let inner = targets.filter(|to| !to.starts_with("http"));
            links.extend(inner.map(|to| (file(page), to.to_string())));
        }
        assert!(ids.len() > 140 && links.len() > 500, "{} {}", ids.len(), links.len());
        for (from, to) in links {
            let (path, part) = to.split_once('#').unwrap_or((&to, ""));
            let path = resolve(&from, path);
            // Pages outside of the book are on the repository's side.
            if path.ends_with(".html") && !to.contains("../../") {
                let known = ids.get(&path).unwrap_or_else(|| panic!("{from}: there is no {to}"));
                assert!(part.is_empty() || known.contains(part), "{from}: {to}: {known:?}");
            }
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for page in pages() {
            let html = render(page);
            for loads in ["<script", "<link", "src=", "@import", "url("] {
                assert!(!html.contains(loads), "{}: {loads}", page.path);
            }
        }
    }
}
