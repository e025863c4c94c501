//! Automorphisms of coloured graphs.
//!
//! Entry point: [`Graph::automorphisms`]. Vertices are points with a colour, edges are directed and have a
//! label; an automorphism keeps both. The cells of alike vertices are refined until each vertex of a cell
//! sees the same of every other cell (`cells`); where that does not tell all vertices apart, one is singled
//! out, and so on down to a leaf; what maps that leaf to another one is a candidate (`search`). Every
//! generator was checked edge by edge, so what is found is a subgroup of the automorphisms whatever happens.
//! With `complete` it is all of them. Small or sparse differences are near-linear; graphs that are regular in
//! every respect and yet not symmetric can use up any budget.
//!
//! [`Labeller`] finds canonical labellings of many small graphs, one after the other, without allocating.

mod cells;
mod labelling;
mod search;

pub use labelling::{Judge, Labeller};

use crate::{Perm, Point};

/// A directed graph with colours on its vertices and labels on its edges.
///
/// The colour of a vertex is its *class* and its *key* of one or more words. The last vertices may be
/// *auxiliary*: they tell others apart but need not be told apart themselves.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Where the classes of vertices begin; the last number is where the auxiliary vertices do.
    classes: Vec<Point>,
    /// The words of a key, and the keys of all vertices.
    key_words: usize,
    keys: Vec<u64>,
    /// Where the ends of each vertex begin in `ends`, and the end of the last.
    first: Vec<u32>,
    /// The other ends of each vertex's edges, sorted. An edge is listed at both of its vertices.
    ends: Vec<End>,
}

/// One end of an edge, seen from the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    vertex: Point,
    /// The edge's label, twice, and one more if the edge comes from there.
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
        let rank = |label: u64| labels.partition_point(|&other| other < label) as u32;
        let mut graph = Graph::with_classes(vec![0, n as Point], 1);
        graph.keys = colours;
        graph.link(edges.iter().map(|&(from, to, label)| (from, to, rank(label))));
        graph
    }

    /// A graph whose vertices are in classes, given by where these begin and by where the last ends, and have
    /// keys of so many words, all zero. It has no edges yet.
    pub fn with_classes(classes: Vec<Point>, key_words: usize) -> Graph {
        let n = *classes.last().expect("the last class ends") as usize;
        Graph { keys: vec![0; n * key_words], classes, key_words, first: vec![0; n + 1], ends: Vec::new() }
    }

    /// The keys of all vertices, one after the other.
    pub fn keys_mut(&mut self) -> &mut [u64] {
        &mut self.keys
    }

    /// Takes all auxiliary vertices away. The edges must be given anew.
    pub fn clear_auxiliary(&mut self) {
        self.keys.truncate(self.told_apart() * self.key_words);
    }

    /// Adds an auxiliary vertex whose key begins with a word. The edges must be given anew.
    pub fn add_auxiliary(&mut self, word: u64) -> Point {
        let vertex = self.len() as Point;
        self.keys.push(word);
        self.keys.resize(self.keys.len() + self.key_words - 1, 0);
        vertex
    }

    /// Replaces all edges: each from a vertex to a vertex, with a label below 2^31. An edge that is there
    /// twice counts twice.
    pub fn link(&mut self, edges: impl Iterator<Item = (Point, Point, u32)> + Clone) {
        let n = self.len();
        let Graph { first, ends, .. } = self;
        first.clear();
        first.resize(n + 2, 0);
        // Two places ahead, so that counting up while the ends are put leaves each start where it belongs.
        let mut count = 0;
        for (from, to, _) in edges.clone() {
            first[from as usize + 2] += 1;
            first[to as usize + 2] += 1;
            count += 2;
        }
        (2..n + 2).for_each(|v| first[v] += first[v - 1]);
        ends.clear();
        ends.resize(count, End::default());
        let mut put = |at: Point, end: End| {
            ends[first[at as usize + 1] as usize] = end;
            first[at as usize + 1] += 1;
        };
        for (from, to, label) in edges {
            put(from, End { vertex: to, kind: 2 * label });
            put(to, End { vertex: from, kind: 2 * label + 1 });
        }
        first.pop();
        (0..n).for_each(|v| ends[first[v] as usize..first[v + 1] as usize].sort_unstable());
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
        self.keys.len() / self.key_words
    }

    /// How many vertices are to be told apart: all but the auxiliary ones.
    pub fn told_apart(&self) -> usize {
        self.classes.last().map_or(0, |&end| end as usize)
    }

    /// Whether it has no vertices.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    fn key(&self, vertex: Point) -> &[u64] {
        &self.keys[vertex as usize * self.key_words..][..self.key_words]
    }

    fn ends(&self, vertex: Point) -> &[End] {
        &self.ends[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }

    /// Whether the colour and the edges of one vertex are kept. Edges without moved ends always are.
    fn keeps_at(&self, vertex: Point, image: impl Fn(Point) -> Point, scratch: &mut Vec<End>) -> bool {
        let there = image(vertex);
        if self.key(vertex) != self.key(there) {
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
