//! The meaning of sets, queues and bags. Their bits are canonical: equal collections have equal bits.

use super::eval::Resolved;
use super::{Halt, Interpreter};
use crate::bits;
use crate::code::{Place, Root, SetOp, SiteId};
use crate::fault::FaultKind;
use crate::types::{Slots, Type, TypeId};
use std::cmp::Ordering;

impl<'s> Interpreter<'s> {
    fn slots(&self, ty: TypeId) -> Slots {
        match *self.system.types.get(ty) {
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                self.system.types.slots(capacity, element)
            }
            _ => unreachable!("only queues and bags have slots"),
        }
    }

    pub(super) fn size(&self, root: Root, offset: u32, ty: TypeId) -> i64 {
        match self.system.types.get(ty) {
            Type::Set(_) => {
                i64::from(bits::count_ones(self.words(root), offset, self.system.types.width(ty)))
            }
            _ => bits::read(self.words(root), offset, self.slots(ty).length) as i64,
        }
    }

    pub(super) fn subset(&mut self, places: &'s [Place; 2], width: u32) -> Result<i64, Halt> {
        let (a, b) = (self.locate(&places[0])?, self.locate(&places[1])?);
        let (left, right) = (self.words(places[0].root), self.words(places[1].root));
        let inside = |(at, n)| bits::read(left, a + at, n) & !bits::read(right, b + at, n) == 0;
        Ok(i64::from(bits::chunks(width).all(inside)))
    }

    pub(super) fn combine(&mut self, op: SetOp, places: &'s [Place; 3]) -> Result<(), Halt> {
        let [to, a, b] = [self.locate(&places[0])?, self.locate(&places[1])?, self.locate(&places[2])?];
        for (at, n) in bits::chunks(places[0].width) {
            let left = bits::read(self.words(places[1].root), a + at, n);
            let right = bits::read(self.words(places[2].root), b + at, n);
            let result = match op {
                SetOp::Union => left | right,
                SetOp::Intersection => left & right,
                SetOp::Difference => left & !right,
            };
            bits::write(self.words_mut(places[0].root), to + at, n, result);
        }
        Ok(())
    }

    pub(super) fn occurrences(&self, root: Root, offset: u32, ty: TypeId, element: Resolved) -> i64 {
        let slots = self.slots(ty);
        let length = bits::read(self.words(root), offset, slots.length) as u32;
        (0..length).filter(|&i| self.is_at(root, offset + slots.offset(i), slots.slot, element)).count()
            as i64
    }

    fn is_at(&self, root: Root, offset: u32, width: u32, element: Resolved) -> bool {
        match element {
            Resolved::Code(code) => bits::read(self.words(root), offset, width) == code,
            Resolved::At(other, at) => {
                bits::compare(self.words(root), offset, self.words(other), at, width).is_eq()
            }
        }
    }

    pub(super) fn push(
        &mut self,
        (root, offset): (Root, u32),
        ty: TypeId,
        element: Resolved,
        site: SiteId,
    ) -> Result<(Slots, u32), Halt> {
        let slots = self.slots(ty);
        let length = bits::read(self.words(root), offset, slots.length) as u32;
        if length == slots.capacity {
            return Err(self.fault(site, FaultKind::Full { capacity: slots.capacity }));
        }
        let here = offset + slots.offset(length);
        match element {
            Resolved::Code(code) => bits::write(self.words_mut(root), here, slots.slot, code),
            Resolved::At(other, at) => self.move_bits((root, here), (other, at), slots.slot),
        }
        bits::write(self.words_mut(root), offset, slots.length, u64::from(length) + 1);
        Ok((slots, length))
    }

    pub(super) fn pop(&mut self, root: Root, offset: u32, ty: TypeId, site: SiteId) -> Result<(), Halt> {
        match bits::read(self.words(root), offset, self.slots(ty).length) {
            0 => Err(self.fault(site, FaultKind::Empty)),
            _ => {
                self.drop_slot(root, offset, ty, 0);
                Ok(())
            }
        }
    }

    pub(super) fn add(
        &mut self,
        at: (Root, u32),
        ty: TypeId,
        element: Resolved,
        site: SiteId,
    ) -> Result<(), Halt> {
        let (slots, last) = self.push(at, ty, element, site)?;
        settle_slot(self.words_mut(at.0), at.1, slots, last);
        Ok(())
    }

    pub(super) fn remove(
        &mut self,
        (root, offset): (Root, u32),
        ty: TypeId,
        element: Resolved,
        site: SiteId,
    ) -> Result<(), Halt> {
        let slots = self.slots(ty);
        let length = bits::read(self.words(root), offset, slots.length) as u32;
        let found = (0..length).find(|&i| self.is_at(root, offset + slots.offset(i), slots.slot, element));
        match found {
            None => Err(self.fault(site, FaultKind::NotInBag)),
            Some(i) => {
                self.drop_slot(root, offset, ty, i);
                Ok(())
            }
        }
    }

    /// Takes out slot `i`; those behind it move up, and the last one in use becomes zero.
    fn drop_slot(&mut self, root: Root, offset: u32, ty: TypeId, i: u32) {
        let slots = self.slots(ty);
        let words = self.words_mut(root);
        let length = bits::read(words, offset, slots.length) as u32;
        for j in i + 1..length {
            bits::copy_within(words, offset + slots.offset(j - 1), offset + slots.offset(j), slots.slot);
        }
        bits::clear(words, offset + slots.offset(length - 1), slots.slot);
        bits::write(words, offset, slots.length, u64::from(length) - 1);
    }
}

/// Moves slot `i` of a bag down to where it belongs among the sorted slots before it.
pub fn settle_slot(words: &mut [u64], offset: u32, slots: Slots, mut i: u32) {
    while i > 0 {
        let (below, here) = (offset + slots.offset(i - 1), offset + slots.offset(i));
        if bits::compare(words, below, words, here, slots.slot) != Ordering::Greater {
            break;
        }
        for (at, n) in bits::chunks(slots.slot) {
            let (low, high) = (bits::read(words, below + at, n), bits::read(words, here + at, n));
            bits::write(words, below + at, n, high);
            bits::write(words, here + at, n, low);
        }
        i -= 1;
    }
}
