//! Linear-time properties under fairness, on the quotient: is there a fair run that the automaton accepts?
//!
//! Entry points: [`conjuncts`], which takes a formula apart, and [`check_emptiness`], which looks for a
//! violation of one conjunct. `onthefly` and `twophase` are two ways to find a fair component of the product;
//! what they build on is in `fair`.

mod conjunct;
pub(crate) mod elsewhere;
mod nnf;
pub(crate) mod onthefly;
pub(crate) mod remote;
mod twophase;

pub use crate::fair::{Atom, Groupoid, Movable};
pub use conjunct::{Conjunct, conjuncts};

use crate::ahead::Exploration;
use crate::canon::Canoniser;
use crate::fair::{IndexedQuotient, Meter, PairId, Product, UnitAction, opaque_sorts};
use crate::quotient::{EdgeReduction, EdgeStorage, Quotient};
use crate::stubborn::Stubborn;
use burnside_checkpoint::{Keeping, persist_struct};
use burnside_engine::Method;
use burnside_limits::{Large, Limits, Observer, Stats, Stop, catch, give_up};
use burnside_logic::Automaton;
use burnside_trace::{End, Evidence};
use burnside_ts::{Binder, SortId, Symmetry, System, Units};
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

impl EmptinessQuery<'_> {
    /// The sorts of which members are tracked, by names or by what the automaton's state names.
    pub(crate) fn tracked_sorts(&self, system: &System) -> Vec<SortId> {
        let names = self.tracked.iter().flat_map(|binder| system.types.sorts_in(binder.ty));
        let moved = self.local.iter().flat_map(|local| local.movable().iter().map(|(sort, _)| *sort));
        names.chain(moved).collect()
    }
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
    /// The search ended because a part of the group does not pay: so many orbits were known, and this is the
    /// rest of the group. To be begun again with that.
    pub unprofitable: Option<(u64, Symmetry)>,
    /// A state was too hard to bring into order: how much work was spent on it.
    pub too_hard: Option<u64>,
    /// In so many nodes commuting steps were left out; none if none were to be.
    pub reduced: Option<u64>,
}

persist_struct!(EmptinessResult {
    accepting_run,
    stats,
    faulted,
    no_initial_state,
    unprofitable,
    too_hard,
    reduced
});

impl EmptinessResult {
    /// Whether no limit has to do with it: then it is the same whenever the search is done again.
    pub(crate) fn is_final(&self) -> bool {
        self.accepting_run.is_ok() || self.unprofitable.is_some()
    }

    /// Whether it ended at a limit that counts what others have found, too: that is no reason to give up.
    fn is_limited(&self) -> bool {
        let limit =
            |stop: &Stop| matches!(stop, Stop::States(_) | Stop::Memory(_) | Stop::TooLarge(Large::States));
        self.accepting_run.as_ref().is_err_and(limit)
    }

    /// Before a search, or without one.
    pub(crate) fn of(accepting_run: Result<Option<Evidence>, Stop>, stats: Stats) -> Self {
        let (faulted, no_initial_state, unprofitable, too_hard) = (false, false, None, None);
        Self { accepting_run, stats, faulted, no_initial_state, unprofitable, too_hard, reduced: None }
    }
}

/// What searches for runs leave to the next one: the quotient with its edges, and the letters of its nodes.
pub struct SharedQuotient<'s> {
    symmetry: Symmetry,
    quotient: Rc<RefCell<Quotient<'s>>>,
    indexed: Option<IndexedQuotient<'s>>,
}

/// How a fair run is looked for.
pub(crate) struct SearchMode<'m, 's> {
    pub method: Method,
    /// Leaves out steps that commute.
    pub stubborn: Option<Stubborn<'s>>,
    /// Whether a run is wanted, or only whether there is one.
    pub lift: bool,
    pub limits: &'m Limits,
    /// Where quotients with this group are kept, if they are.
    pub keeping: Option<Keeping>,
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
    let symmetry = canoniser.as_ref().map(|canoniser| canoniser.symmetry().clone());
    let symmetry = symmetry.unwrap_or_else(|| Symmetry::trivial(&system.types));
    let mode = SearchMode { method, stubborn: None, lift: true, limits, keeping: None };
    check_shared(system, query, &symmetry, || canoniser, &mode, &mut None, observer)
}

/// The same, with what the search before has left. What it leaves is for the next one.
pub(crate) fn check_shared<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    symmetry: &Symmetry,
    canoniser: impl FnOnce() -> Option<Canoniser<'s>>,
    mode: &SearchMode<'_, 's>,
    shared: &mut Option<SharedQuotient<'s>>,
    observer: &mut dyn Observer,
) -> EmptinessResult {
    let opaque = opaque_sorts(system, query.fair, &query.tracked);
    if let Some(stubborn) = &mode.stubborn {
        return check_reduced(
            system,
            query,
            symmetry,
            (canoniser(), opaque),
            mode,
            stubborn.clone(),
            observer,
        );
    }
    if let Some(known) = shared.take().filter(|known| known.fits(symmetry, &opaque)) {
        let (result, left) = check_known(system, query.clone(), known, mode, Exploration::Some, observer);
        if !result.is_limited() {
            *shared = left;
            return result;
        }
    }
    let first = canoniser();
    let second = first.as_ref().map(Canoniser::another);
    let mut keeping = mode.keeping.as_ref().map(|keeping| keeping.part(&[&opaque]));
    for (canoniser, exploration) in [(first, Exploration::Some), (second, Exploration::None)] {
        let new = SharedQuotient::new(system, symmetry, canoniser, opaque.clone(), mode.limits);
        let kept = new.map(|new| {
            let keep_in = |keeping| new.quotient.borrow_mut().keep_in(keeping);
            let taken = keeping.take().map_or(Ok(false), keep_in);
            (taken, new)
        });
        let (taken, new) = match kept {
            Err(stopped) | Ok((Err(stopped @ Stop::Lost(_)), _)) => {
                return EmptinessResult::of(Err(stopped), Stats::default());
            }
            // There is no room for what others have found.
            Ok((Err(_), _)) => continue,
            Ok((Ok(taken), new)) => (taken, new),
        };
        let quotient = new.quotient.clone();
        let (result, left) = check_known(system, query.clone(), new, mode, exploration, observer);
        if !result.is_limited() || !taken && quotient.borrow().explored().is_empty() {
            *shared = left;
            return result;
        }
    }
    unreachable!("the second explores nothing, and takes nothing over")
}

/// The same on a quotient that is built before, with the steps of stubborn sets.
fn check_reduced<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    symmetry: &Symmetry,
    (canoniser, opaque): (Option<Canoniser<'s>>, Vec<SortId>),
    mode: &SearchMode<'_, 's>,
    mut stubborn: Stubborn<'s>,
    observer: &mut dyn Observer,
) -> EmptinessResult {
    let built = SharedQuotient::new(system, symmetry, canoniser, opaque, mode.limits);
    let mut evaluator = system.machine_with_interrupt(mode.limits.interrupt.clone());
    let built = built.and_then(|new| {
        let reduced = new.quotient.borrow_mut().reduce(&mut stubborn, &mut *evaluator)?;
        Ok((new, reduced))
    });
    match built {
        Err(stopped) => EmptinessResult::of(Err(stopped), Stats::default()),
        Ok((new, reduced)) => {
            let (mut result, _) = check_known(system, query, new, mode, Exploration::None, observer);
            result.reduced = Some(reduced);
            result
        }
    }
}

/// The same on a quotient. It comes back unless something stopped the search. Then it is kept, if it is to
/// be, as far as it has come.
fn check_known<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    known: SharedQuotient<'s>,
    mode: &SearchMode<'_, 's>,
    exploration: Exploration,
    observer: &mut dyn Observer,
) -> (EmptinessResult, Option<SharedQuotient<'s>>) {
    let quotient = known.quotient.clone();
    let work = || check_on(system, query, known, mode, exploration, observer);
    keep_at_stop(&quotient, mode.keeping.is_some(), work, |(result, _)| result.accepting_run.is_err())
}

/// Does some work on a quotient, and keeps that if something stops the work.
pub(crate) fn keep_at_stop<'s, R>(
    quotient: &RefCell<Quotient<'s>>,
    is_kept: bool,
    work: impl FnOnce() -> R,
    is_stopped: impl FnOnce(&R) -> bool,
) -> R {
    if !is_kept {
        return work();
    }
    let result = catch(work);
    if result.as_ref().map_or(true, is_stopped) {
        quotient.borrow().keep();
    }
    result.unwrap_or_else(|stop| give_up(stop))
}

/// The same, and nothing is kept at the end.
fn check_on<'s>(
    system: &'s System,
    query: EmptinessQuery<'s>,
    mut known: SharedQuotient<'s>,
    mode: &SearchMode<'_, 's>,
    exploration: Exploration,
    observer: &mut dyn Observer,
) -> (EmptinessResult, Option<SharedQuotient<'s>>) {
    known.quotient.borrow_mut().start_weighing(query.tracked_sorts(system));
    let EmptinessQuery { tracked, atoms, automaton, local, fair } = query;
    let no_initial_state = known.quotient.borrow().initial().is_empty();
    let initial_fault = known.quotient.borrow().initial_fault().is_some();
    let local = local.map(Rc::new);
    // The groupoid is that of a smaller automaton, in which bisimilar states are one.
    let automaton = local.as_ref().map_or(automaton, |local| local.automaton().clone());
    let on_the_fly = mode.method == Method::OnTheFly;
    let same = |it: &IndexedQuotient<'s>| on_the_fly && local.is_none() && it.is_for(&tracked, &atoms, fair);
    let indexed = known.indexed.take().filter(same).unwrap_or_else(|| {
        let units = (fair && !system.fairness.is_empty()).then(|| Units::new(system));
        let (quotient, memory) = (known.quotient.clone(), mode.limits.memory);
        IndexedQuotient::new(quotient, tracked, atoms, units, on_the_fly, memory, local.as_deref())
    });
    let is_plain = on_the_fly && local.is_none();
    let mut product = Product::new(indexed, automaton, local);
    product.quotient.forget_counts();
    // Without orbits steps cost little, and exploring them ahead was measured to be slower than not to.
    if known.quotient.borrow().is_reduced() {
        product.quotient.set_exploration(exploration);
    }
    let mut result = search(&mut product, mode, observer);
    result.faulted = product.quotient.faulted || initial_fault;
    result.no_initial_state = no_initial_state;
    result.unprofitable = known.quotient.borrow().unprofitable();
    result.too_hard = known.quotient.borrow().too_hard();
    known.indexed = is_plain.then_some(product.quotient);
    let left = result.accepting_run.is_ok().then_some(known);
    (result, left)
}

impl<'s> SharedQuotient<'s> {
    fn new(
        system: &'s System,
        symmetry: &Symmetry,
        canoniser: Option<Canoniser<'s>>,
        opaque: Vec<SortId>,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let mut quotient =
            Quotient::new(system, canoniser, EdgeReduction::Distinct, EdgeStorage::Recomputed, limits)?;
        quotient.set_opaque(opaque);
        let quotient = Rc::new(RefCell::new(quotient));
        Ok(Self { symmetry: symmetry.clone(), quotient, indexed: None })
    }

    fn fits(&self, symmetry: &Symmetry, opaque: &[SortId]) -> bool {
        self.symmetry == *symmetry && self.quotient.borrow().opaque() == opaque
    }
}

/// Looks for a fair run in a product.
fn search(
    product: &mut Product<'_>,
    mode: &SearchMode<'_, '_>,
    observer: &mut dyn Observer,
) -> EmptinessResult {
    let unit_action = unit_action(product);
    let mut meter = Meter::new(mode.limits, observer);
    let found = match mode.method {
        Method::OnTheFly => product.initial().and_then(|starts| {
            onthefly::search(product, unit_action.as_ref(), &mut meter, starts, &|_| true)
        }),
        Method::TwoPhase => twophase::search(product, unit_action.as_ref(), &mut meter),
    };
    product.quotient.stop_weighing();
    let stats = figures(product, &meter);
    let accepting_run = match found {
        Ok(None) => Ok(None),
        Err(halted) => Err(halted),
        Ok(Some(_)) if !mode.lift => Ok(Some(shown())),
        Ok(Some(AcceptingComponent { pairs, seen })) => {
            let seen = |pair: PairId| {
                let status = seen.as_ref().map(|seen| seen.get(pair.index()).copied().unwrap_or(0));
                status.is_none_or(|status| status != 0)
            };
            crate::fair::lift_lasso(product, unit_action.as_ref(), pairs, &seen).map(Some)
        }
    };
    EmptinessResult::of(accepting_run, stats)
}

/// How units and acceptance sets that are counted like units are moved, if there are some.
fn unit_action<'s>(product: &Product<'s>) -> Option<UnitAction<'s>> {
    let (units, marks) = (product.quotient.units(), product.permuted_marks());
    let counts = units.is_some() || marks > 0;
    counts.then(|| UnitAction::new(units, product.quotient.action(), marks))
}

/// Figures of a search in a product.
fn figures(product: &Product<'_>, meter: &Meter<'_>) -> Stats {
    let (states, transitions) = (meter.pairs, product.transitions);
    Stats {
        states: u64::from(product.quotient.orbits()),
        transitions: product.quotient.transitions,
        depth: meter.depth,
        memory: meter.bytes.max(product.quotient.bytes()),
        product: Some(burnside_limits::Product { states, transitions }),
        ..Stats::default()
    }
}

/// What stands for a run that is not wanted.
fn shown() -> Evidence {
    Evidence { states: Vec::new(), steps: Vec::new(), end: End::Stutter }
}

/// A strongly connected set of pairs that is accepting and fair.
pub(crate) struct AcceptingComponent {
    pub pairs: Vec<PairId>,
    /// For each pair by its number: zero if the search did not come to it. None: it came to all.
    seen: Option<Vec<u32>>,
}
