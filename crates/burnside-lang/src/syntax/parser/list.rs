//! Names, and lists of things separated by commas.

use super::Parser;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::Name;
use crate::syntax::token::TokenKind;

impl<'s> Parser<'s> {
    /// A name, where one is declared or used in a place of its own. `what` is what it names, with its
    /// article.
    pub(super) fn name(&mut self, what: &str) -> Name {
        let kind = self.peek();
        if kind.is_name() {
            return self.take_name();
        }
        if kind.is_keyword() && self.keyword_names.contains(&kind) && !self.on_new_line() {
            self.errors += 1;
            return self.take_name();
        }
        if kind.is_keyword() && (self.wants_name() || self.peek_at(1) == TokenKind::LBrace) {
            let message = format!("`{}` is a keyword and cannot be used as a name", self.text());
            let help = format!("choose another name, for example `{}_`", self.text());
            self.error_here(Diagnostic::error(Code::KeywordAsName, self.span(), message).help(help));
            self.keyword_names.push(kind);
            return self.take_name();
        }
        self.unexpected(what);
        self.no_name()
    }

    /// A name that may come from another file: `lib.N`
    pub(super) fn dotted_name(&mut self, what: &str) -> Name {
        let mut name = self.name(what);
        while !name.text.is_empty() && self.eat(TokenKind::Dot) {
            let next = self.name(what);
            name = Name { text: format!("{}.{}", name.text, next.text), span: next.span };
        }
        name
    }

    /// The current token as a name, whatever it is.
    pub(super) fn take_name(&mut self) -> Name {
        let text = self.text().to_owned();
        Name { text, span: self.bump().span }
    }

    /// A name that is declared inside an expression: it must not be an operator there.
    pub(super) fn bound_name(&mut self) -> Name {
        if self.at_temporal_word() {
            let text = self.text();
            let message = format!("`{text}` is an operator in formulas and cannot be used as a name here");
            self.error_here(Diagnostic::error(Code::OperatorAsName, self.span(), message));
        }
        self.name("a name")
    }

    /// Names separated by commas; at least one.
    pub(super) fn names(&mut self, what: &str) -> Vec<Name> {
        let mut names = vec![self.name(what)];
        while self.eat(TokenKind::Comma) {
            names.push(self.name(what));
        }
        names
    }

    /// Things separated by commas, with or without one at the end, up to but without `close`.
    pub(super) fn list<T>(&mut self, close: TokenKind, item: impl Fn(&mut Parser<'s>) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while !self.at(close) && !self.at(TokenKind::Eof) {
            let before = self.pos;
            items.push(item(self));
            if !self.eat(TokenKind::Comma) || self.pos == before {
                break;
            }
        }
        items
    }
}
