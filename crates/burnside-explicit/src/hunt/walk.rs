//! Random walks: one run after the other, each step chosen by chance among those that can be taken.
//!
//! Entry point: [`RandomWalker`]. It keeps no states but the successors of the one at hand, so it can go on
//! for ever; who walks decides which successor to take, and when to begin anew. Hunts walk for violations,
//! and `burnside simulate --runs` walks to show what a model does. The same seed gives the same walks.

use burnside_limits::{Interrupt, Random};
use burnside_trace::Step;
use burnside_ts::{AnyMachine, Fault, Label, Outcome, RuleId, System, Walk};
use std::ops::ControlFlow;

/// Walks begin in one of the first initial states: as many as these words hold.
const START_WORDS: usize = 1 << 14;

/// Looks at the steps of one state after the other.
#[derive(Debug)]
pub struct RandomWalker<'s> {
    machine: AnyMachine<'s>,
    random: Random,
    words: usize,
    /// Initial states, one behind the other.
    starts: Vec<u64>,
    initial_fault: Option<Fault>,
    /// The successors of the state at hand, one behind the other, and the rules that lead there.
    targets: Vec<u64>,
    rules: Vec<RuleId>,
    faults: Vec<(Step, Fault)>,
}

/// What happens next on a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// This rule leads to a state: see [`RandomWalker::target`].
    Rule(RuleId, usize),
    /// This step faults.
    Fault(Step, Fault),
    /// There is no step.
    Deadlock,
    /// The state is outside of the constraint.
    Outside,
    /// The walk was interrupted.
    Interrupted,
}

impl<'s> RandomWalker<'s> {
    /// A walker that ends soon after the flag is raised.
    pub fn new(system: &'s System, interrupt: Interrupt, seed: u64) -> Self {
        let mut walker = Self {
            machine: system.machine_with_interrupt(interrupt),
            random: Random::new(seed),
            words: system.words(),
            starts: Vec::new(),
            initial_fault: None,
            targets: Vec::new(),
            rules: Vec::new(),
            faults: Vec::new(),
        };
        let Self { machine, starts, initial_fault, .. } = &mut walker;
        machine.initial(&mut |outcome| {
            match outcome {
                Outcome::State(state) => starts.extend(state),
                Outcome::Fault(fault) => *initial_fault = initial_fault.or(Some(fault)),
            }
            if starts.len() < START_WORDS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        walker
    }

    /// What goes wrong in the initialisation, if so.
    pub fn initial_fault(&self) -> Option<Fault> {
        self.initial_fault
    }

    /// The chance of this walker.
    pub fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// Any initial state; none if there is none.
    pub fn start(&mut self) -> Option<&[u64]> {
        let count = self.starts.len() / self.words.max(1);
        let chosen = (count > 0).then(|| self.random.below(count))?;
        Some(&self.starts[chosen * self.words..(chosen + 1) * self.words])
    }

    /// All initial states that walks begin in.
    pub(super) fn starts(&self) -> impl Iterator<Item = &[u64]> {
        self.starts.chunks_exact(self.words.max(1))
    }

    /// Looks at the steps of a state.
    pub fn look(&mut self, state: &[u64]) -> Walk {
        let Self { machine, targets, rules, faults, .. } = self;
        targets.clear();
        rules.clear();
        faults.clear();
        machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            match outcome {
                Outcome::State(target) => {
                    targets.extend(target);
                    rules.push(label.rule);
                }
                Outcome::Fault(fault) => faults.push((label.into(), fault)),
            }
            ControlFlow::Continue(())
        })
    }

    /// Whether a state is outside of the constraint, or that is not known.
    pub fn is_outside(&mut self, state: &[u64]) -> bool {
        self.machine.is_outside(state) != Ok(false)
    }

    /// How many steps lead from the state at hand to a state.
    pub fn count(&self) -> usize {
        self.rules.len()
    }

    /// The state that a step leads to.
    pub fn target(&self, number: usize) -> &[u64] {
        &self.targets[number * self.words..(number + 1) * self.words]
    }

    /// The steps from the state at hand that fault.
    pub fn faults(&self) -> &[(Step, Fault)] {
        &self.faults
    }

    /// Looks at the steps of a state and chooses one of them, all equally likely.
    pub fn next(&mut self, state: &[u64]) -> NextStep {
        if self.look(state) == Walk::Interrupted {
            return NextStep::Interrupted;
        }
        match self.count() + self.faults.len() {
            0 if self.is_outside(state) => NextStep::Outside,
            0 => NextStep::Deadlock,
            all => match self.random.below(all) {
                chosen if chosen < self.count() => NextStep::Rule(self.rules[chosen], chosen),
                chosen => {
                    let (step, fault) = self.faults[chosen - self.count()].clone();
                    NextStep::Fault(step, fault)
                }
            },
        }
    }
}
