//! Post-agglomeration: if all that take from a cell need nothing else, they can happen as soon as it gets
//! tokens. Each firing that gives to it becomes one for each of them, which does both, and the cell goes.
//!
//! Let `p` be the cell, empty at first, with givers `H`, takers `F`, all by the same number of tokens.
//! - *A step here is two there*: after an `h` its `f` can happen.
//! - *A run there is one here*: each `f` is moved back to just behind the `h` whose tokens it takes, and one
//!   is added behind each `h` whose tokens stay. That only makes cells fuller, earlier, in which tokens
//!   prevent nothing and which nobody empties, so all others can happen as before; and nobody sees what an
//!   `f` changes. An infinite run stays infinite, as at most one `f` belongs to each `h`.
//! - *Dead ends*: where `p` holds tokens an `f` can happen. Where it holds none, `h` can happen here iff
//!   there.
//! - *Choices*: with a single `f` nothing is decided by it, nor by when it happens: it commutes with all
//!   others, and there are no more of them than tokens in `p`. So the marking before it and the one after it
//!   have the same futures.

use super::draft::{Around, Draft, DraftFiring, added, without};
use super::premise::{Keep, Premise};
use super::series::{Sides, replace};

pub(super) fn reduce(draft: &mut Draft, most: usize) -> u32 {
    if !draft.given(Premise::PostKind, draft.keep != Keep::Steps) {
        return 0;
    }
    replace(draft, most, |draft, all, sides| {
        let composed = composed(draft, all, sides)?;
        Some((composed, None))
    })
}

fn composed(draft: &Draft, all: &[Around], sides: &Sides) -> Option<Vec<DraftFiring>> {
    let cell = sides.cell;
    let is_met = draft.given(Premise::PostUnobserved, !draft.observed[cell as usize])
        && draft.given(Premise::PostEmpty, draft.initial[cell as usize] == 0)
        && draft.given(Premise::PostDecided, draft.keep < Keep::Choices || sides.takers.len() == 1)
        && sides.takers.iter().all(|&taker| is_free(draft, all, cell, taker));
    if !is_met {
        return None;
    }
    let mut links = Vec::new();
    for &giver in &sides.givers {
        for &taker in &sides.takers {
            let (first, second) = (&draft.links[giver], &draft.links[taker]);
            let mut firing = first.firing.clone();
            firing.gives = added(&without(&firing.gives, cell), &second.firing.gives)?;
            links.push(DraftFiring {
                firing,
                stands_for: [&first.stands_for[..], &second.stands_for].concat(),
            });
        }
    }
    Some(links)
}

fn is_free(draft: &Draft, all: &[Around], cell: u32, taker: usize) -> bool {
    let it = &draft.links[taker].firing;
    let alone = it.needs.iter().all(|arc| arc.0 == cell) && it.inhibited.is_empty();
    let around = |arc: &(u32, i64)| &all[arc.0 as usize];
    it.resets.is_empty()
        && draft.given(Premise::PostAlone, alone)
        && it.gives.iter().all(|arc| draft.given(Premise::PostUnseen, !draft.observed[arc.0 as usize]))
        && it.gives.iter().map(around).all(|around| {
            let monotonic = around.inhibited.is_empty() && around.resetting.is_empty();
            draft.given(Premise::PostMonotonic, monotonic)
        })
}
