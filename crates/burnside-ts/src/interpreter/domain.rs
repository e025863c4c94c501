//! Walking the values of a binder.

use super::{Halt, Interpreter};
use crate::bits;
use crate::code::{Binder, Domain, Place, Root, Target};
use crate::types::{Slots, Type};

/// Which elements of a queue or bag a binder takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Each {
    /// All, so equal ones several times.
    Occurrence,
    /// Of equal ones the first.
    Different,
}

/// What is done with each value: whether to go on.
pub(super) type Visit<'v, 's> = &'v mut dyn FnMut(&mut Interpreter<'s>) -> Result<bool, Halt>;

impl<'s> Interpreter<'s> {
    /// Gives the binder each of its values in turn. The answer is whether all were visited.
    pub(super) fn each(
        &mut self,
        binder: &'s Binder,
        wanted: Each,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        match &binder.domain {
            Domain::Type => {
                let size = self.system.types.size(binder.ty).expect("a bound type is numbered");
                for number in 0..size {
                    self.poll()?;
                    self.give(binder, number);
                    if !visit(self)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Domain::Collection(collection) => {
                self.block(&collection.setup)?;
                let place = &collection.place;
                let offset = self.locate(place)?;
                match *self.system.types.get(collection.ty) {
                    Type::Set(_) => self.each_member(binder, place, offset, visit),
                    Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                        let slots = self.system.types.slots(capacity, element);
                        self.each_slot(binder, (place, offset), slots, wanted, visit)
                    }
                    _ => unreachable!("a collection is a set, a queue or a bag"),
                }
            }
        }
    }

    /// Gives the binders of a quantifier each combination of their values that is needed.
    pub(super) fn each_of(&mut self, binders: &'s [Binder], visit: Visit<'_, 's>) -> Result<bool, Halt> {
        match binders {
            [] => visit(self),
            [binder, rest @ ..] => {
                let each = &mut |machine: &mut Self| machine.each_of(rest, visit);
                self.each_representative(binder, Each::Occurrence, true, each)
            }
        }
    }

    fn each_member(
        &mut self,
        binder: &'s Binder,
        place: &Place,
        offset: u32,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        for (at, width) in bits::chunks(place.width) {
            let mut rest = bits::read(self.words(place.root), offset + at, width);
            while rest != 0 {
                self.poll()?;
                self.give(binder, u64::from(at + rest.trailing_zeros()));
                rest &= rest - 1;
                if !visit(self)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn each_slot(
        &mut self,
        binder: &'s Binder,
        (place, offset): (&Place, u32),
        slots: Slots,
        wanted: Each,
        visit: Visit<'_, 's>,
    ) -> Result<bool, Halt> {
        let length = bits::read(self.words(place.root), offset, slots.length) as u32;
        for i in 0..length {
            self.poll()?;
            let here = offset + slots.offset(i);
            let words = self.words(place.root);
            let same = |j| bits::compare(words, offset + slots.offset(j), words, here, slots.slot).is_eq();
            if wanted == Each::Different && (0..i).any(same) {
                continue;
            }
            self.bind_from(binder, place.root, here, slots.slot);
            if !visit(self)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives a bound variable the value with a number.
    pub(super) fn give(&mut self, binder: &Binder, number: u64) {
        match binder.target {
            Target::Scalar(slot) => {
                self.frame[slot.index()] = (number as i64 + self.system.types.bias(binder.ty)) as u64;
            }
            Target::Wide(bit) => self.unrank(binder.ty, Root::Frame, bit, number),
        }
    }

    /// Gives the binder the value stored somewhere.
    fn bind_from(&mut self, binder: &Binder, root: Root, offset: u32, width: u32) {
        match binder.target {
            Target::Scalar(slot) => {
                let code = bits::read(self.words(root), offset, width);
                self.frame[slot.index()] = (code as i64 + self.system.types.bias(binder.ty)) as u64;
            }
            Target::Wide(bit) => self.move_bits((Root::Frame, bit), (root, offset), width),
        }
    }

    /// Copies bits from anywhere to anywhere.
    pub(super) fn move_bits(&mut self, to: (Root, u32), from: (Root, u32), width: u32) {
        match (to, from) {
            ((Root::Frame, to), (Root::State, from)) => {
                bits::copy(&mut self.frame, to, &self.state, from, width)
            }
            ((Root::State, to), (Root::Frame, from)) => {
                self.memo.state_changes();
                bits::copy(&mut self.state, to, &self.frame, from, width)
            }
            ((Root::State, to), (Root::State, from)) => {
                self.memo.state_changes();
                bits::copy_within(&mut self.state, to, from, width)
            }
            ((Root::Frame, to), (Root::Frame, from)) => bits::copy_within(&mut self.frame, to, from, width),
        }
    }
}
