//! What a condition reads: the state, and which places of the frame.
//!
//! Entry point: [`System::mentions`]. A condition that does not read the state has the same value in every state, and one that does not read a name's place
//! does not depend on it.

use crate::code::{Binder, Domain, Expr, Function, Operand, Place, Root, Slot, Stmt, Target};
use crate::system::System;

/// What a condition reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Whether it reads the state.
    pub state: bool,
    /// The slots it reads, also those that it fills itself.
    slots: Vec<Slot>,
    /// Whether it reads the frame in other ways.
    wide: bool,
    /// Whether it may read every name.
    names: bool,
}

impl Mentions {
    /// Whether the value depends on a name; a cautious answer.
    pub fn name(&self, binder: &Binder) -> bool {
        match binder.target {
            Target::Scalar(slot) => self.names || self.slots.contains(&slot),
            Target::Wide(_) => self.wide,
        }
    }

    /// Whether the value depends on nothing but some names; a cautious answer.
    pub fn only<'b>(&self, names: impl Iterator<Item = &'b Binder> + Clone) -> bool {
        let known = |slot: &Slot| names.clone().any(|name| name.target == Target::Scalar(*slot));
        !self.state && !self.wide && !self.names && self.slots.iter().all(known)
    }
}

impl System {
    /// What a condition reads.
    pub fn mentions(&self, condition: &Expr) -> Mentions {
        let mut mentions = Mentions::default();
        self.expr(condition, &mut mentions);
        mentions
    }

    fn expr(&self, expr: &Expr, out: &mut Mentions) {
        match expr {
            Expr::Const(_) => {}
            Expr::Local(slot) => out.slots.push(*slot),
            Expr::Cell(_) => out.state = true,
            Expr::Load(place) | Expr::Rank(place, _) | Expr::Size(place, _) => self.place(place, out),
            Expr::Not(inner) | Expr::Offset(inner, _) | Expr::Unwrap(inner, ..) => self.expr(inner, out),
            Expr::Arith(_, parts, _)
            | Expr::Compare(_, parts)
            | Expr::And(parts)
            | Expr::Or(parts)
            | Expr::Let(_, parts)
            | Expr::Bound(parts, _) => parts.iter().for_each(|part| self.expr(part, out)),
            Expr::If(parts) => parts.iter().for_each(|part| self.expr(part, out)),
            Expr::Quantify(quantify) => {
                quantify.binders.iter().for_each(|binder| self.domain(binder, out));
                quantify.filter.iter().for_each(|filter| self.expr(filter, out));
                self.expr(&quantify.body, out);
            }
            Expr::Do(statements, value) => {
                self.statements(statements, out);
                self.expr(value, out);
            }
            Expr::Call(function) => match &self.functions[function.index()] {
                Function::Scalar(body) => self.expr(body, out),
                Function::Wide(body) => self.statements(body, out),
            },
            Expr::Check(check) => self.expr(&check.value, out),
            Expr::Same(places, _) | Expr::Subset(places, _) => {
                places.iter().for_each(|place| self.place(place, out));
            }
            Expr::Contains(place, element) => {
                self.place(place, out);
                self.expr(element, out);
            }
            Expr::Count(place, _, operand) => {
                self.place(place, out);
                match &**operand {
                    Operand::Scalar(value, _) => self.expr(value, out),
                    Operand::Wide(place) => self.place(place, out),
                }
            }
        }
    }

    fn place(&self, place: &Place, out: &mut Mentions) {
        match place.root {
            Root::State => out.state = true,
            Root::Frame => out.wide = true,
        }
        place.indices.iter().for_each(|index| self.expr(&index.value, out));
    }

    fn domain(&self, binder: &Binder, out: &mut Mentions) {
        if let Domain::Collection(collection) = &binder.domain {
            self.statements(&collection.setup, out);
            self.place(&collection.place, out);
        }
    }

    /// Statements inside conditions are taken to read everything, except the simplest.
    fn statements(&self, statements: &[Stmt], out: &mut Mentions) {
        for statement in statements {
            match statement {
                Stmt::Local(_, value) => self.expr(value, out),
                _ => (out.state, out.wide, out.names) = (true, true, true),
            }
        }
    }
}
