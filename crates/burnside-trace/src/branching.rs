//! Replay of trees: whether a tree of runs shows that a branching-time formula is true, or false, in a state.
//!
//! Entry points: [`replay_tree`] for a tree that starts in an initial state, [`replay_subtree`] for any state. The tree is walked along
//! the formula. Each part of it is judged once, for both truth values, so that nothing has to be guessed: a part that shows that
//! its formula is true does not show that it is false.
//!
//! A run shows `E…`, or against `A…` the dual operator with its operands negated: against `AF f` that `f` is false for ever, against
//! `A[f U g]` that `g` is false up to and including a state in which `f` is false too, or for ever. What must be true or false at
//! which position is in [`Pattern`]. Nothing here knows how the tree was found.

use crate::evidence::{End, Evidence};
use crate::lasso::check_fairness;
use crate::naive;
use crate::replay::{Mismatch, check_shape, check_steps, is_dead, is_initial};
use crate::tree::Tree;
use burnside_ts::{Binder, Domain, Expr, Formula, Machine, Path, System, Temporal, Units};

/// What paths are, and how much to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions {
    /// Whether the path quantifiers are about fair runs only.
    pub fair: bool,
    /// Whether paths end in a deadlock, instead of staying there for ever.
    pub maximal: bool,
    /// [`Tree::Everywhere`] shows nothing by itself. Look at up to so many states, for each of them, to see whether it is true: not if fairness counts.
    pub explore: usize,
}

/// What a tree has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Whether it shows everything. If not, some parts are said to be so everywhere, and that was not checked.
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
    match is_initial(&mut Machine::new(system), state) {
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
    if state.len() != system.words() {
        return Err(Mismatch::Malformed);
    }
    let fairness_counts = options.fair && !Units::new(system).is_empty();
    let mut judge = Judge { machine: Machine::new(system), options, fairness_counts, bound: Vec::new() };
    let [no, yes] = judge.judge(formula, state, tree);
    let complete = if truth { yes } else { no }?;
    Ok(Shown { complete })
}

/// Whether a tree shows that its formula is false, and whether it shows that it is true; each time also whether completely.
type Judged = [Part; 2];
type Part = Result<bool, Mismatch>;

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
    machine: Machine<'s>,
    options: TreeOptions,
    fairness_counts: bool,
    bound: Vec<(&'s Binder, u64)>,
}

impl<'s> Judge<'s> {
    fn judge(&mut self, formula: &'s Formula, state: &[u64], tree: &Tree) -> Judged {
        match (formula, tree) {
            (Formula::Not(inner), _) => {
                let [no, yes] = self.judge(inner, state, tree);
                [yes, no]
            }
            (Formula::Atom(condition, _), Tree::Condition) => self.condition(condition, state),
            (Formula::And(sides), _) => self.connective(sides, state, tree, |a, b| a && b),
            (Formula::Or(sides), _) => self.connective(sides, state, tree, |a, b| a || b),
            (Formula::Implies(sides), _) => self.connective(sides, state, tree, |a, b| !a || b),
            (Formula::Iff(sides), _) => self.connective(sides, state, tree, |a, b| a == b),
            (Formula::Forall(binder, body), Tree::Value(number, tree)) => {
                only(false, self.value(binder, *number, body, state, tree, false))
            }
            (Formula::Exists(binder, body), Tree::Value(number, tree)) => {
                only(true, self.value(binder, *number, body, state, tree, true))
            }
            (Formula::Forall(..), Tree::Everywhere) => only(true, self.everywhere(formula, state, true)),
            (Formula::Exists(..), Tree::Everywhere) => only(false, self.everywhere(formula, state, false)),
            (Formula::Temporal(Some(path), operator), Tree::Run(evidence, marks)) => {
                let shown = self.run(*path, operator, state, evidence, marks);
                only(*path == Path::Some, shown.map_err(|why| within(formula, why)))
            }
            (Formula::Temporal(Some(path), _), Tree::Everywhere) => {
                let truth = *path == Path::All;
                only(truth, self.everywhere(formula, state, truth).map_err(|why| within(formula, why)))
            }
            _ => [Err(Mismatch::WrongShape), Err(Mismatch::WrongShape)],
        }
    }

    fn condition(&mut self, condition: &'s Expr, state: &[u64]) -> Judged {
        // Evaluations of other conditions may have used the places of the bound variables.
        for &(binder, value) in &self.bound {
            self.machine.bind(binder, value);
        }
        match self.machine.holds(condition, state) {
            Ok(value) => {
                [false, true].map(|truth| (value == truth).then_some(true).ok_or(Mismatch::WrongValue))
            }
            Err(_) => [Err(Mismatch::WrongValue), Err(Mismatch::WrongValue)],
        }
    }

    fn connective(
        &mut self,
        sides: &'s [Formula; 2],
        state: &[u64],
        tree: &Tree,
        join: fn(bool, bool) -> bool,
    ) -> Judged {
        match tree {
            Tree::Both(trees) => {
                let left = self.judge(&sides[0], state, &trees[0]);
                let right = self.judge(&sides[1], state, &trees[1]);
                [false, true].map(|truth| both(&left, &right, |a, b| join(a, b) == truth))
            }
            Tree::Side(i @ (0 | 1), tree) => {
                let judged = self.judge(&sides[*i], state, tree);
                let suffices = |value: bool, truth: bool| {
                    [false, true]
                        .iter()
                        .all(|&other| truth == if *i == 0 { join(value, other) } else { join(other, value) })
                };
                [false, true].map(|truth| {
                    let value = [false, true].into_iter().find(|&value| suffices(value, truth));
                    value.map_or(Err(Mismatch::WrongShape), |value| judged[usize::from(value)].clone())
                })
            }
            _ => [Err(Mismatch::WrongShape), Err(Mismatch::WrongShape)],
        }
    }

    fn value(
        &mut self,
        binder: &'s Binder,
        number: u64,
        body: &'s Formula,
        state: &[u64],
        tree: &Tree,
        truth: bool,
    ) -> Part {
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
        if truth { yes } else { no }
    }

    /// What cannot be shown by a tree can be seen by looking at all states, if they are few.
    fn everywhere(&self, formula: &'s Formula, state: &[u64], truth: bool) -> Part {
        if self.fairness_counts || self.options.explore == 0 {
            return Ok(false);
        }
        let system = self.machine.system();
        let limit = self.options.explore;
        match naive::holds(system, formula, &self.bound, state, self.options.maximal, limit) {
            Some(value) if value == truth => Ok(true),
            Some(_) => Err(Mismatch::NotEverywhere),
            None => Ok(false),
        }
    }

    fn run(
        &mut self,
        path: Path,
        operator: &'s Temporal,
        state: &[u64],
        evidence: &Evidence,
        marks: Marks<'_>,
    ) -> Part {
        check_shape(self.machine.system(), evidence)?;
        let Some(first) = evidence.states.first() else { return Err(Mismatch::Malformed) };
        if **first != *state {
            return Err(Mismatch::WrongStart);
        }
        check_steps(&mut self.machine, evidence)?;
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

    /// Whether the run is a whole path. If fairness counts it must be one, and fair: the beginning of a path may have no fair end.
    fn is_whole(&mut self, evidence: &Evidence) -> Part {
        let mut ends_dead = || evidence.states.last().is_some_and(|last| is_dead(&mut self.machine, last));
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
                whole => Ok(whole),
            },
            End::Fault(..) | End::Undefined(_) => Err(Mismatch::Malformed),
        }
    }

    fn next(&mut self, run: Run<'_>, body: &'s Formula) -> Part {
        let second = if run.evidence.states.len() > 1 { Some(1) } else { run.evidence.loop_start() };
        let Some(second) = second else { return Err(Mismatch::NotShown) };
        if let Some(mark) = run.marks.iter().find(|mark| mark.0 != second) {
            return Err(Mismatch::Overmarked(mark.0));
        }
        let mark = at_most_one(run, second)?;
        self.part(run, second, body, mark)
    }

    fn always(&mut self, run: Run<'_>, body: &'s Formula) -> Part {
        let mut complete = true;
        for position in run.positions() {
            let mark = at_most_one(run, position)?;
            complete &= self.part(run, position, body, mark)?;
        }
        if run.whole { Ok(complete) } else { Err(Mismatch::NotWhole) }
    }

    fn until(&mut self, run: Run<'_>, left: Option<&'s Formula>, right: &'s Formula, weak: bool) -> Part {
        let mut complete = true;
        let mut reason = Mismatch::NotShown;
        for position in run.positions() {
            let mark = at_most_one(run, position)?;
            if position >= run.last_mark() {
                match self.part(run, position, right, mark) {
                    Ok(also) => return Ok(complete && also),
                    Err(why) => reason = why,
                }
            }
            match (left, mark) {
                (None, None) => {}
                (None, Some(_)) if position == run.last_mark() => return Err(reason),
                (None, Some(_)) => return Err(Mismatch::Overmarked(position)),
                (Some(left), _) => match self.part(run, position, left, mark) {
                    Ok(also) => complete &= also,
                    Err(_) if mark.is_some() && position == run.last_mark() => return Err(reason),
                    Err(why) => return Err(why),
                },
            }
        }
        at_the_end(run, weak, complete, reason)
    }

    fn release(&mut self, run: Run<'_>, left: &'s Formula, right: &'s Formula, weak: bool) -> Part {
        let mut complete = true;
        let mut reason = Mismatch::NotShown;
        for position in run.positions() {
            let marks = run.marks_at(position);
            if position >= run.last_mark() {
                match self.released(run, position, left, right, marks) {
                    Ok(also) => return Ok(complete && also),
                    Err(why) => reason = why,
                }
            }
            if position == run.last_mark() && marks.len() > 1 {
                return Err(reason);
            }
            let mark = at_most_one(run, position)?;
            complete &= self.part(run, position, right, mark)?;
        }
        at_the_end(run, weak, complete, reason)
    }

    /// Both sides at one position.
    fn released(
        &mut self,
        run: Run<'_>,
        position: usize,
        left: &'s Formula,
        right: &'s Formula,
        marks: Marks<'_>,
    ) -> Part {
        let (for_left, for_right) = match marks {
            [] => (None, None),
            [one] if is_plain(right) && !is_plain(left) => (Some(&one.1), None),
            [one] => (None, Some(&one.1)),
            [one, other] => (Some(&one.1), Some(&other.1)),
            _ => return Err(Mismatch::Overmarked(position)),
        };
        let left = self.part(run, position, left, for_left)?;
        let right = self.part(run, position, right, for_right)?;
        Ok(left && right)
    }

    /// An operand at a position, with the tree that shows it there. A condition needs none.
    fn part(&mut self, run: Run<'_>, position: usize, operand: &'s Formula, mark: Option<&Tree>) -> Part {
        let tree = match mark {
            Some(tree) => tree,
            None if is_plain(operand) => &Tree::Condition,
            None => return Err(Mismatch::Unmarked(position)),
        };
        let [no, yes] = self.judge(operand, &run.evidence.states[position], tree);
        if run.truth { yes } else { no }
    }
}

/// A part that can show only one of the truth values.
fn only(truth: bool, part: Part) -> Judged {
    if truth { [Err(Mismatch::WrongShape), part] } else { [part, Err(Mismatch::WrongShape)] }
}

/// Whether both sides show some truth values that are good together.
fn both(left: &Judged, right: &Judged, good: impl Fn(bool, bool) -> bool) -> Part {
    let pairs = [(false, false), (false, true), (true, false), (true, true)];
    let mut parts = pairs.into_iter().filter(|&(a, b)| good(a, b)).map(|(a, b)| {
        let (left, right) = (left[usize::from(a)].clone()?, right[usize::from(b)].clone()?);
        Ok(left && right)
    });
    let first = parts.next().unwrap_or(Err(Mismatch::WrongShape));
    if first.is_ok() { first } else { parts.find(Result::is_ok).unwrap_or(first) }
}

fn at_most_one(run: Run<'_>, position: usize) -> Result<Option<&Tree>, Mismatch> {
    match run.marks_at(position) {
        [] => Ok(None),
        [one] => Ok(Some(&one.1)),
        _ => Err(Mismatch::Overmarked(position)),
    }
}

/// A run on which what is waited for has not come.
fn at_the_end(run: Run<'_>, weak: bool, complete: bool, reason: Mismatch) -> Part {
    match (weak, run.whole) {
        (true, true) => Ok(complete),
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
