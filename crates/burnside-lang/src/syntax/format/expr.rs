//! The layout of expressions. Chains of operators of one level break before each operator; what stands in
//! brackets breaks after the opening and before the closing one.

use super::layout::Layout;
use crate::syntax::ast::{Arm, BinaryOp, Expr, ExprKind, Name, Pattern, PatternKind};
use crate::syntax::token::TokenKind;
use burnside_logic::operator::{IMPLIES, UNTIL};

impl Layout<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Name(_)
            | ExprKind::Let { .. }
            | ExprKind::Block(..)
            | ExprKind::Error => self.token(),
            ExprKind::Element(name, number) => self.element(name, number),
            ExprKind::Paren(inner) => self.parentheses(inner),
            ExprKind::Unary(_, operand) => {
                self.token();
                self.expr(operand);
            }
            ExprKind::Binary(..) | ExprKind::Chain(..) | ExprKind::Until(..) | ExprKind::LeadsTo(..) => {
                self.chain(expr)
            }
            ExprKind::Index(base, indices) => {
                self.expr(base);
                self.bracketed(indices, |layout, index| layout.expr(index));
            }
            ExprKind::Slice(base, from, to) => {
                self.expr(base);
                self.token();
                self.bound(from);
                self.token();
                self.bound(to);
                self.token();
            }
            ExprKind::Field(base, _) | ExprKind::At(Some(base), _) => {
                self.expr(base);
                self.tokens(2);
            }
            ExprKind::At(None, _) => self.tokens(2),
            ExprKind::Unwrap(base) | ExprKind::Next(base) => {
                self.expr(base);
                self.token();
            }
            ExprKind::Call(_, arguments) => {
                self.token();
                self.bracketed(arguments, |layout, argument| layout.expr(argument));
            }
            ExprKind::Record(name, fields) => {
                self.dotted(name);
                self.bracketed(fields, |layout, (_, value)| {
                    layout.tokens(2);
                    layout.space();
                    layout.expr(value);
                });
            }
            ExprKind::Method(base, _, arguments) => {
                self.expr(base);
                self.tokens(2);
                self.bracketed(arguments, |layout, argument| layout.expr(argument));
            }
            ExprKind::If(..) => self.group(|layout| layout.if_expr(expr)),
            ExprKind::Match(value, arms) => self.body_group(|layout| layout.match_expr(value, arms)),
            ExprKind::Quantify { body, .. } => {
                self.quantifier_head(expr);
                self.space();
                self.group(|layout| layout.block_expr(body));
            }
            ExprKind::Array(items) | ExprKind::Set(items) => {
                self.filled(items, |layout, item| layout.expr(item));
            }
            ExprKind::ArrayOf { .. } | ExprKind::SetOf { .. } | ExprKind::SetMap { .. } => {
                self.comprehension(expr)
            }
            ExprKind::Choose { binder, filter } => self.group(|layout| {
                layout.token();
                layout.space();
                layout.indented(|layout| {
                    layout.binder(binder);
                    layout.filter(filter.as_deref());
                });
            }),
            ExprKind::Enabled(target) => {
                self.token();
                self.parentheses(target);
            }
            ExprKind::Temporal(_, operand) => self.temporal(operand),
            ExprKind::Path { body, .. } => {
                self.token();
                self.parentheses(body);
            }
        }
    }

    fn element(&mut self, name: &Name, number: &Expr) {
        self.dotted(name);
        self.token();
        if self.at(TokenKind::LParen) { self.parentheses(number) } else { self.token() }
    }

    /// Something in brackets, brackets included.
    fn parentheses(&mut self, inner: &Expr) {
        self.group(|layout| {
            layout.token();
            layout.indented(|layout| {
                layout.soft_line();
                layout.whole_expr(inner);
                layout.comments();
            });
            layout.soft_line();
            layout.token();
        });
    }

    fn temporal(&mut self, operand: &Expr) {
        if self.at(TokenKind::LBracket) {
            self.token();
        }
        self.token();
        self.space();
        self.expr(operand);
    }

    /// Operators of one level, with their operands.
    fn chain(&mut self, expr: &Expr) {
        self.group(|layout| layout.indented(|layout| layout.links(expr, level(expr))));
    }

    /// An expression at a place where a line starts if it is broken: the operators of a chain need no
    /// indentation.
    fn whole_expr(&mut self, expr: &Expr) {
        match level(expr) {
            0 => self.expr(expr),
            level => self.group(|layout| layout.links(expr, level)),
        }
    }

    /// The bound of a range: no spaces if it is simple.
    pub(super) fn bound(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(_, left, right) if is_tight(expr) => {
                self.bound(left);
                self.token();
                self.bound(right);
            }
            _ => self.expr(expr),
        }
    }

    fn links(&mut self, expr: &Expr, level: u8) {
        if self::level(expr) != level {
            return self.expr(expr);
        }
        if let ExprKind::Chain(operands, _) = &expr.kind {
            return self.long_chain(operands);
        }
        let (ExprKind::Binary(_, left, right)
        | ExprKind::Until(_, left, right)
        | ExprKind::LeadsTo(left, right)) = &expr.kind
        else {
            return;
        };
        self.links(left, level);
        self.line();
        self.token();
        self.space();
        if matches!(expr.kind, ExprKind::Binary(BinaryOp::NotIn, ..)) {
            self.token();
            self.space();
        }
        self.links(right, level);
    }

    fn long_chain(&mut self, operands: &[Expr]) {
        for (at, operand) in operands.iter().enumerate() {
            if at > 0 {
                self.line();
                self.token();
                self.space();
            }
            self.expr(operand);
        }
    }

    fn quantifier_head(&mut self, expr: &Expr) {
        let ExprKind::Quantify { binders, filter, .. } = &expr.kind else { return };
        self.group(|layout| {
            layout.token();
            layout.space();
            layout.indented(|layout| {
                layout.binders(binders);
                layout.filter(filter.as_deref());
            });
        });
    }

    /// `{ let y = e; … e }`, in the group of the caller.
    pub(super) fn block_expr(&mut self, body: &Expr) {
        self.token();
        self.indented(|layout| {
            layout.line();
            let mut body = body;
            if let ExprKind::Block(statements, value) = &body.kind {
                layout.each_with(statements, Layout::line, |layout, statement| layout.statement(statement));
                layout.line();
                body = value;
            }
            while let ExprKind::Let { ty, value, body: rest, .. } = &body.kind {
                layout.tokens_spaced(2);
                if let Some(ty) = ty {
                    layout.typed(ty);
                }
                layout.equals(value);
                layout.token();
                layout.line();
                body = rest;
            }
            layout.whole_expr(body);
            layout.comments();
        });
        self.line();
        self.token();
    }

    /// `if c { a } else { b }`, in the group of the caller.
    fn if_expr(&mut self, expr: &Expr) {
        let ExprKind::If(condition, then, otherwise) = &expr.kind else { return };
        self.token();
        self.space();
        self.expr(condition);
        self.space();
        self.block_expr(then);
        self.space();
        self.token();
        self.space();
        // An `if` after `else` without a brace goes on in the same group.
        if self.at(TokenKind::If) { self.if_expr(otherwise) } else { self.block_expr(otherwise) }
    }

    /// `match e { a => x, _ => y }`, in the group of the caller. There is a comma after each value but the
    /// last of a line, and none after braces.
    fn match_expr(&mut self, value: &Expr, arms: &[Arm<Expr>]) {
        self.keyword_expr(value);
        self.space();
        let mut left = arms.len();
        self.braces(arms, |layout, arm| {
            left -= 1;
            layout.patterns(&arm.patterns);
            if layout.at(TokenKind::LBrace) {
                layout.group(|layout| layout.block_expr(&arm.body));
                layout.drop_if(TokenKind::Comma);
            } else {
                layout.indented(|layout| layout.expr(&arm.body));
                match left {
                    0 => {
                        layout.if_broken(",");
                        layout.drop_if(TokenKind::Comma);
                    }
                    _ => layout.token(),
                }
            }
        });
    }

    /// `a | b => `
    pub(super) fn patterns(&mut self, patterns: &[Pattern]) {
        self.group(|layout| {
            layout.indented(|layout| {
                for (at, pattern) in patterns.iter().enumerate() {
                    if at > 0 {
                        layout.line();
                        layout.token();
                        layout.space();
                    }
                    layout.pattern(pattern);
                }
            });
        });
        self.space();
        self.token();
        self.space();
    }

    fn pattern(&mut self, pattern: &Pattern) {
        let PatternKind::Case { of, parts, .. } = &pattern.kind else { return self.token() };
        if let Some(of) = of {
            self.dotted(of);
            self.token();
        }
        self.token();
        if let Some(parts) = parts {
            self.bracketed(parts, |layout, part| {
                layout.token();
                if part.field.is_some() {
                    layout.token();
                    layout.space();
                    layout.token();
                }
            });
        }
    }

    fn comprehension(&mut self, expr: &Expr) {
        self.group(|layout| {
            layout.token();
            layout.indented(|layout| {
                layout.soft_line();
                match &expr.kind {
                    ExprKind::ArrayOf { binders, body } => {
                        layout.group(|layout| layout.binders(binders));
                        layout.space();
                        layout.token();
                        layout.line();
                        layout.expr(body);
                    }
                    ExprKind::SetMap { value, binders, filter } => {
                        layout.expr(value);
                        layout.token();
                        layout.line();
                        layout.group(|layout| layout.binders(binders));
                        layout.filter(filter.as_deref());
                    }
                    ExprKind::SetOf { binder, filter } => {
                        layout.binder(binder);
                        layout.filter(Some(filter));
                    }
                    _ => {}
                }
                layout.comments();
            });
            layout.soft_line();
            layout.token();
        });
    }

    /// ` = e` with the expression on the line of the sign, or on the next if that is better.
    pub(super) fn equals(&mut self, value: &Expr) {
        self.space();
        self.token();
        if hugs(value) && !self.has_comments() {
            self.space();
            self.expr(value);
        } else {
            self.indented(|layout| {
                layout.group(|layout| {
                    layout.line();
                    layout.whole_expr(value);
                });
            });
        }
    }

    /// Tokens with spaces between them.
    pub(super) fn tokens_spaced(&mut self, count: usize) {
        for at in 0..count {
            if at > 0 {
                self.space();
            }
            self.token();
        }
    }
}

/// Whether an expression has its own brackets to break at, so that it can start at the end of a line.
fn hugs(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Temporal(_, operand) | ExprKind::Unary(_, operand) => hugs(operand),
        ExprKind::Binary(..) | ExprKind::Chain(..) | ExprKind::Until(..) | ExprKind::LeadsTo(..) => false,
        _ => true,
    }
}

/// Whether an expression is made of numbers, names and arithmetic only.
fn is_tight(expr: &Expr) -> bool {
    use BinaryOp::*;
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Name(_) => true,
        ExprKind::Binary(Add | Sub | Mul | Div | Rem, left, right) => is_tight(left) && is_tight(right),
        _ => false,
    }
}

/// The level of an operator; operators that share one make a chain.
fn level(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Until(..) => UNTIL,
        ExprKind::LeadsTo(..) => IMPLIES,
        ExprKind::Binary(op, ..) => op.level(),
        ExprKind::Chain(_, ops) => ops.first().map_or(0, |op| op.level()),
        _ => 0,
    }
}
