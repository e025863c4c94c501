//! The steps of a state, kept until it is known which of them are taken.
//!
//! Entry points: [`Stubborn::look`] and then [`Stubborn::chosen`]. A state in which a step faults, or which
//! has only one enabled rule instance, has no steps that can be left out.

use super::Stubborn;
use burnside_ts::{Label, Machine, Outcome, RuleId, Undefined, Walk};
use std::ops::ControlFlow;

/// Steps, one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptSteps {
    /// The rule of each, its instance, and where its arguments begin.
    labels: Vec<(RuleId, u32, usize)>,
    args: Vec<u64>,
    targets: Vec<u64>,
    /// Words of each target.
    words: usize,
}

impl KeptSteps {
    fn clear(&mut self, words: usize) {
        self.labels.clear();
        self.args.clear();
        self.targets.clear();
        self.words = words;
    }

    fn push(&mut self, label: Label<'_>, instance: u32, target: &[u64]) {
        self.labels.push((label.rule, instance, self.args.len()));
        self.args.extend_from_slice(label.args);
        self.targets.extend_from_slice(target);
    }
}

impl<'s> Stubborn<'s> {
    /// Chooses steps of a state; another machine looks at guards. False if all are to be taken.
    pub fn look(
        &mut self,
        machine: &mut dyn Machine<'s>,
        evaluator: &mut dyn Machine<'s>,
        state: &[u64],
    ) -> Result<bool, Undefined> {
        self.begin();
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear(state.len());
        let mut faults = false;
        let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| match outcome {
            Outcome::State(target) => {
                steps.push(label, self.note(label), target);
                ControlFlow::Continue(())
            }
            Outcome::Fault(_) => {
                faults = true;
                ControlFlow::Break(())
            }
        });
        self.steps = steps;
        match walk {
            Walk::Interrupted => Err(Undefined::Interrupted),
            _ if faults => Ok(false),
            _ => self.choose(evaluator, state),
        }
    }

    /// The steps that were chosen, and what they lead to.
    pub fn chosen(&self) -> impl Iterator<Item = (Label<'_>, &[u64])> {
        let KeptSteps { labels, args, targets, words } = &self.steps;
        let chosen = labels.iter().enumerate().filter(|&(_, &(_, instance, _))| self.has(instance));
        chosen.map(move |(at, &(rule, _, first))| {
            let end = labels.get(at + 1).map_or(args.len(), |&(.., next)| next);
            (Label { rule, args: &args[first..end] }, &targets[at * words..(at + 1) * words])
        })
    }
}
