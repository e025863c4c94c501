//! Infinite words that end in a loop, and what is true of them.
//!
//! Entry points: [`Lasso::satisfies`] says whether a formula is true of a word, computed on the positions of
//! the word and on nothing else, so that it can judge the translation; [`Lasso::is_accepted`] whether an
//! automaton accepts it. Letters have a bit for each atom, as in [`crate::Cube::holds`].

use crate::components::Components;
use crate::{AtomId, Automaton, Ltl, Marks};

/// The atoms that are true: bit `i % 64` of word `i / 64` belongs to atom `i`.
pub type Letter = Box<[u64]>;

/// An infinite word: the stem, then the loop for ever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lasso {
    /// What comes first; may be empty.
    pub stem: Vec<Letter>,
    /// What comes for ever after; not empty.
    pub cycle: Vec<Letter>,
}

impl Lasso {
    /// How many different positions it has.
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Whether it has no positions, and so is no word.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letter at a position.
    pub fn letter(&self, position: usize) -> &[u64] {
        self.stem.get(position).unwrap_or_else(|| &self.cycle[position - self.stem.len()])
    }

    /// The position after a position.
    pub fn after(&self, position: usize) -> usize {
        if position + 1 == self.len() { self.stem.len() } else { position + 1 }
    }

    /// Whether the formula is true of the word. An atom without a bit is false.
    ///
    /// # Panics
    ///
    /// If the loop is empty.
    pub fn satisfies(&self, formula: &Ltl) -> bool {
        assert!(!self.cycle.is_empty(), "a word without a loop is finite");
        let mut values: Vec<Vec<bool>> = Vec::new();
        for formula in formula.postorder() {
            let below = values.split_off(values.len() - formula.children().len());
            values.push(self.evaluate(formula, &below));
        }
        values[0][0]
    }

    /// Where the formula is true, given where those it is made of are.
    fn evaluate(&self, formula: &Ltl, below: &[Vec<bool>]) -> Vec<bool> {
        let every = |value: &dyn Fn(usize) -> bool| (0..self.len()).map(value).collect::<Vec<bool>>();
        match formula {
            Ltl::True => every(&|_| true),
            Ltl::False => every(&|_| false),
            Ltl::Atom(AtomId(atom)) => every(&|at| {
                self.letter(at).get(*atom as usize / 64).is_some_and(|word| word >> (atom % 64) & 1 == 1)
            }),
            Ltl::Not(_) => every(&|at| !below[0][at]),
            Ltl::And(_) => every(&|at| below.iter().all(|value| value[at])),
            Ltl::Or(_) => every(&|at| below.iter().any(|value| value[at])),
            Ltl::Implies(_) => every(&|at| !below[0][at] || below[1][at]),
            Ltl::Iff(_) => every(&|at| below[0][at] == below[1][at]),
            Ltl::Next(_) => every(&|at| below[0][self.after(at)]),
            Ltl::Finally(_) => self.fixpoint(false, |at, next| below[0][at] || next),
            Ltl::Globally(_) => self.fixpoint(true, |at, next| below[0][at] && next),
            Ltl::Until(_) => self.fixpoint(false, |at, next| below[1][at] || below[0][at] && next),
            Ltl::WeakUntil(_) => self.fixpoint(true, |at, next| below[1][at] || below[0][at] && next),
            Ltl::Release(_) => self.fixpoint(true, |at, next| below[1][at] && (below[0][at] || next)),
            Ltl::StrongRelease(_) => self.fixpoint(false, |at, next| below[1][at] && (below[0][at] || next)),
        }
    }

    /// The least or greatest solution of `value(at) = step(at, value(after at))`.
    fn fixpoint(&self, greatest: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut value = vec![greatest; self.len()];
        loop {
            let mut changed = false;
            for at in (0..self.len()).rev() {
                let new = step(at, value[self.after(at)]);
                changed |= new != value[at];
                value[at] = new;
            }
            if !changed {
                return value;
            }
        }
    }

    /// Whether the automaton accepts the word.
    ///
    /// # Panics
    ///
    /// If the loop is empty.
    pub fn is_accepted(&self, automaton: &Automaton) -> bool {
        assert!(!self.cycle.is_empty(), "a word without a loop is finite");
        let count = automaton.len() * self.len();
        // Node `state * len + position`.
        let edges: Vec<Vec<(usize, Marks)>> = (0..count)
            .map(|node| {
                let (state, at) = (node / self.len(), node % self.len());
                let enabled = automaton.edges[state].iter().filter(|edge| edge.label.holds(self.letter(at)));
                enabled.map(|edge| (edge.target.index() * self.len() + self.after(at), edge.marks)).collect()
            })
            .collect();
        let roots = automaton.initial.iter().map(|state| state.index() * self.len());
        let components = Components::of(count, roots, |node, i| edges[node].get(i).map(|edge| edge.0));
        let mut marks = vec![None; components.count];
        for (node, edges) in edges.iter().enumerate() {
            for &(target, mark) in edges {
                if components.same(node, target) && (components.of[node] as usize) < components.count {
                    let seen: &mut Option<Marks> = &mut marks[components.of[node] as usize];
                    *seen = Some(seen.unwrap_or_default().union(mark));
                }
            }
        }
        marks.contains(&Some(Marks::all(automaton.sets)))
    }
}
