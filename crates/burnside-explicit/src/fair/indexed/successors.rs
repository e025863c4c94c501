//! Steps of indexed nodes.
//!
//! Entry points: [`IndexedQuotient::successors`], and [`IndexedQuotient::steps`] where the automaton moves
//! along. Of the steps that symmetries of the node make alike one is followed. Whoever counts executions must
//! join the units that these symmetries swap.
//!
//! Mostly no step is executed for an indexed node: the edges of its orbit, found once, are those of all
//! tuples. Let `e` be an edge of the orbit, and `l` the tuple of the node. What symmetries of the state make
//! of `e` are steps of the node too, and all its steps arise so; the step `μ·e` of `(s, l)` is the step `e`
//! of `(s, μ⁻¹·l)`. So each edge is followed with every tuple `l'` that these symmetries make of `l`, but
//! for those that a symmetry of `e` itself makes alike, and `μ` becomes part of the annotation. Two members
//! are alike for `e` if they are so before and after it and its label does not mention them.
//!
//! Edges dropped for the state alone must not be dropped for the node: a step of a member that is like the
//! tracked one is another step than that of the tracked one. That is why the tuple is varied.

use super::executed::ExecutedUnits;
use super::{IndexedNodeId, IndexedQuotient, UnitSetId, least_names_into};
use crate::alike::ClassesId;
use crate::edges::{LabelId, OrbitEdge};
use crate::fair::interned::AnnotationId;
use crate::fair::position::Blocks;
use crate::quotient::{Quotient, Reached};
use crate::store::NodeId;
use burnside_limits::{Stop, poll};
use burnside_trace::Step;
use burnside_ts::{Action, Binder, Label, SortId, StepFilter};

/// A step from an indexed node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor {
    /// Where it leads.
    pub target: IndexedNodeId,
    /// Whom it executes, in the names of the source.
    pub executed: UnitSetId,
    /// Names of the target to names of the source.
    pub annotation: AnnotationId,
}

/// A step from an indexed node as the quotient has it: what is tracked is not yet carried along.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotientStep {
    /// Where it leads.
    pub orbit: NodeId,
    /// Names there to names here.
    pub annotation: AnnotationId,
    /// Whom it executes, in the names of the source.
    pub executed: UnitSetId,
}

/// Whether an indexed node has steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Yes.
    Some,
    /// It has, but all of them fault: no run goes on here.
    OnlyFaults,
    /// It has none, a deadlock: runs stay here.
    None,
}

/// An edge of an orbit, followed with a tuple of its own.
struct FollowedEdge {
    target: IndexedNodeId,
    label: LabelId,
    /// Takes the tuple that the edge was followed with to that of the node, and the label to the step's.
    moved: AnnotationId,
    /// Names of the target to names of the source.
    annotation: AnnotationId,
}

/// Lists that are used again and again while edges are followed.
#[derive(Debug, Default)]
pub(super) struct FollowScratch {
    /// The tuple of the node.
    tuple: Vec<u64>,
    /// Tuples that an edge is followed with, one after the other.
    varied: Vec<u64>,
    /// The one at hand.
    chosen: Vec<u64>,
    /// What it is in the names of the target.
    there: Vec<u64>,
    named: Vec<(SortId, u32, u32)>,
    /// For each element of the one at hand what members tried before are like.
    seen: Vec<u32>,
}

impl<'s> IndexedQuotient<'s> {
    /// The steps of a node, appended. Always in the same order.
    pub fn successors(&mut self, node: IndexedNodeId, out: &mut Vec<Successor>) -> Result<Steps, Stop> {
        if self.shares_edges {
            let before = out.len();
            let steps = self.each_edge(node, |units, action, quotient, edge| {
                let executed = units.executed_by(quotient, edge.label);
                let executed = units.moved(action, quotient, executed, edge.moved);
                out.push(Successor { target: edge.target, executed, annotation: edge.annotation });
            })?;
            self.transitions += (out.len() - before) as u64;
            return Ok(steps);
        }
        let mut found = std::mem::take(&mut self.steps);
        found.clear();
        let steps = self.steps(node, None, &mut found)?;
        let tracked = self.tracked_at(node);
        for QuotientStep { orbit, annotation, executed } in found.drain(..) {
            let (target, annotation) = self.follow(orbit, annotation, &tracked, None)?;
            out.push(Successor { target, executed, annotation: self.number(&annotation) });
        }
        self.steps = found;
        Ok(steps)
    }

    /// Follows the edges of a node's orbit with all tuples that they need.
    fn each_edge(
        &mut self,
        node: IndexedNodeId,
        mut each: impl FnMut(&mut ExecutedUnits<'s>, &Action<'s>, &Quotient<'s>, FollowedEdge),
    ) -> Result<Steps, Stop> {
        poll();
        let Self { quotient, nodes, units, action, touched, scratch, sorts, tracked, .. } = self;
        let quotient = &mut *quotient.borrow_mut();
        quotient.alike.trim();
        let orbit = nodes.orbit(node);
        let span = quotient.orbit_edges(orbit)?;
        let steps = match (span.edges.is_empty(), span.faults) {
            (false, _) => Steps::Some,
            (true, true) => Steps::OnlyFaults,
            (true, false) => Steps::None,
        };
        self.faulted |= span.faults;
        nodes.tuple_into(node, &mut scratch.tuple);
        for i in span.edges {
            let edge = quotient.arena.edges[i];
            let OrbitEdge { target, annotation, label } = edge;
            touched.add(target);
            if scratch.tuple.is_empty() {
                let (target, moved) = (IndexedNodeId(target.0), AnnotationId::IDENTITY);
                each(units, action, quotient, FollowedEdge { target, label, moved, annotation });
                continue;
            }
            scratch.varied.clear();
            vary(quotient, orbit, edge, sorts, scratch);
            let width = scratch.tuple.len();
            for at in (0..scratch.varied.len()).step_by(width) {
                let FollowScratch { tuple, varied, there, named, .. } = scratch;
                let chosen = &varied[at..at + width];
                named.clear();
                let pairs = chosen.iter().zip(tuple.iter()).zip(sorts.iter());
                named.extend(pairs.filter_map(|((&a, &b), sort)| Some(((*sort)?, a as u32, b as u32))));
                let moved = quotient.annotations.carry(named);
                carry_along(quotient, action, tracked, sorts, annotation, chosen, there);
                let least = make_least(quotient, target, sorts, there, named);
                let out = quotient.annotations.compose(moved, annotation);
                let annotation = quotient.annotations.compose(out, least);
                let target = nodes.insert_tuple(target, there)?;
                each(units, action, quotient, FollowedEdge { target, label, moved, annotation });
            }
        }
        Ok(steps)
    }

    /// The steps of a node as the quotient has them, appended, one of those that are alike as long as the
    /// automaton is in a state with these blocks.
    pub fn steps(
        &mut self,
        node: IndexedNodeId,
        blocks: Option<&Blocks>,
        out: &mut Vec<QuotientStep>,
    ) -> Result<Steps, Stop> {
        self.visit(node, blocks, |units, label, orbit, annotation| {
            out.push(QuotientStep { orbit, annotation, executed: units.executed(label) });
        })
    }

    /// The labels of the steps of a node, in the order of its successors.
    pub fn labels(&mut self, node: IndexedNodeId, blocks: Option<&Blocks>) -> Result<Vec<Step>, Stop> {
        let mut labels = Vec::new();
        if self.shares_edges {
            self.each_edge(node, |_, action, quotient, edge| {
                let mut step = quotient.labels.step(edge.label).clone();
                if let Some(moved) = quotient.annotations.get(edge.moved) {
                    let mut args = step.args.clone();
                    step.rule = action.label(&moved.permutation, step.rule, &step.args, &mut args);
                    step.args = args;
                }
                labels.push(step);
            })?;
            return Ok(labels);
        }
        self.visit(node, blocks, |_, label, _, _| labels.push(Step::from(label)))?;
        Ok(labels)
    }

    fn visit(
        &mut self,
        node: IndexedNodeId,
        blocks: Option<&Blocks>,
        mut each: impl FnMut(&mut ExecutedUnits<'s>, Label<'_>, NodeId, AnnotationId),
    ) -> Result<Steps, Stop> {
        let classes = self.classes_of(node, blocks);
        let orbit = self.orbit(node);
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        let Self { quotient, units, touched, .. } = self;
        let (mut count, mut faults) = (0, 0);
        let full = quotient.borrow_mut().visit(orbit, filter, |label, reached| match reached {
            Reached::Fault(_) => faults += 1,
            Reached::Node(orbit, annotation) => {
                count += 1;
                touched.add(orbit);
                each(units, label, orbit, annotation);
            }
        })?;
        self.transitions += count;
        self.faulted |= faults > 0;
        match full {
            Some(full) => Err(full),
            None if count > 0 => Ok(Steps::Some),
            None if faults > 0 => Ok(Steps::OnlyFaults),
            None => Ok(Steps::None),
        }
    }
}

/// The tuples that symmetries of a representative make of one, up to symmetries of an edge.
fn vary(
    quotient: &mut Quotient<'_>,
    orbit: NodeId,
    edge: OrbitEdge,
    sorts: &[Option<SortId>],
    scratch: &mut FollowScratch,
) {
    let (here, there) = (quotient.classes_id(orbit), quotient.classes_id(edge.target));
    let FollowScratch { tuple, varied, chosen, seen, .. } = scratch;
    let classes = quotient.alike.get(here);
    let alone = |(sort, &element): (&Option<SortId>, &u64)| {
        sort.is_none_or(|sort| classes.size(sort, classes.lead(sort, element as u32)) == 1)
    };
    if sorts.iter().zip(tuple.iter()).all(alone) {
        varied.extend_from_slice(tuple);
        return;
    }
    let back = quotient.annotations.inverse(edge.annotation);
    chosen.clear();
    let variation = Variation { quotient, sorts, tuple, edge, back, here, there };
    variation.extend(chosen, seen, varied);
}

/// What is needed to vary a tuple.
struct Variation<'v, 's> {
    quotient: &'v Quotient<'s>,
    sorts: &'v [Option<SortId>],
    tuple: &'v [u64],
    edge: OrbitEdge,
    /// Names of the state that the edge leads to, to names of its representative.
    back: AnnotationId,
    here: ClassesId,
    there: ClassesId,
}

impl Variation<'_, '_> {
    /// All ways to go on after what is chosen.
    fn extend(&self, chosen: &mut Vec<u64>, seen: &mut Vec<u32>, out: &mut Vec<u64>) {
        let at = chosen.len();
        let Some(&element) = self.tuple.get(at) else {
            out.extend_from_slice(chosen);
            return;
        };
        let same = |j: &usize| self.sorts[*j] == self.sorts[at] && self.tuple[*j] == element;
        let fixed = match self.sorts[at] {
            None => Some(element),
            Some(_) => (0..at).find(same).map(|j| chosen[j]),
        };
        if let Some(fixed) = fixed {
            chosen.push(fixed);
            self.extend(chosen, seen, out);
            chosen.pop();
            return;
        }
        let sort = self.sorts[at].expect("others are fixed");
        let alike = &self.quotient.alike;
        let (here, there) = (alike.get(self.here), alike.get(self.there));
        let taken = |member: u32, chosen: &[u64]| {
            let mut before = chosen.iter().zip(self.sorts);
            before.any(|(&it, its)| *its == Some(sort) && it == u64::from(member))
        };
        // What a member that is not mentioned is like after the edge.
        let after = |member: u32| {
            let mentioned = self.quotient.labels.mentions(self.edge.label, sort, member);
            (!mentioned).then(|| there.lead(sort, self.quotient.annotations.image(self.back, sort, member)))
        };
        let first = seen.len();
        for member in here.class(sort, here.lead(sort, element as u32)) {
            if taken(member, chosen) {
                continue;
            }
            if let Some(like) = after(member) {
                if seen[first..].contains(&like) {
                    continue;
                }
                seen.push(like);
            }
            let tried = seen.len();
            chosen.push(u64::from(member));
            self.extend(chosen, seen, out);
            chosen.pop();
            seen.truncate(tried);
        }
        seen.truncate(first);
    }
}

/// A tuple in the names of the representative that an edge leads to.
fn carry_along(
    quotient: &mut Quotient<'_>,
    action: &Action<'_>,
    tracked: &[&Binder],
    sorts: &[Option<SortId>],
    annotation: AnnotationId,
    tuple: &[u64],
    out: &mut Vec<u64>,
) {
    let back = quotient.annotations.inverse(annotation);
    out.clear();
    let annotations = &quotient.annotations;
    out.extend(tuple.iter().zip(sorts).zip(tracked).map(|((&number, sort), binder)| match sort {
        Some(sort) => u64::from(annotations.image(back, *sort, number as u32)),
        None => annotations.get(back).map_or(number, |it| action.number(&it.permutation, binder.ty, number)),
    }));
}

/// Makes a tuple the least that symmetries of an orbit's representative make of it. The annotation leads
/// from there back to the tuple as it was.
fn make_least(
    quotient: &mut Quotient<'_>,
    orbit: NodeId,
    sorts: &[Option<SortId>],
    tuple: &mut [u64],
    named: &mut Vec<(SortId, u32, u32)>,
) -> AnnotationId {
    let classes = quotient.classes_id(orbit);
    let pairs = sorts.iter().zip(tuple.iter()).filter_map(|(sort, &number)| Some(((*sort)?, number as u32)));
    least_names_into(quotient.alike.get(classes), pairs, named);
    if named.iter().all(|&(_, from, to)| from == to) {
        return AnnotationId::IDENTITY;
    }
    for (sort, number) in sorts.iter().zip(tuple) {
        if let Some(sort) = sort {
            let name = named.iter().find(|&&(its, from, _)| its == *sort && u64::from(from) == *number);
            *number = u64::from(name.expect("every element is named").2);
        }
    }
    let least = quotient.annotations.carry(named);
    quotient.annotations.inverse(least)
}
