//! Symmetric types: their members, arrays over them and sets of them.
//!
//! A [`Member`] has no number and no order that a model could see, so that what a model does with it is the
//! same for all members.

use crate::data::{Data, Layout, Reader, Schema, Writer};
use burnside_ts::{FaultKind, SortKind, Type, TypeError, TypeId, bits};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A symmetric or ring type. Derive it with `Symmetric` or `Ring`.
pub trait Sort: 'static {
    /// Its name.
    const NAME: &'static str;
    /// What permutes its members.
    const KIND: SortKind;

    /// What tells it apart.
    fn key() -> &'static Key;
}

/// A type whose members stand in a ring.
pub trait RingSort: Sort {}

/// What tells a symmetric type apart: a number that is given when it is first asked for.
#[derive(Debug, Default)]
pub struct Key(OnceLock<usize>);

impl Key {
    /// One that has no number yet.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn number(&self) -> usize {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        *self.0.get_or_init(|| NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A member of a symmetric type.
pub struct Member<S> {
    pub(crate) number: u32,
    sort: PhantomData<fn() -> S>,
}

impl<S> Member<S> {
    pub(crate) const fn new(number: u32) -> Self {
        Self { number, sort: PhantomData }
    }

    /// All members of a type that has so many. Do the same with each: what depends on their order is not
    /// symmetric.
    pub fn all(count: u32) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count).map(Member::new)
    }
}

impl<S: RingSort> Member<S> {
    /// The next one around a ring that has so many.
    pub fn next(self, count: u32) -> Self {
        Self::new((self.number + 1) % count.max(1))
    }

    /// The one before it around a ring that has so many.
    pub fn previous(self, count: u32) -> Self {
        Self::new((self.number + count.max(1) - 1) % count.max(1))
    }
}

impl<S> Clone for Member<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Member<S> {}

impl<S> PartialEq for Member<S> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<S> Eq for Member<S> {}

impl<S> Hash for Member<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.number.hash(hasher);
    }
}

impl<S: Sort> fmt::Debug for Member<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", S::NAME, self.number)
    }
}

impl<S: Sort> Data for Member<S> {
    const SCALAR: bool = true;

    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        match schema.sorts.get(&S::key().number()) {
            Some(&sort) => Ok(sort),
            None => {
                schema.unknown = Some(S::NAME);
                Err(TypeError::Empty)
            }
        }
    }

    #[inline]
    fn width(layout: &Layout) -> u32 {
        layout.member_width(S::key().number())
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        let (code, width) = (self.code(out.layout)?, Self::width(out.layout));
        out.put(width, code);
        Ok(())
    }

    fn read(input: &mut Reader<'_>) -> Self {
        let width = Self::width(input.layout);
        Self::from_code(input.take(width))
    }

    fn size(layout: &Layout) -> u64 {
        u64::from(layout.members(S::key().number()))
    }

    fn code(&self, layout: &Layout) -> Result<u64, FaultKind> {
        let (number, size) = (u64::from(self.number), Self::size(layout));
        match number < size {
            true => Ok(number),
            false => Err(FaultKind::IndexOutOfRange { index: number as i64, lo: 0, hi: size as i64 - 1 }),
        }
    }

    fn from_code(code: u64) -> Self {
        Self::new(code as u32)
    }
}

/// A value for each member of a symmetric type.
pub struct Array<S, T> {
    values: Vec<T>,
    sort: PhantomData<fn() -> S>,
}

impl<S, T> Array<S, T> {
    /// A value for each of so many members.
    pub fn from_fn(count: u32, value: impl FnMut(Member<S>) -> T) -> Self {
        Self { values: Member::all(count).map(value).collect(), sort: PhantomData }
    }

    /// The members with their values. Do the same with each: what depends on their order is not symmetric.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Member<S>, &T)> + ExactSizeIterator {
        self.values.iter().enumerate().map(|(number, value)| (Member::new(number as u32), value))
    }

    /// The members.
    pub fn members(&self) -> impl DoubleEndedIterator<Item = Member<S>> + ExactSizeIterator + use<S, T> {
        Member::all(self.values.len() as u32)
    }

    /// The values.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.values.iter()
    }

    /// The values, to be changed. Do the same with each.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> + ExactSizeIterator {
        self.values.iter_mut()
    }
}

impl<S, T: Clone> Array<S, T> {
    /// The same value for each of so many members.
    pub fn new(count: u32, value: T) -> Self {
        Self { values: vec![value; count as usize], sort: PhantomData }
    }

    /// Gives all members a value.
    pub fn fill(&mut self, value: T) {
        self.values.fill(value);
    }
}

impl<S, T: Clone> Clone for Array<S, T> {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), sort: PhantomData }
    }

    fn clone_from(&mut self, source: &Self) {
        self.values.clone_from(&source.values);
    }
}

impl<S, T: PartialEq> PartialEq for Array<S, T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<S, T: Eq> Eq for Array<S, T> {}

impl<S, T: fmt::Debug> fmt::Debug for Array<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(f)
    }
}

impl<S, T> Index<Member<S>> for Array<S, T> {
    type Output = T;

    fn index(&self, member: Member<S>) -> &T {
        &self.values[member.number as usize]
    }
}

impl<S, T> IndexMut<Member<S>> for Array<S, T> {
    fn index_mut(&mut self, member: Member<S>) -> &mut T {
        &mut self.values[member.number as usize]
    }
}

impl<S: Sort, T: Data> Data for Array<S, T> {
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let (index, element) = (Member::<S>::describe(schema)?, T::describe(schema)?);
        schema.types.intern(Type::Array { index, element })
    }

    fn width(layout: &Layout) -> u32 {
        Member::<S>::size(layout) as u32 * T::width(layout)
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        let count = Member::<S>::size(out.layout) as usize;
        if self.values.len() != count {
            let (index, hi) = (self.values.len() as i64, count as i64 - 1);
            return Err(FaultKind::IndexOutOfRange { index, lo: 0, hi });
        }
        self.values.iter().try_for_each(|value| value.write(out))
    }

    fn read(input: &mut Reader<'_>) -> Self {
        let count = Member::<S>::size(input.layout);
        Self { values: (0..count).map(|_| T::read(input)).collect(), sort: PhantomData }
    }

    fn read_into(&mut self, input: &mut Reader<'_>) {
        match self.values.len() as u64 == Member::<S>::size(input.layout) {
            true => self.values.iter_mut().for_each(|value| value.read_into(input)),
            false => *self = Self::read(input),
        }
    }
}

/// A set of members of a symmetric type.
pub struct Set<S> {
    words: Vec<u64>,
    sort: PhantomData<fn() -> S>,
}

impl<S> Set<S> {
    /// The empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new(), sort: PhantomData }
    }

    /// Adds a member; whether it is new.
    pub fn insert(&mut self, member: Member<S>) -> bool {
        let (word, bit) = place(member);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Takes a member out; whether it was there.
    pub fn remove(&mut self, member: Member<S>) -> bool {
        let (word, bit) = place(member);
        let was_there = self.contains(member);
        if was_there {
            self.words[word] &= !bit;
        }
        was_there
    }

    /// Whether it has a member.
    pub fn contains(&self, member: Member<S>) -> bool {
        let (word, bit) = place(member);
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// How many members it has.
    pub fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Takes out all members.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Its members. Do the same with each: what depends on their order is not symmetric.
    pub fn iter(&self) -> impl Iterator<Item = Member<S>> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(word, &bits)| {
            let of_word = (0..64).filter(move |bit| bits >> bit & 1 == 1);
            of_word.map(move |bit| Member::new(word as u32 * 64 + bit))
        })
    }
}

/// The word and the bit of a member.
fn place<S>(member: Member<S>) -> (usize, u64) {
    (member.number as usize / 64, 1 << (member.number % 64))
}

impl<S> Default for Set<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S> FromIterator<Member<S>> for Set<S> {
    fn from_iter<I: IntoIterator<Item = Member<S>>>(members: I) -> Self {
        let mut set = Self::new();
        members.into_iter().for_each(|member| _ = set.insert(member));
        set
    }
}

impl<S> Clone for Set<S> {
    fn clone(&self) -> Self {
        Self { words: self.words.clone(), sort: PhantomData }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
    }
}

impl<S> PartialEq for Set<S> {
    fn eq(&self, other: &Self) -> bool {
        let longer = self.words.len().max(other.words.len());
        let word = |set: &Self, i: usize| set.words.get(i).copied().unwrap_or(0);
        (0..longer).all(|i| word(self, i) == word(other, i))
    }
}

impl<S> Eq for Set<S> {}

impl<S: Sort> fmt::Debug for Set<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<S: Sort> Data for Set<S> {
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let element = Member::<S>::describe(schema)?;
        schema.types.intern(Type::Set(element))
    }

    fn width(layout: &Layout) -> u32 {
        Member::<S>::size(layout) as u32
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        let size = Self::width(out.layout);
        if let Some(outside) = self.iter().find(|member| member.number >= size) {
            outside.code(out.layout)?;
        }
        for (at, width) in bits::chunks(size) {
            out.put(width, self.words.get(at as usize / 64).copied().unwrap_or(0));
        }
        Ok(())
    }

    fn read(input: &mut Reader<'_>) -> Self {
        let mut set = Self::new();
        set.read_into(input);
        set
    }

    fn read_into(&mut self, input: &mut Reader<'_>) {
        self.words.clear();
        let size = Self::width(input.layout);
        self.words.extend(bits::chunks(size).map(|(_, width)| input.take(width)));
    }
}
