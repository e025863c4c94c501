//! Which permutations of the elements of sorts a system allows: the group, one factor per sort.

use crate::types::{SortId, SortKind, Types};

/// What may permute the elements of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Freedom {
    /// All permutations of these elements (ascending, at least two); the others stay where they are.
    Full(Vec<u32>),
    /// All rotations of the whole sort.
    Rotations,
    /// Nothing.
    Fixed,
}

/// The group: the product of what each sort allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// By sort.
    pub sorts: Vec<Freedom>,
}

impl Freedom {
    /// All permutations of some elements.
    pub fn full(elements: Vec<u32>) -> Self {
        if elements.len() < 2 { Freedom::Fixed } else { Freedom::Full(elements) }
    }

    /// What both allow.
    pub fn meet(&self, other: &Freedom) -> Freedom {
        match (self, other) {
            (Freedom::Full(mine), Freedom::Full(theirs)) => {
                Freedom::full(mine.iter().copied().filter(|e| theirs.binary_search(e).is_ok()).collect())
            }
            (Freedom::Rotations, Freedom::Rotations) => Freedom::Rotations,
            // A rotation moves every element, so it is among the permutations of all elements only.
            (Freedom::Rotations, Freedom::Full(elements)) | (Freedom::Full(elements), Freedom::Rotations)
                if elements.iter().enumerate().all(|(i, &e)| i == e as usize) =>
            {
                Freedom::Rotations
            }
            _ => Freedom::Fixed,
        }
    }
}

impl Symmetry {
    /// What the declarations of the sorts say.
    pub fn declared(types: &Types) -> Self {
        let freedom = |kind, size| match kind {
            _ if size < 2 => Freedom::Fixed,
            SortKind::Symmetric => Freedom::full((0..size).collect()),
            SortKind::Ring => Freedom::Rotations,
        };
        Self { sorts: types.sorts().map(|(_, sort)| freedom(sort.kind, sort.size)).collect() }
    }

    /// What is left if only elements of declared sorts may be moved, not those of ranges and enums.
    pub fn of_declared(&self, types: &Types) -> Self {
        let freedom = |(freedom, (_, sort)): (&Freedom, (SortId, &crate::types::Sort))| match sort.labels {
            None => freedom.clone(),
            Some(_) => Freedom::Fixed,
        };
        Self { sorts: self.sorts.iter().zip(types.sorts()).map(freedom).collect() }
    }

    /// Nothing may be moved.
    pub fn trivial(types: &Types) -> Self {
        Self { sorts: types.sorts().map(|_| Freedom::Fixed).collect() }
    }

    /// Whether nothing may be moved.
    pub fn is_trivial(&self) -> bool {
        self.sorts.iter().all(|freedom| *freedom == Freedom::Fixed)
    }

    /// What both allow.
    pub fn meet(&self, other: &Symmetry) -> Symmetry {
        Symmetry { sorts: self.sorts.iter().zip(&other.sorts).map(|(a, b)| a.meet(b)).collect() }
    }
}

/// The members of each sort, in classes that can be swapped without changing some state.
#[derive(Clone, Debug)]
pub struct Classes {
    /// By sort and element: the least element of its class.
    lead: Vec<Vec<u32>>,
    /// By sort and element: the next greater element of its class.
    next: Vec<Vec<Option<u32>>>,
}

impl Classes {
    /// Every element alone.
    pub fn discrete(types: &Types) -> Self {
        Self {
            lead: types.sorts().map(|(_, sort)| (0..sort.size).collect()).collect(),
            next: types.sorts().map(|(_, sort)| vec![None; sort.size as usize]).collect(),
        }
    }

    /// Makes one class of some elements (ascending) that were alone.
    pub fn join(&mut self, sort: SortId, class: &[u32]) {
        for &element in class {
            self.lead[sort.index()][element as usize] = class[0];
        }
        for pair in class.windows(2) {
            self.next[sort.index()][pair[0] as usize] = Some(pair[1]);
        }
    }

    /// The least element of each class.
    pub fn leads(&self, sort: SortId) -> impl Iterator<Item = u32> {
        self.lead[sort.index()]
            .iter()
            .enumerate()
            .filter(|&(i, &lead)| i as u32 == lead)
            .map(|(_, &lead)| lead)
    }

    /// The least element of the class of an element.
    pub fn lead(&self, sort: SortId, element: u32) -> u32 {
        self.lead[sort.index()][element as usize]
    }

    /// The next greater element of the class of an element.
    pub fn next(&self, sort: SortId, element: u32) -> Option<u32> {
        self.next[sort.index()][element as usize]
    }
}
