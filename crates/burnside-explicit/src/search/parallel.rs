//! Breadth-first search by several threads, with exactly the results of one.
//!
//! Entry point: [`Crew::expand`]. A block of nodes is expanded by all threads, each with machines and a
//! canoniser of its own: they only read the store, and keep what is not in it. Then the store takes these
//! nodes in, in the order in which one thread would have found them, and the open questions are asked about
//! the new ones, again by all threads.
//!
//! If something happens in a block that the order matters for (a question is answered, a limit may be
//! reached, a state is too hard to bring into order), the block is taken back, and left to one thread.
//! So numbers of nodes, predecessors, figures and evidence do not depend on how many threads there are.

use super::{BreadthFirst, Ended, Judgement, has_condition, judge, represent};
use crate::orbits::Orbits;
use crate::store::{Batch, NodeId, Store, in_parallel};
use burnside_limits::{Limits, Threads, poll};
use burnside_trace::Regular;
use burnside_ts::{AnyMachine, Label, Outcome, Question, StepFilter, System, Walk};
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
    /// By question: the greatest value among the new nodes, and which of these has it first.
    greatest: Vec<Option<(i64, u32)>>,
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
        if self.workers.is_empty() {
            self.workers = (0..self.threads.count.get()).map(|_| Worker::new(search, limits)).collect();
        }
        let open = OpenQuestions::of(search);
        let each = (self.threads.block / PORTIONS).max(1);
        let portions = divide(&mut self.portions, block.clone(), each, search.node.len());
        let shared = Shared::new(search, &open);
        each_portion(&mut self.workers, portions, |worker, portion| worker.expand(shared, portion));
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
        let batches: Vec<&Batch> = portions.iter().map(|portion| &portion.batch).collect();
        let Some(fresh) = search.store.insert_block(&batches, self.threads.count.get()) else {
            return BlockEnd::Alone;
        };
        let shared = Shared::new(search, &open);
        let mut judged: Vec<(&mut Portion, &Vec<u32>)> = portions.iter_mut().zip(&fresh.of_batch).collect();
        each_portion(&mut self.workers, &mut judged, |worker, (portion, fresh)| {
            worker.judge(shared, portion, fresh);
        });
        let interrupted = portions.iter().any(|portion| portion.interrupted);
        if interrupted || portions.iter().any(|portion| portion.special) {
            search.store.retract(&fresh);
            return if interrupted { BlockEnd::Ended(Ended::Interrupted) } else { BlockEnd::Alone };
        }
        let mut next = search.store.len();
        for (portion, fresh) in portions.iter().zip(&fresh.of_batch) {
            portion.report_to(search, fresh, next);
            next += fresh.len() as u32;
        }
        let batches: Vec<&Batch> = portions.iter().map(|portion| &portion.batch).collect();
        search.store.commit(&batches, &fresh);
        BlockEnd::Done
    }
}

/// The portions of a block, with so many nodes each, which have so many words.
fn divide(portions: &mut Vec<Portion>, block: Range<u32>, each: u32, words: usize) -> &mut [Portion] {
    let starts = block.clone().step_by(each as usize);
    let count = starts.len();
    portions.resize_with(count.max(portions.len()), Portion::default);
    for (start, portion) in starts.zip(&mut *portions) {
        portion.begin(start..block.end.min(start.saturating_add(each)), words);
    }
    &mut portions[..count]
}

/// Lets each worker take one portion after the other.
fn each_portion<'s, P: Send>(
    workers: &mut [Worker<'s>],
    portions: &mut [P],
    work: impl Fn(&mut Worker<'s>, &mut P) + Sync,
) {
    let rest = Mutex::new(portions.iter_mut());
    let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    in_parallel(workers.iter_mut(), |worker| {
        while let Some(portion) = take() {
            work(worker, portion);
        }
    });
}

impl Portion {
    fn begin(&mut self, nodes: Range<u32>, words: usize) {
        self.nodes = nodes;
        self.batch.clear(words);
        self.stabilisers.clear();
        self.greatest.clear();
        (self.transitions, self.faulted, self.special, self.interrupted) = (0, false, false, false);
    }

    /// Adds what was found to what the search knows. Its new nodes get numbers from `first` on.
    fn report_to(&self, search: &mut BreadthFirst<'_>, fresh: &[u32], first: u32) {
        search.stats.transitions += self.transitions;
        search.faulted |= self.faulted;
        for (known, here) in search.greatest.iter_mut().zip(&self.greatest) {
            if let Some((value, which)) = *here
                && known.is_none_or(|(most, _)| value > most)
            {
                *known = Some((value, NodeId(first + which)));
            }
        }
        if let Some(orbits) = &mut search.orbits {
            fresh.iter().for_each(|&i| orbits.tally(self.stabilisers[i as usize]));
        }
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
        }
    }

    fn met_a_hard_state(&self) -> bool {
        self.orbits.as_ref().is_some_and(|orbits| orbits.too_hard().is_some())
    }

    /// Takes every step from the nodes of a portion, and keeps what is not in the store.
    fn expand(&mut self, shared: Shared<'_, 's>, portion: &mut Portion) {
        for id in portion.nodes.clone() {
            poll();
            self.source.copy_from_slice(&shared.store.get(NodeId(id)));
            let walk = self.step(shared, portion, NodeId(id));
            portion.interrupted |= walk == Walk::Interrupted;
            if portion.special || portion.interrupted {
                return;
            }
        }
        let Portion { batch, stabilisers, .. } = portion;
        for batch_start in (0..batch.hashes.len()).step_by(TOUCHED) {
            let end = batch.hashes.len().min(batch_start + TOUCHED);
            shared.store.touch(&batch.hashes[batch_start..end]);
        }
        batch.retain(|node, hash| shared.store.find(node, hash).is_none(), stabilisers);
    }

    /// Takes every step from the node at hand.
    fn step(&mut self, shared: Shared<'_, 's>, portion: &mut Portion, id: NodeId) -> Walk {
        let Self { machine, evaluator, orbits, source, node, covered } = self;
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
            portion.batch.push(node, shared.store.hash(node), id);
            if let Some(orbits) = orbits {
                portion.stabilisers.push(orbits.last_stabiliser());
            }
            ControlFlow::Continue(())
        };
        let walk = machine.successors_filtered(state, filter, &mut sink);
        portion.special |= dead && shared.open.any(|question| matches!(question, Question::Deadlock));
        walk
    }

    /// Asks the open questions about the new nodes of a portion.
    fn judge(&mut self, shared: Shared<'_, 's>, portion: &mut Portion, fresh: &[u32]) {
        portion.greatest.resize(shared.open.questions.len(), None);
        let conditions = shared.open.any(has_condition);
        if !conditions && shared.monitor.is_none() {
            return;
        }
        for (which, &i) in (0..).zip(fresh) {
            poll();
            let node = portion.batch.node(i as usize);
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
                        let greatest = &mut portion.greatest[number];
                        if greatest.is_none_or(|(most, _)| value > most) {
                            *greatest = Some((value, which));
                        }
                    }
                    Ok(Judgement::Pending(_) | Judgement::End(_)) => portion.special = true,
                    Err(_) => portion.interrupted = true,
                }
            }
            if portion.special || portion.interrupted {
                return;
            }
        }
    }
}
