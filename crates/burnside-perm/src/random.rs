//! Random elements of a group given by generators: product replacement with a running product ("rattle").
//!
//! Entry point: [`Rattle::next`]. The numbers come from a fixed seed, so every run of the program sees the
//! same elements. They are only ever used to *propose*: nothing in this crate relies on their distribution
//! for being right, only for being fast. O(n) an element, after a warm-up of a few dozen.

use crate::Perm;

/// SplitMix64.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number of `0..bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }
}

/// A source of random elements.
pub(crate) struct Rattle {
    slots: Vec<Perm>,
    product: Perm,
    scratch: Perm,
    random: Random,
}

impl Rattle {
    /// A source for the group of these generators, of which there is at least one.
    pub(crate) fn new(generators: &[Perm]) -> Rattle {
        let slots: Vec<Perm> = generators.iter().cycle().take(generators.len().max(8)).cloned().collect();
        let product = generators[0].clone();
        let mut rattle = Rattle { scratch: product.clone(), product, slots, random: Random::new(1) };
        (0..40).for_each(|_| rattle.shake());
        rattle
    }

    fn shake(&mut self) {
        let to = self.random.below(self.slots.len());
        let from = (to + 1 + self.random.below(self.slots.len() - 1)) % self.slots.len();
        let by =
            if self.random.below(2) == 0 { self.slots[from].clone() } else { self.slots[from].inverse() };
        if self.random.below(2) == 0 {
            self.slots[to].premultiply(&by);
        } else {
            self.slots[to].compose_into(&by, &mut self.scratch);
            std::mem::swap(&mut self.slots[to], &mut self.scratch);
        }
        self.product.premultiply(&self.slots[to]);
    }

    /// The next element.
    pub(crate) fn next(&mut self) -> Perm {
        self.shake();
        self.product.clone()
    }
}
