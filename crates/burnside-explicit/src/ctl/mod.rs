//! Branching-time properties on the quotient: where is a formula true?
//!
//! Entry point: [`label()`]. `subformulas` turns a formula into operations, `graph` is what they are
//! evaluated on, and `label` labels its nodes with those that are true there; `naive`, `emc`, `almc` and
//! `depthfirst` are four ways to evaluate untils; `evidence` says why a formula is true or false, as a tree
//! of original runs.

mod almc;
mod bitmap;
mod depthfirst;
mod emc;
mod evidence;
mod graph;
mod label;
mod naive;
mod subformulas;

use crate::canon::Canoniser;
use crate::fair::{IndexedNodeId, Meter, opaque_sorts};
use crate::ltl::keep_at_stop;
use crate::quotient::{EdgeReduction, EdgeStorage, Quotient};
use burnside_checkpoint::{Keeping, persist_struct};
use burnside_engine::CtlAlgorithm;
use burnside_limits::{Labelling, Large, Limits, Observer, Stats, Stop};
use burnside_trace::Tree;
use burnside_ts::{Formula, SortId, Symmetry, System};
use graph::Graph;
use label::LabelledGraph;
use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;
use subformulas::Subformulas;

/// Where a formula is to be evaluated, and how.
#[derive(Clone, Debug)]
pub struct LabellingQuery<'s> {
    /// The formula.
    pub formula: &'s Formula,
    /// Permutations that leave it as it is.
    pub symmetry: Symmetry,
    /// How untils are evaluated.
    pub algorithm: CtlAlgorithm,
    /// Whether paths must be fair to the system's units.
    pub fair: bool,
    /// Whether paths end in a deadlock instead of staying there.
    pub maximal: bool,
}

/// A truth value, an initial state that has it, and a tree that says why unless it would be too large.
pub type ExplainedTruth = (bool, Box<[u64]>, Option<Tree>);

/// The result of labelling.
#[derive(Clone, Debug)]
pub struct LabellingResult {
    /// Whether the formula is true in all initial states, and why: an initial state, and a tree unless it
    /// would be too large.
    pub truth: Result<ExplainedTruth, Stop>,
    /// Figures of the quotient and of the labelling.
    pub stats: Stats,
    /// Whether some step faulted.
    pub faulted: bool,
    /// Whether there is no initial state.
    pub no_initial_state: bool,
    /// The labelling ended because a part of the group does not pay: so many orbits were known, and this is
    /// the rest of the group. To be begun again with that.
    pub unprofitable: Option<(u64, Symmetry)>,
    /// A state was too hard to bring into order: how much work was spent on it.
    pub too_hard: Option<u64>,
}

persist_struct!(LabellingResult { truth, stats, faulted, no_initial_state, unprofitable, too_hard });

impl LabellingResult {
    /// Whether no limit has to do with it: then it is the same whenever the formula is evaluated again.
    pub(crate) fn is_final(&self) -> bool {
        self.truth.is_ok() || self.unprofitable.is_some()
    }
}

/// What is needed everywhere while a formula is evaluated.
struct LabellingContext<'m> {
    algorithm: CtlAlgorithm,
    fair: bool,
    maximal: bool,
    limits: &'m Limits,
    meter: Meter<'m>,
    figures: Labelling,
    /// Steps followed before evidence was looked for.
    transitions: u64,
}

impl LabellingContext<'_> {
    /// Notes what a graph and its labels took.
    fn count(&mut self, labelled: &LabelledGraph<'_>, time: Duration) {
        let bitmaps: usize = labelled.truth.iter().flatten().map(bitmap::Bitmap::bytes).sum();
        let nodes = labelled.nodes.unwrap_or(0);
        let figures = &mut self.figures;
        figures.time += time;
        if labelled.graph.bytes() >= figures.graph {
            (figures.operations, figures.nodes, figures.edges) =
                (labelled.truth.len(), nodes, labelled.graph.edges());
            figures.graph = labelled.graph.bytes();
            figures.bitmaps = bitmaps + 2 * nodes.div_ceil(8);
        }
    }
}

/// The whole graph that a formula was evaluated on, for the next one.
pub struct CachedGraph<'s> {
    symmetry: Symmetry,
    maximal: bool,
    quotient: Rc<RefCell<Quotient<'s>>>,
    graph: Graph,
    faulted: bool,
    transitions: u64,
}

impl<'s> CachedGraph<'s> {
    /// What can be used again after a formula was evaluated: the graph, if it was found whole.
    fn of(
        labelled: LabelledGraph<'s>,
        query: &LabellingQuery<'s>,
        quotient: Rc<RefCell<Quotient<'s>>>,
        transitions: u64,
    ) -> Option<Self> {
        labelled.nodes.filter(|nodes| *nodes == quotient.borrow().len() as usize)?;
        let (symmetry, maximal) = (query.symmetry.clone(), query.maximal);
        let faulted = labelled.product.quotient.faulted;
        Some(Self { symmetry, maximal, quotient, graph: labelled.graph, faulted, transitions })
    }

    fn fits(&self, query: &LabellingQuery<'s>, opaque: &[SortId]) -> bool {
        let same = self.maximal == query.maximal && self.symmetry == query.symmetry;
        same && self.quotient.borrow().opaque() == opaque
    }
}

/// The sorts of which members are tracked in a formula.
pub(crate) fn tracked_sorts(system: &System, formula: &Formula) -> Vec<SortId> {
    let mut sorts: Vec<SortId> = match formula {
        Formula::Forall(binder, _) | Formula::Exists(binder, _) => system.types.sorts_in(binder.ty),
        _ => Vec::new(),
    };
    sorts.extend(formula.children().iter().flat_map(|inner| tracked_sorts(system, inner)));
    sorts
}

/// Evaluates a formula. The graph of another one is used if it fits, and replaced. A new one is kept if it is
/// told where.
pub fn label<'s>(
    system: &'s System,
    query: &LabellingQuery<'s>,
    canoniser: Option<Canoniser<'s>>,
    limits: &Limits,
    cached: &mut Option<CachedGraph<'s>>,
    keeping: Option<&Keeping>,
    observer: &mut dyn Observer,
) -> Result<LabellingResult, Stop> {
    let subformulas = Subformulas::of(system, query.formula, &query.symmetry)?;
    let mut result = LabellingResult {
        truth: Err(Stop::Interrupted),
        stats: Stats::default(),
        faulted: false,
        no_initial_state: false,
        unprofitable: None,
        too_hard: None,
    };
    let opaque = opaque_sorts(system, query.fair, &subformulas.binders());
    let known = cached.take().filter(|cached| cached.fits(query, &opaque));
    let quotient = match &known {
        Some(known) => known.quotient.clone(),
        None => {
            let new =
                Quotient::new(system, canoniser, EdgeReduction::Distinct, EdgeStorage::Recomputed, limits);
            let kept = new.and_then(|mut quotient| {
                quotient.set_opaque(opaque);
                keeping.map_or(Ok(false), |keeping| quotient.keep_in(keeping.clone()))?;
                Ok(quotient)
            });
            match kept {
                Ok(quotient) => Rc::new(RefCell::new(quotient)),
                Err(stopped) => {
                    result.truth = Err(stopped);
                    return Ok(result);
                }
            }
        }
    };
    quotient.borrow_mut().start_weighing(tracked_sorts(system, query.formula));
    result.no_initial_state = quotient.borrow().initial().is_empty();
    result.faulted = quotient.borrow().initial_fault().is_some();
    let LabellingQuery { algorithm, fair, maximal, .. } = *query;
    let meter = Meter::new(limits, observer);
    let figures = Labelling::default();
    let mut context = LabellingContext { algorithm, fair, maximal, limits, meter, figures, transitions: 0 };
    let mut labelled = LabelledGraph::new(&quotient, subformulas, Vec::new(), &context);
    if let Some(CachedGraph { graph, faulted, transitions, .. }) = known {
        labelled.graph = graph;
        (labelled.product.quotient.faulted, labelled.product.quotient.transitions) = (faulted, transitions);
    }
    result.truth = match result.no_initial_state {
        true => Err(Stop::Interrupted),
        false => {
            let work = || truth(&mut labelled, &mut context);
            keep_at_stop(&quotient, keeping.is_some(), work, Result::is_err)
        }
    };
    result.stats = Stats {
        states: u64::from(quotient.borrow().len()),
        transitions: context.transitions,
        depth: 0,
        memory: context.meter.bytes.max(quotient.borrow().bytes() + context.figures.bytes() as u64),
        labelling: Some(context.figures),
        ..Stats::default()
    };
    result.faulted |= faulted(&labelled);
    result.unprofitable = quotient.borrow().unprofitable();
    result.too_hard = quotient.borrow().too_hard();
    *cached = CachedGraph::of(labelled, query, quotient, context.transitions);
    // It is used again for the next formula, and if this is asked again.
    cached.iter().for_each(|cached| cached.quotient.borrow().keep());
    Ok(result)
}

/// Whether the formula is true in all initial states, and why.
fn truth<'s>(
    labelled: &mut LabelledGraph<'s>,
    context: &mut LabellingContext<'_>,
) -> Result<ExplainedTruth, Stop> {
    let op = labelled.syntax.op;
    let initial = labelled.product.quotient.initial()?;
    let mut chosen: Option<(IndexedNodeId, bool)> = None;
    for node in initial {
        let value = labelled.holds(op, node.0, context)?;
        if chosen.is_none_or(|(_, before)| before && !value) {
            chosen = Some((node, value));
        }
    }
    let (node, value) = chosen.expect("there is an initial state");
    labelled.product.quotient.stop_weighing();
    context.transitions = transitions(labelled);
    let state = labelled.product.quotient.state(node);
    let tree = match evidence::explain(labelled, node, value, context) {
        Err(Stop::TooLarge(Large::Run)) => None,
        tree => Some(tree?),
    };
    Ok((value, state, tree))
}

fn transitions(labelled: &LabelledGraph<'_>) -> u64 {
    labelled
        .quantifiers
        .iter()
        .map(|(_, quantifier)| transitions(quantifier))
        .fold(labelled.product.quotient.transitions, u64::max)
}

fn faulted(labelled: &LabelledGraph<'_>) -> bool {
    labelled.product.quotient.faulted
        || labelled.quantifiers.iter().any(|(_, quantifier)| faulted(quantifier))
}
