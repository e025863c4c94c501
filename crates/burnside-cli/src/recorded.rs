//! Runs as they are recorded in a trace file.
//!
//! Entry point: [`read`]. A run can have thousands of states with thousands of cells each. The states stay texts, within the text of the
//! file, until each is looked at.

use crate::exit::{Failure, visible};
use crate::input::Source;
use crate::output::story::Told;
use crate::output::{json, plural};
use crate::recorded_tree::{self, RecordedTree};
use burnside::{Given, GivenKind, NetOptions};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// An object whose values are still texts.
pub type Fields<'t> = HashMap<String, &'t RawValue>;

/// What is in a trace file.
pub struct File<'t> {
    /// What is recorded about properties.
    pub traces: Vec<Trace<'t>>,
    /// The constants of the model, with their values as texts.
    pub settings: Vec<(String, String)>,
    /// The properties that were given beside the model.
    pub given: Vec<Given>,
    /// What was assumed about a net.
    pub net: NetOptions,
}

/// What is recorded about a property.
pub enum Trace<'t> {
    /// A run.
    Run {
        /// The property.
        property: String,
        /// Its kind.
        kind: String,
        /// The value that the run is said to reach, for a bound.
        value: Option<i64>,
        /// The run.
        run: Recorded<'t>,
    },
    /// A tree of runs.
    Tree(RecordedTree<'t>),
}

/// A run as recorded.
pub struct Recorded<'t> {
    /// The states.
    pub states: Vec<&'t RawValue>,
    /// The steps.
    pub steps: Vec<Told>,
    /// What each step is said to change, where that is said.
    pub changes: Vec<Option<Map<String, Value>>>,
    /// The fault at the end.
    pub fault: Option<RecordedFault>,
    /// Where an infinite run goes on after its last state.
    pub start: Option<usize>,
    /// Whether it does so without a step.
    pub stutter: bool,
    /// What is said about the fairness units, where something is.
    pub fairness: Option<Vec<Value>>,
}

impl Recorded<'_> {
    /// A state: cells and their values.
    pub fn state(&self, i: usize) -> Result<Map<String, Value>, String> {
        serde_json::from_str(self.states[i].get()).map_err(|_| format!("recorded state {i} is not an object"))
    }

    /// The state to which step `i` leads, as an index.
    pub fn after(&self, i: usize) -> Option<usize> {
        let back = self.start.filter(|_| !self.stutter && i + 1 == self.states.len());
        Some(back.unwrap_or(i + 1)).filter(|&after| after < self.states.len())
    }

    /// Whether the run is said to be fair.
    pub fn is_fair(&self) -> bool {
        let mut units = self.fairness.iter().flatten();
        units.all(|unit| unit["how"] != json::NEGLECTED)
    }

    /// Whether step `i` changes what it is said to change, according to the recorded states around it.
    pub fn changes_fit(&self, i: usize, before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
        let Some(Some(said)) = self.changes.get(i) else { return true };
        let differ = after.iter().filter(|(cell, value)| before.get(*cell) != Some(*value));
        differ.clone().count() == said.len()
            && differ.into_iter().all(|(cell, value)| said.get(cell) == Some(value))
    }

    /// Its length, in words.
    pub fn shown_length(&self) -> String {
        let tried = usize::from(self.fault.as_ref().is_some_and(|fault| fault.step.is_some()));
        let steps = plural((self.steps.len() + tried) as u64, "step", "steps");
        let fair = if self.is_fair() { "" } else { ", not fair" };
        match self.start {
            None => steps,
            Some(_) if self.stutter => format!("{steps}, then nothing for ever{fair}"),
            Some(0) => format!("{steps}, for ever{fair}"),
            Some(start) => format!("{steps}, those after step {start} for ever{fair}"),
        }
    }
}

/// A fault as recorded.
pub struct RecordedFault {
    /// What is said about it.
    pub message: String,
    /// Which text what faults is in, if not in the model.
    pub origin: Option<String>,
    /// The line of what faults.
    pub line: u64,
    /// Its column.
    pub column: u64,
    /// When: in a `step`, in the `initialisation` or when the `property` is evaluated.
    pub during: String,
    /// The step that faults.
    pub step: Option<Told>,
}

fn malformed(file: &Source, what: &str) -> Failure {
    let help = "a trace file is written by `burnside check --trace FILE`";
    Failure::bad_with_help(format!("`{}` is not a trace file: {what}", file.path), help)
}

/// Reads a file. What is set besides must agree with its constants.
pub fn read<'t>(file: &'t Source, given: &[(String, String)]) -> Result<File<'t>, Failure> {
    let document: Fields<'t> =
        serde_json::from_str(&file.text).map_err(|error| malformed(file, &error.to_string()))?;
    let settings = settings(file, &document, given)?;
    let given = given_properties(file, &document)?;
    let net = json::read_net(&value(&document, "net"));
    Ok(File { traces: traces(file, &document)?, settings, given, net })
}

/// The properties that were given beside the model; none in files that do not mention any.
fn given_properties(file: &Source, document: &Fields<'_>) -> Result<Vec<Given>, Failure> {
    let listed = value(document, "given");
    let all = listed.as_array().into_iter().flatten().enumerate().map(|(i, given)| {
        read_given(given).ok_or_else(|| malformed(file, &format!("entry {} of `given` is incomplete", i + 1)))
    });
    all.collect()
}

fn read_given(given: &Value) -> Option<Given> {
    let kind = given["kind"].as_str()?;
    Some(Given {
        kind: GivenKind::ALL.into_iter().find(|known| known.name() == kind)?,
        origin: visible(given["origin"].as_str()?),
        text: given["text"].as_str()?.to_string(),
    })
}

/// The value of a field; null if there is none.
pub fn value(fields: &Fields<'_>, name: &str) -> Value {
    let raw = fields.get(name);
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// The parts of a list in a field, still as text.
pub fn parts<'t>(fields: &Fields<'t>, name: &str) -> Option<Vec<&'t RawValue>> {
    serde_json::from_str(fields.get(name)?.get()).ok()
}

/// The constants of the file; what is set besides must agree.
fn settings(
    file: &Source,
    document: &Fields<'_>,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, Failure> {
    let constants = value(document, "constants");
    let Some(constants) = constants.as_object() else {
        return Err(malformed(file, "it has no `constants`"));
    };
    for (name, value) in given {
        let recorded = constants.get(name).map(Value::to_string);
        if recorded.as_ref() != Some(value) {
            let is = recorded
                .map_or("has no such constant".into(), |value| format!("was made with {name}={value}"));
            let help = "leave `--set` out: the constants come from the file";
            return Err(Failure::bad_with_help(
                format!("--set {name}={value} disagrees: `{}` {is}", file.path),
                help,
            ));
        }
    }
    Ok(constants.iter().map(|(name, value)| (name.clone(), value.to_string())).collect())
}

fn traces<'t>(file: &Source, document: &Fields<'t>) -> Result<Vec<Trace<'t>>, Failure> {
    if value(document, "format") != json::FORMAT {
        return Err(malformed(file, "its `format` is not 1"));
    }
    let Some(traces) = parts(document, "traces") else {
        return Err(malformed(file, "it has no `traces`"));
    };
    let all = traces.iter().enumerate().map(|(i, trace)| {
        read_trace(trace)
            .ok_or_else(|| malformed(file, &format!("entry {} of `traces` is incomplete", i + 1)))
    });
    all.collect()
}

fn read_trace<'t>(trace: &'t RawValue) -> Option<Trace<'t>> {
    let trace: Fields<'t> = serde_json::from_str(trace.get()).ok()?;
    let evidence: Fields<'t> = serde_json::from_str(trace.get("evidence")?.get()).ok()?;
    let property = value(&trace, "property").as_str()?.to_string();
    let kind = value(&trace, "kind").as_str()?.to_string();
    if value(&evidence, "kind") == "tree" && kind == "ctl" {
        return recorded_tree::read(property, &value(&trace, "verdict"), &evidence).map(Trace::Tree);
    }
    Some(Trace::Run { property, kind, value: value(&trace, "value").as_i64(), run: read_run(&evidence)? })
}

/// Reads a run.
pub fn read_run<'t>(evidence: &Fields<'t>) -> Option<Recorded<'t>> {
    let steps = value(evidence, "steps");
    let steps = steps.as_array()?.iter();
    let changes = steps.clone().map(|step| step["changes"].as_object().cloned()).collect();
    let fault = match &value(evidence, "fault") {
        Value::Null => None,
        fault => Some(read_fault(fault)?),
    };
    let start = match value(evidence, "loop_start") {
        Value::Null => None,
        start => Some(usize::try_from(start.as_u64()?).ok()?),
    };
    let kind = if start.is_some() { "lasso" } else { "path" };
    if value(evidence, "kind") != kind {
        return None;
    }
    Some(Recorded {
        states: parts(evidence, "states")?,
        steps: steps.map(read_step).collect::<Option<_>>()?,
        changes,
        fault,
        start,
        stutter: value(evidence, "stutter") == true,
        fairness: value(evidence, "fairness").as_array().cloned(),
    })
}

fn read_step(step: &Value) -> Option<Told> {
    let arguments = step["arguments"].as_object()?.iter();
    let arguments = arguments.map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())));
    Some(Told {
        process: step["process"].as_str()?.to_string(),
        rule: step["rule"].as_str()?.to_string(),
        arguments: arguments.collect::<Option<_>>()?,
    })
}

fn read_fault(fault: &Value) -> Option<RecordedFault> {
    let step = match &fault["step"] {
        Value::Null => None,
        step => Some(read_step(step)?),
    };
    Some(RecordedFault {
        message: fault["message"].as_str()?.to_string(),
        origin: fault["origin"].as_str().map(str::to_string),
        line: fault["line"].as_u64()?,
        column: fault["column"].as_u64()?,
        during: fault["during"].as_str()?.to_string(),
        step,
    })
}
