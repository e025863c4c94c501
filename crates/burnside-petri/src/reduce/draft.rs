//! A net on its way to a smaller one: what is left of its cells and firings, and what each firing stands for.
//!
//! Invariant: every firing that is left stands for a sequence of firings of the net without colours, which
//! can happen there, one after the other, whenever it can happen here. Cells that are gone never prevent
//! that.

use super::premise::{Keep, Premise};
use crate::structure::{Firing, Flat, Weights};
use std::collections::BTreeMap;

/// A firing that is left.
#[derive(Clone, Debug)]
pub(super) struct DraftFiring {
    /// What it needs and does.
    pub firing: Firing,
    /// The firings of the net without colours that it stands for, in order.
    pub stands_for: Vec<u32>,
}

/// What is left of a net.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// What must stay as it is.
    pub keep: Keep,
    /// By cell, the tokens at first.
    pub initial: Vec<i64>,
    /// By cell, whether the question looks at it.
    pub observed: Vec<bool>,
    /// By cell, whether it is gone.
    pub gone: Vec<bool>,
    /// The firings that are left.
    pub links: Vec<DraftFiring>,
    /// What was put off until others happen, by the order in which it was: to be done at a dead end.
    pub postponed: Vec<Vec<Vec<u32>>>,
    /// A premise that counts as met, whether it is or not.
    pub without: Option<Premise>,
}

/// The firings around a cell, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    /// They give to it.
    pub givers: Vec<usize>,
    /// They need tokens there, which they may take.
    pub needers: Vec<usize>,
    /// Tokens there may prevent them.
    pub inhibited: Vec<usize>,
    /// They empty it.
    pub resetting: Vec<usize>,
}

impl Draft {
    /// All of a net.
    pub fn of(flat: &Flat, keep: Keep, observed: Vec<bool>, without: Option<Premise>) -> Self {
        let link = |(number, firing): (usize, &Firing)| DraftFiring {
            firing: firing.clone(),
            stands_for: vec![number as u32],
        };
        Self {
            keep,
            initial: flat.initial.clone(),
            observed,
            gone: vec![false; flat.initial.len()],
            links: flat.firings.iter().enumerate().map(link).collect(),
            postponed: Vec::new(),
            without,
        }
    }

    /// Whether a premise may be relied on.
    pub fn given(&self, premise: Premise, is_met: bool) -> bool {
        is_met || self.without == Some(premise)
    }

    /// The cells that are left.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        let left = self.gone.iter().enumerate().filter(|(_, gone)| !**gone);
        left.map(|(cell, _)| cell as u32)
    }

    /// By cell, the firings around it.
    pub fn around(&self) -> Vec<Around> {
        let mut all = vec![Around::default(); self.initial.len()];
        (0..self.links.len()).for_each(|number| self.note(&mut all, number));
        all
    }

    /// Adds a firing to those around its cells.
    pub fn note(&self, all: &mut [Around], number: usize) {
        let it = &self.links[number].firing;
        it.gives.iter().for_each(|arc| all[arc.0 as usize].givers.push(number));
        it.needs.iter().for_each(|arc| all[arc.0 as usize].needers.push(number));
        it.inhibited.iter().for_each(|arc| all[arc.0 as usize].inhibited.push(number));
        it.resets.iter().for_each(|&cell| all[cell as usize].resetting.push(number));
    }

    /// Takes a firing away from those around its cells.
    pub fn forget(&self, all: &mut [Around], number: usize) {
        let it = &self.links[number].firing;
        it.gives.iter().for_each(|arc| all[arc.0 as usize].givers.retain(|other| *other != number));
        it.needs.iter().for_each(|arc| all[arc.0 as usize].needers.retain(|other| *other != number));
        it.inhibited.iter().for_each(|arc| all[arc.0 as usize].inhibited.retain(|other| *other != number));
        it.resets.iter().for_each(|&cell| all[cell as usize].resetting.retain(|other| *other != number));
    }

    /// Takes cells out, with all arcs to them.
    pub fn remove_cells(&mut self, cells: &[u32]) {
        cells.iter().for_each(|&cell| self.gone[cell as usize] = true);
        let gone = &self.gone;
        for link in &mut self.links {
            let it = &mut link.firing;
            for weights in [&mut it.needs, &mut it.inhibited, &mut it.takes, &mut it.gives] {
                weights.retain(|arc| !gone[arc.0 as usize]);
            }
            it.resets.retain(|&cell| !gone[cell as usize]);
        }
    }

    /// Leaves only firings that are chosen, by their number. How many others there were.
    pub fn retain_links(&mut self, mut stays: impl FnMut(usize, &DraftFiring) -> bool) -> u32 {
        let (before, mut number) = (self.links.len(), 0);
        self.links.retain(|link| {
            number += 1;
            stays(number - 1, link)
        });
        (before - self.links.len()) as u32
    }

    /// The net as one without colours.
    pub fn flat(&self) -> Flat {
        Flat::plain(self.initial.clone(), self.links.iter().map(|link| link.firing.clone()).collect())
    }
}

/// The weight of a cell, 0 if there is none.
pub(super) fn weight(weights: &Weights, cell: u32) -> i64 {
    weights.binary_search_by_key(&cell, |arc| arc.0).map_or(0, |at| weights[at].1)
}

/// The sum of two lists of weights. None where one does not fit.
pub(super) fn added(first: &Weights, second: &Weights) -> Option<Weights> {
    let mut sums: BTreeMap<u32, i64> = first.iter().copied().collect();
    for &(cell, weight) in second {
        let sum = sums.entry(cell).or_default();
        *sum = sum.checked_add(weight)?;
    }
    Some(sums.into_iter().collect())
}

/// The weights of all cells but one.
pub(super) fn without(weights: &Weights, cell: u32) -> Weights {
    weights.iter().copied().filter(|arc| arc.0 != cell).collect()
}
