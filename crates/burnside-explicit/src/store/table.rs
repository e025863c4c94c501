//! The hash table of a store: from hashes to numbers of nodes.
//!
//! Entry points: [`Table::find`] and [`Table::add`]. A bucket is a cache line: tags of a byte each, and as
//! many numbers, with as few bits as the segment needs: sixteen of 24 bits, twelve of 32. A lookup compares
//! the tags of a bucket at once and looks at a node only where one fits; if the bucket is full, it goes on
//! with the next. What has a number is known to the caller alone, who compares nodes and computes hashes
//! again.
//!
//! The table grows without a pause: from some size on it consists of many segments, chosen by the highest
//! bits of the hash, and each of them grows by itself. They are not equally full, so that they do not all
//! grow at once, and the memory in use grows evenly. Segments are also what threads share out among
//! themselves (`block`).

use burnside_limits::Pace;

/// Buckets of a new table.
const FIRST_BUCKETS: usize = 64;
/// Numbers in the only segment before there are many: of fewer, each segment would be a bucket or two, and
/// grow all the time.
const MOST_ALONE: u32 = 1 << 16;
/// Binary logarithm of the number of segments, when there are many.
const SEGMENT_BITS: u32 = 10;
/// A table has at most so many bytes when it has become many segments.
const MOST_AT_DIVISION: u64 = 832 << SEGMENT_BITS;
/// Tags in a bucket.
const TAGS: usize = 16;
/// Bytes for numbers in a bucket.
const NUMBERS: usize = 48;
/// A number has at least so many bits: with fewer there would be more numbers than tags.
const LEAST_WIDTH: u32 = (NUMBERS * 8 / TAGS) as u32;

/// A cache line of the table.
#[repr(align(64))]
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// 0 where there is nothing.
    tags: [u8; TAGS],
    /// One after the other, each with as many bits as its segment says.
    numbers: [u8; NUMBERS],
}

const EMPTY: Bucket = Bucket { tags: [0; TAGS], numbers: [0; NUMBERS] };

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

    /// The eight bytes that a number of so many bits lies in, and where in them it begins.
    #[inline(always)]
    fn window(slot: usize, width: u32) -> (usize, u32) {
        let bit = slot * width as usize;
        let byte = (bit / 8).min(NUMBERS - 8);
        (byte, (bit - 8 * byte) as u32)
    }

    #[inline(always)]
    fn number(&self, slot: usize, width: u32) -> u32 {
        let (byte, shift) = Self::window(slot, width);
        let word = self.numbers[byte..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        (word >> shift & mask(width)) as u32
    }

    #[inline(always)]
    fn put(&mut self, slot: usize, width: u32, tag: u8, number: u32) {
        let (byte, shift) = Self::window(slot, width);
        self.tags[slot] = tag;
        if let Some(place) = self.numbers[byte..].first_chunk_mut() {
            let word = u64::from_le_bytes(*place) & !(mask(width) << shift) | u64::from(number) << shift;
            *place = word.to_le_bytes();
        }
    }
}

/// So many bits.
#[inline(always)]
const fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// How full a table may get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Density {
    /// A segment grows when of sixteen slots so many are in use.
    full: u32,
    /// It then gets so many numbers for eight.
    growth: u32,
}

impl Density {
    /// Quick.
    pub const LOOSE: Self = Self { full: 13, growth: 12 };
    /// Small.
    pub const TIGHT: Self = Self { full: 14, growth: 10 };
}

/// The part of a table for some hashes.
#[derive(Debug)]
pub(crate) struct Segment {
    buckets: Box<[Bucket]>,
    shape: Shape,
    len: u32,
    /// Numbers in a bucket.
    slots: u32,
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

/// How many numbers of so many bits are in a bucket.
fn slots(width: u32) -> usize {
    (NUMBERS * 8 / width as usize).min(TAGS)
}

/// What a segment is like when it is empty.
#[derive(Clone, Copy, Debug)]
struct Shape {
    buckets: usize,
    /// How many numbers it takes before it grows.
    room: u32,
    /// Bits of a number.
    width: u32,
}

impl Shape {
    fn new(buckets: usize, width: u32, density: Density) -> Self {
        let room = (buckets * slots(width)) as u64 * u64::from(density.full) / 16;
        Self { buckets, room: u32::try_from(room).unwrap_or(u32::MAX), width }
    }

    /// For at least so many numbers, of at least so many bits, one of `2^bits` segments.
    fn with_room(room: usize, width: u32, bits: u32, density: Density) -> Self {
        // The numbers of a segment are spread over those of all. Where it has fewer than others, they are
        // greater than its own room says.
        let greatest = ((room as u64) << bits) * 5 / 4;
        let width = (u64::BITS - greatest.leading_zeros()).clamp(width, u32::BITS);
        let buckets = (room * 16).div_ceil(slots(width) * density.full as usize);
        Self::new(buckets.max(1), width, density)
    }

    /// What comes next, because it is full or a number has become too great.
    fn grown(self, bits: u32, density: Density, number: u32) -> Self {
        let room = self.room as usize;
        if u64::from(number) > mask(self.width) {
            return Self::with_room(room, u32::BITS - number.leading_zeros(), bits, density);
        }
        let more = room * density.growth as usize / 8;
        Self::with_room(more.max(room + 1), self.width, bits, density)
    }

    /// Whether so many numbers fit, of which none is greater than this.
    #[inline(always)]
    fn fits(&self, count: u32, greatest: u32) -> bool {
        count <= self.room && u64::from(greatest) <= mask(self.width)
    }

    fn bytes(&self) -> u64 {
        (self.buckets * size_of::<Bucket>()) as u64
    }
}

impl Segment {
    fn new(shape: Shape) -> Self {
        let slots = slots(shape.width) as u32;
        Self { buckets: vec![EMPTY; shape.buckets].into(), shape, len: 0, slots }
    }

    /// Whether one more number fits.
    #[inline(always)]
    fn fits(&self, number: u32) -> bool {
        self.shape.fits(self.len + 1, number)
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

    /// The first free slot of a bucket.
    #[inline(always)]
    fn free(&self, bucket: &Bucket) -> Option<usize> {
        let slot = bucket.matching(0).trailing_zeros();
        (slot < self.slots).then_some(slot as usize)
    }

    /// The number with a hash, of which so many bits chose the segment, that the caller recognises.
    #[inline(always)]
    fn find(&self, hash: u64, bits: u32, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let (mut at, tag) = (self.bucket(hash << bits), tag(hash));
        loop {
            let bucket = &self.buckets[at];
            let mut candidates = bucket.matching(tag);
            while candidates != 0 {
                let id = bucket.number(candidates.trailing_zeros() as usize, self.shape.width);
                if is(id) {
                    return Some(id);
                }
                candidates &= candidates - 1;
            }
            if self.free(bucket).is_some() {
                return None;
            }
            at = self.following(at);
        }
    }

    /// Adds a number that is not there. There must be room.
    #[inline]
    fn add(&mut self, hash: u64, bits: u32, id: u32) {
        let mut at = self.bucket(hash << bits);
        loop {
            if let Some(slot) = self.free(&self.buckets[at]) {
                self.buckets[at].put(slot, self.shape.width, tag(hash), id);
                self.len += 1;
                return;
            }
            at = self.following(at);
        }
    }

    fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        let (slots, width) = (self.slots as usize, self.shape.width);
        let of = move |bucket: &Bucket, slot| (bucket.tags[slot] != 0).then(|| bucket.number(slot, width));
        self.buckets.iter().flat_map(move |bucket| (0..slots).filter_map(move |slot| of(bucket, slot)))
    }
}

/// Some segments that follow each other, and what is the same in all of a table.
#[derive(Debug)]
pub(super) struct Segments<'t> {
    segments: &'t mut [Segment],
    first: usize,
    bits: u32,
    density: Density,
}

impl Segments<'_> {
    /// Adds numbers with their hashes, which are of these segments and not there. The hashes of numbers that
    /// are there are asked for.
    pub fn add_all(&mut self, numbers: &[(u64, u32)], hashes_of: HashesOf<'_>) {
        let (mut pace, mut moving) = (Pace::every(64), Moving::default());
        for numbers in numbers.chunks(TOUCHED) {
            pace.poll();
            let touched = numbers.iter().fold(0, |all, &(hash, _)| {
                let segment = &self.segments[segment(hash, self.bits) - self.first];
                all ^ segment.buckets[segment.bucket(hash << self.bits)].words()[0]
            });
            std::hint::black_box(touched);
            for &(hash, id) in numbers {
                let segment = &mut self.segments[segment(hash, self.bits) - self.first];
                while !segment.fits(id) {
                    moving.grow(segment, (self.bits, self.density), id, hashes_of);
                }
                segment.add(hash, self.bits, id);
            }
        }
    }
}

/// So many lookups wait for the memory together.
const TOUCHED: usize = 32;

/// Adds the hashes of some numbers to a list. All at once, so that the processor waits for many nodes
/// together.
pub(super) type HashesOf<'a> = &'a dyn Fn(&[u32], &mut Vec<u64>);

/// The numbers of a segment that grows, and their hashes.
#[derive(Debug, Default)]
struct Moving {
    ids: Vec<u32>,
    hashes: Vec<u64>,
}

impl Moving {
    /// Makes room for a number in one of `2^bits` segments.
    fn grow(
        &mut self,
        segment: &mut Segment,
        (bits, density): (u32, Density),
        number: u32,
        hashes_of: HashesOf<'_>,
    ) {
        self.ids.clear();
        self.hashes.clear();
        self.ids.reserve(segment.len as usize);
        self.hashes.reserve(segment.len as usize);
        self.ids.extend(segment.ids());
        hashes_of(&self.ids, &mut self.hashes);
        *segment = Segment::new(segment.shape.grown(bits, density, number));
        for (&hash, &id) in self.hashes.iter().zip(&self.ids) {
            segment.add(hash, bits, id);
        }
    }
}

/// From hashes to numbers.
#[derive(Debug)]
pub(super) struct Table {
    segments: Vec<Segment>,
    /// Binary logarithm of their number.
    bits: u32,
    density: Density,
    bytes: u64,
    moving: Moving,
}

impl Table {
    pub fn new(density: Density) -> Self {
        let shape = Shape::new(FIRST_BUCKETS, LEAST_WIDTH, density);
        let segments = vec![Segment::new(shape)];
        Self { bytes: shape.bytes(), segments, bits: 0, density, moving: Moving::default() }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes + (self.segments.len() * size_of::<Segment>()) as u64
    }

    /// The segment of a hash.
    #[inline(always)]
    fn segment(&self, hash: u64) -> &Segment {
        &self.segments[segment(hash, self.bits)]
    }

    /// The number with this hash that the caller recognises.
    #[inline]
    pub fn find(&self, hash: u64, is: impl FnMut(u32) -> bool) -> Option<u32> {
        self.segment(hash).find(hash, self.bits, is)
    }

    /// Adds a number that is not there. It must [fit](Table::fits).
    #[inline]
    pub fn add(&mut self, hash: u64, id: u32) {
        self.segments[segment(hash, self.bits)].add(hash, self.bits, id);
    }

    #[inline(always)]
    fn first_bucket(&self, hash: u64) -> (&Segment, &Bucket) {
        let segment = self.segment(hash);
        (segment, &segment.buckets[segment.bucket(hash << self.bits)])
    }

    /// Reads what a lookup of this hash reads first. Several of these, one after the other, wait for the
    /// memory together. The result means nothing.
    #[inline(always)]
    pub fn touch(&self, hash: u64) -> u64 {
        self.first_bucket(hash).1.words()[0]
    }

    /// The number that a lookup of this hash will look at first, if any.
    #[inline(always)]
    pub fn candidate(&self, hash: u64) -> Option<u32> {
        let (segment, bucket) = self.first_bucket(hash);
        let candidates = bucket.matching(tag(hash));
        (candidates != 0).then(|| bucket.number(candidates.trailing_zeros() as usize, segment.shape.width))
    }

    /// Whether a number fits where its hash belongs.
    #[inline]
    pub fn fits(&self, hash: u64, id: u32) -> bool {
        self.segment(hash).fits(id)
    }

    /// How many bytes more the table will have after [`Table::grow`].
    pub fn growth(&self, hash: u64, id: u32) -> u64 {
        if self.is_to_divide() {
            return MOST_AT_DIVISION;
        }
        let shape = self.segment(hash).shape;
        shape.grown(self.bits, self.density, id).bytes() - shape.bytes()
    }

    /// Whether the only segment will become many instead of growing.
    fn is_to_divide(&self) -> bool {
        self.bits == 0 && self.segments[0].len >= MOST_ALONE
    }

    /// Makes room for a number where its hash belongs. The hashes of all numbers that are there
    /// are asked for.
    pub fn grow(&mut self, hash: u64, id: u32, hashes_of: HashesOf<'_>) {
        if self.is_to_divide() {
            return self.divide(hashes_of);
        }
        let segment = &mut self.segments[segment(hash, self.bits)];
        self.bytes -= segment.shape.bytes();
        self.moving.grow(segment, (self.bits, self.density), id, hashes_of);
        self.bytes += segment.shape.bytes();
        if self.bits == 0 {
            // Large, and seldom needed again.
            self.moving = Moving::default();
        }
    }

    /// Makes many segments of one.
    fn divide(&mut self, hashes_of: HashesOf<'_>) {
        let old = std::mem::take(&mut self.segments);
        let each = (old[0].len >> SEGMENT_BITS) as usize;
        let Density { growth, .. } = self.density;
        self.bits = SEGMENT_BITS;
        // They have between as much room as they need now and what they get when they grow, as if each had
        // grown at another time.
        let room = |i: u32| {
            let part = (i.reverse_bits() >> (32 - SEGMENT_BITS)) as usize;
            each + each * (growth as usize - 8) * part / (8 << SEGMENT_BITS)
        };
        let new = |i| Segment::new(Shape::with_room(room(i), LEAST_WIDTH, self.bits, self.density));
        self.segments = (0..1 << SEGMENT_BITS).map(new).collect();
        let (ids, mut hashes): (Vec<u32>, _) = (old[0].ids().collect(), Vec::new());
        hashes_of(&ids, &mut hashes);
        let numbers: Vec<(u64, u32)> = hashes.into_iter().zip(ids).collect();
        self.all().add_all(&numbers, hashes_of);
        self.weigh();
    }

    fn all(&mut self) -> Segments<'_> {
        Segments { segments: &mut self.segments, first: 0, bits: self.bits, density: self.density }
    }

    /// Computes its bytes again.
    pub fn weigh(&mut self) {
        self.bytes = self.segments.iter().map(|segment| segment.shape.bytes()).sum();
    }

    /// How many groups [`Table::groups`] can make of it; 1 if it must grow as a whole.
    pub fn most_groups(&self) -> usize {
        self.segments.len()
    }

    /// All segments, in so many groups, a power of two. After they were changed it is to be
    /// [weighed](Table::weigh).
    pub fn groups(&mut self, groups: usize) -> Vec<Segments<'_>> {
        let each = self.segments.len() / groups;
        let (bits, density) = (self.bits, self.density);
        let group = |(i, segments)| Segments { segments, first: i * each, bits, density };
        self.segments.chunks_mut(each).enumerate().map(group).collect()
    }

    /// How many bytes more it has at most when so many numbers have been added, without a closer look.
    pub fn most_growth(&self, count: u64) -> u64 {
        // Each segment may grow once, and a few of them more often.
        self.bytes * 2 + count * 64 + MOST_AT_DIVISION
    }

    /// How many bytes more the table has at most when numbers with these hashes have been added, none of
    /// them greater than this.
    pub fn growth_of(&self, hashes: impl Iterator<Item = u64>, greatest: u32) -> u64 {
        let mut counts = vec![0; self.segments.len()];
        hashes.for_each(|hash| counts[segment(hash, self.bits)] += 1);
        let grown = |(segment, &count): (&Segment, &u32)| {
            let mut shape = segment.shape;
            while count > 0 && !shape.fits(segment.len + count, greatest) {
                shape = shape.grown(self.bits, self.density, greatest);
            }
            shape.bytes() - segment.shape.bytes()
        };
        let all: u64 = self.segments.iter().zip(&counts).map(grown).sum();
        if self.bits == 0 { all + MOST_AT_DIVISION } else { all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrambled(x: u64) -> u64 {
        let x = (x ^ x >> 31).wrapping_mul(0x7fb5_d329_728e_a185);
        (x ^ x >> 27).wrapping_mul(0x81da_def4_bc2d_d44d)
    }

    /// Numbers of many hashes, some of them equal, through division and growth.
    #[test]
    fn finds_what_was_added_and_nothing_else() {
        [Density::LOOSE, Density::TIGHT].into_iter().for_each(finds_what_was_added);
    }

    fn finds_what_was_added(density: Density) {
        let mut table = Table::new(density);
        let hashes: Vec<u64> = (0..300_000u64).map(|i| scrambled(i / 3)).collect();
        for (id, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |it| it == id as u32), None);
            while !table.fits(hash, id as u32) {
                let most = table.bytes() + table.growth(hash, id as u32) + (64 << SEGMENT_BITS);
                table.grow(hash, id as u32, &|ids, to| to.extend(ids.iter().map(|&id| hashes[id as usize])));
                assert!(table.bytes() <= most);
            }
            table.add(hash, id as u32);
        }
        for (id, &hash) in hashes.iter().enumerate() {
            assert_eq!(table.find(hash, |it| it == id as u32), Some(id as u32));
        }
        assert_eq!(table.find(scrambled(1 << 40), |_| true), None);
        assert!(table.bytes() < 300_000 * 10, "{}", table.bytes());
    }

    /// Numbers that become too great for their places, one after the other or all at once.
    #[test]
    fn numbers_of_all_sizes() {
        for (first, step) in [(0u32, 1 << 13), (1 << 24, 1), ((1 << 25) - 9_000, 1), (u32::MAX - 400_000, 1)]
        {
            let mut table = Table::new(Density::TIGHT);
            let number = |i: u32| first + i * step;
            let hash = |number: u32| scrambled(u64::from(number));
            for id in (0..400_000).map(number) {
                while !table.fits(hash(id), id) {
                    let most = table.bytes() + table.growth(hash(id), id) + (64 << SEGMENT_BITS);
                    let hashes = |ids: &[u32], to: &mut Vec<u64>| to.extend(ids.iter().map(|&id| hash(id)));
                    table.grow(hash(id), id, &hashes);
                    assert!(table.bytes() <= most);
                }
                table.add(hash(id), id);
            }
            for id in (0..400_000).map(number) {
                assert_eq!(table.find(hash(id), |it| it == id), Some(id));
            }
        }
    }
}
