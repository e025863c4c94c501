//! From formulas to automata: a tableau with promises on the edges, after Couvreur (FM 1999).
//!
//! Entry point: [`translate`]. A state is a set of formulas that the rest of the word satisfies; its edges
//! are the terms of their conjunction (`expand`). The sides of a disjunction at the top become initial states
//! of their own. An edge is in the acceptance set of a goal if it does not promise the goal. Only the
//! promises made inside a strongly connected component matter there, so each component numbers its own from
//! 0, and there are as many sets as the component with most of them needs.
//!
//! The automaton accepts exactly the words that satisfy the formula. Nothing recurses.

use std::collections::HashMap;

use crate::components::Components;
use crate::expand::{Expander, SetId, Term};
use crate::normal::{Id, Node, Normal};
use crate::simplify::Simplifier;
use crate::{Automaton, Edge, Ltl, Marks, StateId, disjoint, simulate, weak};
use burnside_limits::{Stop, poll};

/// The most states of an automaton for which a deterministic one is tried.
const LARGEST_TO_DETERMINISE: usize = 60;

/// How much a translation may build.
#[derive(Clone, Debug)]
pub struct AutomatonLimits {
    /// The most states, before reductions.
    pub states: usize,
    /// The most edges, before reductions.
    pub edges: usize,
}

impl Default for AutomatonLimits {
    fn default() -> Self {
        Self { states: 50_000, edges: 500_000 }
    }
}

impl AutomatonLimits {
    fn too_many(limit: usize, what: &str) -> Stop {
        Stop::too_large(format!("the automaton has more than {limit} {what}"))
    }

    /// To find the edges takes too many comparisons.
    pub(crate) fn too_much_work(&self) -> Stop {
        let limit = self.work();
        Stop::too_large(format!("to find the edges of the automaton takes more than {limit} comparisons"))
    }

    pub(crate) fn check_edges(&self, edges: usize) -> Result<(), Stop> {
        if edges > self.edges { Err(Self::too_many(self.edges, "edges")) } else { Ok(()) }
    }

    /// The most comparisons of edges.
    pub(crate) fn work(&self) -> usize {
        self.edges.saturating_mul(2_000)
    }

    pub(crate) fn check_states(&self, states: usize) -> Result<(), Stop> {
        if states > self.states { Err(Self::too_many(self.states, "states")) } else { Ok(()) }
    }
}

/// An automaton that accepts the words over so many atoms that satisfy the formula.
///
/// # Panics
///
/// If the formula has an atom beyond these.
pub fn translate(formula: &Ltl, atoms: u32, limits: &AutomatonLimits) -> Result<Automaton, Stop> {
    translate_by(formula, atoms, limits, Steps::default())
}

/// Which reductions a translation makes. All are on by default; switching them off is for tests and
/// comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Simplify the formula first.
    pub simplify: bool,
    /// Reduce the automaton by simulation.
    pub simulate: bool,
    /// Try a deterministic automaton that is no larger.
    pub determinise: bool,
    /// Drop what parallel edges have together while edges are made.
    pub span: bool,
}

impl Default for Steps {
    fn default() -> Self {
        Self { simplify: true, simulate: true, determinise: true, span: true }
    }
}

/// As [`translate`], by some of the reductions.
///
/// # Panics
///
/// If the formula has an atom beyond these.
pub fn translate_by(
    formula: &Ltl,
    atoms: u32,
    limits: &AutomatonLimits,
    steps: Steps,
) -> Result<Automaton, Stop> {
    assert!(formula.atoms() <= atoms, "an atom of the formula is not among the {atoms} atoms");
    let mut normal = Normal::new();
    let (mut root, mut negation) = normal.read(formula);
    if steps.simplify {
        let mut simplifier = Simplifier::new(&mut normal);
        (root, negation) = (simplifier.run(root), simplifier.run(negation));
    }
    let mut automaton = tableau(&mut normal, root, atoms, limits, steps.span)?;
    poll();
    if steps.simulate {
        automaton = simulate(&automaton);
    }
    if steps.determinise
        && let Some(deterministic) = deterministic(&mut normal, root, negation, &automaton)
    {
        automaton = deterministic;
    }
    Ok(automaton)
}

/// A deterministic automaton for the same words that is no larger, if the words are an obligation.
fn deterministic(normal: &mut Normal, root: Id, negation: Id, automaton: &Automaton) -> Option<Automaton> {
    if automaton.len() > LARGEST_TO_DETERMINISE {
        return None;
    }
    let complete = weak::determinise(automaton, 4 * automaton.len() + 16)?;
    // Simulation rarely halves what is least already, and takes its time to see it.
    if complete.len() > 2 * automaton.len() + 2 {
        return None;
    }
    let reduced = simulate(&complete);
    if reduced.len() > automaton.len() {
        return None;
    }
    if !weak::is_obligation(normal, root) {
        // By its form it is none, but it may mean one: then the result is right.
        let small = AutomatonLimits { states: 200, edges: 4_000 };
        let others = tableau(normal, negation, automaton.atoms, &small, true).ok()?;
        let right = disjoint(&reduced, &simulate(&others), 20_000)?
            && disjoint(automaton, &weak::complement(&complete), 20_000)?;
        if !right {
            return None;
        }
    }
    Some(reduced)
}

/// The states found so far.
struct Tableau {
    known: HashMap<SetId, usize>,
    states: Vec<SetId>,
    terms: Vec<Vec<(Term, usize)>>,
}

impl Tableau {
    fn enter(&mut self, set: SetId) -> usize {
        *self.known.entry(set).or_insert_with(|| {
            self.states.push(set);
            self.states.len() - 1
        })
    }
}

/// The sides of a disjunction; literals stay together.
fn roots(normal: &mut Normal, root: Id) -> Vec<Id> {
    let Node::Or(sides) = normal.node(root) else { return vec![root] };
    let literal = |id: &Id| matches!(normal.node(*id), Node::Literal(..));
    let (literals, mut roots): (Vec<Id>, Vec<Id>) = sides.iter().partition(|id| literal(id));
    if !literals.is_empty() {
        roots.push(normal.or(literals));
    }
    roots
}

fn tableau(
    normal: &mut Normal,
    root: Id,
    atoms: u32,
    limits: &AutomatonLimits,
    span: bool,
) -> Result<Automaton, Stop> {
    let roots = roots(normal, root);
    let mut expander = Expander::new(normal, atoms, limits, span);
    let mut tableau = Tableau { known: HashMap::new(), states: Vec::new(), terms: Vec::new() };
    let mut initial = Vec::new();
    for root in roots {
        initial.extend(expander.demands([root]).map(|set| tableau.enter(set)));
    }
    let mut edges = 0;
    while let Some(&set) = tableau.states.get(tableau.terms.len()) {
        poll();
        let terms = expander.state(set)?;
        edges += terms.len();
        limits.check_edges(edges)?;
        let terms = terms
            .into_iter()
            .map(|term| (tableau.enter(term.next), term))
            .map(|(target, term)| (term, target));
        let terms = terms.collect();
        tableau.terms.push(terms);
        limits.check_states(tableau.states.len())?;
    }
    initial.sort_unstable();
    initial.dedup();
    finish(tableau.terms, &initial, atoms)
}

/// Turns promises into marks.
fn finish(terms: Vec<Vec<(Term, usize)>>, initial: &[usize], atoms: u32) -> Result<Automaton, Stop> {
    let components =
        Components::of(terms.len(), initial.iter().copied(), |state, i| Some(terms[state].get(i)?.1));
    let mut promises: Vec<Vec<Id>> = vec![Vec::new(); components.count];
    for (state, terms) in terms.iter().enumerate() {
        for (term, _) in terms.iter().filter(|(_, target)| components.same(state, *target)) {
            promises[components.of[state] as usize].extend(&term.promises);
        }
    }
    for promises in &mut promises {
        promises.sort_unstable();
        promises.dedup();
    }
    let sets = promises.iter().map(Vec::len).max().unwrap_or(0);
    if sets > Marks::MOST as usize {
        return Err(Stop::too_large(format!(
            "the automaton has {sets} acceptance sets; there can be {} at most",
            Marks::MOST
        )));
    }
    let mut edges = Vec::new();
    for (state, terms) in terms.into_iter().enumerate() {
        let promises = &promises[components.of[state] as usize];
        let edge = |(term, target): (Term, usize)| {
            let made = |promise: &Id| promises.binary_search(promise).ok();
            let missing = term.promises.iter().filter_map(made).fold(0, |marks, set| marks | 1 << set);
            let marks = Marks(Marks::all(sets as u32).0 & !missing);
            Edge { label: term.cube, marks, target: StateId(target as u32) }
        };
        edges.push(terms.into_iter().map(edge).collect());
    }
    let initial = initial.iter().map(|&state| StateId(state as u32)).collect();
    Ok(Automaton { atoms, sets: sets as u32, initial, edges })
}
