//! Where runs start: initial orbits with each tuple of tracked elements, and each position, up to symmetry.
//!
//! Entry points: [`IndexedQuotient::initial`], [`IndexedQuotient::initial_at`] if the automaton's names are
//! moved, and [`IndexedQuotient::extensions`], which adds one more tracked element to a node.

use super::{AnnotatedNode, AutomatonMove, IndexedNodeId, IndexedQuotient, Tracked};
use crate::fair::interned::AnnotationId;
use crate::fair::{groupoid, position};
use crate::store::NodeId;
use burnside_limits::{Large, Stop, poll};
use burnside_ts::{Classes, Permutation};
use foldhash::HashSet;
use std::sync::Arc;

/// More initial tuples, or positions, than this are refused.
const MOST_TUPLES: usize = 1 << 20;

impl<'s> IndexedQuotient<'s> {
    /// Where runs start: an initial representative, and each tuple up to its symmetries.
    pub fn initial(&mut self) -> Result<Vec<IndexedNodeId>, Stop> {
        let mut found = Vec::new();
        let orbits = self.quotient.borrow().initial().to_vec();
        for orbit in orbits {
            self.touched.add(orbit);
            for tuple in self.tuples_in(orbit, Vec::new())? {
                found.push(self.nodes.insert(orbit, &Tracked { tuple, position: None })?);
            }
        }
        Ok(found)
    }

    /// Where runs start if the automaton starts in a state of some class: an initial representative, each
    /// tuple up to its symmetries and each position up to those that are left.
    pub fn initial_at(&mut self, automaton: AutomatonMove<'_>) -> Result<Vec<IndexedNodeId>, Stop> {
        // The state of the automaton is the one that stands for the class: no arrow.
        let automaton = AutomatonMove { target: automaton.groupoid.lead(automaton.target), ..automaton };
        let mut found = Vec::new();
        let mut known = HashSet::default();
        let orbits = self.quotient.borrow().initial().to_vec();
        for orbit in orbits {
            self.touched.add(orbit);
            for tuple in self.tuples_in(orbit, Vec::new())? {
                let most = MOST_TUPLES - found.len();
                for position in self.positions(orbit, &tuple, automaton, most)? {
                    let tracked = Tracked { tuple: tuple.clone(), position: Some(position) };
                    let (node, _) = self.follow(orbit, AnnotationId::IDENTITY, &tracked, Some(automaton))?;
                    if known.insert(node) {
                        found.push(node);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The nodes of an orbit of a node of another indexed quotient, over the same quotient with one tracked
    /// name less: all values of the last name, each up to the symmetries that leave the state and the others
    /// alone, with the annotation from its names to those of the given node.
    pub fn extensions(
        &mut self,
        outer: &IndexedQuotient<'s>,
        node: IndexedNodeId,
    ) -> Result<Vec<AnnotatedNode>, Stop> {
        let (orbit, start) = (outer.orbit(node), outer.tracked_at(node).tuple);
        let mut found = Vec::new();
        for tuple in self.tuples_in(orbit, start)? {
            found.push(self.follow(
                orbit,
                AnnotationId::IDENTITY,
                &Tracked { tuple, position: None },
                None,
            )?);
        }
        Ok(found)
    }

    /// The same nodes, appended, without annotations.
    pub fn extended(
        &mut self,
        outer: &IndexedQuotient<'s>,
        node: IndexedNodeId,
        out: &mut Vec<IndexedNodeId>,
    ) -> Result<(), Stop> {
        let orbit = outer.orbit(node);
        if let ([Some(sort)], true) = (&self.sorts[..], self.state_symmetry) {
            // The least member of each class: each tuple is canonical as it is.
            let quotient = &mut *self.quotient.borrow_mut();
            let classes = quotient.classes_id(orbit);
            for &lead in quotient.alike.get(classes).leads(*sort) {
                out.push(self.nodes.insert_tuple(orbit, &[u64::from(lead)])?);
            }
        } else {
            let found = self.extensions(outer, node)?;
            out.extend(found.into_iter().map(|(node, _)| node));
        }
        Ok(())
    }

    /// The positions of the automaton's names in a representative, at most so many.
    fn positions(
        &mut self,
        orbit: NodeId,
        tuple: &[u64],
        automaton: AutomatonMove<'_>,
        most: usize,
    ) -> Result<Vec<Permutation>, Stop> {
        let classes = self.orbit_classes(orbit);
        let classes = self.isolated(classes, tuple);
        let identity = Permutation::identity(&self.system.types);
        let blocks = automaton.groupoid.blocks(automaton.target);
        let free: Vec<Vec<Vec<u32>>> =
            self.movable.iter().map(|(_, sort_group)| groupoid::blocks_of(sort_group).to_vec()).collect();
        let positions = position::positions(Some(&*classes), blocks, &free, &identity, most);
        let mut positions = positions.ok_or(Stop::TooLarge(Large::Tuples))?;
        for (sort, sort_group) in &self.movable {
            let turned = positions.iter().flat_map(|it| groupoid::rotated(it, *sort, sort_group));
            positions = turned.take(most + 1).collect();
            if positions.len() > most {
                return Err(Stop::TooLarge(Large::Tuples));
            }
        }
        Ok(positions)
    }

    /// All tuples that begin in some way, up to the symmetries of a representative.
    fn tuples_in(&mut self, orbit: NodeId, mut start: Vec<u64>) -> Result<Vec<Vec<u64>>, Stop> {
        let classes = self.state_symmetry.then(|| self.orbit_classes(orbit));
        let mut tuples = Vec::new();
        self.tuples(classes.as_ref(), &mut start, &mut tuples)?;
        Ok(tuples)
    }

    fn tuples(
        &self,
        classes: Option<&Arc<Classes>>,
        start: &mut Vec<u64>,
        out: &mut Vec<Vec<u64>>,
    ) -> Result<(), Stop> {
        poll();
        let Some(binder) = self.tracked.get(start.len()) else {
            if out.len() == MOST_TUPLES {
                return Err(Stop::TooLarge(Large::Tuples));
            }
            out.push(start.clone());
            return Ok(());
        };
        let numbers: Vec<u64> = match (self.sorts[start.len()], classes) {
            (Some(sort), Some(classes)) => {
                let mine = self.sorts.iter().zip(start.iter());
                let mine = mine.filter(|(its, _)| **its == Some(sort)).map(|(_, &number)| number as u32);
                let mut taken: Vec<u32> = mine.collect();
                let fresh = |&lead: &u32| classes.class(sort, lead).find(|element| !taken.contains(element));
                let fresh: Vec<u32> = classes.leads(sort).iter().filter_map(fresh).collect();
                taken.extend(fresh);
                taken.sort_unstable();
                taken.dedup();
                taken.into_iter().map(u64::from).collect()
            }
            _ => (0..self.system().types.size(binder.ty).expect("tracked names are numbered")).collect(),
        };
        for number in numbers {
            start.push(number);
            self.tuples(classes, start, out)?;
            start.pop();
        }
        Ok(())
    }
}
