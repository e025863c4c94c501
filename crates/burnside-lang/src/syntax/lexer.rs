//! From text to tokens. Entry point:
//! [`lex`]. Total and linear: characters that are no token become one [`TokenKind::Error`] token and one
//! diagnostic per run, so the tokens together with the comments and the white space cover the text (but for
//! what is left of a name or a string that is too long, which is an error). The token list always ends with
//! [`TokenKind::Eof`].

use super::token::{Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Span};
use burnside_limits::poll;
use logos::{Lexer, Logos};

/// A comment; the formatter keeps it, the parser never sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// With the slashes.
    pub span: Span,
    /// `// …` as against `/* … */`.
    pub line: bool,
}

/// What the lexer makes of a text.
#[derive(Clone, Debug, Default)]
pub struct Lexed {
    /// The tokens, the last of which is the end of the text.
    pub tokens: Vec<Token>,
    /// The comments in the order of the text.
    pub comments: Vec<Comment>,
    /// What is wrong, in the order of the text; only the first few of very many.
    pub diagnostics: Vec<Diagnostic>,
}

impl Lexed {
    /// As if the text stood so many bytes further on.
    pub(super) fn shift(&mut self, by: u32) {
        let tokens = self.tokens.iter_mut().map(|token| &mut token.span);
        let comments = self.comments.iter_mut().map(|comment| &mut comment.span);
        let notes = self.diagnostics.iter_mut().flat_map(Diagnostic::notes_mut).map(|note| &mut note.span);
        for span in tokens.chain(comments).chain(notes) {
            *span = Span::new(span.start + by, span.end + by);
        }
    }
}

/// More than these are not even collected.
const MAX_DIAGNOSTICS: usize = 100;

/// The most bytes of a name. Names are copied wherever they are used, and stand in every line of a report.
pub const MAX_NAME: usize = 1024;

/// The same of a string: a message that somebody reads.
const MAX_STRING: usize = 1 << 16;

/// Splits `source` into tokens.
pub fn lex(source: &str) -> Lexed {
    let mut scan = Scan { source, lexer: TokenKind::lexer(source), out: Lexed::default() };
    if u32::try_from(source.len()).is_err() {
        scan.report(Diagnostic::error(Code::FileTooLarge, Span::new(0, 0), "the text is larger than 4 GB"));
        scan.push(TokenKind::Eof, 0, 0);
        return scan.out;
    }
    if source.starts_with('\u{feff}') {
        scan.lexer.bump('\u{feff}'.len_utf8());
    }
    while let Some(next) = scan.lexer.next() {
        scan.token(next);
    }
    scan.push(TokenKind::Eof, source.len(), source.len());
    scan.out
}

struct Scan<'s> {
    source: &'s str,
    lexer: Lexer<'s, TokenKind>,
    out: Lexed,
}

impl Scan<'_> {
    fn token(&mut self, next: Result<TokenKind, ()>) {
        let range = self.lexer.span();
        match next {
            Ok(TokenKind::LineComment) => self.line_comment(range.start),
            Ok(TokenKind::BlockComment) => self.block_comment(range.start),
            Ok(TokenKind::Str) => self.string(range.start),
            Ok(TokenKind::Int) => self.number(range.start, range.end),
            Ok(TokenKind::Prime) if !self.ends_value(range.start) => self.unknown(range.start),
            Ok(TokenKind::Ident) if range.len() > MAX_NAME => self.long_name(range.start, range.end),
            Ok(kind) => self.push(kind, range.start, range.end),
            Err(()) => self.unknown(range.start),
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        poll();
        self.out.tokens.push(Token { kind, span: Span::new(start as u32, end as u32) });
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if self.out.diagnostics.len() < MAX_DIAGNOSTICS {
            self.out.diagnostics.push(diagnostic);
        }
    }

    /// Moves the lexer forward to `end`, a place at or after the end of its token.
    fn advance_to(&mut self, end: usize) {
        let here = self.lexer.span().end;
        self.lexer.bump(end.saturating_sub(here));
    }

    fn line_comment(&mut self, start: usize) {
        let rest = &self.source[start..];
        let line = rest.find('\n').map_or(rest, |length| &rest[..length]);
        let end = start + line.len();
        self.advance_to(end);
        self.out.comments.push(Comment { span: Span::new(start as u32, end as u32), line: true });
    }

    fn block_comment(&mut self, start: usize) {
        let end = comment_end(self.source.as_bytes(), start);
        if end.is_none() {
            let span = Span::new(start as u32, start as u32 + 2);
            let message = "this comment is not closed";
            self.report(
                Diagnostic::error(Code::UnterminatedComment, span, message)
                    .help("close it with `*/`; comments nest, so each `/*` needs its own"),
            );
        }
        let end = end.unwrap_or(self.source.len());
        self.advance_to(end);
        self.out.comments.push(Comment { span: Span::new(start as u32, end as u32), line: false });
    }

    fn string(&mut self, start: usize) {
        let body = &self.source[start + 1..];
        let length = body.find(['"', '\n']).unwrap_or(body.len());
        let closed = body[length..].starts_with('"');
        let mut end = start + 1 + length + usize::from(closed);
        if !closed {
            // What was meant to follow the string is probably the end of the statement.
            end = start + 1 + body[..length].trim_end().trim_end_matches(';').len();
            let span = Span::new(start as u32, end as u32);
            self.report(
                Diagnostic::error(Code::UnterminatedString, span, "this string is not closed")
                    .help("close it with `\"` on the same line"),
            );
        }
        self.advance_to(end);
        if end - start > MAX_STRING {
            let span = Span::new(start as u32, start as u32 + 1);
            let message = format!("this string has {} bytes", end - start);
            let help = format!("a string has at most {MAX_STRING}");
            self.report(Diagnostic::error(Code::StringTooLong, span, message).help(help));
            end = clipped(self.source, start, start + MAX_STRING);
        }
        self.push(TokenKind::Str, start, end);
    }

    fn number(&mut self, start: usize, end: usize) {
        let text = &self.source[start..end];
        let span = Span::new(start as u32, end as u32);
        if text.bytes().any(|b| b.is_ascii_alphabetic()) {
            let message = format!("`{}` is neither a number nor a name", shorten(text));
            let help = "a name cannot start with a digit, and numbers are decimal";
            self.report(Diagnostic::error(Code::MalformedNumber, span, message).help(help));
        } else if text.ends_with('_') || text.contains("__") {
            let message = "`_` in a number must stand between two digits";
            self.report(Diagnostic::error(Code::MalformedNumber, span, message));
        } else if number_value(text).is_none() {
            let message = format!("the number `{}` does not fit into 64 bits", shorten(text));
            let help = format!("the largest is {}", i64::MAX);
            self.report(Diagnostic::error(Code::NumberTooLarge, span, message).help(help));
        }
        self.push(TokenKind::Int, start, end);
    }

    fn unknown(&mut self, start: usize) {
        let first = self.source[start..].chars().next().unwrap_or(' ');
        if first.is_alphanumeric() { self.foreign_name(start) } else { self.foreign_signs(start, first) }
    }

    /// A name that is too long: its beginning, so that nobody copies all of it.
    fn long_name(&mut self, start: usize, end: usize) {
        let span = Span::new(start as u32, (start + MAX_NAME) as u32);
        let shown = shorten(&self.source[start..end]);
        let message = format!("the name `{shown}` has {} bytes", end - start);
        let help = format!("a name has at most {MAX_NAME}");
        self.report(Diagnostic::error(Code::NameTooLong, span, message).help(help));
        self.push(TokenKind::Ident, start, start + MAX_NAME);
    }

    /// A name with letters beyond a to z: one token and one message for the whole word.
    fn foreign_name(&mut self, start: usize) {
        let rest = &self.source[start..];
        let end = start + rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.advance_to(end);
        let begin = self.take_word_before(start);
        let span = Span::new(begin as u32, end as u32);
        let message = format!("`{}` is not a name", shorten(&self.source[begin..end]));
        let help = "names are made of the letters a to z and A to Z, digits and `_`";
        self.report(Diagnostic::error(Code::MalformedName, span, message).help(help));
        self.push(TokenKind::Ident, begin, clipped(self.source, begin, end.min(begin + MAX_NAME)));
    }

    /// Takes back the word that ends right at `start`, and says where it began.
    fn take_word_before(&mut self, start: usize) -> usize {
        match self.out.tokens.last() {
            Some(last) if last.span.end as usize == start && is_word(last.kind) => {
                let begin = last.span.start as usize;
                self.out.tokens.pop();
                begin
            }
            _ => start,
        }
    }

    /// Whether what may be a value ends right here.
    fn ends_value(&self, start: usize) -> bool {
        use TokenKind::{Bang, Prime, RBracket, RParen};
        self.out.tokens.last().is_some_and(|last| {
            let value = last.kind.is_name() || matches!(last.kind, RBracket | RParen | Bang | Prime);
            value && last.span.end as usize == start
        })
    }

    fn foreign_signs(&mut self, start: usize, first: char) {
        let rest = &self.source[start..];
        let length = match first {
            '\'' => quoted_length(rest),
            _ => rest.find(|c: char| c != first && is_known(c)).unwrap_or(rest.len()),
        };
        let end = start + length;
        self.advance_to(end);
        let span = Span::new(start as u32, end as u32);
        let mut diagnostic =
            Diagnostic::error(Code::UnexpectedCharacter, span, unexpected(&rest[..end - start]));
        if let Some(meant) = look_alike(first) {
            diagnostic = diagnostic.help(format!("write {meant}"));
        }
        self.report(diagnostic);
        self.push(TokenKind::Error, start, end);
    }
}

/// The value of a number as written, if it fits.
pub fn number_value(text: &str) -> Option<i64> {
    text.bytes().filter(|&b| b != b'_').try_fold(0i64, |value, b| {
        let digit = b.checked_sub(b'0').filter(|&digit| digit < 10)?;
        value.checked_mul(10)?.checked_add(i64::from(digit))
    })
}

/// One past the end of the nested comment that starts at `start`.
fn comment_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 1usize;
    let mut at = start + 2;
    while at + 1 < bytes.len() {
        let step = match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                2
            }
            b"*/" => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The last end of a character up to `end`.
fn clipped(source: &str, begin: usize, end: usize) -> usize {
    (begin..=end).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(begin)
}

fn is_word(kind: TokenKind) -> bool {
    kind.is_name() || kind.is_keyword() || kind == TokenKind::Int
}

/// The length of `'…'` if it is closed on its line, else of the first quote alone.
fn quoted_length(text: &str) -> usize {
    let inside = &text[1..];
    match inside.find(['\'', '\n']) {
        Some(length) if inside[length..].starts_with('\'') => length + 2,
        _ => 1,
    }
}

/// Characters that start a token or separate tokens, or that belong into a message of their own.
fn is_known(c: char) -> bool {
    c.is_alphanumeric() || c.is_whitespace() || "_\"()[]{},;:.?#@=<>-+|\\*/%&!".contains(c)
}

fn unexpected(run: &str) -> String {
    let mut chars = run.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => format!("unexpected character `{}`", visible(c)),
        _ => {
            let shown: String = run.chars().take(10).map(visible).collect();
            let dots = if run.chars().nth(10).is_some() { "…" } else { "" };
            format!("unexpected characters `{shown}{dots}`")
        }
    }
}

fn visible(c: char) -> String {
    if c.is_control() || c.is_whitespace() { c.escape_default().to_string() } else { c.to_string() }
}

fn look_alike(c: char) -> Option<&'static str> {
    Some(match c {
        '≠' => "`!=`",
        '≤' => "`<=`",
        '≥' => "`>=`",
        '∧' => "`&&`",
        '∨' => "`||`",
        '¬' => "`!`",
        '→' | '⇒' => "`->`",
        '↔' | '⇔' => "`<->`",
        '∀' => "`forall`",
        '∃' => "`exists`",
        '∈' => "`in`",
        '∪' => "`|`",
        '∩' => "`&`",
        '⊆' => "`subset`",
        '□' => "`G`",
        '◇' | '◊' => "`F`",
        '“' | '”' | '„' | '\'' => "`\"`",
        _ => return None,
    })
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
