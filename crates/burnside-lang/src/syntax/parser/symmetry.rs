//! The `symmetry` block: permutations in cycle notation, one per statement.

use super::Parser;
use super::recover::starts_member;
use crate::syntax::ast::{Element, ElementKind, Generator, ItemKind, Part};
use crate::syntax::lexer::number_value;
use crate::syntax::token::TokenKind;

impl Parser<'_> {
    pub(super) fn symmetry(&mut self) -> ItemKind {
        self.bump();
        let Some(open) = self.open(TokenKind::LBrace) else {
            self.skip_statement();
            return ItemKind::Symmetry(Vec::new());
        };
        let mut generators = Vec::new();
        while !self.at(TokenKind::RBrace) && !self.at(TokenKind::Eof) {
            let kind = self.peek();
            if self.at_item() || starts_member(kind) {
                break;
            }
            let before = self.pos;
            match kind {
                TokenKind::Semi => self.stray_semicolon(),
                _ => generators.push(self.generator()),
            }
            if self.pos == before {
                self.bump();
            }
        }
        self.close(open, "the name of a type or ");
        ItemKind::Symmetry(generators)
    }

    fn generator(&mut self) -> Generator {
        let (start, errors) = (self.span(), self.errors);
        let mut parts = vec![self.part()];
        while self.eat(TokenKind::Comma) {
            parts.push(self.part());
        }
        let span = self.since(start);
        self.semicolon(errors);
        Generator { span, parts }
    }

    /// `Node (1 4)(2 3)`
    fn part(&mut self) -> Part {
        let ty = self.name("the name of a type");
        let mut cycles = Vec::new();
        while self.at(TokenKind::LParen) {
            cycles.push(self.cycle());
        }
        if cycles.is_empty() {
            self.unexpected("`(` and a cycle of values");
        }
        Part { ty, cycles }
    }

    /// `(1 4)`; there may be commas between the values.
    fn cycle(&mut self) -> Vec<Element> {
        let open = self.pos;
        self.bump();
        let mut elements = vec![self.moved_element()];
        while !self.at(TokenKind::RParen) && elements.last().is_some_and(|e| e.kind != ElementKind::Error) {
            self.eat(TokenKind::Comma);
            if !self.at(TokenKind::RParen) {
                elements.push(self.moved_element());
            }
        }
        self.close(open, "a value or ");
        elements
    }

    fn moved_element(&mut self) -> Element {
        self.lone_element(&[], "a number or a constant")
    }

    /// A number, a name or one of some keywords.
    pub(super) fn lone_element(&mut self, words: &[TokenKind], expected: &str) -> Element {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Int => ElementKind::Number(self.integer()),
            TokenKind::Minus if self.peek_at(1) == TokenKind::Int => {
                self.bump();
                ElementKind::Number(-self.integer())
            }
            kind if kind.is_name() || words.contains(&kind) => ElementKind::Name(self.take_name().text),
            _ => {
                self.unexpected(expected);
                ElementKind::Error
            }
        };
        Element { span: self.since(start), kind }
    }

    /// An element that stands for one that is missing.
    pub(super) fn no_element(&self) -> Element {
        Element { span: self.no_name().span, kind: ElementKind::Error }
    }

    fn integer(&mut self) -> i64 {
        let value = number_value(self.text()).unwrap_or(0);
        self.bump();
        value
    }
}
