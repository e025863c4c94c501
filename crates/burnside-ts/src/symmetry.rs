//! Which permutations of the elements of sorts a system allows: the group.

use crate::action::{Permutation, SparsePermutation};
use crate::types::{SortId, SortKind, Types};
use burnside_limits::poll;
use std::sync::Arc;

/// What may permute the elements of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SortGroup {
    /// All permutations within each of these disjoint blocks (each ascending, of at least two elements, in
    /// the order of their first ones); the other elements stay where they are.
    Full(Vec<Vec<u32>>),
    /// All rotations of the whole sort.
    Rotations,
    /// Nothing.
    Fixed,
}

/// The group: the product of what each sort allows and of what the generators generate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Symmetry {
    /// By sort.
    pub sorts: Vec<SortGroup>,
    /// Permutations of more than one sort, or of parts of one. They move only sorts that are fixed otherwise.
    pub generators: Vec<SparsePermutation>,
    /// Elements such that for each of them the generators that fix all before it generate all permutations
    /// that do, up to the last, where that is the identity alone; none if such elements are not known.
    pub base: Vec<(SortId, u32)>,
}

impl SortGroup {
    /// All permutations of some elements.
    pub fn full(elements: Vec<u32>) -> Self {
        Self::blocks(vec![elements])
    }

    /// All permutations within each of some disjoint blocks of ascending elements; those with less than two
    /// allow nothing.
    pub fn blocks(mut blocks: Vec<Vec<u32>>) -> Self {
        blocks.retain(|block| block.len() > 1);
        blocks.sort_unstable();
        if blocks.is_empty() { SortGroup::Fixed } else { SortGroup::Full(blocks) }
    }

    /// Whether it is all permutations of a sort with so many elements.
    pub fn is_whole(&self, size: u32) -> bool {
        matches!(self, SortGroup::Full(blocks) if blocks[0].len() == size as usize)
    }

    /// What both allow, of a sort with so many elements.
    pub fn meet(&self, other: &SortGroup, size: u32) -> SortGroup {
        match (self, other) {
            (SortGroup::Full(mine), SortGroup::Full(theirs)) => {
                let both = |(mine, theirs): (&Vec<u32>, &Vec<u32>)| {
                    mine.iter().copied().filter(|e| theirs.binary_search(e).is_ok()).collect()
                };
                let pairs = mine.iter().flat_map(|mine| theirs.iter().map(move |theirs| (mine, theirs)));
                SortGroup::blocks(pairs.map(both).collect())
            }
            (SortGroup::Rotations, SortGroup::Rotations) => SortGroup::Rotations,
            // A rotation moves every element, so it is among the permutations of all elements only.
            (SortGroup::Rotations, full) | (full, SortGroup::Rotations) if full.is_whole(size) => {
                SortGroup::Rotations
            }
            _ => SortGroup::Fixed,
        }
    }

    /// Whether a permutation of the sort is among those allowed.
    pub fn allows(&self, images: &[u32]) -> bool {
        let mut moved = images.iter().enumerate().filter(|&(i, &image)| i != image as usize);
        match self {
            SortGroup::Full(blocks) => moved.all(|(i, &image)| {
                let mut blocks = blocks.iter();
                let own = blocks.find(|block| block.binary_search(&(i as u32)).is_ok());
                own.is_some_and(|block| block.binary_search(&image).is_ok())
            }),
            SortGroup::Rotations => {
                let by = images.first().map_or(0, |&image| image as usize);
                images.iter().enumerate().all(|(i, &image)| image as usize == (i + by) % images.len())
            }
            SortGroup::Fixed => moved.next().is_none(),
        }
    }
}

impl Symmetry {
    /// The product of what each sort allows.
    pub fn product(sorts: Vec<SortGroup>) -> Self {
        Self { sorts, generators: Vec::new(), base: Vec::new() }
    }

    /// What the declarations of the sorts say.
    pub fn declared(types: &Types) -> Self {
        let sort_group = |kind, size| match kind {
            _ if size < 2 => SortGroup::Fixed,
            SortKind::Symmetric => SortGroup::full((0..size).collect()),
            SortKind::Ring => SortGroup::Rotations,
        };
        Self::product(types.sorts().map(|(_, sort)| sort_group(sort.kind, sort.size)).collect())
    }

    /// What is left if only elements of declared sorts may be moved, not those of ranges and enums.
    pub fn of_declared(&self, types: &Types) -> Self {
        let sort_group =
            |(sort_group, (_, sort)): (&SortGroup, (SortId, &crate::types::Sort))| match sort.inferred {
                false => sort_group.clone(),
                true => SortGroup::Fixed,
            };
        let sorts = self.sorts.iter().zip(types.sorts()).map(sort_group).collect();
        Self { sorts, generators: self.generators.clone(), base: self.base.clone() }
    }

    /// Nothing may be moved.
    pub fn trivial(types: &Types) -> Self {
        Self::product(types.sorts().map(|_| SortGroup::Fixed).collect())
    }

    /// Whether nothing may be moved.
    pub fn is_trivial(&self) -> bool {
        self.generators.is_empty() && self.sorts.iter().all(|sort_group| *sort_group == SortGroup::Fixed)
    }

    /// Whether some permutation moves an element of a sort.
    pub fn moves(&self, sort: SortId) -> bool {
        self.sorts[sort.index()] != SortGroup::Fixed
            || self.generators.iter().any(|permutation| permutation.moves(sort))
    }

    /// A group that both allow: of the generators, those that both have.
    pub fn meet(&self, other: &Symmetry, types: &Types) -> Symmetry {
        let shared = self.generators.iter().filter(|permutation| other.generators.contains(permutation));
        let sorts = self.sorts.iter().zip(&other.sorts).zip(types.sorts());
        let generators: Vec<SparsePermutation> = shared.cloned().collect();
        let all = generators.len() == self.generators.len();
        Symmetry {
            sorts: sorts.map(|((mine, theirs), (_, sort))| mine.meet(theirs, sort.size)).collect(),
            base: if all { self.base.clone() } else { Vec::new() },
            generators,
        }
    }

    /// Few permutations that generate it: of each block a swap and a turn, of rotations a turn; then its
    /// generators.
    pub fn generating(&self, types: &Types) -> Vec<Permutation> {
        let each = |sort, sort_group: &SortGroup| match sort_group {
            SortGroup::Full(blocks) => {
                let turns = |block: &Vec<u32>| if block.len() > 2 { vec![block.clone()] } else { Vec::new() };
                blocks.iter().flat_map(|block| [vec![block[..2].to_vec()], turns(block)].concat()).collect()
            }
            SortGroup::Rotations => vec![(0..types.sort(sort).size).collect()],
            SortGroup::Fixed => Vec::new(),
        };
        self.generated_by(types, each)
    }

    /// Permutations that generate it, with swaps of neighbours for each block.
    pub fn neighbours(&self, types: &Types) -> Vec<Permutation> {
        let each = |sort, sort_group: &SortGroup| match sort_group {
            SortGroup::Full(blocks) => {
                blocks.iter().flat_map(|block| block.windows(2)).map(<[u32]>::to_vec).collect()
            }
            SortGroup::Rotations => vec![(0..types.sort(sort).size).collect()],
            SortGroup::Fixed => Vec::new(),
        };
        self.generated_by(types, each)
    }

    /// Cycles of the sorts, and then the generators.
    fn generated_by(
        &self,
        types: &Types,
        cycles: impl Fn(SortId, &SortGroup) -> Vec<Vec<u32>>,
    ) -> Vec<Permutation> {
        let mut all = Vec::new();
        for (sort, sort_group) in self.sorts.iter().enumerate() {
            for cycle in cycles(SortId(sort as u32), sort_group) {
                let mut permutation = Permutation::identity(types);
                for (i, &element) in cycle.iter().enumerate() {
                    permutation.images[sort][element as usize] = cycle[(i + 1) % cycle.len()];
                }
                all.push(permutation);
            }
        }
        all.extend(self.generators.iter().map(|generator| generator.written(types)));
        all
    }

    /// Whether a permutation is among those that the sorts allow, each by itself.
    pub fn allows(&self, permutation: &Permutation) -> bool {
        self.sorts.iter().zip(&permutation.images).all(|(sort_group, images)| sort_group.allows(images))
    }
}

/// The members of each sort, in classes that can be swapped without changing some state.
#[derive(Clone, Debug)]
pub struct Classes {
    /// By sort and element: the least element of its class.
    lead: Vec<Vec<u32>>,
    /// By sort and element: the next greater element of its class.
    next: Vec<Vec<Option<u32>>>,
    /// By sort: the least elements, ascending.
    leads: Vec<Vec<u32>>,
    /// By sort and least element: how many there are in its class.
    sizes: Vec<Vec<u32>>,
}

// The leads say everything.
impl PartialEq for Classes {
    fn eq(&self, other: &Self) -> bool {
        self.lead == other.lead
    }
}

impl Eq for Classes {}

impl std::hash::Hash for Classes {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.lead.hash(hasher);
    }
}

impl Classes {
    /// Every element alone.
    pub fn discrete(types: &Types) -> Self {
        let all: Vec<Vec<u32>> = types.sorts().map(|(_, sort)| (0..sort.size).collect()).collect();
        Self {
            next: all.iter().map(|elements| vec![None; elements.len()]).collect(),
            sizes: all.iter().map(|elements| vec![1; elements.len()]).collect(),
            leads: all.clone(),
            lead: all,
        }
    }

    /// Every element alone again.
    pub fn reset(&mut self) {
        for i in 0..self.leads.len() {
            if self.leads[i].len() < self.lead[i].len() {
                let count = self.lead[i].len() as u32;
                for elements in [&mut self.lead[i], &mut self.leads[i]] {
                    elements.clear();
                    elements.extend(0..count);
                }
                self.next[i].fill(None);
                self.sizes[i].fill(1);
            }
        }
    }

    /// Makes several classes of elements (ascending) of one sort that were alone.
    pub fn partition<'c>(&mut self, sort: SortId, classes: impl IntoIterator<Item = &'c [u32]>) {
        for class in classes {
            self.link(sort, class);
        }
        self.settle();
    }

    /// Makes an element a class of its own.
    pub fn isolate(&mut self, sort: SortId, element: u32) {
        poll();
        let i = sort.index();
        let lead = self.lead[i][element as usize];
        if self.sizes[i][lead as usize] == 1 {
            return;
        }
        let rest: Vec<u32> = self.class(sort, lead).filter(|&other| other != element).collect();
        self.next[i][element as usize] = None;
        self.link(sort, &[element]);
        self.next[i][*rest.last().expect("others are left") as usize] = None;
        self.link(sort, &rest);
        for lead in [element, rest[0]] {
            if let Err(at) = self.leads[i].binary_search(&lead) {
                self.leads[i].insert(at, lead);
            }
        }
    }

    /// Makes every element of a sort a class of its own.
    pub fn isolate_all(&mut self, sort: SortId) {
        let i = sort.index();
        let size = self.lead[i].len() as u32;
        self.lead[i] = (0..size).collect();
        self.leads[i] = (0..size).collect();
        self.next[i].fill(None);
        self.sizes[i].fill(1);
    }

    /// The elements of the class with this least element, ascending.
    pub fn class(&self, sort: SortId, lead: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(lead), move |&element| self.next(sort, element))
    }

    /// Makes one class of some elements (ascending) that were alone. After all of them, [`Classes::settle`]
    /// must be called.
    pub fn link(&mut self, sort: SortId, class: &[u32]) {
        poll();
        let i = sort.index();
        for &element in class {
            self.lead[i][element as usize] = class[0];
        }
        for pair in class.windows(2) {
            self.next[i][pair[0] as usize] = Some(pair[1]);
        }
        self.sizes[i][class[0] as usize] = class.len() as u32;
    }

    /// Ends a series of [`Classes::link`].
    pub fn settle(&mut self) {
        for (lead, leads) in self.lead.iter().zip(&mut self.leads) {
            leads.retain(|&element| lead[element as usize] == element);
        }
    }

    /// How many sorts there are.
    pub fn sorts(&self) -> usize {
        self.leads.len()
    }

    /// The least element of each class, ascending.
    pub fn leads(&self, sort: SortId) -> &[u32] {
        &self.leads[sort.index()]
    }

    /// The least element of the class of an element.
    pub fn lead(&self, sort: SortId, element: u32) -> u32 {
        self.lead[sort.index()][element as usize]
    }

    /// The next greater element of the class of an element.
    pub fn next(&self, sort: SortId, element: u32) -> Option<u32> {
        self.next[sort.index()][element as usize]
    }

    /// How many elements the class with this least element has.
    pub fn size(&self, sort: SortId, lead: u32) -> u32 {
        self.sizes[sort.index()][lead as usize]
    }
}

/// Which steps of a state are wanted. The classes are those of the state.
#[derive(Clone, Copy, Debug)]
pub enum StepFilter<'c> {
    /// All.
    All,
    /// Of the processes, one of each class of symmetric ones.
    Executors(&'c Arc<Classes>),
    /// Of the rule instances, one of each class of symmetric ones.
    Distinct(&'c Arc<Classes>),
}

impl<'c> StepFilter<'c> {
    /// The classes of the state.
    pub fn classes(self) -> Option<&'c Arc<Classes>> {
        match self {
            StepFilter::All => None,
            StepFilter::Executors(classes) | StepFilter::Distinct(classes) => Some(classes),
        }
    }
}
