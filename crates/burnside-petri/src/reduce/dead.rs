//! Firings that can never happen go: of what they need there is never enough, or of what prevents them there
//! is never less.
//!
//! Which firings are possible is found from none on: a cell that no possible firing makes fuller holds at
//! most what it holds at first, one that none makes emptier at least that. What is impossible at the end was
//! so in every reachable marking, so no step is lost.

use super::draft::{Draft, weight};
use super::premise::Premise;

/// Longer chains of what makes what possible are left alone.
const MOST_ROUNDS: u32 = 1_000;

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    let (mut most, mut least): (Vec<Option<i64>>, Vec<i64>) =
        (draft.initial.iter().copied().map(Some).collect(), draft.initial.clone());
    let mut possible = vec![false; draft.links.len()];
    for _ in 0..MOST_ROUNDS {
        let mut changed = false;
        for (number, link) in draft.links.iter().enumerate() {
            let it = &link.firing;
            let enough = |&(cell, need): &(u32, i64)| most[cell as usize].is_none_or(|most| most >= need);
            let allowed = |&(cell, few): &(u32, i64)| least[cell as usize] < few;
            if possible[number] || !it.needs.iter().all(enough) || !it.inhibited.iter().all(allowed) {
                continue;
            }
            (possible[number], changed) = (true, true);
            let rises = it.gives.iter().filter(|&&(cell, given)| given > weight(&it.takes, cell));
            if !draft.given(Premise::DeadGiven, false) {
                rises.for_each(|arc| most[arc.0 as usize] = None);
            }
            let falls = it.takes.iter().filter(|&&(cell, taken)| taken > weight(&it.gives, cell));
            if !draft.given(Premise::DeadTaken, false) {
                falls.map(|arc| arc.0).chain(it.resets.iter().copied()).for_each(|it| least[it as usize] = 0);
            }
        }
        if !changed {
            return draft.retain_links(|number, _| possible[number]);
        }
    }
    0
}
