//! The automaton of a formula accepts exactly the words that satisfy it.

mod common;

use burnside_logic::{Lasso, Limits, Ltl, translate};
use common::Random;

fn check(formula: &Ltl, atoms: u32, words: &[Lasso]) {
    let limits = Limits::default();
    let negation = Ltl::Not(Box::new(formula.clone()));
    let yes = translate(formula, atoms, &limits).unwrap();
    let no = translate(&negation, atoms, &limits).unwrap();
    for word in words {
        let expected = word.satisfies(formula);
        assert_eq!(word.is_accepted(&yes), expected, "{formula:?} on {word:?} by {yes:#?}");
        assert_eq!(word.is_accepted(&no), !expected, "negation of {formula:?} on {word:?} by {no:#?}");
    }
}

#[test]
fn all_formulas_of_one_atom() {
    let words = common::words(2, 3, 1);
    for size in 1..=4 {
        common::formulas(size, 1).iter().for_each(|formula| check(formula, 1, &words));
    }
}

#[test]
fn all_formulas_of_two_atoms() {
    let words = common::words(1, 2, 2);
    for size in 1..=3 {
        common::formulas(size, 2).iter().for_each(|formula| check(formula, 2, &words));
    }
}

#[test]
fn random_formulas() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..2_000 {
        let (size, atoms) = (4 + random.below(8), 1 + round % 3);
        let formula = random.formula(size, atoms);
        let words: Vec<_> = (0..40).map(|_| random.word(3, 4, atoms)).collect();
        check(&formula, atoms, &words);
    }
}
