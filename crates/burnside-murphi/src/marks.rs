//! Which part of a translation comes from which part of the Murphi text.
//!
//! Texts that are put together hold [marks](mark), three signs that no model can contain; [`settle`] takes
//! them out and gives the text and its [`Origins`].

use burnside_lang::diagnostic::Span;

const OPEN: char = '\u{1}';
const MIDDLE: char = '\u{2}';
const CLOSE: char = '\u{3}';

/// A part of a translation with where it comes from.
pub fn mark(span: Span, code: &str) -> String {
    format!("{OPEN}{},{}{MIDDLE}{code}{CLOSE}", span.start, span.end)
}

/// Where the parts of a text come from.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// Parts of the text, each with its origin; the inner ones before those around them.
    parts: Vec<(Span, Span)>,
    text: String,
}

/// A text without its marks, and what they say.
pub fn settle(marked: &str) -> (String, Origins) {
    let (mut text, mut parts, mut open) = (String::with_capacity(marked.len()), Vec::new(), Vec::new());
    let mut rest = marked;
    while let Some(at) = rest.find([OPEN, CLOSE]) {
        text.push_str(&rest[..at]);
        let is_open = rest[at..].starts_with(OPEN);
        rest = &rest[at + 1..];
        if is_open {
            let Some((numbers, behind)) = rest.split_once(MIDDLE) else { break };
            let mut numbers = numbers.split(',').map(|number| number.parse().unwrap_or(0));
            let span = Span::new(numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
            open.push((text.len() as u32, span));
            rest = behind;
        } else if let Some((start, span)) = open.pop() {
            parts.push((Span::new(start, text.len() as u32), span));
        }
    }
    text.push_str(rest);
    let origins = Origins { parts, text: text.clone() };
    (text, origins)
}

impl Origins {
    /// Where a part of the text comes from: the smallest marked part around it.
    pub fn origin(&self, span: Span) -> Span {
        let bare = self.bare(span);
        let around = |part: &&(Span, Span)| part.0.start <= bare.start && bare.end <= part.0.end;
        let found = self.parts.iter().filter(around).min_by_key(|part| part.0.len());
        found.map_or(Span::default(), |part| part.1)
    }

    /// Without blanks and parentheses around it.
    fn bare(&self, span: Span) -> Span {
        let mut text = span.text(&self.text);
        let mut start = span.start;
        loop {
            let trimmed = text.trim_start();
            start += (text.len() - trimmed.len()) as u32;
            text = trimmed.trim_end();
            let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
            match inner {
                Some(inner) if balanced(inner) => {
                    start += 1;
                    text = inner;
                }
                _ => return Span::new(start, start + text.len() as u32),
            }
        }
    }
}

/// Whether no parenthesis is closed that was not opened.
fn balanced(text: &str) -> bool {
    let depth = text.bytes().try_fold(0u32, |depth, byte| match byte {
        b'(' => Some(depth + 1),
        b')' => depth.checked_sub(1),
        _ => Some(depth),
    });
    depth == Some(0)
}
