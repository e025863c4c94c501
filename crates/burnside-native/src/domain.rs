//! The values of bound names: loops, quantifiers, parameters.
//!
//! Entry point: [`Emitter::each`]. A short loop is written out, with the value as a constant in each round;
//! a longer one is a loop. What is in a set is looked at element by element, in ascending order.

use crate::emitter::{Emitted, Emitter, Scalar, Unsupported};
use crate::place::Location;
use burnside_ts::{Binder, Collection, Domain, Quantify, Root, Slots, Target, Type, TypeId, bits, unrank};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Loops with more rounds are left to the interpreter, which looks at the clock.
const MOST_ROUNDS: u64 = 4096;
/// A loop is written out if it has at most so many rounds, and this much code comes of it.
const FEW_ROUNDS: u64 = 64;
const LITTLE: u64 = 2048;
/// So many combinations are looked at without a jump out of them.
const STRAIGHT: u64 = 32;

/// Which elements of a queue or bag are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Each {
    /// All, so equal ones several times.
    Occurrence,
    /// Of equal ones the first.
    Different,
}

/// What is done with each value.
pub(crate) type Inside<'v, 'e, 'f> = &'v mut dyn FnMut(&mut Emitter<'e, 'f>) -> Emitted<()>;

impl<'e, 'f> Emitter<'e, 'f> {
    /// How much code is inside of a quantifier.
    pub fn quantified_weight(&mut self, quantify: &Quantify) -> u64 {
        let system = self.system;
        let filter = quantify.filter.as_ref().map_or(0, |it| self.weights.expr(system, it));
        filter + self.weights.expr(system, &quantify.body)
    }

    /// Whether all combinations of a quantifier are looked at one after the other, without any jump.
    pub fn is_straight(&self, quantify: &Quantify, inner: u64) -> bool {
        let size = |binder: &Binder| match binder.domain {
            Domain::Type => self.system.types.size(binder.ty).unwrap_or(u64::MAX),
            Domain::Collection(_) => u64::MAX,
        };
        let combinations = quantify.binders.iter().fold(1, |all: u64, it| all.saturating_mul(size(it)));
        quantify.filter.is_none() && combinations <= STRAIGHT && combinations.saturating_mul(inner) <= LITTLE
    }

    /// Gives some names each combination of their values.
    pub fn each_of(
        &mut self,
        binders: &[Binder],
        wanted: Each,
        inner: u64,
        inside: Inside<'_, 'e, 'f>,
    ) -> Emitted<()> {
        let [binder, rest @ ..] = binders else { return inside(self) };
        let system = self.system;
        let weight = rest.iter().rev().fold(inner, |inner, it| self.weights.binder(system, it, inner));
        self.each(binder, wanted, weight, &mut |emitter| emitter.each_of(rest, wanted, inner, inside))
    }

    /// Gives a name each of its values in turn.
    pub fn each(
        &mut self,
        binder: &Binder,
        wanted: Each,
        inner: u64,
        inside: Inside<'_, 'e, 'f>,
    ) -> Emitted<()> {
        self.spend()?;
        let unrolls = |count: u64| count <= FEW_ROUNDS && count.saturating_mul(inner) <= LITTLE;
        match &binder.domain {
            Domain::Type => {
                let size = self.system.types.size(binder.ty).ok_or(Unsupported("a type without numbers"))?;
                match size {
                    size if unrolls(size) => (0..size).try_for_each(|number| {
                        self.give(binder, number)?;
                        inside(self)
                    }),
                    size if size <= MOST_ROUNDS => self.looping(|emitter| {
                        emitter.count_up(size, &mut |emitter, number| {
                            emitter.give_dynamic(binder, number, size)?;
                            inside(emitter)
                        })
                    }),
                    _ => Err(Unsupported("a long loop")),
                }
            }
            Domain::Collection(collection) => {
                self.block(&collection.setup)?;
                let at = self.locate(&collection.place)?;
                match *self.system.types.get(collection.ty) {
                    Type::Set(_) if unrolls(collection.place.width.into()) => {
                        self.each_member(binder, &at, collection, inside)
                    }
                    Type::Set(_) => self.each_member_looped(binder, &at, collection, inside),
                    Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                        let slots = self.system.types.slots(capacity, element);
                        self.each_slot(binder, (&at, slots, collection.ty), wanted, inside)
                    }
                    _ => Err(Unsupported("no collection")),
                }
            }
        }
    }

    /// Inside of a loop nobody knows how many steps there will be.
    fn looping<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.loops += 1;
        let result = work(self);
        self.loops -= 1;
        result
    }

    fn each_member(
        &mut self,
        binder: &Binder,
        at: &Location,
        collection: &Collection,
        inside: Inside<'_, 'e, 'f>,
    ) -> Emitted<()> {
        for (distance, width) in bits::chunks(collection.place.width) {
            let members = self.read(&at.plus(distance), width);
            let members = self.int(members);
            for i in 0..width {
                self.spend()?;
                let member = self.b.ins().band_imm(members, (1u64 << i) as i64);
                let member = Scalar::Int(member, i64::MIN, i64::MAX);
                self.perhaps(member, &mut |emitter| {
                    emitter.give(binder, u64::from(distance + i))?;
                    inside(emitter)
                })?;
            }
        }
        Ok(())
    }

    fn each_member_looped(
        &mut self,
        binder: &Binder,
        at: &Location,
        collection: &Collection,
        inside: Inside<'_, 'e, 'f>,
    ) -> Emitted<()> {
        let width = u64::from(collection.place.width);
        if width > MOST_ROUNDS {
            return Err(Unsupported("a long loop"));
        }
        self.looping(|emitter| {
            emitter.count_up(width, &mut |emitter, number| {
                let bit = emitter.further(at, number, width, 1);
                let member = emitter.read(&bit, 1);
                emitter.perhaps(member, &mut |emitter| {
                    emitter.give_dynamic(binder, number, width)?;
                    inside(emitter)
                })
            })
        })
    }

    fn each_slot(
        &mut self,
        binder: &Binder,
        (at, slots, ty): (&Location, Slots, TypeId),
        wanted: Each,
        inside: Inside<'_, 'e, 'f>,
    ) -> Emitted<()> {
        let sorted = matches!(self.system.types.get(ty), Type::Bag { .. });
        let length = self.read(at, slots.length);
        for i in 0..slots.capacity {
            self.spend()?;
            let length = self.int(length);
            let used = self.b.ins().icmp_imm(IntCC::UnsignedGreaterThan, length, i64::from(i));
            let here = at.plus(slots.offset(i));
            self.perhaps(Scalar::Bool(used), &mut |emitter| {
                let mut new = Scalar::Const(1);
                if wanted == Each::Different {
                    // In a bag equal elements are side by side.
                    let first = if sorted { i.saturating_sub(1) } else { 0 };
                    for j in first..i {
                        let there = at.plus(slots.offset(j));
                        let same = emitter.all_chunks((&there, &here), slots.slot, &mut |it, a, b| {
                            it.b.ins().icmp(IntCC::Equal, a, b)
                        })?;
                        let different = emitter.not(same);
                        new = emitter.both(new, different);
                    }
                }
                emitter.perhaps(new, &mut |emitter| {
                    emitter.bind_from(binder, &here, slots.slot)?;
                    inside(emitter)
                })
            })?;
        }
        Ok(())
    }

    /// Gives a name the value with a number.
    pub fn give(&mut self, binder: &Binder, number: u64) -> Emitted<()> {
        let types = &self.system.types;
        match binder.target {
            Target::Scalar(slot) => {
                self.set_local(slot, Scalar::Const((number as i64).wrapping_add(types.bias(binder.ty))));
            }
            Target::Wide(bit) => {
                let width = types.width(binder.ty);
                let mut words = vec![0; (width as usize).div_ceil(64) + bits::SPARE];
                unrank(types, binder.ty, &mut words, 0, number);
                for (distance, chunk) in self.chunks(width)? {
                    let value = bits::read(&words, distance, chunk) as i64;
                    self.write(&Location::fixed(Root::Frame, bit + distance), chunk, Scalar::Const(value));
                }
            }
        }
        Ok(())
    }

    /// The same with a number below a limit that is not known when the code is made.
    fn give_dynamic(&mut self, binder: &Binder, number: Value, limit: u64) -> Emitted<()> {
        let (types, number) = (&self.system.types, Scalar::Int(number, 0, limit as i64 - 1));
        match (binder.target, types.get(binder.ty)) {
            (Target::Scalar(slot), _) => {
                let value = self.shifted(number, types.bias(binder.ty));
                self.set_local(slot, value);
                Ok(())
            }
            // The number of a set are its bits.
            (Target::Wide(bit), Type::Set(_)) => {
                self.write(&Location::fixed(Root::Frame, bit), types.width(binder.ty), number);
                Ok(())
            }
            _ => Err(Unsupported("a loop over wide values")),
        }
    }

    /// Gives a name the value that is stored somewhere.
    fn bind_from(&mut self, binder: &Binder, from: &Location, width: u32) -> Emitted<()> {
        match binder.target {
            Target::Scalar(slot) => {
                let code = self.read(from, width);
                let value = self.shifted(code, self.system.types.bias(binder.ty));
                self.set_local(slot, value);
                Ok(())
            }
            Target::Wide(bit) => self.copy(&Location::fixed(Root::Frame, bit), from, width),
        }
    }
}
