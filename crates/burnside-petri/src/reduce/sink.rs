//! Firings that only take away what nobody looks at go, where only markings matter. Without them there are
//! more tokens in cells where tokens prevent nothing, so whatever happened with them can happen without them.

use super::draft::Draft;
use super::premise::{Keep, Premise};

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    if !draft.given(Premise::SinkKind, draft.keep == Keep::Markings) {
        return 0;
    }
    let mut inhibiting = vec![false; draft.initial.len()];
    let inhibited = draft.links.iter().flat_map(|link| &link.firing.inhibited);
    inhibited.for_each(|arc| inhibiting[arc.0 as usize] = true);
    let is_free = |draft: &Draft, cell: u32| {
        draft.given(Premise::SinkUnobserved, !draft.observed[cell as usize])
            && draft.given(Premise::SinkUninhibited, !inhibiting[cell as usize])
    };
    let goes: Vec<bool> = draft
        .links
        .iter()
        .map(|link| {
            let change = link.firing.change();
            let cells = change.iter().map(|arc| arc.0).chain(link.firing.resets.iter().copied());
            // What is emptied and then filled may hold more than before.
            let falls = change.iter().all(|arc| arc.1 < 0)
                && link.firing.resets.iter().all(|&cell| super::draft::weight(&link.firing.gives, cell) == 0);
            falls && cells.clone().next().is_some() && cells.clone().all(|cell| is_free(draft, cell))
        })
        .collect();
    draft.retain_links(|number, _| !goes[number])
}
