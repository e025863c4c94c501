//! Steps of indexed nodes.
//!
//! Entry points: [`IndexedQuotient::successors`], and [`IndexedQuotient::steps`] where the automaton moves
//! along. Of the steps that symmetries of the node make alike one is followed. Whoever counts executions must
//! join the units that these symmetries swap.

use super::executed::ExecutedUnits;
use super::{IndexedNodeId, IndexedQuotient, UnitSetId};
use crate::fair::annotation::Annotation;
use crate::fair::position::Blocks;
use crate::quotient::EdgeTarget;
use crate::store::NodeId;
use burnside_limits::Stop;
use burnside_trace::Step;
use burnside_ts::{Label, Permutation, StepFilter};
use std::rc::Rc;

/// A step from an indexed node.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    /// Where it leads.
    pub target: IndexedNodeId,
    /// Whom it executes, in the names of the source.
    pub executed: UnitSetId,
    /// Names of the target to names of the source; none: the identity.
    pub annotation: Option<Rc<Annotation>>,
}

/// A step from an indexed node as the quotient has it: what is tracked is not yet carried along.
#[derive(Clone, Debug)]
pub(crate) struct QuotientStep {
    /// Where it leads.
    pub orbit: NodeId,
    /// Names there to names here; none: the identity.
    pub permutation: Option<Box<Permutation>>,
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

impl<'s> IndexedQuotient<'s> {
    /// The steps of a node, appended. Always in the same order.
    pub fn successors(&mut self, node: IndexedNodeId, out: &mut Vec<Successor>) -> Result<Steps, Stop> {
        let mut found = std::mem::take(&mut self.steps);
        found.clear();
        let steps = self.steps(node, None, &mut found)?;
        let tracked = self.tracked_at(node);
        for QuotientStep { orbit, permutation, executed } in found.drain(..) {
            let (target, annotation) = self.follow(orbit, permutation, &tracked, None)?;
            out.push(Successor { target, executed, annotation });
        }
        self.steps = found;
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
        self.visit(node, blocks, |units, label, orbit, permutation| {
            out.push(QuotientStep { orbit, permutation, executed: units.executed(label) });
        })
    }

    /// The labels of the steps of a node, in the order of its successors.
    pub fn labels(&mut self, node: IndexedNodeId, blocks: Option<&Blocks>) -> Result<Vec<Step>, Stop> {
        let mut labels = Vec::new();
        self.visit(node, blocks, |_, label, _, _| labels.push(Step::from(label)))?;
        Ok(labels)
    }

    fn visit(
        &mut self,
        node: IndexedNodeId,
        blocks: Option<&Blocks>,
        mut each: impl FnMut(&mut ExecutedUnits<'s>, Label<'_>, NodeId, Option<Box<Permutation>>),
    ) -> Result<Steps, Stop> {
        let classes = self.classes_of(node, blocks);
        let orbit = self.orbit(node);
        let filter = classes.as_ref().map_or(StepFilter::All, StepFilter::Distinct);
        let Self { quotient, units, .. } = self;
        let (mut count, mut faults) = (0, 0);
        let full = quotient.borrow_mut().visit(orbit, filter, |label, target| match target {
            EdgeTarget::Fault(_) => faults += 1,
            EdgeTarget::Node(orbit, permutation) => {
                count += 1;
                each(units, label, orbit, permutation);
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
