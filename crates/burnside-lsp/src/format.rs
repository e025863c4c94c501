//! The one true layout, as one edit that leaves alone what is so already.

use crate::analysis::Known;
use burnside_lang::diagnostic::Span;
use lsp_types::TextEdit;

/// The edit that lays a text out. Nothing for a text with syntax errors, which has no layout.
pub(crate) fn format(known: &Known) -> Option<Vec<TextEdit>> {
    let formatted = burnside_lang::syntax::format(&known.text).ok()?;
    let edit = difference(&known.text, &formatted);
    Some(edit.map(|(span, text)| TextEdit::new(known.range(span), text.to_string())).into_iter().collect())
}

/// What differs, in whole lines.
fn difference<'n>(old: &str, new: &'n str) -> Option<(Span, &'n str)> {
    if old == new {
        return None;
    }
    let same = |a: std::str::SplitInclusive<'_, char>, b: std::str::SplitInclusive<'_, char>| {
        a.zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum::<usize>()
    };
    let start = same(old.split_inclusive('\n'), new.split_inclusive('\n'));
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let back = |text: &str| text.split_inclusive('\n').rev().map(str::to_string).collect::<Vec<_>>();
    let (a, b) = (back(old_rest), back(new_rest));
    let end: usize = a.iter().zip(&b).take_while(|(a, b)| a == b).map(|(a, _)| a.len()).sum();
    let span = Span::new(start as u32, (old.len() - end) as u32);
    Some((span, &new_rest[..new_rest.len() - end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_edited() {
        let cases = [
            ("a\nb\nc\n", "a\nB\nc\n", Some((2, 4, "B\n"))),
            ("a\n", "a\n", None),
            ("", "a\n", Some((0, 0, "a\n"))),
            ("a\na\n", "a\n", Some((2, 4, ""))),
            ("a", "a\n", Some((0, 1, "a\n"))),
        ];
        for (old, new, expected) in cases {
            let found = difference(old, new).map(|(span, text)| (span.start, span.end, text));
            assert_eq!(found, expected, "{old:?} {new:?}");
        }
    }
}
