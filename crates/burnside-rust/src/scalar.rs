//! Numbers: truth values, integers with bounds, and optional values.

use crate::data::{Data, Layout, Reader, Schema, Writer};
use burnside_ts::{FaultKind, Type, TypeError, TypeId, bits_for};
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// The parts of [`Data`] that are the same for all scalars. Derives use it too.
#[doc(hidden)]
#[macro_export]
macro_rules! scalar_bits {
    () => {
        const SCALAR: bool = true;

        fn width(layout: &$crate::Layout) -> u32 {
            $crate::bits_for_size(<Self as $crate::Data>::size(layout))
        }

        fn write(&self, out: &mut $crate::Writer<'_>) -> Result<(), $crate::ts::FaultKind> {
            let code = <Self as $crate::Data>::code(self, out.layout)?;
            let width = <Self as $crate::Data>::width(out.layout);
            out.put(width, code);
            Ok(())
        }

        fn read(input: &mut $crate::Reader<'_>) -> Self {
            let width = <Self as $crate::Data>::width(input.layout);
            <Self as $crate::Data>::from_code(input.take(width))
        }
    };
}

/// How many bits so many values take.
#[doc(hidden)]
#[inline]
pub fn bits_for_size(size: u64) -> u32 {
    bits_for(size)
}

impl Data for bool {
    scalar_bits!();

    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        schema.types.intern(Type::Bool)
    }

    fn size(_: &Layout) -> u64 {
        2
    }

    fn code(&self, _: &Layout) -> Result<u64, FaultKind> {
        Ok(u64::from(*self))
    }

    fn from_code(code: u64) -> Self {
        code != 0
    }
}

/// An integer from `LO` to `HI`, both included. It may leave these bounds while it is computed with; a step
/// that stores it then is a fault of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Int<const LO: i64, const HI: i64>(i64);

impl<const LO: i64, const HI: i64> Int<LO, HI> {
    /// A number.
    pub const fn new(value: i64) -> Self {
        Self(value)
    }

    /// Its value.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl<const LO: i64, const HI: i64> Default for Int<LO, HI> {
    /// The least one.
    fn default() -> Self {
        Self(LO)
    }
}

impl<const LO: i64, const HI: i64> From<i64> for Int<LO, HI> {
    fn from(value: i64) -> Self {
        Self(value)
    }
}

impl<const LO: i64, const HI: i64> PartialEq<i64> for Int<LO, HI> {
    fn eq(&self, other: &i64) -> bool {
        self.0 == *other
    }
}

impl<const LO: i64, const HI: i64> PartialOrd<i64> for Int<LO, HI> {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        self.0.partial_cmp(other)
    }
}

impl<const LO: i64, const HI: i64> Add<i64> for Int<LO, HI> {
    type Output = Self;

    fn add(self, by: i64) -> Self {
        Self(self.0.saturating_add(by))
    }
}

impl<const LO: i64, const HI: i64> Sub<i64> for Int<LO, HI> {
    type Output = Self;

    fn sub(self, by: i64) -> Self {
        Self(self.0.saturating_sub(by))
    }
}

impl<const LO: i64, const HI: i64> AddAssign<i64> for Int<LO, HI> {
    fn add_assign(&mut self, by: i64) {
        *self = *self + by;
    }
}

impl<const LO: i64, const HI: i64> SubAssign<i64> for Int<LO, HI> {
    fn sub_assign(&mut self, by: i64) {
        *self = *self - by;
    }
}

impl<const LO: i64, const HI: i64> Data for Int<LO, HI> {
    scalar_bits!();

    const BIAS: i64 = LO;

    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        schema.types.intern(Type::Range { lo: LO, hi: HI })
    }

    #[inline]
    fn size(_: &Layout) -> u64 {
        const { HI.wrapping_sub(LO) as u64 + 1 }
    }

    fn code(&self, _: &Layout) -> Result<u64, FaultKind> {
        match (LO..=HI).contains(&self.0) {
            true => Ok(self.0.wrapping_sub(LO) as u64),
            false => Err(FaultKind::OutOfRange { value: self.0, lo: LO, hi: HI }),
        }
    }

    fn from_code(code: u64) -> Self {
        Self((code as i64).wrapping_add(LO))
    }
}

/// Unsigned integers of a whole width.
macro_rules! unsigned {
    ($($name:ty),*) => {$(
        impl Data for $name {
            scalar_bits!();

            fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
                schema.types.intern(Type::Range { lo: 0, hi: i64::from(<$name>::MAX) })
            }

            #[inline]
            fn size(_: &Layout) -> u64 {
                u64::from(<$name>::MAX) + 1
            }

            fn code(&self, _: &Layout) -> Result<u64, FaultKind> {
                Ok(u64::from(*self))
            }

            fn from_code(code: u64) -> Self {
                code as $name
            }
        }
    )*};
}
unsigned!(u8, u16, u32);

/// Writes a value as an optional one.
#[doc(hidden)]
pub fn write_some<T: Data>(value: &T, out: &mut Writer<'_>) -> Result<(), FaultKind> {
    match T::SCALAR {
        true => {
            let code = value.code(out.layout)? + 1;
            out.put(Option::<T>::width(out.layout), code);
            Ok(())
        }
        false => {
            out.put(1, 1);
            value.write(out)
        }
    }
}

/// Writes an optional value that is none.
#[doc(hidden)]
pub fn write_none<T: Data>(out: &mut Writer<'_>) {
    out.skip(Option::<T>::width(out.layout));
}

impl<T: Data> Data for Option<T> {
    const SCALAR: bool = T::SCALAR;

    fn describe(schema: &mut Schema<'_>) -> Result<TypeId, TypeError> {
        let inner = T::describe(schema)?;
        schema.types.intern(Type::Option(inner))
    }

    fn width(layout: &Layout) -> u32 {
        if T::SCALAR { bits_for(T::size(layout) + 1) } else { 1 + T::width(layout) }
    }

    fn write(&self, out: &mut Writer<'_>) -> Result<(), FaultKind> {
        match self {
            Some(value) => write_some(value, out),
            None => {
                write_none::<T>(out);
                Ok(())
            }
        }
    }

    fn read(input: &mut Reader<'_>) -> Self {
        if T::SCALAR {
            let width = Self::width(input.layout);
            return Self::from_code(input.take(width));
        }
        match input.take(1) {
            0 => {
                input.skip(T::width(input.layout));
                None
            }
            _ => Some(T::read(input)),
        }
    }

    fn size(layout: &Layout) -> u64 {
        T::size(layout) + 1
    }

    fn code(&self, layout: &Layout) -> Result<u64, FaultKind> {
        self.as_ref().map_or(Ok(0), |value| Ok(value.code(layout)? + 1))
    }

    fn from_code(code: u64) -> Self {
        code.checked_sub(1).map(T::from_code)
    }
}
