//! Sums: constants, numbers of tokens, sums and differences of them, products with constants.

use super::formula::too_deep;
use super::{FormulaReader, content, exactly, some, span, tag, unknown};
use crate::error::Error;
use crate::number::{NoProduct, Number};
use crate::query::{Sum, Tokens};
use crate::text::MAX_DEPTH;
use roxmltree::Node;

impl FormulaReader<'_> {
    /// The sum that an element is.
    pub(super) fn sum(&self, node: Node<'_, '_>) -> Result<Sum, Error> {
        self.number(node, 1)?.sum().ok_or_else(|| out_of_range(node))
    }

    /// All tokens in the places inside `node`.
    pub(super) fn tokens(&self, node: Node<'_, '_>) -> Result<Sum, Error> {
        self.count(node)?.sum().ok_or_else(|| out_of_range(node))
    }

    fn number(&self, node: Node<'_, '_>, depth: u32) -> Result<Number, Error> {
        if depth > MAX_DEPTH {
            return Err(too_deep(node));
        }
        match tag(node) {
            "integer-constant" => constant(node),
            "tokens-count" => self.count(node),
            "integer-sum" => self.joined(some(node)?, node, depth, |sum, next| Ok(sum.plus(next))),
            "integer-difference" => {
                let sides: [Node<'_, '_>; 2] = exactly(node)?;
                self.joined(sides.to_vec(), node, depth, |left, right| Ok(left.minus(right)))
            }
            "integer-product" => {
                self.joined(some(node)?, node, depth, |left, right| match left.times(right) {
                    Ok(product) => Ok(Some(product)),
                    Err(NoProduct::TooGreat) => Ok(None),
                    Err(NoProduct::NotLinear) => {
                        Err(Error::new(span(node), "numbers of tokens cannot be multiplied with each other"))
                    }
                })
            }
            other => Err(Error::new(span(node), format!("`{other}` is no number"))),
        }
    }

    fn joined(
        &self,
        parts: Vec<Node<'_, '_>>,
        node: Node<'_, '_>,
        depth: u32,
        join: impl Fn(Number, Number) -> Result<Option<Number>, Error>,
    ) -> Result<Number, Error> {
        let mut result: Option<Number> = None;
        for part in parts {
            let next = self.number(part, depth + 1)?;
            result = Some(match result {
                None => next,
                Some(before) => join(before, next)?.ok_or_else(|| out_of_range(node))?,
            });
        }
        Ok(result.unwrap_or_default())
    }

    fn count(&self, node: Node<'_, '_>) -> Result<Number, Error> {
        let mut number = Number::default();
        for element in some(node)? {
            if tag(element) != "place" {
                return Err(unknown(element, tag(node)));
            }
            let place = self.names.place(content(element)?, span(element))?;
            let tokens = Number::tokens(Tokens { place, colour: None });
            number = number.plus(tokens).ok_or_else(|| out_of_range(node))?;
        }
        Ok(number)
    }
}

fn constant(node: Node<'_, '_>) -> Result<Number, Error> {
    let text = content(node)?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(Error::new(span(node), format!("`{text}` is no number")));
    }
    text.parse().map(Number::constant).map_err(|_| out_of_range(node))
}

fn out_of_range(node: Node<'_, '_>) -> Error {
    Error::new(span(node), format!("a number in `{}` is out of range", tag(node)))
}
