//! Foreign texts (names, paths, arguments) on one line of an output, with nothing in them that a terminal or
//! a reader does not show.
//!
//! Entry points: [`visible`] and, for a text of several lines, [`visible_lines`]. What would move the cursor,
//! break the line, turn the direction of writing or take no space at all is written as an escape: so no name
//! can make a line look like another.

use std::fmt::Write;

/// Whether a character is not shown as itself: controls (C0, DEL and C1), separators of lines and paragraphs,
/// controls of the direction of writing, and what has no width or no looks.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The text with an escape for every hidden character.
pub fn visible(text: &str) -> String {
    escaped(text, is_hidden)
}

/// The same for a text of several lines, which stay as they are. Where a program colours its own text, it
/// asks to keep the character that colours start with.
pub fn visible_lines(text: &str, keep_colours: bool) -> String {
    escaped(text, |c| is_hidden(c) && c != '\n' && !(keep_colours && c == '\u{1b}'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) {
            true => write!(shown, "{}", c.escape_default()).expect("writing to a string"),
            false => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(visible("a\nb\u{1b}[0m ü"), "a\\nb\\u{1b}[0m ü");
        let hidden = "\u{80}\u{9f}\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}\u{200b}\u{2028}\u{2029}\u{feff}";
        let expected: String = hidden.chars().map(|c| c.escape_default().to_string()).collect();
        assert_eq!(visible(hidden), expected);
        for shown in ["", "näme", "a\\b", "p = \"x\"", "日本", "\u{a0}", "→"] {
            assert_eq!(visible(shown), shown);
        }
    }

    #[test]
    fn lines_and_own_colours_stay() {
        assert_eq!(visible_lines("a\nb\r\u{1b}[1m\u{202e}", true), "a\nb\\r\u{1b}[1m\\u{202e}");
        assert_eq!(visible_lines("\u{1b}[1m", false), "\\u{1b}[1m");
    }
}
