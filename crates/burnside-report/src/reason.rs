//! What each part of a tree shows: the formula, whether it is true there, and why; and how much of a run is
//! needed for it.

use crate::names;
use burnside::{Answer, Model, Verdict};
use burnside_trace::{End, Evidence, Place, Reason, TreeOptions, Why, explain_tree};
use burnside_ts::{Formula, Path, Temporal};
use std::borrow::Cow;

/// What each part of the tree of a result shows, if it has one.
pub fn reason<'a>(
    model: &'a Model,
    result: &'a Answer,
    paths: TreeOptions,
) -> Option<(&'a [u64], Reason<'a, 'a>)> {
    let (state, tree) = result.tree.as_ref()?;
    let formula = names::formula(model, &result.property)?;
    let truth = result.verdict == Verdict::Holds;
    let reason = explain_tree(&model.system, formula, truth, state, tree, paths).ok()?;
    Some((state, reason))
}

/// Which operand of a path operator ends the run that shows it, and how the other one is called until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The operand.
    pub operand: usize,
    /// How the other one is called until then.
    pub before: &'static str,
}

/// What matters of the first run that is shown.
pub fn first_run<'t>(reason: &Reason<'_, 't>) -> Option<Cow<'t, Evidence>> {
    match &reason.why {
        Why::Condition | Why::Everywhere | Why::Omitted => None,
        Why::Sides(sides) => sides.iter().find_map(|(_, side)| first_run(side)),
        Why::Value(_, _, inner) => first_run(inner),
        Why::Run(evidence, places) => Some(telling(reason.formula, evidence, places)),
    }
}

/// A run up to the place where it has shown what it is to show. Where fairness counts it goes on from there,
/// to be a fair one.
pub fn telling<'t>(formula: &Formula, evidence: &'t Evidence, places: &[Place<'_, '_>]) -> Cow<'t, Evidence> {
    let end = ending(formula).and_then(|ending| places.iter().find(|place| place.operand == ending.operand));
    // The state that follows the only one of a loop is that one again.
    let is_next = matches!(formula, Formula::Temporal(_, Temporal::Next(_)));
    match end.map(|end| end.position) {
        Some(last) if last < evidence.steps.len() && !(is_next && last == 0) => Cow::Owned(Evidence {
            states: evidence.states[..=last].to_vec(),
            steps: evidence.steps[..last].to_vec(),
            end: End::State,
        }),
        _ => Cow::Borrowed(evidence),
    }
}

/// How a run that shows the formula, or the opposite, ends.
pub fn ending(formula: &Formula) -> Option<Ending> {
    let Formula::Temporal(Some(path), operator) = formula else { return None };
    let until = Some(Ending { operand: 1, before: "until then" });
    let release = Some(Ending { operand: 0, before: "up to here" });
    match (path, operator) {
        (_, Temporal::Next(_)) => release,
        (Path::Some, Temporal::Finally(_)) | (Path::All, Temporal::Globally(_)) => release,
        (Path::Some, Temporal::Globally(_)) | (Path::All, Temporal::Finally(_)) => None,
        (Path::Some, Temporal::Until(_) | Temporal::WeakUntil(_)) => until,
        (Path::Some, Temporal::Release(_) | Temporal::StrongRelease(_)) => release,
        (Path::All, Temporal::Until(_) | Temporal::WeakUntil(_)) => release,
        (Path::All, Temporal::Release(_) | Temporal::StrongRelease(_)) => until,
    }
}
