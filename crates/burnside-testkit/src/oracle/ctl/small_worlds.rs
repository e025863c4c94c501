//! The oracle against a second way to answer: all paths of a small graph are looked at one by one, by
//! definition.
//!
//! A path operator sees its operands only as sets of states. So all operators on all pairs of sets of states
//! are all formulas, however deep; that deep formulas are put together from them is tried on some.

use super::super::ltl::{Lasso, Runs, Step, Units};
use super::formula::{Connective, Formula, Operator};
use super::paths::{Paths, Setting};
use crate::generate::Rng;
use std::collections::BTreeSet;

/// A graph of states, some of them deadlocks.
struct World {
    runs: Runs,
    dead: Vec<bool>,
}

/// A path as far as an operator can see: its states up to where nothing new comes, and the second one, if
/// there is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    states: Vec<usize>,
    second: Option<usize>,
}

impl World {
    /// At most one edge between two states: it is missing (0), or executes the units of the bits of its
    /// number less one. A state without edges is a deadlock, or nothing that can be tried in it works.
    fn new(
        states: usize,
        edges: &[usize],
        stuck: &dyn Fn(usize) -> bool,
        weak: Units,
        strong: Units,
    ) -> Self {
        let mut dead = Vec::new();
        let mut steps: Vec<Vec<Step>> = Vec::new();
        for state in 0..states {
            let to = (0..states).filter(|to| edges[state * states + to] > 0);
            let mut from: Vec<Step> =
                to.map(|to| Step { to, units: edges[state * states + to] as Units - 1 }).collect();
            dead.push(from.is_empty() && !stuck(state));
            if dead[state] {
                from.push(Step { to: state, units: 0 });
            }
            steps.push(from);
        }
        Self { runs: Runs { initial: vec![0], steps, weak, strong }, dead }
    }

    /// All paths from a state with at most so many steps before they repeat; only simple ones if asked to.
    fn paths(&self, setting: Setting, state: usize, longest: usize, simple: bool) -> Vec<Seen> {
        let mut found = BTreeSet::new();
        let (states, steps) = (&mut vec![state], &mut Vec::new());
        self.walk(setting, longest, simple, states, steps, &mut |seen| {
            found.insert(seen);
            false
        });
        found.into_iter().collect()
    }

    /// Shows paths until one is as wanted.
    fn walk(
        &self,
        setting: Setting,
        longest: usize,
        simple: bool,
        states: &mut Vec<usize>,
        steps: &mut Vec<Units>,
        wanted: &mut dyn FnMut(Seen) -> bool,
    ) -> bool {
        let last = states[states.len() - 1];
        if setting.maximal && self.dead[last] {
            return wanted(Seen { states: states.clone(), second: states.get(1).copied() });
        }
        for step in &self.runs.steps[last] {
            steps.push(step.units);
            for back in (0..states.len()).filter(|&back| states[back] == step.to) {
                let lasso = Lasso { states: states.clone(), steps: steps.clone(), back };
                let fair = !setting.fair || lasso.is_fair(&self.runs);
                let second = Some(*states.get(1).unwrap_or(&step.to));
                if fair && wanted(Seen { states: states.clone(), second }) {
                    return true;
                }
            }
            if states.len() < longest && !(simple && states.contains(&step.to)) {
                states.push(step.to);
                if self.walk(setting, longest, simple, states, steps, wanted) {
                    return true;
                }
                states.pop();
            }
            steps.pop();
        }
        false
    }
}

impl Seen {
    /// By definition. A path without a second state is not asked for it if it is one of all.
    fn satisfies(&self, exists: bool, operator: Operator, parts: &[&[bool]]) -> bool {
        let length = self.states.len();
        let a = |i: usize| parts[0][self.states[i]];
        let b = |i: usize| parts[1][self.states[i]];
        let until = || (0..length).any(|k| b(k) && (0..k).all(a));
        let release = || (0..length).all(|k| b(k) || (0..k).any(a));
        match operator {
            Operator::Next => self.second.map_or(!exists, |second| parts[0][second]),
            Operator::Finally => (0..length).any(a),
            Operator::Globally => (0..length).all(a),
            Operator::Until => until(),
            Operator::Release => release(),
            Operator::WeakUntil => until() || (0..length).all(a),
            Operator::StrongRelease => release() && (0..length).any(a),
        }
    }
}

fn by_paths(paths: &[Vec<Seen>], exists: bool, operator: Operator, parts: &[&[bool]]) -> Vec<bool> {
    let one = |paths: &Vec<Seen>| {
        let mut paths = paths.iter();
        match exists {
            true => paths.any(|path| path.satisfies(true, operator, parts)),
            false => paths.all(|path| path.satisfies(false, operator, parts)),
        }
    };
    paths.iter().map(one).collect()
}

/// Every combination of digits less than `base`.
fn numbers(base: usize, digits: usize) -> impl Iterator<Item = Vec<usize>> {
    let digits_of = move |number: usize| (0..digits as u32).map(move |i| number / base.pow(i) % base);
    (0..base.pow(digits as u32)).map(move |number| digits_of(number).collect())
}

/// All sets of states.
fn sets(states: usize) -> Vec<Vec<bool>> {
    numbers(2, states).map(|digits| digits.iter().map(|&digit| digit == 1).collect()).collect()
}

/// All operators on all sets of states, of which the second is not looked at if it is not needed. Gives how
/// often something was true, and how often it was asked.
fn compare(world: &World, setting: Setting, paths: &[Vec<Seen>]) -> (usize, usize) {
    let oracle = Paths::new(&world.runs, &world.dead, setting);
    let sets = sets(paths.len());
    let (mut yes, mut all) = (0, 0);
    for operator in Operator::ALL {
        for a in &sets {
            for b in &sets[..if operator.arity() == 1 { 1 } else { sets.len() }] {
                for exists in [false, true] {
                    let parts = [&a[..], &b[..]];
                    let (expected, got) =
                        (by_paths(paths, exists, operator, &parts), oracle.path(exists, operator, &parts));
                    let runs = &world.runs;
                    assert_eq!(expected, got, "{exists} {operator:?} {a:?} {b:?} {setting:?} {runs:?}");
                    yes += got.iter().filter(|value| **value).count();
                    all += got.len();
                }
            }
        }
    }
    (yes, all)
}

/// All graphs with up to three states, with and without edges to go on, and all sets of states. Without
/// fairness a path that shows something can be made simple.
#[test]
fn all_graphs_with_three_states() {
    for states in 1..=3 {
        let (mut yes, mut all) = (0, 0);
        for edges in numbers(2, states * states) {
            let without = |state: &usize| edges[state * states..(state + 1) * states].iter().all(|&e| e == 0);
            let ends: Vec<usize> = (0..states).filter(without).collect();
            for stuck in numbers(2, ends.len()) {
                let stuck =
                    |state: usize| ends.iter().position(|&end| end == state).is_some_and(|i| stuck[i] == 1);
                let world = World::new(states, &edges, &stuck, 0, 0);
                for maximal in [false, true] {
                    let setting = Setting { fair: false, maximal };
                    let paths: Vec<Vec<Seen>> =
                        (0..states).map(|state| world.paths(setting, state, states, true)).collect();
                    let (more, of) = compare(&world, setting, &paths);
                    (yes, all) = (yes + more, all + of);
                }
            }
        }
        assert!(yes * 3 > all && yes * 3 < all * 2, "{yes} of {all} are true");
    }
}

/// All graphs with two states and up to two units, of each fairness. All edges can be gone along in four
/// steps.
#[test]
fn all_graphs_with_two_states_and_units() {
    for (base, fairness) in [(3, &[(1, 0), (0, 1)][..]), (5, &[(3, 0), (1, 2), (0, 3)])] {
        for edges in numbers(base, 4) {
            for &(weak, strong) in fairness {
                let stuck = edges.iter().sum::<usize>() % 2 == 1;
                let world = World::new(2, &edges, &|_| stuck, weak, strong);
                for maximal in [false, true] {
                    let setting = Setting { fair: true, maximal };
                    let paths: Vec<Vec<Seen>> =
                        (0..2).map(|state| world.paths(setting, state, 6, false)).collect();
                    compare(&world, setting, &paths);
                }
            }
        }
    }
}

/// Some graphs with three states and three units. What the oracle says to be true of some path is seen on one
/// that is not too long; what it says to be false is not seen on any short one.
#[test]
fn some_graphs_with_three_states_and_units() {
    let mut rng = Rng::new(7);
    let mut asked = [0, 0];
    for _ in 0..400 {
        let edges: Vec<usize> = (0..9).map(|_| if rng.chance(55) { 0 } else { 1 + rng.below(8) }).collect();
        let weak = rng.below(8) as Units;
        let stuck = rng.below(3);
        let world = World::new(3, &edges, &|state| state == stuck, weak, rng.below(8) as Units & !weak);
        let sets = sets(3);
        for setting in [Setting { fair: true, maximal: false }, Setting { fair: true, maximal: true }] {
            let oracle = Paths::new(&world.runs, &world.dead, setting);
            for operator in Operator::ALL {
                let parts = [&rng.pick(&sets)[..], &rng.pick(&sets)[..]];
                let got = oracle.path(true, operator, &parts);
                for state in 0..3 {
                    asked[usize::from(got[state])] += 1;
                    let mut wanted = |seen: Seen| seen.satisfies(true, operator, &parts);
                    let found = (1..=if got[state] { 12 } else { 6 }).any(|longest| {
                        world.walk(setting, longest, false, &mut vec![state], &mut Vec::new(), &mut wanted)
                    });
                    assert_eq!(got[state], found, "{operator:?} {parts:?} {setting:?} {:?}", world.runs);
                }
            }
        }
    }
    assert!(asked[0] * 2 > asked[1] && asked[1] * 2 > asked[0], "{asked:?} are false and true");
}

/// A formula by paths, with formulas inside by paths too.
fn truth(paths: &[Vec<Seen>], atoms: &[Vec<bool>], formula: &Formula) -> Vec<bool> {
    let parts: Vec<Vec<bool>> = formula.parts().iter().map(|part| truth(paths, atoms, part)).collect();
    let by_state = |value: &dyn Fn(usize) -> bool| (0..paths.len()).map(value).collect();
    match formula {
        Formula::Atom(atom) => atoms[*atom].clone(),
        Formula::Not(_) => by_state(&|i| !parts[0][i]),
        Formula::Join(Connective::And, _) => by_state(&|i| parts[0][i] && parts[1][i]),
        Formula::Join(Connective::Or, _) => by_state(&|i| parts[0][i] || parts[1][i]),
        Formula::Join(Connective::Implies, _) => by_state(&|i| !parts[0][i] || parts[1][i]),
        Formula::Join(Connective::Iff, _) => by_state(&|i| parts[0][i] == parts[1][i]),
        Formula::Quantified { exists: true, .. } => by_state(&|i| parts.iter().any(|part| part[i])),
        Formula::Quantified { exists: false, .. } => by_state(&|i| parts.iter().all(|part| part[i])),
        Formula::Path { exists, operator, .. } => {
            let parts: Vec<&[bool]> = parts.iter().map(|part| &part[..]).collect();
            by_paths(paths, *exists, *operator, &parts)
        }
    }
}

fn random(rng: &mut Rng, depth: u32) -> Formula {
    if depth == 0 || rng.chance(10) {
        return Formula::Atom(rng.below(2));
    }
    let mut parts: Vec<Formula> = (0..rng.between(1, 3)).map(|_| random(rng, depth - 1)).collect();
    match rng.below(10) {
        0 => Formula::Not(Box::new(parts.swap_remove(0))),
        1 | 2 => {
            let all = [Connective::And, Connective::Or, Connective::Implies, Connective::Iff];
            let sides = [parts.swap_remove(0), random(rng, depth - 1)];
            Formula::Join(*rng.pick(&all), Box::new(sides))
        }
        3 => Formula::Quantified { exists: rng.chance(50), parts },
        _ => {
            let operator = *rng.pick(&Operator::ALL);
            parts.truncate(operator.arity());
            while parts.len() < operator.arity() {
                parts.push(random(rng, depth - 1));
            }
            Formula::Path { exists: rng.chance(50), operator, parts }
        }
    }
}

/// Some formulas of all kinds on some of these graphs.
#[test]
fn some_deep_formulas() {
    let mut rng = Rng::new(11);
    let (mut yes, mut all) = (0, 0);
    let sets = sets(3);
    for _ in 0..3000 {
        let edges: Vec<usize> = (0..9).map(|_| usize::from(rng.chance(45))).collect();
        let stuck = rng.below(4);
        let world = World::new(3, &edges, &|state| state == stuck, 0, 0);
        let setting = Setting { fair: false, maximal: rng.chance(50) };
        let paths: Vec<Vec<Seen>> = (0..3).map(|state| world.paths(setting, state, 3, true)).collect();
        let oracle = Paths::new(&world.runs, &world.dead, setting);
        for _ in 0..4 {
            let atoms = [rng.pick(&sets).clone(), rng.pick(&sets).clone()];
            let formula = random(&mut rng, 3);
            let (expected, got) = (truth(&paths, &atoms, &formula), oracle.truth(&atoms, &formula).here);
            assert_eq!(expected, got, "{formula:?} {atoms:?} {setting:?} {:?}", world.runs);
            yes += got.iter().filter(|value| **value).count();
            all += got.len();
        }
    }
    assert!(yes * 3 > all && yes * 3 < all * 2, "{yes} of {all} are true");
}
