//! Breadth-first search by several threads, with exactly the results of one.
//!
//! Entry point: [`Crew::expand`]. A block of nodes is expanded by all threads, each with machines and a
//! canoniser of its own: they only read the store, and keep what is not in it. Then each thread finds the
//! different ones among nodes with some hashes, and asks the open questions about these. In the end the store
//! takes them in, in the order in which one thread would have found them.
//!
//! If something happens in a block that the order matters for (a question is answered, a limit may be
//! reached, a state is too hard to bring into order), the block is taken back, and left to one thread.
//! So numbers of nodes, predecessors, figures and evidence do not depend on how many threads there are.

use super::{BreadthFirst, Ended, Judgement, has_condition, judge, represent};
use crate::orbits::Orbits;
use crate::store::{Batch, BatchPlace, NodeId, Store, distinct, in_parallel};
use burnside_limits::{Limits, Threads, poll};
use burnside_trace::Regular;
use burnside_ts::{AnyMachine, Label, Outcome, Question, StepFilter, System, Walk};
use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, PoisonError};

/// A block of fewer nodes than this part of the usual one is left to one thread.
const LEAST: u32 = 32;
/// Threads take this part of the usual block at a time.
const PORTIONS: u32 = 128;
/// So many lookups wait for the memory together.
const TOUCHED: usize = 32;

/// What becomes of a block.
pub(super) enum BlockEnd {
    /// All its nodes were expanded.
    Done,
    /// They are to be expanded by one thread.
    Alone,
    /// The search is over.
    Ended(Ended),
}

/// The threads of a search.
pub(super) struct Crew<'s> {
    threads: Threads,
    workers: Vec<Worker<'s>>,
    portions: Vec<Portion>,
    /// Up to here nodes are expanded by one thread.
    alone: u32,
}

/// What each thread has for itself.
struct Worker<'s> {
    machine: AnyMachine<'s>,
    /// Evaluates conditions while the other machine is in the middle of a step.
    evaluator: AnyMachine<'s>,
    orbits: Option<Orbits<'s>>,
    source: Vec<u64>,
    node: Vec<u64>,
    covered: Vec<bool>,
    /// What waits to be looked for in the store, and the orders of its stabilisers as far as they are known.
    waiting: Batch,
    stabilisers: Vec<Option<u128>>,
    /// The nodes that it has expanded, and in the block at hand.
    expanded: u64,
    tried: u64,
}

/// Some nodes of a block, and what they lead to.
#[derive(Default)]
struct Portion {
    nodes: Range<u32>,
    batch: Batch,
    /// With orbits: the order of the stabiliser of each node in the batch, if it is known.
    stabilisers: Vec<Option<u128>>,
    transitions: u64,
    faulted: bool,
    /// Something happened that the order matters for.
    special: bool,
    interrupted: bool,
}

/// What is new among the nodes of some hashes.
struct Judged {
    places: Vec<BatchPlace>,
    /// Something happened that the order matters for.
    special: bool,
    interrupted: bool,
    /// By question: the greatest value, and which has it first.
    greatest: Vec<Option<(i64, BatchPlace)>>,
}

/// What all threads look at.
#[derive(Clone, Copy)]
struct Shared<'w, 's> {
    system: &'s System,
    store: &'w Store,
    monitor: Option<&'w Regular<'s>>,
    open: &'w OpenQuestions<'s>,
}

struct OpenQuestions<'s> {
    /// The questions, as far as they are open.
    questions: Vec<Option<&'s Question>>,
    /// For which of them a node without a value is known.
    pending: Vec<bool>,
}

impl<'s> Crew<'s> {
    pub fn new(limits: &Limits) -> Self {
        let threads = limits.threads;
        Self { threads, workers: Vec::new(), portions: Vec::new(), alone: threads.alone }
    }

    /// The block of nodes from here on, if it is large enough. It ends at the marks that are ahead.
    pub fn block(&self, next: u32, marks: &[u32]) -> Option<Range<u32>> {
        let ahead = marks.iter().filter(|&&mark| mark > next).min()?;
        let Threads { count, block, .. } = self.threads;
        let end = (*ahead).min(next.saturating_add(block));
        let worth_while = count.get() > 1 && end - next >= block / LEAST;
        (worth_while && next >= self.alone).then_some(next..end)
    }

    /// Expands a block.
    pub fn expand(&mut self, search: &mut BreadthFirst<'s>, limits: &Limits, block: Range<u32>) -> BlockEnd {
        if search.orbits.as_ref().is_some_and(|orbits| orbits.too_hard().is_some()) {
            self.alone = u32::MAX;
            return BlockEnd::Alone;
        }
        if let Some(ended) = search.catch_up() {
            return BlockEnd::Ended(ended);
        }
        if self.workers.is_empty() {
            self.workers = (0..self.threads.count.get()).map(|_| Worker::new(search, limits)).collect();
        }
        self.workers.iter_mut().for_each(|worker| worker.tried = 0);
        let open = OpenQuestions::of(search);
        let each = (self.threads.block / PORTIONS).max(1);
        let portions = divide(&mut self.portions, block.clone(), each, search.node.len());
        let shared = Shared::new(search, &open);
        each_taken(&mut self.workers, portions.iter_mut(), |worker, portion| worker.expand(shared, portion));
        if portions.iter().any(|portion| portion.interrupted) {
            return BlockEnd::Ended(Ended::Interrupted);
        }
        self.alone = block.end;
        if self.workers.iter().any(Worker::met_a_hard_state) {
            // Representatives depend on what was met before, from now on: one thread has one history.
            self.alone = u32::MAX;
            return BlockEnd::Alone;
        }
        if portions.iter().any(|portion| portion.special) {
            return BlockEnd::Alone;
        }
        let (portions, threads) = (&*portions, self.threads.count.get());
        let batches: Vec<&Batch> = portions.iter().map(|portion| &portion.batch).collect();
        let (shared, bits) = (Shared::new(search, &open), search.store.group_bits(threads));
        let judged = each_taken(&mut self.workers, 0..1 << bits, |worker, group| {
            worker.judge(shared, &batches, distinct(&batches, group, bits))
        });
        if judged.iter().any(|judged| judged.interrupted) {
            return BlockEnd::Ended(Ended::Interrupted);
        }
        if judged.iter().any(|judged| judged.special) {
            return BlockEnd::Alone;
        }
        let (fresh, greatest): (Vec<_>, Vec<_>) =
            judged.into_iter().map(|judged| (judged.places, judged.greatest)).unzip();
        if !search.store.admits(&batches, &fresh) {
            return BlockEnd::Alone;
        }
        for portion in portions {
            search.stats.transitions += portion.transitions;
            search.faulted |= portion.faulted;
        }
        if let Some(orbits) = &mut search.orbits {
            for place in fresh.iter().flatten() {
                orbits.tally(portions[place.batch as usize].stabilisers[place.index as usize]);
            }
        }
        raise(search, &fresh, &greatest);
        search.store.insert_block(&batches, &fresh, threads);
        self.workers.iter_mut().for_each(|worker| worker.expanded += std::mem::take(&mut worker.tried));
        BlockEnd::Done
    }

    /// How many nodes each thread has expanded, in blocks that were not taken back.
    pub fn expanded(&self) -> Vec<u64> {
        self.workers.iter().map(|worker| worker.expanded).collect()
    }
}

/// Takes note of the greatest values in a block whose nodes are to be inserted.
fn raise(
    search: &mut BreadthFirst<'_>,
    fresh: &[Vec<BatchPlace>],
    greatest: &[Vec<Option<(i64, BatchPlace)>>],
) {
    for (number, known) in search.greatest.iter_mut().enumerate() {
        let all = greatest.iter().filter_map(|group| group[number]);
        let Some((value, place)) = all.max_by_key(|&(value, place)| (value, Reverse(place))) else {
            continue;
        };
        if known.is_none_or(|(most, _)| value > most) {
            let before = fresh.iter().flatten().filter(|&&other| other < place).count();
            *known = Some((value, NodeId(search.store.len() + before as u32)));
        }
    }
}

/// The portions of a block, with so many nodes each, which have so many words.
fn divide(portions: &mut Vec<Portion>, block: Range<u32>, each: u32, words: usize) -> &mut [Portion] {
    let starts = block.clone().step_by(each as usize);
    let count = starts.len();
    portions.resize_with(count.max(portions.len()), || Portion {
        batch: Batch::new(words),
        ..Portion::default()
    });
    for (start, portion) in starts.zip(&mut *portions) {
        portion.begin(start..block.end.min(start.saturating_add(each)));
    }
    &mut portions[..count]
}

/// Lets each worker take one thing after the other. The results come in the order of the things.
fn each_taken<'s, T: Send, R: Send>(
    workers: &mut [Worker<'s>],
    things: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(&mut Worker<'s>, T) -> R + Sync,
) -> Vec<R> {
    let count = workers.len();
    let rest = Mutex::new(things.enumerate());
    let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    let all = |worker: &mut Worker<'s>| -> Vec<(usize, R)> {
        std::iter::from_fn(take).map(|(number, thing)| (number, work(worker, thing))).collect()
    };
    let results = in_parallel(workers.iter_mut(), count, all);
    let mut results: Vec<(usize, R)> = results.into_iter().flatten().collect();
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

impl Portion {
    fn begin(&mut self, nodes: Range<u32>) {
        self.nodes = nodes;
        self.batch.clear();
        self.stabilisers.clear();
        (self.transitions, self.faulted, self.special, self.interrupted) = (0, false, false, false);
    }
}

impl<'w, 's> Shared<'w, 's> {
    fn new(search: &'w BreadthFirst<'s>, open: &'w OpenQuestions<'s>) -> Self {
        Self { system: search.system, store: &search.store, monitor: search.monitor.as_ref(), open }
    }
}

impl<'s> OpenQuestions<'s> {
    fn of(search: &BreadthFirst<'s>) -> Self {
        let all = search.questions.iter().zip(&search.found);
        Self {
            questions: all.map(|(&question, found)| found.is_none().then_some(question)).collect(),
            pending: search.pending.iter().map(Option::is_some).collect(),
        }
    }

    fn any(&self, which: impl Fn(&Question) -> bool) -> bool {
        self.questions.iter().flatten().any(|question| which(question))
    }
}

impl<'s> Worker<'s> {
    fn new(search: &BreadthFirst<'s>, limits: &Limits) -> Self {
        let machine = || search.maker.machine(limits.interrupt.clone());
        Self {
            machine: machine(),
            evaluator: machine(),
            orbits: search.orbits.as_ref().map(Orbits::another),
            source: search.node.clone(),
            node: search.node.clone(),
            covered: Vec::new(),
            waiting: Batch::new(search.node.len()),
            stabilisers: Vec::new(),
            expanded: 0,
            tried: 0,
        }
    }

    fn met_a_hard_state(&self) -> bool {
        self.orbits.as_ref().is_some_and(|orbits| orbits.too_hard().is_some())
    }

    /// Takes every step from the nodes of a portion, and keeps what is not in the store.
    fn expand(&mut self, shared: Shared<'_, 's>, portion: &mut Portion) {
        self.waiting.clear();
        self.stabilisers.clear();
        self.tried += portion.nodes.len() as u64;
        for id in portion.nodes.clone() {
            poll();
            self.source.copy_from_slice(&shared.store.get(NodeId(id)));
            let walk = self.step(shared, portion, NodeId(id));
            portion.interrupted |= walk == Walk::Interrupted;
            if portion.special || portion.interrupted {
                return;
            }
        }
        look(shared.store, &mut self.waiting, &mut self.stabilisers, portion);
    }

    /// Takes every step from the node at hand.
    fn step(&mut self, shared: Shared<'_, 's>, portion: &mut Portion, id: NodeId) -> Walk {
        let Self { machine, evaluator, orbits, source, node, covered, waiting, stabilisers, .. } = self;
        let (state, positions) = source.split_at(shared.system.words());
        let classes = orbits.as_mut().and_then(|orbits| orbits.classes(state));
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        if let Some(orbits) = orbits {
            orbits.covered(state, covered);
        }
        let mut dead = true;
        let mut sink = |label: Label<'_>, outcome: Outcome<'_>| {
            dead = false;
            let Outcome::State(target) = outcome else {
                portion.faulted = true;
                portion.special |= shared.open.any(|question| matches!(question, Question::Fault));
                return ControlFlow::Continue(());
            };
            portion.transitions += 1;
            if covered.get(label.rule.index()) == Some(&true) {
                return ControlFlow::Continue(());
            }
            match represent(orbits, shared.monitor, &mut **evaluator, positions, target, node) {
                Ok(None) => {}
                Ok(Some(_)) => portion.special = true,
                Err(_) => {
                    portion.interrupted = true;
                    return ControlFlow::Break(());
                }
            }
            waiting.push(node, shared.store.hash(node), id);
            if let Some(orbits) = orbits {
                stabilisers.push(orbits.last_stabiliser());
            }
            if waiting.len() == TOUCHED {
                look(shared.store, waiting, stabilisers, portion);
            }
            ControlFlow::Continue(())
        };
        let walk = machine.successors_filtered(state, filter, &mut sink);
        portion.special |= dead
            && shared.open.any(|question| matches!(question, Question::Deadlock))
            && machine.is_outside(state) != Ok(true);
        walk
    }

    /// Asks the open questions about the new nodes of some batches.
    fn judge(&mut self, shared: Shared<'_, 's>, batches: &[&Batch], places: Vec<BatchPlace>) -> Judged {
        let greatest = vec![None; shared.open.questions.len()];
        let mut judged = Judged { places, special: false, interrupted: false, greatest };
        let conditions = shared.open.any(has_condition);
        if !conditions && shared.monitor.is_none() {
            return judged;
        }
        for &place in &judged.places {
            poll();
            let node = batches[place.batch as usize].node(place.index as usize);
            let (state, positions) = node.split_at(shared.system.words());
            let orbits = self.orbits.as_mut().filter(|_| conditions);
            let classes = orbits.and_then(|orbits| orbits.classes(state));
            let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
            for (number, question) in shared.open.questions.iter().enumerate() {
                let Some(question) = question else { continue };
                match judge(question, &mut *self.evaluator, shared.monitor, state, positions, filter) {
                    Ok(Judgement::Nothing) => {}
                    Ok(Judgement::Pending(_)) if shared.open.pending[number] => {}
                    Ok(Judgement::Value(value)) => {
                        let greatest = &mut judged.greatest[number];
                        if greatest.is_none_or(|(most, _)| value > most) {
                            *greatest = Some((value, place));
                        }
                    }
                    Ok(Judgement::Pending(_) | Judgement::End(_)) => judged.special = true,
                    Err(_) => judged.interrupted = true,
                }
            }
            if judged.special || judged.interrupted {
                break;
            }
        }
        judged
    }
}

/// Looks for the nodes that wait. Those that are not in the store go into the portion.
fn look(store: &Store, waiting: &mut Batch, stabilisers: &mut Vec<Option<u128>>, portion: &mut Portion) {
    let Portion { batch, stabilisers: known, .. } = portion;
    store.absent(waiting, batch, |i| known.extend(stabilisers.get(i)));
    stabilisers.clear();
}
