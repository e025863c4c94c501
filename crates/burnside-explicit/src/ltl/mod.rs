//! Linear-time properties under fairness, on the quotient: is there a fair run that the automaton accepts?
//!
//! Entry points: [`conjuncts`], which takes a formula apart, and [`check_emptiness`], which looks for a
//! violation of one conjunct. `onthefly` and `twophase` are two ways to find a fair component of the product;
//! what they build on is in `fair`.

mod conjunct;
mod nnf;
pub(crate) mod onthefly;
mod twophase;

pub use crate::fair::{Atom, Groupoid, Movable};
pub use conjunct::{Conjunct, conjuncts};

use crate::canon::Canoniser;
use crate::fair::{IndexedQuotient, Meter, PairId, Product, UnitAction};
use crate::quotient::{EdgeReduction, EdgeStorage, Quotient};
use burnside_engine::Method;
use burnside_limits::{Limits, Observer, Stats, Stop};
use burnside_logic::Automaton;
use burnside_trace::Evidence;
use burnside_ts::{Binder, System, Units};
use std::cell::RefCell;
use std::rc::Rc;

/// Whether there is a fair run, and values of the tracked names, such that the automaton accepts.
#[derive(Clone, Debug)]
pub struct EmptinessQuery<'s> {
    /// The names.
    pub tracked: Vec<&'s Binder>,
    /// The atoms of the automaton.
    pub atoms: Vec<Atom<'s>>,
    /// The automaton of bad runs.
    pub automaton: Automaton,
    /// Whether the run must be fair to the system's units.
    pub fair: bool,
    /// The automaton's local symmetries, if they are used. The canoniser then moves their sorts too.
    pub local: Option<Groupoid>,
}

/// The result of an emptiness check.
#[derive(Clone, Debug)]
pub struct EmptinessResult {
    /// The run, if there is one.
    pub accepting_run: Result<Option<Evidence>, Stop>,
    /// Figures of the quotient and of the product.
    pub stats: Stats,
    /// Whether some step faulted.
    pub faulted: bool,
    /// Whether there is no initial state.
    pub no_initial_state: bool,
}

/// Looks for a fair run that the automaton accepts, and lifts it to a lasso.
pub fn check_emptiness<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    canoniser: Option<Canoniser<'s>>,
    method: Method,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> EmptinessResult {
    let quotient =
        match Quotient::new(system, canoniser, EdgeReduction::Distinct, EdgeStorage::Recomputed, limits) {
            Ok(quotient) => quotient,
            Err(stopped) => {
                return EmptinessResult {
                    accepting_run: Err(stopped),
                    stats: Stats::default(),
                    faulted: false,
                    no_initial_state: false,
                };
            }
        };
    let no_initial_state = quotient.initial().is_empty();
    let initial_fault = quotient.initial_fault().is_some();
    let units = (query.fair && !system.fairness.is_empty()).then(|| Units::new(system));
    let state_symmetry = method == Method::OnTheFly;
    let memory = limits.memory;
    let EmptinessQuery { tracked, atoms, automaton, local, .. } = query;
    let local = local.map(Rc::new);
    // The groupoid is that of a smaller automaton, in which bisimilar states are one.
    let automaton = local.as_ref().map_or(automaton, |local| local.automaton().clone());
    let quotient = Rc::new(RefCell::new(quotient));
    let indexed =
        IndexedQuotient::new(quotient, tracked, atoms, units, state_symmetry, memory, local.as_deref());
    let mut product = Product::new(indexed, automaton, local);
    let (units, marks) = (product.quotient.units(), product.permuted_marks());
    let counts = units.is_some() || marks > 0;
    let unit_action = counts.then(|| UnitAction::new(units, product.quotient.action(), marks));
    let mut meter = Meter::new(limits, observer);
    let found = match method {
        Method::OnTheFly => product.initial().and_then(|starts| {
            onthefly::search(&mut product, unit_action.as_ref(), &mut meter, starts, &|_| true)
        }),
        Method::TwoPhase => twophase::search(&mut product, unit_action.as_ref(), &mut meter),
    };
    let transitions = product.transitions;
    let (pairs, bytes, depth) = (meter.pairs, meter.bytes, meter.depth);
    let stats = Stats {
        states: u64::from(product.quotient.orbits()),
        transitions: product.quotient.transitions,
        depth,
        memory: bytes.max(product.quotient.bytes()),
        product: Some(burnside_limits::Product { states: pairs, transitions }),
        ..Stats::default()
    };
    let accepting_run = match found {
        Ok(None) => Ok(None),
        Err(halted) => Err(halted),
        Ok(Some(AcceptingComponent { pairs, seen })) => {
            let seen = |pair: PairId| {
                let status = seen.as_ref().map(|seen| seen.get(pair.index()).copied().unwrap_or(0));
                status.is_none_or(|status| status != 0)
            };
            crate::fair::lift_lasso(&mut product, unit_action.as_ref(), pairs, &seen).map(Some)
        }
    };
    EmptinessResult {
        accepting_run,
        stats,
        faulted: product.quotient.faulted || initial_fault,
        no_initial_state,
    }
}

/// A strongly connected set of pairs that is accepting and fair.
pub(crate) struct AcceptingComponent {
    pub pairs: Vec<PairId>,
    /// For each pair by its number: zero if the search did not come to it. None: it came to all.
    seen: Option<Vec<u32>>,
}
