//! Conditions that have a value in every state, found by a look at their parts.
//!
//! Entry point: [`System::may_fault`]. A cautious answer: an index, a range check or a sum is harmless if it
//! stays in bounds whatever the fields of the state and the names bound to types are. Every other check
//! counts as one that may fail.

use crate::code::{
    Arith, Binder, Body, Domain, Expr, FunctionId, Index, Place, Quantifier, Quantify, Slot, Stmt, Target,
};
use crate::system::System;
use crate::walk::Part;
use burnside_limits::poll;
use std::collections::HashMap;

impl System {
    /// Whether evaluating a condition, in which the binders' names are free, may fault. False only if it
    /// cannot.
    pub fn may_fault(&self, condition: &Expr, free: &[&Binder]) -> bool {
        let mut look = Look { system: self, ranges: Vec::new(), functions: HashMap::new() };
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
    /// What was found about functions.
    functions: HashMap<FunctionId, bool>,
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
        poll();
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
        let most = |binder: &Binder| match &binder.domain {
            Domain::Type => self.system.types.size(binder.ty).map_or(i128::MAX, i128::from),
            Domain::Collection(collection) => i128::from(self.system.types.capacity(collection.ty)),
        };
        quantify.binders.iter().fold(1, |count, binder| i128::saturating_mul(count, most(binder)))
    }

    /// With the names of a quantifier.
    fn inside(&self, quantify: &Quantify) -> Self {
        let ranges = self.ranges.clone();
        let mut look = Look { system: self.system, ranges, functions: HashMap::new() };
        quantify.binders.iter().for_each(|binder| look.bind(binder));
        look
    }

    /// Whether a part of an expression may fault.
    fn inside_of(&mut self, expr: &Expr) -> bool {
        let mut found = false;
        expr.children(&mut |part| found = found || self.part(part));
        found
    }

    fn part(&mut self, part: Part<'_>) -> bool {
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Stmt(statement) => self.statement(statement),
            Part::Place(_, place) => self.place(place),
        }
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        poll();
        match expr {
            Expr::Arith(op, parts, _) => {
                let (left, right) = (self.range(&parts[0]), self.range(&parts[1]));
                self.inside_of(expr) || combined(*op, left, right).is_none()
            }
            Expr::Bound(..) | Expr::Unwrap(..) => true,
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
                let found = match quantify.quantifier {
                    Quantifier::Forall | Quantifier::Exists | Quantifier::Count => false,
                    // A type has a value, so there is something to compare.
                    Quantifier::Min | Quantifier::Max => !is_whole,
                    Quantifier::Sum => !self.fits(expr, i64::MIN, i64::MAX),
                };
                quantify.binders.iter().for_each(|binder| self.bind(binder));
                let inside = self.inside_of(expr);
                self.ranges.truncate(before);
                found || inside
            }
            Expr::Call(function) => self.function(*function),
            Expr::Check(check) => self.inside_of(expr) || !self.fits(&check.value, check.lo, check.hi),
            _ => self.inside_of(expr),
        }
    }

    fn function(&mut self, id: FunctionId) -> bool {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        // Its parameters are set before; their ranges are not known here.
        let before = std::mem::take(&mut self.ranges);
        let found = match &self.system.functions[id.index()].body {
            Body::Scalar(body) => self.expr(body),
            Body::Wide(body, _) => body.iter().any(|statement| self.statement(statement)),
        };
        self.ranges = before;
        self.functions.insert(id, found);
        found
    }

    fn place(&mut self, place: &Place) -> bool {
        let harmless = |look: &mut Self, index: &Index| {
            !look.expr(&index.value) && look.fits(&index.value, index.low, index.low + index.size as i64 - 1)
        };
        place.indices.iter().any(|index| !harmless(self, index))
    }

    /// Only the simplest statements are looked into.
    fn statement(&mut self, statement: &Stmt) -> bool {
        use Stmt::{Clear, Combine, Copy, Local, Member, Store};
        let simple =
            matches!(statement, Local(..) | Store(..) | Copy(..) | Clear(_) | Combine(..) | Member(..));
        let mut found = !simple;
        statement.children(&mut |part| found = found || self.part(part));
        found
    }
}
