//! Numbering the values of wide types, and choosing any of them.

use super::Interpreter;
use super::collection::settle_slot;
use crate::bits;
use crate::code::Root;
use crate::types::{Record, Type, TypeId};

impl Interpreter<'_> {
    /// The number of the value at a place.
    pub(super) fn rank(&self, ty: TypeId, root: Root, offset: u32) -> u64 {
        rank(&self.system.types, ty, self.words(root), offset)
    }

    /// Writes the value with a number to a place.
    pub(super) fn unrank(&mut self, ty: TypeId, root: Root, offset: u32, number: u64) {
        let system = self.system;
        unrank(&system.types, ty, self.words_mut(root), offset, number);
    }

    /// Writes any value of the type to a place: the choice of this run.
    pub(super) fn choose(&mut self, ty: TypeId, root: Root, offset: u32) {
        let types = &self.system.types;
        match *types.get(ty) {
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) => {
                self.choose_number(ty, root, offset)
            }
            Type::Option(_) if types.is_scalar(ty) => self.choose_number(ty, root, offset),
            Type::Option(inner) => {
                bits::clear(self.words_mut(root), offset, types.width(ty));
                if self.choices.next(2) == 1 {
                    bits::write(self.words_mut(root), offset, 1, 1);
                    self.choose(inner, root, offset + 1);
                }
            }
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                self.choose_case(types.record(id), ty, root, offset);
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    self.choose(field.ty, root, offset + field.offset);
                }
            }
            Type::Array { index, element } => {
                for i in 0..types.size(index).expect("an index type is numbered") as u32 {
                    self.choose(element, root, offset + i * types.width(element));
                }
            }
            Type::Set(_) => {
                for bit in 0..types.width(ty) {
                    let chosen = self.choices.next(2);
                    bits::write(self.words_mut(root), offset + bit, 1, chosen);
                }
            }
            Type::Queue { capacity, element } => {
                let slots = types.slots(capacity, element);
                bits::clear(self.words_mut(root), offset, types.width(ty));
                let length = self.choices.next(u64::from(capacity) + 1);
                bits::write(self.words_mut(root), offset, slots.length, length);
                for i in 0..length as u32 {
                    self.choose(element, root, offset + slots.offset(i));
                }
            }
            Type::Bag { capacity, element } => self.choose_bag(root, offset, capacity, element),
        }
    }

    /// The case first, then what it holds.
    fn choose_case(&mut self, record: &Record, ty: TypeId, root: Root, offset: u32) {
        let types = &self.system.types;
        bits::clear(self.words_mut(root), offset, types.width(ty));
        let number = self.choices.next(record.cases.len() as u64);
        let width = types.width(record.fields[0].ty);
        bits::write(self.words_mut(root), offset, width, number);
        for part in &record.cases[number as usize].parts {
            let field = &record.fields[part.field as usize];
            let at = offset + field.offset;
            match part.optional {
                false => self.choose(part.ty, root, at),
                true if types.is_scalar(part.ty) => {
                    let size = types.size(part.ty).expect("a scalar type is numbered");
                    let number = self.choices.next(size);
                    bits::write(self.words_mut(root), at, types.width(field.ty), number + 1);
                }
                true => {
                    bits::write(self.words_mut(root), at, 1, 1);
                    self.choose(part.ty, root, at + 1);
                }
            }
        }
    }

    fn choose_number(&mut self, ty: TypeId, root: Root, offset: u32) {
        let types = &self.system.types;
        let number = self.choices.next(types.size(ty).expect("a scalar type is numbered"));
        bits::write(self.words_mut(root), offset, types.width(ty), number);
    }

    /// Numbered elements are chosen in ascending order, so that each bag comes once.
    fn choose_bag(&mut self, root: Root, offset: u32, capacity: u32, element: TypeId) {
        let types = &self.system.types;
        let slots = types.slots(capacity, element);
        bits::clear(self.words_mut(root), offset, slots.offset(capacity));
        let length = self.choices.next(u64::from(capacity) + 1);
        let mut least = 0;
        for i in 0..length as u32 {
            let here = offset + slots.offset(i);
            match types.size(element) {
                Some(size) => {
                    least += self.choices.next(size - least);
                    self.unrank(element, root, here, least);
                }
                None => self.choose(element, root, here),
            }
            settle_slot(self.words_mut(root), offset, slots, i);
        }
        bits::write(self.words_mut(root), offset, slots.length, length);
    }
}

/// The number of a value of a numbered type.
pub fn rank(types: &crate::Types, ty: TypeId, words: &[u64], offset: u32) -> u64 {
    let size = |ty| types.size(ty).expect("only numbered types are ranked");
    match *types.get(ty) {
        Type::Option(inner) if !types.is_scalar(ty) => match bits::read(words, offset, 1) {
            0 => 0,
            _ => 1 + rank(types, inner, words, offset + 1),
        },
        Type::Record(id) if !types.record(id).cases.is_empty() => {
            let record = types.record(id);
            let case = bits::read(words, offset, types.width(record.fields[0].ty)) as usize;
            // Bits that are no value, from outside, have a number that no value has.
            let Some(chosen) = record.cases.get(case) else { return size(ty) };
            let before: u64 = record.cases[..case].iter().filter_map(|case| types.case_size(case)).sum();
            chosen.parts.iter().fold(0, |number, part| {
                let field = &record.fields[part.field as usize];
                let code = rank(types, field.ty, words, offset + field.offset);
                let digit = code.saturating_sub(u64::from(part.optional));
                number * size(part.ty) + digit
            }) + before
        }
        Type::Record(id) => types.record(id).fields.iter().fold(0, |number, field| {
            number * size(field.ty) + rank(types, field.ty, words, offset + field.offset)
        }),
        Type::Array { index, element } => (0..size(index) as u32).fold(0, |number, i| {
            number * size(element) + rank(types, element, words, offset + i * types.width(element))
        }),
        Type::Queue { .. } | Type::Bag { .. } => unreachable!("only numbered types are ranked"),
        _ => bits::read(words, offset, types.width(ty)),
    }
}

/// Writes the value with a number.
pub fn unrank(types: &crate::Types, ty: TypeId, words: &mut [u64], offset: u32, mut number: u64) {
    let size = |ty| types.size(ty).expect("only numbered types are ranked");
    match *types.get(ty) {
        Type::Option(inner) if !types.is_scalar(ty) => {
            bits::clear(words, offset, types.width(ty));
            if number > 0 {
                bits::write(words, offset, 1, 1);
                unrank(types, inner, words, offset + 1, number - 1);
            }
        }
        Type::Record(id) if !types.record(id).cases.is_empty() => {
            let record = types.record(id);
            let (case, chosen, mut number) = types.case_of_number(&record.cases, number);
            bits::clear(words, offset, types.width(ty));
            bits::write(words, offset, types.width(record.fields[0].ty), case as u64);
            for part in chosen.parts.iter().rev() {
                let field = &record.fields[part.field as usize];
                let digit = number % size(part.ty) + u64::from(part.optional);
                unrank(types, field.ty, words, offset + field.offset, digit);
                number /= size(part.ty);
            }
        }
        Type::Record(id) => {
            for field in types.record(id).fields.iter().rev() {
                unrank(types, field.ty, words, offset + field.offset, number % size(field.ty));
                number /= size(field.ty);
            }
        }
        Type::Array { index, element } => {
            for i in (0..size(index) as u32).rev() {
                unrank(types, element, words, offset + i * types.width(element), number % size(element));
                number /= size(element);
            }
        }
        Type::Queue { .. } | Type::Bag { .. } => unreachable!("only numbered types are ranked"),
        _ => bits::write(words, offset, types.width(ty), number),
    }
}
