//! Canonical labelling of sorts that meet, by individualisation and refinement (as in nauty).
//!
//! Entry point: [`CanonicalLabelling::canonise`]. Members get colours from the hyperedges they occur in,
//! until the colours tell no more apart. Where several members keep one colour, each is tried as the first of
//! them, but of members that can be swapped without changing the state only one. Every leaf of this search is
//! an order of the members; the least moved state wins. Permutations that fix the state permute the leaves,
//! so the leaves that reach the least state, counted with the swaps that were left out, are as many as the
//! permutations that fix it.

use super::hypergraph::{Hypergraph, mix};
use burnside_limits::poll;
use burnside_perm::Natural;
use burnside_ts::{Action, Permutation, SortId, bits};

#[derive(Debug)]
pub(super) struct CanonicalLabelling {
    hypergraph: Hypergraph,
}

/// The best leaf so far.
struct BestLeaf {
    state: Vec<u64>,
    permutation: Permutation,
    /// How many orders of the members lead to this state.
    ways: Natural,
}

/// The search tree of a state.
struct SearchTree<'a, 's> {
    hypergraph: &'a Hypergraph,
    action: &'a Action<'s>,
    state: &'a [u64],
    identity: &'a Permutation,
    /// Individualise only one member of each target cell.
    greedy: bool,
    best: Option<BestLeaf>,
    moved: Vec<u64>,
}

impl CanonicalLabelling {
    pub fn new(hypergraph: Hypergraph) -> Self {
        Self { hypergraph }
    }

    /// The permutation to the canonical order of the joint sorts.
    pub fn canonise(
        &mut self,
        action: &Action<'_>,
        state: &[u64],
        identity: &Permutation,
        exact: bool,
    ) -> Permutation {
        self.search(action, state, identity, !exact).permutation
    }

    /// How many permutations of the joint sorts leave the state as it is.
    pub fn stabiliser(&mut self, action: &Action<'_>, state: &[u64]) -> Natural {
        let identity = self.identity(action);
        self.search(action, state, &identity, false).ways
    }

    /// The classes of two or more members that can be swapped without changing the state.
    pub fn twins(&mut self, action: &Action<'_>, state: &[u64]) -> Vec<(SortId, Vec<u32>)> {
        self.hypergraph.extract(state);
        let identity = self.identity(action);
        let mut colours = initial_colouring(&self.hypergraph);
        refine(&self.hypergraph, &mut colours);
        let mut search = SearchTree::new(&self.hypergraph, action, state, &identity, false);
        let mut classes = Vec::new();
        for (sort, elements) in &self.hypergraph.blocks {
            for cell in cells(&self.hypergraph, *sort, elements, &colours) {
                let twins = search.twin_classes(*sort, &cell);
                classes.extend(twins.into_iter().filter(|class| class.len() > 1).map(|class| (*sort, class)));
            }
        }
        classes
    }

    fn identity(&self, action: &Action<'_>) -> Permutation {
        Permutation::identity(&action.system().types)
    }

    fn search(
        &mut self,
        action: &Action<'_>,
        state: &[u64],
        identity: &Permutation,
        greedy: bool,
    ) -> BestLeaf {
        self.hypergraph.extract(state);
        let colours = initial_colouring(&self.hypergraph);
        let mut search = SearchTree::new(&self.hypergraph, action, state, identity, greedy);
        search.descend(colours, Natural::one());
        search.best.expect("a search has a leaf")
    }
}

impl<'a, 's> SearchTree<'a, 's> {
    fn new(
        hypergraph: &'a Hypergraph,
        action: &'a Action<'s>,
        state: &'a [u64],
        identity: &'a Permutation,
        greedy: bool,
    ) -> Self {
        Self { hypergraph, action, state, identity, greedy, best: None, moved: vec![0; state.len()] }
    }

    fn descend(&mut self, mut colours: Vec<u32>, ways: Natural) {
        poll();
        refine(self.hypergraph, &mut colours);
        let Some((sort, cell)) = target_cell(self.hypergraph, &colours) else {
            return self.leaf(&colours, ways);
        };
        let classes = if self.greedy { vec![cell.clone()] } else { self.twin_classes(sort, &cell) };
        for class in classes {
            let mut chosen = colours.clone();
            // The chosen one keeps the place of the cell; the others come right behind it.
            for &element in cell.iter().filter(|&&element| element != class[0]) {
                chosen[self.hypergraph.point(sort, element) as usize] += 1;
            }
            let mut ways = ways.clone();
            ways.mul_small(class.len() as u64);
            self.descend(chosen, ways);
        }
    }

    /// All members of each sort have colours of their own: their order gives a permutation.
    fn leaf(&mut self, colours: &[u32], ways: Natural) {
        let mut permutation = self.identity.clone();
        for (sort, elements) in &self.hypergraph.blocks {
            let mut order = elements.clone();
            order.sort_by_key(|&element| colours[self.hypergraph.point(*sort, element) as usize]);
            for (&element, &place) in order.iter().zip(elements) {
                permutation.images[sort.index()][element as usize] = place;
            }
        }
        self.action.state(&permutation, self.state, &mut self.moved);
        match &mut self.best {
            Some(best) if best.state < self.moved => {}
            Some(best) if best.state == self.moved => best.ways = &best.ways + &ways,
            best => *best = Some(BestLeaf { state: self.moved.clone(), permutation, ways }),
        }
    }

    /// Splits members of one colour into classes that can be swapped without changing the state.
    fn twin_classes(&mut self, sort: SortId, cell: &[u32]) -> Vec<Vec<u32>> {
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for &element in cell {
            match classes.iter().position(|class| self.are_twins(sort, class[0], element)) {
                Some(i) => classes[i].push(element),
                None => classes.push(vec![element]),
            }
        }
        classes
    }

    fn are_twins(&mut self, sort: SortId, a: u32, b: u32) -> bool {
        let mut swap = self.identity.clone();
        swap.images[sort.index()].swap(a as usize, b as usize);
        self.action.state(&swap, self.state, &mut self.moved);
        let words = self.state.len() - bits::SPARE;
        self.moved[..words] == self.state[..words]
    }
}

/// Colours to start with: one for all elements of a block that may be permuted, one for each that may not.
///
/// A colour is the number of points with smaller colours, so that colours order the cells and finer ones keep
/// that order.
fn initial_colouring(hypergraph: &Hypergraph) -> Vec<u32> {
    let mut colours: Vec<u32> = (0..hypergraph.degree as u32).collect();
    for (sort, elements) in &hypergraph.blocks {
        let first = elements.iter().map(|&element| hypergraph.point(*sort, element)).min();
        for &element in elements {
            colours[hypergraph.point(*sort, element) as usize] = first.expect("a block has elements");
        }
    }
    split_cells(&mut colours, &vec![0; hypergraph.degree]);
    colours
}

/// Refines colours by the hyperedges until they tell no more members apart.
fn refine(hypergraph: &Hypergraph, colours: &mut [u32]) {
    let mut sums = vec![0u64; colours.len()];
    let mut count = 0;
    loop {
        sums.fill(0);
        poll();
        for (label, members) in hypergraph.iter() {
            let hash =
                members.iter().fold(label, |hash, &member| mix(hash, u64::from(colours[member as usize])));
            for (position, &member) in members.iter().enumerate() {
                let sum = &mut sums[member as usize];
                *sum = sum.wrapping_add(mix(hash, position as u64));
            }
        }
        let finer = split_cells(colours, &sums);
        if finer == count || finer == colours.len() {
            return;
        }
        count = finer;
    }
}

/// Splits cells by a number for each point; the number of cells.
fn split_cells(colours: &mut [u32], numbers: &[u64]) -> usize {
    let mut order: Vec<u32> = (0..colours.len() as u32).collect();
    let key = |point: u32| (colours[point as usize], numbers[point as usize]);
    order.sort_unstable_by_key(|&point| key(point));
    let mut finer = vec![0; colours.len()];
    let (mut cells, mut start) = (0, 0);
    for (i, &point) in order.iter().enumerate() {
        if i == 0 || key(order[i - 1]) != key(point) {
            (cells, start) = (cells + 1, i as u32);
        }
        finer[point as usize] = start;
    }
    colours.copy_from_slice(&finer);
    cells
}

/// The elements of a sort in cells of equal colours, by colour.
fn cells(hypergraph: &Hypergraph, sort: SortId, elements: &[u32], colours: &[u32]) -> Vec<Vec<u32>> {
    let colour = |element: u32| colours[hypergraph.point(sort, element) as usize];
    let mut order = elements.to_vec();
    order.sort_by_key(|&element| (colour(element), element));
    order.chunk_by(|&a, &b| colour(a) == colour(b)).map(<[u32]>::to_vec).collect()
}

/// The first block with members of equal colours: its sort, and its first such cell.
fn target_cell(hypergraph: &Hypergraph, colours: &[u32]) -> Option<(SortId, Vec<u32>)> {
    hypergraph.blocks.iter().find_map(|(sort, elements)| {
        cells(hypergraph, *sort, elements, colours)
            .into_iter()
            .find(|cell| cell.len() > 1)
            .map(|cell| (*sort, cell))
    })
}
