//! What hunts look for: the questions that are open, and the runs that were found for them.
//!
//! A *node* of a hunt is an original state and, behind it, the positions of the monitor if a forbidden
//! sequence is looked for. Whoever reaches a node has it judged here ([`Chase::arrive`]), and tells the run
//! to it only if it answers something.

use crate::search::{Undecided, condition_end};
use burnside_limits::Interrupt;
use burnside_trace::{End, Regular};
use burnside_ts::{AnyMachine, Expr, Label, Outcome, Question, System, Undefined};
use std::ops::ControlFlow;

/// A run that answers a question.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Its nodes.
    pub nodes: Vec<Box<[u64]>>,
    pub end: End,
}

impl Run {
    /// How many steps it has, one that faults included, plus one.
    pub fn length(&self) -> usize {
        self.nodes.len() + usize::from(matches!(self.end, End::Fault(..)))
    }
}

/// What is looked for, and what was found.
pub(super) struct Chase<'h> {
    questions: Vec<&'h Question>,
    /// By question, how far a state is from answering it, for those about conditions.
    distances: &'h [Option<Expr>],
    monitor: Option<Regular<'h>>,
    /// Evaluates conditions, and counts steps, while another machine is in the middle of a step.
    evaluator: AnyMachine<'h>,
    pub state_words: usize,
    /// The node at hand.
    pub node: Vec<u64>,
    /// Which questions are looked for now.
    wanted: Vec<bool>,
    /// Those that must be answered before that ends, and how many they are.
    counted: Vec<bool>,
    missing: usize,
    pub found: Vec<Option<Run>>,
    /// Only runs that are no longer than this are looked for: see [`Run::length`].
    pub longest: usize,
    /// Steps so far, and where to stop.
    pub steps: u64,
    pub until: u64,
    pub interrupted: bool,
    /// The questions that the node at hand answers.
    hits: Vec<(usize, End)>,
}

impl<'h> Chase<'h> {
    /// None if the monitor of a sequence is too large.
    pub fn new(
        system: &'h System,
        questions: &[&'h Question],
        distances: &'h [Option<Expr>],
        interrupt: &Interrupt,
    ) -> Option<Self> {
        let sequence = questions.iter().find_map(|question| match question {
            Question::Sequence(sequence) => Some(sequence),
            _ => None,
        });
        let monitor = match sequence {
            Some(sequence) => Some(Regular::new(sequence)?),
            None => None,
        };
        let words = system.words() + monitor.as_ref().map_or(0, Regular::words);
        Some(Self {
            wanted: vec![false; questions.len()],
            counted: vec![false; questions.len()],
            missing: 0,
            found: vec![None; questions.len()],
            questions: questions.to_vec(),
            distances,
            monitor,
            evaluator: system.machine_with_interrupt(interrupt.clone()),
            state_words: system.words(),
            node: vec![0; words],
            longest: usize::MAX,
            steps: 0,
            until: 0,
            interrupted: false,
            hits: Vec::new(),
        })
    }

    /// Positions before a run.
    pub fn before(&self) -> Vec<u64> {
        vec![0; self.node.len() - self.state_words]
    }

    /// Whether to stop: nothing is left to be found, or no work may be spent.
    pub fn is_over(&self) -> bool {
        self.interrupted || self.steps >= self.until || self.missing == 0
    }

    /// Looks for some questions, until those that count are answered.
    pub fn want(&mut self, wanted: impl Fn(usize) -> bool, counts: impl Fn(usize) -> bool) {
        for i in 0..self.questions.len() {
            self.wanted[i] = wanted(i);
            self.counted[i] = wanted(i) && counts(i);
        }
        self.missing = self.counted.iter().filter(|counted| **counted).count();
    }

    pub fn flow(&self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// A step leads to a state: it becomes the node at hand. False if there is no such node, since the
    /// monitor has no value.
    pub fn arrive(&mut self, before: &[u64], state: &[u64]) -> bool {
        self.hits.clear();
        let (place, after) = self.node.split_at_mut(self.state_words);
        place.copy_from_slice(state);
        let Some(regular) = &self.monitor else { return true };
        match regular.advance(&mut *self.evaluator, before, state, after) {
            Ok(()) => true,
            Err(Undefined::Fault(fault)) => {
                after.fill(u64::MAX);
                let sequences = self.questions.iter().enumerate();
                let hit = sequences.filter(|(_, question)| matches!(question, Question::Sequence(_)));
                self.hits.extend(hit.map(|(i, _)| (i, End::Undefined(fault))));
                true
            }
            Err(Undefined::Interrupted) => {
                self.interrupted = true;
                false
            }
        }
    }

    /// Which questions the node at hand answers; the run to it is asked for only if there are any.
    pub fn judge(&mut self, run: impl Fn() -> Vec<Box<[u64]>>) {
        for i in 0..self.questions.len() {
            if !self.wanted[i] {
                continue;
            }
            let (state, positions) = self.node.split_at(self.state_words);
            let value = match self.questions[i] {
                Question::Invariant(condition) => {
                    condition_end(self.evaluator.holds(condition, state), false)
                }
                // Where it has no value it counts only if it is true nowhere, which no hunt can say.
                Question::Reachable(condition) => match self.evaluator.holds(condition, state) {
                    Err(Undefined::Fault(_)) => Ok(None),
                    value => condition_end(value, true),
                },
                Question::Sequence(_) if self.hits.is_empty() => {
                    let accepts = self.monitor.as_ref().is_some_and(|regular| regular.accepts(positions));
                    Ok(accepts.then_some(End::State))
                }
                _ => Ok(None),
            };
            match value {
                Ok(end) => self.hits.extend(end.map(|end| (i, end))),
                Err(Undecided) => self.interrupted = true,
            }
        }
        self.tell(run);
    }

    /// There is no step from the last node of a run.
    pub fn dead(&mut self, run: impl Fn() -> Vec<Box<[u64]>>) {
        self.hits = self.all(|question| matches!(question, Question::Deadlock), &End::State);
        self.tell(run);
    }

    /// This step from the last node of a run faults.
    pub fn faulted(&mut self, fault: &End, run: impl Fn() -> Vec<Box<[u64]>>) {
        self.hits = self.all(|question| matches!(question, Question::Fault), fault);
        self.tell(run);
    }

    fn all(&self, which: impl Fn(&Question) -> bool, end: &End) -> Vec<(usize, End)> {
        let numbers = (0..self.questions.len()).filter(|&i| self.wanted[i] && which(self.questions[i]));
        numbers.map(|i| (i, end.clone())).collect()
    }

    fn tell(&mut self, run: impl Fn() -> Vec<Box<[u64]>>) {
        while let Some((question, end)) = self.hits.pop() {
            let run = Run { nodes: run(), end };
            if self.wanted[question] && run.length() <= self.longest {
                self.missing -= usize::from(self.counted[question]);
                self.wanted[question] = false;
                self.found[question] = Some(run);
            }
        }
    }

    /// The questions that are looked for and for which hunts are guided.
    pub fn guided(&self) -> Vec<usize> {
        (0..self.questions.len()).filter(|&i| self.wanted[i] && self.is_guided(i)).collect()
    }

    /// Whether hunts for a question are guided.
    pub fn is_guided(&self, question: usize) -> bool {
        self.distances[question].is_some() || matches!(self.questions[question], Question::Deadlock)
    }

    /// How far a state is from answering a question; for deadlocks, how many steps it has.
    pub fn distance(&mut self, question: usize, state: &[u64]) -> u64 {
        match &self.distances[question] {
            Some(distance) => {
                self.steps += 1;
                match self.evaluator.value(distance, state) {
                    Ok(value) => value.max(0) as u64,
                    Err(_) => u64::from(u32::MAX),
                }
            }
            None => {
                let mut count = 0;
                self.evaluator.successors(state, &mut |_: Label<'_>, _: Outcome<'_>| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                self.steps += count;
                count
            }
        }
    }
}
