//! A concrete run out of a fair accepting component: a stem, and a loop of original states that treats every unit fairly.
//!
//! Entry point: [`build`]. The stem is a shortest way to the component among the pairs that were found. From its first pair a walk collects, unit after
//! unit, a place where *that* unit is executed or disabled, then every mark, and returns. It returns up to a motion only: the concrete state may be
//! another one of the orbit. Then a short way on to the first concrete state is looked for, and if there is none near, the walk is repeated until the
//! powers of its motion come back to the start.
//!
//! A move may first swap members that are alike in the state, which changes names but not the state: so the one edge that was kept stands for all that
//! are like it.

use super::Halted;
use super::component::{Component, times};
use super::product::{PairId, Place, Product, STUTTER, Transition};
use super::scc::components;
use super::threads::Naming;
use burnside_logic::Marks;
use burnside_trace::{End, Evidence, Step};
use burnside_ts::{Motion, bits};
use foldhash::{HashMap, HashSet};
use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BinaryHeap, VecDeque};
use std::rc::Rc;

/// Loops of more steps are not built.
const MOST_STEPS: usize = 1 << 21;
/// How many concrete steps are tried to find a short end of the loop.
const MOST_TRIES: usize = 100_000;

/// If a first loop has more steps, a better place for it is looked for.
const MANY_STEPS: usize = 20;
/// Among so many pairs around, times units.
const MOST_AROUND: usize = 4_000_000;

/// A run through strongly connected pairs that are accepting and fair. Only pairs that `seen` allows are used on the way there.
///
/// The component that was found may be small because many members were alike when it was; then its loop has to give each of them a turn. A
/// loop is shorter where few units wait for one. If the first is long, such a place is looked for in the surroundings.
pub(crate) fn build<'s>(
    product: &mut Product<'s>,
    naming: Option<&Naming<'s>>,
    pairs: Vec<PairId>,
    seen: &dyn Fn(PairId) -> bool,
) -> Result<Evidence, Halted> {
    let component = Component::of(product, pairs)?;
    let starts = product.initial()?.into_iter().map(|pair| (pair, product.start(pair))).collect();
    let stem = Stem::to(product, starts, &component, seen)?;
    let first = attempt(product, naming, &component, stem.clone())?;
    let Some(naming) = naming.filter(|_| first.steps.len() - stem.run.steps.len() > MANY_STEPS) else {
        return Ok(first);
    };
    let Some((calm, stem)) = surroundings(product, naming, stem)? else { return Ok(first) };
    let second = attempt(product, Some(naming), &calm, stem)?;
    Ok(if second.steps.len() < first.steps.len() { second } else { first })
}

/// A fair component near the end of a stem in which few units are enabled, and the stem extended to it.
///
/// Looks first at what follows pairs in which few units are enabled.
fn surroundings<'s>(
    product: &mut Product<'s>,
    naming: &Naming<'s>,
    mut stem: Stem,
) -> Result<Option<(Component, Stem)>, Halted> {
    let mut from: HashMap<PairId, Option<(PairId, Transition)>> = HashMap::from_iter([(stem.pair, None)]);
    let mut open = BinaryHeap::from([Reverse((0, Reverse(0), stem.pair))]);
    let mut places: HashMap<PairId, usize> = HashMap::default();
    let mut around: Vec<(usize, PairId, Vec<PairId>)> = Vec::new();
    let mut transitions = Vec::new();
    while around.len() * naming.len() < MOST_AROUND {
        let Some(Reverse((_, _, pair))) = open.pop() else { break };
        product.expand(pair, &mut transitions)?;
        let classes = product.classes(pair);
        let leads = naming.leads(classes.as_deref());
        let executed =
            |it: &Transition| product.indexed.set(it.executed).iter().map(|&unit| leads[unit as usize]);
        let enabled: HashSet<u32> = transitions.iter().flat_map(executed).collect();
        let enabled = leads.iter().filter(|lead| enabled.contains(lead)).count();
        places.insert(pair, around.len());
        around.push((enabled, pair, transitions.iter().map(|transition| transition.target).collect()));
        for transition in transitions.drain(..) {
            if let Entry::Vacant(vacant) = from.entry(transition.target) {
                open.push(Reverse((enabled, Reverse(around.len()), transition.target)));
                vacant.insert(Some((pair, transition)));
            }
        }
    }
    let targets = |node: usize, out: &mut Vec<usize>| {
        out.extend(around[node].2.iter().filter_map(|target| places.get(target)));
    };
    let mut parts = components(around.len(), targets);
    parts.retain(|part| part.len() > 1);
    parts.sort_by_key(|part| part.iter().map(|&node| around[node].0).min());
    for part in parts.into_iter().take(3) {
        let calm = part.iter().copied().min_by_key(|&node| around[node].0).expect("not empty");
        let component = Component::of(product, part.iter().map(|&node| around[node].1).collect())?;
        if component.is_fair(product, naming) {
            stem.extend(product, way_to(around[calm].1, &mut from))?;
            return Ok(Some((component, stem)));
        }
    }
    Ok(None)
}

/// The transitions that lead to a pair, each with its source. They are taken from the map of where each pair was reached from.
fn way_to(
    mut pair: PairId,
    from: &mut HashMap<PairId, Option<(PairId, Transition)>>,
) -> Vec<(PairId, Transition)> {
    let mut way = Vec::new();
    while let Some(Some((before, transition))) = from.remove(&pair) {
        way.push((before, transition));
        pair = before;
    }
    way.reverse();
    way
}

/// A run whose loop starts where a stem ends, in a component that is accepting and fair.
pub(crate) fn attempt<'s>(
    product: &mut Product<'s>,
    naming: Option<&Naming<'s>>,
    component: &Component,
    stem: Stem,
) -> Result<Evidence, Halted> {
    let Stem { pair, motion: start, mut run } = stem;
    let root = component.pairs.iter().position(|&it| it == pair).expect("the stem leads to the component");
    if component.links[root].iter().any(|link| link.successor == STUTTER) {
        run.states.push(run.concrete(product, component.pairs[root], &start));
        return Ok(Evidence { states: run.states, steps: run.steps, end: End::Stutter });
    }
    let loop_start = run.states.len();
    let mut walk = Walk::new(product, naming, component, root, start.clone());
    walk.collect_units();
    walk.collect_marks();
    walk.return_to(root);
    let moves = walk.moves;
    let pair = component.pairs[root];
    let place = |run: &Run, product: &Product<'s>, motion: &Option<Rc<Motion>>| {
        product.place(pair, motion.as_deref(), run.concrete(product, pair, motion))
    };
    let target = place(&run, product, &start);
    let tuple = moved_tuple(product, pair, &start);
    let (mut motion, mut looked) = (start, false);
    loop {
        motion = run.take(product, component, &moves, motion)?;
        let here = place(&run, product, &motion);
        if here == target {
            break;
        }
        if run.steps.len() > MOST_STEPS {
            return Err(Halted::TooLong);
        }
        if !looked {
            looked = true;
            if let Some((states, steps)) = shortcut(product, component, here, &target, &tuple)? {
                run.states.extend(states);
                run.steps.extend(steps);
                break;
            }
        }
    }
    Ok(Evidence { states: run.states, steps: run.steps, end: End::Loop(loop_start) })
}

/// The run so far. The state that the last step leads to is not yet in it.
#[derive(Clone)]
struct Run {
    states: Vec<Box<[u64]>>,
    steps: Vec<Step>,
    /// The labels of pairs that were needed.
    labels: HashMap<PairId, Rc<[Step]>>,
}

impl Run {
    /// The state of a pair, moved.
    fn concrete(&self, product: &Product<'_>, pair: PairId, motion: &Option<Rc<Motion>>) -> Box<[u64]> {
        let state = product.indexed.state(product.spot(pair));
        let Some(motion) = motion else { return state };
        let padded = [&*state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        product.indexed.action().state(motion, &padded, &mut moved);
        moved.truncate(state.len());
        moved.into()
    }

    /// Adds the state of a pair and one of its steps.
    fn push(
        &mut self,
        product: &mut Product<'_>,
        pair: PairId,
        motion: &Option<Rc<Motion>>,
        successor: u32,
    ) -> Result<(), Halted> {
        let labels = match self.labels.get(&pair) {
            Some(labels) => labels.clone(),
            None => {
                let labels: Rc<[Step]> = product.labels(pair)?.into();
                self.labels.insert(pair, labels.clone());
                labels
            }
        };
        let mut step = labels[successor as usize].clone();
        if let Some(motion) = motion {
            let mut args = step.args.clone();
            step.rule = product.indexed.action().label(motion, step.rule, &step.args, &mut args);
            step.args = args;
        }
        self.states.push(self.concrete(product, pair, motion));
        self.steps.push(step);
        Ok(())
    }

    /// Makes some moves. The answer leads from the names at their end to the concrete ones.
    fn take(
        &mut self,
        product: &mut Product<'_>,
        component: &Component,
        moves: &[Move],
        mut motion: Option<Rc<Motion>>,
    ) -> Result<Option<Rc<Motion>>, Halted> {
        for Move { node, swap, link } in moves {
            let link = &component.links[*node][*link];
            motion = times(&motion, swap);
            self.push(product, component.pairs[*node], &motion, link.successor)?;
            motion = times(&motion, &link.motion);
        }
        Ok(motion)
    }
}

/// A run to a pair.
#[derive(Clone)]
pub(crate) struct Stem {
    pub pair: PairId,
    /// The pair's names to concrete ones.
    pub motion: Option<Rc<Motion>>,
    run: Run,
}

impl Stem {
    /// Nothing but a pair, with a motion from its names to concrete ones.
    pub fn at(pair: PairId, motion: Option<Rc<Motion>>) -> Self {
        let run = Run { states: Vec::new(), steps: Vec::new(), labels: HashMap::default() };
        Self { pair, motion, run }
    }

    /// A shortest way from one of some pairs to a component.
    pub fn to(
        product: &mut Product<'_>,
        starts: Vec<(PairId, Option<Rc<Motion>>)>,
        component: &Component,
        seen: &dyn Fn(PairId) -> bool,
    ) -> Result<Self, Halted> {
        let goals: HashSet<PairId> = component.pairs.iter().copied().collect();
        let mut from: HashMap<PairId, Option<(PairId, Transition)>> = HashMap::default();
        let mut queue = VecDeque::new();
        for &(pair, _) in &starts {
            if from.insert(pair, None).is_none() {
                queue.push_back(pair);
            }
        }
        let mut transitions = Vec::new();
        let root = loop {
            let pair = queue.pop_front().expect("the component was reached");
            if goals.contains(&pair) {
                break pair;
            }
            product.expand(pair, &mut transitions)?;
            for transition in transitions.drain(..) {
                let target = transition.target;
                if seen(target) && !from.contains_key(&target) {
                    from.insert(target, Some((pair, transition)));
                    queue.push_back(target);
                }
            }
        };
        let way = way_to(root, &mut from);
        let first = way.first().map_or(root, |(pair, _)| *pair);
        let motion = starts.into_iter().find(|(pair, _)| *pair == first).and_then(|(_, motion)| motion);
        let mut stem = Self::at(first, motion);
        stem.extend(product, way)?;
        Ok(stem)
    }

    /// A finite run that ends here.
    pub fn finish(mut self, product: &Product<'_>) -> Evidence {
        let last = self.run.concrete(product, self.pair, &self.motion);
        self.run.states.push(last);
        Evidence { states: self.run.states, steps: self.run.steps, end: End::State }
    }

    /// Goes on by transitions.
    pub fn extend(
        &mut self,
        product: &mut Product<'_>,
        way: Vec<(PairId, Transition)>,
    ) -> Result<(), Halted> {
        for (pair, transition) in way {
            // In a deadlock only the automaton moves: such steps are part of the stutter at the end.
            if transition.successor != STUTTER {
                self.run.push(product, pair, &self.motion, transition.successor)?;
            }
            self.motion = times(&self.motion, &transition.motion);
            self.pair = transition.target;
        }
        Ok(())
    }
}

/// A step inside a component, after members that are alike were swapped.
struct Move {
    node: usize,
    swap: Option<Rc<Motion>>,
    link: usize,
}

/// A walk through a component that collects what a fair accepting loop needs.
struct Walk<'w, 's> {
    product: &'w Product<'s>,
    naming: Option<&'w Naming<'s>>,
    component: &'w Component,
    node: usize,
    /// Names of the node to concrete ones.
    motion: Option<Rc<Motion>>,
    moves: Vec<Move>,
    /// By concrete unit: not yet treated fairly.
    pending: Vec<bool>,
    /// By concrete unit: whether being disabled is enough.
    weak: Vec<bool>,
    marks: Marks,
    /// Of nodes that were looked at, by unit in their names: whether it is enabled, and the unit that stands for it.
    nodes: HashMap<usize, Rc<Units>>,
}

struct Units {
    enabled: Vec<bool>,
    leads: Vec<u32>,
}

/// How a unit was followed to a place: node and leading unit before, the unit that was meant, and the link.
type Came = (usize, u32, u32, usize);

impl<'w, 's> Walk<'w, 's> {
    fn new(
        product: &'w Product<'s>,
        naming: Option<&'w Naming<'s>>,
        component: &'w Component,
        root: usize,
        motion: Option<Rc<Motion>>,
    ) -> Self {
        let mut walk = Self {
            product,
            naming,
            component,
            node: root,
            motion,
            moves: Vec::new(),
            pending: Vec::new(),
            weak: Vec::new(),
            marks: Marks(0),
            nodes: HashMap::default(),
        };
        if let Some(naming) = naming {
            walk.expect_units(naming);
            walk.look();
        }
        walk
    }

    /// Every weakly fair unit must be executed or disabled, every strongly fair one that is enabled anywhere executed.
    fn expect_units(&mut self, naming: &Naming<'_>) {
        let whole: Vec<usize> = self.whole();
        let motions = self.component.motions(&whole, &self.places(&whole));
        let threads = self.component.threads(self.product, naming, &whole, &self.places(&whole), &motions);
        let images = naming.images(self.motion.as_deref());
        let first = self.node;
        // The names of the first node of the whole are those of the node where the walk starts.
        debug_assert_eq!(whole[0], first);
        self.pending = vec![false; naming.len()];
        self.weak = vec![false; naming.len()];
        for unit in 0..naming.len() as u32 {
            let concrete = images[unit as usize] as usize;
            self.weak[concrete] = !naming.is_strong(unit);
            self.pending[concrete] = self.weak[concrete] || threads.is_enabled(unit);
        }
    }

    /// All nodes, the present one first.
    fn whole(&self) -> Vec<usize> {
        let mut whole: Vec<usize> = (0..self.component.pairs.len()).collect();
        whole.swap(0, self.node);
        whole
    }

    fn places(&self, nodes: &[usize]) -> Vec<usize> {
        let mut places = vec![0; nodes.len()];
        nodes.iter().enumerate().for_each(|(i, &node)| places[node] = i);
        places
    }

    fn units(&mut self, node: usize) -> Rc<Units> {
        if let Some(units) = self.nodes.get(&node) {
            return units.clone();
        }
        let naming = self.naming.expect("fairness counts");
        let leads = naming.leads(self.component.classes[node].as_deref());
        let mut by_lead = vec![false; leads.len()];
        let enabled = self.component.enabled(self.product, node);
        enabled.for_each(|unit| by_lead[leads[unit as usize] as usize] = true);
        let enabled = leads.iter().enumerate();
        let enabled = enabled.map(|(unit, &lead)| by_lead[lead as usize] || naming.is_mark(unit as u32));
        let enabled = enabled.collect();
        let units = Rc::new(Units { enabled, leads });
        self.nodes.insert(node, units.clone());
        units
    }

    /// Notes who is disabled here.
    fn look(&mut self) {
        let Some(naming) = self.naming else { return };
        let units = self.units(self.node);
        for (unit, concrete) in naming.images(self.motion.as_deref()).into_iter().enumerate() {
            let concrete = concrete as usize;
            self.pending[concrete] &= units.enabled[unit] || !self.weak[concrete];
        }
    }

    fn go(&mut self, swap: Option<Motion>, at: usize) {
        let swap = swap.map(Rc::new);
        let link = &self.component.links[self.node][at];
        self.motion = times(&self.motion, &swap);
        if let Some(naming) = self.naming {
            for &unit in self.product.indexed.set(link.executed) {
                self.pending[naming.image(self.motion.as_deref(), unit) as usize] = false;
            }
        }
        self.marks = self.marks.union(link.marks);
        self.moves.push(Move { node: self.node, swap, link: at });
        self.motion = times(&self.motion, &link.motion);
        self.node = link.target;
        self.look();
    }

    /// Goes on until no unit is pending.
    fn collect_units(&mut self) {
        let Some(naming) = self.naming else { return };
        for concrete in 0..self.pending.len() {
            if !self.pending[concrete] {
                continue;
            }
            let back = self.motion.as_ref().map(|motion| motion.inverse());
            let unit = naming.image(back.as_ref(), concrete as u32);
            let path = self.follow(naming, unit, self.weak[concrete]);
            let mut now = unit;
            for (meant, link) in path {
                let swap = naming.swap(meant, now);
                let back =
                    self.component.links[self.node][link].motion.as_ref().map(|motion| motion.inverse());
                self.go(swap, link);
                now = naming.image(back.as_ref(), meant);
            }
            debug_assert!(!self.pending[concrete]);
        }
    }

    /// A shortest way on which a unit, in the names of the present node, is executed, or disabled if that is enough: at each node the
    /// unit that takes its place among those alike, and the link.
    fn follow(&mut self, naming: &Naming<'_>, unit: u32, disabled_will_do: bool) -> Vec<(u32, usize)> {
        let component = self.component;
        let start = (self.node, self.units(self.node).leads[unit as usize]);
        let mut came: HashMap<(usize, u32), Option<Came>> = HashMap::from_iter([(start, None)]);
        let mut queue = VecDeque::from([start]);
        let (mut at, mut path) = 'found: loop {
            let (node, lead) = queue.pop_front().expect("every unit is treated fairly in the component");
            let units = self.units(node);
            let alike: Vec<u32> =
                (0..units.leads.len() as u32).filter(|&unit| units.leads[unit as usize] == lead).collect();
            for (i, link) in component.links[node].iter().enumerate() {
                let executed = self.product.indexed.set(link.executed);
                if let Some(&meant) = executed.iter().find(|&&unit| units.leads[unit as usize] == lead) {
                    break 'found ((node, lead), vec![(meant, i)]);
                }
                let there = self.units(link.target);
                let back = link.motion.as_ref().map(|motion| motion.inverse());
                let mut tried = HashSet::default();
                for &meant in &alike {
                    let next = naming.image(back.as_ref(), meant);
                    if disabled_will_do && !there.enabled[next as usize] {
                        break 'found ((node, lead), vec![(meant, i)]);
                    }
                    let next = (link.target, there.leads[next as usize]);
                    if tried.insert(next) && !came.contains_key(&next) {
                        came.insert(next, Some((node, lead, meant, i)));
                        queue.push_back(next);
                    }
                }
            }
        };
        while let Some(Some((node, lead, meant, link))) = came.get(&at) {
            path.push((*meant, *link));
            at = (*node, *lead);
        }
        path.reverse();
        path
    }

    /// Goes on until all marks were seen.
    fn collect_marks(&mut self) {
        let all = self.product.all_marks();
        while self.marks != all {
            let missing = all.0 & !self.marks.0;
            let path = self.path(|node, _| {
                self.component.links[node].iter().position(|link| link.marks.0 & missing != 0)
            });
            path.into_iter().for_each(|link| self.go(None, link));
        }
    }

    /// Goes to a node by at least one move.
    fn return_to(&mut self, root: usize) {
        if self.node == root && !self.moves.is_empty() {
            return;
        }
        let path =
            self.path(|node, _| self.component.links[node].iter().position(|link| link.target == root));
        path.into_iter().for_each(|link| self.go(None, link));
    }

    /// The links of a shortest way that ends with a link that is wanted.
    fn path(&self, wanted: impl Fn(usize, &Self) -> Option<usize>) -> Vec<usize> {
        let mut came: HashMap<usize, Option<(usize, usize)>> = HashMap::from_iter([(self.node, None)]);
        let mut queue = VecDeque::from([self.node]);
        loop {
            let node = queue.pop_front().expect("the component is strongly connected");
            if let Some(last) = wanted(node, self) {
                let mut path = vec![last];
                let mut at = node;
                while let Some(Some((before, link))) = came.get(&at) {
                    path.push(*link);
                    at = *before;
                }
                path.reverse();
                return path;
            }
            for (i, link) in self.component.links[node].iter().enumerate() {
                if let Entry::Vacant(vacant) = came.entry(link.target) {
                    vacant.insert(Some((node, i)));
                    queue.push_back(link.target);
                }
            }
        }
    }
}

/// The tracked elements of a pair, moved.
pub(crate) fn moved_tuple(product: &Product<'_>, pair: PairId, motion: &Option<Rc<Motion>>) -> Vec<u64> {
    product.moved_tuple(pair, motion.as_deref())
}

/// States and the steps from them.
type Path = (Vec<Box<[u64]>>, Vec<Step>);

/// A way through concrete states of a component, if one is near.
fn shortcut(
    product: &mut Product<'_>,
    component: &Component,
    from: Place,
    goal: &Place,
    tuple: &[u64],
) -> Result<Option<Path>, Halted> {
    let inside: HashSet<PairId> = component.pairs.iter().copied().collect();
    let mut came: HashMap<Place, Option<(Place, Step)>> = HashMap::from_iter([(from.clone(), None)]);
    let mut queue = VecDeque::from([from]);
    let mut tries = 0;
    while let Some(place) = queue.pop_front() {
        for (step, key) in product.concrete(&place, tuple)? {
            tries += 1;
            if !inside.contains(&key.pair) || came.contains_key(&key) {
                continue;
            }
            let done = key == *goal;
            came.insert(key.clone(), Some((place.clone(), step)));
            if done {
                let (mut states, mut steps, mut at) = (Vec::new(), Vec::new(), key);
                while let Some(Some((before, step))) = came.remove(&at) {
                    states.push(before.state.clone());
                    steps.push(step);
                    at = before;
                }
                states.reverse();
                steps.reverse();
                return Ok(Some((states, steps)));
            }
            queue.push_back(key);
        }
        if tries > MOST_TRIES {
            break;
        }
    }
    Ok(None)
}
