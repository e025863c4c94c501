//! Places as editors count them: lines from 0, and in a line units of UTF-16.
//!
//! Entry points: [`Positions::position`] and [`Positions::offset`]. Lines end with `\n`, `\r\n` or `\r`, as
//! the protocol says. Both directions take the same time in lines of any length: units are counted once, up
//! to each block of the text.

use burnside_lang::diagnostic::Span;
use lsp_types::{Position, Range};

/// The bytes of a block.
const BLOCK: usize = 256;

/// Where the lines of a text start, and how many units there are before each block of it.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    starts: Vec<u32>,
    /// Nothing if every byte is a unit.
    units: Vec<u32>,
}

impl Positions {
    /// The lines of a text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect();
        let blocks = if text.is_ascii() { &[] } else { bytes };
        let count = |before: &mut u32, block: &[u8]| {
            let here = *before;
            *before += units(block);
            Some(here)
        };
        Self { starts, units: blocks.chunks(BLOCK).scan(0, count).collect() }
    }

    /// The place of a byte. One inside of a character is its start, one behind the text its end.
    pub fn position(&self, text: &str, at: u32) -> Position {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= at) - 1;
        let start = self.starts[line] as usize;
        Position::new(line as u32, self.units_before(text, at) - self.units_before(text, start))
    }

    /// The byte at a place. One behind the end of its line is that end, one inside of a character its start.
    pub fn offset(&self, text: &str, position: Position) -> u32 {
        let Some(&start) = self.starts.get(position.line as usize) else { return text.len() as u32 };
        let next = self.starts.get(position.line as usize + 1).map_or(text.len(), |&next| next as usize);
        let line = &text[start as usize..next];
        let end = start as usize + line.trim_end_matches(['\n', '\r']).len();
        let wanted = self.units_before(text, start as usize).saturating_add(position.character);
        // The last byte with no more units before it.
        let (mut low, mut high) = (start as usize, end);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if self.units_before(text, middle) <= wanted { low = middle } else { high = middle - 1 }
        }
        // Bytes inside of a character have as many units before them as its start has, or more.
        while !text.is_char_boundary(low) {
            low -= 1;
        }
        low as u32
    }

    /// The places of a span.
    pub fn range(&self, text: &str, span: Span) -> Range {
        Range::new(self.position(text, span.start), self.position(text, span.end))
    }

    /// The span between two places, which may be given in the wrong order.
    pub fn span(&self, text: &str, range: Range) -> Span {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        Span::new(start.min(end), start.max(end))
    }

    /// Units of the characters that start before a byte.
    fn units_before(&self, text: &str, at: usize) -> u32 {
        // The last block may end right there.
        let block = (at / BLOCK).min(self.units.len().saturating_sub(1));
        match self.units.get(block) {
            Some(before) => before + units(&text.as_bytes()[block * BLOCK..at]),
            None => at as u32,
        }
    }
}

/// Units of the characters that start in some bytes: two for those of four bytes.
fn units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition: line, and units before in it.
    fn slow(text: &str, at: usize) -> Position {
        let (mut line, mut unit) = (0, 0);
        let mut chars = text[..at].chars().peekable();
        while let Some(c) = chars.next() {
            let joined = c == '\r'
                && (chars.peek() == Some(&'\n') || (chars.peek().is_none() && text[at..].starts_with('\n')));
            if c == '\n' || (c == '\r' && !joined) {
                (line, unit) = (line + 1, 0);
            } else {
                unit += c.len_utf16() as u32;
            }
        }
        Position::new(line, unit)
    }

    #[test]
    fn every_place_is_found_in_both_directions() {
        let long = "aü\u{1f600}€".repeat(200);
        let mixed = format!("{long}\r\n\r{}\n{long}", "x".repeat(BLOCK));
        for text in ["", "\n", "a", "ä\nö\u{1f600}z", "a\r\nb\rc\n", &"y".repeat(3 * BLOCK), &long, &mixed]
        {
            let positions = Positions::new(text);
            for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                let position = positions.position(text, at as u32);
                assert_eq!(position, slow(text, at), "{at} of {text:?}");
                // Only between `\r` and `\n` there is no place of its own.
                let inside = text[..at].ends_with('\r') && text[at..].starts_with('\n');
                let back = if inside { at - 1 } else { at };
                assert_eq!(positions.offset(text, position) as usize, back, "{at} of {text:?}");
            }
        }
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest_before() {
        let text = "a\u{1f600}b\nc";
        let positions = Positions::new(text);
        let offset = |line, unit| positions.offset(text, Position::new(line, unit));
        assert_eq!([offset(0, 1), offset(0, 2), offset(0, 3)], [1, 1, 5]);
        assert_eq!([offset(0, 99), offset(1, 99), offset(7, 0), offset(0, u32::MAX)], [6, 8, 8, 6]);
        assert_eq!(positions.position(text, 3), Position::new(0, 1));
        assert_eq!(positions.position(text, 99), Position::new(1, 1));
    }

    #[test]
    fn a_place_far_in_a_long_line_costs_no_more() {
        // Counted from the start of the line these are 10^10 units.
        let text = format!("ü{}", "x ".repeat(1 << 17));
        let positions = Positions::new(&text);
        let places = (2..text.len() as u32).step_by(2);
        let sum: u64 = places.map(|at| u64::from(positions.position(&text, at).character)).sum();
        assert_eq!(sum, (0..1u64 << 17).map(|n| 2 * n + 1).sum::<u64>());
    }
}
