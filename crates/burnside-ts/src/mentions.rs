//! What a condition reads: the state, and which words of the frame.
//!
//! Entry point: [`System::mentions`]. A condition that does not read the state has the same value in every
//! state, and one that does not read a name's place does not depend on it. Words that a condition fills
//! itself before it reads them count as read: the answer is cautious. But they are its own, so they are never
//! those of a name around it.

use crate::code::{Binder, Body, Expr, FunctionId, Place, Root, Stmt, Target};
use crate::system::System;
use crate::walk::{Access, Part};
use burnside_limits::poll;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a condition reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Whether it reads the state.
    pub state: bool,
    /// The words of the frame that hold scalars it reads.
    slots: BTreeSet<usize>,
    /// The words of the frame where it reads wide values.
    wide: Vec<Range<usize>>,
    /// The functions it calls.
    functions: BTreeSet<FunctionId>,
}

impl System {
    /// What a condition reads.
    pub fn mentions(&self, condition: &Expr) -> Mentions {
        let mut mentions = Mentions::default();
        self.expr(condition, &mut mentions);
        mentions
    }

    /// Whether a value depends on a name; a cautious answer.
    pub fn depends_on(&self, mentions: &Mentions, name: &Binder) -> bool {
        match name.target {
            Target::Scalar(slot) => mentions.reads(&(slot.index()..slot.index() + 1)),
            Target::Wide(bit) => mentions.reads(&words(bit, u64::from(self.types.width(name.ty)))),
        }
    }

    fn expr(&self, expr: &Expr, out: &mut Mentions) {
        poll();
        match expr {
            Expr::Local(slot) => drop(out.slots.insert(slot.index())),
            Expr::Cell(_) => out.state = true,
            Expr::Call(function) => self.function(*function, out),
            _ => {
                out.state |= matches!(expr, Expr::Foreign(..));
                expr.children(&mut |part| self.part(part, out));
            }
        }
    }

    fn part(&self, part: Part<'_>, out: &mut Mentions) {
        match part {
            Part::Expr(expr) => self.expr(expr, out),
            Part::Stmt(Stmt::Call(function)) => self.function(*function, out),
            Part::Stmt(statement) => statement.children(&mut |part| self.part(part, out)),
            Part::Place(access, place) => {
                if access != Access::Write {
                    self.place(place, out);
                }
                place.indices.iter().for_each(|index| self.expr(&index.value, out));
            }
        }
    }

    /// Functions that call each other several times are looked into once.
    fn function(&self, id: FunctionId, out: &mut Mentions) {
        if !out.functions.insert(id) {
            return;
        }
        match &self.functions[id.index()].body {
            Body::Scalar(body) => self.expr(body, out),
            Body::Wide(body, _) => body.iter().for_each(|statement| self.part(Part::Stmt(statement), out)),
        }
    }

    /// A place that is read.
    fn place(&self, place: &Place, out: &mut Mentions) {
        match place.root {
            Root::State => out.state = true,
            Root::Frame => {
                let reach =
                    place.indices.iter().map(|index| (index.size.max(1) - 1) * u64::from(index.stride));
                out.wide.push(words(place.offset, u64::from(place.width) + reach.sum::<u64>()));
            }
        }
    }
}

impl Mentions {
    /// Whether the value depends on nothing but some scalar names; a cautious answer.
    pub fn only<'b>(&self, names: impl Iterator<Item = &'b Binder> + Clone) -> bool {
        let is = |slot: usize, name: &Binder| matches!(name.target, Target::Scalar(it) if it.index() == slot);
        let known = |&slot: &usize| names.clone().any(|name| is(slot, name));
        !self.state && self.wide.is_empty() && self.slots.iter().all(known)
    }

    /// Whether some of these words are read.
    fn reads(&self, words: &Range<usize>) -> bool {
        self.slots.range(words.clone()).next().is_some()
            || self.wide.iter().any(|read| read.start < words.end && words.start < read.end)
    }
}

/// The words that so many bits of the frame touch.
fn words(bit: u32, width: u64) -> Range<usize> {
    let start = bit as usize / 64;
    start..((u64::from(bit) + width).div_ceil(64) as usize).max(start)
}
