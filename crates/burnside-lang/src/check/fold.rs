//! Values of constant expressions.
//!
//! `/` and `%` are Euclidean: the remainder is never negative.

use crate::diagnostic::Span;
use crate::hir::{ArithOp, Expr, ExprKind, LocalId};

/// Why an expression has no constant value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotConstant {
    /// It depends on the state or on a name.
    Unknown(Span),
    /// It does not fit into 64 bits.
    Overflow(Span),
    /// It divides by zero.
    ZeroDivision(Span),
}

/// The value of a constant scalar expression.
pub(super) fn fold(e: &Expr) -> Result<i64, NotConstant> {
    Fold { lets: Vec::new() }.value(e)
}

/// One arithmetic operation, unless it overflows or divides by zero.
pub(super) fn arith(op: ArithOp, a: i64, b: i64) -> Option<i64> {
    match op {
        ArithOp::Add => a.checked_add(b),
        ArithOp::Sub => a.checked_sub(b),
        ArithOp::Mul => a.checked_mul(b),
        ArithOp::Div => a.checked_div_euclid(b),
        ArithOp::Rem => a.checked_rem_euclid(b),
    }
}

struct Fold {
    lets: Vec<(LocalId, i64)>,
}

impl Fold {
    fn value(&mut self, e: &Expr) -> Result<i64, NotConstant> {
        let overflow = NotConstant::Overflow(e.span);
        match &e.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Local(local) => self.local(*local).ok_or(NotConstant::Unknown(e.span)),
            ExprKind::Neg(a) => self.value(a)?.checked_neg().ok_or(overflow),
            ExprKind::Abs(a) => self.value(a)?.checked_abs().ok_or(overflow),
            ExprKind::Ord(a) => self.value(a),
            ExprKind::Not(a) => Ok(1 - self.value(a)?),
            ExprKind::Arith(op, a, b) => self.arith(*op, a, b, e.span),
            ExprKind::Extremum(greater, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Ok(if *greater { a.max(b) } else { a.min(b) })
            }
            ExprKind::Equal(negated, a, b) => Ok(i64::from((self.value(a)? == self.value(b)?) != *negated)),
            ExprKind::Less { left, right, or_equal } => {
                let (a, b) = (self.value(left)?, self.value(right)?);
                Ok(i64::from(a < b || *or_equal && a == b))
            }
            ExprKind::And(a, b) => self.branch(a, 0, b),
            ExprKind::Or(a, b) => self.branch(a, 1, b),
            ExprKind::Implies(a, b) => Ok(if self.value(a)? == 0 { 1 } else { self.value(b)? }),
            ExprKind::Iff(a, b) => Ok(i64::from(self.value(a)? == self.value(b)?)),
            ExprKind::If(c, a, b) => {
                if self.value(c)? != 0 {
                    self.value(a)
                } else {
                    self.value(b)
                }
            }
            ExprKind::Let(local, value, body) => {
                let value = self.value(value)?;
                self.lets.push((*local, value));
                self.value(body)
            }
            _ => Err(NotConstant::Unknown(e.span)),
        }
    }

    /// `a` if it has the value that decides, else `b`.
    fn branch(&mut self, a: &Expr, decides: i64, b: &Expr) -> Result<i64, NotConstant> {
        let a = self.value(a)?;
        if a == decides { Ok(a) } else { self.value(b) }
    }

    fn arith(&mut self, op: ArithOp, a: &Expr, b: &Expr, span: Span) -> Result<i64, NotConstant> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        let zero = b == 0 && matches!(op, ArithOp::Div | ArithOp::Rem);
        let problem = if zero { NotConstant::ZeroDivision(span) } else { NotConstant::Overflow(span) };
        arith(op, a, b).ok_or(problem)
    }

    fn local(&self, local: LocalId) -> Option<i64> {
        self.lets.iter().rev().find(|(known, _)| *known == local).map(|&(_, value)| value)
    }
}
