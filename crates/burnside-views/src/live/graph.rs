//! The nodes of a followed member and the edges between them.
//!
//! Entry point: [`Graph::new`]. Every state that the views allow is run, up to the size at which nothing is
//! lost, and each of its members is followed in turn. What is said of a node is so in all states that it
//! stands for; what is said of an edge is seen in one of them.

use super::LiveNeeds;
use super::formula::{self, Condition};
use super::slots::{Mover, SlotBits, Slots};
use crate::certificate::Proof;
use crate::context::{self, Predicate};
use crate::layout::{Layout, Parts};
use crate::meter::Meter;
use crate::prove::{Failure, LARGEST, padded};
use crate::verify::{Views, has_known_views};
use crate::{Bounds, Instances, Needs};
use burnside_limits::poll;
use burnside_ts::{AnyMachine, Label, Outcome, Question, Strength, System};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Members, as bits.
type MemberBits = u32;

/// The nodes, and the steps between them.
#[derive(Debug)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    /// By node.
    pub edges: Vec<Vec<Edge>>,
    /// The slots that must be treated fairly: numbers, how fair, and whether each member has one.
    pub fair: Vec<(usize, Strength, bool)>,
    /// How many states were run.
    pub states: u64,
}

/// Globals, with counts, and the word of the member that is followed.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub is_initial: bool,
    /// Whether a state that it stands for was run.
    pub is_known: bool,
    /// The slots of the member, and those that there are once, that are enabled in all its states.
    pub enabled: SlotBits,
    /// By context: the slots that all others in it have enabled, in all its states; none if there may be
    /// nobody.
    pub others: Vec<SlotBits>,
    pub maybe: Truth,
}

impl Node {
    /// Whether something can move in all its states.
    pub fn is_alive(&self) -> bool {
        self.enabled != 0 || self.others.iter().any(|&others| others != 0)
    }
}

/// By condition, as bits: whether it is true, or false, in some state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Truth {
    pub true_: u64,
    pub false_: u64,
}

/// Steps from a node to a node, all those with the same leavers.
#[derive(Clone, Debug, Default)]
pub(super) struct Edge {
    pub to: usize,
    /// The contexts that some other member leaves.
    pub leaves: u32,
    /// Those that some other enters.
    pub enters: u32,
    /// The slots of the member, and those that there are once, that are executed.
    pub executed: SlotBits,
    /// By context: the slots that some other in it executes.
    pub others: Vec<SlotBits>,
}

/// There are not more contexts than this.
const CONTEXTS: usize = 8;

/// How many members are enough.
#[derive(Clone, Copy, Debug)]
struct GraphSizes {
    bounds: Bounds,
    /// To conditions, and to whether something is disabled: besides the one that is followed.
    witnesses: u32,
}

impl GraphSizes {
    /// The largest states, with so many pointers set.
    fn most(&self, pointers: u32) -> u32 {
        let Bounds { k, kept, step, .. } = self.bounds;
        // For a step: the one that is followed, and one that leaves or enters a context.
        let step = 1 + step + pointers + 2 * kept + 1;
        k.max(step).max(1 + self.witnesses + pointers + kept)
    }
}

impl Graph {
    /// The graph for a formula: its name, and how many members matter to its conditions.
    pub fn new(
        instances: &dyn Instances,
        needs: &Needs,
        live: &LiveNeeds,
        proof: &Proof,
        (name, witnesses): (&str, u32),
        (states, meter): (u64, Meter<'_>),
    ) -> Result<Self, Failure> {
        let first = instances.instance(1).ok_or(Failure::Size(1))?;
        let slots = Slots::new(&first, &needs.sort, live);
        let bounds = Bounds::new(needs, proof.k, &proof.contexts);
        let sizes = GraphSizes { bounds, witnesses: witnesses.max(slots.witnesses()) };
        let mut builder = Builder::new(proof, slots, states, meter);
        let layout = Layout::new(&first, &needs.sort)?;
        let most = |key: &[u64]| sizes.most(layout.set_pointers(key));
        let largest = builder.views.keys().map(|key| most(key)).max().unwrap_or(0).max(bounds.initial());
        if largest > LARGEST || proof.contexts.len() > CONTEXTS {
            return Err(Failure::Size(largest));
        }
        for size in proof.k..=largest {
            let system = instances.instance(size).ok_or(Failure::Size(size))?;
            let mut arena = Arena::new(&system, needs, proof, name)?;
            if size <= bounds.initial() {
                builder.initial(&mut arena)?;
            }
            let keys: Vec<Vec<u64>> = builder.views.keys().filter(|key| size <= most(key)).cloned().collect();
            for key in keys {
                let views = builder.views.remove(&key).expect("it is there");
                let words: BTreeSet<u32> = views.iter().flatten().copied().collect();
                let words: Vec<u32> = words.into_iter().collect();
                builder.extend(&mut arena, &key, &views, &words, &mut Vec::new())?;
                builder.views.insert(key, views);
            }
        }
        Ok(builder.finish())
    }
}

/// One instance.
struct Arena<'s> {
    system: &'s System,
    size: u32,
    layout: Layout,
    machine: AnyMachine<'s>,
    predicates: Vec<Predicate<'s>>,
    /// By context: counts are told apart up to this.
    most: Vec<u32>,
    conditions: Vec<Condition<'s>>,
}

/// A state as its node and the members see it.
struct Seen {
    key: Vec<u64>,
    words: Vec<Vec<u64>>,
    /// By context: who is in it.
    inside: Vec<MemberBits>,
}

impl<'s> Arena<'s> {
    fn new(system: &'s Arc<System>, needs: &Needs, proof: &Proof, name: &str) -> Result<Self, Failure> {
        let unfit = |why: &str| Failure::Unfit(why.to_string());
        let layout = Layout::new(system, &needs.sort)?;
        let predicates = context::find(system, needs, &proof.contexts)
            .ok_or_else(|| unfit("a context is not in every instance"))?;
        let property = system.properties.iter().find(|property| property.name == name);
        let Some(Question::Linear(formula)) = property.map(|property| &property.question) else {
            return Err(unfit("there is no such formula"));
        };
        let mut conditions = Vec::new();
        formula::translate(system, &needs.sort, formula, &mut conditions).map_err(unfit)?;
        let interrupt = burnside_limits::current().unwrap_or_default();
        let machine = system.machine_with_interrupt(interrupt);
        let most = proof.contexts.iter().map(|context| context.most).collect();
        Ok(Self { system, size: layout.size(), layout, machine, predicates, most, conditions })
    }

    /// Takes a state apart, which has spare words.
    fn see(&mut self, state: &[u64]) -> Result<Seen, Failure> {
        let mut parts = Parts::default();
        self.layout.read(state, &mut parts);
        let state = &state[..self.layout.state_words()];
        let mut inside = Vec::with_capacity(self.predicates.len());
        for (predicate, most) in self.predicates.iter().zip(&self.most) {
            let mut members: MemberBits = 0;
            for member in 0..self.size {
                let holds = predicate.is_true(&mut self.machine, state, u64::from(member));
                let holds = holds.map_err(|_| Failure::Unfit(String::from("a context faults")))?;
                members |= u32::from(holds) << member;
            }
            parts.globals.push(u64::from(members.count_ones().min(*most)));
            inside.push(members);
        }
        Ok(Seen { key: parts.globals, words: parts.words, inside })
    }

    /// Which conditions are true for a member.
    fn truth(&mut self, state: &[u64], member: u32) -> Result<Truth, Failure> {
        let mut truth = Truth::default();
        for (i, it) in self.conditions.iter().enumerate() {
            for (binder, value) in it.member.map(|name| (name, u64::from(member))).iter().chain(&it.others) {
                self.machine.bind(binder, *value);
            }
            match self.machine.holds(it.condition, &state[..self.layout.state_words()]) {
                Ok(true) => truth.true_ |= 1 << i,
                Ok(false) => truth.false_ |= 1 << i,
                Err(_) => return Err(Failure::Unfit(format!("`{}` faults", it.text))),
            }
        }
        Ok(truth)
    }
}

/// A step of a state.
struct Move {
    movers: Vec<Mover>,
    to: Seen,
}

struct Builder<'o> {
    slots: Slots,
    contexts: usize,
    k: usize,
    views: BTreeMap<Vec<u64>, Views>,
    /// The words of the proof, each once, in order.
    words: Vec<Vec<u64>>,
    numbers: HashMap<(Vec<u64>, Vec<u64>), usize>,
    nodes: Vec<Node>,
    /// By node, where they lead and who leaves.
    edges: Vec<BTreeMap<(usize, u32), Edge>>,
    /// How many states may still be run.
    states: u64,
    limit: u64,
    meter: Meter<'o>,
}

impl<'o> Builder<'o> {
    fn new(proof: &Proof, slots: Slots, states: u64, meter: Meter<'o>) -> Self {
        let mut views: BTreeMap<Vec<u64>, Views> = BTreeMap::new();
        for (globals, members) in &proof.views {
            let mut members = members.clone();
            members.sort_unstable();
            views.entry(proof.globals[*globals as usize].clone()).or_default().insert(members);
        }
        Self {
            slots,
            contexts: proof.contexts.len(),
            k: proof.k as usize,
            views,
            words: proof.words.clone(),
            numbers: HashMap::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            states,
            limit: states,
            meter,
        }
    }

    fn node(&mut self, key: &[u64], word: &[u64]) -> usize {
        let count = self.nodes.len();
        let node = *self.numbers.entry((key.to_vec(), word.to_vec())).or_insert(count);
        if node == count {
            self.nodes.push(Node::default());
            self.edges.push(BTreeMap::new());
        }
        node
    }

    fn initial(&mut self, arena: &mut Arena<'_>) -> Result<(), Failure> {
        let mut states = Vec::new();
        arena.machine.initial(&mut |outcome| {
            poll();
            if let Outcome::State(state) = outcome {
                states.push(padded(state));
            }
            ControlFlow::Continue(())
        });
        for state in states {
            let seen = arena.see(&state)?;
            for word in &seen.words {
                let node = self.node(&seen.key, word);
                self.nodes[node].is_initial = true;
            }
        }
        Ok(())
    }

    /// Every state that the views allow with some globals, with these members and others that do not come
    /// before the last of them.
    fn extend(
        &mut self,
        arena: &mut Arena<'_>,
        key: &[u64],
        views: &Views,
        words: &[u32],
        members: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        poll();
        if members.len() == arena.size as usize {
            return self.state(arena, key, members);
        }
        for (at, &word) in words.iter().enumerate() {
            members.push(word);
            if has_known_views(members, views, self.k) {
                self.extend(arena, key, views, &words[at..], members)?;
            }
            members.pop();
        }
        Ok(())
    }

    /// Runs a state, if there is one with these globals, counts and members.
    fn state(&mut self, arena: &mut Arena<'_>, key: &[u64], members: &[u32]) -> Result<(), Failure> {
        let words: Vec<&[u64]> = members.iter().map(|&it| &*self.words[it as usize]).collect();
        let mut state = Vec::new();
        if !arena.layout.write(&key[..key.len() - self.contexts], &words, &mut state) {
            return Ok(());
        }
        let seen = arena.see(&state)?;
        if seen.key != key {
            return Ok(());
        }
        self.states = self.states.checked_sub(1).ok_or(Failure::States(self.limit))?;
        self.meter.count(0);
        let moves = self.moves(arena, &state)?;
        for member in 0..arena.size {
            // Members with equal words see the same.
            if member > 0 && members[member as usize] == members[member as usize - 1] {
                continue;
            }
            let truth = arena.truth(&state, member)?;
            let node = self.node(key, &seen.words[member as usize]);
            self.judge(node, &seen, member, &moves, truth);
            for it in &moves {
                self.add(node, &seen, member, it);
            }
        }
        Ok(())
    }

    fn moves(&mut self, arena: &mut Arena<'_>, state: &[u64]) -> Result<Vec<Move>, Failure> {
        let (mut steps, mut faults) = (Vec::new(), false);
        let (system, slots) = (arena.system, &mut self.slots);
        arena.machine.successors(
            &state[..arena.layout.state_words()],
            &mut |label: Label<'_>, outcome: Outcome<'_>| {
                match outcome {
                    Outcome::State(next) => {
                        let mut movers = Vec::new();
                        slots.of_step(system, label, &mut movers);
                        steps.push((movers, padded(next)));
                    }
                    Outcome::Fault(_) => faults = true,
                }
                ControlFlow::Continue(())
            },
        );
        if faults {
            return Err(Failure::Unfit(String::from("a step may fault")));
        }
        steps.into_iter().map(|(movers, next)| Ok(Move { movers, to: arena.see(&next)? })).collect()
    }

    /// What is so in a state is possible in the node; what is enabled in it, surely only if it always is.
    fn judge(&mut self, node: usize, seen: &Seen, member: u32, moves: &[Move], truth: Truth) {
        let mut enabled: SlotBits = 0;
        let mut by_slot: BTreeMap<usize, MemberBits> = BTreeMap::new();
        for mover in moves.iter().flat_map(|it| &it.movers).filter(|mover| mover.counts) {
            match mover.member {
                Some(other) if other != member => *by_slot.entry(mover.slot).or_default() |= 1 << other,
                _ => enabled |= 1 << mover.slot,
            }
        }
        let others = seen.inside.iter().map(|inside| {
            let inside = inside & !(1 << member);
            let all = by_slot.iter().filter(|(_, able)| inside != 0 && inside & !**able == 0);
            all.fold(0, |all, (slot, _)| all | 1 << slot)
        });
        let others: Vec<SlotBits> = others.collect();
        let node = &mut self.nodes[node];
        node.maybe.true_ |= truth.true_;
        node.maybe.false_ |= truth.false_;
        match node.is_known {
            false => (node.is_known, node.enabled, node.others) = (true, enabled, others),
            true => {
                node.enabled &= enabled;
                node.others.iter_mut().zip(others).for_each(|(all, here)| *all &= here);
            }
        }
    }

    fn add(&mut self, node: usize, before: &Seen, member: u32, step: &Move) {
        let after = &step.to;
        let to = self.node(&after.key, &after.words[member as usize]);
        let mut edge = Edge { to, others: vec![0; self.contexts], ..Edge::default() };
        for (i, (before, after)) in before.inside.iter().zip(&after.inside).enumerate() {
            edge.leaves |= u32::from(before & !after & !(1 << member) != 0) << i;
            edge.enters |= u32::from(after & !before & !(1 << member) != 0) << i;
        }
        for mover in &step.movers {
            match mover.member {
                Some(other) if other != member => {
                    for (i, inside) in before.inside.iter().enumerate() {
                        edge.others[i] |= SlotBits::from(inside >> other & 1) << mover.slot;
                    }
                }
                _ => edge.executed |= 1 << mover.slot,
            }
        }
        let known = self.edges[node].entry((to, edge.leaves)).or_insert_with(|| edge.clone());
        known.enters |= edge.enters;
        known.executed |= edge.executed;
        known.others.iter_mut().zip(&edge.others).for_each(|(all, here)| *all |= here);
    }

    fn finish(self) -> Graph {
        let edges = self.edges.into_iter().map(|edges| edges.into_values().collect()).collect();
        let states = self.limit - self.states;
        Graph { nodes: self.nodes, edges, fair: self.slots.fair().collect(), states }
    }
}
