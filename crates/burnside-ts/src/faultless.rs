//! Conditions that have a value in every state, found by a look at their parts.
//!
//! Entry point: [`System::may_fault`]. A cautious answer: an index, a range check or a sum is harmless if it stays in bounds whatever the fields of
//! the state and the names bound to types are. Every other check counts as one that may fail.

use crate::code::{
    Arith, Binder, Domain, Expr, Function, Index, Operand, Place, Quantifier, Quantify, Slot, Stmt, Target,
};
use crate::system::System;

impl System {
    /// Whether evaluating a condition, in which the binders' names are free, may fault. False only if it cannot.
    pub fn may_fault(&self, condition: &Expr, free: &[&Binder]) -> bool {
        let mut look = Look { system: self, ranges: Vec::new() };
        free.iter().for_each(|binder| look.bind(binder));
        look.expr(condition)
    }
}

/// The values of a field.
fn stored(width: u32, bias: i64) -> (i128, i128) {
    (i128::from(bias), i128::from(bias) + (1i128 << width.min(64)) - 1)
}

/// Bounds of a result; none if the operation may fail.
fn combined(op: Arith, (a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let (least, most) = match op {
        Arith::Add => (a + c, b + d),
        Arith::Sub => (a - d, b - c),
        Arith::Mul => {
            let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
            (corners.into_iter().min()?, corners.into_iter().max()?)
        }
        Arith::Min => (a.min(c), b.min(d)),
        Arith::Max => (a.max(c), b.max(d)),
        Arith::Rotate(size) | Arith::RotateBack(size) => (0, i128::from(size) - 1),
        Arith::Div | Arith::Rem => return None,
    };
    (i128::from(i64::MIN) <= least && most <= i128::from(i64::MAX)).then_some((least, most))
}

struct Look<'s> {
    system: &'s System,
    /// What the names in scope range over, the latest last.
    ranges: Vec<(Slot, i64, i64)>,
}

impl Look<'_> {
    fn bind(&mut self, binder: &Binder) {
        if let (Target::Scalar(slot), Some(size)) = (binder.target, self.system.types.size(binder.ty)) {
            let low = self.system.types.bias(binder.ty);
            self.ranges.push((slot, low, low + size as i64 - 1));
        }
    }

    /// Whether a value is surely in a range.
    fn fits(&self, value: &Expr, low: i64, high: i64) -> bool {
        let (least, most) = self.range(value);
        i128::from(low) <= least && most <= i128::from(high)
    }

    /// Bounds of a value, if it has one.
    fn range(&self, value: &Expr) -> (i128, i128) {
        let anything = (i128::from(i64::MIN), i128::from(i64::MAX));
        match value {
            Expr::Const(value) => (i128::from(*value), i128::from(*value)),
            Expr::Local(slot) => match self.ranges.iter().rev().find(|(known, ..)| known == slot) {
                Some(&(_, least, most)) => (i128::from(least), i128::from(most)),
                None => anything,
            },
            Expr::Cell(cell) => stored(cell.width, cell.bias),
            Expr::Load(place) => stored(place.width, place.bias),
            Expr::Offset(inner, by) => {
                let (least, most) = self.range(inner);
                (least + i128::from(*by), most + i128::from(*by))
            }
            Expr::Not(_) | Expr::Compare(..) | Expr::And(_) | Expr::Or(_) => (0, 1),
            Expr::Check(check) => (i128::from(check.lo), i128::from(check.hi)),
            Expr::If(parts) => {
                let (then, otherwise) = (self.range(&parts[1]), self.range(&parts[2]));
                (then.0.min(otherwise.0), then.1.max(otherwise.1))
            }
            Expr::Arith(op, parts, _) => {
                combined(*op, self.range(&parts[0]), self.range(&parts[1])).unwrap_or(anything)
            }
            Expr::Quantify(quantify) => match (quantify.quantifier, self.many(quantify)) {
                (Quantifier::Forall | Quantifier::Exists, _) => (0, 1),
                (Quantifier::Count, count) => (0, count),
                (Quantifier::Sum, count) => {
                    let (least, most) = self.inside(quantify).range(&quantify.body);
                    (least.min(0).saturating_mul(count), most.max(0).saturating_mul(count))
                }
                (Quantifier::Min | Quantifier::Max, _) => self.inside(quantify).range(&quantify.body),
            },
            _ => anything,
        }
    }

    /// At most so many combinations of values are taken.
    fn many(&self, quantify: &Quantify) -> i128 {
        let size = |binder: &Binder| self.system.types.size(binder.ty).map_or(i128::MAX, i128::from);
        quantify.binders.iter().fold(1, |count, binder| i128::saturating_mul(count, size(binder)))
    }

    /// With the names of a quantifier.
    fn inside(&self, quantify: &Quantify) -> Self {
        let mut look = Look { system: self.system, ranges: self.ranges.clone() };
        quantify.binders.iter().for_each(|binder| look.bind(binder));
        look
    }

    fn exprs(&mut self, parts: &[Expr]) -> bool {
        parts.iter().any(|part| self.expr(part))
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) => false,
            Expr::Load(place) | Expr::Rank(place, _) | Expr::Size(place, _) => self.place(place),
            Expr::Not(inner) | Expr::Offset(inner, _) => self.expr(inner),
            Expr::Arith(op, parts, _) => {
                let (left, right) = (self.range(&parts[0]), self.range(&parts[1]));
                self.exprs(&**parts) || combined(*op, left, right).is_none()
            }
            Expr::Bound(..) | Expr::Unwrap(..) => true,
            Expr::Compare(_, parts) | Expr::And(parts) | Expr::Or(parts) => self.exprs(&**parts),
            Expr::If(parts) => self.exprs(&**parts),
            Expr::Let(slot, parts) => {
                let value = self.expr(&parts[0]);
                self.ranges.push((*slot, i64::MIN, i64::MAX));
                let body = self.expr(&parts[1]);
                self.ranges.pop();
                value || body
            }
            Expr::Quantify(quantify) => {
                let before = self.ranges.len();
                let is_whole = quantify.filter.is_none()
                    && quantify.binders.iter().all(|binder| matches!(binder.domain, Domain::Type));
                let mut found = match quantify.quantifier {
                    Quantifier::Forall | Quantifier::Exists | Quantifier::Count => false,
                    // A type has a value, so there is something to compare.
                    Quantifier::Min | Quantifier::Max => !is_whole,
                    Quantifier::Sum => !self.fits(expr, i64::MIN, i64::MAX),
                };
                for binder in &quantify.binders {
                    found |= self.domain(binder);
                    self.bind(binder);
                }
                found |= quantify.filter.as_ref().is_some_and(|filter| self.expr(filter));
                found |= self.expr(&quantify.body);
                self.ranges.truncate(before);
                found
            }
            Expr::Do(statements, value) => self.statements(statements) || self.expr(value),
            Expr::Call(function) => match &self.system.functions[function.index()] {
                Function::Scalar(body) => {
                    // Its parameters are set before; their ranges are not known here.
                    let before = std::mem::take(&mut self.ranges);
                    let found = self.expr(body);
                    self.ranges = before;
                    found
                }
                Function::Wide(body) => self.statements(body),
            },
            Expr::Check(check) => self.expr(&check.value) || !self.fits(&check.value, check.lo, check.hi),
            Expr::Same(places, _) | Expr::Subset(places, _) => places.iter().any(|place| self.place(place)),
            Expr::Contains(place, element) => self.place(place) || self.expr(element),
            Expr::Count(place, _, operand) => {
                self.place(place)
                    || match &**operand {
                        Operand::Scalar(value, _) => self.expr(value),
                        Operand::Wide(place) => self.place(place),
                    }
            }
        }
    }

    fn place(&mut self, place: &Place) -> bool {
        let harmless = |look: &mut Self, index: &Index| {
            !look.expr(&index.value) && look.fits(&index.value, index.low, index.low + index.size as i64 - 1)
        };
        place.indices.iter().any(|index| !harmless(self, index))
    }

    fn domain(&mut self, binder: &Binder) -> bool {
        match &binder.domain {
            Domain::Type => false,
            Domain::Collection(collection) => {
                self.statements(&collection.setup) || self.place(&collection.place)
            }
        }
    }

    /// Only the simplest statements are looked into.
    fn statements(&mut self, statements: &[Stmt]) -> bool {
        statements.iter().any(|statement| match statement {
            Stmt::Local(_, value) => self.expr(value),
            Stmt::Store(place, value) => self.place(place) || self.expr(value),
            Stmt::Copy(to, from) => self.place(to) || self.place(from),
            Stmt::Clear(place) => self.place(place),
            Stmt::Combine(_, places) => places.iter().any(|place| self.place(place)),
            Stmt::Member(place, element, _) => self.place(place) || self.expr(element),
            _ => true,
        })
    }
}
