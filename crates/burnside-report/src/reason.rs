//! What each part of a tree shows: the formula, whether it is true there, and why.

use crate::names;
use burnside::{Answer, Model, Verdict};
use burnside_trace::{Reason, TreeOptions, explain_tree};

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
