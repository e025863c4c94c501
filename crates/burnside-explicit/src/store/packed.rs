//! Nodes that take less room: each as two numbers of parts that many nodes share.
//!
//! Entry points: [`PackedNodes::set`], [`PackedNodes::unpack`], [`PackedNodes::is`]. A node is cut into
//! parts of at most 64 bits; equal ones have the same number, and so do equal pairs of numbers, as often as
//! it takes until there are two (a tree, as in the databases of LTSmin). A node is then these two, with as
//! many bits as the greatest of its chunk needs. The nodes of the last chunk are not packed: a chunk is
//! packed as a whole, when the next one begins.

use super::table::{Density, Table};

/// Nodes of fewer bits would not get smaller.
const LEAST_BITS: usize = 9;
const BITS: usize = u64::BITS as usize;

/// The nodes, in the order of discovery.
#[derive(Debug)]
pub(super) struct PackedNodes {
    words: usize,
    /// Bits of a part.
    width: usize,
    /// By level, from the parts to those of which there are two.
    levels: Box<[Box<[Interned]>]>,
    chunks: Vec<Chunk>,
    /// Bytes of the chunks.
    bytes: usize,
    /// The words of the last nodes; nothing before there are any.
    last: Box<[u64]>,
}

#[derive(Debug)]
struct Chunk {
    least: [u32; 2],
    widths: [u32; 2],
    /// For each node two numbers, less the least ones, with these widths.
    bits: Box<[u64]>,
}

impl PackedNodes {
    /// Binary logarithm of the number of nodes in a chunk.
    pub const SHIFT: u32 = 9;

    /// For nodes whose words have so many low bits each; none if they are short anyway.
    pub fn new(bits: &[u32]) -> Option<Self> {
        let whole = bits.len().saturating_sub(1) * BITS;
        let total = whole + bits.last().map_or(0, |&bits| bits as usize);
        if total < LEAST_BITS {
            return None;
        }
        let parts = total.div_ceil(BITS).next_power_of_two().max(2);
        let level = |i: u32| (0..parts >> i).map(|_| Interned::new()).collect();
        Some(Self {
            words: bits.len(),
            width: total.div_ceil(parts),
            levels: (0..parts.ilog2()).map(level).collect(),
            chunks: Vec::new(),
            bytes: 0,
            last: Box::default(),
        })
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        self.chunks.len() + usize::from(!self.last.is_empty())
    }

    fn interned(&self) -> impl Iterator<Item = &Interned> {
        self.levels.iter().flatten()
    }

    /// Bytes of all.
    pub fn bytes(&self) -> usize {
        let interned: usize = self.interned().map(Interned::bytes).sum();
        self.bytes + self.chunks.capacity() * size_of::<Chunk>() + size_of_val(&*self.last) + interned
    }

    /// How many bytes more there may be after [`PackedNodes::add_chunk`].
    pub fn growth(&self) -> usize {
        if self.last.is_empty() {
            return (self.words << Self::SHIFT) * size_of::<u64>();
        }
        let interned: usize = self.interned().map(Interned::growth).sum();
        let chunks = self.chunks.capacity().max(4) * size_of::<Chunk>();
        interned + chunks + (size_of::<u64>() << Self::SHIFT) + 2 * size_of::<u64>()
    }

    /// One more, after the last was filled.
    pub fn add_chunk(&mut self) {
        if self.last.is_empty() {
            self.last = vec![0; self.words << Self::SHIFT].into();
            return;
        }
        let last = std::mem::take(&mut self.last);
        let mut numbers = Vec::new();
        let rows: Vec<[u32; 2]> =
            last.chunks_exact(self.words).map(|node| self.pack(node, &mut numbers)).collect();
        self.last = last;
        let chunk = Chunk::new(&rows);
        self.bytes += size_of_val(&*chunk.bits);
        self.chunks.push(chunk);
    }

    /// The two numbers of a node, whose parts need not be known.
    fn pack(&mut self, node: &[u64], numbers: &mut Vec<u64>) -> [u32; 2] {
        let (width, mut levels) = (self.width, self.levels.iter_mut());
        numbers.clear();
        let parts = levels.next().into_iter().flatten().enumerate();
        numbers.extend(parts.map(|(i, interned)| u64::from(interned.number(part(node, i, width)))));
        for level in levels {
            for (i, interned) in level.iter_mut().enumerate() {
                let pair = numbers[2 * i] | numbers[2 * i + 1] << 32;
                numbers[i] = u64::from(interned.number(pair));
            }
        }
        [numbers[0] as u32, numbers[1] as u32]
    }

    /// Writes a node of the last chunk.
    #[inline]
    pub fn set(&mut self, at: usize, node: &[u64]) {
        self.last[at * self.words..][..self.words].copy_from_slice(node);
    }

    /// The words of a node of the last chunk, if it is in this one.
    #[inline(always)]
    fn as_it_is(&self, chunk: usize, at: usize) -> Option<&[u64]> {
        (chunk == self.chunks.len()).then(|| &self.last[at * self.words..][..self.words])
    }

    /// Writes the words of a node, over zeros.
    pub fn unpack(&self, chunk: usize, at: usize, words: &mut [u64]) {
        if let Some(node) = self.as_it_is(chunk, at) {
            return words.copy_from_slice(node);
        }
        self.each_part(self.chunks[chunk].row(at), &mut |i, value| {
            let (word, shift) = (i * self.width / BITS, i * self.width % BITS);
            words[word] |= value << shift;
            if let Some(next) = words.get_mut(word + 1).filter(|_| shift > 0) {
                *next |= value >> (BITS - shift);
            }
            true
        });
    }

    /// Whether a node is this.
    #[inline]
    pub fn is(&self, chunk: usize, at: usize, node: &[u64]) -> bool {
        match self.as_it_is(chunk, at) {
            Some(words) => words.iter().eq(node),
            None => {
                self.each_part(self.chunks[chunk].row(at), &mut |i, value| part(node, i, self.width) == value)
            }
        }
    }

    /// Reads the beginning of a node. The result means nothing.
    #[inline(always)]
    pub fn touch(&self, chunk: usize, at: usize) -> u64 {
        match self.chunks.get(chunk) {
            None => self.last[at * self.words],
            Some(chunk) => chunk.bits[at * chunk.width() / BITS],
        }
    }

    /// Walks over the parts of a node until it is told to end. Says whether it was not.
    #[inline]
    fn each_part(&self, row: [u32; 2], each: &mut impl FnMut(usize, u64) -> bool) -> bool {
        let top = self.levels.len() - 1;
        if top == 0 {
            return (0..2).all(|i| each(i, self.levels[0][i].values[row[i] as usize]));
        }
        (0..2).all(|i| self.parts_of(top, i, row[i], each))
    }

    fn parts_of(
        &self,
        level: usize,
        place: usize,
        number: u32,
        each: &mut impl FnMut(usize, u64) -> bool,
    ) -> bool {
        let value = self.levels[level][place].values[number as usize];
        match level.checked_sub(1) {
            None => each(place, value),
            Some(below) => {
                self.parts_of(below, 2 * place, value as u32, each)
                    && self.parts_of(below, 2 * place + 1, (value >> 32) as u32, each)
            }
        }
    }
}

/// The part of a node with a number.
#[inline(always)]
fn part(node: &[u64], i: usize, width: usize) -> u64 {
    window(node, i * width, width)
}

/// So many bits from a place on, 0 where there are none.
#[inline(always)]
fn window(words: &[u64], at: usize, width: usize) -> u64 {
    let (word, shift) = (at / BITS, at % BITS);
    let low = words.get(word).copied().unwrap_or(0) >> shift;
    let high = words.get(word + 1).copied().unwrap_or(0);
    // In two steps, since a word is not shifted by all of its bits.
    (low | high << 1 << (BITS - 1 - shift)) & (u64::MAX >> (BITS - width.max(1))) & mask_of(width)
}

/// Nothing if there are no bits.
#[inline(always)]
fn mask_of(width: usize) -> u64 {
    0u64.wrapping_sub(u64::from(width != 0))
}

impl Chunk {
    fn new(rows: &[[u32; 2]]) -> Self {
        let of = |i: usize| {
            let least = rows.iter().map(|row| row[i]).min().unwrap_or(0);
            let most = rows.iter().map(|row| row[i]).max().unwrap_or(0);
            (least, u32::BITS - (most - least).leading_zeros())
        };
        let ((first, low), (second, high)) = (of(0), of(1));
        let width = (low + high) as usize;
        let mut bits = vec![0u64; (rows.len() * width).div_ceil(BITS) + 2];
        for (i, row) in rows.iter().enumerate() {
            let value = u64::from(row[0] - first) | u64::from(row[1] - second) << low;
            let (word, shift) = (i * width / BITS, i * width % BITS);
            bits[word] |= value << shift;
            bits[word + 1] |= value >> 1 >> (BITS - 1 - shift);
        }
        Self { least: [first, second], widths: [low, high], bits: bits.into() }
    }

    #[inline(always)]
    fn width(&self) -> usize {
        (self.widths[0] + self.widths[1]) as usize
    }

    #[inline(always)]
    fn row(&self, at: usize) -> [u32; 2] {
        let width = self.width();
        let row = window(&self.bits, at * width, width);
        let low = row & ((1 << self.widths[0]) - 1);
        [self.least[0] + low as u32, self.least[1] + (row >> self.widths[0]) as u32]
    }
}

/// Numbers for words, in the order in which they came.
#[derive(Debug)]
struct Interned {
    values: Vec<u64>,
    table: Table,
}

impl Interned {
    fn new() -> Self {
        Self { values: Vec::new(), table: Table::new(Density::TIGHT) }
    }

    fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<u64>() + self.table.bytes() as usize
    }

    /// How many bytes more there may be after a chunk of new words.
    fn growth(&self) -> usize {
        let table = self.table.bytes() as usize;
        let values = Self::more(self.values.len() + (1 << PackedNodes::SHIFT));
        values * size_of::<u64>() + table / 2 + (512 << 10)
    }

    /// How much more room there is made behind so many words.
    fn more(len: usize) -> usize {
        len / 8 + (1 << PackedNodes::SHIFT)
    }

    fn number(&mut self, value: u64) -> u32 {
        let (hash, Self { values, table }) = (scramble(value), self);
        if let Some(number) = table.find(hash, |number| values[number as usize] == value) {
            return number;
        }
        let number = values.len() as u32;
        while !table.fits(hash, number) {
            table.grow(hash, number, &|numbers, hashes| {
                hashes.extend(numbers.iter().map(|&number| scramble(values[number as usize])));
            });
        }
        table.add(hash, number);
        if values.len() == values.capacity() {
            values.reserve_exact(Self::more(values.len()));
        }
        values.push(value);
        number
    }
}

/// A hash of a word.
fn scramble(value: u64) -> u64 {
    let fold = |x: u64, by: u64| {
        let product = u128::from(x) * u128::from(by);
        product as u64 ^ (product >> 64) as u64
    };
    fold(fold(value ^ 0x243f_6a88_85a3_08d3, 0x9e37_79b9_7f4a_7c15), 0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All widths and places.
    #[test]
    fn windows_are_the_bits_they_should_be() {
        let words = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0xdead_beef_0bad_cafe];
        let bit = |i: usize| words.get(i / BITS).map_or(0, |word| word >> (i % BITS) & 1);
        for width in 0..=BITS {
            for at in 0..200 {
                let expected = (0..width).fold(0, |all, i| all | bit(at + i) << i);
                assert_eq!(window(&words, at, width), expected, "{at} {width}");
            }
        }
    }

    /// Chunks of all widths.
    #[test]
    fn rows_come_back() {
        for low in 0..=32u32 {
            for high in 0..=32u32 {
                let top = |bits: u32| (1u64 << bits).wrapping_sub(1) as u32;
                let row = |i: u32| {
                    let x = i.wrapping_mul(0x9e37_79b9);
                    [x & top(low), x.rotate_left(9) & top(high)]
                };
                let rows: Vec<[u32; 2]> =
                    (0..20).map(row).chain([[top(low), top(high)], [top(low), 0], [0, top(high)]]).collect();
                let chunk = Chunk::new(&rows);
                for (i, row) in rows.iter().enumerate() {
                    assert_eq!(chunk.row(i), *row, "{low} {high}");
                }
            }
        }
    }
}
