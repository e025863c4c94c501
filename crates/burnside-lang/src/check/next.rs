//! Values after a step: `x'`, and what looks like one and is not.

use super::Checker;
use super::expr::{TypeHint, expr};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{Expr, ExprKind};
use crate::syntax::ast::{self, BinaryOp};
use burnside_logic::operator::{COMPARE, PathOp};

impl Checker<'_> {
    /// `e'`. The parser lets it stand in `ltl` only.
    pub(super) fn next_value(&mut self, span: Span, base: &ast::Expr, hint: TypeHint) -> Option<Expr> {
        let base = self.infer(base, hint)?;
        let (message, help) = match has_next(&base) {
            true => (
                "a value after a step stands inside another one",
                "there is only one next state: leave one `'` out",
            ),
            false if !reads_state(&base) => ("this is the same in every state", "leave out the `'`"),
            false => return Some(expr(span, base.ty, ExprKind::Next(Box::new(base)))),
        };
        self.report(Diagnostic::error(Code::MisplacedPrime, span, message).help(help));
        None
    }

    /// `X x == y`: its author may mean `x` in the next state and `y` now.
    pub(super) fn warn_next_of_comparison(
        &mut self,
        span: Span,
        op: PathOp,
        written: &ast::Expr,
        body: &Expr,
    ) {
        let compares = |sign: &BinaryOp| {
            sign.level() == COMPARE && !matches!(sign, BinaryOp::In | BinaryOp::NotIn | BinaryOp::Is)
        };
        if op != PathOp::X || !matches!(&written.kind, ast::ExprKind::Binary(sign, ..) if compares(sign)) {
            return;
        }
        let mut sides = Vec::new();
        body.each_part(&mut |side| sides.push(reads_state(side)));
        if sides == [true, true] && !has_next(body) {
            let message = "`X` is about both sides of this comparison";
            let help = "if one side is meant as it is now, write `x' == y` for the next value of the other \
                        one; if not, put the comparison into parentheses: `X (x == y)`";
            self.report(Diagnostic::warning(Code::NextOfComparison, span, message).help(help));
        }
    }
}

/// Whether the value depends on the state.
pub(super) fn reads_state(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |part| {
        found |= matches!(part.kind, ExprKind::Var(..) | ExprKind::Call(..) | ExprKind::Enabled { .. });
    });
    found
}

/// Whether a value after a step stands in it.
pub(super) fn has_next(e: &Expr) -> bool {
    let mut found = false;
    e.each(&mut |part| found |= matches!(part.kind, ExprKind::Next(_)));
    found
}
