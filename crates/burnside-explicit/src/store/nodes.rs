//! The nodes of a store: their words, in chunks that never move.
//!
//! Entry points: [`NodeWords::set`], [`NodeWords::get`], [`NodeWords::is`]. Nodes of few words are kept
//! as bytes, without those that are 0 in every node: of a state of 88 bits 11 are kept, not 16. What is read
//! is then a copy, but one that needs no allocation. On demand nodes are packed (`packed`).

use super::packed::PackedNodes;
use std::ops::Deref;

/// Nodes with more words than this are kept as they are.
const MOST_WORDS: usize = 4;
/// Bytes of a chunk.
const CHUNK_BYTES: usize = 1 << 18;
const WORD: usize = size_of::<u64>();

/// The words of a node.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    /// A copy, and how many words it has.
    Copied([u64; MOST_WORDS], u8),
    /// As it is kept.
    Kept(&'a [u64]),
    /// Of a node with many words that was packed.
    Unpacked(Box<[u64]>),
}

impl Deref for Node<'_> {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            Node::Copied(words, len) => &words[..usize::from(*len)],
            Node::Kept(words) => words,
            Node::Unpacked(words) => words,
        }
    }
}

impl From<Node<'_>> for Box<[u64]> {
    fn from(node: Node<'_>) -> Self {
        (*node).into()
    }
}

/// The nodes, in the order of discovery.
#[derive(Debug)]
pub(super) struct NodeWords {
    words: usize,
    /// Of each word, how many bytes can be other than 0.
    pub(super) widths: Box<[u32]>,
    /// Binary logarithm of the number of nodes in a chunk.
    shift: u32,
    chunks: Chunks,
}

#[derive(Debug)]
enum Chunks {
    Words(Vec<Box<[u64]>>),
    Bytes {
        /// How many bytes of each word are kept.
        kept: Box<[u8]>,
        /// And of a node.
        width: usize,
        chunks: Vec<Box<[u8]>>,
    },
    Packed(Box<PackedNodes>),
}

impl NodeWords {
    /// For nodes whose words have so many low bits each.
    pub fn new(bits: &[u32], compress: bool) -> Self {
        let words = bits.len();
        let widths = bits.iter().map(|bits| bits.div_ceil(8)).collect();
        if let Some(packed) = PackedNodes::new(bits).filter(|_| compress) {
            let chunks = Chunks::Packed(Box::new(packed));
            return Self { words, widths, shift: PackedNodes::SHIFT, chunks };
        }
        if words == 0 || words > MOST_WORDS {
            let shift = (CHUNK_BYTES / (WORD * words.max(1))).max(1).ilog2();
            return Self { words, widths, shift, chunks: Chunks::Words(Vec::new()) };
        }
        let kept: Box<[u8]> = bits.iter().map(|bits| bits.div_ceil(8) as u8).collect();
        let width = kept.iter().map(|&bytes| usize::from(bytes)).sum::<usize>();
        let shift = (CHUNK_BYTES / width.max(1)).ilog2();
        Self { words, widths, shift, chunks: Chunks::Bytes { kept, width, chunks: Vec::new() } }
    }

    /// How many nodes a chunk has.
    pub fn per_chunk(&self) -> usize {
        1 << self.shift
    }

    /// How many bytes more there may be after [`NodeWords::add_chunk`].
    pub fn chunk_bytes(&self) -> usize {
        match &self.chunks {
            Chunks::Words(_) => (self.words * WORD) << self.shift,
            Chunks::Bytes { width, .. } => (width << self.shift) + WORD,
            Chunks::Packed(packed) => packed.growth(),
        }
    }

    /// Bytes of all.
    pub fn bytes(&self) -> usize {
        match &self.chunks {
            Chunks::Words(chunks) => chunks.len() * self.chunk_bytes(),
            Chunks::Bytes { chunks, .. } => chunks.len() * self.chunk_bytes(),
            Chunks::Packed(packed) => packed.bytes(),
        }
    }

    /// How many chunks there are.
    pub fn len(&self) -> usize {
        match &self.chunks {
            Chunks::Words(chunks) => chunks.len(),
            Chunks::Bytes { chunks, .. } => chunks.len(),
            Chunks::Packed(packed) => packed.len(),
        }
    }

    /// One more. All that there are must be full.
    pub fn add_chunk(&mut self) {
        match &mut self.chunks {
            Chunks::Words(chunks) => chunks.push(vec![0; self.words << self.shift].into()),
            // Words are read as a whole, so there is one more behind the last.
            Chunks::Bytes { width, chunks, .. } => chunks.push(vec![0; (*width << self.shift) + WORD].into()),
            Chunks::Packed(packed) => packed.add_chunk(),
        }
    }

    fn split(&self, id: u32) -> (usize, usize) {
        ((id >> self.shift) as usize, (id & ((1 << self.shift) - 1)) as usize)
    }

    /// Writes a node, whose chunk must be the last.
    #[inline]
    pub fn set(&mut self, id: u32, node: &[u64]) {
        let (chunk, at) = self.split(id);
        match &mut self.chunks {
            Chunks::Words(chunks) => chunks[chunk][at * self.words..][..self.words].copy_from_slice(node),
            Chunks::Bytes { kept, width, chunks } => {
                write(&mut chunks[chunk][at * *width..], kept, node);
            }
            Chunks::Packed(packed) => packed.set(at, node),
        }
    }

    /// Places for new nodes from a number on, in lists of so many: each can be written by itself. None if
    /// nodes must be written one after the other.
    pub fn slices(&mut self, from: u32, counts: &[u32]) -> Option<Vec<NodeSlice<'_>>> {
        let end = from + counts.iter().sum::<u32>();
        if matches!(self.chunks, Chunks::Packed(_)) {
            return None;
        }
        while (self.len() << self.shift) < end as usize {
            self.add_chunk();
        }
        let (shift, words) = (self.shift, self.words);
        let (first, at) = self.split(from);
        Some(match &mut self.chunks {
            Chunks::Packed(_) => return None,
            Chunks::Words(chunks) => {
                let lists = cut(&mut chunks[first..], at, counts, 1 << shift, words);
                lists.into_iter().map(|(at, pieces)| NodeSlice::Words { words, shift, at, pieces }).collect()
            }
            Chunks::Bytes { kept, width, chunks } => {
                let (kept, width) = (&**kept, *width);
                let lists = cut(&mut chunks[first..], at, counts, 1 << shift, width);
                let slice = |(at, pieces)| NodeSlice::Bytes { kept, width, shift, at, pieces };
                lists.into_iter().map(slice).collect()
            }
        })
    }

    /// A node.
    #[inline]
    pub fn get(&self, id: u32) -> Node<'_> {
        let (chunk, at) = self.split(id);
        match &self.chunks {
            Chunks::Words(chunks) => Node::Kept(&chunks[chunk][at * self.words..][..self.words]),
            Chunks::Bytes { kept, width, chunks } => {
                let mut words = [0; MOST_WORDS];
                let mut place = &chunks[chunk][at * *width..];
                for (word, &bytes) in words.iter_mut().zip(kept) {
                    *word = low(place, bytes);
                    place = &place[usize::from(bytes)..];
                }
                Node::Copied(words, self.words as u8)
            }
            Chunks::Packed(packed) if self.words <= MOST_WORDS => {
                let mut words = [0; MOST_WORDS];
                packed.unpack(chunk, at, &mut words[..self.words]);
                Node::Copied(words, self.words as u8)
            }
            Chunks::Packed(packed) => {
                let mut words: Box<[u64]> = vec![0; self.words].into();
                packed.unpack(chunk, at, &mut words);
                Node::Unpacked(words)
            }
        }
    }

    /// Reads the beginning of a node. The result means nothing.
    #[inline(always)]
    pub fn touch(&self, id: u32) -> u64 {
        let (chunk, at) = self.split(id);
        match &self.chunks {
            Chunks::Words(chunks) => chunks[chunk].get(at * self.words).copied().unwrap_or(0),
            Chunks::Bytes { width, chunks, .. } => u64::from(chunks[chunk][at * width]),
            Chunks::Packed(packed) => packed.touch(chunk, at),
        }
    }

    /// Whether a node is this.
    #[inline]
    pub fn is(&self, id: u32, node: &[u64]) -> bool {
        let (chunk, at) = self.split(id);
        match &self.chunks {
            // Nodes are short: a call to compare them would take longer than to do it here.
            Chunks::Words(chunks) => chunks[chunk][at * self.words..][..self.words].iter().eq(node),
            Chunks::Bytes { kept, width, chunks } => {
                let mut place = &chunks[chunk][at * *width..];
                node.iter().zip(kept).all(|(&word, &bytes)| {
                    let same = low(place, bytes) == word;
                    place = &place[usize::from(bytes)..];
                    same
                })
            }
            Chunks::Packed(packed) => packed.is(chunk, at, node),
        }
    }
}

/// Places for some new nodes, in the chunks that they are in: the first begins at a node of its chunk.
#[derive(Debug)]
pub(super) enum NodeSlice<'a> {
    Words { words: usize, shift: u32, at: usize, pieces: Vec<&'a mut [u64]> },
    Bytes { kept: &'a [u8], width: usize, shift: u32, at: usize, pieces: Vec<&'a mut [u8]> },
}

impl NodeSlice<'_> {
    /// Writes the node with a number among these.
    #[inline]
    pub fn set(&mut self, number: u32, node: &[u64]) {
        let place = |first: usize, shift: u32| {
            let (piece, at) =
                ((first + number as usize) >> shift, (first + number as usize) & ((1 << shift) - 1));
            (piece, if piece == 0 { at - first } else { at })
        };
        match self {
            Self::Words { words, shift, at, pieces } => {
                let (piece, at) = place(*at, *shift);
                pieces[piece][at * *words..][..*words].copy_from_slice(node);
            }
            Self::Bytes { kept, width, shift, at, pieces } => {
                let (piece, at) = place(*at, *shift);
                write(&mut pieces[piece][at * *width..], kept, node);
            }
        }
    }
}

/// Cuts chunks of `each` nodes of `width` elements into lists of so many nodes, from a node of the first on.
/// Each begins at a node of its first chunk.
fn cut<'a, T>(
    chunks: &'a mut [Box<[T]>],
    mut at: usize,
    counts: &[u32],
    each: usize,
    width: usize,
) -> Vec<(usize, Vec<&'a mut [T]>)> {
    let mut rest = chunks.iter_mut().map(|chunk| &mut chunk[..each * width]);
    let mut chunk = rest.next().map(|chunk| &mut chunk[at * width..]).unwrap_or_default();
    let mut list = |&count: &u32| {
        let (mut left, mut pieces) = (count as usize, Vec::new());
        let first = at % each;
        while left > 0 {
            if at == each {
                (chunk, at) = (rest.next().expect("there are enough chunks"), 0);
            }
            let here = left.min(each - at);
            let (piece, more) = std::mem::take(&mut chunk).split_at_mut(here * width);
            pieces.push(piece);
            (chunk, at, left) = (more, at + here, left - here);
        }
        (first, pieces)
    };
    counts.iter().map(&mut list).collect()
}

/// Writes the bytes of a node that are kept.
#[inline]
fn write(mut place: &mut [u8], kept: &[u8], node: &[u64]) {
    for (&word, &bytes) in node.iter().zip(kept) {
        let bytes = usize::from(bytes);
        debug_assert!(bytes == WORD || word >> (8 * bytes) == 0, "the word has more bits");
        place[..bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
        place = &mut place[bytes..];
    }
}

/// The first bytes as a word.
#[inline(always)]
fn low(place: &[u8], bytes: u8) -> u64 {
    let word = place.first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    // A shift by all bits would be none.
    word & (u64::MAX >> (63 & (64 - 8 * u32::from(bytes)))) & 0u64.wrapping_sub(u64::from(bytes != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How words are kept: with so many bits each.
    const WIDTHS: [&[u32]; 12] = [
        &[],
        &[0],
        &[1],
        &[64],
        &[0, 64],
        &[64, 24],
        &[64, 64, 3],
        &[5, 0, 64, 9],
        &[64; 7],
        &[64, 0],
        &[64, 64, 0, 64, 7],
        &[64; 33],
    ];

    /// Few values of each word, or many.
    fn node(bits: &[u32], id: u32, few: bool) -> Vec<u64> {
        let word = |(i, &bits): (usize, &u32)| {
            let id = if few { u64::from(id) >> (3 * i % 30) & 7 } else { u64::from(id) };
            let word = (id + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(i as u32 * 7);
            if bits == 0 { 0 } else { word >> (64 - bits) }
        };
        bits.iter().enumerate().map(word).collect()
    }

    #[test]
    fn nodes_come_back_whatever_their_widths() {
        for (bits, compress) in WIDTHS.iter().flat_map(|bits| [(bits, false), (bits, true)]) {
            for few in [false, true] {
                let mut nodes = NodeWords::new(bits, compress);
                let node = |id: u32| node(bits, id, few);
                let count = (2 * nodes.per_chunk() + 3) as u32;
                for id in 0..count {
                    if id as usize / nodes.per_chunk() == nodes.len() {
                        let most = nodes.bytes() + nodes.chunk_bytes();
                        nodes.add_chunk();
                        assert!(nodes.bytes() <= most, "{bits:?} {compress}");
                    }
                    nodes.set(id, &node(id));
                }
                for id in 0..count {
                    let expected = node(id);
                    assert_eq!(*nodes.get(id), *expected, "{bits:?} {compress}");
                    assert!(nodes.is(id, &expected));
                    let other = node([id ^ 1, id ^ 8, id ^ 64, id / 2][id as usize % 4]);
                    assert_eq!(nodes.is(id, &other), expected == other);
                }
            }
        }
    }
}
