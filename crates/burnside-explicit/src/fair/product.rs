//! The product of the indexed quotient with the automaton of what is looked for.
//!
//! Entry point: [`Product`]. A pair is a spot and a state of the automaton, which reads the letter of the spot when it leaves it. A pair's number is
//! computed from both, so no table of pairs is needed. A spot without steps has one to itself that executes nobody.
//!
//! With local symmetries of the automaton ([`Groupoid`]) the state of a pair is one that stands for a class, and its spot has a position: the pair `((n, g), b)`
//! stands for all `(h·n, h·g·b)`. If the groupoid moves acceptance sets, these are counted like fairness units that are always enabled and that the
//! edges with their marks execute: their numbers follow those of the units, and there are no marks.

use super::Halted;
use super::groupoid::Groupoid;
use super::indexed::{Carried, Indexed, LetterId, Raw, SetId, SpotId, Steps, Successor, Turn};
use super::position::settle;
use burnside_logic::{Automaton, Edge, Marks, StateId};
use burnside_trace::Step;
use burnside_ts::{Classes, Motion};
use std::rc::Rc;
use std::sync::Arc;

/// A spot with a state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PairId(pub u64);

impl PairId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step of the product.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    /// Where it leads.
    pub target: PairId,
    /// Whom it executes, in the names of the source.
    pub executed: SetId,
    /// Which of the spot's successors it is; [`STUTTER`] if there are none.
    pub successor: u32,
    /// The acceptance sets of the automaton's edge.
    pub marks: Marks,
    /// Names of the target to names of the source; none: the identity.
    pub motion: Option<Rc<Motion>>,
}

/// See [`Product::rank`].
pub(crate) type Rank = (u32, u32, bool);

/// The successor of a spot that has none: itself.
pub(crate) const STUTTER: u32 = u32::MAX;

/// The edges of a state of the automaton that read a letter and lead to the same state. They count as one with the marks of all: a run that passes there again and
/// again can take them in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Read {
    target: StateId,
    marks: Marks,
}

/// The product.
pub(crate) struct Product<'s> {
    pub indexed: Indexed<'s>,
    automaton: Automaton,
    local: Option<Rc<Groupoid>>,
    /// For each letter seen and each state of the automaton, what reading it can do.
    reads: Vec<Vec<Box<[Read]>>>,
    /// Steps of the spot at hand.
    raw: Vec<Raw>,
    /// For each state of the automaton how far it is from the end of the order of components: small is near acceptance.
    ranks: Vec<u32>,
    successors: Vec<Successor>,
    /// Whether runs end in a spot without steps instead of staying there.
    pub maximal: bool,
    /// Edges followed.
    pub transitions: u64,
}

/// An original state, and where the automaton is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub pair: PairId,
    pub state: Box<[u64]>,
    /// The original elements that the names of the pair's automaton state stand for, if it moves them. With these names it reads the letter of the pair.
    position: Option<Motion>,
    /// The same up to the swaps that leave the automaton's state alone: equal ones are the same state.
    seat: Option<Motion>,
}

impl Place {
    fn key(&self) -> (PairId, &[u64], Option<&Motion>) {
        (self.pair, &self.state, self.seat.as_ref())
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Place {}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl<'s> Product<'s> {
    /// With local symmetries of the automaton, it must be theirs.
    pub fn new(indexed: Indexed<'s>, automaton: Automaton, local: Option<Rc<Groupoid>>) -> Self {
        let ranks = ranks(&automaton);
        Self {
            indexed,
            automaton,
            local,
            raw: Vec::new(),
            reads: Vec::new(),
            ranks,
            successors: Vec::new(),
            maximal: false,
            transitions: 0,
        }
    }

    /// All acceptance sets that are counted as such.
    pub fn all_marks(&self) -> Marks {
        if self.moved_marks() > 0 { Marks(0) } else { Marks::all(self.automaton.sets) }
    }

    /// How many acceptance sets are counted as units.
    pub fn moved_marks(&self) -> u32 {
        let moves = self.local.as_ref().is_some_and(|local| local.moves_marks());
        if moves { self.automaton.sets } else { 0 }
    }

    /// Which members are alike in a pair; none if this is not used.
    pub fn classes(&mut self, pair: PairId) -> Option<Arc<Classes>> {
        let (spot, local, state) = (self.spot(pair), self.local.clone(), self.state(pair).index());
        self.indexed.classes_of(spot, local.as_ref().map(|local| local.still(state)))
    }

    /// The labels of the steps of a pair, in the order of its successors.
    pub fn labels(&mut self, pair: PairId) -> Result<Vec<Step>, Halted> {
        let (spot, local, state) = (self.spot(pair), self.local.clone(), self.state(pair).index());
        self.indexed.labels(spot, local.as_ref().map(|local| local.still(state)))
    }

    pub fn spot(&self, pair: PairId) -> SpotId {
        SpotId((pair.0 / self.automaton.len() as u64) as u32)
    }

    pub fn state(&self, pair: PairId) -> StateId {
        StateId((pair.0 % self.automaton.len() as u64) as u32)
    }

    fn pair(&self, spot: SpotId, state: StateId) -> PairId {
        PairId(u64::from(spot.0) * self.automaton.len() as u64 + u64::from(state.0))
    }

    /// The pairs that runs start in.
    pub fn initial(&mut self) -> Result<Vec<PairId>, Halted> {
        let mut states = self.automaton.initial.clone();
        let Some(local) = self.local.clone() else {
            let spots = self.indexed.initial()?;
            let pairs = spots.iter().flat_map(|&spot| states.iter().map(move |&state| (spot, state)));
            return Ok(pairs.map(|(spot, state)| self.pair(spot, state)).collect());
        };
        // States of one class start from all positions alike.
        states.iter_mut().for_each(|state| *state = StateId(local.lead(state.index()) as u32));
        states.sort_unstable();
        states.dedup();
        let mut pairs = Vec::new();
        for state in states {
            let spots = self.indexed.initial_at(Turn { groupoid: &local, state: state.index() })?;
            pairs.extend(spots.into_iter().map(|spot| self.pair(spot, state)));
        }
        Ok(pairs)
    }

    /// A motion that takes an initial pair to an original initial state with the automaton in one of its initial states; none: the identity.
    pub fn start(&self, pair: PairId) -> Option<Rc<Motion>> {
        let local = self.local.as_ref()?;
        let position = self.indexed.carried(self.spot(pair)).position?;
        let lead = self.state(pair).index();
        let initial = self.automaton.initial.iter().find(|state| local.lead(state.index()) == lead)?;
        let motion = local.arrow(initial.index()).motion.after(&position.inverse());
        (!motion.is_identity()).then(|| Rc::new(motion))
    }

    /// The transitions of a pair, appended, always in the same order.
    pub fn expand(&mut self, pair: PairId, out: &mut Vec<Transition>) -> Result<(), Halted> {
        let (spot, state) = (self.spot(pair), self.state(pair));
        let letter = self.letter(spot)?;
        if self.reads[letter.0 as usize][state.index()].is_empty() {
            return Ok(());
        }
        if let Some(local) = self.local.clone() {
            return self.expand_locally(&local, pair, letter, out);
        }
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let steps = self.indexed.successors(spot, &mut successors)?;
        let reads = &self.reads[letter.0 as usize][state.index()];
        let before = out.len();
        for edge in reads {
            if steps == Steps::None && !self.maximal {
                let target = self.pair(spot, edge.target);
                let marks = edge.marks;
                out.push(Transition { target, executed: SetId(0), successor: STUTTER, marks, motion: None });
            }
            out.extend(successors.iter().enumerate().map(|(i, successor)| Transition {
                target: self.pair(successor.target, edge.target),
                executed: successor.executed,
                successor: i as u32,
                marks: edge.marks,
                motion: successor.motion.clone(),
            }));
        }
        self.transitions += (out.len() - before) as u64;
        self.successors = successors;
        Ok(())
    }

    /// The transitions of a pair, while the automaton's names are moved along.
    fn expand_locally(
        &mut self,
        local: &Rc<Groupoid>,
        pair: PairId,
        letter: LetterId,
        out: &mut Vec<Transition>,
    ) -> Result<(), Halted> {
        let (spot, state) = (self.spot(pair), self.state(pair));
        let mut raw = std::mem::take(&mut self.raw);
        raw.clear();
        let steps = self.indexed.steps(spot, Some(local.still(state.index())), &mut raw)?;
        let numbers = 0..raw.len() as u32;
        let mut numbered: Vec<(u32, Raw)> = numbers.zip(raw.drain(..)).collect();
        self.raw = raw;
        if steps == Steps::None && !self.maximal {
            numbered.push((STUTTER, (self.indexed.node(spot), None, SetId(0))));
        }
        let carried = self.indexed.carried(spot);
        let reads = self.reads[letter.0 as usize][state.index()].clone();
        self.transitions += (reads.len() * numbered.len()) as u64;
        for edge in reads {
            for (successor, (node, motion, executed)) in &numbered {
                let turn = Turn { groupoid: local, state: edge.target.index() };
                let (spot, motion) = self.indexed.follow(*node, motion.clone(), &carried, Some(turn))?;
                let target = self.pair(spot, StateId(local.lead(edge.target.index()) as u32));
                let (executed, marks) = match self.moved_marks() {
                    0 => (*executed, edge.marks),
                    _ => (self.indexed.with_marked(*executed, edge.marks), Marks(0)),
                };
                out.push(Transition { target, executed, successor: *successor, marks, motion });
            }
        }
        Ok(())
    }

    /// The spots that steps of a spot lead to, appended. The answer is whether it has steps, all of which fault.
    pub fn targets(&mut self, spot: SpotId, out: &mut Vec<u32>) -> Result<bool, Halted> {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let steps = self.indexed.successors(spot, &mut successors)?;
        out.extend(successors.iter().map(|successor| successor.target.0));
        if steps == Steps::None && !self.maximal {
            out.push(spot.0);
        }
        self.successors = successors;
        Ok(steps == Steps::OnlyFaults)
    }

    /// Whether a spot has no steps at all.
    pub fn is_dead(&mut self, spot: SpotId) -> Result<bool, Halted> {
        let mut successors = Vec::new();
        Ok(self.indexed.successors(spot, &mut successors)? == Steps::None)
    }

    /// An original state, given by a motion from the names of a pair.
    pub fn place(&self, pair: PairId, motion: Option<&Motion>, state: Box<[u64]>) -> Place {
        let carried = self.indexed.moved(motion, &self.indexed.carried(self.spot(pair)));
        let seat = carried.position.clone().map(|position| self.tidy(self.state(pair), position));
        Place { pair, state, position: carried.position, seat }
    }

    /// The tracked elements of a pair, moved.
    pub fn moved_tuple(&self, pair: PairId, motion: Option<&Motion>) -> Vec<u64> {
        self.indexed.moved(motion, &self.indexed.carried(self.spot(pair))).tuple
    }

    /// A position with the names of each block in order.
    fn tidy(&self, lead: StateId, position: Motion) -> Motion {
        match &self.local {
            Some(local) => settle(None, local.blocks(lead.index()), &position).position,
            None => position,
        }
    }

    /// The steps of an original state while a tuple is tracked, and where they lead.
    pub fn concrete(&mut self, place: &Place, tuple: &[u64]) -> Result<Vec<(Step, Place)>, Halted> {
        let letter = self.letter(self.spot(place.pair))?;
        let (from, local) = (self.state(place.pair).index(), self.local.clone());
        let carried = Carried { tuple: tuple.to_vec(), position: place.position.clone() };
        let mut out = Vec::new();
        for (step, state, node, motion) in self.indexed.concrete(&place.state)? {
            for Read { target, .. } in self.reads[letter.0 as usize][from].clone() {
                let turn = local.as_deref().map(|groupoid| Turn { groupoid, state: target.index() });
                let (spot, motion) = self.indexed.follow(node, motion.clone(), &carried, turn)?;
                let lead = local.as_ref().map_or(target, |local| StateId(local.lead(target.index()) as u32));
                let next = self.place(self.pair(spot, lead), motion.as_deref(), state.clone());
                out.push((step.clone(), next));
            }
        }
        Ok(out)
    }

    /// How far from acceptance a pair is, how far it is after one more edge of the automaton, and whether other atoms are true in it than in
    /// the pair from which it is reached.
    pub fn rank(&mut self, pair: PairId, from: PairId) -> Result<Rank, Halted> {
        let (spot, state) = (self.spot(pair), self.state(pair));
        let letter = self.letter(spot)?;
        let changed = letter != self.letter(self.spot(from))?;
        let reads = self.reads[letter.0 as usize][state.index()].iter();
        let rank = |read: &Read| self.ranks[read.target.index()];
        Ok((self.ranks[state.index()], reads.map(rank).min().unwrap_or(u32::MAX), changed))
    }

    fn letter(&mut self, spot: SpotId) -> Result<LetterId, Halted> {
        let letter = self.indexed.letter_of(spot)?;
        while self.reads.len() <= letter.0 as usize {
            let bits = self.indexed.letter(LetterId(self.reads.len() as u32));
            self.reads.push(self.automaton.edges.iter().map(|edges| reads(edges, bits)).collect());
        }
        Ok(letter)
    }
}

/// What reading a letter can do, in the order of the edges.
fn reads(edges: &[Edge], letter: &[u64]) -> Box<[Read]> {
    let mut reads: Vec<Read> = Vec::new();
    for &Edge { target, marks, .. } in edges.iter().filter(|edge| edge.label.holds(letter)) {
        match reads.iter_mut().find(|read| read.target == target) {
            Some(read) => read.marks = read.marks.union(marks),
            None => reads.push(Read { target, marks }),
        }
    }
    reads.into()
}

/// The components of an automaton, numbered from the last ones in their order.
fn ranks(automaton: &Automaton) -> Vec<u32> {
    let targets = |state: usize| automaton.edges[state].iter().map(|edge| edge.target.index());
    let mut ranks = vec![0; automaton.len()];
    let components = super::scc::components(automaton.len(), |state, out| out.extend(targets(state)));
    for (rank, component) in components.iter().enumerate() {
        component.iter().for_each(|&state| ranks[state] = rank as u32);
    }
    ranks
}
