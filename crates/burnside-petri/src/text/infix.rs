//! What infix operators make of their sides. A chain of `&&`, or of `||`, is one formula.

use super::operator::{Operator, operator};
use super::parser::{GivenUp, MAX_NESTING, Parsed, Parser};
use super::types::{ParsedPart, Value};
use crate::error::Error;
use crate::number::NoProduct;
use crate::query::{Atom, Formula};
use burnside_logic::Climb;
use burnside_logic::operator::{Infix, UntilOp};
use burnside_ts::{Compare, Path};

impl Climb for Parser<'_> {
    type Tree = ParsedPart;
    type Operator = Operator;
    type Stop = GivenUp;

    fn operand(&mut self) -> Parsed<ParsedPart> {
        self.unary()
    }

    fn operator(&self) -> Option<(u8, Operator)> {
        operator(self.peek(), self.word(), self.kind).map(|operator| (operator.level(), operator))
    }

    fn take(&mut self, operator: Operator, _: &ParsedPart, chain: bool) -> Parsed<()> {
        if matches!(operator, Operator::Compare(..)) && chain {
            let error = Error::new(self.span(), "comparisons cannot be chained");
            return Err(self.fail(error.with_help("join two comparisons with `&&`")));
        }
        self.bump();
        Ok(())
    }

    fn join(
        &mut self,
        operator: Operator,
        left: ParsedPart,
        right: ParsedPart,
        chain: bool,
    ) -> Parsed<ParsedPart> {
        match operator {
            Operator::Logical(infix @ (Infix::And | Infix::Or)) => self.junction(infix, left, right, chain),
            Operator::Logical(infix) => self.temporal(infix, None, left, right),
            Operator::Compare(op, swapped) => self.comparison(op, swapped, left, right),
            Operator::Add | Operator::Subtract | Operator::Multiply => self.arithmetic(operator, left, right),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        let done = read(self)?;
        self.nesting -= 1;
        Ok(done)
    }
}

impl Parser<'_> {
    /// A conjunction or disjunction: a chain of them is one.
    fn junction(
        &mut self,
        infix: Infix,
        left: ParsedPart,
        right: ParsedPart,
        chain: bool,
    ) -> Parsed<ParsedPart> {
        let span = left.span.start..right.span.end;
        let below = if chain { left.depth - 1 } else { left.depth }.max(right.depth);
        let mut parts = match (chain, self.condition(left)) {
            (true, Formula::And(parts) | Formula::Or(parts)) => parts,
            (_, first) => vec![first],
        };
        parts.push(self.condition(right));
        let formula = if infix == Infix::And { Formula::And(parts) } else { Formula::Or(parts) };
        self.formula(span, formula, below)
    }

    /// An operator with two formulas.
    pub(super) fn temporal(
        &mut self,
        infix: Infix,
        path: Option<Path>,
        left: ParsedPart,
        right: ParsedPart,
    ) -> Parsed<ParsedPart> {
        let span = left.span.start..right.span.end;
        let below = left.depth.max(right.depth);
        let sides = Box::new([self.condition(left), self.condition(right)]);
        let formula = match infix {
            Infix::Iff => Formula::Iff(sides),
            Infix::Until(UntilOp::U) => Formula::Until(path, sides),
            Infix::Until(UntilOp::R) => Formula::Release(path, sides),
            Infix::Until(UntilOp::W) => Formula::WeakUntil(path, sides),
            Infix::Until(UntilOp::M) => Formula::StrongRelease(path, sides),
            _ => Formula::Implies(sides),
        };
        self.formula(span, formula, below)
    }

    fn comparison(
        &mut self,
        op: Compare,
        swapped: bool,
        left: ParsedPart,
        right: ParsedPart,
    ) -> Parsed<ParsedPart> {
        let span = left.span.start..right.span.end;
        let numbers = [self.amount(left), self.amount(right)];
        let [left, right] = numbers;
        let (left, right) = (self.sum(span.clone(), left)?, self.sum(span.clone(), right)?);
        let atom = if swapped { Atom::Compare(op, right, left) } else { Atom::Compare(op, left, right) };
        Ok(ParsedPart::atom(span, atom))
    }

    pub(super) fn arithmetic(
        &mut self,
        operator: Operator,
        left: ParsedPart,
        right: ParsedPart,
    ) -> Parsed<ParsedPart> {
        let span = left.span.start..right.span.end;
        let wrong = matches!(left.value, Value::Wrong) || matches!(right.value, Value::Wrong);
        let (left, right) = (self.amount(left), self.amount(right));
        let result = match operator {
            Operator::Add => left.plus(right).ok_or(NoProduct::TooGreat),
            Operator::Subtract => left.minus(right).ok_or(NoProduct::TooGreat),
            _ => left.times(right),
        };
        match result {
            _ if wrong => Ok(ParsedPart::wrong(span)),
            Ok(number) => Ok(ParsedPart::number(span, number)),
            Err(NoProduct::TooGreat) => Err(self.out_of_range(span)),
            Err(NoProduct::NotLinear) => {
                let error = Error::new(span, "numbers of tokens cannot be multiplied with each other");
                Err(self.fail(error.with_help("one of the factors must be a number such as `2`")))
            }
        }
    }
}
