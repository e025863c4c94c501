//! What is said of a group of motions: how many they are, and what they move.

use burnside::explicit::Canoniser;
use burnside::perm::Natural;
use burnside::ts::{Symmetry, System};

/// How many motions a group has.
pub fn order(system: &System, group: &Symmetry) -> Natural {
    Canoniser::new(system, group, true).order()
}

/// The names of the types whose elements it moves.
pub fn moved<'s>(system: &'s System, group: &Symmetry) -> Vec<&'s str> {
    let sorts = system.types.sorts().filter(|(id, _)| group.moves(*id));
    sorts.map(|(_, sort)| sort.name.as_str()).collect()
}
