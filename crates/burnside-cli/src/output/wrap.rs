//! Lines that fit a terminal: what is too long goes on in the next line, indented so that columns stay
//! columns.
//!
//! Entry point: [`wrap`]. Lines are broken between columns if that is not far to the left, else at blanks,
//! and inside a word only if it is longer than a line. Letters of two columns are counted as two, accents
//! that combine with a letter stay with it, and escape sequences take no room.

use unicode_width::UnicodeWidthChar;

/// Narrower terminals are treated as if they had so many columns.
const NARROWEST: usize = 20;

/// A piece of a line that is never divided: a letter with what combines with it, or an escape sequence.
struct Piece<'t> {
    text: &'t str,
    width: usize,
}

impl Piece<'_> {
    fn is_blank(&self) -> bool {
        self.text == " "
    }
}

/// A line, without its end, as lines of at most so many columns.
pub fn wrap(line: &str, width: usize) -> String {
    let width = width.max(NARROWEST);
    let pieces = pieces(line);
    if pieces.iter().map(|piece| piece.width).sum::<usize>() <= width {
        return line.to_string();
    }
    let hang = hanging(&pieces, width);
    let mut wrapped = String::with_capacity(line.len() + 64);
    let mut at = 0;
    while at < pieces.len() {
        let indent = if at == 0 { 0 } else { hang };
        let end = fitting(&pieces, at, width - indent);
        if at > 0 {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
        }
        let kept =
            pieces[at..end].iter().rposition(|piece| !piece.is_blank()).map_or(at, |last| at + last + 1);
        wrapped.extend(pieces[at..kept].iter().map(|piece| piece.text));
        at = end;
        while at < pieces.len() && pieces[at].is_blank() {
            at += 1;
        }
    }
    wrapped
}

/// Up to where the pieces from a place on fit into so many columns: to the last gap between columns if that
/// is in the second half, else to the last blank, and if there is none as far as possible.
fn fitting(pieces: &[Piece<'_>], start: usize, room: usize) -> usize {
    let (mut used, mut last_blank, mut last_gap, mut has_word) = (0, None, None, false);
    for (i, piece) in pieces.iter().enumerate().skip(start) {
        if piece.is_blank() && has_word {
            let is_gap = pieces.get(i + 1).is_some_and(Piece::is_blank);
            if is_gap && used >= room / 2 {
                last_gap = Some(i);
            }
            last_blank = Some(i);
        }
        has_word |= !piece.is_blank() && piece.width > 0;
        used += piece.width;
        if used > room && !piece.is_blank() {
            return last_gap.or(last_blank).unwrap_or(i.max(start + 1));
        }
    }
    pieces.len()
}

/// Where the next lines begin: below the last column that starts in the first half, or a little to the right
/// of the first letter.
fn hanging(pieces: &[Piece<'_>], width: usize) -> usize {
    let (mut column, mut blanks, mut hang) = (0, 0, None);
    let mut first = None;
    for piece in pieces {
        if column > width / 2 {
            break;
        }
        match (piece.is_blank(), piece.width) {
            (true, _) => blanks += 1,
            (false, 0) => {}
            (false, _) => {
                if first.is_none() {
                    first = Some(column);
                } else if blanks >= 2 {
                    hang = Some(column);
                }
                blanks = 0;
            }
        }
        column += piece.width;
    }
    hang.unwrap_or(first.unwrap_or(0) + 2).min(width / 2)
}

/// The pieces of a line, in order.
fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let length = if c == '\u{1b}' { escape(rest) } else { c.len_utf8() };
        let width = if c == '\u{1b}' { 0 } else { c.width().unwrap_or(0) };
        let start = line.len() - rest.len();
        match pieces.last_mut() {
            // It combines with the letter before it.
            Some(last) if width == 0 && c != '\u{1b}' && last.width > 0 => {
                let from = last.text.as_ptr() as usize - line.as_ptr() as usize;
                last.text = &line[from..start + length];
            }
            _ => pieces.push(Piece { text: &line[start..start + length], width }),
        }
        rest = &rest[length..];
    }
    pieces
}

/// The bytes of the escape sequence that a text begins with.
fn escape(text: &str) -> usize {
    text.find(|c: char| c.is_ascii_alphabetic()).map_or(text.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn short_lines_stay() {
        assert_eq!(wrap("", 40), "");
        assert_eq!(wrap("  a  b", 40), "  a  b");
    }

    #[test]
    fn columns_stay_columns() {
        let line = "  3  Proc[1]  enter  phase[1]: trying → critical, and much more";
        let expected = "  3  Proc[1]  enter  phase[1]: trying →\n                     critical, and much\n                     more";
        assert_eq!(wrap(line, 42), expected);
        let formula = "   false here: forall a: Client { phase[a] == using }";
        assert_eq!(wrap(formula, 30), "   false here: forall a:\n     Client { phase[a] ==\n     using }");
    }

    #[test]
    fn breaks_between_columns_come_first() {
        let line = "  x fed  ltl  violated  19 states  depth 5  6 states in the product";
        assert_eq!(
            wrap(line, 48),
            "  x fed  ltl  violated  19 states  depth 5\n                        6 states in the product"
        );
    }

    #[test]
    fn long_words_are_cut_and_accents_stay() {
        assert_eq!(
            wrap(&"x".repeat(45), 20),
            format!("{}\n  {}\n  {}", "x".repeat(20), "x".repeat(18), "x".repeat(7))
        );
        let accents = "e\u{301}".repeat(25);
        let wrapped = wrap(&accents, 20);
        assert!(wrapped.lines().all(|line| !line.trim_start().starts_with('\u{301}')), "{wrapped:?}");
        assert_eq!(wrapped.lines().map(UnicodeWidthStr::width).collect::<Vec<_>>(), [20, 7]);
        let wide = "漢".repeat(25);
        assert!(wrap(&wide, 21).lines().all(|line| line.width() <= 21 && line.width() >= 12));
    }

    #[test]
    fn escapes_take_no_room() {
        let line = format!("\u{1b}[1m{}\u{1b}[0m {}", "a".repeat(12), "b".repeat(12));
        assert_eq!(wrap(&line, 20), format!("\u{1b}[1m{}\u{1b}[0m\n  {}", "a".repeat(12), "b".repeat(12)));
    }

    /// Of all lines of up to seven of some words, at all widths: nothing is lost, and nothing is too wide.
    #[test]
    fn nothing_is_lost() {
        let words = [
            "",
            "ab",
            "abcdefghijk",
            "漢字漢字漢字",
            "e\u{301}e\u{301}",
            "an-extraordinarily-long-word-of-all",
        ];
        for code in 0..words.len().pow(5) {
            let line =
                (0..5).map(|i| words[code / words.len().pow(i) % words.len()]).collect::<Vec<_>>().join(" ");
            for width in [20, 25, 33] {
                let wrapped = wrap(&line, width);
                let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                assert_eq!(letters(&wrapped), letters(&line));
                assert!(wrapped.lines().all(|part| part.width() <= width), "{width}: {wrapped}");
            }
        }
    }
}
