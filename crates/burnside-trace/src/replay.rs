//! Replays evidence on the unreduced system, by the interpreter alone. What does not replay is our own fault.
//!
//! Entry points: [`replay`] for a run as a whole, [`Replay`] for a finite run of which each state is seen
//! once. Nothing in the evidence is trusted: the first state must be initial, each step must be enabled and
//! lead to the next state, and the end must show what is claimed. What an infinite run shows is judged in
//! [`crate::lasso`].

use crate::evidence::{Claim, End, Evidence, Step};
use crate::never::{Positions, Regular};
use crate::{lasso, truth};
use burnside_ts::bits::SPARE;
use burnside_ts::{
    AnyMachine, Binder, Fault, Goal, Label, Machine, Outcome, Question, System, Target, Undefined, rank,
    unrank,
};
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
pub fn replay<'s>(system: &'s System, evidence: &Evidence, claimed: Claim<'s>) -> Result<(), Mismatch> {
    check_shape(system, evidence)?;
    let mut path = Replay::new(system, Some(claimed));
    if let Some((first, rest)) = evidence.states.split_first() {
        path.start(first)?;
        rest.iter().zip(&evidence.steps).try_for_each(|(next, step)| path.step(step, next))?;
    }
    if !matches!(evidence.end, End::Loop(_) | End::Stutter) {
        return path.end(&evidence.end, claimed);
    }
    let (Some(start), Some(last)) = (evidence.loop_start(), evidence.states.last()) else {
        return Err(Mismatch::Malformed);
    };
    match (evidence.end == End::Stutter, evidence.steps.last()) {
        (true, _) if !is_dead(&mut *path.machine, last) => return Err(Mismatch::NotDead),
        (false, Some(step)) if !path.leads(step, &evidence.states[start]) => return Err(Mismatch::LoopOpen),
        _ => {}
    }
    lasso::check(system, evidence, start, claimed)
}

/// A run that is replayed state by state, however long it is: only the last state is kept.
#[derive(Debug)]
pub struct Replay<'s> {
    machine: AnyMachine<'s>,
    last: Option<Box<[u64]>>,
    steps: usize,
    sequence: Option<Matching<'s>>,
}

impl<'s> Replay<'s> {
    /// Before the first state. What is said to be claimed in the end must be claimed here.
    pub fn new(system: &'s System, claimed: Option<Claim<'s>>) -> Self {
        let sequence = match claimed {
            Some(Claim { question: Question::Sequence(sequence), .. }) => {
                Regular::new(sequence).map(Matching::new)
            }
            _ => None,
        };
        Self { machine: system.machine(), last: None, steps: 0, sequence }
    }

    /// The first state, an initial one.
    pub fn start(&mut self, first: &[u64]) -> Result<(), Mismatch> {
        if self.last.is_some() || first.len() != self.machine.system().words() {
            return Err(Mismatch::Malformed);
        }
        if !is_initial(&mut *self.machine, first) {
            return Err(Mismatch::NotInitial);
        }
        self.start_anywhere(first);
        Ok(())
    }

    /// The first state of a run that need not be initial.
    pub fn start_anywhere(&mut self, first: &[u64]) {
        self.last = Some(first.into());
        self.seen(first);
    }

    /// One more step, and where it leads. If it does not, nothing has happened.
    pub fn step(&mut self, step: &Step, next: &[u64]) -> Result<(), Mismatch> {
        if !self.leads(step, next) {
            return Err(Mismatch::NoSuchStep(self.steps));
        }
        self.steps += 1;
        if let Some(last) = &mut self.last {
            last.copy_from_slice(next);
        }
        self.seen(next);
        Ok(())
    }

    /// Whether a step leads from the last state to another one.
    pub fn leads(&mut self, step: &Step, next: &[u64]) -> bool {
        let Some(last) = self.last.take() else { return false };
        let fits = next.len() == last.len();
        let found = fits && leads(&mut *self.machine, &last, step, Outcome::State(next));
        self.last = Some(last);
        found
    }

    /// The last state so far.
    pub fn last(&self) -> Option<&[u64]> {
        self.last.as_deref()
    }

    /// The interpreter, for other questions about the last state.
    pub fn machine(&mut self) -> &mut dyn Machine<'s> {
        &mut *self.machine
    }

    fn seen(&mut self, state: &[u64]) {
        if let Some(sequence) = &mut self.sequence {
            sequence.advance(&mut *self.machine, state);
        }
    }

    /// The first fault that is wanted, of those of evaluating what is claimed in the last state.
    pub fn undefined(&mut self, claimed: Claim<'s>, wanted: &dyn Fn(&Fault) -> bool) -> Option<Fault> {
        let last = self.last.as_deref()?;
        let machine = &mut self.machine;
        let mut found = None;
        match claimed.question {
            Question::Invariant(condition) | Question::Reachable(condition) => {
                found = fault_of(machine.holds(condition, last));
            }
            Question::Bound(expr) => found = fault_of(machine.value(expr, last)),
            Question::Sequence(_) => found = self.sequence.as_ref().and_then(Matching::fault),
            Question::Linear(formula) | Question::Branching(formula) => {
                truth::faults(machine.system(), last, formula, &mut |fault| {
                    found = Some(fault).filter(wanted);
                    found.is_none()
                });
            }
            Question::Automaton(_, atoms) => {
                let mut faults = atoms.iter().filter_map(|atom| fault_of(machine.holds(atom, last)));
                found = faults.find(wanted);
            }
            Question::Deadlock | Question::Fault => {}
        }
        found.filter(wanted)
    }

    /// The run is finite, ends like this and shows what is claimed.
    pub fn end(mut self, end: &End, claimed: Claim<'s>) -> Result<(), Mismatch> {
        match end {
            End::Fault(step, fault) => self.check_fault(step.as_ref(), *fault)?,
            End::Undefined(_) | End::State if self.last.is_none() => return Err(Mismatch::Malformed),
            End::Undefined(_) | End::State => {}
            End::Loop(_) | End::Stutter => return Err(Mismatch::Malformed),
        }
        if self.shows(end, claimed) { Ok(()) } else { Err(Mismatch::NotShown) }
    }

    fn check_fault(&mut self, step: Option<&Step>, fault: Fault) -> Result<(), Mismatch> {
        let happens = match (step, &self.last) {
            (Some(step), Some(state)) => leads(&mut *self.machine, state, step, Outcome::Fault(fault)),
            (None, None) => {
                let mut found = false;
                self.machine.initial(&mut |outcome| {
                    found = outcome == Outcome::Fault(fault);
                    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                found
            }
            _ => return Err(Mismatch::Malformed),
        };
        if happens { Ok(()) } else { Err(Mismatch::NoSuchFault) }
    }

    fn shows(&mut self, end: &End, claimed: Claim<'s>) -> bool {
        let machine = &mut self.machine;
        let question: &'s Question = claimed.question;
        match (question, end, self.last.as_deref()) {
            (Question::Fault, End::Fault(..), _) => true,
            (Question::Invariant(condition), End::State, Some(last)) => {
                machine.holds(condition, last) == Ok(false)
            }
            (Question::Reachable(condition), End::State, Some(last)) => {
                machine.holds(condition, last) == Ok(true)
            }
            (Question::Bound(expr), End::State, Some(last)) => {
                claimed.value.is_some_and(|wanted| machine.value(expr, last) == Ok(wanted))
            }
            (Question::Deadlock, End::State, Some(last)) => is_dead(&mut **machine, last),
            (Question::Sequence(_), End::State, Some(_)) => {
                self.sequence.as_ref().is_some_and(Matching::accepts)
            }
            (Question::Deadlock | Question::Fault, ..) => false,
            (_, End::Undefined(fault), Some(_)) => self.undefined(claimed, &|found| found == fault).is_some(),
            _ => false,
        }
    }
}

fn fault_of<T>(value: Result<T, Undefined>) -> Option<Fault> {
    match value {
        Err(Undefined::Fault(fault)) => Some(fault),
        _ => None,
    }
}

/// What is left of a sequence while the states of a run come.
#[derive(Debug)]
struct Matching<'s> {
    regular: Regular<'s>,
    before: Positions,
    after: Positions,
    /// The fault of a condition in the last state.
    fault: Option<Undefined>,
    /// Whether states came after such a fault.
    over: bool,
}

impl<'s> Matching<'s> {
    fn new(regular: Regular<'s>) -> Self {
        let none = vec![0; regular.words()];
        Self { regular, before: none.clone(), after: none, fault: None, over: false }
    }

    fn advance(&mut self, machine: &mut dyn Machine<'s>, state: &[u64]) {
        self.over |= self.fault.is_some();
        match self.regular.advance(machine, &self.before, state, &mut self.after) {
            Ok(()) => self.before.copy_from_slice(&self.after),
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.filter(|_| !self.over).and_then(|fault| fault_of::<()>(Err(fault)))
    }

    fn accepts(&self) -> bool {
        self.fault.is_none() && self.regular.accepts(&self.before)
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
pub(crate) fn check_steps(machine: &mut dyn Machine<'_>, evidence: &Evidence) -> Result<(), Mismatch> {
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
pub(crate) fn is_initial(machine: &mut dyn Machine<'_>, state: &[u64]) -> bool {
    let mut found = false;
    machine.initial_to(&Goal::state(state), &mut |outcome| {
        found = outcome == Outcome::State(state);
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    found
}

/// Whether there is such a rule, and the arguments are values of its parameters: the interpreter takes them
/// as they are.
fn is_instance(system: &System, step: &Step) -> bool {
    let Some(rule) = system.rules.get(step.rule.index()).filter(|rule| rule.args.len() == step.args.len())
    else {
        return false;
    };
    let types = &system.types;
    let said = [&step.args[..], &[0; SPARE]].concat();
    let mut made = vec![0; said.len()];
    for Binder { ty, target, .. } in rule.params.iter().map(|param| &param.binder) {
        // Arguments from a collection are compared with those that are in it.
        let Some(size) = types.size(*ty) else { return true };
        let number = match *target {
            Target::Scalar(slot) => {
                let word = slot.index() - rule.args.start;
                made[word] = said[word];
                said[word].wrapping_sub(types.bias(*ty) as u64)
            }
            Target::Wide(bit) => {
                let bit = bit - rule.args.start as u32 * 64;
                let number = rank(types, *ty, &said, bit);
                if number < size {
                    unrank(types, *ty, &mut made, bit, number);
                }
                number
            }
        };
        if number >= size {
            return false;
        }
    }
    made == said
}

fn leads(machine: &mut dyn Machine<'_>, state: &[u64], step: &Step, wanted: Outcome<'_>) -> bool {
    let is_instance = is_instance(machine.system(), step);
    let mut found = false;
    let mut sink = |label: Label<'_>, outcome: Outcome<'_>| {
        found = label.rule == step.rule && outcome == wanted;
        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    match wanted {
        Outcome::State(next) if is_instance => {
            machine.fire_to(state, step.rule, &step.args, &Goal::state(next), &mut sink);
        }
        Outcome::State(_) => return false,
        Outcome::Fault(_) if is_instance => _ = machine.fire(state, step.rule, &step.args, &mut sink),
        // A step can fault before it has all its arguments.
        Outcome::Fault(_) => _ = machine.successors(state, &mut sink),
    }
    found
}

/// Whether no rule is enabled, within the constraint.
pub(crate) fn is_dead(machine: &mut dyn Machine<'_>, state: &[u64]) -> bool {
    let mut steps = 0;
    machine.successors(state, &mut |_: Label<'_>, _: Outcome<'_>| {
        steps += 1;
        ControlFlow::Break(())
    });
    steps == 0 && machine.is_outside(state) == Ok(false)
}

/// Whether rules are enabled, and all of them fault; or the state is outside of the constraint. No run goes on
/// there.
pub(crate) fn is_stuck(machine: &mut dyn Machine<'_>, state: &[u64]) -> bool {
    let (mut faults, mut states) = (false, false);
    machine.successors(state, &mut |_: Label<'_>, outcome: Outcome<'_>| {
        match outcome {
            Outcome::Fault(_) => faults = true,
            Outcome::State(_) => states = true,
        }
        if states { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    !states && (faults || machine.is_outside(state) == Ok(true))
}
