//! What breaks the symmetry of sorts: elements that are named, and sorts whose order matters.
//!
//! Terms know elements only by equality and as indices, so every permutation of a sort keeps what a term
//! says, unless it was noted here. Of a symmetric sort, the permutations that leave named elements where they
//! are remain; a rotation leaves none.

use crate::symmetry::{SortGroup, Symmetry};
use crate::types::{SortId, SortKind, Types};
use std::collections::BTreeSet;

/// What was found to break symmetry.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    named: BTreeSet<(SortId, u32)>,
    ordered: BTreeSet<SortId>,
}

impl Uses {
    /// An element is named.
    pub fn name(&mut self, sort: SortId, element: u32) {
        self.named.insert((sort, element));
    }

    /// The order of the elements matters.
    pub fn order(&mut self, sort: SortId) {
        self.ordered.insert(sort);
    }

    /// What breaks either.
    pub fn join(&mut self, other: Uses) {
        self.named.extend(other.named);
        self.ordered.extend(other.ordered);
    }

    /// The permutations that are left.
    pub fn symmetry(&self, types: &Types) -> Symmetry {
        let is_named = |sort, element| self.named.contains(&(sort, element));
        let sort_group = |sort: SortId, kind, size: u32| match kind {
            _ if self.ordered.contains(&sort) || size < 2 => SortGroup::Fixed,
            SortKind::Symmetric => SortGroup::full((0..size).filter(|&it| !is_named(sort, it)).collect()),
            SortKind::Ring if (0..size).any(|it| is_named(sort, it)) => SortGroup::Fixed,
            SortKind::Ring => SortGroup::Rotations,
        };
        Symmetry::product(types.sorts().map(|(id, sort)| sort_group(id, sort.kind, sort.size)).collect())
    }
}
