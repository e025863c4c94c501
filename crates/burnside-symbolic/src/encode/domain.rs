//! The values of a binder, each with the condition that it takes it.

use super::Executor;
use crate::store::{Out, Set};
use crate::vector::same;
use burnside_ts::{Binder, Collection, Domain, Type, TypeId};

/// What tells the rounds of a loop apart: the number of a value and its type, or the number of a slot.
pub(crate) type Mark = (Option<TypeId>, u64);

impl<'s> Executor<'s, '_> {
    /// Gives the binder each of its values in turn, with the condition that it takes it and what tells it
    /// from the others; the visit says whether to go on. The answer is where looking at the collection
    /// faults.
    pub(super) fn each(
        &mut self,
        binder: &'s Binder,
        visit: &mut dyn FnMut(&mut Self, &Set, Mark) -> Out<bool>,
    ) -> Out<Set> {
        let Domain::Collection(collection) = &binder.domain else {
            let size = self.system.types.size(binder.ty).expect("a bound type is numbered");
            let always = self.store.all();
            for number in 0..size {
                self.store.poll()?;
                self.bind(binder, number);
                if !visit(self, &always, (Some(binder.ty), number))? {
                    break;
                }
            }
            return Ok(self.store.none());
        };
        let (bits, fault) = self.collection(collection)?;
        for (i, (when, value)) in self.occurrences_of(collection, &bits)?.into_iter().enumerate() {
            let when = when.minus(&fault)?;
            if when.is_empty() {
                continue;
            }
            self.store.poll()?;
            let mark = match value {
                Element::Number(number) => {
                    self.bind(binder, number);
                    (Some(binder.ty), number)
                }
                Element::Bits(bits) => {
                    self.bind_bits(binder, &bits)?;
                    (None, i as u64)
                }
            };
            if !visit(self, &when, mark)? {
                break;
            }
        }
        Ok(fault)
    }

    /// The bits of a collection, and where there is none.
    pub(super) fn collection(&mut self, collection: &'s Collection) -> Out<(Vec<Set>, Set)> {
        let fresh = super::Flow::start(self.store.all(), self.store);
        let outer = std::mem::replace(&mut self.flow, fresh);
        self.block(&collection.setup, &self.store.all())?;
        let inner = std::mem::replace(&mut self.flow, outer);
        let (bits, fault) = self.read(&collection.place, self.system.types.width(collection.ty))?;
        Ok((bits, fault.or(&inner.fault)?))
    }

    /// The elements of a collection, each with the condition that it is there, in the order in which they are
    /// taken. Equal ones come several times.
    fn occurrences_of(&self, collection: &Collection, bits: &[Set]) -> Out<Vec<(Set, Element)>> {
        if let Type::Set(_) = self.system.types.get(collection.ty) {
            let members = bits.iter().enumerate();
            return Ok(members.map(|(i, bit)| (bit.clone(), Element::Number(i as u64))).collect());
        }
        let slots = self.slots(collection.ty, bits).into_iter().zip(0..);
        slots.map(|(slot, i)| Ok((self.longer(collection.ty, bits, i)?, Element::Bits(slot)))).collect()
    }

    /// The different elements of a collection: of equal ones the first.
    pub(super) fn elements(&self, collection: &Collection, bits: &[Set]) -> Out<Vec<(Set, Element)>> {
        let mut elements = self.occurrences_of(collection, bits)?;
        for i in 1..elements.len() {
            let (before, [here, ..]) = elements.split_at_mut(i) else { unreachable!("there is one") };
            for (_, other) in before {
                if let (Element::Bits(other), Element::Bits(this)) = (other, &here.1) {
                    here.0 = here.0.minus(&same(self.store, other, this)?)?;
                }
            }
        }
        Ok(elements)
    }
}

/// An element of a collection: by number, or by its bits.
pub(super) enum Element {
    Number(u64),
    Bits(Vec<Set>),
}
