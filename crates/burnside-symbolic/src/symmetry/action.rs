//! How permutations act on all states at once: the bits of a moved state as sets of valuations of the bits of
//! the state.
//!
//! Entry points: [`Mover::state`], and [`Mover::proper`] for the valuations that are states. On states this
//! is `burnside_ts::Action`, case by case. What is no state is moved too, and so that two valuations never
//! become one, with one exception: the slots of a bag are sorted again, so bags that are not in order must be
//! left out by whoever inverts the action.

use crate::encode::uses;
use crate::space::Space;
use crate::store::{Out, Set, Store};
use crate::vector::{Int, at_most, same};
use burnside_limits::Stop;
use burnside_ts::{Action, Permutation, Record, Slots, System, Type, TypeId, Types};

/// One part in so many of the nodes that are left may be used for the bits of a moved state. Sorting bags of
/// wide elements takes more than anything that follows could be worth.
const SHARE: usize = 4;

/// The action of permutations on the bits of states.
pub(super) struct Mover<'s, 'e> {
    action: Action<'s>,
    types: &'s Types,
    store: &'e Store,
    /// Nodes that may be in use.
    limit: usize,
}

impl<'s, 'e> Mover<'s, 'e> {
    pub fn new(system: &'s System, store: &'e Store) -> Self {
        let limit = store.nodes() + (store.limit() - store.nodes().min(store.limit())) / SHARE;
        Self { action: Action::new(system), types: &system.types, store, limit }
    }

    /// One that may use all nodes.
    pub fn unlimited(system: &'s System, store: &'e Store) -> Self {
        Self { limit: store.limit(), ..Self::new(system, store) }
    }

    /// The bits of the state that some bits are, moved.
    pub fn state(&self, permutation: &Permutation, bits: &[Set]) -> Out<Vec<Set>> {
        let mut out = bits.to_vec();
        for var in &self.action.system().vars {
            let range = var.offset as usize..(var.offset + self.types.width(var.ty)) as usize;
            let moved = self.value(permutation, var.ty, &bits[range.clone()])?;
            out[range].clone_from_slice(&moved);
        }
        Ok(out)
    }

    /// Whether moving sorts something.
    pub fn sorts(&self) -> bool {
        self.action.system().vars.iter().any(|var| self.has_bag(var.ty))
    }

    /// Whether a permutation moves something in values of a type.
    pub fn moves(&self, permutation: &Permutation, ty: TypeId) -> bool {
        let moves = |images: &[u32]| images.iter().enumerate().any(|(i, &image)| i != image as usize);
        self.action.touches(ty)
            && self.types.sorts_in(ty).iter().any(|sort| moves(&permutation.images[sort.index()]))
    }

    fn has_bag(&self, ty: TypeId) -> bool {
        self.action.touches(ty)
            && match *self.types.get(ty) {
                Type::Bag { .. } => true,
                Type::Option(inner) | Type::Queue { element: inner, .. } => self.has_bag(inner),
                Type::Array { element, .. } => self.has_bag(element),
                Type::Record(id) => self.types.record(id).fields.iter().any(|field| self.has_bag(field.ty)),
                _ => false,
            }
    }

    /// The bits of the value that some bits are, moved.
    pub fn value(&self, permutation: &Permutation, ty: TypeId, bits: &[Set]) -> Out<Vec<Set>> {
        if !self.moves(permutation, ty) {
            return Ok(bits.to_vec());
        }
        match *self.types.get(ty) {
            Type::Option(inner) if !self.types.is_scalar(ty) => {
                let moved = self.value(permutation, inner, &bits[1..])?;
                let mut out = vec![bits[0].clone()];
                out.extend(chosen(&bits[0], &moved, &bits[1..])?);
                Ok(out)
            }
            Type::Record(id) => {
                let parts = self.types.record(id).fields.iter().map(|field| {
                    let width = self.types.width(field.ty) as usize;
                    self.value(permutation, field.ty, &bits[field.offset as usize..][..width])
                });
                Ok(parts.collect::<Out<Vec<_>>>()?.concat())
            }
            Type::Array { index, element } => self.array(permutation, (index, element), bits),
            Type::Set(element) => {
                let mut out = bits.to_vec();
                for (i, bit) in bits.iter().enumerate() {
                    out[self.action.number(permutation, element, i as u64) as usize] = bit.clone();
                }
                Ok(out)
            }
            Type::Queue { capacity, element } => {
                let slots = self.types.slots(capacity, element);
                self.slots(permutation, slots, element, bits)
            }
            Type::Bag { capacity, element } => {
                let slots = self.types.slots(capacity, element);
                let moved = self.slots(permutation, slots, element, bits)?;
                self.sorted(slots, &moved)
            }
            _ => self.code(permutation, ty, bits),
        }
    }

    fn array(
        &self,
        permutation: &Permutation,
        (index, element): (TypeId, TypeId),
        bits: &[Set],
    ) -> Out<Vec<Set>> {
        let width = self.types.width(element) as usize;
        let mut out = bits.to_vec();
        for i in 0..self.size(index) as usize {
            let j = self.action.number(permutation, index, i as u64) as usize;
            let moved = self.value(permutation, element, &bits[i * width..][..width])?;
            out[j * width..][..width].clone_from_slice(&moved);
        }
        Ok(out)
    }

    /// Moves what is in the slots in use.
    fn slots(&self, permutation: &Permutation, slots: Slots, element: TypeId, bits: &[Set]) -> Out<Vec<Set>> {
        let mut out = bits[..slots.length as usize].to_vec();
        for i in 0..slots.capacity {
            let slot = slot(slots, bits, i);
            let moved = self.value(permutation, element, slot)?;
            out.extend(chosen(&self.used(slots, bits, i)?, &moved, slot)?);
        }
        Ok(out)
    }

    /// Puts the slots in use in order, each in turn among those before it.
    fn sorted(&self, slots: Slots, bits: &[Set]) -> Out<Vec<Set>> {
        let capacity = slots.capacity as usize;
        let mut order = vec![vec![self.store.none(); slots.slot as usize]; capacity];
        for i in 0..capacity {
            let (element, used) = (slot(slots, bits, i as u32), self.used(slots, bits, i as u32)?);
            let mut stayed = self.store.all();
            let mut inserted = Vec::with_capacity(i + 1);
            for (j, here) in order[..=i].iter().enumerate() {
                let stays = if j < i { at_most(self.store, here, element)? } else { self.store.none() };
                let moved = match j.checked_sub(1) {
                    Some(below) => chosen(&stayed, element, &order[below])?,
                    None => element.to_vec(),
                };
                self.room()?;
                inserted.push(chosen(&used, &chosen(&stays, here, &moved)?, here)?);
                stayed = stays;
            }
            order[..=i].clone_from_slice(&inserted);
        }
        Ok([bits[..slots.length as usize].to_vec(), order.concat()].concat())
    }

    fn room(&self) -> Out<()> {
        self.store.poll()?;
        let over = self.store.nodes() > self.limit && self.store.collect() > self.limit;
        if over { Err(Stop::Nodes(self.limit as u64)) } else { Ok(()) }
    }

    /// Where a queue or bag has more than `i` elements.
    fn used(&self, slots: Slots, bits: &[Set], i: u32) -> Out<Set> {
        let length = Int::code(self.store, bits[..slots.length as usize].to_vec());
        Int::constant(self.store, i128::from(i)).less(self.store, &length)
    }

    /// The number of a value, moved: each that moves becomes another; all others stay, those that are no
    /// values included.
    pub fn code(&self, permutation: &Permutation, ty: TypeId, bits: &[Set]) -> Out<Vec<Set>> {
        let code = Int::code(self.store, bits.to_vec());
        let mut out = bits.to_vec();
        for number in 0..self.size(ty) {
            let image = self.action.number(permutation, ty, number);
            if image == number {
                continue;
            }
            let here = code.is(self.store, i128::from(number))?;
            for (i, bit) in out.iter_mut().enumerate() {
                *bit = here.choose(&self.store.constant(image >> i & 1 == 1), bit)?;
            }
        }
        Ok(out)
    }

    /// Where some bits are a state: each code is one of its type, and equal values have equal bits.
    pub fn proper(&self, bits: &[Set]) -> Out<Set> {
        self.action.system().vars.iter().try_fold(self.store.all(), |set, var| {
            let width = self.types.width(var.ty) as usize;
            set.and(&self.is_value(var.ty, &bits[var.offset as usize..][..width])?)
        })
    }

    /// Where some bits are a value of a type.
    pub fn is_value(&self, ty: TypeId, bits: &[Set]) -> Out<Set> {
        match *self.types.get(ty) {
            Type::Option(inner) if !self.types.is_scalar(ty) => {
                bits[0].choose(&self.is_value(inner, &bits[1..])?, &self.is_zero(&bits[1..])?)
            }
            Type::Record(id) if !self.types.record(id).cases.is_empty() => {
                self.is_union(self.types.record(id), bits)
            }
            Type::Record(id) => {
                self.types.record(id).fields.iter().try_fold(self.store.all(), |set, field| {
                    let width = self.types.width(field.ty) as usize;
                    set.and(&self.is_value(field.ty, &bits[field.offset as usize..][..width])?)
                })
            }
            Type::Array { index, element } => {
                let width = self.types.width(element) as usize;
                (0..self.size(index) as usize).try_fold(self.store.all(), |set, i| {
                    set.and(&self.is_value(element, &bits[i * width..][..width])?)
                })
            }
            Type::Set(_) => Ok(self.store.all()),
            Type::Queue { capacity, element } => self.are_slots(capacity, element, bits, false),
            Type::Bag { capacity, element } => self.are_slots(capacity, element, bits, true),
            _ => self.at_most(bits, self.size(ty) - 1),
        }
    }

    /// Where some bits are a value of a union: there is something in the fields that its case uses, and
    /// nothing in the others.
    fn is_union(&self, record: &Record, bits: &[Set]) -> Out<Set> {
        let tag = &bits[..self.types.width(record.fields[0].ty) as usize];
        let mut set = self.at_most(tag, record.cases.len() as u64 - 1)?;
        let tag = Int::code(self.store, tag.to_vec());
        for (position, field) in (0..).zip(&record.fields).skip(1) {
            let here = &bits[field.offset as usize..][..self.types.width(field.ty) as usize];
            let (used, filled) = uses(self.store, record, &tag, position)?;
            let zero = self.is_zero(here)?;
            set = set.and(&used.choose(&self.is_value(field.ty, here)?, &zero)?)?;
            set = set.and(&filled.not().or(&zero.not())?)?;
        }
        Ok(set)
    }

    fn are_slots(&self, capacity: u32, element: TypeId, bits: &[Set], ascending: bool) -> Out<Set> {
        let slots = self.types.slots(capacity, element);
        let mut set = self.at_most(&bits[..slots.length as usize], u64::from(capacity))?;
        for i in 0..capacity {
            let here = slot(slots, bits, i);
            let used = self.used(slots, bits, i)?;
            set = set.and(&used.choose(&self.is_value(element, here)?, &self.is_zero(here)?)?)?;
            if ascending && i > 0 {
                let order = at_most(self.store, slot(slots, bits, i - 1), here)?;
                set = set.and(&order.or(&used.not())?)?;
            }
        }
        Ok(set)
    }

    fn at_most(&self, bits: &[Set], greatest: u64) -> Out<Set> {
        Int::code(self.store, bits.to_vec()).within(self.store, 0, i128::from(greatest))
    }

    fn is_zero(&self, bits: &[Set]) -> Out<Set> {
        same(self.store, bits, &vec![self.store.none(); bits.len()])
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.types.size(ty).expect("scalars and indices are numbered")
    }
}

/// All states that there could be, reachable or not: the valuations of the bits of a state that are one.
pub fn states(space: &Space<'_>) -> Out<Set> {
    let bits: Vec<Set> = space.layout.current.iter().map(|&bit| space.store.bit(bit)).collect();
    Mover::new(space.system, &space.store).proper(&bits)
}

fn slot(slots: Slots, bits: &[Set], i: u32) -> &[Set] {
    &bits[slots.offset(i) as usize..][..slots.slot as usize]
}

/// Bit by bit the first where the condition is true, the second elsewhere.
fn chosen(condition: &Set, yes: &[Set], no: &[Set]) -> Out<Vec<Set>> {
    yes.iter().zip(no).map(|(yes, no)| condition.choose(yes, no)).collect()
}
