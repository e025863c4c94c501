//! Formulas in negation normal form, each stored once.
//!
//! Entry point: [`Normal::read`]. Negation stands before atoms only, conjunctions and disjunctions are flat,
//! sorted and without repetitions, and equal formulas have equal numbers. `F x` is `true U x` and `G x` is
//! `false R x`. A formula is made of formulas with smaller numbers, so passes over all of them need no
//! recursion. Only the identities that keep this form are applied here; the others are in `simplify`.

use burnside_limits::poll;
use std::collections::HashMap;

use crate::{AtomId, Ltl};

/// A formula of a [`Normal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id(pub u32);

impl Id {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a formula is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    True,
    Literal(u32, bool),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    Next(Id),
    Until(Id, Id),
    Release(Id, Id),
    WeakUntil(Id, Id),
    StrongRelease(Id, Id),
}

/// The formulas.
pub(crate) struct Normal {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
}

impl Normal {
    pub fn new() -> Self {
        let mut normal = Self { nodes: Vec::new(), known: HashMap::new() };
        normal.add(Node::False);
        normal.add(Node::True);
        normal
    }

    /// What a formula is.
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    /// The formula of that form, if there is one.
    pub fn find(&self, node: &Node) -> Option<Id> {
        self.known.get(node).copied()
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The formula of that form, exactly.
    pub fn add(&mut self, node: Node) -> Id {
        poll();
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = Id(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    /// The formula in normal form, and its negation.
    pub fn read(&mut self, formula: &Ltl) -> (Id, Id) {
        let mut values: Vec<(Id, Id)> = Vec::new();
        for formula in formula.postorder() {
            let below = values.split_off(values.len() - formula.children().len());
            values.push(self.read_node(formula, &below));
        }
        values[0]
    }

    fn read_node(&mut self, formula: &Ltl, below: &[(Id, Id)]) -> (Id, Id) {
        let yes = below.iter().map(|pair| pair.0);
        let no = below.iter().map(|pair| pair.1);
        match formula {
            Ltl::True => (Id::TRUE, Id::FALSE),
            Ltl::False => (Id::FALSE, Id::TRUE),
            Ltl::Atom(AtomId(atom)) => {
                (self.add(Node::Literal(*atom, true)), self.add(Node::Literal(*atom, false)))
            }
            Ltl::Not(_) => (below[0].1, below[0].0),
            Ltl::And(_) => (self.and(yes), self.or(no)),
            Ltl::Or(_) => (self.or(yes), self.and(no)),
            Ltl::Implies(_) => (self.or([below[0].1, below[1].0]), self.and([below[0].0, below[1].1])),
            Ltl::Iff(_) => (self.equal(below[0], below[1]), self.equal(below[0], (below[1].1, below[1].0))),
            Ltl::Next(_) => (self.next(below[0].0), self.next(below[0].1)),
            Ltl::Finally(_) => (self.finally(below[0].0), self.globally(below[0].1)),
            Ltl::Globally(_) => (self.globally(below[0].0), self.finally(below[0].1)),
            Ltl::Until(_) => (self.until(below[0].0, below[1].0), self.release(below[0].1, below[1].1)),
            Ltl::Release(_) => (self.release(below[0].0, below[1].0), self.until(below[0].1, below[1].1)),
            Ltl::WeakUntil(_) => {
                (self.weak_until(below[0].0, below[1].0), self.strong_release(below[0].1, below[1].1))
            }
            Ltl::StrongRelease(_) => {
                (self.strong_release(below[0].0, below[1].0), self.weak_until(below[0].1, below[1].1))
            }
        }
    }

    fn equal(&mut self, a: (Id, Id), b: (Id, Id)) -> Id {
        let both = self.and([a.0, b.0]);
        let neither = self.and([a.1, b.1]);
        self.or([both, neither])
    }

    /// Whether one literal is the negation of the other.
    pub fn opposite(&self, a: Id, b: Id) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Literal(a, yes), Node::Literal(b, no)) => a == b && yes != no,
            _ => false,
        }
    }

    pub fn and(&mut self, all: impl IntoIterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for id in all {
            match self.node(id) {
                Node::And(inner) => flat.extend_from_slice(inner),
                _ => flat.push(id),
            }
        }
        match self.tidy(&mut flat, Id::TRUE, Id::FALSE) {
            Some(id) => id,
            None => self.add(Node::And(flat.into())),
        }
    }

    pub fn or(&mut self, all: impl IntoIterator<Item = Id>) -> Id {
        let mut flat = Vec::new();
        for id in all {
            match self.node(id) {
                Node::Or(inner) => flat.extend_from_slice(inner),
                _ => flat.push(id),
            }
        }
        match self.tidy(&mut flat, Id::FALSE, Id::TRUE) {
            Some(id) => id,
            None => self.add(Node::Or(flat.into())),
        }
    }

    /// Sorts operands; the result if it is not a formula of several operands.
    fn tidy(&self, operands: &mut Vec<Id>, neutral: Id, absorbing: Id) -> Option<Id> {
        poll();
        operands.retain(|&id| id != neutral);
        operands.sort_unstable();
        operands.dedup();
        let mut literals: Vec<(u32, bool)> = Vec::new();
        for &id in operands.iter() {
            if let Node::Literal(atom, positive) = *self.node(id) {
                literals.push((atom, positive));
            }
        }
        literals.sort_unstable();
        if operands.contains(&absorbing) || literals.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Some(absorbing);
        }
        match operands[..] {
            [] => Some(neutral),
            [only] => Some(only),
            _ => None,
        }
    }

    pub fn next(&mut self, a: Id) -> Id {
        if a == Id::TRUE || a == Id::FALSE { a } else { self.add(Node::Next(a)) }
    }

    pub fn finally(&mut self, a: Id) -> Id {
        self.until(Id::TRUE, a)
    }

    pub fn globally(&mut self, a: Id) -> Id {
        self.release(Id::FALSE, a)
    }

    pub fn until(&mut self, a: Id, b: Id) -> Id {
        match self.node(b) {
            _ if b == Id::TRUE || b == Id::FALSE || a == Id::FALSE || a == b => b,
            Node::Until(c, _) if a == *c => b,
            Node::Release(Id::FALSE, c) if matches!(self.node(*c), Node::Until(Id::TRUE, _)) => b,
            _ => self.add(Node::Until(a, b)),
        }
    }

    pub fn release(&mut self, a: Id, b: Id) -> Id {
        match self.node(b) {
            _ if b == Id::TRUE || b == Id::FALSE || a == Id::TRUE || a == b => b,
            Node::Release(c, _) if a == *c => b,
            Node::Until(Id::TRUE, c) if matches!(self.node(*c), Node::Release(Id::FALSE, _)) => b,
            _ => self.add(Node::Release(a, b)),
        }
    }

    pub fn weak_until(&mut self, a: Id, b: Id) -> Id {
        match self.node(b) {
            _ if a == Id::TRUE || b == Id::TRUE => Id::TRUE,
            _ if b == Id::FALSE => self.globally(a),
            _ if a == Id::FALSE || a == b => b,
            Node::WeakUntil(c, _) if a == *c => b,
            _ => self.add(Node::WeakUntil(a, b)),
        }
    }

    pub fn strong_release(&mut self, a: Id, b: Id) -> Id {
        match self.node(b) {
            _ if a == Id::FALSE || b == Id::FALSE => Id::FALSE,
            _ if b == Id::TRUE => self.finally(a),
            _ if a == Id::TRUE || a == b => b,
            Node::StrongRelease(c, _) if a == *c => b,
            _ => self.add(Node::StrongRelease(a, b)),
        }
    }
}
