//! Faults for people: what went wrong, with the place in the text.

use crate::input::Input;
use crate::output::marks::MORE;
use crate::output::{Paint, diagnostics};
use annotate_snippets::{AnnotationKind, Level, Origin, Snippet};
use burnside_report::fault::{describe, line_start, locate};
use burnside_ts::{Fault, Site};
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

/// The bytes of the site in the text, if they are there as the site says and can be quoted.
fn quotable(text: &str, site: &Site) -> Option<Range<usize>> {
    let start = line_start(text, site.line as usize)?;
    let line = text[start..].lines().next().unwrap_or("");
    let short = line.len() <= MAX_QUOTED_LINE && site.text.len() <= MAX_QUOTED_LINE;
    locate(text, site).filter(|_| short)
}

fn shortened(text: &str, more: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(100) {
        Some((at, _)) => format!("{}{more}", &flat[..at]),
        None => flat,
    }
}
