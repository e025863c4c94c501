//! Live_Rep's model: the part of a system that lies on a set of states, such as the representatives of a
//! search.
//!
//! Entry point: [`Restricted::new`]. Every path in it is one of the system, so what it violates of ACTL is
//! violated; nothing is proved. A state without a step in it may have steps in the system, so only infinite
//! paths and ends that are ends of the system count. Rules that never stay inside are left out, and the
//! relations of the others are simplified where they start outside.

use crate::relation::Relation;
use crate::space::Space;
use crate::store::{Out, Set};

/// A system on some of its states.
#[derive(Debug)]
pub struct Restricted<'q, 's> {
    space: &'q Space<'s>,
    within: Set,
    /// By step of the space, ascending.
    steps: Vec<(usize, Relation)>,
}

impl<'q, 's> Restricted<'q, 's> {
    /// The part of a system on some states.
    pub fn new(space: &'q Space<'s>, within: &Set) -> Out<Self> {
        let (store, layout) = (&space.store, &space.layout);
        let mut steps = Vec::new();
        for (i, step) in space.steps.iter().enumerate() {
            store.poll()?;
            if step.relation.image(within)?.is_apart(within)? {
                continue;
            }
            steps.push((i, step.relation.simplified(store, layout, within)?));
        }
        Ok(Self { space, within: within.clone(), steps })
    }

    /// The states.
    pub fn within(&self) -> &Set {
        &self.within
    }

    /// The initial states among them.
    pub fn initial(&self) -> Out<Set> {
        self.space.initial.and(&self.within)
    }

    /// Which steps of the space are left, each with its relation from states inside; where it leads may be
    /// outside.
    pub(crate) fn steps(&self) -> &[(usize, Relation)] {
        &self.steps
    }

    /// The states inside after a step from some states inside.
    pub fn image(&self, states: &Set) -> Out<Set> {
        let from = states.and(&self.within)?;
        let mut images = Vec::new();
        for (_, relation) in &self.steps {
            self.space.store.poll()?;
            images.push(relation.image(&from)?);
        }
        self.space.store.union(images)?.and(&self.within)
    }

    /// The states inside from which a step leads to some states inside.
    pub fn preimage(&self, states: &Set) -> Out<Set> {
        let to = states.and(&self.within)?;
        let mut images = Vec::new();
        for (_, relation) in &self.steps {
            self.space.store.poll()?;
            images.push(relation.preimage(&to)?.and(&self.within)?);
        }
        self.space.store.union(images)
    }

    /// Nodes of all relations.
    pub fn relation_size(&self) -> usize {
        self.steps.iter().map(|(_, relation)| relation.size()).sum()
    }
}
