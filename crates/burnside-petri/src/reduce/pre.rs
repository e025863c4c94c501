//! Pre-agglomeration: if all that give to a cell do nothing else that shows, they can wait until somebody
//! takes from it. Each firing that takes from it becomes one for each of them, which does both, and the cell
//! goes.
//!
//! Let `p` be the cell, empty at first, with givers `H`, takers `F`, all by the same number of tokens.
//! - *A step here is two there*: first `h`, then `f`.
//! - *A run there is one here*: each `h` is moved forward to just before the `f` that takes its tokens, or
//!   left out if nobody does. That leaves more tokens in the cells that it takes from, in which tokens
//!   prevent
//!   nothing and which nobody empties; what it takes is still there then, since nobody else got it before
//!   either; and nobody sees what an `h` changes. So the markings are the same for who looks.
//! - *Infinite runs* stay infinite, since each `h` takes tokens that others, not of `H`, must have given.
//! - *Dead ends*: if nobody but `H` needs what `H` takes, then a marking is dead here iff the one that comes
//!   of it there when no `h` can happen any more is: others are as possible as before, and if an `f` could
//!   happen there, it could here with its `h`. The other way, a dead marking there with tokens in `p` comes
//!   of one here in which their `h` have not happened.

use super::draft::{Around, Draft, DraftFiring, added, without};
use super::premise::{Keep, Premise};
use super::series::{Sides, replace};

pub(super) fn reduce(draft: &mut Draft, most: usize) -> u32 {
    if !draft.given(Premise::PreKind, draft.keep < Keep::Choices) {
        return 0;
    }
    replace(draft, most, |draft, all, sides| {
        let composed = composed(draft, all, sides)?;
        let givers = sides.givers.iter().map(|&giver| draft.links[giver].stands_for.clone());
        Some((composed, Some(givers.collect())))
    })
}

fn composed(draft: &Draft, all: &[Around], sides: &Sides) -> Option<Vec<DraftFiring>> {
    let cell = sides.cell;
    let is_met = draft.given(Premise::PreUnobserved, !draft.observed[cell as usize])
        && draft.given(Premise::PreEmpty, draft.initial[cell as usize] == 0)
        && sides.givers.iter().all(|&giver| can_wait(draft, all, sides, giver));
    if !is_met {
        return None;
    }
    let mut links = Vec::new();
    for &giver in &sides.givers {
        for &taker in &sides.takers {
            let (first, second) = (&draft.links[giver], &draft.links[taker]);
            let mut firing = second.firing.clone();
            firing.needs = added(&without(&firing.needs, cell), &first.firing.needs)?;
            firing.takes = added(&without(&firing.takes, cell), &first.firing.takes)?;
            links.push(DraftFiring {
                firing,
                stands_for: [&first.stands_for[..], &second.stands_for].concat(),
            });
        }
    }
    Some(links)
}

fn can_wait(draft: &Draft, all: &[Around], sides: &Sides, giver: usize) -> bool {
    let it = &draft.links[giver].firing;
    let dead_ends = draft.keep != Keep::Markings;
    let own = |around: &Around| around.needers.iter().all(|other| sides.givers.contains(other));
    it.resets.is_empty()
        && it.inhibited.is_empty()
        && draft.given(Premise::PreAlone, it.gives.len() == 1)
        && draft.given(Premise::PreTaken, it.needs == it.takes)
        && draft.given(Premise::PreSomething, !dead_ends || !it.takes.is_empty())
        && it.takes.iter().all(|&(taken, _)| {
            let around = &all[taken as usize];
            let monotonic = around.inhibited.is_empty() && around.resetting.is_empty();
            draft.given(Premise::PreUnseen, !draft.observed[taken as usize])
                && draft.given(Premise::PreMonotonic, monotonic)
                && draft.given(Premise::PreOwn, !dead_ends || own(around))
        })
}
