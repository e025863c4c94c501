//! Cells that no firing changes go, if what they hold lets everything happen: it always will. What a question
//! says of them is said of that number.

use super::draft::Draft;
use super::premise::Premise;

pub(super) fn reduce(draft: &mut Draft) -> u32 {
    let mut stays = draft.gone.clone();
    for link in &draft.links {
        let it = &link.firing;
        it.change().iter().for_each(|arc| stays[arc.0 as usize] = true);
        it.resets.iter().for_each(|&cell| stays[cell as usize] = true);
        for &(cell, need) in &it.needs {
            let enough = draft.initial[cell as usize] >= need;
            stays[cell as usize] |= !draft.given(Premise::ConstantEnough, enough);
        }
        for &(cell, few) in &it.inhibited {
            let allowed = draft.initial[cell as usize] < few;
            stays[cell as usize] |= !draft.given(Premise::ConstantAllowed, allowed);
        }
    }
    let cells: Vec<u32> = draft.cells().filter(|&cell| !stays[cell as usize]).collect();
    draft.remove_cells(&cells);
    cells.len() as u32
}
