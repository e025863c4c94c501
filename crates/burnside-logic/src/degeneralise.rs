//! One acceptance set instead of several, and acceptance on states instead of edges.
//!
//! Entry points: [`degeneralise`] and [`on_states`]. The first waits for the sets one after another: a state
//! is paired with the set that is waited for, an edge in that set and the next ones skips all of them, and
//! the edge that completes the round is marked. Between components the round starts anew. The second marks
//! states: all edges of a state are marked or none is. Both accept the same words as before.

use std::collections::HashMap;

use crate::components::Components;
use crate::prune::{components, marks_of_components, prune};
use crate::{Automaton, Edge, Marks, StateId, simulate};

/// An automaton for the same words with one acceptance set at most.
pub fn degeneralise(automaton: &Automaton) -> Automaton {
    let automaton = prune(automaton);
    if automaton.sets <= 1 {
        return automaton;
    }
    let components = components(&automaton);
    let seen = marks_of_components(&automaton, &components);
    let all = Marks::all(automaton.sets);
    let step = |state: StateId, level: u32, edge: &Edge| {
        let accepting = seen[components.of[state.index()] as usize] == Some(all);
        if !accepting || !components.same(state.index(), edge.target.index()) {
            return (Marks::default(), 0);
        }
        let advance = |from: u32| (from..automaton.sets).find(|&set| !edge.marks.has(set));
        match advance(level) {
            Some(level) => (Marks::default(), level),
            None => (Marks(1), advance(0).unwrap_or(0)),
        }
    };
    let one = copies(&automaton, 1, step);
    simulate(&one)
}

/// An automaton for the same words with one acceptance set that has all edges of a state or none, for each
/// state.
pub fn on_states(automaton: &Automaton) -> Automaton {
    let automaton = degeneralise(automaton);
    let components = components(&automaton);
    let marked = |edge: &Edge| automaton.sets == 0 || edge.marks.has(0);
    let inside: Vec<Vec<&Edge>> = (0..automaton.len())
        .map(|state| {
            let edges = automaton.edges[state].iter();
            edges.filter(|edge| components.same(state, edge.target.index())).collect()
        })
        .collect();
    // The loops without marks. An edge on none of them could be marked as well, for a mark follows.
    let bare = Components::of(automaton.len(), 0..automaton.len(), |state, i| {
        inside[state].iter().filter(|edge| !marked(edge)).nth(i).map(|edge| edge.target.index())
    });
    let accepting: Vec<bool> = (0..automaton.len())
        .map(|state| {
            let good = |edge: &Edge| marked(edge) || !bare.same(state, edge.target.index());
            !inside[state].is_empty() && inside[state].iter().all(|edge| good(edge))
        })
        .collect();
    // Level 1 if a marked edge led here that its source does not stand for.
    let step = |state: StateId, level: u32, edge: &Edge| {
        let hot = components.same(state.index(), edge.target.index())
            && marked(edge)
            && !accepting[state.index()]
            && !accepting[edge.target.index()];
        (Marks(u64::from(accepting[state.index()] || level == 1)), u32::from(hot))
    };
    copies(&automaton, 1, step)
}

/// The reachable pairs of states and levels; the step says the marks of an edge from a level and the level it
/// leads to.
fn copies(automaton: &Automaton, sets: u32, step: impl Fn(StateId, u32, &Edge) -> (Marks, u32)) -> Automaton {
    let mut known: HashMap<(StateId, u32), StateId> = HashMap::new();
    let mut pairs: Vec<(StateId, u32)> = Vec::new();
    let mut enter = |pair: (StateId, u32), pairs: &mut Vec<(StateId, u32)>| {
        *known.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            StateId(pairs.len() as u32 - 1)
        })
    };
    let initial = automaton.initial.iter().map(|&state| enter((state, 0), &mut pairs)).collect();
    let mut edges = Vec::new();
    while edges.len() < pairs.len() {
        let (state, level) = pairs[edges.len()];
        let from = automaton.edges[state.index()].iter().map(|edge| {
            let (marks, level) = step(state, level, edge);
            Edge { label: edge.label.clone(), marks, target: enter((edge.target, level), &mut pairs) }
        });
        let from = from.collect();
        edges.push(from);
    }
    Automaton { atoms: automaton.atoms, sets, initial, edges }
}
