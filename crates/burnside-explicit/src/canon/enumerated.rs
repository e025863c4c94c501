//! Products of turns of the rings and of elements of a small group given by generators, tried one by one on a
//! state: of the turns, only the candidates that the rings have found in it.
//!
//! Entry point: [`EnumeratedGroup::find`]; then [`EnumeratedGroup::write`] for each number.

use super::rings::Rings;
use burnside_ts::Permutation;

/// Permutations that are tried.
#[derive(Debug)]
pub(super) struct EnumeratedGroup {
    rings: Option<Rings>,
    /// Elements of a group given by generators, the identity first; none: the identity alone.
    elements: Vec<Permutation>,
}

impl EnumeratedGroup {
    /// The turns of some rings, after each element of a group.
    pub fn new(rings: Option<Rings>, elements: Vec<Permutation>) -> Self {
        Self { rings, elements }
    }

    /// Whether there is nothing to try but the identity, in any state.
    pub fn is_trivial(&self) -> bool {
        self.rings.is_none() && self.elements.len() <= 1
    }

    /// Looks for what is to be tried on a state (with spare words).
    pub fn find(&mut self, state: &[u64]) {
        if let Some(rings) = &mut self.rings {
            rings.find(state);
        }
    }

    /// The rings, if there is nothing else.
    pub fn rings_alone(&mut self) -> Option<&mut Rings> {
        self.rings.as_mut().filter(|_| self.elements.len() <= 1)
    }

    /// How many there are to try, at least one.
    pub fn count(&self) -> usize {
        self.turns() * self.elements.len().max(1)
    }

    fn turns(&self) -> usize {
        self.rings.as_ref().map_or(1, Rings::count)
    }

    /// Whether the states that they lead to come again as soon as the first one does.
    pub fn is_cycle(&self) -> bool {
        self.elements.len() <= 1 && self.rings.as_ref().is_none_or(Rings::is_cycle)
    }

    /// The rings; none if none is turned.
    pub fn rings(&self) -> Option<&Rings> {
        self.rings.as_ref()
    }

    /// Writes the one with a number over another one, or over the identity.
    pub fn write(&self, number: usize, permutation: &mut Permutation) {
        let turns = self.turns();
        if let Some(element) = self.elements.get(number / turns) {
            permutation.clone_from(element);
        }
        if let Some(rings) = &self.rings {
            rings.write(number % turns, permutation);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EnumeratedGroup;
    use burnside_ts::Permutation;

    #[test]
    fn elements_are_numbered() {
        let [identity, swap] = [[0, 1], [1, 0]].map(|images| Permutation { images: vec![images.to_vec()] });
        let mut permutation = identity.clone();
        assert!(EnumeratedGroup::new(None, Vec::new()).is_trivial());
        let enumerated = EnumeratedGroup::new(None, vec![identity.clone(), swap.clone()]);
        assert!(!enumerated.is_trivial() && !enumerated.is_cycle());
        assert_eq!(enumerated.count(), 2);
        for (number, expected) in [(1, swap), (0, identity)] {
            enumerated.write(number, &mut permutation);
            assert_eq!(permutation, expected);
        }
    }
}
