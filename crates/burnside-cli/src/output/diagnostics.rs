//! Diagnostics about a model's text, with the look of rustc.

use crate::input::Source;
use crate::output::Paint;
use crate::output::marks::MORE;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, Title};
use burnside_lang::diagnostic::{Diagnostic, Note, Severity, Span};
use burnside_lang::import::bundle::{parts, shown};
use burnside_lang::lines::Lines;
use burnside_ts::visible_lines;
use std::collections::BTreeSet;
use std::ops::Range;

/// How many diagnostics are shown; the rest is counted.
const MAX_SHOWN: usize = 50;
/// Texts and lines beyond these sizes are not quoted: nobody could read them.
const MAX_QUOTED_TEXT: usize = 1 << 20;
const MAX_QUOTED_LINE: usize = 1000;
/// Columns of a quoted line.
const WIDTH: usize = 140;

/// Renders diagnostics; nothing if there are none.
pub fn render(source: &Source, diagnostics: &[Diagnostic], paint: Paint) -> String {
    let mut shown = String::new();
    for diagnostic in diagnostics.iter().take(MAX_SHOWN) {
        shown.push_str(&draw(paint, group(source, diagnostic)));
        shown.push_str("\n\n");
    }
    if diagnostics.len() > MAX_SHOWN {
        let rest = diagnostics.len() - MAX_SHOWN;
        shown.push_str(&format!("{} and {rest} more\n\n", paint.mark(MORE)));
    }
    shown
}

/// A message for a stream. The renderer replaces some hidden characters of quoted texts, but not all.
pub fn draw(paint: Paint, group: Group<'_>) -> String {
    let renderer = if paint.colored { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(paint.width.map_or(WIDTH, |width| width.min(WIDTH)));
    visible_lines(&renderer.render(&[group]), paint.colored)
}

fn group<'a>(source: &'a Source, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.name());
    let group = match quotable(source, diagnostic) {
        true => quotes(title, source, diagnostic),
        false => title.element(origin(source, diagnostic.primary.span)),
    };
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

/// The places, file by file; that of the diagnostic itself comes first.
fn quotes<'a>(title: Title<'a>, source: &'a Source, diagnostic: &'a Diagnostic) -> Group<'a> {
    let lines = Lines::new(&source.text);
    let file = |note: &Note| lines.part(note.span.start);
    let first = file(&diagnostic.primary);
    let group = title.element(quote(source, first, diagnostic, &lines));
    let others: BTreeSet<usize> = diagnostic.secondary.iter().map(file).filter(|it| *it != first).collect();
    others.into_iter().fold(group, |group, part| group.element(quote(source, part, diagnostic, &lines)))
}

/// The places of a diagnostic in one of the files.
fn quote<'a>(
    source: &'a Source,
    part: usize,
    diagnostic: &'a Diagnostic,
    lines: &Lines<'_>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let bounds = parts(&source.text)[part];
    let text = &source.text[bounds.start..bounds.end];
    let here = |note: &&Note| lines.part(note.span.start) == part;
    let local = |note: &Note| {
        let start = bounds.start as u32;
        range(text, Span::new(note.span.start - start, note.span.end.max(note.span.start) - start))
    };
    let labelled = |kind: AnnotationKind, note: &'a Note| {
        let annotation = kind.span(local(note));
        if note.text.is_empty() { annotation } else { annotation.label(&note.text) }
    };
    let primary = Some(&diagnostic.primary).filter(here);
    let primary = primary.map(|note| labelled(AnnotationKind::Primary, note));
    let others = diagnostic.secondary.iter().filter(here);
    let others = others.map(|note| labelled(AnnotationKind::Context, note));
    Snippet::source(text)
        .path(shown(&source.path, bounds.name))
        .annotations(primary.into_iter().chain(others))
}

fn origin<'a>(source: &'a Source, span: Span) -> Origin<'a> {
    let lines = Lines::new(&source.text);
    let (line, column) = lines.position(span.start);
    Origin::path(source.path_at(&lines, span.start)).line(line).char_column(column)
}

fn quotable(source: &Source, diagnostic: &Diagnostic) -> bool {
    let spans = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).map(|note| note.span);
    source.text.len() <= MAX_QUOTED_TEXT && spans.into_iter().all(|span| lines_are_short(&source.text, span))
}

/// Whether all lines that a span touches are short.
fn lines_are_short(text: &str, span: Span) -> bool {
    let Range { start, end } = range(text, span);
    let first = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let last = text[end..].find('\n').map_or(text.len(), |at| end + at);
    text[first..last].lines().all(|line| line.len() <= MAX_QUOTED_LINE)
}

/// The span as a range that is certainly within the text and does not cut a character.
pub fn range(text: &str, span: Span) -> Range<usize> {
    let floor = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    start..floor(span.end).max(start)
}

/// Line and column (in characters), both from 1, of a byte, with the file if that is an imported one.
pub fn place(source: &Source, at: u32) -> String {
    let lines = Lines::new(&source.text);
    let (line, column) = lines.position(at);
    match lines.file(at) {
        Some(name) => format!("{}:{line}:{column}", shown(&source.path, name)),
        None => format!("{line}:{column}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_lang::diagnostic::Code;

    fn source(text: &str) -> Source {
        Source { path: "dir/m.orb".into(), text: text.to_string().into() }
    }

    #[test]
    fn looks_like_rustc() {
        let source = source("var x: bol;\n");
        let diagnostic = Diagnostic::error(Code::UnknownType, Span::new(7, 10), "there is no type `bol`")
            .label("not known")
            .help("did you mean `bool`?");
        let expected = "\
error[unknown-type]: there is no type `bol`
 --> dir/m.orb:1:8
  |
1 | var x: bol;
  |        ^^^ not known
  |
  = help: did you mean `bool`?

";
        assert_eq!(render(&source, &[diagnostic], Paint::PLAIN), expected);
    }

    #[test]
    fn long_lines_are_not_quoted() {
        let source = source(&"x".repeat(5000));
        let diagnostic = Diagnostic::error(Code::UnknownName, Span::new(4000, 4001), "wrong");
        let text = render(&source, &[diagnostic], Paint::PLAIN);
        assert!(text.contains("dir/m.orb:1:4001") && text.len() < 200, "{text}");
    }

    #[test]
    fn any_span_is_rendered() {
        for text in ["", "a", "ä\nö", "a\n"] {
            let source = source(text);
            for start in 0..=text.len() as u32 + 1 {
                for end in start..=text.len() as u32 + 2 {
                    let diagnostic = Diagnostic::warning(Code::UnusedName, Span::new(start, end), "odd")
                        .note(Span::new(0, 0), "");
                    assert!(!render(&source, &[diagnostic], Paint::PLAIN).is_empty());
                }
            }
        }
    }

    #[test]
    fn the_rest_is_counted() {
        let source = source("a");
        let many = vec![Diagnostic::error(Code::UnknownName, Span::new(0, 1), "wrong"); MAX_SHOWN + 7];
        assert!(render(&source, &many, Paint::PLAIN).ends_with("… and 7 more\n\n"));
    }
}
