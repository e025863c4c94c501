//! Faults: what went wrong, and where in the text.

use burnside_ts::{Fault, Site, System};
use std::ops::Range;

/// What went wrong, with what the author says about it.
pub fn describe(system: &System, fault: Fault) -> String {
    match &system.site(fault.site).message {
        Some(message) => format!("{}: {message}", fault.kind),
        None => fault.kind.to_string(),
    }
}

/// The bytes of the site in the text, if they are there as the site says.
pub fn locate(text: &str, site: &Site) -> Option<Range<usize>> {
    let start = line_start(text, site.line as usize)?;
    let line = text[start..].lines().next().unwrap_or("");
    let column = line.char_indices().map(|(at, _)| at).nth((site.column as usize).saturating_sub(1))?;
    let range = start + column..start + column + site.text.len();
    text.get(range.clone()).is_some_and(|found| found == site.text).then_some(range)
}

/// Where a line begins, counted from 1.
pub fn line_start(text: &str, line: usize) -> Option<usize> {
    match line {
        0 => None,
        1 => Some(0),
        _ => text.match_indices('\n').nth(line - 2).map(|(at, _)| at + 1),
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
