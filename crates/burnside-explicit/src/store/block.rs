//! Many nodes inserted at once by several threads, with the result of inserting them one after the other.
//!
//! Entry points: [`Store::insert_block`], then [`Store::commit`] or [`Store::retract`]. What is inserted
//! comes in batches, in their order, and is known not to be in the store; the same node may come several
//! times, and its first occurrence counts. Each thread owns some segments of the table and looks for its
//! nodes among all of them, so nothing is shared that is written, and the compiler sees that.
//!
//! Until they are committed, nodes are in the table with numbers that say where they stand in the batches.

use super::table::{Segment, Slot};
use super::{NONE, NodeId, Store};
use std::sync::{Mutex, PoisonError};

/// Nodes to be inserted, in this order.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// How many words a node has.
    words: usize,
    /// The words of all of them.
    nodes: Vec<u64>,
    pub hashes: Vec<u64>,
    pub parents: Vec<NodeId>,
}

impl Batch {
    /// Forgets them. The next ones have so many words.
    pub fn clear(&mut self, words: usize) {
        self.words = words;
        self.nodes.clear();
        self.hashes.clear();
        self.parents.clear();
    }

    /// One more.
    pub fn push(&mut self, node: &[u64], hash: u64, parent: NodeId) {
        self.nodes.extend_from_slice(node);
        self.hashes.push(hash);
        self.parents.push(parent);
    }

    /// Keeps some of them, and what a list has beside these.
    pub fn retain<T: Copy>(&mut self, keep: impl Fn(&[u64], u64) -> bool, beside: &mut Vec<T>) {
        let (words, mut kept) = (self.words, 0);
        for i in 0..self.hashes.len() {
            if keep(self.node(i), self.hashes[i]) {
                self.nodes.copy_within(i * words..(i + 1) * words, kept * words);
                (self.hashes[kept], self.parents[kept]) = (self.hashes[i], self.parents[i]);
                if let Some(&it) = beside.get(i) {
                    beside[kept] = it;
                }
                kept += 1;
            }
        }
        self.nodes.truncate(kept * words);
        self.hashes.truncate(kept);
        self.parents.truncate(kept);
        beside.truncate(kept);
    }

    /// The words of a node.
    pub fn node(&self, i: usize) -> &[u64] {
        &self.nodes[i * self.words..(i + 1) * self.words]
    }
}

/// What was new in some batches.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// By group of segments: where numbers were added, in the order of the batches.
    groups: Vec<Vec<Added>>,
    /// How many segments a group has.
    segments: usize,
    /// By batch: which of its nodes are new, in order.
    pub of_batch: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Added {
    segment: u32,
    place: Slot,
    /// Which of all nodes in the batches.
    position: u32,
}

/// All nodes of the batches, by position.
struct Positions<'b> {
    batches: &'b [&'b Batch],
    /// How many nodes are before each batch.
    starts: Vec<u32>,
}

impl<'b> Positions<'b> {
    fn new(batches: &'b [&'b Batch]) -> Self {
        let mut total = 0;
        let start = |batch: &&Batch| {
            let start = total;
            total += batch.hashes.len() as u32;
            start
        };
        let starts = batches.iter().map(start).collect();
        Self { batches, starts }
    }

    fn split(&self, position: u32) -> (usize, usize) {
        let batch = self.starts.partition_point(|&start| start <= position) - 1;
        (batch, (position - self.starts[batch]) as usize)
    }

    fn node(&self, position: u32) -> &[u64] {
        let (batch, i) = self.split(position);
        self.batches[batch].node(i)
    }
}

impl Store {
    /// Puts nodes that are not in the store into its table, with so many threads. None if there may not be
    /// room for all of them: then nothing was done.
    pub(crate) fn insert_block(&mut self, batches: &[&Batch], threads: usize) -> Option<Fresh> {
        let positions = Positions::new(batches);
        let hashes = || batches.iter().flat_map(|batch| &batch.hashes);
        let total = hashes().count() as u64;
        if u64::from(self.len) + total > self.max_nodes.min(u64::from(NONE - 1)) {
            return None;
        }
        let chunks = total / self.nodes.per_chunk() as u64 + 2;
        let most = self.max_bytes.checked_sub(self.bytes() + chunks * self.chunk_bytes() as u64)?;
        self.reserve(hashes().copied(), most)?;
        let base = self.len;
        let table = &mut self.table;
        let bits = table.bits();
        let each = table.segments_mut().len().div_ceil(threads);
        let add = |(group, segments): (usize, &mut [Segment])| {
            let first = group * each;
            add_group(base, bits, first..first + segments.len(), segments, &positions)
        };
        let groups = in_parallel(table.segments_mut().chunks_mut(each).enumerate(), add);
        let mut of_batch: Vec<Vec<u32>> = batches.iter().map(|_| Vec::new()).collect();
        let mut new = vec![false; total as usize];
        groups.iter().flatten().for_each(|added| new[added.position as usize] = true);
        for (fresh, (batch, &start)) in of_batch.iter_mut().zip(batches.iter().zip(&positions.starts)) {
            let is_new = |&i: &u32| new[(start + i) as usize];
            fresh.extend((0..batch.hashes.len() as u32).filter(is_new));
        }
        Some(Fresh { groups, segments: each, of_batch })
    }

    /// Makes room in the table for nodes with these hashes, with at most so many bytes more.
    fn reserve(&mut self, hashes: impl Iterator<Item = u64> + Clone, most: u64) -> Option<()> {
        let mut counts = vec![(0, 0); self.table.segments_mut().len()];
        for hash in hashes.clone() {
            let (count, some) = &mut counts[self.table.segment(hash)];
            (*count, *some) = (*count + 1, hash);
        }
        let before = self.bytes();
        for (count, hash) in counts.into_iter().filter(|(count, _)| *count > 0) {
            while !self.table.has_room(hash, count) {
                let growth = self.table.growth(hash);
                if self.bytes() - before + growth > most {
                    return None;
                }
                let segments = self.table.segments_mut().len();
                self.grow_table(hash);
                if self.table.segments_mut().len() != segments {
                    // There are many segments now.
                    return self.reserve(hashes, most.saturating_sub(self.bytes().saturating_sub(before)));
                }
            }
        }
        Some(())
    }

    /// Keeps what is new: the nodes get their numbers, in the order of the batches.
    pub(crate) fn commit(&mut self, batches: &[&Batch], fresh: &Fresh) {
        let base = self.len;
        let positions = Positions::new(batches);
        let total = batches.iter().map(|batch| batch.hashes.len()).sum();
        let mut ids = vec![NONE; total];
        for ((batch, new), &start) in batches.iter().zip(&fresh.of_batch).zip(&positions.starts) {
            for &i in new {
                ids[(start + i) as usize] = self.len;
                self.add_chunk_if_needed();
                self.append(batch.node(i as usize), Some(batch.parents[i as usize]));
            }
        }
        debug_assert_eq!(self.len - base, fresh.of_batch.iter().map(|new| new.len() as u32).sum());
        let renumber = |(segments, group): (&mut [Segment], &Vec<Added>)| {
            for added in group {
                let segment = added.segment as usize % fresh.segments;
                segments[segment].renumber(added.place, ids[added.position as usize]);
            }
        };
        in_parallel(self.table.segments_mut().chunks_mut(fresh.segments).zip(&fresh.groups), renumber);
    }

    /// Takes everything back.
    pub(crate) fn retract(&mut self, fresh: &Fresh) {
        let segments = self.table.segments_mut();
        for added in fresh.groups.iter().flat_map(|group| group.iter().rev()) {
            segments[added.segment as usize].retract(added.place);
        }
    }
}

/// Adds the nodes of some segments.
fn add_group(
    base: u32,
    bits: u32,
    range: std::ops::Range<usize>,
    segments: &mut [Segment],
    positions: &Positions<'_>,
) -> Vec<Added> {
    let mut added = Vec::new();
    let mut position = 0;
    for batch in positions.batches {
        for (i, &hash) in batch.hashes.iter().enumerate() {
            let number = super::table::segment(hash, bits);
            if range.contains(&number) {
                let node = batch.node(i);
                let segment = &mut segments[number - range.start];
                // What has a smaller number was in the store before, so it is another.
                let is = |id: u32| id >= base && *positions.node(id - base) == *node;
                if segment.find(hash, bits, is).is_none() {
                    let place = segment.add(hash, bits, base + position);
                    added.push(Added { segment: number as u32, place, position });
                }
            }
            position += 1;
        }
    }
    added
}

/// Code of models can be deep.
const STACK: usize = 256 << 20;

/// Does something with each of some things, as many at a time as there are, in threads of their own and in
/// this one. The results come in the order of the things. If a thread cannot be started, others do its part.
pub(crate) fn in_parallel<T: Send, R: Send>(
    things: impl Iterator<Item = T>,
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
        let threads: Vec<_> = (1..count).filter_map(start).collect();
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

    /// A batch of nodes that are not in a store, each with the number that it got as its parent.
    fn batch(store: &Store, nodes: impl Iterator<Item = [u64; 2]>) -> Batch {
        let mut batch = Batch::default();
        batch.clear(2);
        for node in nodes {
            batch.push(&node, store.hash(&node), NodeId(node[0] as u32));
        }
        batch.retain(|node, hash| store.find(node, hash).is_none(), &mut Vec::<()>::new());
        batch
    }

    /// Blocks by several threads against insertions one by one, some of them taken back and tried again.
    #[test]
    fn the_same_as_one_by_one() {
        let node = |i: u64| [i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 45, i % 7 % 2];
        for threads in [1, 2, 3] {
            let limits = Limits::default();
            let (mut store, mut single) = (Store::new(2, &limits), Store::new(2, &limits));
            let mut i = 0;
            for round in 0..200u64 {
                let size = 1 + round * 37 % 900;
                let count = 1 + round % 4;
                let batches: Vec<Batch> = (0..count)
                    .map(|part| batch(&store, (0..size).map(|k| node(i + part * size + k))))
                    .collect();
                let batches: Vec<&Batch> = batches.iter().collect();
                let fresh = store.insert_block(&batches, threads).unwrap();
                if round % 5 == 1 {
                    store.retract(&fresh);
                    continue;
                }
                store.commit(&batches, &fresh);
                for k in 0..count * size {
                    let parent = NodeId(node(i + k)[0] as u32);
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
        let eleven = batch(&store, (0..11).map(|i| [i, 0]));
        assert!(store.insert_block(&[&eleven], 2).is_none());
        let ten = batch(&store, (0..10).map(|i| [i, 0]));
        let fresh = store.insert_block(&[&ten], 2).unwrap();
        store.commit(&[&ten], &fresh);
        assert_eq!(store.len(), 10);
        let mut store = Store::new(2, &Limits { memory: Some(1 << 20), ..Limits::default() });
        let many = batch(&store, (0..60_000).map(|i| [i, 0]));
        assert!(store.insert_block(&[&many], 2).is_none());
        assert_eq!(store.insert(&[0, 0], None), Insert::New(NodeId(0)));
    }
}
