//! What shows a verdict: runs of the original system, as data.

use burnside_ts::{Fault, Label, Question, RuleId, System};

/// A fired rule instance, owned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// A run: `states[0]` is initial and `steps[i]` leads from `states[i]` to `states[i +
/// 1]`. It is finite, or infinite with an end that repeats for ever: see [`End`].
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

    /// Whether a step changes something.
    pub fn changes(&self, system: &System, step: usize) -> bool {
        let after = self.states.get(step + 1).or_else(|| self.states.get(self.loop_start()?));
        match (self.states.get(step), after) {
            (Some(before), Some(after)) => system.changes(before, after),
            _ => true,
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
    /// The run is infinite: there are as many steps as states, and the last step leads from the last state
    /// back to this one.
    Loop(usize),
    /// The run is infinite: the last state is a deadlock, without any outcome of any rule, and repeats for
    /// ever.
    Stutter,
}

/// What evidence is said to show: the answer to a question. A run shows that a condition is false (of a
/// `reachable` one: true) in its last state, that no rule is enabled there, that it ends in a fault, that its
/// last states match a sequence, that an automaton accepts it, or that a formula is false of it; or, if it
/// ends in [`End::Undefined`], that a condition of the question faults in its last state.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'s> {
    /// The question.
    pub question: &'s Question,
    /// Whether an infinite run is also fair to every unit.
    pub fair: bool,
    /// Of a bound: the value that it has in the last state.
    pub value: Option<i64>,
}

impl<'s> Claim<'s> {
    /// What is shown without fairness and values.
    pub fn of(question: &'s Question) -> Self {
        Self { question, fair: false, value: None }
    }
}
