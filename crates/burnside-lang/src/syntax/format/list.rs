//! Lists in brackets, and names.

use super::layout::Layout;
use crate::syntax::ast::{Binder, Domain, Expr, Field, Name, Type, TypeKind};
use crate::syntax::token::TokenKind;

impl Layout<'_> {
    /// A list in parentheses or square brackets, brackets included: all on one line or one thing per line.
    pub(super) fn bracketed<T>(&mut self, things: &[T], write: impl FnMut(&mut Self, &T)) {
        self.group(|layout| layout.list_in_brackets(things, Layout::soft_line, Layout::line, write));
    }

    /// A list in brackets with as many things per line as fit.
    pub(super) fn filled<T>(&mut self, things: &[T], write: impl FnMut(&mut Self, &T)) {
        self.group(|layout| layout.list_in_brackets(things, Layout::soft_line, Layout::fill, write));
    }

    /// A list in braces with spaces inside, as in declarations. A line break after the brace is kept.
    pub(super) fn declared<T>(
        &mut self,
        things: &[T],
        between: fn(&mut Self),
        write: impl FnMut(&mut Self, &T),
    ) {
        let broken = self.newline_after_next() && !things.is_empty();
        self.group_if(broken, |layout| layout.list_in_brackets(things, Layout::line, between, write));
    }

    fn list_in_brackets<T>(
        &mut self,
        things: &[T],
        edge: fn(&mut Self),
        between: fn(&mut Self),
        write: impl FnMut(&mut Self, &T),
    ) {
        self.token();
        if things.is_empty() {
            self.nothing_inside();
        } else {
            self.indented(|layout| {
                edge(layout);
                layout.separated(things, between, write);
                layout.if_broken(",");
                layout.drop_if(TokenKind::Comma);
                layout.comments();
            });
            edge(self);
        }
        self.token();
    }

    /// The inside of brackets without anything but comments.
    pub(super) fn nothing_inside(&mut self) {
        if self.has_comments() {
            self.indented(|layout| layout.comments());
            self.soft_line();
        }
    }

    /// Things with commas between them.
    pub(super) fn separated<T>(
        &mut self,
        things: &[T],
        between: fn(&mut Self),
        mut write: impl FnMut(&mut Self, &T),
    ) {
        for (at, thing) in things.iter().enumerate() {
            if at > 0 {
                self.token();
                between(self);
            }
            write(self, thing);
        }
    }

    /// Names with commas between them.
    pub(super) fn names(&mut self, names: &[Name]) {
        self.group(|layout| {
            layout.indented(|layout| layout.separated(names, Layout::fill, |layout, _| layout.token()));
        });
    }

    /// A field with its type; of `a, b: T` only the last has it.
    pub(super) fn field(&mut self, field: &Field) {
        self.token();
        if self.at(TokenKind::Colon) {
            self.typed(&field.ty);
        }
    }

    /// `: T`
    pub(super) fn typed(&mut self, ty: &Type) {
        self.token();
        self.space();
        self.ty(ty);
    }

    /// A name that may come from another file: `lib.T`
    pub(super) fn dotted(&mut self, name: &Name) {
        self.tokens(1 + 2 * name.text.matches('.').count());
    }

    pub(super) fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Bool | TypeKind::Int | TypeKind::Error => self.token(),
            TypeKind::Name(name) => self.dotted(name),
            TypeKind::Range(low, high) => {
                self.bound(low);
                self.token();
                self.bound(high);
            }
            TypeKind::Union(names) => self.group(|layout| {
                layout.indented(|layout| {
                    for (at, name) in names.iter().enumerate() {
                        if at > 0 {
                            layout.line();
                            layout.token();
                            layout.space();
                        }
                        layout.dotted(name);
                    }
                });
            }),
            TypeKind::Optional(inner) => {
                self.ty(inner);
                self.token();
            }
            TypeKind::Array(indices, element) => {
                self.token();
                self.bracketed(indices, |layout, index| layout.ty(index));
                self.of(element);
            }
            TypeKind::Set(element) => {
                self.token();
                self.of(element);
            }
            TypeKind::Queue(size, element) | TypeKind::Bag(size, element) => {
                self.tokens(2);
                self.expr(size);
                self.token();
                self.of(element);
            }
        }
    }

    fn of(&mut self, element: &Type) {
        self.space();
        self.token();
        self.space();
        self.ty(element);
    }

    /// Binders with commas between them.
    pub(super) fn binders(&mut self, binders: &[Binder]) {
        self.separated(binders, Layout::fill, |layout, binder| layout.binder(binder));
    }

    pub(super) fn binder(&mut self, binder: &Binder) {
        self.separated(&binder.names, Layout::space, |layout, _| layout.token());
        match &binder.domain {
            Domain::Type(ty) => self.typed(ty),
            Domain::Collection(expr) => {
                self.space();
                self.token();
                self.space();
                self.expr(expr);
            }
        }
    }

    /// ` where e`, on the line or on the next one.
    pub(super) fn filter(&mut self, filter: Option<&Expr>) {
        if let Some(filter) = filter {
            self.line();
            self.token();
            self.space();
            self.expr(filter);
        }
    }
}
