//! Infix operators by precedence climbing, and what stands before a formula. Operands are in `operand`.

use super::QueryKind;
use super::lexer::{Kind, Token, lex};
use super::operator::{ADD, COMPARE, IFF, Infix, Prefix, Unary, Until, infix, meant, prefix, until};
use super::types::{Node, Shape, Value};
use crate::error::Error;
use crate::names::Names;
use crate::net::Net;
use crate::number::{NoProduct, Number};
use crate::query::{Atom, Formula, Sum};
use burnside_ts::{Compare, Path};
use std::ops::Range;

/// How many calls of [`Parser::binary`] can be inside each other: enough for two for each level of a formula.
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
    fn binary(&mut self, least: u8) -> Parsed<Node> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        let mut left = self.unary()?;
        while let Some(infix) =
            infix(self.peek(), self.word(), self.kind).filter(|infix| infix.level() >= least)
        {
            left = self.step(left, infix)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    fn step(&mut self, left: Node, infix: Infix) -> Parsed<Node> {
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
    fn temporal(&mut self, infix: Infix, path: Option<Path>, left: Node, right: Node) -> Parsed<Node> {
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

    fn arithmetic(&mut self, infix: Infix, left: Node, right: Node) -> Parsed<Node> {
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

    pub(super) fn sum(&mut self, span: Range<usize>, number: Number) -> Parsed<Sum> {
        number.sum().ok_or_else(|| self.out_of_range(span))
    }

    fn unary(&mut self) -> Parsed<Node> {
        let start = self.span();
        if let Some(prefix) = self.prefix() {
            return self.prefixed(prefix, start);
        }
        match self.peek() {
            Kind::Symbol("!") => {
                self.bump();
                let operand = self.below(Self::unary)?;
                let (span, below) = (start.start..operand.span.end, operand.depth);
                let inner = Box::new(self.condition(operand));
                self.formula(span, Formula::Not(inner), below)
            }
            Kind::Symbol("-") => {
                self.bump();
                let operand = self.below(Self::unary)?;
                let zero = Node::number(start, Number::default());
                self.arithmetic(Infix::Subtract, zero, operand)
            }
            _ => self.operand(),
        }
    }

    /// One level further down.
    fn below(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Node>) -> Parsed<Node> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep(self.span()));
        }
        let node = read(self);
        self.nesting -= 1;
        node
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
        let Some(op) = until(self.word()).filter(|op| *op != Until::M) else {
            return Err(self.unexpected("`U`, `R` or `W`"));
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

    // Tokens.

    pub(super) fn peek(&self) -> Kind {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Kind {
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
            None if until(word).is_some() && self.kind == QueryKind::Ctl => {
                error.with_help(format!("write `A[p {word} q]` or `E[p {word} q]`"))
            }
            None => error,
        };
        self.fail(error)
    }

    /// The current token in words.
    fn found(&self) -> String {
        match self.peek() {
            Kind::End => "the end of the text".into(),
            _ => format!("`{}`", self.excerpt(&self.span())),
        }
    }
}

fn quote_help(name: &str) -> String {
    format!("for the place of this name write `\"{name}\"`")
}
