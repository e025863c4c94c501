//! What the form of formulas tells about them.
//!
//! Entry points: [`Simplifier::implies`], [`Simplifier::is_eventual`], [`Simplifier::is_universal`]. A
//! formula is *eventual* if it is true wherever it is true later, *universal* if it stays true once it is.
//! All three may say no where yes would be right.

use super::Simplifier;
use crate::normal::{Id, Node};
use burnside_limits::poll;

/// What is known of a formula.
#[derive(Clone, Copy)]
pub(super) struct Class {
    eventual: bool,
    universal: bool,
}

impl Simplifier<'_> {
    /// Whether it is as true here as it will be at any later position: `x` is `F x`.
    pub(super) fn is_eventual(&self, id: Id) -> bool {
        self.class(id).eventual
    }

    /// Whether it stays true once it is: `x` is `G x`.
    pub(super) fn is_universal(&self, id: Id) -> bool {
        self.class(id).universal
    }

    fn class(&self, id: Id) -> Class {
        let mut classes = self.classes.borrow_mut();
        while classes.len() <= id.index() {
            let of = |id: Id| classes[id.index()];
            let class = self.class_of(Id(classes.len() as u32), of);
            classes.push(class);
        }
        classes[id.index()]
    }

    fn class_of(&self, id: Id, of: impl Fn(Id) -> Class) -> Class {
        let both = |a: Class, b: Class| Class {
            eventual: a.eventual && b.eventual,
            universal: a.universal && b.universal,
        };
        let all = Class { eventual: true, universal: true };
        match self.normal.node(id) {
            Node::False | Node::True => all,
            Node::Literal(..) => Class { eventual: false, universal: false },
            Node::And(parts) | Node::Or(parts) => parts.iter().fold(all, |class, &id| both(class, of(id))),
            &Node::Next(a) => of(a),
            &Node::WeakUntil(a, b) | &Node::StrongRelease(a, b) => both(of(a), of(b)),
            &Node::Until(a, b) => Class {
                eventual: a == Id::TRUE || of(b).eventual,
                universal: of(a).universal && of(b).universal,
            },
            &Node::Release(a, b) => Class {
                eventual: of(a).eventual && of(b).eventual,
                universal: a == Id::FALSE || of(b).universal,
            },
        }
    }

    /// Whether it is equally true everywhere.
    pub(super) fn is_both(&self, id: Id) -> bool {
        self.is_eventual(id) && self.is_universal(id)
    }

    /// Whether the one implies the other by their forms.
    pub(super) fn implies(&mut self, a: Id, b: Id) -> bool {
        poll();
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
