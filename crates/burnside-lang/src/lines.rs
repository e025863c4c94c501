//! Lines and columns of places in a text.
//!
//! Entry point: [`Lines::position`]. It takes the same time wherever the place is, so that a model in one
//! very long line costs no more than one in many: the characters are counted once, up to each block of the
//! text.

use crate::import::bundle::{ModelFile, parts};

/// The bytes of a block.
const BLOCK: usize = 256;

/// Where the lines of a text start, and how many characters there are before each block of it.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Nothing if every character is a byte.
    characters: Vec<u32>,
    /// The files that it consists of: lines are counted in each.
    parts: Vec<ModelFile<'t>>,
}

impl<'t> Lines<'t> {
    /// The lines of a text of at most 4 GB.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let newlines = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        let blocks = if text.is_ascii() { &[] } else { bytes };
        let count = |before: &mut u32, block: &[u8]| {
            let here = *before;
            *before += characters(block);
            Some(here)
        };
        let characters = blocks.chunks(BLOCK).scan(0, count).collect();
        Self { text, starts, characters, parts: parts(text) }
    }

    /// Line and column (in characters), both from 1, of a byte, in the file that it is in. A place inside
    /// of a character is its start, one behind the text its end.
    pub fn position(&self, at: u32) -> (usize, usize) {
        let mut at = (at as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|&start| start as usize <= at);
        let start = self.starts[line - 1] as usize;
        let part = self.parts[self.part(at as u32)].start;
        let above = self.starts.partition_point(|&start| (start as usize) <= part) - 1;
        (
            line.saturating_sub(above).max(1),
            (self.characters_before(at) - self.characters_before(start)) as usize + 1,
        )
    }

    /// The number of the file that a byte is in; 0 is the model itself.
    pub fn part(&self, at: u32) -> usize {
        self.parts.partition_point(|part| part.start <= at as usize).saturating_sub(1)
    }

    /// The name of that file, as the model calls it; none for the model itself.
    pub fn file(&self, at: u32) -> Option<&'t str> {
        Some(self.parts[self.part(at)].name).filter(|name| !name.is_empty())
    }

    fn characters_before(&self, at: usize) -> u32 {
        // The last block may end right there.
        let block = (at / BLOCK).min(self.characters.len().saturating_sub(1));
        match self.characters.get(block) {
            Some(before) => before + characters(&self.text.as_bytes()[block * BLOCK..at]),
            None => at as u32,
        }
    }
}

/// How many characters start in some bytes.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the definition.
    fn slow(text: &str, at: usize) -> (usize, usize) {
        let at = (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let before = &text[..at];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    #[test]
    fn every_place_of_a_text_is_found() {
        let long = "aü\u{1f600}€".repeat(200);
        let mixed = format!("{long}\n\n{}\n{long}", "x".repeat(BLOCK));
        let exact = "ü".repeat(BLOCK);
        for text in ["", "\n", "a", "ä\nö", "a\r\nb\n", &"y".repeat(3 * BLOCK), &exact, &long, &mixed] {
            let lines = Lines::new(text);
            for at in 0..text.len() + 2 {
                assert_eq!(lines.position(at as u32), slow(text, at), "{at} of {text:?}");
            }
        }
    }

    #[test]
    fn a_place_far_in_a_long_line_costs_no_more() {
        // Counted from the start of the line these are 10^12 characters.
        let text = format!("ü{}", "x ".repeat(1 << 20));
        let lines = Lines::new(&text);
        let columns: u64 = (2..text.len() as u32).step_by(2).map(|at| lines.position(at).1 as u64).sum();
        assert_eq!(columns, (1..=1u64 << 20).map(|n| 2 * n).sum());
    }
}
