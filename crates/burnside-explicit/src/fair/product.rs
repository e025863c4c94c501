//! The product of the indexed quotient with the automaton of what is looked for.
//!
//! Entry point: [`Product`]. A pair is an indexed node and a state of the automaton, which reads the letter
//! of the node when it leaves it. A pair's number is computed from both, so no table of pairs is needed. A
//! node without steps has one to itself that executes nobody.
//!
//! With local symmetries of the automaton ([`Groupoid`]) the state of a pair is one that stands for a class,
//! and its node has a position: the pair `((n, g), b)` stands for all `(h·n, h·g·b)`. If the groupoid moves
//! acceptance sets, these are counted like fairness units that are always enabled and that the edges with
//! their marks execute: their numbers follow those of the units, and there are no marks.

use super::annotation::{Annotation, permutation_of};
use super::groupoid::Groupoid;
use super::indexed::{
    AutomatonMove, IndexedNodeId, IndexedQuotient, LetterId, QuotientStep, Steps, Successor, Tracked,
    UnitSetId,
};
use super::interned::AnnotationId;
use super::position::coset_representative;
use super::units::UnitAction;
use crate::alike::squares;
use burnside_limits::{Stop, poll};
use burnside_logic::{Automaton, Edge, Marks, StateId};
use burnside_trace::Step;
use burnside_ts::{Classes, Permutation};
use std::rc::Rc;
use std::sync::Arc;

/// An indexed node with a state of the automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PairId(pub u64);

impl PairId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A step of the product.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Transition {
    /// Where it leads.
    pub target: PairId,
    /// Whom it executes, in the names of the source.
    pub executed: UnitSetId,
    /// Which of the node's successors it is; [`STUTTER`] if there are none.
    pub successor: u32,
    /// The acceptance sets of the automaton's edge.
    pub marks: Marks,
    /// Names of the target to names of the source.
    pub annotation: AnnotationId,
}

/// See [`Product::rank`].
pub(crate) type Rank = (u32, u32, bool);

/// The successor of a node that has none: itself.
pub(crate) const STUTTER: u32 = u32::MAX;

/// The edges of a state of the automaton that read a letter and lead to the same state. They count as one
/// with the marks of all: a run that passes there again and again can take them in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MergedEdge {
    pub target: StateId,
    pub marks: Marks,
}

/// The product.
pub(crate) struct Product<'s> {
    pub quotient: IndexedQuotient<'s>,
    automaton: Automaton,
    local: Option<Rc<Groupoid>>,
    /// For each letter seen and each state of the automaton, the edges that read it.
    merged: Vec<Vec<Box<[MergedEdge]>>>,
    /// Steps of the node at hand.
    steps: Vec<QuotientStep>,
    /// For each state of the automaton how far it is from the end of the order of components: small is near
    /// acceptance.
    ranks: Vec<u32>,
    /// For each state of the automaton whether a cycle through it can have all marks.
    useful: Vec<bool>,
    successors: Vec<Successor>,
    /// Whether runs end in a node without steps instead of staying there.
    pub maximal: bool,
    /// Edges followed.
    pub transitions: u64,
}

/// An original state, and where the automaton is.
#[derive(Clone, Debug)]
pub(crate) struct ConcretePair {
    pub pair: PairId,
    pub state: Box<[u64]>,
    /// The original elements that the names of the pair's automaton state stand for, if it moves them. With
    /// these names it reads the letter of the pair.
    position: Option<Permutation>,
    /// The same up to the swaps that leave the automaton's state alone: equal ones are the same state.
    canonical: Option<Permutation>,
}

impl ConcretePair {
    fn key(&self) -> (PairId, &[u64], Option<&Permutation>) {
        (self.pair, &self.state, self.canonical.as_ref())
    }
}

impl PartialEq for ConcretePair {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ConcretePair {}

impl std::hash::Hash for ConcretePair {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl<'s> Product<'s> {
    /// With local symmetries of the automaton, it must be theirs.
    pub fn new(quotient: IndexedQuotient<'s>, automaton: Automaton, local: Option<Rc<Groupoid>>) -> Self {
        let ranks = ranks(&automaton);
        // With local symmetries a cycle of pairs need not be one of states.
        let useful = match local {
            None => useful(&automaton, &ranks),
            Some(_) => vec![true; automaton.len()],
        };
        Self {
            quotient,
            automaton,
            local,
            steps: Vec::new(),
            merged: Vec::new(),
            ranks,
            useful,
            successors: Vec::new(),
            maximal: false,
            transitions: 0,
        }
    }

    /// All acceptance sets that are counted as such.
    pub fn all_marks(&self) -> Marks {
        if self.permuted_marks() > 0 { Marks(0) } else { Marks::all(self.automaton.sets) }
    }

    /// How many acceptance sets are counted as units.
    pub fn permuted_marks(&self) -> u32 {
        let moves = self.local.as_ref().is_some_and(|local| local.permutes_marks());
        if moves { self.automaton.sets } else { 0 }
    }

    /// Which members are alike in a pair; none if this is not used.
    pub fn classes(&mut self, pair: PairId) -> Option<Arc<Classes>> {
        let (node, local, state) = (self.node(pair), self.local.clone(), self.state(pair).index());
        self.quotient.classes_of(node, local.as_ref().map(|local| local.fixing_marks(state)))
    }

    /// For each unit one that stands for all units that the symmetries of a pair make of it; none: itself.
    pub fn leads(&mut self, unit_action: &UnitAction<'_>, pair: PairId) -> Option<Rc<[u32]>> {
        let node = self.node(pair);
        match self.local {
            None if self.quotient.uses_symmetry() => {
                let id = self.quotient.classes_id(node);
                Some(unit_action.leads_of(&self.quotient, id))
            }
            None => None,
            Some(_) => self.classes(pair).map(|classes| unit_action.leads(Some(&classes)).into()),
        }
    }

    /// How alike the members are in a pair: for each class the square of its size.
    pub fn alike(&mut self, pair: PairId) -> u64 {
        match self.local {
            None => self.quotient.alike(self.node(pair)),
            Some(_) => self.classes(pair).map_or(0, |classes| squares(&classes)),
        }
    }

    /// The labels of the steps of a pair, in the order of its successors.
    pub fn labels(&mut self, pair: PairId) -> Result<Vec<Step>, Stop> {
        let (node, local, state) = (self.node(pair), self.local.clone(), self.state(pair).index());
        self.quotient.labels(node, local.as_ref().map(|local| local.fixing_marks(state)))
    }

    pub fn node(&self, pair: PairId) -> IndexedNodeId {
        IndexedNodeId((pair.0 / self.automaton.len() as u64) as u32)
    }

    pub fn state(&self, pair: PairId) -> StateId {
        StateId((pair.0 % self.automaton.len() as u64) as u32)
    }

    fn pair(&self, node: IndexedNodeId, state: StateId) -> PairId {
        PairId(u64::from(node.0) * self.automaton.len() as u64 + u64::from(state.0))
    }

    /// How many words a pair is for another product for the same question.
    pub fn width(&self) -> usize {
        self.quotient.width() + 1
    }

    /// Appends the words of a pair.
    pub fn export(&self, pair: PairId, out: &mut Vec<u64>) {
        self.quotient.export(self.node(pair), out);
        out.push(u64::from(self.state(pair).0));
    }

    /// The pair with such words.
    pub fn import(&mut self, words: &[u64]) -> Result<PairId, Stop> {
        let (&state, node) = words.split_last().expect("the state of the automaton is the last word");
        let node = self.quotient.import(node)?;
        Ok(self.pair(node, StateId(state as u32)))
    }

    /// The pairs that runs start in.
    pub fn initial(&mut self) -> Result<Vec<PairId>, Stop> {
        let mut states = self.automaton.initial.clone();
        let Some(local) = self.local.clone() else {
            let nodes = self.quotient.initial()?;
            let pairs = nodes.iter().flat_map(|&node| states.iter().map(move |&state| (node, state)));
            return Ok(pairs.map(|(node, state)| self.pair(node, state)).collect());
        };
        // States of one class start from all positions alike.
        states.iter_mut().for_each(|state| *state = StateId(local.lead(state.index()) as u32));
        states.sort_unstable();
        states.dedup();
        let mut pairs = Vec::new();
        for state in states {
            let automaton = AutomatonMove { groupoid: &local, target: state.index() };
            let nodes = self.quotient.initial_at(automaton)?;
            pairs.extend(nodes.into_iter().map(|node| self.pair(node, state)));
        }
        Ok(pairs)
    }

    /// A permutation that takes an initial pair to an original initial state with the automaton in one of its
    /// initial states; none: the identity.
    pub fn start(&self, pair: PairId) -> Option<Rc<Annotation>> {
        let local = self.local.as_ref()?;
        let position = self.quotient.tracked_at(self.node(pair)).position?;
        let lead = self.state(pair).index();
        let initial = self.automaton.initial.iter().find(|state| local.lead(state.index()) == lead)?;
        let permutation = local.arrow(initial.index()).permutation.after(&position.inverse());
        // Acceptance sets may keep the names of the first pair all along: a run must meet every one of them.
        (!permutation.is_identity()).then(|| Rc::new(Annotation::from(permutation)))
    }

    /// The transitions of a pair, appended, always in the same order.
    pub fn expand(&mut self, pair: PairId, out: &mut Vec<Transition>) -> Result<(), Stop> {
        poll();
        let (node, state) = (self.node(pair), self.state(pair));
        let letter = self.letter(node)?;
        if self.merged[letter.0 as usize][state.index()].is_empty() {
            return Ok(());
        }
        if let Some(local) = self.local.clone() {
            return self.expand_locally(&local, pair, letter, out);
        }
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let steps = self.quotient.successors(node, &mut successors)?;
        let edges = &self.merged[letter.0 as usize][state.index()];
        let before = out.len();
        for edge in edges {
            if steps == Steps::None && !self.maximal {
                let target = self.pair(node, edge.target);
                let marks = edge.marks;
                out.push(Transition {
                    target,
                    executed: UnitSetId::EMPTY,
                    successor: STUTTER,
                    marks,
                    annotation: AnnotationId::IDENTITY,
                });
            }
            out.extend(successors.iter().enumerate().map(|(i, successor)| Transition {
                target: self.pair(successor.target, edge.target),
                executed: successor.executed,
                successor: i as u32,
                marks: edge.marks,
                annotation: successor.annotation,
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
    ) -> Result<(), Stop> {
        let (node, state) = (self.node(pair), self.state(pair));
        let mut steps = std::mem::take(&mut self.steps);
        steps.clear();
        let kind = self.quotient.steps(node, Some(local.fixing_marks(state.index())), &mut steps)?;
        let mut numbered: Vec<(u32, QuotientStep)> = (0..steps.len() as u32).zip(steps.drain(..)).collect();
        self.steps = steps;
        if kind == Steps::None && !self.maximal {
            let (orbit, annotation) = (self.quotient.orbit(node), AnnotationId::IDENTITY);
            let stay = QuotientStep { orbit, annotation, executed: UnitSetId::EMPTY };
            numbered.push((STUTTER, stay));
        }
        let tracked = self.quotient.tracked_at(node);
        let edges = self.merged[letter.0 as usize][state.index()].clone();
        self.transitions += (edges.len() * numbered.len()) as u64;
        for edge in edges {
            for (successor, QuotientStep { orbit, annotation, executed }) in &numbered {
                let automaton = AutomatonMove { groupoid: local, target: edge.target.index() };
                let (node, annotation) =
                    self.quotient.follow(*orbit, *annotation, &tracked, Some(automaton))?;
                let annotation = self.quotient.number(&annotation);
                let target = self.pair(node, StateId(local.lead(edge.target.index()) as u32));
                let (executed, marks) = match self.permuted_marks() {
                    0 => (*executed, edge.marks),
                    _ => (self.quotient.with_marks(*executed, edge.marks), Marks(0)),
                };
                out.push(Transition { target, executed, successor: *successor, marks, annotation });
            }
        }
        Ok(())
    }

    /// The nodes that steps of a node lead to, appended. The result is whether it has steps, all of which
    /// fault.
    pub fn targets(&mut self, node: IndexedNodeId, out: &mut Vec<u32>) -> Result<bool, Stop> {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        let steps = self.quotient.successors(node, &mut successors)?;
        out.extend(successors.iter().map(|successor| successor.target.0));
        if steps == Steps::None && !self.maximal {
            out.push(node.0);
        }
        self.successors = successors;
        Ok(steps == Steps::OnlyFaults)
    }

    /// Whether a node has no steps at all.
    pub fn is_dead(&mut self, node: IndexedNodeId) -> Result<bool, Stop> {
        let mut successors = Vec::new();
        Ok(self.quotient.successors(node, &mut successors)? == Steps::None)
    }

    /// An original state, given by a permutation from the names of a pair.
    pub fn concrete_pair(
        &self,
        pair: PairId,
        permutation: Option<&Permutation>,
        state: Box<[u64]>,
    ) -> ConcretePair {
        let tracked = self.quotient.moved(permutation, &self.quotient.tracked_at(self.node(pair)));
        let canonical =
            tracked.position.clone().map(|position| self.canonical_position(self.state(pair), position));
        ConcretePair { pair, state, position: tracked.position, canonical }
    }

    /// The tracked elements of a pair, moved.
    pub fn moved_tuple(&self, pair: PairId, permutation: Option<&Permutation>) -> Vec<u64> {
        self.quotient.moved(permutation, &self.quotient.tracked_at(self.node(pair))).tuple
    }

    /// A position with the names of each block in order.
    fn canonical_position(&self, lead: StateId, position: Permutation) -> Permutation {
        match &self.local {
            Some(local) => coset_representative(None, local.blocks(lead.index()), &position).position,
            None => position,
        }
    }

    /// The steps of an original state while a tuple is tracked, and where they lead.
    pub fn concrete_successors(
        &mut self,
        from: &ConcretePair,
        tuple: &[u64],
    ) -> Result<Vec<(Step, ConcretePair)>, Stop> {
        poll();
        let letter = self.letter(self.node(from.pair))?;
        let (state_before, local) = (self.state(from.pair).index(), self.local.clone());
        let tracked = Tracked { tuple: tuple.to_vec(), position: from.position.clone() };
        let mut out = Vec::new();
        for (step, state, orbit, annotation) in self.quotient.concrete(&from.state)? {
            for MergedEdge { target, .. } in self.merged[letter.0 as usize][state_before].clone() {
                let automaton =
                    local.as_deref().map(|groupoid| AutomatonMove { groupoid, target: target.index() });
                let (node, annotation) = self.quotient.follow(orbit, annotation, &tracked, automaton)?;
                let lead = local.as_ref().map_or(target, |local| StateId(local.lead(target.index()) as u32));
                let next =
                    self.concrete_pair(self.pair(node, lead), permutation_of(&annotation), state.clone());
                out.push((step.clone(), next));
            }
        }
        Ok(out)
    }

    /// Whether an accepting cycle may go through a pair.
    pub fn is_useful(&self, pair: PairId) -> bool {
        self.useful[self.state(pair).index()]
    }

    /// Whether a cycle may go through two pairs, as far as the automaton is concerned.
    pub fn may_be_joined(&self, a: PairId, b: PairId) -> bool {
        let rank = |pair| self.ranks[self.state(pair).index()];
        self.local.is_some() || rank(a) == rank(b)
    }

    /// How far from acceptance a pair is, how far it is after one more edge of the automaton, and whether
    /// other atoms are true in it than in the pair from which it is reached.
    pub fn rank(&mut self, pair: PairId, from: PairId) -> Result<Rank, Stop> {
        let (node, state) = (self.node(pair), self.state(pair));
        let letter = self.letter(node)?;
        let changed = letter != self.letter(self.node(from))?;
        let edges = self.merged[letter.0 as usize][state.index()].iter();
        let rank = |edge: &MergedEdge| self.ranks[edge.target.index()];
        Ok((self.ranks[state.index()], edges.map(rank).min().unwrap_or(u32::MAX), changed))
    }

    fn letter(&mut self, node: IndexedNodeId) -> Result<LetterId, Stop> {
        let letter = self.quotient.letter_of(node)?;
        while self.merged.len() <= letter.0 as usize {
            let bits = self.quotient.letter(LetterId(self.merged.len() as u32));
            self.merged.push(self.automaton.edges.iter().map(|edges| merge_edges(edges, bits)).collect());
        }
        Ok(letter)
    }
}

/// The edges that read a letter, merged by target, in their order.
pub(crate) fn merge_edges(edges: &[Edge], letter: &[u64]) -> Box<[MergedEdge]> {
    let mut merged: Vec<MergedEdge> = Vec::new();
    for &Edge { target, marks, .. } in edges.iter().filter(|edge| edge.label.holds(letter)) {
        match merged.iter_mut().find(|edge| edge.target == target) {
            Some(edge) => edge.marks = edge.marks.union(marks),
            None => merged.push(MergedEdge { target, marks }),
        }
    }
    merged.into()
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

/// For each state whether the edges inside its component have all marks, and there is one. Components are
/// given by their numbers.
fn useful(automaton: &Automaton, ranks: &[u32]) -> Vec<bool> {
    let mut marks: Vec<Option<Marks>> = vec![None; automaton.len()];
    for (state, edges) in automaton.edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| ranks[edge.target.index()] == ranks[state]) {
            let known = &mut marks[ranks[state] as usize];
            *known = Some(known.unwrap_or(Marks(0)).union(edge.marks));
        }
    }
    ranks.iter().map(|&rank| marks[rank as usize] == Some(Marks::all(automaton.sets))).collect()
}
