//! Faults for people: what went wrong, with the place in the text.

use crate::input::Input;
use crate::output::marks::MORE;
use crate::output::{Paint, diagnostics};
use annotate_snippets::{AnnotationKind, Level, Origin, Snippet};
use burnside_ts::{Fault, Site, System};
use std::ops::Range;

/// Longer lines are not quoted.
const MAX_QUOTED_LINE: usize = 400;

/// A fault with the line of the text that it is blamed on.
pub fn render(input: &Input, fault: Fault, paint: Paint) -> String {
    let system = &input.model.system;
    let site = system.site(fault.site);
    let source = &input.source_of(site);
    let message = describe(system, fault);
    let title = Level::ERROR.with_name("fault").primary_title(&message);
    let group = match quotable(&source.text, site) {
        Some(range) => {
            let annotation = AnnotationKind::Primary.span(range);
            title.element(Snippet::source(source.text.as_str()).path(&source.path).annotation(annotation))
        }
        None => {
            let origin =
                Origin::path(&source.path).line(site.line as usize).char_column(site.column as usize);
            title
                .element(origin)
                .element(Level::NOTE.message(format!("in `{}`", shortened(&site.text, &paint.mark(MORE)))))
        }
    };
    diagnostics::draw(paint, group)
}

/// What went wrong, with what the author says about it.
pub fn describe(system: &System, fault: Fault) -> String {
    match &system.site(fault.site).message {
        Some(message) => format!("{}: {message}", fault.kind),
        None => fault.kind.to_string(),
    }
}

/// The bytes of the site in the text, if they are there as the site says and can be quoted.
fn quotable(text: &str, site: &Site) -> Option<Range<usize>> {
    let start = line_start(text, site.line as usize)?;
    let line = text[start..].lines().next().unwrap_or("");
    let short = line.len() <= MAX_QUOTED_LINE && site.text.len() <= MAX_QUOTED_LINE;
    locate(text, site).filter(|_| short)
}

/// The bytes of the site in the text, if they are there as the site says.
pub fn locate(text: &str, site: &Site) -> Option<Range<usize>> {
    let start = line_start(text, site.line as usize)?;
    let line = text[start..].lines().next().unwrap_or("");
    let column = line.char_indices().map(|(at, _)| at).nth((site.column as usize).saturating_sub(1))?;
    let range = start + column..start + column + site.text.len();
    text.get(range.clone()).is_some_and(|found| found == site.text).then_some(range)
}

fn line_start(text: &str, line: usize) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
    }
}

fn shortened(text: &str, more: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(100) {
        Some((at, _)) => format!("{}{more}", &flat[..at]),
        None => flat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(text: &str, line: u32, column: u32) -> Site {
        Site { text: text.into(), origin: 0, line, column, message: None }
    }

    #[test]
    fn finds_the_place() {
        let text = "a\n  ü = x + 1;\n";
        assert_eq!(locate(text, &site("x + 1", 2, 7)).map(|range| &text[range]), Some("x + 1"));
        assert_eq!(locate(text, &site("a", 1, 1)), Some(0..1));
        for wrong in [site("x + 1", 2, 6), site("a", 7, 1), site("a", 0, 0), site("a", 1, 99)] {
            assert_eq!(locate(text, &wrong), None);
        }
    }
}
