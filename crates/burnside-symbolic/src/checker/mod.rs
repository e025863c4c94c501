//! The symbolic engine behind the interface of all engines.
//!
//! Entry point: [`Symbolic`]. Every question is a search of its own, but reachable states that one found the
//! next one uses. What the method that was asked for cannot do (`reduced`) the classical one does, on all
//! reachable states.

mod reduced;

use crate::ctl::{Branching, ctl};
use crate::ltl::{Linear, automaton, ltl, no_run};
use crate::never::never;
use crate::space::Space;
use crate::state::Reachability;
use crate::store::{NODE_BYTES, Out};
use burnside_engine::{
    Answer, Checker, DeadlockPaths, Engine, Listener, Options, Procedure, SymbolicMethod, Verdict,
};
use burnside_limits::{Diagrams, Limits, MANY, Observer, Product, Stats, Stop, catch, grace};
use burnside_perm::Natural;
use burnside_trace::{End, Evidence, Regular};
use burnside_ts::{Kind, Permutation, Property, Question, Symmetry, System};
use std::time::{Duration, Instant};

/// States with more bits than this are too wide.
pub const MOST_BITS: u32 = 4096;

/// How long counting may take when a limit was reached.
const PATIENCE: Duration = Duration::from_millis(250);

/// Why everything holds of all runs.
const NO_RUN: &str = "there is no fair run at all";

/// The symbolic engine at work on a system.
pub struct Symbolic<'a, 's> {
    space: &'a Space<'s>,
    search: Reachability<'a, 's>,
    options: &'a Options,
    /// Generators that are said to be symmetries and are none, or nobody knows.
    claimed: &'a [Permutation],
    /// The greatest figures of the searches on representatives.
    apart: Stats,
}

impl<'s> Space<'s> {
    /// The sets and relations that a check needs, unless states are too wide for them.
    pub fn for_check(system: &'s System, limits: &Limits, reorder: bool) -> Out<Self> {
        if system.foreign.is_some() {
            let why = "diagrams are made of a model's code, and this one runs code of its own";
            return Err(Stop::Inconclusive(why.to_string()));
        }
        if system.width > MOST_BITS {
            let width = system.width;
            let why = format!("states of {width} bits are too wide for diagrams: the limit is {MOST_BITS}");
            return Err(Stop::too_large(why));
        }
        Self::new(system, limits, reorder)
    }
}

impl<'a, 's> Symbolic<'a, 's> {
    /// Before the first question.
    pub fn new(space: &'a Space<'s>, options: &'a Options, claimed: &'a [Permutation]) -> Self {
        Self { space, search: Reachability::new(space), options, claimed, apart: Stats::default() }
    }

    fn one(&mut self, property: &'s Property, observer: &mut dyn Observer) -> Answer {
        let started = Instant::now();
        let mut answer = self.open(property);
        answer.method = Some(Procedure::Symbolic(SymbolicMethod::Classic));
        match self.reduced(property, &mut answer, observer) {
            Ok(Some(verdict)) => {
                answer.verdict = verdict;
                self.apart.states = self.apart.states.max(answer.stats.states);
                self.apart.depth = self.apart.depth.max(answer.stats.depth);
            }
            Err(stop) => answer.verdict = Verdict::Unknown(stop),
            Ok(None) => {
                answer.verdict =
                    self.classic(property, &mut answer, observer).unwrap_or_else(Verdict::Unknown);
                let (stats, unreduced) = self.counted();
                answer.stats = Stats { product: answer.stats.product, ..stats };
                answer.unreduced = unreduced;
            }
        }
        answer.time = started.elapsed();
        answer
    }

    /// The verdict on all reachable states, with what shows it.
    fn classic(
        &mut self,
        property: &'s Property,
        answer: &mut Answer,
        observer: &mut dyn Observer,
    ) -> Out<Verdict> {
        let (space, fair) = (self.space, self.options.is_fair());
        let search = &mut self.search;
        // The initialisation may still fault.
        if search.is_empty() && !(answer.kind == Kind::Faults && search.meets_fault()?) {
            return Err(Stop::NoInitialState);
        }
        let found = match &property.question {
            Question::Fault => search.fault(observer)?,
            Question::Deadlock => search.deadlock(observer)?,
            Question::Invariant(condition) => search.violation(condition, observer)?,
            Question::Reachable(condition) => search.witness(condition, observer)?,
            Question::Bound(expr) => match search.maximum(expr, observer)? {
                Some((Some(value), evidence)) => {
                    (answer.value, answer.evidence) = (Some(value), Some(evidence));
                    return Ok(Verdict::Holds);
                }
                found => found.map(|(_, evidence)| evidence),
            },
            Question::Sequence(sequence) => {
                let most = Regular::MAX_POSITIONS;
                let too_large = || Stop::too_large(format!("the sequence needs more than {most} positions"));
                never(search, &Regular::new(sequence).ok_or_else(too_large)?, observer)?
            }
            Question::Linear(formula) => {
                let found = ltl(space, search, formula, fair, observer)?;
                return Ok(self.linear(found, answer, observer));
            }
            Question::Automaton(accepting, conditions) => {
                let found = automaton(space, search, accepting, conditions, fair, observer)?;
                return Ok(self.linear(found, answer, observer));
            }
            Question::Branching(formula) => {
                let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
                return Ok(judged(ctl(space, search, formula, (fair, maximal), observer)?, answer));
            }
        };
        Ok(shown(found, answer))
    }

    fn linear(&mut self, found: Linear, answer: &mut Answer, observer: &mut dyn Observer) -> Verdict {
        let states = found.product.to_u64().unwrap_or(MANY);
        answer.stats.product = Some(Product { states, transitions: 0 });
        answer.evidence = found.evidence;
        if answer.evidence.is_some() {
            return Verdict::Violated;
        }
        let no_run = no_run(self.space, &mut self.search, self.options.is_fair(), observer);
        answer.vacuous = no_run.unwrap_or(false).then(|| NO_RUN.to_string());
        Verdict::Holds
    }

    /// The figures, also of a search that was ended: counting takes time, and an answer must not be lost for
    /// it.
    fn counted(&self) -> (Stats, Option<Natural>) {
        let count = || {
            let stats = self.stats()?;
            Ok((stats, self.search.is_complete().then(|| self.search.states())))
        };
        let nothing = Stats { diagrams: Some(Diagrams::default()), ..Stats::default() };
        let in_time = |_| grace(Instant::now() + PATIENCE, Stop::Interrupted, count);
        let counted = catch(count).or_else(in_time).and_then(|counted| counted);
        counted.unwrap_or((nothing, None))
    }

    fn stats(&self) -> Out<Stats> {
        let nodes = self.space.peak_nodes() as u64;
        Ok(Stats {
            states: self.search.states_met()?.to_u64().unwrap_or(MANY),
            depth: self.search.depth_met(),
            memory: nodes * NODE_BYTES,
            diagrams: Some(Diagrams { nodes, relation: self.space.relation_size() as u64, xi: None }),
            ..Stats::default()
        })
    }
}

/// A run to something bad, or to what is wanted.
fn shown(found: Option<Evidence>, answer: &mut Answer) -> Verdict {
    let wanted = answer.kind == Kind::Reachable;
    let reached = found.as_ref().map(|evidence| matches!(evidence.end, End::State));
    answer.evidence = found;
    match (wanted, reached) {
        (true, Some(true)) | (false, None) => Verdict::Holds,
        _ => Verdict::Violated,
    }
}

/// The truth of a branching-time formula, with what shows it.
fn judged(branching: Branching, answer: &mut Answer) -> Verdict {
    match branching {
        Branching::Undefined(evidence) => {
            answer.evidence = Some(evidence);
            Verdict::Violated
        }
        Branching::Judged(truth, state, tree) => {
            answer.tree = Some((state, tree));
            if truth { Verdict::Holds } else { Verdict::Violated }
        }
    }
}

impl<'s> Checker<'s> for Symbolic<'_, 's> {
    fn searches(&self, properties: &[&'s Property]) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..properties.len()).collect();
        let only_faults = |it: &&Property| it.question.is_linear() || it.question.kind() == Kind::Faults;
        if properties.iter().all(only_faults) {
            order.sort_by_key(|&i| properties[i].question.kind() == Kind::Faults);
        }
        order.into_iter().map(|i| vec![i]).collect()
    }

    fn answer(&mut self, properties: &[&'s Property], listener: &mut dyn Listener) -> Vec<Answer> {
        properties.iter().map(|property| self.one(property, listener)).collect()
    }

    fn open(&self, property: &'s Property) -> Answer {
        unknown(self.space.system(), property)
    }

    fn may_fault(&self) -> bool {
        self.space.may_fault()
    }

    fn group(&self) -> Symmetry {
        let system = self.space.system();
        match self.options.diagrams.method {
            SymbolicMethod::Classic => Symmetry::trivial(&system.types),
            _ => self.options.allowed(&system.symmetry, &system.types),
        }
    }

    fn figures(&self) -> Option<(Stats, Option<Natural>)> {
        let (mut stats, states) = self.counted();
        if !self.search.is_complete() {
            // The methods with symmetry have searches of their own.
            stats.states = stats.states.max(self.apart.states);
            stats.depth = stats.depth.max(self.apart.depth);
        }
        Some((stats, states))
    }
}

/// The answer for a property before there are any sets.
pub fn unknown(system: &System, property: &Property) -> Answer {
    let mut answer = Answer::open(property, Engine::Symbolic, Symmetry::trivial(&system.types));
    answer.stats.diagrams = Some(Diagrams::default());
    answer
}
