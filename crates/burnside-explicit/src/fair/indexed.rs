//! The quotient with tracked indices: pairs of a representative and a tuple of elements that a property speaks of.
//!
//! Entry point: [`Indexed`]. A *spot* `(s, l)` stands for all pairs `(g·s, g·l)`. Its tuple is the least that the known symmetries
//! of the state make of it, so far fewer spots than states times tuples arise. A successor carries the motion `τ` with
//! `τ·(t, l') = (the state reached, l)`: along a path the motions multiply up, and the tracked elements never move.
//!
//! The symmetries of a spot are those of the state that leave the tuple alone ([`Indexed::classes`]). Of the steps that these make alike only
//! one is followed; whoever counts executions must put the units that they swap together. Sorts that occur inside compound indices (of units
//! or of the property) count as having no symmetric members.

use super::{Atom, Halted};
use crate::quotient::{Quotient, Target};
use crate::store::{Insert, NodeId, Store};
use burnside_trace::Step;
use burnside_ts::{Action, Among, Binder, Classes, Label, Motion, SortId, System, Type, Undefined, Units};
use foldhash::HashMap;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A representative with a tuple of tracked elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SpotId(pub u32);

/// A set of fairness units that one step executes; the first is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SetId(pub u32);

/// The atoms that are true in a spot, numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LetterId(pub u32);

/// A step from a spot.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    /// Where it leads.
    pub target: SpotId,
    /// Whom it executes, in the names of the source.
    pub executed: SetId,
    /// Names of the target to names of the source; none: the identity.
    pub motion: Option<Rc<Motion>>,
}

/// A step from an original state, where it leads in the reduced graph, and the original state reached.
pub(crate) type Reached<Node> = (Step, Node, Box<[u64]>);

/// A spot, and a motion from its names to others; none: the identity.
pub(crate) type Located = (SpotId, Option<Rc<Motion>>);

/// The spots found so far.
pub(crate) struct Indexed<'s> {
    quotient: Rc<RefCell<Quotient<'s>>>,
    system: &'s System,
    action: Action<'s>,
    units: Option<Units<'s>>,
    tracked: Vec<&'s Binder>,
    /// For each tracked name the sort it ranges over, if it is just that.
    sorts: Vec<Option<SortId>>,
    /// Sorts whose members are not swapped.
    opaque: Vec<SortId>,
    /// Whether symmetries of single states are used.
    alike: bool,
    /// Spots as node and tuple; none if nothing is tracked and the nodes themselves are the spots.
    spots: Option<Store>,
    atoms: Vec<Atom<'s>>,
    letters: Vec<Box<[u64]>>,
    letter_ids: HashMap<Box<[u64]>, LetterId>,
    /// By spot; [`UNREAD`] if not known yet.
    letter_of: Vec<LetterId>,
    sets: Vec<Box<[u32]>>,
    set_ids: HashMap<Box<[u32]>, SetId>,
    /// For each rule, by arguments: whom its instance executes.
    set_of: Vec<HashMap<Box<[u64]>, SetId>>,
    /// Steps of the spot at hand.
    reached: Vec<(NodeId, Option<Box<Motion>>, SetId)>,
    /// Whether a step faulted.
    pub faulted: bool,
    /// Steps followed.
    pub transitions: u64,
}

const UNREAD: LetterId = LetterId(u32::MAX);

/// More initial tuples than this are refused.
const MOST_TUPLES: usize = 1 << 20;

impl<'s> Indexed<'s> {
    /// With `alike` the symmetries of single states are used.
    pub fn new(
        quotient: Rc<RefCell<Quotient<'s>>>,
        tracked: Vec<&'s Binder>,
        atoms: Vec<Atom<'s>>,
        units: Option<Units<'s>>,
        alike: bool,
        limits: (Option<u64>, Option<u64>),
    ) -> Self {
        let system = quotient.borrow().system();
        let plain = |ty| match *system.types.get(ty) {
            Type::Sort(sort) => Some(sort),
            _ => None,
        };
        let families = units.as_ref().map_or(0, |_| system.fairness.len());
        let of_units = (0..families).flat_map(|family| units.as_ref().expect("has families").types(family));
        let compound = of_units.copied().chain(tracked.iter().map(|binder| binder.ty));
        let compound = compound.filter(|&ty| plain(ty).is_none());
        let mut opaque: Vec<SortId> = compound.flat_map(|ty| system.types.sorts_in(ty)).collect();
        opaque.sort();
        opaque.dedup();
        Self {
            action: Action::new(system),
            sorts: tracked.iter().map(|binder| plain(binder.ty)).collect(),
            spots: (!tracked.is_empty()).then(|| Store::new(tracked.len() + 1, limits.0, limits.1)),
            alike: alike && quotient.borrow().is_reduced(),
            system,
            quotient,
            units,
            tracked,
            opaque,
            atoms,
            letters: Vec::new(),
            letter_ids: HashMap::default(),
            letter_of: Vec::new(),
            sets: vec![Box::new([])],
            set_ids: HashMap::from_iter([(Box::default(), SetId(0))]),
            set_of: system.rules.iter().map(|_| HashMap::default()).collect(),
            reached: Vec::new(),
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
        self.units.as_ref()
    }

    /// How many states (or orbits) were found.
    pub fn states(&self) -> u32 {
        self.quotient.borrow().len()
    }

    /// How many spots were found.
    pub fn spots(&self) -> u32 {
        self.spots.as_ref().map_or_else(|| self.states(), Store::len)
    }

    /// The spots of a node of a spot of another graph over the same quotient with one tracked name less: all values of the last name,
    /// each up to the symmetries that leave the state and the others alone, with the motion from its names to those of the given spot.
    pub fn extensions(&mut self, outer: &Indexed<'s>, spot: SpotId) -> Result<Vec<Located>, Halted> {
        let (node, mut start) = (outer.node(spot), outer.tuple(spot));
        let classes = self.alike.then(|| self.node_classes(node));
        let mut tuples = Vec::new();
        self.tuples(classes.as_ref(), &mut start, &mut tuples)?;
        let mut found = Vec::new();
        for tuple in tuples {
            found.push(self.follow(node, None, &tuple)?);
        }
        Ok(found)
    }

    /// Bytes of states and spots.
    pub fn bytes(&self) -> u64 {
        self.quotient.borrow().bytes() + self.spots.as_ref().map_or(0, Store::bytes)
    }

    /// The representative of a spot.
    pub fn state(&self, spot: SpotId) -> Box<[u64]> {
        self.quotient.borrow().state(self.node(spot)).into()
    }

    /// The units in a set.
    pub fn set(&self, set: SetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// The atoms that are true of a letter.
    pub fn letter(&self, letter: LetterId) -> &[u64] {
        &self.letters[letter.0 as usize]
    }

    /// Where runs start: an initial representative, and each tuple up to its symmetries.
    pub fn initial(&mut self) -> Result<Vec<SpotId>, Halted> {
        let mut found = Vec::new();
        let nodes = self.quotient.borrow().initial().to_vec();
        for node in nodes {
            let classes = self.alike.then(|| self.node_classes(node));
            let mut tuples = Vec::new();
            self.tuples(classes.as_ref(), &mut Vec::new(), &mut tuples)?;
            for tuple in tuples {
                found.push(self.add(node, &tuple)?);
            }
        }
        Ok(found)
    }

    /// The steps of a spot, appended. Always in the same order. None at all: a deadlock, or steps that only fault; see the answer.
    pub fn successors(&mut self, spot: SpotId, out: &mut Vec<Successor>) -> Result<Steps, Halted> {
        let mut reached = std::mem::take(&mut self.reached);
        reached.clear();
        let steps = self.each(spot, |sets, label, node, motion| {
            let executed = sets.executed(label);
            reached.push((node, motion, executed));
        })?;
        let tuple = self.tuple(spot);
        for (node, motion, executed) in reached.drain(..) {
            let (target, motion) = self.follow(node, motion, &tuple)?;
            out.push(Successor { target, executed, motion });
        }
        self.reached = reached;
        Ok(steps)
    }

    /// The labels of the steps of a spot, in the order of its successors.
    pub fn labels(&mut self, spot: SpotId) -> Result<Vec<Step>, Halted> {
        let mut labels = Vec::new();
        self.each(spot, |_, label, _, _| labels.push(Step::from(label)))?;
        Ok(labels)
    }

    fn each(
        &mut self,
        spot: SpotId,
        mut visit: impl FnMut(&mut Rest<'_, 's>, Label<'_>, NodeId, Option<Box<Motion>>),
    ) -> Result<Steps, Halted> {
        let classes = self.classes(spot);
        let node = self.node(spot);
        let among = classes.as_ref().map_or(Among::All, Among::Distinct);
        let Self { quotient, units, sets, set_ids, set_of, .. } = self;
        let mut rest = Rest { units: units.as_ref(), sets, set_ids, set_of };
        let (mut count, mut faults) = (0, 0);
        let full = quotient.borrow_mut().visit(node, among, |label, target| match target {
            Target::Fault(_) => faults += 1,
            Target::Node(node, motion) => {
                count += 1;
                visit(&mut rest, label, node, motion);
            }
        })?;
        self.transitions += count;
        self.faulted |= faults > 0;
        match full {
            Some(full) => Err(Halted::Full(full)),
            None if count > 0 => Ok(Steps::Some),
            None if faults > 0 => Ok(Steps::OnlyFaults),
            None => Ok(Steps::None),
        }
    }

    /// Which members are alike in a spot; none if this is not used.
    pub fn classes(&mut self, spot: SpotId) -> Option<Arc<Classes>> {
        if !self.alike {
            return None;
        }
        let mut classes = self.node_classes(self.node(spot));
        for (i, number) in self.tuple(spot).into_iter().enumerate() {
            if let Some(sort) = self.sorts[i] {
                Arc::make_mut(&mut classes).isolate(sort, number as u32);
            }
        }
        Some(classes)
    }

    /// The atoms that are true in a spot.
    pub fn letter_of(&mut self, spot: SpotId) -> Result<LetterId, Halted> {
        let i = spot.0 as usize;
        if self.letter_of.len() <= i {
            self.letter_of.resize(i + 1, UNREAD);
        }
        if self.letter_of[i] != UNREAD {
            return Ok(self.letter_of[i]);
        }
        let letter = self.evaluate(spot)?;
        let next = LetterId(self.letters.len() as u32);
        let id = *self.letter_ids.entry(letter.clone()).or_insert(next);
        if id == next {
            self.letters.push(letter);
        }
        self.letter_of[i] = id;
        Ok(id)
    }

    /// The atoms that are true in a spot, as bits.
    pub fn evaluate(&mut self, spot: SpotId) -> Result<Box<[u64]>, Halted> {
        let (node, tuple, classes) = (self.node(spot), self.tuple(spot), self.classes(spot));
        let among = classes.as_ref().map_or(Among::All, Among::Distinct);
        let mut letter = vec![0; self.atoms.len().div_ceil(64)];
        for (i, atom) in self.atoms.iter().enumerate() {
            let tracked = self.tracked.iter().copied().zip(tuple.iter().copied());
            let bound = tracked.chain(atom.bound.iter().copied());
            match self.quotient.borrow_mut().holds(node, atom.condition, bound, among) {
                Ok(value) => letter[i / 64] |= u64::from(value) << (i % 64),
                Err(Undefined::Fault(fault)) => return Err(Halted::Undefined(fault)),
                Err(Undefined::Interrupted) => return Err(Halted::Interrupted),
            }
        }
        Ok(letter.into())
    }

    fn node(&self, spot: SpotId) -> NodeId {
        match &self.spots {
            None => NodeId(spot.0),
            Some(spots) => NodeId(spots.get(NodeId(spot.0))[0] as u32),
        }
    }

    /// The tracked elements of a spot.
    pub fn tuple(&self, spot: SpotId) -> Vec<u64> {
        match &self.spots {
            None => Vec::new(),
            Some(spots) => spots.get(NodeId(spot.0))[1..].to_vec(),
        }
    }

    fn add(&mut self, node: NodeId, tuple: &[u64]) -> Result<SpotId, Halted> {
        let Some(spots) = &mut self.spots else { return Ok(SpotId(node.0)) };
        let words: Vec<u64> = std::iter::once(u64::from(node.0)).chain(tuple.iter().copied()).collect();
        match spots.insert(&words, None) {
            Insert::New(spot) | Insert::Old(spot) => Ok(SpotId(spot.0)),
            Insert::Full(full) => Err(Halted::Full(full)),
        }
    }

    /// The spot that a step of the quotient leads to while a tuple is tracked, and its motion.
    fn follow(
        &mut self,
        node: NodeId,
        motion: Option<Box<Motion>>,
        tuple: &[u64],
    ) -> Result<Located, Halted> {
        if tuple.is_empty() {
            return Ok((SpotId(node.0), motion.map(Rc::from)));
        }
        let mut there = self.moved_tuple(motion.as_ref().map(|motion| motion.inverse()).as_ref(), tuple);
        let mut motion = motion.map(|motion| *motion);
        if self.alike {
            let classes = self.node_classes(node);
            if let Some(least) = self.least(&classes, &there) {
                there = self.moved_tuple(Some(&least), &there);
                let back = least.inverse();
                motion = Some(match motion {
                    None => back,
                    Some(motion) => motion.after(&back),
                });
            }
        }
        Ok((self.add(node, &there)?, motion.map(Rc::new)))
    }

    /// The steps of an original state while a tuple is tracked, the spots they lead to and the states.
    pub fn concrete(&mut self, state: &[u64], tuple: &[u64]) -> Result<Vec<Reached<SpotId>>, Halted> {
        let mut reached = Vec::new();
        self.quotient.borrow_mut().visit_state(state, |label, next, node, motion| {
            reached.push((Step::from(label), next.into(), node, motion));
        })?;
        let follow = |(step, next, node, motion)| Ok((step, self.follow(node, motion, tuple)?.0, next));
        reached.into_iter().map(follow).collect()
    }

    /// The spot of an original state while a tuple is tracked, and the motion from its names to these.
    pub fn locate(&mut self, state: &[u64], tuple: &[u64]) -> Result<Located, Halted> {
        let (node, motion) = self.quotient.borrow_mut().node_of(state)?;
        self.follow(node, motion, tuple)
    }

    /// A tuple of tracked elements, moved.
    pub fn moved_tuple(&self, motion: Option<&Motion>, tuple: &[u64]) -> Vec<u64> {
        let Some(motion) = motion else { return tuple.to_vec() };
        let moved = |(binder, &number): (&&Binder, &u64)| self.action.number(motion, binder.ty, number);
        self.tracked.iter().zip(tuple).map(moved).collect()
    }

    /// The classes of a node without those of opaque sorts.
    fn node_classes(&mut self, node: NodeId) -> Arc<Classes> {
        let mut classes = self.quotient.borrow_mut().classes(node);
        for &sort in &self.opaque {
            Arc::make_mut(&mut classes).isolate_all(sort);
        }
        classes
    }

    /// The symmetry of a state that makes a tuple least; none: it is.
    fn least(&self, classes: &Classes, tuple: &[u64]) -> Option<Motion> {
        let pairs =
            self.sorts.iter().zip(tuple).filter_map(|(sort, &number)| Some(((*sort)?, number as u32)));
        let wanted = least_names(classes, pairs);
        carry(&self.system().types, &wanted)
    }

    /// All tuples, up to the symmetries of a state.
    fn tuples(
        &self,
        classes: Option<&Arc<Classes>>,
        start: &mut Vec<u64>,
        out: &mut Vec<Vec<u64>>,
    ) -> Result<(), Halted> {
        let Some(binder) = self.tracked.get(start.len()) else {
            if out.len() == MOST_TUPLES {
                return Err(Halted::TooManyTuples);
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

/// Whether a spot has steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Yes.
    Some,
    /// It has, but all of them fault: no run goes on here.
    OnlyFaults,
    /// It has none: runs stay here.
    None,
}

/// What is needed to say whom a step executes, apart from the quotient.
struct Rest<'i, 's> {
    units: Option<&'i Units<'s>>,
    sets: &'i mut Vec<Box<[u32]>>,
    set_ids: &'i mut HashMap<Box<[u32]>, SetId>,
    set_of: &'i mut [HashMap<Box<[u64]>, SetId>],
}

impl Rest<'_, '_> {
    fn executed(&mut self, label: Label<'_>) -> SetId {
        let Some(units) = self.units else { return SetId(0) };
        let known = &mut self.set_of[label.rule.index()];
        if let Some(&id) = known.get(label.args) {
            return id;
        }
        let set: Box<[u32]> = units.executed(label).map(|unit| unit.0).collect();
        let next = SetId(self.sets.len() as u32);
        let id = *self.set_ids.entry(set.clone()).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        known.insert(label.args.into(), id);
        id
    }
}

/// For elements in some order: the name each gets when every new one takes the least name of its class that is left.
pub(crate) fn least_names(
    classes: &Classes,
    elements: impl Iterator<Item = (SortId, u32)>,
) -> Vec<(SortId, u32, u32)> {
    let mut named: Vec<(SortId, u32, u32)> = Vec::new();
    for (sort, element) in elements {
        if named.iter().any(|&(its, from, _)| (its, from) == (sort, element)) {
            continue;
        }
        let lead = classes.lead(sort, element);
        let free = |name: &u32| !named.iter().any(|&(its, _, to)| (its, to) == (sort, *name));
        let name = classes.class(sort, lead).find(free).expect("a class has a name for each of its members");
        named.push((sort, element, name));
    }
    named
}

/// A motion that takes elements to names of their classes and moves nothing outside these classes; none if nothing moves.
pub(crate) fn carry(types: &burnside_ts::Types, named: &[(SortId, u32, u32)]) -> Option<Motion> {
    if named.iter().all(|&(_, from, to)| from == to) {
        return None;
    }
    let mut motion = Motion::identity(types);
    for &(sort, from, to) in named {
        let images = &mut motion.images[sort.index()];
        let now = images[from as usize];
        let other = images.iter().position(|&image| image == to).expect("a permutation");
        images[from as usize] = to;
        images[other] = now;
    }
    Some(motion)
}
