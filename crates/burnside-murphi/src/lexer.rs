//! Tokens of Murphi. Entry point: [`tokens`]. Keywords are known in any case, names keep theirs.

use burnside_lang::diagnostic::{Code, Diagnostic, Span};

/// A token.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A keyword, in lower case.
    Keyword(&'static str),
    Name(String),
    Int(i64),
    Str(String),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// A comment: its text without the signs around it.
#[derive(Clone, Debug)]
pub struct Comment {
    pub text: String,
    pub span: Span,
}

const KEYWORDS: &str = "alias array assert assume begin boolean by case choose clear const cover do else elsif end endalias \
    endchoose endexists endfor endforall endfunction endif endprocedure endrecord endrule endruleset \
    endstartstate endswitch endwhile enum error exists false for forall function if invariant ismember \
    isundefined liveness multiset multisetadd multisetcount multisetremove multisetremovepred of \
    procedure put record return rule ruleset scalarset startstate switch then to true type undefine \
    union var while";

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<->", "==>", ":=", "..", "->", "<=", ">=", "!=", "==", "&&", "||", "<<", ">>", "=", "<", ">", "+", "-",
    "*", "/", "%", "!", "&", "|", "^", "~", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}",
];

/// The tokens of a text from some byte on, with an end; its comments; and what is wrong.
pub fn tokens(text: &str, start: usize) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    let mut lexer =
        Lexer { text, at: start, tokens: Vec::new(), comments: Vec::new(), diagnostics: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.comments, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    comments: Vec<Comment>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    fn run(&mut self) {
        while let Some(first) = self.rest().chars().next() {
            let start = self.at;
            let rest = self.rest();
            if first.is_whitespace() || first == '\u{feff}' {
                self.at += first.len_utf8();
            } else if rest.starts_with("--") || rest.starts_with("//") {
                let length = rest.find('\n').unwrap_or(rest.len());
                self.comment(start, length, 2, 0);
            } else if rest.starts_with("/*") {
                self.block_comment(start);
            } else if first.is_ascii_alphabetic() || first == '_' {
                self.word(start);
            } else if first.is_ascii_digit() {
                self.number(start);
            } else if first == '"' || first == '“' {
                self.string(start, first.len_utf8());
            } else {
                self.sign(start, first);
            }
        }
        let end = self.text.len() as u32;
        self.tokens.push(Token { kind: Kind::End, span: Span::new(end, end) });
    }

    fn comment(&mut self, start: usize, length: usize, before: usize, after: usize) {
        let text = self.text[start + before..start + length - after].trim().to_string();
        self.at += length;
        let span = self.span(start);
        self.comments.push(Comment { text, span });
    }

    fn block_comment(&mut self, start: usize) {
        match self.rest()[2..].find("*/") {
            Some(length) => self.comment(start, length + 4, 2, 2),
            None => {
                self.at = self.text.len();
                self.wrong(start, "this comment has no end", "end it with `*/`");
            }
        }
    }

    fn word(&mut self, start: usize) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
        self.at += length;
        let word = &self.text[start..self.at];
        let lower = word.to_ascii_lowercase();
        let kind = match KEYWORDS.split(' ').find(|keyword| *keyword == lower) {
            Some(keyword) => Kind::Keyword(keyword),
            None => Kind::Name(word.to_string()),
        };
        self.push(start, kind);
    }

    fn number(&mut self, start: usize) {
        let hexadecimal = self.rest().starts_with("0x") || self.rest().starts_with("0X");
        self.at += if hexadecimal { 2 } else { 0 };
        let base = if hexadecimal { 16 } else { 10 };
        let length = self.rest().find(|c: char| !c.is_digit(base)).unwrap_or(self.rest().len());
        let digits = self.rest()[..length].to_string();
        self.at += length;
        if self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.at += 1;
            self.at += self.rest().find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest().len());
            self.wrong(start, "real numbers are not supported", "count in a smaller unit");
        }
        let value = i64::from_str_radix(&digits, base).unwrap_or_else(|_| {
            self.wrong(start, "this number does not fit 64 bits", "write a smaller one");
            0
        });
        self.push(start, Kind::Int(value));
    }

    /// A text, which may go over several lines; quotes of two kinds, as in Rumur.
    fn string(&mut self, start: usize, open: usize) {
        let mut escaped = false;
        let end = self.rest()[open..].find(|c| {
            let ends = ['"', '”'].contains(&c) && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let inside = match end {
            Some(length) => {
                let close = self.rest()[open + length..].chars().next().map_or(0, char::len_utf8);
                let inside = self.rest()[open..open + length].to_string();
                self.at += open + length + close;
                inside
            }
            None => {
                let length = self.rest().find('\n').unwrap_or(self.rest().len());
                let inside = self.rest()[open..length].to_string();
                self.at += length;
                self.wrong(start, "this text has no end", "end it with `\"`");
                inside
            }
        };
        self.push(start, Kind::Str(inside));
    }

    fn sign(&mut self, start: usize, first: char) {
        let unicode = [
            ('≠', "!="),
            ('≤', "<="),
            ('≥', ">="),
            ('→', "->"),
            ('⇒', "==>"),
            ('≔', ":="),
            ('¬', "!"),
            ('∧', "&"),
            ('∨', "|"),
            ('∀', "forall"),
            ('∃', "exists"),
        ];
        let plain = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)).map(|sign| (sign.len(), *sign));
        let other =
            unicode.iter().find(|(char, _)| *char == first).map(|(char, sign)| (char.len_utf8(), *sign));
        let found = plain.or(other);
        self.at += found.map_or(first.len_utf8(), |(length, _)| length);
        match found {
            Some((_, word @ ("forall" | "exists"))) => self.push(start, Kind::Keyword(word)),
            Some((_, sign)) => self.push(start, Kind::Sign(sign)),
            None => self.wrong(start, "Murphi has no such sign", "remove it"),
        }
    }

    fn push(&mut self, start: usize, kind: Kind) {
        self.tokens.push(Token { kind, span: self.span(start) });
    }

    fn wrong(&mut self, start: usize, message: &str, help: &str) {
        self.diagnostics.push(Diagnostic::error(Code::MurphiModel, self.span(start), message).help(help));
    }
}
