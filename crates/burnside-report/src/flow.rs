//! Runs as lists of steps for viewers that follow them one by one: which runs show an answer, and which of
//! their steps are told.
//!
//! Entry points: [`runs`] and [`ends`].

use crate::names::Names;
use crate::outcome::CheckReport;
use crate::reason::{reason, telling};
use burnside::Answer;
use burnside_trace::{Evidence, Reason, Why};
use std::borrow::Cow;
use std::ops::Range;

/// Of a tree so many runs are told, from the outside to the inside.
const MAX_RUNS: usize = 10;
/// Of a longer run the beginning and the end are told: viewers take no more.
const MAX_STEPS: usize = 1000;
/// States of more cells are not told.
pub const MAX_CELLS: usize = 100;
/// In the text of a step so many changes are told.
pub const MAX_CHANGES: usize = 20;

/// The runs that show an answer, each with what it shows.
pub fn runs<'a>(told: &'a CheckReport<'_>, result: &'a Answer) -> Vec<(String, Cow<'a, Evidence>)> {
    let model = &told.input.model;
    match reason(model, result, told.paths) {
        Some((_, reason)) => {
            let mut found = Vec::new();
            collect(&Names::of(model, &result.property), &reason, &mut found);
            found
        }
        None => {
            let run = result.evidence.as_ref();
            run.map(|run| (told.headline(result), Cow::Borrowed(run))).into_iter().collect()
        }
    }
}

fn collect<'t>(names: &Names<'_>, reason: &Reason<'_, 't>, found: &mut Vec<(String, Cow<'t, Evidence>)>) {
    if found.len() >= MAX_RUNS {
        return;
    }
    match &reason.why {
        Why::Condition | Why::Everywhere | Why::Omitted => {}
        Why::Sides(sides) => sides.iter().for_each(|(_, side)| collect(names, side, found)),
        Why::Value(_, _, inner) => collect(names, inner, found),
        Why::Run(evidence, places) => {
            let truth = if reason.truth { "true" } else { "false" };
            let about = format!("{truth} where this run begins: {}", names.show(reason.formula));
            found.push((about, telling(reason.formula, evidence, places)));
            places.iter().for_each(|place| collect(names, &place.reason, found));
        }
    }
}

/// Which steps of a run of some length are told.
pub fn ends(length: usize) -> [Range<usize>; 2] {
    match length > MAX_STEPS {
        true => [0..MAX_STEPS / 2, length - MAX_STEPS / 2..length],
        false => [0..length, length..length],
    }
}
