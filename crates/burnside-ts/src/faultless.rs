//! Conditions that have a value in every state, found by a look at their parts.
//!
//! Entry point: [`System::may_fault`]. A cautious answer: an index or a range check is harmless if the value is a constant, a name bound to a
//! type or a stored field that fits. Every other check counts as one that may fail.

use crate::code::{Binder, Domain, Expr, Function, Index, Operand, Place, Quantifier, Slot, Stmt, Target};
use crate::system::System;

impl System {
    /// Whether evaluating a condition, in which the binders' names are free, may fault. False only if it cannot.
    pub fn may_fault(&self, condition: &Expr, free: &[&Binder]) -> bool {
        let mut look = Look { system: self, ranges: Vec::new() };
        free.iter().for_each(|binder| look.bind(binder));
        look.expr(condition)
    }
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
        let (least, most) = match value {
            Expr::Const(value) => (*value, *value),
            Expr::Local(slot) => match self.ranges.iter().rev().find(|(known, ..)| known == slot) {
                Some(&(_, least, most)) => (least, most),
                None => return false,
            },
            Expr::Cell(cell) if cell.width < 32 => (cell.bias, cell.bias + (1 << cell.width) - 1),
            _ => return false,
        };
        low <= least && most <= high
    }

    fn exprs(&mut self, parts: &[Expr]) -> bool {
        parts.iter().any(|part| self.expr(part))
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) => false,
            Expr::Load(place) | Expr::Rank(place, _) | Expr::Size(place, _) => self.place(place),
            Expr::Not(inner) | Expr::Offset(inner, _) => self.expr(inner),
            Expr::Arith(..) | Expr::Bound(..) | Expr::Unwrap(..) => true,
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
                let overflows = !matches!(
                    quantify.quantifier,
                    Quantifier::Forall | Quantifier::Exists | Quantifier::Count
                );
                let mut found = overflows;
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
