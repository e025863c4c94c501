//! What shows a verdict: runs of the original system, as data.

use burnside_ts::{Expr, Fault, Label, RuleId, Sequence};

/// A fired rule instance, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The rule.
    pub rule: RuleId,
    /// Its arguments, as in a [`Label`].
    pub args: Box<[u64]>,
}

impl Step {
    /// As it was pushed.
    pub fn label(&self) -> Label<'_> {
        Label { rule: self.rule, args: &self.args }
    }
}

impl From<Label<'_>> for Step {
    fn from(label: Label<'_>) -> Self {
        Self { rule: label.rule, args: label.args.into() }
    }
}

/// A finite run: `states[0]` is initial and `steps[i]` leads from `states[i]` to `states[i + 1]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Packed states. Empty only if the initialisation itself faults.
    pub states: Vec<Box<[u64]>>,
    /// The steps between them.
    pub steps: Vec<Step>,
    /// What is special about the end.
    pub end: End,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The last state is what the evidence is about.
    State,
    /// This step is tried in the last state and faults. No step: the initialisation faults.
    Fault(Option<Step>, Fault),
    /// Evaluating the property in the last state faults.
    Undefined(Fault),
}

/// What the evidence is said to show.
#[derive(Clone, Copy, Debug)]
pub enum Claimed<'s> {
    /// The condition is false (or faults) in the last state.
    Violates(&'s Expr),
    /// The condition is true in the last state.
    Reaches(&'s Expr),
    /// No rule is enabled in the last state.
    Deadlock,
    /// The run ends in a fault.
    Faults,
    /// Some states at the end of the run match the sequence.
    Matches(&'s Sequence),
}
