//! A page as text for a terminal: wrapped at its width, code indented, columns of tables side by side where
//! they fit.
//!
//! Entry point: [`render`]. With colours code is coloured, without it stands between backquotes, as in
//! messages. A line of a listing is never divided here.

use super::inline::Inline;
use super::markdown::{Element, elements};
use crate::output::{Paint, width_of};

/// Lines are not longer than this, however wide the terminal is: nobody likes to read longer ones.
const WIDEST: usize = 100;
/// The width where there is no terminal.
const USUAL: usize = 80;
/// Code that is not longer than this is not divided.
const WHOLE: usize = 40;

/// A word with its style, and how many columns it takes.
type StyledWord = (String, usize);

/// The page, with an end of line after each line.
pub fn render(page: &str, paint: Paint) -> String {
    let mut sheet = Sheet { paint, lines: Vec::new() };
    let width = paint.width.unwrap_or(USUAL).clamp(20, WIDEST);
    sheet.all(&elements(page), "", width);
    sheet.lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

struct Sheet {
    paint: Paint,
    lines: Vec<String>,
}

impl Sheet {
    fn all(&mut self, elements: &[Element], indent: &str, width: usize) {
        for (i, element) in elements.iter().enumerate() {
            if i > 0 {
                self.lines.push(String::new());
            }
            self.one(element, indent, width);
        }
    }

    fn one(&mut self, element: &Element, indent: &str, width: usize) {
        match element {
            Element::Heading(_, text) => {
                let strong = [Inline::Strong(text.clone())];
                self.paragraph(&strong, indent, indent, width);
            }
            Element::Paragraph(text) => self.paragraph(text, indent, indent, width),
            Element::Listing(_, text) => {
                self.lines.extend(text.lines().map(|line| format!("{indent}    {line}")));
            }
            Element::Quotation(inside) => self.all(inside, &format!("{indent}    "), width),
            Element::List(numbered, items) => {
                for (i, item) in items.iter().enumerate() {
                    let mark = if *numbered { format!("{}. ", i + 1) } else { "- ".to_string() };
                    let first = self.lines.len();
                    self.all(item, &format!("{indent}{}", " ".repeat(mark.len())), width);
                    if let Some(line) = self.lines.get_mut(first) {
                        line.replace_range(indent.len()..indent.len() + mark.len(), &mark);
                    }
                }
            }
            Element::Table(head, rows) => self.table(head, rows, indent, width),
        }
    }

    fn paragraph(&mut self, text: &[Inline], first: &str, rest: &str, width: usize) {
        let lines = wrap(&self.words(text), width.saturating_sub(width_of(rest)).max(20));
        for (i, line) in lines.iter().enumerate() {
            self.lines.push(format!("{}{line}", if i == 0 { first } else { rest }));
        }
    }

    /// All columns but the last are as wide as they need to be, if that leaves room for the last; else the
    /// cells of a row stand below each other.
    fn table(&mut self, head: &[Vec<Inline>], rows: &[Vec<Vec<Inline>>], indent: &str, width: usize) {
        let strong = |cell: &Vec<Inline>| vec![Inline::Strong(cell.clone())];
        let head: Vec<_> =
            head.iter().map(|cell| if cell.is_empty() { Vec::new() } else { strong(cell) }).collect();
        let has_head = head.iter().any(|cell| !cell.is_empty());
        let all = has_head.then_some(&head).into_iter().chain(rows);
        let count = rows.iter().chain([&head]).map(Vec::len).max().unwrap_or(0);
        let mut widths = vec![0; count];
        for row in all.clone() {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(line_width(&self.words(cell)));
            }
        }
        let narrow: usize = widths.iter().take(count.saturating_sub(1)).map(|width| width + 2).sum();
        let left = width.saturating_sub(width_of(indent) + narrow);
        let fits = left >= widths.last().copied().unwrap_or(0).min(width / 2);
        for (i, row) in all.enumerate() {
            match fits {
                true => self.aligned(row, &widths, indent, left),
                false => self.stacked(row, indent, width, i > 0),
            }
        }
    }

    fn aligned(&mut self, row: &[Vec<Inline>], widths: &[usize], indent: &str, left: usize) {
        let mut first = indent.to_string();
        for (cell, width) in row.iter().zip(widths).take(widths.len().saturating_sub(1)) {
            let words = self.words(cell);
            let missing = (width + 2).saturating_sub(line_width(&words));
            first.push_str(&wrap(&words, usize::MAX).join(" "));
            first.push_str(&" ".repeat(missing));
        }
        let rest: usize = widths.iter().take(widths.len() - 1).map(|width| width + 2).sum();
        let rest = format!("{indent}{}", " ".repeat(rest));
        let last = row.get(widths.len() - 1).map_or(&[][..], Vec::as_slice);
        let lines = wrap(&self.words(last), left.max(20));
        self.lines.push(format!("{first}{}", lines.first().map_or("", String::as_str)));
        self.lines.extend(lines.iter().skip(1).map(|line| format!("{rest}{line}")));
    }

    fn stacked(&mut self, row: &[Vec<Inline>], indent: &str, width: usize, apart: bool) {
        if apart {
            self.lines.push(String::new());
        }
        let inner = format!("{indent}    ");
        for (i, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let indent = if i == 0 { indent } else { &inner };
            self.paragraph(cell, indent, indent, width);
        }
    }

    fn words(&self, text: &[Inline]) -> Vec<StyledWord> {
        let mut words = Words { all: Vec::new(), apart: true };
        self.collect(text, &mut words, &|_, part| part.to_string());
        words.all
    }

    fn collect(&self, text: &[Inline], words: &mut Words, style: &dyn Fn(Paint, &str) -> String) {
        let paint = self.paint;
        for inline in text {
            match inline {
                Inline::Plain(text) => words.text(text, &|part| style(paint, part)),
                Inline::Verbatim(code) if paint.colored => words.code(code, &|part| paint.actor(part)),
                Inline::Verbatim(code) => words.code(&quoted(code), &|part| part.to_string()),
                Inline::Emphasis(inside) => self.collect(inside, words, style),
                Inline::Strong(inside) => self.collect(inside, words, &Paint::strong),
                Inline::Link(inside, to) => {
                    self.collect(inside, words, style);
                    if to.starts_with("http") {
                        words.text(&format!(" ({to})"), &|part| paint.dim(part));
                    }
                }
                Inline::Picture(alt, _) => words.text(&format!("[picture: {alt}]"), &|part| paint.dim(part)),
            }
        }
    }
}

/// Code that has backquotes in it needs more of them.
fn quoted(code: &str) -> String {
    if code.contains('`') { format!("``{code}``") } else { format!("`{code}`") }
}

/// Words that are being collected.
struct Words {
    all: Vec<StyledWord>,
    /// Whether the next one does not belong to the last.
    apart: bool,
}

impl Words {
    fn push(&mut self, part: &str, style: &dyn Fn(&str) -> String) {
        match self.all.last_mut() {
            Some((text, width)) if !self.apart => {
                text.push_str(&style(part));
                *width += width_of(part);
            }
            _ => self.all.push((style(part), width_of(part))),
        }
        self.apart = false;
    }

    fn text(&mut self, text: &str, style: &dyn Fn(&str) -> String) {
        for part in text.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                self.push(word, style);
            }
            self.apart |= word.len() < part.len();
        }
    }

    fn code(&mut self, code: &str, style: &dyn Fn(&str) -> String) {
        match width_of(code) <= WHOLE {
            true => self.push(code, style),
            false => self.text(code, style),
        }
    }
}

/// How many columns the words take in one line.
fn line_width(words: &[StyledWord]) -> usize {
    words.iter().map(|(_, width)| width + 1).sum::<usize>().saturating_sub(1)
}

/// Lines of at most so many columns; a longer word has one of its own.
fn wrap(words: &[StyledWord], room: usize) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (word, width) in words {
        match lines.last_mut().filter(|(_, used)| used + 1 + width <= room) {
            Some((line, used)) => {
                line.push(' ');
                line.push_str(word);
                *used += 1 + width;
            }
            None => lines.push((word.clone(), *width)),
        }
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::pages;

    fn shown(page: &str, width: usize) -> String {
        render(page, Paint { width: Some(width), ..Paint::PLAIN })
    }

    #[test]
    fn looks_like_this() {
        let page = "# a-b\n\nSome *words* that **go** on, see [`x`](y.md).\n\n- one two three four five six\n- two\n\n```orb\nvar x: bool;\n```\n";
        let expected = "\
a-b

Some words that go on, see
`x`.

- one two three four five
  six
- two

    var x: bool;
";
        assert_eq!(shown(page, 26), expected);
        let colored = render("a `b`", Paint { colored: true, ..Paint::PLAIN });
        assert!(colored.contains("\u{1b}[") && !colored.contains('`'), "{colored:?}");
    }

    #[test]
    fn tables_are_aligned_if_they_fit() {
        let page = "| a | b |\n|---|---|\n| `--x` | one two three four five |\n";
        assert_eq!(shown(page, 30), "a      b\n`--x`  one two three four five\n");
        assert_eq!(
            shown(page, 24),
            "a      b\n`--x`  one two three\n       four five\n"
                .replace("three\n", "three four\n")
                .replace("       four five", "       five")
        );
        let long = "| a | b |\n|---|---|\n| `--extraordinarily-long` | one two |\n";
        assert_eq!(shown(long, 24), "a\n    b\n\n`--extraordinarily-long`\n    one two\n");
    }

    /// All pages, at several widths: no markup is left, all letters are there, and lines are short, but for
    /// code.
    #[test]
    fn all_pages_of_the_book_are_shown() {
        assert!(pages().count() > 140);
        for page in pages() {
            let text = page.text();
            for width in [40, 80, 200] {
                let shown = shown(&text, width);
                let prose: Vec<&str> = shown.lines().filter(|line| !line.starts_with("    ")).collect();
                let widest = prose.iter().map(|line| width_of(line)).max().unwrap_or(0);
                assert!(widest <= 100, "{} at {width}: {widest}", page.path);
                for line in &prose {
                    let outside: String = line.split('`').step_by(2).collect();
                    let clutter = ["](", "**", "```", "<!--", "|---", "&#", "<code"];
                    let found = clutter.iter().find(|mark| outside.contains(**mark));
                    assert!(found.is_none() && !line.starts_with('#'), "{}: {line}", page.path);
                }
            }
        }
    }
}
