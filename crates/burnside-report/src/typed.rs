//! Values as JSON, for scripts: numbers, truth values, lists and objects instead of texts.
//!
//! Entry points: [`cells`] and [`arguments`].

use crate::decode::{TraceDecoder, spare};
use burnside_trace::Step;
use burnside_ts::Value;
use serde_json::{Map, Value as Json, json};

/// The cells of a state with their values.
pub fn cells(decoder: &TraceDecoder<'_>, state: &[u64]) -> Json {
    let (words, types) = (spare(state), &decoder.system.types);
    let leaves = decoder.leaves.iter();
    leaves
        .map(|leaf| (leaf.name.clone(), value(&Value::read(types, leaf.ty, &words, leaf.offset))))
        .collect::<Map<_, _>>()
        .into()
}

/// The arguments of a step with their values.
pub fn arguments(decoder: &TraceDecoder<'_>, step: &Step) -> Json {
    let arguments = decoder.system.arguments(step.label()).into_iter();
    arguments.map(|(name, argument)| (name, value(&argument))).collect::<Map<_, _>>().into()
}

/// An element of a symmetric type is an object with its `type` and its number, a record (or a constant that
/// holds values) one with its `name` and its `fields`, nothing `null`; what has elements is a list of them,
/// and so is a tuple.
pub fn value(of: &Value) -> Json {
    match of {
        Value::Bool(truth) => json!(truth),
        Value::Int(number) => json!(number),
        Value::Constant(name) => json!(name),
        Value::Element(sort, number) => json!({"type": sort, "element": number}),
        Value::None => Json::Null,
        Value::Record(name, fields) if name.is_empty() => {
            fields.iter().map(|(_, field)| value(field)).collect::<Vec<_>>().into()
        }
        Value::Record(name, fields) => {
            let fields: Map<_, _> = fields.iter().map(|(name, field)| (name.clone(), value(field))).collect();
            json!({"name": name, "fields": fields})
        }
        Value::Array(all) | Value::Set(all) | Value::Queue(all) | Value::Bag(all) => {
            all.iter().map(value).collect::<Vec<_>>().into()
        }
    }
}
