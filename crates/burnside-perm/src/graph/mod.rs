//! Automorphisms of coloured graphs.
//!
//! Entry point: [`Graph::automorphisms`]. Vertices are points with a colour, edges are directed and have a
//! label; an automorphism keeps both. The cells of alike vertices are refined until each vertex of a cell
//! sees the same of every other cell (`cells`); where that does not tell all vertices apart, one is singled
//! out, and so on down to a leaf; what maps that leaf to another one is a candidate (`search`). Every
//! generator was checked edge by edge, so what is found is a subgroup of the automorphisms whatever happens.
//! With `complete` it is all of them. Small or sparse differences are near-linear; graphs that are regular in
//! every respect and yet not symmetric can use up any budget.

mod cells;
mod search;

use crate::{Perm, Point};

/// A directed graph with colours on its vertices and labels on its edges.
#[derive(Clone, Debug)]
pub struct Graph {
    colours: Vec<u64>,
    /// Where the ends of each vertex begin in `ends`, and the end of the last.
    first: Vec<u32>,
    /// The other ends of each vertex's edges, sorted. An edge is listed at both of its vertices.
    ends: Vec<End>,
    /// How much each kind of end counts in the sums that tell vertices apart.
    weights: Vec<u64>,
}

/// One end of an edge, seen from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    vertex: Point,
    /// The rank of the edge's label, twice, and one more if the edge comes from there.
    kind: u32,
}

/// How much may be spent on a search.
#[derive(Clone, Copy)]
pub struct Budget<'b> {
    /// How many ends of edges may be looked at, about.
    pub work: u64,
    /// How many points the results and the records of the search may have in all: 4 to 12 bytes each.
    pub room: u64,
    /// Asked now and then; yes ends the search.
    pub stop: &'b dyn Fn() -> bool,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget { work: 1 << 30, room: 1 << 26, stop: &|| false }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automorphisms {
    /// They generate a group of automorphisms; none is the identity.
    pub generators: Vec<Perm>,
    /// Whether these are all automorphisms: the budget was enough.
    pub complete: bool,
    /// If they are, points such that for each of them the generators that fix all before it generate all
    /// automorphisms that do; only the identity fixes all of them.
    pub base: Vec<Point>,
}

impl Graph {
    /// The graph with the vertices `0..colours.len()` and the edges `(from, to, label)`. An edge that is
    /// there twice counts twice.
    ///
    /// # Panics
    /// When an edge has an end that is not a vertex.
    pub fn new(colours: Vec<u64>, edges: &[(Point, Point, u64)]) -> Graph {
        let n = colours.len();
        assert!(edges.iter().all(|edge| edge.0.max(edge.1) < n as Point), "edges join vertices");
        let mut labels: Vec<u64> = edges.iter().map(|edge| edge.2).collect();
        labels.sort_unstable();
        labels.dedup();
        let mut first = vec![0u32; n + 1];
        for &(from, to, _) in edges {
            first[from as usize + 1] += 1;
            first[to as usize + 1] += 1;
        }
        (0..n).for_each(|v| first[v + 1] += first[v]);
        let mut next = first.clone();
        let mut ends = vec![End { vertex: 0, kind: 0 }; 2 * edges.len()];
        let mut put = |at: Point, end: End| {
            ends[next[at as usize] as usize] = end;
            next[at as usize] += 1;
        };
        for &(from, to, label) in edges {
            let kind = 2 * labels.partition_point(|&other| other < label) as u32;
            put(from, End { vertex: to, kind });
            put(to, End { vertex: from, kind: kind + 1 });
        }
        (0..n).for_each(|v| ends[first[v] as usize..first[v + 1] as usize].sort_unstable());
        let weights = (0..2 * labels.len() as u64).map(mixed).collect();
        Graph { colours, first, ends, weights }
    }

    /// Its automorphisms, as far as the budget goes.
    pub fn automorphisms(&self, budget: &Budget<'_>) -> Automorphisms {
        search::run(self, budget)
    }

    /// Whether the permutation is an automorphism.
    pub fn keeps(&self, perm: &Perm) -> bool {
        let mut scratch = Vec::new();
        perm.degree() == self.len() && perm.moved().all(|v| self.keeps_at(v, |x| perm.image(x), &mut scratch))
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.colours.len()
    }

    /// Whether it has no vertices.
    pub fn is_empty(&self) -> bool {
        self.colours.is_empty()
    }

    fn ends(&self, vertex: Point) -> &[End] {
        &self.ends[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }

    /// Whether the colour and the edges of one vertex are kept. Edges without moved ends always are.
    fn keeps_at(&self, vertex: Point, image: impl Fn(Point) -> Point, scratch: &mut Vec<End>) -> bool {
        let there = image(vertex);
        if self.colours[vertex as usize] != self.colours[there as usize] {
            return false;
        }
        scratch.clear();
        scratch.extend(self.ends(vertex).iter().map(|end| End { vertex: image(end.vertex), kind: end.kind }));
        scratch.sort_unstable();
        *scratch == *self.ends(there)
    }
}

/// Another number, one to one, with its bits well spread.
fn mixed(value: u64) -> u64 {
    let mut bits = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
