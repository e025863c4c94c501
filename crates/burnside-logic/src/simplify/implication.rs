//! What the form of formulas tells about them.
//!
//! Entry points: [`Simplifier::implies`], [`Simplifier::is_eventual`], [`Simplifier::is_universal`]. A formula is
//! *eventual* if it is true wherever it is true later, *universal* if it stays true once it is. All three may say no
//! where yes would be right.

use super::Simplifier;
use crate::normal::{Id, Node};

impl Simplifier<'_> {
    /// Whether it is as true here as it will be at any later position: `x` is `F x`.
    pub(super) fn is_eventual(&self, id: Id) -> bool {
        match self.normal.node(id) {
            Node::False | Node::True => true,
            Node::Literal(..) => false,
            Node::And(all) | Node::Or(all) => all.iter().all(|&id| self.is_eventual(id)),
            &Node::Next(a) => self.is_eventual(a),
            &Node::Until(a, b) => a == Id::TRUE || self.is_eventual(b),
            &Node::Release(a, b) | &Node::WeakUntil(a, b) | &Node::StrongRelease(a, b) => {
                self.is_eventual(a) && self.is_eventual(b)
            }
        }
    }

    /// Whether it stays true once it is: `x` is `G x`.
    pub(super) fn is_universal(&self, id: Id) -> bool {
        match self.normal.node(id) {
            Node::False | Node::True => true,
            Node::Literal(..) => false,
            Node::And(all) | Node::Or(all) => all.iter().all(|&id| self.is_universal(id)),
            &Node::Next(a) => self.is_universal(a),
            &Node::Release(a, b) => a == Id::FALSE || self.is_universal(b),
            &Node::Until(a, b) | &Node::WeakUntil(a, b) | &Node::StrongRelease(a, b) => {
                self.is_universal(a) && self.is_universal(b)
            }
        }
    }

    /// Whether it is equally true everywhere.
    pub(super) fn is_both(&self, id: Id) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// Whether the one implies the other by their forms.
    pub(super) fn implies(&mut self, a: Id, b: Id) -> bool {
        if a == b || a == Id::FALSE || b == Id::TRUE {
            return true;
        }
        if let Some(&known) = self.implied.get(&(a, b)) {
            return known;
        }
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let implied = self.implies_node(a, b);
        self.implied.insert((a, b), implied);
        implied
    }

    fn implies_node(&mut self, from: Id, to: Id) -> bool {
        if let Node::Or(all) = self.normal.node(from).clone() {
            return all.iter().all(|&id| self.implies(id, to));
        }
        if let Node::And(all) = self.normal.node(to).clone() {
            return all.iter().all(|&id| self.implies(from, id));
        }
        self.implies_by_right(from, to) || self.implies_by_left(from, to)
    }

    /// By what is enough for the right side.
    fn implies_by_right(&mut self, from: Id, to: Id) -> bool {
        let left = self.normal.node(from).clone();
        let universal = self.is_universal(from);
        match self.normal.node(to).clone() {
            Node::Or(all) => all.iter().any(|&id| self.implies(from, id)),
            Node::Next(b) => {
                matches!(left, Node::Next(a) if self.implies(a, b)) || (universal && self.implies(from, b))
            }
            Node::Until(a, b) => {
                self.implies(from, b)
                    || match left {
                        Node::Until(c, d) => {
                            (self.implies(c, a) && self.implies(d, b))
                                || (a == Id::TRUE && self.implies(d, to))
                        }
                        Node::StrongRelease(c, d) => {
                            (self.implies(d, a) && (self.implies(c, b) || self.implies(d, b)))
                                || (a == Id::TRUE && self.implies(c, to))
                        }
                        Node::Next(c) => a == Id::TRUE && self.implies(c, to),
                        _ => false,
                    }
            }
            Node::WeakUntil(a, b) => {
                self.implies(from, b)
                    || (universal && self.implies(from, a))
                    || match left {
                        Node::Until(c, d) | Node::WeakUntil(c, d) => self.implies(c, a) && self.implies(d, b),
                        Node::Release(c, d) | Node::StrongRelease(c, d) => {
                            self.implies(d, a) && (self.implies(c, b) || self.implies(d, b))
                        }
                        _ => false,
                    }
            }
            Node::Release(a, b) => {
                (self.implies(from, b) && (universal || self.implies(from, a)))
                    || match left {
                        Node::Release(c, d) | Node::StrongRelease(c, d) => {
                            self.implies(c, a) && self.implies(d, b)
                        }
                        Node::Until(c, d) | Node::WeakUntil(c, d) => {
                            self.implies(c, b) && self.implies(d, a) && self.implies(d, b)
                        }
                        _ => false,
                    }
            }
            Node::StrongRelease(a, b) => {
                (self.implies(from, a) && self.implies(from, b))
                    || match left {
                        Node::StrongRelease(c, d) => self.implies(c, a) && self.implies(d, b),
                        Node::Until(c, d) => self.implies(c, b) && self.implies(d, a) && self.implies(d, b),
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// By what follows from the left side.
    fn implies_by_left(&mut self, from: Id, to: Id) -> bool {
        match self.normal.node(from).clone() {
            Node::And(all) => all.iter().any(|&id| self.implies(id, to)),
            Node::Next(a) => self.is_eventual(to) && self.implies(a, to),
            Node::Until(a, b) => (self.implies(b, to)) && (self.implies(a, to) || self.is_eventual(to)),
            Node::WeakUntil(a, b) => self.implies(a, to) && self.implies(b, to),
            Node::Release(_, b) => self.implies(b, to),
            Node::StrongRelease(a, b) => self.implies(b, to) || (self.is_eventual(to) && self.implies(a, to)),
            _ => false,
        }
    }
}
