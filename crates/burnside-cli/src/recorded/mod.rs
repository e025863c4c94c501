//! Trace files, read from their beginning to their end while what they say is looked for in the model.
//!
//! Entry point: [`read`] for the head of a file, [`entry::read`] for what is recorded about a property. Every
//! key is either part of what is claimed, and then it is handed on to be checked, or one of those that only
//! say where the file comes from: `burnside` and `model`. A key that stands twice is a failure, for somebody
//! else might read the file differently; a key that is not known is remembered as something that was not
//! checked.
//!
//! Files can be much larger than memory. In the order in which `check` writes the keys nothing is kept that
//! is not needed; in another order, parts are put aside.

pub mod entry;
pub mod run;
mod steps;
mod stream;
pub mod tree;
pub mod walker;
#[cfg(test)]
mod whole;

pub use stream::{Raw, Stream};

use crate::exit::{Failure, visible};
use burnside::nets::NetOptions;
use burnside::{ExternalKind, ExternalProperty};
use burnside_report::json;
use serde_json::{Map, Value};

/// What is taken for a run, or a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumed {
    /// Whether only fair ones count.
    pub fair: bool,
    /// Whether paths end in a deadlock, instead of staying there for ever.
    pub maximal: bool,
}

/// What a file says before it comes to its runs.
pub struct Head {
    /// The constants of the model with their values.
    pub constants: Map<String, Value>,
    /// The properties that were given beside the model, with their names.
    pub given: Vec<(String, ExternalProperty)>,
    /// What was assumed about a net,
    pub net: NetOptions,
    /// in the words of the file, if it says so.
    pub recorded_net: Option<Value>,
    /// Whether only fair runs count.
    pub fair: bool,
    /// Whether paths end in a deadlock, if that is said.
    pub maximal: Option<bool>,
}

/// The parts of the head that have been read.
#[derive(Default)]
struct HeadParts {
    format: Option<Value>,
    constants: Option<Value>,
    net: Option<Value>,
    given: Option<Value>,
    fairness: Option<Value>,
    deadlock_paths: Option<Value>,
    /// What only says where the file comes from.
    origin: [Option<Value>; 2],
}

/// Reads a file. Its list of traces is left to the caller, who gets the head.
pub fn read(
    stream: &mut Stream<'_>,
    traces: impl FnOnce(Head, &mut Stream<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (mut parts, mut traces, mut late) = (HeadParts::default(), Some(traces), None);
    stream.object(|stream, key| {
        let slot = match key {
            "burnside" => &mut parts.origin[0],
            "model" => &mut parts.origin[1],
            "format" => &mut parts.format,
            "constants" => &mut parts.constants,
            "net" => &mut parts.net,
            "given" => &mut parts.given,
            "fairness" => &mut parts.fairness,
            "deadlock_paths" => &mut parts.deadlock_paths,
            "traces" if late.is_some() => return Err(stream.twice(key)),
            "traces" if parts.are_complete() => {
                let Some(traces) = traces.take() else { return Err(stream.twice(key)) };
                return traces(parts.head(stream)?, stream);
            }
            "traces" => {
                late = Some(stream.raw()?);
                return Ok(());
            }
            _ => return stream.unknown(key),
        };
        let value = stream.value()?;
        stream.keep(slot, key, value)
    })?;
    stream.end()?;
    match (late, traces) {
        (Some(late), Some(traces)) => traces(parts.head(stream)?, &mut stream.again(&late)),
        (None, Some(_)) => {
            parts.head(stream)?;
            Err(stream.wrong("it has no `traces`"))
        }
        (_, None) => Ok(()),
    }
}

impl HeadParts {
    /// Whether everything is there that the traces depend on.
    fn are_complete(&self) -> bool {
        let all =
            [&self.format, &self.constants, &self.net, &self.given, &self.fairness, &self.deadlock_paths];
        all.into_iter().all(Option::is_some)
    }

    fn head(&self, stream: &Stream<'_>) -> Result<Head, Failure> {
        if self.format != Some(json::FORMAT.into()) {
            return Err(stream.wrong("its `format` is not 1"));
        }
        let Some(constants) = self.constants.as_ref().and_then(Value::as_object) else {
            return Err(stream.wrong("it has no `constants`"));
        };
        if self.origin.iter().flatten().any(|origin| !origin.is_string()) {
            return Err(stream.wrong("`burnside` and `model` are texts"));
        }
        let given = match &self.given {
            None => Vec::new(),
            Some(Value::Array(given)) => {
                let all = given.iter().enumerate().map(|(i, given)| {
                    read_given(given)
                        .ok_or_else(|| stream.wrong(format!("entry {} of `given` is incomplete", i + 1)))
                });
                all.collect::<Result<_, _>>()?
            }
            Some(_) => return Err(stream.wrong("`given` is not a list")),
        };
        let net = json::read_net(self.net.as_ref().unwrap_or(&Value::Null));
        let net = net.ok_or_else(|| stream.wrong("`net` does not say what was assumed about a net"))?;
        // Who does not say that unfair runs count too claims that only fair ones do.
        let fair = match self.fairness.as_ref().map(Value::as_str) {
            None | Some(Some(json::FAIRNESS_MODEL)) => true,
            Some(Some(json::FAIRNESS_NONE)) => false,
            Some(_) => return Err(stream.wrong("`fairness` is neither `model` nor `none`")),
        };
        let maximal = match &self.deadlock_paths {
            None => None,
            Some(value) => Some(
                tree::maximal(value)
                    .ok_or_else(|| stream.wrong("`deadlock_paths` is neither `stutter` nor `maximal`"))?,
            ),
        };
        Ok(Head { constants: constants.clone(), given, net, recorded_net: self.net.clone(), fair, maximal })
    }
}

fn read_given(given: &Value) -> Option<(String, ExternalProperty)> {
    let kind = given["kind"].as_str()?;
    let given = has_keys(given, &["property", "kind", "origin", "text"]).then_some(given)?;
    let read = ExternalProperty {
        kind: ExternalKind::named(kind)?,
        origin: visible(given["origin"].as_str()?),
        text: given["text"].as_str()?.to_string(),
    };
    Some((given["property"].as_str()?.to_string(), read))
}

/// Whether a value is an object with just these keys.
pub fn has_keys(value: &Value, keys: &[&str]) -> bool {
    value
        .as_object()
        .is_some_and(|object| object.len() == keys.len() && keys.iter().all(|key| object.contains_key(*key)))
}
