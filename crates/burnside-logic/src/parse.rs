//! Formulas as text.
//!
//! Entry point: [`parse`]. Reads the usual notations of linear temporal logic: `X F G U R W M ! && || ->
//! <->`, the symbols of other tools (`[] <> () ~ & | ^ => <=> V 1 0`) and of print (`¬ ∧ ∨ → ↔ □ ◇
//! ○`). From tight to loose: `! X F G`, then `U R W M` (to the right), `&&`, `||`, `^`,
//! `->` (to the right), `<->`. Propositions are names or double-quoted texts, numbered as they come. Never
//! panics; nesting has a limit, so what it returns can be walked recursively. Stops at the first error.

use std::fmt;
use std::ops::Range;

use crate::lex::{Token, tokens};
use crate::operator::{IFF, Infix, PathOp, UntilOp};
use crate::{AtomId, Climb, Ltl};

/// How deep formulas can be nested.
const DEEPEST: usize = 400;

/// A formula that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula.
    pub formula: Ltl,
    /// The name of each atom.
    pub names: Vec<String>,
}

/// What is wrong with the text of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the text that are wrong; at the end of the text it may be empty.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {})", self.message, self.span.start)
    }
}

impl std::error::Error for ParseError {}

/// Reads a formula.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, names: Vec::new() };
    let formula = parser.climb(IFF)?;
    match parser.peek() {
        None => Ok(Parsed { formula, names: parser.names }),
        Some(Token::Close) => {
            Err(parser.error("this `)` closes nothing", Some("remove it, or open it before")))
        }
        Some(_) => {
            Err(parser.error("the formula could end here, but more follows", Some("put an operator between")))
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    depth: usize,
    names: Vec<String>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn error(&self, message: &str, help: Option<&str>) -> ParseError {
        let span =
            self.tokens.get(self.at).map_or(self.text.len()..self.text.len(), |(_, span)| span.clone());
        ParseError { span, message: message.into(), help: help.map(Into::into) }
    }

    fn check(&self, depth: usize) -> Result<(), ParseError> {
        if depth <= DEEPEST {
            return Ok(());
        }
        let message = format!("formulas can be nested {DEEPEST} deep at most");
        Err(self.error(&message, Some("give parts of it as formulas of their own")))
    }

    fn parentheses(&mut self) -> Result<Ltl, ParseError> {
        let open = self.tokens[self.at].1.start;
        self.at += 1;
        let inside = self.nested(|parser| parser.climb(IFF))?;
        if self.peek() != Some(&Token::Close) {
            let help = format!("the `(` at byte {open} is still open");
            return Err(self.error("expected `)` or an operator", Some(&help)));
        }
        Ok(inside)
    }

    /// An operator, which is the current token, and its operand.
    fn unary(&mut self, make: fn(Box<Ltl>) -> Ltl) -> Result<Ltl, ParseError> {
        self.at += 1;
        self.nested(Self::operand).map(|operand| make(Box::new(operand)))
    }

    fn atom(&mut self, name: String) -> AtomId {
        let known = self.names.iter().position(|other| *other == name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        AtomId(index as u32)
    }
}

impl Climb for Parser<'_> {
    type Tree = Ltl;
    type Operator = Infix;
    type Stop = ParseError;

    fn operand(&mut self) -> Result<Ltl, ParseError> {
        self.check(self.depth)?;
        let Some(token) = self.peek().cloned() else {
            let help =
                if self.at == 0 { "write a formula, such as `G(a -> F b)`" } else { "an operand is missing" };
            return Err(self.error("the formula ends too early", Some(help)));
        };
        let formula = match token {
            Token::Not => return self.unary(Ltl::Not),
            Token::Prefix(PathOp::X) => return self.unary(Ltl::Next),
            Token::Prefix(PathOp::F) => return self.unary(Ltl::Finally),
            Token::Prefix(PathOp::G) => return self.unary(Ltl::Globally),
            Token::True => Ltl::True,
            Token::False => Ltl::False,
            Token::Name(name) => Ltl::Atom(self.atom(name)),
            Token::Open => self.parentheses()?,
            Token::Infix(_) | Token::Close => {
                let message = "expected a proposition, `!`, `X`, `F`, `G` or `(`";
                return Err(self.error(message, Some("an operand is missing")));
            }
        };
        self.at += 1;
        Ok(formula)
    }

    fn operator(&self) -> Option<(u8, Infix)> {
        match self.peek() {
            Some(Token::Infix(infix)) => Some((infix.level(), *infix)),
            _ => None,
        }
    }

    fn take(&mut self, _: Infix, _: &Ltl, _: bool) -> Result<(), ParseError> {
        self.at += 1;
        Ok(())
    }

    fn join(&mut self, infix: Infix, left: Ltl, right: Ltl, chain: bool) -> Result<Ltl, ParseError> {
        let make = match infix {
            Infix::And | Infix::Or => return Ok(junction(infix, left, right, chain)),
            Infix::Iff | Infix::Xor => Ltl::Iff,
            Infix::Implies => Ltl::Implies,
            Infix::Until(UntilOp::U) => Ltl::Until,
            Infix::Until(UntilOp::R) => Ltl::Release,
            Infix::Until(UntilOp::W) => Ltl::WeakUntil,
            Infix::Until(UntilOp::M) => Ltl::StrongRelease,
        };
        let joined = make(Box::new([left, right]));
        let joined = if infix == Infix::Xor { Ltl::Not(Box::new(joined)) } else { joined };
        // Chains to the left nest.
        if self.at > 2 * DEEPEST {
            self.check(joined.depth() + self.depth - 1)?;
        }
        Ok(joined)
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, ParseError>) -> Result<T, ParseError> {
        self.depth += 1;
        let done = read(self)?;
        self.depth -= 1;
        Ok(done)
    }
}

/// A chain of one operator is one conjunction or disjunction.
fn junction(infix: Infix, left: Ltl, right: Ltl, chain: bool) -> Ltl {
    let mut all = match left {
        Ltl::And(all) | Ltl::Or(all) if chain => all,
        first => vec![first],
    };
    all.push(right);
    if infix == Infix::And { Ltl::And(all) } else { Ltl::Or(all) }
}
