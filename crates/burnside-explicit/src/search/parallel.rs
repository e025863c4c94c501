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
use crate::pool::Pool;
use crate::store::{BatchPlace, NodeId, Numbered, Outgoing, Settled, Store, new_node};
use burnside_limits::{Limits, Threads, poll};
use burnside_trace::Regular;
use burnside_ts::{AnyMachine, Label, Maker, Outcome, Question, StepFilter, System, Walk};
use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

/// A block of fewer nodes than this part of the usual one is left to one thread.
const LEAST: u32 = 32;
/// Threads take this part of the usual block at a time.
const PORTIONS: u32 = 128;

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
    /// Started when there is a block for them.
    pool: Option<Pool>,
    workers: Vec<Worker<'s>>,
    portions: Vec<Portion>,
    settlers: Vec<Settler>,
    numbered: Vec<Numbered>,
    /// Up to here nodes are expanded by one thread.
    alone: u32,
}

/// What each thread has for itself. It shares no cache line with another.
#[repr(align(128))]
struct Worker<'s> {
    machine: AnyMachine<'s>,
    /// Evaluates conditions while the other machine is in the middle of a step.
    evaluator: AnyMachine<'s>,
    orbits: Option<Orbits<'s>>,
    source: Vec<u64>,
    node: Vec<u64>,
    covered: Vec<bool>,
    /// The nodes that it has expanded, and in the block at hand.
    expanded: u64,
    tried: u64,
}

/// Some nodes of a block, and what they lead to.
#[repr(align(128))]
#[derive(Default)]
struct Portion {
    nodes: Range<u32>,
    outgoing: Outgoing,
    /// With orbits: the order of the stabiliser of everything that they lead to, if it is known.
    stabilisers: Vec<Option<u128>>,
    transitions: u64,
    faulted: bool,
    /// Something happened that the order matters for.
    special: bool,
    interrupted: bool,
}

/// What is new among the nodes of some hashes.
#[repr(align(128))]
#[derive(Default)]
struct Settler {
    settled: Settled,
    /// Something happened that the order matters for.
    special: bool,
    interrupted: bool,
    /// By question: the greatest value, and where the first node came that has it.
    greatest: Vec<Option<(i64, Came)>>,
}

/// Where a node came: in which portion, and which of all that this leads to.
type Came = (u32, u32);

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
        let (pool, workers, portions) = (None, Vec::new(), Vec::new());
        let (settlers, numbered) = (Vec::new(), Vec::new());
        Self { threads, pool, workers, portions, settlers, numbered, alone: threads.alone }
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
        let threads = self.threads.count.get();
        let pool = self.pool.get_or_insert_with(|| Pool::new(threads));
        if self.workers.is_empty() {
            let (maker, orbits, words) = (&*search.maker, search.orbits.as_ref(), search.node.len());
            self.workers = pool.workers(|_| Worker::new(maker, orbits, words, limits));
        }
        self.workers.iter_mut().for_each(|worker| worker.tried = 0);
        let open = OpenQuestions::of(search);
        let each = (self.threads.block / PORTIONS).max(1);
        // Each thread has some groups of hashes to settle.
        let bits = (2 * threads).next_power_of_two().ilog2();
        let portions = divide(&mut self.portions, block.clone(), each, (search.node.len(), bits));
        let shared = Shared::new(search, &open);
        pool.each(&mut self.workers, portions.iter_mut(), |worker, portion| worker.expand(shared, portion));
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
        let portions = &*portions;
        let outgoing: Vec<&Outgoing> = portions.iter().map(|portion| &portion.outgoing).collect();
        self.settlers.resize_with(1 << bits, Settler::default);
        pool.each(&mut self.workers, self.settlers.iter_mut().enumerate(), |worker, (group, settler)| {
            settler.settled.settle(shared.store, &outgoing, group, false);
            worker.judge(shared, &outgoing, group, settler);
        });
        if self.settlers.iter().any(|settler| settler.interrupted) {
            return BlockEnd::Ended(Ended::Interrupted);
        }
        let settlers = &mut self.settlers;
        let mut settled: Vec<Settled> =
            settlers.iter_mut().map(|it| std::mem::take(&mut it.settled)).collect();
        let special = settlers.iter().any(|settler| settler.special);
        let ends = if special || !search.store.admits(&outgoing, &settled) {
            BlockEnd::Alone
        } else {
            search.take_in(portions, &settled);
            raise(search, settlers, &outgoing, &settled);
            search.store.insert_block(pool, &outgoing, &mut settled, &mut self.numbered);
            self.workers.iter_mut().for_each(|worker| worker.expanded += std::mem::take(&mut worker.tried));
            BlockEnd::Done
        };
        settlers.iter_mut().zip(settled).for_each(|(settler, settled)| settler.settled = settled);
        ends
    }

    /// How many nodes each thread has expanded, in blocks that were not taken back.
    pub fn expanded(&self) -> Vec<u64> {
        self.workers.iter().map(|worker| worker.expanded).collect()
    }
}

impl BreadthFirst<'_> {
    /// Takes note of what was done in a block whose nodes are to be inserted.
    fn take_in(&mut self, portions: &[Portion], settled: &[Settled]) {
        for portion in portions {
            self.stats.transitions += portion.transitions;
            self.faulted |= portion.faulted;
        }
        let Some(orbits) = &mut self.orbits else { return };
        for (group, settled) in settled.iter().enumerate() {
            for &place in settled.places() {
                let portion = &portions[place.portion as usize];
                orbits.tally(portion.stabilisers[new_node(&portion.outgoing, group, place).at as usize]);
            }
        }
    }
}

/// Takes note of the greatest values in a block whose nodes are to be inserted.
fn raise(search: &mut BreadthFirst<'_>, settlers: &[Settler], portions: &[&Outgoing], settled: &[Settled]) {
    for (number, known) in search.greatest.iter_mut().enumerate() {
        let all = settlers.iter().filter_map(|settler| settler.greatest[number]);
        let Some((value, first)) = all.max_by_key(|&(value, came)| (value, Reverse(came))) else {
            continue;
        };
        if known.is_none_or(|(most, _)| value > most) {
            let before = |(group, settled): (usize, &Settled)| {
                settled.places().iter().filter(|&&place| came(portions, group, place) < first).count()
            };
            let before: usize = settled.iter().enumerate().map(before).sum();
            *known = Some((value, NodeId(search.store.len() + before as u32)));
        }
    }
}

/// Where a new node came.
fn came(portions: &[&Outgoing], group: usize, place: BatchPlace) -> Came {
    (place.portion, new_node(portions[place.portion as usize], group, place).at)
}

/// The portions of a block, with so many nodes each, which have so many words and come in so many groups.
fn divide(
    portions: &mut Vec<Portion>,
    block: Range<u32>,
    each: u32,
    (words, bits): (usize, u32),
) -> &mut [Portion] {
    let starts = block.clone().step_by(each as usize);
    let count = starts.len();
    portions.resize_with(count.max(portions.len()), Portion::default);
    for (start, portion) in starts.zip(&mut *portions) {
        portion.begin(start..block.end.min(start.saturating_add(each)), words, bits);
    }
    &mut portions[..count]
}

impl Portion {
    fn begin(&mut self, nodes: Range<u32>, words: usize, bits: u32) {
        self.outgoing.begin(words, bits, Some(NodeId(nodes.start)));
        self.nodes = nodes;
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
    fn new(maker: &dyn Maker<'s>, orbits: Option<&Orbits<'s>>, words: usize, limits: &Limits) -> Self {
        let machine = || maker.machine(limits.interrupt.clone());
        Self {
            machine: machine(),
            evaluator: machine(),
            orbits: orbits.map(Orbits::another),
            source: vec![0; words],
            node: vec![0; words],
            covered: Vec::new(),
            expanded: 0,
            tried: 0,
        }
    }

    fn met_a_hard_state(&self) -> bool {
        self.orbits.as_ref().is_some_and(|orbits| orbits.too_hard().is_some())
    }

    /// Takes every step from the nodes of a portion, and keeps what is not in the store.
    fn expand(&mut self, shared: Shared<'_, 's>, portion: &mut Portion) {
        self.tried += portion.nodes.len() as u64;
        for id in portion.nodes.clone() {
            poll();
            self.source.copy_from_slice(&shared.store.get(NodeId(id)));
            let walk = self.step(shared, portion);
            portion.outgoing.close();
            portion.interrupted |= walk == Walk::Interrupted;
            if portion.special || portion.interrupted {
                return;
            }
        }
    }

    /// Takes every step from the node at hand.
    fn step(&mut self, shared: Shared<'_, 's>, portion: &mut Portion) -> Walk {
        let Self { machine, evaluator, orbits, source, node, covered, .. } = self;
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
            portion.outgoing.push(node, shared.store.hash(node));
            if let Some(orbits) = orbits {
                portion.stabilisers.push(orbits.last_stabiliser());
            }
            ControlFlow::Continue(())
        };
        let walk = machine.successors_filtered(state, filter, &mut sink);
        portion.special |= dead
            && shared.open.any(|question| matches!(question, Question::Deadlock))
            && machine.is_outside(state) != Ok(true);
        walk
    }

    /// Asks the open questions about the new nodes of a group.
    fn judge(&mut self, shared: Shared<'_, 's>, portions: &[&Outgoing], group: usize, settler: &mut Settler) {
        settler.begin(shared.open.questions.len());
        let conditions = shared.open.any(has_condition);
        if !conditions && shared.monitor.is_none() {
            return;
        }
        for &place in settler.settled.places() {
            poll();
            let portion = place.portion as usize;
            let new = new_node(portions[portion], group, place);
            let (state, positions) = new.words.split_at(shared.system.words());
            let orbits = self.orbits.as_mut().filter(|_| conditions);
            let classes = orbits.and_then(|orbits| orbits.classes(state));
            let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
            for (number, question) in shared.open.questions.iter().enumerate() {
                let Some(question) = question else { continue };
                match judge(question, &mut *self.evaluator, shared.monitor, state, positions, filter) {
                    Ok(Judgement::Nothing) => {}
                    Ok(Judgement::Pending(_)) if shared.open.pending[number] => {}
                    Ok(Judgement::Value(value)) => {
                        let greatest = &mut settler.greatest[number];
                        if greatest.is_none_or(|(most, _)| value > most) {
                            *greatest = Some((value, (place.portion, new.at)));
                        }
                    }
                    Ok(Judgement::Pending(_) | Judgement::End(_)) => settler.special = true,
                    Err(_) => settler.interrupted = true,
                }
            }
            if settler.special || settler.interrupted {
                return;
            }
        }
    }
}

impl Settler {
    /// Before so many questions are asked.
    fn begin(&mut self, questions: usize) {
        (self.special, self.interrupted) = (false, false);
        self.greatest.clear();
        self.greatest.resize(questions, None);
    }
}
