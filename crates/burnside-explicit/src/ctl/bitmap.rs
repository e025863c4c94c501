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
