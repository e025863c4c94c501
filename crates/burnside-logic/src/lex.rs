//! The words of a formula's text.
//!
//! Entry point: [`tokens`]. Every byte of the text is in a token or is white space. A name does not start with `F`, `G`
//! or `X`: these are operators wherever they stand first, so `GFa` is `G F a`. Any other text can be a name between
//! double quotes, in which `\"` and `\\` stand for `"` and `\`.

use std::ops::Range;

use crate::parse::ParseError;

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Name(String),
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Open,
    Close,
}

/// What stands for an operator; longer ones before those they start with.
const SYMBOLS: [(&str, Token); 39] = [
    ("<-->", Token::Iff),
    ("<->", Token::Iff),
    ("<=>", Token::Iff),
    ("-->", Token::Implies),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("<>", Token::Finally),
    ("[]", Token::Globally),
    ("()", Token::Next),
    ("&&", Token::And),
    ("/\\", Token::And),
    ("&", Token::And),
    ("||", Token::Or),
    ("\\/", Token::Or),
    ("|", Token::Or),
    ("!", Token::Not),
    ("~", Token::Not),
    ("^", Token::Xor),
    ("(", Token::Open),
    (")", Token::Close),
    ("¬", Token::Not),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("⊕", Token::Xor),
    ("→", Token::Implies),
    ("⇒", Token::Implies),
    ("⟶", Token::Implies),
    ("↔", Token::Iff),
    ("⇔", Token::Iff),
    ("□", Token::Globally),
    ("◻", Token::Globally),
    ("◇", Token::Finally),
    ("⋄", Token::Finally),
    ("♢", Token::Finally),
    ("○", Token::Next),
    ("◯", Token::Next),
    ("∘", Token::Next),
    ("⊤", Token::True),
    ("⊥", Token::False),
];

/// The tokens of a text with their places.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token, Range<usize>)>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            (token.clone(), symbol.len())
        } else if first == '"' {
            quoted(rest).ok_or_else(|| ParseError {
                span: at..text.len(),
                message: "this quoted proposition has no end".into(),
                help: Some("close it with `\"`".into()),
            })?
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

/// A quoted name at the start of a text, with its length.
fn quoted(text: &str) -> Option<(Token, usize)> {
    let mut name = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((Token::Name(name), at + 1)),
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
        b'X' => return (Token::Next, 1),
        b'F' => return (Token::Finally, 1),
        b'G' => return (Token::Globally, 1),
        _ => {}
    }
    let word = &text[..text.find(|char| !in_name(char)).unwrap_or(text.len())];
    let token = match word {
        "true" | "1" => Token::True,
        "false" | "0" => Token::False,
        "U" => Token::Until,
        "R" | "V" => Token::Release,
        "W" => Token::WeakUntil,
        "M" => Token::StrongRelease,
        "xor" => Token::Xor,
        _ => Token::Name(word.into()),
    };
    (token, word.len())
}

/// Whether a text is read as that name without quotes.
pub(crate) fn is_plain_name(text: &str) -> bool {
    let starts = text.chars().next().is_some_and(|char| char.is_alphabetic() || char == '_');
    starts && word(text) == (Token::Name(text.into()), text.len())
}
