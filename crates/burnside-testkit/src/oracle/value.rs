//! Values as trees, and all values of a type.

use burnside_ts::{Field, Type, TypeId, Types};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A value. The order is the one in which the language counts the values of a type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A constant of an enum, by its number.
    Enum(u32),
    /// An element of a symmetric or ring type, by its number.
    Element(u32),
    /// Nothing, of an optional type.
    None,
    /// Something, of an optional type.
    Some(Box<Value>),
    /// The fields of a record.
    Record(Vec<Value>),
    /// The elements of an array.
    Array(Vec<Value>),
    /// The members of a set.
    Set(Members),
    /// From front to back.
    Queue(Vec<Value>),
    /// In ascending order.
    Bag(Vec<Value>),
}

/// The members of a set. Sets are ordered by their greatest differing member, as binary numbers are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Members(pub BTreeSet<Value>);

impl PartialOrd for Members {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Members {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl Value {
    /// The truth value.
    pub fn truth(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("not a truth value: {other:?}"),
        }
    }

    /// The integer.
    pub fn int(&self) -> i64 {
        match self {
            Value::Int(value) => *value,
            other => panic!("not an integer: {other:?}"),
        }
    }

    /// The elements of a set, queue or bag, each as often as it is there: a queue from front to back, the
    /// others in ascending order.
    pub fn elements(&self) -> Vec<Value> {
        match self {
            Value::Set(members) => members.0.iter().cloned().collect(),
            Value::Queue(list) | Value::Bag(list) => list.clone(),
            other => panic!("not a collection: {other:?}"),
        }
    }

    /// The same, of equal elements only the first.
    pub fn different(&self) -> Vec<Value> {
        let mut seen = BTreeSet::new();
        self.elements().into_iter().filter(|value| seen.insert(value.clone())).collect()
    }

    /// How many elements a set, queue or bag has.
    pub fn size(&self) -> usize {
        match self {
            Value::Set(members) => members.0.len(),
            Value::Queue(list) | Value::Bag(list) => list.len(),
            other => panic!("not a collection: {other:?}"),
        }
    }

    /// How often a set, queue or bag holds an element.
    pub fn count(&self, element: &Value) -> usize {
        match self {
            Value::Set(members) => usize::from(members.0.contains(element)),
            Value::Queue(list) | Value::Bag(list) => list.iter().filter(|value| *value == element).count(),
            other => panic!("not a collection: {other:?}"),
        }
    }
}

/// The value that a variable starts with if nothing is said.
pub fn default(types: &Types, ty: TypeId) -> Value {
    match *types.get(ty) {
        Type::Bool => Value::Bool(false),
        Type::Range { lo, hi } => Value::Int(if lo <= 0 && 0 <= hi { 0 } else { lo }),
        Type::Enum(_) => Value::Enum(0),
        Type::Sort(_) => Value::Element(0),
        Type::Option(_) => Value::None,
        Type::Record(id) if !types.record(id).cases.is_empty() => {
            let record = types.record(id);
            let field =
                |(i, f): (u32, &Field)| match record.cases[0].parts.iter().find(|part| part.field == i) {
                    Some(part) if part.optional => Value::Some(Box::new(default(types, part.ty))),
                    Some(part) => default(types, part.ty),
                    None => zero(types, f.ty),
                };
            Value::Record((0..).zip(&record.fields).map(field).collect())
        }
        Type::Record(id) => {
            Value::Record(types.record(id).fields.iter().map(|f| default(types, f.ty)).collect())
        }
        Type::Array { index, element } => {
            let size = types.size(index).expect("an index type is numbered");
            Value::Array((0..size).map(|_| default(types, element)).collect())
        }
        Type::Set(_) => Value::Set(Members::default()),
        Type::Queue { .. } => Value::Queue(Vec::new()),
        Type::Bag { .. } => Value::Bag(Vec::new()),
    }
}

/// What is in a field of a union whose case does not use it.
fn zero(types: &Types, ty: TypeId) -> Value {
    match *types.get(ty) {
        Type::Range { lo, .. } => Value::Int(lo),
        _ => default(types, ty),
    }
}

/// All values of a type, in ascending order; of unions in the order of the cases.
pub fn values(types: &Types, ty: TypeId) -> Vec<Value> {
    match *types.get(ty) {
        Type::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Type::Range { lo, hi } => (lo..=hi).map(Value::Int).collect(),
        Type::Enum(id) => (0..types.enumeration(id).constants.len() as u32).map(Value::Enum).collect(),
        Type::Sort(id) => (0..types.sort(id).size).map(Value::Element).collect(),
        Type::Option(inner) => {
            let some = values(types, inner).into_iter().map(|value| Value::Some(Box::new(value)));
            std::iter::once(Value::None).chain(some).collect()
        }
        Type::Record(id) if !types.record(id).cases.is_empty() => {
            let record = types.record(id);
            let mut all = Vec::new();
            for (number, case) in record.cases.iter().enumerate() {
                // Of a field that is used something, of any other nothing.
                let field = |i: u32, ty: TypeId| match case.parts.iter().find(|part| part.field == i) {
                    Some(part) if part.optional => {
                        values(types, ty).into_iter().filter(|value| *value != Value::None).collect()
                    }
                    Some(_) => values(types, ty),
                    None => vec![zero(types, ty)],
                };
                let mut parts = vec![vec![Value::Int(number as i64)]];
                parts.extend((0..).zip(&record.fields).skip(1).map(|(i, f)| field(i, f.ty)));
                all.extend(product(&parts).into_iter().map(Value::Record));
            }
            all
        }
        Type::Record(id) => {
            let parts: Vec<_> = types.record(id).fields.iter().map(|f| values(types, f.ty)).collect();
            product(&parts).into_iter().map(Value::Record).collect()
        }
        Type::Array { index, element } => {
            let size = types.size(index).expect("an index type is numbered") as usize;
            let parts = vec![values(types, element); size];
            product(&parts).into_iter().map(Value::Array).collect()
        }
        Type::Set(element) => {
            let mut sets = vec![Members::default()];
            for value in values(types, element) {
                let with = |members: &Members| {
                    let mut members = members.clone();
                    members.0.insert(value.clone());
                    members
                };
                sets.extend(sets.iter().map(with).collect::<Vec<_>>());
            }
            sets.into_iter().map(Value::Set).collect()
        }
        Type::Queue { capacity, element } => {
            let all = values(types, element);
            let of_length = |n| product(&vec![all.clone(); n as usize]).into_iter().map(Value::Queue);
            (0..=capacity).flat_map(of_length).collect()
        }
        Type::Bag { capacity, element } => {
            let all = values(types, element);
            let of_length = |n| product(&vec![all.clone(); n as usize]).into_iter();
            let sorted = |list: &Vec<Value>| list.is_sorted();
            (0..=capacity).flat_map(of_length).filter(sorted).map(Value::Bag).collect()
        }
    }
}

/// One of each, in all ways; the first changes slowest.
fn product(parts: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for part in parts {
        let longer = |list: &Vec<Value>| {
            let list = list.clone();
            part.iter().map(move |value| [list.clone(), vec![value.clone()]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
