//! Canonical labellings against all permutations, counts of graphs up to isomorphism, and orders of
//! automorphism groups.

use burnside_perm::{Graph, Judge, Labeller, Natural, Point};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

type Edge = (Point, Point, u32);

/// Keys, edges and triples of a thing whose vertices are in order.
type Form = (Vec<u64>, Vec<Edge>, Vec<[Point; 3]>);

/// A graph with keys, in one class or more, with an optional list of triples as auxiliary vertices.
#[derive(Clone)]
struct Thing {
    classes: Vec<Point>,
    keys: Vec<u64>,
    edges: Vec<Edge>,
    triples: Vec<[Point; 3]>,
}

impl Thing {
    fn plain(n: usize, edges: Vec<Edge>) -> Thing {
        Thing { classes: vec![0, n as Point], keys: vec![0; n], edges, triples: Vec::new() }
    }

    fn undirected(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Thing {
        let both = |(a, b): (usize, usize)| [(a as Point, b as Point, 0), (b as Point, a as Point, 0)];
        Thing::plain(n, pairs.into_iter().flat_map(both).collect())
    }

    /// The thing with each vertex called by another name.
    fn renamed(&self, name: impl Fn(Point) -> Point) -> Thing {
        let mut keys = self.keys.clone();
        (0..keys.len()).for_each(|v| keys[name(v as Point) as usize] = self.keys[v]);
        let mut edges: Vec<Edge> =
            self.edges.iter().map(|&(a, b, label)| (name(a), name(b), label)).collect();
        let mut triples: Vec<_> = self.triples.iter().map(|triple| triple.map(&name)).collect();
        edges.sort_unstable();
        triples.sort_unstable();
        Thing { classes: self.classes.clone(), keys, edges, triples }
    }

    /// The thing with the vertices of an order called by their places.
    fn ordered(&self, order: &[Point]) -> Form {
        let mut place = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&vertex, at)| place[vertex as usize] = at);
        let Thing { keys, edges, triples, .. } = self.renamed(|vertex| place[vertex as usize]);
        (keys, edges, triples)
    }

    fn graph(&self) -> Graph {
        let mut graph = Graph::with_classes(self.classes.clone(), 1);
        graph.keys_mut().copy_from_slice(&self.keys);
        let mut edges = self.edges.clone();
        for triple in &self.triples {
            let vertex = graph.add_auxiliary(7);
            edges.extend((1000..).zip(triple).map(|(label, &member)| (vertex, member, label)));
        }
        graph.link(edges.iter().copied());
        graph
    }
}

struct Renaming<'t>(&'t Thing);

impl Judge for Renaming<'_> {
    fn compare(&mut self, order: &[Point], best: &[Point]) -> Ordering {
        self.0.ordered(order).cmp(&self.0.ordered(best))
    }

    fn keeps(&mut self, pairs: &[(Point, Point)]) -> bool {
        let image: HashMap<Point, Point> = pairs.iter().copied().collect();
        let moved = self.0.renamed(|vertex| image.get(&vertex).copied().unwrap_or(vertex));
        let same = self.0.renamed(|vertex| vertex);
        (moved.keys, moved.edges, moved.triples) == (same.keys, same.edges, same.triples)
    }
}

/// The canonical form, and how many automorphisms there are.
fn canonical(labeller: &mut Labeller, thing: &Thing) -> (Form, Natural) {
    assert!(labeller.run(&thing.graph(), &mut Renaming(thing), u64::MAX));
    (thing.ordered(labeller.order()), labeller.automorphisms())
}

fn permutations(n: usize) -> Vec<Vec<Point>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let smaller = permutations(n - 1);
    let insert = |at: usize| {
        smaller.iter().map(move |rest| {
            let mut perm = rest.clone();
            perm.insert(at, n as Point - 1);
            perm
        })
    };
    (0..n).flat_map(insert).collect()
}

fn factorial(n: usize) -> Natural {
    Natural::factorial(n as u64)
}

/// Every graph on up to six vertices: as many forms as there are graphs up to isomorphism, and for each form
/// as many graphs as the order of its group says.
#[test]
fn all_small_graphs() {
    let mut labeller = Labeller::default();
    for (n, expected) in [(1, 1), (2, 2), (3, 4), (4, 11), (5, 34), (6, 156)] {
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let mut forms: BTreeMap<_, (u64, Natural)> = BTreeMap::new();
        for set in 0u32..1 << pairs.len() {
            let chosen = pairs.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1).map(|(_, &pair)| pair);
            let (form, order) = canonical(&mut labeller, &Thing::undirected(n, chosen));
            let entry = forms.entry(form).or_insert((0, order.clone()));
            assert_eq!(entry.1, order);
            entry.0 += 1;
        }
        assert_eq!(forms.len(), expected, "{n} vertices");
        for (count, order) in forms.values() {
            assert_eq!(&Natural::from(*count) * order, factorial(n));
        }
    }
}

/// Every directed graph with loops' worth of keys on three vertices, and every one without on four.
#[test]
fn all_small_directed_graphs() {
    let mut labeller = Labeller::default();
    for (n, keys, expected) in [(3, 2u64, 104), (4, 1, 218)] {
        let pairs: Vec<(u32, u32)> =
            (0..n).flat_map(|a| (0..n).filter(move |&b| b != a).map(move |b| (a, b))).collect();
        let mut forms = BTreeMap::new();
        for set in 0u32..1 << pairs.len() {
            let chosen = pairs.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            let edges: Vec<Edge> = chosen.map(|(_, &(a, b))| (a, b, 0)).collect();
            for code in 0..keys.pow(n) {
                let mut thing = Thing::plain(n as usize, edges.clone());
                (0..n).for_each(|v| thing.keys[v as usize] = code / keys.pow(v) % keys);
                let (form, order) = canonical(&mut labeller, &thing);
                forms.entry(form).or_insert((0, order)).0 += 1u64;
            }
        }
        assert_eq!(forms.len(), expected);
        for (count, order) in forms.values() {
            assert_eq!(&Natural::from(*count) * order, factorial(n as usize));
        }
    }
}

/// Random things with classes, keys, labels and triples: every renaming has the same form, and the group has
/// as many elements as renamings that change nothing.
#[test]
fn random_things_against_all_renamings() {
    let _again = burnside_cases::Again;
    let mut labeller = Labeller::default();
    let mut seed = 1u64;
    let mut random = |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) % below
    };
    for round in 0..800 {
        let n = 2 + random(4) as usize;
        let split = random(n as u64) as Point;
        let classes = if split == 0 { vec![0, n as Point] } else { vec![0, split, n as Point] };
        let mut thing = Thing { classes, keys: vec![0; n], edges: Vec::new(), triples: Vec::new() };
        for key in &mut thing.keys {
            *key = u64::from(random(4) == 0);
        }
        let mut vertex = |_| random(n as u64) as Point;
        let density = round % 12;
        thing.edges = (0..density).map(|i| (vertex(i), vertex(i), vertex(i) % 2)).collect();
        if round % 3 == 0 {
            thing.triples = (0..round % 5).map(|i| [vertex(i), vertex(i), vertex(i)]).collect();
        }
        let (form, order) = canonical(&mut labeller, &thing);
        let own = thing.renamed(|vertex| vertex);
        let mut fixing = 0u64;
        for perm in permutations(n) {
            let within = |v: usize| (v as Point >= split) == (perm[v] >= split);
            if split > 0 && !(0..n).all(within) {
                continue;
            }
            let moved = thing.renamed(|vertex| perm[vertex as usize]);
            let same = (&moved.keys, &moved.edges, &moved.triples) == (&own.keys, &own.edges, &own.triples);
            fixing += u64::from(same);
            assert_eq!(canonical(&mut labeller, &moved), (form.clone(), order.clone()), "round {round}");
        }
        assert_eq!(order, Natural::from(fixing), "round {round}");
        let mut swapped = vec![vec![false; n]; n];
        labeller.twins(&thing.graph(), &mut Renaming(&thing), |class| {
            class.iter().for_each(|&a| class.iter().for_each(|&b| swapped[a as usize][b as usize] = a != b));
        });
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let swap = |vertex: Point| match vertex as usize {
                vertex if vertex == a => b as Point,
                vertex if vertex == b => a as Point,
                _ => vertex,
            };
            let moved = thing.renamed(swap);
            let same = (&moved.keys, &moved.edges, &moved.triples) == (&own.keys, &own.edges, &own.triples);
            let within = split == 0 || (a as Point >= split) == (b as Point >= split);
            assert_eq!(swapped[a][b], same && within, "round {round}");
        }
    }
}

fn shuffled(thing: &Thing, seed: u64) -> Thing {
    let n = thing.keys.len();
    let mut names: Vec<Point> = (0..n as Point).collect();
    let mut state = seed * 2 + 1;
    for at in (1..n).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        names.swap(at, (state >> 33) as usize % (at + 1));
    }
    thing.renamed(|vertex| names[vertex as usize])
}

fn same_for_all_names(thing: &Thing, order: &Natural) {
    let mut labeller = Labeller::default();
    let (form, found) = canonical(&mut labeller, thing);
    assert_eq!(found, *order);
    for seed in 0..5 {
        assert_eq!(canonical(&mut labeller, &shuffled(thing, seed)), (form.clone(), order.clone()));
    }
}

/// Functional graphs, sparse ones and disjoint copies: some cells cannot be told apart by refinement and are
/// not alike, and paths have different lengths.
#[test]
fn random_sparse_things_with_other_names() {
    let mut labeller = Labeller::default();
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..1500 {
        let n = 4 + random(11);
        let thing = match round % 4 {
            0 => Thing::plain(n, (0..n).map(|v| (v as Point, random(n) as Point, 0)).collect()),
            1 => {
                let pairs: Vec<_> = (0..n).map(|_| (random(n), random(n))).collect();
                Thing::undirected(n, pairs)
            }
            // Unions of cycles.
            2 => {
                let (mut at, mut edges) = (0, Vec::new());
                while at < n {
                    let length = (1 + random(5)).min(n - at);
                    edges.extend(cycle(at, length));
                    at += length;
                }
                Thing::undirected(n, edges)
            }
            // Copies of a random part.
            _ => {
                let part: Vec<_> = (0..3).map(|_| (random(4), random(4))).collect();
                let copies =
                    (0..n / 4).flat_map(|copy| part.iter().map(move |&(a, b)| (4 * copy + a, 4 * copy + b)));
                Thing::plain(n, copies.map(|(a, b)| (a as Point, b as Point, 0)).collect())
            }
        };
        let expected = canonical(&mut labeller, &thing);
        for seed in 0..4 {
            assert_eq!(
                canonical(&mut labeller, &shuffled(&thing, seed + 17 * round)),
                expected,
                "round {round}"
            );
        }
    }
}

fn cycle(first: usize, n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).map(move |at| (first + at, first + (at + 1) % n))
}

/// Families with known groups, some of them with cells that no refinement tells apart.
#[test]
fn families() {
    let two = Natural::from(2u64);
    same_for_all_names(
        &Thing::undirected(60, (0..30).map(|k| (2 * k, 2 * k + 1))),
        &(&two.pow(30) * &factorial(30)),
    );
    same_for_all_names(&Thing::undirected(50, cycle(0, 50)), &Natural::from(100u64));
    same_for_all_names(&Thing::undirected(40, (0..39).map(|k| (k, k + 1))), &two);
    let complete = (0..12).flat_map(|a| (0..a).map(move |b| (a, b)));
    same_for_all_names(&Thing::undirected(12, complete), &factorial(12));
    // Two triangles and a hexagon are all of degree two.
    let mixed = cycle(0, 3).chain(cycle(3, 3)).chain(cycle(6, 6));
    same_for_all_names(&Thing::undirected(12, mixed), &Natural::from(72u64 * 12));
    // The same in numbers: a vertex of one kind is tried after one of another on every level.
    let many = (0..4).flat_map(|k| cycle(3 * k, 3)).chain((0..3).flat_map(|k| cycle(12 + 6 * k, 6)));
    let many = many.chain((0..3).flat_map(|k| cycle(30 + 4 * k, 4)));
    let order =
        &(&Natural::from(6u64).pow(4) * &factorial(4)) * &(&Natural::from(12u64).pow(3) * &factorial(3));
    let order = &order * &(&Natural::from(8u64).pow(3) * &factorial(3));
    same_for_all_names(&Thing::undirected(42, many), &order);
    let copies = (0..6).flat_map(|copy| cycle(5 * copy, 5));
    same_for_all_names(&Thing::undirected(30, copies), &(&Natural::from(10u64).pow(6) * &factorial(6)));
    let petersen =
        cycle(0, 5).chain((0..5).map(|k| (k, k + 5))).chain((0..5).map(|k| (5 + k, 5 + (k + 2) % 5)));
    same_for_all_names(&Thing::undirected(10, petersen), &Natural::from(120u64));
    let grid = (0..6).flat_map(|x| (0..6).flat_map(move |y| [(x, y, x + 1, y), (x, y, x, y + 1)]));
    let grid = grid.filter(|&(_, _, x, y)| x < 6 && y < 6).map(|(a, b, c, d)| (6 * a + b, 6 * c + d));
    same_for_all_names(&Thing::undirected(36, grid), &Natural::from(8u64));
    let paley = (0..13).flat_map(|a| [1, 3, 4].map(|square| (a, (a + square) % 13)));
    same_for_all_names(&Thing::undirected(13, paley), &Natural::from(78u64));
}

/// The rook's graph and Shrikhande's: strongly regular with equal figures, and different.
#[test]
fn strongly_regular() {
    let torus = |steps: &[(usize, usize)]| {
        let at = |x: usize, y: usize| 4 * (x % 4) + y % 4;
        let edges: Vec<_> = (0..4)
            .flat_map(|x| (0..4).map(move |y| (x, y)))
            .flat_map(|(x, y)| steps.iter().map(move |&(dx, dy)| (at(x, y), at(x + dx, y + dy))))
            .collect();
        Thing::undirected(16, edges)
    };
    let rook = (0..4).flat_map(|x| (0..4).map(move |y| (x, y))).flat_map(|(x, y)| {
        (y + 1..4).map(move |z| (4 * x + y, 4 * x + z)).chain((x + 1..4).map(move |z| (4 * x + y, 4 * z + y)))
    });
    same_for_all_names(&Thing::undirected(16, rook), &Natural::from(1152u64));
    same_for_all_names(&torus(&[(1, 0), (0, 1), (1, 1)]), &Natural::from(192u64));
}

/// With little work there is an order all the same, and with enough it is the canonical one.
#[test]
fn little_work() {
    let mut labeller = Labeller::default();
    let mixed = Thing::undirected(12, cycle(0, 3).chain(cycle(3, 3)).chain(cycle(6, 6)));
    let (form, _) = canonical(&mut labeller, &mixed);
    let mut done = 0;
    for most in 0..400 {
        let complete = labeller.run(&mixed.graph(), &mut Renaming(&mixed), most);
        let mut order = labeller.order().to_vec();
        if complete {
            assert_eq!(mixed.ordered(&order), form);
            done += 1;
        }
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..12));
    }
    assert!((1..400).contains(&done), "{done} of 400 limits were enough");
}

/// The classes of vertices any two of which can be swapped.
#[test]
fn twins() {
    let mut labeller = Labeller::default();
    let star = Thing::undirected(8, (1..5).map(|leaf| (0, leaf)).chain([(5, 6), (6, 7), (5, 7)]));
    let mut classes = Vec::new();
    labeller.twins(&star.graph(), &mut Renaming(&star), |class| classes.push(class.to_vec()));
    classes.sort();
    assert_eq!(classes, [vec![1, 2, 3, 4], vec![5, 6, 7]]);
    let square = Thing::undirected(4, cycle(0, 4));
    let mut classes = Vec::new();
    labeller.twins(&square.graph(), &mut Renaming(&square), |class| classes.push(class.to_vec()));
    classes.sort();
    assert_eq!(classes, [[0, 2], [1, 3]]);
}
