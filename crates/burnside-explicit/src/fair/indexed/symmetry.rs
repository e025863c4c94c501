//! Which members are alike in an indexed node: symmetries of the state that leave what is tracked alone.
//!
//! Entry point: [`IndexedQuotient::classes_of`].

use super::{IndexedNodeId, IndexedQuotient, Tracked};
use crate::fair::position::Blocks;
use crate::store::NodeId;
use burnside_ts::Classes;
use std::sync::Arc;

impl IndexedQuotient<'_> {
    /// Which members are alike in a node as long as the automaton is in a state with these blocks; none if
    /// this is not used.
    pub fn classes_of(&mut self, node: IndexedNodeId, blocks: Option<&Blocks>) -> Option<Arc<Classes>> {
        if !self.state_symmetry {
            return None;
        }
        let Tracked { tuple, position } = self.tracked_at(node);
        let mut classes = self.orbit_classes(self.orbit(node));
        classes = self.isolated(classes, &tuple);
        match (blocks, position) {
            (_, None) => {}
            (Some(blocks), Some(position)) => blocks.split(Arc::make_mut(&mut classes), &position),
            (None, Some(_)) => {
                let sorts = self.movable.iter().map(|(sort, _)| *sort);
                sorts.for_each(|sort| Arc::make_mut(&mut classes).isolate_all(sort));
            }
        }
        Some(classes)
    }

    /// Classes in which tracked elements are alone.
    pub(super) fn isolated(&self, mut classes: Arc<Classes>, tuple: &[u64]) -> Arc<Classes> {
        for (sort, &number) in self.sorts.iter().zip(tuple) {
            if let Some(sort) = sort {
                Arc::make_mut(&mut classes).isolate(*sort, number as u32);
            }
        }
        classes
    }

    /// The members that are alike in the representative of an orbit, but for those of opaque sorts.
    pub(super) fn orbit_classes(&mut self, orbit: NodeId) -> Arc<Classes> {
        let mut classes = self.quotient.borrow_mut().classes(orbit);
        for &sort in &self.opaque {
            Arc::make_mut(&mut classes).isolate_all(sort);
        }
        classes
    }
}
