//! Graphs that are hard to tell apart, with the orders of their groups from the literature.

use crate::naive::Dice;
use crate::relation::Relation;

/// A cubic graph with a Hamiltonian cycle, in Lederberg, Coxeter and Frucht's notation.
pub fn cubic(jumps: &[i32], times: usize) -> Relation {
    let n = jumps.len() * times;
    let jump = |v: usize| (v as i32 + jumps[v % jumps.len()]).rem_euclid(n as i32) as usize;
    Relation::undirected(n, (0..n).flat_map(|v| [(v, (v + 1) % n), (v, jump(v))]))
}

/// Petersen's graph with other lengths.
pub fn petersen(n: usize, step: usize) -> Relation {
    let edges = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + step) % n)]);
    Relation::undirected(2 * n, edges)
}

/// The points of two coordinates, adjacent by a rule on both.
pub fn on_pairs(n: usize, adjacent: impl Fn([usize; 2], [usize; 2]) -> bool) -> Relation {
    let at = |v: usize| [v / n, v % n];
    let pairs = (0..n * n).flat_map(|a| (0..a).map(move |b| (a, b)));
    Relation::undirected(n * n, pairs.filter(|&(a, b)| adjacent(at(a), at(b))))
}

pub fn rook(n: usize) -> Relation {
    on_pairs(n, |a, b| a[0] == b[0] || a[1] == b[1])
}

/// Cells of a Latin square, adjacent if they share the row, the column or the letter.
pub fn latin(n: usize, letter: impl Fn(usize, usize) -> usize) -> Relation {
    on_pairs(n, |a, b| a[0] == b[0] || a[1] == b[1] || letter(a[0], a[1]) == letter(b[0], b[1]))
}

pub fn shrikhande() -> Relation {
    on_pairs(4, |a, b| {
        let step = [(a[0] + 4 - b[0]) % 4, (a[1] + 4 - b[1]) % 4];
        [[0, 1], [0, 3], [1, 0], [3, 0], [1, 1], [3, 3]].contains(&step)
    })
}

/// Quadratic residues of a prime: a graph if -1 is one of them, a tournament if not.
pub fn paley(p: usize) -> Relation {
    let squares: Vec<usize> = (1..p).map(|x| x * x % p).collect();
    let arcs = (0..p).flat_map(|a| (0..p).map(move |b| (a, b)));
    Relation::directed(p, arcs.filter(|&(a, b)| squares.contains(&((b + p - a) % p))))
}

/// Pairs of n things, adjacent if they share one.
pub fn triangular(n: usize) -> Relation {
    let pairs: Vec<[usize; 2]> = (0..n).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    let edges = (0..pairs.len()).flat_map(|v| (0..v).map(move |w| (v, w)));
    let shared = |&(v, w): &(usize, usize)| pairs[v].iter().any(|x| pairs[w].contains(x));
    Relation::undirected(pairs.len(), edges.filter(shared))
}

/// Chang's graphs: the pairs of eight things switched at the edges of a graph on these.
pub fn chang(switched: &[(usize, usize)]) -> Relation {
    let mut relation = triangular(8);
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    let inside = |v: usize| switched.contains(&pairs[v]) || switched.contains(&(pairs[v].1, pairs[v].0));
    for (v, w) in (0..28).flat_map(|v| (0..v).map(move |w| (v, w))) {
        if inside(v) != inside(w) {
            let value = 1 - relation.get(v, w);
            relation.join(v, w, value);
        }
    }
    relation
}

/// The words of some bits, adjacent if they differ by one of the steps.
pub fn cube(bits: usize, steps: &[usize]) -> Relation {
    let edges = (0..1 << bits).flat_map(|v| steps.iter().map(move |step| (v, v ^ step)));
    Relation::undirected(1 << bits, edges)
}

/// Points and blocks.
pub fn incidence(points: usize, blocks: &[Vec<usize>]) -> Relation {
    let edges = blocks.iter().enumerate().flat_map(|(b, block)| block.iter().map(move |&p| (p, points + b)));
    Relation::undirected(points + blocks.len(), edges)
}

/// Blocks, adjacent if they share a point.
pub fn block_graph(blocks: &[Vec<usize>]) -> Relation {
    let pairs = (0..blocks.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let shared = |&(a, b): &(usize, usize)| blocks[a].iter().any(|point| blocks[b].contains(point));
    Relation::undirected(blocks.len(), pairs.filter(shared))
}

/// Blocks moved around a cycle.
pub fn cyclic_blocks(points: usize, blocks: &[&[usize]]) -> Vec<Vec<usize>> {
    let moved = |by: usize| blocks.iter().map(move |block| block.iter().map(|p| (p + by) % points).collect());
    (0..points).flat_map(moved).collect()
}

/// The other system of triples on 13 points: four triples on six points of the cyclic one are exchanged.
pub fn other_triples() -> Vec<Vec<usize>> {
    let mut triples = cyclic_blocks(13, &[&[0, 1, 4], &[0, 2, 7]]);
    let n = triples.len();
    let sets = (0..n)
        .flat_map(|a| (0..a).flat_map(move |b| (0..b).flat_map(move |c| (0..c).map(move |d| [a, b, c, d]))));
    for set in sets {
        let mut points: Vec<usize> = set.iter().flat_map(|&t| triples[t].clone()).collect();
        points.sort_unstable();
        let twice = points.chunks(2).all(|pair| pair[0] == pair[1]);
        points.dedup();
        if !twice || points.len() != 6 {
            continue;
        }
        // Each point has one that it shares no triple with; changing places with it exchanges the four.
        let together =
            |a: usize, b: usize| set.iter().any(|&t| triples[t].contains(&a) && triples[t].contains(&b));
        let opposite = |a: usize| *points.iter().find(|&&b| b != a && !together(a, b)).unwrap();
        let fresh: Vec<Vec<usize>> =
            set.iter().map(|&t| triples[t].iter().map(|&p| opposite(p)).collect()).collect();
        set.iter().zip(fresh).for_each(|(&t, triple)| triples[t] = triple);
        return triples;
    }
    panic!("there are four such triples");
}

/// Cai, Fürer and Immerman's graph over a cubic one: a node becomes four, one for each even set of its edges,
/// an edge two, out and in; `twisted` ones are crossed.
pub fn cfi(base: &Relation, twisted: usize) -> Relation {
    let edges = base.edges();
    let first = 2 * edges.len();
    let mut relation = Relation::empty(first + 4 * base.len());
    for v in 0..base.len() {
        let own: Vec<usize> = (0..edges.len()).filter(|&e| edges[e].0 == v || edges[e].1 == v).collect();
        assert_eq!(own.len(), 3);
        for (at, set) in [0b000, 0b011, 0b101, 0b110].into_iter().enumerate() {
            for (i, &e) in own.iter().enumerate() {
                let crossed = usize::from(e < twisted && edges[e].0 == v);
                relation.join(first + 4 * v + at, 2 * e + ((set >> i & 1) ^ crossed), 1);
            }
        }
    }
    relation
}

pub fn complete(n: usize) -> Relation {
    Relation::undirected(n, (0..n).flat_map(|a| (0..a).map(move |b| (a, b))))
}

pub fn complete_bipartite(n: usize) -> Relation {
    Relation::undirected(2 * n, (0..n).flat_map(|a| (0..n).map(move |b| (a, n + b))))
}

pub fn cycle(n: usize) -> Relation {
    Relation::undirected(n, (0..n).map(|v| (v, (v + 1) % n)))
}

/// So many of one, side by side.
pub fn copies(count: usize, part: &Relation) -> Relation {
    (1..count).fold(part.clone(), |all, _| all.beside(part))
}

/// A random graph with the degrees of another: pairs of edges are switched.
pub fn switched(relation: &Relation, times: usize, dice: &mut Dice) -> Relation {
    let mut other = relation.clone();
    for _ in 0..times {
        let edges = other.edges();
        let (one, two) = (edges[dice.below(edges.len())], edges[dice.below(edges.len())]);
        let two = if dice.below(2) == 0 { two } else { (two.1, two.0) };
        other.switch([one.0, one.1, two.0, two.1]);
    }
    other
}

/// A set of steps on a ring of n, in one direction only.
pub fn circulant(n: usize, steps: &[usize]) -> Relation {
    Relation::directed(n, (0..n).flat_map(|v| steps.iter().map(move |step| (v, (v + step) % n))))
}
