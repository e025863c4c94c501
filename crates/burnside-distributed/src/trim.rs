//! Trimming: dropping pairs that no fair accepting cycle goes through, by all workers together, until nothing
//! changes.
//!
//! Entry point: [`Trim::run`]. Dropped is what has no successor or no predecessor among what is left; and
//! what is not reached from everything that it needs ([`Conditions`]), or does not reach it, by edges among
//! what is left. All rules keep a pair that they kept with fewer pairs left, so what is left in the end does
//! not depend on the order in which pairs are dropped, nor on who drops them. That no fair component is lost
//! is shown in the book (internals, distributed runs).
//!
//! Each kind of work goes on at every worker until nothing is left to do there, and messages come in rounds:
//! it has ended when no worker has sent one.

use crate::conditions::Conditions;
use crate::note::{Load, Note};
use crate::rounds::Rounds;
use burnside_limits::{Interrupt, Stop};

/// An edge between pairs, kept by the owner of its source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutEdge {
    pub source: u32,
    /// The owner of the target, and its number there.
    pub worker: u32,
    pub target: u32,
    pub label: u32,
}

/// The same edge at the owner of its target: who has it, by which number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InEdge {
    pub target: u32,
    pub worker: u32,
    pub edge: u32,
}

/// The edges of a worker's pairs.
#[derive(Debug, Default)]
pub(crate) struct Edges {
    /// By pair: where its edges are.
    pub spans: Vec<(u32, u32)>,
    pub out: Vec<OutEdge>,
    /// In the order of their targets, when the graph is complete.
    pub incoming: Vec<InEdge>,
}

impl Edges {
    /// Bytes of all.
    pub fn bytes(&self) -> u64 {
        let of_edges =
            size_of::<OutEdge>() * self.out.capacity() + size_of::<InEdge>() * self.incoming.capacity();
        (8 * self.spans.capacity() + of_edges) as u64
    }
}

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Pairs without successor or predecessor are dropped.
    Prune,
    /// Along edges, it is told what was met.
    Forward,
    /// Against edges, likewise.
    Backward,
}

/// Words in a parcel, about.
const PARCEL: usize = 1 << 14;
/// After so many pairs it is asked whether the work is to end.
const PACE: usize = 1 << 10;
/// Bit of a message while pairs are dropped: an edge has lost its target, not its source.
const TARGET: u64 = 1 << 63;

/// The trimming of a worker's pairs.
pub(crate) struct Trim<'t> {
    conditions: &'t Conditions,
    edges: &'t Edges,
    /// By pair: its set of enabled units, and where its incoming edges are.
    enabled: &'t [u32],
    incoming: Vec<u32>,
    interrupt: &'t Interrupt,
    me: usize,
    alive: Vec<bool>,
    left: u64,
    /// How many edges lead to a pair, and from it, among what is left.
    ins: Vec<u32>,
    outs: Vec<u32>,
    /// By edge: whether its target is dropped.
    lost: Vec<bool>,
    /// By pair, what was met on the way to it, or what will be met from there on.
    met: Vec<u64>,
    open: Vec<u32>,
    is_open: Vec<bool>,
    outgoing: Vec<Vec<u64>>,
    scratch: Vec<u64>,
    stop: Option<Stop>,
}

impl<'t> Trim<'t> {
    /// Before anything is dropped. Incoming edges are in order.
    pub fn new(
        conditions: &'t Conditions,
        edges: &'t Edges,
        enabled: &'t [u32],
        interrupt: &'t Interrupt,
        rounds: &Rounds,
    ) -> Self {
        let pairs = edges.spans.len();
        let mut incoming = vec![0; pairs + 1];
        edges.incoming.iter().for_each(|edge| incoming[edge.target as usize + 1] += 1);
        let ins = incoming[1..].to_vec();
        (0..pairs).for_each(|pair| incoming[pair + 1] += incoming[pair]);
        Self {
            conditions,
            edges,
            enabled,
            incoming,
            interrupt,
            me: rounds.index(),
            alive: vec![true; pairs],
            left: pairs as u64,
            ins,
            outs: edges.spans.iter().map(|(start, end)| end - start).collect(),
            lost: vec![false; edges.out.len()],
            met: vec![0; pairs * conditions.words],
            open: Vec::new(),
            is_open: vec![false; pairs],
            outgoing: vec![Vec::new(); rounds.peers()],
            scratch: Vec::new(),
            stop: None,
        }
    }

    /// Drops all that can be dropped. The pairs that are left.
    pub fn run(mut self, rounds: &mut Rounds) -> Result<Vec<u32>, Stop> {
        let mut left = self.prune(rounds)?;
        let mut goes_on = self.conditions.words > 0;
        while goes_on && left > 0 {
            goes_on = false;
            for phase in [Phase::Forward, Phase::Backward] {
                if left > 0 && self.reach(phase, rounds)? > 0 {
                    goes_on = true;
                    left = self.prune(rounds)?;
                }
            }
        }
        Ok((0..).zip(&self.alive).filter(|(_, alive)| **alive).map(|(pair, _)| pair).collect())
    }

    /// Drops what has no successor or no predecessor; how many pairs are left to all workers.
    fn prune(&mut self, rounds: &mut Rounds) -> Result<u64, Stop> {
        for pair in 0..self.alive.len() {
            if self.alive[pair] && (self.ins[pair] == 0 || self.outs[pair] == 0) {
                self.drop_pair(pair as u32);
            }
        }
        self.exhaust(Phase::Prune, rounds)
    }

    /// Drops what does not meet all that it needs in one direction; how many pairs all workers drop.
    fn reach(&mut self, phase: Phase, rounds: &mut Rounds) -> Result<u64, Stop> {
        let words = self.conditions.words;
        for pair in 0..self.alive.len() {
            let met = &mut self.met[pair * words..][..words];
            met.copy_from_slice(self.conditions.own(self.enabled[pair]));
            if phase == Phase::Backward {
                let (start, end) = self.edges.spans[pair];
                for edge in start as usize..end as usize {
                    if !self.lost[edge] {
                        add(met, self.conditions.of_label(self.edges.out[edge].label));
                    }
                }
            }
        }
        self.open = (0..).zip(&self.alive).filter(|(_, alive)| **alive).map(|(pair, _)| pair).collect();
        self.is_open.copy_from_slice(&self.alive);
        self.exhaust(phase, rounds)?;
        let lacks = |pair: &u32| {
            let met = &self.met[*pair as usize * words..][..words];
            let needs = self.conditions.needs(self.enabled[*pair as usize]);
            self.alive[*pair as usize] && met.iter().zip(needs).any(|(met, needs)| needs & !met != 0)
        };
        let bad: Vec<u32> = (0..self.alive.len() as u32).filter(lacks).collect();
        let numbers = vec![bad.len() as u64];
        bad.into_iter().for_each(|pair| self.drop_pair(pair));
        let notes = rounds.gather(Note { numbers, ..Note::default() })?;
        Ok(notes.iter().map(|note| note.numbers[0]).sum())
    }

    fn drop_pair(&mut self, pair: u32) {
        if std::mem::replace(&mut self.alive[pair as usize], false) {
            self.left -= 1;
            self.open.push(pair);
        }
    }

    /// Does work of one kind until no worker has any; how many pairs are left to all workers.
    fn exhaust(&mut self, phase: Phase, rounds: &mut Rounds) -> Result<u64, Stop> {
        loop {
            self.work(phase);
            let mut sent = 0;
            for (to, messages) in self.outgoing.iter_mut().enumerate().filter(|(_, it)| !it.is_empty()) {
                sent += 1;
                let whole = PARCEL / (1 + self.conditions.words) * (1 + self.conditions.words);
                let messages = std::mem::take(messages);
                messages.chunks(whole).for_each(|some| rounds.send(to, Load::Nodes(some.to_vec())));
            }
            let stop = self.stop.as_ref().map(crate::stop::write);
            let mut received = Vec::new();
            let note = Note { stop, numbers: vec![sent, self.left], ..Note::default() };
            let notes = rounds.gather_with(note, &mut |parcel| {
                if let Load::Nodes(messages) = parcel.load {
                    received.push(messages);
                }
            })?;
            if let Some(stop) = notes.iter().find_map(|note| note.stop.as_deref()) {
                return Err(crate::stop::read(stop));
            }
            received.iter().for_each(|messages| self.hear(phase, messages));
            if notes.iter().all(|note| note.numbers[0] == 0) {
                return Ok(notes.iter().map(|note| note.numbers[1]).sum());
            }
        }
    }

    /// Does what there is to do here.
    fn work(&mut self, phase: Phase) {
        let mut count = 0;
        while let Some(pair) = self.open.pop() {
            count += 1;
            if count % PACE == 0 && self.interrupt.is_raised() {
                self.stop = Some(self.interrupt.stop().unwrap_or(Stop::Interrupted));
                self.open.clear();
                self.outgoing.iter_mut().for_each(Vec::clear);
                return;
            }
            match phase {
                Phase::Prune => self.tell_gone(pair),
                Phase::Forward => self.tell_forward(pair),
                Phase::Backward => self.tell_backward(pair),
            }
        }
    }

    /// Takes messages from another worker.
    fn hear(&mut self, phase: Phase, messages: &[u64]) {
        if phase == Phase::Prune {
            return messages.iter().for_each(|&message| match message & TARGET {
                0 => self.lose_in(message as u32),
                _ => self.lose_out(message as u32),
            });
        }
        for message in messages.chunks_exact(1 + self.conditions.words) {
            let at = message[0] as u32;
            if phase == Phase::Forward {
                self.meet(at, &message[1..]);
            } else {
                self.meet(self.edges.out[at as usize].source, &message[1..]);
            }
        }
    }

    /// A pair was dropped: its neighbours have an edge less.
    fn tell_gone(&mut self, pair: u32) {
        for edge in self.edges_of(pair) {
            let OutEdge { worker, target, .. } = self.edges.out[edge];
            if self.lost[edge] {
                continue;
            }
            match worker as usize == self.me {
                true => self.lose_in(target),
                false => self.outgoing[worker as usize].push(target.into()),
            }
        }
        for at in self.incoming_of(pair) {
            let InEdge { worker, edge, .. } = self.edges.incoming[at];
            match worker as usize == self.me {
                true => self.lose_out(edge),
                false => self.outgoing[worker as usize].push(TARGET | u64::from(edge)),
            }
        }
    }

    /// An edge to a pair has lost its source.
    fn lose_in(&mut self, pair: u32) {
        let at = pair as usize;
        if self.alive[at] {
            self.ins[at] -= 1;
            if self.ins[at] == 0 {
                self.drop_pair(pair);
            }
        }
    }

    /// An edge has lost its target.
    fn lose_out(&mut self, edge: u32) {
        let source = self.edges.out[edge as usize].source;
        let at = source as usize;
        if !std::mem::replace(&mut self.lost[edge as usize], true) && self.alive[at] {
            self.outs[at] -= 1;
            if self.outs[at] == 0 {
                self.drop_pair(source);
            }
        }
    }

    /// Something more was met on the way to a pair: its successors hear of it.
    fn tell_forward(&mut self, pair: u32) {
        self.is_open[pair as usize] = false;
        let words = self.conditions.words;
        for edge in self.edges_of(pair) {
            if self.lost[edge] {
                continue;
            }
            let OutEdge { worker, target, label, .. } = self.edges.out[edge];
            let mut met = std::mem::take(&mut self.scratch);
            met.clear();
            met.extend_from_slice(&self.met[pair as usize * words..][..words]);
            add(&mut met, self.conditions.of_label(label));
            self.tell(worker, target, &met);
            self.scratch = met;
        }
    }

    /// Something more will be met from a pair on: its predecessors hear of it.
    fn tell_backward(&mut self, pair: u32) {
        self.is_open[pair as usize] = false;
        let words = self.conditions.words;
        let mut met = std::mem::take(&mut self.scratch);
        met.clear();
        met.extend_from_slice(&self.met[pair as usize * words..][..words]);
        for at in self.incoming_of(pair) {
            let InEdge { worker, edge, .. } = self.edges.incoming[at];
            match worker as usize == self.me {
                true => self.meet(self.edges.out[edge as usize].source, &met),
                false => self.send(worker, edge, &met),
            }
        }
        self.scratch = met;
    }

    fn tell(&mut self, worker: u32, target: u32, met: &[u64]) {
        match worker as usize == self.me {
            true => self.meet(target, met),
            false => self.send(worker, target, met),
        }
    }

    fn send(&mut self, worker: u32, at: u32, met: &[u64]) {
        let messages = &mut self.outgoing[worker as usize];
        messages.push(at.into());
        messages.extend_from_slice(met);
    }

    /// A pair hears of what was met.
    fn meet(&mut self, pair: u32, more: &[u64]) {
        let (at, words) = (pair as usize, self.conditions.words);
        let met = &mut self.met[at * words..][..words];
        if self.alive[at] && add(met, more) && !std::mem::replace(&mut self.is_open[at], true) {
            self.open.push(pair);
        }
    }

    fn edges_of(&self, pair: u32) -> std::ops::Range<usize> {
        let (start, end) = self.edges.spans[pair as usize];
        start as usize..end as usize
    }

    fn incoming_of(&self, pair: u32) -> std::ops::Range<usize> {
        self.incoming[pair as usize] as usize..self.incoming[pair as usize + 1] as usize
    }
}

/// Adds bits to others. Whether some are new.
fn add(bits: &mut [u64], more: &[u64]) -> bool {
    let mut new = 0;
    for (bits, more) in bits.iter_mut().zip(more) {
        new |= more & !*bits;
        *bits |= more;
    }
    new != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::Cluster;
    use burnside_limits::Random;
    use std::sync::Arc;

    /// A graph with the bits of its edges, and of its nodes what they have and what they need.
    #[derive(Debug)]
    struct World {
        edges: Vec<(usize, usize, u64)>,
        own: Vec<u64>,
        needs: Vec<u64>,
    }

    impl World {
        fn random(seed: u64) -> Self {
            let mut random = Random::new(seed);
            let mut below = |most: u64| random.bits() % most;
            let (nodes, bits) = (2 + below(9), below(4));
            let edges = (0..below(3 * nodes)).map(|_| {
                let rare = if below(3) == 0 { below(1 << bits) } else { 0 };
                (below(nodes) as usize, below(nodes) as usize, rare)
            });
            let edges = edges.collect();
            let own = (0..nodes).map(|_| if below(4) == 0 { below(1 << bits) } else { 0 }).collect();
            let needs = (0..nodes).map(|_| below(1 << bits)).collect();
            Self { edges, own, needs }
        }

        /// What is left, as slowly as it is defined.
        fn left(&self) -> Vec<bool> {
            let mut alive = vec![true; self.own.len()];
            loop {
                let inside: Vec<_> =
                    self.edges.iter().copied().filter(|&(from, to, _)| alive[from] && alive[to]).collect();
                let bad = |node: usize| {
                    let into = inside.iter().any(|&(_, to, _)| to == node);
                    let out = inside.iter().any(|&(from, _, _)| from == node);
                    let lacks = |met: Vec<u64>| self.needs[node] & !met[node] != 0;
                    !into || !out || lacks(self.met(&inside, false)) || lacks(self.met(&inside, true))
                };
                match (0..alive.len()).find(|&node| alive[node] && bad(node)) {
                    Some(node) => alive[node] = false,
                    None => return alive,
                }
            }
        }

        fn met(&self, inside: &[(usize, usize, u64)], backward: bool) -> Vec<u64> {
            let mut met = self.own.clone();
            for _ in 0..=4 * met.len() {
                for &(from, to, bits) in inside {
                    let (from, to) = if backward { (to, from) } else { (from, to) };
                    met[to] |= met[from] | bits;
                }
            }
            met
        }

        /// The edges of a worker: node `n` is number `n / workers` of worker `n % workers`.
        fn share(&self, me: usize, workers: usize) -> Edges {
            let mut edges = Edges::default();
            let mut numbers = vec![0; workers];
            let mut all: Vec<_> = (0..).zip(&self.edges).collect();
            all.sort_by_key(|(_, edge)| edge.0);
            for node in (me..self.own.len()).step_by(workers) {
                let first = edges.out.len() as u32;
                for &(label, &(_, to, _)) in all.iter().filter(|(_, edge)| edge.0 == node) {
                    let (worker, target) = ((to % workers) as u32, (to / workers) as u32);
                    edges.out.push(OutEdge { source: (node / workers) as u32, worker, target, label });
                }
                edges.spans.push((first, edges.out.len() as u32));
            }
            for (_, (from, to, _)) in all {
                let worker = from % workers;
                if to % workers == me {
                    let (target, edge) = ((to / workers) as u32, numbers[worker]);
                    edges.incoming.push(InEdge { target, worker: worker as u32, edge });
                }
                numbers[worker] += 1;
            }
            edges.incoming.sort_by_key(|edge| edge.target);
            edges
        }
    }

    #[test]
    fn what_is_left_is_the_greatest_set() {
        let clusters = [1, 2, 3].map(|count| Cluster::of_threads(count, &Interrupt::new()).expect("workers"));
        let (mut dropped, mut left) = (0, 0);
        for seed in 0..300 {
            let world = Arc::new(World::random(seed));
            let expected = world.left();
            left += expected.iter().filter(|alive| **alive).count();
            dropped += expected.iter().filter(|alive| !**alive).count();
            for cluster in &clusters {
                let shared = Arc::clone(&world);
                let work = move |rounds: &mut Rounds, _: &mut dyn FnMut(_, _)| {
                    let (me, workers) = (rounds.index(), rounds.peers());
                    let labels = shared.edges.iter().map(|edge| edge.2).collect();
                    let conditions = Conditions::given(labels, shared.own.clone(), shared.needs.clone());
                    let nodes: Vec<u32> = (me as u32..shared.own.len() as u32).step_by(workers).collect();
                    let (edges, interrupt) = (shared.share(me, workers), Interrupt::new());
                    let trim = Trim::new(&conditions, &edges, &nodes, &interrupt, rounds);
                    let left = trim.run(rounds).expect("nobody ends it");
                    left.into_iter().map(|id| nodes[id as usize] as usize).collect::<Vec<_>>()
                };
                let found = cluster.each(work, &mut |_, _| {}).concat();
                let found: Vec<bool> = (0..expected.len()).map(|node| found.contains(&node)).collect();
                assert_eq!(expected, found, "{seed}, {} workers: {world:?}", cluster.workers());
            }
        }
        assert!(dropped > 500 && left > 500, "{dropped} were dropped, {left} are left");
    }
}
