//! Rust values as packed bits, laid out as [`Types`] says.
//!
//! Entry point: [`Data`], which every part of a state implements, mostly by derive. A value is written from
//! its first bit to its last, so the layout never has to be looked up; what is not of a fixed width knows the
//! sizes of the symmetric types from the [`Layout`]. Invariant: equal values have equal bits.

use burnside_ts::{FaultKind, TypeError, TypeId, Types, bits, bits_for};
use std::any;
use std::collections::HashMap;
use std::fmt;

/// A type of values that a state can be made of. Derive it: see the crate `burnside`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a part of a state",
    label = "this is not `Data`",
    note = "derive `Data` for a struct or an enum; integers are `Int<LO, HI>`, `u8`, `u16` or `u32`, sequences are \
            `Queue<T, N>`, `Bag<T, N>` or `[T; N]`, what each member has is `Array<S, T>`"
)]
pub trait Data: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Whether a value is one number: truth values, integers, constants, members and optional ones of these.
    const SCALAR: bool = false;
    /// What the number of a scalar starts at, if it is an integer.
    const BIAS: i64 = 0;

    /// The type in a table of types.
    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError>;

    /// How many bits a value takes.
    fn width(layout: &Layout) -> u32;

    /// Writes a value; a fault if it is outside of its type.
    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind>;

    /// Reads a value.
    fn read(input: &mut Reader<'_>) -> Self;

    /// Reads a value and keeps what memory there is.
    fn read_into(&mut self, input: &mut Reader<'_>) {
        *self = Self::read(input);
    }

    /// How many values a scalar has.
    fn size(_: &Layout) -> u64 {
        unreachable!("only scalars are numbered")
    }

    /// The number of a scalar, from 0; a fault if it is outside of its type.
    fn code(&self, _: &Layout) -> Result<u64, FaultKind> {
        unreachable!("only scalars are numbered")
    }

    /// The scalar with a number.
    fn from_code(_: u64) -> Self {
        unreachable!("only scalars are numbered")
    }
}

/// A struct whose fields can be the variables of a system.
pub trait Fields: Data {
    /// The names and types of the fields, in order.
    fn fields(schema: &mut Schema<'_>) -> Result<Vec<(String, TypeId)>, TypeError>;
}

/// The sizes of symmetric types, by the numbers of their keys.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    sizes: Vec<u32>,
    widths: Vec<u32>,
}

impl Layout {
    pub(crate) fn set(&mut self, key: usize, size: u32) {
        if self.sizes.len() <= key {
            self.sizes.resize(key + 1, 0);
            self.widths.resize(key + 1, 0);
        }
        self.sizes[key] = size;
        self.widths[key] = bits_for(u64::from(size));
    }

    /// How many members a symmetric type has.
    pub(crate) fn members(&self, key: usize) -> u32 {
        self.sizes[key]
    }

    /// The same, if that was said.
    pub(crate) fn try_members(&self, key: usize) -> Option<u32> {
        self.sizes.get(key).copied().filter(|&size| size > 0)
    }

    /// How many bits a member takes.
    pub(crate) fn member_width(&self, key: usize) -> u32 {
        self.widths[key]
    }
}

/// The types of a model, while they are declared.
#[derive(Debug)]
pub struct Schema<'t> {
    /// The table.
    pub types: &'t mut Types,
    pub(crate) sorts: HashMap<usize, TypeId>,
    /// A symmetric type that is used and was not declared.
    pub(crate) unknown: Option<&'static str>,
    declared: HashMap<any::TypeId, TypeId>,
}

impl<'t> Schema<'t> {
    pub(crate) fn new(types: &'t mut Types) -> Self {
        Self { types, sorts: HashMap::new(), unknown: None, declared: HashMap::new() }
    }

    /// A type that is declared when it is first met.
    pub fn once<T: 'static>(
        &mut self,
        declare: impl FnOnce(&mut Self) -> Result<TypeId, TypeError>,
    ) -> Result<TypeId, TypeError> {
        if let Some(&known) = self.declared.get(&any::TypeId::of::<T>()) {
            return Ok(known);
        }
        let declared = declare(self)?;
        self.declared.insert(any::TypeId::of::<T>(), declared);
        Ok(declared)
    }

    /// Declares an enum.
    pub fn enumeration<T: 'static>(&mut self, name: &str, constants: &[&str]) -> Result<TypeId, TypeError> {
        let constants = constants.iter().map(ToString::to_string).collect();
        self.once::<T>(|schema| schema.types.declare_enum(name, constants))
    }

    /// Declares a record.
    pub fn record<T: 'static>(
        &mut self,
        name: &str,
        fields: impl FnOnce(&mut Self) -> Result<Vec<(String, TypeId)>, TypeError>,
    ) -> Result<TypeId, TypeError> {
        self.once::<T>(|schema| {
            let fields = fields(schema)?;
            schema.types.declare_record(name, fields)
        })
    }
}

/// Takes bits one after another.
#[derive(Debug)]
pub struct Writer<'w> {
    pub(crate) words: &'w mut [u64],
    pub(crate) at: u32,
    /// The sizes of symmetric types.
    pub layout: &'w Layout,
}

impl<'w> Writer<'w> {
    /// Writes to words that are zero and have spare ones at the end.
    pub(crate) fn new(words: &'w mut [u64], layout: &'w Layout) -> Self {
        Self { words, at: 0, layout }
    }

    /// Writes so many bits of a number.
    #[inline]
    pub fn put(&mut self, width: u32, value: u64) {
        bits::write(self.words, self.at, width, value);
        self.at += width;
    }

    /// Leaves so many bits zero.
    pub fn skip(&mut self, width: u32) {
        self.at += width;
    }
}

/// Gives bits one after another.
#[derive(Debug)]
pub struct Reader<'r> {
    words: &'r [u64],
    at: u32,
    /// The sizes of symmetric types.
    pub layout: &'r Layout,
}

impl<'r> Reader<'r> {
    /// Reads from words that have spare ones at the end.
    pub(crate) fn new(words: &'r [u64], layout: &'r Layout) -> Self {
        Self { words, at: 0, layout }
    }

    /// Reads so many bits.
    #[inline]
    pub fn take(&mut self, width: u32) -> u64 {
        let value = bits::read(self.words, self.at, width);
        self.at += width;
        value
    }

    /// Leaves out so many bits.
    pub fn skip(&mut self, width: u32) {
        self.at += width;
    }
}
