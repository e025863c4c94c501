//! A net and questions about it as a transition system.
//!
//! Entry point: [`lower`]. Every place becomes a variable: a number of tokens, or for a coloured place an
//! array of them over its classes. Every transition becomes a process of its own with one nameless rule,
//! whose parameters are the variables of the transition; so "fair" can be said of the transition (the
//! process) and of each binding (the rule). Where a place/transition net is symmetric, the places that move
//! and have the same bound are one nameless array over a sort that has them as elements, and the rules are
//! the elements of another.
//!
//! A place holds at most as many tokens (of each colour) as its bound says. A step that would bring more
//! faults at the site with the number of the place: see [`overfull`]. What the net then really does is not
//! known, and the caller has to give it more room.

mod cells;
mod query;
mod rule;
mod symmetry;

use crate::net::{Net, PlaceId};
use crate::query::{Formula, Query};
use burnside_limits::Stop;
use burnside_ts::{
    Automaton, Fair, Fault, Process, ProcessId, Property, RuleId, Site, SiteId, Strength, System, Types,
    UnitFamily, UnitId, Var,
};
use cells::Cells;
pub(crate) use rule::parameters;
pub use symmetry::NetSymmetry;

/// What is assumed about firing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetFairness {
    /// How fair.
    pub strength: Strength,
    /// Whether each binding of a transition is a unit, not the transition as a whole.
    pub by_binding: bool,
}

/// What becomes a transition system.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'n> {
    /// The net.
    pub net: &'n Net,
    /// What is known to leave it as it is.
    pub symmetry: &'n NetSymmetry,
    /// By place, how many tokens of one colour it holds at most.
    pub bounds: &'n [u64],
    /// What is assumed about firing.
    pub fairness: Option<NetFairness>,
    /// What is asked.
    pub queries: &'n [Query],
    /// What automata from outside look at.
    pub watched: &'n [Watched],
}

/// The conditions that an automaton from outside reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The name of the property.
    pub name: String,
    /// What the automaton is called.
    pub text: String,
    /// What its atoms mean: no path operators.
    pub conditions: Vec<Formula>,
    /// The automaton.
    pub automaton: Automaton,
}

/// Makes the transition system.
pub fn lower(plan: &Plan<'_>) -> Result<System, Stop> {
    let Plan { net, symmetry, bounds, fairness, .. } = *plan;
    let mut types = Types::new();
    let sorts = symmetry::Sorts::declare(net, symmetry, bounds, &mut types)?;
    let (cells, vars, width) = Cells::lay_out(net, &sorts, bounds, &mut types)?;
    let sites = net.places.iter().map(|place| site(&place.name)).chain([site(&net.name)]).collect();
    let mut lowering = Lowering { net, types, cells, sorts, slots: 0 };
    let rules: Vec<_> = net.transitions.iter().enumerate().map(|(t, it)| lowering.rule(t, it)).collect();
    let init = lowering.initial();
    let mut properties: Vec<Property> =
        plan.queries.iter().map(|query| lowering.property(symmetry, query)).collect();
    properties.extend(plan.watched.iter().map(|watched| lowering.observed(symmetry, watched)));
    let mut system = System {
        vars,
        width,
        original: None,
        frame: lowering.slots + 1,
        processes: net.transitions.iter().map(process).collect(),
        rules,
        functions: Vec::new(),
        init,
        fairness: Vec::new(),
        fair_sets: Vec::new(),
        properties,
        hints: Vec::new(),
        deadlock_free: false,
        constraint: None,
        rule_sort: lowering.sorts.rules,
        foreign: None,
        accelerator: None,
        symmetry: lowering.sorts.symmetry(net, symmetry, &lowering.types),
        sites,
        types: lowering.types,
    };
    system.fairness = units(&system, fairness)?;
    Ok(system)
}

/// The place that a fault says is too small; none: it is another fault.
pub fn overfull(net: &Net, fault: &Fault) -> Option<PlaceId> {
    (fault.site.index() < net.places.len()).then_some(PlaceId(fault.site.0))
}

/// What the parts of the translation share.
struct Lowering<'n> {
    net: &'n Net,
    types: Types,
    /// By place.
    cells: Vec<Cells>,
    sorts: symmetry::Sorts,
    /// How many words of the frame are in use somewhere.
    slots: usize,
}

impl Lowering<'_> {
    /// What is blamed if a place is too small.
    fn site(place: PlaceId) -> SiteId {
        SiteId(place.0)
    }

    /// What is blamed for what cannot happen.
    fn nowhere(&self) -> SiteId {
        SiteId(self.net.places.len() as u32)
    }
}

fn site(text: &str) -> Site {
    Site { text: text.to_string(), origin: 0, line: 1, column: 1, message: None }
}

fn process(transition: &crate::Transition) -> Process {
    Process { name: transition.name.clone(), indices: Vec::new() }
}

/// The fairness units: one for each transition, or for each binding.
fn units(system: &System, fairness: Option<NetFairness>) -> Result<Vec<UnitFamily>, Stop> {
    let Some(NetFairness { strength, by_binding }) = fairness else { return Ok(Vec::new()) };
    let mut first = 0u32;
    let families = system.rules.iter().enumerate().map(|(i, rule)| {
        let sizes = rule.params.iter().map(|param| system.types.size(param.binder.ty));
        let count = match by_binding {
            true => sizes.into_iter().try_fold(1u64, |count, size| count.checked_mul(size?)),
            false => Some(1),
        };
        let count = count.and_then(|count| u32::try_from(count).ok());
        let last = count.and_then(|count| first.checked_add(count));
        let (Some(count), Some(last)) = (count, last) else {
            return Err(Stop::too_large("there are too many bindings to be fair to each".to_string()));
        };
        let target = match by_binding {
            true => Fair::Rule(RuleId(i as u32)),
            false => Fair::Process(ProcessId(i as u32)),
        };
        let family = UnitFamily { target, strength, changing: false, first: UnitId(first), count };
        first = last;
        Ok(family)
    });
    families.collect()
}

/// A variable of the state.
fn variable(name: String, ty: burnside_ts::TypeId, offset: u32) -> Var {
    Var { name, process: None, qualified: false, ty, offset }
}
