//! Bounds of integer expressions, from the ranges of the types they are read from. Saturating in 128 bits.

use super::Checker;
use crate::hir::{ArithOp, Expr, ExprKind, Quantifier, Stored, Ty};
use burnside_limits::poll;
use burnside_ts::{Type, TypeId};

/// The integers from `lo` to `hi`, both included; never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub lo: i128,
    pub hi: i128,
}

impl Interval {
    /// All values of 64 bits.
    pub const ALL: Interval = Interval { lo: i64::MIN as i128, hi: i64::MAX as i128 };

    pub fn new(lo: i128, hi: i128) -> Self {
        Self { lo, hi }
    }

    pub fn one(value: i64) -> Self {
        Self::new(value.into(), value.into())
    }

    /// The smallest interval around both.
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }

    pub fn within(self, other: Self) -> bool {
        other.lo <= self.lo && self.hi <= other.hi
    }

    pub fn disjoint(self, other: Self) -> bool {
        self.hi < other.lo || other.hi < self.lo
    }

    fn from_corners(corners: [i128; 4]) -> Self {
        let (lo, hi) = (corners.iter().min(), corners.iter().max());
        Self::new(*lo.expect("four of them"), *hi.expect("four of them"))
    }

    fn negated(self) -> Self {
        Self::new(-self.hi, -self.lo)
    }

    fn absolute(self) -> Self {
        let least = if self.lo <= 0 && 0 <= self.hi { 0 } else { self.lo.abs().min(self.hi.abs()) };
        Self::new(least, self.lo.abs().max(self.hi.abs()))
    }

    /// What a run can see: anything else is an overflow, which is a fault.
    fn clipped(self) -> Self {
        let clip = |value: i128| value.clamp(Self::ALL.lo, Self::ALL.hi);
        Self::new(clip(self.lo), clip(self.hi))
    }
}

/// The bounds of `a op b`.
fn arith(op: ArithOp, a: Interval, b: Interval) -> Interval {
    let corners = |f: fn(i128, i128) -> i128| {
        Interval::from_corners([f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)])
    };
    match op {
        ArithOp::Add => Interval::new(a.lo + b.lo, a.hi + b.hi),
        ArithOp::Sub => Interval::new(a.lo - b.hi, a.hi - b.lo),
        ArithOp::Mul => corners(i128::saturating_mul),
        ArithOp::Div if b.lo > 0 => corners(i128::div_euclid),
        ArithOp::Div => {
            let greatest = a.lo.abs().max(a.hi.abs()) + 1;
            Interval::new(-greatest, greatest)
        }
        ArithOp::Rem => {
            let greatest = (b.absolute().hi - 1).max(0);
            if a.lo >= 0 && a.hi <= greatest && b.lo > a.hi { a } else { Interval::new(0, greatest) }
        }
    }
}

impl Checker<'_> {
    /// Bounds of an integer expression.
    pub(super) fn interval(&self, e: &Expr) -> Interval {
        poll();
        if e.ty != Ty::Int {
            return Interval::ALL;
        }
        match &e.kind {
            ExprKind::Const(value) => Interval::one(*value),
            ExprKind::Neg(a) => self.interval(a).negated().clipped(),
            ExprKind::Abs(a) => self.interval(a).absolute().clipped(),
            ExprKind::Arith(op, a, b) => arith(*op, self.interval(a), self.interval(b)).clipped(),
            ExprKind::Extremum(greater, a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                if *greater {
                    Interval::new(a.lo.max(b.lo), a.hi.max(b.hi))
                } else {
                    Interval::new(a.lo.min(b.lo), a.hi.min(b.hi))
                }
            }
            ExprKind::If(_, a, b) => self.interval(a).hull(self.interval(b)),
            ExprKind::Let(_, _, body) | ExprKind::Block(_, body) => self.interval(body),
            ExprKind::Ord(a) => self.ordinals(a.ty),
            ExprKind::Size(s) => Interval::new(0, self.greatest_size(s)),
            ExprKind::Count(b, _) => Interval::new(0, self.greatest_size(b)),
            ExprKind::Quantify { quantifier: Quantifier::Min | Quantifier::Max, body, .. } => {
                self.interval(body)
            }
            ExprKind::Quantify { quantifier: Quantifier::Count, .. } => Interval::new(0, Interval::ALL.hi),
            _ => self.range_of_stored(self.stored_of(e)),
        }
    }

    fn ordinals(&self, ty: Ty) -> Interval {
        match ty {
            Ty::Of(id) => {
                Interval::new(0, self.types.size(id).map_or(Interval::ALL.hi, |size| i128::from(size) - 1))
            }
            Ty::Int => Interval::ALL,
        }
    }

    fn greatest_size(&self, s: &Expr) -> i128 {
        match s.ty {
            Ty::Of(id) => match *self.types.get(id) {
                Type::Set(element) => self.types.size(element).map_or(Interval::ALL.hi, i128::from),
                Type::Queue { capacity, .. } | Type::Bag { capacity, .. } => capacity.into(),
                _ => Interval::ALL.hi,
            },
            Ty::Int => Interval::ALL.hi,
        }
    }

    /// The values of a range type; everything for another type.
    pub(super) fn range_of(&self, id: TypeId) -> Interval {
        match *self.types.get(id) {
            Type::Range { lo, hi } => Interval::new(lo.into(), hi.into()),
            _ => Interval::ALL,
        }
    }

    fn range_of_stored(&self, stored: Stored) -> Interval {
        match stored {
            Stored::Int => Interval::ALL,
            Stored::Type(id) => self.range_of(id),
        }
    }

    /// The declared type of what an expression reads, with its range.
    pub(super) fn stored_of(&self, e: &Expr) -> Stored {
        let stored = match &e.kind {
            ExprKind::Var(var, _) => self.vars[var.index()].ty.map(Stored::Type),
            ExprKind::Local(local) => Some(self.locals[local.index()].ty),
            ExprKind::Next(inner) => return self.stored_of(inner),
            ExprKind::Call(function, _) => {
                self.functions.get(function.index()).map(|function| function.result)
            }
            ExprKind::Index(base, _) | ExprKind::End(_, base) | ExprKind::Unwrap(base) => {
                self.part(base, None).map(Stored::Type)
            }
            ExprKind::Field(base, field) => self.part(base, Some(*field)).map(Stored::Type),
            _ => None,
        };
        stored.unwrap_or_else(|| self.stored_ty(e.ty))
    }

    /// The type of the elements, of the value inside or of a field.
    fn part(&self, base: &Expr, field: Option<u32>) -> Option<TypeId> {
        let Ty::Of(id) = base.ty else { return None };
        match *self.types.get(id) {
            Type::Array { element, .. } | Type::Queue { element, .. } | Type::Bag { element, .. } => {
                Some(element)
            }
            Type::Option(inner) => Some(inner),
            Type::Record(record) => {
                self.types.record(record).fields.get(field? as usize).map(|field| field.ty)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_for_every_value() {
        let ops = [ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Rem];
        let intervals: Vec<(i64, i64)> = (-4..5).flat_map(|lo| (lo..5).map(move |hi| (lo, hi))).collect();
        for &(al, ah) in &intervals {
            for &(bl, bh) in &intervals {
                for op in ops {
                    let bound =
                        arith(op, Interval::new(al.into(), ah.into()), Interval::new(bl.into(), bh.into()));
                    for (a, b) in (al..=ah).flat_map(|a| (bl..=bh).map(move |b| (a, b))) {
                        let Some(value) = crate::check::fold::arith(op, a, b) else { continue };
                        assert!(
                            Interval::one(value).within(bound),
                            "{a} {op:?} {b} = {value} not in {bound:?}"
                        );
                    }
                }
            }
        }
    }
}
