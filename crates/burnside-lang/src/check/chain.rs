//! Long chains of operators, `a && b && …` with hundreds of operands: what they mean is what the tree that
//! groups to the left means, but what comes out is not deep.
//!
//! Entry point: [`Checker::chain`]. `&&`, `||` and `<->` group as one likes, as long as the order stays: a
//! balanced tree. For everything else the order of the operations counts (an overflow is a fault), so what
//! the first half comes to gets a name, with which the second half goes on.

use super::Checker;
use super::expr::{TypeHint, expr, folded};
use super::scope::Bound;
use crate::diagnostic::Span;
use crate::hir::{ArithOp, Expr, ExprKind, Stored, Ty};
use crate::syntax::ast::{self, BinaryOp};

/// So many operators are a tree that groups to the left.
const SHORT: usize = 32;

impl Checker<'_> {
    /// A long chain of operators of one level.
    pub(super) fn chain(
        &mut self,
        span: Span,
        operands: &[ast::Expr],
        ops: &[BinaryOp],
        hint: TypeHint,
    ) -> Option<Expr> {
        let first = *ops.first()?;
        if matches!(first, BinaryOp::And | BinaryOp::Or | BinaryOp::Iff) {
            let operands: Vec<Option<Expr>> = operands.iter().map(|e| self.condition(e)).collect();
            let operands = operands.into_iter().collect::<Option<Vec<Expr>>>()?;
            return self.balanced(operands, first);
        }
        let sets = ops.iter().any(|op| is_set_operator(*op));
        let operands: Vec<Option<Expr>> = match sets {
            true => {
                let operands: Vec<&ast::Expr> = operands.iter().collect();
                let hint = self.operand_hint(hint);
                self.infer_all(&operands, hint)
            }
            false => operands.iter().map(|e| self.infer(e, TypeHint::None)).collect(),
        };
        let mut operands = operands.into_iter().collect::<Option<Vec<Expr>>>()?.into_iter();
        let start = operands.next()?;
        let links: Vec<(BinaryOp, Expr)> = ops.iter().copied().zip(operands).collect();
        let result = self.left_to_right(start, &links)?;
        Some(Expr { span, ..result })
    }

    /// Conditions joined by `&&`, `||` or `<->`.
    fn balanced(&self, mut operands: Vec<Expr>, op: BinaryOp) -> Option<Expr> {
        if operands.len() < 2 {
            return operands.pop();
        }
        let right = operands.split_off(operands.len().div_ceil(2));
        let (left, right) = (self.balanced(operands, op)?, self.balanced(right, op)?);
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            BinaryOp::And => ExprKind::And(left, right),
            BinaryOp::Or => ExprKind::Or(left, right),
            _ => ExprKind::Iff(left, right),
        };
        Some(self.boolean(span, kind))
    }

    /// What `start` comes to with one link after the other.
    fn left_to_right(&mut self, start: Expr, links: &[(BinaryOp, Expr)]) -> Option<Expr> {
        if links.len() <= SHORT {
            return links.iter().try_fold(start, |left, (op, right)| self.link(left, *op, right.clone()));
        }
        let (first, second) = links.split_at(links.len() / 2);
        let value = self.left_to_right(start, first)?;
        if matches!(value.kind, ExprKind::Const(_)) {
            return self.left_to_right(value, second);
        }
        // Faults quote the text of an operation: not all of the chain each time.
        let (start, ty) = (value.span, value.ty);
        let span = first.last().map_or(start, |(_, last)| last.span);
        let stored = match ty {
            Ty::Int => Stored::Int,
            Ty::Of(id) => Stored::Type(id),
        };
        let local = self.fresh("_", span, stored, Bound::Let);
        let rest = self.left_to_right(expr(span, ty, ExprKind::Local(local)), second)?;
        let (span, ty) = (start.to(rest.span), rest.ty);
        Some(expr(span, ty, ExprKind::Let(local, Box::new(value), Box::new(rest))))
    }

    fn link(&mut self, left: Expr, op: BinaryOp, right: Expr) -> Option<Expr> {
        let span = left.span.to(right.span);
        match op {
            BinaryOp::Add => self.sum_of(span, ArithOp::Add, left, right),
            BinaryOp::Sub => self.sum_of(span, ArithOp::Sub, left, right),
            BinaryOp::Mul => self.product(span, ArithOp::Mul, left, right),
            BinaryOp::Div => self.product(span, ArithOp::Div, left, right),
            BinaryOp::Rem => self.product(span, ArithOp::Rem, left, right),
            _ => self.set_operation_of(span, op, Some(left), Some(right)),
        }
    }

    fn product(&mut self, span: Span, op: ArithOp, left: Expr, right: Expr) -> Option<Expr> {
        let (left, right) = (self.coerce(left, Stored::Int)?, self.coerce(right, Stored::Int)?);
        Some(folded(expr(span, Ty::Int, ExprKind::Arith(op, Box::new(left), Box::new(right)))))
    }
}

fn is_set_operator(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Union | BinaryOp::Difference | BinaryOp::Intersection)
}
