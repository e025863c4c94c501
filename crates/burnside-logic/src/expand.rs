//! What a formula demands of the first letter and of the rest of a word.
//!
//! Entry point: [`Expander::state`]. A formula is a disjunction of [`Term`]s: a cube that the first letter is in,
//! formulas that the rest satisfies, and *promises*: a term that puts off `a U b` promises `b`, and so does one that
//! puts off `b M a`. A word satisfies a formula if it can be read by terms from then on so that no promise is made
//! without end. Untils with equal goals share their promise: whatever fulfils one fulfils all.
//!
//! Formulas that are demanded anyway by others in the same conjunction are dropped, and terms that demand no less than
//! another. Both only where the expansion itself shows it, step by step: that a formula follows from others is not
//! enough, for the promises would be lost.

use crate::Cube;
use crate::normal::{Id, Node, Normal};
use crate::translate::{Limits, TooLarge};

/// One way to satisfy a formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Term {
    /// What the first letter is like.
    pub cube: Cube,
    /// The goals that are put off; sorted.
    pub promises: Vec<Id>,
    /// What the rest satisfies; sorted.
    pub next: Vec<Id>,
}

impl Term {
    /// Whether it demands all that the other demands.
    fn demands(&self, other: &Self) -> bool {
        self.cube.implies(&other.cube)
            && within(&other.promises, &self.promises)
            && within(&other.next, &self.next)
    }
}

/// Expands formulas, each once.
pub(crate) struct Expander<'a> {
    pub normal: &'a mut Normal,
    atoms: u32,
    limits: &'a Limits,
    terms: Vec<Option<Vec<Term>>>,
    /// What each formula demands at once, itself included; sorted.
    closures: Vec<Option<Vec<Id>>>,
}

impl<'a> Expander<'a> {
    pub fn new(normal: &'a mut Normal, atoms: u32, limits: &'a Limits) -> Self {
        Self { normal, atoms, limits, terms: Vec::new(), closures: Vec::new() }
    }

    /// The terms of the conjunction of some formulas.
    pub fn state(&mut self, formulas: &[Id]) -> Result<Vec<Term>, TooLarge> {
        let mut result = vec![self.top()];
        for &formula in formulas {
            self.expand(formula)?;
            let terms = self.terms[formula.index()].take().expect("just expanded");
            result = self.both(&result, &terms)?;
            self.terms[formula.index()] = Some(terms);
        }
        Ok(result)
    }

    fn top(&self) -> Term {
        Term { cube: Cube::top(self.atoms), promises: Vec::new(), next: Vec::new() }
    }

    /// Expands a formula after those it is made of, without recursion.
    fn expand(&mut self, formula: Id) -> Result<(), TooLarge> {
        self.terms.resize(self.normal.len(), None);
        let mut open = vec![formula];
        while let Some(&formula) = open.last() {
            if self.terms[formula.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.parts(formula).into_iter().filter(|part| self.terms[part.index()].is_none()));
            if open.len() == before {
                open.pop();
                let terms = self.expand_node(formula)?;
                self.terms[formula.index()] = Some(terms);
            }
        }
        Ok(())
    }

    /// The formulas whose terms the terms of a formula are made of.
    fn parts(&self, formula: Id) -> Vec<Id> {
        match self.normal.node(formula) {
            Node::False | Node::True | Node::Literal(..) | Node::Next(_) => Vec::new(),
            Node::And(all) | Node::Or(all) => all.to_vec(),
            &Node::Until(a, b)
            | &Node::Release(a, b)
            | &Node::WeakUntil(a, b)
            | &Node::StrongRelease(a, b) => {
                vec![a, b]
            }
        }
    }

    fn expand_node(&mut self, formula: Id) -> Result<Vec<Term>, TooLarge> {
        let again = |this: &mut Self, promise: Option<Id>| {
            vec![Term { promises: promise.into_iter().collect(), next: vec![formula], ..this.top() }]
        };
        let of = |this: &Self, id: Id| this.terms[id.index()].clone().expect("expanded before");
        match self.normal.node(formula).clone() {
            Node::False => Ok(Vec::new()),
            Node::True => Ok(vec![self.top()]),
            Node::Literal(atom, positive) => {
                Ok(vec![Term { cube: Cube::literal(self.atoms, atom, positive), ..self.top() }])
            }
            Node::And(all) => {
                let mut result = vec![self.top()];
                for id in all {
                    result = self.both(&result, &of(self, id))?;
                }
                Ok(result)
            }
            Node::Or(all) => {
                let terms = all.iter().flat_map(|&id| of(self, id)).collect();
                self.least(terms)
            }
            Node::Next(a) => {
                let sides = match self.normal.node(a) {
                    Node::Or(sides) => sides.to_vec(),
                    _ => vec![a],
                };
                let next = sides.into_iter().filter_map(|side| self.demands([side])).collect::<Vec<_>>();
                Ok(next.into_iter().map(|next| Term { next, ..self.top() }).collect())
            }
            Node::Until(a, b) => {
                let wait = again(self, Some(b));
                let wait = self.both(&of(self, a), &wait)?;
                self.either(of(self, b), wait)
            }
            Node::WeakUntil(a, b) => {
                let wait = again(self, None);
                let wait = self.both(&of(self, a), &wait)?;
                self.either(of(self, b), wait)
            }
            Node::Release(a, b) => {
                let wait = again(self, None);
                let either = self.either(of(self, a), wait)?;
                self.both(&of(self, b), &either)
            }
            Node::StrongRelease(a, b) => {
                let wait = again(self, Some(a));
                let either = self.either(of(self, a), wait)?;
                self.both(&of(self, b), &either)
            }
        }
    }

    fn either(&mut self, mut a: Vec<Term>, b: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
        a.extend(b);
        self.least(a)
    }

    fn both(&mut self, a: &[Term], b: &[Term]) -> Result<Vec<Term>, TooLarge> {
        let mut terms = Vec::new();
        for left in a {
            self.limits.check()?;
            for right in b {
                if let Some(cube) = left.cube.and(&right.cube)
                    && let Some(next) = self.demands(left.next.iter().chain(&right.next).copied())
                {
                    let promises = merge(&left.promises, &right.promises);
                    terms.push(Term { cube, promises, next });
                }
            }
            if terms.len() > self.limits.edges {
                terms = self.least(terms)?;
            }
        }
        self.least(terms)
    }

    /// Drops the terms that demand no less than another.
    fn least(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>, TooLarge> {
        terms.sort_by_cached_key(|term| {
            (term.next.len() + term.promises.len() + term.cube.size() as usize, term.clone())
        });
        terms.dedup();
        let mut kept: Vec<Term> = Vec::new();
        for term in terms {
            if !kept.iter().any(|other| term.demands(other)) {
                kept.push(term);
                self.limits.check_edges(kept.len())?;
            }
            self.limits.check()?;
        }
        Ok(kept)
    }

    /// The conjunction of formulas as a sorted set, without those that are demanded anyway; none if it is false.
    pub fn demands(&mut self, formulas: impl IntoIterator<Item = Id>) -> Option<Vec<Id>> {
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
        let mut index = 0;
        while index < set.len() {
            let others = || set.iter().filter(|&&other| other != set[index]);
            let closure: Vec<Id> = others().flat_map(|other| self.closure(*other)).copied().collect();
            if self.covered(set[index], &closure) {
                set.remove(index);
            } else {
                index += 1;
            }
        }
        let literals: Vec<Id> = set.iter().flat_map(|&id| self.closure(id)).copied().collect();
        let contradiction = |(i, &a): (usize, &Id)| literals[..i].iter().any(|&b| self.normal.opposite(a, b));
        let impossible = set.contains(&Id::FALSE) || literals.iter().enumerate().any(contradiction);
        (!impossible).then_some(set)
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
    fn covered(&self, formula: Id, closure: &[Id]) -> bool {
        if closure.contains(&formula) {
            return true;
        }
        let always =
            |id: Id| closure.iter().any(|&other| *self.normal.node(other) == Node::Release(Id::FALSE, id));
        let demanded = |node: Node| closure.iter().any(|&other| *self.normal.node(other) == node);
        match self.normal.node(formula) {
            Node::And(all) => all.iter().all(|&id| closure.contains(&id)),
            Node::Or(all) => all.iter().any(|&id| closure.contains(&id)),
            &Node::Until(a, b) => closure.contains(&b) || (a == Id::TRUE && self.promised(b, closure)),
            &Node::WeakUntil(a, b) => closure.contains(&b) || always(a) || demanded(Node::Until(a, b)),
            &Node::Release(a, b) => {
                (closure.contains(&a) && closure.contains(&b))
                    || always(b)
                    || demanded(Node::StrongRelease(a, b))
            }
            &Node::StrongRelease(a, b) => closure.contains(&a) && closure.contains(&b),
            _ => false,
        }
    }

    /// Whether something in the closure waits for the goal.
    fn promised(&self, goal: Id, closure: &[Id]) -> bool {
        closure.iter().any(|&id| match *self.normal.node(id) {
            Node::Until(_, b) => b == goal,
            Node::StrongRelease(a, _) => a == goal,
            _ => false,
        })
    }
}

/// Whether all of the one are in the other; both sorted.
fn within(few: &[Id], many: &[Id]) -> bool {
    let mut many = many.iter();
    few.iter().all(|id| many.any(|other| other == id))
}

/// All of both; both sorted.
fn merge(a: &[Id], b: &[Id]) -> Vec<Id> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all.dedup();
    all
}
