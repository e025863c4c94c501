//! Smaller automata by direct and reverse simulation.
//!
//! Entry point: [`simulate`]. A state simulates another if it can answer each of its edges, letter by letter,
//! and for each of the marks of the edge, by an edge with the mark to a state that simulates the target.
//! Different marks may have different answers: a run that answers the mark that waits longest has all of them
//! again and again. States that simulate each other become one; an edge is dropped for the letters that a
//! better edge of the same state reads. Backwards likewise: states that answer each other's incoming edges
//! become one.
//!
//! Marks on edges between components mean nothing, so they are taken once as none and once as all. Accepts
//! the same words before and after. Automata too large for the relation to be computed stay as they are.

use crate::prune::{components, merge_parallel, prune, replace};
use crate::{Automaton, Cube, Edge, Marks, StateId};
use burnside_limits::poll;

/// The most comparisons of edges for one relation.
const MOST: usize = 4_000_000;

/// An automaton for the same words, with states and edges that others can stand for removed.
pub fn simulate(automaton: &Automaton) -> Automaton {
    let mut best = prune(automaton);
    loop {
        let Some(next) = round(&best) else { return best };
        if (next.len(), next.edge_count()) >= (best.len(), best.edge_count()) {
            return if next.len() == best.len() { next } else { best };
        }
        best = next;
    }
}

/// All reductions once; none if one of them is too large.
fn round(automaton: &Automaton) -> Option<Automaton> {
    let mut automaton = automaton.clone();
    quotient(&mut automaton, false)?;
    automaton = prune(&automaton);
    quotient(&mut automaton, true)?;
    automaton = prune(&automaton);
    mark_crossings(&mut automaton);
    quotient(&mut automaton, false)?;
    quotient(&mut automaton, true)?;
    automaton = prune(&automaton);
    drop_dominated(&mut automaton)?;
    Some(prune(&automaton))
}

/// Gives the edges between components all marks.
fn mark_crossings(automaton: &mut Automaton) {
    let components = components(automaton);
    for (state, edges) in automaton.edges.iter_mut().enumerate() {
        for edge in edges.iter_mut().filter(|edge| !components.same(state, edge.target.index())) {
            edge.marks = Marks::all(automaton.sets);
        }
    }
}

/// Which state simulates which.
struct Relation {
    states: usize,
    pairs: Vec<bool>,
}

impl Relation {
    fn has(&self, weak: usize, strong: usize) -> bool {
        self.pairs[weak * self.states + strong]
    }

    /// The greatest simulation within the given pairs; none if that takes too much work.
    fn greatest(edges: &[Vec<Edge>], start: impl Fn(usize, usize) -> bool) -> Option<Self> {
        let states = edges.len();
        let mut budget = MOST.checked_sub(states.checked_mul(states)?)?;
        let pairs = (0..states * states).map(|pair| start(pair / states, pair % states)).collect();
        let mut relation = Self { states, pairs };
        loop {
            let mut changed = false;
            // Edges mostly lead to later states, so these are looked at first.
            for weak in (0..states).rev() {
                for strong in (0..states).rev() {
                    if weak == strong || !relation.has(weak, strong) {
                        continue;
                    }
                    budget = budget.checked_sub(1 + edges[weak].len() * edges[strong].len())?;
                    if !relation.answers(edges, weak, strong) {
                        relation.pairs[weak * states + strong] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(relation);
            }
        }
    }

    /// Whether every edge of the weak state is answered by edges of the strong one.
    fn answers(&self, edges: &[Vec<Edge>], weak: usize, strong: usize) -> bool {
        poll();
        edges[weak].iter().all(|edge| {
            let by = |wanted: Marks| {
                let answers = edges[strong].iter().filter(|answer| {
                    wanted.within(answer.marks) && self.has(edge.target.index(), answer.target.index())
                });
                let labels: Vec<&Cube> = answers.map(|answer| &answer.label).collect();
                covered(&edge.label, &labels, &mut 200)
            };
            by(edge.marks) || (edge.marks.count() > 1 && edge.marks.each().all(by))
        })
    }
}

/// Whether each letter of the cube is in one of the others; may say no if that is too hard to see.
pub(crate) fn covered(cube: &Cube, by: &[&Cube], budget: &mut usize) -> bool {
    poll();
    if by.iter().any(|other| cube.implies(other)) {
        return true;
    }
    let by: Vec<&Cube> = by.iter().copied().filter(|other| !other.disjoint(cube)).collect();
    let Some(first) = by.first() else { return false };
    if *budget == 0 {
        return false;
    }
    *budget -= 1;
    let (atom, _) = first.literals().find(|(atom, _)| cube.get(*atom).is_none()).expect("not implied");
    [true, false].into_iter().all(|value| {
        let mut half = cube.clone();
        half.set(atom, value);
        covered(&half, &by, budget)
    })
}

/// Makes the states one that simulate each other, by what follows or by what comes before.
fn quotient(automaton: &mut Automaton, backwards: bool) -> Option<()> {
    let relation = if backwards {
        let initial: Vec<bool> =
            (0..automaton.len()).map(|state| automaton.initial.contains(&StateId(state as u32))).collect();
        Relation::greatest(&reversed(automaton), |weak, strong| !initial[weak] || initial[strong])
    } else {
        Relation::greatest(&automaton.edges, |_, _| true)
    }?;
    let mutual = |a: usize, b: usize| relation.has(a, b) && relation.has(b, a);
    let first = |state: usize| (0..state).find(|&other| mutual(state, other)).unwrap_or(state);
    let by: Vec<StateId> = (0..automaton.len()).map(|state| StateId(first(state) as u32)).collect();
    for state in (0..automaton.len()).filter(|&state| by[state].index() != state) {
        let edges = automaton.edges[state].clone();
        automaton.edges[by[state].index()].extend(edges);
    }
    replace(automaton, &by);
    automaton.edges.iter_mut().for_each(merge_parallel);
    Some(())
}

fn reversed(automaton: &Automaton) -> Vec<Vec<Edge>> {
    let mut reversed = vec![Vec::new(); automaton.len()];
    for (state, edges) in automaton.edges.iter().enumerate() {
        for edge in edges {
            reversed[edge.target.index()].push(Edge { target: StateId(state as u32), ..edge.clone() });
        }
    }
    reversed
}

/// Drops edges and initial states for which there are better ones.
fn drop_dominated(automaton: &mut Automaton) -> Option<()> {
    let relation = Relation::greatest(&automaton.edges, |_, _| true)?;
    let better = |weak: usize, strong: usize| {
        relation.has(weak, strong) && (!relation.has(strong, weak) || strong < weak)
    };
    let initial = automaton.initial.clone();
    let dominated =
        |state: &StateId| initial.iter().any(|other| other != state && better(state.index(), other.index()));
    automaton.initial.retain(|state| !dominated(state));
    for edges in &mut automaton.edges {
        let all = edges.clone();
        edges.retain_mut(|edge| {
            let strong = all.iter().filter(|other| {
                edge.marks.within(other.marks)
                    && (if edge.target == other.target {
                        edge.marks != other.marks
                    } else {
                        better(edge.target.index(), other.target.index())
                    })
            });
            let labels: Vec<&Cube> = strong.map(|other| &other.label).collect();
            if covered(&edge.label, &labels, &mut 200) {
                return false;
            }
            labels.iter().for_each(|label| subtract(&mut edge.label, label));
            true
        });
    }
    Some(())
}

/// Takes the letters of one cube from another, if a cube remains.
fn subtract(cube: &mut Cube, other: &Cube) {
    poll();
    if cube.disjoint(other) {
        return;
    }
    let mut new = other.literals().filter(|(atom, _)| cube.get(*atom).is_none());
    if let (Some((atom, value)), None) = (new.next(), new.next()) {
        cube.set(atom, !value);
    }
}
