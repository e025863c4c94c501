//! Words that two automata both accept.
//!
//! Entry point: [`disjoint`]. Builds the reachable pairs of states and looks for a component in which all
//! sets of both are met. Does not return the word.

use std::collections::HashMap;

use crate::components::Components;
use crate::{Automaton, Marks};

/// Whether there is no word that both automata accept; none if they have more pairs of states than that.
///
/// # Panics
///
/// If their atoms differ.
pub fn disjoint(a: &Automaton, b: &Automaton, most: usize) -> Option<bool> {
    assert_eq!(a.atoms, b.atoms, "automata over different atoms");
    let mut known: HashMap<(u32, u32), usize> = HashMap::new();
    let mut pairs = Vec::new();
    let mut enter = |pair: (u32, u32), pairs: &mut Vec<(u32, u32)>| {
        *known.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() - 1
        })
    };
    for one in &a.initial {
        b.initial.iter().for_each(|two| _ = enter((one.0, two.0), &mut pairs));
    }
    let roots = pairs.len();
    let mut edges: Vec<Vec<(usize, [Marks; 2])>> = Vec::new();
    while edges.len() < pairs.len() {
        let (one, two) = pairs[edges.len()];
        let mut from = Vec::new();
        for one in &a.edges[one as usize] {
            for two in b.edges[two as usize].iter().filter(|two| !two.label.disjoint(&one.label)) {
                from.push((enter((one.target.0, two.target.0), &mut pairs), [one.marks, two.marks]));
            }
        }
        edges.push(from);
        if pairs.len() > most {
            return None;
        }
    }
    let components = Components::of(pairs.len(), 0..roots, |node, i| Some(edges[node].get(i)?.0));
    let mut seen: Vec<Option<[Marks; 2]>> = vec![None; components.count];
    for (node, edges) in edges.iter().enumerate() {
        for (_, marks) in edges.iter().filter(|(target, _)| components.same(node, *target)) {
            let seen = seen[components.of[node] as usize].get_or_insert_default();
            *seen = [seen[0].union(marks[0]), seen[1].union(marks[1])];
        }
    }
    Some(!seen.contains(&Some([Marks::all(a.sets), Marks::all(b.sets)])))
}
