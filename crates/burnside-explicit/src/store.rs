//! The set of states found so far: fixed-width nodes in the order of discovery, an open-addressing table over
//! them, and for each node the one it was first reached from.
//!
//! Per node: its words, 4 bytes for the predecessor and, with the table between 53 % and 80 % full, 6.3 to
//! 9.4 bytes of table. Nodes live in chunks that never move; the table holds a one-byte tag and a 32-bit id
//! per slot, so that most misses are settled without looking at a node. Growing the table reads the nodes in
//! order and frees the old table first.

use burnside_limits::{Large, Limits, Pace, Stop};
use foldhash::fast::FixedState;
use std::hash::{BuildHasher, Hasher};

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
    words: usize,
    /// Binary logarithm of the number of nodes in a chunk.
    shift: u32,
    nodes: Vec<Box<[u64]>>,
    parents: Vec<Box<[u32]>>,
    len: u32,
    tags: Box<[u8]>,
    ids: Box<[u32]>,
    /// How many nodes the table takes before it grows.
    room: u32,
    max_nodes: u64,
    max_bytes: u64,
    hasher: FixedState,
}

const CHUNK_BYTES: usize = 1 << 18;
const FIRST_SLOTS: usize = 1 << 10;
/// The predecessor of an initial node.
const NONE: u32 = u32::MAX;

impl Store {
    /// An empty store for nodes of so many words, with the limits on states and memory.
    pub fn new(words: usize, limits: &Limits) -> Self {
        let per_chunk = (CHUNK_BYTES / (8 * words.max(1))).max(1);
        let mut store = Self {
            words,
            shift: per_chunk.ilog2(),
            nodes: Vec::new(),
            parents: Vec::new(),
            len: 0,
            tags: Box::new([]),
            ids: Box::new([]),
            room: 0,
            max_nodes: limits.states.unwrap_or(u64::MAX),
            max_bytes: limits.memory.unwrap_or(u64::MAX),
            hasher: FixedState::with_seed(0x6f72_6269_7473),
        };
        store.make_table(FIRST_SLOTS);
        store
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
        (self.nodes.len() * self.chunk_bytes() + self.tags.len() * 5) as u64
    }

    /// The words of a node.
    pub fn get(&self, id: NodeId) -> &[u64] {
        let (chunk, at) = self.split(id.0);
        &self.nodes[chunk][at * self.words..(at + 1) * self.words]
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

    /// Adds a node unless it is there.
    #[inline]
    pub fn insert(&mut self, node: &[u64], parent: Option<NodeId>) -> Insert {
        self.insert_hashed(node, self.hash(node), parent)
    }

    /// The same with the hash of the node.
    #[inline]
    pub(crate) fn insert_hashed(&mut self, node: &[u64], hash: u64, parent: Option<NodeId>) -> Insert {
        let (mut slot, tag) = self.slot(hash);
        while self.tags[slot] != 0 {
            // Nodes are short: a call to compare them would take longer than to do it here.
            if self.tags[slot] == tag && self.get(NodeId(self.ids[slot])).iter().eq(node) {
                return Insert::Old(NodeId(self.ids[slot]));
            }
            slot = self.following(slot);
        }
        self.add(node, parent, hash)
    }

    /// Reads what an insertion with this hash will read first. Several of these wait for the memory together,
    /// while insertions do so one after the other. The result means nothing.
    #[inline]
    pub(crate) fn touch(&self, hash: u64) -> u64 {
        let (slot, tag) = self.slot(hash);
        let id = self.ids[slot];
        if self.tags[slot] == tag { self.get(NodeId(id)).first().copied().unwrap_or(0) } else { 0 }
    }

    #[inline(never)]
    fn add(&mut self, node: &[u64], parent: Option<NodeId>, hash: u64) -> Insert {
        if !self.make_room() {
            return Insert::Full;
        }
        let id = self.len;
        let (chunk, at) = self.split(id);
        self.nodes[chunk][at * self.words..(at + 1) * self.words].copy_from_slice(node);
        self.parents[chunk][at] = parent.map_or(NONE, |parent| parent.0);
        self.len += 1;
        self.link(id, hash);
        Insert::New(NodeId(id))
    }

    /// Why there is no room for more.
    pub fn full(&self) -> Stop {
        match u32::try_from(self.max_nodes) {
            Ok(most) if self.len >= most => Stop::States(self.max_nodes),
            _ if self.len >= NONE - 1 => Stop::TooLarge(Large::States),
            _ => Stop::Memory(self.max_bytes),
        }
    }

    /// Makes sure that one more node fits. False: it does not.
    fn make_room(&mut self) -> bool {
        if u64::from(self.len) >= self.max_nodes.min(u64::from(NONE - 1)) {
            return false;
        }
        if self.len == self.room {
            let slots = self.tags.len() + self.tags.len() / 2;
            let growth = (slots - self.tags.len()) as u64 * 5;
            if self.bytes() + growth > self.max_bytes {
                return false;
            }
            self.make_table(slots);
        }
        if self.split(self.len).0 == self.nodes.len() {
            if self.bytes() + self.chunk_bytes() as u64 > self.max_bytes {
                return false;
            }
            self.nodes.push(vec![0; self.words << self.shift].into());
            self.parents.push(vec![NONE; 1 << self.shift].into());
        }
        true
    }

    fn make_table(&mut self, slots: usize) {
        (self.tags, self.ids) = (Box::new([]), Box::new([]));
        (self.tags, self.ids) = (vec![0; slots].into(), vec![0; slots].into());
        self.room = u32::try_from(slots as u64 * 4 / 5).unwrap_or(u32::MAX);
        let mut pace = Pace::every(4096);
        for id in 0..self.len {
            pace.poll();
            let hash = self.hash(self.get(NodeId(id)));
            self.link(id, hash);
        }
    }

    fn link(&mut self, id: u32, hash: u64) {
        let (mut slot, tag) = self.slot(hash);
        while self.tags[slot] != 0 {
            slot = self.following(slot);
        }
        self.tags[slot] = tag;
        self.ids[slot] = id;
    }

    fn chunk_bytes(&self) -> usize {
        (self.words * 8 + 4) << self.shift
    }

    fn split(&self, id: u32) -> (usize, usize) {
        ((id >> self.shift) as usize, (id & ((1 << self.shift) - 1)) as usize)
    }

    /// The hash of a node.
    #[inline]
    pub(crate) fn hash(&self, node: &[u64]) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        for &word in node {
            hasher.write_u64(word);
        }
        hasher.finish()
    }

    /// The first slot to look at (by the high bits) and the tag (by the low ones; never 0).
    fn slot(&self, hash: u64) -> (usize, u8) {
        let slot = (u128::from(hash) * self.tags.len() as u128) >> 64;
        (slot as usize, ((hash & 0xff) as u8).max(1))
    }

    fn following(&self, slot: usize) -> usize {
        if slot + 1 == self.tags.len() { 0 } else { slot + 1 }
    }
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
                assert_eq!(store.get(NodeId(*id)), node);
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
