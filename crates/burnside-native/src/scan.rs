//! A look at code before it is generated: which words of the frame it fills and reads, and how much of it
//! there is.
//!
//! Entry points: [`Scan`] and [`Weights`].

use burnside_ts::{Binder, Body, Domain, Expr, Part, Place, Root, Stmt, System, Target};
use std::collections::{BTreeSet, HashMap};

/// What code does with the frame.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    read: BTreeSet<u32>,
    assigned: BTreeSet<u32>,
    /// The words in which wide values are.
    wide: BTreeSet<u32>,
    functions: BTreeSet<u32>,
    /// Whether it chooses.
    pub chooses: bool,
}

impl Scan {
    /// The slots that are read and that the code does not fill itself.
    pub fn free(&self) -> impl Iterator<Item = u32> {
        let theirs = |slot: &&u32| !self.assigned.contains(slot) && !self.wide.contains(slot);
        self.read.iter().filter(theirs).copied()
    }

    /// Whether a word is a part of a wide value.
    pub fn is_wide(&self, slot: u32) -> bool {
        self.wide.contains(&slot)
    }

    /// Whether the code fills a slot.
    pub fn is_assigned(&self, slot: u32) -> bool {
        self.assigned.contains(&slot)
    }

    pub fn expr(&mut self, system: &System, expr: &Expr) {
        match expr {
            Expr::Local(slot) => drop(self.read.insert(slot.0)),
            Expr::Let(slot, _) => drop(self.assigned.insert(slot.0)),
            Expr::Quantify(quantify) => {
                quantify.binders.iter().for_each(|binder| self.target(system, binder));
            }
            Expr::Call(function) => self.function(system, function.0),
            _ => {}
        }
        expr.children(&mut |part| self.part(system, part));
    }

    pub fn block(&mut self, system: &System, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(system, statement));
    }

    fn statement(&mut self, system: &System, statement: &Stmt) {
        match statement {
            Stmt::Local(slot, _) => drop(self.assigned.insert(slot.0)),
            Stmt::For(binder, _) => self.target(system, binder),
            Stmt::ChooseFrom(binder, _) => {
                self.chooses = true;
                self.target(system, binder);
            }
            Stmt::Choose(..) => self.chooses = true,
            Stmt::Call(function) => self.function(system, function.0),
            _ => {}
        }
        statement.children(&mut |part| self.part(system, part));
    }

    /// A binder with its collection.
    pub fn binder(&mut self, system: &System, binder: &Binder) {
        self.target(system, binder);
        if let Domain::Collection(collection) = &binder.domain {
            self.block(system, &collection.setup);
            self.place(system, &collection.place);
        }
    }

    fn part(&mut self, system: &System, part: Part<'_>) {
        match part {
            Part::Expr(expr) => self.expr(system, expr),
            Part::Stmt(statement) => self.statement(system, statement),
            Part::Place(_, place) => self.place(system, place),
        }
    }

    fn place(&mut self, system: &System, place: &Place) {
        place.indices.iter().for_each(|index| self.expr(system, &index.value));
        if place.root == Root::Frame {
            let spread: u64 =
                place.indices.iter().map(|it| (it.size.max(1) - 1) * u64::from(it.stride)).sum();
            self.area(place.offset, u64::from(place.width) + spread);
        }
    }

    fn target(&mut self, system: &System, binder: &Binder) {
        match binder.target {
            Target::Scalar(slot) => drop(self.assigned.insert(slot.0)),
            Target::Wide(bit) => self.area(bit, u64::from(system.types.width(binder.ty))),
        }
    }

    fn area(&mut self, offset: u32, width: u64) {
        let end = (u64::from(offset) + width).div_ceil(64);
        self.wide.extend(offset / 64..end as u32);
    }

    fn function(&mut self, system: &System, id: u32) {
        if !self.functions.insert(id) {
            return;
        }
        let function = &system.functions[id as usize];
        for param in &function.params {
            if let Target::Wide(bit) = param.target {
                self.area(bit, u64::from(param.width));
            }
        }
        match &function.body {
            Body::Scalar(body) => self.expr(system, body),
            Body::Wide(body, place) => {
                self.block(system, body);
                self.place(system, place);
            }
        }
    }
}

/// How much code there is, if all loops are written out.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    functions: HashMap<u32, u64>,
}

impl Weights {
    pub fn expr(&mut self, system: &System, expr: &Expr) -> u64 {
        let mut weight = 1u64;
        match expr {
            Expr::Call(function) => weight += self.function(system, function.0),
            Expr::Quantify(quantify) => {
                let mut inner = self.expr(system, &quantify.body);
                inner += quantify.filter.as_ref().map_or(0, |filter| self.expr(system, filter));
                for binder in quantify.binders.iter().rev() {
                    inner = self.binder(system, binder, inner);
                }
                return inner;
            }
            _ => {}
        }
        expr.children(&mut |part| weight = weight.saturating_add(self.part(system, part)));
        weight
    }

    pub fn block(&mut self, system: &System, statements: &[Stmt]) -> u64 {
        statements.iter().fold(0, |sum: u64, it| sum.saturating_add(self.statement(system, it)))
    }

    fn statement(&mut self, system: &System, statement: &Stmt) -> u64 {
        let mut weight = 2u64;
        match statement {
            Stmt::Call(function) => weight += self.function(system, function.0),
            Stmt::For(binder, body) => {
                let inner = self.block(system, body);
                return self.binder(system, binder, inner);
            }
            _ => {}
        }
        statement.children(&mut |part| weight = weight.saturating_add(self.part(system, part)));
        weight
    }

    /// Something for each value of a binder.
    pub fn binder(&mut self, system: &System, binder: &Binder, inner: u64) -> u64 {
        let (count, setup) = match &binder.domain {
            Domain::Type => (system.types.size(binder.ty).unwrap_or(u64::MAX), 0),
            Domain::Collection(it) => {
                (u64::from(system.types.capacity(it.ty)), self.block(system, &it.setup))
            }
        };
        count.saturating_mul(inner.saturating_add(1)).saturating_add(setup)
    }

    fn part(&mut self, system: &System, part: Part<'_>) -> u64 {
        match part {
            Part::Expr(expr) => self.expr(system, expr),
            Part::Stmt(statement) => self.statement(system, statement),
            Part::Place(_, place) => {
                place.indices.iter().fold(1, |sum: u64, it| sum + self.expr(system, &it.value))
            }
        }
    }

    fn function(&mut self, system: &System, id: u32) -> u64 {
        if let Some(&weight) = self.functions.get(&id) {
            return weight;
        }
        // There is no recursion.
        let weight = match &system.functions[id as usize].body {
            Body::Scalar(body) => self.expr(system, body),
            Body::Wide(body, _) => self.block(system, body),
        };
        self.functions.insert(id, weight);
        weight
    }
}
