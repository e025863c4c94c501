//! The room of a net's places: a net, what is asked about it, and how many tokens each place can hold.
//!
//! Entry points: [`NetModel::new`], [`NetModel::lower`] and [`NetModel::outgrown`]. A place that no invariant
//! bounds starts with little room; when a run needs more, the place gets more and the net is asked anew. If
//! the run shows that tokens can pile up without end, the place is unbounded. Who asks is not known here:
//! runs come as states.
//!
//! Invariant: the bounds never shrink, and a run that needs more room than there is faults at the site of the
//! place. So what is answered without such a fault is true of the net itself.

use crate::net::{MOST_TOKENS, Net, Place, PlaceId};
use crate::questions::Questions;
use crate::{
    NetFairness, NetSymmetry, Plan, Reductions, automorphisms, colour_symmetry, lower, overfull,
    structural_bounds,
};
use burnside_limits::Stop;
use burnside_perm::{Automorphisms, Budget};
use burnside_ts::{Fault, Leaf, System, bits};
use std::time::{Duration, Instant};

/// The search for automorphisms of a place/transition net ends after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many numbers of tokens may be as wide as can be without making a state large.
const FEW_CELLS: usize = 256;

/// What else is to be known about a net.
#[derive(Clone, Debug, Default)]
pub struct NetOptions {
    /// What is assumed about firing.
    pub fairness: Option<NetFairness>,
    /// Whether symmetries need not be looked for.
    pub unreduced: bool,
    /// When questions are asked of a smaller net.
    pub reductions: Reductions,
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
    pub asked: Questions,
    /// When questions are asked of a smaller net.
    pub reductions: Reductions,
    fairness: Option<NetFairness>,
    /// By place, the room for tokens of one colour.
    bounds: Vec<u64>,
    /// By place, how many there can be, where an invariant tells.
    most: Vec<Option<u64>>,
    /// Why no room is enough, once that is known.
    endless: Option<Stop>,
    /// Whether a search went through with this room, or it is known that none is enough.
    settled: bool,
}

impl NetModel {
    /// A net whose places have the room that they start with.
    pub fn new(net: Net, asked: Questions, options: &NetOptions) -> Self {
        let (symmetry, complete) = symmetry(&net, options.unreduced);
        let (bounds, most) = bounds(&net);
        let NetOptions { fairness, reductions, .. } = *options;
        let (endless, settled) = (None, false);
        Self { net, symmetry, complete, asked, reductions, fairness, bounds, most, endless, settled }
    }

    /// The transition system, with the room that there is now.
    pub fn lower(&self) -> Result<System, Stop> {
        let NetModel { net, symmetry, bounds, fairness, asked, .. } = self;
        let Questions { queries, watched } = asked;
        lower(&Plan { net, symmetry, bounds, fairness: *fairness, queries, watched })
    }

    /// What is assumed about firing.
    pub fn fairness(&self) -> Option<NetFairness> {
        self.fairness
    }

    /// Why no room is enough, once that is known.
    pub fn endless(&self) -> Option<&Stop> {
        self.endless.as_ref()
    }

    /// Whether a search went through with this room, or it is known that none is enough.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Notes that a search went through with this room.
    pub fn settle(&mut self) {
        self.settled = true;
    }

    /// The same net with the same room, of which nothing is asked.
    pub fn unasked(&self) -> Self {
        Self { asked: Questions::default(), ..self.clone() }
    }

    /// Whether a place may turn out too small.
    pub fn may_outgrow(&self) -> bool {
        self.bounds.iter().zip(&self.most).any(|(bound, most)| most.is_none_or(|most| *bound < most))
    }

    /// Why the net cannot be followed where a step faults, or something that is asked about it.
    pub fn limit(&self, fault: &Fault) -> Stop {
        match overfull(&self.net, fault) {
            Some(place) => {
                let (name, room) = (&self.net.place(place).name, self.bounds[place.index()]);
                Stop::too_large(format!("place `{name}` needs room for more than {room} tokens"))
            }
            None => Stop::too_large("the numbers of tokens add up to more than 64 bits hold"),
        }
    }

    /// A run of the system ends with a fault: the system with more room, or why more would not help.
    pub fn outgrown(
        &mut self,
        system: &System,
        states: &[Box<[u64]>],
        fault: &Fault,
    ) -> Result<System, Stop> {
        match (unbounded(&self.net, system, states), overfull(&self.net, fault)) {
            (Some(place), _) => {
                Err(Stop::Unbounded(format!("place `{}` is unbounded", self.net.place(place).name)))
            }
            (None, Some(place)) if self.grow(place) => self.lower(),
            _ => Err(self.limit(fault)),
        }
    }

    /// No room is enough, for this reason: the system with a lot of room, in which only runs count. None if
    /// it would be too large.
    pub fn give_up(&mut self, stop: Stop) -> Option<System> {
        self.endless = Some(stop);
        self.settle();
        self.widen(false);
        self.lower().ok()
    }

    /// The system with as much room as places can ever need, or a lot where that is not known: for walks that
    /// are not searches.
    pub fn widened(&mut self) -> Result<System, Stop> {
        self.widen(true);
        self.lower()
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

/// The permutations that leave a net as it is, and whether all were found.
fn symmetry(net: &Net, unreduced: bool) -> (NetSymmetry, bool) {
    if unreduced {
        let nothing = Automorphisms { generators: Vec::new(), complete: true, base: Vec::new() };
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
    let room = |(place, most): (&Place, &Option<u64>)| {
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

/// A place in which tokens can pile up without end, if the states of a run show one: some marking covers an
/// earlier one, and what happened between them can happen again and again. Not so where missing tokens
/// matter.
fn unbounded(net: &Net, system: &System, states: &[Box<[u64]>]) -> Option<PlaceId> {
    if net.transitions.iter().any(|it| !it.inhibitors.is_empty() || !it.resets.is_empty()) {
        return None;
    }
    let leaves = system.leaves();
    let markings: Vec<Vec<u64>> = states.iter().map(|state| marking(system, &leaves, state)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_pnml;
    use burnside_ts::{FaultKind, SiteId};

    /// `make` fills `heap`; with an inhibitor arc only while it is empty.
    fn heap(arc: &str) -> NetModel {
        let text = format!(
            r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
            <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
            <place id="heap"/><transition id="make"/><arc id="a" source="make" target="heap"/>{arc}
            </page></net></pnml>"#
        );
        NetModel::new(read_pnml(&text).unwrap(), Questions::default(), &NetOptions::default())
    }

    fn overfull_heap() -> Fault {
        Fault { site: SiteId(0), kind: FaultKind::OutOfRange { value: 4, lo: 0, hi: 3 } }
    }

    #[test]
    fn room_grows_until_there_is_no_more() {
        let mut model = heap("");
        let mut system = model.lower().unwrap();
        let mut room = vec![model.bounds[0]];
        // One state shows nothing about piling up.
        let states = [vec![0; system.words()].into_boxed_slice()];
        let stop = loop {
            match model.outgrown(&system, &states, &overfull_heap()) {
                Ok(larger) => system = larger,
                Err(stop) => break stop,
            }
            room.push(model.bounds[0]);
        };
        assert!(room.is_sorted_by(|a, b| a < b) && room[0] == 3, "{room:?}");
        assert_eq!(room.last(), Some(&MOST_TOKENS));
        assert_eq!(stop, model.limit(&overfull_heap()));
        assert!(!model.is_settled() && model.endless().is_none());
    }

    #[test]
    fn a_run_that_covers_itself_has_no_bound() {
        let mut model = heap("");
        let system = model.lower().unwrap();
        let states = [0, 1].map(|tokens| vec![tokens; system.words()].into_boxed_slice());
        let stop = model.outgrown(&system, &states, &overfull_heap()).unwrap_err();
        assert_eq!(stop, Stop::Unbounded("place `heap` is unbounded".to_string()));
        assert!(model.give_up(stop.clone()).is_some());
        assert!(model.is_settled() && model.endless() == Some(&stop));
        assert!(model.bounds[0] >= u64::from(u16::MAX));
    }

    /// Where a transition needs a place to be empty, more tokens may end what went on with fewer.
    #[test]
    fn with_inhibitors_nothing_is_said_about_piling_up() {
        let arc = r#"<arc id="i" source="heap" target="make"><type value="inhibitor"/></arc>"#;
        let mut model = heap(arc);
        assert!(!model.net.transitions[0].inhibitors.is_empty(), "{:?}", model.net);
        let system = model.lower().unwrap();
        let states = [0, 1].map(|tokens| vec![tokens; system.words()].into_boxed_slice());
        assert!(model.outgrown(&system, &states, &overfull_heap()).is_ok());
    }
}
