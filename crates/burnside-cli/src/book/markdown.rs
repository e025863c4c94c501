//! Markdown as the book uses it: headings, paragraphs, lists, quotations, tables and code. Comments are
//! dropped.
//!
//! Entry point: [`elements`]. It never fails: what it does not know is a paragraph.

use super::inline::{Inline, inlines};

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// `# …`, with the level from 1.
    Heading(usize, Vec<Inline>),
    /// Running text.
    Paragraph(Vec<Inline>),
    /// A fenced block: what stands behind the fence, and its lines.
    Listing(String, String),
    /// A list, numbered or not, with its items.
    List(bool, Vec<Vec<Element>>),
    /// `> …`
    Quotation(Vec<Element>),
    /// A table: its head, and its rows.
    Table(Vec<Vec<Inline>>, Vec<Vec<Vec<Inline>>>),
}

/// The parts of a page.
pub fn elements(text: &str) -> Vec<Element> {
    let text = without_comments(text);
    let lines: Vec<&str> = text.lines().collect();
    parse(&lines)
}

/// Comments stand on lines of their own, outside of code.
fn without_comments(text: &str) -> String {
    let (mut kept, mut in_code, mut in_comment) = (String::new(), false, false);
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        in_code ^= start.starts_with("```");
        in_comment |= !in_code && start.starts_with("<!--");
        if !in_comment {
            kept.push_str(line);
        }
        in_comment &= !line.trim_end().ends_with("-->");
    }
    kept
}

fn parse(lines: &[&str]) -> Vec<Element> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let (element, used) = element(&lines[at..]);
        found.extend(element);
        at += used;
    }
    found
}

/// What the first line begins, and how many lines it has.
fn element(lines: &[&str]) -> (Option<Element>, usize) {
    let first = lines[0];
    let bare = first.trim_start();
    if bare.is_empty() {
        return (None, 1);
    }
    if let Some(info) = bare.strip_prefix("```") {
        let inside = lines[1..].iter().take_while(|line| line.trim() != "```");
        let indent = first.len() - bare.len();
        let code: Vec<&str> = inside.map(|line| line.get(indent..).unwrap_or(line.trim_start())).collect();
        let used = (code.len() + 2).min(lines.len());
        let text = code.iter().map(|line| format!("{line}\n")).collect();
        return (Some(Element::Listing(info.trim().into(), text)), used);
    }
    if let Some((level, text)) = heading(bare) {
        return (Some(Element::Heading(level, inlines(text))), 1);
    }
    if bare.starts_with('|') && lines.get(1).is_some_and(|line| is_rule(line)) {
        let rows: Vec<_> = lines.iter().take_while(|line| line.trim_start().starts_with('|')).collect();
        let cells = |line: &&&str| cells(line).iter().map(|cell| inlines(cell)).collect();
        let body = rows[2..].iter().map(cells).collect();
        return (Some(Element::Table(cells(&rows[0]), body)), rows.len());
    }
    if bare.starts_with('>') {
        let quoted = lines.iter().map_while(|line| line.trim_start().strip_prefix('>'));
        let quoted: Vec<&str> = quoted.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
        return (Some(Element::Quotation(parse(&quoted))), quoted.len());
    }
    if let Some((numbered, _)) = marker(first) {
        return list(lines, numbered);
    }
    let more = lines[1..].iter().take_while(|line| !ends_paragraph(line)).count();
    let text: Vec<&str> = lines[..=more].iter().map(|line| line.trim()).collect();
    (Some(Element::Paragraph(inlines(&text.join("\n")))), more + 1)
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then(|| text.strip_prefix(' ')).flatten().map(|text| (level, text.trim()))
}

/// Whether it is the line below the head of a table.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("|-") && line.chars().all(|c| "|-: ".contains(c))
}

fn ends_paragraph(line: &str) -> bool {
    let bare = line.trim_start();
    bare.is_empty() || bare.starts_with("```") || heading(bare).is_some() || marker(line).is_some()
}

/// Whether a line begins an item of a list: whether it is numbered, and where its text begins.
fn marker(line: &str) -> Option<(bool, usize)> {
    let bare = line.trim_start();
    let indent = line.len() - bare.len();
    if bare.starts_with("- ") {
        return Some((false, indent + 2));
    }
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    ((1..=3).contains(&digits) && bare[digits..].starts_with(". ")).then_some((true, indent + digits + 2))
}

fn list(lines: &[&str], numbered: bool) -> (Option<Element>, usize) {
    let (mut items, mut at) = (Vec::new(), 0);
    let outer = indent(lines[0]);
    while at < lines.len() {
        let own = marker(lines[at]).filter(|(kind, _)| *kind == numbered && indent(lines[at]) == outer);
        let Some((_, start)) = own else { break };
        let mut inside = vec![&lines[at][start..]];
        at += 1;
        while at < lines.len() {
            let line = lines[at];
            let blank = line.trim().is_empty();
            let next_is_inside = || lines[at + 1..].iter().find(|line| !line.trim().is_empty());
            let belongs = match blank {
                true => next_is_inside().is_some_and(|line| indent(line) >= start),
                false => indent(line) >= start || !ends_paragraph(line) && !lines[at - 1].trim().is_empty(),
            };
            if !belongs {
                break;
            }
            inside.push(line.get(start.min(indent(line))..).unwrap_or(""));
            at += 1;
        }
        items.push(parse(&inside));
        // Items may stand apart.
        let blanks = lines[at..].iter().take_while(|line| line.trim().is_empty()).count();
        if lines.get(at + blanks).is_some_and(|line| marker(line).is_some() && indent(line) == outer) {
            at += blanks;
        }
    }
    (Some(Element::List(numbered, items)), at)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The cells of a row; `\|` is no border.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let line = line.strip_prefix('|').unwrap_or(line);
    let (mut cells, mut escaped) = (vec![String::new()], false);
    for c in line.chars() {
        let cell = cells.last_mut().expect("there is one");
        match c {
            '|' if escaped => {
                cell.pop();
                cell.push('|');
            }
            '|' => cells.push(String::new()),
            c => cell.push(c),
        }
        escaped = c == '\\';
    }
    if cells.last().is_some_and(|last| last.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<Inline> {
        inlines(text)
    }

    fn paragraph(of: &str) -> Element {
        Element::Paragraph(text(of))
    }

    #[test]
    fn parts_are_found() {
        let page = "# A `b`\n\none\ntwo\n## C\n- x\n  y\n- z\n\n  more\n\n```orb wrong\nvar\n\n```\n> q\n> r\n<!-- no -->\n";
        let expected = [
            Element::Heading(1, text("A `b`")),
            paragraph("one\ntwo"),
            Element::Heading(2, text("C")),
            Element::List(false, vec![vec![paragraph("x\ny")], vec![paragraph("z"), paragraph("more")]]),
            Element::Listing("orb wrong".into(), "var\n\n".into()),
            Element::Quotation(vec![paragraph("q\nr")]),
        ];
        assert_eq!(elements(page), expected);
    }

    #[test]
    fn lists_nest_and_tables_have_bars() {
        let page = "1. a\n   - b\n   - c\n2. d\n\n| h | |\n|---|---|\n| `x\\|y` | z |\n";
        let inner = Element::List(false, vec![vec![paragraph("b")], vec![paragraph("c")]]);
        let row = vec![text("`x|y`"), text("z")];
        let expected = [
            Element::List(true, vec![vec![paragraph("a"), inner], vec![paragraph("d")]]),
            Element::Table(vec![text("h"), text("")], vec![row]),
        ];
        assert_eq!(elements(page), expected);
    }
}
