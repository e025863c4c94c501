//! What the `put` statements of a Murphi model say on the way.
//!
//! Entry point: [`PutOutput::said`]. The states of a model know nothing of what is said. So there is a second
//! system, with variables for it behind those of the model, which nobody explores: a step of a run is taken
//! there once more, and what its variables hold afterwards is told. If the step cannot be taken there, since
//! what is to be said faults, nothing is.

use burnside_murphi::Put;
use burnside_ts::{Interpreter, Label, Outcome, System, Value, bits};
use std::ops::ControlFlow;

/// The second system, and what is said in it.
#[derive(Debug)]
pub struct PutOutput {
    /// The variables of the model, and behind them the queue of what is said and the values.
    pub(crate) system: System,
    pub(crate) puts: Vec<Put>,
    /// How many variables the model has.
    pub(crate) vars: usize,
}

impl PutOutput {
    /// What is said on a step from one state of the model to another, as one text.
    pub fn said(&self, model: &System, before: &[u64], label: Label<'_>, after: &[u64]) -> Option<String> {
        let spare = |state: &[u64]| [state, &[0; bits::SPARE]].concat();
        let (before, after) = (spare(before), spare(after));
        let mut start = vec![0; self.system.words() + bits::SPARE];
        let pairs = || model.vars.iter().zip(&self.system.vars).take(self.vars);
        for (mine, there) in pairs() {
            bits::copy(&mut start, there.offset, &before, mine.offset, model.types.width(mine.ty));
        }
        let mut found = None;
        let _ = Interpreter::new(&self.system).rule_steps(
            &start[..self.system.words()],
            label.rule,
            &mut |other: Label<'_>, outcome: Outcome<'_>| {
                let Outcome::State(state) = outcome else { return ControlFlow::Continue(()) };
                let (state, mut back) = (spare(state), spare(&vec![0; model.words()]));
                for (mine, there) in pairs() {
                    bits::copy(&mut back, mine.offset, &state, there.offset, model.types.width(mine.ty));
                }
                if other.args != label.args || back != after {
                    return ControlFlow::Continue(());
                }
                found = Some(self.text(&state));
                ControlFlow::Break(())
            },
        );
        found.filter(|said| !said.is_empty())
    }

    /// What a state of the second system says.
    fn text(&self, state: &[u64]) -> String {
        let mut values = self.system.vars[self.vars..]
            .iter()
            .map(|var| Value::read(&self.system.types, var.ty, state, var.offset));
        let Some(Value::Queue(said)) = values.next() else { return String::new() };
        let values: Vec<Value> = values.collect();
        let number = |value: &Value| if let Value::Int(number) = value { *number as usize } else { 0 };
        let text = |put: usize| match &self.puts[put] {
            Put::Text(text) => text.clone(),
            Put::Value(at) if matches!(values[*at], Value::None) => "undefined".to_string(),
            Put::Value(at) => values[*at].to_string(),
        };
        said.iter().map(|value| text(number(value))).collect()
    }
}
