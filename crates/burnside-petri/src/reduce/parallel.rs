//! Firings go that another one does as well: it needs no more, no more prevents it, and it does the same.
//! Then each marking still has the same ones after it.

use super::draft::{Draft, DraftFiring, weight};
use super::premise::Premise;
use crate::structure::Weights;
use std::collections::HashMap;

/// More of them are left alone.
const MOST_ALIKE: usize = 1_000;

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    let mut alike: HashMap<(Weights, Vec<u32>), Vec<usize>> = HashMap::new();
    for (number, link) in draft.links.iter().enumerate() {
        let it = &link.firing;
        let change = if draft.given(Premise::ParallelSame, false) { it.takes.clone() } else { it.change() };
        alike.entry((change, it.resets.clone())).or_default().push(number);
    }
    let mut goes = vec![false; draft.links.len()];
    for numbers in alike.into_values().filter(|numbers| numbers.len() <= MOST_ALIKE) {
        for &number in &numbers {
            let covers = |other: usize| other != number && !goes[other] && draft.covers(other, number);
            goes[number] = numbers.iter().any(|&other| covers(other));
        }
    }
    draft.retain_links(|number, _| !goes[number])
}

impl Draft {
    /// Whether the first can happen whenever the second can. Both change cells by the same numbers.
    fn covers(&self, first: usize, second: usize) -> bool {
        let (DraftFiring { firing: first, .. }, DraftFiring { firing: second, .. }) =
            (&self.links[first], &self.links[second]);
        let needs = first.needs.iter().all(|&(cell, need)| need <= weight(&second.needs, cell));
        let few = |&(cell, few): &(u32, i64)| {
            let other = weight(&second.inhibited, cell);
            other > 0 && other <= few
        };
        // Where cells are emptied in between it matters what is taken and what is given.
        let exact = first.resets.is_empty() || (first.takes == second.takes && first.gives == second.gives);
        exact
            && self.given(Premise::ParallelNeeds, needs)
            && self.given(Premise::ParallelInhibited, first.inhibited.iter().all(few))
    }
}
