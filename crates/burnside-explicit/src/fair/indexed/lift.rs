//! From indexed nodes to original states and back.
//!
//! Entry points: [`IndexedQuotient::concrete`], the steps of an original state, and
//! [`IndexedQuotient::locate`], the indexed node of one. What is tracked moves with the state.

use super::{AnnotatedNode, IndexedQuotient, Tracked};
use crate::fair::interned::AnnotationId;
use crate::store::NodeId;
use burnside_limits::{Stop, poll};
use burnside_trace::Step;
use burnside_ts::{Binder, Permutation};

/// A step from an original state, the state reached, its orbit and the annotation from the representative's
/// names.
pub(crate) type ConcreteStep = (Step, Box<[u64]>, NodeId, AnnotationId);

impl IndexedQuotient<'_> {
    /// The steps of an original state.
    pub fn concrete(&mut self, state: &[u64]) -> Result<Vec<ConcreteStep>, Stop> {
        let mut reached = Vec::new();
        self.quotient.borrow_mut().visit_state(state, |label, next, orbit, annotation| {
            reached.push((Step::from(label), next.into(), orbit, annotation));
        })?;
        Ok(reached)
    }

    /// The node of an original state while a tuple is tracked, and the annotation from its names to these.
    pub fn locate(&mut self, state: &[u64], tuple: &[u64]) -> Result<AnnotatedNode, Stop> {
        poll();
        let (orbit, annotation) = self.quotient.borrow_mut().node_of(state)?;
        self.follow(orbit, annotation, &Tracked { tuple: tuple.to_vec(), position: None }, None)
    }

    /// What is tracked, moved.
    pub fn moved(&self, permutation: Option<&Permutation>, tracked: &Tracked) -> Tracked {
        let Some(permutation) = permutation else { return tracked.clone() };
        let position = tracked.position.as_ref().map(|position| {
            let mut moved = position.clone();
            for (sort, _) in &self.movable {
                let images = moved.images[sort.index()].iter_mut();
                images.for_each(|image| *image = permutation.image(*sort, *image));
            }
            moved
        });
        Tracked { tuple: self.moved_tuple(Some(permutation), &tracked.tuple), position }
    }

    /// A tuple of tracked elements, moved.
    pub fn moved_tuple(&self, permutation: Option<&Permutation>, tuple: &[u64]) -> Vec<u64> {
        let Some(permutation) = permutation else { return tuple.to_vec() };
        let moved = |(binder, &number): (&&Binder, &u64)| self.action.number(permutation, binder.ty, number);
        self.tracked.iter().zip(tuple).map(moved).collect()
    }
}
