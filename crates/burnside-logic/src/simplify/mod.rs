//! Simpler formulas that mean the same.
//!
//! Entry points: [`simplify`] for formulas, `Simplifier::run` for formulas in normal form. Every formula is
//! built anew from its simplified parts by constructors that know the identities: `temporal` has those of `X
//! F G U R W M`, `boolean` those of conjunctions and disjunctions, `implication` tells from the form of two
//! formulas that one implies the other, and which formulas look the same from all later or all earlier
//! positions. Equivalence is kept exactly.
//!
//! What is too large or nested too deep for that stays as it is. Does not compare languages.

mod boolean;
mod implication;
mod temporal;

use std::cell::RefCell;
use std::collections::HashMap;

use crate::normal::{Id, Node, Normal};
use crate::{AtomId, Ltl};

/// Formulas nested deeper stay as they are, because the rules recurse.
const DEEPEST: usize = 600;
/// Larger sets of formulas stay as they are.
const MOST: usize = 20_000;

/// Builds formulas, and simplifies them on the way.
pub(crate) struct Simplifier<'a> {
    normal: &'a mut Normal,
    /// What is known of the first formulas.
    classes: RefCell<Vec<implication::Class>>,
    /// What was found out about implications.
    implied: HashMap<(Id, Id), bool>,
    /// How many more implications are looked at.
    budget: usize,
}

impl<'a> Simplifier<'a> {
    pub fn new(normal: &'a mut Normal) -> Self {
        Self { normal, classes: RefCell::default(), implied: HashMap::new(), budget: 500_000 }
    }

    /// A formula that means the same.
    pub fn run(&mut self, root: Id) -> Id {
        let mut root = root;
        for _ in 0..4 {
            let depth = self.depth(root);
            if depth > DEEPEST || self.normal.len() > MOST {
                break;
            }
            let simpler = self.pass(root);
            if simpler == root {
                break;
            }
            root = simpler;
        }
        root
    }

    fn depth(&self, root: Id) -> usize {
        let mut depths: Vec<usize> = Vec::new();
        for index in 0..=root.index() {
            let below = self.parts(Id(index as u32)).into_iter().map(|part| depths[part.index()]).max();
            depths.push(below.unwrap_or(0) + 1);
        }
        depths[root.index()]
    }

    fn parts(&self, id: Id) -> Vec<Id> {
        match self.normal.node(id) {
            Node::False | Node::True | Node::Literal(..) => Vec::new(),
            Node::And(all) | Node::Or(all) => all.to_vec(),
            &Node::Next(a) => vec![a],
            &Node::Until(a, b)
            | &Node::Release(a, b)
            | &Node::WeakUntil(a, b)
            | &Node::StrongRelease(a, b) => {
                vec![a, b]
            }
        }
    }

    /// Builds a formula anew, from its parts up.
    fn pass(&mut self, root: Id) -> Id {
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if needed[index] {
                self.parts(Id(index as u32)).into_iter().for_each(|part| needed[part.index()] = true);
            }
        }
        let mut simple: Vec<Id> = (0..=root.0).map(Id).collect();
        for index in (0..=root.index()).filter(|&index| needed[index]) {
            let of = |id: Id| simple[id.index()];
            simple[index] = match self.normal.node(Id(index as u32)).clone() {
                Node::False | Node::True | Node::Literal(..) => Id(index as u32),
                Node::And(all) => self.and(all.iter().map(|&id| of(id)).collect()),
                Node::Or(all) => self.or(all.iter().map(|&id| of(id)).collect()),
                Node::Next(a) => self.next(of(a)),
                Node::Until(a, b) => self.until(of(a), of(b)),
                Node::Release(a, b) => self.release(of(a), of(b)),
                Node::WeakUntil(a, b) => self.weak_until(of(a), of(b)),
                Node::StrongRelease(a, b) => self.strong_release(of(a), of(b)),
            };
        }
        simple[root.index()]
    }
}

/// A simpler formula that means the same.
pub fn simplify(formula: &Ltl) -> Ltl {
    let mut normal = Normal::new();
    let (root, _) = normal.read(formula);
    let simple = Simplifier::new(&mut normal).run(root);
    write(&normal, simple).unwrap_or_else(|| formula.clone())
}

/// A formula in normal form as a tree; none if the tree is too large.
fn write(normal: &Normal, root: Id) -> Option<Ltl> {
    let mut trees: Vec<(Ltl, usize)> = Vec::new();
    for index in 0..=root.index() {
        let of = |id: Id| trees[id.index()].0.clone();
        let size = |id: Id| trees[id.index()].1;
        let two = |a: Id, b: Id| Box::new([of(a), of(b)]);
        let node = normal.node(Id(index as u32));
        let total = match node {
            Node::False | Node::True | Node::Literal(..) => 1,
            Node::And(all) | Node::Or(all) => all.iter().map(|&id| size(id)).sum(),
            &Node::Next(a) => size(a),
            &Node::Until(a, b)
            | &Node::Release(a, b)
            | &Node::WeakUntil(a, b)
            | &Node::StrongRelease(a, b) => size(a) + size(b),
        };
        if total > MOST {
            if index == root.index() {
                return None;
            }
            // Whatever contains it is too large as well.
            trees.push((Ltl::True, total));
            continue;
        }
        let tree = match *node {
            Node::False => Ltl::False,
            Node::True => Ltl::True,
            Node::Literal(atom, true) => Ltl::Atom(AtomId(atom)),
            Node::Literal(atom, false) => Ltl::Not(Box::new(Ltl::Atom(AtomId(atom)))),
            Node::And(ref all) => Ltl::And(all.iter().map(|&id| of(id)).collect()),
            Node::Or(ref all) => Ltl::Or(all.iter().map(|&id| of(id)).collect()),
            Node::Next(a) => Ltl::Next(Box::new(of(a))),
            Node::Until(Id::TRUE, b) => Ltl::Finally(Box::new(of(b))),
            Node::Release(Id::FALSE, b) => Ltl::Globally(Box::new(of(b))),
            Node::Until(a, b) => Ltl::Until(two(a, b)),
            Node::Release(a, b) => Ltl::Release(two(a, b)),
            Node::WeakUntil(a, b) => Ltl::WeakUntil(two(a, b)),
            Node::StrongRelease(a, b) => Ltl::StrongRelease(two(a, b)),
        };
        trees.push((tree, total + 1));
    }
    trees.pop().map(|(tree, _)| tree)
}
