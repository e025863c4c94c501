//! Automorphisms of graphs: all small graphs against listing permutations, and families whose groups are
//! known.

use crate::naive;

use burnside_perm::{Automorphisms, Budget, Graph, Group, Natural, Orbit, Perm, Point};
use naive::{Dice, all_perms, natural};

type Edge = (Point, Point, u64);

/// Both directions of each edge.
fn undirected(pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<Edge> {
    pairs.into_iter().flat_map(|(a, b)| [(a as Point, b as Point, 0), (b as Point, a as Point, 0)]).collect()
}

fn plain(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Graph {
    Graph::new(vec![0; n], &undirected(pairs))
}

fn all_of(graph: &Graph) -> Automorphisms {
    let found = graph.automorphisms(&Budget::default());
    assert!(found.complete);
    assert!(found.generators.iter().all(|g| graph.keeps(g) && !g.is_identity()));
    strong(graph.len(), &found);
    found
}

/// The generators are strong for the base: the orbits of its points, each under those that fix the ones
/// before it, are as many as the elements need.
fn strong(degree: usize, found: &Automorphisms) {
    let whole = Group::generated(degree, &found.generators);
    let (mut order, mut fixing) = (Natural::one(), found.generators.clone());
    for &point in &found.base {
        order.mul_small(Orbit::new(degree, point, &fixing).len() as u64);
        fixing.retain(|g| g.image(point) == point);
    }
    assert!(fixing.is_empty(), "only the identity fixes the base");
    assert_eq!(order, whole.order());
    let mut number = vec![Point::MAX; degree];
    let mut next = 0..;
    for point in found.base.iter().copied().chain(0..degree as Point) {
        if number[point as usize] == Point::MAX {
            number[point as usize] = next.next().unwrap();
        }
    }
    let by = Perm::from_images(&number).unwrap();
    let renamed: Vec<Perm> = found.generators.iter().map(|g| g.conjugate(&by)).collect();
    let known = Group::strongly_generated(degree, &renamed);
    assert_eq!(known.order(), order);
    assert!(renamed.iter().all(|g| known.contains(g)));
}

fn order(graph: &Graph) -> Natural {
    Group::generated(graph.len(), &all_of(graph).generators).order()
}

fn count(graph: &Graph, perms: &[Perm]) -> Natural {
    natural(perms.iter().filter(|perm| graph.keeps(perm)).count())
}

fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
}

#[test]
fn all_graphs_of_five_vertices() {
    let (pairs, perms): (Vec<_>, _) = (pairs(5).collect(), all_perms(5));
    let mut symmetries = 0;
    for chosen in 0..1u32 << pairs.len() {
        let edges = pairs.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, &pair)| pair);
        let graph = plain(5, edges);
        assert_eq!(order(&graph), count(&graph, &perms), "{graph:?}");
        symmetries += order(&graph).to_u64().unwrap();
    }
    // Burnside's lemma: 34 graphs up to isomorphism.
    assert_eq!(symmetries, 34 * 120);
}

#[test]
fn all_directed_graphs_of_three_vertices_with_loops_and_four_without() {
    for (n, loops) in [(3, true), (4, false)] {
        let ends: Vec<(Point, Point)> =
            (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| loops || a != b).collect();
        let perms = all_perms(n as usize);
        let mut symmetries = 0;
        for chosen in 0..1u32 << ends.len() {
            let edges: Vec<Edge> = (0..ends.len())
                .filter(|at| chosen >> at & 1 == 1)
                .map(|at| (ends[at].0, ends[at].1, 7))
                .collect();
            let graph = Graph::new(vec![0; n as usize], &edges);
            assert_eq!(order(&graph), count(&graph, &perms), "{graph:?}");
            symmetries += order(&graph).to_u64().unwrap();
        }
        assert_eq!(symmetries, if loops { 104 * 6 } else { 218 * 24 });
    }
}

/// Random graphs with six or seven vertices, colours, labels and double edges.
#[test]
fn random_coloured_graphs() {
    let mut dice = Dice(77);
    let perms = [all_perms(6), all_perms(7)];
    let mut nontrivial = 0;
    for round in 0..600 {
        let n = 6 + round % 2;
        let colours: Vec<u64> = (0..n).map(|_| dice.below(1 + round % 3) as u64).collect();
        let density = 1 + dice.below(12);
        let edges: Vec<Edge> = (0..density)
            .map(|_| (dice.below(n) as Point, dice.below(n) as Point, dice.below(2) as u64 * u64::MAX))
            .collect();
        let graph = Graph::new(colours, &edges);
        assert_eq!(order(&graph), count(&graph, &perms[round % 2]), "{graph:?}");
        nontrivial += usize::from(!all_of(&graph).generators.is_empty());
    }
    assert!((100..500).contains(&nontrivial), "{nontrivial}");
}

fn cycle(n: usize) -> Vec<(usize, usize)> {
    (0..n).map(|x| (x, (x + 1) % n)).collect()
}

fn hypercube(dimension: usize) -> Graph {
    let n = 1 << dimension;
    plain(n, pairs(n).filter(|(a, b)| (a ^ b).count_ones() == 1))
}

fn petersen() -> Vec<(usize, usize)> {
    (0..5).flat_map(|x| [(x, (x + 1) % 5), (x, x + 5), (x + 5, (x + 2) % 5 + 5)]).collect()
}

/// `copies` disjoint copies of a graph with `n` vertices.
fn copies(copies: usize, n: usize, edges: &[(usize, usize)]) -> Graph {
    plain(
        copies * n,
        (0..copies).flat_map(|copy| edges.iter().map(move |(a, b)| (copy * n + a, copy * n + b))),
    )
}

#[test]
fn families() {
    for n in 3..40 {
        assert_eq!(order(&plain(n, cycle(n))), natural(2 * n));
        let directed: Vec<Edge> = cycle(n).iter().map(|&(a, b)| (a as Point, b as Point, 1)).collect();
        assert_eq!(order(&Graph::new(vec![0; n], &directed)), natural(n));
        assert_eq!(order(&plain(n, pairs(n))), Natural::factorial(n as u64));
        assert_eq!(order(&plain(n, (1..n).map(|x| (x - 1, x)))), natural(2));
    }
    for dimension in 1..7 {
        let expected = Natural::factorial(dimension as u64).to_u64().unwrap() << dimension;
        assert_eq!(order(&hypercube(dimension)), Natural::from(expected));
    }
    assert_eq!(order(&plain(10, petersen())), natural(120));
}

#[test]
fn labels_and_colours_break_symmetry() {
    let mut edges = undirected(cycle(6));
    edges[0].2 = 1;
    assert_eq!(order(&Graph::new(vec![0; 6], &edges)), natural(1));
    edges[1].2 = 1;
    assert_eq!(order(&Graph::new(vec![0; 6], &edges)), natural(2));
    let edges = undirected(cycle(6));
    assert_eq!(order(&Graph::new(vec![0, 1, 0, 1, 0, 1], &edges)), natural(6));
    assert_eq!(order(&Graph::new(vec![0, 0, 0, 1, 0, 0], &edges)), natural(2));
}

#[test]
fn disjoint_copies() {
    let wreath =
        |base: u64, top: u64| (0..top).fold(Natural::factorial(top), |n, _| &n * &Natural::from(base));
    assert_eq!(order(&copies(4, 10, &petersen())), wreath(120, 4));
    assert_eq!(order(&copies(7, 5, &cycle(5))), wreath(10, 7));
    assert_eq!(order(&copies(10, 4, &pairs(4).collect::<Vec<_>>())), wreath(24, 10));
    assert_eq!(order(&copies(12, 3, &[(0, 1), (1, 2)])), wreath(2, 12));
}

/// Two strongly regular graphs with the same numbers: the rook's graph of order 1152 and Shrikhande's of
/// order 192. Refinement cannot tell them apart, so in their union every attempt to map one to the other
/// fails late.
#[test]
fn strongly_regular() {
    let (row, column) = (|x: usize| x / 4, |x: usize| x % 4);
    let rook: Vec<(usize, usize)> =
        pairs(16).filter(|&(a, b)| row(a) == row(b) || column(a) == column(b)).collect();
    let shrikhande: Vec<(usize, usize)> = pairs(16)
        .filter(|&(a, b)| {
            let step = ((4 + row(b) - row(a)) % 4, (4 + column(b) - column(a)) % 4);
            [(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)].contains(&step)
        })
        .collect();
    assert_eq!(order(&plain(16, rook.clone())), natural(1152));
    assert_eq!(order(&plain(16, shrikhande.clone())), natural(192));
    let shifted = shrikhande.iter().map(|(a, b)| (a + 16, b + 16));
    assert_eq!(order(&plain(32, rook.iter().copied().chain(shifted))), natural(1152 * 192));
    let squares = [1, 3, 4, 9, 10, 12];
    let paley = pairs(13).filter(|(a, b)| squares.contains(&((b - a) % 13)));
    assert_eq!(order(&plain(13, paley)), natural(78));
}

#[test]
fn little_budget_gives_a_subgroup() {
    let mut seen = [false; 2];
    for graph in [copies(5, 10, &petersen()), hypercube(5), plain(20, pairs(20)), copies(6, 4, &cycle(4))] {
        let full = Group::generated(graph.len(), &all_of(&graph).generators);
        for work in (0..16).map(|bits| 1 << bits) {
            let found = graph.automorphisms(&Budget { work, ..Budget::default() });
            let group = Group::generated(graph.len(), &found.generators);
            assert!(full.includes(&group));
            assert!(!found.complete || group == full);
            seen[usize::from(found.complete)] |= group.order() != Natural::one();
        }
        let stopped = graph.automorphisms(&Budget { room: 3 * graph.len() as u64, ..Budget::default() });
        assert!(!stopped.complete || stopped.generators.len() <= 3);
    }
    assert_eq!(seen, [true, true]);
    let stop = Budget { stop: &|| true, ..Budget::default() };
    assert!(!plain(40_000, cycle(40_000)).automorphisms(&stop).complete);
}

#[test]
fn a_thousand_isolated_vertices() {
    let graph = plain(1000, []);
    let found = all_of(&graph);
    assert_eq!(found.generators.len(), 999);
    assert_eq!(Group::generated(1000, &found.generators), Group::symmetric(1000));
}

/// A long path with a tail that breaks its symmetry, a random graph with some isolated vertices, a long
/// cycle.
#[test]
fn large_graphs() {
    let n = 100_000;
    let path = (1..n - 1).map(|x| (x - 1, x)).chain([(n / 3, n - 1)]);
    assert_eq!(all_of(&plain(n, path)).generators, []);
    let mut dice = Dice(5);
    let edges: Vec<(usize, usize)> = (0..4 * n).map(|_| (dice.below(n), dice.below(n))).collect();
    let graph = plain(n, edges);
    assert!(all_of(&graph).generators.len() > 10);
    assert_eq!(all_of(&plain(n, cycle(n))).generators.len(), 2);
}

#[test]
fn no_vertices() {
    assert_eq!(
        plain(0, []).automorphisms(&Budget::default()),
        Automorphisms { generators: vec![], complete: true, base: vec![] }
    );
}
