//! Why a branching-time formula is true or false in a state: a tree of runs.
//!
//! Entry point: [`build`]. Follows the formula as it was written. A path operator that some path shows (`E…`
//! true, `A…` false) is shown by a shortest path, or by a loop, and the formulas inside are shown along it.
//! Where not every path goes on for ever, or fairness counts, a path goes on into a fair loop. If there would
//! be too many runs, deep ones are left out.

use crate::ctl::{CtlJudge, Judged};
use crate::graph::{NodeBits, Via};
use crate::store::{Out, Set};
use burnside_trace::{End, Evidence, Tree};
use burnside_ts::{Formula, Path, Temporal};

/// More runs are left out of a tree.
const MOST_RUNS: usize = 200;

/// Why a formula has a truth value in a state.
pub(crate) fn build(
    judge: &CtlJudge<'_, '_, '_>,
    judged: &Judged<'_>,
    state: &[u64],
    truth: bool,
) -> Out<Tree> {
    let constrained = judge.graph.units.is_some() || judge.fair != judge.within;
    Show { judge, constrained, runs: MOST_RUNS }.formula(judged, state, truth)
}

struct Show<'t, 'j, 'g, 's> {
    judge: &'t CtlJudge<'j, 'g, 's>,
    /// Whether not every path counts.
    constrained: bool,
    /// How many runs may still be shown.
    runs: usize,
}

impl Show<'_, '_, '_, '_> {
    fn formula(&mut self, judged: &Judged<'_>, state: &[u64], truth: bool) -> Out<Tree> {
        let point = self.judge.graph.space.point(state)?;
        let value = |i: usize| Ok(!judged.parts[i].holds.is_apart(&point)?);
        let side = |show: &mut Self, i: usize, truth| show.formula(&judged.parts[i], state, truth);
        Ok(match judged.formula {
            Formula::Atom(..) | Formula::Step(_) => Tree::Condition,
            Formula::Not(_) => side(self, 0, !truth)?,
            Formula::And(_) | Formula::Or(_) => {
                if matches!(judged.formula, Formula::And(_)) == truth {
                    Tree::Both(Box::new([side(self, 0, truth)?, side(self, 1, truth)?]))
                } else {
                    let which = usize::from(value(0)? != truth);
                    Tree::Side(which, Box::new(side(self, which, truth)?))
                }
            }
            Formula::Implies(_) if !truth => {
                Tree::Both(Box::new([side(self, 0, true)?, side(self, 1, false)?]))
            }
            Formula::Implies(_) => {
                let which = usize::from(value(0)?);
                Tree::Side(which, Box::new(side(self, which, which == 1)?))
            }
            Formula::Iff(_) => {
                let (a, b) = (value(0)?, value(1)?);
                Tree::Both(Box::new([side(self, 0, a)?, side(self, 1, b)?]))
            }
            Formula::Forall(..) | Formula::Exists(..) => {
                if matches!(judged.formula, Formula::Exists(..)) != truth {
                    return Ok(Tree::Everywhere);
                }
                for number in 0..judged.parts.len() {
                    if value(number)? == truth {
                        return Ok(Tree::Value(number as u64, Box::new(side(self, number, truth)?)));
                    }
                }
                unreachable!("some value decides")
            }
            Formula::Temporal(path, operator) => {
                if (path.unwrap_or(Path::All) == Path::Some) != truth {
                    return Ok(Tree::Everywhere);
                }
                let Some(left) = self.runs.checked_sub(1) else { return Ok(Tree::Omitted) };
                self.runs = left;
                self.run(judged, operator, point, truth)?
            }
        })
    }

    /// Shows that some path satisfies an operator (or, if the formulas inside are to be false, its dual).
    fn run(&mut self, judged: &Judged<'_>, operator: &Temporal, point: Set, truth: bool) -> Out<Tree> {
        let start = self.judge.graph.pick(&point).expect("a point has a node");
        // What must hold before the end, what at the end, and what if there is no end. By part.
        let (along, ends, forever): (&[usize], &[usize], Option<&[usize]>) = match (operator, truth) {
            (Temporal::Next(_), _) => return self.next(judged, start, truth),
            (Temporal::Finally(_), true) | (Temporal::Globally(_), false) => (&[], &[0], None),
            (Temporal::Globally(_), true) | (Temporal::Finally(_), false) => (&[0], &[], Some(&[0])),
            (Temporal::Until(_), true) | (Temporal::Release(_), false) => (&[0], &[1], None),
            (Temporal::Release(_), true) | (Temporal::Until(_), false) => (&[1], &[0, 1], Some(&[1])),
            (Temporal::WeakUntil(_), true) | (Temporal::StrongRelease(_), false) => (&[0], &[1], Some(&[0])),
            (Temporal::StrongRelease(_), true) | (Temporal::WeakUntil(_), false) => (&[1], &[0, 1], None),
        };
        let through = self.where_all(judged, along, truth)?;
        if !ends.is_empty() {
            let goal = self.where_all(judged, ends, truth)?.and(&self.judge.fair)?;
            if let Some(nodes) = self.judge.graph.path(&through, &start, &goal)? {
                let length = nodes.len() - 1;
                let evidence = self.finish(nodes)?;
                let before = (0..length).flat_map(|position| along.iter().map(move |&part| (position, part)));
                let wanted = before.chain(ends.iter().map(|&part| (length, part))).collect();
                return self.marks(judged, evidence, wanted, truth);
            }
        }
        let along = forever.expect("an operator without end is shown by a loop");
        let evidence = self.settle(vec![start], &through)?;
        let positions = 0..evidence.states.len();
        let wanted = positions.flat_map(|position| along.iter().map(move |&part| (position, part))).collect();
        self.marks(judged, evidence, wanted, truth)
    }

    /// Where parts all have a truth value.
    fn where_all(&self, judged: &Judged<'_>, parts: &[usize], truth: bool) -> Out<Set> {
        parts.iter().try_fold(self.judge.within.clone(), |set, &part| {
            let holds = &judged.parts[part].holds;
            if truth { set.and(holds) } else { set.minus(holds) }
        })
    }

    fn next(&mut self, judged: &Judged<'_>, start: NodeBits, truth: bool) -> Out<Tree> {
        let graph = self.judge.graph;
        let goal = self.where_all(judged, &[0], truth)?.and(&self.judge.fair)?;
        let after = graph.image(Via::Any, &graph.point(&start)?)?.and(&goal)?;
        let after = graph.pick(&after).expect("some step shows it");
        let (here, there) = (graph.state(&start), graph.state(&after));
        if here == there && !graph.space.dead(&graph.space.point(&here)?)?.is_empty() {
            // A deadlock is its own successor.
            let evidence = Evidence { states: vec![here], steps: Vec::new(), end: End::Stutter };
            return self.marks(judged, evidence, vec![(0, 0)], truth);
        }
        let evidence = self.finish(vec![start, after])?;
        self.marks(judged, evidence, vec![(1, 0)], truth)
    }

    /// Ends a run, in a fair loop if that is needed.
    fn finish(&self, nodes: Vec<NodeBits>) -> Out<Evidence> {
        if self.constrained {
            return self.settle(nodes, &self.judge.within);
        }
        let graph = self.judge.graph;
        Ok(graph.space.evidence(nodes.iter().map(|node| graph.state(node)).collect(), End::State))
    }

    /// Goes on from the end of a path into a fair loop, or to the end of paths, through nodes that are
    /// allowed.
    fn settle(&self, mut nodes: Vec<NodeBits>, allowed: &Set) -> Out<Evidence> {
        let graph = self.judge.graph;
        let last = nodes.last().expect("a path has a node").clone();
        let end = self.judge.ends.and(allowed)?;
        if !end.is_empty()
            && let Some(way) = graph.path(allowed, &last, &end)?
        {
            nodes.extend(way.into_iter().skip(1));
            return Ok(graph
                .space
                .evidence(nodes.iter().map(|node| graph.state(node)).collect(), End::State));
        }
        let feasible = self.judge.demands.feasible(graph, allowed)?;
        let way = graph.path(allowed, &last, &feasible)?.expect("a fair run stays here");
        nodes.extend(way.into_iter().skip(1));
        self.judge.demands.lasso(graph, &feasible, nodes)
    }

    /// Hangs trees at the states of a run, which share the runs that may still be shown. Conditions speak for
    /// themselves.
    fn marks(
        &mut self,
        judged: &Judged<'_>,
        evidence: Evidence,
        wanted: Vec<(usize, usize)>,
        truth: bool,
    ) -> Out<Tree> {
        let mut marks = Vec::new();
        let is_condition = |part: usize| matches!(judged.parts[part].formula, Formula::Atom(..));
        let wanted: Vec<_> = wanted.into_iter().filter(|&(_, part)| !is_condition(part)).collect();
        for (i, &(position, part)) in wanted.iter().enumerate() {
            let share = self.runs.div_ceil(wanted.len() - i);
            let others = self.runs - share;
            self.runs = share;
            let state = &evidence.states[position.min(evidence.states.len() - 1)];
            marks.push((position, self.formula(&judged.parts[part], state, truth)?));
            self.runs += others;
        }
        Ok(Tree::Run(Box::new(evidence), marks))
    }
}
