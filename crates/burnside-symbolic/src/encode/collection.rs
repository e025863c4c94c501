//! Sets, queues and bags on all states at once. Their bits stay canonical: equal collections have equal bits.

use super::Executor;
use crate::store::{Out, Set};
use crate::vector::{Int, at_most, same};
use burnside_ts::{Slots, Type, TypeId};

/// A changed queue or bag, and where it cannot be changed like that.
pub(super) type Changed = (Vec<Set>, Set);

impl Executor<'_, '_> {
    /// The layout of a queue or bag.
    pub(super) fn layout(&self, ty: TypeId) -> Slots {
        match *self.system.types.get(ty) {
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                self.system.types.slots(capacity, element)
            }
            _ => unreachable!("only queues and bags have slots"),
        }
    }

    /// How many elements a collection has.
    pub(super) fn size(&self, ty: TypeId, bits: &[Set]) -> Out<Int> {
        if let Type::Set(_) = self.system.types.get(ty) {
            return bits.iter().try_fold(self.constant(0), |sum, bit| {
                sum.plus(self.store, &Int::truth(self.store, bit.clone()))
            });
        }
        Ok(Int::code(self.store, bits[..self.layout(ty).length as usize].to_vec()))
    }

    /// Where a queue or bag has more than `i` elements.
    pub(super) fn longer(&self, ty: TypeId, bits: &[Set], i: u32) -> Out<Set> {
        self.constant(i64::from(i)).less(self.store, &self.size(ty, bits)?)
    }

    /// How often a queue or bag holds an element.
    pub(super) fn occurrences(&self, ty: TypeId, bits: &[Set], element: &[Set]) -> Out<Int> {
        let matches = self.matches(ty, bits, element)?;
        matches
            .into_iter()
            .try_fold(self.constant(0), |sum, here| sum.plus(self.store, &Int::truth(self.store, here)))
    }

    /// By slot: where it is in use and holds an element.
    fn matches(&self, ty: TypeId, bits: &[Set], element: &[Set]) -> Out<Vec<Set>> {
        let slots = self.slots(ty, bits);
        let here = |(i, slot): (usize, &Vec<Set>)| {
            same(self.store, slot, element)?.and(&self.longer(ty, bits, i as u32)?)
        };
        slots.iter().enumerate().map(here).collect()
    }

    pub(super) fn slots(&self, ty: TypeId, bits: &[Set]) -> Vec<Vec<Set>> {
        let slots = self.layout(ty);
        (0..slots.capacity)
            .map(|i| bits[slots.offset(i) as usize..][..slots.slot as usize].to_vec())
            .collect()
    }

    /// The bits of a queue or bag with these slots and with so many elements more.
    fn assembled(&self, ty: TypeId, bits: &[Set], more: i64, slots: Vec<Vec<Set>>) -> Out<Vec<Set>> {
        let length = self.size(ty, bits)?.plus(self.store, &self.constant(more))?;
        let mut out = length.low(self.layout(ty).length);
        out.extend(slots.into_iter().flatten());
        Ok(out)
    }

    fn is_full(&self, ty: TypeId, bits: &[Set]) -> Out<Set> {
        self.size(ty, bits)?.is(self.store, i128::from(self.layout(ty).capacity))
    }

    /// A queue with an element more at its back.
    pub(super) fn pushed(&self, ty: TypeId, bits: &[Set], element: &[Set]) -> Out<Changed> {
        let length = self.size(ty, bits)?;
        let mut slots = self.slots(ty, bits);
        for (i, slot) in slots.iter_mut().enumerate() {
            let here = length.is(self.store, i as i128)?;
            *slot = chosen(&here, element, slot)?;
        }
        Ok((self.assembled(ty, bits, 1, slots)?, self.is_full(ty, bits)?))
    }

    /// A queue without its front.
    pub(super) fn popped(&self, ty: TypeId, bits: &[Set]) -> Out<Changed> {
        let mut slots = self.slots(ty, bits);
        let width = self.layout(ty).slot as usize;
        if !slots.is_empty() {
            slots.remove(0);
            slots.push(vec![self.store.none(); width]);
        }
        let empty = self.size(ty, bits)?.is(self.store, 0)?;
        Ok((self.assembled(ty, bits, -1, slots)?, empty))
    }

    /// A bag with an element more: slots with lesser or equal elements stay, the others move up by one.
    pub(super) fn added(&self, ty: TypeId, bits: &[Set], element: &[Set]) -> Out<Changed> {
        let old = self.slots(ty, bits);
        let mut slots = Vec::with_capacity(old.len());
        let mut stayed = self.store.all();
        for (i, slot) in old.iter().enumerate() {
            let stays = at_most(self.store, slot, element)?.and(&self.longer(ty, bits, i as u32)?)?;
            let moved = match i.checked_sub(1) {
                Some(below) => chosen(&stayed, element, &old[below])?,
                None => element.to_vec(),
            };
            slots.push(chosen(&stays, slot, &moved)?);
            stayed = stays;
        }
        Ok((self.assembled(ty, bits, 1, slots)?, self.is_full(ty, bits)?))
    }

    /// A bag with one of an element less.
    pub(super) fn removed(&self, ty: TypeId, bits: &[Set], element: &[Set]) -> Out<Changed> {
        let matches = self.matches(ty, bits, element)?;
        let mut old = self.slots(ty, bits);
        old.push(vec![self.store.none(); self.layout(ty).slot as usize]);
        let (mut slots, mut gone) = (Vec::with_capacity(matches.len()), self.store.none());
        for (i, here) in matches.iter().enumerate() {
            gone = gone.or(here)?;
            slots.push(chosen(&gone, &old[i + 1], &old[i])?);
        }
        Ok((self.assembled(ty, bits, -1, slots)?, gone.not()))
    }
}

/// Bit by bit the first where the condition is true, the second elsewhere.
pub(super) fn chosen(condition: &Set, yes: &[Set], no: &[Set]) -> Out<Vec<Set>> {
    yes.iter().zip(no).map(|(yes, no)| condition.choose(yes, no)).collect()
}
