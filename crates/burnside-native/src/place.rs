//! Fields of bits in states and frames.
//!
//! Entry points: [`Emitter::locate`], [`Emitter::read`] and [`Emitter::write`]. Where a field is known when
//! the code is made, it is a shift and a mask. Else all places where it may be are looked at beforehand: if
//! none of them crosses the end of a word, one word is read, and if all are in one word, it is known which.
//! Wide values are moved in chunks of 64 bits, as by `burnside_ts::bits`.

use crate::emitter::{Base, Emitted, Emitter, Scalar, Unsupported};
use burnside_ts::{Operand, Place, Root, bits};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// So many places are looked at.
const MANY: usize = 512;
/// Wider values are left to the interpreter.
const MOST_BITS: u32 = 1024;

/// Where a field is.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    root: Root,
    /// The part of the first bit that is known.
    offset: u32,
    /// What is added to it.
    dynamic: Option<Value>,
    /// All that may be added, if they are not too many.
    steps: Option<Vec<u32>>,
}

impl Location {
    /// A fixed place.
    pub fn fixed(root: Root, offset: u32) -> Self {
        Self { root, offset, dynamic: None, steps: Some(vec![0]) }
    }

    /// Some bits further.
    pub fn plus(&self, distance: u32) -> Self {
        Self { offset: self.offset + distance, ..self.clone() }
    }

    /// Whether a field of this width may cross the end of a word.
    fn may_straddle(&self, width: u32) -> bool {
        width > 1
            && self
                .steps
                .as_ref()
                .is_none_or(|steps| steps.iter().any(|step| (self.offset + step) % 64 + width > 64))
    }

    /// The word in which it is, if it is always the same.
    fn word(&self) -> Option<u32> {
        let steps = self.steps.as_ref()?;
        let word = (self.offset + steps.first()?) / 64;
        steps.iter().all(|step| (self.offset + step) / 64 == word).then_some(word)
    }
}

/// An operand of a collection, evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Code(Value),
    At(Location),
}

impl Emitter<'_, '_> {
    /// Where a place is.
    pub fn locate(&mut self, place: &Place) -> Emitted<Location> {
        let mut at = Location::fixed(place.root, place.offset);
        for index in &place.indices {
            let value = self.expr(&index.value)?;
            let (low, high) = value.range();
            let last = index.low.wrapping_add(index.size as i64 - 1);
            let number = match value {
                Scalar::Const(value) => Scalar::Const(value.wrapping_sub(index.low)),
                _ => {
                    let value = self.int(value);
                    let number = if index.low == 0 { value } else { self.minus(value, index.low) };
                    Scalar::Int(number, i64::MIN, i64::MAX)
                }
            };
            if let Scalar::Const(number) = number {
                if number as u64 >= index.size {
                    self.bail_always();
                } else {
                    at.offset += number as u32 * index.stride;
                }
                continue;
            }
            let number = self.int(number);
            if low < index.low || high > last {
                let size = index.size as i64;
                let outside = self.b.ins().icmp_imm(IntCC::UnsignedGreaterThanOrEqual, number, size);
                self.bail_if(Scalar::Bool(outside));
            }
            at = self.further(&at, number, index.size, index.stride);
        }
        Ok(at)
    }

    /// A number less a constant.
    fn minus(&mut self, value: Value, less: i64) -> Value {
        self.b.ins().iadd_imm(value, less.wrapping_neg())
    }

    /// As many strides further as a number says, which is below a limit.
    pub fn further(&mut self, at: &Location, number: Value, limit: u64, stride: u32) -> Location {
        let distance = match stride {
            1 => number,
            _ => self.b.ins().imul_imm(number, i64::from(stride)),
        };
        let dynamic = match at.dynamic {
            None => distance,
            Some(dynamic) => self.b.ins().iadd(dynamic, distance),
        };
        let few = at.steps.as_ref().filter(|steps| steps.len() as u64 * limit <= MANY as u64);
        let each = |&step: &u32| (0..limit as u32).map(move |i| step + i * stride);
        let steps = few.map(|steps| steps.iter().flat_map(each).collect());
        Location { root: at.root, offset: at.offset, dynamic: Some(dynamic), steps }
    }

    fn base(&self, root: Root) -> Base {
        match root {
            Root::State => self.state,
            Root::Frame => self.frame,
        }
    }

    fn load(&mut self, root: Root, word: u32) -> Value {
        let Base { pointer, distance, flags } = self.base(root);
        if root == Root::State && flags.readonly() && (word as usize) < self.words.len() {
            return self.words[word as usize];
        }
        self.b.ins().load(types::I64, flags, pointer, distance + 8 * word as i32)
    }

    fn store(&mut self, root: Root, word: u32, value: Value) {
        let Base { pointer, distance, flags } = self.base(root);
        self.b.ins().store(flags, value, pointer, distance + 8 * word as i32);
    }

    fn masked(&mut self, value: Value, width: u32) -> Value {
        if width >= 64 { value } else { self.b.ins().band_imm(value, bits::mask(width) as i64) }
    }

    /// The first bit, and a pointer to the word in which it is.
    fn aim(&mut self, at: &Location, dynamic: Value) -> (Value, Value) {
        let bit = self.b.ins().iadd_imm(dynamic, i64::from(at.offset));
        let word = self.b.ins().ushr_imm(bit, 6);
        let bytes = self.b.ins().ishl_imm(word, 3);
        let pointer = self.base(at.root).pointer;
        (bit, self.b.ins().iadd(pointer, bytes))
    }

    /// A field of at most 64 bits.
    pub fn read(&mut self, at: &Location, width: u32) -> Scalar {
        if width == 0 {
            return Scalar::Const(0);
        }
        let value = match at.dynamic {
            None => self.read_fixed(at, width),
            Some(dynamic) => self.read_dynamic(at, dynamic, width),
        };
        let high = if width >= 63 { i64::MAX } else { (1 << width) - 1 };
        Scalar::Int(value, if width == 64 { i64::MIN } else { 0 }, high)
    }

    fn read_fixed(&mut self, at: &Location, width: u32) -> Value {
        let (word, shift) = (at.offset / 64, at.offset % 64);
        let mut value = self.load(at.root, word);
        if shift > 0 {
            value = self.b.ins().ushr_imm(value, i64::from(shift));
        }
        if shift + width > 64 {
            let next = self.load(at.root, word + 1);
            let high = self.b.ins().ishl_imm(next, i64::from(64 - shift));
            value = self.b.ins().bor(value, high);
        }
        if shift + width == 64 { value } else { self.masked(value, width) }
    }

    fn read_dynamic(&mut self, at: &Location, dynamic: Value, width: u32) -> Value {
        let value = match at.word().filter(|_| !at.may_straddle(width)) {
            Some(word) => {
                let bit = self.b.ins().iadd_imm(dynamic, i64::from(at.offset));
                let value = self.load(at.root, word);
                self.b.ins().ushr(value, bit)
            }
            None => {
                let Base { distance, flags, .. } = self.base(at.root);
                let (bit, pointer) = self.aim(at, dynamic);
                let low = self.b.ins().load(types::I64, flags, pointer, distance);
                let low = self.b.ins().ushr(low, bit);
                match at.may_straddle(width) {
                    false => low,
                    true => {
                        let next = self.b.ins().load(types::I64, flags, pointer, distance + 8);
                        let next = self.b.ins().ishl_imm(next, 1);
                        let back = self.b.ins().bnot(bit);
                        let high = self.b.ins().ishl(next, back);
                        self.b.ins().bor(low, high)
                    }
                }
            }
        };
        self.masked(value, width)
    }

    /// Writes a field of at most 64 bits: the low ones of a number.
    pub fn write(&mut self, at: &Location, width: u32, value: Scalar) {
        if width == 0 {
            return;
        }
        let fits = value.range().0 >= 0 && (width >= 63 || value.range().1 < 1 << width);
        let mut code = self.int(value);
        if !fits {
            code = self.masked(code, width);
        }
        match at.dynamic {
            None => self.write_fixed(at, width, code),
            Some(dynamic) => self.write_dynamic(at, dynamic, width, code),
        }
    }

    fn write_fixed(&mut self, at: &Location, width: u32, code: Value) {
        let (word, shift) = (at.offset / 64, at.offset % 64);
        let mask = bits::mask(width) << shift;
        let old = self.load(at.root, word);
        let kept = self.b.ins().band_imm(old, !mask as i64);
        let moved = if shift > 0 { self.b.ins().ishl_imm(code, i64::from(shift)) } else { code };
        let new = self.b.ins().bor(kept, moved);
        self.store(at.root, word, new);
        if shift + width > 64 {
            let mask = bits::mask(shift + width - 64);
            let old = self.load(at.root, word + 1);
            let kept = self.b.ins().band_imm(old, !mask as i64);
            let moved = self.b.ins().ushr_imm(code, i64::from(64 - shift));
            let new = self.b.ins().bor(kept, moved);
            self.store(at.root, word + 1, new);
        }
    }

    fn write_dynamic(&mut self, at: &Location, dynamic: Value, width: u32, code: Value) {
        let Base { distance, flags, .. } = self.base(at.root);
        let mask = self.constant(bits::mask(width) as i64);
        if let Some(word) = at.word().filter(|_| !at.may_straddle(width)) {
            let bit = self.b.ins().iadd_imm(dynamic, i64::from(at.offset));
            let old = self.load(at.root, word);
            let new = self.replaced(old, mask, code, bit);
            self.store(at.root, word, new);
            return;
        }
        let (bit, pointer) = self.aim(at, dynamic);
        let old = self.b.ins().load(types::I64, flags, pointer, distance);
        let new = self.replaced(old, mask, code, bit);
        self.b.ins().store(flags, new, pointer, distance);
        if at.may_straddle(width) {
            let back = self.b.ins().bnot(bit);
            let over = [mask, code].map(|value| {
                let half = self.b.ins().ushr_imm(value, 1);
                self.b.ins().ushr(half, back)
            });
            let old = self.b.ins().load(types::I64, flags, pointer, distance + 8);
            let kept = self.b.ins().band_not(old, over[0]);
            let new = self.b.ins().bor(kept, over[1]);
            self.b.ins().store(flags, new, pointer, distance + 8);
        }
    }

    /// A word in which bits are replaced.
    fn replaced(&mut self, old: Value, mask: Value, code: Value, bit: Value) -> Value {
        let mask = self.b.ins().ishl(mask, bit);
        let code = self.b.ins().ishl(code, bit);
        let kept = self.b.ins().band_not(old, mask);
        self.b.ins().bor(kept, code)
    }

    /// The chunks of a wide value: distance and width.
    pub fn chunks(&self, width: u32) -> Emitted<Vec<(u32, u32)>> {
        if width > MOST_BITS {
            return Err(Unsupported("a wide value"));
        }
        Ok(bits::chunks(width).collect())
    }

    /// Copies a wide value.
    pub fn copy(&mut self, to: &Location, from: &Location, width: u32) -> Emitted<()> {
        for (distance, chunk) in self.chunks(width)? {
            self.spend()?;
            let value = self.read(&from.plus(distance), chunk);
            self.write(&to.plus(distance), chunk, value);
        }
        Ok(())
    }

    /// Sets a wide value to zero.
    pub fn clear(&mut self, at: &Location, width: u32) -> Emitted<()> {
        for (distance, chunk) in self.chunks(width)? {
            self.write(&at.plus(distance), chunk, Scalar::Const(0));
        }
        Ok(())
    }

    /// Whether something is the case of all chunks of two wide values.
    pub fn all_chunks(
        &mut self,
        (a, b): (&Location, &Location),
        width: u32,
        test: &mut dyn FnMut(&mut Self, Value, Value) -> Value,
    ) -> Emitted<Scalar> {
        let mut all = Scalar::Const(1);
        for (distance, chunk) in self.chunks(width)? {
            let left = self.read(&a.plus(distance), chunk);
            let right = self.read(&b.plus(distance), chunk);
            let (left, right) = (self.int(left), self.int(right));
            let one = Scalar::Bool(test(self, left, right));
            all = self.both(all, one);
        }
        Ok(all)
    }

    /// An operand of at most 64 bits.
    pub fn element(&mut self, operand: &Operand) -> Emitted<Element> {
        match operand {
            Operand::Scalar(value, bias) => {
                let value = self.expr(value)?;
                let value = self.int(value);
                let code = if *bias == 0 { value } else { self.minus(value, *bias) };
                Ok(Element::Code(code))
            }
            Operand::Wide(place) => Ok(Element::At(self.locate(place)?)),
        }
    }
}
