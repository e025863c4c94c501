//! Checks a model with decision diagrams: the same questions as the explicit engine, answered on sets of states.

use crate::check::{Asked, CheckError, Task, Watch, allowed, select, tasks, unanswered};
use crate::report::{Diagrams, Product, Xi};
use crate::{
    DeadlockPaths, DiagramOptions, Fairness, Kind, Model, Observer, Options, Progress, PropertyResult,
    Report, Stats, SymbolicMethod, Verdict,
};
use burnside_explicit::Question;
use burnside_symbolic::symmetry::{
    Answer, Effort, Outcome, Representatives, Settings, create_xi, least, orbit_to_xi, sigma_step,
};
use burnside_symbolic::{
    self as symbolic, Branching, Goal, Halted, Reduction, Refuted, Search, Set, Space, Stop,
};
use burnside_trace::{Claimed, End, Evidence, Regular, TreeOptions, replay, replay_tree};
use burnside_ts::{Expr, Formula, Symmetry};
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::Instant;

/// States with more bits than this are too wide.
const MOST_BITS: u32 = 4096;
/// Operations on diagrams go as deep as there are variables.
const STACK: usize = 256 << 20;

/// Checks a model. The work is done in a thread with a large stack; progress is passed on here.
pub(crate) fn run(
    model: &Model,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Report, CheckError> {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        let work = move || Checker::run(model, options, sender);
        let worker = worker.spawn_scoped(scope, work).expect("a thread can be started");
        for progress in receiver {
            observer.progress(&progress);
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Whether an answer is a run, or a formula about all paths that was refuted on some states: then it rests on nothing else.
fn is_shown(result: &PropertyResult) -> bool {
    let refuted = result.method == Some("live-rep") && result.verdict == Verdict::Violated;
    refuted || result.evidence.is_some() && result.kind != Kind::Bound
}

/// The figures before there are any states.
fn nothing() -> Stats {
    Stats { diagrams: Some(Diagrams::default()), ..Stats::default() }
}

/// What is looked for on representatives.
#[derive(Clone, Copy)]
enum Sought<'q, 's> {
    State(Goal<'s>),
    Match(&'q Regular<'s>),
}

struct Checker<'r, 's> {
    model: &'s Model,
    options: &'r Options,
    watch: &'r Watch,
    progress: mpsc::Sender<Progress>,
    /// Whether there are more states than allowed.
    full: Cell<bool>,
}

impl<'s> Checker<'_, 's> {
    fn run(
        model: &'s Model,
        options: &Options,
        progress: mpsc::Sender<Progress>,
    ) -> Result<Report, CheckError> {
        let started = Instant::now();
        let system = &model.system;
        let tasks = select(tasks(model, options), options)?;
        let watch = Watch::start(options.limits.time, options.interrupt.clone());
        let checker = Checker { model, options, watch: &watch, progress, full: Cell::new(false) };
        let (mut results, mut stats, mut unreduced) = (Vec::new(), nothing(), None);
        match checker.space() {
            Err(reason) => results.extend(tasks.iter().map(|task| checker.unknown(task, reason.clone()))),
            Ok(space) => {
                let mut search = Search::new(&space);
                for task in &tasks {
                    results.push(checker.answer(task, &space, &mut search)?);
                }
                checker.doubt(&space, &mut search, &mut results)?;
                stats = checker.stats(&space, &search);
                if !search.is_complete() {
                    // The methods with symmetry have searches of their own.
                    let others = || results.iter().map(|result| &result.stats);
                    stats.states = others().map(|its| its.states).fold(stats.states, u64::max);
                    stats.depth = others().map(|its| its.depth).fold(stats.depth, u64::max);
                }
                unreduced = search.is_complete().then(|| search.states());
            }
        }
        let group = match options.diagrams.method {
            SymbolicMethod::Classic => Symmetry::trivial(&system.types),
            _ => checker.group(),
        };
        Ok(Report { results, group, stats, unreduced, time: started.elapsed(), chosen: None })
    }

    /// Looks for faults if nobody asked for them: they make answers doubtful that no run shows. In a net a fault is a place without room, and it is not shown; so as long as it
    /// is unknown whether there is one, only runs count.
    fn doubt(
        &self,
        space: &Space<'s>,
        search: &mut Search<'_, 's>,
        results: &mut Vec<PropertyResult>,
    ) -> Result<(), CheckError> {
        let asked = results.iter().position(|result| result.kind == Kind::Faults);
        let verdict = match asked {
            Some(faults) => results[faults].verdict.clone(),
            None if !space.may_fault() || !results.is_empty() && results.iter().all(is_shown) => {
                return Ok(());
            }
            None => {
                let faults =
                    self.answer(&crate::check::faults(&self.model.system, self.options), space, search)?;
                let verdict = faults.verdict.clone();
                if verdict == Verdict::Violated {
                    results.insert(0, faults);
                }
                verdict
            }
        };
        if let (Verdict::Unknown(_), Some(_)) = (&verdict, self.model.net()) {
            for result in results.iter_mut().filter(|result| !is_shown(result)) {
                (result.verdict, result.value) = (verdict.clone(), None);
                (result.evidence, result.tree) = (None, None);
            }
        }
        Ok(())
    }

    fn space(&self) -> Result<Space<'s>, String> {
        let width = self.model.system.width;
        if width > MOST_BITS {
            return Err(format!(
                "states of {width} bits are too wide for diagrams: the limit is {MOST_BITS}"
            ));
        }
        let budget = symbolic::Budget {
            nodes: self.nodes(),
            reorder: self.options.diagrams.reorder,
            interrupt: self.options.interrupt.clone(),
        };
        Space::new(&self.model.system, &budget).map_err(|stop| self.reason(stop))
    }

    /// How many nodes there may be, for the limits on nodes and on memory.
    fn nodes(&self) -> usize {
        let by_memory = self.options.limits.memory.map_or(u64::MAX, |bytes| bytes / symbolic::NODE_BYTES);
        self.options.diagrams.nodes.min(usize::try_from(by_memory).unwrap_or(usize::MAX)).max(1_000)
    }

    fn reason(&self, stop: Stop) -> String {
        let limits = &self.options.limits;
        match (stop, limits.states, limits.memory) {
            (Stop::Nodes, _, Some(bytes)) if self.nodes() < self.options.diagrams.nodes => {
                format!("the limit of {bytes} bytes is reached")
            }
            (Stop::Nodes, ..) => format!("the limit of {} nodes is reached", self.nodes()),
            (Stop::Interrupted, Some(states), _) if self.full.get() => {
                format!("the limit of {states} states is reached")
            }
            (Stop::Interrupted, ..) => self.watch.reason(limits.time),
        }
    }

    fn halted(&self, halted: Halted) -> String {
        match halted {
            Halted::Stop(stop) => self.reason(stop),
            Halted::TooLarge(why) => why,
        }
    }

    fn stats(&self, space: &Space<'s>, search: &Search<'_, 's>) -> Stats {
        let nodes = space.peak_nodes() as u64;
        Stats {
            states: search.states().to_u64().unwrap_or(u64::MAX),
            depth: search.depth(),
            memory: nodes * symbolic::NODE_BYTES,
            diagrams: Some(Diagrams { nodes, relation: space.relation_size() as u64, xi: None }),
            ..Stats::default()
        }
    }

    fn answer(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        search: &mut Search<'_, 's>,
    ) -> Result<PropertyResult, CheckError> {
        let started = Instant::now();
        let mut result = PropertyResult {
            engine: "symbolic",
            method: Some("classic"),
            group: Symmetry::trivial(&self.model.system.types),
            ..unanswered(task)
        };
        if !search.is_empty()
            && let Some(verdict) = self.reduced(task, space, search, &mut result)?
        {
            result.verdict = verdict;
            result.time = started.elapsed();
            return Ok(result);
        }
        // The initialisation may still fault.
        result.verdict = match (search.is_empty(), task.kind) {
            (true, Kind::Faults) if search.meets_fault() == Ok(true) => {
                self.verdict(task, space, search, &mut result)?
            }
            (true, _) => Verdict::Unknown("there is no initial state".to_string()),
            (false, _) => self.verdict(task, space, search, &mut result)?,
        };
        let product = result.stats.product;
        result.stats = Stats { product, ..self.stats(space, search) };
        result.unreduced = search.is_complete().then(|| search.states());
        result.time = started.elapsed();
        Ok(result)
    }

    fn verdict(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        search: &mut Search<'_, 's>,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let report = &mut |progress: &symbolic::Progress| self.report(progress);
        let found = match task.question {
            Asked::State(Question::Fault) => search.fault(report),
            Asked::State(Question::Deadlock) => search.deadlock(report),
            Asked::State(Question::Violation(condition)) => search.violation(condition, report),
            Asked::State(Question::Witness(condition)) => search.witness(condition, report),
            Asked::State(Question::Maximum(expr)) => match search.maximum(expr, report) {
                Ok(Some((Some(value), evidence))) => {
                    result.value = Some(value);
                    self.show(task, evidence, Claimed::Attains(expr, value), result)?;
                    return Ok(Verdict::Holds);
                }
                found => found.map(|found| found.map(|(_, evidence)| evidence)),
            },
            Asked::State(Question::Match(_)) => unreachable!("a sequence is asked for as one"),
            Asked::Sequence(sequence) => {
                let Some(regular) = Regular::new(sequence) else {
                    let most = Regular::MAX_POSITIONS;
                    return Ok(Verdict::Unknown(format!("the sequence needs more than {most} positions")));
                };
                symbolic::never(space, &regular, report)
            }
            Asked::Linear(formula) => {
                let fair = self.options.fairness == Fairness::Model;
                let interrupt = &self.options.interrupt;
                let found = symbolic::ltl(space, search, formula, fair, interrupt, report);
                return self.linear(task, found, Claimed::Fails { formula, fair }, result);
            }
            Asked::Automaton(watcher) => {
                let fair = self.options.fairness == Fairness::Model;
                let (automaton, conditions) = (watcher.automaton, &watcher.observed.conditions[..]);
                let found = symbolic::automaton(space, search, automaton, conditions, fair, report);
                let claimed = Claimed::Accepted { automaton, atoms: conditions, fair };
                return self.linear(task, found, claimed, result);
            }
            Asked::Branching(formula) => {
                let fair = self.options.fairness == Fairness::Model;
                let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
                let judged = symbolic::ctl(space, search, formula, (fair, maximal), report);
                return self.branching(task, formula, judged, result);
            }
        };
        let wanted = task.kind == Kind::Reachable;
        Ok(match found {
            Err(stop) => Verdict::Unknown(self.reason(stop)),
            Ok(None) if wanted => Verdict::Violated,
            Ok(None) => Verdict::Holds,
            Ok(Some(evidence)) => {
                let reached = wanted && matches!(evidence.end, End::State);
                let claimed = task.claimed.expect("a property with evidence says what it shows");
                self.show(task, evidence, claimed, result)?;
                if reached { Verdict::Holds } else { Verdict::Violated }
            }
        })
    }

    /// The answer of the method that was asked for, if it has one for this kind of question.
    fn reduced(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        search: &mut Search<'_, 's>,
        result: &mut PropertyResult,
    ) -> Result<Option<Verdict>, CheckError> {
        let method = self.options.diagrams.method;
        let regular;
        let goal = match task.question {
            _ if method == SymbolicMethod::Classic => return Ok(None),
            Asked::State(Question::Fault) => Goal::Fault,
            Asked::State(Question::Deadlock) => Goal::Deadlock,
            Asked::State(Question::Violation(condition)) => Goal::Violation(condition),
            Asked::State(Question::Witness(condition)) => Goal::Witness(condition),
            Asked::Sequence(sequence) => {
                let Some(positions) = Regular::new(sequence) else { return Ok(None) };
                regular = positions;
                return self.on_the_fly(task, space, Sought::Match(&regular), result).map(Some);
            }
            Asked::Branching(formula) => {
                return self.on_representatives(task, space, search, formula, result);
            }
            Asked::State(_) | Asked::Linear(_) | Asked::Automaton(_) => return Ok(None),
        };
        self.on_the_fly(task, space, Sought::State(goal), result).map(Some)
    }

    fn settings(&self, space: &Space<'s>) -> Result<Settings, Stop> {
        let diagrams = &self.options.diagrams;
        let hints = match diagrams.method {
            SymbolicMethod::Hints => self.hints(),
            _ => Vec::new(),
        };
        let hints = hints.into_iter().map(|hint| space.holds(hint)).collect::<Result<Vec<Set>, Stop>>()?;
        let effort = Effort { rounds: diagrams.rounds, nodes: None };
        let DiagramOptions { approximation, forget, seldom, .. } = *diagrams;
        Ok(Settings { approximation, forget, effort, seldom, hints, within: None })
    }

    fn hints(&self) -> Vec<&'s Expr> {
        self.model.system.hints.iter().map(|hint| &hint.condition).collect()
    }

    fn group(&self) -> Symmetry {
        allowed(&self.model.system.symmetry, &self.model.system, self.options)
    }

    fn reduction(&self, space: &Space<'s>, atoms: &[Set]) -> Result<Reduction, Stop> {
        let DiagramOptions { invariance, check, .. } = self.options.diagrams;
        Reduction::new(space, &self.group(), &self.model.claimed, atoms, (invariance, check))
    }

    /// Notes what a search on representatives took.
    fn note(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        reduction: &Reduction,
        statistics: &symbolic::symmetry::Statistics,
        result: &mut PropertyResult,
    ) {
        if !reduction.is_empty() {
            result.symmetry = "fast";
            result.group = task.symmetry.clone();
        }
        let nodes = space.peak_nodes() as u64;
        result.stats = Stats {
            states: statistics.representatives.to_u64().unwrap_or(u64::MAX),
            depth: statistics.iterations,
            memory: nodes * symbolic::NODE_BYTES,
            diagrams: Some(Diagrams { nodes, relation: space.relation_size() as u64, xi: None }),
            ..Stats::default()
        };
    }

    /// Symmetry_MC or Hints_Sym.
    fn on_the_fly(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        sought: Sought<'_, 's>,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let hints = self.options.diagrams.method == SymbolicMethod::Hints;
        result.method = Some(if hints { "hints" } else { "symmetry" });
        let report = &mut |progress: &symbolic::Progress| self.report(progress);
        let mut work = || {
            let atoms = match sought {
                Sought::State(goal) => space.atoms(goal)?,
                Sought::Match(regular) => space.atoms_of_sequence(regular)?,
            };
            let (reduction, settings) = (self.reduction(space, &atoms)?, self.settings(space)?);
            let (answer, statistics) = match sought {
                Sought::State(goal) => space.refute(goal, &reduction, &settings, report)?,
                Sought::Match(regular) => space.refute_match(regular, &reduction, &settings, report)?,
            };
            self.note(task, space, &reduction, &statistics, result);
            Ok(answer)
        };
        let wanted = task.kind == Kind::Reachable;
        Ok(match work() {
            Err(stop) => Verdict::Unknown(self.reason(stop)),
            Ok(Answer::Unknown(why)) => Verdict::Unknown(why),
            Ok(Answer::Holds) if wanted => Verdict::Violated,
            Ok(Answer::Holds) => Verdict::Holds,
            Ok(Answer::Violated(evidence)) => {
                let reached = wanted && matches!(evidence.end, End::State);
                let claimed = task.claimed.expect("a property with evidence says what it shows");
                self.show(task, evidence, claimed, result)?;
                if reached { Verdict::Holds } else { Verdict::Violated }
            }
        })
    }

    /// Live_Rep, Create_ξ or Orbit_To_ξ; none if the method has no answer for this formula.
    fn on_representatives(
        &self,
        task: &Task<'s>,
        space: &Space<'s>,
        search: &mut Search<'_, 's>,
        formula: &'s Formula,
        result: &mut PropertyResult,
    ) -> Result<Option<Verdict>, CheckError> {
        let method = self.options.diagrams.method;
        let fair = self.options.fairness == Fairness::Model && !self.model.system.fairness.is_empty();
        let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
        let name = match method {
            SymbolicMethod::LiveRep => "live-rep",
            // Which unit a step executes is not known up to symmetry.
            SymbolicMethod::Representatives if !fair => "representatives",
            SymbolicMethod::Orbit if !fair => "orbit",
            _ => return Ok(None),
        };
        let report = &mut |progress: &symbolic::Progress| self.report(progress);
        let mut work = || -> Result<Result<Branching, String>, Halted> {
            if let Some(evidence) = space.undefined(search, formula, report)? {
                return Ok(Ok(Branching::Undefined(evidence)));
            }
            let reduction = match method {
                // What is found on any states at all is real.
                SymbolicMethod::LiveRep => Reduction::unchecked(space, &self.group(), &self.model.claimed)?,
                _ => self.reduction(space, &space.atoms_of(formula)?)?,
            };
            let settings = self.settings(space)?;
            result.method = Some(name);
            if method == SymbolicMethod::LiveRep {
                let Refuted { found, relation, statistics } =
                    symbolic::live_rep(space, formula, &reduction, &settings, (fair, maximal), report)?;
                self.note(task, space, &reduction, &statistics, result);
                if let Some(diagrams) = &mut result.stats.diagrams {
                    diagrams.relation = relation as u64;
                }
                return Ok(match found {
                    Some((state, tree)) => Ok(Branching::Judged(false, state, tree)),
                    None => Err("it is not refuted on representatives, which proves nothing".to_string()),
                });
            }
            let Outcome { representatives, statistics, complete, .. } =
                space.representatives(&reduction, &settings, report)?;
            self.note(task, space, &reduction, &statistics, result);
            if let Some(doubt) = reduction.doubt(space)? {
                return Ok(Err(doubt));
            }
            if !complete {
                return Ok(Err("the search left out some states".to_string()));
            }
            let generators = reduction.generators();
            let closure = sigma_step(space, &representatives, &generators, &Effort::default())?;
            if !closure.complete {
                // An orbit that is not whole may miss its least state, and with it its only representative.
                return Ok(Err("the orbits take too many nodes".to_string()));
            }
            let all = closure.states;
            let start = Instant::now();
            let xi = match method {
                SymbolicMethod::Orbit => orbit_to_xi(space, &generators, &all)?,
                _ => create_xi(space, &generators, &least(space, &generators, &all)?)?,
            };
            if let Some(diagrams) = &mut result.stats.diagrams {
                diagrams.xi = Some(Xi { nodes: xi.pairs.size() as u64, time: start.elapsed() });
            }
            result.stats.states = space.count(&xi.representatives).to_u64().unwrap_or(u64::MAX);
            result.unreduced = Some(space.count(&all));
            let graph = Representatives::new(space, xi)?;
            Ok(Ok(symbolic::on_representatives(space, formula, &graph, maximal)?))
        };
        let worked = work();
        if let Some(diagrams) = &mut result.stats.diagrams {
            diagrams.nodes = space.peak_nodes() as u64;
        }
        match worked {
            Ok(Err(why)) => Ok(Some(Verdict::Unknown(why))),
            Ok(Ok(judged)) => self.branching(task, formula, Ok(judged), result).map(Some),
            Err(halted) => Ok(Some(Verdict::Unknown(self.halted(halted)))),
        }
    }

    fn linear(
        &self,
        task: &Task<'s>,
        found: Result<symbolic::Linear, Halted>,
        claimed: Claimed<'s>,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let linear = match found {
            Err(halted) => return Ok(Verdict::Unknown(self.halted(halted))),
            Ok(linear) => linear,
        };
        let states = linear.product.to_u64().unwrap_or(u64::MAX);
        result.stats.product = Some(Product { states, transitions: 0 });
        match linear.evidence {
            None => Ok(Verdict::Holds),
            Some(evidence) => {
                self.show(task, evidence, claimed, result)?;
                Ok(Verdict::Violated)
            }
        }
    }

    fn branching(
        &self,
        task: &Task<'s>,
        formula: &'s burnside_ts::Formula,
        judged: Result<Branching, Halted>,
        result: &mut PropertyResult,
    ) -> Result<Verdict, CheckError> {
        let fair = self.options.fairness == Fairness::Model;
        let maximal = self.options.deadlock_paths == DeadlockPaths::Maximal;
        match judged {
            Err(halted) => Ok(Verdict::Unknown(self.halted(halted))),
            Ok(Branching::Undefined(evidence)) => {
                self.show(task, evidence, Claimed::Fails { formula, fair }, result)?;
                Ok(Verdict::Violated)
            }
            Ok(Branching::Judged(truth, state, tree)) => {
                let options = TreeOptions { fair, maximal, explore: 0 };
                replay_tree(&self.model.system, formula, truth, &state, &tree, options).map_err(
                    |mismatch| CheckError::Internal {
                        property: task.name.to_string(),
                        message: mismatch.to_string(),
                    },
                )?;
                result.tree = Some((state, tree));
                Ok(if truth { Verdict::Holds } else { Verdict::Violated })
            }
        }
    }

    /// Replays evidence and puts it into the result.
    fn show(
        &self,
        task: &Task<'s>,
        evidence: Evidence,
        claimed: Claimed<'s>,
        result: &mut PropertyResult,
    ) -> Result<(), CheckError> {
        replay(&self.model.system, &evidence, claimed).map_err(|mismatch| CheckError::Internal {
            property: task.name.to_string(),
            message: mismatch.to_string(),
        })?;
        result.evidence = Some(evidence);
        Ok(())
    }

    fn unknown(&self, task: &Task<'_>, reason: String) -> PropertyResult {
        let group = Symmetry::trivial(&self.model.system.types);
        let verdict = Verdict::Unknown(reason);
        PropertyResult { engine: "symbolic", group, verdict, stats: nothing(), ..unanswered(task) }
    }

    fn report(&self, progress: &symbolic::Progress) {
        let states = progress.states.to_u64().unwrap_or(u64::MAX);
        if self.options.limits.states.is_some_and(|limit| states > limit) {
            self.full.set(true);
            self.options.interrupt.store(true, Ordering::Relaxed);
        }
        let memory = progress.nodes as u64 * symbolic::NODE_BYTES;
        // Nobody listens any more only if the caller is gone.
        let _ = self.progress.send(Progress {
            states,
            depth: progress.iterations,
            memory,
            ..Progress::default()
        });
    }
}
