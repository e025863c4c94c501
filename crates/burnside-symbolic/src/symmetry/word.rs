//! In which order generators close any set, so that nobody has to look whether it is closed.
//!
//! Entry point: [`word`], for one generator more than those that a set is closed under already. Let these
//! generate `H`, all together `G`, and let `H` be what fixes one point `p` in `G`. Then the set needs one
//! element of `G` for each point of the orbit of `p`, which takes `p` there: the edges of a tree that reaches
//! all these points, from the root on. For swaps of neighbours among `n` members these trees are paths, and
//! the words one after the other are bubble sort: `n (n - 1) / 2` images, and every set on the way is closed
//! under all permutations of the first members, so its diagram is as regular as that of the last one.

use burnside_perm::{Group, Perm, Point};
use burnside_ts::Permutation;

/// The places of generators. If a set that all but the last map to itself is united with its image under each
/// of these in turn, all of them map it to itself. None if there is no point that shows it.
pub(super) fn word(permutations: &[&Permutation]) -> Option<Vec<usize>> {
    let perms: Vec<Perm> = permutations.iter().map(|permutation| perm(permutation)).collect();
    let (last, before) = perms.split_last()?;
    let degree = last.degree();
    let (part, whole) = (Group::generated(degree, before), Group::generated(degree, &perms));
    if part.order() == whole.order() {
        return Some(Vec::new());
    }
    let index = whole.order().exact_div(&part.order()).to_u64()?;
    let is_base = |p: Point| before.iter().all(|perm| perm.image(p) == p) && last.image(p) != p;
    let trees = (0..degree as Point).filter(|&p| is_base(p)).map(|p| tree(&perms, p));
    // One edge for each point of the orbit but the root.
    trees.into_iter().find(|edges| edges.len() as u64 + 1 == index)
}

/// One permutation of the elements of all sorts.
fn perm(permutation: &Permutation) -> Perm {
    let mut images: Vec<Point> = Vec::new();
    for sort in &permutation.images {
        let start = images.len() as Point;
        images.extend(sort.iter().map(|image| start + image));
    }
    Perm::from_images(&images).expect("a permutation permutes the elements of each sort")
}

/// Which permutation leads to each new point of an orbit, breadth first.
fn tree(perms: &[Perm], root: Point) -> Vec<usize> {
    let mut seen = vec![false; perms[0].degree()];
    seen[root as usize] = true;
    let (mut points, mut edges, mut at) = (vec![root], Vec::new(), 0);
    while let Some(&point) = points.get(at) {
        at += 1;
        for (i, perm) in perms.iter().enumerate() {
            let image = perm.image(point);
            if !std::mem::replace(&mut seen[image as usize], true) {
                points.push(image);
                edges.push(i);
            }
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn permutation(images: &[u32]) -> Permutation {
        Permutation { images: vec![images.to_vec()] }
    }

    /// A set of permutations with what one of them makes of each.
    fn united(set: &HashSet<Perm>, by: &Perm) -> HashSet<Perm> {
        set.iter().flat_map(|element| [element.clone(), by.compose(element)]).collect()
    }

    /// Closes the identity under one generator after the other, each by its word; how long the words are, and
    /// how many there are none for.
    fn close(permutations: &[Permutation]) -> (usize, usize) {
        let all: Vec<&Permutation> = permutations.iter().collect();
        let perms: Vec<Perm> = all.iter().map(|permutation| perm(permutation)).collect();
        let degree = perms[0].degree();
        let mut set = HashSet::from([Perm::identity(degree)]);
        let (mut images, mut without) = (0, 0);
        for last in 0..all.len() {
            let group = Group::generated(degree, &perms[..=last]);
            match word(&all[..=last]) {
                Some(word) => {
                    images += word.len();
                    word.iter().for_each(|&at| set = united(&set, &perms[at]));
                }
                None => {
                    without += 1;
                    set = group.elements().collect();
                }
            }
            assert_eq!(Some(set.len() as u64), group.order().to_u64(), "{permutations:?} up to {last}");
        }
        (images, without)
    }

    #[test]
    fn swaps_of_neighbours_are_bubble_sort() {
        for n in 2..=7_u32 {
            let swap = |i: u32| {
                let mut images: Vec<u32> = (0..n).collect();
                images.swap(i as usize, i as usize + 1);
                permutation(&images)
            };
            let swaps: Vec<Permutation> = (0..n - 1).map(swap).collect();
            assert_eq!(close(&swaps), ((n * (n - 1) / 2) as usize, 0));
        }
    }

    #[test]
    fn a_turn_is_made_again_and_again() {
        let turn: Vec<u32> = (0..9).map(|i| (i + 1) % 9).collect();
        assert_eq!(close(&[permutation(&turn)]), (8, 0));
        // What is there already takes no image.
        assert_eq!(close(&[permutation(&turn), permutation(&turn)]), (8, 0));
    }

    #[test]
    fn a_reflection_has_no_word() {
        let turn: Vec<u32> = (0..6).map(|i| (i + 1) % 6).collect();
        let reflection: Vec<u32> = (0..6).map(|i| (6 - i) % 6).collect();
        assert_eq!(close(&[permutation(&turn), permutation(&reflection)]), (5, 1));
    }

    /// Every pair of permutations of four points, and with each a third.
    #[test]
    fn words_close_whatever_is_generated() {
        let all: Vec<Permutation> =
            Group::symmetric(4).elements().map(|g| permutation(&g.images().collect::<Vec<_>>())).collect();
        let (mut words, mut without) = (0, 0);
        for (i, a) in all.iter().enumerate() {
            for b in &all {
                let more = close(&[a.clone(), b.clone(), all[(i * 7 + 3) % all.len()].clone()]).1;
                words += 3 - more;
                without += more;
            }
        }
        assert!(words > 2 * without && without > 100, "{words} {without}");
    }

    #[test]
    fn sorts_are_side_by_side() {
        let pair = |a: &[u32], b: &[u32]| Permutation { images: vec![a.to_vec(), b.to_vec()] };
        let both = [pair(&[1, 0], &[0, 1, 2]), pair(&[0, 1], &[1, 2, 0])];
        assert_eq!(close(&both), (3, 0));
    }
}
