//! What is said of a group of permutations: how many they are, and what they move.

use burnside_explicit::Canoniser;
use burnside_ts::{Symmetry, System};

/// Numbers with more bits are not written out: nobody could read them.
const MOST_BITS: f64 = 65_536.0;

/// How many permutations a group has: in digits, or about how many if the digits are too many.
pub fn order(system: &System, group: &Symmetry) -> String {
    let canoniser = Canoniser::new(system, group, true);
    let bits = canoniser.order_bits();
    if bits <= MOST_BITS {
        return canoniser.order().to_string();
    }
    format!("10^{:.0}", bits * std::f64::consts::LOG10_2)
}

/// The names of the types whose elements it moves.
pub fn moved<'s>(system: &'s System, group: &Symmetry) -> Vec<&'s str> {
    let sorts = system.types.sorts().filter(|(id, _)| group.moves(*id));
    sorts.map(|(_, sort)| sort.name.as_str()).collect()
}
