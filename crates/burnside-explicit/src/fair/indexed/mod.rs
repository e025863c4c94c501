//! The indexed quotient: pairs of a representative and a tuple of elements that a property speaks of.
//!
//! Entry point: [`IndexedQuotient`]. An *indexed node* `(s, l)` stands for all pairs `(g·s, g·l)`. Its tuple
//! is the least that the known symmetries of the state make of it, so far fewer indexed nodes than states
//! times tuples arise. A successor carries the annotation `τ` with `τ·(t, l') = (the state reached, l)`:
//! along a path the annotations compose, and the tracked elements never move. Follows Gyuris and Sistla.
//!
//! The symmetries of an indexed node are those of the state that leave the tuple alone (`symmetry`). Of the
//! steps that these make alike only one is followed (`successors`); whoever counts executions must join the
//! units that they swap. Sorts that occur inside compound indices (of units or of the property) count as
//! having no symmetric members.
//!
//! If the automaton has local symmetries, an indexed node has a *position* as well: a permutation that says
//! which member of the state is meant by each element that the automaton names. Which positions are the same
//! then depends on the state of the automaton ([`AutomatonMove`]), and so do the members alike.
//!
//! `nodes` is the table, `initial` says where runs start, `canonical` which node a step leads to, `letters`
//! which atoms are true, `executed` whom a step executes, `lift` leads to original states and back,
//! `transfer` takes nodes from one indexed quotient to another.

mod canonical;
mod executed;
mod initial;
mod letters;
mod lift;
mod nodes;
mod successors;
mod symmetry;
mod transfer;

pub(crate) use canonical::{AutomatonMove, carry, least_names, least_names_into};
pub(crate) use executed::UnitSetId;
pub(crate) use letters::LetterId;
pub(crate) use successors::{QuotientStep, Steps, Successor};

use super::Atom;
use super::annotation::Annotation;
use super::groupoid::{self, Groupoid, Movable};
use super::interned::AnnotationId;
use crate::ahead::Exploration;
use crate::quotient::Quotient;
use crate::store::NodeId;
use burnside_logic::Marks;
use burnside_ts::{Action, Binder, Permutation, SortId, System, Type, TypeId, Units};
use executed::ExecutedUnits;
use foldhash::HashMap;
use letters::Letters;
use nodes::NodeTable;
use std::cell::RefCell;
use std::rc::Rc;
use successors::FollowScratch;

/// A representative with a tuple of tracked elements and, if the automaton's names are moved, a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IndexedNodeId(pub u32);

/// An indexed node, and an annotation from its names to others; none: the identity.
pub(crate) type AnnotatedNode = (IndexedNodeId, Option<Rc<Annotation>>);

/// What a property tracks while a run goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tracked {
    /// The tracked elements.
    pub tuple: Vec<u64>,
    /// The members that the automaton's names stand for, if these are moved; the identity on other sorts.
    pub position: Option<Permutation>,
}

/// The indexed nodes found so far, over a quotient.
pub(crate) struct IndexedQuotient<'s> {
    quotient: Rc<RefCell<Quotient<'s>>>,
    system: &'s System,
    action: Action<'s>,
    nodes: NodeTable,
    letters: Letters<'s>,
    units: ExecutedUnits<'s>,
    tracked: Vec<&'s Binder>,
    /// For each tracked name the sort it ranges over, if it is just that.
    sorts: Vec<Option<SortId>>,
    /// Whether symmetries of single states are used.
    state_symmetry: bool,
    /// Whether steps are those of the quotient's stored edges, which all tuples share.
    shares_edges: bool,
    /// The orbits that were reached here: the quotient may be shared.
    touched: Touched,
    scratch: FollowScratch,
    /// A tuple at hand.
    tuple: Vec<u64>,
    /// A letter at hand.
    letter: Vec<u64>,
    /// The sorts of which positions are held, with the elements that are moved.
    movable: Movable,
    /// All permutations of these sorts, if they are to be tried.
    listed: Option<Vec<Permutation>>,
    /// By orbit, if these are tried: the permutations that leave its representative alone, if there are
    /// others than those inside its classes.
    stabilisers: HashMap<NodeId, Option<Rc<[Permutation]>>>,
    /// Steps of the node at hand.
    steps: Vec<QuotientStep>,
    /// Whether a step faulted.
    pub faulted: bool,
    /// Steps followed.
    pub transitions: u64,
}

impl<'s> IndexedQuotient<'s> {
    /// With `state_symmetry` the symmetries of single states are used, and positions are held for the sorts
    /// that a groupoid moves.
    pub fn new(
        quotient: Rc<RefCell<Quotient<'s>>>,
        tracked: Vec<&'s Binder>,
        atoms: Vec<Atom<'s>>,
        units: Option<Units<'s>>,
        state_symmetry: bool,
        memory: Option<u64>,
        local: Option<&Groupoid>,
    ) -> Self {
        let system = quotient.borrow().system();
        let identity = Permutation::identity(&system.types);
        let movable = local.map_or(Vec::new(), |local| local.movable().clone());
        debug_assert!({
            let opaque = opaque_sorts(system, units.is_some(), &tracked);
            opaque.iter().all(|sort| quotient.borrow().opaque().contains(sort))
        });
        let size = |binder: &&Binder| system.types.size(binder.ty).expect("tracked names are numbered");
        let sizes: Vec<u64> = tracked.iter().map(size).collect();
        let shares_edges = state_symmetry && movable.is_empty();
        let state_symmetry = state_symmetry && quotient.borrow().is_reduced();
        Self {
            quotient,
            system,
            action: Action::new(system),
            sorts: tracked.iter().map(|binder| plain_sort(system, binder.ty)).collect(),
            state_symmetry,
            shares_edges,
            touched: Touched::default(),
            scratch: FollowScratch::default(),
            tuple: Vec::new(),
            letter: Vec::new(),
            listed: local
                .filter(|local| local.is_listed())
                .and_then(|_| groupoid::all_permutations(&identity, &movable)),
            nodes: NodeTable::new(&sizes, movable.clone(), identity, memory),
            letters: Letters::new(atoms),
            units: ExecutedUnits::new(system, units),
            tracked,
            movable,
            stabilisers: HashMap::default(),
            steps: Vec::new(),
            faulted: false,
            transitions: 0,
        }
    }

    pub fn system(&self) -> &'s System {
        self.system
    }

    pub fn action(&self) -> &Action<'s> {
        &self.action
    }

    /// The fairness units, if fairness counts.
    pub fn units(&self) -> Option<&Units<'s>> {
        self.units.units()
    }

    /// The units in a set.
    pub fn unit_set(&self, set: UnitSetId) -> &[u32] {
        self.units.set(set)
    }

    /// A set of units with acceptance sets that are counted like units, behind them.
    pub fn with_marks(&mut self, set: UnitSetId, marks: Marks) -> UnitSetId {
        self.units.with_marks(set, marks)
    }

    /// How many orbits (without a group: states) were found here.
    pub fn orbits(&self) -> u32 {
        self.touched.count
    }

    /// Whether it is for these names and atoms, with fairness or without.
    pub fn is_for(&self, tracked: &[&'s Binder], atoms: &[Atom<'s>], fair: bool) -> bool {
        let same = |(a, b): (&&Binder, &&Binder)| std::ptr::eq(*a, *b);
        let names = self.tracked.len() == tracked.len() && self.tracked.iter().zip(tracked).all(same);
        let fair = fair && !self.system.fairness.is_empty();
        names && self.units().is_some() == fair && self.letters.atoms() == atoms
    }

    /// Whether symmetries of single states are used.
    pub fn uses_symmetry(&self) -> bool {
        self.state_symmetry
    }

    /// How many orbits have initial states.
    pub fn initial_orbits(&self) -> u64 {
        self.quotient.borrow().initial().len() as u64
    }

    /// See [`Quotient::too_hard`].
    pub fn too_hard(&self) -> Option<u64> {
        self.quotient.borrow().too_hard()
    }

    /// See [`Quotient::keep_if_due`].
    pub fn keep_if_due(&self) {
        self.quotient.borrow().keep_if_due();
    }

    /// See [`Quotient::stop_weighing`].
    pub fn stop_weighing(&self) {
        self.quotient.borrow_mut().stop_weighing();
    }

    /// What may be explored from now on before it is asked for.
    pub fn set_exploration(&self, exploration: Exploration) {
        self.quotient.borrow_mut().exploration = exploration;
    }

    /// How many nodes each thread has explored.
    pub fn explored(&self) -> Vec<u64> {
        self.quotient.borrow().explored()
    }

    /// Begins to count anew.
    pub fn forget_counts(&mut self) {
        (self.touched, self.transitions) = (Touched::default(), 0);
    }

    /// An annotation by its number; none: the identity.
    pub fn annotation_of(&self, id: AnnotationId) -> Option<Rc<Annotation>> {
        self.quotient.borrow().annotations.get(id).cloned()
    }

    /// The number of an annotation.
    pub fn number(&self, annotation: &Option<Rc<Annotation>>) -> AnnotationId {
        match annotation {
            None => AnnotationId::IDENTITY,
            Some(annotation) => self.quotient.borrow_mut().annotations.number(annotation),
        }
    }

    /// First the second, then the first.
    #[inline]
    pub fn compose(&self, first: AnnotationId, second: AnnotationId) -> AnnotationId {
        self.quotient.borrow_mut().annotations.compose(first, second)
    }

    /// How many indexed nodes were found.
    pub fn len(&self) -> u32 {
        self.nodes.len().unwrap_or_else(|| self.quotient.borrow().len())
    }

    /// Bytes of states and indexed nodes.
    pub fn bytes(&self) -> u64 {
        self.quotient.borrow().bytes() + self.nodes.bytes()
    }

    /// The representative of a node.
    pub fn state(&self, node: IndexedNodeId) -> Box<[u64]> {
        self.quotient.borrow().state(self.orbit(node)).into()
    }

    /// The orbit of a node.
    pub fn orbit(&self, node: IndexedNodeId) -> NodeId {
        self.nodes.orbit(node)
    }

    /// What is tracked in a node.
    pub fn tracked_at(&self, node: IndexedNodeId) -> Tracked {
        self.nodes.tracked(node)
    }
}

/// The sort that a type is, if it is just that.
fn plain_sort(system: &System, ty: TypeId) -> Option<SortId> {
    match *system.types.get(ty) {
        Type::Sort(sort) => Some(sort),
        _ => None,
    }
}

/// A set of orbits, counted.
#[derive(Default)]
struct Touched {
    words: Vec<u64>,
    count: u32,
}

impl Touched {
    #[inline]
    fn add(&mut self, orbit: NodeId) {
        let (at, bit) = (orbit.0 as usize / 64, 1 << (orbit.0 % 64));
        if self.words.len() <= at {
            self.words.resize((at + 1).max(self.words.len() * 5 / 4), 0);
        }
        self.count += u32::from(self.words[at] & bit == 0);
        self.words[at] |= bit;
    }
}

/// The sorts that occur inside compound indices of units, if fairness counts, or of the property.
pub(crate) fn opaque_sorts(system: &System, fair: bool, tracked: &[&Binder]) -> Vec<SortId> {
    let units = (fair && !system.fairness.is_empty()).then(|| Units::new(system));
    let families = units.as_ref().map_or(0, |_| system.fairness.len());
    let of_units = (0..families).flat_map(|family| units.as_ref().expect("has families").types(family));
    let indices = of_units.copied().chain(tracked.iter().map(|binder| binder.ty));
    let compound = indices.filter(|&ty| plain_sort(system, ty).is_none());
    let mut opaque: Vec<SortId> = compound.flat_map(|ty| system.types.sorts_in(ty)).collect();
    opaque.sort();
    opaque.dedup();
    opaque
}
