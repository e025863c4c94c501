//! All subgroups of S4 and S5 that two elements generate, which are all subgroups, against listing their
//! elements.

use crate::naive;

use burnside_perm::{Group, Perm};
use naive::*;
use std::collections::BTreeSet;

/// Calls `check` with each group in both forms, once for each set of elements; order and membership for every
/// pair of generators.
fn for_all_subgroups(degree: usize, subgroups: usize, check: impl Fn(&Group, &[Perm])) {
    let all = all_perms(degree);
    let mut seen = BTreeSet::new();
    for (at, a) in all.iter().enumerate() {
        for b in &all[at..] {
            let generators = [a.clone(), b.clone()];
            let elements = closure(degree, &generators, all.len()).unwrap();
            let forms = [Group::generated(degree, &generators), Group::chained(degree, &generators)];
            assert!(forms.iter().all(|group| group.order() == natural(elements.len())));
            let new = seen.insert(elements.clone());
            if new || at % 7 == 0 {
                forms.iter().for_each(|group| check_members(group, &elements, &all));
            }
            if new {
                assert_eq!(forms[0], forms[1]);
                forms.iter().for_each(|group| check(group, &elements));
            }
        }
    }
    assert_eq!(seen.len(), subgroups);
}

#[test]
fn subgroups_of_s4() {
    let (words, perms) = (all_words(4, 3), all_perms(4));
    for_all_subgroups(4, 30, |group, elements| {
        check_basics(group, elements);
        check_stabilisers(group, elements);
        check_pairs(group, elements);
        words.iter().for_each(|word| check_word(group, elements, word));
        perms.iter().step_by(5).for_each(|by| check_renamed(group, elements, by));
    });
}

#[test]
fn subgroups_of_s5() {
    let (words, perms) = (all_words(5, 2), all_perms(5));
    for_all_subgroups(5, 156, |group, elements| {
        check_basics(group, elements);
        check_stabilisers(group, elements);
        check_pairs(group, elements);
        words.iter().for_each(|word| check_word(group, elements, word));
        perms.iter().step_by(5).for_each(|by| check_renamed(group, elements, by));
    });
}

#[test]
fn subgroups_of_s3_and_less() {
    for (degree, subgroups) in [(0, 1), (1, 1), (2, 2), (3, 6)] {
        for_all_subgroups(degree, subgroups, |group, elements| {
            check_basics(group, elements);
            check_stabilisers(group, elements);
            check_pairs(group, elements);
            all_words(degree, 3).iter().for_each(|word| check_word(group, elements, word));
        });
    }
}
