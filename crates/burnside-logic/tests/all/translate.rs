//! The automaton of a formula accepts exactly the words that satisfy it, however it was reduced.

use crate::common;

use burnside_logic::{
    Automaton, AutomatonLimits, Lasso, Ltl, Steps, degeneralise, on_states, parse, print_hoa, prune,
    read_hoa, show, simplify, simulate, translate, translate_by,
};
use common::Random;

/// The automata of a formula by all ways there are.
fn automata(formula: &Ltl, atoms: u32) -> Vec<(&'static str, Automaton)> {
    let limits = AutomatonLimits::default();
    let by = |simplify, simulate, determinise| {
        let steps = Steps { simplify, simulate, determinise, ..Steps::default() };
        translate_by(formula, atoms, &limits, steps).unwrap()
    };
    let (plain, full) = (by(false, false, false), translate(formula, atoms, &limits).unwrap());
    let one = degeneralise(&full);
    assert!(one.sets <= 1);
    let states = on_states(&plain);
    let even =
        |edges: &Vec<burnside_logic::Edge>| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks);
    assert!(states.sets == 1 && states.edges.iter().all(even));
    let back = |automaton: &Automaton| {
        let hoa = read_hoa(&print_hoa(automaton, &[], "")).unwrap();
        let sorted = |automaton: &Automaton| {
            let mut automaton = automaton.clone();
            automaton.edges.iter_mut().for_each(|edges| edges.sort());
            automaton
        };
        assert_eq!(sorted(&hoa.automaton), sorted(automaton));
        hoa.automaton
    };
    let apart = translate_by(
        formula,
        atoms,
        &limits,
        Steps { simplify: false, simulate: false, determinise: false, span: false },
    )
    .unwrap();
    assert!(plain.len() <= apart.len() && plain.edge_count() <= apart.edge_count());
    vec![
        ("pruned, every set of goals apart", prune(&apart)),
        ("every set of goals apart", apart),
        ("pruned", prune(&plain)),
        ("simulated", simulate(&plain)),
        ("simplified", by(true, false, false)),
        ("determinised", by(false, true, true)),
        ("degeneralised", degeneralise(&plain)),
        ("all and degeneralised", one),
        ("all and on states", back(&on_states(&full))),
        ("on states", states),
        ("all", back(&full)),
        ("plain", plain),
    ]
}

fn check(formula: &Ltl, atoms: u32, words: &[Lasso]) {
    let simple = simplify(formula);
    let parsed = parse(&show(formula, &[])).unwrap();
    let negation = Ltl::Not(Box::new(formula.clone()));
    let (yes, no) = (automata(formula, atoms), automata(&negation, atoms));
    // Names are numbered as they come, so a word has to be renumbered for the formula that was read back.
    let renumber = |letter: &u64| {
        let bit = |(new, name): (usize, &String)| (letter >> name[1..].parse::<u32>().unwrap() & 1) << new;
        parsed.names.iter().enumerate().map(bit).sum::<u64>()
    };
    for word in words {
        let expected = word.satisfies(formula);
        assert_eq!(word.satisfies(&simple), expected, "{} is not {}", show(formula, &[]), show(&simple, &[]));
        let letters = |letters: &[Box<[u64]>]| {
            letters.iter().map(|letter| letter.iter().map(renumber).collect()).collect()
        };
        let renumbered = Lasso { stem: letters(&word.stem), cycle: letters(&word.cycle) };
        assert_eq!(renumbered.satisfies(&parsed.formula), expected, "{} read back", show(formula, &[]));
        for (how, automaton) in &yes {
            let text =
                || format!("{how}: {} on {word:?}\n{}", show(formula, &[]), print_hoa(automaton, &[], ""));
            assert_eq!(word.is_accepted(automaton), expected, "{}", text());
        }
        for (how, automaton) in &no {
            let text =
                || format!("{how}: !({}) on {word:?}\n{}", show(formula, &[]), print_hoa(automaton, &[], ""));
            assert_eq!(word.is_accepted(automaton), !expected, "{}", text());
        }
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
    for size in 1..=4 {
        common::formulas(size, 2).iter().for_each(|formula| check(formula, 2, &words));
    }
}

#[test]
fn random_small_formulas() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..6_000 {
        let (size, atoms) = (4 + random.below(5), 1 + round % 3);
        let formula = random.formula(size, atoms);
        let words: Vec<_> = (0..25).map(|_| random.word(3, 4, atoms)).collect();
        check(&formula, atoms, &words);
    }
}

/// Many acceptance sets at once.
#[test]
fn random_conjunctions_of_goals() {
    let mut random = Random(0x51ed_270b_9f7c_1e35);
    for round in 0..400 {
        let atoms = 2 + round % 3;
        let goals = (0..2 + random.below(4)).map(|_| {
            let size = 1 + random.below(3);
            let goal = Box::new(Ltl::Finally(Box::new(random.formula(size, atoms))));
            if random.below(4) == 0 { *goal } else { Ltl::Globally(goal) }
        });
        let goals: Vec<Ltl> = goals.collect();
        let formula = match random.below(3) {
            0 => Ltl::Until(Box::new([random.formula(2, atoms), Ltl::And(goals)])),
            _ => Ltl::And(goals),
        };
        let words: Vec<_> = (0..40).map(|_| random.word(3, 6, atoms)).collect();
        check(&formula, atoms, &words);
    }
}

#[test]
fn random_large_formulas() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..700 {
        let (size, atoms) = (9 + random.below(9), 2 + round % 3);
        let formula = random.formula(size, atoms);
        let words: Vec<_> = (0..40).map(|_| random.word(4, 5, atoms)).collect();
        check(&formula, atoms, &words);
    }
}
