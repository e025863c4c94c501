//! All products of rotations of the rings and of elements of a small group given by generators, made one by
//! one: a list of them would take the square of a ring's size.
//!
//! Entry point: [`EnumeratedGroup::permutation`].

use burnside_ts::{Permutation, SortId};

/// Permutations that are all tried.
#[derive(Debug)]
pub(super) struct EnumeratedGroup {
    identity: Permutation,
    rings: Vec<SortId>,
    /// Elements of a group given by generators, the identity first; at least that.
    elements: Vec<Permutation>,
}

impl EnumeratedGroup {
    /// All rotations of some rings.
    pub fn new(identity: Permutation, rings: &[SortId]) -> Self {
        Self { rings: rings.to_vec(), elements: vec![identity.clone()], identity }
    }

    /// The same after each element of a group; no elements are as good as the identity alone.
    pub fn with(&mut self, elements: Vec<Permutation>) {
        if !elements.is_empty() {
            self.elements = elements;
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.rotations().saturating_mul(self.elements.len())
    }

    fn rotations(&self) -> usize {
        let size = |ring: &SortId| self.identity.images[ring.index()].len();
        self.rings.iter().map(size).fold(1, usize::saturating_mul)
    }

    /// How many elements and words are moved when all are tried on a state of so many words.
    pub fn cost(&self, words: usize) -> u64 {
        let each = self.identity.images.iter().map(Vec::len).sum::<usize>() + words;
        if self.count() == 1 { 0 } else { (self.count() as u64).saturating_mul(each as u64) }
    }

    /// The one with a number; the first is the identity.
    pub fn permutation(&self, number: usize) -> Permutation {
        let mut element = self.identity.clone();
        let mut rest = number % self.rotations();
        for ring in &self.rings {
            let images = &mut element.images[ring.index()];
            let size = images.len();
            images.rotate_left(rest % size);
            rest /= size;
        }
        match number / self.rotations() {
            0 => element,
            listed => element.after(&self.elements[listed]),
        }
    }
}

impl EnumeratedGroup {
    /// EnumeratedGroup the permutation with the number before into the one with this number.
    pub fn advance(&self, number: usize, element: &mut Permutation) {
        if self.elements.len() > 1 {
            *element = self.permutation(number);
            return;
        }
        let mut rest = number;
        for ring in &self.rings {
            let images = &mut element.images[ring.index()];
            images.rotate_left(1);
            if !rest.is_multiple_of(images.len()) {
                return;
            }
            rest /= images.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EnumeratedGroup;
    use burnside_ts::{Permutation, SortId};

    /// The rotations of two rings of three and two elements, the first turning faster, without and with a
    /// swap in a third sort.
    #[test]
    fn elements_are_numbered() {
        let identity = Permutation { images: vec![vec![0, 1, 2], vec![0, 1], vec![0, 1]] };
        let mut enumerated = EnumeratedGroup::new(identity.clone(), &[SortId(0), SortId(1)]);
        let rings = |number| {
            (
                enumerated.permutation(number).images[0].clone(),
                enumerated.permutation(number).images[1].clone(),
            )
        };
        let expected = [
            (vec![0, 1, 2], vec![0, 1]),
            (vec![1, 2, 0], vec![0, 1]),
            (vec![2, 0, 1], vec![0, 1]),
            (vec![0, 1, 2], vec![1, 0]),
            (vec![1, 2, 0], vec![1, 0]),
            (vec![2, 0, 1], vec![1, 0]),
        ];
        assert_eq!((0..enumerated.count()).map(rings).collect::<Vec<_>>(), expected);
        let mut element = enumerated.permutation(0);
        for number in 1..enumerated.count() {
            enumerated.advance(number, &mut element);
            assert_eq!(element, enumerated.permutation(number));
        }
        let swap = Permutation { images: vec![vec![0, 1, 2], vec![0, 1], vec![1, 0]] };
        enumerated.with(vec![identity, swap]);
        assert_eq!(enumerated.count(), 12);
        for number in 6..12 {
            let (with, without) = (enumerated.permutation(number), enumerated.permutation(number - 6));
            assert_eq!((&with.images[..2], &with.images[2]), (&without.images[..2], &vec![1, 0]));
        }
    }

    /// What would be 10^18 permutations takes no more room than two.
    #[test]
    fn large_rings_need_no_list() {
        let ring: Vec<u32> = (0..1_000_000).collect();
        let enumerated = EnumeratedGroup::new(
            Permutation { images: vec![ring.clone(), ring.clone(), ring] },
            &[SortId(0), SortId(1), SortId(2)],
        );
        assert_eq!(enumerated.count(), 1_000_000_000_000_000_000);
        assert_eq!(enumerated.permutation(enumerated.count() - 1).images[2][..2], [999_999, 0]);
        assert_eq!(enumerated.cost(1), u64::MAX);
    }
}
