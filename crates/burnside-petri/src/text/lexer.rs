//! A text as tokens. Stops at the first character that starts none.

use crate::error::Error;
use burnside_ts::is_hidden;
use std::ops::Range;

/// Operators and brackets, longer ones before those they start with. Some are there only for what is said
/// about them.
const SYMBOLS: [&str; 32] = [
    "<==>", "<->", "<=>", "==>", "&&", "||", "->", "=>", "==", "!=", "<=", ">=", "<>", "/\\", "\\/", "&",
    "|", "!", "<", ">", "=", "+", "-", "*", "(", ")", "[", "]", ",", "~", "^", "/",
];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a word.
    Word,
    /// A name in quotes.
    Quoted,
    /// Digits.
    Int,
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// A token and where it is.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Range<usize>,
}

/// All tokens, the end last.
pub(super) fn lex(text: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    let mut start = 0;
    loop {
        start += text[start..].len() - text[start..].trim_start().len();
        let (kind, length) = token(text, start)?;
        tokens.push(Token { kind, span: start..start + length });
        if kind == TokenKind::End {
            return Ok(tokens);
        }
        start += length;
    }
}

fn token(text: &str, start: usize) -> Result<(TokenKind, usize), Error> {
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else { return Ok((TokenKind::End, 0)) };
    if first == '"' {
        return quoted(rest, start).map(|length| (TokenKind::Quoted, length));
    }
    if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol)) {
        return Ok((TokenKind::Symbol(symbol), symbol.len()));
    }
    let length = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
    let word = &rest[..length];
    if is_identifier(word) {
        return Ok((TokenKind::Word, length));
    }
    if length > 0 && word.bytes().all(|digit| digit.is_ascii_digit()) {
        return Ok((TokenKind::Int, length));
    }
    Err(strange(word, first, start))
}

fn strange(word: &str, first: char, start: usize) -> Error {
    if word.is_empty() {
        return Error::new(start..start + first.len_utf8(), format!("`{first}` cannot be here"))
            .with_help("names with such characters are written in double quotes");
    }
    Error::new(start..start + word.len(), format!("`{word}` is neither a number nor a name"))
        .with_help(format!("if it is a name, write `\"{word}\"`"))
}

/// The length of the name in quotes that `rest` starts with.
fn quoted(rest: &str, start: usize) -> Result<usize, Error> {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Ok(at + 1),
            _ => {}
        }
    }
    Err(Error::new(start..start + rest.len(), "this name has no closing quote"))
}

/// The name that a token in quotes stands for:
/// `\u{…}` is the character with that number, and any other character after `\` is itself.
pub(super) fn unquote(token: &str) -> String {
    let mut rest = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
    let mut name = String::new();
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        if letter != '\\' {
            name.push(letter);
            continue;
        }
        let numbered = numbered(rest);
        let plain = || rest.chars().next().map(|letter| (letter, letter.len_utf8()));
        let Some((letter, length)) = numbered.or_else(plain) else { break };
        name.push(letter);
        rest = &rest[length..];
    }
    name
}

/// The character that `u{…}` at the start of a text stands for, and how long that is.
fn numbered(text: &str) -> Option<(char, usize)> {
    let digits = text.strip_prefix("u{")?.split_once('}')?.0;
    let letter = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((letter, digits.len() + 3))
}

/// A name in quotes, on one line: what [`unquote`] reads as the same name.
pub(super) fn quote(name: &str) -> String {
    let mut text = String::from("\"");
    for letter in name.chars() {
        match letter {
            '\\' | '"' => text.extend(['\\', letter]),
            _ if is_hidden(letter) => text.extend(letter.escape_unicode()),
            _ => text.push(letter),
        }
    }
    text.push('"');
    text
}

/// Whether it can be in a name without quotes.
fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '.'
}

/// Whether a name has only letters, digits, `_` and `.`, and starts with a letter or `_`.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && name.chars().all(is_word)
}
