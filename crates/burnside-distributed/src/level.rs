//! One worker's share of a search: the nodes whose hashes are its own, and what it does in one level.
//!
//! Entry points: [`Share::begin`] for the initial states, [`Share::expand`] for a level. The nodes of a level
//! are the last ones of the store. Each is expanded by its owner; what it leads to is brought into order
//! there, and goes to the owner of that in large parcels, for the worker itself without a detour. A record in
//! a parcel is the key of the parent, with orbits the order of the stabiliser, and the words of the node.
//!
//! When work is to end ([`Share::stop`]) the worker goes on taking parcels, and throws them away: the round
//! must come to its end everywhere.

use crate::note::{Candidate, Claim, Load, Note, Parcel, Place};
use crate::parents::{self, Parents};
use crate::rounds::Rounds;
use burnside_explicit::{Expander, Insert, NodeId, Opinion, Store};
use burnside_limits::{Limits, Stop, catch};
use burnside_ts::{Question, System};

/// Words in a parcel, about.
const PARCEL: usize = 1 << 12;
/// So many nodes are inserted together.
const TOGETHER: usize = 32;
/// So many nodes are expanded before messages come and go.
const PACE: u32 = 64;

/// A worker's share.
pub(crate) struct Share<'s> {
    pub store: Store,
    pub expander: Expander<'s>,
    parents: Parents,
    /// The questions, as far as they are open.
    pub open: Vec<Option<&'s Question>>,
    /// For all workers of this process together.
    given: Limits,
    me: usize,
    workers: usize,
    /// Words of a node, and of a record.
    words: usize,
    record: usize,
    /// What is to be sent, by worker.
    outgoing: Vec<Vec<u64>>,
    /// The first node of the level at hand, and of the one after it.
    level: u32,
    next: u32,
    /// In this level.
    transitions: u64,
    found: Vec<Vec<Candidate>>,
    faulted: bool,
    stop: Option<Stop>,
}

/// The owner of a node among so many workers. It looks at other bits than the store does.
#[inline]
pub(crate) fn owner(hash: u64, workers: usize) -> usize {
    let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (mixed as usize * workers) >> 32
}

impl<'s> Share<'s> {
    /// Before the initial states.
    pub fn new(
        system: &'s System,
        expander: Expander<'s>,
        questions: &'s [Question],
        rounds: &Rounds,
        (given, threads): (&Limits, usize),
    ) -> Self {
        // States are counted at the end of levels; a worker alone never has many more.
        let limits = Limits {
            states: given.states.map(|states| states.saturating_add(1 << 16)),
            memory: given.memory.map(|memory| memory / threads as u64),
            ..given.clone()
        };
        let (words, workers) = (system.words(), rounds.peers());
        let record = words + 1 + usize::from(expander.has_orbits());
        Self {
            store: Store::of_states(system, 0, &limits),
            expander,
            parents: Parents::new(workers),
            open: questions.iter().map(Some).collect(),
            given: given.clone(),
            me: rounds.index(),
            workers,
            words,
            record,
            outgoing: vec![Vec::new(); workers],
            level: 0,
            next: 0,
            transitions: 0,
            found: vec![Vec::new(); questions.len()],
            faulted: false,
            stop: None,
        }
    }

    /// Bytes of nodes and of where they come from.
    pub fn bytes(&self) -> u64 {
        self.store.bytes() + self.parents.bytes()
    }

    /// The number of new nodes.
    fn fresh(&self) -> u32 {
        self.store.len() - self.next
    }

    /// Why the work ends, if it does.
    fn end(&mut self, stop: Stop) {
        let stop = match stop {
            Stop::Interrupted => self.given.interrupt.stop().unwrap_or(Stop::Interrupted),
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

    /// Finds the initial states. Every worker sees all of them and keeps its own.
    pub fn begin(&mut self) {
        self.attempt(|share| {
            let Self { expander, outgoing, store, workers, me, words, record, .. } = share;
            let (orbits, mine) = (*record > *words + 1, &mut outgoing[*me]);
            let faulted = expander.initial(&mut |node, order| {
                if owner(store.hash(node), *workers) == *me {
                    write(mine, parents::INITIAL, orbits.then_some(order), node);
                }
            })?;
            share.faulted |= faulted;
            if faulted {
                share.find(|question| matches!(question, Question::Fault), None, &[]);
            }
            Ok(())
        });
        self.take_own();
    }

    /// Expands the nodes of the level, and takes what comes meanwhile.
    pub fn expand(&mut self, rounds: &mut Rounds) -> Result<(), Stop> {
        self.parents.close();
        (self.level, self.next) = (self.next, self.store.len());
        let mut source = vec![0; self.words];
        for id in self.level..self.next {
            if id.is_multiple_of(PACE) {
                while let Some(parcel) = rounds.receive()? {
                    self.take(parcel);
                }
            }
            if self.given.interrupt.is_raised() {
                self.end(Stop::Interrupted);
            }
            if self.stop.is_some() {
                break;
            }
            source.copy_from_slice(&self.store.get(NodeId(id)));
            self.attempt(|share| share.step(id, &source));
            self.dispatch(rounds, PARCEL);
        }
        self.dispatch(rounds, 1);
        rounds.finish(&mut |parcel| self.take(parcel))
    }

    /// Takes every step from a node.
    fn step(&mut self, id: u32, source: &[u64]) -> Result<(), Stop> {
        let Self { expander, outgoing, store, workers, words, record, .. } = self;
        let (key, orbits) = (parents::key(store.hash(source), id), *record > *words + 1);
        let expansion = expander.expand(source, &mut |node, order| {
            let to = if *workers > 1 { owner(store.hash(node), *workers) } else { 0 };
            write(&mut outgoing[to], key, orbits.then_some(order), node);
        })?;
        self.transitions += expansion.transitions;
        self.faulted |= expansion.faulted;
        if expansion.faulted {
            self.find(|question| matches!(question, Question::Fault), Some(id), source);
        }
        if expansion.dead {
            self.find(|question| matches!(question, Question::Deadlock), Some(id), source);
        }
        Ok(())
    }

    /// Sends what there is for a worker, if that has so many words.
    fn dispatch(&mut self, rounds: &mut Rounds, least: usize) {
        for to in 0..self.workers {
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

    /// Inserts the nodes of some records, and asks the open questions about the new ones.
    fn insert(&mut self, from: u32, records: &[u64]) {
        self.attempt(|share| {
            let (record, start) = (share.record, share.record - share.words);
            let mut hashes = [0; TOGETHER];
            for some in records.chunks(TOGETHER * record) {
                let count = some.len() / record;
                for (hash, it) in hashes.iter_mut().zip(some.chunks_exact(record)) {
                    *hash = share.store.hash(&it[start..]);
                }
                share.store.touch(&hashes[..count]);
                for (&hash, it) in hashes.iter().zip(some.chunks_exact(record)) {
                    let (head, node) = it.split_at(start);
                    share.insert_one(from, head, node, hash)?;
                }
            }
            Ok(())
        });
    }

    #[inline]
    fn insert_one(&mut self, from: u32, head: &[u64], node: &[u64], hash: u64) -> Result<(), Stop> {
        match self.store.insert_hashed(node, hash, None) {
            Insert::Old(id) => {
                self.parents.also(id.0, from, head[0]);
                Ok(())
            }
            Insert::New(id) => {
                self.parents.push(from, head[0]);
                self.expander.tally(head.get(1).copied().unwrap_or(0));
                self.judge(id.0, node)
            }
            Insert::Full => Err(self.full()),
        }
    }

    /// Why there is no room: the limit as it was given, and not this worker's part of it.
    fn full(&self) -> Stop {
        match (self.store.full(), &self.given) {
            (Stop::States(_), Limits { states: Some(states), .. }) => Stop::States(*states),
            (Stop::Memory(_), Limits { memory: Some(memory), .. }) => Stop::Memory(*memory),
            (stop, _) => stop,
        }
    }

    /// Asks the open questions about a new node.
    fn judge(&mut self, id: u32, node: &[u64]) -> Result<(), Stop> {
        let Self { expander, open, found, me, .. } = self;
        let at = Some(Place { worker: *me as u32, id });
        expander.judge(open, node, &mut |question, opinion| {
            let claim = match opinion {
                Opinion::Answer => Claim::Answer,
                Opinion::Pending => Claim::Pending,
                Opinion::Value(value) => Claim::Value(value),
            };
            keep(&mut found[question], Candidate { at, node: node.to_vec(), claim });
        })
    }

    /// A node, or the initialisation, answers the open questions of a kind.
    fn find(&mut self, which: impl Fn(&Question) -> bool, id: Option<u32>, node: &[u64]) {
        let at = id.map(|id| Place { worker: self.me as u32, id });
        for (question, found) in self.open.iter().zip(&mut self.found) {
            if question.is_some_and(&which) {
                keep(found, Candidate { at, node: node.to_vec(), claim: Claim::Answer });
            }
        }
    }

    /// What is to be told of the level that was made: the number of new nodes, of all nodes, of transitions,
    /// of bytes, whether a step faulted, and the work that was spent on a state that was too hard.
    pub fn note(&mut self) -> Note {
        let stop = self.stop.as_ref().map(crate::stop::write);
        let faulted = u64::from(std::mem::take(&mut self.faulted));
        let (fresh, all) = (self.fresh().into(), self.store.len().into());
        let transitions = std::mem::take(&mut self.transitions);
        let hard = self.expander.too_hard().unwrap_or(0);
        let candidates = self.found.iter_mut().map(std::mem::take).collect();
        let numbers = vec![fresh, all, transitions, self.bytes(), faulted, hard];
        Note { stop, numbers, candidates, ..Note::default() }
    }

    /// The words of a node, and where it was reached from.
    pub fn node(&self, id: u32) -> (Vec<u64>, Option<Place>) {
        (self.store.get(NodeId(id)).to_vec(), self.parents.get(id))
    }
}

/// Writes a record.
#[inline]
fn write(records: &mut Vec<u64>, key: u64, order: Option<u64>, node: &[u64]) {
    records.push(key);
    records.extend(order);
    records.extend_from_slice(node);
}

/// Keeps of each claim the candidate that counts; of values, one of the greatest.
fn keep(found: &mut Vec<Candidate>, new: Candidate) {
    let alike = |it: &Candidate| std::mem::discriminant(&it.claim) == std::mem::discriminant(&new.claim);
    match found.iter_mut().find(|it| alike(it)) {
        None => found.push(new),
        Some(known) => {
            if new.counts_before(known) {
                *known = new;
            }
        }
    }
}
