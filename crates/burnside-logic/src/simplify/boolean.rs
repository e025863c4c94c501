//! Identities of conjunctions and disjunctions.
//!
//! Entry points: the constructors. What is implied by another operand goes; operands with a common operator
//! become one where that needs fewer states: `X a && X b` is `X(a && b)`, `F a || F b` is `F(a || b)`,
//! `FG a && FG b` is `FG(a && b)`, `FG a || GF b` is `GF(b || G a)`, untils with a common side are one until.

use super::Simplifier;
use crate::normal::{Id, Node};
use burnside_limits::poll;

/// Longer conjunctions are not compared pair by pair.
const LONGEST: usize = 200;

/// How operands with a common side become one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    /// `(a U c) && (b U c)` is `(a && b) U c`.
    First,
    /// `(a R b) && (a R c)` is `a R (b && c)`.
    Second,
}

impl Simplifier<'_> {
    pub(super) fn and(&mut self, all: Vec<Id>) -> Id {
        let flat = self.normal.and(all);
        let Node::And(all) = self.normal.node(flat).clone() else { return flat };
        let mut all = all.to_vec();
        if let Some(gathered) = self.gather(&all, true) {
            return self.and(gathered);
        }
        if all.len() > LONGEST {
            return flat;
        }
        self.remove_implied(&mut all, true);
        self.remove_decided(&mut all, true);
        if let Some(joined) = self.join(&all, true) {
            return self.and(joined);
        }
        self.normal.and(all)
    }

    pub(super) fn or(&mut self, all: Vec<Id>) -> Id {
        let flat = self.normal.or(all);
        let Node::Or(all) = self.normal.node(flat).clone() else { return flat };
        let mut all = all.to_vec();
        if let Some(gathered) = self.gather(&all, false) {
            return self.or(gathered);
        }
        if all.len() > LONGEST {
            return flat;
        }
        self.remove_implied(&mut all, false);
        self.remove_decided(&mut all, false);
        if let Some(joined) = self.join(&all, false) {
            return self.or(joined);
        }
        self.normal.or(all)
    }

    /// Operands with all of a kind that can be joined replaced by one, if there are several of a kind.
    fn gather(&mut self, all: &[Id], and: bool) -> Option<Vec<Id>> {
        poll();
        let (mut next, mut finally, mut globally, mut rest) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for &id in all {
            match *self.normal.node(id) {
                Node::Next(a) => next.push(a),
                Node::Until(Id::TRUE, a) if !and || self.is_universal(a) => finally.push(a),
                Node::Release(Id::FALSE, a) if !and && self.is_eventual(a) => globally.push(a),
                _ => rest.push(id),
            }
        }
        if next.len().max(finally.len()).max(globally.len()) < 2 {
            return None;
        }
        let mut connect = |this: &mut Self, inside: Vec<Id>, outside: fn(&mut Self, Id) -> Id| {
            if !inside.is_empty() {
                let inside = if and { this.and(inside) } else { this.or(inside) };
                rest.push(outside(this, inside));
            }
        };
        connect(self, next, Self::next);
        connect(self, finally, Self::finally);
        connect(self, globally, Self::globally);
        Some(rest)
    }

    fn remove_implied(&mut self, all: &mut Vec<Id>, and: bool) {
        let mut index = 0;
        while index < all.len() {
            let id = all[index];
            let mut implied = false;
            for &other in all.iter().filter(|&&other| other != id) {
                implied |= if and { self.implies(other, id) } else { self.implies(id, other) };
            }
            if implied {
                all.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// `a && (!a || b)` is `a && b`, and the other way round.
    fn remove_decided(&mut self, all: &mut [Id], and: bool) {
        for index in 0..all.len() {
            let inner = match (self.normal.node(all[index]), and) {
                (Node::Or(inner), true) | (Node::And(inner), false) => inner.to_vec(),
                _ => continue,
            };
            let decided = |id: &Id| all.iter().any(|&other| self.normal.opposite(*id, other));
            let rest: Vec<Id> = inner.iter().copied().filter(|id| !decided(id)).collect();
            if rest.len() < inner.len() {
                all[index] = if and { self.normal.or(rest) } else { self.normal.and(rest) };
            }
        }
    }

    /// Operands with two of them replaced by one that means the same.
    fn join(&mut self, all: &[Id], and: bool) -> Option<Vec<Id>> {
        for (i, &a) in all.iter().enumerate() {
            for (j, &b) in all.iter().enumerate() {
                if i != j
                    && let Some(joined) = self.join_pair(a, b, and)
                {
                    let rest = all.iter().copied().filter(|&id| id != a && id != b);
                    return Some(rest.chain(joined).collect());
                }
            }
        }
        None
    }

    fn connect(&mut self, a: Id, b: Id, and: bool) -> Id {
        if and { self.and(vec![a, b]) } else { self.or(vec![a, b]) }
    }

    fn join_pair(&mut self, a: Id, b: Id, and: bool) -> Option<Vec<Id>> {
        poll();
        match (self.normal.node(a).clone(), self.normal.node(b).clone()) {
            (Node::Until(Id::TRUE, a), Node::Release(Id::FALSE, b)) if !and => self.join_often(a, b),
            // What holds always needs not be said again.
            (Node::Release(Id::FALSE, always), Node::Until(c, d)) if and && always == c => {
                let some = self.finally(d);
                Some(vec![a, some])
            }
            (Node::Until(Id::TRUE, some), Node::Release(c, d)) if !and && some == c => {
                let always = self.globally(d);
                Some(vec![a, always])
            }
            (Node::Until(a, b), Node::Until(c, d)) => {
                let (a, b) =
                    self.join_sides((a, b), (c, d), and, if and { Join::First } else { Join::Second })?;
                Some(vec![self.until(a, b)])
            }
            (Node::WeakUntil(a, b), Node::WeakUntil(c, d)) => {
                let (a, b) =
                    self.join_sides((a, b), (c, d), and, if and { Join::First } else { Join::Second })?;
                Some(vec![self.weak_until(a, b)])
            }
            (Node::Release(a, b), Node::Release(c, d)) if a != Id::FALSE && c != Id::FALSE => {
                let (a, b) =
                    self.join_sides((a, b), (c, d), and, if and { Join::Second } else { Join::First })?;
                Some(vec![self.release(a, b)])
            }
            (Node::StrongRelease(a, b), Node::StrongRelease(c, d)) => {
                let (a, b) =
                    self.join_sides((a, b), (c, d), and, if and { Join::Second } else { Join::First })?;
                Some(vec![self.strong_release(a, b)])
            }
            _ => None,
        }
    }

    fn join_sides(&mut self, one: (Id, Id), two: (Id, Id), and: bool, join: Join) -> Option<(Id, Id)> {
        match join {
            Join::First if one.1 == two.1 => Some((self.connect(one.0, two.0, and), one.1)),
            Join::Second if one.0 == two.0 => Some((one.0, self.connect(one.1, two.1, and))),
            _ => None,
        }
    }

    /// `F(x || G a) || GF b` is `F x || GF(b || G a)`.
    fn join_often(&mut self, some: Id, always: Id) -> Option<Vec<Id>> {
        let Node::Until(Id::TRUE, often) = *self.normal.node(always) else { return None };
        let inside = match self.normal.node(some) {
            Node::Or(all) => all.to_vec(),
            _ => vec![some],
        };
        let (stay, rest): (Vec<Id>, Vec<Id>) = inside.iter().partition(|&&id| self.is_universal(id));
        if stay.is_empty() {
            return None;
        }
        let goal = self.or([stay, vec![often]].concat());
        let goal = self.finally(goal);
        let goal = self.globally(goal);
        let rest = self.or(rest);
        let rest = self.finally(rest);
        Some(if rest == Id::FALSE { vec![goal] } else { vec![goal, rest] })
    }
}
