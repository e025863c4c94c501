//! The letters that an automaton reads: which atoms are true in an indexed node.
//!
//! Entry points: [`IndexedQuotient::letter_of`], which numbers letters and remembers them by node, and
//! [`IndexedQuotient::evaluate`]. Quantifiers inside an atom look at one of several members that are alike;
//! members that the atom names are not like any other.

use super::{IndexedNodeId, IndexedQuotient};
use crate::fair::Atom;
use burnside_limits::{Stop, poll};
use burnside_ts::{Binder, Classes, Expr, Part, StepFilter, System, Type, Undefined};
use foldhash::HashMap;
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
        letter.resize(self.letters.atoms.len().div_ceil(64), 0);
        let orbit = self.orbit(node);
        let position = if self.movable.is_empty() { None } else { self.tracked_at(node).position };
        self.nodes.tuple_into(node, &mut self.tuple);
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
            match self.quotient.borrow_mut().holds(orbit, atom.condition, bound, filter) {
                Ok(value) => letter[i / 64] |= u64::from(value) << (i % 64),
                Err(Undefined::Fault(fault)) => {
                    return Err(Stop::Undefined(self.system().site(fault.site).text.clone()));
                }
                Err(Undefined::Interrupted) => return Err(Stop::Interrupted),
            }
        }
        Ok(())
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
