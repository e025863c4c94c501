//! Which variables stand for which bits of a state.
//!
//! Each bit of a state has two variables side by side, for its value before and after a step. The bits that
//! belong to one member of a family come together: those at one index of any array over a type, in the order
//! of the indices. What belongs to no member comes first.

use crate::store::{Bit, Out, Store};
use burnside_ts::{System, Type, TypeId, Types};

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

    /// The same, with the slots of each bag side by side, bit by bit, so that they can be compared and
    /// sorted; and the variables of some values more. Those of a value that may be in a bag are beside its
    /// slots, the others come first.
    pub fn with_values(system: &System, store: &Store, values: &[TypeId]) -> Out<(Self, Vec<Bit>)> {
        let types = &system.types;
        let mut order = order(system);
        let bags = bags(system);
        for bag in &bags {
            let first = order.iter().position(|&bit| bit == bag.first).expect("every bit is in the order");
            let bits =
                (0..bag.width).flat_map(|j| (0..bag.capacity).map(move |i| bag.first + i * bag.width + j));
            bits.enumerate().for_each(|(at, bit)| order[first + at] = bit);
        }
        let mut layout = Self { current: vec![Bit(0); order.len()], next: vec![Bit(0); order.len()] };
        let widths: Vec<u32> = values.iter().map(|&ty| types.width(ty)).collect();
        let mut others = vec![Bit(0); widths.iter().sum::<u32>() as usize];
        // By bit of the state: the bits of values that come before it.
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        let mut next = 0;
        for (&ty, &width) in values.iter().zip(&widths) {
            let bag = bags.iter().find(|bag| bag.element == ty);
            for j in 0..width {
                match bag {
                    Some(bag) => beside[(bag.first + j) as usize].push(next),
                    None => others[next] = Bit(store.add(1)?.start),
                }
                next += 1;
            }
        }
        for bit in order {
            for &other in &beside[bit as usize] {
                others[other] = Bit(store.add(1)?.start);
            }
            let start = store.add(2)?.start;
            layout.current[bit as usize] = Bit(start);
            layout.next[bit as usize] = Bit(start + 1);
            store.group(&[Bit(start), Bit(start + 1)]);
        }
        Ok((layout, others))
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

/// A bag in a state.
pub(crate) struct Bag {
    pub element: TypeId,
    pub capacity: u32,
    /// The first bit of the first slot.
    first: u32,
    /// Bits of a slot.
    pub width: u32,
}

/// The bags in the states of a system. Those in the slots of others, and those without bits, are left out.
pub(crate) fn bags(system: &System) -> Vec<Bag> {
    let mut bags = Vec::new();
    system.vars.iter().for_each(|var| find_bags(&system.types, var.ty, var.offset, &mut bags));
    bags.retain(|bag| bag.capacity * bag.width > 0);
    bags
}

/// The bags in a value at some bit.
fn find_bags(types: &Types, ty: TypeId, at: u32, out: &mut Vec<Bag>) {
    match *types.get(ty) {
        Type::Bag { capacity, element } => {
            let slots = types.slots(capacity, element);
            out.push(Bag { element, capacity, first: at + slots.offset(0), width: slots.slot });
        }
        Type::Option(inner) if !types.is_scalar(ty) => find_bags(types, inner, at + 1, out),
        Type::Record(id) => {
            types
                .record(id)
                .fields
                .iter()
                .for_each(|field| find_bags(types, field.ty, at + field.offset, out));
        }
        Type::Array { index, element } => {
            let size = types.size(index).expect("an index type is numbered") as u32;
            (0..size).for_each(|i| find_bags(types, element, at + i * types.width(element), out));
        }
        Type::Queue { capacity, element } => {
            let slots = types.slots(capacity, element);
            (0..capacity).for_each(|i| find_bags(types, element, at + slots.offset(i), out));
        }
        _ => {}
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
