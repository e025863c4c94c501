//! Branching-time properties on the quotient: where is a formula true?
//!
//! Entry point: [`judge()`]. `outline` turns a formula into operations, `graph` is what they are judged on, `level` judges them there; `naive`, `emc`,
//! `almc` and `new` are four ways to judge untils; `evidence` says why a formula is true or false, as a tree of original runs.

mod almc;
mod bitmap;
mod emc;
mod evidence;
mod graph;
mod level;
mod naive;
mod new;
mod outline;

use crate::canon::Canoniser;
use crate::fair::{Halted, Meter, SpotId};
use crate::ltl::TooLarge;
use crate::quotient::{Bounds, Degree, Holding, Quotient};
use crate::search::{Budget, Progress, Stats};
use burnside_trace::Tree;
use burnside_ts::{Formula, Symmetry, System};
use graph::Graph;
use level::Level;
use outline::Outline;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

/// How untils are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Depth-first searches without predecessors.
    New,
    /// Backwards along predecessors.
    Emc,
    /// Only what the initial states need.
    Almc,
    /// Sweeps until nothing changes.
    Naive,
}

/// What is asked.
#[derive(Clone, Debug)]
pub struct Question<'s> {
    /// The formula.
    pub formula: &'s Formula,
    /// Motions that leave it as it is.
    pub symmetry: Symmetry,
    /// How untils are judged.
    pub algorithm: Algorithm,
    /// Whether paths must be fair to the system's units.
    pub fair: bool,
    /// Whether paths end in a deadlock instead of staying there.
    pub maximal: bool,
}

/// A truth value, an initial state that has it, and a tree that says why unless it would be too large.
pub type Answer = (bool, Box<[u64]>, Option<Tree>);

/// What came of it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Whether the formula is true in all initial states, and why: an initial state, and a tree unless it would be too large.
    pub answer: Result<Answer, Halted>,
    /// Figures of the quotient.
    pub stats: Stats,
    /// Figures of the judging.
    pub figures: Figures,
    /// Whether some step faulted.
    pub faulted: bool,
    /// Whether there is no initial state.
    pub empty: bool,
}

/// What judging took, at the level that took most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many operations the formula came to.
    pub operations: usize,
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges of the graph.
    pub edges: usize,
    /// Bytes of the graph.
    pub graph: usize,
    /// Bytes of bitmaps: those of the operations, and two for the search.
    pub bitmaps: usize,
    /// Bytes of depth-first numbers.
    pub numbers: usize,
    /// The most bytes that stacks took, in searches for existential untils.
    pub stacks: usize,
    /// Bytes of predecessors.
    pub predecessors: usize,
    /// How long judging took, without finding the graph and evaluating conditions.
    pub time: Duration,
}

impl Figures {
    fn bytes(&self) -> usize {
        self.graph + self.bitmaps + self.numbers + self.stacks + self.predecessors
    }
}

/// What is needed everywhere while a formula is judged.
struct Judge<'m> {
    algorithm: Algorithm,
    fair: bool,
    maximal: bool,
    budget: &'m Budget,
    meter: Meter<'m>,
    figures: Figures,
    /// Steps followed before evidence was looked for.
    transitions: u64,
}

impl Judge<'_> {
    /// Notes what a level took.
    fn count(&mut self, level: &Level<'_>, time: Duration) {
        let bitmaps: usize = level.truth.iter().flatten().map(bitmap::Bitmap::bytes).sum();
        let nodes = level.nodes.unwrap_or(0);
        let figures = &mut self.figures;
        figures.time += time;
        if level.graph.bytes() >= figures.graph {
            (figures.operations, figures.nodes, figures.edges) =
                (level.truth.len(), nodes, level.graph.edges());
            figures.graph = level.graph.bytes();
            figures.bitmaps = bitmaps + 2 * nodes.div_ceil(8);
        }
    }
}

/// The whole graph that a formula was judged on, for the next one.
pub struct Prepared<'s> {
    symmetry: Symmetry,
    maximal: bool,
    quotient: Rc<RefCell<Quotient<'s>>>,
    graph: Graph,
    faulted: bool,
    transitions: u64,
}

impl<'s> Prepared<'s> {
    /// What can be used again after a formula was judged: the graph, if it was found whole.
    fn of(
        level: Level<'s>,
        question: &Question<'s>,
        quotient: Rc<RefCell<Quotient<'s>>>,
        transitions: u64,
    ) -> Option<Self> {
        level.nodes.filter(|nodes| *nodes == quotient.borrow().len() as usize)?;
        let (symmetry, maximal) = (question.symmetry.clone(), question.maximal);
        let faulted = level.product.indexed.faulted;
        Some(Self { symmetry, maximal, quotient, graph: level.graph, faulted, transitions })
    }

    fn fits(&self, question: &Question<'s>) -> bool {
        self.maximal == question.maximal && self.symmetry == question.symmetry
    }
}

/// Judges a formula. What was prepared for another one is used if it fits, and replaced.
pub fn judge<'s>(
    system: &'s System,
    question: &Question<'s>,
    canoniser: Option<Canoniser<'s>>,
    budget: &Budget,
    prepared: &mut Option<Prepared<'s>>,
    observer: &mut dyn FnMut(&Progress),
) -> Result<Judged, TooLarge> {
    let outline = Outline::of(system, question.formula, &question.symmetry)?;
    let bounds = Bounds { nodes: budget.states, memory: budget.memory, interrupt: budget.interrupt.clone() };
    let mut judged = Judged {
        answer: Err(Halted::Interrupted),
        stats: Stats::default(),
        figures: Figures::default(),
        faulted: false,
        empty: false,
    };
    let known = prepared.take().filter(|prepared| prepared.fits(question));
    let quotient = match &known {
        Some(known) => known.quotient.clone(),
        None => match Quotient::new(system, canoniser, Degree::Distinct, Holding::Recomputed, &bounds) {
            Ok(quotient) => Rc::new(RefCell::new(quotient)),
            Err(stopped) => {
                judged.answer = Err(stopped.into());
                return Ok(judged);
            }
        },
    };
    judged.empty = quotient.borrow().initial().is_empty();
    judged.faulted = quotient.borrow().initial_fault().is_some();
    let Question { algorithm, fair, maximal, .. } = *question;
    let meter = Meter::new(budget, observer);
    let figures = Figures::default();
    let mut judge = Judge { algorithm, fair, maximal, budget, meter, figures, transitions: 0 };
    let mut level = Level::new(&quotient, outline, Vec::new(), &judge);
    if let Some(Prepared { graph, faulted, transitions, .. }) = known {
        level.graph = graph;
        (level.product.indexed.faulted, level.product.indexed.transitions) = (faulted, transitions);
    }
    judged.answer = if judged.empty { Err(Halted::Interrupted) } else { answer(&mut level, &mut judge) };
    judged.stats = Stats {
        states: u64::from(quotient.borrow().len()),
        transitions: judge.transitions,
        depth: 0,
        memory: judge.meter.bytes.max(quotient.borrow().bytes() + judge.figures.bytes() as u64),
    };
    judged.figures = judge.figures;
    judged.faulted |= faulted(&level);
    *prepared = Prepared::of(level, question, quotient, judge.transitions);
    Ok(judged)
}

/// Whether the formula is true in all initial states, and why.
fn answer<'s>(level: &mut Level<'s>, judge: &mut Judge<'_>) -> Result<Answer, Halted> {
    let op = level.plan.op;
    let initial = level.product.indexed.initial()?;
    let mut chosen: Option<(SpotId, bool)> = None;
    for spot in initial {
        let value = level.holds(op, spot.0, judge)?;
        if chosen.is_none_or(|(_, before)| before && !value) {
            chosen = Some((spot, value));
        }
    }
    let (spot, value) = chosen.expect("there is an initial state");
    judge.transitions = transitions(level);
    let state = level.product.indexed.state(spot);
    let tree = match evidence::build(level, spot, value, judge) {
        Err(Halted::TooLong) => None,
        tree => Some(tree?),
    };
    Ok((value, state, tree))
}

fn transitions(level: &Level<'_>) -> u64 {
    level.subs.iter().map(|(_, sub)| transitions(sub)).fold(level.product.indexed.transitions, u64::max)
}

fn faulted(level: &Level<'_>) -> bool {
    level.product.indexed.faulted || level.subs.iter().any(|(_, sub)| faulted(sub))
}
