//! The set of states found so far: fixed-width nodes in the order of discovery, a hash table over them, and
//! for each node the one it was first reached from.
//!
//! Per node: its bytes (`nodes`), 4 for the predecessor and 6.4 to 9.6 of table (`table`). Nodes live in
//! chunks that never move.

mod block;
mod nodes;
mod table;

pub(crate) use block::{Batch, in_parallel};
use burnside_limits::{Large, Limits, Stop};
use burnside_ts::System;
use foldhash::fast::FixedState;
pub use nodes::Node;
use nodes::NodeWords;
use std::hash::{BuildHasher, Hasher};
use table::Table;

/// A node, in the order of discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The node is new.
    New(NodeId),
    /// It was there.
    Old(NodeId),
    /// It is not there and there is no room: see [`Store::full`].
    Full,
}

/// A set of nodes.
#[derive(Debug)]
pub struct Store {
    nodes: NodeWords,
    /// By chunk of nodes.
    parents: Vec<Box<[u32]>>,
    len: u32,
    table: Table,
    max_nodes: u64,
    max_bytes: u64,
    hasher: FixedState,
}

/// The predecessor of an initial node.
const NONE: u32 = u32::MAX;

impl Store {
    /// An empty store for nodes of so many words, with the limits on states and memory.
    pub fn new(words: usize, limits: &Limits) -> Self {
        Self::with_widths(&vec![u64::BITS; words], limits)
    }

    /// The same for states of a system with so many words behind each.
    pub fn of_states(system: &System, more: usize, limits: &Limits) -> Self {
        let mut bits = vec![u64::BITS; system.words() + more];
        if let Some(last) = system.words().checked_sub(1) {
            bits[last] = system.width - last as u32 * u64::BITS;
        }
        Self::with_widths(&bits, limits)
    }

    /// The same for nodes whose words have so many low bits each.
    fn with_widths(bits: &[u32], limits: &Limits) -> Self {
        Self {
            nodes: NodeWords::new(bits),
            parents: Vec::new(),
            len: 0,
            table: Table::new(),
            max_nodes: limits.states.unwrap_or(u64::MAX),
            max_bytes: limits.memory.unwrap_or(u64::MAX),
            hasher: FixedState::with_seed(0x6f72_6269_7473),
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of nodes, predecessors and table.
    pub fn bytes(&self) -> u64 {
        (self.nodes.len() * self.chunk_bytes()) as u64 + self.table.bytes()
    }

    /// The words of a node.
    #[inline]
    pub fn get(&self, id: NodeId) -> Node<'_> {
        self.nodes.get(id.0)
    }

    /// The node that this one was first reached from; none if it is initial.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        let (chunk, at) = self.split(id.0);
        Some(self.parents[chunk][at]).filter(|&parent| parent != NONE).map(NodeId)
    }

    /// The nodes from an initial one to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// The node with these words.
    #[inline]
    pub(crate) fn find(&self, node: &[u64], hash: u64) -> Option<NodeId> {
        self.table.find(hash, |id| self.nodes.is(id, node)).map(NodeId)
    }

    /// Adds a node unless it is there.
    #[inline]
    pub fn insert(&mut self, node: &[u64], parent: Option<NodeId>) -> Insert {
        self.insert_hashed(node, self.hash(node), parent)
    }

    /// The same with the hash of the node.
    #[inline]
    pub(crate) fn insert_hashed(&mut self, node: &[u64], hash: u64, parent: Option<NodeId>) -> Insert {
        match self.find(node, hash) {
            Some(id) => Insert::Old(id),
            None => self.add(node, parent, hash),
        }
    }

    /// Reads what insertions with these hashes will read first. Here they wait for the memory together, while
    /// insertions do so one after the other.
    #[inline]
    pub(crate) fn touch(&self, hashes: &[u64]) {
        let buckets = hashes.iter().fold(0, |all, &hash| all ^ self.table.touch(hash));
        let nodes = hashes.iter().fold(0, |all, &hash| match self.table.candidate(hash) {
            Some(id) => all ^ self.nodes.touch(id),
            None => all,
        });
        std::hint::black_box(buckets ^ nodes);
    }

    #[inline(never)]
    fn add(&mut self, node: &[u64], parent: Option<NodeId>, hash: u64) -> Insert {
        if !self.make_room(hash) {
            return Insert::Full;
        }
        let id = self.len;
        self.append(node, parent);
        self.table.add(hash, id);
        Insert::New(NodeId(id))
    }

    /// Writes the next node, for which there is a chunk.
    fn append(&mut self, node: &[u64], parent: Option<NodeId>) {
        let (chunk, at) = self.split(self.len);
        self.nodes.set(self.len, node);
        self.parents[chunk][at] = parent.map_or(NONE, |parent| parent.0);
        self.len += 1;
    }

    /// Why there is no room for more.
    pub fn full(&self) -> Stop {
        match u32::try_from(self.max_nodes) {
            Ok(most) if self.len >= most => Stop::States(self.max_nodes),
            _ if self.len >= NONE - 1 => Stop::TooLarge(Large::States),
            _ => Stop::Memory(self.max_bytes),
        }
    }

    /// Makes sure that one more node with this hash fits. False: it does not.
    fn make_room(&mut self, hash: u64) -> bool {
        if u64::from(self.len) >= self.max_nodes.min(u64::from(NONE - 1)) {
            return false;
        }
        while !self.table.has_room(hash, 1) {
            if self.bytes() + self.table.growth(hash) > self.max_bytes {
                return false;
            }
            self.grow_table(hash);
        }
        if self.needs_chunk() && self.bytes() + self.chunk_bytes() as u64 > self.max_bytes {
            return false;
        }
        self.add_chunk_if_needed();
        true
    }

    /// Whether the next node is the first of its chunk.
    fn needs_chunk(&self) -> bool {
        self.split(self.len).0 == self.nodes.len()
    }

    fn add_chunk_if_needed(&mut self) {
        if self.needs_chunk() {
            self.nodes.add_chunk();
            self.parents.push(vec![NONE; self.nodes.per_chunk()].into());
        }
    }

    #[cold]
    fn grow_table(&mut self, hash: u64) {
        let Self { table, nodes, hasher, .. } = self;
        table.grow(hash, &|id| hash_of(hasher, &nodes.get(id)));
    }

    fn chunk_bytes(&self) -> usize {
        self.nodes.chunk_bytes() + size_of::<u32>() * self.nodes.per_chunk()
    }

    fn split(&self, id: u32) -> (usize, usize) {
        let per_chunk = self.nodes.per_chunk();
        (id as usize / per_chunk, id as usize % per_chunk)
    }

    /// The hash of a node.
    #[inline]
    pub(crate) fn hash(&self, node: &[u64]) -> u64 {
        hash_of(&self.hasher, node)
    }
}

#[inline]
fn hash_of(hasher: &FixedState, node: &[u64]) -> u64 {
    let mut hasher = hasher.build_hasher();
    for &word in node {
        hasher.write_u64(word);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A long pseudo-random sequence with many repetitions, against a map of the standard library.
    #[test]
    fn agrees_with_a_map() {
        for words in [0usize, 1, 2, 5] {
            let mut store = Store::new(words, &Limits::default());
            let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
            let mut x = 1u64;
            for i in 0..200_000u64 {
                x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let node: Vec<u64> = (0..words as u64).map(|w| (x >> 33) % 50_000 * (w + 1)).collect();
                let parent = store.len().checked_sub(1).map(NodeId);
                let next = known.len() as u32;
                match store.insert(&node, parent) {
                    Insert::New(id) => assert_eq!(known.insert(node, id.0), None, "at {i}"),
                    Insert::Old(id) => assert_eq!(known.get(&node), Some(&id.0)),
                    Insert::Full => panic!("{}", store.full()),
                }
                assert_eq!(store.len() as usize, known.len());
                assert!(
                    known.len() as u32 == next
                        || store.parent(NodeId(next)) == next.checked_sub(1).map(NodeId)
                );
            }
            for (node, id) in &known {
                assert_eq!(*store.get(NodeId(*id)), **node);
            }
        }
    }

    #[test]
    fn keeps_within_its_promise_of_memory() {
        let mut store = Store::new(2, &Limits::default());
        for i in 0..1_000_000u64 {
            store.insert(&[i, !i], None);
            if i > 100_000 {
                assert!(store.bytes() <= u64::from(store.len()) * (16 + 16), "{} at {i}", store.bytes());
            }
        }
    }

    #[test]
    fn stops_at_its_limits() {
        let mut store = Store::new(1, &Limits::of_states(3));
        for i in 0..3 {
            assert_eq!(store.insert(&[i], None), Insert::New(NodeId(i as u32)));
        }
        assert_eq!((store.insert(&[3], None), store.full()), (Insert::Full, Stop::States(3)));
        assert_eq!(store.insert(&[1], None), Insert::Old(NodeId(1)));
        let mut store = Store::new(1, &Limits { memory: Some(1 << 20), ..Limits::default() });
        let added = (0..).take_while(|&i| matches!(store.insert(&[i], None), Insert::New(_))).count();
        assert!(added > 10_000 && store.bytes() <= 1 << 20);
        assert_eq!(
            (store.insert(&[added as u64], None), store.full()),
            (Insert::Full, Stop::Memory(1 << 20))
        );
    }
}
