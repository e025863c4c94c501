//! Sizes of the automata of formulas from the literature:
//! `cargo run --release -p burnside-logic --example patterns` prints them. A change that makes one of them
//! larger is a loss; one that makes them smaller changes these numbers.

#[path = "common/patterns.rs"]
mod formulas;

use burnside_logic::{AutomatonLimits, Ltl, on_states, parse, translate};

/// States of the automata of a formula and of its negation, as they are and with acceptance on states.
fn states(text: &str) -> [usize; 4] {
    let parsed = parse(text).unwrap();
    let of =
        |formula: &Ltl| translate(formula, parsed.names.len() as u32, &AutomatonLimits::default()).unwrap();
    let (yes, no) = (of(&parsed.formula), of(&Ltl::Not(Box::new(parsed.formula.clone()))));
    [yes.len(), no.len(), on_states(&yes).len(), on_states(&no).len()]
}

#[test]
fn specification_patterns() {
    let mut totals = [0; 4];
    for text in formulas::PATTERNS.iter().flat_map(|(_, scopes)| scopes) {
        totals.iter_mut().zip(states(text)).for_each(|(total, states)| *total += states);
    }
    assert_eq!(totals, [214, 218, 239, 221]);
}

#[test]
fn families() {
    let of = |family: usize, n: usize| {
        let [yes, no, ..] = states(&formulas::FAMILIES[family].1(n));
        (yes, no)
    };
    let sizes: Vec<_> =
        (0..formulas::FAMILIES.len()).map(|family| (of(family, 1), of(family, 2), of(family, 3))).collect();
    let expected = [
        ((4, 2), (5, 2), (6, 2)),
        ((2, 2), (4, 3), (8, 4)),
        ((4, 3), (5, 5), (6, 9)),
        ((2, 2), (4, 3), (8, 4)),
        ((3, 1), (4, 1), (5, 1)),
        ((1, 2), (1, 2), (1, 2)),
        ((2, 2), (4, 3), (8, 4)),
        ((2, 1), (4, 2), (8, 3)),
    ];
    assert_eq!(sizes, expected);
}
