//! Acceptance conditions.
//!
//! Entry point: [`Reader::acceptance`]. Conjunctions of `Inf` are read, in any order and with any
//! parentheses; all others are refused by the name that the text gives them, or by what is in them.

use super::HoaError;
use super::lex::HoaToken;
use super::read::{Acceptance, DEEPEST, Reader};
use crate::Marks;

impl Reader<'_> {
    pub(super) fn acceptance(&mut self) -> Result<(), HoaError> {
        let sets = self.number("the number of acceptance sets")?;
        let start = self.at;
        let needed = self.condition(0, sets, start)?;
        if needed.as_ref().is_some_and(|needed| needed.len() > Marks::MOST as usize) {
            return self
                .error_at(start, format!("more than {} acceptance sets are not supported", Marks::MOST));
        }
        self.header.acceptance = Some(Acceptance { sets, needed });
        Ok(())
    }

    /// Says that a condition is not supported, by its name if it has one.
    fn refuse<T>(&self, start: usize, why: &str) -> Result<T, HoaError> {
        let named = self.header.acceptance_name.as_ref().map(|named| named.name.as_str());
        let named = named.or_else(|| self.later_acceptance_name());
        let name = match named {
            Some("Buchi" | "generalized-Buchi" | "all" | "none") | None => format!("acceptance with {why}"),
            Some("co-Buchi") => "co-Buchi acceptance".into(),
            Some("generalized-co-Buchi") => "generalised co-Buchi acceptance".into(),
            Some(name) => format!("{name} acceptance"),
        };
        self.error_at(start, format!("{name} is not supported: only `Inf` joined by `&` is"))
    }

    fn later_acceptance_name(&self) -> Option<&str> {
        let named = self.tokens.windows(2).find(|pair| pair[0].0 == HoaToken::Header("acc-name".into()))?;
        if let HoaToken::Identifier(name) = &named[1].0 { Some(name) } else { None }
    }

    /// The sets of a conjunction of `Inf`; none if it is false.
    fn condition(&mut self, depth: usize, sets: u64, start: usize) -> Result<Option<Vec<u64>>, HoaError> {
        let mut all = Some(Vec::new());
        loop {
            let part = self.condition_operand(depth, sets, start)?;
            all = match (all, part) {
                (Some(mut all), Some(part)) => {
                    all.extend(part);
                    all.sort_unstable();
                    all.dedup();
                    Some(all)
                }
                _ => None,
            };
            if self.peek() == Some(&HoaToken::Symbol('|')) {
                return self.refuse(start, "`|`");
            }
            if !self.eat('&') {
                return Ok(all);
            }
        }
    }

    fn condition_operand(
        &mut self,
        depth: usize,
        sets: u64,
        start: usize,
    ) -> Result<Option<Vec<u64>>, HoaError> {
        if depth > DEEPEST {
            return self.error(format!("expressions can be nested {DEEPEST} deep at most"));
        }
        match self.peek().cloned() {
            Some(HoaToken::Symbol('(')) => {
                self.at += 1;
                let inside = self.condition(depth + 1, sets, start)?;
                self.expect(')')?;
                Ok(inside)
            }
            Some(HoaToken::Identifier(word)) if word == "t" || word == "f" => {
                self.at += 1;
                Ok((word == "t").then(Vec::new))
            }
            Some(HoaToken::Identifier(word)) if word == "Fin" => self.refuse(start, "`Fin`"),
            Some(HoaToken::Identifier(word)) if word == "Inf" => {
                self.at += 1;
                self.expect('(')?;
                if self.peek() == Some(&HoaToken::Symbol('!')) {
                    return self.refuse(start, "complemented sets");
                }
                let set = self.number("an acceptance set")?;
                if set >= sets {
                    return self.error_at(self.at - 1, format!("there is no acceptance set {set}"));
                }
                self.expect(')')?;
                Ok(Some(vec![set]))
            }
            _ => self.error("expected `Inf`, `t`, `f` or `(`"),
        }
    }
}
