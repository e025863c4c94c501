//! The letters that an automaton reads: which atoms are true in an indexed node.
//!
//! Entry points: [`IndexedQuotient::letter_of`], which numbers letters and remembers them by node,
//! [`IndexedQuotient::evaluate`], and [`IndexedQuotient::evaluate_all`], which several threads do together.
//! Quantifiers inside an atom look at one of several members that are alike;
//! members that the atom names are not like any other.

use super::{IndexedNodeId, IndexedQuotient};
use crate::ahead::Explorers;
use crate::fair::Atom;
use burnside_limits::{Stop, poll};
use burnside_ts::{Binder, Classes, Expr, Machine, Part, StepFilter, System, Type, Undefined};
use foldhash::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The atoms that are true in an indexed node, numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LetterId(pub u32);

const UNREAD: LetterId = LetterId(u32::MAX);

/// The letters found so far.
pub(super) struct Letters<'s> {
    atoms: Vec<Atom<'s>>,
    /// For each atom whether it looks at members beyond those that it names, so that it matters which are
    /// alike.
    quantified: Vec<bool>,
    letters: Vec<Box<[u64]>>,
    ids: HashMap<Box<[u64]>, LetterId>,
    /// By indexed node; [`UNREAD`] if not known yet.
    of_node: Vec<LetterId>,
}

impl<'s> Letters<'s> {
    pub fn new(atoms: Vec<Atom<'s>>) -> Self {
        let quantified = atoms.iter().map(|atom| is_quantified(Part::Expr(atom.condition))).collect();
        Self { atoms, quantified, letters: Vec::new(), ids: HashMap::default(), of_node: Vec::new() }
    }

    pub fn atoms(&self) -> &[Atom<'s>] {
        &self.atoms
    }

    /// The atoms that are true in a state with a tuple of tracked elements, added to bits.
    fn read(
        &self,
        machine: &mut dyn Machine<'s>,
        state: &[u64],
        (tracked, tuple): (&[&'s Binder], &[u64]),
        letter: &mut [u64],
    ) -> Result<(), Undefined> {
        for (i, atom) in self.atoms.iter().enumerate() {
            tracked.iter().zip(tuple).for_each(|(binder, &number)| machine.bind(binder, number));
            atom.bound.iter().for_each(|&(binder, number)| machine.bind(binder, number));
            letter[i / 64] |= u64::from(machine.holds(atom.condition, state)?) << (i % 64);
        }
        Ok(())
    }

    /// Forgets which letters nodes have.
    pub fn forget(&mut self) {
        self.of_node.clear();
    }

    /// How many words a letter has.
    fn words(&self) -> usize {
        self.atoms.len().div_ceil(64)
    }

    fn number(&mut self, letter: &[u64]) -> LetterId {
        if let Some(&id) = self.ids.get(letter) {
            return id;
        }
        let id = LetterId(self.letters.len() as u32);
        self.ids.insert(letter.into(), id);
        self.letters.push(letter.into());
        id
    }
}

impl<'s> IndexedQuotient<'s> {
    /// The atoms that are true of a letter, as bits.
    pub fn letter(&self, letter: LetterId) -> &[u64] {
        &self.letters.letters[letter.0 as usize]
    }

    /// The letter of a node.
    pub fn letter_of(&mut self, node: IndexedNodeId) -> Result<LetterId, Stop> {
        let i = node.0 as usize;
        if self.letters.of_node.len() <= i {
            self.letters.of_node.resize((i + 1).max(self.letters.of_node.len() * 5 / 4), UNREAD);
        }
        if self.letters.of_node[i] != UNREAD {
            return Ok(self.letters.of_node[i]);
        }
        let mut letter = std::mem::take(&mut self.letter);
        self.evaluate(node, &mut letter)?;
        let id = self.letters.number(&letter);
        self.letter = letter;
        self.letters.of_node[i] = id;
        Ok(id)
    }

    /// The atoms that are true in a node, as bits.
    pub fn evaluate(&mut self, node: IndexedNodeId, letter: &mut Vec<u64>) -> Result<(), Stop> {
        poll();
        letter.clear();
        letter.resize(self.letters.words(), 0);
        let orbit = self.orbit(node);
        self.nodes.tuple_into(node, &mut self.tuple);
        if self.reads_plainly() {
            let quotient = &mut *self.quotient.borrow_mut();
            let (machine, state) = quotient.at(orbit);
            let read = self.letters.read(machine, &state, (&self.tracked, &self.tuple), letter);
            return read.map_err(|why| undefined(self.system, why));
        }
        let position = if self.movable.is_empty() { None } else { self.tracked_at(node).position };
        let classes = match self.state_symmetry && self.letters.quantified.contains(&true) {
            true => {
                let classes = self.orbit_classes(orbit);
                Some(self.isolated(classes, &self.tuple))
            }
            false => None,
        };
        for (i, atom) in self.letters.atoms.iter().enumerate() {
            let tracked = self.tracked.iter().copied().zip(self.tuple.iter().copied());
            let value = |&(binder, number): &(&'s Binder, u64)| match &position {
                Some(position) => (binder, self.action.number(position, binder.ty, number)),
                None => (binder, number),
            };
            let named: Vec<(&'s Binder, u64)> = atom.bound.iter().map(value).collect();
            let classes = classes.clone().filter(|_| self.letters.quantified[i]);
            let classes = classes.map(|classes| isolate_values(self.system, classes, &named));
            let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
            let bound = tracked.chain(named);
            let value = self.quotient.borrow_mut().holds(orbit, atom.condition, bound, filter);
            letter[i / 64] |= u64::from(value.map_err(|why| undefined(self.system, why))?) << (i % 64);
        }
        Ok(())
    }

    /// Whether letters depend on neither positions nor classes.
    fn reads_plainly(&self) -> bool {
        self.movable.is_empty() && !(self.state_symmetry && self.letters.quantified.contains(&true))
    }

    /// The letters of the first so many nodes, one after the other.
    pub fn evaluate_all(&mut self, nodes: u32, mut each: impl FnMut(u32, &[u64])) -> Result<(), Stop> {
        let mut explorers = self.quotient.borrow_mut().explorers.take();
        let sharing = explorers.as_mut().filter(|explorers| explorers.share(nodes) && self.reads_plainly());
        let result = match sharing {
            Some(explorers) => self.evaluate_together(explorers, nodes, &mut each),
            None => (0..nodes).try_for_each(|node| {
                let mut letter = std::mem::take(&mut self.letter);
                let read = self.evaluate(IndexedNodeId(node), &mut letter);
                each(node, &letter);
                self.letter = letter;
                read
            }),
        };
        self.quotient.borrow_mut().explorers = explorers;
        result
    }

    /// The same by several threads.
    fn evaluate_together(
        &self,
        explorers: &mut Explorers<'s>,
        nodes: u32,
        each: &mut dyn FnMut(u32, &[u64]),
    ) -> Result<(), Stop> {
        let Self { nodes: table, letters, tracked, system, .. } = self;
        let quotient = &*self.quotient.borrow();
        let (store, words) = (&quotient.store, letters.words());
        let read = |machine: &mut dyn Machine<'s>, part: Range<u32>| {
            let (mut found, mut tuple) = (vec![0; part.len() * words], Vec::new());
            for (node, letter) in part.map(IndexedNodeId).zip(found.chunks_exact_mut(words.max(1))) {
                poll();
                table.tuple_into(node, &mut tuple);
                let state = store.get(table.orbit(node));
                letters
                    .read(machine, &state, (tracked, &tuple), letter)
                    .map_err(|why| undefined(system, why))?;
            }
            Ok(found)
        };
        for first in (0..nodes).step_by((PART * PARTS) as usize) {
            let end = nodes.min(first.saturating_add(PART * PARTS));
            let parts = (first..end).step_by(PART as usize).map(|at| at..end.min(at.saturating_add(PART)));
            let found = explorers.look(quotient, parts.clone(), read);
            for (part, found) in parts.zip(found) {
                let found: Vec<u64> = found?;
                part.enumerate().for_each(|(i, node)| each(node, &found[i * words..][..words]));
            }
        }
        Ok(())
    }
}

/// Threads evaluate so many nodes at a time, and so many parts before anything is done with them.
const PART: u32 = 1 << 11;
const PARTS: u32 = 1 << 6;

/// An atom has no value.
fn undefined(system: &System, why: Undefined) -> Stop {
    match why {
        Undefined::Fault(fault) => Stop::Undefined(system.site(fault.site).text.clone()),
        Undefined::Interrupted => Stop::Interrupted,
    }
}

/// Classes in which the elements in some values are alone.
fn isolate_values(system: &System, mut classes: Arc<Classes>, values: &[(&Binder, u64)]) -> Arc<Classes> {
    for (binder, number) in values {
        match *system.types.get(binder.ty) {
            Type::Sort(sort) => {
                // Mostly it is alone already, and then nothing is copied.
                let element = *number as u32;
                if classes.size(sort, classes.lead(sort, element)) > 1 {
                    Arc::make_mut(&mut classes).isolate(sort, element);
                }
            }
            _ => {
                let sorts = system.types.sorts_in(binder.ty);
                sorts.into_iter().for_each(|sort| Arc::make_mut(&mut classes).isolate_all(sort));
            }
        }
    }
    classes
}

/// Whether a condition has a quantifier, as far as can be seen.
fn is_quantified(part: Part<'_>) -> bool {
    let mut found =
        matches!(part, Part::Expr(Expr::Quantify(_) | Expr::Call(_) | Expr::Do(..)) | Part::Stmt(_));
    let mut visit = |inner: Part<'_>| found = found || is_quantified(inner);
    match part {
        Part::Expr(expr) => expr.children(&mut visit),
        Part::Stmt(_) => {}
        Part::Place(_, place) => place.indices.iter().for_each(|index| visit(Part::Expr(&index.value))),
    }
    found
}
