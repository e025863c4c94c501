//! The values of a binder, each with the condition that it takes it.

use super::Executor;
use crate::store::{Out, Set};
use crate::vector::same;
use burnside_ts::{Binder, Collection, Domain, Type};

impl<'s> Executor<'s, '_> {
    /// Gives the binder each of its values in turn, with the condition that it takes it; the visit says whether to go on. The answer is where
    /// looking at the collection faults.
    pub(super) fn each(
        &mut self,
        binder: &'s Binder,
        visit: &mut dyn FnMut(&mut Self, &Set) -> Out<bool>,
    ) -> Out<Set> {
        let Domain::Collection(collection) = &binder.domain else {
            let size = self.system.types.size(binder.ty).expect("a bound type is numbered");
            let always = self.store.all();
            for number in 0..size {
                self.store.poll()?;
                self.bind(binder, number);
                if !visit(self, &always)? {
                    break;
                }
            }
            return Ok(self.store.none());
        };
        let (bits, fault) = self.collection(collection)?;
        for (when, value) in self.elements(collection, &bits)? {
            let when = when.minus(&fault)?;
            if when.is_empty() {
                continue;
            }
            self.store.poll()?;
            match value {
                Element::Number(number) => self.bind(binder, number),
                Element::Bits(bits) => self.bind_bits(binder, &bits)?,
            }
            if !visit(self, &when)? {
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

    /// The different elements of a collection, each with the condition that it has it, in the order in which they are taken.
    pub(super) fn elements(&self, collection: &Collection, bits: &[Set]) -> Out<Vec<(Set, Element)>> {
        if let Type::Set(_) = self.system.types.get(collection.ty) {
            let members = bits.iter().enumerate();
            return Ok(members.map(|(i, bit)| (bit.clone(), Element::Number(i as u64))).collect());
        }
        let slots = self.layout(collection.ty);
        let slot = |i: u32| bits[slots.offset(i) as usize..][..slots.slot as usize].to_vec();
        let mut elements = Vec::new();
        for i in 0..slots.capacity {
            let mut first = self.longer(collection.ty, bits, i)?;
            for j in 0..i {
                first = first.minus(&same(self.store, &slot(j), &slot(i))?)?;
            }
            elements.push((first, Element::Bits(slot(i))));
        }
        Ok(elements)
    }
}

/// An element of a collection: by number, or by its bits.
pub(super) enum Element {
    Number(u64),
    Bits(Vec<Set>),
}
