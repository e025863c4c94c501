//! Identities of the temporal operators.
//!
//! Entry points: the constructors. `X` moves outwards, `F` covers disjunctions, `G` is distributed over
//! conjunctions, and what is equally true everywhere moves out of all operators.

use super::Simplifier;
use crate::normal::{Id, Node};

impl Simplifier<'_> {
    pub(super) fn next(&mut self, a: Id) -> Id {
        if self.is_both(a) { a } else { self.normal.next(a) }
    }

    pub(super) fn finally(&mut self, a: Id) -> Id {
        if self.is_eventual(a) {
            return a;
        }
        match self.normal.node(a).clone() {
            Node::Next(a) => {
                let inside = self.finally(a);
                self.next(inside)
            }
            Node::Until(_, b) => self.finally(b),
            Node::StrongRelease(a, b) => {
                let both = self.and(vec![a, b]);
                self.finally(both)
            }
            Node::WeakUntil(a, b) => {
                let always = self.globally(a);
                let either = self.or(vec![always, b]);
                self.finally(either)
            }
            Node::Release(a, b) if a != Id::FALSE => {
                let always = self.globally(b);
                let both = self.and(vec![a, b]);
                let either = self.or(vec![always, both]);
                self.finally(either)
            }
            Node::Or(all) => self.finally_or(&all),
            Node::And(all) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_both(id));
                if outside.is_empty() {
                    return self.normal.finally(a);
                }
                let inside = self.and(inside);
                let inside = self.finally(inside);
                self.and([outside, vec![inside]].concat())
            }
            _ => self.normal.finally(a),
        }
    }

    /// `F(a || F b)` is `F(a || b)`; other eventual formulas move out.
    fn finally_or(&mut self, all: &[Id]) -> Id {
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for &id in all {
            match *self.normal.node(id) {
                Node::Until(Id::TRUE, b) => inside.push(b),
                _ if self.is_eventual(id) => outside.push(id),
                _ => inside.push(id),
            }
        }
        let inside = self.or(inside);
        let inside = match self.normal.node(inside) {
            Node::Or(again) if outside.is_empty() && **again == *all => self.normal.finally(inside),
            _ => self.finally(inside),
        };
        if outside.is_empty() { inside } else { self.or([outside, vec![inside]].concat()) }
    }

    pub(super) fn globally(&mut self, a: Id) -> Id {
        if self.is_universal(a) {
            return a;
        }
        match self.normal.node(a).clone() {
            Node::Next(a) => {
                let inside = self.globally(a);
                self.next(inside)
            }
            Node::Release(_, b) => self.globally(b),
            Node::WeakUntil(a, b) => {
                let either = self.or(vec![a, b]);
                self.globally(either)
            }
            Node::StrongRelease(a, b) => {
                let often = self.finally(a);
                let (often, always) = (self.globally(often), self.globally(b));
                self.and(vec![often, always])
            }
            Node::Until(a, b) if a != Id::TRUE => {
                let either = self.or(vec![a, b]);
                let often = self.finally(b);
                let (often, always) = (self.globally(often), self.globally(either));
                self.and(vec![often, always])
            }
            Node::And(all) => {
                let all = all.iter().map(|&id| self.globally(id)).collect();
                self.and(all)
            }
            Node::Or(all) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_both(id));
                if outside.is_empty() {
                    return self.normal.globally(a);
                }
                let inside = self.or(inside);
                let inside = self.globally(inside);
                self.or([outside, vec![inside]].concat())
            }
            _ => self.normal.globally(a),
        }
    }

    pub(super) fn until(&mut self, a: Id, b: Id) -> Id {
        if a == Id::TRUE || self.or(vec![a, b]) == Id::TRUE {
            return self.finally(b);
        }
        if self.is_eventual(b) || self.implies(a, b) {
            return b;
        }
        match (self.normal.node(a).clone(), self.normal.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.until(a, b);
                self.next(inside)
            }
            (_, Node::Until(c, _)) if self.implies(a, c) => b,
            (_, Node::Until(c, d)) if self.implies(c, a) => self.until(a, d),
            (_, Node::And(all)) if all.contains(&a) => {
                let rest = self.and(all.iter().copied().filter(|&id| id != a).collect());
                self.strong_release(rest, a)
            }
            (_, Node::And(all)) if all.iter().any(|&id| self.is_both(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_both(id));
                let inside = self.and(inside);
                let inside = self.until(a, inside);
                self.and([outside, vec![inside]].concat())
            }
            (_, Node::Or(all)) if all.iter().any(|&id| self.is_eventual(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_eventual(id));
                let inside = self.or(inside);
                let inside = self.until(a, inside);
                self.or([outside, vec![inside]].concat())
            }
            _ => self.normal.until(a, b),
        }
    }

    pub(super) fn release(&mut self, a: Id, b: Id) -> Id {
        if a == Id::FALSE || self.and(vec![a, b]) == Id::FALSE {
            return self.globally(b);
        }
        if self.is_universal(b) || self.implies(b, a) {
            return b;
        }
        match (self.normal.node(a).clone(), self.normal.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.release(a, b);
                self.next(inside)
            }
            (_, Node::Release(c, _)) if self.implies(c, a) => b,
            (_, Node::Release(c, d)) if self.implies(a, c) => self.release(a, d),
            (_, Node::Or(all)) if all.contains(&a) => {
                let rest = self.or(all.iter().copied().filter(|&id| id != a).collect());
                self.weak_until(rest, a)
            }
            (_, Node::Or(all)) if all.iter().any(|&id| self.is_both(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_both(id));
                let inside = self.or(inside);
                let inside = self.release(a, inside);
                self.or([outside, vec![inside]].concat())
            }
            (_, Node::And(all)) if all.iter().any(|&id| self.is_universal(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) =
                    all.iter().partition(|&&id| self.is_universal(id));
                let inside = self.and(inside);
                let inside = self.release(a, inside);
                self.and([outside, vec![inside]].concat())
            }
            _ => self.normal.release(a, b),
        }
    }

    pub(super) fn weak_until(&mut self, a: Id, b: Id) -> Id {
        if b == Id::FALSE {
            return self.globally(a);
        }
        if self.or(vec![a, b]) == Id::TRUE {
            return Id::TRUE;
        }
        if self.implies(a, b) {
            return b;
        }
        if self.is_eventual(b) || self.is_universal(a) {
            let always = self.globally(a);
            return self.or(vec![always, b]);
        }
        match (self.normal.node(a).clone(), self.normal.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.weak_until(a, b);
                self.next(inside)
            }
            (_, Node::WeakUntil(c, _)) if self.implies(a, c) => b,
            (_, Node::WeakUntil(c, d)) if self.implies(c, a) => self.weak_until(a, d),
            (_, Node::And(all)) if all.contains(&a) => {
                let rest = self.and(all.iter().copied().filter(|&id| id != a).collect());
                self.release(rest, a)
            }
            (_, Node::Or(all)) if all.iter().any(|&id| self.is_eventual(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) = all.iter().partition(|&&id| self.is_eventual(id));
                let inside = self.or(inside);
                let inside = self.weak_until(a, inside);
                self.or([outside, vec![inside]].concat())
            }
            _ => self.normal.weak_until(a, b),
        }
    }

    pub(super) fn strong_release(&mut self, a: Id, b: Id) -> Id {
        if b == Id::TRUE {
            return self.finally(a);
        }
        if self.and(vec![a, b]) == Id::FALSE {
            return Id::FALSE;
        }
        if self.implies(b, a) {
            return b;
        }
        if self.is_universal(b) || self.is_eventual(a) {
            let some = self.finally(a);
            return self.and(vec![some, b]);
        }
        match (self.normal.node(a).clone(), self.normal.node(b).clone()) {
            (Node::Next(a), Node::Next(b)) => {
                let inside = self.strong_release(a, b);
                self.next(inside)
            }
            (_, Node::StrongRelease(c, _)) if self.implies(c, a) => b,
            (_, Node::StrongRelease(c, d)) if self.implies(a, c) => self.strong_release(a, d),
            (_, Node::Or(all)) if all.contains(&a) => {
                let rest = self.or(all.iter().copied().filter(|&id| id != a).collect());
                self.until(rest, a)
            }
            (_, Node::And(all)) if all.iter().any(|&id| self.is_universal(id)) => {
                let (outside, inside): (Vec<Id>, Vec<Id>) =
                    all.iter().partition(|&&id| self.is_universal(id));
                let inside = self.and(inside);
                let inside = self.strong_release(a, inside);
                self.and([outside, vec![inside]].concat())
            }
            _ => self.normal.strong_release(a, b),
        }
    }
}
