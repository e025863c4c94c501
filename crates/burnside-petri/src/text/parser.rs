//! The state of the reading, and the climbing from loose operators to tight ones. `infix`, `prefix` and `operand` do the rest.

use super::QueryKind;
use super::lexer::{Kind, Token, lex};
use super::operator::{ADD, IFF, infix, meant, until};
use super::types::Node;
use crate::error::Error;
use crate::names::Names;
use crate::net::Net;
use crate::number::Number;
use crate::query::{Formula, Sum};
use std::ops::Range;

/// How many calls of [`Parser::enter`] can be open: enough for two for each level of a formula, one of them for parentheses.
const MAX_NESTING: u32 = 2 * super::MAX_DEPTH + 50;

/// The reading ended; why is already among the errors.
pub(super) struct Stop;

/// What was read, if the reading goes on.
pub(super) type Parsed<T> = Result<T, Stop>;

/// A text that is being read.
pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) kind: QueryKind,
    pub(super) net: &'t Net,
    pub(super) names: &'t Names<'t>,
    pub(super) errors: Vec<Error>,
    tokens: Vec<Token>,
    pos: usize,
    nesting: u32,
}

impl<'t> Parser<'t> {
    pub(super) fn new(
        text: &'t str,
        kind: QueryKind,
        net: &'t Net,
        names: &'t Names<'t>,
    ) -> Result<Self, Error> {
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
            let node = self.binary(ADD)?;
            let span = node.span.clone();
            let number = self.amount(node);
            sums.push(self.sum(span, number)?);
            if !self.take(",") {
                break;
            }
        }
        self.end()?;
        Ok(sums)
    }

    fn end(&mut self) -> Parsed<()> {
        if self.peek() == Kind::End { Ok(()) } else { Err(self.unexpected("an operator or the end")) }
    }

    /// An expression of any kind.
    pub(super) fn expr(&mut self) -> Parsed<Node> {
        self.binary(IFF)
    }

    /// An expression whose infix operators outside brackets are at least as tight as `least`.
    pub(super) fn binary(&mut self, least: u8) -> Parsed<Node> {
        self.enter()?;
        let mut left = self.unary()?;
        while let Some(infix) =
            infix(self.peek(), self.word(), self.kind).filter(|infix| infix.level() >= least)
        {
            left = self.step(left, infix)?;
        }
        self.leave();
        Ok(left)
    }

    /// Goes one level down.
    pub(super) fn enter(&mut self) -> Parsed<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING { Err(self.too_deep(self.span())) } else { Ok(()) }
    }

    /// Goes back up.
    pub(super) fn leave(&mut self) {
        self.nesting -= 1;
    }

    pub(super) fn sum(&mut self, span: Range<usize>, number: Number) -> Parsed<Sum> {
        number.sum().ok_or_else(|| self.out_of_range(span))
    }

    // Tokens.

    pub(super) fn peek(&self) -> Kind {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Kind {
        self.tokens.get(self.pos + ahead).map_or(Kind::End, |token| token.kind)
    }

    /// Where the current token is.
    pub(super) fn span(&self) -> Range<usize> {
        self.tokens[self.pos].span.clone()
    }

    /// The current token.
    pub(super) fn word(&self) -> &'t str {
        &self.text[self.span()]
    }

    /// Goes on to the next token; there is always one, for the end is never taken.
    pub(super) fn bump(&mut self) -> Range<usize> {
        let span = self.span();
        self.pos = (self.pos + 1).min(self.tokens.len() - 1);
        span
    }

    pub(super) fn take(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == Kind::Symbol(symbol);
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, symbol: &'static str) -> Parsed<Range<usize>> {
        if self.peek() == Kind::Symbol(symbol) {
            return Ok(self.bump());
        }
        Err(self.unexpected(&format!("`{symbol}`")))
    }

    // Errors.

    pub(super) fn fail(&mut self, error: Error) -> Stop {
        self.errors.push(error);
        Stop
    }

    pub(super) fn out_of_range(&mut self, span: Range<usize>) -> Stop {
        self.fail(Error::new(span, "a number is out of range"))
    }

    /// Says that something else was expected at the current token.
    pub(super) fn unexpected(&mut self, expected: &str) -> Stop {
        let error = Error::new(self.span(), format!("expected {expected}, found {}", self.found()));
        let word = self.word();
        let error = match meant(word) {
            Some(right) => error.with_help(format!("did you mean `{right}`?")),
            None if until(word).is_some() && self.names.has_place(word) => error.with_help(quote_help(word)),
            None if matches!(word, "U" | "R" | "W") && self.kind == QueryKind::Ctl => {
                error.with_help(format!("write `A[p {word} q]` or `E[p {word} q]`"))
            }
            None => error,
        };
        self.fail(error)
    }

    /// The current token in words.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            Kind::End => "the end of the text".into(),
            _ => format!("`{}`", self.excerpt(&self.span())),
        }
    }
}

/// How to write the place that has the name of an operator.
pub(super) fn quote_help(name: &str) -> String {
    format!("for the place of this name write `\"{name}\"`")
}
