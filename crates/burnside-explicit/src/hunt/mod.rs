//! Hunts: short searches beside the breadth-first one that only look for violations (and for goals).
//!
//! Entry point: [`Hunt::burst`], called by the breadth-first search when it has done some work without an
//! answer. A hunt goes over original states, whatever the symmetry: nothing has to be brought into order. It
//! looks for the nearest states first (`explore`, guided by `distance`), goes down deep (`explore`), and
//! walks at random (`walk`), each with a share of the work of the burst. What it finds is made shorter
//! (`shorten`) and is an ordinary run, which is replayed as all runs are.
//!
//! A hunt never says that something holds, or that a goal is not reachable. How much work it may do is
//! counted in steps and depends on the work of the breadth-first search only, so that equal inputs give equal
//! outputs.

mod chase;
mod distance;
mod explore;
mod shorten;
mod walk;

use crate::orbits::step_between;
use burnside_checkpoint::persist_enum;
use burnside_engine::{Options, Search};
use burnside_limits::{HuntStats, Limits, poll};
use burnside_trace::{End, Evidence};
use burnside_ts::{AnyMachine, Expr, Question, System, Walk};
use chase::{Chase, Run};
use distance::distance;
use explore::Order;
use std::cell::OnceCell;
pub use walk::{NextStep, RandomWalker};

/// After so many expanded nodes of the breadth-first search the first burst is due, after so many the second,
/// the next ones after four times as many each. Where nodes are orbits the first comes earlier: they stand
/// for more states, and each costs several times as much as a state.
const FIRST: u64 = 1 << 10;
const FIRST_ORBITS: u64 = 1 << 9;
const SECOND: u64 = 1 << 13;
/// A burst may take so many steps, or one for so many of the breadth-first search so far.
const BURST: u64 = 1 << 12;
const SHARE: u64 = 32;
/// A hunt that comes first may take so many steps.
const AHEAD: u64 = 1 << 18;
/// To shorten a run may take so many steps, and as many again as the hunt took until then; of a run that
/// was found at once only a part of it, and so many times the steps of the hunt.
const SHORTENING: u64 = 1 << 14;
const SHORTENING_AT_ONCE: (u64, u64) = (1 << 11, 8);
/// A search of a burst keeps so many nodes at most, in so many bytes.
const NODES: u64 = 1 << 18;
const BYTES: u64 = 1 << 26;
/// Random walks have so many steps, one after the other.
const LENGTHS: [usize; 4] = [64, 256, 1024, 4096];

/// What a search is to hunt for, and how.
pub(crate) struct HuntPlan<'h> {
    system: &'h System,
    questions: Vec<&'h Question>,
    /// The questions whose answers end the search, if runs show them.
    decisive: Vec<bool>,
    search: Search,
    /// Whether it is only about faults that nobody has asked for by name: nothing guides a hunt to them.
    is_unasked: bool,
    seed: u64,
    limits: &'h Limits,
    /// By question, if it is about a condition: see [`mod@distance`]. Made for the first burst.
    distances: OnceCell<Vec<Option<Expr>>>,
}

impl<'h> HuntPlan<'h> {
    /// A plan for some questions, of which the decisive ones end the search when runs answer them.
    pub fn new(
        system: &'h System,
        questions: &[&'h Question],
        decisive: &[bool],
        options: &'h Options,
    ) -> Self {
        let is_fault = |question: &Question| matches!(question, Question::Fault);
        let named = |name: &String| options.properties.contains(name);
        let asked = system.properties.iter().any(|it| is_fault(&it.question) && named(&it.name));
        Self {
            system,
            questions: questions.to_vec(),
            decisive: decisive.to_vec(),
            search: options.search,
            is_unasked: !asked && questions.iter().all(|question| is_fault(question)),
            seed: options.seed,
            limits: &options.limits,
            distances: OnceCell::new(),
        }
    }

    fn distances(&self) -> &[Option<Expr>] {
        self.distances.get_or_init(|| {
            let distance = |question: &&Question| match question {
                Question::Invariant(condition) => Some(distance(self.system, condition, false)),
                Question::Reachable(condition) => Some(distance(self.system, condition, true)),
                _ => None,
            };
            self.questions.iter().map(distance).collect()
        })
    }
}

/// A run that was hunted down.
#[derive(Clone, Debug)]
pub(crate) struct Prey {
    pub evidence: Evidence,
    pub stats: HuntStats,
}

/// Hunts beside one breadth-first search.
pub(crate) struct Hunt<'h> {
    plan: &'h HuntPlan<'h>,
    /// When the first burst beside the search is due.
    first: u64,
    /// When the next burst is due; none: never.
    due: Option<u64>,
    prey: Vec<Option<Prey>>,
    pack: Option<Pack<'h>>,
    /// What was asked so far, in this order.
    asked: Vec<Asked>,
}

/// What a hunt was asked: all that its state depends on, besides its plan.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// See [`Hunt::burst`].
    Burst { open: Vec<bool>, steps: u64, depth: u64 },
    /// See [`Hunt::shorten`].
    Shorten { question: usize, run: Evidence },
}

persist_enum!(Asked {
    0 => Burst { open: open, steps: steps, depth: depth },
    1 => Shorten { question: question, run: run },
});

impl<'h> Hunt<'h> {
    /// Before the first burst: nothing is done yet. The search beside it goes over states, or over orbits.
    pub fn new(plan: &'h HuntPlan<'h>, orbits: bool) -> Self {
        let first = if orbits { FIRST_ORBITS } else { FIRST };
        let due = match plan.search {
            Search::Auto if plan.is_unasked => None,
            Search::Auto => Some(first),
            Search::Breadth => None,
            Search::Depth | Search::Random => Some(0),
        };
        Self { plan, first, due, prey: vec![None; plan.questions.len()], pack: None, asked: Vec::new() }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// Does again what another hunt with this plan was asked: little work beside that of the search. False:
    /// it cannot have been asked that.
    pub fn repeat(&mut self, asked: Vec<Asked>) -> bool {
        let questions = self.plan.questions.len();
        asked.into_iter().all(|asked| match asked {
            Asked::Burst { open, steps, depth } => {
                poll();
                let fits = open.len() == questions;
                let _ = fits && self.burst(&open, steps, depth);
                fits
            }
            Asked::Shorten { question, run } => {
                question < questions && !self.shorten(question, run).states.is_empty()
            }
        })
    }

    /// Whether a burst is due when so many nodes were expanded.
    pub fn is_due(&self, expanded: u64) -> bool {
        self.due.is_some_and(|due| expanded >= due)
    }

    /// When so many nodes were expanded a burst is due.
    pub fn due(&self) -> Option<u64> {
        self.due
    }

    /// Hunts for answers to the open questions. The breadth-first search has taken so many steps, and a run
    /// that answers one of them has more than `depth` states. Says whether all that is decisive is answered
    /// by runs.
    pub fn burst(&mut self, open: &[bool], steps: u64, depth: u64) -> bool {
        self.asked.push(Asked::Burst { open: open.to_vec(), steps, depth });
        let due = self.due;
        self.due = self.due.map(|due| match due {
            0 => self.first,
            due => due.saturating_mul(4).max(SECOND),
        });
        if self.pack.is_none() {
            self.pack = Pack::new(self.plan);
        }
        let Some(pack) = &mut self.pack else { return false };
        let all = !self.plan.decisive.contains(&true);
        pack.chase.want(|i| open[i] && self.prey[i].is_none(), |i| all || self.plan.decisive[i]);
        let least = match due {
            Some(0) => AHEAD,
            // There is no native code yet, and the distances of many take time.
            due if due == Some(self.first) && pack.chase.guided().len() > 1 => BURST / 2,
            _ => BURST,
        };
        pack.hunt(least.max(steps / SHARE), self.plan.search);
        for (i, prey) in self.prey.iter_mut().enumerate() {
            if let Some(run) = pack.chase.found[i].take() {
                let (length, hunted) = (run.length(), pack.chase.steps);
                let (least, times) = SHORTENING_AT_ONCE;
                let at_once = least.saturating_add(hunted.saturating_mul(times));
                let work = SHORTENING.saturating_add(hunted).min(at_once);
                let run = pack.shorten(i, run, work, depth as usize + 1);
                let stats = HuntStats { steps: pack.chase.steps, found: length as u64 - 1 };
                *prey = Some(Prey { evidence: pack.evidence(run), stats });
            }
        }
        let answered = |i: usize| !open[i] || self.prey[i].is_some();
        let all = 0..open.len();
        all.clone().all(|i| answered(i) || !self.plan.decisive[i]) && all.into_iter().any(answered)
    }

    /// A run of original states that answers a question, made shorter.
    pub fn shorten(&mut self, question: usize, run: Evidence) -> Evidence {
        self.asked.push(Asked::Shorten { question, run: run.clone() });
        if self.pack.is_none() {
            self.pack = Pack::new(self.plan);
        }
        let Some(pack) = &mut self.pack else { return run };
        let Evidence { states: nodes, end, .. } = run;
        let run = pack.shorten(question, Run { nodes, end }, SHORTENING, 1);
        pack.evidence(run)
    }

    /// What was found for a question.
    pub fn prey(&self, question: usize) -> Option<&Prey> {
        self.prey[question].as_ref()
    }
}

/// What does the hunting.
pub(super) struct Pack<'h> {
    machine: AnyMachine<'h>,
    chase: Chase<'h>,
    walker: RandomWalker<'h>,
    /// The run of a random walk.
    path: Vec<u64>,
    /// What a search of a burst may keep.
    room: Limits,
}

impl<'h> Pack<'h> {
    /// None if the monitor of a sequence is too large.
    fn new(plan: &'h HuntPlan<'h>) -> Option<Self> {
        let (system, limits) = (plan.system, plan.limits);
        let interrupt = &limits.interrupt;
        let memory = limits.memory.map_or(BYTES, |bytes| BYTES.min(bytes / 8));
        Some(Self {
            machine: system.machine_with_interrupt(interrupt.clone()),
            chase: Chase::new(system, &plan.questions, plan.distances(), interrupt)?,
            walker: RandomWalker::new(system, interrupt.clone(), plan.seed),
            path: Vec::new(),
            room: Limits { states: limits.states, memory: Some(memory), ..Limits::default() },
        })
    }

    /// One burst: every way of looking has its share of the work.
    fn hunt(&mut self, work: u64, search: Search) {
        let begun = self.chase.steps;
        let guided = self.chase.guided();
        let until = |share: u64| begun.saturating_add(work / 8 * share);
        // In eighths, by the time at which each is over.
        let [nearest, deep] = match search {
            Search::Depth => [0, 8],
            Search::Random => [0, 0],
            Search::Auto | Search::Breadth => [3, 5],
        };
        for (i, &question) in guided.iter().enumerate() {
            self.chase.until = begun + (until(nearest) - begun) / guided.len() as u64 * (i as u64 + 1);
            if self.explore(Order::Greedy(question), None, NODES, None) {
                return;
            }
        }
        self.chase.until = until(deep);
        if self.explore(Order::Depth, None, NODES, None) {
            return;
        }
        self.chase.until = begun.saturating_add(work);
        for number in 0.. {
            let before = self.chase.steps;
            if self.chase.is_over() {
                break;
            }
            let guide = guided.get(number / 2 % guided.len().max(1)).filter(|_| number % 2 == 1);
            self.walk(LENGTHS[number / 2 % LENGTHS.len()], guide.copied());
            // Walks without a step would go on for ever.
            self.chase.steps = self.chase.steps.max(before + 1);
        }
    }

    /// A random walk. With a guide, the nearer of two steps is taken.
    fn walk(&mut self, length: usize, guide: Option<usize>) {
        let Self { chase, walker, path, .. } = self;
        let (width, words) = (chase.node.len(), chase.state_words);
        let Some(start) = walker.start() else { return };
        // The nodes of the run, one behind the other, and before the first the positions before the run.
        path.clear();
        path.resize(width - words, 0);
        let head = path.len();
        if !chase.arrive(&path[..head], start) {
            return;
        }
        for _ in 0..length {
            path.extend_from_slice(&chase.node);
            let nodes = || path[head..].chunks_exact(width.max(1)).map(Box::from).collect::<Vec<_>>();
            let (state, positions) = path[path.len() - width..].split_at(words);
            chase.judge(nodes);
            if walker.look(state) == Walk::Interrupted {
                chase.interrupted = true;
            }
            let count = walker.count();
            chase.steps += (count + walker.faults().len()) as u64;
            if let Some((step, fault)) = walker.faults().first() {
                chase.faulted(&End::Fault(Some(step.clone()), *fault), nodes);
            } else if count == 0 && !walker.is_outside(state) {
                chase.dead(nodes);
            }
            if count == 0 || chase.is_over() {
                return;
            }
            let mut chosen = walker.random().below(count);
            if let Some(question) = guide {
                let other = walker.random().below(count);
                let [one, two] = [chosen, other].map(|i| chase.distance(question, walker.target(i)));
                chosen = if two < one { other } else { chosen };
            }
            if !chase.arrive(positions, walker.target(chosen)) {
                return;
            }
        }
    }

    /// The run with its steps, which the interpreter finds again.
    fn evidence(&self, run: Run) -> Evidence {
        let mut machine = self.machine.system().machine();
        let words = self.chase.state_words;
        let states: Vec<Box<[u64]>> = run.nodes.iter().map(|node| node[..words].into()).collect();
        let between =
            |pair: &[Box<[u64]>]| step_between(&mut *machine, &pair[0], |state| *state == *pair[1]).0;
        let steps = states.windows(2).map(between).collect();
        Evidence { states, steps, end: run.end }
    }
}
