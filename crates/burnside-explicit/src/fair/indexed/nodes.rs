//! The table of indexed nodes: an orbit, a tuple of tracked elements and a position.
//!
//! Entry point: [`NodeTable`]. If a property tracks nothing and the automaton's names are not moved, there is
//! no table: then the orbits are the indexed nodes themselves. If there are few tuples, a node is found by
//! its orbit and the number of its tuple. Otherwise all that it is is packed into words, and found by these.

use super::{IndexedNodeId, Movable, Tracked};
use crate::store::{Insert, NodeId, Store};
use burnside_limits::{Large, Limits, Stop};
use burnside_ts::{Permutation, SortGroup, SortId};

/// How many members of a position are in a word.
const PER_WORD: usize = 4;

/// With more tuples than this, nodes are not found by number.
const MOST_NUMBERED: u64 = 32;

/// The indexed nodes found so far.
pub(super) struct NodeTable {
    nodes: Nodes,
    /// How many elements are tracked.
    tracked: usize,
    /// The sorts of which positions are held.
    movable: Movable,
    identity: Permutation,
    /// The node at hand, packed.
    words: Vec<u64>,
}

enum Nodes {
    /// There is nothing but orbits.
    Orbits,
    Numbered(NumberedNodes),
    Packed(Store),
}

/// Nodes by their orbit and the number of their tuple.
struct NumberedNodes {
    /// For each tracked name how many values it has.
    sizes: Box<[u64]>,
    /// How many tuples there are.
    tuples: u32,
    /// By orbit and tuple; [`NONE`] if it was not found yet.
    ids: Vec<u32>,
    /// By number: orbit and tuple.
    nodes: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl NumberedNodes {
    fn number(&self, tuple: &[u64]) -> u32 {
        self.sizes.iter().zip(tuple).fold(0, |number, (size, element)| number * size + element) as u32
    }

    fn tuple(&self, number: u32, tuple: &mut Vec<u64>) {
        let (start, mut rest) = (tuple.len(), u64::from(number));
        for size in self.sizes.iter().rev() {
            tuple.push(rest % size);
            rest /= size;
        }
        tuple[start..].reverse();
    }

    #[inline]
    fn insert(&mut self, orbit: NodeId, number: u32) -> Result<u32, Stop> {
        let at = orbit.0 as usize * self.tuples as usize + number as usize;
        if self.ids.len() <= at {
            self.ids.resize((at + 1).max(self.ids.len() * 5 / 4), NONE);
        }
        if self.ids[at] == NONE {
            if self.nodes.len() == NONE as usize {
                return Err(Stop::TooLarge(Large::States));
            }
            self.ids[at] = self.nodes.len() as u32;
            self.nodes.push((orbit.0, number));
        }
        Ok(self.ids[at])
    }
}

impl NodeTable {
    /// For tuples of elements, of which there are so many each, and positions of some sorts.
    pub fn new(sizes: &[u64], movable: Movable, identity: Permutation, memory: Option<u64>) -> Self {
        let tracked = sizes.len();
        let tuples = sizes.iter().try_fold(1u64, |tuples, size| tuples.checked_mul(*size));
        let packed = |(sort, _): &(SortId, SortGroup)| packed_words(&identity, *sort);
        let words = 1 + tracked + movable.iter().map(packed).sum::<usize>();
        let nodes = match tuples.filter(|&tuples| tuples <= MOST_NUMBERED && movable.is_empty()) {
            _ if words == 1 => Nodes::Orbits,
            Some(tuples) => Nodes::Numbered(NumberedNodes {
                sizes: sizes.into(),
                tuples: tuples as u32,
                ids: Vec::new(),
                nodes: Vec::new(),
            }),
            None => Nodes::Packed(Store::new(words, &Limits { memory, ..Limits::default() })),
        };
        Self { nodes, tracked, movable, identity, words: Vec::new() }
    }

    /// How many there are; none if they are the orbits.
    pub fn len(&self) -> Option<u32> {
        match &self.nodes {
            Nodes::Orbits => None,
            Nodes::Numbered(numbered) => Some(numbered.nodes.len() as u32),
            Nodes::Packed(store) => Some(store.len()),
        }
    }

    pub fn bytes(&self) -> u64 {
        match &self.nodes {
            Nodes::Orbits => 0,
            Nodes::Numbered(numbered) => (numbered.ids.len() * 4 + numbered.nodes.len() * 8) as u64,
            Nodes::Packed(store) => store.bytes(),
        }
    }

    /// How many words say what is tracked in a node, apart from its orbit.
    pub fn width(&self) -> usize {
        let packed = |(sort, _): &(SortId, SortGroup)| packed_words(&self.identity, *sort);
        self.tracked + self.movable.iter().map(packed).sum::<usize>()
    }

    /// Appends these words for a node.
    pub fn export(&self, node: IndexedNodeId, out: &mut Vec<u64>) {
        match &self.nodes {
            Nodes::Orbits => {}
            Nodes::Numbered(numbered) => numbered.tuple(numbered.nodes[node.0 as usize].1, out),
            Nodes::Packed(store) => out.extend_from_slice(&store.get(NodeId(node.0))[1..]),
        }
    }

    /// The node of an orbit with such words.
    pub fn import(&mut self, orbit: NodeId, words: &[u64]) -> Result<IndexedNodeId, Stop> {
        self.insert_tuple(orbit, words)
    }

    /// Forgets all nodes.
    pub fn forget(&mut self) {
        let words = 1 + self.width();
        match &mut self.nodes {
            Nodes::Orbits => {}
            Nodes::Numbered(numbered) => {
                numbered.ids.clear();
                numbered.nodes.clear();
            }
            Nodes::Packed(store) => *store = Store::new(words, &Limits::default()),
        }
    }

    /// The orbit of a node.
    #[inline]
    pub fn orbit(&self, node: IndexedNodeId) -> NodeId {
        match &self.nodes {
            Nodes::Orbits => NodeId(node.0),
            Nodes::Numbered(numbered) => NodeId(numbered.nodes[node.0 as usize].0),
            Nodes::Packed(store) => NodeId(store.get(NodeId(node.0))[0] as u32),
        }
    }

    /// Writes the tuple of a node.
    #[inline]
    pub fn tuple_into(&self, node: IndexedNodeId, tuple: &mut Vec<u64>) {
        tuple.clear();
        match &self.nodes {
            Nodes::Orbits => {}
            Nodes::Numbered(numbered) => numbered.tuple(numbered.nodes[node.0 as usize].1, tuple),
            Nodes::Packed(store) => {
                tuple.extend_from_slice(&store.get(NodeId(node.0))[1..1 + self.tracked]);
            }
        }
    }

    /// The node of an orbit with a tuple, which must be canonical, if no positions are held.
    #[inline]
    pub fn insert_tuple(&mut self, orbit: NodeId, tuple: &[u64]) -> Result<IndexedNodeId, Stop> {
        match &mut self.nodes {
            Nodes::Orbits => Ok(IndexedNodeId(orbit.0)),
            Nodes::Numbered(numbered) => numbered.insert(orbit, numbered.number(tuple)).map(IndexedNodeId),
            Nodes::Packed(store) => {
                self.words.clear();
                self.words.push(u64::from(orbit.0));
                self.words.extend_from_slice(tuple);
                insert(store, &self.words)
            }
        }
    }

    /// What is tracked in a node.
    pub fn tracked(&self, node: IndexedNodeId) -> Tracked {
        let mut tuple = Vec::with_capacity(self.tracked);
        self.tuple_into(node, &mut tuple);
        let Nodes::Packed(store) = &self.nodes else { return Tracked { tuple, position: None } };
        let mut packed = &store.get(NodeId(node.0))[1 + self.tracked..];
        let mut position = (!self.movable.is_empty()).then(|| self.identity.clone());
        for (sort, _) in &self.movable {
            let images = &mut position.as_mut().expect("there are movable sorts").images[sort.index()];
            for (i, image) in images.iter_mut().enumerate() {
                *image = (packed[i / PER_WORD] >> (16 * (i % PER_WORD)) & 0xffff) as u32;
            }
            packed = &packed[images.len().div_ceil(PER_WORD)..];
        }
        Tracked { tuple, position }
    }

    /// The node of an orbit with what is tracked in it, which must be canonical.
    pub fn insert(&mut self, orbit: NodeId, tracked: &Tracked) -> Result<IndexedNodeId, Stop> {
        let store = match &mut self.nodes {
            Nodes::Packed(store) if !self.movable.is_empty() => store,
            _ => return self.insert_tuple(orbit, &tracked.tuple),
        };
        let words = &mut self.words;
        words.clear();
        words.push(u64::from(orbit.0));
        words.extend(&tracked.tuple);
        for (sort, _) in &self.movable {
            let images = &tracked.position.as_ref().expect("there are movable sorts").images[sort.index()];
            let pack = |part: &[u32]| part.iter().rev().fold(0, |word, &image| word << 16 | u64::from(image));
            words.extend(images.chunks(PER_WORD).map(pack));
        }
        insert(store, words)
    }
}

/// How many words the members of a sort take in a position.
fn packed_words(identity: &Permutation, sort: SortId) -> usize {
    identity.images[sort.index()].len().div_ceil(PER_WORD)
}

fn insert(store: &mut Store, words: &[u64]) -> Result<IndexedNodeId, Stop> {
    match store.insert(words, None) {
        Insert::New(node) | Insert::Old(node) => Ok(IndexedNodeId(node.0)),
        Insert::Full => Err(store.full()),
    }
}
