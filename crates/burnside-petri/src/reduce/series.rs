//! A cell between firings that give to it and firings that take from it: what the two agglomerations share.
//!
//! Entry point: [`replace`]. All of them move the same number of tokens, none does both, none only looks, and
//! the cell neither prevents nor is emptied.

use super::draft::{Around, Draft, DraftFiring, weight};
use burnside_limits::poll;

/// Cells with more firings around them are left alone.
const MOST_AROUND: usize = 64;

/// A cell with its givers and takers.
#[derive(Clone, Debug)]
pub(super) struct Sides {
    pub cell: u32,
    pub givers: Vec<usize>,
    pub takers: Vec<usize>,
}

/// What comes instead of givers and takers, and what was put off by it.
type Instead = (Vec<DraftFiring>, Option<Vec<Vec<u32>>>);

/// Replaces the firings around cells by others, one cell after the other, as long as there are not more
/// firings than so many. How many cells went.
pub(super) fn replace(
    draft: &mut Draft,
    most: usize,
    instead: impl Fn(&Draft, &[Around], &Sides) -> Option<Instead>,
) -> u32 {
    let mut all = draft.around();
    let mut replaced = vec![false; draft.links.len()];
    let (mut count, mut left) = (0, draft.links.len());
    for cell in draft.cells().collect::<Vec<_>>() {
        poll();
        let Some(sides) = sides(draft, &all[cell as usize], cell) else { continue };
        let [givers, takers] = [sides.givers.len(), sides.takers.len()];
        let (before, after) = (givers + takers, givers * takers);
        if left + after > most + before || after > before.max(MOST_AROUND) {
            continue;
        }
        let Some((links, postponed)) = instead(draft, &all, &sides) else { continue };
        for number in sides.givers.into_iter().chain(sides.takers) {
            draft.forget(&mut all, number);
            replaced[number] = true;
        }
        for link in links {
            draft.links.push(link);
            draft.note(&mut all, replaced.len());
            replaced.push(false);
        }
        draft.gone[cell as usize] = true;
        draft.postponed.extend(postponed);
        (count, left) = (count + 1, left + after - before);
    }
    draft.retain_links(|number, _| !replaced[number]);
    count
}

fn sides(draft: &Draft, around: &Around, cell: u32) -> Option<Sides> {
    let Around { givers, needers, inhibited, resetting } = around;
    let few = givers.len() + needers.len() <= MOST_AROUND;
    if !few || givers.is_empty() || needers.is_empty() || !inhibited.is_empty() || !resetting.is_empty() {
        return None;
    }
    let firing = |number: &usize| &draft.links[*number].firing;
    let tokens = weight(&firing(&givers[0]).gives, cell);
    let given = givers.iter().map(firing).all(|it| weight(&it.gives, cell) == tokens);
    let taken = needers.iter().map(firing).all(|it| {
        [&it.needs, &it.takes].iter().all(|weights| weight(weights, cell) == tokens)
            && weight(&it.gives, cell) == 0
    });
    (given && taken).then(|| Sides { cell, givers: givers.clone(), takers: needers.clone() })
}
