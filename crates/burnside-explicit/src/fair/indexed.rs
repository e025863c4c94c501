//! The quotient with tracked indices: pairs of a representative and a tuple of elements that a property speaks of.
//!
//! Entry point: [`Indexed`]. A *spot* `(s, l)` stands for all pairs `(g·s, g·l)`. Its tuple is the least that the known symmetries
//! of the state make of it, so far fewer spots than states times tuples arise. A successor carries the motion `τ` with
//! `τ·(t, l') = (the state reached, l)`: along a path the motions multiply up, and the tracked elements never move.
//!
//! The symmetries of a spot are those of the state that leave the tuple alone ([`Indexed::classes_of`]). Of the steps that these make alike only
//! one is followed; whoever counts executions must put the units that they swap together. Sorts that occur inside compound indices (of units
//! or of the property) count as having no symmetric members.
//!
//! If the automaton has local symmetries, a spot has a *position* as well: a permutation that says which member of the state is meant by each element that
//! the automaton names. Which positions are the same then depends on the state of the automaton ([`Turn`]), and so do the members alike: see
//! [`Indexed::classes_of`].

use super::groupoid::{self, Groupoid, Movable};
use super::position::{self, Blocks};
use super::{Atom, Halted};
use crate::quotient::{Quotient, Target};
use crate::store::{Insert, NodeId, Store};
use burnside_logic::Marks;
use burnside_trace::Step;
use burnside_ts::{
    Action, Among, Binder, Classes, Freedom, Label, Motion, SortId, System, Type, Undefined, Units, bits,
};
use foldhash::{HashMap, HashSet};
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

/// A step from an original state, the state reached, its node and the motion from the node's names.
pub(crate) type Concrete = (Step, Box<[u64]>, NodeId, Option<Box<Motion>>);

/// A spot, and a motion from its names to others; none: the identity.
pub(crate) type Located = (SpotId, Option<Rc<Motion>>);

/// What a property holds on to while a run goes on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    /// The tracked elements.
    pub tuple: Vec<u64>,
    /// The members that the automaton's names stand for, if these are moved; the identity on other sorts.
    pub position: Option<Motion>,
}

/// A move of the automaton to a state, as seen from the one that stands for its class.
#[derive(Clone, Copy)]
pub(crate) struct Turn<'g> {
    pub groupoid: &'g Groupoid,
    /// The state.
    pub state: usize,
}

/// A step from a spot as the quotient has it: where it leads, names there to names here, whom it executes.
pub(crate) type Raw = (NodeId, Option<Box<Motion>>, SetId);

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
    /// Spots as node, tuple and position; none if there is nothing but nodes, which are then the spots themselves.
    spots: Option<Store>,
    /// The sorts of which positions are held, with the elements that are moved.
    movable: Movable,
    /// All motions of these sorts, if they are to be tried.
    listed: Option<Vec<Motion>>,
    /// By node, if these are tried: the motions that leave its representative alone, if there are others than those inside its classes.
    stabilisers: HashMap<NodeId, Option<Rc<[Motion]>>>,
    atoms: Vec<Atom<'s>>,
    letters: Vec<Box<[u64]>>,
    letter_ids: HashMap<Box<[u64]>, LetterId>,
    /// By spot; [`UNREAD`] if not known yet.
    letter_of: Vec<LetterId>,
    sets: Vec<Box<[u32]>>,
    set_ids: HashMap<Box<[u32]>, SetId>,
    /// Sets with marks.
    marked: HashMap<(SetId, Marks), SetId>,
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

/// More initial tuples, or positions, than this are refused.
const MOST_TUPLES: usize = 1 << 20;

/// How many members of a position are in a word.
const PER_WORD: usize = 4;

impl<'s> Indexed<'s> {
    /// With `alike` the symmetries of single states are used, and positions are held for the sorts that a groupoid moves.
    pub fn new(
        quotient: Rc<RefCell<Quotient<'s>>>,
        tracked: Vec<&'s Binder>,
        atoms: Vec<Atom<'s>>,
        units: Option<Units<'s>>,
        alike: bool,
        limits: (Option<u64>, Option<u64>),
        local: Option<&Groupoid>,
    ) -> Self {
        let system = quotient.borrow().system();
        let identity = Motion::identity(&system.types);
        let movable = local.map_or(Vec::new(), |local| local.movable().clone());
        let packed = |(sort, _): &(SortId, Freedom)| identity.images[sort.index()].len().div_ceil(PER_WORD);
        let words = 1 + tracked.len() + movable.iter().map(packed).sum::<usize>();
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
            spots: (words > 1).then(|| Store::new(words, limits.0, limits.1)),
            listed: local.filter(|local| local.is_listed()).and_then(|_| groupoid::all(&identity, &movable)),
            movable,
            stabilisers: HashMap::default(),
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
            marked: HashMap::default(),
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
        let (node, mut start) = (outer.node(spot), outer.carried(spot).tuple);
        let classes = self.alike.then(|| self.node_classes(node));
        let mut tuples = Vec::new();
        self.tuples(classes.as_ref(), &mut start, &mut tuples)?;
        let mut found = Vec::new();
        for tuple in tuples {
            found.push(self.follow(node, None, &Carried { tuple, position: None }, None)?);
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

    /// Some units with acceptance sets that are counted like units, behind them.
    pub fn with_marked(&mut self, set: SetId, marks: Marks) -> SetId {
        if let Some(&known) = self.marked.get(&(set, marks)) {
            return known;
        }
        let first = self.units.as_ref().map_or(0, |units| units.len() as u32);
        let sets = (0..Marks::MOST).filter(|&set| marks.has(set)).map(|set| first + set);
        let all: Box<[u32]> = self.set(set).iter().copied().chain(sets).collect();
        let next = SetId(self.sets.len() as u32);
        let id = *self.set_ids.entry(all.clone()).or_insert(next);
        if id == next {
            self.sets.push(all);
        }
        self.marked.insert((set, marks), id);
        id
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
                found.push(self.add(node, &Carried { tuple, position: None })?);
            }
        }
        Ok(found)
    }

    /// Where runs start if the automaton starts in a state of some class: an initial representative, each tuple up to its symmetries and each
    /// position up to those that are left.
    pub fn initial_at(&mut self, turn: Turn<'_>) -> Result<Vec<SpotId>, Halted> {
        let mut found = Vec::new();
        let mut known = HashSet::default();
        let identity = Motion::identity(&self.system.types);
        let blocks = turn.groupoid.blocks(turn.groupoid.lead(turn.state));
        let movable = self.movable.clone();
        let free: Vec<Vec<Vec<u32>>> =
            movable.iter().map(|(_, freedom)| groupoid::blocks_of(freedom).to_vec()).collect();
        let nodes = self.quotient.borrow().initial().to_vec();
        for node in nodes {
            let classes = self.node_classes(node);
            let mut tuples = Vec::new();
            self.tuples(Some(&classes).filter(|_| self.alike), &mut Vec::new(), &mut tuples)?;
            for tuple in tuples {
                let classes = self.isolated(classes.clone(), &tuple);
                let most = MOST_TUPLES - found.len();
                let positions = position::positions(Some(&*classes), blocks, &free, &identity, most);
                let mut positions = positions.ok_or(Halted::TooManyTuples)?;
                for (sort, freedom) in &movable {
                    let turned = positions.iter().flat_map(|it| groupoid::rotated(it, *sort, freedom));
                    positions = turned.take(most + 1).collect();
                    if positions.len() > most {
                        return Err(Halted::TooManyTuples);
                    }
                }
                for position in positions {
                    // The state of the automaton is the one that stands for the class: no arrow.
                    let carried = Carried { tuple: tuple.clone(), position: Some(position) };
                    let lead = Turn { state: turn.groupoid.lead(turn.state), ..turn };
                    let (spot, _) = self.follow(node, None, &carried, Some(lead))?;
                    if known.insert(spot) {
                        found.push(spot);
                    }
                }
            }
        }
        Ok(found)
    }

    /// The steps of a spot, appended. Always in the same order. None at all: a deadlock, or steps that only fault; see the answer.
    pub fn successors(&mut self, spot: SpotId, out: &mut Vec<Successor>) -> Result<Steps, Halted> {
        let mut reached = std::mem::take(&mut self.reached);
        reached.clear();
        let steps = self.steps(spot, None, &mut reached)?;
        let carried = self.carried(spot);
        for (node, motion, executed) in reached.drain(..) {
            let (target, motion) = self.follow(node, motion, &carried, None)?;
            out.push(Successor { target, executed, motion });
        }
        self.reached = reached;
        Ok(steps)
    }

    /// The steps of a spot as the quotient has them, appended, one of those that are alike as long as the automaton is in a state with these blocks.
    pub fn steps(
        &mut self,
        spot: SpotId,
        blocks: Option<&Blocks>,
        out: &mut Vec<Raw>,
    ) -> Result<Steps, Halted> {
        self.each(spot, blocks, |sets, label, node, motion| {
            let executed = sets.executed(label);
            out.push((node, motion, executed));
        })
    }

    /// The labels of the steps of a spot, in the order of its successors.
    pub fn labels(&mut self, spot: SpotId, blocks: Option<&Blocks>) -> Result<Vec<Step>, Halted> {
        let mut labels = Vec::new();
        self.each(spot, blocks, |_, label, _, _| labels.push(Step::from(label)))?;
        Ok(labels)
    }

    fn each(
        &mut self,
        spot: SpotId,
        blocks: Option<&Blocks>,
        mut visit: impl FnMut(&mut Rest<'_, 's>, Label<'_>, NodeId, Option<Box<Motion>>),
    ) -> Result<Steps, Halted> {
        let classes = self.classes_of(spot, blocks);
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

    /// Which members are alike in a spot as long as the automaton is in a state with these blocks; none if this is not used.
    pub fn classes_of(&mut self, spot: SpotId, blocks: Option<&Blocks>) -> Option<Arc<Classes>> {
        if !self.alike {
            return None;
        }
        let Carried { tuple, position } = self.carried(spot);
        let mut classes = self.node_classes(self.node(spot));
        classes = self.isolated(classes, &tuple);
        match (blocks, position) {
            (_, None) => {}
            (Some(blocks), Some(position)) => blocks.split(Arc::make_mut(&mut classes), &position),
            (None, Some(_)) => {
                let sorts = self.movable.iter().map(|(sort, _)| *sort);
                sorts.for_each(|sort| Arc::make_mut(&mut classes).isolate_all(sort));
            }
        }
        Some(classes)
    }

    /// The classes without those that tracked elements are in.
    fn isolated(&self, mut classes: Arc<Classes>, tuple: &[u64]) -> Arc<Classes> {
        for (sort, &number) in self.sorts.iter().zip(tuple) {
            if let Some(sort) = sort {
                Arc::make_mut(&mut classes).isolate(*sort, number as u32);
            }
        }
        classes
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
        let (node, Carried { tuple, position }) = (self.node(spot), self.carried(spot));
        let classes = match self.alike {
            true => Some(self.node_classes(node)).map(|classes| self.isolated(classes, &tuple)),
            false => None,
        };
        let mut letter = vec![0; self.atoms.len().div_ceil(64)];
        for (i, atom) in self.atoms.iter().enumerate() {
            let tracked = self.tracked.iter().copied().zip(tuple.iter().copied());
            let value = |&(binder, number): &(&'s Binder, u64)| match &position {
                Some(position) => (binder, self.action.number(position, binder.ty, number)),
                None => (binder, number),
            };
            let named: Vec<(&'s Binder, u64)> = atom.bound.iter().map(value).collect();
            let classes = classes.clone().map(|classes| apart(self.system, classes, &named));
            let among = classes.as_ref().map_or(Among::All, Among::Distinct);
            let bound = tracked.chain(named);
            match self.quotient.borrow_mut().holds(node, atom.condition, bound, among) {
                Ok(value) => letter[i / 64] |= u64::from(value) << (i % 64),
                Err(Undefined::Fault(fault)) => return Err(Halted::Undefined(fault)),
                Err(Undefined::Interrupted) => return Err(Halted::Interrupted),
            }
        }
        Ok(letter.into())
    }

    /// The node of a spot.
    pub fn node(&self, spot: SpotId) -> NodeId {
        match &self.spots {
            None => NodeId(spot.0),
            Some(spots) => NodeId(spots.get(NodeId(spot.0))[0] as u32),
        }
    }

    /// What a property holds on to in a spot.
    pub fn carried(&self, spot: SpotId) -> Carried {
        let Some(spots) = &self.spots else { return Carried::default() };
        let words = &spots.get(NodeId(spot.0))[1..];
        let (tuple, mut packed) = words.split_at(self.tracked.len());
        let mut position = (!self.movable.is_empty()).then(|| Motion::identity(&self.system.types));
        for (sort, _) in &self.movable {
            let images = &mut position.as_mut().expect("there are movable sorts").images[sort.index()];
            for (i, image) in images.iter_mut().enumerate() {
                *image = (packed[i / PER_WORD] >> (16 * (i % PER_WORD)) & 0xffff) as u32;
            }
            packed = &packed[images.len().div_ceil(PER_WORD)..];
        }
        Carried { tuple: tuple.to_vec(), position }
    }

    fn add(&mut self, node: NodeId, carried: &Carried) -> Result<SpotId, Halted> {
        let Some(spots) = &mut self.spots else { return Ok(SpotId(node.0)) };
        let mut words: Vec<u64> = vec![u64::from(node.0)];
        words.extend(&carried.tuple);
        for (sort, _) in &self.movable {
            let images = &carried.position.as_ref().expect("there are movable sorts").images[sort.index()];
            let pack = |part: &[u32]| part.iter().rev().fold(0, |word, &image| word << 16 | u64::from(image));
            words.extend(images.chunks(PER_WORD).map(pack));
        }
        match spots.insert(&words, None) {
            Insert::New(spot) | Insert::Old(spot) => Ok(SpotId(spot.0)),
            Insert::Full(full) => Err(Halted::Full(full)),
        }
    }

    /// The spot that a step of the quotient leads to, while the automaton makes a turn if it is moved along, and the motion from its names.
    pub fn follow(
        &mut self,
        node: NodeId,
        motion: Option<Box<Motion>>,
        carried: &Carried,
        turn: Option<Turn<'_>>,
    ) -> Result<Located, Halted> {
        if carried.tuple.is_empty() && carried.position.is_none() {
            return Ok((SpotId(node.0), motion.map(Rc::from)));
        }
        let mut there = self.moved(motion.as_ref().map(|motion| motion.inverse()).as_ref(), carried);
        let mut motion = motion.map(|motion| *motion);
        let classes = self.node_classes(node);
        if self.alike
            && let Some(least) = self.least(&classes, &there.tuple)
        {
            there = self.moved(Some(&least), &there);
            motion = after(motion, least.inverse());
        }
        let (Some(position), Some(turn)) = (there.position.take(), turn) else {
            return Ok((self.add(node, &there)?, motion.map(Rc::new)));
        };
        // Positions are canonical in any case: without that there would be more of them than states.
        let classes = self.isolated(classes, &there.tuple);
        let arrow = turn.groupoid.arrow(turn.state);
        let lead = turn.groupoid.lead(turn.state);
        let position = position.after(&arrow.motion);
        let (left, marks) = match self.try_all(node, &there.tuple, turn, &position) {
            Some((settled, left, marks)) => {
                there.position = Some(settled);
                (left, marks)
            }
            None => {
                let blocks = turn.groupoid.blocks(lead);
                let settled = position::settle(Some(&classes), blocks, &position);
                there.position = Some(settled.position);
                (settled.left, turn.groupoid.marks(lead, &settled.right))
            }
        };
        if !left.is_identity() {
            motion = after(motion, left.inverse());
        }
        if turn.groupoid.moves_marks() {
            motion = self.with_marks(motion, marks.iter().map(|&mark| arrow.marks[mark as usize]).collect());
        }
        Ok((self.add(node, &there)?, motion.map(Rc::new)))
    }

    /// The canonical position by trying all motions, if some of them are not found by classes and blocks: it, the motion of members and the
    /// permutation of acceptance sets.
    fn try_all(
        &mut self,
        node: NodeId,
        tuple: &[u64],
        turn: Turn<'_>,
        position: &Motion,
    ) -> Option<(Motion, Motion, Rc<[u32]>)> {
        self.listed.as_ref()?;
        let lead = turn.groupoid.lead(turn.state);
        let members = self.stabiliser(node);
        if members.is_none() && turn.groupoid.listed(lead).is_none() {
            return None;
        }
        let all = self.listed.clone().unwrap_or_default();
        let members: Vec<Motion> = match members {
            Some(members) => members.to_vec(),
            None => {
                let classes = self.node_classes(node);
                let inside = |motion: &&Motion| {
                    let keeps = |(sort, _): &(SortId, Freedom)| {
                        let images = motion.images[sort.index()].iter().enumerate();
                        images
                            .into_iter()
                            .all(|(i, &to)| classes.lead(*sort, i as u32) == classes.lead(*sort, to))
                    };
                    self.movable.iter().all(keeps)
                };
                all.iter().filter(inside).cloned().collect()
            }
        };
        let members: Vec<Motion> =
            members.into_iter().filter(|motion| self.moved_tuple(Some(motion), tuple) == tuple).collect();
        let names: Vec<Motion> = match turn.groupoid.listed(lead) {
            Some(listed) => listed.iter().map(|arrow| (*arrow.motion).clone()).collect(),
            None => all.into_iter().filter(|motion| turn.groupoid.blocks(lead).keep(motion)).collect(),
        };
        let (settled, left, right) = position::least(&members, &names, position);
        let marks = match turn.groupoid.listed(lead) {
            Some(listed) => listed[right].marks.clone(),
            None => turn.groupoid.marks(lead, &names[right]),
        };
        Some((settled, members[left].clone(), marks))
    }

    /// The motions that leave a node's representative alone, if there are others than those inside its classes.
    fn stabiliser(&mut self, node: NodeId) -> Option<Rc<[Motion]>> {
        if let Some(known) = self.stabilisers.get(&node) {
            return known.clone();
        }
        let state = self.quotient.borrow().state(node).to_vec();
        let padded = [&*state, &[0; bits::SPARE]].concat();
        let mut moved = vec![0; padded.len()];
        let mut stays = |motion: &&Motion| {
            self.action.state(motion, &padded, &mut moved);
            moved[..state.len()] == state
        };
        let found: Vec<Motion> =
            self.listed.iter().flatten().filter(|motion| stays(motion)).cloned().collect();
        let classes = self.node_classes(node);
        let lead = |(sort, _): &(SortId, Freedom)| {
            let size = self.system.types.sort(*sort).size;
            (0..size).map(|member| classes.lead(*sort, member)).collect()
        };
        let sorts = self.movable.iter().map(|(sort, _)| *sort).collect();
        let blocks = Blocks { sorts, lead: self.movable.iter().map(lead).collect() };
        let more = (found.len() > groupoid::orders(&blocks)).then(|| found.into());
        self.stabilisers.insert(node, more.clone());
        more
    }

    /// A motion that moves acceptance sets as well, as if they were the elements of one more sort.
    fn with_marks(&self, motion: Option<Motion>, marks: Vec<u32>) -> Option<Motion> {
        if marks.iter().enumerate().all(|(i, &mark)| i == mark as usize) {
            return motion;
        }
        let mut motion = motion.unwrap_or_else(|| Motion::identity(&self.system.types));
        motion.images.push(marks);
        Some(motion)
    }

    /// The steps of an original state, the nodes they lead to and the states.
    pub fn concrete(&mut self, state: &[u64]) -> Result<Vec<Concrete>, Halted> {
        let mut reached = Vec::new();
        self.quotient.borrow_mut().visit_state(state, |label, next, node, motion| {
            reached.push((Step::from(label), next.into(), node, motion));
        })?;
        Ok(reached)
    }

    /// The spot of an original state while a tuple is tracked, and the motion from its names to these.
    pub fn locate(&mut self, state: &[u64], tuple: &[u64]) -> Result<Located, Halted> {
        let (node, motion) = self.quotient.borrow_mut().node_of(state)?;
        self.follow(node, motion, &Carried { tuple: tuple.to_vec(), position: None }, None)
    }

    /// What a property holds on to, moved.
    pub fn moved(&self, motion: Option<&Motion>, carried: &Carried) -> Carried {
        let Some(motion) = motion else { return carried.clone() };
        let position = carried.position.as_ref().map(|position| {
            let mut moved = position.clone();
            for (sort, _) in &self.movable {
                let images = moved.images[sort.index()].iter_mut();
                images.for_each(|image| *image = motion.image(*sort, *image));
            }
            moved
        });
        Carried { tuple: self.moved_tuple(Some(motion), &carried.tuple), position }
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

/// First the second, then the first; none is the identity.
fn after(first: Option<Motion>, second: Motion) -> Option<Motion> {
    Some(match first {
        None => second,
        Some(first) => first.after(&second),
    })
}

/// Classes in which the elements in some values are alone.
fn apart(system: &System, mut classes: Arc<Classes>, values: &[(&Binder, u64)]) -> Arc<Classes> {
    for (binder, number) in values {
        match *system.types.get(binder.ty) {
            Type::Sort(sort) => {
                // Mostly it is alone already, and then nothing is copied.
                let element = *number as u32;
                if classes.size(sort, classes.lead(sort, element)) > 1 {
                    Arc::make_mut(&mut classes).isolate(sort, element);
                }
            }
            _ => {
                let sorts = system.types.sorts_in(binder.ty);
                sorts.into_iter().for_each(|sort| Arc::make_mut(&mut classes).isolate_all(sort));
            }
        }
    }
    classes
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
