//! Which formulas of a conjunction are demanded anyway.
//!
//! Entry point:
//! [`Expander::demands`]. The *closure* of a formula is what its expansion demands at once: of `G x`, `a R
//! x` and `a M x` also `x`, of a conjunction its parts. A formula is dropped if the closures of the others
//! show that its expansion adds nothing to theirs, now and in all later steps.

use std::collections::HashMap;

use crate::expand::{Expander, SetId};
use crate::normal::{Id, Node};

impl Expander<'_> {
    /// The conjunction of formulas as a set, without those that are demanded anyway; none if it is false.
    pub fn demands(&mut self, formulas: impl IntoIterator<Item = Id>) -> Option<SetId> {
        let mut set: Vec<Id> = Vec::new();
        for id in formulas {
            match self.normal.node(id) {
                Node::True => {}
                Node::And(inner) => set.extend_from_slice(inner),
                _ => set.push(id),
            }
        }
        set.sort_unstable();
        set.dedup();
        for &id in &set {
            self.close(id);
        }
        let mut closure = Closure::default();
        set.iter().for_each(|&id| closure.add(self.closure(id)));
        self.work = self.work.saturating_sub(closure.counts.len());
        let mut index = 0;
        while index < set.len() {
            closure.remove(self.closure(set[index]));
            if self.is_covered(set[index], &closure) {
                set.remove(index);
            } else {
                closure.add(self.closure(set[index]));
                index += 1;
            }
        }
        let contradicted = |id: &Id| match *self.normal.node(*id) {
            Node::Literal(atom, positive) => {
                self.normal.find(&Node::Literal(atom, !positive)).is_some_and(|other| closure.has(other))
            }
            _ => *id == Id::FALSE,
        };
        let impossible = closure.counts.keys().any(|id| closure.has(*id) && contradicted(id));
        (!impossible).then(|| self.intern(set))
    }

    fn closure(&self, id: Id) -> &[Id] {
        self.closures[id.index()].as_ref().expect("closed before")
    }

    fn close(&mut self, id: Id) {
        self.closures.resize(self.normal.len(), None);
        if self.closures[id.index()].is_some() {
            return;
        }
        let mut closure = vec![id];
        let mut next = 0;
        while next < closure.len() {
            match self.normal.node(closure[next]) {
                Node::And(all) => closure.extend_from_slice(all),
                Node::Release(_, b) | Node::StrongRelease(_, b) => closure.push(*b),
                _ => {}
            }
            next += 1;
        }
        closure.sort_unstable();
        closure.dedup();
        self.closures[id.index()] = Some(closure);
    }

    /// Whether the expansion of a formula adds nothing to the expansion of those in the closure.
    fn is_covered(&self, formula: Id, closure: &Closure) -> bool {
        if closure.has(formula) {
            return true;
        }
        let demanded = |node: Node| self.normal.find(&node).is_some_and(|id| closure.has(id));
        let always = |id: Id| demanded(Node::Release(Id::FALSE, id));
        match self.normal.node(formula) {
            Node::And(all) => all.iter().all(|&id| closure.has(id)),
            Node::Or(all) => all.iter().any(|&id| closure.has(id)),
            &Node::Until(a, b) => closure.has(b) || (a == Id::TRUE && self.is_promised(b, closure)),
            &Node::WeakUntil(a, b) => closure.has(b) || always(a) || demanded(Node::Until(a, b)),
            &Node::Release(a, b) => {
                (closure.has(a) && closure.has(b)) || always(b) || demanded(Node::StrongRelease(a, b))
            }
            &Node::StrongRelease(a, b) => closure.has(a) && closure.has(b),
            _ => false,
        }
    }

    /// Whether something in the closure waits for the goal.
    fn is_promised(&self, goal: Id, closure: &Closure) -> bool {
        closure.counts.keys().any(|&id| {
            closure.has(id)
                && match *self.normal.node(id) {
                    Node::Until(_, b) => b == goal,
                    Node::StrongRelease(a, _) => a == goal,
                    _ => false,
                }
        })
    }
}

/// What some formulas demand at once, and how many of them demand it.
#[derive(Default)]
struct Closure {
    counts: HashMap<Id, u32>,
}

impl Closure {
    fn has(&self, id: Id) -> bool {
        self.counts.get(&id).is_some_and(|&count| count > 0)
    }

    fn add(&mut self, ids: &[Id]) {
        ids.iter().for_each(|&id| *self.counts.entry(id).or_default() += 1);
    }

    fn remove(&mut self, ids: &[Id]) {
        ids.iter().for_each(|&id| *self.counts.entry(id).or_default() -= 1);
    }
}
