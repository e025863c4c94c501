//! Short closed walks through a part of the product that meet every acceptance set and are fair.
//!
//! Entry point: [`Closer::closed_walk`]. If what a walk has to collect fits into few bits, pairs with what
//! was collected so far are searched breadth first, so the result is as short as can be. Otherwise, or if
//! that is too much work, the walk goes to the nearest place that has something new, and so on, and then
//! home.

use super::Work;
use super::ball::{Ball, BallEdge};
use super::states::{LabelNumber, OriginalGraph};
use crate::fair::components;
use burnside_limits::poll;
use burnside_logic::Marks;
use burnside_ts::{Strength, UnitId};
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// A closed walk: the pairs, and the edge that leaves each.
pub(super) type ClosedWalk = Vec<(u32, BallEdge)>;

/// So many moves of the product are spent on the exact search from one pair, at most.
const MOST_FROM_ONE: u64 = 400_000;

/// A strongly connected part of a ball in which there is an accepting fair cycle.
pub(super) struct Closer<'b, 'g, 's> {
    ball: &'b Ball,
    graph: &'g OriginalGraph<'s>,
    marks: Marks,
    /// By pair of the ball: its place in the part; none if it is outside.
    places: HashMap<u32, u32>,
    /// The pairs of the part.
    pub nodes: Vec<u32>,
    /// By place, the edges inside, to places.
    inner: Vec<Vec<BallEdge>>,
    /// By place, the places from which an edge leads there.
    before: Vec<Vec<u32>>,
    /// What has to be collected, if it fits.
    goals: Option<Goals>,
    /// The weakly fair units, and the strongly fair ones that are enabled somewhere in the part.
    weak: Vec<u32>,
    strong: Vec<u32>,
    /// Whether the part as a whole is fair, so that a walk that collects everything is.
    is_fair: bool,
}

/// A place with what was collected on the way there.
type PlaceGoals = (u32, u64);

/// How a place with what was collected was first reached.
#[derive(Clone, Copy)]
struct Visit {
    from: PlaceGoals,
    edge: BallEdge,
    /// By so many steps.
    length: u32,
    /// How often another process moves on the way, and which moved last.
    switches: u32,
    executor: u32,
}

/// The walk that ends with a visit.
fn walk_to(known: &HashMap<PlaceGoals, Visit>, last: Visit) -> Vec<(u32, BallEdge)> {
    let mut walk = vec![(last.from.0, last.edge)];
    let mut at = last.from;
    while let Some(visit) = known.get(&at) {
        walk.push((visit.from.0, visit.edge));
        at = visit.from;
    }
    walk.reverse();
    walk
}

/// What a walk has collected, as bits: for each strongly fair unit whether it was executed, then whether it
/// was enabled; for each weakly fair one whether it was executed or disabled; the acceptance sets.
struct Goals {
    strong: u32,
    /// The bits that must be there at the end.
    must: u64,
    /// By unit, the bit of its execution.
    executed: HashMap<u32, u64>,
    /// By place, what being there collects.
    here: Vec<u64>,
    first_mark: u32,
}

impl Goals {
    fn collected(&self, units: &[u32], edge: &BallEdge) -> u64 {
        let executed = units.iter().filter_map(|unit| self.executed.get(unit)).fold(0, |all, bit| all | bit);
        executed | (edge.marks.0 << self.first_mark)
    }

    fn are_met(&self, collected: u64) -> bool {
        let neglected = (collected >> self.strong) & !collected & low(self.strong);
        collected & self.must == self.must && neglected == 0
    }
}

/// So many low bits.
fn low(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// The strongly connected parts of a ball in which there is an accepting fair cycle, and within them the
/// smaller parts that are fair as a whole.
pub(super) fn fair_parts<'b, 'g, 's>(
    ball: &'b Ball,
    graph: &'g OriginalGraph<'s>,
    marks: Marks,
) -> Vec<Closer<'b, 'g, 's>> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<u32>, bool)> = vec![((0..ball.len() as u32).collect(), true)];
    while let Some((nodes, is_outer)) = open.pop() {
        for nodes in parts_of(ball, nodes) {
            if nodes.len() == 1 && ball.edges(nodes[0]).iter().all(|edge| edge.target != nodes[0]) {
                continue;
            }
            let part = Closer::new(ball, graph, marks, nodes);
            match part.judge() {
                PartFairness::Fair => found.push(Closer { is_fair: true, ..part }),
                PartFairness::Hopeless => {}
                PartFairness::Without(rest) => {
                    open.push((rest, false));
                    if is_outer {
                        found.push(part);
                    }
                }
            }
        }
    }
    found
}

fn parts_of(ball: &Ball, nodes: Vec<u32>) -> Vec<Vec<u32>> {
    let places: HashMap<u32, usize> = nodes.iter().enumerate().map(|(i, &node)| (node, i)).collect();
    let targets = |place: usize, out: &mut Vec<usize>| {
        out.extend(ball.edges(nodes[place]).iter().filter_map(|edge| places.get(&edge.target)));
    };
    let parts = components(nodes.len(), targets).into_iter();
    parts.map(|part| part.into_iter().map(|place| nodes[place]).collect()).collect()
}

enum PartFairness {
    Fair,
    Hopeless,
    /// Not as a whole: units are enabled and never executed, but not in these pairs.
    Without(Vec<u32>),
}

impl<'b, 'g, 's> Closer<'b, 'g, 's> {
    fn new(ball: &'b Ball, graph: &'g OriginalGraph<'s>, marks: Marks, mut nodes: Vec<u32>) -> Self {
        nodes.sort_unstable();
        let places: HashMap<u32, u32> = nodes.iter().enumerate().map(|(i, &node)| (node, i as u32)).collect();
        let inside = |edge: &BallEdge| Some(BallEdge { target: *places.get(&edge.target)?, ..*edge });
        let inner: Vec<Vec<BallEdge>> =
            nodes.iter().map(|&node| ball.edges(node).iter().filter_map(inside).collect()).collect();
        let mut before = vec![Vec::new(); nodes.len()];
        for (place, edges) in inner.iter().enumerate() {
            edges.iter().for_each(|edge| before[edge.target as usize].push(place as u32));
        }
        let (mut weak, mut strong) = (Vec::new(), Vec::new());
        if let Some(units) = graph.units() {
            let anywhere: HashSet<u32> = nodes
                .iter()
                .flat_map(|node| graph.enabled(ball.nodes[*node as usize].state))
                .copied()
                .collect();
            for unit in 0..units.len() as u32 {
                match units.strength(UnitId(unit)) {
                    Strength::Weak => weak.push(unit),
                    Strength::Strong => strong.extend(anywhere.contains(&unit).then_some(unit)),
                }
            }
        }
        let (goals, is_fair) = (None, false);
        let mut part =
            Self { ball, graph, marks, places, nodes, inner, before, goals, weak, strong, is_fair };
        part.goals = part.goals();
        part
    }

    /// The units that are enabled in a place, in order.
    fn enabled(&self, place: usize) -> &[u32] {
        self.graph.enabled(self.ball.nodes[self.nodes[place] as usize].state)
    }

    /// What walks have to collect, if it has bits enough.
    fn goals(&self) -> Option<Goals> {
        let disabled = |place: usize, unit: u32| self.enabled(place).binary_search(&unit).is_err();
        // What is disabled everywhere needs no bit.
        let pending = |unit: &&u32| (0..self.nodes.len()).any(|place| !disabled(place, **unit));
        let weak: Vec<u32> = self.weak.iter().filter(pending).copied().collect();
        let strong = self.strong.len() as u32;
        let first_mark = 2 * strong + weak.len() as u32;
        let bits = first_mark + self.marks.count();
        if bits > 64 {
            return None;
        }
        let executed = self.strong.iter().enumerate().map(|(i, &unit)| (unit, 1 << i));
        let executed =
            executed.chain(weak.iter().enumerate().map(|(i, &unit)| (unit, 1 << (2 * strong + i as u32))));
        let here = |place: usize| {
            let offered = self.strong.iter().enumerate().filter(|(_, unit)| !disabled(place, **unit));
            let offered = offered.fold(0, |all, (i, _)| all | 1 << (strong + i as u32));
            let idle = weak.iter().enumerate().filter(|(_, unit)| disabled(place, **unit));
            idle.fold(offered, |all, (i, _)| all | 1 << (2 * strong + i as u32))
        };
        Some(Goals {
            strong,
            must: low(bits) & !low(2 * strong),
            executed: executed.collect(),
            here: (0..self.nodes.len()).map(here).collect(),
            first_mark,
        })
    }

    fn units(&self, label: LabelNumber) -> &[u32] {
        &self.graph.instance(label).units
    }

    fn judge(&self) -> PartFairness {
        poll();
        let edges = || self.inner.iter().flatten();
        let marks = edges().fold(Marks(0), |all, edge| all.union(edge.marks));
        if edges().next().is_none() || marks != self.marks {
            return PartFairness::Hopeless;
        }
        let executed: HashSet<u32> = edges().flat_map(|edge| self.units(edge.label)).copied().collect();
        let always =
            |unit: &u32| (0..self.nodes.len()).all(|place| self.enabled(place).binary_search(unit).is_ok());
        if self.weak.iter().any(|unit| !executed.contains(unit) && always(unit)) {
            return PartFairness::Hopeless;
        }
        let starved: Vec<u32> = self.strong.iter().filter(|unit| !executed.contains(unit)).copied().collect();
        if starved.is_empty() {
            return PartFairness::Fair;
        }
        let calm = |place: &usize| {
            let here = self.enabled(*place);
            starved.iter().all(|unit| here.binary_search(unit).is_err())
        };
        let rest: Vec<u32> = (0..self.nodes.len()).filter(calm).map(|place| self.nodes[place]).collect();
        if rest.is_empty() { PartFairness::Hopeless } else { PartFairness::Without(rest) }
    }

    /// A closed walk from a pair with at most so many steps that is accepting and fair.
    pub fn closed_walk(&self, root: u32, most: u32, work: &mut Work) -> Option<ClosedWalk> {
        let root = self.places[&root];
        let home = self.distances_to(root, most);
        let mut left = Work::new(MOST_FROM_ONE.min(work.left));
        let before = left.left;
        let exact = self.goals.as_ref().map(|goals| self.shortest(goals, root, most, &home, &mut left));
        work.spend(before - left.left);
        let places = match exact {
            Some(Ok(walk)) => walk,
            _ if self.is_fair => self.nearest(root, most, &home, work),
            _ => None,
        };
        Some(places?.into_iter().map(|(place, edge)| (self.nodes[place as usize], edge)).collect())
    }

    /// How many steps lead from each place to one, up to a number.
    fn distances_to(&self, root: u32, most: u32) -> Vec<u32> {
        poll();
        let mut distances = vec![u32::MAX; self.nodes.len()];
        distances[root as usize] = 0;
        let mut queue = VecDeque::from([root]);
        while let Some(place) = queue.pop_front() {
            let next = distances[place as usize] + 1;
            if next > most {
                break;
            }
            for &source in &self.before[place as usize] {
                if distances[source as usize] == u32::MAX {
                    distances[source as usize] = next;
                    queue.push_back(source);
                }
            }
        }
        distances
    }

    /// A shortest closed walk that collects everything, of these one with few changes of the process that
    /// moves; an error if it was too much work.
    fn shortest(
        &self,
        goals: &Goals,
        root: u32,
        most: u32,
        home: &[u32],
        work: &mut Work,
    ) -> Result<Option<Vec<(u32, BallEdge)>>, ()> {
        let start: PlaceGoals = (root, goals.here[root as usize]);
        let mut known: HashMap<PlaceGoals, Visit> = HashMap::default();
        let (mut level, mut next): (Vec<PlaceGoals>, Vec<PlaceGoals>) = (vec![start], Vec::new());
        for length in 1..=most {
            let mut last: Option<Visit> = None;
            for &(place, collected) in &level {
                if !work.spend(self.inner[place as usize].len() as u64) {
                    return Err(());
                }
                let here = known.get(&(place, collected)).map(|visit| (visit.switches, visit.executor));
                for edge in &self.inner[place as usize] {
                    let target = edge.target as usize;
                    if home[target] > most - length {
                        continue;
                    }
                    let more = goals.collected(self.units(edge.label), edge) | goals.here[target];
                    let key = (edge.target, collected | more);
                    let executor = self.graph.instance(edge.label).executor;
                    let switches =
                        here.map_or(0, |(switches, before)| switches + u32::from(before != executor));
                    let visit = Visit { from: (place, collected), edge: *edge, length, switches, executor };
                    if edge.target == root && goals.are_met(key.1) {
                        if last.is_none_or(|last| switches < last.switches) {
                            last = Some(visit);
                        }
                    } else if key != start {
                        match known.entry(key) {
                            Entry::Vacant(vacant) => {
                                vacant.insert(visit);
                                next.push(key);
                            }
                            Entry::Occupied(mut other) => {
                                if other.get().length == length && switches < other.get().switches {
                                    other.insert(visit);
                                }
                            }
                        }
                    }
                }
            }
            if let Some(last) = last {
                return Ok(Some(walk_to(&known, last)));
            }
            poll();
            level.clear();
            std::mem::swap(&mut level, &mut next);
        }
        Ok(None)
    }

    /// A closed walk to the nearest place with something new, and so on, and home.
    fn nearest(&self, root: u32, most: u32, home: &[u32], work: &mut Work) -> Option<Vec<(u32, BallEdge)>> {
        let mut pending: HashSet<u32> = self.weak.iter().chain(&self.strong).copied().collect();
        let (mut marks, mut walk, mut at) = (Marks(0), Vec::new(), root);
        self.rest_at(root, &mut pending);
        while !(pending.is_empty() && marks == self.marks && at == root && !walk.is_empty()) {
            let all = pending.is_empty() && marks == self.marks;
            let useful = |edge: &BallEdge| match all {
                true => edge.target == root,
                false => {
                    !edge.marks.within(marks)
                        || self.units(edge.label).iter().any(|unit| pending.contains(unit))
                        || self.is_rest(edge.target, &pending)
                }
            };
            let way = self.way(at, &useful, work)?;
            for (place, edge) in way {
                walk.push((place, edge));
                marks = marks.union(edge.marks);
                self.units(edge.label).iter().for_each(|unit| _ = pending.remove(unit));
                self.rest_at(edge.target, &mut pending);
                at = edge.target;
            }
            if walk.len() as u64 + u64::from(home[at as usize]) > u64::from(most) {
                return None;
            }
        }
        Some(walk)
    }

    /// Weakly fair units that are disabled in a place wait for nothing.
    fn rest_at(&self, place: u32, pending: &mut HashSet<u32>) {
        let here = self.enabled(place as usize);
        pending.retain(|unit| here.binary_search(unit).is_ok() || self.strong.binary_search(unit).is_ok());
    }

    /// Whether some weakly fair unit that waits is disabled in a place.
    fn is_rest(&self, place: u32, pending: &HashSet<u32>) -> bool {
        let here = self.enabled(place as usize);
        pending
            .iter()
            .any(|unit| here.binary_search(unit).is_err() && self.strong.binary_search(unit).is_err())
    }

    /// A shortest way that ends with an edge as wanted.
    fn way(
        &self,
        from: u32,
        wanted: &dyn Fn(&BallEdge) -> bool,
        work: &mut Work,
    ) -> Option<Vec<(u32, BallEdge)>> {
        poll();
        let mut parents: HashMap<u32, (u32, BallEdge)> = HashMap::default();
        let mut queue = VecDeque::from([from]);
        while let Some(place) = queue.pop_front() {
            if !work.spend(self.inner[place as usize].len() as u64) {
                return None;
            }
            for edge in &self.inner[place as usize] {
                if wanted(edge) {
                    let (mut way, mut at) = (vec![(place, *edge)], place);
                    while at != from {
                        let before = parents[&at];
                        way.push(before);
                        at = before.0;
                    }
                    way.reverse();
                    return Some(way);
                }
                if edge.target != from && !parents.contains_key(&edge.target) {
                    parents.insert(edge.target, (place, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        None
    }
}
