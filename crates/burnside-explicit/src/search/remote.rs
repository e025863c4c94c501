//! The parts of a search whose nodes are kept elsewhere, by many workers that share them out.
//!
//! Entry points: [`StateSearch`], what somebody implements who can search that way, and [`Expander`], which
//! has for one worker what it needs of the system: the steps of a node, its representative, what questions
//! say of it, and in the end the run through some nodes. Here nothing is stored and nothing is sent. A search
//! that is shared out always has the group that a search of one thread would have: [`weigh`] finds out
//! whether it pays, on the first orbits.

use super::{
    BreadthFirst, Judgement, SearchResult, Undecided, Unheard, has_condition, judge, name_fault, run_through,
};
use crate::canon::Canoniser;
use crate::ltl::remote::RunSearch;
use crate::orbits::{Orbits, first_fault};
use crate::store::Store;
use burnside_engine::Weighing;
use burnside_limits::{Interrupt, Limits, Observer, Stop, catch};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence};
use burnside_ts::{
    AnyMachine, Expr, Fault, Label, Machine, Maker, Outcome, Question, StepFilter, Symmetry, System,
    Undefined, Walk,
};
use std::ops::ControlFlow;

/// Somebody who can search for states elsewhere, and for runs.
pub trait StateSearch: RunSearch {
    /// Answers questions about states, all at once and completely: runs that are shown are shortest ones.
    /// The group has been weighed.
    fn search(
        &self,
        questions: &[&Question],
        orbits: &OrbitSetting<'_>,
        limits: &Limits,
        observer: &mut dyn Observer,
    ) -> SearchResult;
}

/// How states are brought into order.
#[derive(Clone, Copy, Debug)]
pub struct OrbitSetting<'g> {
    /// The group.
    pub symmetry: &'g Symmetry,
    /// Whether representatives must be exact.
    pub exact: bool,
    /// How much work one state may take, if that is limited.
    pub weighing: Option<Weighing>,
}

/// What the steps of a node come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeSteps {
    /// How many lead to a state.
    pub transitions: u64,
    /// Whether one faults.
    pub faulted: bool,
    /// Whether there is none where there should be one.
    pub dead: bool,
}

/// What a question says of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// A run that ends here answers it.
    Answer,
    /// A goal is neither true nor false here. That counts only if it is true nowhere.
    Pending,
    /// The value that is asked for.
    Value(i64),
}

/// What a worker needs of the system.
pub struct Expander<'s> {
    system: &'s System,
    machine: AnyMachine<'s>,
    evaluator: AnyMachine<'s>,
    orbits: Option<Orbits<'s>>,
    node: Vec<u64>,
    covered: Vec<bool>,
}

impl<'s> Expander<'s> {
    /// For a worker with this interrupt.
    pub fn new(
        system: &'s System,
        maker: &dyn Maker<'s>,
        setting: &OrbitSetting<'_>,
        interrupt: &Interrupt,
    ) -> Self {
        let machine = || maker.machine(interrupt.clone());
        let orbits = (!setting.symmetry.is_trivial()).then(|| {
            let canoniser = Canoniser::new(system, setting.symmetry, setting.exact);
            Orbits::new(match setting.weighing {
                Some(weighing) => canoniser.weighing(weighing),
                None => canoniser,
            })
        });
        let (machine, evaluator) = (machine(), machine());
        Self { system, machine, evaluator, orbits, node: vec![0; system.words()], covered: Vec::new() }
    }

    /// Whether nodes are orbits.
    pub fn has_orbits(&self) -> bool {
        self.orbits.is_some()
    }

    /// Shows the nodes of the initial states, each with the order of its stabiliser (0: not known). Says
    /// whether the initialisation faults.
    pub fn initial(&mut self, show: &mut dyn FnMut(&[u64], u64)) -> Result<bool, Stop> {
        let Self { machine, orbits, node, .. } = self;
        let mut faulted = false;
        let walk = machine.initial(&mut |outcome| {
            match outcome {
                Outcome::State(state) => show_node(orbits, state, node, show),
                Outcome::Fault(_) => faulted = true,
            }
            ControlFlow::Continue(())
        });
        completed(walk).map(|()| faulted)
    }

    /// Shows the nodes that the steps of a node lead to, likewise.
    pub fn expand(&mut self, state: &[u64], show: &mut dyn FnMut(&[u64], u64)) -> Result<NodeSteps, Stop> {
        let Self { machine, orbits, node, covered, .. } = self;
        let classes = orbits.as_mut().and_then(|orbits| orbits.classes(state));
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        if let Some(orbits) = orbits {
            orbits.covered(state, covered);
        }
        let mut expansion = NodeSteps { dead: true, ..NodeSteps::default() };
        let walk =
            machine.successors_filtered(state, filter, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                expansion.dead = false;
                match outcome {
                    Outcome::Fault(_) => expansion.faulted = true,
                    Outcome::State(target) => {
                        expansion.transitions += 1;
                        if covered.get(label.rule.index()) != Some(&true) {
                            show_node(orbits, target, node, show);
                        }
                    }
                }
                ControlFlow::Continue(())
            });
        completed(walk)?;
        if expansion.dead {
            expansion.dead = match self.evaluator.is_outside(state) {
                Ok(outside) => !outside,
                Err(Undefined::Fault(_)) => false,
                Err(Undefined::Interrupted) => return Err(Stop::Interrupted),
            };
        }
        Ok(expansion)
    }

    /// Asks the questions that are there about a new node.
    pub fn judge(
        &mut self,
        questions: &[Option<&'s Question>],
        state: &[u64],
        tell: &mut dyn FnMut(usize, Opinion),
    ) -> Result<(), Stop> {
        if !questions.iter().flatten().any(|question| has_condition(question)) {
            return Ok(());
        }
        let classes = self.orbits.as_mut().and_then(|orbits| orbits.classes(state));
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        for (number, question) in questions.iter().enumerate() {
            let Some(question) = question else { continue };
            match judge(question, &mut *self.evaluator, None, state, &[], filter) {
                Ok(Judgement::Nothing) => {}
                Ok(Judgement::End(_)) => tell(number, Opinion::Answer),
                Ok(Judgement::Pending(_)) => tell(number, Opinion::Pending),
                Ok(Judgement::Value(value)) => tell(number, Opinion::Value(value)),
                Err(Undecided) => return Err(Stop::Interrupted),
            }
        }
        Ok(())
    }

    /// Takes note of a new orbit whose representative has a stabiliser of this order.
    pub fn tally(&mut self, order: u64) {
        let order = (order > 0).then(|| order.into());
        self.orbits.iter_mut().for_each(|orbits| orbits.tally(order));
    }

    /// How many states the orbits in a store have, if they can be counted without much work. All of them were
    /// tallied.
    pub fn count(&mut self, store: &Store) -> Option<Natural> {
        match &mut self.orbits {
            None => Some(Natural::from(u64::from(store.len()))),
            Some(orbits) => orbits.count(store),
        }
    }

    /// If a state was too hard to bring into order: how much work was spent on it.
    pub fn too_hard(&self) -> Option<u64> {
        self.orbits.as_ref().and_then(Orbits::too_hard)
    }

    /// The run through some nodes that answers a question, whose last one does. None at all: that one is
    /// answered by the initialisation.
    pub fn run(&mut self, question: &'s Question, states: Vec<Box<[u64]>>) -> Evidence {
        let end = self.end(question, states.last().map(|last| &**last));
        let mut run = run_through(self.system, &mut self.orbits, states, end);
        name_fault(&mut run, question, &mut *self.evaluator);
        run
    }

    /// What a run to a node that answers a question ends in.
    fn end(&mut self, question: &'s Question, last: Option<&[u64]>) -> End {
        match (question, last) {
            (Question::Fault, Some(last)) => first_fault(&mut *self.system.machine(), last),
            (Question::Fault, None) => initial_fault(&mut *self.system.machine()),
            (
                Question::Invariant(condition) | Question::Reachable(condition) | Question::Bound(condition),
                Some(last),
            ) => match self.evaluator.value_filtered(condition, last, StepFilter::All) {
                Err(Undefined::Fault(fault)) => End::Undefined(fault),
                _ => End::State,
            },
            _ => End::State,
        }
    }
}

/// Makes the node of a state and shows it.
#[inline]
fn show_node(
    orbits: &mut Option<Orbits<'_>>,
    state: &[u64],
    node: &mut [u64],
    show: &mut dyn FnMut(&[u64], u64),
) {
    match orbits {
        None => show(state, 0),
        Some(orbits) => {
            orbits.canonise(state, node);
            let order = orbits.last_stabiliser().and_then(|order| u64::try_from(order).ok());
            show(node, order.unwrap_or(0));
        }
    }
}

fn completed(walk: Walk) -> Result<(), Stop> {
    match walk {
        Walk::Interrupted => Err(Stop::Interrupted),
        Walk::Complete | Walk::Stopped => Ok(()),
    }
}

/// The first fault of the initialisation.
fn initial_fault(machine: &mut dyn Machine<'_>) -> End {
    let mut found: Option<Fault> = None;
    machine.initial(&mut |outcome| match outcome {
        Outcome::Fault(fault) => {
            found = Some(fault);
            ControlFlow::Break(())
        }
        Outcome::State(_) => ControlFlow::Continue(()),
    });
    End::Fault(None, found.expect("the initialisation faults for every worker"))
}

/// True everywhere, so that every node is looked at.
static TRUE: Question = Question::Invariant(Expr::Const(1));

/// Whether a part of a canoniser's group does not pay, found out on as many orbits as a search of one thread
/// looks at before it asks: the result of such a search then. None: it would go on.
pub(crate) fn weigh<'s>(
    system: &'s System,
    canoniser: Canoniser<'s>,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Option<SearchResult> {
    canoniser.weighed_at()?;
    let mut search = BreadthFirst::new(system, &[&TRUE], Some(Orbits::new(canoniser)), limits);
    search.only_weighs = true;
    let mut machine = search.maker.machine(limits.interrupt.clone());
    // If it is interrupted, so is the search that would come next.
    let _ = catch(|| search.run(&mut *machine, limits, &mut Unheard(observer), &mut None));
    search.refresh();
    let BreadthFirst { stats, started, unprofitable, .. } = search;
    Some(SearchResult {
        findings: Vec::new(),
        stats,
        unreduced: None,
        time: started.elapsed(),
        stop: None,
        faulted: false,
        unprofitable: Some((stats.states, unprofitable?)),
        too_hard: None,
        reduced: None,
    })
}
