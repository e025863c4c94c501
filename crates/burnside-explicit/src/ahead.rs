//! A quotient explored by several threads, ahead of who walks on it.
//!
//! Entry point: [`Quotient::explore`]. A block of nodes is expanded by all threads, each with a machine and a
//! canoniser of its own, what is new is inserted into the store as in a breadth-first search, and the edges
//! are put where [`Quotient::orbit_edges`] looks for them. Who walks there finds the same edges in the same
//! order as without threads; only the numbers of nodes depend on what was explored, and nobody who walks by
//! the order of edges sees these. Labels, permutations and classes of members are numbered by each thread
//! for itself, and known to all when the block has ended.
//!
//! If there is no room for what was found, or a state is too hard to bring into order, the block is
//! forgotten, and no other follows.

use crate::canon::Canoniser;
use crate::edges::{LabelId, Labels, OrbitEdge};
use crate::fair::AnnotationId;
use crate::pool::Pool;
use crate::quotient::Quotient;
use crate::store::{NodeId, Numbered, Outgoing, Settled, Store, targets};
use burnside_limits::{Interrupt, Limits, Stop, Threads, poll};
use burnside_ts::{
    AnyMachine, Classes, Label, Machine, Maker, Outcome, Permutation, SortId, StepFilter, System, Walk,
};
use foldhash::HashMap;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What may be explored before it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exploration {
    /// Nothing.
    None,
    /// Some, by the work of who asks: it may find what it looks for at any time.
    Some,
    /// Everything, in the order of the numbers: who asks will need it.
    All,
}

/// What became of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Explored {
    /// All is well.
    Well,
    /// It was forgotten, and no other is to follow.
    NoMore,
}

/// So many nodes are explored for each time that somebody asks.
const AHEAD: u64 = 8;
/// A block of fewer nodes than this part of the usual one is not worth while. Who goes in depth leaves few
/// nodes open: then a smaller one is, because of the nodes that are found in it.
const LEAST: u32 = 32;
const LEAST_IN_DEPTH: u32 = 256;
/// Threads take this part of the usual block at a time.
const PORTIONS: u32 = 128;
/// A thread that has numbered more things than these begins anew.
const MOST_KNOWN: usize = 1 << 16;

/// Those who explore.
#[derive(Debug)]
pub(crate) struct Explorers<'s> {
    threads: Threads,
    maker: Box<dyn Maker<'s> + 's>,
    interrupt: Interrupt,
    pool: Option<Pool>,
    workers: Vec<Explorer<'s>>,
    portions: Vec<ExploredPortion>,
    /// How many of these are in use.
    count: usize,
    settled: Vec<Settled>,
    numbered: Vec<Numbered>,
    /// Nodes to be explored, the newest last, and how many of all nodes were put there.
    open: Vec<NodeId>,
    opened: u32,
    /// How often edges were asked for.
    asked: u64,
    /// How many nodes were explored.
    explored: u64,
}

/// What each thread has for itself. It shares no cache line with another.
#[repr(align(128))]
#[derive(Debug)]
struct Explorer<'s> {
    number: usize,
    machine: AnyMachine<'s>,
    canoniser: Option<Canoniser<'s>>,
    source: Vec<u64>,
    representative: Vec<u64>,
    labels: Labels,
    label_ids: Vec<LabelId>,
    permutations: Known<Permutation>,
    /// From representatives back to states.
    annotation_ids: Vec<AnnotationId>,
    classes: Known<Arc<Classes>>,
    expanded: u64,
}

/// Some nodes of a block, and what they lead to.
#[repr(align(128))]
#[derive(Debug, Default)]
struct ExploredPortion {
    nodes: Vec<NodeId>,
    outgoing: Outgoing,
    /// Who expanded it.
    worker: usize,
    /// For everything that they lead to, the label and the permutation, as the worker numbers them.
    edges: Vec<(u32, u32)>,
    /// For each node whether steps fault, and the classes of its members.
    facts: Vec<(bool, u32)>,
    targets: Vec<NodeId>,
    found: Vec<OrbitEdge>,
    interrupted: bool,
}

/// The quotient's numbers of labels and annotations, by those of a worker.
type Numbers<'w> = (&'w [LabelId], &'w [AnnotationId]);

/// Things by number.
#[derive(Debug)]
struct Known<T> {
    list: Vec<T>,
    ids: HashMap<T, u32>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { list: Vec::new(), ids: HashMap::default() }
    }
}

impl<T: Clone + Eq + Hash> Known<T> {
    fn number(&mut self, thing: &T) -> u32 {
        if let Some(&id) = self.ids.get(thing) {
            return id;
        }
        let id = self.list.len() as u32;
        self.list.push(thing.clone());
        self.ids.insert(thing.clone(), id);
        id
    }
}

/// What all threads look at.
#[derive(Clone, Copy)]
struct ExplorerView<'w, 's> {
    system: &'s System,
    store: &'w Store,
    opaque: &'w [SortId],
}

impl<'s> Explorers<'s> {
    /// None yet; none at all if there is one thread.
    pub fn new(maker: Box<dyn Maker<'s> + 's>, limits: &Limits) -> Option<Self> {
        (limits.threads.count.get() > 1).then(|| Self {
            threads: limits.threads,
            maker,
            interrupt: limits.interrupt.clone(),
            pool: None,
            workers: Vec::new(),
            portions: Vec::new(),
            count: 0,
            settled: Vec::new(),
            numbered: Vec::new(),
            open: Vec::new(),
            opened: 0,
            asked: 0,
            explored: 0,
        })
    }

    /// Edges are asked for.
    #[inline]
    pub fn ask(&mut self) {
        self.asked += 1;
    }

    /// How many nodes each thread has expanded.
    pub fn expanded(&self) -> Vec<u64> {
        self.workers.iter().map(|worker| worker.expanded).collect()
    }

    /// How many nodes may be explored now, beginning with one, of so many that are known.
    fn budget(&self, exploration: Exploration, node: NodeId, known: u32) -> u32 {
        let Threads { alone, block, .. } = self.threads;
        let most = match exploration {
            Exploration::None => 0,
            Exploration::All if node.0 < alone => 0,
            Exploration::All => block.min(known - node.0),
            Exploration::Some if self.asked < u64::from(alone) => 0,
            // Whole blocks only: in small ones threads mostly wait for each other.
            Exploration::Some if self.explored + u64::from(block) > AHEAD * self.asked => 0,
            Exploration::Some => block,
        };
        if most >= self.least(exploration) { most } else { 0 }
    }

    /// A block of fewer nodes is not worth while.
    fn least(&self, exploration: Exploration) -> u32 {
        let part = if exploration == Exploration::Some { LEAST_IN_DEPTH } else { LEAST };
        (self.threads.block / part).max(1)
    }
}

impl<'s> Quotient<'s> {
    /// Explores a block that begins with a node, if that is worth while.
    pub(crate) fn explore(&mut self, node: NodeId) -> Result<(), Stop> {
        let Some(mut explorers) = self.explorers.take() else { return Ok(()) };
        let explored = explorers.explore(self, node);
        self.explorers = Some(explorers);
        if explored? == Explored::NoMore {
            self.exploration = Exploration::None;
        }
        Ok(())
    }
}

impl<'s> Explorers<'s> {
    /// The nodes of a block of at most so many, of which none is known to have edges.
    fn chosen(&mut self, quotient: &Quotient<'s>, node: NodeId, most: u32) -> Vec<NodeId> {
        let known = quotient.len();
        if quotient.exploration == Exploration::All {
            let all = (node.0..known.min(node.0.saturating_add(most))).map(NodeId);
            return all.filter(|&it| quotient.arena.get(it).is_none()).collect();
        }
        self.open.extend((self.opened..known).map(NodeId));
        self.opened = known;
        let mut nodes = vec![node];
        while nodes.len() < most as usize
            && let Some(next) = self.open.pop()
        {
            if next != node && quotient.arena.get(next).is_none() {
                nodes.push(next);
            }
        }
        nodes
    }

    /// Explores a block that begins with a node, if that is worth while.
    fn explore(&mut self, quotient: &mut Quotient<'s>, node: NodeId) -> Result<Explored, Stop> {
        let most = self.budget(quotient.exploration, node, quotient.len());
        // The orbits that the group is judged by are the same for any number of threads.
        if most == 0 || quotient.is_to_be_weighed() {
            return Ok(Explored::Well);
        }
        let nodes = self.chosen(quotient, node, most);
        if nodes.len() < self.least(quotient.exploration) as usize {
            self.open.extend(nodes);
            return Ok(Explored::Well);
        }
        self.expand(quotient, &nodes)?;
        if self.workers.iter().any(Explorer::met_a_hard_state) {
            return Ok(Explored::NoMore);
        }
        Ok(self.settle(quotient, nodes.len()))
    }

    /// Starts the threads, if there are none.
    fn start(&mut self, quotient: &Quotient<'s>) {
        let threads = self.threads.count.get();
        let pool = self.pool.get_or_insert_with(|| Pool::new(threads));
        if self.workers.is_empty() {
            let (system, canoniser) = (quotient.system(), quotient.canoniser.as_ref());
            let machine = || self.maker.machine(self.interrupt.clone());
            self.workers = pool.workers(|number| Explorer::new(number, system, canoniser, machine()));
        }
    }

    /// Whether it is worth while to share out so many nodes.
    pub fn share(&self, nodes: u32) -> bool {
        nodes > self.threads.alone
    }

    /// Lets all threads look at parts of what is known, each with a machine. The results come in the order of
    /// the parts.
    pub fn look<T: Send, R: Send>(
        &mut self,
        quotient: &Quotient<'s>,
        parts: impl Iterator<Item = T> + Send,
        work: impl Fn(&mut dyn Machine<'s>, T) -> R + Sync,
    ) -> Vec<R> {
        self.start(quotient);
        let pool = self.pool.get_or_insert_with(|| Pool::new(1));
        pool.each(&mut self.workers, parts, |worker, part| work(&mut *worker.machine, part))
    }

    /// Takes steps from some nodes.
    fn expand(&mut self, quotient: &mut Quotient<'s>, nodes: &[NodeId]) -> Result<(), Stop> {
        self.start(quotient);
        let (threads, pool) = (self.threads.count.get(), self.pool.get_or_insert_with(|| Pool::new(1)));
        let each = (self.threads.block / PORTIONS).max(1) as usize;
        let bits = (2 * threads).next_power_of_two().ilog2();
        let parts = nodes.chunks(each);
        self.portions.resize_with(self.portions.len().max(parts.len()), ExploredPortion::default);
        let portions = &mut self.portions[..parts.len()];
        let (system, words) = (quotient.system(), quotient.system().words());
        portions.iter_mut().zip(parts).for_each(|(portion, part)| portion.begin(part, words, bits));
        let shared = ExplorerView { system, store: &quotient.store, opaque: &quotient.opaque };
        pool.each(&mut self.workers, portions.iter_mut(), |worker, portion| worker.expand(shared, portion));
        self.settled.resize_with(1 << bits, Settled::default);
        self.count = portions.len();
        if portions.iter().any(|portion| portion.interrupted) { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// Puts what was found from so many nodes where it belongs.
    fn settle(&mut self, quotient: &mut Quotient<'s>, nodes: usize) -> Explored {
        let threads = self.threads.count.get();
        let pool = self.pool.get_or_insert_with(|| Pool::new(threads));
        let (store, portions) = (&quotient.store, &mut self.portions[..self.count]);
        let outgoing: Vec<&Outgoing> = portions.iter().map(|portion| &portion.outgoing).collect();
        pool.each_alone(self.settled.iter_mut().enumerate(), |(group, settled)| {
            settled.settle(store, &outgoing, group, true);
        });
        let edges: usize = portions.iter().map(|portion| portion.edges.len()).sum();
        if !quotient.store.admits(&outgoing, &self.settled) || !quotient.arena.admits(edges) {
            return Explored::NoMore;
        }
        quotient.store.insert_block(pool, &outgoing, &mut self.settled, &mut self.numbered);
        self.workers.iter_mut().for_each(|worker| worker.translate(quotient));
        let (numbers, settled): (Vec<Numbers<'_>>, _) =
            (self.workers.iter().map(Explorer::numbers).collect(), &self.settled);
        pool.each_alone(portions.iter_mut().enumerate(), |(number, portion)| {
            portion.link(number, settled, numbers[portion.worker]);
        });
        for portion in portions {
            portion.hand_over(quotient, &self.workers[portion.worker].classes);
        }
        self.workers.iter_mut().for_each(Explorer::trim);
        self.explored += nodes as u64;
        Explored::Well
    }
}

impl ExploredPortion {
    fn begin(&mut self, nodes: &[NodeId], words: usize, bits: u32) {
        self.nodes.clear();
        self.nodes.extend_from_slice(nodes);
        self.outgoing.begin(words, bits, None);
        self.edges.clear();
        self.facts.clear();
        self.interrupted = false;
    }

    /// Makes edges of what was found.
    fn link(&mut self, number: usize, settled: &[Settled], (labels, annotations): Numbers<'_>) {
        targets(settled, (number, &self.outgoing), &mut self.targets);
        self.found.clear();
        self.found.extend(self.edges.iter().zip(&self.targets).map(|(&(label, permutation), &target)| {
            let annotation = annotations[permutation as usize];
            OrbitEdge { target, annotation, label: labels[label as usize] }
        }));
    }

    /// Puts the edges where they are looked for.
    fn hand_over(&self, quotient: &mut Quotient<'_>, classes: &Known<Arc<Classes>>) {
        let of_nodes = self.nodes.iter().zip(&self.facts).zip(self.outgoing.of_sources());
        for ((&node, &(faults, class)), edges) in of_nodes {
            quotient.arena.open();
            quotient.arena.edges.extend_from_slice(&self.found[edges]);
            quotient.arena.close(node, faults);
            if quotient.is_reduced() {
                quotient.alike.note(node, classes.list[class as usize].clone());
            }
        }
    }
}

impl<'s> Explorer<'s> {
    fn new(
        number: usize,
        system: &'s System,
        canoniser: Option<&Canoniser<'s>>,
        machine: AnyMachine<'s>,
    ) -> Self {
        Self {
            number,
            machine,
            canoniser: canoniser.map(Canoniser::another),
            source: vec![0; system.words()],
            representative: vec![0; system.words()],
            labels: Labels::new(system),
            label_ids: Vec::new(),
            permutations: Known::default(),
            annotation_ids: Vec::new(),
            classes: Known::default(),
            expanded: 0,
        }
    }

    /// Takes steps from the nodes of a portion, one of each class that can be swapped.
    fn expand(&mut self, shared: ExplorerView<'_, 's>, portion: &mut ExploredPortion) {
        let Self { machine, canoniser, source, representative, labels, permutations, classes, .. } = self;
        let ExploredPortion { nodes, outgoing, edges, facts, interrupted, .. } = portion;
        portion.worker = self.number;
        self.expanded += nodes.len() as u64;
        let distinguishes = shared.system.distinguishes_changes();
        for &node in nodes.iter() {
            poll();
            source.copy_from_slice(&shared.store.get(node));
            let alike = canoniser.as_mut().map(|canoniser| {
                let mut alike = canoniser.classes(source);
                shared.opaque.iter().for_each(|&sort| Arc::make_mut(&mut alike).isolate_all(sort));
                alike
            });
            let filter = alike.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
            let (from, mut faults) = (&source[..], false);
            let walk =
                machine.successors_filtered(from, filter, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                    let Outcome::State(state) = outcome else {
                        faults = true;
                        return ControlFlow::Continue(());
                    };
                    let permutation = match canoniser {
                        None => {
                            outgoing.push(state, shared.store.hash(state));
                            0
                        }
                        Some(canoniser) => {
                            let there = permutations.number(canoniser.canonise(state, representative));
                            outgoing.push(representative, shared.store.hash(representative));
                            there
                        }
                    };
                    let changes = !distinguishes || shared.system.changes(from, state);
                    edges.push((labels.number(shared.system, label, changes).0, permutation));
                    ControlFlow::Continue(())
                });
            outgoing.close();
            facts.push((faults, alike.map_or(0, |alike| classes.number(&alike))));
            if walk == Walk::Interrupted {
                *interrupted = true;
                return;
            }
        }
    }

    /// Learns the numbers that the quotient has for what is new here.
    fn translate(&mut self, quotient: &mut Quotient<'s>) {
        let system = quotient.system();
        for id in self.label_ids.len()..self.labels.len() {
            let id = LabelId(id as u32);
            let (step, changes) = (self.labels.step(id), self.labels.changes(id));
            self.label_ids.push(quotient.labels.number(system, step.label(), changes));
        }
        if self.canoniser.is_none() {
            self.annotation_ids.resize(1, AnnotationId::IDENTITY);
        }
        for permutation in self.permutations.list.iter().skip(self.annotation_ids.len()) {
            let there = quotient.annotations.permutation(permutation);
            self.annotation_ids.push(quotient.annotations.inverse(there));
        }
    }

    fn met_a_hard_state(&self) -> bool {
        self.canoniser.as_ref().is_some_and(|canoniser| canoniser.too_hard().is_some())
    }

    fn numbers(&self) -> Numbers<'_> {
        (&self.label_ids, &self.annotation_ids)
    }

    /// Forgets what has become too much.
    fn trim(&mut self) {
        if self.permutations.list.len() + self.classes.list.len() > MOST_KNOWN {
            (self.permutations, self.classes) = (Known::default(), Known::default());
            self.annotation_ids.clear();
        }
    }
}
