//! Why a formula is true or false in a node: a tree of original runs.
//!
//! Entry point: [`build`]. Follows the formula as it was written. A path operator that some path shows (`E…` true, `A…` false) is shown by a shortest path, or by a loop, and the
//! formulas inside are shown along it. Where fairness counts every path goes on into a fair loop. If there would be too many runs, deep ones are left out, and the tree says where.

use super::Judge;
use super::bitmap::Bitmap;
use super::level::Level;
use super::outline::Plan;
use crate::fair::{Component, Halted, Located, PairId, SpotId, Stem, Transition, attempt, moved_tuple};
use crate::ltl::onthefly;
use burnside_trace::{Evidence, Tree};
use burnside_ts::{Formula, Path, Temporal};
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// More runs are left out of a tree.
const MOST_RUNS: usize = 2_000;

/// Why the whole formula has a truth value in an initial spot.
pub(super) fn build(
    level: &mut Level<'_>,
    spot: SpotId,
    truth: bool,
    judge: &mut Judge<'_>,
) -> Result<Tree, Halted> {
    let plan = level.plan.clone();
    Show { judge, runs: MOST_RUNS }.formula(level, &plan, (spot, None), truth)
}

/// A spot with a motion from its names to concrete ones.
type Place = Located;

struct Show<'j, 'm> {
    judge: &'j mut Judge<'m>,
    /// How many runs may still be shown.
    runs: usize,
}

impl Show<'_, '_> {
    fn formula<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        at: Place,
        truth: bool,
    ) -> Result<Tree, Halted> {
        let side = |show: &mut Self, level: &mut Level<'s>, i: usize, truth| {
            show.formula(level, &plan.parts[i], at.clone(), truth)
        };
        let value = |show: &mut Self, level: &mut Level<'s>, i: usize| {
            level.holds(plan.parts[i].op, at.0.0, show.judge)
        };
        Ok(match plan.formula {
            Formula::Atom(..) => Tree::Condition,
            Formula::Not(_) => side(self, level, 0, !truth)?,
            Formula::And(_) | Formula::Or(_) => {
                let both = matches!(plan.formula, Formula::And(_)) == truth;
                if both {
                    Tree::Both(Box::new([side(self, level, 0, truth)?, side(self, level, 1, truth)?]))
                } else {
                    let which = usize::from(value(self, level, 0)? != truth);
                    Tree::Side(which, Box::new(side(self, level, which, truth)?))
                }
            }
            Formula::Implies(_) if !truth => {
                Tree::Both(Box::new([side(self, level, 0, true)?, side(self, level, 1, false)?]))
            }
            Formula::Implies(_) => {
                let which = usize::from(value(self, level, 0)?);
                Tree::Side(which, Box::new(side(self, level, which, which == 1)?))
            }
            Formula::Iff(_) => {
                let (a, b) = (value(self, level, 0)?, value(self, level, 1)?);
                Tree::Both(Box::new([side(self, level, 0, a)?, side(self, level, 1, b)?]))
            }
            Formula::Forall(..) | Formula::Exists(..) => self.quantifier(level, plan, at, truth)?,
            Formula::Temporal(path, operator) => {
                let exists = path.unwrap_or(Path::All) == Path::Some;
                if exists != truth {
                    return Ok(Tree::Everywhere);
                }
                let Some(left) = self.runs.checked_sub(1) else { return Ok(Tree::Omitted) };
                self.runs = left;
                self.run(level, plan, operator, at, truth)?
            }
        })
    }

    fn quantifier<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        at: Place,
        truth: bool,
    ) -> Result<Tree, Halted> {
        let exists = matches!(plan.formula, Formula::Exists(..));
        if exists != truth {
            return Ok(Tree::Everywhere);
        }
        let Some(sub) = plan.sub else {
            for (number, part) in plan.parts.iter().enumerate() {
                if level.holds(part.op, at.0.0, self.judge)? == truth {
                    return Ok(Tree::Value(number as u64, Box::new(self.formula(level, part, at, truth)?)));
                }
            }
            unreachable!("some value decides");
        };
        let (_, deeper) = &mut level.subs[sub];
        let inner = deeper.plan.clone();
        for (spot, motion) in deeper.product.indexed.extensions(&level.product.indexed, at.0)? {
            if deeper.holds(inner.op, spot.0, self.judge)? == truth {
                let motion = crate::fair::times(&at.1, &motion);
                let tuple = deeper.product.indexed.carried(spot).tuple;
                let tuple = deeper.product.indexed.moved_tuple(motion.as_deref(), &tuple);
                let number = *tuple.last().expect("the name is tracked");
                let tree = self.formula(deeper, &inner, (spot, motion), truth)?;
                return Ok(Tree::Value(number, Box::new(tree)));
            }
        }
        unreachable!("some value decides")
    }

    /// Shows that some path satisfies an operator (or, if the formulas inside are to be false, its dual).
    fn run<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        operator: &Temporal,
        at: Place,
        truth: bool,
    ) -> Result<Tree, Halted> {
        // What must hold before the end, what at the end, and what if there is no end. By part.
        let (along, ends, forever): (&[usize], &[usize], Option<&[usize]>) = match (operator, truth) {
            (Temporal::Next(_), _) => return self.next(level, plan, at, truth),
            (Temporal::Finally(_), true) | (Temporal::Globally(_), false) => (&[], &[0], None),
            (Temporal::Globally(_), true) | (Temporal::Finally(_), false) => (&[0], &[], Some(&[0])),
            (Temporal::Until(_), true) | (Temporal::Release(_), false) => (&[0], &[1], None),
            (Temporal::Release(_), true) | (Temporal::Until(_), false) => (&[1], &[0, 1], Some(&[1])),
            (Temporal::WeakUntil(_), true) | (Temporal::StrongRelease(_), false) => (&[0], &[1], Some(&[0])),
            (Temporal::StrongRelease(_), true) | (Temporal::WeakUntil(_), false) => (&[1], &[0, 1], None),
        };
        let start = at.clone();
        if !ends.is_empty()
            && let Some((evidence, length)) = self.path(level, plan, at, along, ends, truth)?
        {
            let mut wanted: Vec<(usize, usize)> =
                (0..length).flat_map(|position| along.iter().map(move |&part| (position, part))).collect();
            wanted.extend(ends.iter().map(|&part| (length, part)));
            return self.marks(level, plan, &start, evidence, wanted, truth);
        }
        let along = forever.expect("an operator without end is shown by a loop");
        let evidence = self.stay(level, plan, start.clone(), along, truth)?;
        let positions = 0..evidence.states.len();
        let wanted = positions.flat_map(|position| along.iter().map(move |&part| (position, part))).collect();
        self.marks(level, plan, &start, evidence, wanted, truth)
    }

    fn next<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        at: Place,
        truth: bool,
    ) -> Result<Tree, Halted> {
        let mut transitions = Vec::new();
        let pair = PairId(u64::from(at.0.0));
        level.product.expand(pair, &mut transitions)?;
        for transition in transitions {
            let target = transition.target.0 as u32;
            if level.holds(plan.parts[0].op, target, self.judge)? == truth && self.goes_on(level, target)? {
                let mut stem = Stem::at(pair, at.1.clone());
                let stutters = transition.successor == u32::MAX;
                stem.extend(&mut level.product, vec![(pair, transition)])?;
                let evidence = match stutters {
                    true => {
                        let mut evidence = stem.finish(&level.product);
                        evidence.end = burnside_trace::End::Stutter;
                        evidence
                    }
                    false => self.finish(level, stem)?,
                };
                // A deadlock is its own successor.
                let position = if stutters { 0 } else { 1 };
                return self.marks(level, plan, &at, evidence, vec![(position, 0)], truth);
            }
        }
        unreachable!("some step shows it")
    }

    /// Whether some path that counts goes on from a node.
    fn goes_on(&mut self, level: &mut Level<'_>, node: u32) -> Result<bool, Halted> {
        match &level.fair {
            Some(fair) => Ok(fair.get(node)),
            None if level.is_local(self.judge) => level.goes_on(node, self.judge),
            None => Ok(true),
        }
    }

    /// Whether parts have a value in a node.
    fn have<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        parts: &[usize],
        node: u32,
        truth: bool,
    ) -> Result<bool, Halted> {
        for &part in parts {
            if level.holds(plan.parts[part].op, node, self.judge)? != truth {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A shortest path to where the ends are true, along which others are. With its length: it may go on.
    fn path<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        at: Place,
        along: &[usize],
        ends: &[usize],
        truth: bool,
    ) -> Result<Option<(Evidence, usize)>, Halted> {
        let start = at.0.0;
        let found = self.breadth_first(
            level,
            start,
            |show, level, node| Ok(show.have(level, plan, ends, node, truth)? && show.goes_on(level, node)?),
            |show, level, node| show.have(level, plan, along, node, truth),
        )?;
        let Some(nodes) = found else { return Ok(None) };
        let stem = follow(level, Stem::at(pair(start), at.1), &nodes)?;
        Ok(Some((self.finish(level, stem)?, nodes.len() - 1)))
    }

    /// The nodes of a shortest path from a node to a goal, through nodes that let pass.
    fn breadth_first<'s>(
        &mut self,
        level: &mut Level<'s>,
        start: u32,
        mut goal: impl FnMut(&mut Self, &mut Level<'s>, u32) -> Result<bool, Halted>,
        mut passes: impl FnMut(&mut Self, &mut Level<'s>, u32) -> Result<bool, Halted>,
    ) -> Result<Option<Vec<u32>>, Halted> {
        let mut from: HashMap<u32, u32> = HashMap::from_iter([(start, start)]);
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            if goal(self, level, node)? {
                let mut nodes = vec![node];
                while let Some(&before) = from.get(nodes.last().expect("not empty")) {
                    if Some(&before) == nodes.last() {
                        break;
                    }
                    nodes.push(before);
                }
                nodes.reverse();
                return Ok(Some(nodes));
            }
            if !passes(self, level, node)? {
                continue;
            }
            level.graph.expand(&mut level.product, node)?;
            for &target in level.graph.targets(node) {
                if let Entry::Vacant(vacant) = from.entry(target) {
                    vacant.insert(node);
                    queue.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// Ends a run, in a fair loop if that is needed.
    fn finish<'s>(&mut self, level: &mut Level<'s>, stem: Stem) -> Result<Evidence, Halted> {
        match level.fair.clone() {
            None => Ok(stem.finish(&level.product)),
            Some(fair) => self.settle(level, stem, &fair),
        }
    }

    /// A run that stays for ever where parts are true.
    fn stay<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        at: Place,
        along: &[usize],
        truth: bool,
    ) -> Result<Evidence, Halted> {
        let stem = Stem::at(pair(at.0.0), at.1);
        if level.fair.is_none() {
            return self.wander(level, plan, stem, along, truth);
        }
        let nodes = level.nodes.expect("fairness is judged everywhere");
        let mut allowed = Bitmap::none(nodes);
        for node in 0..nodes as u32 {
            allowed.set(node, self.have(level, plan, along, node, truth)?);
        }
        self.settle(level, stem, &allowed)
    }

    /// Walks on where an operator without end is true until the walk closes or ends.
    fn wander<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        stem: Stem,
        along: &[usize],
        truth: bool,
    ) -> Result<Evidence, Halted> {
        let mut nodes = vec![stem.pair.0 as u32];
        let mut place: HashMap<u32, usize> = HashMap::from_iter([(nodes[0], 0)]);
        loop {
            let node = *nodes.last().expect("not empty");
            level.graph.expand(&mut level.product, node)?;
            let targets = level.graph.targets(node).to_vec();
            if targets.is_empty() {
                return Ok(follow(level, stem, &nodes)?.finish(&level.product));
            }
            if let Some(&back) = targets.iter().filter_map(|target| place.get(target)).max() {
                let cycle = nodes[back..].iter().map(|&node| pair(node)).collect();
                let stem = follow(level, stem, &nodes[..=back])?;
                let component = Component::of(&mut level.product, cycle)?;
                return attempt(&mut level.product, None, &component, stem);
            }
            let mut next = None;
            for target in targets {
                let goes_on = level.holds(plan.op, target, self.judge)? == truth;
                if goes_on && self.have(level, plan, along, target, truth)? {
                    next = Some(target);
                    break;
                }
            }
            let next = next.expect("what is true for ever goes on");
            place.insert(next, nodes.len());
            nodes.push(next);
        }
    }

    /// Goes on from the end of a stem into a fair loop, or to the end of paths, through nodes that are allowed.
    fn settle<'s>(
        &mut self,
        level: &mut Level<'s>,
        stem: Stem,
        allowed: &Bitmap,
    ) -> Result<Evidence, Halted> {
        let start = stem.pair.0 as u32;
        if level.product.maximal {
            let end = self.breadth_first(
                level,
                start,
                |_, level, node| {
                    level.graph.expand(&mut level.product, node)?;
                    let ends = allowed.get(node) && level.graph.targets(node).is_empty();
                    Ok(ends && level.product.is_dead(SpotId(node))?)
                },
                |_, _, node| Ok(allowed.get(node)),
            )?;
            if let Some(nodes) = end {
                return Ok(follow(level, stem, &nodes)?.finish(&level.product));
            }
        }
        let inside = |pair: PairId| allowed.get(pair.0 as u32);
        let meter = &mut self.judge.meter;
        let found =
            onthefly::search(&mut level.product, level.naming.as_ref(), meter, vec![stem.pair], &inside)?;
        let component = Component::of(&mut level.product, found.expect("a fair run stays here").pairs)?;
        let goals: HashSet<PairId> = component.pairs.iter().copied().collect();
        let nodes = self.breadth_first(
            level,
            start,
            |_, _, node| Ok(goals.contains(&pair(node))),
            |_, _, node| Ok(allowed.get(node)),
        )?;
        let stem = follow(level, stem, &nodes.expect("the component was reached"))?;
        attempt(&mut level.product, level.naming.as_ref(), &component, stem)
    }

    /// Hangs trees at the states of a run, which share the runs that may still be shown. Conditions speak for themselves.
    fn marks<'s>(
        &mut self,
        level: &mut Level<'s>,
        plan: &Plan<'s>,
        start: &Place,
        evidence: Evidence,
        wanted: Vec<(usize, usize)>,
        truth: bool,
    ) -> Result<Tree, Halted> {
        let tuple = moved_tuple(&level.product, PairId(u64::from(start.0.0)), &start.1);
        let mut marks = Vec::new();
        let is_condition = |part: usize| matches!(plan.parts[part].formula, Formula::Atom(..));
        let wanted: Vec<_> = wanted.into_iter().filter(|&(_, part)| !is_condition(part)).collect();
        for (i, &(position, part)) in wanted.iter().enumerate() {
            let part = &plan.parts[part];
            let share = self.runs.div_ceil(wanted.len() - i);
            let others = self.runs - share;
            self.runs = share;
            let state = &evidence.states[position.min(evidence.states.len() - 1)];
            let place = level.product.indexed.locate(state, &tuple)?;
            marks.push((position, self.formula(level, part, place, truth)?));
            self.runs += others;
        }
        Ok(Tree::Run(Box::new(evidence), marks))
    }
}

fn pair(node: u32) -> PairId {
    PairId(u64::from(node))
}

/// Extends a stem along nodes, of which the first is where it ends.
fn follow(level: &mut Level<'_>, mut stem: Stem, nodes: &[u32]) -> Result<Stem, Halted> {
    let mut transitions = Vec::new();
    for step in nodes.windows(2) {
        level.product.expand(pair(step[0]), &mut transitions)?;
        let transition = transitions.drain(..).find(|transition| transition.target == pair(step[1]));
        let transition: Transition = transition.expect("the graph has the edge");
        stem.extend(&mut level.product, vec![(pair(step[0]), transition)])?;
    }
    Ok(stem)
}
