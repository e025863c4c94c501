//! The canonical indexed node that a step of the quotient leads to.
//!
//! Entry point: [`IndexedQuotient::follow`]. The tracked elements are taken along by the inverse of the
//! step's permutation; then symmetries of the state make their tuple least. If the automaton's names are
//! moved, the arrow of its groupoid and the position are made canonical after that, by blocks and classes or,
//! where these do not say everything, by trying all permutations. What was done to the names on the way is
//! part of the annotation.

use super::{AnnotatedNode, IndexedNodeId, IndexedQuotient, Tracked};
use crate::fair::annotation::{Annotation, MarkPermutation};
use crate::fair::groupoid::{self, Groupoid};
use crate::fair::interned::AnnotationId;
use crate::fair::position::{self, Blocks};
use crate::store::NodeId;
use burnside_limits::{Stop, poll};
use burnside_ts::{Classes, Permutation, SortGroup, SortId, Types, bits};
use std::rc::Rc;

/// A move of the automaton, if its names are moved along: to a state, as seen from the one that stands for
/// its class.
#[derive(Clone, Copy)]
pub(crate) struct AutomatonMove<'g> {
    pub groupoid: &'g Groupoid,
    /// The state that it moves to.
    pub target: usize,
}

impl AutomatonMove<'_> {
    /// The state that stands for the class of the target.
    fn lead(&self) -> usize {
        self.groupoid.lead(self.target)
    }
}

/// A canonical position, the permutation of members that leads to it, and what that does to acceptance sets.
struct CanonicalPosition {
    position: Permutation,
    left: Permutation,
    marks: MarkPermutation,
}

impl IndexedQuotient<'_> {
    /// The node that a step of the quotient leads to, while the automaton moves if its names are moved along,
    /// and the annotation from its names.
    pub fn follow(
        &mut self,
        orbit: NodeId,
        annotation: AnnotationId,
        tracked: &Tracked,
        automaton: Option<AutomatonMove<'_>>,
    ) -> Result<AnnotatedNode, Stop> {
        poll();
        let annotated = |permutation: Option<Permutation>| {
            permutation.map(|permutation| Rc::new(Annotation::from(permutation)))
        };
        let known = self.annotation_of(annotation);
        if tracked.tuple.is_empty() && tracked.position.is_none() {
            return Ok((IndexedNodeId(orbit.0), known));
        }
        let mut permutation = known.map(|known| known.permutation.clone());
        let mut there =
            self.moved(permutation.as_ref().map(|permutation| permutation.inverse()).as_ref(), tracked);
        let classes = self.orbit_classes(orbit);
        if self.state_symmetry
            && let Some(least) = self.least(&classes, &there.tuple)
        {
            there = self.moved(Some(&least), &there);
            permutation = after(permutation, least.inverse());
        }
        let (Some(position), Some(automaton)) = (there.position.take(), automaton) else {
            return Ok((self.nodes.insert(orbit, &there)?, annotated(permutation)));
        };
        let arrow = automaton.groupoid.arrow(automaton.target);
        let position = position.after(&arrow.permutation);
        let canonical = match self.position_by_trying(orbit, &there.tuple, automaton, &position) {
            Some(canonical) => canonical,
            None => {
                // Positions are canonical in any case: without that there would be more of them than states.
                let classes = self.isolated(classes, &there.tuple);
                position_by_classes(&classes, automaton, &position)
            }
        };
        if !canonical.left.is_identity() {
            permutation = after(permutation, canonical.left.inverse());
        }
        there.position = Some(canonical.position);
        let annotation = self.annotation(permutation, arrow.marks.after(&canonical.marks));
        Ok((self.nodes.insert(orbit, &there)?, annotation.map(Rc::new)))
    }

    /// The canonical position by trying all permutations; none if classes and blocks say everything.
    fn position_by_trying(
        &mut self,
        orbit: NodeId,
        tuple: &[u64],
        automaton: AutomatonMove<'_>,
        position: &Permutation,
    ) -> Option<CanonicalPosition> {
        poll();
        self.listed.as_ref()?;
        let (groupoid, lead) = (automaton.groupoid, automaton.lead());
        let members = self.stabiliser(orbit);
        if members.is_none() && groupoid.listed(lead).is_none() {
            return None;
        }
        let all = self.listed.clone().unwrap_or_default();
        let members: Vec<Permutation> = match members {
            Some(members) => members.to_vec(),
            None => {
                let classes = self.orbit_classes(orbit);
                let inside = |permutation: &&Permutation| {
                    let keeps = |(sort, _): &(SortId, SortGroup)| {
                        let images = permutation.images[sort.index()].iter().enumerate();
                        images
                            .into_iter()
                            .all(|(i, &to)| classes.lead(*sort, i as u32) == classes.lead(*sort, to))
                    };
                    self.movable.iter().all(keeps)
                };
                all.iter().filter(inside).cloned().collect()
            }
        };
        let members: Vec<Permutation> = members
            .into_iter()
            .filter(|permutation| self.moved_tuple(Some(permutation), tuple) == tuple)
            .collect();
        let names: Vec<Permutation> = match groupoid.listed(lead) {
            Some(listed) => listed.iter().map(|arrow| arrow.permutation.clone()).collect(),
            None => all.into_iter().filter(|permutation| groupoid.blocks(lead).keep(permutation)).collect(),
        };
        let (position, left, right) = position::least(&members, &names, position);
        let marks = match groupoid.listed(lead) {
            Some(listed) => listed[right].marks.clone(),
            None => groupoid.marks(lead, &names[right]),
        };
        Some(CanonicalPosition { position, left: members[left].clone(), marks })
    }

    /// The permutations that leave the representative of an orbit alone, if there are others than those
    /// inside its classes.
    fn stabiliser(&mut self, orbit: NodeId) -> Option<Rc<[Permutation]>> {
        if let Some(known) = self.stabilisers.get(&orbit) {
            return known.clone();
        }
        let state = self.quotient.borrow().state(orbit).to_vec();
        let padded = [&*state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        let mut stays = |permutation: &&Permutation| {
            self.action.state(permutation, &padded, &mut moved);
            moved[..state.len()] == state
        };
        let found: Vec<Permutation> =
            self.listed.iter().flatten().filter(|permutation| stays(permutation)).cloned().collect();
        let classes = self.orbit_classes(orbit);
        let lead = |(sort, _): &(SortId, SortGroup)| {
            let size = self.system.types.sort(*sort).size;
            (0..size).map(|member| classes.lead(*sort, member)).collect()
        };
        let sorts = self.movable.iter().map(|(sort, _)| *sort).collect();
        let blocks = Blocks { sorts, lead: self.movable.iter().map(lead).collect() };
        let more = (found.len() > groupoid::order_within(&blocks)).then(|| found.into());
        self.stabilisers.insert(orbit, more.clone());
        more
    }

    /// A permutation (none: the identity) with a permutation of acceptance sets.
    fn annotation(&self, permutation: Option<Permutation>, marks: MarkPermutation) -> Option<Annotation> {
        if permutation.is_none() && marks.is_identity() {
            return None;
        }
        let permutation = permutation.unwrap_or_else(|| Permutation::identity(&self.system.types));
        Some(Annotation { permutation, marks })
    }

    /// The symmetry of a state that makes a tuple least; none: it is.
    fn least(&self, classes: &Classes, tuple: &[u64]) -> Option<Permutation> {
        poll();
        let pairs =
            self.sorts.iter().zip(tuple).filter_map(|(sort, &number)| Some(((*sort)?, number as u32)));
        let wanted = least_names(classes, pairs);
        carry(&self.system().types, &wanted)
    }
}

/// The canonical position if swaps inside classes and blocks are all that there is.
fn position_by_classes(
    classes: &Classes,
    automaton: AutomatonMove<'_>,
    position: &Permutation,
) -> CanonicalPosition {
    let (groupoid, lead) = (automaton.groupoid, automaton.lead());
    let representative = position::coset_representative(Some(classes), groupoid.blocks(lead), position);
    let marks = groupoid.marks(lead, &representative.right);
    CanonicalPosition { position: representative.position, left: representative.left, marks }
}

/// First the second, then the first; none is the identity.
fn after(first: Option<Permutation>, second: Permutation) -> Option<Permutation> {
    Some(match first {
        None => second,
        Some(first) => first.after(&second),
    })
}

/// For elements in some order: the name each gets when every new one takes the least name of its class that
/// is left.
pub(crate) fn least_names(
    classes: &Classes,
    elements: impl Iterator<Item = (SortId, u32)>,
) -> Vec<(SortId, u32, u32)> {
    let mut named: Vec<(SortId, u32, u32)> = Vec::new();
    least_names_into(classes, elements, &mut named);
    named
}

/// The same, into a list.
pub(crate) fn least_names_into(
    classes: &Classes,
    elements: impl Iterator<Item = (SortId, u32)>,
    named: &mut Vec<(SortId, u32, u32)>,
) {
    named.clear();
    for (sort, element) in elements {
        if named.iter().any(|&(its, from, _)| (its, from) == (sort, element)) {
            continue;
        }
        let lead = classes.lead(sort, element);
        let free = |name: &u32| !named.iter().any(|&(its, _, to)| (its, to) == (sort, *name));
        let name = classes.class(sort, lead).find(free).expect("a class has a name for each of its members");
        named.push((sort, element, name));
    }
}

/// A permutation that takes elements to names of their classes and moves nothing outside these classes; none
/// if nothing moves.
pub(crate) fn carry(types: &Types, named: &[(SortId, u32, u32)]) -> Option<Permutation> {
    if named.iter().all(|&(_, from, to)| from == to) {
        return None;
    }
    let mut permutation = Permutation::identity(types);
    for &(sort, from, to) in named {
        let images = &mut permutation.images[sort.index()];
        let now = images[from as usize];
        let other = images.iter().position(|&image| image == to).expect("a permutation");
        images[from as usize] = to;
        images[other] = now;
    }
    Some(permutation)
}
