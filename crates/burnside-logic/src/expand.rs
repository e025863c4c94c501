//! What a formula demands of the first letter and of the rest of a word.
//!
//! Entry point: [`Expander::state`]. A formula is a disjunction of [`Term`]s: a cube that the first letter is
//! in, formulas that the rest satisfies, and *promises*: a term that puts off `a U b` promises
//! `b`, and so does one that puts off `b M a`. A word satisfies a formula if it can be read by terms from
//! then on so that no promise is made without end. Untils with equal goals share their promise: whatever
//! fulfils one fulfils all.
//!
//! Formulas that are demanded anyway by others in the same conjunction are dropped
//! (`demand`), and terms that demand no less than another or than several together (`span`). All of this only
//! where the expansion itself shows it, step by step: that a formula follows from others is not enough, for
//! the promises would be lost.

use crate::Cube;
use burnside_limits::{Stop, poll};
use std::collections::HashMap;

use crate::normal::{Id, Node, Normal};
use crate::span::drop_spanned_terms;
use crate::translate::AutomatonLimits;

/// A set of formulas; [`Expander::set`] has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(pub u32);

/// One way to satisfy a formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Term {
    /// What the first letter is like.
    pub cube: Cube,
    /// The goals that are put off; sorted.
    pub promises: Vec<Id>,
    /// What the rest satisfies.
    pub next: SetId,
}

/// Expands formulas, each once.
pub(crate) struct Expander<'a> {
    pub(crate) normal: &'a mut Normal,
    atoms: u32,
    limits: &'a AutomatonLimits,
    terms: Vec<Option<Vec<Term>>>,
    /// What each formula demands at once, itself included; sorted.
    pub(crate) closures: Vec<Option<Vec<Id>>>,
    sets: Vec<Vec<Id>>,
    known: HashMap<Vec<Id>, SetId>,
    /// What sets demand together; none if that is impossible.
    unions: HashMap<(SetId, SetId), Option<SetId>>,
    /// How many more terms may be compared.
    pub(crate) work: usize,
    /// Whether terms go that others span.
    span: bool,
}

impl<'a> Expander<'a> {
    pub fn new(normal: &'a mut Normal, atoms: u32, limits: &'a AutomatonLimits, span: bool) -> Self {
        let mut expander = Self {
            normal,
            atoms,
            limits,
            terms: Vec::new(),
            closures: Vec::new(),
            sets: Vec::new(),
            known: HashMap::new(),
            unions: HashMap::new(),
            work: limits.work(),
            span,
        };
        expander.intern(Vec::new());
        expander
    }

    /// The formulas of a set; sorted.
    pub fn set(&self, set: SetId) -> &[Id] {
        &self.sets[set.0 as usize]
    }

    pub(crate) fn intern(&mut self, set: Vec<Id>) -> SetId {
        let new = SetId(self.sets.len() as u32);
        *self.known.entry(set).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            new
        })
    }

    /// The terms of the conjunction of a set.
    pub fn state(&mut self, set: SetId) -> Result<Vec<Term>, Stop> {
        let mut result = vec![self.top()];
        for formula in self.set(set).to_vec() {
            self.expand(formula)?;
            let terms = self.terms[formula.index()].take().expect("just expanded");
            result = self.both(&result, &terms)?;
            self.terms[formula.index()] = Some(terms);
        }
        Ok(result)
    }

    fn top(&self) -> Term {
        Term { cube: Cube::top(self.atoms), promises: Vec::new(), next: SetId(0) }
    }

    /// Expands a formula after those it is made of, without recursion.
    fn expand(&mut self, formula: Id) -> Result<(), Stop> {
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

    fn expand_node(&mut self, formula: Id) -> Result<Vec<Term>, Stop> {
        let again = |this: &mut Self, promise: Option<Id>| {
            let next = this.intern(vec![formula]);
            vec![Term { promises: promise.into_iter().collect(), next, ..this.top() }]
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

    fn either(&mut self, mut a: Vec<Term>, b: Vec<Term>) -> Result<Vec<Term>, Stop> {
        a.extend(b);
        self.least(a)
    }

    fn both(&mut self, a: &[Term], b: &[Term]) -> Result<Vec<Term>, Stop> {
        let mut apart = self.are_apart(a, b);
        let mut terms = Vec::new();
        for left in a {
            poll();
            self.work = self.work.checked_sub(b.len()).ok_or(self.limits.too_much_work())?;
            for right in b {
                let Some(cube) = left.cube.and(&right.cube) else { continue };
                let Some(next) = self.union(left.next, right.next) else { continue };
                apart &= self.set(next).len() == self.set(left.next).len() + self.set(right.next).len();
                terms.push(Term { cube, promises: merge(&left.promises, &right.promises), next });
            }
            if apart {
                self.limits.check_edges(terms.len())?;
            } else if terms.len() > self.limits.edges {
                terms = self.least(terms)?;
            }
        }
        // Terms about different things stay incomparable.
        let mut terms = if apart { terms } else { self.least(terms)? };
        if self.span {
            drop_spanned_terms(&mut terms);
        }
        Ok(terms)
    }

    fn union(&mut self, a: SetId, b: SetId) -> Option<SetId> {
        if a == b || b == SetId(0) {
            return Some(a);
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let union = self.demands([self.set(a), self.set(b)].concat());
        self.unions.insert((a, b), union);
        union
    }

    /// Whether no atom, goal or formula occurs in both.
    fn are_apart(&self, a: &[Term], b: &[Term]) -> bool {
        let features = |terms: &[Term]| {
            let mut bits = vec![0u64; self.atoms.div_ceil(64) as usize + 2 * self.normal.len().div_ceil(64)];
            let goals = self.atoms.next_multiple_of(64) as usize;
            let formulas = goals + self.normal.len().next_multiple_of(64);
            let mut nexts: Vec<SetId> = Vec::new();
            for term in terms {
                term.cube.care.iter().zip(&mut bits).for_each(|(care, bits)| *bits |= care);
                term.promises.iter().for_each(|id| bits[(goals + id.index()) / 64] |= 1 << (id.index() % 64));
                if nexts.last() != Some(&term.next) {
                    nexts.push(term.next);
                }
            }
            nexts.sort_unstable();
            nexts.dedup();
            for id in nexts.iter().flat_map(|&next| self.set(next)) {
                bits[(formulas + id.index()) / 64] |= 1 << (id.index() % 64);
            }
            bits
        };
        features(a).iter().zip(&features(b)).all(|(a, b)| a & b == 0)
    }

    /// Drops the terms that demand no less than another.
    fn least(&mut self, mut terms: Vec<Term>) -> Result<Vec<Term>, Stop> {
        let size = |term: &Term| self.set(term.next).len() + term.promises.len() + term.cube.size() as usize;
        terms.sort_by_cached_key(|term| (size(term), term.clone()));
        terms.dedup();
        let mut kept: Vec<(u64, Term)> = Vec::new();
        for term in terms {
            self.work = self.work.checked_sub(kept.len()).ok_or(self.limits.too_much_work())?;
            let signature = self.signature(&term);
            let dominated =
                |(other, by): &(u64, Term)| other & !signature == 0 && self.is_stronger(&term, by);
            if !kept.iter().any(dominated) {
                kept.push((signature, term));
                self.limits.check_edges(kept.len())?;
            }
            poll();
        }
        Ok(kept.into_iter().map(|(_, term)| term).collect())
    }

    /// A term demands all that another demands only if its signature has all bits of the other's.
    fn signature(&self, term: &Term) -> u64 {
        let literals = term.cube.literals().map(|(atom, positive)| 3 * (2 * atom + u32::from(positive)));
        let promises = term.promises.iter().map(|id| 3 * id.0 + 1);
        let next = self.set(term.next).iter().map(|id| 3 * id.0 + 2);
        literals.chain(promises).chain(next).fold(0, |bits, feature| bits | 1 << (feature % 61))
    }

    /// Whether a term demands all that another demands.
    fn is_stronger(&self, term: &Term, than: &Term) -> bool {
        term.cube.implies(&than.cube)
            && within(&than.promises, &term.promises)
            && within(self.set(than.next), self.set(term.next))
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
