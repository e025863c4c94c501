//! Diagnostics about a model's text, with the look of rustc.

use crate::input::Source;
use crate::output::Paint;
use crate::output::marks::MORE;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use burnside_lang::diagnostic::{Diagnostic, Severity, Span};
use burnside_lang::lines::Lines;
use burnside_ts::visible_lines;
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
        true => title.element(quote(source, diagnostic)),
        false => title.element(origin(source, diagnostic.primary.span)),
    };
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(help)),
        None => group,
    }
}

fn quote<'a>(
    source: &'a Source,
    diagnostic: &'a Diagnostic,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let primary = &diagnostic.primary;
    let mut annotation = AnnotationKind::Primary.span(range(&source.text, primary.span));
    if !primary.text.is_empty() {
        annotation = annotation.label(&primary.text);
    }
    let others = diagnostic.secondary.iter().map(|note| {
        let annotation = AnnotationKind::Context.span(range(&source.text, note.span));
        if note.text.is_empty() { annotation } else { annotation.label(&note.text) }
    });
    Snippet::source(source.text.as_str()).path(&source.path).annotation(annotation).annotations(others)
}

fn origin<'a>(source: &'a Source, span: Span) -> Origin<'a> {
    let (line, column) = position(&source.text, span.start);
    Origin::path(&source.path).line(line).char_column(column)
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

/// Line and column (in characters), both from 1, of a byte.
pub fn position(text: &str, at: u32) -> (usize, usize) {
    Lines::new(text).position(at)
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
