//! Smaller automata without looking at languages.
//!
//! Entry point: [`prune`]. In turn: states that cannot be reached or cannot reach an accepting component go;
//! edges that no accepting run takes for ever lose their marks; acceptance sets that others imply go, within
//! each component, and the others are renumbered there; edges that demand no less than a parallel one go, or
//! than parallel ones together (`span`); states with equal edges become one. Accepts the same words before
//! and after. Does not compare languages: that is for `simulation`.

use burnside_limits::poll;
use std::collections::HashMap;

use crate::components::{Components, NOWHERE};
use crate::span::drop_spanned;
use crate::{Automaton, Cube, Edge, Marks, StateId};

/// An automaton for the same words without what can be seen to be useless.
pub fn prune(automaton: &Automaton) -> Automaton {
    let mut automaton = automaton.clone();
    loop {
        let before = (automaton.len(), automaton.edge_count());
        remove_useless(&mut automaton);
        reduce_marks(&mut automaton);
        automaton.edges.iter_mut().for_each(merge_parallel);
        automaton.edges.iter_mut().for_each(drop_spanned);
        merge_equal(&mut automaton);
        if (automaton.len(), automaton.edge_count()) == before {
            return automaton;
        }
    }
}

/// The components of an automaton.
pub(crate) fn components(automaton: &Automaton) -> Components {
    let roots = automaton.initial.iter().map(|state| state.index());
    Components::of(automaton.len(), roots, |state, i| Some(automaton.edges[state].get(i)?.target.index()))
}

/// The marks seen in each component; none in a component without an edge inside.
pub(crate) fn marks_of_components(automaton: &Automaton, components: &Components) -> Vec<Option<Marks>> {
    let mut marks = vec![None; components.count];
    for (state, edges) in automaton.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| components.same(state, edge.target.index())) {
            if components.of[state] != NOWHERE {
                let seen: &mut Option<Marks> = &mut marks[components.of[state] as usize];
                *seen = Some(seen.unwrap_or_default().union(edge.marks));
            }
        }
    }
    marks
}

fn remove_useless(automaton: &mut Automaton) {
    let components = components(automaton);
    let marks = marks_of_components(automaton, &components);
    // Edges lead to components with smaller numbers only, so these are known first.
    let mut useful: Vec<bool> =
        marks.iter().map(|&marks| marks == Some(Marks::all(automaton.sets))).collect();
    let mut order: Vec<usize> =
        (0..automaton.len()).filter(|&state| components.of[state] != NOWHERE).collect();
    order.sort_by_key(|&state| components.of[state]);
    for state in order {
        let target = |edge: &Edge| useful[components.of[edge.target.index()] as usize];
        if automaton.edges[state].iter().any(target) {
            useful[components.of[state] as usize] = true;
        }
    }
    let keep = |state: usize| components.of[state] != NOWHERE && useful[components.of[state] as usize];
    restrict(automaton, keep);
}

/// Keeps some states, in order, and the edges between them.
pub(crate) fn restrict(automaton: &mut Automaton, keep: impl Fn(usize) -> bool) {
    let mut new = vec![None; automaton.len()];
    let mut edges = Vec::new();
    for (state, old) in std::mem::take(&mut automaton.edges).into_iter().enumerate() {
        if keep(state) {
            new[state] = Some(StateId(edges.len() as u32));
            edges.push(old);
        }
    }
    for edges in &mut edges {
        edges.retain_mut(|edge| match new[edge.target.index()] {
            Some(target) => {
                edge.target = target;
                true
            }
            None => false,
        });
    }
    automaton.initial = automaton.initial.iter().filter_map(|state| new[state.index()]).collect();
    automaton.initial.sort_unstable();
    automaton.initial.dedup();
    automaton.edges = edges;
}

/// Keeps marks on the edges inside accepting components only, and there only those of sets that matter.
fn reduce_marks(automaton: &mut Automaton) {
    let components = components(automaton);
    let seen = marks_of_components(automaton, &components);
    let all = Marks::all(automaton.sets);
    let mut inside: Vec<Vec<Marks>> = vec![Vec::new(); components.count];
    for (state, edges) in automaton.edges.iter().enumerate() {
        let edges = edges.iter().filter(|edge| components.same(state, edge.target.index()));
        inside[components.of[state] as usize].extend(edges.map(|edge| edge.marks));
    }
    let accepting = |component: usize| seen[component] == Some(all);
    let needed: Vec<Vec<u32>> = inside
        .iter_mut()
        .enumerate()
        .map(|(component, marks)| {
            marks.sort_unstable();
            marks.dedup();
            if accepting(component) { needed_sets(marks, automaton.sets) } else { Vec::new() }
        })
        .collect();
    // A component that needs no set marks all its edges; one with runs that accepts none of them needs an
    // empty set.
    let rejecting = seen.iter().any(|&marks| marks.is_some_and(|marks| marks != all));
    let sets = needed.iter().map(Vec::len).max().unwrap_or(0).max(rejecting.into()) as u32;
    for (state, edges) in automaton.edges.iter_mut().enumerate() {
        let component = components.of[state] as usize;
        for edge in edges {
            edge.marks = if components.same(state, edge.target.index()) && accepting(component) {
                let rest = Marks::all(sets).0 & !Marks::all(needed[component].len() as u32).0;
                let sets = needed[component].iter().enumerate();
                Marks(sets.fold(rest, |marks, (new, &old)| marks | u64::from(edge.marks.has(old)) << new))
            } else {
                Marks::default()
            };
        }
    }
    automaton.sets = sets;
}

/// The sets without those that contain another: whoever is in the other infinitely often is in them.
fn needed_sets(marks: &[Marks], sets: u32) -> Vec<u32> {
    poll();
    let contains = |big: u32, small: u32| marks.iter().all(|marks| !marks.has(small) || marks.has(big));
    let mut needed: Vec<u32> = (0..sets).collect();
    let mut index = 0;
    while index < needed.len() {
        let set = needed[index];
        let full = marks.iter().all(|marks| marks.has(set));
        if full || needed.iter().any(|&other| other != set && contains(set, other)) {
            needed.remove(index);
        } else {
            index += 1;
        }
    }
    needed
}

/// Removes the edges that demand no less than another with the same target, and joins cubes that differ in
/// one literal.
pub(crate) fn merge_parallel(edges: &mut Vec<Edge>) {
    poll();
    edges.sort_unstable_by(|a, b| (a.target, a.marks, &a.label).cmp(&(b.target, b.marks, &b.label)));
    edges.dedup();
    let old = std::mem::take(edges);
    for group in old.chunk_by(|a, b| a.target == b.target) {
        let mut open = group.to_vec();
        let mut kept: Vec<Edge> = Vec::new();
        while let Some(edge) = open.pop() {
            let demands = |a: &Edge, b: &Edge| a.marks.within(b.marks) && a.label.implies(&b.label);
            if kept.iter().any(|other| demands(&edge, other)) {
                continue;
            }
            kept.retain(|other| !demands(other, &edge));
            let partner = kept.iter().enumerate().find_map(|(at, other)| {
                let label = if other.marks == edge.marks { joined(&other.label, &edge.label) } else { None };
                Some((at, label?))
            });
            match partner {
                Some((at, label)) => open.push(Edge { label, ..kept.swap_remove(at) }),
                None => kept.push(edge),
            }
        }
        kept.sort_unstable();
        edges.extend(kept);
    }
}

/// The cube of the letters in either, if they differ in the sign of one atom.
fn joined(a: &Cube, b: &Cube) -> Option<Cube> {
    if a.care != b.care {
        return None;
    }
    let mut difference = a.literals().zip(b.literals()).filter(|(a, b)| a != b);
    let ((atom, _), _) = difference.next()?;
    if difference.next().is_some() {
        return None;
    }
    let mut cube = a.clone();
    cube.forget(atom);
    Some(cube)
}

/// Makes states with equal edges one, where a loop is equal to a loop. Edges mostly lead to later states, so
/// these are looked at first.
fn merge_equal(automaton: &mut Automaton) {
    let mut known: HashMap<Vec<Edge>, StateId> = HashMap::new();
    let mut same: Vec<StateId> = (0..automaton.len() as u32).map(StateId).collect();
    for state in (0..automaton.len()).rev() {
        let mut key = automaton.edges[state].clone();
        for edge in &mut key {
            let target = edge.target.index();
            edge.target = if target == state { StateId(u32::MAX) } else { same[target] };
        }
        key.sort_unstable();
        same[state] = *known.entry(key).or_insert(StateId(state as u32));
    }
    replace(automaton, &same);
}

/// Puts another state for each state, and removes those that no longer occur.
pub(crate) fn replace(automaton: &mut Automaton, by: &[StateId]) {
    poll();
    for edges in &mut automaton.edges {
        edges.iter_mut().for_each(|edge| edge.target = by[edge.target.index()]);
    }
    automaton.initial.iter_mut().for_each(|state| *state = by[state.index()]);
    restrict(automaton, |state| by[state].index() == state);
}
