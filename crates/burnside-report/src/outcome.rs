//! What came out of a check, as every format of reports is made from it: a [`CheckReport`], or a
//! [`FailedCheck`] if there is none.
//!
//! What people read as it is, runs drawn in columns and errors with the lines that they are about, is made by
//! whoever knows how things look, and is handed over as texts.

use crate::input::{BadModel, Input};
use crate::json::StateSpace;
use crate::reason::{first_run, reason};
use crate::verdict::{self, quoted};
use burnside::{Answer, Model, Report};
use burnside_lang::hir::ConstantValue;
use burnside_trace::{Evidence, TreeOptions};
use std::borrow::Cow;

/// A report with what it is about.
#[derive(Clone, Debug)]
pub struct CheckReport<'a> {
    /// The model.
    pub input: &'a Input,
    /// The answers.
    pub report: &'a Report,
    /// What paths are, for branching-time properties.
    pub paths: TreeOptions,
    /// The size of the state space, if it was asked for.
    pub state_space: Option<&'a StateSpace>,
    /// Why runs are left out, if they are.
    pub omitted: Option<&'a str>,
    /// By answer: the run or tree that shows it, as people read it; empty where nothing is to be shown.
    pub shown: Vec<String>,
}

/// A check without a report.
#[derive(Clone, Debug)]
pub struct FailedCheck<'a> {
    /// The model, as typed.
    pub model: &'a str,
    /// Why there is none.
    pub why: WhyFailed,
    /// One sentence without a full stop.
    pub message: String,
    /// What to do.
    pub help: Option<&'a str>,
    /// What is wrong with the model, and with what was given beside it.
    pub bad: &'a [BadModel],
    /// The same as people read it; may be empty.
    pub shown: String,
}

/// Why there is no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyFailed {
    /// The model has no meaning.
    Model,
    /// Something else is wrong with what was asked.
    Request,
    /// A limit was reached, or somebody ended it.
    Stopped,
    /// Our own fault.
    Internal,
}

impl WhyFailed {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            WhyFailed::Model => "bad-model",
            WhyFailed::Request => "bad-request",
            WhyFailed::Stopped => "stopped",
            WhyFailed::Internal => "internal-error",
        }
    }
}

impl CheckReport<'_> {
    /// The answers, each with what shows it.
    pub fn answers(&self) -> impl Iterator<Item = (&Answer, &str)> {
        let shown = self.shown.iter().map(String::as_str).chain(std::iter::repeat(""));
        self.report.results.iter().zip(shown)
    }

    /// The run that shows an answer; of a tree the first one, as far as it matters.
    pub fn run<'r>(&'r self, result: &'r Answer) -> Option<Cow<'r, Evidence>> {
        match reason(&self.input.model, result, self.paths) {
            Some((_, reason)) => first_run(&reason),
            None => result.evidence.as_ref().map(Cow::Borrowed),
        }
    }

    /// What came out for a property, as a sentence.
    pub fn headline(&self, result: &Answer) -> String {
        verdict::headline(&self.input.model, result, self.run(result).as_deref())
    }

    /// What shows an answer, with the text of the property unless it is in there.
    pub fn details(&self, result: &Answer, shown: &str) -> String {
        let (text, shown) = (quoted(&result.text), shown.trim_end());
        let parts = if shown.contains(&text) { vec![shown] } else { vec![text.as_str(), shown] };
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// `2 violated, 3 hold`
    pub fn verdicts(&self) -> String {
        let words = [("violated", "violated"), ("unknown", "unknown"), ("holds", "hold")];
        let counts = words.into_iter().filter_map(|(one, many)| {
            let of_this = self.report.results.iter().filter(|result| verdict::word(&result.verdict) == one);
            let count = of_this.count();
            (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
        });
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// The constants of a model with their values.
pub fn constants(model: &Model) -> impl Iterator<Item = (&str, String)> {
    let constants = model.hir().into_iter().flat_map(|hir| &hir.constants);
    constants.map(|constant| {
        let value = match constant.value {
            ConstantValue::Int(value) => value.to_string(),
            ConstantValue::Bool(value) => value.to_string(),
        };
        (constant.name.as_str(), value)
    })
}
