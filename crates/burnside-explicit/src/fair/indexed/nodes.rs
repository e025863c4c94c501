//! The table of indexed nodes: an orbit, a tuple of tracked elements and a position, packed into words.
//!
//! Entry point: [`NodeTable`]. If a property tracks nothing and the automaton's names are not moved, there is
//! no table: then the orbits are the indexed nodes themselves.

use super::{IndexedNodeId, Movable, Tracked};
use crate::store::{Insert, NodeId, Store};
use burnside_limits::{Limits, Stop};
use burnside_ts::{Permutation, SortGroup, SortId};

/// How many members of a position are in a word.
const PER_WORD: usize = 4;

/// The indexed nodes found so far.
pub(super) struct NodeTable {
    /// None if there is nothing but orbits.
    store: Option<Store>,
    /// How many elements are tracked.
    tracked: usize,
    /// The sorts of which positions are held.
    movable: Movable,
    identity: Permutation,
    /// The node at hand, packed.
    words: Vec<u64>,
}

impl NodeTable {
    /// For tuples of so many elements, and positions of some sorts.
    pub fn new(tracked: usize, movable: Movable, identity: Permutation, memory: Option<u64>) -> Self {
        let packed = |(sort, _): &(SortId, SortGroup)| identity.images[sort.index()].len().div_ceil(PER_WORD);
        let words = 1 + tracked + movable.iter().map(packed).sum::<usize>();
        let store = (words > 1).then(|| Store::new(words, &Limits { memory, ..Limits::default() }));
        Self { store, tracked, movable, identity, words: Vec::new() }
    }

    /// How many there are; none if they are the orbits.
    pub fn len(&self) -> Option<u32> {
        self.store.as_ref().map(Store::len)
    }

    pub fn bytes(&self) -> u64 {
        self.store.as_ref().map_or(0, Store::bytes)
    }

    /// The orbit of a node.
    pub fn orbit(&self, node: IndexedNodeId) -> NodeId {
        match &self.store {
            None => NodeId(node.0),
            Some(store) => NodeId(store.get(NodeId(node.0))[0] as u32),
        }
    }

    /// Writes the tuple of a node.
    pub fn tuple_into(&self, node: IndexedNodeId, tuple: &mut Vec<u64>) {
        tuple.clear();
        if let Some(store) = &self.store {
            tuple.extend_from_slice(&store.get(NodeId(node.0))[1..1 + self.tracked]);
        }
    }

    /// The node of an orbit with a tuple, which must be canonical, if no positions are held.
    pub fn insert_tuple(&mut self, orbit: NodeId, tuple: &[u64]) -> Result<IndexedNodeId, Stop> {
        let Some(store) = &mut self.store else { return Ok(IndexedNodeId(orbit.0)) };
        self.words.clear();
        self.words.push(u64::from(orbit.0));
        self.words.extend_from_slice(tuple);
        match store.insert(&self.words, None) {
            Insert::New(node) | Insert::Old(node) => Ok(IndexedNodeId(node.0)),
            Insert::Full => Err(store.full()),
        }
    }

    /// What is tracked in a node.
    pub fn tracked(&self, node: IndexedNodeId) -> Tracked {
        let Some(store) = &self.store else { return Tracked::default() };
        let words = &store.get(NodeId(node.0))[1..];
        let (tuple, mut packed) = words.split_at(self.tracked);
        let mut position = (!self.movable.is_empty()).then(|| self.identity.clone());
        for (sort, _) in &self.movable {
            let images = &mut position.as_mut().expect("there are movable sorts").images[sort.index()];
            for (i, image) in images.iter_mut().enumerate() {
                *image = (packed[i / PER_WORD] >> (16 * (i % PER_WORD)) & 0xffff) as u32;
            }
            packed = &packed[images.len().div_ceil(PER_WORD)..];
        }
        Tracked { tuple: tuple.to_vec(), position }
    }

    /// The node of an orbit with what is tracked in it, which must be canonical.
    pub fn insert(&mut self, orbit: NodeId, tracked: &Tracked) -> Result<IndexedNodeId, Stop> {
        let Some(store) = &mut self.store else { return Ok(IndexedNodeId(orbit.0)) };
        let words = &mut self.words;
        words.clear();
        words.push(u64::from(orbit.0));
        words.extend(&tracked.tuple);
        for (sort, _) in &self.movable {
            let images = &tracked.position.as_ref().expect("there are movable sorts").images[sort.index()];
            let pack = |part: &[u32]| part.iter().rev().fold(0, |word, &image| word << 16 | u64::from(image));
            words.extend(images.chunks(PER_WORD).map(pack));
        }
        match store.insert(words, None) {
            Insert::New(node) | Insert::Old(node) => Ok(IndexedNodeId(node.0)),
            Insert::Full => Err(store.full()),
        }
    }
}
