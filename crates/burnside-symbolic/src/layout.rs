//! Which variables stand for which bits of a state.
//!
//! Each bit of a state has two variables side by side, for its value before and after a step. The bits that
//! belong to one member of a family come together: those at one index of any array over a type, in the order
//! of the indices. What belongs to no member comes first.

use crate::store::{Bit, Out, Store};
use burnside_ts::{System, Type};

/// The variables of a system's states.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// By bit of the state: its value now.
    pub current: Vec<Bit>,
    /// By bit of the state: its value after a step.
    pub next: Vec<Bit>,
}

impl Layout {
    /// Adds the variables to a store.
    pub fn new(system: &System, store: &Store) -> Out<Self> {
        let start = store.add(2 * system.width)?.start;
        let zeros = vec![Bit(0); system.width as usize];
        let mut layout = Self { current: zeros.clone(), next: zeros };
        for (position, bit) in order(system).into_iter().enumerate() {
            layout.current[bit as usize] = Bit(start + 2 * position as u32);
            layout.next[bit as usize] = Bit(start + 2 * position as u32 + 1);
            store.group(&[layout.current[bit as usize], layout.next[bit as usize]]);
        }
        Ok(layout)
    }

    /// The state that a valuation is.
    pub fn state(&self, valuation: &[bool]) -> Box<[u64]> {
        let mut words = vec![0u64; self.current.len().div_ceil(64)];
        for (i, bit) in self.current.iter().enumerate() {
            words[i / 64] |= u64::from(valuation[bit.0 as usize]) << (i % 64);
        }
        words.into()
    }

    /// The values of the variables in a state.
    pub fn values(&self, state: &[u64]) -> impl Iterator<Item = (Bit, bool)> {
        self.current.iter().enumerate().map(|(i, &bit)| (bit, state[i / 64] >> (i % 64) & 1 == 1))
    }
}

/// The bits of a state, those of a member side by side.
fn order(system: &System) -> Vec<u32> {
    let types = &system.types;
    let mut families = Vec::new();
    let mut keys: Vec<((usize, u32), u32)> = Vec::new();
    for var in &system.vars {
        let bits = |from: u32, width: u32| from..from + width;
        match *types.get(var.ty) {
            Type::Array { index, element } => {
                let family = families.iter().position(|&known| known == index).unwrap_or_else(|| {
                    families.push(index);
                    families.len() - 1
                });
                let width = types.width(element);
                for i in 0..types.size(index).expect("an index type is numbered") as u32 {
                    let at = bits(var.offset + i * width, width);
                    keys.extend(at.map(|bit| ((family + 1, i), bit)));
                }
            }
            _ => keys.extend(bits(var.offset, types.width(var.ty)).map(|bit| ((0, 0), bit))),
        }
    }
    keys.sort_by_key(|&(member, _)| member);
    let mut order: Vec<u32> = keys.into_iter().map(|(_, bit)| bit).collect();
    // Bits that no variable uses, if there are some.
    let mut used = vec![false; system.width as usize];
    order.iter().for_each(|&bit| used[bit as usize] = true);
    order.extend((0..system.width).filter(|&bit| !used[bit as usize]));
    order
}
