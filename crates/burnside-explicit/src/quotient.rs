//! The annotated quotient structure: orbits as nodes, and for each step from a representative an edge that
//! says which permutation leads from the representative of the target to the state that was really reached.
//!
//! Entry point: [`Quotient`]. Along a path with permutations `π1, π2, …` the original states are
//! `r0, π1·r1, π1·π2·r2, …`, and the label of step `k + 1` is the edge's label moved by `π1…πk`. Without a
//! group it is the state graph itself.
//!
//! Edges that a symmetry of the source makes redundant can be left out ([`EdgeReduction`]), and edges can be
//! kept in three ways ([`EdgeStorage`]). Follows Gyuris and Sistla; [`EdgeReduction::Distinct`] goes beyond
//! them.

mod kept;
mod reduced;

use crate::ahead::{Exploration, Explorers};
use crate::alike::{ClassTable, ClassesId};
use crate::canon::Canoniser;
use crate::edges::{EdgeArena, EdgeSpan, LabelId, Labels, OrbitEdge};
use crate::fair::{AnnotationId, Annotations};
use crate::orbits::profitable;
use crate::store::{Batch, Insert, Node, NodeId, Store};
use burnside_checkpoint::Keeping;
use burnside_limits::{Limits, Stop, poll};
use burnside_perm::Natural;
use burnside_trace::Step;
use burnside_ts::{
    AnyMachine, Binder, Classes, Expr, Fault, Label, Machine, Outcome, Permutation, SortId, StepFilter,
    Symmetry, System, Undefined, Walk,
};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Which steps of a representative become edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeReduction {
    /// All.
    All,
    /// Those of one process of each class of processes that can be swapped in the state.
    Executors,
    /// Of those, one of each class of rule instances that can be swapped in the state.
    Distinct,
}

/// How edges are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeStorage {
    /// Computed when first asked for, then kept.
    Stored,
    /// Computed whenever asked for: least memory.
    Recomputed,
    /// All computed at the start: for several properties of one model.
    Eager,
}

/// An edge from a representative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotientEdge {
    /// The step from the representative.
    pub step: Step,
    /// Where it leads.
    pub target: EdgeTarget,
}

/// Where an edge leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeTarget {
    /// To the state that the permutation (none: the identity) makes of the node's representative.
    Node(NodeId, Option<Box<Permutation>>),
    /// Nowhere.
    Fault(Fault),
}

/// Where a step of a representative leads.
pub(crate) enum Reached {
    /// To a state: its node, and the annotation from the node's representative to it.
    Node {
        node: NodeId,
        annotation: AnnotationId,
        /// Whether it is another state, as far as that matters to fairness.
        changes: bool,
    },
    /// Nowhere.
    Fault(Fault),
}

/// The part of the memory that edges may take before they are computed again and again.
const EDGES: u64 = 4;

/// The quotient of a system, unfolded on demand.
#[derive(Debug)]
pub struct Quotient<'s> {
    machine: AnyMachine<'s>,
    pub(crate) canoniser: Option<Canoniser<'s>>,
    pub(crate) store: Store,
    reduction: EdgeReduction,
    storage: EdgeStorage,
    stored: Vec<Option<Box<[QuotientEdge]>>>,
    initial: Vec<NodeId>,
    initial_fault: Option<Fault>,
    /// The state at hand.
    source: Vec<u64>,
    /// Its representative, or that of a state that it leads to.
    representative: Vec<u64>,
    /// What it leads to, before that is inserted.
    waiting: Batch,
    /// The permutations of edges.
    pub(crate) annotations: Annotations,
    /// The labels of edges.
    pub(crate) labels: Labels,
    /// Edges as searches for runs have them, after [`EdgeReduction::Distinct`].
    pub(crate) arena: EdgeArena,
    /// Which members are alike in representatives.
    pub(crate) alike: ClassTable,
    /// Sorts whose members count as not alike in [`Quotient::orbit_edges`].
    pub(crate) opaque: Vec<SortId>,
    /// Those who find edges before they are asked for, if there are several threads, and what they may do.
    pub(crate) explorers: Option<Box<Explorers<'s>>>,
    pub(crate) exploration: Exploration,
    /// When it is to be asked whether the group pays, if it still is: after so many orbits. And whether it
    /// may be asked now.
    weighed_at: Option<u32>,
    weighs: bool,
    /// The sorts of which members are tracked.
    tracked: Vec<SortId>,
    /// What is left of the group if a part of it does not pay.
    unprofitable: Option<Symmetry>,
    /// Where it is kept while it grows, if it is, and how much of it is there.
    keeping: Option<Keeping>,
    kept: Cell<(u32, usize)>,
}

impl<'s> Quotient<'s> {
    /// The quotient by a canoniser's group, or the state graph. Its initial nodes are found at once, with
    /// [`EdgeStorage::Eager`] everything.
    pub fn new(
        system: &'s System,
        canoniser: Option<Canoniser<'s>>,
        reduction: EdgeReduction,
        storage: EdgeStorage,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let maker = system.maker();
        let mut quotient = Self {
            machine: maker.machine(limits.interrupt.clone()),
            explorers: Explorers::new(maker, limits).map(Box::new),
            exploration: Exploration::None,
            weighed_at: canoniser.as_ref().and_then(Canoniser::weighed_at),
            weighs: false,
            tracked: Vec::new(),
            unprofitable: None,
            keeping: None,
            kept: Cell::default(),
            canoniser,
            store: Store::of_states(system, 0, limits),
            reduction,
            storage,
            stored: Vec::new(),
            initial: Vec::new(),
            initial_fault: None,
            source: Vec::new(),
            representative: vec![0; system.words()],
            waiting: Batch::new(system.words()),
            annotations: Annotations::new(&system.types),
            labels: Labels::new(system),
            arena: EdgeArena::new(limits.memory.unwrap_or(u64::MAX) / EDGES),
            alike: ClassTable::default(),
            opaque: Vec::new(),
        };
        quotient.find_initial()?;
        if storage == EdgeStorage::Eager {
            quotient.complete()?;
        }
        Ok(quotient)
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.machine.system()
    }

    /// The initial nodes.
    pub fn initial(&self) -> &[NodeId] {
        &self.initial
    }

    /// A fault of the initialisation.
    pub fn initial_fault(&self) -> Option<Fault> {
        self.initial_fault
    }

    /// How many nodes are known.
    pub fn len(&self) -> u32 {
        self.store.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.store.is_empty()
    }

    /// The representative of a node.
    pub fn state(&self, node: NodeId) -> Node<'_> {
        self.store.get(node)
    }

    /// The members that can be swapped in a node's representative.
    pub fn classes(&mut self, node: NodeId) -> Arc<Classes> {
        let types = &self.machine.system().types;
        match &mut self.canoniser {
            Some(canoniser) => canoniser.classes(&self.store.get(node)),
            None => Arc::new(Classes::discrete(types)),
        }
    }

    /// The edges of a node.
    pub fn edges(&mut self, node: NodeId) -> Result<Cow<'_, [QuotientEdge]>, Stop> {
        let i = node.0 as usize;
        if self.storage == EdgeStorage::Recomputed {
            return Ok(Cow::Owned(whole(self.compute(node)?)?));
        }
        if self.stored.len() <= i {
            self.stored.resize(i + 1, None);
        }
        if self.stored[i].is_none() {
            self.stored[i] = Some(whole(self.compute(node)?)?.into());
        }
        Ok(Cow::Borrowed(self.stored[i].as_deref().unwrap_or_default()))
    }

    /// The edges of a node as far as they fit: those to new nodes are left out if there is no room for these.
    pub fn edges_that_fit(&mut self, node: NodeId) -> Result<Vec<QuotientEdge>, Stop> {
        self.compute(node).map(|(edges, _)| edges)
    }

    /// How many edges a node has after a reduction.
    pub fn count_edges(&mut self, node: NodeId, reduction: EdgeReduction) -> Result<u64, Stop> {
        let state = self.store.get(node).to_vec();
        let classes = self.classes(node);
        let mut count = 0;
        let reduced = self.filter(reduction, &classes);
        let walk = self.machine.successors_filtered(&state, reduced, &mut |_: Label<'_>, _: Outcome<'_>| {
            count += 1;
            ControlFlow::Continue(())
        });
        if walk == Walk::Interrupted { Err(Stop::Interrupted) } else { Ok(count) }
    }

    /// Finds every node. Returns how many there are.
    pub fn complete(&mut self) -> Result<u32, Stop> {
        let mut next = 0;
        while next < self.store.len() {
            self.edges(NodeId(next))?;
            next += 1;
        }
        Ok(next)
    }

    /// How many original states the known orbits have; none if representatives are not exact.
    pub fn unreduced(&mut self) -> Option<Natural> {
        let Some(canoniser) = &mut self.canoniser else {
            return Some(Natural::from(u64::from(self.store.len())));
        };
        (0..self.store.len()).map(|id| canoniser.orbit(&self.store.get(NodeId(id)))).sum()
    }

    fn find_initial(&mut self) -> Result<(), Stop> {
        let Self { machine, canoniser, store, initial, initial_fault, representative, annotations, .. } =
            self;
        let mut full = None;
        let walk = machine.initial(&mut |outcome| match outcome {
            Outcome::State(state) => match add(store, canoniser, annotations, representative, state) {
                Ok((node, _)) => {
                    // Nodes are numbered in the order of discovery, and the initial ones come first.
                    if node.0 as usize == initial.len() {
                        initial.push(node);
                    }
                    ControlFlow::Continue(())
                }
                Err(limit) => {
                    full = Some(limit);
                    ControlFlow::Break(())
                }
            },
            Outcome::Fault(fault) => {
                initial_fault.get_or_insert(fault);
                ControlFlow::Continue(())
            }
        });
        ended(walk, full)
    }

    /// The edges of a node, and the limit that kept some of them out.
    fn compute(&mut self, node: NodeId) -> Result<(Vec<QuotientEdge>, Option<Stop>), Stop> {
        let classes = self.classes(node);
        let mut edges = Vec::new();
        let full = self.visit(node, self.filter(self.reduction, &classes), |label, reached| {
            edges.push((Step::from(label), reached));
        })?;
        let target = |reached| match reached {
            Reached::Fault(fault) => EdgeTarget::Fault(fault),
            Reached::Node { node, annotation, .. } => {
                let permutation = self.annotations.get(annotation).map(|it| Box::new(it.permutation.clone()));
                EdgeTarget::Node(node, permutation)
            }
        };
        let edges = edges.into_iter().map(|(step, reached)| QuotientEdge { step, target: target(reached) });
        Ok((edges.collect(), full))
    }

    /// Sorts whose members are not to be used as alike in [`Quotient::orbit_edges`]. To be said before these
    /// are asked for.
    pub(crate) fn set_opaque(&mut self, opaque: Vec<SortId>) {
        self.opaque = opaque;
    }

    /// The sorts whose members are not used as alike.
    pub(crate) fn opaque(&self) -> &[SortId] {
        &self.opaque
    }

    /// The members that are alike in a node's representative, but for those of opaque sorts.
    pub(crate) fn classes_id(&mut self, node: NodeId) -> ClassesId {
        if !self.is_reduced() {
            return match self.alike.of_node(NodeId(0)) {
                Some(id) => id,
                None => self.alike.note(NodeId(0), Arc::new(Classes::discrete(&self.system().types))),
            };
        }
        if let Some(id) = self.alike.of_node(node) {
            return id;
        }
        let mut classes = self.classes(node);
        for &sort in &self.opaque {
            Arc::make_mut(&mut classes).isolate_all(sort);
        }
        self.alike.note(node, classes)
    }

    /// Whether each of some elements is like no other in a node's representative.
    pub(crate) fn are_alone(&mut self, node: NodeId, sorts: &[Option<SortId>], tuple: &[u64]) -> bool {
        let classes = self.classes_id(node);
        let classes = self.alike.get(classes);
        sorts.iter().zip(tuple).all(|(sort, &element)| {
            sort.is_none_or(|sort| classes.size(sort, classes.lead(sort, element as u32)) == 1)
        })
    }

    /// The edges of a node in the arena: one of each class of rule instances that can be swapped in its
    /// representative. Every step of the representative is one of these, moved by a permutation that keeps
    /// each member in its class.
    pub(crate) fn orbit_edges(&mut self, node: NodeId) -> Result<EdgeSpan, Stop> {
        // Here and not where edges are missing: that depends on what was explored.
        self.weigh()?;
        if let Some(explorers) = &mut self.explorers {
            explorers.ask();
        }
        if let Some(span) = self.arena.get(node) {
            return Ok(span);
        }
        if self.exploration != Exploration::None {
            self.explore(node)?;
            if let Some(span) = self.arena.get(node) {
                return Ok(span);
            }
        }
        if !self.is_reduced() {
            return self.edges_of_state(node);
        }
        let classes = self.classes_id(node);
        let classes = self.alike.get(classes).clone();
        let filter = self.filter(EdgeReduction::Distinct, &classes);
        poll();
        let (system, mut faults) = (self.system(), false);
        let (mut walk, arena, labels) = self.walk();
        arena.open();
        let walked = walk.visit(node, filter, |label, reached| match reached {
            Reached::Fault(_) => faults = true,
            Reached::Node { node, annotation, changes } => {
                let label = labels.number(system, label, changes);
                arena.edges.push(OrbitEdge { target: node, annotation, label });
            }
        });
        match walked? {
            Some(full) => Err(full),
            None => Ok(arena.close(node, faults)),
        }
    }

    /// What a walk over steps needs, apart from where edges are put: unwinding leaves these in place.
    fn walk(&mut self) -> (StepWalk<'_, 's>, &mut EdgeArena, &mut Labels) {
        let Self { machine, canoniser, store, source, representative, annotations, arena, labels, .. } = self;
        (StepWalk { machine, canoniser, store, source, representative, annotations }, arena, labels)
    }

    /// The same without orbits: then all that the steps lead to is looked for together.
    fn edges_of_state(&mut self, node: NodeId) -> Result<EdgeSpan, Stop> {
        poll();
        let Self { machine, store, source, waiting, labels, arena, .. } = self;
        source.clear();
        source.extend_from_slice(&store.get(node));
        waiting.clear();
        let (system, from, mut faults) = (machine.system(), &source[..], false);
        let distinguishes = system.distinguishes_changes();
        let walk = machine.successors(from, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            match outcome {
                Outcome::Fault(_) => faults = true,
                Outcome::State(state) => {
                    let label = labels.number(system, label, !distinguishes || system.changes(from, state));
                    waiting.push(state, store.hash(state), label.0);
                }
            }
            ControlFlow::Continue(())
        });
        if walk == Walk::Interrupted {
            return Err(Stop::Interrupted);
        }
        store.touch(waiting.hashes());
        arena.open();
        for (state, hash, label) in (0..waiting.len()).map(|i| waiting.get(i)) {
            let target = match store.insert_hashed(state, hash, None) {
                Insert::New(target) | Insert::Old(target) => target,
                Insert::Full => return Err(store.full()),
            };
            arena.edges.push(OrbitEdge { target, annotation: AnnotationId::IDENTITY, label: LabelId(label) });
        }
        Ok(arena.close(node, faults))
    }

    /// Walks over steps of a node's representative. If there was no room for the targets of some, the limit
    /// comes back.
    pub(crate) fn visit(
        &mut self,
        node: NodeId,
        filter: StepFilter<'_>,
        each: impl FnMut(Label<'_>, Reached),
    ) -> Result<Option<Stop>, Stop> {
        poll();
        self.weigh()?;
        self.walk().0.visit(node, filter, each)
    }

    /// Stops whoever walks here, once, if a part of the group does not pay: see [`Quotient::unprofitable`].
    pub(crate) fn weigh(&mut self) -> Result<(), Stop> {
        let Some(at) = self.weighed_at.filter(|&at| self.weighs && self.store.len() > at) else {
            return Ok(());
        };
        let Self { canoniser, store, representative, tracked, .. } = self;
        self.unprofitable =
            canoniser.as_mut().and_then(|it| profitable(it, store, at, representative.len(), tracked));
        // Not before: an interrupt leaves the question open.
        self.weighed_at = None;
        if self.unprofitable.is_some() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    /// From now on a walk may be stopped because the group does not pay. Members of some sorts are tracked.
    pub(crate) fn start_weighing(&mut self, tracked: Vec<SortId>) {
        if self.tracked != tracked {
            self.weighed_at = self.canoniser.as_ref().and_then(Canoniser::weighed_at);
        }
        (self.weighs, self.tracked) = (true, tracked);
    }

    /// What was looked for was found: it is shown, whether the group pays or not, and nothing else is
    /// explored.
    pub(crate) fn stop_weighing(&mut self) {
        (self.weighs, self.exploration) = (false, Exploration::None);
    }

    /// How many nodes each thread has explored.
    pub(crate) fn explored(&self) -> Vec<u64> {
        self.explorers.as_ref().map_or_else(Vec::new, |explorers| explorers.expanded())
    }

    /// Whether it may still turn out that the group does not pay.
    pub(crate) fn is_to_be_weighed(&self) -> bool {
        self.weighs && self.weighed_at.is_some()
    }

    /// If a walk was stopped because a part of the group does not pay: how many orbits were known, and the
    /// rest of the group. To be begun again with that.
    pub(crate) fn unprofitable(&self) -> Option<(u64, Symmetry)> {
        self.unprofitable.clone().map(|rest| (u64::from(self.len()), rest))
    }

    /// If a state was too hard to bring into order: how much work was spent on it.
    pub(crate) fn too_hard(&self) -> Option<u64> {
        self.canoniser.as_ref().and_then(Canoniser::too_hard)
    }

    /// Walks over all steps of an original state that lead to a state: the state, its node, and the
    /// annotation from that node's representative.
    pub(crate) fn visit_state(
        &mut self,
        state: &[u64],
        mut each: impl FnMut(Label<'_>, &[u64], NodeId, AnnotationId),
    ) -> Result<(), Stop> {
        let Self { machine, canoniser, store, representative, annotations, .. } = self;
        let mut full = None;
        let walk = machine.successors(state, &mut |label: Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(next) = outcome {
                match add(store, canoniser, annotations, representative, next) {
                    Ok((node, annotation)) => each(label, next, node, annotation),
                    Err(limit) => full = Some(limit),
                }
            }
            ControlFlow::Continue(())
        });
        ended(walk, full)
    }

    /// The node of an original state, and the annotation from its representative to the state.
    pub(crate) fn node_of(&mut self, state: &[u64]) -> Result<(NodeId, AnnotationId), Stop> {
        let Self { canoniser, store, representative, annotations, .. } = self;
        add(store, canoniser, annotations, representative, state)
    }

    /// The node of a representative that another quotient by the same group has found.
    pub(crate) fn import(&mut self, representative: &[u64]) -> Result<NodeId, Stop> {
        match self.store.insert(representative, None) {
            Insert::New(node) | Insert::Old(node) => Ok(node),
            Insert::Full => Err(self.store.full()),
        }
    }

    /// Forgets all nodes, also the initial ones, and their edges.
    pub(crate) fn forget(&mut self) {
        self.store = Store::of_states(self.machine.system(), 0, &Limits::default());
        self.initial.clear();
        self.stored.clear();
        self.arena.forget();
        self.alike.forget();
    }

    /// Explores orbits until it is known whether the group pays, and no more.
    pub(crate) fn weigh_first(&mut self) -> Result<(), Stop> {
        let mut next = 0;
        while self.is_to_be_weighed() && next < self.len() {
            self.orbit_edges(NodeId(next))?;
            next += 1;
        }
        Ok(())
    }

    /// Whether a node's representative is outside of the constraint.
    pub fn is_outside(&mut self, node: NodeId) -> Result<bool, Stop> {
        match self.machine.is_outside(&self.store.get(node)) {
            Ok(outside) => Ok(outside),
            Err(Undefined::Fault(_)) => Ok(false),
            Err(Undefined::Interrupted) => Err(Stop::Interrupted),
        }
    }

    /// Which steps are wanted. Without orbits no class is used, so that no symmetry is asked of the system.
    fn filter<'c>(&self, reduction: EdgeReduction, classes: &'c Arc<Classes>) -> StepFilter<'c> {
        match reduction {
            _ if !self.is_reduced() => StepFilter::All,
            EdgeReduction::All => StepFilter::All,
            EdgeReduction::Executors => StepFilter::Executors(classes),
            EdgeReduction::Distinct => StepFilter::Distinct(classes),
        }
    }

    /// Whether orbits are looked at rather than states.
    pub(crate) fn is_reduced(&self) -> bool {
        self.canoniser.is_some()
    }

    /// Bytes of the nodes, and of edges that searches for runs keep.
    pub fn bytes(&self) -> u64 {
        self.store.bytes() + (self.arena.bytes() + self.annotations.bytes() + self.alike.bytes()) as u64
    }

    /// What evaluates conditions, and the representative of a node.
    pub(crate) fn at(&mut self, node: NodeId) -> (&mut dyn Machine<'s>, Node<'_>) {
        (&mut *self.machine, self.store.get(node))
    }

    /// Whether a condition is true in a node's representative, after its free names were bound.
    pub(crate) fn holds(
        &mut self,
        node: NodeId,
        condition: &'s Expr,
        bound: impl Iterator<Item = (&'s Binder, u64)>,
        filter: StepFilter<'_>,
    ) -> Result<bool, Undefined> {
        bound.for_each(|(binder, number)| self.machine.bind(binder, number));
        self.machine.holds_filtered(condition, &self.store.get(node), filter)
    }
}

/// What a walk over steps needs of a quotient.
struct StepWalk<'q, 's> {
    machine: &'q mut AnyMachine<'s>,
    canoniser: &'q mut Option<Canoniser<'s>>,
    store: &'q mut Store,
    source: &'q mut Vec<u64>,
    representative: &'q mut Vec<u64>,
    annotations: &'q mut Annotations,
}

impl StepWalk<'_, '_> {
    /// See [`Quotient::visit`].
    fn visit(
        &mut self,
        node: NodeId,
        filter: StepFilter<'_>,
        mut each: impl FnMut(Label<'_>, Reached),
    ) -> Result<Option<Stop>, Stop> {
        let Self { machine, canoniser, store, source, representative, annotations } = self;
        source.clear();
        source.extend_from_slice(&store.get(node));
        let (system, from) = (machine.system(), &source[..]);
        let distinguishes = system.distinguishes_changes();
        let mut full = None;
        let walk =
            machine.successors_filtered(from, filter, &mut |label: Label<'_>, outcome: Outcome<'_>| {
                let target = match outcome {
                    Outcome::Fault(fault) => Reached::Fault(fault),
                    Outcome::State(state) => {
                        match add(store, canoniser, annotations, representative, state) {
                            Ok((node, annotation)) => {
                                let changes = !distinguishes || system.changes(from, state);
                                Reached::Node { node, annotation, changes }
                            }
                            Err(limit) => {
                                full = Some(limit);
                                return ControlFlow::Continue(());
                            }
                        }
                    }
                };
                each(label, target);
                ControlFlow::Continue(())
            });
        if walk == Walk::Interrupted { Err(Stop::Interrupted) } else { Ok(full) }
    }
}

/// Edges of which none is missing.
fn whole((edges, full): (Vec<QuotientEdge>, Option<Stop>)) -> Result<Vec<QuotientEdge>, Stop> {
    match full {
        None => Ok(edges),
        Some(full) => Err(full),
    }
}

fn ended(walk: Walk, full: Option<Stop>) -> Result<(), Stop> {
    match (walk, full) {
        (Walk::Interrupted, _) => Err(Stop::Interrupted),
        (_, Some(full)) => Err(full),
        _ => Ok(()),
    }
}

/// Adds the node of a state. The annotation leads from its representative back to the state.
fn add(
    store: &mut Store,
    canoniser: &mut Option<Canoniser<'_>>,
    annotations: &mut Annotations,
    representative: &mut [u64],
    state: &[u64],
) -> Result<(NodeId, AnnotationId), Stop> {
    let (inserted, annotation) = match canoniser {
        None => (store.insert(state, None), AnnotationId::IDENTITY),
        Some(canoniser) => {
            let there = annotations.permutation(canoniser.canonise(state, representative));
            (store.insert(representative, None), annotations.inverse(there))
        }
    };
    match inserted {
        Insert::New(node) | Insert::Old(node) => Ok((node, annotation)),
        Insert::Full => Err(store.full()),
    }
}
