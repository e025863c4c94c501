//! The oracle against a second way to answer: all lassos of a small graph are looked at one by one.

use super::formula::Formula;
use super::lasso::Lasso;
use super::runs::{Runs, Step, Units};
use super::violated;
use crate::generate::Rng;

/// Shows all lassos with exactly so many steps until one is as wanted.
fn find(runs: &Runs, length: usize, wanted: &mut dyn FnMut(&Lasso) -> bool) -> bool {
    let walk = |&start: &usize| walk(runs, length, &mut vec![start], &mut Vec::new(), wanted);
    runs.initial.iter().any(walk)
}

fn walk(
    runs: &Runs,
    length: usize,
    states: &mut Vec<usize>,
    steps: &mut Vec<Units>,
    wanted: &mut dyn FnMut(&Lasso) -> bool,
) -> bool {
    let last = states[states.len() - 1];
    if steps.len() == length {
        let (states, steps) = (states[..length].to_vec(), steps.clone());
        let mut lasso = Lasso { states, steps, back: 0 };
        return (0..length).any(|back| {
            lasso.back = back;
            lasso.states[back] == last && wanted(&lasso)
        });
    }
    runs.steps[last].iter().any(|step| {
        states.push(step.to);
        steps.push(step.units);
        let found = walk(runs, length, states, steps, wanted);
        states.pop();
        steps.pop();
        found
    })
}

/// A violation that the oracle sees is seen with at most so many steps.
const LONGEST: usize = 12;

/// Both ways agree. Where the oracle sees no violation, lassos with at most `length` steps are tried. Says
/// whether there is one.
fn compare(runs: &Runs, atoms: &[Vec<bool>], formula: &Formula, length: usize) -> bool {
    let [fair, any, weak] = violated(runs, atoms, formula).expect("small");
    let unfair = Runs { weak: 0, strong: 0, ..runs.clone() };
    let weakly = Runs { weak: runs.weak | runs.strong, strong: 0, ..runs.clone() };
    for (runs, expected) in [(runs, fair), (&unfair, any), (&weakly, weak)] {
        let mut bad = |lasso: &Lasso| !lasso.truth(atoms, formula)[0] && lasso.is_fair(runs);
        let found = (1..=if expected { LONGEST } else { length }).any(|length| find(runs, length, &mut bad));
        assert_eq!(expected, found, "violated? {runs:?} {atoms:?} {formula:?}");
    }
    fair
}

fn atom(number: usize) -> Formula {
    Formula::Atom(number)
}

fn unary(a: Formula) -> Vec<Formula> {
    let a = Box::new(a);
    vec![Formula::Next(a.clone()), Formula::Finally(a.clone()), Formula::Globally(a)]
}

fn binary(a: Formula, b: Formula) -> Vec<Formula> {
    let sides = Box::new([a, b]);
    vec![
        Formula::Until(sides.clone()),
        Formula::Release(sides.clone()),
        Formula::WeakUntil(sides.clone()),
        Formula::StrongRelease(sides),
    ]
}

/// Every combination of digits less than `base`.
fn numbers(base: usize, digits: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..base.pow(digits as u32)).map(move |mut number| {
        let mut next = || {
            let digit = number % base;
            number /= base;
            digit
        };
        (0..digits).map(|_| next()).collect()
    })
}

/// A graph with at most one edge between two states. An edge is missing (0), or executes the units of the
/// bits of its number less one.
fn graph(states: usize, edges: &[usize], weak: Units, strong: Units) -> Runs {
    let from = |state: usize| {
        let to = (0..states).filter(move |to| edges[state * states + to] > 0);
        to.map(move |to| Step { to, units: edges[state * states + to] as Units - 1 }).collect()
    };
    Runs { initial: vec![0], steps: (0..states).map(from).collect(), weak, strong }
}

/// All graphs with two states and one unit, and all truths of two atoms.
#[test]
fn all_graphs_with_two_states_and_one_unit() {
    let (p, q) = (atom(0), atom(1));
    let mut formulas = vec![p.clone()];
    formulas.extend(unary(p.clone()));
    formulas.extend(binary(p.clone(), q.clone()));
    formulas.extend(unary(p.clone()).into_iter().flat_map(unary));
    formulas.extend(binary(p.clone().not(), q.clone()));
    formulas.extend(binary(Formula::Finally(Box::new(p.clone())), q.clone()));
    formulas.extend(binary(p.clone(), Formula::Next(Box::new(q.clone()))));
    let response = Formula::Or(vec![p.clone().not(), Formula::Finally(Box::new(q.clone()))]);
    formulas.push(Formula::Globally(Box::new(response)));
    let often = |a: &Formula| Formula::Globally(Box::new(Formula::Finally(Box::new(a.clone()))));
    formulas.push(Formula::Or(vec![often(&p).not(), often(&q)]));
    formulas.push(Formula::Iff(Box::new([often(&p), often(&q)])));
    let (mut all, mut bad) = (0, 0);
    for edges in numbers(3, 4) {
        for truths in numbers(2, 4) {
            let atoms: Vec<Vec<bool>> =
                truths.chunks(2).map(|truths| truths.iter().map(|&truth| truth == 1).collect()).collect();
            for (weak, strong) in [(1, 0), (0, 1)] {
                let runs = graph(2, &edges, weak, strong);
                for formula in &formulas {
                    all += 1;
                    bad += usize::from(compare(&runs, &atoms, formula, 5));
                }
            }
        }
    }
    assert!(bad * 3 > all && bad * 3 < 2 * all, "{bad} of {all} are violated");
}

/// All graphs with two states and two units, of each fairness.
#[test]
fn all_graphs_with_two_states_and_two_units() {
    let p = atom(0);
    let formulas = [
        Formula::And(Vec::new()).not(),
        Formula::Globally(Box::new(Formula::Finally(Box::new(p.clone())))),
        Formula::Finally(Box::new(Formula::Globally(Box::new(p.clone())))),
    ];
    for edges in numbers(5, 4) {
        for (weak, strong) in [(3, 0), (1, 2), (0, 3)] {
            let runs = graph(2, &edges, weak, strong);
            for formula in &formulas {
                compare(&runs, &[vec![true, false]], formula, 5);
            }
        }
    }
}

fn random(rng: &mut Rng, depth: u32) -> Formula {
    if depth == 0 || rng.chance(15) {
        let atom = atom(rng.below(2));
        return if rng.chance(40) { atom.not() } else { atom };
    }
    let (a, b) = (random(rng, depth - 1), random(rng, depth - 1));
    match rng.below(12) {
        0 => Formula::And(vec![a, b]),
        1 => Formula::Or(vec![a, b]),
        2 => Formula::Iff(Box::new([a, b])),
        3 => a.not(),
        4..8 => unary(a).swap_remove(rng.below(3)),
        _ => binary(a, b).swap_remove(rng.below(4)),
    }
}

/// Some graphs with three states, two initial ones and three units, and some formulas.
#[test]
fn some_graphs_with_three_states() {
    let mut rng = Rng::new(3);
    let (mut all, mut bad) = (0, 0);
    while all < 6000 {
        let edges: Vec<usize> = (0..9).map(|_| if rng.chance(45) { 0 } else { 1 + rng.below(8) }).collect();
        let weak = rng.below(8) as Units;
        let mut runs = graph(3, &edges, weak, rng.below(8) as Units & !weak);
        if rng.chance(40) {
            runs.initial.push(1);
        }
        let atoms: Vec<Vec<bool>> = (0..2).map(|_| (0..3).map(|_| rng.chance(50)).collect()).collect();
        let formula = random(&mut rng, 2);
        all += 1;
        bad += usize::from(compare(&runs, &atoms, &formula, 6));
    }
    assert!(bad * 4 > all && bad * 4 < 3 * all, "{bad} of {all} are violated");
}
