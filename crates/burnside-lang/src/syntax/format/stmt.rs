//! The layout of statements and blocks. A block that is on one line in the text stays there if it fits.

use super::layout::Layout;
use crate::syntax::ast::{Block, Expr, Initial, Stmt, StmtKind, Var};
use crate::syntax::token::TokenKind;

impl Layout<'_> {
    /// A block in a group of its own.
    pub(super) fn block(&mut self, block: &Block) {
        self.body_group(|layout| layout.open_block(block));
    }

    /// A block in the group of the caller.
    pub(super) fn open_block(&mut self, block: &Block) {
        self.braces(&block.statements, |layout, statement| layout.statement(statement));
    }

    /// Things in braces, in the group of the caller.
    pub(super) fn braces<T>(&mut self, things: &[T], write: impl FnMut(&mut Self, &T)) {
        self.braces_with(things, Layout::line, write);
    }

    /// The same with something else between the things than a line break.
    pub(super) fn braces_with<T>(
        &mut self,
        things: &[T],
        between: fn(&mut Self),
        write: impl FnMut(&mut Self, &T),
    ) {
        self.token();
        if things.is_empty() {
            self.nothing_inside();
        } else {
            self.indented(|layout| {
                layout.line();
                layout.each_with(things, between, write);
                layout.comments();
            });
            self.line();
        }
        self.token();
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Assign { target, value } => {
                self.expr(target);
                self.initial(value);
            }
            StmtKind::Let { ty, value, .. } => {
                self.tokens_spaced(2);
                if let Some(ty) = ty {
                    self.typed(ty);
                }
                self.initial(value);
            }
            StmtKind::Var(var) => self.var(var),
            StmtKind::If { .. } => {
                self.body_group(|layout| layout.if_stmt(statement));
                return self.drop_if(TokenKind::Semi);
            }
            StmtKind::Match { value, arms } => {
                self.body_group(|layout| {
                    layout.keyword_expr(value);
                    layout.space();
                    layout.braces(arms, |layout, arm| {
                        layout.patterns(&arm.patterns);
                        layout.block(&arm.body);
                        layout.drop_if(TokenKind::Comma);
                    });
                });
                return self.drop_if(TokenKind::Semi);
            }
            StmtKind::For { binders, filter, body } => {
                self.group(|layout| {
                    layout.token();
                    layout.space();
                    layout.indented(|layout| {
                        layout.binders(binders);
                        layout.filter(filter.as_ref());
                    });
                });
                self.space();
                self.block(body);
                return self.drop_if(TokenKind::Semi);
            }
            StmtKind::Assert { condition, message } => {
                self.keyword_expr(condition);
                if message.is_some() {
                    self.token();
                    self.space();
                    self.token();
                }
            }
            StmtKind::Assume(condition) => self.keyword_expr(condition),
            StmtKind::Goto(_) => self.tokens_spaced(2),
            StmtKind::Method { target, args, .. } => {
                self.expr(target);
                self.tokens(2);
                self.bracketed(args, |layout, argument| layout.expr(argument));
            }
            StmtKind::Call { args, .. } => {
                self.token();
                self.bracketed(args, |layout, argument| layout.expr(argument));
            }
            StmtKind::Error => {}
        }
        self.token();
    }

    pub(super) fn keyword_expr(&mut self, condition: &Expr) {
        self.token();
        self.space();
        self.expr(condition);
    }

    /// `if c { … } else { … }`, in the group of the caller, so that all blocks break or none.
    fn if_stmt(&mut self, statement: &Stmt) {
        let StmtKind::If { condition, then, otherwise } = &statement.kind else { return };
        self.keyword_expr(condition);
        self.space();
        self.open_block(then);
        let Some(otherwise) = otherwise else { return };
        self.space();
        self.token();
        self.space();
        match otherwise.statements.as_slice() {
            [only] if self.at(TokenKind::If) => self.if_stmt(only),
            _ => self.open_block(otherwise),
        }
    }

    /// `var x: T = e` without the `;`
    pub(super) fn var(&mut self, var: &Var) {
        self.tokens_spaced(2);
        self.typed(&var.ty);
        if let Some(value) = &var.value {
            self.initial(value);
        }
    }

    /// ` = e`, ` = any` or ` = any in e`
    fn initial(&mut self, value: &Initial) {
        match value {
            Initial::Expr(expr) => self.equals(expr),
            Initial::Any(_) => {
                self.space();
                self.tokens_spaced(2);
            }
            Initial::AnyIn(_, expr) => {
                self.space();
                self.tokens_spaced(3);
                self.space();
                self.expr(expr);
            }
        }
    }
}
