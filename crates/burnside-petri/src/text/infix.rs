//! What infix operators make of their sides. A chain of `&&`, or of `||`, is one formula.

use super::operator::{COMPARE, Infix, Until};
use super::parser::{Parsed, Parser};
use super::types::{Node, Shape, Value};
use crate::error::Error;
use crate::number::NoProduct;
use crate::query::{Atom, Formula};
use burnside_ts::{Compare, Path};

impl Parser<'_> {
    /// An operator, which is the current token, and its right side.
    pub(super) fn step(&mut self, left: Node, infix: Infix) -> Parsed<Node> {
        if infix.level() == COMPARE && left.shape == Shape::Comparison {
            let error = Error::new(self.span(), "comparisons cannot be chained");
            return Err(self.fail(error.with_help("join two comparisons with `&&`")));
        }
        self.bump();
        let right = self.binary(infix.right())?;
        match infix {
            Infix::And | Infix::Or => self.junction(infix, left, right),
            Infix::Iff | Infix::Implies | Infix::Until(_) => self.temporal(infix, None, left, right),
            Infix::Compare(op, swapped) => self.comparison(op, swapped, left, right),
            Infix::Add | Infix::Subtract | Infix::Multiply => self.arithmetic(infix, left, right),
        }
    }

    /// A conjunction or disjunction: a chain of them is one.
    fn junction(&mut self, infix: Infix, left: Node, right: Node) -> Parsed<Node> {
        let shape = if infix == Infix::And { Shape::And } else { Shape::Or };
        let span = left.span.start..right.span.end;
        let chained = left.shape == shape;
        let below = if chained { left.depth - 1 } else { left.depth }.max(right.depth);
        let mut parts = match (chained, self.condition(left)) {
            (true, Formula::And(parts) | Formula::Or(parts)) => parts,
            (_, first) => vec![first],
        };
        parts.push(self.condition(right));
        let formula = if infix == Infix::And { Formula::And(parts) } else { Formula::Or(parts) };
        Ok(Node { shape, ..self.formula(span, formula, below)? })
    }

    /// An operator with two formulas.
    pub(super) fn temporal(
        &mut self,
        infix: Infix,
        path: Option<Path>,
        left: Node,
        right: Node,
    ) -> Parsed<Node> {
        let span = left.span.start..right.span.end;
        let below = left.depth.max(right.depth);
        let sides = Box::new([self.condition(left), self.condition(right)]);
        let formula = match infix {
            Infix::Iff => Formula::Iff(sides),
            Infix::Until(Until::U) => Formula::Until(path, sides),
            Infix::Until(Until::R) => Formula::Release(path, sides),
            Infix::Until(Until::W) => Formula::WeakUntil(path, sides),
            Infix::Until(Until::M) => Formula::StrongRelease(path, sides),
            _ => Formula::Implies(sides),
        };
        self.formula(span, formula, below)
    }

    fn comparison(&mut self, op: Compare, swapped: bool, left: Node, right: Node) -> Parsed<Node> {
        let span = left.span.start..right.span.end;
        let numbers = [self.amount(left), self.amount(right)];
        let [left, right] = numbers;
        let (left, right) = (self.sum(span.clone(), left)?, self.sum(span.clone(), right)?);
        let atom = if swapped { Atom::Compare(op, right, left) } else { Atom::Compare(op, left, right) };
        Ok(Node { shape: Shape::Comparison, ..Node::atom(span, atom) })
    }

    pub(super) fn arithmetic(&mut self, infix: Infix, left: Node, right: Node) -> Parsed<Node> {
        let span = left.span.start..right.span.end;
        let wrong = matches!(left.value, Value::Wrong) || matches!(right.value, Value::Wrong);
        let (left, right) = (self.amount(left), self.amount(right));
        let result = match infix {
            Infix::Add => left.plus(right).ok_or(NoProduct::TooGreat),
            Infix::Subtract => left.minus(right).ok_or(NoProduct::TooGreat),
            _ => left.times(right),
        };
        match result {
            _ if wrong => Ok(Node::wrong(span)),
            Ok(number) => Ok(Node::number(span, number)),
            Err(NoProduct::TooGreat) => Err(self.out_of_range(span)),
            Err(NoProduct::NotLinear) => {
                let error = Error::new(span, "numbers of tokens cannot be multiplied with each other");
                Err(self.fail(error.with_help("one of the factors must be a number such as `2`")))
            }
        }
    }
}
