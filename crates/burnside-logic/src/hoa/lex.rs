//! The words of the format.
//!
//! Entry point: [`tokens`]. Comments may be nested.

use burnside_limits::Pace;
use std::ops::Range;

use super::HoaError;
use crate::lex::quoted;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HoaToken {
    /// `name:`.
    Header(String),
    Identifier(String),
    /// `@name`.
    Alias(String),
    Text(String),
    Number(u64),
    /// `--BODY--` and the like, without the dashes.
    Mark(&'static str),
    Symbol(char),
}

/// The most bytes of a name or a text: they are copied.
const LONGEST: usize = 1 << 16;

/// The tokens of a text with their places.
pub(super) fn tokens(text: &str) -> Result<Vec<(HoaToken, Range<usize>)>, HoaError> {
    let mut tokens = Vec::new();
    let (mut at, mut pace) = (0, Pace::every(1_000));
    while let Some(first) = text[at..].chars().next() {
        pace.poll();
        let rest = &text[at..];
        let error = |message: String| HoaError::new(text, at..at + first.len_utf8(), message);
        let mark = ["BODY", "END", "ABORT"].into_iter().find(|mark| {
            rest.strip_prefix("--")
                .and_then(|rest| rest.strip_prefix(mark))
                .is_some_and(|rest| rest.starts_with("--"))
        });
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("/*") {
            at += comment(rest).ok_or_else(|| error("this comment has no end".into()))?;
            continue;
        } else if let Some(mark) = mark {
            (HoaToken::Mark(mark), mark.len() + 4)
        } else if first == '"' {
            let text = quoted(rest).ok_or_else(|| error("this text in quotes has no end".into()))?;
            (HoaToken::Text(text.0), text.1)
        } else if first.is_ascii_digit() {
            let digits = &rest[..rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len())];
            let number = digits.parse().map_err(|_| error("this number is too large".into()))?;
            (HoaToken::Number(number), digits.len())
        } else if first.is_ascii_alphabetic() || first == '_' || first == '@' {
            word(rest)
        } else if "()[]{}!&|".contains(first) {
            (HoaToken::Symbol(first), 1)
        } else {
            return Err(error(format!("`{}` means nothing here", first.escape_debug())));
        };
        if length > LONGEST {
            return Err(error(format!(
                "this has more than {LONGEST} bytes: names and texts are not so long"
            )));
        }
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// The length of the comment at the start of a text.
fn comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (2, 1);
    while depth > 0 {
        match bytes.get(at..at + 2)? {
            b"/*" => (at, depth) = (at + 2, depth + 1),
            b"*/" => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    Some(at)
}

fn word(text: &str) -> (HoaToken, usize) {
    let in_word = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    let length = 1 + text[1..].find(|char| !in_word(char)).unwrap_or(text.len() - 1);
    let word = &text[..length];
    match word.strip_prefix('@') {
        Some(alias) => (HoaToken::Alias(alias.into()), length),
        None if text[length..].starts_with(':') => (HoaToken::Header(word.into()), length + 1),
        None => (HoaToken::Identifier(word.into()), length),
    }
}
