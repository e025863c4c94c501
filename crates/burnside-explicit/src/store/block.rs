//! Many nodes inserted at once by several threads, with the result of inserting them one after the other.
//!
//! Entry points: [`Outgoing`], [`Settled::settle`], [`Store::admits`], then [`Store::insert_block`]. What is
//! to be inserted comes in portions, in their order; the same node may come several times, and its first
//! occurrence counts. It is sorted by groups of hashes as it comes. For each group one thread looks in the
//! store and among what came before, so that it alone knows what is new there; for each portion one thread
//! numbers the new ones and writes them; for each group one thread adds their numbers to its segments of
//! the table. So nothing is shared that is written, and the compiler sees that. Before the insertion itself
//! nothing is written into the store at all.
//!
//! What different threads write at the same time is aligned to two cache lines: if they shared one, each
//! would wait for the other, though it reads nothing of it.

use super::nodes::NodeSlice;
use super::parents::NONE;
use super::table::Segments;
use super::{NodeId, Store, TOUCHED, hashes_of};
use crate::pool::Pool;
use burnside_limits::Pace;
use std::ops::Range;

/// Nodes that wait, in this order, each with a number that says something of it.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// How many words a node has.
    words: usize,
    /// The words of all of them.
    nodes: Vec<u64>,
    hashes: Vec<u64>,
    notes: Vec<u32>,
}

impl Batch {
    /// None, of so many words each.
    pub fn new(words: usize) -> Self {
        Self { words, ..Self::default() }
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.hashes.clear();
        self.notes.clear();
    }

    /// One more.
    #[inline]
    pub fn push(&mut self, node: &[u64], hash: u64, note: u32) {
        // To copy a few words is quicker than to call what copies many.
        self.nodes.extend(node.iter().copied());
        self.hashes.push(hash);
        self.notes.push(note);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// A node, its hash and its number.
    #[inline]
    pub fn get(&self, i: usize) -> (&[u64], u64, u32) {
        (self.node(i), self.hashes[i], self.notes[i])
    }

    /// The hashes of all.
    pub fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    /// The words of a node.
    #[inline]
    pub fn node(&self, i: usize) -> &[u64] {
        &self.nodes[i * self.words..][..self.words]
    }
}

/// What some nodes of a block lead to, by groups of hashes. The numbers in the batches are the places in the
/// order in which it came.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(crate) struct Outgoing {
    groups: Vec<Batch>,
    /// How many bits of a hash choose the group.
    bits: u32,
    count: u32,
    /// For each source, one after the other, where what it leads to ends.
    ends: Vec<u32>,
    /// The first source, if these are predecessors to be kept; they follow each other.
    first: Option<NodeId>,
}

impl Outgoing {
    /// Begins anew, with nodes of so many words in `2^bits` groups.
    pub fn begin(&mut self, words: usize, bits: u32, first: Option<NodeId>) {
        self.groups.resize_with(1 << bits, || Batch::new(words));
        self.groups.iter_mut().for_each(Batch::clear);
        self.ends.clear();
        (self.bits, self.count, self.first) = (bits, 0, first);
    }

    /// The source at hand leads to a node.
    #[inline]
    pub fn push(&mut self, node: &[u64], hash: u64) {
        self.groups[super::table::segment(hash, self.bits)].push(node, hash, self.count);
        self.count += 1;
    }

    /// The next source follows.
    pub fn close(&mut self) {
        self.ends.push(self.count);
    }

    /// For each source, which of all that came it leads to.
    pub fn of_sources(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| start as usize..end as usize)
    }
}

/// Where a node is: in which portion, and which of those of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BatchPlace {
    pub portion: u32,
    pub index: u32,
}

/// What something is that came.
#[derive(Clone, Copy, Debug)]
enum Resolved {
    /// A node of the store.
    Old(NodeId),
    /// A new node of this group.
    New(u32),
}

/// What is new in a group of hashes, and lists to find that out.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// The first occurrences of new nodes, in order.
    places: Vec<BatchPlace>,
    /// For each portion, where those of it end.
    ends: Vec<u32>,
    /// A table of these: bits of the hash, and which it is, from 1 on.
    slots: Vec<u64>,
    /// Hashes and numbers of them.
    numbers: Vec<(u64, u32)>,
    /// What everything is that came, if that is wanted, and for each portion where it begins.
    resolved: Vec<Resolved>,
    starts: Vec<u32>,
}

impl Settled {
    /// Finds out what is new in a group of hashes and, if it is to keep that, what everything is that came.
    pub fn settle(&mut self, store: &Store, portions: &[&Outgoing], group: usize, keeps: bool) {
        let size = (2 * self.places.len()).next_power_of_two().max(64);
        self.places.clear();
        self.ends.clear();
        self.slots.clear();
        self.slots.resize(size, 0);
        self.resolved.clear();
        self.starts.clear();
        let mut pace = Pace::every(16);
        for (portion, outgoing) in (0..).zip(portions) {
            let batch = &outgoing.groups[group];
            self.starts.push(self.resolved.len() as u32);
            for (start, hashes) in (0..).step_by(TOUCHED).zip(batch.hashes.chunks(TOUCHED)) {
                pace.poll();
                store.touch(hashes);
                for (index, &hash) in (start..).zip(hashes) {
                    let resolved = match store.find(batch.node(index as usize), hash) {
                        Some(id) => Resolved::Old(id),
                        None => {
                            Resolved::New(self.note(portions, group, BatchPlace { portion, index }, hash))
                        }
                    };
                    if keeps {
                        self.resolved.push(resolved);
                    }
                }
            }
            self.ends.push(self.places.len() as u32);
        }
    }

    /// Which of the new nodes one is that is not in the store.
    fn note(&mut self, portions: &[&Outgoing], group: usize, place: BatchPlace, hash: u64) -> u32 {
        let node =
            |place: BatchPlace| portions[place.portion as usize].groups[group].node(place.index as usize);
        // The highest bits are those of the group.
        let key = hash >> 16 & 0xffff_ffff;
        let (mask, mut at) = (self.slots.len() - 1, key as usize & (self.slots.len() - 1));
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                break;
            }
            let which = slot as u32 - 1;
            if slot >> 32 == key && node(self.places[which as usize]) == node(place) {
                return which;
            }
            at = (at + 1) & mask;
        }
        self.places.push(place);
        self.slots[at] = key << 32 | self.places.len() as u64;
        if 2 * self.places.len() > self.slots.len() {
            self.grow();
        }
        self.places.len() as u32 - 1
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        for slot in std::mem::replace(&mut self.slots, vec![0; mask + 1]).into_iter().filter(|&it| it != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    /// The first occurrences of new nodes, in order.
    pub fn places(&self) -> &[BatchPlace] {
        &self.places
    }

    /// Those of a portion.
    fn of_portion(&self, portion: usize) -> &[BatchPlace] {
        let start = portion.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start as usize..self.ends[portion] as usize]
    }

    /// Gives the new nodes the numbers that they got in their portions.
    fn collect(&mut self, portions: &[&Outgoing], numbered: &[Numbered], group: usize) {
        self.numbers.clear();
        let ids = numbered[..portions.len()].iter().flat_map(|numbered| &numbered.ids[group]);
        let hash =
            |place: &BatchPlace| portions[place.portion as usize].groups[group].hashes[place.index as usize];
        self.numbers.extend(self.places.iter().map(hash).zip(ids.copied()));
    }

    fn add_to(&self, segments: &mut Segments<'_>, hashes: super::table::HashesOf<'_>) {
        segments.add_all(&self.numbers, hashes);
    }
}

/// The nodes that everything in a portion leads to, once what is new was inserted. It was settled to be kept.
pub(crate) fn targets(settled: &[Settled], (portion, outgoing): (usize, &Outgoing), out: &mut Vec<NodeId>) {
    out.clear();
    out.resize(outgoing.count as usize, NodeId(0));
    for (settled, batch) in settled.iter().zip(&outgoing.groups) {
        let resolved = &settled.resolved[settled.starts[portion] as usize..];
        for (&at, resolved) in batch.notes.iter().zip(resolved) {
            out[at as usize] = match *resolved {
                Resolved::Old(id) => id,
                Resolved::New(which) => NodeId(settled.numbers[which as usize].1),
            };
        }
    }
}

/// A new node among all that came in a block.
#[derive(Clone, Copy)]
pub(crate) struct NewNode<'b> {
    pub words: &'b [u64],
    /// Where it came among what its portion leads to.
    pub at: u32,
}

/// A node that is new.
pub(crate) fn new_node<'b>(portion: &'b Outgoing, group: usize, place: BatchPlace) -> NewNode<'b> {
    let (words, _, at) = portion.groups[group].get(place.index as usize);
    NewNode { words, at }
}

/// The numbers of the new nodes of a portion, and lists to find them.
#[repr(align(128))]
#[derive(Debug, Default)]
pub(crate) struct Numbered {
    /// By group, in the order of their places.
    ids: Vec<Vec<u32>>,
    /// The predecessors of the new nodes.
    parents: Vec<u32>,
}

/// Which of all that came in a portion is new, for the thread that numbers it.
#[repr(align(128))]
#[derive(Debug, Default)]
struct NewBits {
    bits: Vec<u64>,
    /// For each word of these, how many are in those before.
    before: Vec<u32>,
}

impl NewBits {
    fn find(&mut self, (portion, outgoing): (usize, &Outgoing), settled: &[Settled]) {
        self.bits.clear();
        self.bits.resize((outgoing.count as usize).div_ceil(64), 0);
        for (settled, batch) in settled.iter().zip(&outgoing.groups) {
            for place in settled.of_portion(portion) {
                let at = batch.notes[place.index as usize];
                self.bits[at as usize / 64] |= 1 << (at % 64);
            }
        }
        self.before.clear();
        let mut count = 0;
        for word in &self.bits {
            self.before.push(count);
            count += word.count_ones();
        }
    }

    /// How many are new before one.
    #[inline]
    fn rank(&self, at: u32) -> u32 {
        let (word, below) = (at as usize / 64, (1u64 << (at % 64)) - 1);
        self.before[word] + (self.bits[word] & below).count_ones()
    }

    /// Where they come from, appended.
    fn parents(&self, outgoing: &Outgoing, out: &mut Vec<u32>) {
        let (mut source, mut parent) = (0, outgoing.first.map_or(NONE, |first| first.0));
        for (i, &word) in self.bits.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let at = i as u32 * 64 + word.trailing_zeros();
                while outgoing.ends[source] <= at {
                    source += 1;
                    parent = outgoing.first.map_or(NONE, |first| first.0 + source as u32);
                }
                out.push(parent);
                word &= word - 1;
            }
        }
    }
}

impl Numbered {
    /// Numbers the new nodes of a portion from `base` on and, if they can be written by themselves, does so.
    fn number(
        &mut self,
        new: &mut NewBits,
        (portion, outgoing): (usize, &Outgoing),
        settled: &[Settled],
        base: u32,
        mut nodes: Option<NodeSlice<'_>>,
    ) {
        new.find((portion, outgoing), settled);
        self.ids.resize_with(settled.len(), Vec::new);
        for ((settled, batch), list) in settled.iter().zip(&outgoing.groups).zip(&mut self.ids) {
            let mut ids = std::mem::take(list);
            ids.clear();
            for place in settled.of_portion(portion) {
                let (node, _, at) = batch.get(place.index as usize);
                let rank = new.rank(at);
                ids.push(base + rank);
                if let Some(nodes) = &mut nodes {
                    nodes.set(rank, node);
                }
            }
            *list = ids;
        }
        let mut parents = std::mem::take(&mut self.parents);
        parents.clear();
        new.parents(outgoing, &mut parents);
        self.parents = parents;
    }
}

impl Store {
    /// Whether there is room for what is new.
    pub(crate) fn admits(&self, portions: &[&Outgoing], settled: &[Settled]) -> bool {
        let total = settled.iter().map(|it| it.places.len()).sum::<usize>() as u64;
        let len = u64::from(self.len) + total;
        if len > self.max_nodes.min(u64::from(self.most_nodes)) {
            return false;
        }
        let chunks = total / self.nodes.per_chunk() as u64 + 2;
        let nodes = self.bytes() + chunks * self.chunk_bytes() as u64;
        if nodes > self.max_bytes {
            return false;
        }
        if nodes + self.table.most_growth(total) <= self.max_bytes {
            return true;
        }
        let hashes = settled.iter().enumerate().flat_map(|(group, settled)| {
            let hash = move |place: &BatchPlace| {
                portions[place.portion as usize].groups[group].hashes[place.index as usize]
            };
            settled.places.iter().map(hash)
        });
        nodes + self.table.growth_of(hashes, len as u32) <= self.max_bytes
    }

    /// Inserts what is new. The store must [admit](Store::admits) it.
    pub(crate) fn insert_block(
        &mut self,
        pool: &mut Pool,
        portions: &[&Outgoing],
        settled: &mut [Settled],
        numbered: &mut Vec<Numbered>,
    ) {
        let count = |portion| settled.iter().map(|it| it.of_portion(portion).len() as u32).sum();
        let counts: Vec<u32> = (0..portions.len()).map(count).collect();
        numbered.resize_with(numbered.len().max(portions.len()), Numbered::default);
        self.write_nodes(pool, portions, settled, numbered, &counts);
        for numbered in &numbered[..portions.len()] {
            numbered.parents.iter().for_each(|&parent| self.parents.push(parent));
        }
        let (numbered, groups) = (&*numbered, settled.len());
        let Self { table, nodes, hasher, .. } = self;
        let hashes = |ids: &[u32], to: &mut Vec<u64>| hashes_of(hasher, nodes, ids, to);
        if table.most_groups() < groups {
            for (group, settled) in settled.iter_mut().enumerate() {
                settled.collect(portions, numbered, group);
                for &(hash, id) in &settled.numbers {
                    while !table.fits(hash, id) {
                        table.grow(hash, id, &hashes);
                    }
                    table.add(hash, id);
                }
            }
            return;
        }
        let all = table.groups(groups).into_iter().zip(settled).enumerate();
        pool.each_alone(all, |(group, (mut segments, settled))| {
            settled.collect(portions, numbered, group);
            settled.add_to(&mut segments, &hashes);
        });
        table.weigh();
    }

    /// Numbers the new nodes, of which each portion has so many, and writes them.
    fn write_nodes(
        &mut self,
        pool: &mut Pool,
        portions: &[&Outgoing],
        settled: &[Settled],
        numbered: &mut [Numbered],
        counts: &[u32],
    ) {
        let mut next = self.len;
        let base = |&count: &u32| {
            next += count;
            next - count
        };
        let bases: Vec<u32> = counts.iter().map(base).collect();
        let jobs = portions.iter().zip(numbered.iter_mut()).zip(bases).enumerate();
        let mut new = pool.workers(|_| NewBits::default());
        if let Some(slices) = self.nodes.slices(self.len, counts) {
            pool.each(&mut new, jobs.zip(slices), |new, ((portion, ((outgoing, numbered), base)), nodes)| {
                numbered.number(new, (portion, outgoing), settled, base, Some(nodes));
            });
            self.len = next;
            return;
        }
        pool.each(&mut new, jobs, |new, (portion, ((outgoing, numbered), base))| {
            numbered.number(new, (portion, outgoing), settled, base, None);
        });
        let mut order: Vec<&[u64]> = Vec::new();
        for (portion, (outgoing, numbered)) in portions.iter().zip(numbered).enumerate() {
            order.clear();
            order.resize(counts[portion] as usize, &[]);
            for (group, ids) in numbered.ids.iter().enumerate() {
                for (&id, &place) in ids.iter().zip(settled[group].of_portion(portion)) {
                    order[(id - self.len) as usize] = new_node(outgoing, group, place).words;
                }
            }
            for node in &order {
                self.add_chunk_if_needed();
                self.nodes.set(self.len, node);
                self.len += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Insert;
    use burnside_limits::Limits;

    const BITS: u32 = 2;

    /// A portion of nodes of two words, from sources of three each.
    fn portion(store: &Store, first: Option<u32>, nodes: impl Iterator<Item = [u64; 2]>) -> Outgoing {
        let mut portion = Outgoing::default();
        portion.begin(2, BITS, first.map(NodeId));
        for (i, node) in nodes.enumerate() {
            portion.push(&node, store.hash(&node));
            if i % 3 == 2 {
                portion.close();
            }
        }
        portion.close();
        portion
    }

    fn settled(store: &Store, portions: &[&Outgoing]) -> Vec<Settled> {
        let mut all: Vec<Settled> = (0..1 << BITS).map(|_| Settled::default()).collect();
        for (group, settled) in all.iter_mut().enumerate() {
            settled.settle(store, portions, group, true);
            let resolved = settled.resolved.iter().copied();
            let batches = portions.iter().map(|it| &it.groups[group]);
            let nodes = batches.flat_map(|batch| (0..batch.len()).map(|i| batch.node(i)));
            for (node, resolved) in nodes.zip(resolved) {
                match resolved {
                    Resolved::Old(id) => assert_eq!(*store.get(id), *node),
                    Resolved::New(which) => {
                        let place = settled.places[which as usize];
                        assert_eq!(new_node(portions[place.portion as usize], group, place).words, node);
                    }
                }
            }
        }
        all
    }

    /// Blocks by several threads against insertions one by one: everything is the same.
    #[test]
    fn the_same_as_one_by_one() {
        let node = |i: u64| [i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 45, i % 7 % 2];
        for (threads, compress) in [(1, false), (2, false), (3, false), (2, true)] {
            let limits = Limits { compress, ..Limits::default() };
            let (mut store, mut single) = (Store::new(2, &limits), Store::new(2, &limits));
            let (mut pool, mut numbered) = (Pool::new(threads), Vec::new());
            let mut i = 0;
            for round in 0..200u64 {
                let size = 1 + round * 37 % 900;
                let count = 1 + round % 4;
                let parent = |part: u64| (i + 1000 * part) as u32;
                let portions: Vec<Outgoing> = (0..count)
                    .map(|part| {
                        portion(&store, Some(parent(part)), (0..size).map(|k| node(i + part * size + k)))
                    })
                    .collect();
                let portions: Vec<&Outgoing> = portions.iter().collect();
                let mut new = settled(&store, &portions);
                assert!(store.admits(&portions, &new));
                store.insert_block(&mut pool, &portions, &mut new, &mut numbered);
                for (part, outgoing) in portions.iter().enumerate() {
                    let mut found = Vec::new();
                    targets(&new, (part, outgoing), &mut found);
                    let nodes = (0..size).map(|k| node(i + part as u64 * size + k));
                    assert!(nodes.zip(&found).all(|(node, &id)| *store.get(id) == node));
                    assert_eq!(found.len() as u64, size);
                }
                for k in 0..count * size {
                    let parent = NodeId(parent(k / size) + (k % size / 3) as u32);
                    assert_ne!(single.insert(&node(i + k), Some(parent)), Insert::Full);
                }
                i += count * size;
                assert_eq!(store.len(), single.len());
            }
            assert!(single.len() > 1 << 16, "{}", single.len());
            for id in (0..single.len()).map(NodeId) {
                let node = single.get(id);
                assert_eq!((*store.get(id)).to_vec(), node.to_vec());
                assert_eq!(store.parent(id), single.parent(id));
                assert_eq!(store.find(&node, store.hash(&node)), Some(id));
            }
        }
    }

    #[test]
    fn no_room_is_said_before_anything_is_done() {
        let mut store = Store::new(2, &Limits::of_states(10));
        let (mut pool, mut numbered) = (Pool::new(2), Vec::new());
        let eleven = portion(&store, None, (0..11).map(|i| [i, 0]));
        assert!(!store.admits(&[&eleven], &settled(&store, &[&eleven])));
        let ten = portion(&store, None, (0..10).map(|i| [i, 0]));
        let mut new = settled(&store, &[&ten]);
        assert!(store.admits(&[&ten], &new));
        store.insert_block(&mut pool, &[&ten], &mut new, &mut numbered);
        assert_eq!(store.len(), 10);
        let mut store = Store::new(2, &Limits { memory: Some(1 << 20), ..Limits::default() });
        let many = portion(&store, None, (0..60_000).map(|i| [i, 0]));
        assert!(!store.admits(&[&many], &settled(&store, &[&many])));
        assert_eq!(store.insert(&[0, 0], None), Insert::New(NodeId(0)));
    }

    /// What is admitted does not take more than is allowed, wherever the limit is.
    #[test]
    fn what_is_admitted_fits() {
        let (mut pool, mut numbered) = (Pool::new(2), Vec::new());
        for limit in (1..40).map(|k| k << 17) {
            let mut store = Store::new(2, &Limits { memory: Some(limit), ..Limits::default() });
            for round in 0.. {
                let block = portion(&store, None, (0..3_000).map(|i| [3_000 * round + i, round]));
                let mut new = settled(&store, &[&block]);
                if !store.admits(&[&block], &new) {
                    break;
                }
                store.insert_block(&mut pool, &[&block], &mut new, &mut numbered);
                assert!(store.bytes() <= limit, "{} of {limit}", store.bytes());
            }
        }
    }
}
