//! Values in sequence: arrays of a fixed length, queues and bags of bounded size.

use crate::data::{Data, Layout, Reader, Schema, Writer};
use burnside_ts::{FaultKind, Slots, Type, TypeError, TypeId, bits_for, settle_slot};
use std::collections::VecDeque;

impl<T: Data, const N: usize> Data for [T; N] {
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let index = schema.types.intern(Type::Range { lo: 0, hi: N as i64 - 1 })?;
        let element = T::describe(schema)?;
        schema.types.intern(Type::Array { index, element })
    }

    fn width(layout: &Layout) -> u32 {
        N as u32 * T::width(layout)
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        self.iter().try_for_each(|value| value.write(out))
    }

    fn read(input: &mut Reader<'_>) -> Self {
        std::array::from_fn(|_| T::read(input))
    }

    fn read_into(&mut self, input: &mut Reader<'_>) {
        self.iter_mut().for_each(|value| value.read_into(input));
    }
}

/// The width of the number of elements.
fn length_width(capacity: u32) -> u32 {
    bits_for(u64::from(capacity) + 1)
}

/// The room that elements take, and what is behind them, stays zero.
fn write_slots<'t, T: Data>(
    values: impl ExactSizeIterator<Item = &'t T>,
    capacity: u32,
    out: &mut Writer<'_>,
) -> Result<(), FaultKind> {
    let count = values.len() as u32;
    if count > capacity {
        return Err(FaultKind::Full { capacity });
    }
    out.put(length_width(capacity), u64::from(count));
    for value in values {
        value.write(out)?;
    }
    out.skip((capacity - count) * T::width(out.layout));
    Ok(())
}

fn read_slots<T: Data>(capacity: u32, input: &mut Reader<'_>, mut take: impl FnMut(T)) {
    let count = input.take(length_width(capacity)) as u32;
    for _ in 0..count {
        take(T::read(input));
    }
    input.skip((capacity - count) * T::width(input.layout));
}

/// At most `CAPACITY` values, first in, first out. A step that leaves it with more is a fault of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue<T, const CAPACITY: u32>(VecDeque<T>);

impl<T, const CAPACITY: u32> Queue<T, CAPACITY> {
    /// The empty queue.
    pub const fn new() -> Self {
        Self(VecDeque::new())
    }

    /// Adds a value at the end.
    pub fn push(&mut self, value: T) {
        self.0.push_back(value);
    }

    /// Takes the first value out.
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop_front()
    }

    /// The first value.
    pub fn front(&self) -> Option<&T> {
        self.0.front()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no more fit.
    pub fn is_full(&self) -> bool {
        self.0.len() >= CAPACITY as usize
    }

    /// The values, from the first to the last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.0.iter()
    }
}

impl<T, const CAPACITY: u32> Default for Queue<T, CAPACITY> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Data, const CAPACITY: u32> Data for Queue<T, CAPACITY> {
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let element = T::describe(schema)?;
        schema.types.intern(Type::Queue { capacity: CAPACITY, element })
    }

    fn width(layout: &Layout) -> u32 {
        length_width(CAPACITY) + CAPACITY * T::width(layout)
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        write_slots(self.0.iter(), CAPACITY, out)
    }

    fn read(input: &mut Reader<'_>) -> Self {
        let mut queue = Self::new();
        queue.read_into(input);
        queue
    }

    fn read_into(&mut self, input: &mut Reader<'_>) {
        self.0.clear();
        read_slots(CAPACITY, input, |value| self.0.push_back(value));
    }
}

/// At most `CAPACITY` values in no order, each as often as it was added: messages on their way. A step that
/// leaves it with more is a fault of the model.
#[derive(Clone, Debug)]
pub struct Bag<T, const CAPACITY: u32>(Vec<T>);

impl<T, const CAPACITY: u32> Bag<T, CAPACITY> {
    /// The empty bag.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a value.
    pub fn add(&mut self, value: T) {
        self.0.push(value);
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether no more fit.
    pub fn is_full(&self) -> bool {
        self.0.len() >= CAPACITY as usize
    }

    /// The values. Do the same with each: what depends on their order is not symmetric.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: PartialEq, const CAPACITY: u32> Bag<T, CAPACITY> {
    /// Takes one of the values that are equal to this out; whether there was one.
    pub fn remove(&mut self, value: &T) -> bool {
        let found = self.0.iter().position(|it| it == value);
        found.map(|at| self.0.swap_remove(at)).is_some()
    }

    /// Whether it has such a value.
    pub fn contains(&self, value: &T) -> bool {
        self.0.contains(value)
    }

    /// How often it has such a value.
    pub fn count(&self, value: &T) -> usize {
        self.0.iter().filter(|it| *it == value).count()
    }
}

impl<T, const CAPACITY: u32> Default for Bag<T, CAPACITY> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: PartialEq, const CAPACITY: u32> PartialEq for Bag<T, CAPACITY> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.0.iter().all(|value| self.count(value) == other.count(value))
    }
}

impl<T: Data, const CAPACITY: u32> Data for Bag<T, CAPACITY> {
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let element = T::describe(schema)?;
        schema.types.intern(Type::Bag { capacity: CAPACITY, element })
    }

    fn width(layout: &Layout) -> u32 {
        length_width(CAPACITY) + CAPACITY * T::width(layout)
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        let start = out.at;
        write_slots(self.0.iter(), CAPACITY, out)?;
        let (length, slot) = (length_width(CAPACITY), T::width(out.layout));
        let slots = Slots { length, slot, capacity: CAPACITY };
        (0..self.0.len() as u32).for_each(|i| settle_slot(out.words, start, slots, i));
        Ok(())
    }

    fn read(input: &mut Reader<'_>) -> Self {
        let mut bag = Self::new();
        bag.read_into(input);
        bag
    }

    fn read_into(&mut self, input: &mut Reader<'_>) {
        self.0.clear();
        read_slots(CAPACITY, input, |value| self.0.push(value));
    }
}
