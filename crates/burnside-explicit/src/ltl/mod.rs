//! Linear-time properties under fairness, on the quotient: is there a fair run that the automaton accepts?
//!
//! Entry points: [`obligations`], which takes a formula apart, and [`find`], which looks for a violation of one part. `onthefly` and `twophase` are two
//! ways to find a fair component of the product; what they build on is in `fair`.

mod obligation;
pub(crate) mod onthefly;
mod twophase;

pub use crate::fair::{Atom, Groupoid, Halted, Movable};
pub use obligation::{Obligation, TooLarge, obligations};

use crate::canon::Canoniser;
use crate::fair::{Indexed, Meter, Naming, PairId, Product};
use crate::quotient::{Bounds, Degree, Holding, Quotient};
use crate::search::{Budget, Progress, Stats};
use burnside_logic::Automaton;
use burnside_trace::Evidence;
use burnside_ts::{Binder, System, Units};
use std::cell::RefCell;
use std::rc::Rc;

/// What is looked for: a fair run, and values of the tracked names, such that the automaton accepts.
#[derive(Clone, Debug)]
pub struct Quest<'s> {
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

/// How it is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// While the product grows, stopping as soon as it is seen.
    OnTheFly,
    /// On the whole product, without symmetries of single states.
    TwoPhase,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Quested {
    /// The run, if there is one.
    pub answer: Result<Option<Evidence>, Halted>,
    /// Figures of the quotient.
    pub stats: Stats,
    /// Pairs of the product.
    pub product_states: u64,
    /// Edges of the product that were followed.
    pub product_transitions: u64,
    /// Whether some step faulted.
    pub faulted: bool,
    /// Whether there is no initial state.
    pub empty: bool,
}

/// Looks for a bad run.
pub fn find<'s>(
    system: &'s System,
    quest: Quest<'s>,
    canoniser: Option<Canoniser<'s>>,
    method: Method,
    budget: &Budget,
    observer: &mut dyn FnMut(&Progress),
) -> Quested {
    let bounds = Bounds { nodes: budget.states, memory: budget.memory, interrupt: budget.interrupt.clone() };
    let quotient = match Quotient::new(system, canoniser, Degree::Distinct, Holding::Recomputed, &bounds) {
        Ok(quotient) => quotient,
        Err(stopped) => {
            return Quested {
                answer: Err(stopped.into()),
                stats: Stats::default(),
                product_states: 0,
                product_transitions: 0,
                faulted: false,
                empty: false,
            };
        }
    };
    let empty = quotient.initial().is_empty();
    let initial_fault = quotient.initial_fault().is_some();
    let units = (quest.fair && !system.fairness.is_empty()).then(|| Units::new(system));
    let alike = method == Method::OnTheFly;
    let limits = (None, budget.memory);
    let Quest { tracked, atoms, automaton, local, .. } = quest;
    let local = local.map(Rc::new);
    let automaton = local.as_ref().map_or(automaton, |local| local.automaton().clone());
    let quotient = Rc::new(RefCell::new(quotient));
    let indexed = Indexed::new(quotient, tracked, atoms, units, alike, limits, local.as_deref());
    let mut product = Product::new(indexed, automaton, local);
    let (units, marks) = (product.indexed.units(), product.moved_marks());
    let counts = units.is_some() || marks > 0;
    let naming = counts.then(|| Naming::new(units, product.indexed.action(), marks));
    let mut meter = Meter::new(budget, observer);
    let found = match method {
        Method::OnTheFly => product.initial().and_then(|starts| {
            onthefly::search(&mut product, naming.as_ref(), &mut meter, starts, &|_| true)
        }),
        Method::TwoPhase => twophase::search(&mut product, naming.as_ref(), &mut meter),
    };
    let transitions = product.transitions;
    let (pairs, bytes, depth) = (meter.pairs, meter.bytes, meter.depth);
    let stats = Stats {
        states: u64::from(product.indexed.states()),
        transitions: product.indexed.transitions,
        depth,
        memory: bytes.max(product.indexed.bytes()),
    };
    let answer = match found {
        Ok(None) => Ok(None),
        Err(halted) => Err(halted),
        Ok(Some(Found { pairs, seen })) => {
            let seen = |pair: PairId| {
                let status = seen.as_ref().map(|seen| seen.get(pair.index()).copied().unwrap_or(0));
                status.is_none_or(|status| status != 0)
            };
            crate::fair::build(&mut product, naming.as_ref(), pairs, &seen).map(Some)
        }
    };
    Quested {
        answer,
        stats,
        product_states: pairs,
        product_transitions: transitions,
        faulted: product.indexed.faulted || initial_fault,
        empty,
    }
}

/// A strongly connected set of pairs that is accepting and fair.
pub(crate) struct Found {
    pub pairs: Vec<PairId>,
    /// For each pair by its number: zero if the search did not come to it. None: it came to all.
    seen: Option<Vec<u32>>,
}
