//! Transition-based generalised Büchi automata, as data.
//!
//! A run is accepting if it takes edges of every acceptance set infinitely often; without sets every infinite
//! run is.

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

    /// Whether all of these are in the other.
    pub fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// How many they are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// One after the other.
    pub fn each(self) -> impl Iterator<Item = Self> {
        (0..Self::MOST).filter(move |&set| self.has(set)).map(|set| Self(1 << set))
    }

    /// Whether set `set` is one of these.
    pub fn has(self, set: u32) -> bool {
        self.0 >> set & 1 == 1
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

    /// True if the atom is, or if it is not.
    pub fn literal(atoms: u32, atom: u32, positive: bool) -> Self {
        let mut cube = Self::top(atoms);
        cube.set(atom, positive);
        cube
    }

    /// Makes the atom matter.
    pub fn set(&mut self, atom: u32, positive: bool) {
        let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
        self.care[word] |= bit;
        self.value[word] = if positive { self.value[word] | bit } else { self.value[word] & !bit };
    }

    /// Makes the atom matter no more.
    pub fn forget(&mut self, atom: u32) {
        let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
        self.care[word] &= !bit;
        self.value[word] &= !bit;
    }

    /// What it demands of the atom.
    pub fn get(&self, atom: u32) -> Option<bool> {
        let (word, bit) = (atom as usize / 64, 1 << (atom % 64));
        (self.care[word] & bit != 0).then(|| self.value[word] & bit != 0)
    }

    /// The atoms that matter, with what is demanded of them, in order.
    pub fn literals(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.care.iter().zip(&self.value).enumerate().flat_map(|(word, (&care, &value))| {
            (0..64)
                .filter(move |bit| care >> bit & 1 == 1)
                .map(move |bit| (word as u32 * 64 + bit, value >> bit & 1 == 1))
        })
    }

    /// How many atoms matter.
    pub fn size(&self) -> u32 {
        self.care.iter().map(|word| word.count_ones()).sum()
    }

    /// Both at once, unless they contradict each other.
    pub fn and(&self, other: &Self) -> Option<Self> {
        if self.disjoint(other) {
            return None;
        }
        let join = |a: &[u64], b: &[u64]| a.iter().zip(b).map(|(a, b)| a | b).collect();
        Some(Self { care: join(&self.care, &other.care), value: join(&self.value, &other.value) })
    }

    /// Whether no letter is in both.
    pub fn disjoint(&self, other: &Self) -> bool {
        let words = self.care.iter().zip(&self.value).zip(other.care.iter().zip(&other.value));
        words.into_iter().any(|((care, value), (care2, value2))| care & care2 & (value ^ value2) != 0)
    }

    /// Whether every letter in it is in the other.
    pub fn implies(&self, other: &Self) -> bool {
        let words = self.care.iter().zip(&self.value).zip(other.care.iter().zip(&other.value));
        words
            .into_iter()
            .all(|((care, value), (care2, value2))| care2 & !care == 0 && value & care2 == *value2)
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

    /// One that accepts nothing.
    pub fn none(atoms: u32) -> Self {
        Self { atoms, sets: 0, initial: Vec::new(), edges: Vec::new() }
    }

    /// How many edges it has.
    pub fn edge_count(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Whether no state reads a letter by edges that differ in more than the label, and runs have one start
    /// at most.
    pub fn is_deterministic(&self) -> bool {
        let apart =
            |a: &Edge, b: &Edge| (a.target == b.target && a.marks == b.marks) || a.label.disjoint(&b.label);
        let sound = |edges: &Vec<Edge>| {
            (1..edges.len()).all(|i| edges[..i].iter().all(|edge| apart(edge, &edges[i])))
        };
        self.initial.len() <= 1 && self.edges.iter().all(sound)
    }

    /// Whether it has no state.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}
