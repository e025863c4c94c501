//! Random groups on up to 12 points, against listing their elements.

use crate::naive;

use burnside_perm::{Group, Perm, Point};
use naive::*;

/// Side by side, `g` on each of `copies` blocks, the block of a point being its remainder if `mixed`.
fn copied(g: &Perm, copies: usize, mixed: bool) -> Perm {
    let size = g.degree();
    let place = |block: usize, x: usize| if mixed { x * copies + block } else { block * size + x };
    let mut images = vec![0; size * copies];
    for block in 0..copies {
        for x in 0..size {
            images[place(block, x)] = place(block, g.image(x as Point) as usize) as Point;
        }
    }
    Perm::from_images(&images).unwrap()
}

/// An exchange of random pairs of points.
fn involution(dice: &mut Dice, degree: usize) -> Perm {
    let places = dice.perm(degree);
    let pairs = 1 + dice.below(degree / 2);
    let swap = |g: Perm, at: usize| {
        g.compose(&Perm::transposition(
            degree,
            places.image(2 * at as Point),
            places.image(2 * at as Point + 1),
        ))
    };
    (0..pairs).fold(Perm::identity(degree), swap)
}

fn generators(dice: &mut Dice) -> Vec<Perm> {
    match dice.below(4) {
        0 => {
            let degree = 6 + dice.below(7);
            (0..2 + dice.below(2)).map(|_| involution(dice, degree)).collect()
        }
        1 => {
            let (size, copies) = [(6, 2), (4, 3), (5, 2), (3, 4)][dice.below(4)];
            let mixed = dice.below(2) == 0;
            (0..2).map(|_| copied(&dice.perm(size), copies, mixed)).collect()
        }
        2 => {
            let degree = 7 + dice.below(6);
            let power = 1 + dice.below(4) as i64;
            (0..1 + dice.below(2)).map(|_| dice.perm(degree).pow(power)).collect()
        }
        _ => {
            let degree = 4 + dice.below(3);
            (0..2).map(|_| dice.perm(degree)).collect()
        }
    }
}

#[test]
fn random_groups() {
    let mut dice = Dice(20_250_101);
    let mut tested = 0;
    while tested < 60 {
        let generators = generators(&mut dice);
        let degree = generators[0].degree();
        let Some(elements) = closure(degree, &generators, 800) else { continue };
        tested += 1;
        for group in [Group::generated(degree, &generators), Group::chained(degree, &generators)] {
            check_basics(&group, &elements);
            let others: Vec<Perm> = (0..50).map(|_| dice.perm(degree)).collect();
            check_members(&group, &elements, &others);
            check_members(&group, &elements, &elements);
            for letters in [2, 2, 3, 5] {
                check_word(&group, &elements, &dice.word(degree, letters));
            }
            check_renamed(&group, &elements, &dice.perm(degree));
            let points: Vec<Point> = (0..3).map(|_| dice.below(degree) as Point).collect();
            let fixes = |g: &Perm| points.iter().all(|&x| g.image(x) == x);
            check_subgroup(&group.pointwise_stabiliser(&points), &elements, fixes);
            let keeps = |g: &Perm| points.iter().all(|&x| points.contains(&g.image(x)));
            check_subgroup(&group.set_stabiliser(&points), &elements, keeps);
        }
    }
}

#[test]
fn large_groups_have_invariant_images() {
    let mut dice = Dice(7);
    for _ in 0..40 {
        let degree = 8 + dice.below(10);
        let group = Group::alternating(degree);
        let word = dice.word(degree, 4);
        let mut sorted = word.clone();
        sorted.sort_unstable();
        let image = group.minimal_image(&word);
        assert_eq!(image.word, sorted, "two equal letters make sorting even");
        assert!(image.by.is_even());
        assert_eq!(group.orbit_size(&word), Group::symmetric(degree).orbit_size(&word));
    }
}

#[test]
fn images_do_not_depend_on_the_member_of_the_orbit() {
    let mut dice = Dice(99);
    for _ in 0..30 {
        let parts = [
            Group::dihedral(3 + dice.below(4)),
            Group::alternating(4 + dice.below(3)),
            Group::symmetric(dice.below(4)),
        ];
        let product = Group::product(&parts);
        let degree = product.degree();
        let generators = product.generators();
        let mixed = dice.perm(degree);
        let renamed: Vec<Perm> = generators.iter().map(|g| g.conjugate(&mixed)).collect();
        for group in [product, Group::generated(degree, &renamed), Group::chained(degree, &renamed)] {
            let word = dice.word(degree, 3);
            let strong = group.generators();
            let walk = (0..30).fold(word.clone(), |word, _| strong[dice.below(strong.len())].permute(&word));
            assert_eq!(group.minimal_image(&word).word, group.minimal_image(&walk).word);
            assert_eq!(&group.orbit_size(&word) * &group.word_stabiliser(&word).order(), group.order());
        }
    }
}
