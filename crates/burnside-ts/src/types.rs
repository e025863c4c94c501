//! Finite types: their sizes, their packed widths and the numbering of their values.
//!
//! Entry point: [`Types`], a table in which equal types have equal ids, except that each [named
//! range](Types::declare_range) is a type of its own. Invariant: a type in the table is finite, has at least
//! one value, and its width is known. Two values of a type are equal exactly when their packed bits are.
//!
//! A *scalar* (bool, range, enum, sort, and an optional scalar) is computed with as one `i64`, its *value*:
//! the integer itself for ranges, the position for enums and sorts, 0 or 1 for bool, and for optionals 0 for
//! none and 1 + code for the rest. Its *code*, which is what a state stores, is the value less the
//! [bias](Types::bias). Everything else is *wide*: bits at a place, in a state or in a frame.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::ids::ids;

ids! {
    /// A type in [`Types`].
    TypeId;
    /// An enum.
    EnumId;
    /// A symmetric or ring type.
    SortId;
    /// A record type.
    RecordId;
}

/// The structure of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Truth values.
    Bool,
    /// Integers from `lo` to `hi`, both included.
    Range {
        /// The least value.
        lo: i64,
        /// The greatest value.
        hi: i64,
    },
    /// One of some constants.
    Enum(EnumId),
    /// An element of a symmetric or ring type.
    Sort(SortId),
    /// Nothing, or a value of the type.
    Option(TypeId),
    /// One value per field.
    Record(RecordId),
    /// One element per value of the index type.
    Array {
        /// What it is indexed by: a type whose values are numbered.
        index: TypeId,
        /// What it holds.
        element: TypeId,
    },
    /// A set of values of a numbered type.
    Set(TypeId),
    /// A sequence of bounded length: a length, then the slots from front to back; slots not in use are zero.
    Queue {
        /// The greatest length.
        capacity: u32,
        /// What it holds.
        element: TypeId,
    },
    /// A multiset of bounded size: a size, then the slots in ascending order of their bits; slots not in use
    /// are zero.
    Bag {
        /// The greatest size.
        capacity: u32,
        /// What it holds.
        element: TypeId,
    },
}

/// What permutes the elements of a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortKind {
    /// All permutations.
    Symmetric,
    /// Rotations.
    Ring,
}

/// A symmetric or ring type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sort {
    /// Its name.
    pub name: String,
    /// How many elements it has.
    pub size: u32,
    /// What permutes them.
    pub kind: SortKind,
    /// The texts of its elements, if they have names of their own.
    pub labels: Option<Vec<String>>,
    /// Whether it was not declared to be symmetric, but is a range or an enum that was found to be.
    pub inferred: bool,
    /// For a range that was found to be symmetric: its bounds. Its values are still computed with as these
    /// integers.
    pub bounds: Option<(i64, i64)>,
}

/// An enum type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name.
    pub name: String,
    /// Its constants, in order.
    pub constants: Vec<String>,
}

/// A record type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name; empty if it is a tuple.
    pub name: String,
    /// Its fields, in order.
    pub fields: Vec<Field>,
    /// Of a union what it can be; none for a record proper. The first field is then the number of the case.
    /// Each other one is there for some of the cases, and holds zeros in all others.
    pub cases: Vec<UnionCase>,
}

/// A case of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnionCase {
    /// Its name.
    pub name: String,
    /// What it holds, in order.
    pub parts: Vec<UnionPart>,
}

/// What a case of a union holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnionPart {
    /// Its name; empty if the case is nothing but this.
    pub name: String,
    /// The field where it is, by its position.
    pub field: u32,
    /// Its type.
    pub ty: TypeId,
    /// Whether the field is an optional of that type, so that permutations do not move what is not there.
    pub optional: bool,
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// Where its bits start, from the start of the record.
    pub offset: u32,
}

/// Why a type cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeError {
    /// It would have no value.
    Empty,
    /// Its values would need more bits than [`Types::MAX_WIDTH`]. Carries the number of bits, saturated.
    TooWide(u64),
    /// Its values are not numbered (it contains a queue or a bag) or are too many, so it cannot be an index.
    NotNumbered,
    /// More than [`Types::MAX_DEPTH`] types would be inside each other.
    TooDeep,
    /// Its values would have more parts than [`Types::MAX_WIDTH`], though they may take few bits. Carries
    /// their number, saturated.
    TooManyParts(u64),
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeError::Empty => write!(f, "the type has no value"),
            TypeError::TooWide(bits) => {
                let (size, limit) = (bits / 8, Types::MAX_WIDTH / 8);
                write!(f, "a value of this type would take {size} bytes; the limit is {limit}")
            }
            TypeError::NotNumbered => write!(f, "the values of this type cannot be numbered"),
            TypeError::TooDeep => {
                write!(f, "this type has more than {} others inside each other", Types::MAX_DEPTH - 1)
            }
            TypeError::TooManyParts(parts) => {
                write!(f, "a value of this type would have {parts} parts; the limit is {}", Types::MAX_WIDTH)
            }
        }
    }
}

impl std::error::Error for TypeError {}

#[derive(Clone, Copy, Debug)]
struct Facts {
    width: u32,
    /// How many values, if they are numbered.
    size: Option<u64>,
    /// How many types are inside each other, this one included.
    depth: u32,
    /// How many scalars, sets and lengths a value consists of, also those that take no bits.
    cells: u64,
}

/// The table of types.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: Vec<Type>,
    facts: Vec<Facts>,
    known: HashMap<Type, TypeId>,
    /// The names of named ranges.
    ranges: BTreeMap<TypeId, String>,
    enums: Vec<Enum>,
    sorts: Vec<Sort>,
    records: Vec<Record>,
}

impl Types {
    /// The sorts that occur in a type, each once.
    pub fn sorts_in(&self, ty: TypeId) -> Vec<SortId> {
        if let Type::Sort(sort) = *self.get(ty) {
            return vec![sort];
        }
        let parts = self.parts(self.get(ty));
        let mut sorts: Vec<SortId> = parts.into_iter().flat_map(|part| self.sorts_in(part)).collect();
        sorts.sort();
        sorts.dedup();
        sorts
    }

    /// The types that a type is made of.
    fn parts(&self, ty: &Type) -> Vec<TypeId> {
        match *ty {
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) => Vec::new(),
            Type::Option(inner) | Type::Set(inner) => vec![inner],
            Type::Queue { element, .. } | Type::Bag { element, .. } => vec![element],
            Type::Record(id) => self.record(id).fields.iter().map(|field| field.ty).collect(),
            Type::Array { index, element } => vec![index, element],
        }
    }

    fn cells_of(&self, ty: &Type) -> Result<u64, TypeError> {
        let of_parts =
            |parts: &[TypeId]| parts.iter().fold(1u64, |sum, &part| sum.saturating_add(self.cells(part)));
        let cells = match *ty {
            Type::Record(_) => of_parts(&self.parts(ty)),
            Type::Array { index, element } => {
                self.size(index).unwrap_or(u64::MAX).saturating_mul(self.cells(element))
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                u64::from(capacity).saturating_mul(self.cells(element)).saturating_add(1)
            }
            Type::Option(inner) => self.cells(inner),
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) | Type::Set(_) => 1,
        };
        if cells <= Self::MAX_WIDTH { Ok(cells) } else { Err(TypeError::TooManyParts(cells)) }
    }

    fn depth_of(&self, ty: &Type) -> Result<u32, TypeError> {
        let below = self.parts(ty).into_iter().map(|part| self.facts[part.index()].depth).max().unwrap_or(0);
        if below < Self::MAX_DEPTH { Ok(below + 1) } else { Err(TypeError::TooDeep) }
    }

    /// The greatest width of a value, and of a state: one mebibyte.
    pub const MAX_WIDTH: u64 = 1 << 23;
    /// So many types may be inside each other, so that walks over values are safe.
    pub const MAX_DEPTH: u32 = 200;
    /// The greatest number of values of a numbered type.
    pub const MAX_SIZE: u64 = 1 << 62;

    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a type; equal types have equal ids.
    pub fn intern(&mut self, ty: Type) -> Result<TypeId, TypeError> {
        if let Some(&id) = self.known.get(&ty) {
            return Ok(id);
        }
        let id = self.push(ty.clone())?;
        self.known.insert(ty, id);
        Ok(id)
    }

    fn push(&mut self, ty: Type) -> Result<TypeId, TypeError> {
        let facts = self.compute(&ty)?;
        let facts = Facts { depth: self.depth_of(&ty)?, cells: self.cells_of(&ty)?, ..facts };
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty);
        self.facts.push(facts);
        Ok(id)
    }

    /// Declares a range with a name: a type that differs from every other range.
    pub fn declare_range(&mut self, name: &str, lo: i64, hi: i64) -> Result<TypeId, TypeError> {
        let id = self.push(Type::Range { lo, hi })?;
        self.ranges.insert(id, name.to_string());
        Ok(id)
    }

    /// Gives types, constants and fields other names.
    pub fn rename(&mut self, other: &dyn Fn(&str) -> Option<String>) {
        let enums = self.enums.iter_mut().flat_map(|it| it.constants.iter_mut().chain([&mut it.name]));
        let sorts = self.sorts.iter_mut().map(|it| &mut it.name);
        let records = self.records.iter_mut();
        let records =
            records.flat_map(|it| it.fields.iter_mut().map(|field| &mut field.name).chain([&mut it.name]));
        for name in enums.chain(sorts).chain(records).chain(self.ranges.values_mut()) {
            if let Some(other) = other(name) {
                *name = other;
            }
        }
    }

    /// The name of a named range.
    pub fn range_name(&self, id: TypeId) -> Option<&str> {
        self.ranges.get(&id).map(String::as_str)
    }

    /// Declares an enum; `Empty` if it has no constants.
    pub fn declare_enum(&mut self, name: &str, constants: Vec<String>) -> Result<TypeId, TypeError> {
        let id = EnumId(self.enums.len() as u32);
        self.enums.push(Enum { name: name.to_string(), constants });
        self.intern(Type::Enum(id))
    }

    /// Declares a symmetric or ring type; `Empty` if it has no elements.
    pub fn declare_sort(&mut self, name: &str, size: u32, kind: SortKind) -> Result<TypeId, TypeError> {
        self.push_sort(name, size, kind, None)
    }

    /// Declares a symmetric or ring type whose elements have names; `Empty` if it has none.
    pub fn declare_named_sort(
        &mut self,
        name: &str,
        labels: Vec<String>,
        kind: SortKind,
    ) -> Result<TypeId, TypeError> {
        self.push_sort(name, labels.len() as u32, kind, Some(labels))
    }

    fn push_sort(
        &mut self,
        name: &str,
        size: u32,
        kind: SortKind,
        labels: Option<Vec<String>>,
    ) -> Result<TypeId, TypeError> {
        let id = SortId(self.sorts.len() as u32);
        self.sorts.push(Sort { name: name.to_string(), size, kind, labels, inferred: false, bounds: None });
        self.intern(Type::Sort(id))
    }

    /// Turns a named range or an enum into a symmetric type, in place: its id, its width, its size, its
    /// values and their texts stay.
    pub fn promote(&mut self, ty: TypeId, name: &str) -> SortId {
        let (bounds, labels): (_, Vec<String>) = match *self.get(ty) {
            Type::Range { lo, hi } => (Some((lo, hi)), (lo..=hi).map(|value| value.to_string()).collect()),
            Type::Enum(id) => (None, self.enumeration(id).constants.clone()),
            ref other => unreachable!("{other:?} cannot become a sort"),
        };
        let sort = SortId(self.sorts.len() as u32);
        let (name, size, kind) = (name.to_string(), labels.len() as u32, SortKind::Symmetric);
        self.sorts.push(Sort { name, size, kind, labels: Some(labels), inferred: true, bounds });
        let old = std::mem::replace(&mut self.types[ty.index()], Type::Sort(sort));
        // A named range has the structure of the anonymous one, which stays.
        if self.known.get(&old) == Some(&ty) {
            self.known.remove(&old);
        }
        self.known.insert(Type::Sort(sort), ty);
        sort
    }

    /// Declares a record.
    pub fn declare_record(&mut self, name: &str, fields: Vec<(String, TypeId)>) -> Result<TypeId, TypeError> {
        let mut offset = 0u64;
        let mut laid_out = Vec::with_capacity(fields.len());
        for (name, ty) in fields {
            laid_out.push(Field { name, ty, offset: offset as u32 });
            offset = fit(offset + u64::from(self.width(ty)))?;
        }
        self.push_record(Record { name: name.to_string(), fields: laid_out, cases: Vec::new() })
    }

    fn push_record(&mut self, record: Record) -> Result<TypeId, TypeError> {
        let id = RecordId(self.records.len() as u32);
        self.records.push(record);
        self.intern(Type::Record(id))
    }

    /// Declares a union: one of some cases, each with what it holds. `Empty` if there are no cases.
    ///
    /// It is a record with the number of the case and a field for each thing that a case holds; cases share
    /// fields of one type. A field that a case does not use is zero, so equal values have equal bits; and
    /// where zeros could be an element that permutations move, the field is an optional.
    pub fn declare_union(
        &mut self,
        name: &str,
        cases: Vec<(String, Vec<(String, TypeId)>)>,
    ) -> Result<TypeId, TypeError> {
        // An anonymous range: nobody finds the cases to be interchangeable.
        let number = self.intern(Type::Range { lo: 0, hi: cases.len() as i64 - 1 })?;
        let mut fields = vec![(String::from("case"), number)];
        let mut built = Vec::with_capacity(cases.len());
        for (case, parts) in cases {
            let mut taken = vec![0];
            let mut placed = Vec::with_capacity(parts.len());
            for (part, ty) in parts {
                let optional = self.needs_option(ty);
                let stored = if optional { self.intern(Type::Option(ty))? } else { ty };
                let free = |&i: &usize| fields[i].1 == stored && !taken.contains(&i);
                let field = (0..fields.len()).find(free).unwrap_or_else(|| {
                    fields.push((format!("part{}", fields.len()), stored));
                    fields.len() - 1
                });
                taken.push(field);
                placed.push(UnionPart { name: part, field: field as u32, ty, optional });
            }
            built.push(UnionCase { name: case, parts: placed });
        }
        let mut offset = 0u64;
        let mut laid_out = Vec::with_capacity(fields.len());
        for (name, ty) in fields {
            laid_out.push(Field { name, ty, offset: offset as u32 });
            offset = fit(offset + u64::from(self.width(ty)))?;
        }
        self.push_record(Record { name: name.to_string(), fields: laid_out, cases: built })
    }

    /// Whether a value of zeros might be moved by a permutation, now or once a type turns out to be
    /// symmetric.
    fn needs_option(&self, ty: TypeId) -> bool {
        match *self.get(ty) {
            Type::Bool | Type::Option(_) | Type::Set(_) | Type::Queue { .. } | Type::Bag { .. } => false,
            Type::Range { .. } => self.range_name(ty).is_some(),
            Type::Enum(_) | Type::Sort(_) | Type::Record(_) | Type::Array { .. } => true,
        }
    }

    /// The cases of a type; none unless it is a union.
    pub fn cases(&self, ty: TypeId) -> &[UnionCase] {
        match *self.get(ty) {
            Type::Record(id) => &self.record(id).cases,
            _ => &[],
        }
    }

    /// How many values a case of a union has, if they are numbered.
    pub fn case_size(&self, case: &UnionCase) -> Option<u64> {
        let mut parts = case.parts.iter();
        limited(parts.try_fold(1u64, |all, part| all.checked_mul(self.size(part.ty)?)))
    }

    /// The case of a union that a number is in, with the number within the case.
    pub fn case_of_number<'t>(&self, cases: &'t [UnionCase], mut number: u64) -> (usize, &'t UnionCase, u64) {
        for (i, case) in cases.iter().enumerate() {
            match self.case_size(case).expect("only numbered types have numbers") {
                size if number < size => return (i, case, number),
                size => number -= size,
            }
        }
        unreachable!("a union has no value of this number")
    }

    /// The structure of a type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// An enum.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.index()]
    }

    /// A sort.
    pub fn sort(&self, id: SortId) -> &Sort {
        &self.sorts[id.index()]
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.index()]
    }

    /// All types with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(i, ty)| (TypeId(i as u32), ty))
    }

    /// All sorts with their ids.
    pub fn sorts(&self) -> impl Iterator<Item = (SortId, &Sort)> {
        self.sorts.iter().enumerate().map(|(i, sort)| (SortId(i as u32), sort))
    }

    /// How many bits a value takes.
    pub fn width(&self, id: TypeId) -> u32 {
        self.facts[id.index()].width
    }

    /// How many scalars, sets and lengths a value consists of, also those that take no bits.
    pub fn cells(&self, id: TypeId) -> u64 {
        self.facts[id.index()].cells
    }

    /// How many types are inside each other, this one included.
    pub fn depth(&self, id: TypeId) -> u32 {
        self.facts[id.index()].depth
    }

    /// How many values the type has, if they are numbered.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        self.facts[id.index()].size
    }

    /// Whether values of the type are computed with as one integer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        match *self.get(id) {
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) => true,
            Type::Option(inner) => self.is_scalar(inner),
            _ => false,
        }
    }

    /// Value less code of a scalar: the lower end of a range, 0 for the rest.
    pub fn bias(&self, id: TypeId) -> i64 {
        self.bounds(id).map_or(0, |(lo, _)| lo)
    }

    /// The least and the greatest value of a range, also of one that became a sort.
    pub fn bounds(&self, id: TypeId) -> Option<(i64, i64)> {
        match *self.get(id) {
            Type::Range { lo, hi } => Some((lo, hi)),
            Type::Sort(sort) => self.sort(sort).bounds,
            _ => None,
        }
    }

    /// How many elements a set, queue or bag has at most.
    pub fn capacity(&self, collection: TypeId) -> u32 {
        match *self.get(collection) {
            Type::Queue { capacity, .. } | Type::Bag { capacity, .. } => capacity,
            Type::Set(_) => self.width(collection),
            _ => unreachable!("a collection is a set, a queue or a bag"),
        }
    }

    /// The widths of a queue's or bag's length field and of one slot.
    pub fn slots(&self, capacity: u32, element: TypeId) -> Slots {
        Slots { length: bits_for(u64::from(capacity) + 1), slot: self.width(element), capacity }
    }

    fn compute(&self, ty: &Type) -> Result<Facts, TypeError> {
        match *ty {
            Type::Bool => Ok(numbered(2)),
            Type::Range { lo, hi } if lo > hi => Err(TypeError::Empty),
            Type::Range { lo, hi } => match (hi as i128 - lo as i128 + 1) as u128 {
                size if size <= u128::from(Self::MAX_SIZE) => Ok(numbered(size as u64)),
                _ => Err(TypeError::TooWide(u64::MAX)),
            },
            Type::Enum(id) => nonempty(self.enumeration(id).constants.len() as u64),
            Type::Sort(id) => nonempty(u64::from(self.sort(id).size)),
            Type::Option(inner) if self.is_scalar(inner) => match self.size(inner) {
                Some(size) if size < Self::MAX_SIZE => Ok(numbered(size + 1)),
                _ => Err(TypeError::TooWide(u64::MAX)),
            },
            Type::Option(inner) => {
                let width = fit(u64::from(self.width(inner)) + 1)?;
                let size = self.size(inner).and_then(|n| limited(n.checked_add(1)));
                Ok(Facts { width: width as u32, size, depth: 0, cells: 0 })
            }
            Type::Record(id) => self.compute_record(self.record(id)),
            Type::Array { index, element } => self.compute_array(index, element),
            Type::Set(element) => {
                let count = self.size(element).ok_or(TypeError::NotNumbered)?;
                let size = if count < 62 { Some(1 << count) } else { None };
                Ok(Facts { width: fit(count)? as u32, size, depth: 0, cells: 0 })
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = self.slots(capacity, element);
                let width = u64::from(slots.length) + u64::from(capacity) * u64::from(slots.slot);
                Ok(Facts { width: fit(width)? as u32, size: None, depth: 0, cells: 0 })
            }
        }
    }

    fn compute_record(&self, record: &Record) -> Result<Facts, TypeError> {
        let (mut width, mut size) = (0u64, Some(1u64));
        if !record.cases.is_empty() {
            let mut cases = record.cases.iter();
            let size = limited(cases.try_fold(0u64, |all, case| all.checked_add(self.case_size(case)?)));
            let width = record.fields.iter().map(|field| self.width(field.ty)).sum();
            return Ok(Facts { width, size, depth: 0, cells: 0 });
        }
        for field in &record.fields {
            width = fit(width + u64::from(self.width(field.ty)))?;
            size = limited(size.zip(self.size(field.ty)).and_then(|(a, b)| a.checked_mul(b)));
        }
        Ok(Facts { width: width as u32, size, depth: 0, cells: 0 })
    }

    fn compute_array(&self, index: TypeId, element: TypeId) -> Result<Facts, TypeError> {
        let count = self.size(index).ok_or(TypeError::NotNumbered)?;
        let width = fit(count.saturating_mul(u64::from(self.width(element)).max(1)))?;
        let width = if self.width(element) == 0 { 0 } else { width };
        let power = |size: u64| u32::try_from(count).ok().and_then(|n| size.checked_pow(n));
        let size = limited(self.size(element).and_then(power));
        Ok(Facts { width: width as u32, size, depth: 0, cells: 0 })
    }
}

/// How a queue or bag is laid out: the length first, then `capacity` slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Width of the length.
    pub length: u32,
    /// Width of one slot.
    pub slot: u32,
    /// Number of slots.
    pub capacity: u32,
}

impl Slots {
    /// Where slot `i` starts, from the start of the queue or bag.
    pub fn offset(&self, i: u32) -> u32 {
        self.length + i * self.slot
    }
}

/// How many bits tell `size` values apart.
pub fn bits_for(size: u64) -> u32 {
    64 - size.saturating_sub(1).leading_zeros()
}

fn fit(width: u64) -> Result<u64, TypeError> {
    if width <= Types::MAX_WIDTH { Ok(width) } else { Err(TypeError::TooWide(width)) }
}

fn limited(size: Option<u64>) -> Option<u64> {
    size.filter(|&size| size <= Types::MAX_SIZE)
}

fn nonempty(size: u64) -> Result<Facts, TypeError> {
    if size == 0 { Err(TypeError::Empty) } else { Ok(numbered(size)) }
}

fn numbered(size: u64) -> Facts {
    Facts { width: bits_for(size), size: Some(size), depth: 0, cells: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_sizes() {
        let mut t = Types::new();
        let b = t.intern(Type::Bool).unwrap();
        let r = t.intern(Type::Range { lo: -2, hi: 4 }).unwrap();
        let one = t.intern(Type::Range { lo: 5, hi: 5 }).unwrap();
        let c = t.declare_sort("C", 3, SortKind::Symmetric).unwrap();
        let oc = t.intern(Type::Option(c)).unwrap();
        let rec = t.declare_record("P", vec![("x".into(), r), ("y".into(), oc)]).unwrap();
        let orec = t.intern(Type::Option(rec)).unwrap();
        let arr = t.intern(Type::Array { index: rec, element: b }).unwrap();
        let set = t.intern(Type::Set(rec)).unwrap();
        let q = t.intern(Type::Queue { capacity: 4, element: rec }).unwrap();
        let table = [(b, 1, Some(2)), (r, 3, Some(7)), (one, 0, Some(1)), (c, 2, Some(3)), (oc, 2, Some(4))];
        for (id, width, size) in table {
            assert_eq!((t.width(id), t.size(id)), (width, size));
        }
        assert_eq!((t.width(rec), t.size(rec)), (5, Some(28)));
        assert_eq!((t.width(orec), t.size(orec)), (6, Some(29)));
        assert_eq!((t.width(arr), t.size(arr)), (28, Some(1 << 28)));
        assert_eq!((t.width(set), t.size(set)), (28, Some(1 << 28)));
        assert_eq!((t.width(q), t.size(q)), (3 + 20, None));
        assert_eq!(t.intern(Type::Option(c)).unwrap(), oc);
    }

    #[test]
    fn cases_of_a_union_share_fields() {
        let mut t = Types::new();
        let c = t.declare_sort("C", 3, SortKind::Symmetric).unwrap();
        let (maybe, small) =
            (t.intern(Type::Option(c)).unwrap(), t.intern(Type::Range { lo: 1, hi: 2 }).unwrap());
        let held = |parts: &[TypeId]| parts.iter().map(|&ty| (String::from("x"), ty)).collect::<Vec<_>>();
        let cases = vec![
            ("a".to_string(), held(&[c, c])),
            ("b".to_string(), held(&[maybe, small])),
            ("c".to_string(), Vec::new()),
        ];
        let union = t.declare_union("U", cases).unwrap();
        assert_eq!((t.size(union), t.width(union)), (Some(9 + 8 + 1), 2 + 2 + 2 + 1));
        let fields: Vec<Vec<(u32, bool)>> = t
            .cases(union)
            .iter()
            .map(|case| case.parts.iter().map(|part| (part.field, part.optional)).collect())
            .collect();
        assert_eq!(fields, [vec![(1, true), (2, true)], vec![(1, false), (3, false)], vec![]]);
        let mut texts = std::collections::BTreeSet::new();
        for number in 0..18 {
            let mut words = [0; 1 + crate::bits::SPARE];
            crate::interpreter::unrank(&t, union, &mut words, 0, number);
            assert_eq!(crate::interpreter::rank(&t, union, &words, 0), number);
            texts.insert((words[0], crate::Value::read(&t, union, &words, 0).to_string()));
        }
        assert_eq!(texts.len(), 18);
        assert_eq!(t.declare_union("None", Vec::new()), Err(TypeError::Empty));
    }

    #[test]
    fn named_ranges_are_types_of_their_own() {
        let mut t = Types::new();
        let plain = t.intern(Type::Range { lo: 1, hi: 3 }).unwrap();
        let (a, b) = (t.declare_range("A", 1, 3).unwrap(), t.declare_range("B", 1, 3).unwrap());
        assert!(plain != a && a != b && b != plain);
        assert_eq!((t.range_name(a), t.range_name(plain)), (Some("A"), None));
        let before = (t.width(a), t.size(a), t.bias(a), t.bounds(a));
        let sort = t.promote(a, "A");
        assert_eq!((t.width(a), t.size(a), t.bias(a), t.bounds(a)), before);
        assert_eq!(t.sort(sort).labels.as_deref().unwrap(), ["1", "2", "3"]);
        assert_eq!(t.intern(Type::Range { lo: 1, hi: 3 }).unwrap(), plain);
        assert_eq!((t.get(a), t.get(b)), (&Type::Sort(sort), &Type::Range { lo: 1, hi: 3 }));
        let e = t.declare_enum("E", vec!["x".into(), "y".into()]).unwrap();
        let sort = t.promote(e, "E");
        assert_eq!((t.get(e), t.bias(e), t.bounds(e)), (&Type::Sort(sort), 0, None));
    }

    #[test]
    fn declared_elements_may_have_names() {
        let mut t = Types::new();
        let names = vec!["p".to_string(), "q".to_string()];
        let named = t.declare_named_sort("Place", names.clone(), SortKind::Symmetric).unwrap();
        let plain = t.declare_sort("Client", 2, SortKind::Ring).unwrap();
        let found = t.declare_enum("E", names.clone()).unwrap();
        t.promote(found, "E");
        assert_eq!((t.size(named), t.width(named)), (Some(2), 1));
        let facts = |sort: &Sort| (sort.labels.clone(), sort.inferred);
        let all: Vec<_> = t.sorts().map(|(_, sort)| facts(sort)).collect();
        assert_eq!(all, [(Some(names.clone()), false), (None, false), (Some(names), true)]);
        assert!(named != plain);
        let symmetry = crate::Symmetry::declared(&t).of_declared(&t);
        let left: Vec<bool> = symmetry.sorts.iter().map(|it| *it != crate::SortGroup::Fixed).collect();
        assert_eq!(left, [true, true, false]);
        assert_eq!(t.declare_named_sort("None", Vec::new(), SortKind::Symmetric), Err(TypeError::Empty));
    }

    #[test]
    fn refuses_what_is_deep_or_has_many_parts_of_no_width() {
        let mut t = Types::new();
        let mut deep = t.intern(Type::Range { lo: 0, hi: 0 }).unwrap();
        for _ in 1..Types::MAX_DEPTH {
            deep = t.intern(Type::Array { index: deep, element: deep }).unwrap();
        }
        assert_eq!((t.depth(deep), t.cells(deep), t.width(deep)), (Types::MAX_DEPTH, 1, 0));
        assert_eq!(t.intern(Type::Option(deep)), Err(TypeError::TooDeep));
        let mut twins = t.intern(Type::Range { lo: 0, hi: 0 }).unwrap();
        let built = (0..40).try_for_each(|i| {
            let fields = vec![("a".into(), twins), ("b".into(), twins)];
            twins = t.declare_record(&format!("R{i}"), fields)?;
            Ok(())
        });
        assert!(matches!(built, Err(TypeError::TooManyParts(parts)) if parts < 2 * Types::MAX_WIDTH + 2));
        let index = t.intern(Type::Range { lo: 0, hi: 1 << 20 }).unwrap();
        let nothing = t.intern(Type::Range { lo: 0, hi: 0 }).unwrap();
        let row = t.intern(Type::Array { index, element: nothing }).unwrap();
        assert!(matches!(t.intern(Type::Array { index, element: row }), Err(TypeError::TooManyParts(_))));
    }

    #[test]
    fn refuses_what_has_no_value_or_no_end() {
        let mut t = Types::new();
        assert_eq!(t.intern(Type::Range { lo: 1, hi: 0 }), Err(TypeError::Empty));
        assert_eq!(t.declare_sort("S", 0, SortKind::Ring), Err(TypeError::Empty));
        assert!(matches!(t.intern(Type::Range { lo: i64::MIN, hi: i64::MAX }), Err(TypeError::TooWide(_))));
        let big = t.intern(Type::Range { lo: 0, hi: 1 << 40 }).unwrap();
        assert!(matches!(t.intern(Type::Set(big)), Err(TypeError::TooWide(_))));
        assert!(matches!(t.intern(Type::Array { index: big, element: big }), Err(TypeError::TooWide(_))));
        let q = t.intern(Type::Queue { capacity: 1, element: big }).unwrap();
        assert_eq!(t.intern(Type::Set(q)), Err(TypeError::NotNumbered));
    }
}
