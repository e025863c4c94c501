//! What a part of a text is, a condition or a number, and what is said where the other one is needed.

use super::MAX_DEPTH;
use super::parser::{GivenUp, Parsed, Parser};
use crate::error::Error;
use crate::number::Number;
use crate::query::{Atom, Formula};
use std::ops::Range;

/// A part of the text, as far as it is understood.
pub(super) struct ParsedPart {
    pub(super) span: Range<usize>,
    pub(super) value: Value,
    /// How deep the formula is.
    pub(super) depth: u32,
}

/// What it says.
pub(super) enum Value {
    Formula(Formula),
    Number(Number),
    /// Something that was already reported.
    Wrong,
}

impl ParsedPart {
    pub(super) fn atom(span: Range<usize>, atom: Atom) -> Self {
        Self { span, value: Value::Formula(Formula::Atom(atom)), depth: 1 }
    }

    pub(super) fn number(span: Range<usize>, number: Number) -> Self {
        Self { span, value: Value::Number(number), depth: 1 }
    }

    pub(super) fn wrong(span: Range<usize>) -> Self {
        Self { span, value: Value::Wrong, depth: 1 }
    }
}

impl Parser<'_> {
    /// A formula one level above formulas of depth `below`.
    pub(super) fn formula(&mut self, span: Range<usize>, formula: Formula, below: u32) -> Parsed<ParsedPart> {
        if below >= MAX_DEPTH {
            return Err(self.too_deep(span));
        }
        Ok(ParsedPart { span, value: Value::Formula(formula), depth: below + 1 })
    }

    /// The condition that a part is. After an error, any.
    pub(super) fn condition(&mut self, node: ParsedPart) -> Formula {
        match node.value {
            Value::Formula(formula) => formula,
            Value::Wrong => Formula::Atom(Atom::Constant(false)),
            Value::Number(number) => {
                let text = self.excerpt(&node.span);
                let error = match number.only() {
                    Some(_) => {
                        Error::new(node.span, format!("`{text}` is a number of tokens, not a condition"))
                    }
                    None => Error::new(node.span, format!("`{text}` is a number, not a condition")),
                };
                self.errors.push(error.with_help(format!("write `{text} >= 1`")));
                Formula::Atom(Atom::Constant(false))
            }
        }
    }

    /// The number that a part is. After an error, any.
    pub(super) fn amount(&mut self, node: ParsedPart) -> Number {
        match node.value {
            Value::Number(number) => number,
            Value::Wrong => Number::default(),
            Value::Formula(_) => {
                let message = format!("`{}` is a condition, not a number", self.excerpt(&node.span));
                self.errors.push(Error::new(node.span, message));
                Number::default()
            }
        }
    }

    /// The beginning of a part of the text.
    pub(super) fn excerpt(&self, span: &Range<usize>) -> String {
        let text = &self.text[span.clone()];
        match text.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.into(),
        }
    }

    pub(super) fn too_deep(&mut self, span: Range<usize>) -> GivenUp {
        self.fail(Error::new(span, "this is nested too deep").with_help("split it into several properties"))
    }
}
