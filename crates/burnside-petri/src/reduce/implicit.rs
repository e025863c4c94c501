//! Cells go that never prevent anything by themselves, and that nobody looks at: whenever all else that a
//! firing needs is there, so is what it needs of this cell. Then each marking still has the same steps.
//!
//! That is seen at once of a cell that nobody needs, of one that never falls and has enough at first, and of
//! one that follows another: it never falls by more than so many times what the other does. Else the state
//! equation may show it, whose proofs are verified. Each cell is judged with all others that are left.

use super::draft::{Around, Draft, weight};
use super::premise::Premise;
use crate::structure::{AtMost, Equation, Firing, Goal, Work};
use burnside_limits::poll;

/// Larger nets are not asked of the state equation.
const MOST_NUMBERS: usize = 400_000;

pub(super) fn reduce(draft: &mut Draft, work: &mut Work) -> u32 {
    let mut all = draft.around();
    let mut found = Vec::new();
    for cell in draft.cells().collect::<Vec<_>>() {
        poll();
        if !may_go(draft, &all[cell as usize], cell) || !is_implied(draft, &all, cell) {
            continue;
        }
        // What comes after it is judged without it.
        let Around { givers, needers, .. } = std::mem::take(&mut all[cell as usize]);
        for number in givers.into_iter().chain(needers) {
            let it = &mut draft.links[number].firing;
            for weights in [&mut it.needs, &mut it.takes, &mut it.gives] {
                weights.retain(|arc| arc.0 != cell);
            }
        }
        found.push(cell);
    }
    draft.remove_cells(&found);
    if found.is_empty() { by_equation(draft, &all, work) } else { found.len() as u32 }
}

fn may_go(draft: &Draft, around: &Around, cell: u32) -> bool {
    draft.given(Premise::ImplicitUnobserved, !draft.observed[cell as usize])
        && draft.given(Premise::ImplicitUninhibited, around.inhibited.is_empty())
        && around.resetting.is_empty()
}

fn change(it: &Firing, cell: u32) -> i64 {
    // Both are at least 0.
    weight(&it.gives, cell) - weight(&it.takes, cell)
}

/// Whether one cell, or none, implies this one.
fn is_implied(draft: &Draft, all: &[Around], cell: u32) -> bool {
    let around = &all[cell as usize];
    let firing = |number: &usize| &draft.links[*number].firing;
    let Some(first) = around.needers.first().map(firing) else { return true };
    let initial = draft.initial[cell as usize];
    let enough = around.needers.iter().map(firing).all(|it| weight(&it.needs, cell) <= initial);
    if enough && around.needers.iter().map(firing).all(|it| change(it, cell) >= 0) {
        return true;
    }
    first.needs.iter().any(|&(other, need)| {
        // The least factor with which the other may imply it.
        let factor = weight(&first.needs, cell).div_euclid(need).max(1);
        other != cell && follows(draft, all, (cell, other), factor).unwrap_or(false)
    })
}

/// Whether the first cell implies nothing that so many times the second does not. None if a number does not
/// fit.
fn follows(draft: &Draft, all: &[Around], (cell, other): (u32, u32), factor: i64) -> Option<bool> {
    let slack =
        draft.initial[cell as usize].checked_sub(draft.initial[other as usize].checked_mul(factor)?)?;
    if !all[other as usize].resetting.is_empty() {
        return Some(false);
    }
    let around = [&all[cell as usize], &all[other as usize]];
    let numbers = around.iter().flat_map(|it| it.needers.iter().chain(&it.givers));
    for &number in numbers {
        let it = &draft.links[number].firing;
        let follows = change(it, cell) >= change(it, other).checked_mul(factor)?;
        let need = weight(&it.needs, cell);
        let enough = need == 0 || need <= weight(&it.needs, other).checked_mul(factor)?.checked_add(slack)?;
        if !draft.given(Premise::ImplicitFollows, follows) || !draft.given(Premise::ImplicitEnough, enough) {
            return Some(false);
        }
    }
    Some(true)
}

/// At most one cell, as the equation is another one without it.
fn by_equation(draft: &mut Draft, all: &[Around], work: &mut Work) -> u32 {
    let cells: Vec<u32> = draft.cells().filter(|&cell| may_go(draft, &all[cell as usize], cell)).collect();
    if cells.is_empty() || draft.initial.len().saturating_mul(draft.links.len()) > MOST_NUMBERS {
        return 0;
    }
    let flat = draft.flat();
    let Some(equation) = Equation::of(&flat) else { return 0 };
    let is_implied = |&cell: &u32| {
        all[cell as usize].needers.iter().all(|&number| {
            let goal = lacking(&draft.links[number].firing, cell);
            let mut part = Work((work.0 / 8).min(100_000));
            let before = part.0;
            let refuted = equation.refute(&flat, &goal, &mut part).is_some();
            *work = Work(work.0.saturating_sub(before - part.0));
            refuted
        })
    };
    let found = cells.into_iter().find(is_implied);
    draft.remove_cells(found.as_slice());
    u32::from(found.is_some())
}

/// All that a firing needs is there but for one cell.
fn lacking(it: &Firing, cell: u32) -> Goal {
    let parts = it.needs.iter().map(|&(other, need)| {
        Goal::AtMost(match other == cell {
            true => AtMost { weights: vec![(cell, 1)], most: need - 1 },
            false => AtMost { weights: vec![(other, -1)], most: -need },
        })
    });
    Goal::All(parts.collect())
}
