//! Flags of majorities: which globals no reachable state has.
//!
//! Entry point: [`Majorities::possible`]. In a state that is reachable any two sets that are majorities have
//! a common member, and its word is among those that come with the globals of the state. So globals with two
//! true flags and no word in both sets are those of no reachable state, and nothing follows from them.

use crate::Needs;
use crate::layout::Layout;
use burnside_ts::System;

/// The flags of a family: bits of globals, and the bits of words that say who is in the set.
#[derive(Clone, Debug, Default)]
pub(crate) struct Majorities {
    flags: Vec<(u32, u32)>,
}

impl Majorities {
    /// The flags, as one instance has them; nothing if they are not there.
    pub(crate) fn new(system: &System, layout: &Layout, needs: &Needs) -> Option<Self> {
        let mut flags = Vec::new();
        for &(set, flag) in &needs.majorities {
            let (sets, truth) = (system.vars.get(set)?, system.vars.get(flag)?);
            let count = system.types.width(truth.ty);
            if system.types.width(sets.ty) != count * layout.size() {
                return None;
            }
            for i in 0..count {
                let flag = layout.global_bit(truth.offset + i)?;
                flags.push((flag, layout.set_bit(sets.offset + i * layout.size())?));
            }
        }
        Some(Self { flags })
    }

    /// Whether a reachable state can have these globals, if its members have some of these words.
    pub(crate) fn possible<'w>(
        &self,
        globals: &[u64],
        words: impl Iterator<Item = &'w [u64]> + Clone,
    ) -> bool {
        let is_set = |bits: &[u64], bit: u32| bits[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
        let sets: Vec<u32> =
            self.flags.iter().filter(|(flag, _)| is_set(globals, *flag)).map(|(_, set)| *set).collect();
        let meet = |a: u32, b: u32| words.clone().any(|word| is_set(word, a) && is_set(word, b));
        sets.iter().enumerate().all(|(i, &a)| sets[i..].iter().all(|&b| meet(a, b)))
    }
}
