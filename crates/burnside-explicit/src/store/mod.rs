//! The set of states found so far: fixed-width nodes in the order of discovery, a hash table over them, and
//! for each node the one it was first reached from.
//!
//! Per node: its bytes (`nodes`, or fewer: `packed`), two bits for the predecessor if these come in
//! ascending order (`parents`), and 5 to 8 of table (`table`). Nodes live in chunks that never move.

mod block;
mod kept;
mod nodes;
mod packed;
mod parents;
mod table;

pub(crate) use block::{Batch, BatchPlace, Numbered, Outgoing, Settled, new_node, targets};
use burnside_limits::{Large, Limits, Pace, Stop};
use burnside_ts::System;
use foldhash::fast::FixedState;
pub use nodes::Node;
use nodes::NodeWords;
use parents::{NONE, Parents};
use std::hash::{BuildHasher, Hasher};
use table::{Density, Table};

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
    parents: Parents,
    len: u32,
    table: Table,
    max_nodes: u64,
    max_bytes: u64,
    /// Less in tests.
    most_nodes: u32,
    hasher: FixedState,
}

/// So many nodes are read together.
const TOUCHED: usize = 64;

/// Numbers of nodes are below this, which is enough for all that fits into memory.
const MOST_NODES: u32 = u32::MAX - 1;

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
            nodes: NodeWords::new(bits, limits.compress),
            parents: Parents::default(),
            len: 0,
            table: Table::new(if limits.compress { Density::TIGHT } else { Density::LOOSE }),
            max_nodes: limits.states.unwrap_or(u64::MAX),
            max_bytes: limits.memory.unwrap_or(u64::MAX),
            most_nodes: MOST_NODES,
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
        (self.nodes.bytes() + self.parents.bytes()) as u64 + self.table.bytes()
    }

    /// The words of a node.
    #[inline]
    pub fn get(&self, id: NodeId) -> Node<'_> {
        self.nodes.get(id.0)
    }

    /// The node that this one was first reached from; none if it is initial.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Some(self.parents.get(id.0)).filter(|&parent| parent != NONE).map(NodeId)
    }

    /// The nodes from an initial one to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// The node with these words and their hash, if it is there.
    #[inline]
    pub fn find(&self, node: &[u64], hash: u64) -> Option<NodeId> {
        self.table.find(hash, |id| self.nodes.is(id, node)).map(NodeId)
    }

    /// Adds a node unless it is there.
    #[inline]
    pub fn insert(&mut self, node: &[u64], parent: Option<NodeId>) -> Insert {
        self.insert_hashed(node, self.hash(node), parent)
    }

    /// The same with the hash of the node.
    #[inline]
    pub fn insert_hashed(&mut self, node: &[u64], hash: u64, parent: Option<NodeId>) -> Insert {
        match self.find(node, hash) {
            Some(id) => Insert::Old(id),
            None => self.add(node, parent, hash),
        }
    }

    /// Reads what insertions with these hashes will read first. Here they wait for the memory together, while
    /// insertions do so one after the other.
    #[inline]
    pub fn touch(&self, hashes: &[u64]) {
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
        self.nodes.set(self.len, node);
        self.parents.push(parent.map_or(NONE, |parent| parent.0));
        self.len += 1;
    }

    /// Why there is no room for more.
    pub fn full(&self) -> Stop {
        match u32::try_from(self.max_nodes) {
            Ok(most) if self.len >= most => Stop::States(self.max_nodes),
            _ if self.len >= self.most_nodes => Stop::TooLarge(Large::States),
            _ => Stop::Memory(self.max_bytes),
        }
    }

    /// Makes sure that one more node with this hash fits. False: it does not.
    fn make_room(&mut self, hash: u64) -> bool {
        if u64::from(self.len) >= self.max_nodes.min(u64::from(self.most_nodes)) {
            return false;
        }
        while !self.table.fits(hash, self.len) {
            if self.bytes() + self.table.growth(hash, self.len) > self.max_bytes {
                return false;
            }
            self.grow_table(hash, self.len);
        }
        if self.needs_chunk() && self.bytes() + self.chunk_bytes() as u64 > self.max_bytes {
            return false;
        }
        self.add_chunk_if_needed();
        true
    }

    /// Whether the next node is the first of its chunk.
    fn needs_chunk(&self) -> bool {
        self.len as usize / self.nodes.per_chunk() == self.nodes.len()
    }

    fn add_chunk_if_needed(&mut self) {
        if self.needs_chunk() {
            self.nodes.add_chunk();
        }
    }

    #[cold]
    fn grow_table(&mut self, hash: u64, id: u32) {
        let Self { table, nodes, hasher, .. } = self;
        table.grow(hash, id, &|ids, hashes| hashes_of(hasher, nodes, ids, hashes));
    }

    /// How many bytes more nodes and predecessors may have after one more chunk.
    fn chunk_bytes(&self) -> usize {
        self.nodes.chunk_bytes() + Parents::growth(self.nodes.per_chunk())
    }

    /// The hash of a node.
    #[inline]
    pub fn hash(&self, node: &[u64]) -> u64 {
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

/// Adds the hashes of some nodes to a list.
fn hashes_of(hasher: &FixedState, nodes: &NodeWords, ids: &[u32], hashes: &mut Vec<u64>) {
    let mut pace = Pace::every(64);
    for ids in ids.chunks(TOUCHED) {
        pace.poll();
        std::hint::black_box(ids.iter().fold(0, |all, &id| all ^ nodes.touch(id)));
        hashes.extend(ids.iter().map(|&id| hash_of(hasher, &nodes.get(id))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A long pseudo-random sequence with many repetitions, against a map of the standard library.
    #[test]
    fn agrees_with_a_map() {
        for (words, compress) in [0usize, 1, 2, 5].into_iter().flat_map(|it| [(it, false), (it, true)]) {
            let mut store = Store::new(words, &Limits { compress, ..Limits::default() });
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
            store.insert(&[i, !i], Some(NodeId((i / 2) as u32)));
            if i > 100_000 {
                assert!(store.bytes() <= u64::from(store.len()) * (16 + 10), "{} at {i}", store.bytes());
            }
        }
    }

    /// Of nodes with a thousand parts on either side little more is kept than which these are.
    #[test]
    fn packed_nodes_are_small() {
        let mut store = Store::new(2, &Limits { compress: true, ..Limits::default() });
        for i in 0..1_000_000u64 {
            let node = [i % 1000, i / 1000].map(|part| part.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert_eq!(store.insert(&node, Some(NodeId((i / 2) as u32))), Insert::New(NodeId(i as u32)));
        }
        assert!(store.bytes() <= 1_000_000 * 9, "{}", store.bytes());
    }

    /// With a limit on memory nothing is taken beyond it, whatever nodes are like.
    #[test]
    fn packed_nodes_keep_to_the_limit() {
        for limit in (1..30).map(|k| k << 16) {
            let mut store =
                Store::new(3, &Limits { compress: true, memory: Some(limit), ..Limits::default() });
            let node = |i: u64| [i, i.wrapping_mul(0x9e37_79b9_7f4a_7c15), i / 5];
            let added = (0..).take_while(|&i| store.insert(&node(i), None) != Insert::Full).count();
            assert!(store.bytes() <= limit || added == 0, "{added}: {} of {limit}", store.bytes());
        }
    }

    /// Numbers of nodes that do not go on without end, as if they ended sooner.
    #[test]
    fn says_when_there_are_no_more_numbers() {
        let mut store = Store::new(1, &Limits::default());
        store.most_nodes = 3;
        assert!((0..3).all(|i| store.insert(&[i], None) == Insert::New(NodeId(i as u32))));
        assert_eq!((store.insert(&[3], None), store.full()), (Insert::Full, Stop::TooLarge(Large::States)));
        assert_eq!(store.insert(&[2], None), Insert::Old(NodeId(2)));
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
