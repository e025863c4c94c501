//! Generators of a group of permutations, ready to be applied to sets of states.
//!
//! Entry points: [`generators`] for a whole group, [`Generator::new`] for one permutation. Applying one is a
//! replacement of variables that is made once and used again and again.

use super::action::Mover;
use super::good::Quality;
use crate::space::Space;
use crate::store::{Bit, Out, Renaming, Set};
use burnside_ts::{Permutation, Symmetry, System};

/// Cycles that a name shows.
const SHOWN: usize = 6;

/// A permutation that acts on sets of states.
#[derive(Debug)]
pub struct Generator {
    name: String,
    permutation: Permutation,
    /// Each bit of a state, replaced by what it was before the permutation.
    current: Renaming,
    /// The same for the states after a step.
    next: Renaming,
    /// The same for both.
    both: Renaming,
    /// The valuations that are states, and those that are states after a step.
    proper: (Set, Set),
    /// Whether other valuations are not moved one to one.
    sorts: bool,
    /// Whether it is a symmetry of the system.
    pub quality: Quality,
}

impl Generator {
    /// A permutation on the states of a system. Nobody has checked it yet.
    pub fn new(space: &Space<'_>, permutation: Permutation) -> Out<Self> {
        let (store, layout) = (&space.store, &space.layout);
        let mover = Mover::new(space.system, store);
        // A state is in the image exactly if what it was before is in the set.
        let inverse = permutation.inverse();
        let pairs = |bits: &[Bit]| -> Out<(Vec<(Bit, Set)>, Set)> {
            let sets: Vec<Set> = bits.iter().map(|&bit| store.bit(bit)).collect();
            let moved = mover.state(&inverse, &sets)?;
            let proper = mover.proper(&sets)?;
            let changed = bits.iter().zip(&sets).zip(moved).filter(|((_, old), new)| *old != new);
            Ok((changed.map(|((&bit, _), new)| (bit, new)).collect(), proper))
        };
        let (current, proper) = pairs(&layout.current)?;
        let (next, proper_next) = pairs(&layout.next)?;
        Ok(Self {
            name: name(space.system, &permutation),
            permutation,
            both: store.renaming(current.iter().chain(&next).cloned()),
            current: store.renaming(current),
            next: store.renaming(next),
            proper: (proper, proper_next),
            sorts: mover.sorts(),
            quality: Quality::Unchecked("nobody has checked it".to_string()),
        })
    }

    /// Its cycles.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it moves where.
    pub fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    /// The moved states of a set. Variables that are not bits of states stay as they are.
    pub fn image(&self, states: &Set) -> Out<Set> {
        let moved = states.renamed(&self.current)?;
        if self.sorts { moved.and(&self.proper.0) } else { Ok(moved) }
    }

    /// Pairs of states of which the second is moved.
    pub(super) fn image_of_second(&self, pairs: &Set) -> Out<Set> {
        let moved = pairs.renamed(&self.next)?;
        if self.sorts { moved.and(&self.proper.1) } else { Ok(moved) }
    }

    /// Pairs of states of which both are moved.
    pub(super) fn image_of_both(&self, pairs: &Set) -> Out<Set> {
        let moved = pairs.renamed(&self.both)?;
        if self.sorts { moved.and(&self.proper.0)?.and(&self.proper.1) } else { Ok(moved) }
    }

    /// Whether a set is mapped to itself. Of valuations that are no states nothing is asked.
    pub fn keeps(&self, states: &Set) -> Out<bool> {
        let states = states.and(&self.proper.0)?;
        Ok(self.image(&states)? == states)
    }
}

/// The generators of a group: swaps of neighbours in each block, a turn by one for rotations, and those that
/// it has besides. One that takes too many nodes is missing: that costs reduction, nothing else.
pub fn generators(space: &Space<'_>, symmetry: &Symmetry) -> Out<Vec<Generator>> {
    let mut all = Vec::new();
    // Neighbours have their bits side by side, so what is far apart in the order of the variables stays
    // untouched.
    for permutation in symmetry.neighbours(&space.system.types) {
        match Generator::new(space, permutation) {
            Ok(generator) => all.push(generator),
            Err(stop) if stop.is_room() => {
                space.store.collect();
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(all)
}

/// The cycles of a permutation, such as `(Client 0 1)`.
fn name(system: &System, permutation: &Permutation) -> String {
    let mut cycles = Vec::new();
    for (id, sort) in system.types.sorts() {
        // That rules move follows from the rest.
        if system.rule_sort == Some(id) {
            continue;
        }
        let text = |element: u32| match &sort.labels {
            Some(labels) => labels[element as usize].clone(),
            None => element.to_string(),
        };
        for cycle in permutation.cycles(id) {
            let elements: Vec<String> = cycle.into_iter().map(text).collect();
            cycles.push(format!("({} {})", sort.name, elements.join(" ")));
        }
    }
    let more = cycles.len() > SHOWN;
    cycles.truncate(SHOWN);
    format!("{}{}", cycles.concat(), if more { "…" } else { "" })
}
