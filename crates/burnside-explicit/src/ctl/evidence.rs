//! Why a formula is true or false in a node: a tree of original runs.
//!
//! Entry point: [`explain`]. Follows the formula as it was written. A path operator that some path shows
//! (`E…` true, `A…` false) is shown by a shortest path, or by a loop, and the formulas inside are shown along
//! it. Where fairness counts every path goes on into a fair loop. If there would be too many runs, deep ones
//! are left out, and the tree says where.

use super::LabellingContext;
use super::bitmap::Bitmap;
use super::label::LabelledGraph;
use super::subformulas::SyntaxTree;
use crate::fair::{
    AnnotatedNode, IndexedNodeId, PairId, Stem, Subgraph, Transition, close_loop, compose, permutation_of,
};
use crate::ltl::onthefly;
use burnside_limits::{Stop, poll};
use burnside_trace::{Evidence, Tree};
use burnside_ts::{Formula, Path, Temporal};
use foldhash::{HashMap, HashSet};
use std::collections::VecDeque;
use std::collections::hash_map::Entry;

/// More runs are left out of a tree.
const MOST_RUNS: usize = 2_000;

/// Why the whole formula has a truth value in an initial node.
pub(super) fn explain(
    labelled: &mut LabelledGraph<'_>,
    node: IndexedNodeId,
    truth: bool,
    context: &mut LabellingContext<'_>,
) -> Result<Tree, Stop> {
    let syntax = labelled.syntax.clone();
    Explainer { context, runs: MOST_RUNS }.formula(labelled, &syntax, (node, None), truth)
}

struct Explainer<'j, 'm> {
    context: &'j mut LabellingContext<'m>,
    /// How many runs may still be shown.
    runs: usize,
}

impl Explainer<'_, '_> {
    fn formula<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        at: AnnotatedNode,
        truth: bool,
    ) -> Result<Tree, Stop> {
        poll();
        let side = |explainer: &mut Self, labelled: &mut LabelledGraph<'s>, i: usize, truth| {
            explainer.formula(labelled, &syntax.children[i], at.clone(), truth)
        };
        let value = |explainer: &mut Self, labelled: &mut LabelledGraph<'s>, i: usize| {
            labelled.holds(syntax.children[i].op, at.0.0, explainer.context)
        };
        Ok(match syntax.formula {
            Formula::Atom(..) | Formula::Step(_) => Tree::Condition,
            Formula::Not(_) => side(self, labelled, 0, !truth)?,
            Formula::And(_) | Formula::Or(_) => {
                let both = matches!(syntax.formula, Formula::And(_)) == truth;
                if both {
                    Tree::Both(Box::new([side(self, labelled, 0, truth)?, side(self, labelled, 1, truth)?]))
                } else {
                    let which = usize::from(value(self, labelled, 0)? != truth);
                    Tree::Side(which, Box::new(side(self, labelled, which, truth)?))
                }
            }
            Formula::Implies(_) if !truth => {
                Tree::Both(Box::new([side(self, labelled, 0, true)?, side(self, labelled, 1, false)?]))
            }
            Formula::Implies(_) => {
                let which = usize::from(value(self, labelled, 0)?);
                Tree::Side(which, Box::new(side(self, labelled, which, which == 1)?))
            }
            Formula::Iff(_) => {
                let (a, b) = (value(self, labelled, 0)?, value(self, labelled, 1)?);
                Tree::Both(Box::new([side(self, labelled, 0, a)?, side(self, labelled, 1, b)?]))
            }
            Formula::Forall(..) | Formula::Exists(..) => self.quantifier(labelled, syntax, at, truth)?,
            Formula::Temporal(path, operator) => {
                let exists = path.unwrap_or(Path::All) == Path::Some;
                if exists != truth {
                    return Ok(Tree::Everywhere);
                }
                let Some(left) = self.runs.checked_sub(1) else { return Ok(Tree::Omitted) };
                self.runs = left;
                self.run(labelled, syntax, operator, at, truth)?
            }
        })
    }

    fn quantifier<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        at: AnnotatedNode,
        truth: bool,
    ) -> Result<Tree, Stop> {
        let exists = matches!(syntax.formula, Formula::Exists(..));
        if exists != truth {
            return Ok(Tree::Everywhere);
        }
        let Some(quantifier) = syntax.quantifier else {
            for (number, part) in syntax.children.iter().enumerate() {
                if labelled.holds(part.op, at.0.0, self.context)? == truth {
                    return Ok(Tree::Value(
                        number as u64,
                        Box::new(self.formula(labelled, part, at, truth)?),
                    ));
                }
            }
            unreachable!("some value decides");
        };
        let (_, deeper) = &mut labelled.quantifiers[quantifier];
        let inner = deeper.syntax.clone();
        for (node, annotation) in deeper.product.quotient.extensions(&labelled.product.quotient, at.0)? {
            if deeper.holds(inner.op, node.0, self.context)? == truth {
                let annotation = compose(&at.1, &annotation);
                let tuple = deeper.product.quotient.tracked_at(node).tuple;
                let tuple = deeper.product.quotient.moved_tuple(permutation_of(&annotation), &tuple);
                let number = *tuple.last().expect("the name is tracked");
                let tree = self.formula(deeper, &inner, (node, annotation), truth)?;
                return Ok(Tree::Value(number, Box::new(tree)));
            }
        }
        unreachable!("some value decides")
    }

    /// Shows that some path satisfies an operator (or, if the formulas inside are to be false, its dual).
    fn run<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        operator: &Temporal,
        at: AnnotatedNode,
        truth: bool,
    ) -> Result<Tree, Stop> {
        // What must hold before the end, what at the end, and what if there is no end. By part.
        let (along, ends, forever): (&[usize], &[usize], Option<&[usize]>) = match (operator, truth) {
            (Temporal::Next(_), _) => return self.next(labelled, syntax, at, truth),
            (Temporal::Finally(_), true) | (Temporal::Globally(_), false) => (&[], &[0], None),
            (Temporal::Globally(_), true) | (Temporal::Finally(_), false) => (&[0], &[], Some(&[0])),
            (Temporal::Until(_), true) | (Temporal::Release(_), false) => (&[0], &[1], None),
            (Temporal::Release(_), true) | (Temporal::Until(_), false) => (&[1], &[0, 1], Some(&[1])),
            (Temporal::WeakUntil(_), true) | (Temporal::StrongRelease(_), false) => (&[0], &[1], Some(&[0])),
            (Temporal::StrongRelease(_), true) | (Temporal::WeakUntil(_), false) => (&[1], &[0, 1], None),
        };
        let start = at.clone();
        if !ends.is_empty()
            && let Some((evidence, length)) = self.path(labelled, syntax, at, along, ends, truth)?
        {
            let mut wanted: Vec<(usize, usize)> =
                (0..length).flat_map(|position| along.iter().map(move |&part| (position, part))).collect();
            wanted.extend(ends.iter().map(|&part| (length, part)));
            return self.attach(labelled, syntax, &start, evidence, wanted, truth);
        }
        let along = forever.expect("an operator without end is shown by a loop");
        let evidence = self.stay(labelled, syntax, start.clone(), along, truth)?;
        let positions = 0..evidence.states.len();
        let wanted = positions.flat_map(|position| along.iter().map(move |&part| (position, part))).collect();
        self.attach(labelled, syntax, &start, evidence, wanted, truth)
    }

    fn next<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        at: AnnotatedNode,
        truth: bool,
    ) -> Result<Tree, Stop> {
        let mut transitions = Vec::new();
        let pair = PairId(u64::from(at.0.0));
        labelled.product.expand(pair, &mut transitions)?;
        for transition in transitions {
            let target = transition.target.0 as u32;
            if labelled.holds(syntax.children[0].op, target, self.context)? == truth
                && self.goes_on(labelled, target)?
            {
                let mut stem = Stem::at(pair, at.1.clone());
                let stutters = transition.successor == u32::MAX;
                stem.extend(&mut labelled.product, vec![(pair, transition)])?;
                let evidence = match stutters {
                    true => {
                        let mut evidence = stem.finish(&labelled.product);
                        evidence.end = burnside_trace::End::Stutter;
                        evidence
                    }
                    false => self.finish(labelled, stem)?,
                };
                // A deadlock is its own successor.
                let position = if stutters { 0 } else { 1 };
                return self.attach(labelled, syntax, &at, evidence, vec![(position, 0)], truth);
            }
        }
        unreachable!("some step shows it")
    }

    /// Whether some path that counts goes on from a node.
    fn goes_on(&mut self, labelled: &mut LabelledGraph<'_>, node: u32) -> Result<bool, Stop> {
        match &labelled.fair {
            Some(fair) => Ok(fair.get(node)),
            None if labelled.is_local(self.context) => labelled.goes_on(node, self.context),
            None => Ok(true),
        }
    }

    /// Whether parts have a value in a node.
    fn hold<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        children: &[usize],
        node: u32,
        truth: bool,
    ) -> Result<bool, Stop> {
        poll();
        for &part in children {
            if labelled.holds(syntax.children[part].op, node, self.context)? != truth {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A shortest path to where the ends are true, along which others are. With its length: it may go on.
    fn path<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        at: AnnotatedNode,
        along: &[usize],
        ends: &[usize],
        truth: bool,
    ) -> Result<Option<(Evidence, usize)>, Stop> {
        let start = at.0.0;
        let found = self.breadth_first(
            labelled,
            start,
            |explainer, labelled, node| {
                Ok(explainer.hold(labelled, syntax, ends, node, truth)?
                    && explainer.goes_on(labelled, node)?)
            },
            |explainer, labelled, node| explainer.hold(labelled, syntax, along, node, truth),
        )?;
        let Some(nodes) = found else { return Ok(None) };
        let stem = follow(labelled, Stem::at(pair(start), at.1), &nodes)?;
        Ok(Some((self.finish(labelled, stem)?, nodes.len() - 1)))
    }

    /// The nodes of a shortest path from a node to a goal, through nodes that let pass.
    fn breadth_first<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        start: u32,
        mut goal: impl FnMut(&mut Self, &mut LabelledGraph<'s>, u32) -> Result<bool, Stop>,
        mut passes: impl FnMut(&mut Self, &mut LabelledGraph<'s>, u32) -> Result<bool, Stop>,
    ) -> Result<Option<Vec<u32>>, Stop> {
        let mut parents: HashMap<u32, u32> = HashMap::from_iter([(start, start)]);
        let mut queue = VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            poll();
            if goal(self, labelled, node)? {
                let mut nodes = vec![node];
                while let Some(&parent) = parents.get(nodes.last().expect("not empty")) {
                    if Some(&parent) == nodes.last() {
                        break;
                    }
                    nodes.push(parent);
                }
                nodes.reverse();
                return Ok(Some(nodes));
            }
            if !passes(self, labelled, node)? {
                continue;
            }
            labelled.graph.expand(&mut labelled.product, node)?;
            for &target in labelled.graph.targets(node) {
                if let Entry::Vacant(vacant) = parents.entry(target) {
                    vacant.insert(node);
                    queue.push_back(target);
                }
            }
        }
        Ok(None)
    }

    /// Ends a run, in a fair loop if that is needed.
    fn finish<'s>(&mut self, labelled: &mut LabelledGraph<'s>, stem: Stem) -> Result<Evidence, Stop> {
        match labelled.fair.clone() {
            None => Ok(stem.finish(&labelled.product)),
            Some(fair) => self.enter_fair_loop(labelled, stem, &fair),
        }
    }

    /// A run that stays for ever where parts are true.
    fn stay<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        at: AnnotatedNode,
        along: &[usize],
        truth: bool,
    ) -> Result<Evidence, Stop> {
        let stem = Stem::at(pair(at.0.0), at.1);
        if labelled.fair.is_none() {
            return self.wander(labelled, syntax, stem, along, truth);
        }
        let nodes = labelled.nodes.expect("fairness is evaluated everywhere");
        let mut allowed = Bitmap::none(nodes);
        for node in 0..nodes as u32 {
            allowed.set(node, self.hold(labelled, syntax, along, node, truth)?);
        }
        self.enter_fair_loop(labelled, stem, &allowed)
    }

    /// Walks on where an operator without end is true until the walk closes or ends.
    fn wander<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        stem: Stem,
        along: &[usize],
        truth: bool,
    ) -> Result<Evidence, Stop> {
        let mut nodes = vec![stem.pair.0 as u32];
        let mut positions: HashMap<u32, usize> = HashMap::from_iter([(nodes[0], 0)]);
        loop {
            let node = *nodes.last().expect("not empty");
            labelled.graph.expand(&mut labelled.product, node)?;
            let targets = labelled.graph.targets(node).to_vec();
            if targets.is_empty() {
                return Ok(follow(labelled, stem, &nodes)?.finish(&labelled.product));
            }
            if let Some(&back) = targets.iter().filter_map(|target| positions.get(target)).max() {
                let cycle = nodes[back..].iter().map(|&node| pair(node)).collect();
                let stem = follow(labelled, stem, &nodes[..=back])?;
                let component = Subgraph::induced(&mut labelled.product, None, cycle)?;
                return close_loop(&mut labelled.product, None, &component, stem);
            }
            let mut next = None;
            for target in targets {
                let goes_on = labelled.holds(syntax.op, target, self.context)? == truth;
                if goes_on && self.hold(labelled, syntax, along, target, truth)? {
                    next = Some(target);
                    break;
                }
            }
            let next = next.expect("what is true for ever goes on");
            positions.insert(next, nodes.len());
            nodes.push(next);
        }
    }

    /// Goes on from the end of a stem into a fair loop, or to the end of paths, through nodes that are
    /// allowed.
    fn enter_fair_loop<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        stem: Stem,
        allowed: &Bitmap,
    ) -> Result<Evidence, Stop> {
        let start = stem.pair.0 as u32;
        if labelled.product.maximal {
            let end = self.breadth_first(
                labelled,
                start,
                |_, labelled, node| {
                    labelled.graph.expand(&mut labelled.product, node)?;
                    let ends = allowed.get(node) && labelled.graph.targets(node).is_empty();
                    Ok(ends && labelled.product.is_dead(IndexedNodeId(node))?)
                },
                |_, _, node| Ok(allowed.get(node)),
            )?;
            if let Some(nodes) = end {
                return Ok(follow(labelled, stem, &nodes)?.finish(&labelled.product));
            }
        }
        let inside = |pair: PairId| allowed.get(pair.0 as u32);
        let meter = &mut self.context.meter;
        let found = onthefly::search(
            &mut labelled.product,
            labelled.unit_action.as_ref(),
            meter,
            vec![stem.pair],
            &inside,
        )?;
        let pairs = found.expect("a fair run stays here").pairs;
        let component = Subgraph::induced(&mut labelled.product, labelled.unit_action.as_ref(), pairs)?;
        let goals: HashSet<PairId> = component.pairs.iter().copied().collect();
        let nodes = self.breadth_first(
            labelled,
            start,
            |_, _, node| Ok(goals.contains(&pair(node))),
            |_, _, node| Ok(allowed.get(node)),
        )?;
        let stem = follow(labelled, stem, &nodes.expect("the component was reached"))?;
        close_loop(&mut labelled.product, labelled.unit_action.as_ref(), &component, stem)
    }

    /// Hangs trees at the states of a run, which share the runs that may still be shown. Conditions speak for
    /// themselves.
    fn attach<'s>(
        &mut self,
        labelled: &mut LabelledGraph<'s>,
        syntax: &SyntaxTree<'s>,
        start: &AnnotatedNode,
        evidence: Evidence,
        wanted: Vec<(usize, usize)>,
        truth: bool,
    ) -> Result<Tree, Stop> {
        let tuple = labelled.product.moved_tuple(pair(start.0.0), permutation_of(&start.1));
        let mut trees = Vec::new();
        let is_condition = |part: usize| matches!(syntax.children[part].formula, Formula::Atom(..));
        let wanted: Vec<_> = wanted.into_iter().filter(|&(_, part)| !is_condition(part)).collect();
        for (i, &(position, part)) in wanted.iter().enumerate() {
            let part = &syntax.children[part];
            let share = self.runs.div_ceil(wanted.len() - i);
            let others = self.runs - share;
            self.runs = share;
            let state = &evidence.states[position.min(evidence.states.len() - 1)];
            let at = labelled.product.quotient.locate(state, &tuple)?;
            trees.push((position, self.formula(labelled, part, at, truth)?));
            self.runs += others;
        }
        Ok(Tree::Run(Box::new(evidence), trees))
    }
}

fn pair(node: u32) -> PairId {
    PairId(u64::from(node))
}

/// Extends a stem along nodes, of which the first is where it ends.
fn follow(labelled: &mut LabelledGraph<'_>, mut stem: Stem, nodes: &[u32]) -> Result<Stem, Stop> {
    let mut transitions = Vec::new();
    for step in nodes.windows(2) {
        poll();
        labelled.product.expand(pair(step[0]), &mut transitions)?;
        let transition = transitions.drain(..).find(|transition| transition.target == pair(step[1]));
        let transition: Transition = transition.expect("the graph has the edge");
        stem.extend(&mut labelled.product, vec![(pair(step[0]), transition)])?;
    }
    Ok(stem)
}
