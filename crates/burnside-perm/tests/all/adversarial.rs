//! Canonical labellings of what is hard to tell apart: equal under other names, different where the things
//! are, and with groups of the right order.
//!
//! The judge trusts the graph where it says all, and where it says little the tree is as wide as can be:
//! nothing but the search itself keeps a wrong symmetry out. Sums over classes of n!/order that must come out
//! as the number of things with names see a form that is split or united and an order that is wrong alike.

use crate::gallery::{
    block_graph, cfi, chang, circulant, complete, complete_bipartite, copies, cube, cubic, cycle,
    cyclic_blocks, incidence, latin, on_pairs, other_triples, paley, petersen, rook, shrikhande, switched,
    triangular,
};
use crate::naive::Dice;
use crate::relation::{Relation, Sight};
use burnside_perm::{Labeller, Natural, Point};
use std::collections::HashMap;

const BLIND: [Sight; 4] = [Sight::All, Sight::Edges, Sight::Ones, Sight::Nothing];

fn order(value: u64) -> Natural {
    Natural::from(value)
}

/// One form under all names, with a group of this order; the form.
fn same_for_names(
    name: &str,
    relation: &Relation,
    expected: &Natural,
    sight: Sight,
    times: usize,
) -> Relation {
    let (mut labeller, mut dice) = (Labeller::default(), Dice(4711));
    let (form, found) = relation.canonical(&mut labeller, sight);
    assert_eq!(found, *expected, "{name}");
    for round in 0..times {
        let renamed = relation.shuffled(&mut dice);
        let (other, found) = renamed.canonical(&mut labeller, sight);
        assert_eq!(found, *expected, "{name}, names {round}");
        assert!(other == form, "{name}, names {round}: another form");
    }
    assert!(form.canonical(&mut labeller, sight).0 == form, "{name}: the form of the form");
    form
}

/// Things that are not alike have different forms.
fn all_differ(forms: &[(String, Relation)]) {
    for (at, (name, form)) in forms.iter().enumerate() {
        for (other_name, other) in &forms[..at] {
            assert!(form != other, "{name} and {other_name} have one form");
        }
    }
}

/// The forms of named things with their orders, which differ.
fn gallery(things: &[(&str, Relation, u64)]) {
    let mut forms = Vec::new();
    for (name, thing, expected) in things {
        let form = same_for_names(name, thing, &order(*expected), Sight::All, 12);
        forms.push((name.to_string(), form));
        let other = thing.complement();
        let form = same_for_names(name, &other, &order(*expected), Sight::All, 4);
        let same_size = other.edges().len() == thing.edges().len();
        let alike = same_size && thing.isomorphisms(&other, 1) > 0;
        assert_eq!(forms[forms.len() - 1].1 == form, alike, "{name} and what it is not");
        if !alike {
            forms.push((format!("not {name}"), form));
        }
    }
    all_differ(&forms);
}

#[test]
fn cubic_graphs() {
    gallery(&[
        ("Petersen", petersen(5, 2), 120),
        ("Heawood", cubic(&[5, -5], 7), 336),
        ("Möbius and Kantor", petersen(8, 3), 96),
        ("cube", petersen(4, 1), 48),
        ("prism of 8", petersen(8, 1), 32),
        ("Möbius ladder of 16", cubic(&[8], 16), 32),
        ("Desargues", petersen(10, 3), 240),
        ("dodecahedron", petersen(10, 2), 120),
        ("prism of 10", petersen(10, 1), 40),
        ("Pappus", cubic(&[5, 7, -7, 7, -7, -5], 3), 216),
        ("McGee", cubic(&[12, 7, -7], 8), 32),
        ("Nauru", petersen(12, 5), 144),
        ("Franklin", cubic(&[5, -5], 6), 48),
        ("Frucht", cubic(&[-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2], 1), 1),
        ("Foster's of 26", cubic(&[-7, 7], 13), 78),
        ("Tutte and Coxeter", cubic(&[-13, -9, 7, -7, 9, 13], 5), 1440),
        ("Gray", cubic(&[-25, 7, -7, 13, -13, 25], 9), 1296),
    ]);
}

/// Equal figures in every respect that refinement sees.
#[test]
fn strongly_regular_graphs() {
    let (square, cyclic) = (|a: usize, b: usize| a ^ b, |n: usize| move |a: usize, b: usize| (a + b) % n);
    // The least square that is no group's.
    let loops = [[0, 1, 2, 3, 4], [1, 0, 3, 4, 2], [2, 3, 4, 0, 1], [3, 4, 1, 2, 0], [4, 2, 0, 1, 3]];
    // Products in the group of the triangle, the second three being its reflections.
    let triangle = |a: usize, b: usize| match (a < 3, b < 3) {
        (true, true) => (a + b) % 3,
        (true, false) => 3 + (a + b) % 3,
        (false, true) => 3 + (a + 3 - b) % 3,
        (false, false) => (a + 3 - b) % 3,
    };
    let paired = |a: [usize; 2], b: [usize; 2]| a[0] == b[0] || a[1] == b[1];
    gallery(&[
        ("rook of 3", rook(3), 72),
        ("rook of 4", rook(4), 1152),
        ("Shrikhande", shrikhande(), 192),
        ("rook of 5", on_pairs(5, paired), 28800),
        ("Clebsch", cube(4, &[1, 2, 4, 8, 15]), 1920),
        ("Paley 13", paley(13), 78),
        ("Paley 17", paley(17), 136),
        ("Paley 29", paley(29), 406),
        ("Latin, cyclic of 5", latin(5, cyclic(5)), 600),
        ("Latin, no group of 5", latin(5, |a, b| loops[a][b]), 72),
        ("Latin, cyclic of 6", latin(6, cyclic(6)), 432),
        ("Latin, triangle", latin(6, triangle), 1296),
        ("Latin, cyclic of 7", latin(7, cyclic(7)), 1764),
        ("Latin, cube's of 8", latin(8, square), 64 * 168 * 6),
        ("Latin, cyclic of 8", latin(8, cyclic(8)), 64 * 4 * 6),
        ("triples of 13, cyclic", block_graph(&cyclic_blocks(13, &[&[0, 1, 4], &[0, 2, 7]])), 39),
        ("triples of 13, the others", block_graph(&other_triples()), 6),
    ]);
}

#[test]
fn pairs_of_eight_and_its_mates() {
    let ring = |n: usize, first: usize| (0..n).map(move |v| (first + v, first + (v + 1) % n));
    let two_rings: Vec<_> = ring(3, 0).chain(ring(5, 3)).collect();
    gallery(&[
        ("triangular", triangular(8), 40320),
        ("Chang, matching", chang(&[(0, 1), (2, 3), (4, 5), (6, 7)]), 384),
        ("Chang, ring", chang(&ring(8, 0).collect::<Vec<_>>()), 96),
        ("Chang, two rings", chang(&two_rings), 360),
    ]);
}

#[test]
fn planes_and_designs() {
    gallery(&[
        ("plane of 2", incidence(7, &cyclic_blocks(7, &[&[0, 1, 3]])), 336),
        ("biplane of 11", incidence(11, &cyclic_blocks(11, &[&[1, 3, 4, 5, 9]])), 1320),
        ("plane of 3", incidence(13, &cyclic_blocks(13, &[&[0, 1, 3, 9]])), 11232),
        ("plane of 4", incidence(21, &cyclic_blocks(21, &[&[3, 6, 7, 12, 14]])), 241_920),
        ("squares of 15", incidence(15, &cyclic_blocks(15, &[&[0, 1, 2, 4, 5, 8, 10]])), 2 * 20160),
        ("triples of 13, cyclic", incidence(13, &cyclic_blocks(13, &[&[0, 1, 4], &[0, 2, 7]])), 39),
        ("triples of 13, the others", incidence(13, &other_triples()), 6),
        ("cube of 4", cube(4, &[1, 2, 4, 8]), 384),
        ("cube of 5", cube(5, &[1, 2, 4, 8, 16]), 3840),
    ]);
}

/// Doubly regular tournaments, and what is left of them when a cycle of three is turned: every vertex keeps
/// its score.
#[test]
fn tournaments() {
    let mut forms = Vec::new();
    for (p, expected) in [(7, 21), (11, 55), (19, 171), (23, 253)] {
        let tournament = paley(p);
        forms.push((
            format!("Paley {p}"),
            same_for_names("Paley", &tournament, &order(expected), Sight::All, 10),
        ));
        let mut turned = tournament.clone();
        let third = (2..p).find(|&c| turned.get(1, c) == 1 && turned.get(c, 0) == 1).unwrap();
        for (a, b) in [(0, 1), (1, third), (third, 0)] {
            turned.set(a, b, 0);
            turned.set(b, a, 1);
        }
        let count = order(turned.isomorphisms(&turned, 1000));
        forms.push((format!("turned {p}"), same_for_names("turned", &turned, &count, Sight::All, 10)));
    }
    let ring = circulant(7, &[1, 2, 3]);
    forms.push(("ring of 7".into(), same_for_names("ring", &ring, &order(7), Sight::All, 10)));
    all_differ(&forms);
}

/// Twice twisted is not twisted; once is another graph, which no refinement by few vertices sees.
#[test]
fn twisted_gadgets() {
    let bases = [
        ("K4", complete(4), [3 * 8 * 24, 8 * 24]),
        ("K33", complete_bipartite(3), [16 * 72; 2]),
        ("prism", petersen(3, 1), [16 * 12; 2]),
        ("cube", petersen(4, 1), [32 * 48; 2]),
        ("Petersen", petersen(5, 2), [64 * 120; 2]),
    ];
    let mut forms = Vec::new();
    for (name, base, expected) in bases {
        let times = if base.len() > 8 { 3 } else { 10 };
        let form = |twisted: usize| {
            let expected = order(expected[twisted % 2]);
            same_for_names(name, &cfi(&base, twisted), &expected, Sight::All, times)
        };
        let (straight, once) = (form(0), form(1));
        assert!(form(2) == straight && form(3) == once, "{name}");
        forms.push((name.to_string(), straight));
        forms.push((format!("{name}, twisted"), once));
    }
    all_differ(&forms);
}

/// Unions of parts that look alike: which of them are alike decides on the order.
#[test]
fn unions_of_lookalikes() {
    let families = [
        ("rook and Shrikhande", rook(4), 1152, shrikhande(), 192),
        ("gadgets", cfi(&complete(4), 0), 576, cfi(&complete(4), 1), 192),
        ("prism and bipartite", petersen(3, 1), 12, complete_bipartite(3), 72),
        ("cubic of 16", petersen(8, 3), 96, petersen(8, 1), 32),
        ("cubic of 20", petersen(10, 3), 240, petersen(10, 2), 120),
        ("six", cycle(6), 12, copies(2, &cycle(3)), 72),
    ];
    for (name, one, one_order, two, two_order) in families {
        let mut forms = Vec::new();
        let most = if one.len() > 12 { 2 } else { 3 };
        for (ones, twos) in (0..=most).flat_map(|ones| (0..=most).map(move |twos| (ones, twos))) {
            if ones + twos == 0 {
                continue;
            }
            let parts = std::iter::repeat_n(&one, ones).chain(std::iter::repeat_n(&two, twos));
            let whole = parts.cloned().reduce(|all, part| all.beside(&part)).unwrap();
            let mut expected = &order(one_order).pow(ones as u32) * &order(two_order).pow(twos as u32);
            expected = &expected * &(&Natural::factorial(ones as u64) * &Natural::factorial(twos as u64));
            if name == "six" && twos > 0 {
                // The triangles change places across parts.
                expected = &order(12).pow(ones as u32) * &Natural::factorial(ones as u64);
                expected =
                    &expected * &(&order(6).pow(2 * twos as u32) * &Natural::factorial(2 * twos as u64));
            }
            let full = format!("{name}: {ones} and {twos}");
            let form = same_for_names(&full, &whole, &expected, Sight::All, 2);
            forms.push((full, form));
        }
        all_differ(&forms);
    }
}

/// Copies of one part, in one of which two edges are switched, a key or an edge's value is another.
#[test]
fn one_copy_is_different() {
    let mut dice = Dice(99);
    for part in [petersen(5, 2), petersen(4, 1), rook(3), cycle(8), petersen(6, 1), paley(7), shrikhande()] {
        let n = part.len();
        let group = part.isomorphisms(&part, u64::MAX);
        let mut forms: Vec<(String, Relation)> = Vec::new();
        for kind in 0..4 {
            let mut other = part.clone();
            match kind {
                0 => {}
                1 => other.keys[dice.below(n)] = 1,
                2 => other.set(0, (1..n).find(|&v| part.get(0, v) == 1).unwrap(), 2),
                _ => {
                    let none = (1..n).find(|&v| part.get(0, v) == 0 && part.get(v, 0) == 0);
                    let Some(v) = none else { continue };
                    other.join(0, v, 1);
                }
            }
            let mut expected = &order(group).pow(2) * &order(other.isomorphisms(&other, u64::MAX));
            expected.mul_small(if kind == 0 { 6 } else { 2 });
            for at in 0..3 {
                let parts = (0..3).map(|i| if i == at { &other } else { &part });
                let whole = parts.cloned().reduce(|all, part| all.beside(&part)).unwrap();
                let form = same_for_names("copies", &whole, &expected, Sight::All, 3);
                match at {
                    0 => forms.push((format!("kind {kind}"), form)),
                    _ => assert!(forms.last().unwrap().1 == form, "the place of the copy does not matter"),
                }
            }
        }
        all_differ(&forms);
    }
}

/// What was found: for each form the order and how often it came.
type Classes = HashMap<Vec<u8>, (Relation, Natural)>;

fn key(relation: &Relation) -> Vec<u8> {
    let n = relation.len();
    let keys = relation.keys.iter().map(|&key| key as u8);
    keys.chain((0..n).flat_map(|a| (0..n).map(move |b| (a, b))).map(|(a, b)| relation.get(a, b))).collect()
}

fn insert(classes: &mut Classes, labeller: &mut Labeller, relation: &Relation, sight: Sight) {
    let (form, order) = relation.canonical(labeller, sight);
    let known = classes.entry(key(&form)).or_insert_with(|| (form, order.clone()));
    assert_eq!(known.1, order, "one form has groups of one order");
}

/// How many things with names there are, by the orders of the groups.
fn mass(classes: &Classes, n: usize) -> Natural {
    let mut sum = Natural::from(0u64);
    for (_, order) in classes.values() {
        let (quotient, rest) = divided(&Natural::factorial(n as u64), order);
        assert_eq!(rest, 0, "the order divides n!");
        sum += &Natural::from(quotient);
    }
    sum
}

fn divided(a: &Natural, b: &Natural) -> (u64, u64) {
    let (a, b): (u64, u64) = (a.to_string().parse().unwrap(), b.to_string().parse().unwrap());
    (a / b, a % b)
}

/// Every class has its mates with one point more: all ways in which the new point may see the others.
fn grown(classes: &Classes, sight: Sight, ways: usize, put: impl Fn(&mut Relation, usize, usize)) -> Classes {
    let (mut more, mut labeller) = (Classes::new(), Labeller::default());
    for (form, _) in classes.values() {
        let n = form.len();
        for code in 0..ways.pow(n as u32) {
            let mut larger = form.beside(&Relation::empty(1));
            (0..n).for_each(|v| put(&mut larger, v, code / ways.pow(v as u32) % ways));
            insert(&mut more, &mut labeller, &larger, sight);
        }
    }
    more
}

fn grow_all(expected: &[usize], sight: Sight, ways: usize, put: impl Fn(&mut Relation, usize, usize)) {
    let mut classes = Classes::new();
    insert(&mut classes, &mut Labeller::default(), &Relation::empty(1), sight);
    for (n, &count) in (2..).zip(expected) {
        classes = grown(&classes, sight, ways, &put);
        assert_eq!(classes.len(), count, "{n} points");
        assert_eq!(mass(&classes, n), order(ways as u64).pow((n * (n - 1) / 2) as u32), "{n} points");
    }
}

#[test]
fn all_graphs_by_growing() {
    grow_all(&[2, 4, 11, 34, 156, 1044], Sight::All, 2, |relation, v, way| {
        let n = relation.len() - 1;
        relation.join(v, n, way as u8);
    });
}

#[test]
fn all_graphs_unseen() {
    grow_all(&[2, 4, 11, 34, 156], Sight::Nothing, 2, |relation, v, way| {
        let n = relation.len() - 1;
        relation.join(v, n, way as u8);
    });
}

#[test]
fn all_tournaments_by_growing() {
    grow_all(&[1, 2, 4, 12, 56, 456], Sight::All, 2, |relation, v, way| {
        let n = relation.len() - 1;
        let (from, to) = if way == 0 { (v, n) } else { (n, v) };
        relation.set(from, to, 1);
    });
}

/// Directed graphs, seen, half seen and unseen; and undirected ones with three values.
#[test]
fn all_directed_and_valued_by_growing() {
    for sight in BLIND {
        grow_all(&[3, 16, 218], sight, 4, |relation, v, way| {
            let n = relation.len() - 1;
            relation.set(v, n, way as u8 & 1);
            relation.set(n, v, way as u8 >> 1);
        });
        // The graphs with edges of two colours: 1, 3, 10, 66, 792.
        grow_all(&[3, 10, 66, 792], sight, 3, |relation, v, way| {
            let n = relation.len() - 1;
            relation.join(v, n, way as u8);
        });
    }
}

/// All cubic graphs, found by switching edges at random: as many as there are, and with names as many as
/// there are too.
#[test]
fn all_cubic_graphs() {
    let apart = |n: usize| match n {
        8 => vec![copies(2, &complete(4))],
        10 => vec![complete(4).beside(&complete_bipartite(3)), complete(4).beside(&petersen(3, 1))],
        _ => Vec::new(),
    };
    for (n, expected, named) in [(4, 1, 1), (6, 2, 70), (8, 6, 19355), (10, 21, 11_180_820)] {
        for sight in [Sight::All, Sight::Nothing] {
            if sight == Sight::Nothing && n > 6 {
                continue;
            }
            let (mut dice, mut labeller, mut classes) = (Dice(5), Labeller::default(), Classes::new());
            let mut graph = if n == 4 { complete(4) } else { petersen(n / 2, 1) };
            // What is in parts is seldom met.
            apart(n).iter().for_each(|graph| insert(&mut classes, &mut labeller, graph, sight));
            for _ in 0..if n < 10 { 300 } else { 3000 } {
                insert(&mut classes, &mut labeller, &graph, sight);
                graph = switched(&graph, 3, &mut dice);
            }
            assert_eq!(classes.len(), expected, "{n} points, {sight:?}");
            assert_eq!(mass(&classes, n), order(named), "{n} points, {sight:?}");
        }
    }
}

/// Random regular graphs, some with values, keys, classes, directions, against isomorphisms found by trying.
#[test]
fn random_lookalikes_against_trying() {
    let (mut dice, mut labeller) = (Dice(31), Labeller::default());
    for round in 0..240 {
        let n = 6 + 2 * dice.below(4);
        let base = match round % 4 {
            0 => petersen(n / 2, 1),
            1 => cycle(n),
            2 => copies(2, &cycle(n / 2)),
            _ => circulant(n, &[1, 2, n - 1, n - 2]),
        };
        let mut one = switched(&base, 6, &mut dice);
        let edges = one.edges();
        for _ in 0..round / 4 % 3 {
            let (a, b) = edges[dice.below(edges.len())];
            if round % 3 == 0 { one.join(a, b, 2) } else { one.set(a, b, 2) }
        }
        if round % 5 == 0 {
            one.keys[dice.below(n)] = 1;
        }
        if round % 7 == 0 {
            one.split = dice.below(n);
        }
        let two = match dice.below(3) {
            0 => one.shuffled(&mut dice),
            _ => switched(&one, 2, &mut dice),
        };
        let sights = if n == 6 { &BLIND[..] } else { &BLIND[..2] };
        for &sight in sights {
            let found = one.canonical(&mut labeller, sight);
            assert_eq!(found.1, order(one.isomorphisms(&one, u64::MAX)), "round {round}, {sight:?}");
            let alike = one.isomorphisms(&two, 1) > 0;
            assert_eq!(two.canonical(&mut labeller, sight).0 == found.0, alike, "round {round}, {sight:?}");
            for _ in 0..3 {
                assert!(
                    one.shuffled(&mut dice).canonical(&mut labeller, sight) == found,
                    "round {round}, {sight:?}"
                );
            }
        }
    }
}

/// Hidden values on a graph with many symmetries: automorphisms of the graph that are none of the thing.
#[test]
fn hidden_values() {
    let (mut dice, mut labeller) = (Dice(77), Labeller::default());
    let shown =
        [petersen(5, 2), petersen(4, 1), rook(3), copies(4, &cycle(3)), complete_bipartite(4), cycle(9)];
    for (at, graph) in shown.iter().enumerate() {
        for round in 0..25 {
            let mut thing = graph.clone();
            let edges = graph.edges();
            for _ in 0..1 + round % 5 {
                let (a, b) = edges[dice.below(edges.len())];
                if round % 2 == 0 { thing.join(a, b, 2) } else { thing.set(a, b, 2) }
            }
            let found = thing.canonical(&mut labeller, Sight::Edges);
            assert_eq!(found.1, order(thing.isomorphisms(&thing, u64::MAX)), "graph {at}, round {round}");
            for _ in 0..6 {
                let other = thing.shuffled(&mut dice);
                assert!(other.canonical(&mut labeller, Sight::Edges) == found, "graph {at}, round {round}");
            }
        }
    }
}

/// A limit on the work gives an order that is canonical, or says that it may not be.
#[test]
fn limited_work() {
    let (mut dice, mut labeller) = (Dice(3), Labeller::default());
    for thing in [
        shrikhande(),
        cfi(&complete(4), 1),
        copies(3, &petersen(5, 2)),
        switched(&petersen(8, 1), 20, &mut dice),
    ] {
        let whole = thing.canonical(&mut labeller, Sight::All);
        let mut enough = [0; 2];
        for work in (0..24).map(|bit| 1u64 << bit) {
            let found = thing.shuffled(&mut dice).attempt(&mut labeller, Sight::All, work);
            enough[usize::from(found.is_some())] += 1;
            assert!(found.is_none_or(|found| found == whole), "work {work}");
        }
        assert!(enough[0] > 0 && enough[1] > 0);
    }
}

/// Twins against all swaps.
#[test]
fn twins_against_all_swaps() {
    let (mut dice, mut labeller) = (Dice(12), Labeller::default());
    for round in 0..600 {
        let n = 2 + dice.below(6);
        let mut thing = Relation::empty(n);
        for _ in 0..dice.below(2 * n) {
            let (a, b) = (dice.below(n), dice.below(n));
            let value = 1 + dice.below(2) as u8;
            if round % 2 == 0 { thing.join(a, b, value) } else { thing.set(a, b, value) }
        }
        if round % 3 == 0 {
            thing = thing.complement();
        }
        if round % 4 == 0 {
            thing.keys[dice.below(n)] = 1;
        }
        let mut classes: Vec<Vec<Point>> = Vec::new();
        for v in 0..n {
            let twin = |w: usize| {
                let name = |x: usize| {
                    if x == v {
                        w
                    } else if x == w {
                        v
                    } else {
                        x
                    }
                };
                let all = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
                thing.keys[v] == thing.keys[w]
                    && all.into_iter().all(|(a, b)| thing.get(name(a), name(b)) == thing.get(a, b))
            };
            match classes.iter_mut().find(|class| twin(class[0] as usize)) {
                Some(class) => class.push(v as Point),
                None => classes.push(vec![v as Point]),
            }
        }
        classes.retain(|class| class.len() > 1);
        classes.sort();
        for sight in BLIND {
            assert_eq!(thing.twins(&mut labeller, sight), classes, "round {round}, {sight:?}");
        }
    }
}
