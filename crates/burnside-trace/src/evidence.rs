//! What shows a verdict: runs of the original system, as data.

use burnside_logic::Automaton;
use burnside_ts::{Expr, Fault, Formula, Label, RuleId, Sequence};

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

/// A run: `states[0]` is initial and `steps[i]` leads from `states[i]` to `states[i + 1]`. It is finite, or infinite with an end that
/// repeats for ever: see [`End`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Packed states. Empty only if the initialisation itself faults.
    pub states: Vec<Box<[u64]>>,
    /// The steps between them; of a loop, also the one that closes it.
    pub steps: Vec<Step>,
    /// What is special about the end.
    pub end: End,
}

impl Evidence {
    /// The state to which an infinite run returns after its last; `None` if the run is finite.
    pub fn loop_start(&self) -> Option<usize> {
        match self.end {
            End::Loop(start) => Some(start),
            End::Stutter => self.states.len().checked_sub(1),
            End::State | End::Fault(..) | End::Undefined(_) => None,
        }
    }
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
    /// The run is infinite: there are as many steps as states, and the last step leads from the last state back to this one.
    Loop(usize),
    /// The run is infinite: the last state is a deadlock, without any outcome of any rule, and repeats for ever.
    Stutter,
}

/// What the evidence is said to show.
#[derive(Clone, Copy, Debug)]
pub enum Claimed<'s> {
    /// The condition is false (or faults) in the last state.
    Violates(&'s Expr),
    /// The condition is true in the last state.
    Reaches(&'s Expr),
    /// The scalar has this value (or faults) in the last state.
    Attains(&'s Expr, i64),
    /// No rule is enabled in the last state.
    Deadlock,
    /// The run ends in a fault.
    Faults,
    /// Some states at the end of the run match the sequence.
    Matches(&'s Sequence),
    /// The linear-time formula is false of the infinite run. Or, if the run ends in [`End::Undefined`], a condition in it faults
    /// in the last state.
    Fails {
        /// The formula, with its quantifiers.
        formula: &'s Formula,
        /// Whether the run is also fair to every unit.
        fair: bool,
    },
    /// The automaton accepts the infinite run.
    Accepted {
        /// The automaton.
        automaton: &'s Automaton,
        /// What its atoms mean.
        atoms: &'s [Expr],
        /// Whether the run is also fair to every unit.
        fair: bool,
    },
}
