//! Rotations and reflections of short words, against listing all of them.

use crate::naive;

use burnside_perm::{Group, Natural, Perm, least_rotation};
use naive::*;
use std::collections::BTreeSet;

#[test]
fn least_rotation_of_all_short_words() {
    for length in 0..=8 {
        for word in all_words(length, 3) {
            let rotated = |s: usize| [&word[s..], &word[..s]].concat();
            let best = (0..length.max(1)).min_by_key(|&s| rotated(s)).unwrap();
            assert_eq!(least_rotation(&word), best, "{word:?}");
        }
    }
}

#[test]
fn rings_of_all_short_words() {
    for degree in 0..=7 {
        for group in [Group::cyclic(degree), Group::dihedral(degree)] {
            let elements = closure(degree, &group.generators(), 2 * degree + 1).unwrap();
            check_basics(&group, &elements);
            check_stabilisers(&group, &elements);
            check_pairs(&group, &elements);
            all_words(degree, if degree < 6 { 3 } else { 2 })
                .iter()
                .for_each(|word| check_word(&group, &elements, word));
        }
    }
}

#[test]
fn all_groups_of_rings() {
    for degree in 3..=8 {
        for step in (1..=degree).filter(|step| degree % step == 0) {
            for sum in 0..=step {
                let mirror = (sum < step).then(|| Perm::reflection(degree, sum));
                let generators: Vec<Perm> =
                    [Perm::rotation(degree, step)].into_iter().chain(mirror).collect();
                let group = Group::generated(degree, &generators);
                let elements = closure(degree, &generators, 2 * degree).unwrap();
                check_basics(&group, &elements);
                all_words(degree, 2).iter().for_each(|word| check_word(&group, &elements, word));
            }
        }
    }
}

/// How many orbits the words have, and how many words the orbits.
fn necklaces(group: &Group, letters: u8) -> (usize, Natural) {
    let words = all_words(group.degree(), letters);
    let least: BTreeSet<Vec<u8>> = words.iter().map(|word| group.minimal_image(word).word).collect();
    (least.len(), least.iter().map(|word| group.orbit_size(word)).sum())
}

#[test]
fn necklaces_and_bracelets() {
    assert_eq!(necklaces(&Group::cyclic(5), 3), (51, natural(243)));
    assert_eq!(necklaces(&Group::cyclic(10), 3), (5_934, natural(59_049)));
    assert_eq!(necklaces(&Group::dihedral(10), 2), (78, natural(1_024)));
}
