//! The product of runs with the tableau of a formula.
//!
//! The formula is written with atoms, `!`, `&&`, `X` and `U` only. A node is a state with a guess: for each
//! formula that stands below an `X`, and for each `U`, whether it will be true in the next state. State and
//! guess together decide every subformula. A step leads to those nodes in which exactly the formulas that
//! were promised are true. A run through the product in which every `a U b` is infinitely often false or has
//! its `b` gives each subformula its true value at each state.

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

    /// The truth of all parts in a state, as bits, given that of some of them in the next state.
    fn values(&self, atom: impl Fn(usize) -> bool, next: impl Fn(usize) -> bool) -> u128 {
        let mut values = 0;
        for (number, part) in self.list.iter().enumerate() {
            let value = match *part {
                Part::True => true,
                Part::Atom(id) => atom(id),
                Part::Not(a) => !bit(values, a),
                Part::And(a, b) => bit(values, a) && bit(values, b),
                Part::Next(a) => next(a),
                Part::Until(a, b) => bit(values, b) || (bit(values, a) && next(number)),
            };
            values |= u128::from(value) << number;
        }
        values
    }

    /// Each `U` with its right side.
    fn untils(&self) -> Vec<(usize, usize)> {
        let until = |(number, part): (usize, &Part)| match *part {
            Part::Until(_, b) => Some((number, b)),
            _ => None,
        };
        self.list.iter().enumerate().filter_map(until).collect()
    }

    /// The parts whose truth in the next state is guessed.
    fn promised(&self) -> Vec<usize> {
        let next = |part: &Part| match *part {
            Part::Next(a) => Some(a),
            _ => None,
        };
        let mut promised: Vec<usize> = self.list.iter().filter_map(next).collect();
        promised.extend(self.untils().iter().map(|(number, _)| *number));
        promised.sort_unstable();
        promised.dedup();
        promised
    }
}

/// The part of the product that can be reached, whose runs are those that satisfy the formula;
/// `None` if it is too large. `atoms` has the truth of each atom in each state.
pub(super) fn product(runs: &Runs, atoms: &[Vec<bool>], formula: &Formula) -> Option<Product> {
    Some(product_with_states(runs, atoms, formula)?.0)
}

/// Of which states the nodes of a product are, and how many of them, the first ones, are initial.
pub(super) struct NodeStates {
    pub of_nodes: Vec<usize>,
    pub initial: usize,
}

/// The same with the states of its nodes.
pub(super) fn product_with_states(
    runs: &Runs,
    atoms: &[Vec<bool>],
    formula: &Formula,
) -> Option<(Product, NodeStates)> {
    let mut parts = Parts::default();
    let root = parts.take(formula);
    let (untils, promised) = (parts.untils(), parts.promised());
    if promised.len() > MAX_GUESSED || parts.list.len() > 128 {
        return None;
    }
    let guesses = 1 << promised.len();
    let steps: usize = runs.steps.iter().map(Vec::len).sum();
    if runs.steps.len() * guesses > MAX_NODES || steps * guesses > MAX_EDGES {
        return None;
    }
    // By state and guess.
    let mut places = vec![0; parts.list.len()];
    promised.iter().enumerate().for_each(|(place, &part)| places[part] = place);
    let values: Vec<u128> = (0..runs.steps.len() * guesses)
        .map(|node| {
            let (state, guess) = (node / guesses, node % guesses);
            parts.values(|atom| atoms[atom][state], |part| guess >> places[part] & 1 == 1)
        })
        .collect();
    // By state, and what is true of the promised parts there: the nodes.
    let mut fulfilling: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
    for (node, &values) in values.iter().enumerate() {
        let true_here = promised.iter().rev().fold(0, |all, &part| all << 1 | usize::from(bit(values, part)));
        fulfilling[node / guesses * guesses + true_here].push(node);
    }
    let starts = runs.initial.iter().flat_map(|&state| state * guesses..(state + 1) * guesses);
    let mut found = Found { list: Vec::new(), known: vec![None; values.len()] };
    starts.filter(|&node| bit(values[node], root)).for_each(|node| {
        found.meet(node);
    });
    let initial = found.list.len();
    let mut product = Product { all_marks: (1 << untils.len()) - 1, ..Product::default() };
    while let Some(&node) = found.list.get(product.nodes.len()) {
        let (state, guess) = (node / guesses, node % guesses);
        let mark = |&(until, b): &(usize, usize)| !bit(values[node], until) || bit(values[node], b);
        let marks = untils.iter().rev().fold(0, |marks, until| marks << 1 | u32::from(mark(until)));
        let mut edges = Vec::new();
        for step in &runs.steps[state] {
            for &to in &fulfilling[step.to * guesses + guess] {
                edges.push(Edge { to: found.meet(to), units: step.units });
            }
        }
        product.nodes.push(Node { marks, enabled: runs.enabled(state), edges });
    }
    let of_nodes = found.list.iter().map(|node| node / guesses).collect();
    Some((product, NodeStates { of_nodes, initial }))
}

/// The nodes that were reached.
struct Found {
    list: Vec<usize>,
    /// The place of each in the list.
    known: Vec<Option<usize>>,
}

impl Found {
    fn meet(&mut self, node: usize) -> usize {
        *self.known[node].get_or_insert_with(|| {
            self.list.push(node);
            self.list.len() - 1
        })
    }
}

fn bit(values: u128, number: usize) -> bool {
    values >> number & 1 == 1
}
