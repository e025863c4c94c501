//! The words of a formula's text.
//!
//! Entry point:
//! [`tokens`]. Every byte of the text is in a token or is white space. A name does not start with `F`,
//! `G` or `X`: these are operators wherever they stand first, so `GFa` is `G F
//! a`. Any other text can be a name between double quotes, in which `\"` and `\\` stand for `"` and `\`.

use std::ops::Range;

use crate::operator::{Infix, PathOp, UntilOp, until};
use crate::parse::ParseError;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    True,
    False,
    Not,
    Prefix(PathOp),
    Infix(Infix),
    Open,
    Close,
}

/// What stands for a token; the longest that fits counts.
const SYMBOLS: [(Token, &[&str]); 13] = [
    (Token::Infix(Infix::Iff), &["<->", "<-->", "<=>", "↔", "⇔"]),
    (Token::Infix(Infix::Implies), &["->", "-->", "=>", "→", "⇒", "⟶"]),
    (Token::Infix(Infix::Xor), &["^", "⊕"]),
    (Token::Infix(Infix::Or), &["||", "|", "\\/", "∨"]),
    (Token::Infix(Infix::And), &["&&", "&", "/\\", "∧"]),
    (Token::Prefix(PathOp::X), &["()", "○", "◯", "∘"]),
    (Token::Prefix(PathOp::F), &["<>", "◇", "⋄", "♢"]),
    (Token::Prefix(PathOp::G), &["[]", "□", "◻"]),
    (Token::Not, &["!", "~", "¬"]),
    (Token::True, &["⊤"]),
    (Token::False, &["⊥"]),
    (Token::Open, &["("]),
    (Token::Close, &[")"]),
];

/// The symbol at the start of a text, with its length.
fn symbol(text: &str) -> Option<(Token, usize)> {
    let spelled = SYMBOLS.iter().flat_map(|(token, symbols)| symbols.iter().map(move |it| (token, it)));
    let (token, symbol) = spelled.filter(|(_, it)| text.starts_with(**it)).max_by_key(|(_, it)| it.len())?;
    Some((token.clone(), symbol.len()))
}

/// The tokens of a text with their places.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some(symbol) = symbol(rest) {
            symbol
        } else if first == '"' {
            let (name, length) = quoted(rest).ok_or_else(|| ParseError {
                span: at..text.len(),
                message: "this quoted proposition has no end".into(),
                help: Some("close it with `\"`".into()),
            })?;
            (Token::Name(name), length)
        } else if first.is_alphanumeric() || first == '_' {
            word(rest)
        } else {
            return Err(ParseError {
                span: at..at + first.len_utf8(),
                message: format!("`{}` means nothing in a formula", first.escape_debug()),
                help: Some(
                    "operators are X F G U R W M ! && || -> <->; other propositions go between `\"`".into(),
                ),
            });
        };
        tokens.push((token, at..at + length));
        at += length;
    }
    Ok(tokens)
}

/// What is quoted at the start of a text, and how long that is.
pub(crate) fn quoted(text: &str) -> Option<(String, usize)> {
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((name, at + 1)),
            '\\' => name.push(chars.next()?.1),
            _ => name.push(char),
        }
    }
    None
}

fn in_name(char: char) -> bool {
    char.is_alphanumeric() || char == '_' || char == '.' || char == '\''
}

/// A word at the start of a text, with its length.
fn word(text: &str) -> (Token, usize) {
    match text.as_bytes()[0] {
        b'X' => return (Token::Prefix(PathOp::X), 1),
        b'F' => return (Token::Prefix(PathOp::F), 1),
        b'G' => return (Token::Prefix(PathOp::G), 1),
        _ => {}
    }
    let word = &text[..text.find(|char| !in_name(char)).unwrap_or(text.len())];
    let token = match word {
        "true" | "1" => Token::True,
        "false" | "0" => Token::False,
        "V" => Token::Infix(Infix::Until(UntilOp::R)),
        "xor" => Token::Infix(Infix::Xor),
        _ => until(word).map_or_else(|| Token::Name(word.into()), |op| Token::Infix(Infix::Until(op))),
    };
    (token, word.len())
}

/// Whether a text is read as that name without quotes.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|char| char.is_alphabetic() || char == '_');
    starts && word(text) == (Token::Name(text.into()), text.len())
}
