//! What of a group pays: found out by one search, used by all.
//!
//! Entry point: [`WeighedGroup`]. A search that ends because a part of its group does not pay is begun again
//! with the rest, until all that is left pays: each time the group becomes smaller. Searches of other
//! properties with the same group begin with that rest.

use super::Explicit;
use burnside_engine::{Answer, Symmetry as Reduction, Weighed};
use burnside_ts::{SortId, Symmetry};

/// A part of a group that does not pay.
#[derive(PartialEq)]
pub(super) struct GivenUp {
    group: Symmetry,
    /// How many orbits were known when that was found out.
    orbits: u64,
    /// The group without it.
    rest: Symmetry,
}

/// A group, what of it is used, and why it is not all.
pub(super) struct WeighedGroup {
    pub whole: Symmetry,
    pub used: Symmetry,
    pub weighed: Option<Weighed>,
}

impl From<Symmetry> for WeighedGroup {
    fn from(whole: Symmetry) -> Self {
        Self { used: whole.clone(), whole, weighed: None }
    }
}

impl Explicit<'_> {
    /// What of a group is to be used, as far as it is known, if members of some sorts are tracked.
    pub(super) fn worthwhile(&self, whole: &Symmetry, tracked: &[SortId]) -> WeighedGroup {
        let mut group = WeighedGroup::from(whole.clone());
        while let Some((orbits, rest)) = self.known_rest(&group.used, tracked) {
            self.use_rest(&mut group, orbits, rest);
        }
        group
    }

    /// What is known to be left of a group that does not pay, and after how many orbits. Of sorts that are
    /// tracked nothing was given up for it.
    pub(super) fn known_rest(&self, group: &Symmetry, tracked: &[SortId]) -> Option<(u64, Symmetry)> {
        let given_up = self.given_up.borrow();
        let keeps = |rest: &Symmetry| {
            tracked.iter().all(|sort| rest.sorts[sort.index()] == group.sorts[sort.index()])
        };
        let known = given_up.iter().find(|known| known.group == *group && keeps(&known.rest))?;
        Some((known.orbits, known.rest.clone()))
    }

    /// A search found that a part of its group does not pay.
    pub(super) fn give_up(&self, group: &mut WeighedGroup, orbits: u64, rest: Symmetry) {
        let known = GivenUp { group: group.used.clone(), orbits, rest: rest.clone() };
        let mut given_up = self.given_up.borrow_mut();
        if !given_up.contains(&known) {
            given_up.push(known);
        }
        drop(given_up);
        self.use_rest(group, orbits, rest);
    }

    fn use_rest(&self, group: &mut WeighedGroup, orbits: u64, rest: Symmetry) {
        let all = self.system.types.sorts().zip(group.whole.sorts.iter().zip(&rest.sorts));
        let sorts = all.filter(|(_, (all, left))| all != left).map(|((_, sort), _)| sort.name.clone());
        group.weighed = Some(Weighed::NotWorthwhile { orbits, sorts: sorts.collect() });
        group.used = rest;
    }

    /// Says in an answer what of the group was used, and whether a state was too hard, after so much work.
    pub(super) fn tell(&self, answer: &mut Answer, group: &WeighedGroup, too_hard: Option<u64>) {
        answer.group.clone_from(&group.used);
        answer.symmetry = if too_hard.is_some() { Reduction::Fast } else { self.reduction(&group.used) };
        answer.weighed = group.weighed.clone().or(too_hard.map(|work| Weighed::TooHard { work }));
    }
}
