//! One worker's share of a product that is explored: the pairs whose states are its own, and their edges.
//!
//! Entry points: [`ProductShare::begin`], [`ProductShare::expand`] for a level, and
//! [`ProductShare::settle`] after it. It goes as a search for states does (`level`), but edges are kept,
//! where an accepting cycle may have them. A record in a parcel is the key of the parent, the number of
//! the edge (none: 0) and the words of the pair. Who takes a record with an edge answers with the number
//! of the pair, after the level.

use crate::note::{Load, Note, Parcel};
use crate::pairs::Pairs;
use crate::parents;
use crate::rounds::Rounds;
use crate::trim::{Edges, InEdge, OutEdge};
use burnside_explicit::RunExpander;
use burnside_limits::{Large, Limits, Stop, catch};
use burnside_ts::System;

/// Words in a parcel, about.
const PARCEL: usize = 1 << 12;
/// So many pairs are expanded before messages come and go.
const PACE: usize = 32;
/// Words of a record before those of the pair.
const HEAD: usize = 2;

/// A worker's share.
pub(crate) struct ProductShare<'s> {
    pub expander: RunExpander<'s>,
    pub pairs: Pairs,
    pub edges: Edges,
    /// By pair: the set of its enabled units.
    pub enabled: Vec<u32>,
    /// For all workers of this process together, and the part of the memory that is this one's.
    given: Limits,
    memory: Option<u64>,
    me: usize,
    /// Records to be sent, by worker, and answers to records.
    outgoing: Vec<Vec<u64>>,
    answers: Vec<Vec<u64>>,
    /// The first pair of the next level.
    next: u32,
    /// In this level: of the model, and of the product.
    transitions: (u64, u64),
    stop: Option<Stop>,
}

impl<'s> ProductShare<'s> {
    /// Before the initial pairs.
    pub fn new(
        system: &System,
        expander: RunExpander<'s>,
        rounds: &Rounds,
        (given, threads): (&Limits, usize),
    ) -> Self {
        let memory = given.memory.map(|memory| memory / threads as u64);
        // States are counted at the end of levels; a worker alone never has many more.
        let states = given.states.map(|states| states.saturating_add(1 << 16));
        let limits = Limits { states, memory, ..given.clone() };
        let workers = rounds.peers();
        Self {
            pairs: Pairs::new(system, expander.width(), workers, &limits),
            expander,
            edges: Edges::default(),
            enabled: Vec::new(),
            given: given.clone(),
            memory,
            me: rounds.index(),
            outgoing: vec![Vec::new(); workers],
            answers: vec![Vec::new(); workers],
            next: 0,
            transitions: (0, 0),
            stop: None,
        }
    }

    /// Why the work ends, if it does.
    fn end(&mut self, stop: Stop) {
        let stop = match stop {
            Stop::Interrupted => self.given.interrupt.stop().unwrap_or(Stop::Interrupted),
            // Limits as they were given, and not this worker's part of them.
            Stop::States(most) => Stop::States(self.given.states.unwrap_or(most)),
            Stop::Memory(most) => Stop::Memory(self.given.memory.unwrap_or(most)),
            stop => stop,
        };
        self.stop.get_or_insert(stop);
    }

    /// Does something that a limit may end somewhere deep.
    fn attempt(&mut self, work: impl FnOnce(&mut Self) -> Result<(), Stop>) {
        if self.stop.is_none()
            && let Err(stop) = catch(|| work(self)).and_then(|result| result)
        {
            self.end(stop);
        }
    }

    /// Finds the initial pairs. Every worker sees all of them and keeps its own.
    pub fn begin(&mut self) {
        self.attempt(|share| {
            let Self { expander, pairs, outgoing, me, .. } = share;
            expander.initial(&mut |pair| {
                if pairs.owner(pair) == *me {
                    outgoing[*me].extend([parents::INITIAL, 0]);
                    outgoing[*me].extend_from_slice(pair);
                }
            })
        });
        self.take_own();
    }

    /// Expands the pairs of the level, and takes what comes meanwhile.
    pub fn expand(&mut self, rounds: &mut Rounds) -> Result<(), Stop> {
        self.pairs.parents.close();
        let first = std::mem::replace(&mut self.next, self.pairs.len());
        self.pairs.levels.push(first);
        self.edges.spans.resize(self.next as usize, (0, 0));
        self.enabled.resize(self.next as usize, 0);
        // Pairs of one state have steps in common.
        let mut level: Vec<u32> = (first..self.next).collect();
        level.sort_by_key(|&pair| self.pairs.state(pair));
        let mut words = Vec::with_capacity(self.pairs.width());
        for (count, pair) in level.into_iter().enumerate() {
            if count % PACE == 0 {
                while let Some(parcel) = rounds.receive()? {
                    self.take(parcel);
                }
                self.look_at_limits();
            }
            if self.stop.is_some() {
                break;
            }
            words.clear();
            self.pairs.words(pair, &mut words);
            self.attempt(|share| share.step(pair, &words));
            self.dispatch(rounds, PARCEL);
        }
        self.dispatch(rounds, 1);
        rounds.finish(&mut |parcel| self.take(parcel))
    }

    fn look_at_limits(&mut self) {
        if self.given.interrupt.is_raised() {
            self.end(Stop::Interrupted);
        }
        if let (Some(most), Some(given)) = (self.memory, self.given.memory)
            && self.bytes() > most
        {
            self.end(Stop::Memory(given));
        }
    }

    /// Takes every step from a pair.
    fn step(&mut self, pair: u32, words: &[u64]) -> Result<(), Stop> {
        let Self { expander, pairs, outgoing, edges, .. } = self;
        let key = parents::key(pairs.hash(words), pair);
        let start = edges.out.len();
        let facts = expander.expand(words, &mut |target, label| {
            let to = pairs.owner(target);
            let edge = label.map_or(0, |label| {
                edges.out.push(OutEdge { source: pair, worker: to as u32, target: u32::MAX, label });
                edges.out.len() as u64
            });
            outgoing[to].extend([key, edge]);
            outgoing[to].extend_from_slice(target);
        })?;
        let end = u32::try_from(edges.out.len()).map_err(|_| Stop::TooLarge(Large::Depth))?;
        edges.spans[pair as usize] = (start as u32, end);
        self.enabled[pair as usize] = facts.enabled;
        self.transitions.0 += facts.transitions.0;
        self.transitions.1 += facts.transitions.1;
        Ok(())
    }

    /// Sends what there is for a worker, if that has so many words.
    fn dispatch(&mut self, rounds: &mut Rounds, least: usize) {
        for to in 0..self.outgoing.len() {
            // What is half written is of no use when the work ends.
            if self.stop.is_some() {
                self.outgoing[to].clear();
            }
            if self.outgoing[to].len() >= least {
                if to == self.me {
                    self.take_own();
                } else {
                    rounds.send(to, Load::Nodes(std::mem::take(&mut self.outgoing[to])));
                }
            }
        }
    }

    /// Takes what it has for itself.
    fn take_own(&mut self) {
        let mut own = std::mem::take(&mut self.outgoing[self.me]);
        self.insert(self.me as u32, &own);
        own.clear();
        self.outgoing[self.me] = own;
    }

    /// Takes what another worker has sent.
    fn take(&mut self, parcel: Parcel) {
        if let Load::Nodes(records) = parcel.load {
            self.insert(parcel.from, &records);
        }
    }

    fn insert(&mut self, from: u32, records: &[u64]) {
        self.attempt(|share| {
            for record in records.chunks_exact(HEAD + share.pairs.width()) {
                let (head, words) = record.split_at(HEAD);
                let target = share.pairs.insert(words, from, head[0])?;
                let Some(edge) = (head[1] as u32).checked_sub(1) else { continue };
                share.edges.incoming.push(InEdge { target, worker: from, edge });
                match from as usize == share.me {
                    true => share.edges.out[edge as usize].target = target,
                    false => share.answers[from as usize].push(u64::from(edge) << 32 | u64::from(target)),
                }
            }
            Ok(())
        });
    }

    /// Answers the records of a level, and hears the answers to its own; what all tell of the level.
    pub fn settle(&mut self, rounds: &mut Rounds) -> Result<Vec<Note>, Stop> {
        for (to, answers) in self.answers.iter_mut().enumerate().filter(|(_, it)| !it.is_empty()) {
            rounds.send(to, Load::Nodes(std::mem::take(answers)));
        }
        let note = self.note();
        let out = &mut self.edges.out;
        rounds.gather_with(note, &mut |parcel| {
            let Load::Nodes(answers) = parcel.load else { return };
            for answer in answers {
                // When the work ends some edges are not there any more.
                if let Some(edge) = out.get_mut((answer >> 32) as usize) {
                    edge.target = answer as u32;
                }
            }
        })
    }

    /// New pairs, all pairs, states, transitions of the model and of the product, bytes, whether a step
    /// faulted, and the work that was spent on a state that was too hard.
    fn note(&mut self) -> Note {
        let stop = self.stop.as_ref().map(crate::stop::write);
        let transitions = std::mem::take(&mut self.transitions);
        let numbers = vec![
            (self.pairs.len() - self.next).into(),
            self.pairs.len().into(),
            self.pairs.states().into(),
            transitions.0,
            transitions.1,
            self.bytes(),
            self.expander.faulted().into(),
            self.expander.too_hard().unwrap_or(0),
        ];
        Note { stop, numbers, ..Note::default() }
    }

    /// Bytes of all that is kept.
    fn bytes(&self) -> u64 {
        let enabled = 4 * self.enabled.capacity() as u64;
        self.pairs.bytes() + self.edges.bytes() + enabled + self.expander.bytes()
    }

    /// No level follows.
    pub fn close(&mut self) {
        self.edges.incoming.sort_unstable_by_key(|edge| edge.target);
    }
}
