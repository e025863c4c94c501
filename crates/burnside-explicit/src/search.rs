//! Breadth-first reachability, on states or on orbits: invariants, goals, deadlocks, faults and forbidden
//! sequences.
//!
//! Entry point: [`search`]. One walk answers all questions; it ends early when each has its answer. The queue
//! is the store itself: nodes are numbered in the order of discovery, so the run to the first node that
//! answers is a shortest one. For a forbidden sequence a node is a state together with the positions of the
//! sequence's automaton. With a symmetry a node is the representative of an orbit, and what is found is
//! lifted to a run of the original states.

mod kept;
mod parallel;
mod reduced;
pub(crate) mod remote;

use crate::canon::Canoniser;
use crate::hunt::Hunt;
use crate::orbits::{Orbits, step_between};
use crate::store::{Batch, Insert, NodeId, Store};
use crate::stubborn::Stubborn;
use burnside_checkpoint::Keeping;
use burnside_limits::{Limits, Observer, Progress, Stats, Stop, catch, poll};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Regular, Step};
use burnside_ts::{
    AnyMachine, Fault, Label, Machine, Maker, Outcome, Question, StepFilter, Symmetry, System, Undefined,
    Walk,
};
use kept::{Mark, Resumed};
use parallel::{BlockEnd, Crew};
use reduced::Reduction;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A run that shows the answer to a question.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The run.
    pub evidence: Evidence,
    /// The figures when it was found.
    pub stats: Stats,
    /// How long it took.
    pub time: Duration,
}

/// What a search says to a question.
#[derive(Clone, Debug)]
pub enum Finding {
    /// There is such a run.
    Yes(Box<Witness>),
    /// There is none: everything was looked at.
    No,
    /// The greatest value of a [`Question::Bound`] in the states that were seen. If these are all, a run to
    /// one that has it.
    Greatest(i64, Option<Box<Witness>>),
    /// The search ended before.
    Unknown,
}

/// Told how a search gets on, and which questions it has answered while it goes on for others.
pub(crate) trait SearchObserver: Observer {
    /// There is such a run. Nothing that the search does from now on takes that back, but of a question that
    /// was hunted down it may find a shorter one.
    fn found(&mut self, question: usize, witness: &Witness);
}

/// For those who wait for the end.
pub(crate) struct Unheard<'o>(pub &'o mut dyn Observer);

impl Observer for Unheard<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }

    fn threads(&mut self, expanded: &[u64]) {
        self.0.threads(expanded);
    }
}

impl SearchObserver for Unheard<'_> {
    fn found(&mut self, _: usize, _: &Witness) {}
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// One for each question.
    pub findings: Vec<Finding>,
    /// The figures at the end.
    pub stats: Stats,
    /// How many states all orbits have, if every orbit was found and they can be counted without much work.
    pub unreduced: Option<Natural>,
    /// How long it took.
    pub time: Duration,
    /// Why it ended early, if so.
    pub stop: Option<Stop>,
    /// Whether a step faulted, asked for or not.
    pub faulted: bool,
    /// The search ended because a part of the group does not pay: so many orbits were found, and this is the
    /// rest of the group. To be begun again with that.
    pub unprofitable: Option<(u64, Symmetry)>,
    /// A state was too hard to bring into order: how much work was spent on it.
    pub too_hard: Option<u64>,
    /// In so many nodes commuting steps were left out; none if none were to be.
    pub reduced: Option<u64>,
}

impl SearchResult {
    /// Everything took so much longer: there was another search before.
    pub(crate) fn begun_before(&mut self, time: Duration) {
        self.time += time;
        for finding in &mut self.findings {
            if let Finding::Yes(witness) | Finding::Greatest(_, Some(witness)) = finding {
                witness.time += time;
            }
        }
    }
}

/// Searches for runs that answer the questions: that fault, end in a deadlock, violate an invariant, reach a
/// goal or match a sequence (which must be the only question). Other questions have no answer here. With a
/// canoniser it looks at one state of each orbit; the system and the questions must be symmetric under its
/// group.
pub fn search<'s>(
    system: &'s System,
    questions: &[&'s Question],
    canoniser: Option<Canoniser<'s>>,
    limits: &Limits,
    observer: &mut dyn Observer,
) -> SearchResult {
    let how = Way { canoniser, stubborn: None, keeping: None };
    search_and_hunt(system, questions, how, limits, &mut Unheard(observer), None)
}

/// How a search goes over states.
pub(crate) struct Way<'w, 's> {
    /// Looks at one state of each orbit.
    pub canoniser: Option<Canoniser<'s>>,
    /// Leaves out steps that commute; it must be of the conditions of the questions.
    pub stubborn: Option<Stubborn<'s>>,
    /// Where the search is kept while it goes on, and looked for when it begins.
    pub keeping: Option<&'w Keeping>,
}

/// The same with hunts beside it: see [`crate::hunt`]. If what they have found answers all questions that
/// are decisive, the others stay open.
pub(crate) fn search_and_hunt<'s>(
    system: &'s System,
    questions: &[&'s Question],
    how: Way<'_, 's>,
    limits: &Limits,
    observer: &mut dyn SearchObserver,
    mut hunt: Option<Hunt<'_>>,
) -> SearchResult {
    let mut search = BreadthFirst::new(system, questions, how.canoniser.map(Orbits::new), limits);
    search.reduce(how.stubborn);
    search.keeping = how.keeping.cloned();
    let mut machine = search.maker.machine(limits.interrupt.clone());
    // What was found before a limit still counts, so this ends here.
    let (ended, why) = match catch(|| search.run(&mut *machine, limits, observer, &mut hunt)) {
        Ok(ended) => (ended, Stop::Interrupted),
        Err(stop) => (Ended::Interrupted, stop),
    };
    if matches!(ended, Ended::Interrupted | Ended::Full) {
        search.keep(&hunt);
    }
    search.refresh();
    if ended != Ended::Complete {
        search.take_prey(&hunt);
    }
    let unreduced = catch(|| search.unreduced(ended)).unwrap_or(None);
    search.shorten_found(&mut hunt);
    let findings = search.findings(ended);
    let too_hard = search.orbits.as_ref().and_then(Orbits::too_hard);
    let left_open = (ended == Ended::Answered && search.open > 0).then_some(Stop::NotChecked);
    let BreadthFirst { stats, started, full, faulted, unprofitable, reduction, .. } = search;
    SearchResult {
        findings,
        stats,
        unreduced,
        time: started.elapsed(),
        stop: if ended == Ended::Interrupted { Some(why) } else { full.or(left_open) },
        faulted,
        unprofitable: unprofitable.map(|symmetry| (stats.states, symmetry)),
        too_hard,
        reduced: reduction.map(|reduction| reduction.nodes()),
    }
}

/// How many states wait for their insertion at most.
const BATCH: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Every node was expanded.
    Complete,
    /// Every question has its answer, or every decisive one by a hunt.
    Answered,
    /// A part of the group does not pay.
    Unprofitable,
    Full,
    Interrupted,
}

struct BreadthFirst<'s> {
    system: &'s System,
    questions: Vec<&'s Question>,
    monitor: Option<Regular<'s>>,
    found: Vec<Option<Box<Witness>>>,
    open: usize,
    /// What was found and not told yet.
    news: Vec<usize>,
    /// The first nodes in which a goal is neither true nor false. They count only if it is true nowhere.
    pending: Vec<Option<(NodeId, Fault)>>,
    /// For each question about it: the greatest value so far, and the first node that has it.
    greatest: Vec<Option<(i64, NodeId)>>,
    store: Store,
    /// Makes machines, which share what they know.
    maker: Box<dyn Maker<'s> + 's>,
    /// Evaluates conditions while another machine is in the middle of a step.
    evaluator: AnyMachine<'s>,
    /// The node at hand: a state and, behind it, the positions of the monitor.
    node: Vec<u64>,
    /// Whether successors are inserted several at a time: if they are nodes as they are.
    batches: bool,
    /// The states that wait to be inserted, of one node or of several.
    waiting: Batch,
    stats: Stats,
    started: Instant,
    orbits: Option<Orbits<'s>>,
    /// By rule, whether it need not be looked at in the state at hand.
    covered: Vec<bool>,
    full: Option<Stop>,
    /// A condition was left undecided, so nothing may be called complete any more.
    interrupted: bool,
    /// A step faulted.
    faulted: bool,
    /// What is left of the group if a part of it does not pay.
    unprofitable: Option<Symmetry>,
    /// To be ended when it is known what of the group pays.
    only_weighs: bool,
    /// Leaves out steps that commute, if they are to be.
    reduction: Option<Reduction<'s>>,
    /// Where it is kept, if it is.
    keeping: Option<Keeping>,
    /// The last place from which it can go on.
    mark: Option<Box<Mark>>,
}

impl<'s> BreadthFirst<'s> {
    fn new(
        system: &'s System,
        questions: &[&'s Question],
        orbits: Option<Orbits<'s>>,
        limits: &Limits,
    ) -> Self {
        let sequence = questions.iter().find_map(|question| match question {
            Question::Sequence(sequence) => Some(sequence),
            _ => None,
        });
        let (mut monitor, mut full) = (None, None);
        if let Some(sequence) = sequence {
            monitor = Regular::new(sequence);
            let most = Regular::MAX_POSITIONS;
            let too_large = || Stop::too_large(format!("the sequence needs more than {most} positions"));
            full = monitor.is_none().then(too_large);
        }
        let positions = monitor.as_ref().map_or(0, Regular::words);
        let words = system.words() + positions;
        let maker = system.maker();
        Self {
            system,
            questions: questions.to_vec(),
            monitor,
            found: vec![None; questions.len()],
            open: questions.len(),
            news: Vec::new(),
            pending: vec![None; questions.len()],
            greatest: vec![None; questions.len()],
            store: Store::of_states(system, positions, limits),
            evaluator: maker.machine(limits.interrupt.clone()),
            maker,
            node: vec![0; words],
            batches: orbits.is_none() && sequence.is_none(),
            waiting: Batch::new(words),
            stats: Stats::default(),
            started: Instant::now(),
            orbits,
            full,
            interrupted: false,
            faulted: false,
            unprofitable: None,
            only_weighs: false,
            reduction: None,
            covered: Vec::new(),
            keeping: None,
            mark: None,
        }
    }

    fn run(
        &mut self,
        machine: &mut dyn Machine<'s>,
        limits: &Limits,
        observer: &mut dyn SearchObserver,
        hunt: &mut Option<Hunt<'_>>,
    ) -> Ended {
        let (mut next, mut layer) = match self.start(machine, hunt) {
            Ok(place) => place,
            Err(ended) => return ended,
        };
        let (weighed_at, mut crew) = (self.orbits.as_ref().and_then(Orbits::weighed_at), Crew::new(limits));
        let (mut source, mut together) = (self.node.clone(), false);
        loop {
            let told = next.is_multiple_of(1024) || next.is_power_of_two();
            let hunts = hunt.as_ref().is_some_and(|hunt| hunt.is_due(u64::from(next)));
            if (told || hunts || next == layer)
                && let Some(ended) = self.catch_up()
            {
                return ended;
            }
            if std::mem::take(&mut together) || told {
                self.mark(next, layer, hunt);
            }
            if next == self.store.len() {
                break;
            }
            if next == layer {
                layer = self.store.len();
                self.stats.depth += 1;
            }
            if told {
                self.tell(observer, next);
            }
            if limits.interrupt.is_raised() {
                self.refresh();
                return Ended::Interrupted;
            }
            if Some(next) == weighed_at && (self.is_unprofitable() || self.only_weighs) {
                return Ended::Unprofitable;
            }
            // A search that may still be begun again has nothing to tell.
            if !self.news.is_empty() && weighed_at.is_none_or(|at| next >= at) {
                self.announce(observer, hunt);
            }
            if hunts && hunt.as_mut().is_some_and(|hunt| self.hunt(hunt)) {
                self.refresh();
                return Ended::Answered;
            }
            // What is done at a mark must not depend on how many threads there are.
            let due = hunt.as_ref().and_then(Hunt::due).and_then(|due| u32::try_from(due).ok());
            let marks = [layer, weighed_at.unwrap_or(u32::MAX), due.unwrap_or(u32::MAX)];
            if !self.is_reducing()
                && let Some(block) = crew.block(next, &marks)
            {
                let end = block.end;
                match crew.expand(self, limits, block) {
                    BlockEnd::Done => {
                        (next, together) = (end, true);
                        observer.threads(&crew.expanded());
                        self.tell(observer, next);
                        continue;
                    }
                    BlockEnd::Alone => {}
                    BlockEnd::Ended(ended) => {
                        self.refresh();
                        return ended;
                    }
                }
            }
            source.copy_from_slice(&self.store.get(NodeId(next)));
            if let Some(ended) = self.expand_reduced(machine, NodeId(next), &source) {
                return ended;
            }
            next += 1;
        }
        self.refresh();
        self.settle();
        Ended::Complete
    }

    /// Where the search begins: the node that is next, and the end of its layer.
    fn start(
        &mut self,
        machine: &mut dyn Machine<'s>,
        hunt: &mut Option<Hunt<'_>>,
    ) -> Result<(u32, u32), Ended> {
        match self.resume(hunt) {
            Resumed::At(next, layer) => Ok((next, layer)),
            Resumed::Full => Err(Ended::Full),
            Resumed::New => self.begin(machine).map_or(Ok((0, self.store.len())), Err),
        }
    }

    /// Inserts the initial states.
    fn begin(&mut self, machine: &mut dyn Machine<'s>) -> Option<Ended> {
        if self.full.is_some() {
            return Some(Ended::Full);
        }
        let before = vec![0; self.monitor.as_ref().map_or(0, Regular::words)];
        let walk = machine.initial(&mut |outcome| match outcome {
            Outcome::State(state) => self.reach(None, &before, state),
            Outcome::Fault(fault) => self.faulted(None, None, fault),
        });
        self.ended(walk)
    }

    /// Whether a part of the group does not pay.
    fn is_unprofitable(&mut self) -> bool {
        let (words, store) = (self.system.words(), &self.store);
        self.unprofitable = self.orbits.as_mut().and_then(|orbits| orbits.profitable(store, words));
        self.unprofitable.is_some()
    }

    fn tell(&mut self, observer: &mut dyn Observer, next: u32) {
        self.refresh();
        let queue = u64::from(self.store.len() - next);
        observer.progress(&Progress { stats: self.stats, queue, by_levels: true });
    }

    fn announce(&mut self, observer: &mut dyn SearchObserver, hunt: &mut Option<Hunt<'_>>) {
        self.shorten_found(hunt);
        for i in std::mem::take(&mut self.news) {
            match (&self.found[i], self.hunted(hunt, i)) {
                (Some(witness), _) => observer.found(i, witness),
                (None, Some(witness)) => observer.found(i, &witness),
                (None, None) => {}
            }
        }
    }

    /// A burst of hunting. Says whether everything decisive is answered.
    fn hunt(&mut self, hunt: &mut Hunt<'_>) -> bool {
        let open: Vec<bool> = self.found.iter().map(Option::is_none).collect();
        let unseen: Vec<usize> = (0..open.len()).filter(|&i| open[i] && hunt.prey(i).is_none()).collect();
        // Where steps are left out, a shorter run than those so far may be among those that are not.
        let depth = if self.reduction.is_some() { 0 } else { self.stats.depth };
        let answered = hunt.burst(&open, self.stats.transitions, depth);
        self.news.extend(unseen.into_iter().filter(|&i| hunt.prey(i).is_some()));
        answered
    }

    /// The run to answer a question that was hunted down.
    fn hunted(&self, hunt: &Option<Hunt<'_>>, question: usize) -> Option<Box<Witness>> {
        let prey = hunt.as_ref()?.prey(question)?;
        let stats = Stats { hunt: Some(prey.stats), ..self.stats };
        Some(Box::new(Witness { evidence: prey.evidence.clone(), stats, time: self.started.elapsed() }))
    }

    /// What was hunted answers questions that are open when the search ends early.
    fn take_prey(&mut self, hunt: &Option<Hunt<'_>>) {
        for i in 0..self.found.len() {
            if self.found[i].is_none() {
                self.found[i] = self.hunted(hunt, i);
                self.open -= usize::from(self.found[i].is_some());
            }
        }
    }

    /// Goals that are true nowhere, but undefined somewhere.
    fn settle(&mut self) {
        for i in 0..self.questions.len() {
            if let (None, Some((id, fault))) = (&self.found[i], self.pending[i]) {
                self.record(i, Some(id), End::Undefined(fault));
            }
        }
    }

    /// Takes every step from a node.
    fn expand(&mut self, machine: &mut dyn Machine<'s>, id: NodeId, source: &[u64]) -> Option<Ended> {
        let (state, positions) = source.split_at(self.system.words());
        let mut dead = true;
        let classes = self.orbits.as_mut().and_then(|orbits| orbits.classes(state));
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        let mut covered = std::mem::take(&mut self.covered);
        if let Some(orbits) = &mut self.orbits {
            orbits.covered(state, &mut covered);
        }
        let walk =
            machine.successors_filtered(state, filter, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                dead = false;
                match outcome {
                    Outcome::State(target) if self.batches => self.await_insertion(id, target),
                    Outcome::State(target) => {
                        self.stats.transitions += 1;
                        // What it leads to was reached.
                        if covered.get(label.rule.index()) == Some(&true) {
                            return ControlFlow::Continue(());
                        }
                        self.reach(Some(id), positions, target)
                    }
                    Outcome::Fault(fault) => {
                        self.insert_batch()?;
                        self.faulted(Some(id), Some(label), fault)
                    }
                }
            });
        self.covered = covered;
        if dead && walk == Walk::Complete {
            // Whether to go on is asked below, both times.
            let _ = self.insert_batch();
            match self.evaluator.is_outside(state) {
                Ok(false) => {
                    let deadlock = |question: &Question| matches!(question, Question::Deadlock);
                    let _ = self.answer(deadlock, Some(id), &End::State);
                }
                Err(Undefined::Interrupted) => self.interrupted = true,
                Ok(true) | Err(Undefined::Fault(_)) => {}
            }
        }
        self.ended(walk)
    }

    fn ended(&mut self, walk: Walk) -> Option<Ended> {
        let ended = match walk {
            Walk::Interrupted => Ended::Interrupted,
            _ if self.interrupted => Ended::Interrupted,
            _ if self.full.is_some() => Ended::Full,
            _ if self.open == 0 => Ended::Answered,
            _ => return None,
        };
        self.refresh();
        Some(ended)
    }

    fn refresh(&mut self) {
        self.stats.states = u64::from(self.store.len());
        self.stats.memory = self.store.bytes();
    }

    /// A step led to a state; `before` are the positions of the monitor in its source.
    #[inline]
    fn reach(&mut self, parent: Option<NodeId>, before: &[u64], state: &[u64]) -> ControlFlow<()> {
        let Self { orbits, monitor, evaluator, node, .. } = self;
        let undefined = match represent(orbits, monitor.as_ref(), &mut **evaluator, before, state, node) {
            Ok(undefined) => undefined,
            Err(Undecided) => {
                self.interrupted = true;
                return ControlFlow::Break(());
            }
        };
        match self.store.insert(&self.node, parent) {
            Insert::Old(_) => ControlFlow::Continue(()),
            Insert::New(id) => {
                self.orbits.iter_mut().for_each(|orbits| orbits.tally(orbits.last_stabiliser()));
                self.evaluate(id, undefined)
            }
            Insert::Full => {
                self.full = Some(self.store.full());
                ControlFlow::Break(())
            }
        }
    }

    /// A step led to a state, which is its own node. It is inserted with others.
    #[inline]
    fn await_insertion(&mut self, source: NodeId, state: &[u64]) -> ControlFlow<()> {
        self.waiting.push(state, self.store.hash(state), source.0);
        if self.waiting.len() < BATCH { ControlFlow::Continue(()) } else { self.insert_batch() }
    }

    /// Inserts the states that wait for it, in the order in which they came.
    fn insert_batch(&mut self) -> ControlFlow<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.store.touch(waiting.hashes());
        let (mut flow, mut i) = (ControlFlow::Continue(()), 0);
        while i < waiting.len() && flow.is_continue() {
            self.stats.transitions += 1;
            let (node, hash, source) = waiting.get(i);
            flow = match self.store.insert_hashed(node, hash, Some(NodeId(source))) {
                Insert::Old(_) => ControlFlow::Continue(()),
                Insert::New(id) => {
                    self.node.copy_from_slice(node);
                    self.evaluate(id, None)
                }
                Insert::Full => {
                    self.full = Some(self.store.full());
                    ControlFlow::Break(())
                }
            };
            i += 1;
        }
        self.waiting = waiting;
        self.waiting.clear();
        flow
    }

    /// Inserts what waits, if something happens whose order matters.
    fn catch_up(&mut self) -> Option<Ended> {
        // Whether to go on is asked next.
        let _ = self.insert_batch();
        self.ended(Walk::Complete)
    }

    /// Asks the open questions about a new node.
    fn evaluate(&mut self, id: NodeId, undefined: Option<Fault>) -> ControlFlow<()> {
        if let Some(fault) = undefined {
            return self.answer(
                |question| matches!(question, Question::Sequence(_)),
                Some(id),
                &End::Undefined(fault),
            );
        }
        let conditions = self.is_open(has_condition);
        let words = self.system.words();
        let orbits = self.orbits.as_mut().filter(|_| conditions);
        let classes = orbits.and_then(|orbits| orbits.classes(&self.node[..words]));
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        for i in 0..self.questions.len() {
            if self.found[i].is_some() {
                continue;
            }
            let (state, positions) = self.node.split_at(words);
            let (question, monitor) = (self.questions[i], self.monitor.as_ref());
            match judge(question, &mut *self.evaluator, monitor, state, positions, filter) {
                Ok(Judgement::Nothing) => {}
                Ok(Judgement::End(end)) => self.record(i, Some(id), end),
                Ok(Judgement::Pending(fault)) => drop(self.pending[i].get_or_insert((id, fault))),
                Ok(Judgement::Value(value)) => {
                    if self.greatest[i].is_none_or(|(most, _)| value > most) {
                        self.greatest[i] = Some((value, id));
                    }
                }
                Err(Undecided) => {
                    self.interrupted = true;
                    return ControlFlow::Break(());
                }
            }
        }
        self.flow()
    }

    fn faulted(&mut self, source: Option<NodeId>, label: Option<Label<'_>>, fault: Fault) -> ControlFlow<()> {
        self.faulted = true;
        if !self.is_open(|question| matches!(question, Question::Fault)) {
            return ControlFlow::Continue(());
        }
        let end = End::Fault(label.map(Step::from), fault);
        self.answer(|question| matches!(question, Question::Fault), source, &end)
    }

    fn is_open(&self, which: impl Fn(&Question) -> bool) -> bool {
        self.questions.iter().zip(&self.found).any(|(question, found)| found.is_none() && which(question))
    }

    fn answer(
        &mut self,
        which: impl Fn(&Question) -> bool,
        at: Option<NodeId>,
        end: &End,
    ) -> ControlFlow<()> {
        for i in 0..self.questions.len() {
            if self.found[i].is_none() && which(self.questions[i]) {
                self.record(i, at, end.clone());
            }
        }
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.open == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn record(&mut self, question: usize, at: Option<NodeId>, end: End) {
        self.refresh();
        let mut evidence = self.evidence(at, end);
        name_fault(&mut evidence, self.questions[question], &mut *self.evaluator);
        let found = Witness { evidence, stats: self.stats, time: self.started.elapsed() };
        self.found[question] = Some(Box::new(found));
        self.open -= 1;
        self.news.push(question);
    }

    /// The findings when the search is over.
    fn findings(&mut self, ended: Ended) -> Vec<Finding> {
        let complete = ended == Ended::Complete;
        let count = self.questions.len();
        let answer = |i: usize| match (self.found[i].take(), self.greatest[i]) {
            (Some(found), _) => Finding::Yes(found),
            (None, Some((value, id))) => {
                // A limit that is reached here must not take the others with it.
                let evidence = complete.then(|| catch(|| self.evidence(Some(id), End::State)).ok()).flatten();
                let (stats, time) = (self.stats, self.started.elapsed());
                let found = evidence.map(|evidence| Box::new(Witness { evidence, stats, time }));
                Finding::Greatest(value, found)
            }
            (None, None) if complete => Finding::No,
            (None, None) => Finding::Unknown,
        };
        (0..count).map(answer).collect()
    }

    /// The run to a node.
    fn evidence(&mut self, at: Option<NodeId>, end: End) -> Evidence {
        let words = self.system.words();
        let path = at.map_or_else(Vec::new, |id| self.store.path(id));
        let copy = |&id: &NodeId| {
            poll();
            self.store.get(id)[..words].into()
        };
        run_through(self.system, &mut self.orbits, path.iter().map(copy).collect(), end)
    }

    /// The states of all orbits, if the search saw them all.
    fn unreduced(&mut self, ended: Ended) -> Option<Natural> {
        let reduced = self.reduction.as_ref().is_some_and(|reduction| reduction.nodes() > 0);
        if ended != Ended::Complete || self.monitor.is_some() || reduced {
            return None;
        }
        match &mut self.orbits {
            None => Some(Natural::from(u64::from(self.store.len()))),
            Some(orbits) => orbits.count(&self.store),
        }
    }
}

/// The run through the states of nodes, representatives if there are orbits. The steps are found again by
/// asking the interpreter.
fn run_through<'s>(
    system: &'s System,
    orbits: &mut Option<Orbits<'s>>,
    states: Vec<Box<[u64]>>,
    end: End,
) -> Evidence {
    let mut machine = system.machine();
    match orbits {
        None => {
            let between =
                |pair: &[Box<[u64]>]| step_between(&mut *machine, &pair[0], |state| *state == *pair[1]).0;
            let steps = states.windows(2).map(between).collect();
            Evidence { states, steps, end }
        }
        Some(orbits) => orbits.lift(&mut *machine, states, end),
    }
}

/// Says which fault a condition has at the end of a run: in a lifted one another of several may come first.
fn name_fault<'s>(evidence: &mut Evidence, question: &'s Question, evaluator: &mut dyn Machine<'s>) {
    let (End::Undefined(fault), Some(last)) = (&mut evidence.end, evidence.states.last()) else { return };
    let (Question::Invariant(condition) | Question::Reachable(condition) | Question::Bound(condition)) =
        question
    else {
        return;
    };
    if let Err(Undefined::Fault(this)) = evaluator.holds(condition, last) {
        *fault = this;
    }
}

/// A condition was left undecided: the work was interrupted.
pub(crate) struct Undecided;

/// What a condition says of a state: the end of a run, if it is as wanted or has no value.
pub(crate) fn condition_end(value: Result<bool, Undefined>, wanted: bool) -> Result<Option<End>, Undecided> {
    match value {
        Ok(value) => Ok((value == wanted).then_some(End::State)),
        Err(Undefined::Fault(fault)) => Ok(Some(End::Undefined(fault))),
        Err(Undefined::Interrupted) => Err(Undecided),
    }
}

/// Whether it is about the value of something in each state.
fn has_condition(question: &Question) -> bool {
    matches!(question, Question::Invariant(_) | Question::Reachable(_) | Question::Bound(_))
}

/// What a question says of a new node.
enum Judgement {
    Nothing,
    /// A run ends here that shows the answer.
    End(End),
    /// A goal is neither true nor false here.
    Pending(Fault),
    /// The value that is asked for.
    Value(i64),
}

/// Makes the node of a state: its representative and, behind it, the positions of the monitor, from those
/// before. If they are not known, since a condition has no value, that comes back.
#[inline]
fn represent<'s>(
    orbits: &mut Option<Orbits<'s>>,
    monitor: Option<&Regular<'s>>,
    evaluator: &mut dyn Machine<'s>,
    before: &[u64],
    state: &[u64],
    node: &mut [u64],
) -> Result<Option<Fault>, Undecided> {
    let (representative, after) = node.split_at_mut(state.len());
    match orbits {
        None => representative.copy_from_slice(state),
        Some(orbits) => orbits.canonise(state, representative),
    }
    let Some(regular) = monitor else { return Ok(None) };
    match regular.advance(evaluator, before, state, after) {
        Ok(()) => Ok(None),
        Err(Undefined::Fault(fault)) => {
            // All positions together would have ended the search before, so this cannot be taken for an old
            // node.
            after.fill(u64::MAX);
            Ok(Some(fault))
        }
        Err(Undefined::Interrupted) => Err(Undecided),
    }
}

/// Asks a question about a new node.
fn judge<'s>(
    question: &'s Question,
    evaluator: &mut dyn Machine<'s>,
    monitor: Option<&Regular<'s>>,
    state: &[u64],
    positions: &[u64],
    filter: StepFilter<'_>,
) -> Result<Judgement, Undecided> {
    let wanted = matches!(question, Question::Reachable(_));
    let value = match question {
        Question::Invariant(it) | Question::Reachable(it) | Question::Bound(it) => {
            evaluator.value_filtered(it, state, filter)
        }
        Question::Sequence(_) => {
            let accepts = monitor.is_some_and(|regular| regular.accepts(positions));
            return Ok(if accepts { Judgement::End(End::State) } else { Judgement::Nothing });
        }
        Question::Fault
        | Question::Deadlock
        | Question::Linear(_)
        | Question::Branching(_)
        | Question::Automaton(..) => return Ok(Judgement::Nothing),
    };
    match value {
        Err(Undefined::Interrupted) => Err(Undecided),
        Err(Undefined::Fault(fault)) if wanted => Ok(Judgement::Pending(fault)),
        Err(Undefined::Fault(fault)) => Ok(Judgement::End(End::Undefined(fault))),
        Ok(value) if matches!(question, Question::Bound(_)) => Ok(Judgement::Value(value)),
        Ok(value) if (value != 0) == wanted => Ok(Judgement::End(End::State)),
        Ok(_) => Ok(Judgement::Nothing),
    }
}
