//! Which members are alike, each partition kept once.
//!
//! Entry point: [`ClassTable`]. States have few partitions of their members into classes, so what depends on
//! a partition only (itself with an element taken out, how alike the members are) is computed once for each,
//! and so is the partition of each orbit. If there are many large ones after all, the table starts anew:
//! numbers are good for one expansion only ([`ClassTable::trim`]).

use crate::store::NodeId;
use burnside_ts::{Classes, SortId};
use foldhash::HashMap;
use std::sync::Arc;

/// A partition of the members, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClassesId(pub u32);

/// More bytes of partitions are not kept.
const MOST_BYTES: usize = 128 << 20;
const UNKNOWN: ClassesId = ClassesId(u32::MAX);

/// The partitions met so far.
#[derive(Debug, Default)]
pub(crate) struct ClassTable {
    known: Vec<Arc<Classes>>,
    /// For each the sum of the squares of the sizes of its classes.
    squares: Vec<u64>,
    ids: HashMap<Arc<Classes>, ClassesId>,
    of_node: Vec<ClassesId>,
    isolated: HashMap<(ClassesId, SortId, u32), ClassesId>,
    bytes: usize,
    /// How often it started anew.
    pub epoch: u32,
}

impl ClassTable {
    /// The partition of a node, if it is known.
    #[inline]
    pub fn of_node(&self, node: NodeId) -> Option<ClassesId> {
        self.of_node.get(node.0 as usize).copied().filter(|&id| id != UNKNOWN)
    }

    /// Notes the partition of a node.
    pub fn note(&mut self, node: NodeId, classes: Arc<Classes>) -> ClassesId {
        let id = self.number(classes);
        let i = node.0 as usize;
        if self.of_node.len() <= i {
            self.of_node.resize((i + 1).max(self.of_node.len() * 5 / 4), UNKNOWN);
        }
        self.of_node[i] = id;
        id
    }

    /// The number of a partition.
    pub fn number(&mut self, classes: Arc<Classes>) -> ClassesId {
        if let Some(&id) = self.ids.get(&classes) {
            return id;
        }
        let id = ClassesId(self.known.len() as u32);
        let (elements, squares) = elements_and_squares(&classes);
        self.bytes += 200 + 20 * elements as usize;
        self.squares.push(squares);
        self.ids.insert(classes.clone(), id);
        self.known.push(classes);
        id
    }

    #[inline]
    pub fn get(&self, id: ClassesId) -> &Arc<Classes> {
        &self.known[id.0 as usize]
    }

    /// How alike the members are: for each class the square of its size.
    pub fn squares(&self, id: ClassesId) -> u64 {
        self.squares[id.0 as usize]
    }

    /// The partition with an element in a class of its own.
    pub fn isolated(&mut self, id: ClassesId, sort: SortId, element: u32) -> ClassesId {
        let classes = self.get(id);
        if classes.size(sort, classes.lead(sort, element)) == 1 {
            return id;
        }
        if let Some(&known) = self.isolated.get(&(id, sort, element)) {
            return known;
        }
        let mut classes = self.get(id).clone();
        Arc::make_mut(&mut classes).isolate(sort, element);
        let isolated = self.number(classes);
        self.isolated.insert((id, sort, element), isolated);
        isolated
    }

    /// Starts anew if there is too much.
    pub fn trim(&mut self) {
        if self.bytes > MOST_BYTES {
            self.forget();
        }
    }

    /// Starts anew.
    pub fn forget(&mut self) {
        *self = Self { epoch: self.epoch + 1, ..Self::default() };
    }

    /// Bytes in use, about.
    pub fn bytes(&self) -> usize {
        self.bytes + self.of_node.len() * 4 + self.isolated.len() * 24
    }
}

/// How alike members are: for each class the square of its size.
pub(crate) fn squares(classes: &Classes) -> u64 {
    elements_and_squares(classes).1
}

fn elements_and_squares(classes: &Classes) -> (u64, u64) {
    let sorts = (0..classes.sorts() as u32).map(SortId);
    let sizes = sorts
        .flat_map(|sort| classes.leads(sort).iter().map(move |&lead| u64::from(classes.size(sort, lead))));
    sizes.fold((0, 0), |(sum, squares), size| (sum + size, squares + size * size))
}
