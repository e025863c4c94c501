//! A search for fair runs by others: they explore the product and drop what cannot be on a fair accepting
//! cycle, and what they leave is settled here as a search by one thread would, and shown.
//!
//! Entry point: [`check_elsewhere`]. Who it is that explores ([`StateSearch`]) need not be known here. What
//! of the group pays is found out before, on as many orbits as one thread looks at before it asks.

use super::remote::{Remains, RunQuery, product};
use super::{
    EmptinessQuery, EmptinessResult, SearchMode, SharedQuotient, figures, onthefly, shown, unit_action,
};
use crate::canon::Canoniser;
use crate::fair::{Meter, PairId, Product, lift_lasso_along, opaque_sorts};
use crate::search::remote::{OrbitSetting, StateSearch};
use burnside_limits::{Limits, Observer, Stats, Stop, catch};
use burnside_trace::Evidence;
use burnside_ts::System;
use foldhash::HashSet;

/// If only whether there is a run is asked, a search by one thread tries first to find one among so many
/// pairs.
const PATIENCE: u64 = 1 << 12;

/// Looks for a fair run that the automaton accepts, with workers that explore the product.
pub(crate) fn check_elsewhere<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    (elsewhere, orbits): (&dyn StateSearch, &OrbitSetting<'_>),
    canoniser: Option<Canoniser<'s>>,
    mode: &SearchMode<'_, 's>,
    observer: &mut dyn Observer,
) -> EmptinessResult {
    let limits = mode.limits;
    let opaque = opaque_sorts(system, query.fair, &query.tracked);
    let shared = match SharedQuotient::new(system, orbits.symmetry, canoniser, opaque, limits) {
        Err(stopped) => return EmptinessResult::of(Err(stopped), Stats::default()),
        Ok(shared) => shared,
    };
    let quotient = shared.quotient;
    let no_initial_state = quotient.borrow().initial().is_empty();
    let initial_fault = quotient.borrow().initial_fault().is_some();
    quotient.borrow_mut().start_weighing(query.tracked_sorts(system));
    let weighed = quotient.borrow_mut().weigh_first().err();
    let unprofitable = quotient.borrow().unprofitable();
    // Limits are for those who explore.
    let ended = weighed.filter(|stop| unprofitable.is_some() || *stop == Stop::Interrupted);
    if ended.is_some() || no_initial_state {
        let nothing = EmptinessResult::of(ended.map_or(Ok(None), Err), Stats::default());
        return EmptinessResult { unprofitable, no_initial_state, faulted: initial_fault, ..nothing };
    }
    quotient.borrow_mut().stop_weighing();
    let asked = RunQuery::of(&query);
    let mut product = product(quotient, query, limits.memory);
    if !mode.lift
        && let Some(result) = try_first(&mut product, limits, observer)
    {
        return EmptinessResult { faulted: result.faulted || initial_fault, ..result };
    }
    let remains = elsewhere.remains(&asked, orbits, limits, observer);
    let Remains { pairs, mut stats, faulted, too_hard, stop } = remains;
    // An automaton that reads nothing has no pairs, but there are states.
    stats.states = stats.states.max(product.quotient.initial_orbits());
    let found = match stop {
        Some(stop) => Err(stop),
        None if pairs.is_empty() => Ok(None),
        None => settle(&mut product, elsewhere, &pairs, mode, observer),
    };
    let faulted = faulted || initial_fault || product.quotient.faulted;
    EmptinessResult { faulted, too_hard, ..EmptinessResult::of(found, stats) }
}

/// Whether one thread finds a run soon, or sees soon that there is none.
fn try_first(
    product: &mut Product<'_>,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> Option<EmptinessResult> {
    let unit_action = unit_action(product);
    let mut meter = Meter::new(limits, observer);
    meter.patience = Some(PATIENCE);
    let starts = product.initial();
    let found = starts
        .and_then(|starts| onthefly::search(product, unit_action.as_ref(), &mut meter, starts, &|_| true));
    if meter.is_impatient() {
        return None;
    }
    let stats = figures(product, &meter);
    let found = found.map(|found| found.map(|_| shown()));
    Some(EmptinessResult { faulted: product.quotient.faulted, ..EmptinessResult::of(found, stats) })
}

/// Looks for a run among the pairs that are left, and shows it.
fn settle<'s>(
    product: &mut Product<'s>,
    elsewhere: &dyn StateSearch,
    pairs: &[Box<[u64]>],
    mode: &SearchMode<'_, 's>,
    observer: &mut dyn Observer,
) -> Result<Option<Evidence>, Stop> {
    let unit_action = unit_action(product);
    let words = |product: &Product<'_>, pair: &PairId| {
        let mut words = Vec::new();
        product.export(*pair, &mut words);
        words.into_boxed_slice()
    };
    let mut look = || {
        let starts = pairs.iter().map(|words| product.import(words)).collect::<Result<Vec<_>, _>>()?;
        let inside: HashSet<PairId> = starts.iter().copied().collect();
        let mut meter = Meter::new(mode.limits, observer);
        let inside = |pair| inside.contains(&pair);
        onthefly::search(product, unit_action.as_ref(), &mut meter, starts, &inside)
    };
    let found = catch(&mut look).and_then(|found| found);
    let told = found.as_ref().map_err(Clone::clone).map(|found| {
        found.as_ref().map(|found| found.pairs.iter().map(|pair| words(product, pair)).collect())
    });
    // Whatever has come of it here: the others wait to hear it.
    let path = elsewhere.conclude(mode.limits, told)?;
    let Some(component) = found? else { return Ok(None) };
    if !mode.lift {
        return Ok(Some(shown()));
    }
    let path = path.iter().map(|words| product.import(words)).collect::<Result<Vec<_>, _>>()?;
    lift_lasso_along(product, unit_action.as_ref(), component.pairs, &path).map(Some)
}
