//! Steps of indexed nodes.
//!
//! Entry points: [`IndexedQuotient::successors`], and [`IndexedQuotient::steps`] where the automaton moves
//! along. Of the steps that symmetries of the node make alike one is followed. Whoever counts executions must
//! join the units that these symmetries swap.
//!
//! Mostly no step is executed for an indexed node: the edges of its orbit, found once, are those of all
//! tuples. Let `e` be an edge of the orbit, and `l` the tuple of the node. What symmetries of the state make
//! of `e` are steps of the node too, and all its steps arise so; the step `μ·e` of `(s, l)` is the step `e`
//! of `(s, μ⁻¹·l)`. So each edge is followed with every tuple `l'` that these symmetries make of `l`, and `μ`
//! becomes part of the annotation. The edges with one label are all outcomes of a rule instance, so
//! symmetries that leave the label alone permute them: of tuples that such a symmetry makes alike one is
//! enough. Two members are alike for a label if they are so in the state and the label mentions neither.
//!
//! Where edges are dropped and where not. For the state alone all but one of those alike are dropped, in
//! linear and branching time. For a node with a tuple that would be wrong: a step of a member that is like
//! the tracked one is another step than that of the tracked one. That is why the tuple is varied. The
//! two-phase method drops none, since its threads follow every unit by itself, and positions of an
//! automaton's names have steps of their own, since they leave fewer members alike than the state does.

use super::executed::ExecutedUnits;
use super::{IndexedNodeId, IndexedQuotient, UnitSetId, least_names_into};
use crate::edges::{LabelId, OrbitEdge};
use crate::fair::interned::AnnotationId;
use crate::fair::position::Blocks;
use crate::quotient::{Quotient, Reached};
use crate::store::NodeId;
use burnside_limits::{Stop, poll};
use burnside_trace::Step;
use burnside_ts::{Action, Binder, Classes, Label, SortId, StepFilter};

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
            (true, false) if quotient.is_outside(orbit)? => Steps::OnlyFaults,
            (true, false) => Steps::None,
        };
        self.faulted |= span.faults;
        nodes.tuple_into(node, &mut scratch.tuple);
        // Without orbits nothing moves.
        let is_fixed = scratch.tuple.is_empty() || !quotient.is_reduced();
        let alone = is_fixed || quotient.are_alone(orbit, sorts, &scratch.tuple);
        for i in span.edges {
            let OrbitEdge { target, annotation, label } = quotient.arena.edges[i];
            touched.add(target);
            if is_fixed {
                let (target, moved) = (nodes.insert_tuple(target, &scratch.tuple)?, AnnotationId::IDENTITY);
                each(units, action, quotient, FollowedEdge { target, label, moved, annotation });
                continue;
            }
            scratch.varied.clear();
            match alone {
                true => scratch.varied.extend_from_slice(&scratch.tuple),
                false => vary(quotient, orbit, label, sorts, scratch),
            }
            let width = scratch.tuple.len();
            for at in (0..scratch.varied.len()).step_by(width) {
                let FollowScratch { tuple, varied, there, named, .. } = scratch;
                let chosen = &varied[at..at + width];
                let mut moved = AnnotationId::IDENTITY;
                if chosen != &tuple[..] {
                    named.clear();
                    let pairs = chosen.iter().zip(tuple.iter()).zip(sorts.iter());
                    named.extend(pairs.filter_map(|((&a, &b), sort)| Some(((*sort)?, a as u32, b as u32))));
                    moved = quotient.annotations.carry(named);
                }
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
        self.visit(node, blocks, |units, label, changes, orbit, annotation| {
            out.push(QuotientStep { orbit, annotation, executed: units.executed(label, changes) });
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
        self.visit(node, blocks, |_, label, _, _, _| labels.push(Step::from(label)))?;
        Ok(labels)
    }

    fn visit(
        &mut self,
        node: IndexedNodeId,
        blocks: Option<&Blocks>,
        mut each: impl FnMut(&mut ExecutedUnits<'s>, Label<'_>, bool, NodeId, AnnotationId),
    ) -> Result<Steps, Stop> {
        let classes = self.classes_of(node, blocks);
        let orbit = self.orbit(node);
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        let Self { quotient, units, touched, .. } = self;
        let (mut count, mut faults) = (0, 0);
        let full = quotient.borrow_mut().visit(orbit, filter, |label, reached| match reached {
            Reached::Fault(_) => faults += 1,
            Reached::Node { node, annotation, changes } => {
                count += 1;
                touched.add(node);
                each(units, label, changes, node, annotation);
            }
        })?;
        self.transitions += count;
        self.faulted |= faults > 0;
        match full {
            Some(full) => Err(full),
            None if count > 0 => Ok(Steps::Some),
            None if faults > 0 || quotient.borrow_mut().is_outside(orbit)? => Ok(Steps::OnlyFaults),
            None => Ok(Steps::None),
        }
    }
}

/// The tuples that symmetries of a representative make of one, up to those that leave a label alone.
fn vary(
    quotient: &mut Quotient<'_>,
    orbit: NodeId,
    label: LabelId,
    sorts: &[Option<SortId>],
    scratch: &mut FollowScratch,
) {
    let classes = quotient.classes_id(orbit);
    let FollowScratch { tuple, varied, chosen, .. } = scratch;
    chosen.clear();
    let classes = quotient.alike.get(classes);
    let mentioned = |sort, member| quotient.labels.mentions(label, sort, member);
    Variation { classes, mentioned, sorts, tuple }.extend(chosen, varied);
}

/// What is needed to vary a tuple.
struct Variation<'v, M> {
    classes: &'v Classes,
    mentioned: M,
    sorts: &'v [Option<SortId>],
    tuple: &'v [u64],
}

impl<M: Fn(SortId, u32) -> bool> Variation<'_, M> {
    /// All ways to go on after what is chosen.
    fn extend(&self, chosen: &mut Vec<u64>, out: &mut Vec<u64>) {
        let at = chosen.len();
        let Some(&element) = self.tuple.get(at) else {
            out.extend_from_slice(chosen);
            return;
        };
        let mut go_on = |element: u64, chosen: &mut Vec<u64>| {
            chosen.push(element);
            self.extend(chosen, out);
            chosen.pop();
        };
        let Some(sort) = self.sorts[at] else { return go_on(element, chosen) };
        let same = |j: &usize| self.sorts[*j] == Some(sort) && self.tuple[*j] == element;
        if let Some(j) = (0..at).find(same) {
            return go_on(chosen[j], chosen);
        }
        let mut fresh = false;
        for member in self.classes.class(sort, self.classes.lead(sort, element as u32)) {
            let mut before = chosen.iter().zip(self.sorts);
            if before.any(|(&it, its)| *its == Some(sort) && it == u64::from(member)) {
                continue;
            }
            let mentioned = (self.mentioned)(sort, member);
            if mentioned || !fresh {
                fresh |= !mentioned;
                go_on(u64::from(member), chosen);
            }
        }
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
    if let ([Some(sort)], [element]) = (sorts, &mut *tuple) {
        let (from, to) = (*element as u32, quotient.alike.get(classes).lead(*sort, *element as u32));
        *element = u64::from(to);
        return quotient.annotations.swap(*sort, from, to);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_ts::{SortKind, Types};
    use std::collections::BTreeSet;

    const SIZE: u32 = 4;
    const SORT: SortId = SortId(0);

    fn permutations() -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for _ in 0..SIZE {
            let longer = |images: &Vec<u64>| {
                let images = images.clone();
                let left: Vec<u64> = (0..u64::from(SIZE)).filter(|it| !images.contains(it)).collect();
                left.into_iter().map(move |it| [&images[..], &[it]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    /// For all partitions of four members, all sets of mentioned ones and all tuples of up to three: of what
    /// symmetries of the state make of a tuple, one for each orbit of those that leave the label alone.
    #[test]
    fn tuples_are_varied_up_to_symmetries_of_the_label() {
        let mut types = Types::new();
        types.declare_sort("S", SIZE, SortKind::Symmetric).expect("the first");
        let mut cases = 0;
        for colours in 0..SIZE.pow(SIZE) {
            let colour = |member: u64| colours / SIZE.pow(member as u32) % SIZE;
            let parts: Vec<Vec<u32>> = (0..SIZE)
                .map(|it| (0..SIZE).filter(|&member| colour(u64::from(member)) == it).collect::<Vec<u32>>())
                .filter(|part| !part.is_empty())
                .collect();
            let mut classes = Classes::discrete(&types);
            classes.partition(SORT, parts.iter().map(Vec::as_slice));
            let of_state: Vec<Vec<u64>> = permutations()
                .into_iter()
                .filter(|images| (0..).zip(images).all(|(member, &image)| colour(member) == colour(image)))
                .collect();
            for mentioned in 0..1u32 << SIZE {
                let is_mentioned = |member: u32| mentioned >> member & 1 == 1;
                let of_label = |images: &&Vec<u64>| {
                    (0..SIZE).all(|it| !is_mentioned(it) || images[it as usize] == u64::from(it))
                };
                for width in 1..=3 {
                    for tuple in 0..u64::from(SIZE).pow(width) {
                        let tuple: Vec<u64> =
                            (0..width).map(|i| tuple / u64::from(SIZE).pow(i) % u64::from(SIZE)).collect();
                        let moved = |images: &Vec<u64>, tuple: &[u64]| -> Vec<u64> {
                            tuple.iter().map(|&it| images[it as usize]).collect()
                        };
                        let orbit: BTreeSet<Vec<u64>> =
                            of_state.iter().map(|images| moved(images, &tuple)).collect();
                        let sorts = vec![Some(SORT); width as usize];
                        let mentions = |_, member| is_mentioned(member);
                        let variation = Variation {
                            classes: &classes,
                            mentioned: mentions,
                            sorts: &sorts,
                            tuple: &tuple,
                        };
                        let mut found = Vec::new();
                        variation.extend(&mut Vec::new(), &mut found);
                        let mut reached: Vec<Vec<u64>> = Vec::new();
                        for varied in found.chunks(width as usize) {
                            let alike = of_state.iter().filter(of_label).map(|images| moved(images, varied));
                            reached.extend(alike.collect::<BTreeSet<_>>());
                        }
                        let all = reached.len();
                        assert_eq!(reached.into_iter().collect::<BTreeSet<_>>(), orbit);
                        assert_eq!(all, orbit.len(), "two of them are alike");
                        cases += 1;
                    }
                }
            }
        }
        assert_eq!(cases, 256 * 16 * (4 + 16 + 64));
    }
}
