//! Transition-based generalised Büchi automata, as data.
//!
//! A run is accepting if it takes edges of every acceptance set infinitely often; without sets every infinite run is.

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateId(pub u32);

impl StateId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of acceptance sets: bit `i` is set `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Marks(pub u64);

impl Marks {
    /// The most acceptance sets that an automaton can have.
    pub const MOST: u32 = 64;

    /// All of the first `sets` sets.
    pub fn all(sets: u32) -> Self {
        Self(if sets == 0 { 0 } else { u64::MAX >> (64 - sets) })
    }

    /// Both together.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A conjunction of literals. Bit `i % 64` of word `i / 64` belongs to atom `i`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// Which atoms matter.
    pub care: Box<[u64]>,
    /// Which of these must be true; a subset of `care`.
    pub value: Box<[u64]>,
}

impl Cube {
    /// True of every letter over so many atoms.
    pub fn top(atoms: u32) -> Self {
        let zero: Box<[u64]> = vec![0; atoms.div_ceil(64) as usize].into();
        Self { care: zero.clone(), value: zero }
    }

    /// Whether it is true of a letter, given as the bits of the true atoms.
    #[inline]
    pub fn holds(&self, letter: &[u64]) -> bool {
        self.care.iter().zip(&self.value).zip(letter).all(|((care, value), letter)| letter & care == *value)
    }
}

/// An edge of an automaton.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The letters it reads.
    pub label: Cube,
    /// The acceptance sets it is in.
    pub marks: Marks,
    /// Where it leads.
    pub target: StateId,
}

/// A transition-based generalised Büchi automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// How many atoms its letters have.
    pub atoms: u32,
    /// How many acceptance sets it has.
    pub sets: u32,
    /// Where runs start; none: it accepts nothing.
    pub initial: Vec<StateId>,
    /// The edges of each state.
    pub edges: Vec<Vec<Edge>>,
}

impl Automaton {
    /// How many states it has.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Whether it has no state.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}
