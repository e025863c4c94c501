//! What stands before a formula: `!`, `-`, path operators and quantifiers.

use super::QueryKind;
use super::lexer::Kind;
use super::operator::{COMPARE, Infix, Prefix, Unary, prefix, until};
use super::parser::{Parsed, Parser, quote_help};
use super::types::Node;
use crate::error::Error;
use crate::number::Number;
use crate::query::Formula;
use burnside_ts::Path;
use std::ops::Range;

impl Parser<'_> {
    pub(super) fn unary(&mut self) -> Parsed<Node> {
        let start = self.span();
        if let Some(prefix) = self.prefix() {
            return self.prefixed(prefix, start);
        }
        match self.peek() {
            Kind::Symbol("!") => {
                let operand = self.tight()?;
                let (span, below) = (start.start..operand.span.end, operand.depth);
                let inner = Box::new(self.condition(operand));
                self.formula(span, Formula::Not(inner), below)
            }
            Kind::Symbol("-") => {
                let operand = self.tight()?;
                let zero = Node::number(start, Number::default());
                self.arithmetic(Infix::Subtract, zero, operand)
            }
            _ => self.operand(),
        }
    }

    /// The operand of `!` or `-`, which is the current token.
    fn tight(&mut self) -> Parsed<Node> {
        self.bump();
        self.enter()?;
        let operand = self.unary()?;
        self.leave();
        Ok(operand)
    }

    /// The path operator or quantifier at the current token.
    fn prefix(&self) -> Option<Prefix> {
        match self.peek() {
            Kind::Word => prefix(self.word()),
            Kind::Symbol("<>") => Some(Prefix::Unary(None, Unary::F)),
            Kind::Symbol("[") if self.peek_at(1) == Kind::Symbol("]") => Some(Prefix::Unary(None, Unary::G)),
            _ => None,
        }
    }

    fn prefixed(&mut self, prefix: Prefix, start: Range<usize>) -> Parsed<Node> {
        self.check_prefix(prefix)?;
        // `[]` is two tokens.
        self.take("[");
        self.bump();
        let (path, unary) = match prefix {
            Prefix::Unary(path, unary) => (path, unary),
            Prefix::Brackets(path) => return self.brackets(path, start),
        };
        let operand = self.binary(COMPARE)?;
        let (span, below) = (start.start..operand.span.end, operand.depth);
        let inner = Box::new(self.condition(operand));
        let formula = match unary {
            Unary::X => Formula::Next(path, inner),
            Unary::F => Formula::Finally(path, inner),
            Unary::G => Formula::Globally(path, inner),
        };
        self.formula(span, formula, below)
    }

    /// `[p U q]` after `A` or `E`.
    fn brackets(&mut self, path: Path, start: Range<usize>) -> Parsed<Node> {
        if !self.take("[") {
            let letter = if path == Path::Some { 'E' } else { 'A' };
            let error = Error::new(self.span(), format!("expected `[`, found {}", self.found()));
            let help = format!(
                "write `{letter}[p U q]`, or `{letter}G p`, `{letter}F p`, `{letter}X p` in one word"
            );
            return Err(self.fail(error.with_help(help)));
        }
        let left = self.expr()?;
        let Some(op) = until(self.word()) else {
            return Err(self.unexpected("`U`, `R`, `W` or `M`"));
        };
        self.bump();
        let right = self.expr()?;
        let node = self.temporal(Infix::Until(op), Some(path), left, right)?;
        let close = self.expect("]")?;
        Ok(Node { span: start.start..close.end, ..node })
    }

    /// Complains about a path operator that such a question cannot have.
    fn check_prefix(&mut self, prefix: Prefix) -> Parsed<()> {
        let text = if self.peek() == Kind::Symbol("[") { "[]" } else { self.word() }.to_owned();
        let linear = matches!(prefix, Prefix::Unary(None, _));
        let error = match (self.kind, linear) {
            (QueryKind::Ltl, true) | (QueryKind::Ctl, false) => return Ok(()),
            (QueryKind::Ltl, false) => {
                Error::new(self.span(), format!("`{text}` is an operator of `ctl`, not of `ltl`"))
            }
            (QueryKind::Ctl, true) => {
                let letter = if text == "<>" { "F" } else { text.trim_matches(['[', ']']) };
                let letter = if letter.is_empty() { "G" } else { letter };
                Error::new(self.span(), format!("`{text}` needs a path quantifier in `ctl`"))
                    .with_help(format!("write `A{letter}` or `E{letter}`"))
            }
            (kind, _) => {
                Error::new(self.span(), format!("`{text}` is a path operator: {} has none", kind.words()))
            }
        };
        let error = if self.names.has_place(&text) { error.with_help(quote_help(&text)) } else { error };
        Err(self.fail(error))
    }
}
