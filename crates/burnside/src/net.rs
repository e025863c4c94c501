//! Petri nets as models: loading them, and giving their places room.
//!
//! Entry points: [`Model::load_net`] and [`check_growing`]. A place that no invariant bounds starts with
//! little room; when a run needs more, the check stops, the place gets more and the check starts anew. If the
//! run shows that tokens can pile up without end, the place is unbounded: what was found on the way still
//! counts, everything else is unknown.

use crate::check::check_unless_outgrown;
use crate::clock::Clock;
use crate::external::{Places, span, unused_name};
use crate::model::{Front, Loaded, Model};
use crate::{CheckError, ExternalKind, ExternalProperty, Kind, Observer, Options, Report, check};
use burnside_explicit::{Canoniser, Counts, count};
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_limits::Stop;
use burnside_perm::{Automorphisms, Budget};
use burnside_petri::{
    Asked, Error, Formula, Global, MOST_TOKENS, Net, NetFairness, NetSymmetry, PlaceId, Plan, Query,
    QueryKind, Watched, automorphisms, colour_symmetry, global, lower, overfull, parse_query, read_pnml,
    read_properties, structural_bounds,
};
use burnside_trace::{End, Evidence};
use burnside_ts::{Fault, Leaf, System, bits, visible};
use std::time::{Duration, Instant};

/// The search for automorphisms of a place/transition net ends after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many states of an unbounded net are looked at.
const ENOUGH: u64 = 100_000;

/// So many numbers of tokens may be as wide as can be without making a state large.
const FEW_CELLS: usize = 256;

/// What else is to be known about a net.
#[derive(Clone, Debug, Default)]
pub struct NetOptions {
    /// What is assumed about firing.
    pub fairness: Option<NetFairness>,
    /// Whether symmetries need not be looked for.
    pub unreduced: bool,
}

/// A net and what its transition system is made from.
#[derive(Clone, Debug)]
pub struct NetModel {
    /// The net.
    pub net: Net,
    /// What leaves it as it is.
    pub symmetry: NetSymmetry,
    /// Whether the search for symmetries came to its end.
    pub complete: bool,
    /// What is asked.
    pub queries: Vec<Query>,
    watched: Vec<Watched>,
    fairness: Option<NetFairness>,
    /// By place, the room for tokens of one colour.
    bounds: Vec<u64>,
    /// By place, how many there can be, where an invariant tells.
    most: Vec<Option<u64>>,
    /// Why no room is enough, once that is known.
    endless: Option<Stop>,
}

impl NetModel {
    /// What is assumed about firing.
    pub fn fairness(&self) -> Option<NetFairness> {
        self.fairness
    }

    fn lower(&self) -> Result<System, Stop> {
        let NetModel { net, symmetry, bounds, fairness, queries, watched, .. } = self;
        lower(&Plan { net, symmetry, bounds, fairness: *fairness, queries, watched })
    }

    /// Whether a place may turn out too small.
    pub fn may_outgrow(&self) -> bool {
        self.bounds.iter().zip(&self.most).any(|(bound, most)| most.is_none_or(|most| *bound < most))
    }

    /// Gives a place, and all others without a known bound, more room. False if the place has all the room
    /// that there is.
    fn grow(&mut self, place: PlaceId) -> bool {
        let (room, most) = (self.bounds[place.index()], &mut self.most[place.index()]);
        if room >= MOST_TOKENS {
            return false;
        }
        // What a run shows counts more than what was computed.
        *most = most.filter(|most| *most > room);
        for (p, (bound, most)) in self.bounds.iter_mut().zip(&self.most).enumerate() {
            if p == place.index() || most.is_none() {
                let next = bound.saturating_mul(4).saturating_add(3).min(MOST_TOKENS);
                *bound = most.map_or(next, |most| next.min(most).max(*bound));
            }
        }
        true
    }

    /// Why a net cannot be followed where a step faults, or something that is asked about it.
    fn limit(&self, fault: &Fault) -> Stop {
        match overfull(&self.net, fault) {
            Some(place) => {
                let (name, room) = (&self.net.place(place).name, self.bounds[place.index()]);
                Stop::too_large(format!("place `{name}` needs room for more than {room} tokens"))
            }
            None => Stop::too_large("the numbers of tokens add up to more than 64 bits hold"),
        }
    }

    /// Gives every place as much room as it can ever need, or a lot. For a walk that is all there is, unless
    /// a marking would become too large by it.
    fn widen(&mut self, walk: bool) {
        let open = self.net.places.iter().zip(&self.most).filter(|(_, most)| most.is_none());
        let all = walk && open.map(|(place, _)| place.initial.len()).sum::<usize>() <= FEW_CELLS;
        let lot = |initial: &[u64]| {
            if all {
                return MOST_TOKENS;
            }
            initial.iter().copied().max().unwrap_or(0).saturating_mul(2).max(u64::from(u16::MAX))
        };
        for ((bound, most), place) in self.bounds.iter_mut().zip(&self.most).zip(&self.net.places) {
            *bound = most.unwrap_or_else(|| lot(&place.initial)).max(*bound).min(MOST_TOKENS);
        }
    }
}

impl Model {
    /// Loads a net from PNML, with questions from outside.
    pub fn load_net(source: &str, external: &[ExternalProperty], options: &NetOptions) -> Loaded {
        let mut loaded = Loaded::default();
        let net = match read_pnml(source) {
            Ok(net) => net,
            Err(errors) => {
                loaded.diagnostics = errors.into_iter().map(|error| wrong("pnml", error)).collect();
                return loaded;
            }
        };
        let mut asked = Questions::default();
        for external in external {
            let (name, diagnostics) = asked.add(&net, external);
            loaded.external.push(diagnostics);
            asked.named.push((name, external.clone()));
        }
        if loaded.external.iter().flatten().any(Diagnostic::is_error) {
            return loaded;
        }
        let Questions { queries, watched, named } = asked;
        let (symmetry, complete) = symmetry(&net, options.unreduced);
        let (bounds, most) = bounds(&net);
        let fairness = options.fairness;
        let endless = None;
        let model = NetModel { net, symmetry, complete, queries, watched, fairness, bounds, most, endless };
        match model.lower() {
            Ok(system) => {
                loaded.model = Some(Model {
                    front: Front::Net(Box::new(model)),
                    system,
                    external: named,
                    claimed: Vec::new(),
                });
            }
            Err(stop) => {
                let reason = stop.to_string();
                loaded.diagnostics.push(Diagnostic::error("net-too-large", Span::new(0, 0), reason));
            }
        }
        loaded
    }

    /// Why a net cannot be followed where a step faults: it has no faults of its own. None for other models.
    pub fn net_limit(&self, fault: &Fault) -> Option<Stop> {
        self.net().map(|net| net.limit(fault))
    }

    /// Gives the places of a net as much room as they can ever need, or a lot where that is not known: for
    /// walks that are not searches. Nothing changes for other models.
    pub fn widen(&mut self) -> Result<(), Stop> {
        if let Front::Net(net) = &mut self.front {
            net.widen(true);
            self.system = net.lower()?;
        }
        Ok(())
    }
}

/// The permutations that leave a net as it is, and whether all were found.
fn symmetry(net: &Net, unreduced: bool) -> (NetSymmetry, bool) {
    if unreduced {
        let nothing = Automorphisms { generators: Vec::new(), complete: true };
        return (NetSymmetry::Places(nothing), true);
    }
    if net.places.iter().any(|place| !place.domain.is_empty()) {
        return (NetSymmetry::Colours(colour_symmetry(net)), true);
    }
    let end = Instant::now() + PATIENCE;
    let found = automorphisms(net, &Budget { stop: &|| Instant::now() > end, ..Budget::default() });
    let complete = found.complete;
    (NetSymmetry::Places(found), complete)
}

/// By place, the room at first and the greatest that can be needed. One colour of a place rarely holds all of
/// its tokens, so there the invariant only says where to stop.
fn bounds(net: &Net) -> (Vec<u64>, Vec<Option<u64>>) {
    let most = structural_bounds(net);
    let room = |(place, most): (&burnside_petri::Place, &Option<u64>)| {
        let initial = place.initial.iter().copied().max().unwrap_or(0).max(1);
        match most {
            Some(most) if place.domain.is_empty() => (*most).max(initial).min(MOST_TOKENS),
            Some(_) => initial,
            None if place.domain.is_empty() => initial.max(3),
            None => initial,
        }
    };
    (net.places.iter().zip(&most).map(room).collect(), most)
}

/// What is asked about a net, as it is gathered.
#[derive(Default)]
struct Questions {
    queries: Vec<Query>,
    watched: Vec<Watched>,
    named: Vec<(String, ExternalProperty)>,
}

impl Questions {
    /// Adds a question: the name of the property (of a file with several, the file's), and what is wrong with
    /// it.
    fn add(&mut self, net: &Net, external: &ExternalProperty) -> (String, Vec<Diagnostic>) {
        let known: Vec<&str> = self.names().collect();
        let name = unused_name(&known, external);
        let kind = match external.kind {
            ExternalKind::Contest => {
                let read = read_properties(&external.text, net);
                let errors = self.adopt(read.map(|queries| self.renamed(queries)), "formulas");
                return (name, errors);
            }
            ExternalKind::Global => return self.global(net, external),
            ExternalKind::Hint => return (name, vec![no_hints(external)]),
            ExternalKind::Automaton => return (name.clone(), self.automaton(net, external, name)),
            ExternalKind::Invariant => QueryKind::Invariant,
            ExternalKind::Reachable => QueryKind::Reachable,
            ExternalKind::Ltl => QueryKind::Ltl,
            ExternalKind::Ctl => QueryKind::Ctl,
            ExternalKind::Bound => QueryKind::Bound,
        };
        let read = parse_query(&external.text, kind, &name, net).map(|query| vec![query]);
        (name, self.adopt(read, "formula"))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let queries = self.queries.iter().map(|query| query.name.as_str());
        queries.chain(self.watched.iter().map(|watched| watched.name.as_str()))
    }

    fn adopt(&mut self, read: Result<Vec<Query>, Vec<Error>>, code: &'static str) -> Vec<Diagnostic> {
        match read {
            Ok(queries) => {
                self.queries.extend(queries);
                Vec::new()
            }
            Err(errors) => errors.into_iter().map(|error| wrong(code, error)).collect(),
        }
    }

    /// The same questions, with names that are not taken.
    fn renamed(&self, mut queries: Vec<Query>) -> Vec<Query> {
        let mut taken: std::collections::HashSet<String> = self.names().map(str::to_string).collect();
        for query in &mut queries {
            let mut numbered = (2u32..).map(|number| format!("{}-{number}", query.name));
            let plain = std::iter::once(query.name.clone());
            let free = plain.chain(&mut numbered).find(|name| !taken.contains(name));
            query.name = free.expect("there are more numbers than names");
            taken.insert(query.name.clone());
        }
        queries
    }

    fn global(&mut self, net: &Net, external: &ExternalProperty) -> (String, Vec<Diagnostic>) {
        match Global::ALL.into_iter().find(|which| which.name() == external.text) {
            Some(which) => {
                let queries = self.renamed(vec![global(net, which)]);
                let name = queries[0].name.clone();
                self.queries.extend(queries);
                (name, Vec::new())
            }
            None => {
                let names: Vec<&str> = Global::ALL.iter().map(|which| which.name()).collect();
                let error = Error::new(0..external.text.len(), "there is no general property of this name");
                let error = error.with_help(format!("there are {}", names.join(", ")));
                (external.text.clone(), vec![wrong("unknown-global", error)])
            }
        }
    }

    fn automaton(&mut self, net: &Net, external: &ExternalProperty, name: String) -> Vec<Diagnostic> {
        let (hoa, text) = match external.automaton() {
            Ok(read) => read,
            Err(wrong) => return wrong,
        };
        let (mut conditions, mut diagnostics): (Vec<Formula>, Vec<Diagnostic>) = Default::default();
        for (proposition, inside) in hoa.names.iter().zip(hoa.spans) {
            match parse_query(proposition, QueryKind::Invariant, &name, net) {
                Ok(Query { asked: Asked::Invariant(condition), .. }) => conditions.push(condition),
                Ok(_) => unreachable!("a condition was asked for"),
                Err(errors) => {
                    let places = Places::quoted(&external.text, inside);
                    let moved = |error: Error| diagnostic("hoa", places.span(error.span.clone()), error);
                    diagnostics.extend(errors.into_iter().map(moved));
                }
            }
        }
        self.watched.push(Watched { name, text, conditions, automaton: hoa.automaton });
        diagnostics
    }
}

fn no_hints(external: &ExternalProperty) -> Diagnostic {
    let error = Error::new(0..external.text.len(), "a Petri net takes no hints");
    wrong("no-hints", error.with_help("hints are for models in the `.orb` language"))
}

fn wrong(code: &'static str, error: Error) -> Diagnostic {
    diagnostic(code, span(error.span.clone()), error)
}

fn diagnostic(code: &'static str, span: Span, error: Error) -> Diagnostic {
    let help = error.help.map(|help| visible(&help));
    Diagnostic { help, ..Diagnostic::error(code, span, visible(&error.message)) }
}

/// Checks a model; the places of a net get more room as long as they need it.
pub fn check_growing(
    model: &mut Model,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Report, CheckError> {
    if model.net().is_none() {
        return check(model, options, observer);
    }
    let started = Instant::now();
    let mut options = options.clone();
    options.limits.since.get_or_insert(started);
    loop {
        let report = check_unless_outgrown(model, &options, observer)?;
        let Front::Net(net) = &mut model.front else { return Ok(report) };
        let Some((fault, run)) = fault(&report) else {
            return Ok(Report { time: started.elapsed(), ..without_faults(report, net) });
        };
        let stop = match (unbounded(&net.net, &model.system, run), overfull(&net.net, &fault)) {
            (Some(place), _) => {
                Some(Stop::Unbounded(format!("place `{}` is unbounded", net.net.place(place).name)))
            }
            (None, Some(place)) if net.grow(place) => net.lower().map(|system| model.system = system).err(),
            _ => Some(net.limit(&fault)),
        };
        if let Some(stop) = stop {
            // What can be shown by a run may still be found, with a lot of room and not too many states.
            net.endless = Some(stop.clone());
            net.widen(false);
            net.lower().map(|system| model.system = system).ok();
            options.limits.states = Some(options.limits.states.map_or(ENOUGH, |states| states.min(ENOUGH)));
            let report = check(model, &options, observer)?;
            let Front::Net(net) = &model.front else { return Ok(report) };
            let report = without_faults(doubtful(report, &stop), net);
            return Ok(Report { time: started.elapsed(), ..report });
        }
    }
}

/// Counts the states and steps of the original system by one walk over its orbits; otherwise says why that
/// cannot be. A net must have room enough: check it first.
pub fn state_space(model: &Model, options: &Options) -> Result<Counts, Stop> {
    if let Some(stop) = model.net().and_then(|net| net.endless.clone()) {
        return Err(stop);
    }
    let clock = Clock::start(&options.limits);
    let system = &model.system;
    let symmetry = options.allowed(&system.symmetry, &system.types);
    let counted = clock.within(|| {
        let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(system, &symmetry, true));
        count(system, canoniser, &options.limits)
    });
    let counts = counted.and_then(|counts| counts).map_err(|stop| clock.explain(stop))?;
    match counts.fault {
        Some(fault) => Err(model
            .net_limit(&fault)
            .unwrap_or_else(|| Stop::Undefined(system.site(fault.site).text.clone()))),
        None => Ok(counts),
    }
}

/// The fault of a step that a check found, with the run that shows it.
fn fault(report: &Report) -> Option<(Fault, &Evidence)> {
    let run = report.results.iter().find(|result| result.kind == Kind::Faults)?.evidence.as_ref()?;
    Some((faulted(run)?, run))
}

/// The fault that a run ends with.
fn faulted(run: &Evidence) -> Option<Fault> {
    match run.end {
        End::Fault(_, fault) | End::Undefined(fault) => Some(fault),
        _ => None,
    }
}

/// A place in which tokens can pile up without end, if the run shows one: some marking of it covers an
/// earlier one, and what happened between them can happen again and again. Not so where missing tokens
/// matter.
fn unbounded(net: &Net, system: &System, run: &Evidence) -> Option<PlaceId> {
    if net.transitions.iter().any(|it| !it.inhibitors.is_empty() || !it.resets.is_empty()) {
        return None;
    }
    let leaves = system.leaves();
    let markings: Vec<Vec<u64>> = run.states.iter().map(|state| marking(system, &leaves, state)).collect();
    let last = markings.last()?;
    let covered =
        markings.iter().rev().skip(1).find(|before| {
            before.iter().zip(last).all(|(before, after)| before <= after) && before != &last
        })?;
    let more = covered.iter().zip(last).position(|(before, after)| before < after)?;
    let name = leaves[more].name.split('[').next().unwrap_or_default();
    let named = net.places.iter().position(|place| leaves[more].name == place.name || name == place.name);
    named.map(|place| PlaceId(place as u32))
}

fn marking(system: &System, leaves: &[Leaf], state: &[u64]) -> Vec<u64> {
    let words = [state, &[0; bits::SPARE]].concat();
    leaves.iter().map(|leaf| bits::read(&words, leaf.offset, system.types.width(leaf.ty))).collect()
}

/// A net has no faults of its own. Where evaluating a question faults, its numbers are too great for us, and
/// the answer is not known.
fn without_faults(mut report: Report, net: &NetModel) -> Report {
    report.results.retain(|result| result.kind != Kind::Faults);
    for result in &mut report.results {
        if let Some(fault) = result.evidence.as_ref().and_then(faulted) {
            result.retract(net.limit(&fault));
        }
    }
    report
}

/// Only what was shown by a run still counts.
fn doubtful(mut report: Report, stop: &Stop) -> Report {
    report.unreduced = None;
    for result in &mut report.results {
        result.unreduced = None;
        if result.evidence.is_none() || result.kind == Kind::Bound {
            result.retract(stop.clone());
        }
    }
    report
}
