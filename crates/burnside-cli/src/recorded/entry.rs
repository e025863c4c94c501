//! What is recorded about one property.
//!
//! Entry point: [`read`].

use crate::claim::claimed;
use crate::exit::{Failure, visible};
use crate::recorded::run::{self, Expected, Run};
use crate::recorded::tree::{self, RecordedTree};
use crate::recorded::walker::Walker;
use crate::recorded::{Raw, Stream};
use serde_json::Value;

/// What is recorded about a property.
pub struct Entry<'s> {
    /// The property.
    pub property: String,
    /// Its kind.
    pub kind: String,
    /// The verdict.
    pub verdict: String,
    /// The value that is said to be the greatest, for a bound.
    pub value: Option<i64>,
    /// What shows it, or why that is nothing of the model.
    pub evidence: Result<RecordedEvidence<'s>, String>,
}

/// What shows it.
pub enum RecordedEvidence<'s> {
    /// A run.
    Run(Box<Run<'s>>),
    /// A tree of runs.
    Tree(Box<RecordedTree>),
}

/// The parts that have been read.
#[derive(Default)]
struct EntryParts<'s> {
    property: Option<Value>,
    kind: Option<Value>,
    verdict: Option<Value>,
    value: Option<Value>,
    evidence: Option<Result<RecordedEvidence<'s>, String>>,
    late: Option<Raw>,
}

/// Reads an entry, and finds in the model what it holds.
pub fn read<'s>(stream: &mut Stream<'_>, walker: &Walker<'s>) -> Result<Entry<'s>, Failure> {
    let mut parts = EntryParts::default();
    stream.object(|stream, key| {
        let slot = match key {
            "property" => &mut parts.property,
            "kind" => &mut parts.kind,
            "verdict" => &mut parts.verdict,
            "value" => &mut parts.value,
            "evidence" if parts.evidence.is_some() || parts.late.is_some() => return Err(stream.twice(key)),
            "evidence" => match (text(&parts.property), text(&parts.kind)) {
                (Some(property), Some(kind)) => {
                    parts.evidence = Some(evidence(stream, walker, &property, &kind)?);
                    return Ok(());
                }
                _ => {
                    parts.late = Some(stream.raw()?);
                    return Ok(());
                }
            },
            _ => return stream.unknown(key),
        };
        let value = stream.value()?;
        stream.keep(slot, key, value)
    })?;
    let all = (text(&parts.property), text(&parts.kind), text(&parts.verdict));
    let (Some(property), Some(kind), Some(verdict)) = all else {
        return Err(stream.wrong("it is incomplete: `property`, `kind` and `verdict` are needed"));
    };
    let value = match &parts.value {
        None => None,
        Some(value) => Some(value.as_i64().ok_or_else(|| stream.wrong("its `value` is not a number"))?),
    };
    let evidence = match (parts.evidence, parts.late) {
        (Some(evidence), _) => evidence,
        (None, Some(late)) => evidence(&mut stream.again(&late), walker, &property, &kind)?,
        (None, None) => return Err(stream.wrong("it is incomplete: it has no `evidence`")),
    };
    Ok(Entry { property: visible(&property), kind, verdict, value, evidence })
}

fn text(value: &Option<Value>) -> Option<String> {
    value.as_ref()?.as_str().map(str::to_string)
}

fn evidence<'s>(
    stream: &mut Stream<'_>,
    walker: &Walker<'s>,
    property: &str,
    kind: &str,
) -> Result<Result<RecordedEvidence<'s>, String>, Failure> {
    // Which value and which fairness is claimed does not matter for finding the run.
    let Some(claimed) = claimed(walker.model, kind, property, true, Some(0)) else {
        stream.skip()?;
        let kind = visible(kind);
        return Ok(Err(format!("the model has no {kind} property of this name that a run can show")));
    };
    let expected = Expected { walker, start: None, claimed: Some(claimed) };
    let (mut run, mut tree) = (run::RunParts::default(), tree::TreeParts::default());
    stream.object(|stream, key| {
        let known = run.member(stream, key, expected)? || tree.member(stream, key, walker)?;
        if known { Ok(()) } else { stream.unknown(key) }
    })?;
    if run.kind() != Some("tree") {
        return match tree.is_empty() {
            true => Ok(run.finish(stream, expected)?.map(|run| RecordedEvidence::Run(Box::new(run)))),
            false => Err(stream.wrong("a run has keys of a tree")),
        };
    }
    if kind != "ctl" || !run.is_of_tree() {
        return Err(stream.wrong("a tree is for a `ctl` property, and has no keys of a run"));
    }
    Ok(tree.finish(stream, walker)?.map(|tree| RecordedEvidence::Tree(Box::new(tree))))
}
