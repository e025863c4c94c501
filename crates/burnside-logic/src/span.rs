//! Edges whose marks parallel edges have together.
//!
//! Entry points: [`drop_spanned`] for the edges of a state, [`drop_spanned_terms`] for the terms that edges
//! are made of. An edge is *spanned* by others with its source and target if, on each of its letters, there
//! is another one, and all its marks are on some of the others. It can go: a run that passes there infinitely
//! often can take the others in turn, and so has all of these marks infinitely often; a run that passes there
//! finitely often does not need them. So `G F a && G F b && …` has an edge for each operand and one more, not
//! one for each set of operands.
//!
//! What counts of parallel edges is thus, for each letter, whether there is one and the union of their marks.
//! Whoever builds a product can take this union, one edge for each target; [`crate::Form`] compares it. One
//! edge after the other is looked at, so that edges do not span each other in a circle. Says no where it is
//! too much work to see.

use crate::expand::Term;
use crate::normal::Id;
use crate::simulation::covered;
use crate::{Cube, Edge, Marks};
use burnside_limits::poll;

/// More parallel edges are left as they are.
const MOST: usize = 512;

/// Drops the edges of a state that others span.
pub(crate) fn drop_spanned(edges: &mut Vec<Edge>) {
    // Those with many marks first: they are the ones that others have together.
    edges.sort_by_key(|edge| (edge.target, Marks::MOST - edge.marks.count()));
    let old = std::mem::take(edges);
    for group in old.chunk_by(|a, b| a.target == b.target) {
        let mut group = group.to_vec();
        let mut next = 0;
        while (2..=MOST).contains(&group.len()) && next < group.len() {
            let edge = group.remove(next);
            if !is_spanned(&edge, &group) {
                group.insert(next, edge);
                next += 1;
            }
        }
        group.sort_unstable();
        edges.extend(group);
    }
}

/// Whether others to the same target have the letters of an edge, and on each of them its marks together.
fn is_spanned(edge: &Edge, others: &[Edge]) -> bool {
    poll();
    let by = |wanted: Marks| {
        let fit = others.iter().filter(|other| wanted.within(other.marks));
        let labels: Vec<&Cube> = fit.map(|other| &other.label).collect();
        covered(&edge.label, &labels, &mut 200)
    };
    match edge.marks {
        Marks(0) => by(Marks(0)),
        marks => marks.each().all(by),
    }
}

/// Drops the terms that others with the same rest span: what all those promise, the term promises.
///
/// If a term is spanned, it is still when the same is added to all.
pub(crate) fn drop_spanned_terms(terms: &mut Vec<Term>) {
    let mut order: Vec<usize> = (0..terms.len()).collect();
    order.sort_by_key(|&term| (terms[term].next, terms[term].promises.len(), term));
    let mut dropped = vec![false; terms.len()];
    for group in order.chunk_by(|&a, &b| terms[a].next == terms[b].next) {
        if (2..=MOST).contains(&group.len()) {
            for &term in group {
                let others = group.iter().filter(|&&other| other != term && !dropped[other]);
                dropped[term] = is_spanned_term(&terms[term], others.map(|&other| &terms[other]));
            }
        }
    }
    let mut dropped = dropped.into_iter();
    terms.retain(|_| !dropped.next().expect("one for each term"));
}

fn is_spanned_term<'t>(term: &Term, others: impl Iterator<Item = &'t Term>) -> bool {
    let mut shared: Option<Vec<Id>> = None;
    for other in others.filter(|other| term.cube.implies(&other.cube)) {
        // Only what the term does not promise itself has to be absent somewhere.
        let left: &mut Vec<Id> = shared.get_or_insert_with(|| {
            other.promises.iter().filter(|id| term.promises.binary_search(id).is_err()).copied().collect()
        });
        left.retain(|id| other.promises.binary_search(id).is_ok());
        if left.is_empty() {
            return true;
        }
    }
    false
}
