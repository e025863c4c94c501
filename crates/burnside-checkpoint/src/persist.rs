//! Values as bytes: those of the standard library.
//!
//! Entry point: [`Persist`]. What is read is not believed: a length takes no room before its elements are
//! there, and a number that is too large is damage.

use crate::file::{Damage, MOST_AHEAD, Reader, Writer};
use std::time::Duration;

/// What can be kept in a file.
pub trait Persist: Sized {
    /// Writes it.
    fn save(&self, out: &mut Writer<'_>);

    /// Reads what was written.
    fn load(from: &mut Reader<'_>) -> Result<Self, Damage>;
}

/// Says of a structure that it is kept field by field.
#[macro_export]
macro_rules! persist_struct {
    ($type:ty { $($field:tt),* $(,)? }) => {
        impl $crate::Persist for $type {
            fn save(&self, out: &mut $crate::Writer<'_>) {
                $($crate::Persist::save(&self.$field, out);)*
            }

            fn load(from: &mut $crate::Reader<'_>) -> Result<Self, $crate::Damage> {
                Ok(Self { $($field: $crate::Persist::load(from)?),* })
            }
        }
    };
}

/// Says of an enumeration that a number is kept for each variant, and then its fields.
#[macro_export]
macro_rules! persist_enum {
    ($type:ty { $($number:literal => $variant:ident { $($field:tt: $name:ident),* }),* $(,)? }) => {
        impl $crate::Persist for $type {
            fn save(&self, out: &mut $crate::Writer<'_>) {
                match self {
                    $(Self::$variant { $($field: $name),* } => {
                        out.number($number);
                        $($crate::Persist::save($name, out);)*
                    })*
                }
            }

            fn load(from: &mut $crate::Reader<'_>) -> Result<Self, $crate::Damage> {
                match from.number()? {
                    $($number => {
                        $(let $name = $crate::Persist::load(from)?;)*
                        Ok(Self::$variant { $($field: $name),* })
                    })*
                    _ => Err($crate::Damage::Content("something of a kind that is not known")),
                }
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Persist for $type {
            fn save(&self, out: &mut Writer<'_>) {
                out.number(*self as u64);
            }

            fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
                from.small()
            }
        }
    )*};
}

numbers!(u32, u64, usize);

impl Persist for bool {
    fn save(&self, out: &mut Writer<'_>) {
        out.number(u64::from(*self));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        match from.number()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damage::Content("a truth value is none")),
        }
    }
}

impl Persist for i64 {
    fn save(&self, out: &mut Writer<'_>) {
        // Small ones of both signs are short.
        out.number((self << 1 ^ self >> 63) as u64);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let number = from.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

impl Persist for u128 {
    fn save(&self, out: &mut Writer<'_>) {
        out.number(*self as u64);
        out.number((self >> 64) as u64);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok(u128::from(from.number()?) | u128::from(from.number()?) << 64)
    }
}

impl Persist for String {
    fn save(&self, out: &mut Writer<'_>) {
        out.number(self.len() as u64);
        out.bytes(self.as_bytes());
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let length = from.small()?;
        String::from_utf8(from.list(length)?).map_err(|_| Damage::Content("a text is not UTF-8"))
    }
}

impl Persist for Duration {
    fn save(&self, out: &mut Writer<'_>) {
        self.as_secs().save(out);
        self.subsec_nanos().save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let (seconds, nanos) = Persist::load(from)?;
        let more = Duration::from_nanos(u32::into(nanos));
        Duration::from_secs(seconds).checked_add(more).ok_or(Damage::Content("a time is too long"))
    }
}

impl<T: Persist> Persist for Vec<T> {
    fn save(&self, out: &mut Writer<'_>) {
        out.number(self.len() as u64);
        self.iter().for_each(|element| element.save(out));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let length: usize = from.small()?;
        let mut list = Vec::with_capacity(length.min(MOST_AHEAD));
        for _ in 0..length {
            list.push(T::load(from)?);
        }
        Ok(list)
    }
}

impl<T: Persist> Persist for Box<[T]> {
    fn save(&self, out: &mut Writer<'_>) {
        out.number(self.len() as u64);
        self.iter().for_each(|element| element.save(out));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok(Vec::load(from)?.into())
    }
}

impl<T: Persist> Persist for Box<T> {
    fn save(&self, out: &mut Writer<'_>) {
        (**self).save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        T::load(from).map(Box::new)
    }
}

impl<T: Persist, const N: usize> Persist for [T; N] {
    fn save(&self, out: &mut Writer<'_>) {
        self.iter().for_each(|element| element.save(out));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        let mut list = Vec::new();
        for _ in 0..N {
            list.push(T::load(from)?);
        }
        list.try_into().map_err(|_| Damage::Content("a list is too short"))
    }
}

impl<T: Persist> Persist for Option<T> {
    fn save(&self, out: &mut Writer<'_>) {
        self.is_some().save(out);
        self.iter().for_each(|value| value.save(out));
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        if bool::load(from)? { T::load(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Persist, E: Persist> Persist for Result<T, E> {
    fn save(&self, out: &mut Writer<'_>) {
        self.is_ok().save(out);
        match self {
            Ok(value) => value.save(out),
            Err(error) => error.save(out),
        }
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        if bool::load(from)? { T::load(from).map(Ok) } else { E::load(from).map(Err) }
    }
}

impl<A: Persist, B: Persist> Persist for (A, B) {
    fn save(&self, out: &mut Writer<'_>) {
        self.0.save(out);
        self.1.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok((A::load(from)?, B::load(from)?))
    }
}

impl<A: Persist, B: Persist, C: Persist> Persist for (A, B, C) {
    fn save(&self, out: &mut Writer<'_>) {
        self.0.save(out);
        self.1.save(out);
        self.2.save(out);
    }

    fn load(from: &mut Reader<'_>) -> Result<Self, Damage> {
        Ok((A::load(from)?, B::load(from)?, C::load(from)?))
    }
}
