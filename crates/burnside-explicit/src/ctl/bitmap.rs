//! One bit for each node.

/// A set of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bitmap {
    words: Vec<u64>,
}

impl Bitmap {
    /// Nothing, with room for so many nodes.
    pub fn none(nodes: usize) -> Self {
        Self { words: vec![0; nodes.div_ceil(64)] }
    }

    #[inline]
    pub fn get(&self, node: u32) -> bool {
        self.words.get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 == 1)
    }

    #[inline]
    pub fn set(&mut self, node: u32, value: bool) {
        let at = node as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (node % 64);
        self.words[at] = if value { self.words[at] | bit } else { self.words[at] & !bit };
    }

    /// Adds a node that there is room for.
    #[inline]
    pub fn insert(&mut self, node: u32) {
        self.words[node as usize / 64] |= 1 << (node % 64);
    }

    /// Removes a node that there is room for.
    #[inline]
    pub fn remove(&mut self, node: u32) {
        self.words[node as usize / 64] &= !(1 << (node % 64));
    }

    /// The first bit from one on that is not set, of all that there is room for.
    #[inline]
    pub fn next_absent(&self, from: u32) -> Option<u32> {
        let mut at = from as usize / 64;
        let mut absent = !*self.words.get(at)? & (u64::MAX << (from % 64));
        while absent == 0 {
            at += 1;
            absent = !*self.words.get(at)?;
        }
        Some(at as u32 * 64 + absent.trailing_zeros())
    }

    /// The last bit that is not set, of all that there is room for.
    pub fn last_absent(&self) -> Option<u32> {
        self.previous_absent(self.words.len() as u32 * 64)
    }

    /// The last bit before one that is not set.
    #[inline]
    pub fn previous_absent(&self, before: u32) -> Option<u32> {
        let mut at = before as usize / 64;
        let mut absent = self.words.get(at).map_or(0, |word| !word & !(u64::MAX << (before % 64)));
        while absent == 0 {
            at = at.checked_sub(1)?;
            absent = !self.words[at];
        }
        Some(at as u32 * 64 + 63 - absent.leading_zeros())
    }

    /// The nodes that a function of the words of others says; both have room for the same nodes.
    pub fn combine(&self, other: &Self, with: impl Fn(u64, u64) -> u64) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(&a, &b)| with(a, b)).collect() }
    }

    /// All others of so many nodes.
    pub fn complement(&self, nodes: usize) -> Self {
        let mut words: Vec<u64> = self.words.iter().map(|word| !word).collect();
        if let (Some(last), rest @ 1..) = (words.last_mut(), nodes % 64) {
            *last &= (1 << rest) - 1;
        }
        Self { words }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_bits_are_found_in_both_directions() {
        let absent = [0, 1, 63, 64, 127, 128, 200, 255];
        let mut bitmap = Bitmap { words: vec![u64::MAX; 4] };
        assert_eq!((bitmap.next_absent(0), bitmap.last_absent()), (None, None));
        absent.iter().for_each(|&node| bitmap.remove(node));
        for from in 0..300 {
            assert_eq!(bitmap.next_absent(from), absent.iter().copied().find(|&node| node >= from), "{from}");
            let before = absent.iter().copied().rfind(|&node| node < from);
            assert_eq!(bitmap.previous_absent(from), before, "{from}");
        }
        assert_eq!(bitmap.last_absent(), Some(255));
        absent.iter().for_each(|&node| bitmap.insert(node));
        assert_eq!(bitmap.next_absent(0), None);
        assert_eq!(Bitmap::none(0).next_absent(0), None);
    }
}
