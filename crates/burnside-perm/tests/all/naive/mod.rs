//! What the crate computes, done by listing everything.
#![allow(dead_code)]

use burnside_perm::{Group, Natural, Partition, Perm, Point};
use std::collections::{BTreeSet, HashSet};

/// A small generator of pseudo-random numbers with a fixed seed.
pub struct Dice(pub u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Dice {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Dice {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    pub fn perm(&mut self, degree: usize) -> Perm {
        let mut images: Vec<Point> = (0..degree as Point).collect();
        for last in (1..degree).rev() {
            images.swap(last, self.below(last + 1));
        }
        Perm::from_images(&images).unwrap()
    }

    pub fn word(&mut self, length: usize, letters: usize) -> Vec<u8> {
        (0..length).map(|_| self.below(letters) as u8).collect()
    }
}

/// All permutations of `0..degree`.
pub fn all_perms(degree: usize) -> Vec<Perm> {
    fn extend(degree: usize, images: &mut Vec<Point>, all: &mut Vec<Perm>) {
        if images.len() == degree {
            all.push(Perm::from_images(images).unwrap());
            return;
        }
        for x in 0..degree as Point {
            if !images.contains(&x) {
                images.push(x);
                extend(degree, images, all);
                images.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(degree, &mut Vec::new(), &mut all);
    all
}

/// All elements of the group, or nothing if there are more than `limit`.
pub fn closure(degree: usize, generators: &[Perm], limit: usize) -> Option<Vec<Perm>> {
    let mut elements = vec![Perm::identity(degree)];
    let mut seen: HashSet<Perm> = elements.iter().cloned().collect();
    let mut at = 0;
    while at < elements.len() {
        for generator in generators {
            let product = generator.compose(&elements[at]);
            if seen.insert(product.clone()) {
                elements.push(product);
            }
        }
        if elements.len() > limit {
            return None;
        }
        at += 1;
    }
    elements.sort();
    Some(elements)
}

/// All words of this length over `0..letters`.
pub fn all_words(length: usize, letters: u8) -> Vec<Vec<u8>> {
    let mut words = vec![Vec::new()];
    for _ in 0..length {
        let extended = |word: &Vec<u8>| -> Vec<Vec<u8>> {
            (0..letters).map(|letter| word.iter().copied().chain([letter]).collect()).collect()
        };
        words = words.iter().flat_map(extended).collect();
    }
    words
}

pub fn natural(value: usize) -> Natural {
    Natural::from(value)
}

/// Order, generators, elements, orbits and what carries one point to another.
pub fn check_basics(group: &Group, elements: &[Perm]) {
    let degree = group.degree();
    assert_eq!(group.order(), natural(elements.len()));
    assert_eq!(group.is_trivial(), elements.len() == 1);
    let mut listed: Vec<Perm> = group.elements().collect();
    assert!(listed[0].is_identity());
    listed.sort();
    assert_eq!(listed, elements);
    assert_eq!(closure(degree, &group.generators(), elements.len()).as_deref(), Some(elements));
    let orbits = group.orbits();
    for x in 0..degree as Point {
        let naive: BTreeSet<Point> = elements.iter().map(|g| g.image(x)).collect();
        assert_eq!(orbits.class(x), naive.iter().copied().collect::<Vec<_>>());
        assert_eq!(orbits.representative(x), *naive.first().unwrap());
        check_transversal(group, elements, x, &naive);
    }
    assert_eq!(orbits, Partition::orbits(degree, elements));
}

fn check_transversal(group: &Group, elements: &[Perm], x: Point, orbit: &BTreeSet<Point>) {
    let tree = group.orbit(x);
    assert_eq!(tree.len(), orbit.len());
    for y in 0..group.degree() as Point {
        let ways = [tree.representative(y), group.carry(x, y)];
        for way in &ways {
            assert_eq!(way.is_some(), orbit.contains(&y));
            assert!(way.as_ref().is_none_or(|g| g.image(x) == y && elements.binary_search(g).is_ok()));
        }
    }
    assert_eq!(natural(tree.len() * group.stabiliser(x).order().to_u64().unwrap() as usize), group.order());
}

/// Membership of each of these permutations.
pub fn check_members(group: &Group, elements: &[Perm], all: &[Perm]) {
    for perm in all {
        assert_eq!(group.contains(perm), elements.binary_search(perm).is_ok(), "{perm:?} in {group:?}");
    }
}

/// Whether the group is exactly the elements that pass the test.
pub fn check_subgroup(subgroup: &Group, elements: &[Perm], test: impl Fn(&Perm) -> bool) {
    let count = elements.iter().filter(|g| test(g)).count();
    assert_eq!(subgroup.order(), natural(count));
    assert!(subgroup.generators().iter().all(|g| test(g) && elements.binary_search(g).is_ok()));
}

/// Stabilisers of points, pairs of points and sets of points.
pub fn check_stabilisers(group: &Group, elements: &[Perm]) {
    let degree = group.degree() as Point;
    for x in 0..degree {
        check_subgroup(&group.stabiliser(x), elements, |g| g.image(x) == x);
        for y in 0..degree {
            let both = group.pointwise_stabiliser(&[x, y]);
            check_subgroup(&both, elements, |g| g.image(x) == x && g.image(y) == y);
        }
    }
    for set in 0u32..1 << degree {
        let points: Vec<Point> = (0..degree).filter(|x| set >> x & 1 == 1).collect();
        let keeps = |g: &Perm| points.iter().all(|&x| set >> g.image(x) & 1 == 1);
        check_subgroup(&group.set_stabiliser(&points), elements, keeps);
    }
}

/// Least image, stabiliser and orbit size of a word.
pub fn check_word(group: &Group, elements: &[Perm], word: &[u8]) {
    let images: BTreeSet<Vec<u8>> = elements.iter().map(|g| g.permute(word)).collect();
    let (image, stabiliser) = group.minimal_image_and_stabiliser(word);
    assert_eq!(image.word, *images.first().unwrap(), "{word:?} under {group:?}");
    assert_eq!(group.minimal_image(word), image);
    assert_eq!(image.by.permute(word), image.word);
    assert_eq!(image.lift().permute(&image.word), word);
    assert!(elements.binary_search(&image.by).is_ok());
    check_subgroup(&stabiliser, elements, |g| g.permute(word) == word);
    check_subgroup(&group.word_stabiliser(word), elements, |g| g.preserves(word));
    assert_eq!(group.orbit_size(word), natural(images.len()));
}

/// Orbits and least images of pairs.
pub fn check_pairs(group: &Group, elements: &[Perm]) {
    let degree = group.degree() as Point;
    let mut orbits = BTreeSet::new();
    for x in 0..degree {
        for y in 0..degree {
            let least = elements.iter().map(|g| vec![g.image(x), g.image(y)]).min().unwrap();
            let (tuple, by) = group.minimal_tuple(&[x, y]);
            assert_eq!(tuple, least);
            assert_eq!([by.image(x), by.image(y)], tuple[..]);
            assert!(elements.binary_search(&by).is_ok());
            orbits.insert(least);
        }
    }
    let computed = group.tuple_orbits(2);
    assert!(computed.iter().map(|orbit| &orbit.tuple).eq(&orbits));
    for orbit in &computed {
        let fixes = |g: &Perm| orbit.tuple.iter().all(|&x| g.image(x) == x);
        check_subgroup(&orbit.stabiliser, elements, fixes);
        assert_eq!(&orbit.size * &orbit.stabiliser.order(), group.order());
    }
}

/// The group with its points renamed, and its cosets.
pub fn check_renamed(group: &Group, elements: &[Perm], by: &Perm) {
    let renamed = group.conjugate(by);
    assert_eq!(renamed.order(), group.order());
    assert!(elements.iter().all(|g| renamed.contains(&g.conjugate(by))));
    let least = elements.iter().map(|g| by.compose(g)).min().unwrap();
    assert_eq!(group.least_in_coset(by), least);
}
