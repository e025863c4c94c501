//! Which bits of a state a piece of code may read and write: the row of a rule instance in the dependency
//! matrix, as LTSmin calls it.
//!
//! Entry point: [`Dependency::of`]. The answer errs on the side of more bits. Names whose values are known
//! (the arguments of the instance, loop variables of small types, parameters of functions that were given
//! such a value) make it exact where it matters: `level[p]` is one cell for each `p`. Where an index is not
//! known all elements count.
//!
//! Words of the frame that the code fills itself are not followed, but for scalars with a known value. A
//! known value is forgotten where the code may have given the name another one.

use crate::code::{Arith, Binder, Body, Domain, Expr, FunctionId, Place, Root, Slot, Stmt, Target};
use crate::system::System;
use crate::walk::{Access, Part};
use std::collections::BTreeMap;

/// Loops over more values are looked at once, with an unknown value.
const FEW: u64 = 32;
/// A place that may be at more offsets is too much to look at.
const MANY: usize = 1024;

/// Bits of a state: by word, those that are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateBits(BTreeMap<u32, u64>);

impl StateBits {
    fn add(&mut self, offset: u32, width: u32) {
        let end = offset + width;
        let mut at = offset;
        while at < end {
            let count = (end - at).min(64 - at % 64);
            *self.0.entry(at / 64).or_default() |= crate::bits::mask(count) << (at % 64);
            at += count;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.0.values().map(|mask| mask.count_ones()).sum()
    }

    /// These and others.
    pub fn union(&self, other: &Self) -> Self {
        let mut both = self.clone();
        other.0.iter().for_each(|(&word, mask)| *both.0.entry(word).or_default() |= mask);
        both
    }

    /// Those of a word.
    pub fn of_word(&self, word: u32) -> u64 {
        self.0.get(&word).copied().unwrap_or(0)
    }

    /// The words that have some, with these.
    pub fn words(&self) -> impl Iterator<Item = (u32, u64)> {
        self.0.iter().map(|(&word, &mask)| (word, mask))
    }
}

/// What code may read and write.
#[derive(Debug)]
pub struct Dependency<'a> {
    system: &'a System,
    /// The latest value of a name is the last one; none if it is not known.
    known: Vec<(Slot, Option<i64>)>,
    /// How many parts of code may still be looked at.
    budget: &'a mut u32,
    failed: bool,
    reads: StateBits,
    writes: StateBits,
}

impl<'a> Dependency<'a> {
    /// The bits that a piece of code may read, and those that it may write, if the given names have the
    /// given values; none if it is too much to look at.
    pub fn of(
        system: &'a System,
        known: &[(Slot, i64)],
        budget: &'a mut u32,
        code: impl FnOnce(&mut Self),
    ) -> Option<(StateBits, StateBits)> {
        let known = known.iter().map(|&(slot, value)| (slot, Some(value))).collect();
        let (reads, writes) = Default::default();
        let mut look = Self { system, known, budget, failed: false, reads, writes };
        code(&mut look);
        (!look.failed).then_some((look.reads, look.writes))
    }

    /// An expression.
    pub fn expr(&mut self, expr: &Expr) {
        if !self.spend() {
            return;
        }
        match expr {
            Expr::Cell(cell) => self.reads.add(cell.offset, cell.width),
            Expr::Let(slot, parts) => {
                self.expr(&parts[0]);
                let value = self.value(&parts[0]);
                self.known.push((*slot, value));
                self.expr(&parts[1]);
            }
            Expr::And(_) | Expr::Or(_) | Expr::If(_) => {
                expr.children(&mut |part| self.perhaps(|look| look.part(part)));
            }
            Expr::Quantify(quantify) => self.bound(&quantify.binders, &mut |look| {
                quantify.filter.iter().for_each(|filter| look.expr(filter));
                look.expr(&quantify.body);
            }),
            Expr::Contains(set, element) => {
                self.expr(element);
                self.member(Access::Read, set, element);
            }
            Expr::Call(function) => self.function(*function),
            Expr::Foreign(..) => self.failed = true,
            _ => expr.children(&mut |part| self.part(part)),
        }
    }

    /// Statements, one after the other.
    pub fn block(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        if !self.spend() {
            return;
        }
        match statement {
            Stmt::Local(slot, value) => {
                self.expr(value);
                let value = self.value(value);
                self.known.push((*slot, value));
            }
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition);
                self.perhaps(|look| look.block(then));
                self.perhaps(|look| look.block(otherwise));
            }
            Stmt::For(binder, body) => {
                self.bound(std::slice::from_ref(&**binder), &mut |look| look.block(body));
            }
            Stmt::ChooseFrom(binder, _) => {
                self.collection(binder);
                self.give(binder, None);
            }
            Stmt::Member(set, element, _) => {
                self.expr(element);
                self.member(Access::Write, set, element);
            }
            Stmt::Call(function) => self.function(*function),
            _ => statement.children(&mut |part| self.part(part)),
        }
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Stmt(statement) => self.statement(statement),
            Part::Place(access, place) => self.place(access, place),
        }
    }

    fn function(&mut self, id: FunctionId) {
        let system = self.system;
        match &system.functions[id.index()].body {
            Body::Scalar(body) => self.expr(body),
            Body::Wide(body, _) => self.block(body),
        }
    }

    /// Something that may happen or not, or several times: what it makes known is not known afterwards.
    fn perhaps(&mut self, code: impl FnOnce(&mut Self)) {
        let before = self.known.len();
        code(self);
        for (slot, _) in self.known.split_off(before) {
            self.forget(slot.index()..slot.index() + 1);
        }
    }

    fn forget(&mut self, words: std::ops::Range<usize>) {
        let concerned = self.known.iter_mut().filter(|(slot, _)| words.contains(&slot.index()));
        concerned.for_each(|(_, value)| *value = None);
    }

    /// Something for each value of some names.
    pub fn bound(&mut self, binders: &[Binder], inside: &mut dyn FnMut(&mut Self)) {
        let [binder, rest @ ..] = binders else { return inside(self) };
        self.collection(binder);
        let types = &self.system.types;
        let size = types.size(binder.ty).filter(|&size| size <= FEW);
        match (&binder.domain, binder.target, size) {
            (Domain::Type, Target::Scalar(_), Some(size)) => {
                let low = types.bias(binder.ty);
                for number in 0..size as i64 {
                    self.perhaps(|look| {
                        look.give(binder, Some(low + number));
                        look.bound(rest, inside);
                    });
                }
            }
            _ => self.perhaps(|look| {
                look.give(binder, None);
                // What an earlier round made known is not known in the next.
                look.perhaps(|look| look.bound(rest, inside));
                look.bound(rest, inside);
            }),
        }
    }

    fn give(&mut self, binder: &Binder, value: Option<i64>) {
        match binder.target {
            Target::Scalar(slot) => self.known.push((slot, value)),
            Target::Wide(bit) => {
                let end = u64::from(bit) + u64::from(self.system.types.width(binder.ty));
                self.forget(bit as usize / 64..(end as usize).div_ceil(64));
            }
        }
    }

    fn collection(&mut self, binder: &Binder) {
        if let Domain::Collection(collection) = &binder.domain {
            self.block(&collection.setup);
            self.place(Access::Read, &collection.place);
        }
    }

    /// The bit of a set that says whether an element is in it; all if the element is not known.
    fn member(&mut self, access: Access, set: &Place, element: &Expr) {
        match self.value(element) {
            Some(element) if (0..i64::from(set.width)).contains(&element) => {
                self.span(access, set, element as u32, 1);
            }
            // No element of the set: the answer is no, and there is nothing to remove.
            Some(_) => self.span(access, set, 0, 0),
            // Some bit is written and the others stay, which needs no reading.
            None => self.place(access, set),
        }
    }

    fn place(&mut self, access: Access, place: &Place) {
        self.span(access, place, 0, place.width);
    }

    /// Some bits of a place.
    fn span(&mut self, access: Access, place: &Place, first: u32, width: u32) {
        let mut offsets = vec![place.offset + first];
        for index in &place.indices {
            self.expr(&index.value);
            let number = self.value(&index.value).map(|value| value.wrapping_sub(index.low) as u64);
            match number {
                Some(number) if number < index.size => {
                    offsets.iter_mut().for_each(|at| *at += number as u32 * index.stride);
                }
                // An index that is known to be outside is a fault: nothing is read or written.
                Some(_) => return,
                None if offsets.len() as u64 * index.size > MANY as u64 => self.failed = true,
                None => {
                    let each = |&at: &u32| (0..index.size as u32).map(move |i| at + i * index.stride);
                    offsets = offsets.iter().flat_map(each).collect();
                }
            }
        }
        if place.root == Root::Frame {
            if access != Access::Read {
                let last = offsets.iter().max().map_or(0, |&at| at + width);
                self.forget(place.offset as usize / 64..(last as usize).div_ceil(64));
            }
            return;
        }
        for at in offsets {
            if access != Access::Write {
                self.reads.add(at, width);
            }
            if access != Access::Read {
                self.writes.add(at, width);
            }
        }
    }

    /// The value of a simple expression whose names are known.
    fn value(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Local(slot) => self.known.iter().rev().find(|(its, _)| its == slot)?.1,
            Expr::Offset(inner, by) => self.value(inner)?.checked_add(*by),
            Expr::Check(check) => {
                self.value(&check.value).filter(|value| (check.lo..=check.hi).contains(value))
            }
            Expr::Arith(op, sides, _) => {
                let (left, right) = (self.value(&sides[0])?, self.value(&sides[1])?);
                match *op {
                    Arith::Add => left.checked_add(right),
                    Arith::Sub => left.checked_sub(right),
                    Arith::Rotate(size) => left.checked_add(right)?.checked_rem_euclid(i64::from(size)),
                    Arith::RotateBack(size) => left.checked_sub(right)?.checked_rem_euclid(i64::from(size)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn spend(&mut self) -> bool {
        *self.budget = self.budget.saturating_sub(1);
        self.failed |= *self.budget == 0;
        !self.failed
    }
}
