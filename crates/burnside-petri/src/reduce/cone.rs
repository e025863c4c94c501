//! What has nothing to do with what is asked goes, where only markings matter. What changes a cell that
//! matters matters, and so do the cells that it depends on. What is left depends on nothing that goes, and
//! what goes changes nothing that is left.

use super::draft::Draft;
use super::premise::{Keep, Premise};

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    if !draft.given(Premise::ConeKind, draft.keep == Keep::Markings) {
        return 0;
    }
    let mut changing: Vec<Vec<usize>> = vec![Vec::new(); draft.initial.len()];
    for (number, link) in draft.links.iter().enumerate() {
        let it = &link.firing;
        let cells = it.change().into_iter().map(|arc| arc.0).chain(it.resets.iter().copied());
        cells.for_each(|cell| changing[cell as usize].push(number));
    }
    let (mut cells, mut links) = (draft.observed.clone(), vec![false; draft.links.len()]);
    let mut open: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell]).collect();
    while let Some(cell) = open.pop() {
        for &number in &changing[cell] {
            if std::mem::replace(&mut links[number], true) {
                continue;
            }
            let it = &draft.links[number].firing;
            for &(other, _) in it.needs.iter().chain(&it.inhibited) {
                let counts = !draft.given(Premise::ConeNeeds, false);
                if counts && !std::mem::replace(&mut cells[other as usize], true) {
                    open.push(other as usize);
                }
            }
        }
    }
    let goes: Vec<u32> = draft.cells().filter(|&cell| !cells[cell as usize]).collect();
    let firings = draft.retain_links(|number, _| links[number]);
    draft.remove_cells(&goes);
    firings + goes.len() as u32
}
