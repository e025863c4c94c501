//! The original states, as far as they were looked at, with all their steps.
//!
//! Entry points: [`OriginalGraph::initial`], [`OriginalGraph::moves`]. Nothing here knows of symmetry: every
//! state is one of the system, and every step is listed.

use super::Work;
use burnside_trace::Step;
use burnside_ts::{AnyMachine, Label, Outcome, RuleId, System, Units, Walk};
use foldhash::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The number of an original state.
pub(super) type StateNumber = u32;
/// The number of a rule instance.
pub(super) type LabelNumber = u32;

/// What can be done in a state.
#[derive(Debug)]
pub(super) struct Moves {
    /// Where steps lead, and by which rule instance: one step for each target and instance.
    pub edges: Vec<(StateNumber, LabelNumber)>,
    /// The fairness units that are enabled, in order.
    pub enabled: Vec<u32>,
    /// No step at all: runs stay here. Not so where all steps fault, nor outside of the constraint.
    pub is_dead: bool,
}

/// A rule instance.
#[derive(Debug)]
pub(super) struct Instance {
    pub step: Step,
    /// The fairness units that it executes.
    pub units: Vec<u32>,
    /// The number of its process.
    pub executor: u32,
}

/// The states that were looked at.
pub(super) struct OriginalGraph<'s> {
    pub machine: AnyMachine<'s>,
    units: Option<Units<'s>>,
    states: Vec<Rc<[u64]>>,
    numbers: HashMap<Rc<[u64]>, StateNumber>,
    moves: Vec<Option<Rc<Moves>>>,
    instances: Vec<Instance>,
    /// By rule instance, and whether it changes something, as far as that matters to fairness.
    labels: HashMap<(Step, bool), LabelNumber>,
    executors: HashMap<(u32, Box<[u64]>), u32>,
}

impl<'s> OriginalGraph<'s> {
    /// Before any state is known.
    pub fn new(system: &'s System, fair: bool) -> Self {
        Self {
            machine: system.machine(),
            units: (fair && !system.fairness.is_empty()).then(|| Units::new(system)),
            states: Vec::new(),
            numbers: HashMap::default(),
            moves: Vec::new(),
            instances: Vec::new(),
            labels: HashMap::default(),
            executors: HashMap::default(),
        }
    }

    pub fn state(&self, number: StateNumber) -> &Rc<[u64]> {
        &self.states[number as usize]
    }

    pub fn instance(&self, label: LabelNumber) -> &Instance {
        &self.instances[label as usize]
    }

    pub fn units(&self) -> Option<&Units<'s>> {
        self.units.as_ref()
    }

    /// The number of a state.
    pub fn number(&mut self, state: &[u64]) -> StateNumber {
        if let Some(&known) = self.numbers.get(state) {
            return known;
        }
        let (number, state) = (self.states.len() as StateNumber, Rc::<[u64]>::from(state));
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.moves.push(None);
        number
    }

    /// The initial states; none if looking at them is too much work.
    pub fn initial(&mut self, work: &mut Work) -> Option<Vec<StateNumber>> {
        let mut found: Vec<Box<[u64]>> = Vec::new();
        let walk = self.machine.initial(&mut |outcome| {
            if let Outcome::State(state) = outcome {
                found.push(state.into());
            }
            work.step(1)
        });
        if walk != Walk::Complete {
            return None;
        }
        let mut numbers: Vec<StateNumber> = found.iter().map(|state| self.number(state)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Some(numbers)
    }

    /// What can be done in a state; none if looking at it is too much work.
    pub fn moves(&mut self, number: StateNumber, work: &mut Work) -> Option<Rc<Moves>> {
        if let Some(moves) = &self.moves[number as usize] {
            return Some(moves.clone());
        }
        let state = self.states[number as usize].clone();
        let mut found: Vec<(Step, Box<[u64]>)> = Vec::new();
        let mut is_dead = true;
        let walk = self.machine.successors(&state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            is_dead = false;
            if let Outcome::State(target) = outcome {
                found.push((label.into(), target.into()));
            }
            work.step(STEP)
        });
        if walk != Walk::Complete {
            return None;
        }
        let is_dead = is_dead && self.machine.is_outside(&state) == Ok(false);
        let mut edges: Vec<(StateNumber, LabelNumber)> = Vec::new();
        for (step, target) in found {
            let changes = self.machine.system().changes(&state, &target);
            edges.push((self.number(&target), self.label(step, changes)));
        }
        let mut seen = foldhash::HashSet::default();
        edges.retain(|edge| seen.insert(*edge));
        let mut enabled: Vec<u32> =
            edges.iter().flat_map(|(_, label)| self.instance(*label).units.iter().copied()).collect();
        enabled.sort_unstable();
        enabled.dedup();
        let moves = Rc::new(Moves { edges, enabled, is_dead });
        self.moves[number as usize] = Some(moves.clone());
        Some(moves)
    }

    /// The units that are enabled in a state whose moves are known, in order.
    pub fn enabled(&self, number: StateNumber) -> &[u32] {
        self.moves[number as usize].as_ref().map_or(&[], |moves| &moves.enabled)
    }

    /// The number of a rule instance that changes something or nothing.
    pub fn label(&mut self, step: Step, changes: bool) -> LabelNumber {
        let key = (step, changes || !self.machine.system().distinguishes_changes());
        if let Some(&known) = self.labels.get(&key) {
            return known;
        }
        let (step, changes) = key.clone();
        let number = self.instances.len() as LabelNumber;
        let executed = |units: &Units<'_>| units.executed(step.label(), changes).map(|unit| unit.0).collect();
        let units = self.units.as_ref().map(executed);
        let executor = self.executor(step.rule, &step.args);
        self.labels.insert(key, number);
        self.instances.push(Instance { step, units: units.unwrap_or_default(), executor });
        number
    }

    /// The process of a rule instance, with its indices.
    fn executor(&mut self, rule: RuleId, args: &[u64]) -> u32 {
        let system = self.machine.system();
        let rule = system.rule(rule);
        let indices = rule.params[..system.process(rule.process).indices.len()].iter();
        let place = |target: &burnside_ts::Target| match target {
            burnside_ts::Target::Scalar(slot) => slot.index() - rule.args.start,
            burnside_ts::Target::Wide(bit) => (*bit as usize / 64) - rule.args.start,
        };
        let values =
            indices.map(|param| args.get(place(&param.binder.target)).copied().unwrap_or(0)).collect();
        let next = self.executors.len() as u32;
        *self.executors.entry((rule.process.index() as u32, values)).or_insert(next)
    }
}

/// What a step of the system costs, in moves of the product.
const STEP: u64 = 4;

impl Work {
    /// Some work in a walk, which ends when there is none left.
    fn step(&mut self, cost: u64) -> ControlFlow<()> {
        if self.spend(cost) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
