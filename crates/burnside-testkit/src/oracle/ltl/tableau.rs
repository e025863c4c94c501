//! The product of runs with the tableau of a formula.
//!
//! The formula is written with atoms, `!`, `&&`, `X` and `U` only. A node is a state with a guess: for each formula that stands
//! below an `X`, and for each `U`, whether it will be true in the next state. State and guess together decide every subformula.
//! A step leads to those nodes in which exactly the formulas that were promised are true. A run through the product in which every
//! `a U b` is infinitely often false or has its `b` gives each subformula its true value at each state.

use super::fair::{Edge, Node, Product};
use super::formula::Formula;
use super::runs::Runs;
use std::collections::HashMap;

/// More nodes than this are not made.
const MAX_NODES: usize = 40_000;

/// More edges than this are not made.
const MAX_EDGES: usize = 400_000;

/// More guesses than two to the power of this are not made.
const MAX_GUESSED: usize = 12;

/// A subformula; the numbers are those of other subformulas before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    True,
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
}

/// The subformulas of a formula, each after its own subformulas.
#[derive(Default)]
struct Parts {
    known: HashMap<Part, usize>,
    list: Vec<Part>,
}

impl Parts {
    fn add(&mut self, part: Part) -> usize {
        let new = self.list.len();
        let number = *self.known.entry(part).or_insert(new);
        if number == new {
            self.list.push(part);
        }
        number
    }

    fn not(&mut self, part: usize) -> usize {
        match self.list[part] {
            Part::Not(inner) => inner,
            _ => self.add(Part::Not(part)),
        }
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.add(Part::And(a, b));
        self.not(both)
    }

    fn finally(&mut self, a: usize) -> usize {
        let always = self.add(Part::True);
        self.add(Part::Until(always, a))
    }

    fn globally(&mut self, a: usize) -> usize {
        let a = self.not(a);
        let never = self.finally(a);
        self.not(never)
    }

    fn take(&mut self, formula: &Formula) -> usize {
        let mut pair = |sides: &[Formula; 2]| (self.take(&sides[0]), self.take(&sides[1]));
        match formula {
            Formula::Atom(atom) => self.add(Part::Atom(*atom)),
            Formula::Not(inner) => {
                let inner = self.take(inner);
                self.not(inner)
            }
            Formula::And(list) => {
                let list: Vec<usize> = list.iter().map(|part| self.take(part)).collect();
                let all = self.add(Part::True);
                list.into_iter().fold(all, |all, part| self.add(Part::And(all, part)))
            }
            Formula::Or(list) => {
                let list: Vec<usize> = list.iter().map(|part| self.take(part)).collect();
                let all = self.add(Part::True);
                let none = self.not(all);
                list.into_iter().fold(none, |some, part| self.or(some, part))
            }
            Formula::Iff(sides) => {
                let (a, b) = pair(sides);
                let both = self.add(Part::And(a, b));
                let (a, b) = (self.not(a), self.not(b));
                let neither = self.add(Part::And(a, b));
                self.or(both, neither)
            }
            Formula::Next(inner) => {
                let inner = self.take(inner);
                self.add(Part::Next(inner))
            }
            Formula::Finally(inner) => {
                let inner = self.take(inner);
                self.finally(inner)
            }
            Formula::Globally(inner) => {
                let inner = self.take(inner);
                self.globally(inner)
            }
            Formula::Until(sides) => {
                let (a, b) = pair(sides);
                self.add(Part::Until(a, b))
            }
            // It is not so that `b` fails before `a` was there.
            Formula::Release(sides) => {
                let (a, b) = pair(sides);
                let (a, b) = (self.not(a), self.not(b));
                let failed = self.add(Part::Until(a, b));
                self.not(failed)
            }
            Formula::WeakUntil(sides) => {
                let (a, b) = pair(sides);
                let (strong, always) = (self.add(Part::Until(a, b)), self.globally(a));
                self.or(strong, always)
            }
            // `b` up to and including a state with `a`.
            Formula::StrongRelease(sides) => {
                let (a, b) = pair(sides);
                let both = self.add(Part::And(a, b));
                self.add(Part::Until(b, both))
            }
        }
    }

    /// The truth of all parts in a state, given that of some of them in the next state.
    fn values(&self, atom: impl Fn(usize) -> bool, next: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.list.len());
        for (number, part) in self.list.iter().enumerate() {
            values.push(match *part {
                Part::True => true,
                Part::Atom(id) => atom(id),
                Part::Not(a) => !values[a],
                Part::And(a, b) => values[a] && values[b],
                Part::Next(a) => next(a),
                Part::Until(a, b) => values[b] || (values[a] && next(number)),
            });
        }
        values
    }
}

/// The product, whose runs are those that satisfy the formula; `None` if it is too large. `atoms` has the truth of each atom in each state.
pub(super) fn product(runs: &Runs, atoms: &[Vec<bool>], formula: &Formula) -> Option<Product> {
    let mut parts = Parts::default();
    let root = parts.take(formula);
    let untils: Vec<(usize, usize)> = parts
        .list
        .iter()
        .enumerate()
        .filter_map(|(number, part)| match part {
            Part::Until(_, b) => Some((number, *b)),
            _ => None,
        })
        .collect();
    let mut promised: Vec<usize> = parts
        .list
        .iter()
        .filter_map(|part| match part {
            Part::Next(a) => Some(*a),
            _ => None,
        })
        .chain(untils.iter().map(|(number, _)| *number))
        .collect();
    promised.sort_unstable();
    promised.dedup();
    let steps: usize = runs.steps.iter().map(Vec::len).sum();
    let guesses = 1usize << promised.len().min(MAX_GUESSED + 1);
    if promised.len() > MAX_GUESSED || runs.steps.len() * guesses > MAX_NODES || steps * guesses > MAX_EDGES {
        return None;
    }
    let mut product = Product { all_marks: (1u32 << untils.len()) - 1, ..Product::default() };
    // By state, what is true of the promised formulas there: the nodes.
    let mut fulfilling: Vec<HashMap<usize, Vec<usize>>> = vec![HashMap::new(); runs.steps.len()];
    for (state, nodes) in fulfilling.iter_mut().enumerate() {
        let starts = runs.initial.contains(&state);
        for guess in 0..guesses {
            let guessed = |part: usize| {
                let bit = promised.binary_search(&part).expect("promised");
                guess >> bit & 1 == 1
            };
            let values = parts.values(|atom| atoms[atom][state], guessed);
            let true_here = bits(promised.iter().map(|&part| values[part]));
            let marks = bits(untils.iter().map(|&(until, b)| !values[until] || values[b])) as u32;
            let node = product.nodes.len();
            nodes.entry(true_here).or_default().push(node);
            if starts && values[root] {
                product.initial.push(node);
            }
            product.nodes.push(Node { marks, enabled: runs.enabled(state), edges: Vec::new() });
        }
    }
    for (state, steps) in runs.steps.iter().enumerate() {
        for guess in 0..guesses {
            let edges = steps.iter().flat_map(|step| {
                let to = fulfilling[step.to].get(&guess).into_iter().flatten();
                to.map(|&to| Edge { to, units: step.units })
            });
            product.nodes[state * guesses + guess].edges = edges.collect();
        }
    }
    Some(product)
}

/// A number with these bits, the first one last.
fn bits(values: impl Iterator<Item = bool>) -> usize {
    values.enumerate().fold(0, |all, (bit, value)| all | usize::from(value) << bit)
}
