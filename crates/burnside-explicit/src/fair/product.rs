//! The product of the indexed quotient with the automaton of what is looked for.
//!
//! Entry point: [`Product`]. A pair is a spot and a state of the automaton, which reads the letter of the spot when it leaves it. A pair's number is
//! computed from both, so no table of pairs is needed. A spot without steps has one to itself that executes nobody.

use super::Halted;
use super::indexed::{Indexed, LetterId, Reached, SetId, SpotId, Steps, Successor};
use burnside_logic::{Automaton, Edge, Marks, StateId};
use burnside_ts::Motion;
use std::rc::Rc;

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

/// The product.
pub(crate) struct Product<'s> {
    pub indexed: Indexed<'s>,
    automaton: Automaton,
    /// For each letter seen and each state of the automaton, the edges that read it.
    reads: Vec<Vec<Box<[u32]>>>,
    /// For each state of the automaton how far it is from the end of the order of components: small is near acceptance.
    ranks: Vec<u32>,
    successors: Vec<Successor>,
    /// Whether runs end in a spot without steps instead of staying there.
    pub maximal: bool,
    /// Edges followed.
    pub transitions: u64,
}

impl<'s> Product<'s> {
    pub fn new(indexed: Indexed<'s>, automaton: Automaton) -> Self {
        let ranks = ranks(&automaton);
        Self {
            indexed,
            automaton,
            reads: Vec::new(),
            ranks,
            successors: Vec::new(),
            maximal: false,
            transitions: 0,
        }
    }

    /// All acceptance sets.
    pub fn all_marks(&self) -> Marks {
        Marks::all(self.automaton.sets)
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
        let spots = self.indexed.initial()?;
        let states = &self.automaton.initial;
        Ok(spots.iter().flat_map(|&spot| states.iter().map(move |&state| (spot, state))).collect::<Vec<_>>())
            .map(|pairs| pairs.into_iter().map(|(spot, state)| self.pair(spot, state)).collect())
    }

    /// The transitions of a pair, appended, always in the same order.
    pub fn expand(&mut self, pair: PairId, out: &mut Vec<Transition>) -> Result<(), Halted> {
        let (spot, state) = (self.spot(pair), self.state(pair));
        let letter = self.letter(spot)?;
        if self.reads[letter.0 as usize][state.index()].is_empty() {
            return Ok(());
        }
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let steps = self.indexed.successors(spot, &mut successors)?;
        let reads = &self.reads[letter.0 as usize][state.index()];
        let before = out.len();
        for &edge in reads {
            let edge: &Edge = &self.automaton.edges[state.index()][edge as usize];
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

    /// The steps of an original state, of which a pair is the image while a tuple is tracked: where they lead, and to which pairs.
    pub fn concrete(
        &mut self,
        pair: PairId,
        state: &[u64],
        tuple: &[u64],
    ) -> Result<Vec<Reached<PairId>>, Halted> {
        let letter = self.letter(self.spot(pair))?;
        let from = self.state(pair);
        let mut out = Vec::new();
        for (step, spot, next) in self.indexed.concrete(state, tuple)? {
            for &edge in &self.reads[letter.0 as usize][from.index()] {
                let target = self.automaton.edges[from.index()][edge as usize].target;
                out.push((step.clone(), self.pair(spot, target), next.clone()));
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
        let edges = self.reads[letter.0 as usize][state.index()].iter();
        let target =
            |&edge: &u32| self.ranks[self.automaton.edges[state.index()][edge as usize].target.index()];
        Ok((self.ranks[state.index()], edges.map(target).min().unwrap_or(u32::MAX), changed))
    }

    fn letter(&mut self, spot: SpotId) -> Result<LetterId, Halted> {
        let letter = self.indexed.letter_of(spot)?;
        while self.reads.len() <= letter.0 as usize {
            let bits = self.indexed.letter(LetterId(self.reads.len() as u32));
            let read = |edges: &Vec<Edge>| {
                let reads = edges.iter().enumerate().filter(|(_, edge)| edge.label.holds(bits));
                reads.map(|(i, _)| i as u32).collect::<Box<[u32]>>()
            };
            self.reads.push(self.automaton.edges.iter().map(read).collect());
        }
        Ok(letter)
    }
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
