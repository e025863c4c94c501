//! Binders `a, b: T` and `m in s`, as in quantifiers, loops, parameters of rules and comprehensions; and the
//! typed fields of records and functions.

use super::{MAX_DEPTH, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Binder, Domain, Expr, Field, Name, Type, TypeKind};
use crate::syntax::token::TokenKind;
use burnside_logic::operator::ADD;

/// The type of `a, b: T` is copied for each name; in a whole file, more text than this is not.
const MAX_COPIED: u64 = 1 << 20;

impl Parser<'_> {
    /// One or more binders.
    pub(super) fn binders(&mut self) -> Vec<Binder> {
        let mut binders = vec![self.binder()];
        while self.eat(TokenKind::Comma) {
            binders.push(self.binder());
        }
        self.few_names(binders)
    }

    /// Binders, unless there are too many: each name is a level for whoever walks through their values.
    pub(super) fn few_names(&mut self, mut binders: Vec<Binder>) -> Vec<Binder> {
        if count_names(&binders) > MAX_DEPTH as usize {
            self.too_many("names are bound");
            binders.truncate(1);
            binders.iter_mut().for_each(|binder| binder.names.truncate(1));
        }
        binders
    }

    /// A list of things that are inside each other or looked through one by one, unless there are too many.
    pub(super) fn few<T>(&mut self, mut items: Vec<T>, what: &str) -> Vec<T> {
        if items.len() > MAX_DEPTH as usize {
            self.too_many(what);
            items.truncate(1);
        }
        items
    }

    fn too_many(&mut self, what: &str) {
        if !self.gave_up {
            let message = format!("more than {MAX_DEPTH} {what} at once; the rest is not read");
            let help = "use fewer, or an array or a record";
            self.error(Diagnostic::error(Code::TooManyNames, self.span(), message).help(help));
            self.give_up();
        }
    }

    /// Each name that was bound makes what is inside one level deeper.
    pub(super) fn wrap_names(&mut self, binders: &[Binder]) {
        (0..count_names(binders)).for_each(|_| self.wrap());
    }

    pub(super) fn binder(&mut self) -> Binder {
        let mut names = vec![self.bound_name()];
        while self.eat(TokenKind::Comma) {
            names.push(self.bound_name());
        }
        let domain = match self.peek() {
            TokenKind::In => self.collection(&mut names),
            TokenKind::Backslash if self.peek_at(1) == TokenKind::In => {
                let message = "expected `in`, found `\\in`";
                let help = "write `x in s`";
                self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
                self.bump();
                self.collection(&mut names)
            }
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
            self.error_here(Diagnostic::error(Code::SeveralNames, self.span(), message).help(help));
            names.truncate(1);
        }
        self.bump();
        let collection = self.binary(ADD);
        if self.at(TokenKind::DotDot) {
            return self.in_range(names, collection);
        }
        Domain::Collection(collection)
    }

    /// `i in 0..3`: what was meant is a type.
    fn in_range(&mut self, names: &[Name], low: Expr) -> Domain {
        let name = names.first().map_or("i", |name| &name.text);
        let message = "`in` takes a set, a queue or a bag, and `..` is for types";
        let help = format!("write `{name}: {}..…`", low.span.text(self.source));
        self.error_here(Diagnostic::error(Code::WrongOperator, self.span(), message).help(help));
        self.bump();
        let high = self.binary(ADD);
        let span = low.span.to(high.span);
        Domain::Type(Type { span, kind: TypeKind::Range(Box::new(low), Box::new(high)) })
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

    /// `a, b: T`
    pub(super) fn field_group(&mut self, what: &str) -> Vec<Field> {
        let names = self.names(what);
        let ty = if self.expect(TokenKind::Colon) { self.ty() } else { self.no_type() };
        self.copied += (names.len() as u64 - 1) * u64::from(ty.span.end - ty.span.start);
        if names.len() > 1 && self.copied > MAX_COPIED {
            let message = "too many names share too large types";
            self.error(Diagnostic::error(Code::TypeTooLarge, ty.span, message));
            return Vec::new();
        }
        names.into_iter().map(|name| Field { name, ty: ty.clone() }).collect()
    }
}

fn count_names(binders: &[Binder]) -> usize {
    binders.iter().map(|binder| binder.names.len()).sum()
}
