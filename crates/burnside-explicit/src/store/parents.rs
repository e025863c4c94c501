//! The predecessors of a store's nodes.
//!
//! Entry points: [`Parents::push`] and [`Parents::get`]. The last ones are kept as they are. What was pushed
//! before is kept in parts that are not written any more: a breadth-first search pushes them in ascending
//! order, and then a part has about two bits for each.

/// How many are in a part.
const PART: usize = 1 << 12;
/// The predecessor of an initial node.
pub(super) const NONE: u32 = u32::MAX;

/// By node, in the order of discovery.
#[derive(Debug, Default)]
pub(super) struct Parents {
    sealed: Vec<SealedParents>,
    last: Vec<u32>,
    /// Bytes of the parts.
    bytes: usize,
}

#[derive(Debug)]
enum SealedParents {
    /// No node of it has a predecessor.
    Initial,
    /// The first one, and for each node a 1 after as many 0s as its predecessor is greater than the one
    /// before.
    Ascending(u32, Box<[u64]>),
    Any(Box<[u32]>),
}

impl Parents {
    /// Bytes of all.
    pub fn bytes(&self) -> usize {
        self.bytes
            + self.sealed.capacity() * size_of::<SealedParents>()
            + self.last.capacity() * size_of::<u32>()
    }

    /// How many bytes more there may be after so many more.
    pub fn growth(count: usize) -> usize {
        // While one part is written, and the list of parts grows.
        count * size_of::<u32>() + 2 * PART * size_of::<u32>()
    }

    /// The predecessor of the next node.
    #[inline]
    pub fn push(&mut self, parent: u32) {
        if self.last.len() == PART {
            self.seal();
        }
        self.last.push(parent);
    }

    #[cold]
    fn seal(&mut self) {
        let part = SealedParents::of(&self.last);
        self.bytes += match &part {
            SealedParents::Initial => 0,
            SealedParents::Ascending(_, bits) => size_of_val(&**bits),
            SealedParents::Any(parents) => size_of_val(&**parents),
        };
        self.sealed.push(part);
        self.last.clear();
    }

    /// The predecessor of a node.
    pub fn get(&self, id: u32) -> u32 {
        let (part, at) = (id as usize / PART, id as usize % PART);
        match self.sealed.get(part) {
            None => self.last[at],
            Some(SealedParents::Initial) => NONE,
            Some(SealedParents::Any(parents)) => parents[at],
            Some(SealedParents::Ascending(first, bits)) => first + (select(bits, at) - at) as u32,
        }
    }
}

impl SealedParents {
    fn of(parents: &[u32]) -> Self {
        if parents.iter().all(|&parent| parent == NONE) {
            return Self::Initial;
        }
        let (first, last) = (parents[0], parents[parents.len() - 1]);
        let len = last.saturating_sub(first) as usize + parents.len();
        if last == NONE || !parents.is_sorted() || len.div_ceil(u64::BITS as usize) * 2 > parents.len() {
            return Self::Any(parents.into());
        }
        let mut bits = vec![0; len.div_ceil(u64::BITS as usize)];
        for (i, parent) in parents.iter().enumerate() {
            let bit = (parent - first) as usize + i;
            bits[bit / 64] |= 1 << (bit % 64);
        }
        Self::Ascending(first, bits.into())
    }
}

/// Where the 1 with this number is.
fn select(bits: &[u64], mut number: usize) -> usize {
    for (i, &word) in bits.iter().enumerate() {
        let ones = word.count_ones() as usize;
        if number < ones {
            let rest = (0..number).fold(word, |rest, _| rest & (rest - 1));
            return i * 64 + rest.trailing_zeros() as usize;
        }
        number -= ones;
    }
    unreachable!("every node has its 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sequences of all kinds, with changes of kind at all places of a part.
    #[test]
    fn come_back() {
        let kinds: [fn(u32) -> u32; 7] = [
            |_| NONE,
            |i| i,
            |i| i / 3,
            |i| i / 100 * 100,
            |i| i.wrapping_mul(0x9e37_79b9) >> 4,
            |i| i / 7 * 100_000 % (NONE - 1),
            |i| NONE - 1 - i,
        ];
        for (a, before) in kinds.iter().enumerate() {
            for (b, after) in kinds.iter().enumerate() {
                let change = (a * 7 + b) * 311;
                let of = |i: u32| if (i as usize) < change { before(i) } else { after(i) };
                let mut parents = Parents::default();
                let count = 4 * PART as u32 + 5;
                (0..count).for_each(|i| parents.push(of(i)));
                (0..count).for_each(|i| assert_eq!(parents.get(i), of(i), "{a} {b} {i}"));
            }
        }
    }

    #[test]
    fn ascending_ones_take_few_bits() {
        let mut parents = Parents::default();
        (0..1_000_000u32).for_each(|i| parents.push(i / 3 * 2));
        assert!(parents.bytes() < 300_000, "{}", parents.bytes());
    }
}
