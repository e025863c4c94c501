//! What stands before a formula: `!`, `-`, path operators and quantifiers.

use super::lexer::TokenKind;
use super::operator::Operator;
use super::parser::{Parsed, Parser, quote_help};
use super::types::ParsedPart;
use crate::error::Error;
use crate::number::Number;
use crate::query::Formula;
use burnside_logic::Climb;
use burnside_logic::operator::{COMPARE, Infix, PathOp, Prefix, bracket_help, prefix, until};
use burnside_ts::{Kind, Path};
use std::ops::Range;

impl Parser<'_> {
    pub(super) fn unary(&mut self) -> Parsed<ParsedPart> {
        let start = self.span();
        if let Some((prefix, length)) = prefix(self.word(), self.word_at(1)) {
            return self.prefixed(prefix, length, start);
        }
        match self.peek() {
            TokenKind::Symbol("!") => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                let (span, below) = (start.start..operand.span.end, operand.depth);
                let inner = Box::new(self.condition(operand));
                self.formula(span, Formula::Not(inner), below)
            }
            TokenKind::Symbol("-") => {
                self.bump();
                let operand = self.nested(Self::unary)?;
                let zero = ParsedPart::number(start, Number::default());
                self.arithmetic(Operator::Subtract, zero, operand)
            }
            _ => self.atom(),
        }
    }

    fn prefixed(&mut self, prefix: Prefix, length: usize, start: Range<usize>) -> Parsed<ParsedPart> {
        self.check_prefix(prefix, if length == 2 { "[]" } else { self.word() })?;
        (0..length).for_each(|_| _ = self.bump());
        let temporal = match prefix {
            Prefix::Temporal(temporal) => temporal,
            Prefix::Brackets { exists } => return self.brackets(exists, start),
        };
        let operand = self.climb(COMPARE)?;
        let (span, below) = (start.start..operand.span.end, operand.depth);
        let (path, inner) = (temporal.exists.map(path), Box::new(self.condition(operand)));
        let formula = match temporal.op {
            PathOp::X => Formula::Next(path, inner),
            PathOp::F => Formula::Finally(path, inner),
            PathOp::G => Formula::Globally(path, inner),
        };
        self.formula(span, formula, below)
    }

    /// `[p U q]` after `A` or `E`.
    fn brackets(&mut self, exists: bool, start: Range<usize>) -> Parsed<ParsedPart> {
        if !self.eat("[") {
            let error = Error::new(self.span(), format!("expected `[`, found {}", self.found()));
            return Err(self.fail(error.with_help(bracket_help(exists))));
        }
        let left = self.expr()?;
        let Some(op) = until(self.word()) else {
            return Err(self.unexpected("`U`, `R`, `W` or `M`"));
        };
        self.bump();
        let right = self.expr()?;
        let node = self.temporal(Infix::Until(op), Some(path(exists)), left, right)?;
        let close = self.expect("]")?;
        Ok(ParsedPart { span: start.start..close.end, ..node })
    }

    /// Complains about a path operator that such a question cannot have.
    fn check_prefix(&mut self, prefix: Prefix, text: &str) -> Parsed<()> {
        let misplaced = match self.kind {
            Kind::Ltl | Kind::Ctl => prefix.misplaced(text, self.kind == Kind::Ctl),
            kind => Some((format!("`{text}` is a path operator: {} has none", words(kind)), None)),
        };
        let Some((message, help)) = misplaced else { return Ok(()) };
        let help = if self.names.has_place(text) { Some(quote_help(text)) } else { help };
        Err(self.fail(Error { span: self.span(), message, help }))
    }
}

fn path(exists: bool) -> Path {
    if exists { Path::Some } else { Path::All }
}

/// What a question of this kind is called.
fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::Invariant => "an invariant",
        Kind::Reachable => "a reachable condition",
        Kind::Ltl => "a formula of `ltl`",
        Kind::Ctl => "a formula of `ctl`",
        Kind::Bound => "a bound",
        Kind::Faults | Kind::Deadlock | Kind::Never | Kind::Automaton => "this question",
    }
}
