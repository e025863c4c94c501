//! Breadth-first reachability, on states or on orbits: invariants, goals, deadlocks, faults and forbidden sequences.
//!
//! Entry point: [`search`]. One walk answers all questions; it ends early when each has its answer. The queue is the store itself: nodes
//! are numbered in the order of discovery, so the run to the first node that answers is a shortest one.
//! For a forbidden sequence a node is a state together with the positions of the sequence's automaton. With a symmetry a node is the
//! representative of an orbit, and what is found is lifted to a run of the original states.

use crate::canon::Canoniser;
use crate::orbits::{Orbits, step_between};
use crate::store::{Full, Insert, NodeId, Store};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Regular, Step};
use burnside_ts::{Among, Expr, Fault, Label, Machine, Outcome as StepOutcome, System, Undefined, Walk};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is asked about the reachable states.
#[derive(Clone, Copy, Debug)]
pub enum Question<'s> {
    /// Does a step, or the initialisation, fault?
    Fault,
    /// Is there a state without a step?
    Deadlock,
    /// Is there a state in which this is false?
    Violation(&'s Expr),
    /// Is there a state in which this is true?
    Witness(&'s Expr),
    /// How great does this become? Only a search that sees every state answers it, so there is no early end.
    Maximum(&'s Expr),
    /// Do consecutive states of some run match? Only as the only question of a search.
    Match(&'s Regular<'s>),
}

/// What a search may use.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// States.
    pub states: Option<u64>,
    /// Bytes.
    pub memory: Option<u64>,
    /// Raised from outside to stop the search.
    pub interrupt: Arc<AtomicBool>,
}

/// Figures of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes found.
    pub states: u64,
    /// Steps taken.
    pub transitions: u64,
    /// Greatest distance from an initial node.
    pub depth: u64,
    /// Bytes in use.
    pub memory: u64,
}

/// Where a search is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The figures so far.
    pub stats: Stats,
    /// Nodes still to be expanded.
    pub queue: u64,
}

/// A run that answers a question with yes.
#[derive(Clone, Debug)]
pub struct Found {
    /// The run.
    pub evidence: Evidence,
    /// The figures when it was found.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Yes, and this shows it.
    Yes(Box<Found>),
    /// No: everything was looked at.
    No,
    /// The greatest value of a [`Question::Maximum`] in the states that were seen. If these are all, a run to one that has it.
    Greatest(i64, Option<Box<Found>>),
    /// The search ended before.
    Unknown,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// One answer per question.
    pub answers: Vec<Answer>,
    /// The figures at the end.
    pub stats: Stats,
    /// How many states all orbits have, if every orbit was found and they can be counted without much work.
    pub unreduced: Option<Natural>,
    /// How long it took.
    pub time: Duration,
    /// The limit that ended it.
    pub full: Option<Full>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// Searches for runs that answer the questions with yes. With a canoniser it looks at one state of each orbit; the system and the
/// questions must be symmetric under its group.
pub fn search<'s>(
    system: &'s System,
    questions: &[Question<'s>],
    canoniser: Option<Canoniser<'s>>,
    budget: &Budget,
    progress: &mut dyn FnMut(&Progress),
) -> Outcome {
    let mut machine = Machine::with_interrupt(system, budget.interrupt.clone());
    let mut search = Search::new(system, questions, canoniser.map(Orbits::new), budget);
    let ended = search.run(&mut machine, budget, progress);
    let unreduced = search.unreduced(ended);
    let answers = search.answers(ended);
    let Search { stats, started, full, .. } = search;
    Outcome {
        answers,
        stats,
        unreduced,
        time: started.elapsed(),
        full,
        interrupted: ended == Ended::Interrupted,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Every node was expanded.
    Complete,
    /// Every question has its answer.
    Answered,
    Full,
    Interrupted,
}

struct Search<'s> {
    system: &'s System,
    questions: Vec<Question<'s>>,
    monitor: Option<&'s Regular<'s>>,
    found: Vec<Option<Box<Found>>>,
    open: usize,
    /// The first nodes in which a goal is neither true nor false. They count only if it is true nowhere.
    pending: Vec<Option<(NodeId, Fault)>>,
    /// For each question about it: the greatest value so far, and the first node that has it.
    greatest: Vec<Option<(i64, NodeId)>>,
    store: Store,
    /// Evaluates conditions while another machine is in the middle of a step.
    judge: Machine<'s>,
    /// The node at hand: a state and, behind it, the positions of the monitor.
    node: Vec<u64>,
    stats: Stats,
    started: Instant,
    orbits: Option<Orbits<'s>>,
    full: Option<Full>,
    /// A condition was left undecided, so nothing may be called complete any more.
    interrupted: bool,
}

impl<'s> Search<'s> {
    fn new(
        system: &'s System,
        questions: &[Question<'s>],
        orbits: Option<Orbits<'s>>,
        budget: &Budget,
    ) -> Self {
        let monitor = questions.iter().find_map(|question| match question {
            Question::Match(regular) => Some(*regular),
            _ => None,
        });
        let words = system.words() + monitor.map_or(0, Regular::words);
        Self {
            system,
            questions: questions.to_vec(),
            monitor,
            found: vec![None; questions.len()],
            open: questions.len(),
            pending: vec![None; questions.len()],
            greatest: vec![None; questions.len()],
            store: Store::new(words, budget.states, budget.memory),
            judge: Machine::with_interrupt(system, budget.interrupt.clone()),
            node: vec![0; words],
            stats: Stats::default(),
            started: Instant::now(),
            orbits,
            full: None,
            interrupted: false,
        }
    }

    fn run(
        &mut self,
        machine: &mut Machine<'s>,
        budget: &Budget,
        progress: &mut dyn FnMut(&Progress),
    ) -> Ended {
        let before = vec![0; self.monitor.map_or(0, Regular::words)];
        let walk = machine.initial(|outcome| match outcome {
            StepOutcome::State(state) => self.reach(None, &before, state),
            StepOutcome::Fault(fault) => self.faulted(None, None, fault),
        });
        if let Some(ended) = self.ended(walk) {
            return ended;
        }
        let (mut next, mut layer) = (0, self.store.len());
        let mut source = self.node.clone();
        while next < self.store.len() {
            if next == layer {
                layer = self.store.len();
                self.stats.depth += 1;
            }
            if next.is_multiple_of(1024) {
                self.refresh();
                progress(&Progress { stats: self.stats, queue: u64::from(self.store.len() - next) });
                if budget.interrupt.load(Ordering::Relaxed) {
                    return Ended::Interrupted;
                }
            }
            source.copy_from_slice(self.store.get(NodeId(next)));
            if let Some(ended) = self.expand(machine, NodeId(next), &source) {
                return ended;
            }
            next += 1;
        }
        self.refresh();
        self.settle();
        Ended::Complete
    }

    /// Goals that are true nowhere, but undefined somewhere.
    fn settle(&mut self) {
        for i in 0..self.questions.len() {
            if let (None, Some((id, fault))) = (&self.found[i], self.pending[i]) {
                self.record(i, Some(id), End::Undefined(fault));
            }
        }
    }

    /// Takes every step from a node.
    fn expand(&mut self, machine: &mut Machine<'s>, id: NodeId, source: &[u64]) -> Option<Ended> {
        let (state, positions) = source.split_at(self.system.words());
        let mut dead = true;
        let classes = self.orbits.as_mut().map(|orbits| orbits.classes(state));
        let among = classes.as_ref().map_or(Among::All, Among::Distinct);
        let walk =
            machine.successors_among(state, among, &mut |label: Label<'_>, outcome: StepOutcome<'_>| {
                dead = false;
                match outcome {
                    StepOutcome::State(target) => {
                        self.stats.transitions += 1;
                        self.reach(Some(id), positions, target)
                    }
                    StepOutcome::Fault(fault) => self.faulted(Some(id), Some(label), fault),
                }
            });
        if dead && walk == Walk::Complete {
            // Whether to go on is asked below.
            let _ = self.answer(|question| matches!(question, Question::Deadlock), Some(id), &End::State);
        }
        self.ended(walk)
    }

    fn ended(&mut self, walk: Walk) -> Option<Ended> {
        let ended = match walk {
            Walk::Interrupted => Ended::Interrupted,
            _ if self.interrupted => Ended::Interrupted,
            _ if self.full.is_some() => Ended::Full,
            _ if self.open == 0 => Ended::Answered,
            _ => return None,
        };
        self.refresh();
        Some(ended)
    }

    fn refresh(&mut self) {
        self.stats.states = u64::from(self.store.len());
        self.stats.memory = self.store.bytes();
    }

    /// A step led to a state; `before` are the positions of the monitor in its source.
    #[inline]
    fn reach(&mut self, parent: Option<NodeId>, before: &[u64], state: &[u64]) -> ControlFlow<()> {
        match &mut self.orbits {
            None => self.node[..state.len()].copy_from_slice(state),
            Some(orbits) => orbits.canonise(state, &mut self.node[..state.len()]),
        }
        let mut undefined = None;
        if let Some(regular) = self.monitor {
            let after = &mut self.node[state.len()..];
            match regular.advance(&mut self.judge, before, state, after) {
                Ok(()) => {}
                Err(Undefined::Fault(fault)) => {
                    // Not all positions are known. All of them together would have ended the search before, so
                    // this cannot be taken for an old node.
                    after.fill(u64::MAX);
                    undefined = Some(fault);
                }
                Err(Undefined::Interrupted) => {
                    self.interrupted = true;
                    return ControlFlow::Break(());
                }
            }
        }
        match self.store.insert(&self.node, parent) {
            Insert::Old(_) => ControlFlow::Continue(()),
            Insert::New(id) => self.judge(id, undefined),
            Insert::Full(full) => {
                self.full = Some(full);
                ControlFlow::Break(())
            }
        }
    }

    /// Asks the open questions about a new node.
    fn judge(&mut self, id: NodeId, undefined: Option<Fault>) -> ControlFlow<()> {
        if let Some(fault) = undefined {
            return self.answer(
                |question| matches!(question, Question::Match(_)),
                Some(id),
                &End::Undefined(fault),
            );
        }
        let conditions = self.is_open(|question| {
            matches!(question, Question::Violation(_) | Question::Witness(_) | Question::Maximum(_))
        });
        let words = self.system.words();
        let orbits = self.orbits.as_mut().filter(|_| conditions);
        let classes = orbits.map(|orbits| orbits.classes(&self.node[..words]));
        let among = classes.as_ref().map_or(Among::All, Among::Distinct);
        for i in 0..self.questions.len() {
            if self.found[i].is_some() {
                continue;
            }
            let (state, positions) = self.node.split_at(words);
            let end = match self.questions[i] {
                Question::Fault | Question::Deadlock => Ok(None),
                Question::Violation(condition) => end(self.judge.holds_among(condition, state, among), false),
                Question::Witness(condition) => match self.judge.holds_among(condition, state, among) {
                    Err(Undefined::Fault(fault)) => {
                        self.pending[i].get_or_insert((id, fault));
                        Ok(None)
                    }
                    value => end(value, true),
                },
                Question::Maximum(expr) => match self.judge.value_among(expr, state, among) {
                    Ok(value) => {
                        if self.greatest[i].is_none_or(|(most, _)| value > most) {
                            self.greatest[i] = Some((value, id));
                        }
                        Ok(None)
                    }
                    Err(undefined) => end(Err(undefined), true),
                },
                Question::Match(regular) => Ok(regular.accepts(positions).then_some(End::State)),
            };
            match end {
                Ok(None) => {}
                Ok(Some(end)) => self.record(i, Some(id), end),
                Err(Interrupted) => {
                    self.interrupted = true;
                    return ControlFlow::Break(());
                }
            }
        }
        self.flow()
    }

    fn faulted(&mut self, source: Option<NodeId>, label: Option<Label<'_>>, fault: Fault) -> ControlFlow<()> {
        if !self.is_open(|question| matches!(question, Question::Fault)) {
            return ControlFlow::Continue(());
        }
        let end = End::Fault(label.map(Step::from), fault);
        self.answer(|question| matches!(question, Question::Fault), source, &end)
    }

    fn is_open(&self, which: impl Fn(&Question<'s>) -> bool) -> bool {
        self.questions.iter().zip(&self.found).any(|(question, found)| found.is_none() && which(question))
    }

    fn answer(
        &mut self,
        which: impl Fn(&Question<'s>) -> bool,
        at: Option<NodeId>,
        end: &End,
    ) -> ControlFlow<()> {
        for i in 0..self.questions.len() {
            if self.found[i].is_none() && which(&self.questions[i]) {
                self.record(i, at, end.clone());
            }
        }
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn record(&mut self, question: usize, at: Option<NodeId>, end: End) {
        self.refresh();
        let mut evidence = self.evidence(at, end);
        if let (End::Undefined(fault), Some(last)) = (&mut evidence.end, evidence.states.last()) {
            // In a lifted run another of several faults may come first.
            let condition = match self.questions[question] {
                Question::Violation(it) | Question::Witness(it) | Question::Maximum(it) => Some(it),
                _ => None,
            };
            if let Some(Err(Undefined::Fault(this))) =
                condition.map(|condition| self.judge.holds(condition, last))
            {
                *fault = this;
            }
        }
        let found = Found { evidence, stats: self.stats, time: self.started.elapsed() };
        self.found[question] = Some(Box::new(found));
        self.open -= 1;
    }

    /// The answers when the search is over.
    fn answers(&mut self, ended: Ended) -> Vec<Answer> {
        let complete = ended == Ended::Complete;
        let count = self.questions.len();
        let answer = |i: usize| match (self.found[i].take(), self.greatest[i]) {
            (Some(found), _) => Answer::Yes(found),
            (None, Some((value, id))) => {
                let found = complete.then(|| {
                    let evidence = self.evidence(Some(id), End::State);
                    Box::new(Found { evidence, stats: self.stats, time: self.started.elapsed() })
                });
                Answer::Greatest(value, found)
            }
            (None, None) if complete => Answer::No,
            (None, None) => Answer::Unknown,
        };
        (0..count).map(answer).collect()
    }

    /// The run to a node. The steps are found again by asking the interpreter.
    fn evidence(&mut self, at: Option<NodeId>, end: End) -> Evidence {
        let words = self.system.words();
        let path = at.map_or_else(Vec::new, |id| self.store.path(id));
        let states: Vec<Box<[u64]>> = path.iter().map(|&id| self.store.get(id)[..words].into()).collect();
        let mut machine = Machine::new(self.system);
        match &mut self.orbits {
            None => {
                let between =
                    |pair: &[Box<[u64]>]| step_between(&mut machine, &pair[0], |state| *state == *pair[1]).0;
                let steps = states.windows(2).map(between).collect();
                Evidence { states, steps, end }
            }
            Some(orbits) => orbits.lift(&mut machine, states, end),
        }
    }

    /// The states of all orbits, if the search saw them all.
    fn unreduced(&mut self, ended: Ended) -> Option<Natural> {
        if ended != Ended::Complete || self.monitor.is_some() {
            return None;
        }
        match &mut self.orbits {
            None => Some(Natural::from(u64::from(self.store.len()))),
            Some(orbits) => orbits.count(&self.store),
        }
    }
}

struct Interrupted;

fn end(value: Result<bool, Undefined>, wanted: bool) -> Result<Option<End>, Interrupted> {
    match value {
        Ok(value) => Ok((value == wanted).then_some(End::State)),
        Err(Undefined::Fault(fault)) => Ok(Some(End::Undefined(fault))),
        Err(Undefined::Interrupted) => Err(Interrupted),
    }
}
