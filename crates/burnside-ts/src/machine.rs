//! The waist as an interface: what engines, replay and walks ask of whatever runs a system.
//!
//! Entry points: [`Machine`], and [`System::machine`], which gives the one that runs a system. A [`System`]
//! says how a state is laid out, what its rules, processes and fairness units are called, and how
//! permutations move all of them; a machine says what happens: the initial states, the steps of a state, the
//! values of conditions. Steps and states are pushed into a sink, one by one. The [`Interpreter`] is the
//! machine of every system that is made of code; for others, such as models written in Rust, a [`Foreign`]
//! makes it.
//!
//! What looks behind this, at the code of rules, are proofs of symmetry, the symbolic engine, native code and
//! the choice of an engine; hunts make distances of the code of conditions.

use crate::code::{Binder, Expr, SiteId};
use crate::fault::Fault;
use crate::interpreter::{CachingInterpreter, Goal, Interpreter};
use crate::symmetry::StepFilter;
use crate::system::{Label, RuleId, System};
use burnside_limits::Interrupt;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::ops::ControlFlow;

/// What a step, or the initialisation, ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<'a> {
    /// A state, packed.
    State(&'a [u64]),
    /// No state: something went wrong on the way.
    Fault(Fault),
}

/// Takes the steps of a state, one by one.
pub trait Sink {
    /// One step. `Break` ends the walk.
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()>;

    /// How many rule instances each step stands for from here on, itself included: more than one only if not
    /// all are wanted.
    fn weigh(&mut self, _instances: u64) {}
}

impl<F: FnMut(Label<'_>, Outcome<'_>) -> ControlFlow<()>> Sink for F {
    fn step(&mut self, label: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        self(label, outcome)
    }
}

/// Takes initial states, one by one.
pub type InitialSink<'a> = &'a mut dyn FnMut(Outcome<'_>) -> ControlFlow<()>;

/// How a walk over steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// All steps were pushed.
    Complete,
    /// The sink had enough.
    Stopped,
    /// The interrupt flag was raised.
    Interrupted,
}

/// Why a condition has no truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Evaluating it faults.
    Fault(Fault),
    /// The interrupt flag was raised.
    Interrupted,
}

/// Runs one system. Equal calls give equal results, in the same order. Each thread has a machine of its own.
pub trait Machine<'s>: fmt::Debug + Send {
    /// The system it runs.
    fn system(&self) -> &'s System;

    /// Pushes every initial state; equal ones may come several times.
    fn initial(&mut self, sink: InitialSink<'_>) -> Walk;

    /// Pushes the steps from a state that a filter lets through, in any order. A machine may push more than
    /// is asked for if each has the weight 1.
    fn successors_filtered(&mut self, state: &[u64], filter: StepFilter<'_>, sink: &mut dyn Sink) -> Walk;

    /// The value of a scalar in a state. The filter has the classes of the state, under which the scalar
    /// must be symmetric.
    fn value_filtered(
        &mut self,
        expr: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<i64, Undefined>;

    /// Gives a bound variable the value with a number. Outside of the evaluation of its own quantifier, which
    /// happens for the quantifiers of formulas, other evaluations may use its place again: bind before each
    /// one.
    fn bind(&mut self, binder: &Binder, number: u64);

    /// The machine that answers in place of this one what is asked for beside steps and values.
    fn fallback(&mut self) -> Option<&mut (dyn Machine<'s> + 's)> {
        None
    }

    /// Pushes every step from a state.
    fn successors(&mut self, state: &[u64], sink: &mut dyn Sink) -> Walk {
        self.successors_filtered(state, StepFilter::All, sink)
    }

    /// Pushes the steps of one rule instance, none if it is not enabled. The arguments are as in a [`Label`].
    fn fire(&mut self, state: &[u64], rule: RuleId, args: &[u64], sink: &mut dyn Sink) -> Walk {
        if let Some(other) = self.fallback() {
            return other.fire(state, rule, args, sink);
        }
        self.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| match label
            == (Label { rule, args })
        {
            true => sink.step(label, outcome),
            false => ControlFlow::Continue(()),
        })
    }

    /// Pushes the steps that lead from a state to a goal.
    fn successors_to(&mut self, state: &[u64], goal: &Goal, sink: &mut dyn Sink) -> Walk {
        if let Some(other) = self.fallback() {
            return other.successors_to(state, goal, sink);
        }
        self.successors(state, &mut only(goal, sink))
    }

    /// Pushes the steps of one rule instance that lead to a goal.
    fn fire_to(
        &mut self,
        state: &[u64],
        rule: RuleId,
        args: &[u64],
        goal: &Goal,
        sink: &mut dyn Sink,
    ) -> Walk {
        if let Some(other) = self.fallback() {
            return other.fire_to(state, rule, args, goal, sink);
        }
        self.fire(state, rule, args, &mut only(goal, sink))
    }

    /// Pushes the initial states that are as wanted.
    fn initial_to(&mut self, goal: &Goal, sink: InitialSink<'_>) -> Walk {
        if let Some(other) = self.fallback() {
            return other.initial_to(goal, sink);
        }
        self.initial(&mut |outcome| match outcome {
            Outcome::State(state) if goal.is_met(state) => sink(outcome),
            _ => ControlFlow::Continue(()),
        })
    }

    /// Pushes one step of each rule instance that leads to a state.
    fn instances(&mut self, state: &[u64], sink: &mut dyn Sink) -> Walk {
        if let Some(other) = self.fallback() {
            return other.instances(state, sink);
        }
        let mut seen = HashSet::new();
        self.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            let is_new = match outcome {
                Outcome::State(_) => seen.insert((label.rule, label.args.to_vec())),
                Outcome::Fault(_) => !seen.contains(&(label.rule, label.args.to_vec())),
            };
            if is_new { sink.step(label, outcome) } else { ControlFlow::Continue(()) }
        })
    }

    /// How many steps lead from a state to a state, of all rule instances and with all choices; none if it
    /// was interrupted or there are too many. The classes of the state save looking at each.
    fn count_filtered(&mut self, state: &[u64], filter: StepFilter<'_>) -> Option<u64> {
        let mut counter = Counter { weight: 1, total: Some(0) };
        let walk = self.successors_filtered(state, filter, &mut counter);
        counter.total.filter(|_| walk == Walk::Complete)
    }

    /// The value of a scalar in a state.
    fn value(&mut self, expr: &'s Expr, state: &[u64]) -> Result<i64, Undefined> {
        self.value_filtered(expr, state, StepFilter::All)
    }

    /// Whether a condition is true in a state.
    fn holds(&mut self, condition: &'s Expr, state: &[u64]) -> Result<bool, Undefined> {
        self.holds_filtered(condition, state, StepFilter::All)
    }

    /// The same, with the help of the classes of the state, under which the condition must be symmetric.
    fn holds_filtered(
        &mut self,
        condition: &'s Expr,
        state: &[u64],
        filter: StepFilter<'_>,
    ) -> Result<bool, Undefined> {
        self.value_filtered(condition, state, filter).map(|value| value != 0)
    }

    /// Whether a state is outside of the constraint, so that nothing is tried in it: it has no steps, and is
    /// no deadlock.
    fn is_outside(&mut self, state: &[u64]) -> Result<bool, Undefined> {
        match &self.system().constraint {
            None => Ok(false),
            Some(constraint) => self.holds(&constraint.condition, state).map(|holds| !holds),
        }
    }

    /// The assumptions that exclude initial states: where they are false.
    fn excluding(&mut self) -> BTreeSet<SiteId> {
        self.fallback().map(Machine::excluding).unwrap_or_default()
    }
}

/// Passes on the steps that meet a goal.
fn only(goal: &Goal, sink: &mut dyn Sink) -> impl FnMut(Label<'_>, Outcome<'_>) -> ControlFlow<()> {
    |label, outcome| match outcome {
        Outcome::State(state) if goal.is_met(state) => sink.step(label, outcome),
        _ => ControlFlow::Continue(()),
    }
}

/// Counts the steps to states, each as often as there are instances that it stands for.
struct Counter {
    weight: u64,
    total: Option<u64>,
}

impl Sink for Counter {
    fn step(&mut self, _: Label<'_>, outcome: Outcome<'_>) -> ControlFlow<()> {
        if let Outcome::State(_) = outcome {
            // A weight that reached the limit may be too small.
            let weight = Some(self.weight).filter(|&weight| weight < u64::MAX);
            self.total = self.total.zip(weight).and_then(|(total, weight)| total.checked_add(weight));
        }
        ControlFlow::Continue(())
    }

    fn weigh(&mut self, instances: u64) {
        self.weight = instances;
    }
}

/// A machine of any kind.
pub type AnyMachine<'s> = Box<dyn Machine<'s> + 's>;

/// What runs a system whose steps are not code of ours: a model written in Rust, native code, a double in a
/// test. Its rules have names and parameters, but nothing in their guards and bodies.
pub trait Foreign: fmt::Debug + Send + Sync {
    /// A machine for the system.
    fn machine<'s>(&'s self, system: &'s System, interrupt: Option<Interrupt>) -> AnyMachine<'s>;

    /// The value of the condition with a number ([`Expr::Foreign`]) in a state, for some arguments: 0 or 1,
    /// or the number that is asked for; a fault if it has none. The state has spare words.
    fn value(&self, condition: u32, args: &[i64], state: &[u64]) -> Result<i64, Fault>;
}

/// Makes machines of one system, for several searches or threads: what they can share they share.
pub trait Maker<'s>: fmt::Debug + Send + Sync {
    /// A machine for a search over many states. Its walks end soon after the flag is raised.
    fn machine(&self, interrupt: Interrupt) -> AnyMachine<'s>;
}

/// Something that runs systems that are made of code faster than the interpreter, and just as it does.
pub trait Accelerator: fmt::Debug + Send + Sync {
    /// What makes the machines of a system.
    fn maker<'s>(&self, system: &'s System) -> Box<dyn Maker<'s> + 's>;
}

/// Makes the machines of a system that names no accelerator.
#[derive(Debug)]
struct PlainMaker<'s>(&'s System);

impl<'s> Maker<'s> for PlainMaker<'s> {
    fn machine(&self, interrupt: Interrupt) -> AnyMachine<'s> {
        match &self.0.foreign {
            Some(foreign) => foreign.machine(self.0, Some(interrupt)),
            None => Box::new(CachingInterpreter::new(self.0, interrupt)),
        }
    }
}

impl System {
    /// What runs the system, and defines what it does. It has no interrupt of its own: it looks at the one of
    /// the work at hand, and unwinds.
    pub fn machine(&self) -> AnyMachine<'_> {
        match &self.foreign {
            Some(foreign) => foreign.machine(self, None),
            None => Box::new(Interpreter::new(self)),
        }
    }

    /// What runs the system for a search over many states, as fast as we can. Its walks end soon after the
    /// flag is raised.
    pub fn machine_with_interrupt(&self, interrupt: Interrupt) -> AnyMachine<'_> {
        self.maker().machine(interrupt)
    }

    /// What makes such machines, as many as are needed.
    pub fn maker(&self) -> Box<dyn Maker<'_> + '_> {
        match &self.accelerator {
            Some(accelerator) if self.foreign.is_none() => accelerator.maker(self),
            _ => Box::new(PlainMaker(self)),
        }
    }
}
