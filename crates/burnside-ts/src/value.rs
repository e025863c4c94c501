//! Values as data: what the bits of a state or an argument mean.
//!
//! Entry point: [`Value::read`]. The text of a value ([`Value`] as `Display`) is what people see everywhere;
//! two different values of a type have different texts.

use crate::bits;
use crate::interpreter::unrank;
use crate::types::{Field, Type, TypeId, Types, UnionCase, UnionPart};
use burnside_limits::poll;
use std::fmt;

/// A value of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A constant of an enum, or an element of a type whose elements have names of their own.
    Constant(String),
    /// An element of a symmetric or ring type, by its number.
    Element(String, u64),
    /// Nothing, of an optional type. (Something is just that value.)
    None,
    /// A record with its name, which is empty if it is a tuple, and its fields.
    Record(String, Vec<(String, Value)>),
    /// The elements of an array, in the order of its index.
    Array(Vec<Value>),
    /// The members of a set, in ascending order.
    Set(Vec<Value>),
    /// The elements of a queue, from front to back.
    Queue(Vec<Value>),
    /// The elements of a bag, in ascending order, each as often as it is there.
    Bag(Vec<Value>),
}

impl Value {
    /// The value of a type at some bit. The slice has [spare](bits::SPARE) words.
    pub fn read(types: &Types, ty: TypeId, words: &[u64], offset: u32) -> Self {
        poll();
        let code = || bits::read(words, offset, types.width(ty));
        let part = |ty, at| Value::read(types, ty, words, offset + at);
        match *types.get(ty) {
            Type::Bool => Value::Bool(code() == 1),
            Type::Range { lo, .. } => Value::Int(code() as i64 + lo),
            Type::Enum(id) => Value::Constant(types.enumeration(id).constants[code() as usize].clone()),
            Type::Sort(id) => match &types.sort(id).labels {
                // An argument that a faulting step does not have yet may be outside.
                Some(labels) => match labels.get(code() as usize) {
                    Some(label) => Value::Constant(label.clone()),
                    None => Value::Int(code() as i64 + types.bias(ty)),
                },
                None => Value::Element(types.sort(id).name.clone(), code()),
            },
            Type::Option(inner) if types.is_scalar(ty) => match code() {
                0 => Value::None,
                code => Value::read(types, inner, &spare(&[code - 1]), 0),
            },
            Type::Option(inner) => match bits::read(words, offset, 1) {
                0 => Value::None,
                _ => part(inner, 1),
            },
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                let record = types.record(id);
                let case = bits::read(words, offset, types.width(record.fields[0].ty)) as usize;
                let held = |held: &UnionPart| {
                    let field = &record.fields[held.field as usize];
                    (held.name.clone(), part(field.ty, field.offset))
                };
                // An argument that a faulting step does not have yet may be outside.
                let Some(UnionCase { name, parts }) = record.cases.get(case) else { return Value::None };
                match parts.as_slice() {
                    [] => Value::Constant(name.clone()),
                    [only] if only.name.is_empty() => match held(only).1 {
                        // The other enum of the union may have one of this name too.
                        Value::Constant(text) if is_shared(types, &record.cases, &text) => {
                            Value::Constant(format!("{name}.{text}"))
                        }
                        value => value,
                    },
                    parts => Value::Record(name.clone(), parts.iter().map(held).collect()),
                }
            }
            Type::Record(id) => {
                let record = types.record(id);
                let field = |f: &Field| (f.name.clone(), part(f.ty, f.offset));
                Value::Record(record.name.clone(), record.fields.iter().map(field).collect())
            }
            Type::Array { index, element } => {
                let count = types.size(index).expect("an index type is numbered") as u32;
                Value::Array((0..count).map(|i| part(element, i * types.width(element))).collect())
            }
            Type::Set(element) => {
                let members = (0..types.width(ty)).filter(|&i| bits::read(words, offset + i, 1) == 1);
                Value::Set(members.map(|i| Value::numbered(types, element, u64::from(i))).collect())
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                let length = bits::read(words, offset, slots.length) as u32;
                let parts = (0..length).map(|i| part(element, slots.offset(i))).collect();
                match types.get(ty) {
                    Type::Bag { .. } => Value::Bag(parts),
                    _ => Value::Queue(parts),
                }
            }
        }
    }

    /// The value of a type with a number.
    pub fn numbered(types: &Types, ty: TypeId, number: u64) -> Self {
        let mut words = vec![0; (types.width(ty) as usize).div_ceil(64) + bits::SPARE];
        unrank(types, ty, &mut words, 0, number);
        Self::read(types, ty, &words, 0)
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if it is one, or that of an element.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Value::Int(value) => Some(*value),
            Value::Element(_, number) => i64::try_from(*number).ok(),
            _ => None,
        }
    }

    /// What a collection or an array holds.
    pub fn elements(&self) -> &[Value] {
        match self {
            Value::Array(parts) | Value::Set(parts) | Value::Queue(parts) | Value::Bag(parts) => parts,
            _ => &[],
        }
    }

    /// The field of a record.
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(_, fields) => {
                fields.iter().find(|(known, _)| known == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Constant(name) => f.write_str(name),
            Value::Element(sort, number) => write!(f, "{sort}#{number}"),
            Value::None => f.write_str("none"),
            Value::Record(name, fields) => {
                write!(f, "{name}(")?;
                for (i, (field, value)) in fields.iter().enumerate() {
                    f.write_str(if i > 0 { ", " } else { "" })?;
                    match name.is_empty() {
                        true => value.fmt(f)?,
                        false => write!(f, "{field}: {value}")?,
                    }
                }
                f.write_str(")")
            }
            Value::Array(parts) | Value::Queue(parts) => list(f, "[", parts, "]"),
            Value::Set(parts) => list(f, "{", parts, "}"),
            Value::Bag(parts) => list(f, "{|", parts, "|}"),
        }
    }
}

/// Whether several of the types that a union is made of have a constant of this name.
fn is_shared(types: &Types, cases: &[UnionCase], text: &str) -> bool {
    let has = |part: &UnionPart| match *types.get(part.ty) {
        Type::Enum(id) => types.enumeration(id).constants.iter().any(|constant| constant == text),
        Type::Sort(id) => types.sort(id).labels.iter().flatten().any(|label| label == text),
        _ => false,
    };
    cases.iter().flat_map(|case| &case.parts).filter(|part| has(part)).count() > 1
}

fn list(f: &mut fmt::Formatter<'_>, open: &str, parts: &[Value], close: &str) -> fmt::Result {
    f.write_str(open)?;
    for (i, part) in parts.iter().enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        write!(f, "{part}")?;
    }
    f.write_str(close)
}

/// A copy with room to read fields.
pub(crate) fn spare(words: &[u64]) -> Vec<u64> {
    [words, &[0; bits::SPARE]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_small_types() {
        let mut types = Types::new();
        let small = types.intern(Type::Range { lo: -1, hi: 2 }).unwrap();
        let maybe = types.intern(Type::Option(small)).unwrap();
        let set = types.intern(Type::Set(small)).unwrap();
        let read = |ty, word: u64| Value::read(&types, ty, &spare(&[word]), 0);
        assert_eq!((read(small, 0), read(small, 3)), (Value::Int(-1), Value::Int(2)));
        assert_eq!((read(maybe, 0), read(maybe, 4)), (Value::None, Value::Int(2)));
        let members = read(set, 0b1001);
        assert_eq!((members.elements().len(), members.to_string().as_str()), (2, "{-1, 2}"));
    }
}
