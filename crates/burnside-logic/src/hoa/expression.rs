//! The expressions of labels and aliases.
//!
//! Entry point: [`Reader::expression`].

use super::HoaError;
use super::label::{Label, Labels};
use super::lex::HoaToken;
use super::read::{DEEPEST, Reader};

impl Reader<'_> {
    /// A disjunction of conjunctions.
    pub(super) fn expression(&mut self, depth: usize) -> Result<Label, HoaError> {
        let mut left = self.conjunction(depth)?;
        while self.eat('|') {
            let right = self.conjunction(depth)?;
            left = self.labels.or(left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self, depth: usize) -> Result<Label, HoaError> {
        let mut left = self.operand(depth)?;
        while self.eat('&') {
            let right = self.operand(depth)?;
            left = self.labels.and(left, right);
        }
        Ok(left)
    }

    fn operand(&mut self, depth: usize) -> Result<Label, HoaError> {
        if depth > DEEPEST {
            return self.error(format!("expressions can be nested {DEEPEST} deep at most"));
        }
        let label = match self.peek().cloned() {
            Some(HoaToken::Symbol('!')) => {
                self.at += 1;
                return self.operand(depth + 1).map(Labels::not);
            }
            Some(HoaToken::Symbol('(')) => {
                self.at += 1;
                let inside = self.expression(depth + 1)?;
                if self.peek() != Some(&HoaToken::Symbol(')')) {
                    return self.error("expected `)`");
                }
                inside
            }
            Some(HoaToken::Identifier(word)) if word == "t" || word == "f" => {
                self.labels.constant(word == "t")
            }
            Some(HoaToken::Number(atom)) if atom < u64::from(self.labels.atoms) => {
                self.labels.atom(atom as u32)
            }
            Some(HoaToken::Number(atom)) => return self.error(format!("there is no proposition {atom}")),
            Some(HoaToken::Alias(name)) => match self.aliases.get(&name) {
                Some(label) => self.labels.copy(label),
                None => return self.error(format!("the alias `@{name}` is not defined before")),
            },
            _ => return self.error("expected `t`, `f`, a proposition's number, an alias, `!` or `(`"),
        };
        self.at += 1;
        Ok(label)
    }
}
