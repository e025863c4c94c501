//! Branching-time properties: where a formula is true, by fixpoints of sets of reachable states.
//!
//! Entry point: [`ctl`]. Where fairness counts, or runs can end in faults, path quantifiers range over fair
//! infinite runs only: a state counts as the end of a path only if such a run goes on from there. [`tree`]
//! says why.

use crate::fair::Demands;
use crate::formula::{Bound, MOST_PARTS, values};
use crate::graph::{Graph, Part, Via};
use crate::ltl::{undefined, units};
use crate::space::Space;
use crate::state::Reachability;
use crate::store::{Out, Set};
use crate::symmetry::Representatives;
use crate::tree;
use burnside_limits::{Observer, Stop};
use burnside_trace::{Evidence, Tree};
use burnside_ts::{Formula, Path, Temporal};

/// What came of judging a formula.
#[derive(Clone, Debug)]
pub enum Branching {
    /// A condition faults in a reachable state.
    Undefined(Evidence),
    /// Whether it is true in all initial states, one that says so, and why.
    Judged(bool, Box<[u64]>, Tree),
}

/// A formula with the set of states where it is true.
pub(crate) struct Judged<'s> {
    pub formula: &'s Formula,
    pub holds: Set,
    /// The formulas inside; for a quantifier, one for each value.
    pub parts: Vec<Judged<'s>>,
}

/// Judges formulas on a graph.
pub(crate) struct CtlJudge<'j, 'g, 's> {
    pub graph: &'j Graph<'g, 's>,
    pub demands: Demands,
    /// The states that count.
    pub within: Set,
    /// Of them, those that a path ends in without going on for ever.
    pub ends: Set,
    /// The states from which a path goes on as it must.
    pub fair: Set,
    parts: usize,
}

/// Judges a branching-time formula.
pub fn ctl<'s>(
    space: &Space<'s>,
    search: &mut Reachability<'_, 's>,
    formula: &'s Formula,
    (fair, maximal): (bool, bool),
    observer: &mut dyn Observer,
) -> Out<Branching> {
    if let Some(evidence) = undefined(space, search, formula, observer)? {
        return Ok(Branching::Undefined(evidence));
    }
    search.complete(observer)?;
    let units = units(space, fair)?;
    let (ends, repeats) = deadlocks(space, search.all(), maximal)?;
    let graph = Graph::plain(space, units.as_ref(), repeats);
    let mut judge = CtlJudge::new(&graph, search.all().clone(), ends)?;
    let judged = judge.judge(formula, &mut Vec::new())?;
    let bad = space.pick(&space.initial.minus(&judged.holds)?);
    let truth = bad.is_none();
    let state = bad.or_else(|| space.pick(&space.initial)).expect("there is an initial state");
    let tree = tree::build(&judge, &judged, &state, truth)?;
    Ok(Branching::Judged(truth, state, tree))
}

/// Judges a formula on the graph of representatives. That is as good as judging it on all states if the
/// generators of the relation are good, leave its conditions alone and every reachable orbit has a
/// representative. Fairness units have no meaning there, so none must count.
pub fn on_representatives<'s>(
    space: &Space<'s>,
    formula: &'s Formula,
    representatives: &Representatives<'_, 's>,
    maximal: bool,
) -> Out<Branching> {
    let graph = Graph::part(space, None, Part::Quotient(representatives), !maximal)?;
    let within = representatives.within().clone();
    let mut judge = CtlJudge::new(&graph, within.clone(), deadlocks(space, &within, maximal)?.0)?;
    let judged = judge.judge(formula, &mut Vec::new())?.lifted(representatives)?;
    let bad = space.pick(&space.initial.minus(&judged.holds)?);
    let truth = bad.is_none();
    let state = bad.or_else(|| space.pick(&space.initial)).expect("there is an initial state");
    // Runs are shown among the states themselves.
    let all = representatives.orbits(&within)?;
    let (ends, repeats) = deadlocks(space, &all, maximal)?;
    let plain = Graph::plain(space, None, repeats);
    let fair = representatives.orbits(&judge.fair)?;
    let shown = CtlJudge { graph: &plain, demands: Demands::of(&plain), ends, within: all, fair, parts: 0 };
    let tree = tree::build(&shown, &judged, &state, truth)?;
    Ok(Branching::Judged(truth, state, tree))
}

/// StepFilter some states, the deadlocks in which paths end, and those that repeat for ever.
fn deadlocks(space: &Space<'_>, states: &Set, maximal: bool) -> Out<(Set, Set)> {
    let dead = space.dead(states)?;
    Ok(if maximal { (dead, space.store.none()) } else { (space.store.none(), dead) })
}

impl Judged<'_> {
    /// The same about the orbits of representatives.
    fn lifted(self, representatives: &Representatives<'_, '_>) -> Out<Self> {
        let holds = representatives.orbits(&self.holds)?;
        let parts = self.parts.into_iter().map(|part| part.lifted(representatives)).collect::<Out<_>>()?;
        Ok(Self { holds, parts, ..self })
    }
}

impl<'j, 'g, 's> CtlJudge<'j, 'g, 's> {
    pub fn new(graph: &'j Graph<'g, 's>, within: Set, ends: Set) -> Out<Self> {
        let demands = Demands::of(graph);
        let mut judge = Self { graph, demands, fair: within.clone(), within, ends, parts: 0 };
        judge.fair = judge.always(&judge.within)?;
        Ok(judge)
    }

    /// Where some path that goes on as it must stays among some states.
    pub fn always(&self, filter: &Set) -> Out<Set> {
        let feasible = self.demands.feasible(self.graph, filter)?;
        self.graph.backward(filter, &feasible.or(&self.ends.and(filter)?)?)
    }

    fn next(&self, set: &Set) -> Out<Set> {
        self.graph.preimage(Via::Any, &set.and(&self.fair)?)?.and(&self.within)
    }

    fn exists_until(&self, left: &Set, right: &Set) -> Out<Set> {
        self.graph.backward(left, &right.and(&self.fair)?)
    }

    fn all_until(&self, left: &Set, right: &Set) -> Out<Set> {
        // Not: some path on which `right` fails up to where both do, or for ever.
        let not_right = self.within.minus(right)?;
        let neither = not_right.minus(left)?;
        let ends = self.exists_until(&not_right, &neither)?;
        self.within.minus(&ends.or(&self.always(&not_right)?)?)
    }

    fn until(&self, path: Path, left: &Set, right: &Set) -> Out<Set> {
        match path {
            Path::Some => self.exists_until(left, right),
            Path::All => self.all_until(left, right),
        }
    }

    pub fn judge(&mut self, formula: &'s Formula, bound: &mut Bound<'s>) -> Out<Judged<'s>> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(Stop::too_large(format!("its quantifiers expand to more than {MOST_PARTS} parts")));
        }
        self.graph.space.store.settle();
        let parts = self.inner(formula, bound)?;
        let set = |i: usize| &parts[i].holds;
        let within = &self.within;
        let store = &self.graph.space.store;
        let holds = match formula {
            Formula::Atom(condition, _) => self.graph.space.condition(condition, bound)?.0.and(within)?,
            Formula::Not(_) => within.minus(set(0))?,
            Formula::And(_) => set(0).and(set(1))?,
            Formula::Or(_) => set(0).or(set(1))?,
            Formula::Implies(_) => within.minus(set(0))?.or(set(1))?,
            Formula::Iff(_) => set(0).iff(set(1))?.and(within)?,
            Formula::Forall(..) => parts.iter().try_fold(within.clone(), |all, part| all.and(&part.holds))?,
            Formula::Exists(..) => store.union(parts.iter().map(|part| part.holds.clone()).collect())?,
            Formula::Temporal(path, operator) => {
                let sets: Vec<&Set> = parts.iter().map(|part| &part.holds).collect();
                self.temporal(path.unwrap_or(Path::All), operator, &sets)?
            }
        };
        Ok(Judged { formula, holds, parts })
    }

    fn inner(&mut self, formula: &'s Formula, bound: &mut Bound<'s>) -> Out<Vec<Judged<'s>>> {
        let (Formula::Forall(binder, body) | Formula::Exists(binder, body)) = formula else {
            return formula.children().iter().map(|side| self.judge(side, bound)).collect();
        };
        let mut parts = Vec::new();
        for number in values(self.graph.space.system(), binder)? {
            bound.push((binder, number));
            parts.push(self.judge(body, bound)?);
            bound.pop();
        }
        Ok(parts)
    }

    /// Everything in terms of `EX`, `E[· U ·]` and `A[· U ·]`.
    fn temporal(&self, path: Path, operator: &Temporal, sets: &[&Set]) -> Out<Set> {
        let all = &self.within;
        let not = |set: &Set| all.minus(set);
        let (f, g) = (sets[0], *sets.last().expect("there is one"));
        match operator {
            Temporal::Next(_) if path == Path::Some => self.next(f),
            Temporal::Next(_) => not(&self.next(&not(f)?)?),
            Temporal::Finally(_) => self.until(path, all, f),
            Temporal::Globally(_) => not(&self.until(dual(path), all, &not(f)?)?),
            Temporal::Until(_) => self.until(path, f, g),
            Temporal::Release(_) => not(&self.until(dual(path), &not(f)?, &not(g)?)?),
            Temporal::WeakUntil(_) => {
                let neither = not(f)?.minus(g)?;
                not(&self.until(dual(path), &not(g)?, &neither)?)
            }
            Temporal::StrongRelease(_) => self.until(path, g, &f.and(g)?),
        }
    }
}

fn dual(path: Path) -> Path {
    match path {
        Path::All => Path::Some,
        Path::Some => Path::All,
    }
}
