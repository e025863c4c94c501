//! The hash table of a store: from hashes to numbers of nodes.
//!
//! Entry points: [`Table::find`] and [`Table::add`]. A bucket is a cache line: twelve tags of a byte each,
//! and twelve numbers. A lookup compares the tags of a bucket at once and looks at a node only where one
//! fits; if the bucket is full, it goes on with the next. What has a number is known to the caller alone,
//! who compares nodes and computes hashes again.
//!
//! The table grows without a pause: from some size on it consists of many segments, chosen by the highest
//! bits of the hash, and each of them grows by itself. They are not equally full, so that they do not all
//! grow at once, and the memory in use grows evenly. Segments are also what threads share out among
//! themselves (`block`).

use burnside_limits::Pace;

/// Numbers in a bucket.
const SLOTS: usize = 12;
/// Buckets of a new table.
const FIRST_BUCKETS: usize = 64;
/// Numbers in the only segment before there are many.
const MOST_ALONE: u32 = 1 << 17;
/// Binary logarithm of the number of segments, when there are many.
const SEGMENT_BITS: u32 = 10;

/// A cache line of the table.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// 0 where there is nothing. The last four stay 0.
    tags: [u8; 16],
    ids: [u32; SLOTS],
}

const EMPTY: Bucket = Bucket { tags: [0; 16], ids: [0; SLOTS] };

impl Bucket {
    /// The slots with a tag, as bits.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn matching(&self, tag: u8) -> u32 {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        let [low, high] = self.words();
        // SAFETY: every processor of this architecture has these instructions, which touch no memory.
        #[allow(unused_unsafe)]
        unsafe {
            let tags = _mm_set_epi64x(high as i64, low as i64);
            _mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(tag as i8))) as u32
        }
    }

    /// The slots with a tag, as bits.
    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    fn matching(&self, tag: u8) -> u32 {
        self.tags.iter().enumerate().fold(0, |bits, (i, &it)| bits | u32::from(it == tag) << i)
    }

    /// The tags as two words.
    #[inline(always)]
    fn words(&self) -> [u64; 2] {
        let all = u128::from_le_bytes(self.tags);
        [all as u64, (all >> 64) as u64]
    }

    /// The first free slot.
    #[inline(always)]
    fn free(&self) -> Option<usize> {
        let slot = self.matching(0).trailing_zeros() as usize;
        (slot < SLOTS).then_some(slot)
    }
}

/// The part of a table for some hashes.
#[derive(Debug)]
pub(crate) struct Segment {
    buckets: Box<[Bucket]>,
    len: u32,
    /// How many numbers it takes before it grows.
    room: u32,
}

/// Where a number is within a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    bucket: u32,
    slot: u8,
}

#[inline(always)]
fn tag(hash: u64) -> u8 {
    (hash as u8).max(1)
}

/// The segment of a hash, if so many of its bits choose it.
#[inline(always)]
pub(super) fn segment(hash: u64, bits: u32) -> usize {
    // In two steps, since a word is not shifted by all of its bits.
    (hash >> 1 >> (63 - bits)) as usize
}

impl Segment {
    fn new(buckets: usize) -> Self {
        let room = (buckets * SLOTS) as u64 * 5 / 6;
        Self { buckets: vec![EMPTY; buckets].into(), len: 0, room: u32::try_from(room).unwrap_or(u32::MAX) }
    }

    /// The first bucket to look at, by the bits of the hash after those that chose the segment.
    #[inline(always)]
    fn bucket(&self, rest: u64) -> usize {
        ((u128::from(rest) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn following(&self, bucket: usize) -> usize {
        if bucket + 1 == self.buckets.len() { 0 } else { bucket + 1 }
    }

    /// The number with a hash, of which so many bits chose the segment, that the caller recognises.
    #[inline(always)]
    pub fn find(&self, hash: u64, bits: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (mut at, tag) = (self.bucket(hash << bits), tag(hash));
        loop {
            let bucket = &self.buckets[at];
            let mut candidates = bucket.matching(tag);
            while candidates != 0 {
                let id = bucket.ids[candidates.trailing_zeros() as usize];
                if is(id) {
                    return Some(id);
                }
                candidates &= candidates - 1;
            }
            if bucket.free().is_some() {
                return None;
            }
            at = self.following(at);
        }
    }

    /// Adds a number that is not there. There must be room.
    #[inline]
    pub fn add(&mut self, hash: u64, bits: u32, id: u32) -> Slot {
        let (mut at, tag) = (self.bucket(hash << bits), tag(hash));
        loop {
            if let Some(slot) = self.buckets[at].free() {
                let bucket = &mut self.buckets[at];
                (bucket.tags[slot], bucket.ids[slot]) = (tag, id);
                self.len += 1;
                return Slot { bucket: at as u32, slot: slot as u8 };
            }
            at = self.following(at);
        }
    }

    /// The number at a place becomes another.
    pub fn renumber(&mut self, place: Slot, id: u32) {
        self.buckets[place.bucket as usize].ids[place.slot as usize] = id;
    }

    /// Takes back the last addition that was not taken back, which was at this place.
    pub fn retract(&mut self, place: Slot) {
        self.buckets[place.bucket as usize].tags[place.slot as usize] = 0;
        self.len -= 1;
    }

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.buckets.iter().flat_map(|bucket| {
            bucket.ids.iter().zip(&bucket.tags).filter(|(_, tag)| **tag != 0).map(|(id, _)| *id)
        })
    }
}

/// From hashes to numbers.
#[derive(Debug)]
pub(super) struct Table {
    segments: Vec<Segment>,
    /// Binary logarithm of their number.
    bits: u32,
    buckets: usize,
}

impl Table {
    pub fn new() -> Self {
        Self { segments: vec![Segment::new(FIRST_BUCKETS)], bits: 0, buckets: FIRST_BUCKETS }
    }

    pub fn bytes(&self) -> u64 {
        (self.buckets * size_of::<Bucket>() + self.segments.len() * size_of::<Segment>()) as u64
    }

    /// The segment of a hash.
    #[inline(always)]
    pub fn segment(&self, hash: u64) -> usize {
        segment(hash, self.bits)
    }

    /// All segments.
    pub fn segments_mut(&mut self) -> &mut [Segment] {
        &mut self.segments
    }

    /// How many bits of a hash choose the segment.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The number with this hash that the caller recognises.
    #[inline]
    pub fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.segments[self.segment(hash)].find(hash, self.bits, is)
    }

    /// Adds a number that is not there. There must be [room](Table::has_room).
    #[inline]
    pub fn add(&mut self, hash: u64, id: u32) {
        let segment = self.segment(hash);
        self.segments[segment].add(hash, self.bits, id);
    }

    #[inline(always)]
    fn first_bucket(&self, hash: u64) -> &Bucket {
        let segment = &self.segments[self.segment(hash)];
        &segment.buckets[segment.bucket(hash << self.bits)]
    }

    /// Reads what a lookup of this hash reads first. Several of these, one after the other, wait for the
    /// memory together. The result means nothing.
    #[inline(always)]
    pub fn touch(&self, hash: u64) -> u64 {
        self.first_bucket(hash).words()[0]
    }

    /// The number that a lookup of this hash will look at first, if any.
    #[inline(always)]
    pub fn candidate(&self, hash: u64) -> Option<u32> {
        let bucket = self.first_bucket(hash);
        let candidates = bucket.matching(tag(hash));
        (candidates != 0).then(|| bucket.ids[candidates.trailing_zeros() as usize])
    }

    /// Whether so many more numbers fit where this hash belongs.
    #[inline]
    pub fn has_room(&self, hash: u64, more: u32) -> bool {
        let segment = &self.segments[self.segment(hash)];
        segment.len.saturating_add(more) <= segment.room
    }

    /// How many bytes more the table will have after [`Table::grow`].
    pub fn growth(&self, hash: u64) -> u64 {
        (self.segments[self.segment(hash)].buckets.len() / 2 * size_of::<Bucket>()) as u64
    }

    /// Makes room where a hash belongs. The hash of each number that is there is asked for.
    pub fn grow(&mut self, hash: u64, hash_of: &dyn Fn(u32) -> u64) {
        let at = self.segment(hash);
        if self.bits == 0 && self.segments[0].len >= MOST_ALONE {
            return self.divide(hash_of);
        }
        let old = &mut self.segments[at];
        let buckets = old.buckets.len() + old.buckets.len() / 2;
        // First all hashes, then all additions: so the processor waits for many nodes at once.
        let mut entries = Vec::with_capacity(old.len as usize);
        entries.extend(old.ids().map(|id| (hash_of(id), id)));
        self.buckets += buckets - old.buckets.len();
        *old = Segment::new(buckets);
        let mut pace = Pace::every(4096);
        for (hash, id) in entries {
            pace.poll();
            self.add(hash, id);
        }
    }

    /// Makes many segments of one.
    fn divide(&mut self, hash_of: &dyn Fn(u32) -> u64) {
        let old = std::mem::take(&mut self.segments);
        let each = (old[0].len >> SEGMENT_BITS) as usize;
        self.bits = SEGMENT_BITS;
        // The smallest has two thirds of the room of the greatest, as if each had grown at another time.
        let buckets = |i: u32| {
            let part = (i.reverse_bits() >> (32 - SEGMENT_BITS)) as usize;
            let slots = each * 5 / 4 + each * 5 / 8 * part / (1 << SEGMENT_BITS);
            slots.div_ceil(SLOTS)
        };
        self.segments = (0..1 << SEGMENT_BITS).map(|i| Segment::new(buckets(i))).collect();
        self.buckets = self.segments.iter().map(|segment| segment.buckets.len()).sum();
        for id in old[0].ids() {
            let hash = hash_of(id);
            while !self.has_room(hash, 1) {
                self.grow(hash, hash_of);
            }
            self.add(hash, id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    fn scrambled(x: u64) -> u64 {
        let x = (x ^ x >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
        (x ^ x >> 27).wrapping_mul(0x81da_def4_bc2d_d44d)
    }

    /// Numbers of many hashes, some of them equal, through division and growth.
    #[test]
    fn finds_what_was_added_and_nothing_else() {
        let mut table = Table::new();
        let hashes: Vec<u64> = (0..300_000u64).map(|i| scrambled(i / 3)).collect();
        for (id, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |it| it == id as u32), None);
            while !table.has_room(hash, 1) {
                table.grow(hash, &|id| hashes[id as usize]);
            }
            table.add(hash, id as u32);
        }
        for (id, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |it| it == id as u32), Some(id as u32));
        }
        assert_eq!(table.find(scrambled(1 << 40), |_| true), None);
        assert!(table.bytes() < 300_000 * 10, "{}", table.bytes());
    }

    /// What is retracted in the opposite order leaves the table as it was.
    #[test]
    fn retracts() {
        let mut segment = Segment::new(4);
        let hashes: Vec<u64> = (0..36).map(scrambled).collect();
        hashes[..20].iter().zip(0..).for_each(|(&hash, id)| {
            segment.add(hash, 0, id);
        });
        let before: HashMap<u32, usize> = segment.ids().zip(0..).collect();
        let added = hashes[20..].iter().zip(20..).map(|(&hash, id)| segment.add(hash, 0, id));
        let added: Vec<Slot> = added.collect();
        added.into_iter().rev().for_each(|place| segment.retract(place));
        assert_eq!(segment.ids().zip(0..).collect::<HashMap<_, _>>(), before);
        for (id, &hash) in (0..).zip(&hashes) {
            assert_eq!(segment.find(hash, 0, |it| it == id), (id < 20).then_some(id));
        }
    }
}
