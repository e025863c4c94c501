//! Binders `a, b: T` and `m in s`, as in quantifiers, loops, parameters of rules and comprehensions; and the typed
//! fields of records and functions.

use super::Parser;
use super::operator::ADD;
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::{Binder, Domain, Expr, Field, Name};
use crate::syntax::token::TokenKind;

/// The type of `a, b: T` is copied for each name; in a whole file, more text than this is not.
const MAX_COPIED: u64 = 1 << 20;

impl Parser<'_> {
    /// One or more binders.
    pub(super) fn binders(&mut self) -> Vec<Binder> {
        let mut binders = vec![self.binder()];
        while self.eat(TokenKind::Comma) {
            binders.push(self.binder());
        }
        binders
    }

    pub(super) fn binder(&mut self) -> Binder {
        let mut names = vec![self.bound_name()];
        while self.eat(TokenKind::Comma) {
            names.push(self.bound_name());
        }
        let domain = match self.peek() {
            TokenKind::In => self.collection(&mut names),
            TokenKind::Colon => {
                self.bump();
                Domain::Type(self.ty())
            }
            _ => {
                self.unexpected("`:` and a type, or `in` and a collection");
                Domain::Type(self.no_type())
            }
        };
        Binder { names, domain }
    }

    fn collection(&mut self, names: &mut Vec<Name>) -> Domain {
        if names.len() > 1 {
            let message = "`in` takes one name";
            let help = "repeat it: `a in s, b in s`";
            self.error_here(Diagnostic::error("several-names", self.span(), message).help(help));
            names.truncate(1);
        }
        self.bump();
        Domain::Collection(self.binary(ADD))
    }

    /// `where e`, if it is there.
    pub(super) fn filter(&mut self) -> Option<Expr> {
        self.eat(TokenKind::Where).then(|| self.expr())
    }

    /// `a: T, b, c: U` up to but without `close`.
    pub(super) fn fields(&mut self, close: TokenKind, what: &str) -> Vec<Field> {
        let groups = self.list(close, |parser| parser.field_group(what));
        groups.into_iter().flatten().collect()
    }

    fn field_group(&mut self, what: &str) -> Vec<Field> {
        let names = self.names(what);
        let ty = if self.expect(TokenKind::Colon) { self.ty() } else { self.no_type() };
        self.copied += (names.len() as u64 - 1) * u64::from(ty.span.end - ty.span.start);
        if names.len() > 1 && self.copied > MAX_COPIED {
            let message = "too many names share too large types";
            self.error(Diagnostic::error("type-too-large", ty.span, message));
            return Vec::new();
        }
        names.into_iter().map(|name| Field { name, ty: ty.clone() }).collect()
    }
}
