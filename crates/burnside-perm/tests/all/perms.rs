//! Permutations and partitions.

use crate::naive;

use burnside_perm::{NotAPermutation, ParseError, Partition, Perm, Point};
use naive::*;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

const DEGREES: [usize; 8] = [0, 1, 2, 5, 16, 17, 40, 300];

#[test]
fn products_apply_the_right_factor_first() {
    let mut dice = Dice(1);
    for degree in DEGREES {
        for _ in 0..20 {
            let (g, h) = (dice.perm(degree), dice.perm(degree));
            let product = &g * &h;
            assert!((0..degree as Point).all(|x| product.image(x) == g.image(h.image(x))));
            let mut out = dice.perm(degree);
            g.compose_into(&h, &mut out);
            assert_eq!(out, product);
            let mut in_place = h.clone();
            in_place.premultiply(&g);
            assert_eq!(in_place, product);
            let word = dice.word(degree, 4);
            assert_eq!(product.permute(&word), g.permute(&h.permute(&word)));
            let mut points: Vec<Point> = (0..degree as Point).collect();
            g.apply(&mut points);
            assert!(points.iter().copied().eq(g.images()));
        }
    }
}

#[test]
fn inverses_powers_and_orders() {
    let mut dice = Dice(2);
    for degree in DEGREES {
        let (g, identity) = (dice.perm(degree), Perm::identity(degree));
        let mut out = dice.perm(degree);
        g.inverse_into(&mut out);
        assert_eq!((&g * &g.inverse(), &out), (identity.clone(), &g.inverse()));
        let mut power = identity.clone();
        for exponent in 0..15 {
            assert_eq!((g.pow(exponent), g.pow(-exponent)), (power.clone(), power.inverse()));
            power.premultiply(&g);
        }
        let order = g.order();
        if let Some(order) = order.to_u64().filter(|&order| order < 5_000) {
            assert!(g.pow(order as i64).is_identity());
            assert!((1..order).all(|less| !g.pow(less as i64).is_identity()));
        }
        let name = dice.perm(degree);
        assert!(
            (0..degree as Point).all(|x| g.conjugate(&name).image(name.image(x)) == name.image(g.image(x)))
        );
        let h = dice.perm(degree);
        assert_eq!((&g * &h).is_even(), g.is_even() == h.is_even());
        assert!((0..degree as Point).all(|x| g.preimage(g.image(x)) == x));
    }
}

#[test]
fn equality_and_hash_do_not_see_how_images_are_kept() {
    let mut dice = Dice(5);
    let state = RandomState::new();
    for degree in DEGREES {
        let g = dice.perm(degree);
        let mut kept = g.clone();
        kept.premultiply(&g.inverse());
        let identity = Perm::identity(degree);
        assert!(kept.is_identity() && kept == identity && kept.cmp(&identity).is_eq());
        assert_eq!(state.hash_one(&kept), state.hash_one(&identity));
    }
    assert_ne!(Perm::identity(3), Perm::identity(4));
    assert_eq!(size_of::<Perm>(), 24);
    assert_eq!(all_perms(4).into_iter().collect::<HashSet<_>>().len(), 24);
    assert!(all_perms(4).is_sorted());
}

#[test]
fn cycle_notation() {
    for perm in all_perms(5) {
        assert_eq!(Perm::parse(5, &perm.to_string()), Ok(perm));
    }
    let mut dice = Dice(9);
    for degree in DEGREES {
        let perm = dice.perm(degree);
        assert_eq!(Perm::parse(degree, &perm.to_string()), Ok(perm));
    }
    let show = |text: &str| Perm::parse(5, text).map(|perm| perm.to_string());
    assert_eq!(show(" (2, 0 ,1) ( 4 3 ) "), Ok("(0 1 2)(3 4)".into()));
    assert_eq!((show(""), show("()"), show("(3)")), (Ok("()".into()), Ok("()".into()), Ok("()".into())));
    assert_eq!(show("(0 1)(1 2)"), Ok("(0 1 2)".into()), "the right cycle first");
    assert_eq!(show("(0 5)"), Err(ParseError::NotAPoint("5".into())));
    assert_eq!(show("(0 x)"), Err(ParseError::NotAPoint("x".into())));
    assert_eq!(show("(0 1 0)"), Err(ParseError::Repeated(0)));
    assert_eq!(show("(0 1"), Err(ParseError::Unclosed));
    assert_eq!(show("0 1)"), Err(ParseError::Expected("0 1)".into())));
}

#[test]
fn images_are_checked() {
    assert_eq!(Perm::from_images(&[1, 0, 1]), Err(NotAPermutation::Repeated(1)));
    assert_eq!(Perm::from_images(&[1, 3, 0]), Err(NotAPermutation::OutOfRange(3)));
    assert_eq!(Perm::rotation(5, 7).to_string(), "(0 2 4 1 3)");
    assert_eq!(Perm::reflection(5, 4).to_string(), "(0 4)(1 3)");
    assert_eq!(Perm::transposition(5, 3, 3), Perm::identity(5));
}

#[test]
fn partitions_against_labels() {
    let mut dice = Dice(4);
    for _ in 0..200 {
        let degree = 1 + dice.below(12);
        let (mut partition, mut labels) = (Partition::discrete(degree), (0..degree).collect::<Vec<_>>());
        for _ in 0..dice.below(degree) {
            let (a, b) = (dice.below(degree), dice.below(degree));
            let (old, new) = (labels[a].max(labels[b]), labels[a].min(labels[b]));
            assert_eq!(partition.join(a as Point, b as Point), old != new);
            labels.iter_mut().filter(|label| **label == old).for_each(|label| *label = new);
        }
        assert!(partition.labels().iter().map(|&label| label as usize).eq(labels.iter().copied()));
        assert_eq!((partition.len(), &partition), (partition.classes().len(), &Partition::of_word(&labels)));
        assert!(partition.representatives().eq(partition.classes().iter().map(|class| class[0])));
        let g = dice.perm(degree);
        assert_eq!(partition.image(&g), Partition::of_word(&g.permute(&labels)));
        let other = Partition::orbits(degree, [&g]);
        let mut coarse = partition.clone();
        coarse.merge(&other);
        assert!(
            partition.refines(&coarse) && other.refines(&coarse) && coarse.refines(&Partition::unit(degree))
        );
        let mut joined = partition.clone();
        joined.join_orbits(&g);
        assert_eq!(joined, coarse);
    }
}
