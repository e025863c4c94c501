//! Replay of trees: whether a tree of runs shows that a branching-time formula is true, or false, in a state.
//!
//! Entry points: [`replay_tree`] for a tree that starts in an initial state, [`replay_subtree`] for any
//! state, and [`explain_tree`] to know what each part of the tree shows. The tree is walked along the
//! formula. Each part of it is judged once, for both truth values, so that nothing has to be guessed: a part
//! that shows that its formula is true does not show that it is false.
//!
//! A run shows `E…`, or against `A…` the dual operator with its operands negated: against `AF f` that
//! `f` is false for ever, against `A[f U g]` that `g` is false up to and including a state in which
//! `f` is false too, or for ever. What must be true or false at which position is in [`Pattern`]. Nothing
//! here knows how the tree was found.

use crate::evidence::{End, Evidence};
use crate::lasso::check_fairness;
use crate::naive;
use crate::reason::{Place, Reason, Why};
use crate::replay::{Mismatch, check_shape, check_steps, is_dead, is_initial, is_stuck};
use crate::tree::Tree;
use burnside_ts::{AnyMachine, Binder, Domain, Expr, Formula, Path, System, Temporal, Units};

/// What paths are, and how much to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// Whether the path quantifiers are about fair runs only.
    pub fair: bool,
    /// Whether paths end in a deadlock, instead of staying there for ever.
    pub maximal: bool,
    /// [`Tree::Everywhere`] and [`Tree::Omitted`] show nothing by themselves. Look at up to so many states,
    /// for each of them, to see whether it is true: not if fairness counts.
    pub explore: usize,
}

/// What a tree has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether it shows everything. If not, some parts are said to be so everywhere, or left out, and that
    /// was not checked.
    pub complete: bool,
}

/// Checks that the state is initial and that the tree shows that the formula has this truth value there.
pub fn replay_tree<'s>(
    system: &'s System,
    formula: &'s Formula,
    truth: bool,
    state: &[u64],
    tree: &Tree,
    options: TreeOptions,
) -> Result<Shown, Mismatch> {
    match is_initial(&mut *system.machine(), state) {
        true => replay_subtree(system, formula, truth, state, tree, options),
        false => Err(Mismatch::NotInitial),
    }
}

/// Checks that the tree shows that the formula has this truth value in the state.
pub fn replay_subtree<'s>(
    system: &'s System,
    formula: &'s Formula,
    truth: bool,
    state: &[u64],
    tree: &Tree,
    options: TreeOptions,
) -> Result<Shown, Mismatch> {
    let reason = explain_tree(system, formula, truth, state, tree, options)?;
    Ok(Shown { complete: reason.complete })
}

/// Does the same, and tells what each part of the tree shows.
pub fn explain_tree<'s, 't>(
    system: &'s System,
    formula: &'s Formula,
    truth: bool,
    state: &[u64],
    tree: &'t Tree,
    options: TreeOptions,
) -> Result<Reason<'s, 't>, Mismatch> {
    if state.len() != system.words() {
        return Err(Mismatch::Malformed);
    }
    let fairness_counts = options.fair && !Units::new(system).is_empty();
    let mut judge = Judge { machine: system.machine(), options, fairness_counts, bound: Vec::new() };
    let [no, yes] = judge.judge(formula, state, tree);
    if truth { yes } else { no }
}

/// Why a tree shows that its formula is false, and why it shows that it is true. It can show only one of
/// them.
type Judged<'s, 't> = [Part<'s, 't>; 2];
type Part<'s, 't> = Result<Reason<'s, 't>, Mismatch>;
/// What a run shows of its states.
type Places<'s, 't> = Vec<Place<'s, 't>>;

/// The trees that hang at one position of a run, or at all of them.
type Marks<'t> = &'t [(usize, Tree)];

/// What a run must show of its states.
#[derive(Clone, Copy)]
enum Pattern<'s> {
    /// This in the second state.
    Next(&'s Formula),
    /// This in all states.
    Always(&'s Formula),
    /// The left (or nothing) until the right.
    Until { left: Option<&'s Formula>, right: &'s Formula, weak: bool },
    /// The right until and including a state with the left.
    Release { left: &'s Formula, right: &'s Formula, weak: bool },
}

impl<'s> Pattern<'s> {
    /// For `E…` with true operands; for `A…` the dual, with false operands.
    fn new(path: Path, operator: &'s Temporal) -> Self {
        let until = |[left, right]: &'s [Formula; 2], weak| Pattern::Until { left: Some(left), right, weak };
        let release = |[left, right]: &'s [Formula; 2], weak| Pattern::Release { left, right, weak };
        match (path, operator) {
            (_, Temporal::Next(body)) => Pattern::Next(body),
            (Path::Some, Temporal::Finally(body)) | (Path::All, Temporal::Globally(body)) => {
                Pattern::Until { left: None, right: body, weak: false }
            }
            (Path::Some, Temporal::Globally(body)) | (Path::All, Temporal::Finally(body)) => {
                Pattern::Always(body)
            }
            (Path::Some, Temporal::Until(sides)) | (Path::All, Temporal::Release(sides)) => {
                until(sides, false)
            }
            (Path::Some, Temporal::WeakUntil(sides)) | (Path::All, Temporal::StrongRelease(sides)) => {
                until(sides, true)
            }
            (Path::Some, Temporal::Release(sides)) | (Path::All, Temporal::Until(sides)) => {
                release(sides, true)
            }
            (Path::Some, Temporal::StrongRelease(sides)) | (Path::All, Temporal::WeakUntil(sides)) => {
                release(sides, false)
            }
        }
    }
}

/// A run that is known to be one, with what hangs on it.
#[derive(Clone, Copy)]
struct Run<'t> {
    evidence: &'t Evidence,
    marks: Marks<'t>,
    /// Whether it is a whole path, and not only the beginning of one.
    whole: bool,
    /// The truth value of the operands that matters.
    truth: bool,
}

impl<'t> Run<'t> {
    fn marks_at(&self, position: usize) -> Marks<'t> {
        let start = self.marks.partition_point(|mark| mark.0 < position);
        let end = self.marks.partition_point(|mark| mark.0 <= position);
        &self.marks[start..end]
    }

    /// The position of the last mark: what the run leads to is not before it.
    fn last_mark(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.0)
    }

    fn positions(&self) -> std::ops::Range<usize> {
        0..self.evidence.states.len()
    }
}

struct Judge<'s> {
    machine: AnyMachine<'s>,
    options: TreeOptions,
    fairness_counts: bool,
    bound: Vec<(&'s Binder, u64)>,
}

impl<'s> Judge<'s> {
    fn judge<'t>(&mut self, formula: &'s Formula, state: &[u64], tree: &'t Tree) -> Judged<'s, 't> {
        let because = |truth: bool, why: Result<(Why<'s, 't>, bool), Mismatch>| {
            let part = why.map(|(why, complete)| Reason { formula, truth, complete, why });
            only(truth, part)
        };
        match (formula, tree) {
            (Formula::Not(inner), _) => {
                let [no, yes] = self.judge(inner, state, tree);
                [yes, no]
            }
            (Formula::Atom(condition, _), Tree::Condition) => match self.condition(condition, state) {
                Some(value) => because(value, Ok((Why::Condition, true))),
                None => [Err(Mismatch::WrongValue), Err(Mismatch::WrongValue)],
            },
            (Formula::And(sides), _) => self.connective(formula, sides, state, tree, |a, b| a && b),
            (Formula::Or(sides), _) => self.connective(formula, sides, state, tree, |a, b| a || b),
            (Formula::Implies(sides), _) => self.connective(formula, sides, state, tree, |a, b| !a || b),
            (Formula::Iff(sides), _) => self.connective(formula, sides, state, tree, |a, b| a == b),
            (Formula::Forall(binder, body), Tree::Value(number, tree)) => {
                because(false, self.value(binder, *number, body, state, tree, false))
            }
            (Formula::Exists(binder, body), Tree::Value(number, tree)) => {
                because(true, self.value(binder, *number, body, state, tree, true))
            }
            (Formula::Forall(..), Tree::Everywhere) => because(true, self.everywhere(formula, state, true)),
            (Formula::Exists(..), Tree::Everywhere) => because(false, self.everywhere(formula, state, false)),
            (Formula::Temporal(Some(path), operator), Tree::Run(evidence, marks)) => {
                let places = self.run(*path, operator, state, evidence, marks);
                let why = places.map(|places| {
                    let complete = places.iter().all(|place| place.reason.complete);
                    (Why::Run(evidence, places), complete)
                });
                because(*path == Path::Some, why.map_err(|why| within(formula, why)))
            }
            (Formula::Temporal(Some(path), _), Tree::Everywhere) => {
                let truth = *path == Path::All;
                because(truth, self.everywhere(formula, state, truth).map_err(|why| within(formula, why)))
            }
            (Formula::Temporal(Some(path), _), Tree::Omitted) => {
                let truth = *path == Path::Some;
                let why = self.everywhere(formula, state, truth).map_err(|_| Mismatch::NotShown);
                let why = why.map(|(_, complete)| (Why::Omitted, complete));
                because(truth, why.map_err(|why| within(formula, why)))
            }
            _ => [Err(Mismatch::WrongShape), Err(Mismatch::WrongShape)],
        }
    }

    /// The value, if it has one.
    fn condition(&mut self, condition: &'s Expr, state: &[u64]) -> Option<bool> {
        // Evaluations of other conditions may have used the places of the bound variables.
        for &(binder, value) in &self.bound {
            self.machine.bind(binder, value);
        }
        self.machine.holds(condition, state).ok()
    }

    fn connective<'t>(
        &mut self,
        formula: &'s Formula,
        sides: &'s [Formula; 2],
        state: &[u64],
        tree: &'t Tree,
        join: fn(bool, bool) -> bool,
    ) -> Judged<'s, 't> {
        // What each side shows, if it is looked at: of each truth value, or of none.
        let judged = match tree {
            Tree::Both(trees) => [0, 1].map(|i| Some(self.judge(&sides[i], state, &trees[i]))),
            Tree::Side(0, tree) => [Some(self.judge(&sides[0], state, tree)), None],
            Tree::Side(1, tree) => [None, Some(self.judge(&sides[1], state, tree))],
            _ => return [Err(Mismatch::WrongShape), Err(Mismatch::WrongShape)],
        };
        // A side that is not looked at may be true or false.
        let possible = judged.each_ref().map(|side| {
            let shown = |truth: bool| side.as_ref().is_none_or(|side| side[usize::from(truth)].is_ok());
            [false, true].into_iter().filter(|&truth| shown(truth)).collect::<Vec<_>>()
        });
        let mut values = possible[0].iter().flat_map(|&a| possible[1].iter().map(move |&b| join(a, b)));
        let truth = match values.next() {
            Some(first) if values.all(|value| value == first) => first,
            Some(_) => return [Err(Mismatch::WrongShape), Err(Mismatch::WrongShape)],
            None => {
                let why = judged.into_iter().flatten().find_map(neither).unwrap_or(Mismatch::WrongShape);
                return [Err(why.clone()), Err(why)];
            }
        };
        let shown = judged.into_iter().enumerate().filter_map(|(i, side)| {
            let [no, yes] = side?;
            no.or(yes).ok().map(|reason| (i, reason))
        });
        let shown: Vec<_> = shown.collect();
        let complete = shown.iter().all(|(_, reason)| reason.complete);
        only(truth, Ok(Reason { formula, truth, complete, why: Why::Sides(shown) }))
    }

    fn value<'t>(
        &mut self,
        binder: &'s Binder,
        number: u64,
        body: &'s Formula,
        state: &[u64],
        tree: &'t Tree,
        truth: bool,
    ) -> Result<(Why<'s, 't>, bool), Mismatch> {
        let size = match binder.domain {
            Domain::Type => self.machine.system().types.size(binder.ty),
            Domain::Collection(_) => None,
        };
        if size.is_none_or(|size| number >= size) {
            return Err(Mismatch::NoSuchValue(number));
        }
        self.bound.push((binder, number));
        let [no, yes] = self.judge(body, state, tree);
        self.bound.pop();
        let reason = if truth { yes } else { no }?;
        let complete = reason.complete;
        Ok((Why::Value(binder, number, Box::new(reason)), complete))
    }

    /// What cannot be shown by a tree can be seen by looking at all states, if they are few.
    fn everywhere<'t>(
        &self,
        formula: &'s Formula,
        state: &[u64],
        truth: bool,
    ) -> Result<(Why<'s, 't>, bool), Mismatch> {
        if self.fairness_counts || self.options.explore == 0 {
            return Ok((Why::Everywhere, false));
        }
        let system = self.machine.system();
        let limit = self.options.explore;
        match naive::holds(system, formula, &self.bound, state, self.options.maximal, limit) {
            Some(value) if value == truth => Ok((Why::Everywhere, true)),
            Some(_) => Err(Mismatch::NotEverywhere),
            None => Ok((Why::Everywhere, false)),
        }
    }

    fn run<'t>(
        &mut self,
        path: Path,
        operator: &'s Temporal,
        state: &[u64],
        evidence: &'t Evidence,
        marks: Marks<'t>,
    ) -> Result<Places<'s, 't>, Mismatch> {
        check_shape(self.machine.system(), evidence)?;
        let Some(first) = evidence.states.first() else { return Err(Mismatch::Malformed) };
        if **first != *state {
            return Err(Mismatch::WrongStart);
        }
        check_steps(&mut *self.machine, evidence)?;
        let in_order = marks.is_sorted_by_key(|mark| mark.0);
        if !in_order || marks.last().is_some_and(|mark| mark.0 >= evidence.states.len()) {
            return Err(Mismatch::Malformed);
        }
        let run = Run { evidence, marks, whole: self.is_whole(evidence)?, truth: path == Path::Some };
        match Pattern::new(path, operator) {
            Pattern::Next(body) => self.next(run, body),
            Pattern::Always(body) => self.always(run, body),
            Pattern::Until { left, right, weak } => self.until(run, left, right, weak),
            Pattern::Release { left, right, weak } => self.release(run, left, right, weak),
        }
    }

    /// Whether the run is a whole path. If fairness counts it must be one, and fair: the beginning of a path
    /// may have no fair end.
    fn is_whole(&mut self, evidence: &Evidence) -> Result<bool, Mismatch> {
        let mut ends_dead = || evidence.states.last().is_some_and(|last| is_dead(&mut *self.machine, last));
        match evidence.end {
            End::Loop(_) => {
                check_fairness(self.machine.system(), evidence, self.fairness_counts)?;
                Ok(true)
            }
            End::Stutter if self.options.maximal => Err(Mismatch::Stays),
            End::Stutter => {
                if ends_dead() {
                    Ok(true)
                } else {
                    Err(Mismatch::NotDead)
                }
            }
            End::State => match self.options.maximal && ends_dead() {
                false if self.fairness_counts => Err(Mismatch::NotWhole),
                // The beginning of a path: it must be possible to go on, one step at least.
                false if evidence.states.last().is_some_and(|last| is_stuck(&mut *self.machine, last)) => {
                    Err(Mismatch::Stuck)
                }
                whole => Ok(whole),
            },
            End::Fault(..) | End::Undefined(_) => Err(Mismatch::Malformed),
        }
    }

    fn next<'t>(&mut self, run: Run<'t>, body: &'s Formula) -> Result<Places<'s, 't>, Mismatch> {
        let second = if run.evidence.states.len() > 1 { Some(1) } else { run.evidence.loop_start() };
        let Some(second) = second else { return Err(Mismatch::NotShown) };
        if let Some(mark) = run.marks.iter().find(|mark| mark.0 != second) {
            return Err(Mismatch::Overmarked(mark.0));
        }
        let mark = at_most_one(run, second)?;
        Ok(vec![self.place(run, second, 0, body, mark)?])
    }

    fn always<'t>(&mut self, run: Run<'t>, body: &'s Formula) -> Result<Places<'s, 't>, Mismatch> {
        let mut places = Vec::new();
        for position in run.positions() {
            let mark = at_most_one(run, position)?;
            places.push(self.place(run, position, 0, body, mark)?);
        }
        if run.whole { Ok(places) } else { Err(Mismatch::NotWhole) }
    }

    fn until<'t>(
        &mut self,
        run: Run<'t>,
        left: Option<&'s Formula>,
        right: &'s Formula,
        weak: bool,
    ) -> Result<Places<'s, 't>, Mismatch> {
        // A mark at the last position may be about either side. On a whole path the left one may be all there
        // is to show.
        if let Some(left) = left.filter(|_| weak && run.whole)
            && let Ok(places) = self.always(run, left)
        {
            return Ok(places);
        }
        let mut places = Vec::new();
        let mut reason = Mismatch::NotShown;
        for position in run.positions() {
            let mark = at_most_one(run, position)?;
            if position >= run.last_mark() {
                match self.place(run, position, usize::from(left.is_some()), right, mark) {
                    Ok(last) => {
                        places.push(last);
                        return Ok(places);
                    }
                    Err(why) => reason = why,
                }
            }
            match (left, mark) {
                (None, None) => {}
                (None, Some(_)) if position == run.last_mark() => return Err(reason),
                (None, Some(_)) => return Err(Mismatch::Overmarked(position)),
                (Some(left), _) => match self.place(run, position, 0, left, mark) {
                    Ok(place) => places.push(place),
                    Err(_) if mark.is_some() && position == run.last_mark() => return Err(reason),
                    Err(why) => return Err(why),
                },
            }
        }
        at_the_end(run, weak, places, reason)
    }

    fn release<'t>(
        &mut self,
        run: Run<'t>,
        left: &'s Formula,
        right: &'s Formula,
        weak: bool,
    ) -> Result<Places<'s, 't>, Mismatch> {
        let mut places = Vec::new();
        let mut reason = Mismatch::NotShown;
        for position in run.positions() {
            let marks = run.marks_at(position);
            if position >= run.last_mark() {
                match self.released(run, position, left, right, marks) {
                    Ok(last) => {
                        places.extend(last);
                        return Ok(places);
                    }
                    Err(why) => reason = why,
                }
            }
            if position == run.last_mark() && marks.len() > 1 {
                return Err(reason);
            }
            let mark = at_most_one(run, position)?;
            places.push(self.place(run, position, 1, right, mark)?);
        }
        at_the_end(run, weak, places, reason)
    }

    /// Both sides at one position.
    fn released<'t>(
        &mut self,
        run: Run<'t>,
        position: usize,
        left: &'s Formula,
        right: &'s Formula,
        marks: Marks<'t>,
    ) -> Result<[Place<'s, 't>; 2], Mismatch> {
        let (for_left, for_right) = match marks {
            [] => (None, None),
            [one] if is_plain(right) && !is_plain(left) => (Some(&one.1), None),
            [one] => (None, Some(&one.1)),
            [one, other] => (Some(&one.1), Some(&other.1)),
            _ => return Err(Mismatch::Overmarked(position)),
        };
        let left = self.place(run, position, 0, left, for_left)?;
        let right = self.place(run, position, 1, right, for_right)?;
        Ok([left, right])
    }

    /// An operand at a position, with the tree that shows it there. A condition needs none.
    fn place<'t>(
        &mut self,
        run: Run<'t>,
        position: usize,
        operand: usize,
        formula: &'s Formula,
        mark: Option<&'t Tree>,
    ) -> Result<Place<'s, 't>, Mismatch> {
        let tree = match mark {
            Some(tree) => tree,
            None if is_plain(formula) => &Tree::Condition,
            None => return Err(Mismatch::Unmarked(position)),
        };
        let [no, yes] = self.judge(formula, &run.evidence.states[position], tree);
        let reason = if run.truth { yes } else { no }?;
        Ok(Place { position, operand, reason })
    }
}

/// A part that can show only one of the truth values.
fn only<'s, 't>(truth: bool, part: Part<'s, 't>) -> Judged<'s, 't> {
    let other = match part {
        Ok(Reason { why: Why::Condition, .. }) => Mismatch::WrongValue,
        _ => Mismatch::WrongShape,
    };
    if truth { [Err(other), part] } else { [part, Err(other)] }
}

/// What is wrong with a part that shows nothing: rather something inside than that it does not fit.
fn neither(judged: Judged<'_, '_>) -> Option<Mismatch> {
    let [Err(no), Err(yes)] = judged else { return None };
    Some(if no == Mismatch::WrongShape { yes } else { no })
}

fn at_most_one<'t>(run: Run<'t>, position: usize) -> Result<Option<&'t Tree>, Mismatch> {
    match run.marks_at(position) {
        [] => Ok(None),
        [one] => Ok(Some(&one.1)),
        _ => Err(Mismatch::Overmarked(position)),
    }
}

/// A run on which what is waited for has not come.
fn at_the_end<T>(run: Run<'_>, weak: bool, places: T, reason: Mismatch) -> Result<T, Mismatch> {
    match (weak, run.whole) {
        (true, true) => Ok(places),
        (true, false) => Err(Mismatch::NotWhole),
        (false, _) => Err(reason),
    }
}

/// Whether a state alone tells the truth value.
fn is_plain(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(..) => true,
        Formula::Not(inner) => is_plain(inner),
        _ => false,
    }
}

/// Says in which part of the formula something is wrong: in the innermost one with an operator over time.
fn within(formula: &Formula, why: Mismatch) -> Mismatch {
    match why {
        Mismatch::Within(..) => why,
        why => Mismatch::Within(formula.show(&|_| "…".into()), Box::new(why)),
    }
}
