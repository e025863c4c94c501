//! Many nodes inserted at once by several threads, with the result of inserting them one after the other.
//!
//! Entry points: [`Store::absent`], [`distinct`], [`Store::admits`], then [`Store::insert_block`]. What is
//! inserted comes in batches, in their order, and is known not to be in the store; the same node may come
//! several times, and its first occurrence counts. Each thread looks at nodes of some segments of the table,
//! so nothing is shared that is written, and the compiler sees that. Before the insertion itself nothing is
//! written into the store at all.

use super::{NodeId, Store, hashes_of};
use std::sync::{Mutex, PoisonError};

/// Nodes to be inserted, in this order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// How many words a node has.
    words: usize,
    /// The words of all of them.
    nodes: Vec<u64>,
    hashes: Vec<u64>,
    parents: Vec<NodeId>,
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
        self.parents.clear();
    }

    /// One more.
    #[inline]
    pub fn push(&mut self, node: &[u64], hash: u64, parent: NodeId) {
        self.nodes.extend_from_slice(node);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// A node, its hash and where it was reached from.
    #[inline]
    pub fn get(&self, i: usize) -> (&[u64], u64, NodeId) {
        (self.node(i), self.hashes[i], self.parents[i])
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

/// Where a node is: in which batch, and which of its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BatchPlace {
    pub batch: u32,
    pub index: u32,
}

/// A slot of a small table with nothing in it.
const EMPTY: BatchPlace = BatchPlace { batch: u32::MAX, index: u32::MAX };

/// Of the nodes of some batches whose hash belongs to one of `2^bits` groups: the first occurrence of each,
/// in order.
pub(crate) fn distinct(batches: &[&Batch], group: usize, bits: u32) -> Vec<BatchPlace> {
    let is_here = |hash: u64| super::table::segment(hash, bits) == group;
    let here = |batch: &&Batch| batch.hashes.iter().filter(|&&hash| is_here(hash)).count();
    let count: usize = batches.iter().map(here).sum();
    let size = (2 * count).next_power_of_two();
    // What chooses the group says nothing here.
    let start = |hash: u64| (hash << bits >> 20) as usize & (size - 1);
    let mut slots = vec![EMPTY; size];
    let mut found = Vec::with_capacity(count);
    for (number, batch) in (0..).zip(batches) {
        for (index, &hash) in (0..).zip(&batch.hashes) {
            if !is_here(hash) {
                continue;
            }
            let (mut at, place) = (start(hash), BatchPlace { batch: number, index });
            loop {
                let BatchPlace { batch: other, index: there } = slots[at];
                if slots[at] == EMPTY {
                    slots[at] = place;
                    found.push(place);
                    break;
                }
                let (other, there) = (batches[other as usize], there as usize);
                if other.hashes[there] == hash && *other.node(there) == *batch.node(index as usize) {
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
    }
    found
}

impl Store {
    /// Moves the nodes that are not in the store from one batch to the end of another, and says which these
    /// are.
    pub(crate) fn absent(&self, from: &mut Batch, to: &mut Batch, mut each: impl FnMut(usize)) {
        self.touch(&from.hashes);
        for (i, &hash) in from.hashes.iter().enumerate() {
            if self.find(from.node(i), hash).is_none() {
                to.push(from.node(i), hash, from.parents[i]);
                each(i);
            }
        }
        from.clear();
    }

    /// Binary logarithm of the number of groups for so many threads: each has some to do.
    pub(crate) fn group_bits(&self, threads: usize) -> u32 {
        (2 * threads).next_power_of_two().min(self.table.most_groups()).ilog2()
    }

    /// Whether there is room for new nodes of some batches, by group.
    pub(crate) fn admits(&self, batches: &[&Batch], fresh: &[Vec<BatchPlace>]) -> bool {
        let hash = |place: &BatchPlace| batches[place.batch as usize].hashes[place.index as usize];
        let total = fresh.iter().map(Vec::len).sum::<usize>() as u64;
        let len = u64::from(self.len) + total;
        if len > self.max_nodes.min(u64::from(self.most_nodes)) {
            return false;
        }
        let chunks = total / self.nodes.per_chunk() as u64 + 2;
        let table = self.table.growth_of(fresh.iter().flatten().map(hash), len as u32);
        self.bytes() + chunks * self.chunk_bytes() as u64 + table <= self.max_bytes
    }

    /// Inserts new nodes of some batches, which come by group. The store must [admit](Store::admits) them.
    pub(crate) fn insert_block(&mut self, batches: &[&Batch], fresh: &[Vec<BatchPlace>], threads: usize) {
        let mut new: Vec<Vec<bool>> = batches.iter().map(|batch| vec![false; batch.len()]).collect();
        for place in fresh.iter().flatten() {
            new[place.batch as usize][place.index as usize] = true;
        }
        let mut ids: Vec<Vec<u32>> = Vec::with_capacity(batches.len());
        for (batch, new) in batches.iter().zip(new) {
            let id = |(i, is_new)| {
                let id = self.len;
                if is_new {
                    self.add_chunk_if_needed();
                    self.append(batch.node(i), Some(batch.parents[i]));
                }
                id
            };
            ids.push(new.into_iter().enumerate().map(id).collect());
        }
        let numbered = |places: &Vec<BatchPlace>| -> Vec<(u64, u32)> {
            let one = |place: &BatchPlace| {
                let (batch, index) = (place.batch as usize, place.index as usize);
                (batches[batch].hashes[index], ids[batch][index])
            };
            places.iter().map(one).collect()
        };
        let Self { table, nodes, hasher, .. } = self;
        let hashes = |ids: &[u32], to: &mut Vec<u64>| hashes_of(hasher, nodes, ids, to);
        if table.most_groups() == 1 {
            for (hash, id) in fresh.iter().flat_map(numbered) {
                while !table.fits(hash, id) {
                    table.grow(hash, id, &hashes);
                }
                table.add(hash, id);
            }
            return;
        }
        let groups = table.groups(fresh.len()).into_iter().zip(fresh);
        in_parallel(groups, threads, |(mut segments, places)| segments.add_all(&numbered(places), &hashes));
        table.weigh();
    }
}

/// Code of models can be deep.
const STACK: usize = 256 << 20;

/// Does something with each of some things, so many at a time, in threads of their own and in this one. The
/// results come in the order of the things. If a thread cannot be started, others do its part.
pub(crate) fn in_parallel<T: Send, R: Send>(
    things: impl Iterator<Item = T>,
    threads: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let things: Vec<T> = things.collect();
    let (count, interrupt) = (things.len(), burnside_limits::current());
    let waiting = Mutex::new(things.into_iter().enumerate());
    let take = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = || -> Vec<(usize, R)> {
        std::iter::from_fn(take).map(|(number, thing)| (number, work(thing))).collect()
    };
    let mut results = std::thread::scope(|scope| {
        let start = |_| {
            let interrupt = interrupt.clone();
            let part = || match interrupt {
                Some(interrupt) => interrupt.enter(all),
                None => all(),
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, part).ok()
        };
        let threads: Vec<_> = (1..count.min(threads)).filter_map(start).collect();
        // If this unwinds, the scope waits for the others, which look at the same interrupt.
        let mut results = all();
        for thread in threads {
            results.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Insert;
    use burnside_limits::Limits;

    /// A batch of nodes that are not in a store, each with some number as its parent.
    fn batch(store: &Store, nodes: impl Iterator<Item = [u64; 2]>) -> Batch {
        let (mut all, mut batch) = (Batch::new(2), Batch::new(2));
        for node in nodes {
            all.push(&node, store.hash(&node), NodeId(node[0] as u32));
        }
        store.absent(&mut all, &mut batch, |_| {});
        batch
    }

    fn fresh(store: &Store, batches: &[&Batch], threads: usize) -> Vec<Vec<BatchPlace>> {
        let bits = store.group_bits(threads);
        (0..1 << bits).map(|group| distinct(batches, group, bits)).collect()
    }

    /// Blocks by several threads against insertions one by one: everything is the same, to the bytes in use.
    #[test]
    fn the_same_as_one_by_one() {
        let node = |i: u64| [i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 45, i % 7 % 2];
        for (threads, compress) in [(1, false), (2, false), (3, false), (2, true)] {
            let limits = Limits { compress, ..Limits::default() };
            let (mut store, mut single) = (Store::new(2, &limits), Store::new(2, &limits));
            let mut i = 0;
            for round in 0..200u64 {
                let size = 1 + round * 37 % 900;
                let count = 1 + round % 4;
                let batches: Vec<Batch> = (0..count)
                    .map(|part| batch(&store, (0..size).map(|k| node(i + part * size + k))))
                    .collect();
                let batches: Vec<&Batch> = batches.iter().collect();
                let fresh = fresh(&store, &batches, threads);
                assert!(store.admits(&batches, &fresh));
                store.insert_block(&batches, &fresh, threads);
                for k in 0..count * size {
                    let parent = NodeId(node(i + k)[0] as u32);
                    assert_ne!(single.insert(&node(i + k), Some(parent)), Insert::Full);
                }
                i += count * size;
                assert_eq!((store.len(), store.bytes()), (single.len(), single.bytes()));
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
        let eleven = batch(&store, (0..11).map(|i| [i, 0]));
        assert!(!store.admits(&[&eleven], &fresh(&store, &[&eleven], 2)));
        let ten = batch(&store, (0..10).map(|i| [i, 0]));
        let new = fresh(&store, &[&ten], 2);
        assert!(store.admits(&[&ten], &new));
        store.insert_block(&[&ten], &new, 2);
        assert_eq!(store.len(), 10);
        let mut store = Store::new(2, &Limits { memory: Some(1 << 20), ..Limits::default() });
        let many = batch(&store, (0..60_000).map(|i| [i, 0]));
        assert!(!store.admits(&[&many], &fresh(&store, &[&many], 2)));
        assert_eq!(store.insert(&[0, 0], None), Insert::New(NodeId(0)));
    }

    /// What is admitted does not take more than is allowed, wherever the limit is.
    #[test]
    fn what_is_admitted_fits() {
        for limit in (1..40).map(|k| k << 17) {
            let mut store = Store::new(2, &Limits { memory: Some(limit), ..Limits::default() });
            for round in 0.. {
                let block = batch(&store, (0..3_000).map(|i| [3_000 * round + i, round]));
                let new = fresh(&store, &[&block], 2);
                if !store.admits(&[&block], &new) {
                    break;
                }
                store.insert_block(&[&block], &new, 2);
                assert!(store.bytes() <= limit, "{} of {limit}", store.bytes());
            }
        }
    }
}
