//! Which members are alike in an indexed node: symmetries of the state that leave what is tracked alone.
//!
//! Entry point: [`IndexedQuotient::classes_of`].

use super::{IndexedNodeId, IndexedQuotient, Tracked};
use crate::alike::ClassesId;
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
        if self.movable.is_empty() {
            let id = self.classes_id(node);
            return Some(self.quotient.borrow().alike.get(id).clone());
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

    /// Which members are alike in a node, by number, if no positions are held.
    pub fn classes_id(&mut self, node: IndexedNodeId) -> ClassesId {
        let quotient = &mut *self.quotient.borrow_mut();
        let mut id = quotient.classes_id(self.nodes.orbit(node));
        self.nodes.tuple_into(node, &mut self.tuple);
        for (sort, &number) in self.sorts.iter().zip(&self.tuple) {
            if let Some(sort) = sort {
                id = quotient.alike.isolated(id, *sort, number as u32);
            }
        }
        id
    }

    /// The partition with a number.
    pub fn classes_by(&self, id: ClassesId) -> Arc<Classes> {
        self.quotient.borrow().alike.get(id).clone()
    }

    /// How often partitions were counted anew.
    pub fn epoch(&self) -> u32 {
        self.quotient.borrow().alike.epoch
    }

    /// How alike the members are in a node, if no positions are held: for each class the square of its size.
    pub fn alike(&mut self, node: IndexedNodeId) -> u64 {
        if !self.state_symmetry {
            return 0;
        }
        let id = self.classes_id(node);
        self.quotient.borrow().alike.squares(id)
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
        let quotient = &mut *self.quotient.borrow_mut();
        let id = quotient.classes_id(orbit);
        quotient.alike.get(id).clone()
    }
}
