//! What should come out: `expect violated` after a property, and `check` blocks.

use super::Parser;
use super::recover::starts_member;
use crate::expect::Expected;
use crate::syntax::ast::{Entry, Expect, ItemKind};
use crate::syntax::token::TokenKind;

/// Keywords that are values in a `check` block.
const WORDS: &[TokenKind] = &[TokenKind::True, TokenKind::False, TokenKind::None];

impl Parser<'_> {
    /// `expect violated`, if it is there.
    pub(super) fn expectation(&mut self) -> Option<Expect> {
        if !self.eat(TokenKind::Expect) {
            return None;
        }
        match Expected::named(self.text()) {
            Some(verdict) => Some(Expect { span: self.bump().span, verdict }),
            None => {
                self.unexpected("`holds`, `violated` or `unknown`");
                None
            }
        }
    }

    /// `check { N = 2; states = 30; }`
    pub(super) fn check(&mut self) -> ItemKind {
        self.bump();
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_statement();
            return ItemKind::Check(Vec::new());
        };
        let mut entries = Vec::new();
        while !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            // `deadlock = holds;` is about the property.
            let said = matches!(self.peek_at(1), TokenKind::Assign | TokenKind::Dot);
            if !said && (self.at_item() || starts_member(self.peek())) {
                break;
            }
            let before = self.pos;
            match self.peek() {
                TokenKind::Semi => self.stray_semicolon(),
                _ => entries.push(self.entry()),
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close(open, "the name of a constant, a property or a figure, or ");
        ItemKind::Check(entries)
    }

    fn entry(&mut self) -> Entry {
        let errors = self.errors;
        let key = match self.peek() {
            TokenKind::Deadlock => self.take_name(),
            _ => self.dotted_name("the name of a constant, a property or a figure"),
        };
        let expected = "a number, `true`, `false` or a verdict";
        let value = match self.assign() {
            // Of a word that is none of them, the one who knows the key can say what is.
            true if self.peek().is_keyword() && self.ends_at(1) => {
                self.lone_element(&[self.peek()], expected)
            }
            true => self.lone_element(WORDS, expected),
            false => self.no_element(),
        };
        self.semicolon(errors);
        Entry { key, value }
    }
    /// Whether an entry ends with the token so many further on.
    fn ends_at(&self, further: usize) -> bool {
        matches!(self.peek_at(further), TokenKind::Semi | TokenKind::RBrace)
    }
}
