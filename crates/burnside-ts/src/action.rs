//! How permutations of the elements of sorts act on values, states and labels.
//!
//! Entry point: [`Action`]. A [`Permutation`] says where each element of each sort goes; cell
//! `x[i]` moves to `x[g(i)]` and a stored value `i` becomes `g(i)`, however deep in records, sets, queues or
//! bags. It is a group action: acting by `g·h` is acting by `h` and then by `g`. The cost is proportional to
//! the number of cells that a moved sort touches, plus the width of the rest.

use crate::bits;
use crate::code::Target;
use crate::system::{RuleId, System};
use crate::types::{SortId, Type, TypeId, Types};
use burnside_limits::poll;
use burnside_perm::images;
use std::sync::Arc;

/// A permutation of the elements of every sort.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Permutation {
    /// For each sort, where its elements go.
    pub images: Vec<Vec<u32>>,
}

impl Clone for Permutation {
    fn clone(&self) -> Self {
        Self { images: self.images.clone() }
    }

    /// Without an allocation if the sorts are the same.
    fn clone_from(&mut self, source: &Self) {
        self.images.clone_from(&source.images);
    }
}

impl Permutation {
    /// The one that moves nothing.
    pub fn identity(types: &Types) -> Self {
        Self { images: types.sorts().map(|(_, sort)| (0..sort.size).collect()).collect() }
    }

    /// Whether nothing moves.
    pub fn is_identity(&self) -> bool {
        self.images.iter().all(|images| images::is_identity(images))
    }

    /// Whether an element of a sort moves.
    pub fn moves(&self, sort: SortId) -> bool {
        !images::is_identity(&self.images[sort.index()])
    }

    /// Where an element goes.
    #[inline]
    pub fn image(&self, sort: SortId, element: u32) -> u32 {
        self.images[sort.index()][element as usize]
    }

    /// The cycles of a sort's elements, those of one element left out.
    pub fn cycles(&self, sort: SortId) -> Vec<Vec<u32>> {
        let images = &self.images[sort.index()];
        images::cycles(images.len(), |element| images[element as usize])
    }

    /// First `other`, then this one.
    pub fn after(&self, other: &Permutation) -> Permutation {
        let pairs = self.images.iter().zip(&other.images);
        Permutation { images: pairs.map(|(mine, theirs)| images::compose(mine, theirs)).collect() }
    }

    /// Whether it does not matter which of the two comes first.
    pub fn commutes(&self, other: &Permutation) -> bool {
        self.images.iter().zip(&other.images).all(|(mine, theirs)| {
            mine.iter().zip(theirs).all(|(&my, &their)| mine[their as usize] == theirs[my as usize])
        })
    }

    /// Makes it the one that does first `earlier`, then `later`.
    pub fn set_product(&mut self, later: &Permutation, earlier: &Permutation) {
        for ((images, later), earlier) in self.images.iter_mut().zip(&later.images).zip(&earlier.images) {
            images.clear();
            images.extend(earlier.iter().map(|&element| later[element as usize]));
        }
    }

    /// The one that undoes this.
    pub fn inverse(&self) -> Permutation {
        Permutation { images: self.images.iter().map(|images| images::inverse(images)).collect() }
    }
}

/// A permutation that moves few elements: these, by sort and ascending, with their images. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SparsePermutation {
    moved: Arc<[(SortId, u32, u32)]>,
}

impl SparsePermutation {
    /// The one that takes elements of sorts to others; those that are not named stay.
    pub fn new(moved: impl IntoIterator<Item = (SortId, u32, u32)>) -> Self {
        let mut moved: Vec<(SortId, u32, u32)> = moved.into_iter().filter(|it| it.1 != it.2).collect();
        moved.sort_unstable_by_key(|&(sort, from, _)| (sort.index(), from));
        Self { moved: moved.into() }
    }

    /// The elements that move, with their images.
    pub fn moved(&self) -> &[(SortId, u32, u32)] {
        &self.moved
    }

    /// Whether an element of a sort moves.
    pub fn moves(&self, sort: SortId) -> bool {
        let at = self.moved.partition_point(|it| it.0.index() < sort.index());
        self.moved.get(at).is_some_and(|it| it.0 == sort)
    }

    /// Where an element goes.
    pub fn image(&self, sort: SortId, element: u32) -> u32 {
        let key = |it: &(SortId, u32, u32)| (it.0.index(), it.1);
        let found = self.moved.binary_search_by_key(&(sort.index(), element), key);
        found.map_or(element, |at| self.moved[at].2)
    }

    /// The same with an image for every element.
    pub fn written(&self, types: &Types) -> Permutation {
        let mut permutation = Permutation::identity(types);
        for &(sort, from, to) in &*self.moved {
            permutation.images[sort.index()][from as usize] = to;
        }
        permutation
    }
}

impl From<&Permutation> for SparsePermutation {
    fn from(permutation: &Permutation) -> Self {
        let sorts = permutation.images.iter().enumerate();
        Self::new(sorts.flat_map(|(sort, images)| {
            (0..).zip(images).map(move |(from, &to)| (SortId(sort as u32), from, to))
        }))
    }
}

/// The action of permutations on one system's states and labels.
#[derive(Clone, Debug)]
pub struct Action<'s> {
    system: &'s System,
    /// For each type, whether a sort occurs in it.
    touched: Vec<bool>,
    /// The variables in whose types a sort occurs: offset, width and shape.
    moved: Vec<(u32, u32, Shape)>,
}

/// How the bits of a value move: its type, prepared for a loop that runs for every step of a search.
#[derive(Clone, Debug)]
enum Shape {
    /// They stay.
    Plain(u32),
    /// The element of a sort, in so many bits; of an optional one 0 is none, and the element comes after.
    Element { width: u32, sort: SortId, optional: bool },
    /// A bit for each element of a sort, or several: a set, or an array of values without sorts.
    Bits { sort: SortId, count: u32, width: u32 },
    /// Parts at distances from its start.
    Record(Vec<(u32, Shape)>),
    /// Values one after the other, for each element of a sort or for each of so many indices without sorts.
    Array { sort: Option<SortId>, count: u32, width: u32, element: Box<Shape> },
    /// A bit that says whether there is something, and that.
    Option(Box<Shape>),
    /// Whatever else there is.
    Other(TypeId),
}

impl<'s> Action<'s> {
    /// The action on a system.
    pub fn new(system: &'s System) -> Self {
        let touched: Vec<bool> =
            system.types.iter().map(|(id, _)| !system.types.sorts_in(id).is_empty()).collect();
        let is_moved = |ty: TypeId| touched[ty.index()];
        let shape = |ty: TypeId| Shape::new(&system.types, &is_moved, ty);
        let moved = system.vars.iter().filter(|var| is_moved(var.ty));
        let moved = moved.map(|var| (var.offset, system.types.width(var.ty), shape(var.ty))).collect();
        Self { system, moved, touched }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Whether a sort occurs in a type.
    pub fn touches(&self, ty: TypeId) -> bool {
        self.touched[ty.index()]
    }

    /// Writes `permutation · state` to `to`. Both slices have [spare](bits::SPARE) words.
    pub fn state(&self, permutation: &Permutation, state: &[u64], to: &mut [u64]) {
        poll();
        to.copy_from_slice(&state[..to.len()]);
        for (offset, width, shape) in &self.moved {
            bits::clear(to, *offset, *width);
            self.shaped(permutation, shape, (state, *offset), (to, *offset));
        }
    }

    /// Moves one value of a shape. The target's bits are zero.
    fn shaped(&self, permutation: &Permutation, shape: &Shape, from: (&[u64], u32), to: (&mut [u64], u32)) {
        let (words, offset) = from;
        let (out, at) = to;
        match shape {
            Shape::Plain(width) => bits::copy(out, at, words, offset, *width),
            Shape::Element { width, sort, optional } => {
                let code = bits::read(words, offset, *width);
                let none = u64::from(*optional);
                if code >= none {
                    let image = permutation.image(*sort, (code - none) as u32);
                    bits::write(out, at, *width, u64::from(image) + none);
                }
            }
            Shape::Bits { sort, count, width } => {
                let images = &permutation.images[sort.index()][..*count as usize];
                move_bits(images, *width, (words, offset), (out, at));
            }
            Shape::Record(parts) => {
                for (distance, part) in parts {
                    self.shaped(permutation, part, (words, offset + distance), (out, at + distance));
                }
            }
            Shape::Array { sort, count, width, element } => {
                for i in 0..*count {
                    let j = sort.map_or(i, |sort| permutation.image(sort, i));
                    self.shaped(permutation, element, (words, offset + i * width), (out, at + j * width));
                }
            }
            Shape::Option(inner) => {
                if bits::read(words, offset, 1) == 1 {
                    bits::write(out, at, 1, 1);
                    self.shaped(permutation, inner, (words, offset + 1), (out, at + 1));
                }
            }
            Shape::Other(ty) => self.value(permutation, *ty, (words, offset), (out, at)),
        }
    }

    /// Where a permutation takes a rule.
    pub fn rule(&self, permutation: &Permutation, rule: RuleId) -> RuleId {
        self.system.rule_sort.map_or(rule, |sort| RuleId(permutation.image(sort, rule.0)))
    }

    /// Moves a label: the moved rule, and its arguments in `to`.
    pub fn label(&self, permutation: &Permutation, rule: RuleId, args: &[u64], to: &mut [u64]) -> RuleId {
        let image = self.rule(permutation, rule);
        let rule = self.system.rule(rule);
        let start = rule.args.start;
        let from = [args, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; from.len()];
        // A rule and its image have their arguments side by side in the same order, so what differs is only
        // where they start.
        debug_assert_eq!(rule.args.len(), self.system.rule(image).args.len());
        for param in &rule.params {
            let ty = param.binder.ty;
            match param.binder.target {
                Target::Scalar(slot) => {
                    let bias = self.system.types.bias(ty);
                    let value = from[slot.index() - start];
                    let number = (value as i64 - bias) as u64;
                    // A step that faults before a parameter is bound shows zero for it, which may be no value
                    // of its type.
                    let outside = self.system.types.size(ty).is_none_or(|size| number >= size);
                    moved[slot.index() - start] = match outside {
                        true => value,
                        false => (self.number(permutation, ty, number) as i64 + bias) as u64,
                    };
                }
                Target::Wide(bit) => {
                    let bit = bit - start as u32 * 64;
                    self.value(permutation, ty, (&from, bit), (&mut moved, bit));
                }
            }
        }
        to.copy_from_slice(&moved[..args.len()]);
        image
    }

    /// Moves one value. The target's bits are zero.
    fn value(&self, permutation: &Permutation, ty: TypeId, from: (&[u64], u32), to: (&mut [u64], u32)) {
        let types = &self.system.types;
        let (words, offset) = from;
        let (out, at) = to;
        if !self.touches(ty) {
            return bits::copy(out, at, words, offset, types.width(ty));
        }
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                if bits::read(words, offset, 1) == 1 {
                    bits::write(out, at, 1, 1);
                    self.value(permutation, inner, (words, offset + 1), (out, at + 1));
                }
            }
            Type::Record(id) => {
                for field in &types.record(id).fields {
                    self.value(
                        permutation,
                        field.ty,
                        (words, offset + field.offset),
                        (out, at + field.offset),
                    );
                }
            }
            Type::Array { index, element } => {
                let width = types.width(element);
                for i in 0..types.size(index).expect("an index type is numbered") {
                    let j = self.number(permutation, index, i) as u32;
                    self.value(
                        permutation,
                        element,
                        (words, offset + i as u32 * width),
                        (out, at + j * width),
                    );
                }
            }
            Type::Set(element) => {
                for (chunk, width) in bits::chunks(types.width(ty)) {
                    let mut rest = bits::read(words, offset + chunk, width);
                    while rest != 0 {
                        let i = chunk + rest.trailing_zeros();
                        rest &= rest - 1;
                        let j = self.number(permutation, element, u64::from(i)) as u32;
                        bits::write(out, at + j, 1, 1);
                    }
                }
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                let length = bits::read(words, offset, slots.length);
                bits::write(out, at, slots.length, length);
                for i in 0..length as u32 {
                    let slot = slots.offset(i);
                    self.value(permutation, element, (words, offset + slot), (out, at + slot));
                    if matches!(types.get(ty), Type::Bag { .. }) {
                        crate::interpreter::settle_slot(out, at, slots, i);
                    }
                }
            }
            _ => {
                let width = types.width(ty);
                bits::write(out, at, width, self.number(permutation, ty, bits::read(words, offset, width)));
            }
        }
    }

    /// Moves the value of a numbered type that has this number: the number of the result.
    pub fn number(&self, permutation: &Permutation, ty: TypeId, number: u64) -> u64 {
        let types = &self.system.types;
        if !self.touches(ty) {
            return number;
        }
        let size = |ty| types.size(ty).expect("only numbered types have numbers");
        match *types.get(ty) {
            Type::Sort(sort) => u64::from(permutation.image(sort, number as u32)),
            Type::Option(_) if number == 0 => 0,
            Type::Option(inner) => 1 + self.number(permutation, inner, number - 1),
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                let (_, case, within) = types.case_of_number(&types.record(id).cases, number);
                let (mut rest, mut scale, mut result) = (within, 1, number - within);
                for part in case.parts.iter().rev() {
                    result += scale * self.number(permutation, part.ty, rest % size(part.ty));
                    rest /= size(part.ty);
                    scale *= size(part.ty);
                }
                result
            }
            Type::Record(id) => {
                let (mut rest, mut scale, mut result) = (number, 1, 0);
                for field in types.record(id).fields.iter().rev() {
                    result += scale * self.number(permutation, field.ty, rest % size(field.ty));
                    rest /= size(field.ty);
                    scale *= size(field.ty);
                }
                result
            }
            Type::Array { index, element } => {
                let (count, base) = (size(index), size(element));
                (0..count).fold(0, |result, i| {
                    let digit = number / base.pow((count - 1 - i) as u32) % base;
                    let j = self.number(permutation, index, i);
                    result + self.number(permutation, element, digit) * base.pow((count - 1 - j) as u32)
                })
            }
            Type::Set(element) => (0..types.width(ty) as u64)
                .filter(|i| number >> i & 1 == 1)
                .fold(0, |result, i| result | 1 << self.number(permutation, element, i)),
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Queue { .. } | Type::Bag { .. } => {
                unreachable!("not touched, or not numbered")
            }
        }
    }
}

impl Shape {
    fn new(types: &Types, is_moved: &impl Fn(TypeId) -> bool, ty: TypeId) -> Shape {
        let width = types.width(ty);
        if !is_moved(ty) {
            return Shape::Plain(width);
        }
        let shape = |ty: TypeId| Shape::new(types, is_moved, ty);
        match *types.get(ty) {
            Type::Sort(sort) => Shape::Element { width, sort, optional: false },
            Type::Option(inner) if !types.is_scalar(ty) => Shape::Option(Box::new(shape(inner))),
            Type::Option(inner) => match *types.get(inner) {
                Type::Sort(sort) => Shape::Element { width, sort, optional: true },
                _ => Shape::Other(ty),
            },
            Type::Record(id) => {
                let fields = types.record(id).fields.iter();
                Shape::Record(fields.map(|field| (field.offset, shape(field.ty))).collect())
            }
            Type::Set(element) => match *types.get(element) {
                Type::Sort(sort) => Shape::Bits { sort, count: width, width: 1 },
                _ => Shape::Other(ty),
            },
            Type::Array { index, element } => {
                let sort = match *types.get(index) {
                    Type::Sort(sort) => Some(sort),
                    _ if is_moved(index) => return Shape::Other(ty),
                    _ => None,
                };
                let count = types.size(index).expect("an index type is numbered") as u32;
                let width = types.width(element);
                match (sort, shape(element)) {
                    (Some(sort), Shape::Plain(width)) if width <= 64 => Shape::Bits { sort, count, width },
                    (sort, element) => Shape::Array { sort, count, width, element: Box::new(element) },
                }
            }
            _ => Shape::Other(ty),
        }
    }
}

/// Moves one field of at most 64 bits for each element. The target's bits are zero, so fields that are zero
/// need no move: of many at once if they are small.
#[inline]
fn move_bits(images: &[u32], width: u32, from: (&[u64], u32), to: (&mut [u64], u32)) {
    let (words, offset) = from;
    let (out, at) = to;
    if width != 1 {
        return copy_runs(images, width, (words, offset), (out, at));
    }
    for (chunk, width) in bits::chunks(images.len() as u32) {
        let mut rest = bits::read(words, offset + chunk, width);
        while rest != 0 {
            let j = at + images[(chunk + rest.trailing_zeros()) as usize];
            out[(j / 64) as usize] |= 1 << (j % 64);
            rest &= rest - 1;
        }
    }
}

/// Copies fields of some width to their images. Those that stay side by side go together: of a rotation all
/// go in two parts.
fn copy_runs(images: &[u32], width: u32, from: (&[u64], u32), to: (&mut [u64], u32)) {
    let mut start = 0;
    while start < images.len() {
        let first = images[start];
        let together = |&(run, &image): &(u32, &u32)| image == first + run;
        let run = (0..).zip(&images[start..]).take_while(together).count() as u32;
        let from_offset = from.1 + start as u32 * width;
        bits::copy(to.0, to.1 + first * width, from.0, from_offset, run * width);
        start += run as usize;
    }
}
