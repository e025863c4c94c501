//! Sorts whose members are told apart by bits of their own: gather each member's bits into a key and sort the
//! keys.
//!
//! Entry point: [`Keys::gather`]. If a sort has no edges, two members with equal keys can be swapped without
//! changing the state, and only those.

use super::layout::{KeyColumn, Layout};
use super::places::Reference;
use burnside_ts::{SortId, bits};

/// How the keys of a sort's members are gathered, of one block of members that may be permuted.
#[derive(Debug)]
pub(super) struct Keys {
    pub sort: SortId,
    /// The members, ascending. Their keys stand in this order.
    pub members: Vec<u32>,
    /// For each member of the sort, where it is in the block.
    rank: Vec<Option<u32>>,
    columns: Vec<(KeyColumn, Bit)>,
    references: Vec<(Reference, Bit)>,
    /// Words of one key.
    pub words: usize,
}

/// Where in a key something goes.
#[derive(Clone, Copy, Debug)]
struct Bit {
    word: usize,
    shift: u32,
}

impl Keys {
    pub fn new(layout: &Layout, sort: SortId, size: u32, members: Vec<u32>) -> Keys {
        let mut rank = vec![None; size as usize];
        members.iter().zip(0..).for_each(|(&member, at)| rank[member as usize] = Some(at));
        let mut next = Bit { word: 0, shift: 0 };
        let mut place = |width: u32| {
            if next.shift + width > 64 {
                next = Bit { word: next.word + 1, shift: 0 };
            }
            let bit = next;
            next.shift += width;
            bit
        };
        let columns = merged(&layout.columns[sort.index()]);
        let columns: Vec<_> = columns.into_iter().map(|column| (column, place(column.width))).collect();
        let references = &layout.references[sort.index()];
        let references: Vec<_> = references.iter().map(|reference| (*reference, place(1))).collect();
        let words = next.word + usize::from(next.shift > 0);
        Keys { sort, members, rank, columns, references, words }
    }

    /// Writes the keys, each in so many words.
    pub fn gather(&self, state: &[u64], keys: &mut [u64], stride: usize) {
        keys.fill(0);
        for (column, Bit { word, shift }) in &self.columns {
            let mut at = *word;
            for &member in &self.members {
                keys[at] |= bits::read(state, column.offset + member * column.stride, column.width) << shift;
                at += stride;
            }
        }
        for (reference, Bit { word, shift }) in &self.references {
            let member = reference.member(state);
            if let Some(rank) = member.and_then(|member| self.rank[member as usize]) {
                keys[rank as usize * stride + word] |= 1 << shift;
            }
        }
    }
}

/// Columns that lie side by side are one.
fn merged(columns: &[KeyColumn]) -> Vec<KeyColumn> {
    let mut merged: Vec<KeyColumn> = Vec::new();
    for column in columns {
        match merged.last_mut() {
            Some(last)
                if last.stride == column.stride
                    && last.offset + last.width == column.offset
                    && last.width + column.width <= 64 =>
            {
                last.width += column.width;
            }
            _ => merged.push(*column),
        }
    }
    merged
}

/// Sorts the members of a block by their keys.
#[derive(Debug)]
pub(super) struct SortedBlock {
    pub keys: Keys,
    gathered: Vec<u64>,
    order: Vec<u32>,
    /// Whether the keys stand in order as they are.
    in_order: bool,
    class: Vec<u32>,
}

impl SortedBlock {
    pub fn new(keys: Keys) -> SortedBlock {
        SortedBlock {
            gathered: vec![0; keys.members.len() * keys.words],
            order: Vec::new(),
            in_order: true,
            class: Vec::new(),
            keys,
        }
    }

    fn gather(&mut self, state: &[u64]) {
        self.keys.gather(state, &mut self.gathered, self.keys.words);
    }

    /// Whether the members stand in order.
    fn is_sorted(&self) -> bool {
        match self.keys.words {
            0 => true,
            1 => self.gathered.is_sorted(),
            words => self.gathered.chunks_exact(words).is_sorted(),
        }
    }

    fn sort(&mut self) {
        let Self { keys, gathered, order, .. } = self;
        order.clear();
        order.extend(0..keys.members.len() as u32);
        let key = |at: u32| &gathered[at as usize * keys.words..][..keys.words];
        match keys.words {
            0 => {}
            1 => order.sort_unstable_by_key(|&at| (gathered[at as usize], at)),
            _ => order.sort_unstable_by(|&a, &b| key(a).cmp(key(b)).then(a.cmp(&b))),
        }
    }

    /// Writes where the members go; false if they stay.
    pub fn sort_into(&mut self, state: &[u64], images: &mut [u32]) -> bool {
        self.gather(state);
        self.in_order = self.is_sorted();
        if self.in_order {
            return false;
        }
        self.sort();
        for (&at, &place) in self.order.iter().zip(&self.keys.members) {
            images[self.keys.members[at as usize] as usize] = place;
        }
        true
    }

    /// How many permutations leave the state as it is whose members were sorted last, times a number, if it
    /// is not too long.
    pub fn known_stabiliser(&self, times: u128) -> Option<u128> {
        let Self { keys, gathered, order, in_order, .. } = self;
        let key = |at: usize| &gathered[at * keys.words..][..keys.words];
        let at = |i: usize| if *in_order { i } else { order[i] as usize };
        let mut alike = 1;
        (1..keys.members.len()).try_fold(times, |product, i| {
            alike = if key(at(i - 1)) == key(at(i)) { alike + 1 } else { 1 };
            product.checked_mul(alike)
        })
    }

    /// Gives the members in classes of equal keys, ascending.
    pub fn classes(&mut self, state: &[u64], mut each: impl FnMut(&[u32])) {
        self.gather(state);
        self.sort();
        let Self { keys, gathered, order, class, .. } = self;
        let key = |at: u32| &gathered[at as usize * keys.words..][..keys.words];
        for alike in order.chunk_by(|&a, &b| key(a) == key(b)).filter(|alike| alike.len() > 1) {
            class.clear();
            class.extend(alike.iter().map(|&at| keys.members[at as usize]));
            each(class);
        }
    }
}
