//! Sets, queues and bags. Their bits are canonical: slots that are not in use are zero, those of a bag are
//! sorted. So to take one out all behind it can move up, whether they are in use or not.
//!
//! Entry points: the methods, called for the expressions and statements of the same names.

use crate::emitter::{Emitted, Emitter, Scalar, Unsupported};
use crate::place::{Element, Location};
use burnside_ts::{Operand, Place, Slots, Type, TypeId};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Queues and bags that hold more, or wider elements than a word, are left to the interpreter.
const MOST_SLOTS: u32 = 32;

impl Emitter<'_, '_> {
    fn slots(&self, ty: TypeId) -> Emitted<Slots> {
        match *self.system.types.get(ty) {
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = self.system.types.slots(capacity, element);
                let small = slots.capacity <= MOST_SLOTS && slots.slot <= 64;
                if small { Ok(slots) } else { Err(Unsupported("a large collection")) }
            }
            _ => Err(Unsupported("no queue and no bag")),
        }
    }

    pub fn size(&mut self, place: &Place, ty: TypeId) -> Emitted<Scalar> {
        let at = self.locate(place)?;
        let width = self.system.types.width(ty);
        if !matches!(self.system.types.get(ty), Type::Set(_)) {
            let slots = self.slots(ty)?;
            return Ok(self.read(&at, slots.length));
        }
        let mut total = Scalar::Const(0);
        for (distance, chunk) in self.chunks(width)? {
            let members = self.read(&at.plus(distance), chunk);
            let members = self.int(members);
            let count = self.b.ins().popcnt(members);
            total = self.arith(burnside_ts::Arith::Add, total, Scalar::Int(count, 0, chunk.into()))?;
        }
        Ok(total)
    }

    /// The element as a number of at most 64 bits.
    fn code(&mut self, element: Element, slots: Slots) -> Value {
        match element {
            Element::Code(code) => code,
            Element::At(at) => {
                let code = self.read(&at, slots.slot);
                self.int(code)
            }
        }
    }

    /// The slots of a collection as numbers.
    fn contents(&mut self, at: &Location, slots: Slots) -> Vec<Value> {
        let slot = |i| {
            let code = self.read(&at.plus(slots.offset(i)), slots.slot);
            self.int(code)
        };
        (0..slots.capacity).map(slot).collect()
    }

    /// For each slot, whether it is in use and a test of it is true.
    fn tested(
        &mut self,
        length: Value,
        contents: &[Value],
        test: &mut dyn FnMut(&mut Self, Value) -> Value,
    ) -> Vec<Value> {
        let mut flags = Vec::with_capacity(contents.len());
        for (i, &slot) in contents.iter().enumerate() {
            let used = self.b.ins().icmp_imm(IntCC::UnsignedGreaterThan, length, i as i64);
            let yes = test(self, slot);
            flags.push(self.b.ins().band(used, yes));
        }
        flags
    }

    pub fn occurrences(&mut self, place: &Place, ty: TypeId, element: &Operand) -> Emitted<Scalar> {
        let at = self.locate(place)?;
        let slots = self.slots(ty)?;
        let element = self.element(element)?;
        let code = self.code(element, slots);
        let length = self.read(&at, slots.length);
        let length = self.int(length);
        let contents = self.contents(&at, slots);
        let equal = self.tested(length, &contents, &mut |it, slot| it.b.ins().icmp(IntCC::Equal, slot, code));
        let mut total = Scalar::Const(0);
        for flag in equal {
            total = self.arith(burnside_ts::Arith::Add, total, Scalar::Bool(flag))?;
        }
        Ok(total)
    }

    /// Where there is room for one more, the length.
    fn room(&mut self, at: &Location, slots: Slots) -> Value {
        let length = self.read(at, slots.length);
        let length = self.int(length);
        let full = self.b.ins().icmp_imm(IntCC::Equal, length, i64::from(slots.capacity));
        self.bail_if(Scalar::Bool(full));
        length
    }

    fn set_length(&mut self, at: &Location, slots: Slots, length: Value, by: i64) {
        let length = self.b.ins().iadd_imm(length, by);
        self.write(at, slots.length, Scalar::Int(length, i64::MIN, i64::MAX));
    }

    pub fn push(&mut self, place: &Place, ty: TypeId, element: &Operand) -> Emitted<()> {
        let slots = self.slots(ty)?;
        let element = self.element(element)?;
        let at = self.locate(place)?;
        let length = self.room(&at, slots);
        let code = self.code(element, slots);
        if slots.slot > 0 && slots.capacity > 0 {
            let first = at.plus(slots.offset(0));
            let here = self.further(&first, length, slots.capacity.into(), slots.slot);
            self.write(&here, slots.slot, Scalar::Int(code, i64::MIN, i64::MAX));
        }
        self.set_length(&at, slots, length, 1);
        Ok(())
    }

    pub fn pop(&mut self, place: &Place, ty: TypeId) -> Emitted<()> {
        let slots = self.slots(ty)?;
        let at = self.locate(place)?;
        let length = self.read(&at, slots.length);
        let empty = self.not(length);
        self.bail_if(empty);
        let length = self.int(length);
        let contents = self.contents(&at, slots);
        let zero = self.constant(0);
        let moved = contents.iter().skip(1).copied().chain(std::iter::once(zero)).collect();
        self.fill(&at, slots, moved);
        self.set_length(&at, slots, length, -1);
        Ok(())
    }

    fn fill(&mut self, at: &Location, slots: Slots, contents: Vec<Value>) {
        for (i, code) in contents.into_iter().enumerate() {
            let here = at.plus(slots.offset(i as u32));
            self.write(&here, slots.slot, Scalar::Int(code, i64::MIN, i64::MAX));
        }
    }

    /// Adds to a bag: behind those that are not greater.
    pub fn add(&mut self, place: &Place, ty: TypeId, element: &Operand) -> Emitted<()> {
        let slots = self.slots(ty)?;
        let element = self.element(element)?;
        let at = self.locate(place)?;
        let length = self.room(&at, slots);
        let code = self.code(element, slots);
        let contents = self.contents(&at, slots);
        let stay = self.tested(length, &contents, &mut |it, slot| {
            it.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, slot, code)
        });
        let mut moved = Vec::with_capacity(contents.len());
        for i in 0..contents.len() {
            let pushed = match i {
                0 => code,
                _ => self.b.ins().select(stay[i - 1], code, contents[i - 1]),
            };
            moved.push(self.b.ins().select(stay[i], contents[i], pushed));
        }
        self.fill(&at, slots, moved);
        self.set_length(&at, slots, length, 1);
        Ok(())
    }

    /// Takes the first that is equal out of a bag.
    pub fn remove(&mut self, place: &Place, ty: TypeId, element: &Operand) -> Emitted<()> {
        let slots = self.slots(ty)?;
        let element = self.element(element)?;
        let at = self.locate(place)?;
        let length = self.read(&at, slots.length);
        let length = self.int(length);
        let code = self.code(element, slots);
        let contents = self.contents(&at, slots);
        let equal = self.tested(length, &contents, &mut |it, slot| it.b.ins().icmp(IntCC::Equal, slot, code));
        let zero = self.constant(0);
        let mut found = Scalar::Const(0);
        let mut moved = Vec::with_capacity(contents.len());
        for (i, &slot) in contents.iter().enumerate() {
            found = self.one_of(found, Scalar::Bool(equal[i]));
            let flag = self.flag(found);
            let behind = contents.get(i + 1).copied().unwrap_or(zero);
            moved.push(self.b.ins().select(flag, behind, slot));
        }
        let missing = self.not(found);
        self.bail_if(missing);
        self.fill(&at, slots, moved);
        self.set_length(&at, slots, length, -1);
        Ok(())
    }
}
