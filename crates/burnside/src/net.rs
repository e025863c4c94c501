//! Petri nets as models: loading them, and giving their places room.
//!
//! Entry points: [`Model::load_net`] and [`check_growing`]. A place that no invariant bounds starts with little room; when a run needs
//! more, the check stops, the place gets more and the check starts anew. If the run shows that tokens can pile up without end, the place is unbounded:
//! what was found on the way still counts, everything else is unknown.

use crate::check::{Watch, allowed, check_unless_outgrown, limit};
use crate::given::unused_name;
use crate::model::{Front, Loaded, Model};
use crate::{CheckError, Given, GivenKind, Kind, Limits, Observer, Options, Report, Verdict, check};
use burnside_explicit::{Bounds, Canoniser, Counts, Stopped, count};
use burnside_lang::diagnostic::{Diagnostic, Span};
use burnside_logic::{Automaton, read_hoa};
use burnside_perm::{Automorphisms, Budget};
use burnside_petri::{
    Asked, Error, Formula, Global, Net, NetFairness, NetSymmetry, PlaceId, Plan, Query, QueryKind, TooLarge,
    Watched, automorphisms, colour_symmetry, global, lower, overfull, parse_query, read_pnml,
    read_properties, structural_bounds,
};
use burnside_trace::{End, Evidence};
use burnside_ts::{Leaf, System, bits};
use std::path::Path;
use std::time::{Duration, Instant};

/// The search for automorphisms of a place/transition net ends after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many states of an unbounded net are looked at.
const ENOUGH: u64 = 100_000;

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
    endless: Option<String>,
}

impl NetModel {
    /// What is assumed about firing.
    pub fn fairness(&self) -> Option<NetFairness> {
        self.fairness
    }

    fn lower(&self) -> Result<System, TooLarge> {
        let NetModel { net, symmetry, bounds, fairness, queries, watched, .. } = self;
        lower(&Plan { net, symmetry, bounds, fairness: *fairness, queries, watched })
    }

    /// Whether a place may turn out too small.
    pub fn may_outgrow(&self) -> bool {
        self.bounds.iter().zip(&self.most).any(|(bound, most)| most.is_none_or(|most| *bound < most))
    }

    /// Gives a place, and all others without a known bound, more room.
    fn grow(&mut self, place: PlaceId) {
        for (p, (bound, most)) in self.bounds.iter_mut().zip(&self.most).enumerate() {
            if p == place.index() || most.is_none() {
                let next = bound.saturating_mul(4).saturating_add(3);
                *bound = most.map_or(next, |most| next.min(most).max(*bound));
            }
        }
    }

    /// Gives every place as much room as it can ever need, or a lot.
    fn widen(&mut self) {
        let lot = |initial: &[u64]| {
            initial.iter().copied().max().unwrap_or(0).saturating_mul(2).max(u64::from(u16::MAX))
        };
        for ((bound, most), place) in self.bounds.iter_mut().zip(&self.most).zip(&self.net.places) {
            *bound = most.unwrap_or_else(|| lot(&place.initial)).max(*bound);
        }
    }
}

impl Model {
    /// Loads a net from PNML, with questions from outside.
    pub fn load_net(source: &str, given: &[Given], options: &NetOptions) -> Loaded {
        let mut loaded = Loaded::default();
        let net = match read_pnml(source) {
            Ok(net) => net,
            Err(errors) => {
                loaded.diagnostics = errors.into_iter().map(|error| diagnostic("pnml", error)).collect();
                return loaded;
            }
        };
        let mut asked = Questions::default();
        for given in given {
            let (name, diagnostics) = asked.add(&net, given);
            loaded.given.push(diagnostics);
            asked.named.push((name, given.clone()));
        }
        if loaded.given.iter().flatten().any(Diagnostic::is_error) {
            return loaded;
        }
        let Questions { queries, watched, automata, named } = asked;
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
                    automata,
                    given: named,
                    claimed: Vec::new(),
                });
            }
            Err(TooLarge(reason)) => {
                loaded.diagnostics.push(Diagnostic::error("net-too-large", Span::new(0, 0), reason));
            }
        }
        loaded
    }

    /// Gives the places of a net as much room as they can ever need, or a lot where that is not known: for walks that are not
    /// searches. Nothing changes for other models.
    pub fn widen(&mut self) -> Result<(), TooLarge> {
        if let Front::Net(net) = &mut self.front {
            net.widen();
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

/// By place, the room at first and the greatest that can be needed. One colour of a place rarely holds all of its tokens, so there the
/// invariant only says where to stop.
fn bounds(net: &Net) -> (Vec<u64>, Vec<Option<u64>>) {
    let most = structural_bounds(net);
    let room = |(place, most): (&burnside_petri::Place, &Option<u64>)| {
        let initial = place.initial.iter().copied().max().unwrap_or(0).max(1);
        match most {
            Some(most) if place.domain.is_empty() => (*most).max(initial),
            Some(most) => initial.min((*most).max(1)),
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
    automata: Vec<Automaton>,
    named: Vec<(String, Given)>,
}

impl Questions {
    /// Adds something given: the name of the property (of a file with several, the file's), and what is wrong with it.
    fn add(&mut self, net: &Net, given: &Given) -> (String, Vec<Diagnostic>) {
        let known: Vec<&str> = self.names().collect();
        let name = unused_name(&known, given);
        let kind = match given.kind {
            GivenKind::Contest => {
                let read = read_properties(&given.text, net);
                let errors = self.adopt(read.map(|queries| self.renamed(queries)), "formulas");
                return (name, errors);
            }
            GivenKind::Global => return self.global(net, given),
            GivenKind::Hint => return (name, vec![no_hints(given)]),
            GivenKind::Automaton => return (name.clone(), self.automaton(net, given, name)),
            GivenKind::Invariant => QueryKind::Invariant,
            GivenKind::Reachable => QueryKind::Reachable,
            GivenKind::Ltl => QueryKind::Ltl,
            GivenKind::Ctl => QueryKind::Ctl,
            GivenKind::Bound => QueryKind::Bound,
        };
        let read = parse_query(&given.text, kind, &name, net).map(|query| vec![query]);
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
            Err(errors) => errors.into_iter().map(|error| diagnostic(code, error)).collect(),
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

    fn global(&mut self, net: &Net, given: &Given) -> (String, Vec<Diagnostic>) {
        match Global::ALL.into_iter().find(|which| which.name() == given.text) {
            Some(which) => {
                let queries = self.renamed(vec![global(net, which)]);
                let name = queries[0].name.clone();
                self.queries.extend(queries);
                (name, Vec::new())
            }
            None => {
                let names: Vec<&str> = Global::ALL.iter().map(|which| which.name()).collect();
                let error = Error::new(0..given.text.len(), "there is no general property of this name");
                let error = error.with_help(format!("there are {}", names.join(", ")));
                (given.text.clone(), vec![diagnostic("unknown-global", error)])
            }
        }
    }

    fn automaton(&mut self, net: &Net, given: &Given, name: String) -> Vec<Diagnostic> {
        let hoa = match read_hoa(&given.text) {
            Ok(hoa) => hoa,
            Err(error) => return vec![diagnostic("hoa", Error::new(error.span, error.message))],
        };
        let (mut conditions, mut diagnostics): (Vec<Formula>, Vec<Diagnostic>) = Default::default();
        for proposition in &hoa.names {
            match parse_query(proposition, QueryKind::Invariant, &name, net) {
                Ok(Query { asked: Asked::Invariant(condition), .. }) => conditions.push(condition),
                Ok(_) => unreachable!("a condition was asked for"),
                Err(errors) => diagnostics.extend(errors.into_iter().map(|error| {
                    let message = format!("in the proposition `{proposition}`: {}", error.message);
                    diagnostic("hoa", Error { span: 0..given.text.len(), message, ..error })
                })),
            }
        }
        let file = || Path::new(&given.origin).file_name().map(|name| name.to_string_lossy().into_owned());
        let text = hoa.title.or_else(file).unwrap_or_else(|| given.origin.clone());
        self.watched.push(Watched { name, text, conditions });
        self.automata.push(hoa.automaton);
        diagnostics
    }
}

fn no_hints(given: &Given) -> Diagnostic {
    let error = Error::new(0..given.text.len(), "a Petri net takes no hints");
    diagnostic("no-hints", error.with_help("hints are for models in the `.orb` language"))
}

fn diagnostic(code: &'static str, error: Error) -> Diagnostic {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(place(error.span.start), place(error.span.end));
    Diagnostic { help: error.help, ..Diagnostic::error(code, span, error.message) }
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
    let whole = options.limits.time;
    loop {
        let report = check_unless_outgrown(model, &options, observer)?;
        let Front::Net(net) = &mut model.front else { return Ok(report) };
        let Some((place, run)) = outgrown(&net.net, &report) else {
            return Ok(Report { time: started.elapsed(), ..without_faults(report) });
        };
        let stop = match unbounded(&net.net, &model.system, run) {
            Some(place) => Some(format!("place `{}` is unbounded", net.net.place(place).name)),
            None => {
                net.grow(place);
                net.lower().map(|system| model.system = system).err().map(|TooLarge(reason)| reason)
            }
        };
        options.limits.time = whole.map(|whole| whole.saturating_sub(started.elapsed()));
        if let Some(reason) = stop {
            // What can be shown by a run may still be found, with a lot of room and not too many states.
            net.endless = Some(reason.clone());
            net.widen();
            net.lower().map(|system| model.system = system).ok();
            options.limits.states = Some(options.limits.states.map_or(ENOUGH, |states| states.min(ENOUGH)));
            let report = check(model, &options, observer)?;
            return Ok(Report { time: started.elapsed(), ..doubtful(report, &reason) });
        }
    }
}

/// Counts the states and steps of the original system by one walk over its orbits; otherwise says why that cannot be. A net must have room
/// enough: check it first.
pub fn state_space(model: &Model, options: &Options) -> Result<Counts, String> {
    if let Some(reason) = model.net().and_then(|net| net.endless.clone()) {
        return Err(reason);
    }
    let watch = Watch::start(options.limits.time, options.interrupt.clone());
    let system = &model.system;
    let symmetry = allowed(&system.symmetry, system, options);
    let canoniser = (!symmetry.is_trivial()).then(|| Canoniser::new(system, &symmetry, true));
    let Limits { states, memory, .. } = options.limits;
    let bounds = Bounds { nodes: states, memory, interrupt: options.interrupt.clone() };
    let counts = count(system, canoniser, &bounds).map_err(|stopped| match stopped {
        Stopped::Interrupted => watch.reason(options.limits.time),
        Stopped::Full(full) => limit(full, &options.limits),
    })?;
    match counts.faulted {
        true if model.net().is_some() => Err("some place needs more room than it was given".to_string()),
        true => Err("a step faults".to_string()),
        false => Ok(counts),
    }
}

/// The place that became too small, with the run that shows it.
fn outgrown<'r>(net: &Net, report: &'r Report) -> Option<(PlaceId, &'r Evidence)> {
    let run = report.results.iter().find(|result| result.kind == Kind::Faults)?.evidence.as_ref()?;
    match &run.end {
        End::Fault(_, fault) => Some((overfull(net, fault)?, run)),
        _ => None,
    }
}

/// A place in which tokens can pile up without end, if the run shows one: some marking of it covers an earlier one, and what happened between them can
/// happen again and again. Not so where missing tokens matter.
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

/// A net has no faults of its own.
fn without_faults(mut report: Report) -> Report {
    report.results.retain(|result| result.kind != Kind::Faults);
    report
}

/// Only what was shown by a run still counts.
fn doubtful(report: Report, reason: &str) -> Report {
    let mut report = without_faults(report);
    report.unreduced = None;
    for result in &mut report.results {
        result.unreduced = None;
        if result.evidence.is_none() || result.kind == Kind::Bound {
            result.verdict = Verdict::Unknown(reason.to_string());
            (result.tree, result.value) = (None, None);
        }
    }
    report
}
