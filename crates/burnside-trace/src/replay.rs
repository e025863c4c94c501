//! Replays evidence on the unreduced system, by the interpreter alone. What does not replay is our own fault.
//!
//! Entry point: [`replay`]. It trusts nothing in the evidence: the first state must be initial, each step must be enabled and
//! lead to the next state, and the end must show what is claimed. What an infinite run shows is judged in [`crate::lasso`].

use crate::evidence::{Claimed, End, Evidence, Step};
use crate::never::Regular;
use crate::{lasso, truth};
use burnside_ts::{Expr, Fault, Goal, Label, Machine, Outcome, System, Undefined};
use std::fmt;
use std::ops::ControlFlow;

/// Why evidence does not replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The lists of states and steps do not fit together.
    Malformed,
    /// The first state is not initial.
    NotInitial,
    /// This step is not possible or does not lead to the next state.
    NoSuchStep(usize),
    /// The fault at the end does not happen.
    NoSuchFault,
    /// The end does not show what is claimed.
    NotShown,
    /// The last step does not lead back to the start of the loop.
    LoopOpen,
    /// The run is said to stay in its last state for ever, but that has a step.
    NotDead,
    /// The run is not fair to this unit.
    Unfair(String),
    /// The formula is not false of the run.
    NotFalse,
    /// The automaton does not accept the run.
    NotAccepted,
    /// A part of the tree does not fit the part of the formula that it is about, or the truth value.
    WrongShape,
    /// A condition does not have the truth value that it is said to have.
    WrongValue,
    /// There is no value with this number.
    NoSuchValue(u64),
    /// A run in the tree does not start in the state that it is about.
    WrongStart,
    /// The run must be infinite, and fair where that counts, or end in a deadlock where paths may end.
    NotWhole,
    /// The run stays in a deadlock, where paths are said to end.
    Stays,
    /// The run ends in a state from which no path goes on: everything that can be tried there faults.
    Stuck,
    /// Nothing shows the part of the formula that must be shown at this position of the run.
    Unmarked(usize),
    /// Something is shown at this position of the run that does not matter there.
    Overmarked(usize),
    /// It is said to be so everywhere, but it is not.
    NotEverywhere,
    /// This part of the formula is not shown.
    Within(String, Box<Mismatch>),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Malformed => write!(f, "the numbers of states and steps do not fit"),
            Mismatch::NotInitial => write!(f, "the first state is not an initial state"),
            Mismatch::NoSuchStep(i) => {
                write!(f, "step {} does not lead from its state to the next one", i + 1)
            }
            Mismatch::NoSuchFault => write!(f, "the fault at the end does not happen"),
            Mismatch::NotShown => write!(f, "the run does not show what is claimed"),
            Mismatch::LoopOpen => write!(f, "the last step does not lead back to the start of the loop"),
            Mismatch::NotDead => write!(f, "the run does not end: its last state has a step"),
            Mismatch::Unfair(unit) => write!(f, "the run is not fair to {unit}"),
            Mismatch::NotFalse => write!(f, "the property is not false of the run"),
            Mismatch::NotAccepted => write!(f, "the automaton does not accept the run"),
            Mismatch::WrongShape => write!(f, "the tree does not fit the formula"),
            Mismatch::WrongValue => write!(f, "a condition does not have the truth value that is claimed"),
            Mismatch::NoSuchValue(number) => write!(f, "there is no value with the number {number}"),
            Mismatch::WrongStart => write!(f, "the run does not start in the state that it is about"),
            Mismatch::NotWhole => write!(f, "the run does not go on for ever"),
            Mismatch::Stays => write!(f, "the run stays in a deadlock, but paths end there"),
            Mismatch::Stuck => write!(f, "the run ends where every step faults, so no path begins like that"),
            Mismatch::Unmarked(at) => write!(f, "what must be shown after step {at} of the run is not shown"),
            Mismatch::Overmarked(at) => {
                write!(f, "what is shown after step {at} of the run does not matter there")
            }
            Mismatch::NotEverywhere => write!(f, "it is not so everywhere"),
            Mismatch::Within(formula, why) => write!(f, "in `{formula}`: {why}"),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Checks that the evidence is a run of the system and shows what is claimed.
pub fn replay(system: &System, evidence: &Evidence, claimed: Claimed<'_>) -> Result<(), Mismatch> {
    let mut machine = Machine::new(system);
    check_shape(system, evidence)?;
    if let Some(first) = evidence.states.first()
        && !is_initial(&mut machine, first)
    {
        return Err(Mismatch::NotInitial);
    }
    check_steps(&mut machine, evidence)?;
    match &evidence.end {
        End::Fault(step, fault) => check_fault(&mut machine, evidence, step.as_ref(), *fault)?,
        End::Undefined(_) | End::State if evidence.states.is_empty() => return Err(Mismatch::Malformed),
        End::Undefined(_) | End::State => {}
        End::Loop(start) => return lasso::check(system, evidence, *start, claimed),
        End::Stutter => {
            let Some(last) = evidence.states.last() else { return Err(Mismatch::Malformed) };
            if !is_dead(&mut machine, last) {
                return Err(Mismatch::NotDead);
            }
            return lasso::check(system, evidence, evidence.states.len() - 1, claimed);
        }
    }
    match shows(&mut machine, evidence, claimed) {
        true => Ok(()),
        false => Err(Mismatch::NotShown),
    }
}

/// The lists of states and steps fit together.
pub(crate) fn check_shape(system: &System, evidence: &Evidence) -> Result<(), Mismatch> {
    let Evidence { states, steps, end } = evidence;
    let words = system.words();
    let fits = match *end {
        End::Loop(start) => steps.len() == states.len() && start < states.len(),
        _ => steps.len() + 1 == states.len().max(1),
    };
    if !fits || states.iter().any(|state| state.len() != words) {
        return Err(Mismatch::Malformed);
    }
    Ok(())
}

/// Each step leads from its state to the next, the last one of a loop back to its start.
pub(crate) fn check_steps(machine: &mut Machine<'_>, evidence: &Evidence) -> Result<(), Mismatch> {
    let Evidence { states, steps, end } = evidence;
    for (i, step) in steps.iter().enumerate() {
        let (next, mismatch) = match (states.get(i + 1), end) {
            (None, End::Loop(start)) => (&states[*start], Mismatch::LoopOpen),
            _ => (&states[i + 1], Mismatch::NoSuchStep(i)),
        };
        if !leads(machine, &states[i], step, Outcome::State(next)) {
            return Err(mismatch);
        }
    }
    Ok(())
}

/// Whether some choices of the initialisation lead to the state.
pub(crate) fn is_initial(machine: &mut Machine<'_>, state: &[u64]) -> bool {
    let mut found = false;
    machine.initial_to(&Goal::state(state), |outcome| {
        found = outcome == Outcome::State(state);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

fn leads(machine: &mut Machine<'_>, state: &[u64], step: &Step, wanted: Outcome<'_>) -> bool {
    let system = machine.system();
    let known = system.rules.get(step.rule.index()).is_some_and(|rule| rule.args.len() == step.args.len());
    let mut found = false;
    if known {
        let mut sink = |_: Label<'_>, outcome: Outcome<'_>| {
            found = outcome == wanted;
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match wanted {
            Outcome::State(next) => {
                machine.fire_to(state, step.rule, &step.args, &Goal::state(next), &mut sink)
            }
            Outcome::Fault(_) => machine.fire(state, step.rule, &step.args, &mut sink),
        };
    }
    found
}

fn check_fault(
    machine: &mut Machine<'_>,
    evidence: &Evidence,
    step: Option<&Step>,
    fault: Fault,
) -> Result<(), Mismatch> {
    let happens = match (step, evidence.states.last()) {
        (Some(step), Some(state)) => leads(machine, state, step, Outcome::Fault(fault)),
        (None, None) => {
            let mut found = false;
            machine.initial(|outcome| {
                found = outcome == Outcome::Fault(fault);
                if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            found
        }
        _ => return Err(Mismatch::Malformed),
    };
    if happens { Ok(()) } else { Err(Mismatch::NoSuchFault) }
}

fn shows<'s>(machine: &mut Machine<'s>, evidence: &Evidence, claimed: Claimed<'_>) -> bool {
    let at_state = matches!(evidence.end, End::State);
    let last = evidence.states.last();
    match (claimed, last) {
        (Claimed::Faults, _) => matches!(evidence.end, End::Fault(..)),
        (Claimed::Violates(condition), Some(last)) => {
            match (value(machine, condition, last), &evidence.end) {
                (Ok(value), End::State) => !value,
                (Err(Undefined::Fault(fault)), End::Undefined(expected)) => fault == *expected,
                _ => false,
            }
        }
        (Claimed::Reaches(condition), Some(last)) => match (value(machine, condition, last), &evidence.end) {
            (Ok(value), End::State) => value,
            (Err(Undefined::Fault(fault)), End::Undefined(expected)) => fault == *expected,
            _ => false,
        },
        (Claimed::Attains(expr, wanted), Some(last)) => {
            match (Machine::new(machine.system()).value(expr, last), &evidence.end) {
                (Ok(value), End::State) => value == wanted,
                (Err(Undefined::Fault(fault)), End::Undefined(expected)) => fault == *expected,
                _ => false,
            }
        }
        (Claimed::Deadlock, Some(last)) => at_state && is_dead(machine, last),
        (Claimed::Matches(sequence), Some(_)) => matches_at_end(machine, evidence, sequence),
        (Claimed::Fails { formula, .. }, Some(last)) => match evidence.end {
            End::Undefined(fault) => truth::has_fault(machine.system(), last, formula, fault),
            _ => false,
        },
        (Claimed::Accepted { atoms, .. }, Some(last)) => match evidence.end {
            End::Undefined(fault) => {
                let fault = Err(Undefined::Fault(fault));
                atoms.iter().any(|atom| value(machine, atom, last) == fault)
            }
            _ => false,
        },
        (_, None) => false,
    }
}

fn value(machine: &mut Machine<'_>, condition: &Expr, state: &[u64]) -> Result<bool, Undefined> {
    Machine::new(machine.system()).holds(condition, state)
}

/// Whether no rule is enabled.
pub(crate) fn is_dead(machine: &mut Machine<'_>, state: &[u64]) -> bool {
    let mut steps = 0;
    machine.successors(state, &mut |_: Label<'_>, _: Outcome<'_>| {
        steps += 1;
        ControlFlow::Break(())
    });
    steps == 0
}

/// Whether rules are enabled, and all of them fault.
pub(crate) fn is_stuck(machine: &mut Machine<'_>, state: &[u64]) -> bool {
    let (mut faults, mut states) = (false, false);
    machine.successors(state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
        match outcome {
            Outcome::Fault(_) => faults = true,
            Outcome::State(_) => states = true,
        }
        if states { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    faults && !states
}

fn matches_at_end(machine: &mut Machine<'_>, evidence: &Evidence, sequence: &burnside_ts::Sequence) -> bool {
    let mut machine = Machine::new(machine.system());
    let Some(regular) = Regular::new(sequence) else { return false };
    let mut before = vec![0; regular.words()];
    let mut after = before.clone();
    for (i, state) in evidence.states.iter().enumerate() {
        match (regular.advance(&mut machine, &before, state, &mut after), &evidence.end) {
            (Ok(()), _) => before.copy_from_slice(&after),
            (Err(Undefined::Fault(fault)), End::Undefined(expected)) => {
                return i + 1 == evidence.states.len() && fault == *expected;
            }
            (Err(_), _) => return false,
        }
    }
    matches!(evidence.end, End::State) && regular.accepts(&before)
}
