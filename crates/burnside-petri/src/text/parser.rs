//! The state of the reading. `infix`, `prefix` and `operand` do the rest.

use super::lexer::{Token, TokenKind, lex};
use super::operator::meant;
use super::types::ParsedPart;
use crate::error::Error;
use crate::names::Names;
use crate::net::Net;
use crate::number::Number;
use crate::query::{Formula, Sum};
use burnside_limits::poll;
use burnside_logic::Climb;
use burnside_logic::operator::{ADD, IFF, until};
use burnside_ts::Kind;
use std::ops::Range;

/// How many calls of [`Climb::nested`] can be open: enough for two for each level of a formula, one of them
/// for parentheses.
pub(super) const MAX_NESTING: u32 = 2 * super::MAX_DEPTH + 50;

/// The reading ended; why is already among the errors.
pub(super) struct GivenUp;

/// What was read, if the reading goes on.
pub(super) type Parsed<T> = Result<T, GivenUp>;

/// A text that is being read.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) kind: Kind,
    pub(super) net: &'t Net,
    pub(super) names: &'t Names<'t>,
    pub(super) errors: Vec<Error>,
    tokens: Vec<Token>,
    pos: usize,
    pub(super) nesting: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, kind: Kind, net: &'t Net, names: &'t Names<'t>) -> Result<Self, Error> {
        Ok(Self { text, kind, net, names, errors: Vec::new(), tokens: lex(text)?, pos: 0, nesting: 0 })
    }

    /// The whole text as one formula.
    pub(super) fn whole(&mut self) -> Parsed<Formula> {
        let node = self.expr()?;
        self.end()?;
        Ok(self.condition(node))
    }

    /// The whole text as sums with commas between them.
    pub(super) fn sums(&mut self) -> Parsed<Vec<Sum>> {
        let mut sums = Vec::new();
        loop {
            let node = self.climb(ADD)?;
            let span = node.span.clone();
            let number = self.amount(node);
            sums.push(self.sum(span, number)?);
            if !self.eat(",") {
                break;
            }
        }
        self.end()?;
        Ok(sums)
    }

    fn end(&mut self) -> Parsed<()> {
        if self.peek() == TokenKind::End { Ok(()) } else { Err(self.unexpected("an operator or the end")) }
    }

    /// An expression of any kind.
    pub(super) fn expr(&mut self) -> Parsed<ParsedPart> {
        self.climb(IFF)
    }

    pub(super) fn sum(&mut self, span: Range<usize>, number: Number) -> Parsed<Sum> {
        number.sum().ok_or_else(|| self.out_of_range(span))
    }

    // Tokens.

    pub(super) fn peek(&self) -> TokenKind {
        self.tokens[self.pos].kind
    }

    /// Where the current token is.
    pub(super) fn span(&self) -> Range<usize> {
        self.tokens[self.pos].span.clone()
    }

    /// The current token.
    pub(super) fn word(&self) -> &'t str {
        self.word_at(0)
    }

    /// The token so many places further on.
    pub(super) fn word_at(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.pos + ahead).map_or("", |token| &self.text[token.span.clone()])
    }

    /// Goes on to the next token; there is always one, for the end is never taken.
    pub(super) fn bump(&mut self) -> Range<usize> {
        poll();
        let span = self.span();
        self.pos = (self.pos + 1).min(self.tokens.len() - 1);
        span
    }

    pub(super) fn eat(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == TokenKind::Symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str) -> Parsed<Range<usize>> {
        if self.peek() == TokenKind::Symbol(symbol) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("`{symbol}`")))
    }

    // Errors.

    pub(super) fn fail(&mut self, error: Error) -> GivenUp {
        self.errors.push(error);
        GivenUp
    }

    pub(super) fn out_of_range(&mut self, span: Range<usize>) -> GivenUp {
        self.fail(Error::new(span, "a number is out of range"))
    }

    /// Says that something else was expected at the current token.
    pub(super) fn unexpected(&mut self, expected: &str) -> GivenUp {
        let error = Error::new(self.span(), format!("expected {expected}, found {}", self.found()));
        let word = self.word();
        let error = match meant(word) {
            Some(right) => error.with_help(format!("did you mean `{right}`?")),
            None if until(word).is_some() && self.names.has_place(word) => error.with_help(quote_help(word)),
            None if matches!(word, "U" | "R" | "W") && self.kind == Kind::Ctl => {
                error.with_help(format!("write `A[p {word} q]` or `E[p {word} q]`"))
            }
            None => error,
        };
        self.fail(error)
    }

    /// The current token in words.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            TokenKind::End => "the end of the text".into(),
            _ => format!("`{}`", self.excerpt(&self.span())),
        }
    }
}

/// How to write the place that has the name of an operator.
pub(super) fn quote_help(name: &str) -> String {
    format!("for the place of this name write `\"{name}\"`")
}
