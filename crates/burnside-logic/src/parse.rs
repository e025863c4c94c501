//! Formulas as text.
//!
//! Entry point: [`parse`]. Reads the usual notations of linear temporal logic: `X F G U R W M ! && || -> <->`, the
//! symbols of other tools (`[] <> () ~ & | ^ => <=> V 1 0`) and of print (`¬ ∧ ∨ → ↔ □ ◇ ○`). From tight to loose:
//! `! X F G`, then `U R W M` (to the right), `&&`, `||`, `^`, `->` (to the right), `<->`. Propositions are names or
//! double-quoted texts, numbered as they come. Never panics; nesting has a limit, so what it returns can be walked
//! recursively. Stops at the first error.

use std::fmt;
use std::ops::Range;

use crate::lex::{Token, tokens};
use crate::{AtomId, Ltl};

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
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, names: Vec::new() };
    let formula = parser.infix(0, 0)?;
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
    names: Vec<String>,
}

/// How tight an operator binds, and how tight its right side must be.
fn binding(token: &Token) -> Option<(usize, usize)> {
    match token {
        Token::Iff => Some((1, 2)),
        Token::Implies => Some((2, 2)),
        Token::Xor => Some((3, 4)),
        Token::Or => Some((4, 5)),
        Token::And => Some((5, 6)),
        Token::Until | Token::Release | Token::WeakUntil | Token::StrongRelease => Some((6, 6)),
        _ => None,
    }
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

    /// A formula of operators that bind at least so tight.
    fn infix(&mut self, least: usize, depth: usize) -> Result<Ltl, ParseError> {
        let mut left = self.prefix(depth + 1)?;
        let mut last = None;
        while let Some((token, (level, right))) =
            self.peek().and_then(|token| Some((token.clone(), binding(token)?)))
            && level >= least
        {
            self.at += 1;
            let operand = self.infix(right, depth + 1)?;
            // A chain of one operator is one conjunction or disjunction.
            let chain = last.as_ref() == Some(&token);
            left = match (token.clone(), left) {
                (Token::And, Ltl::And(mut all)) if chain => {
                    all.push(operand);
                    Ltl::And(all)
                }
                (Token::Or, Ltl::Or(mut all)) if chain => {
                    all.push(operand);
                    Ltl::Or(all)
                }
                (token, left) => combine(&token, left, operand),
            };
            // Other chains to the left nest.
            if !matches!(token, Token::And | Token::Or) && self.at > 2 * DEEPEST {
                self.check(left.depth() + depth)?;
            }
            last = Some(token);
        }
        Ok(left)
    }

    fn check(&self, depth: usize) -> Result<(), ParseError> {
        if depth <= DEEPEST {
            return Ok(());
        }
        let message = format!("formulas can be nested {DEEPEST} deep at most");
        Err(self.error(&message, Some("give parts of it as formulas of their own")))
    }

    fn prefix(&mut self, depth: usize) -> Result<Ltl, ParseError> {
        self.check(depth)?;
        let Some(token) = self.peek().cloned() else {
            let help =
                if self.at == 0 { "write a formula, such as `G(a -> F b)`" } else { "an operand is missing" };
            return Err(self.error("the formula ends too early", Some(help)));
        };
        let operator = match token {
            Token::Not => Ltl::Not,
            Token::Next => Ltl::Next,
            Token::Finally => Ltl::Finally,
            Token::Globally => Ltl::Globally,
            _ => return self.operand(token, depth),
        };
        self.at += 1;
        Ok(operator(Box::new(self.prefix(depth + 1)?)))
    }

    fn operand(&mut self, token: Token, depth: usize) -> Result<Ltl, ParseError> {
        let formula = match token {
            Token::True => Ltl::True,
            Token::False => Ltl::False,
            Token::Name(name) => Ltl::Atom(self.atom(name)),
            Token::Open => {
                let open = self.at;
                self.at += 1;
                let inside = self.infix(0, depth + 1)?;
                if self.peek() != Some(&Token::Close) {
                    let help = format!("the `(` at byte {} is still open", self.tokens[open].1.start);
                    return Err(self.error("expected `)` or an operator", Some(&help)));
                }
                inside
            }
            _ => {
                return Err(self.error(
                    "expected a proposition, `!`, `X`, `F`, `G` or `(`",
                    Some("an operand is missing"),
                ));
            }
        };
        self.at += 1;
        Ok(formula)
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

fn combine(token: &Token, left: Ltl, right: Ltl) -> Ltl {
    match token {
        Token::And => Ltl::And(vec![left, right]),
        Token::Or => Ltl::Or(vec![left, right]),
        Token::Implies => Ltl::Implies(Box::new([left, right])),
        Token::Xor => Ltl::Not(Box::new(Ltl::Iff(Box::new([left, right])))),
        Token::Until => Ltl::Until(Box::new([left, right])),
        Token::Release => Ltl::Release(Box::new([left, right])),
        Token::WeakUntil => Ltl::WeakUntil(Box::new([left, right])),
        Token::StrongRelease => Ltl::StrongRelease(Box::new([left, right])),
        _ => Ltl::Iff(Box::new([left, right])),
    }
}
