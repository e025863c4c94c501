//! Groups whose orders and stabilisers are known from books.

use crate::naive;

use burnside_perm::{Group, GroupKind, Natural, Partition, Perm, Point, Young};
use naive::*;
use std::collections::BTreeSet;

/// Generators in cycle notation with points from one.
fn from_one(degree: usize, cycles: &[&str]) -> Vec<Perm> {
    let shift = Perm::rotation(degree + 1, degree);
    let less = |text: &&str| {
        let perm = Perm::parse(degree + 1, text).unwrap().conjugate(&shift);
        Perm::from_images(&perm.images().take(degree).collect::<Vec<_>>()).unwrap()
    };
    cycles.iter().map(less).collect()
}

const M11: [&str; 2] = ["(1 2 3 4 5 6 7 8 9 10 11)", "(3 7 11 8)(4 10 5 6)"];
const M12: [&str; 3] = [M11[0], M11[1], "(1 12)(2 11)(3 6)(4 8)(5 9)(7 10)"];
const M24: [&str; 3] = [
    "(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)",
    "(3 17 10 7 9)(4 13 14 19 5)(8 18 11 12 23)(15 20 22 21 16)",
    "(1 24)(2 23)(3 12)(4 16)(5 18)(6 10)(7 20)(8 14)(9 21)(11 17)(13 22)(15 19)",
];

#[test]
fn mathieu_groups() {
    let m11 = Group::generated(11, &from_one(11, &M11));
    let m12 = Group::generated(12, &from_one(12, &M12));
    assert_eq!((m11.order(), m12.order()), (natural(7_920), natural(95_040)));
    assert_eq!(m12.stabiliser(11).order(), m11.order());
    assert_eq!(m12.pointwise_stabiliser(&[3, 1, 4, 0, 5]).order(), natural(1));
    assert_eq!(m12.elements().count(), 95_040);
    assert_eq!(m12.tuple_orbits(3).len(), 5, "it is transitive on triples: only equalities tell them apart");
}

#[test]
fn the_largest_mathieu_group() {
    let m24 = Group::generated(24, &from_one(24, &M24));
    assert_eq!(m24.kind(), GroupKind::Generated);
    assert_eq!(m24.order(), natural(244_823_040));
    assert_eq!(m24.stabiliser(5).order(), natural(10_200_960));
    assert_eq!(m24.pointwise_stabiliser(&[23, 7]).order(), natural(443_520));
    assert_eq!(m24.set_stabiliser(&[23, 7]).order(), natural(887_040));
    assert_eq!(m24.set_stabiliser(&[2, 3, 19]).order(), natural(120_960));
    let five = m24.pointwise_stabiliser(&[0, 1, 2, 3, 4]);
    assert_eq!(five.order(), natural(48));
    let classes = five.orbits().classes();
    let mut octad = classes.iter().find(|class| class.len() == 3).unwrap().clone();
    octad.extend(0..5);
    assert_eq!(m24.set_stabiliser(&octad).order(), natural(322_560));
    let word: Vec<bool> = (0..24).map(|x| octad.contains(&x)).collect();
    assert_eq!(m24.orbit_size(&word), natural(759));
    let element = m24.generators()[0].compose(&m24.generators()[1]);
    assert_eq!(m24.minimal_image(&word).word, m24.minimal_image(&element.permute(&word)).word);
}

/// Generators of `inner` wr `outer` on the points `block·size + place`.
fn wreath(inner: &Group, outer: &Group) -> Vec<Perm> {
    let (size, blocks) = (inner.degree(), outer.degree());
    let on_first = |g: &Perm| {
        let images: Vec<Point> = g.images().chain(size as Point..(size * blocks) as Point).collect();
        Perm::from_images(&images).unwrap()
    };
    let on_blocks = |g: &Perm| {
        let place = |x: usize| g.image((x / size) as Point) as usize * size + x % size;
        Perm::from_images(&(0..size * blocks).map(|x| place(x) as Point).collect::<Vec<_>>()).unwrap()
    };
    let (inner, outer) = (inner.generators(), outer.generators());
    inner.iter().map(on_first).chain(outer.iter().map(on_blocks)).collect()
}

#[test]
fn wreath_products() {
    let pairs = [
        (Group::symmetric(4), Group::symmetric(4)),
        (Group::cyclic(5), Group::cyclic(4)),
        (Group::dihedral(4), Group::alternating(4)),
        (Group::symmetric(2), Group::cyclic(20)),
    ];
    for (inner, outer) in pairs {
        let degree = inner.degree() * outer.degree();
        let group = Group::generated(degree, &wreath(&inner, &outer));
        assert_eq!(group.order(), &inner.order().pow(outer.degree() as u32) * &outer.order());
        assert_eq!(group.orbits().len(), 1);
        let first: Vec<Point> = (0..inner.degree() as Point).collect();
        assert_eq!(&group.set_stabiliser(&first).order() * &natural(outer.degree()), group.order());
    }
}

#[test]
fn symmetric_groups_by_generators() {
    for degree in [3, 7, 20, 40] {
        let pair = [Perm::transposition(degree, 0, 1), Perm::rotation(degree, 1)];
        let (recognised, chained) = (Group::generated(degree, &pair), Group::chained(degree, &pair));
        assert_eq!((recognised.kind(), chained.kind()), (GroupKind::Full, GroupKind::Generated));
        assert_eq!(chained.order(), Natural::factorial(degree as u64));
        assert_eq!(recognised, chained);
        let mut half = Natural::factorial(degree as u64);
        assert_eq!(half.div_small(2), 0);
        assert_eq!(Group::alternating(degree).order(), half);
    }
    let pair = [Perm::transposition(200, 0, 1), Perm::rotation(200, 1)];
    assert_eq!(Group::generated(200, &pair).order(), Natural::factorial(200));
}

#[test]
fn full_groups_at_any_degree() {
    let crowd = Group::symmetric(4_000);
    assert_eq!((crowd.kind(), crowd.order()), (GroupKind::Full, Natural::factorial(4_000)));
    let rest = crowd.pointwise_stabiliser(&[17, 3_999]);
    assert_eq!((rest.kind(), rest.order()), (GroupKind::Young, Natural::factorial(3_998)));
    assert_eq!(crowd.set_stabiliser(&[1, 2, 3]).order(), &Natural::factorial(3_997) * &natural(6));
    assert_eq!(crowd.minimal_tuple(&[9, 8, 9]).0, [0, 1, 0]);
    assert_eq!(crowd.tuple_orbits(3).len(), 5);
    let word: Vec<u32> = (0..4_000).map(|x| x * 7 % 3).collect();
    let image = crowd.minimal_image(&word);
    assert!(image.word.is_sorted() && image.by.permute(&word) == image.word);
    assert_eq!(&crowd.orbit_size(&word) * &crowd.word_stabiliser(&word).order(), crowd.order());
    let swaps: Vec<Perm> = (0..100).map(|x| Perm::transposition(4_000, x, x + 100)).collect();
    let pairs = Group::generated(4_000, &swaps);
    assert_eq!((pairs.kind(), pairs.order()), (GroupKind::Young, natural(2).pow(100)));
}

#[test]
fn rings_at_any_degree() {
    let (ring, mirror) = (Group::cyclic(4_000), Group::dihedral(4_000));
    assert_eq!((ring.order(), mirror.order()), (natural(4_000), natural(8_000)));
    assert_eq!((ring.stabiliser(7).kind(), mirror.stabiliser(7).order()), (GroupKind::Trivial, natural(2)));
    assert!(mirror.includes(&ring) && !ring.includes(&mirror));
    let word: Vec<u32> = (0..4_000).map(|x| x % 8).collect();
    assert_eq!(ring.orbit_size(&word), natural(8));
    assert_eq!(mirror.orbit_size(&word), natural(16));
    let again = Group::generated(
        4_000,
        &[Perm::rotation(4_000, 12), Perm::rotation(4_000, 8), Perm::reflection(4_000, 6)],
    );
    assert_eq!((again.kind(), again.order()), (GroupKind::Dihedral, natural(2_000)));
}

#[test]
fn products() {
    let parts = [Group::symmetric(3), Group::cyclic(4), Group::trivial(2), Group::alternating(5)];
    let product = Group::product(&parts);
    assert_eq!(
        (product.degree(), product.kind(), product.order()),
        (14, GroupKind::Product, natural(6 * 4 * 60))
    );
    assert_eq!(Group::product([&product, &product]).factors().len(), 6);
    let elements = closure(14, &product.generators(), 1_440).unwrap();
    check_basics(&product, &elements);
    let mut dice = Dice(3);
    (0..20).for_each(|_| check_word(&product, &elements, &dice.word(14, 3)));
    assert_eq!(product.stabiliser(12).order(), natural(6 * 4 * 12));
    assert!(!product.contains(&Perm::transposition(14, 7, 8)));
    assert_eq!(Group::product([&Group::symmetric(3), &Group::symmetric(2)]).kind(), GroupKind::Young);
    assert_eq!(Group::product([&Group::trivial(3), &Group::trivial(2)]).kind(), GroupKind::Trivial);
    let found = Group::generated(14, &product.generators());
    assert_eq!((found.kind(), &found), (GroupKind::Product, &product));
}

#[test]
fn young_subgroups() {
    let cells = vec![vec![5, 1], vec![0, 4, 2], vec![3]];
    let group = Group::young(Young::from_cells(7, cells));
    let elements = closure(7, &group.generators(), 12).unwrap();
    check_basics(&group, &elements);
    check_stabilisers(&group, &elements);
    all_words(7, 2).iter().for_each(|word| check_word(&group, &elements, word));
    let keeping = Group::symmetric(7).partition_stabiliser(&Partition::of_word(&[0, 1, 0, 2, 0, 1, 3]));
    assert_eq!(keeping, group);
}

#[test]
fn groups_of_long_cycles_stay_cheap() {
    let mut dice = Dice(11);
    let names = dice.perm(1_000);
    let cycle = Perm::rotation(1_000, 1).conjugate(&names);
    let group = Group::generated(1_000, std::slice::from_ref(&cycle));
    assert_eq!((group.kind(), group.order()), (GroupKind::Generated, natural(1_000)));
    assert!(group.contains(&cycle.pow(-357)) && !group.contains(&Perm::transposition(1_000, 0, 1)));
    assert!(group.stabiliser(3).is_trivial());
}

/// The symmetric group on `vertices`, as it moves the pairs of them.
fn on_pairs(vertices: usize) -> Group {
    let pairs: Vec<[Point; 2]> = (0..vertices as Point).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
    let moved = |g: &Perm| {
        let image = |&[a, b]: &[Point; 2]| [g.image(a).min(g.image(b)), g.image(a).max(g.image(b))];
        let place = |pair| pairs.iter().position(|other| *other == image(pair)).unwrap() as Point;
        Perm::from_images(&pairs.iter().map(place).collect::<Vec<_>>()).unwrap()
    };
    let generators: Vec<Perm> = Group::symmetric(vertices).generators().iter().map(moved).collect();
    Group::generated(pairs.len(), &generators)
}

#[test]
fn graphs_up_to_isomorphism() {
    for (vertices, graphs) in [(3, 4), (4, 11), (5, 34)] {
        let group = on_pairs(vertices);
        assert_eq!(group.order(), Natural::factorial(vertices as u64));
        let words = all_words(group.degree(), 2);
        let least: BTreeSet<Vec<u8>> = words.iter().map(|word| group.minimal_image(word).word).collect();
        assert_eq!(least.len(), graphs);
        let total: Natural = least.iter().map(|word| group.orbit_size(word)).sum();
        assert_eq!(total, natural(words.len()));
    }
}

#[test]
fn graphs_with_many_automorphisms() {
    let group = on_pairs(10);
    let pairs: Vec<(u32, u32)> = (0..10).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
    let graph =
        |edge: &dyn Fn(u32, u32) -> bool| pairs.iter().map(|&(a, b)| edge(a, b)).collect::<Vec<bool>>();
    let petersen = graph(&|a, b| {
        if b < 5 { b - a == 1 || b - a == 4 } else { a + 5 == b || (a > 4 && matches!(b - a, 2 | 3)) }
    });
    let cycle = graph(&|a, b| b - a == 1 || b - a == 9);
    let bipartite = graph(&|a, b| a < 5 && b >= 5);
    let mut dice = Dice(31);
    for (word, automorphisms) in [(petersen, 120), (cycle, 20), (bipartite, 28_800)] {
        let (image, stabiliser) = group.minimal_image_and_stabiliser(&word);
        assert_eq!(
            (stabiliser.order(), group.word_stabiliser(&word).order()),
            (natural(automorphisms), natural(automorphisms))
        );
        let strong = group.generators();
        let other = (0..40).fold(word, |word, _| strong[dice.below(strong.len())].permute(&word));
        assert_eq!(group.minimal_image(&other).word, image.word);
        assert_eq!(stabiliser.conjugate(&image.by), group.word_stabiliser(&image.word));
    }
}
