//! The product of original states with an automaton, around some pairs.
//!
//! Entry point: [`Ball::around`]. Breadth first, up to the depth at which nothing is shorter than what is
//! known. Among equally short ways to a pair one with few changes of the process that moves is kept.

use super::Work;
use super::states::{LabelNumber, OriginalGraph, StateNumber};
use crate::fair::{Atom, MergedEdge, merge_edges};
use burnside_limits::poll;
use burnside_logic::{Automaton, Marks, StateId};
use burnside_ts::Binder;
use foldhash::HashMap;
use std::rc::Rc;

/// A pair of the ball.
#[derive(Clone, Debug)]
pub(super) struct BallNode {
    pub state: StateNumber,
    automaton: StateId,
    /// How many steps lead here.
    pub depth: u32,
    /// The last of them: from which pair, by which rule instance.
    pub parent: Option<(u32, LabelNumber)>,
    /// How often another process moves on the way, and which moved last.
    switches: (u32, u32),
}

/// A step between two pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct BallEdge {
    pub target: u32,
    pub label: LabelNumber,
    pub marks: Marks,
}

/// By state of the automaton, its edges that read one letter.
type Reading = Rc<[Box<[MergedEdge]>]>;

/// What an automaton reads: the truth of conditions for values of the names in them.
pub(super) struct Reader<'r, 's> {
    pub automaton: &'r Automaton,
    pub atoms: &'r [Atom<'s>],
    /// The names in front, with their values.
    pub tracked: Vec<(&'s Binder, u64)>,
    /// By state of the system: the edges of each state of the automaton that read it.
    known: HashMap<StateNumber, Reading>,
    by_letter: HashMap<Box<[u64]>, Reading>,
}

impl<'r, 's> Reader<'r, 's> {
    pub fn new(automaton: &'r Automaton, atoms: &'r [Atom<'s>], tracked: Vec<(&'s Binder, u64)>) -> Self {
        let (known, by_letter) = (HashMap::default(), HashMap::default());
        Self { automaton, atoms, tracked, known, by_letter }
    }

    /// By state of the automaton, the edges that read a state; none if a condition has no value there.
    pub fn read(&mut self, graph: &mut OriginalGraph<'s>, state: StateNumber) -> Option<Reading> {
        if let Some(known) = self.known.get(&state) {
            return Some(known.clone());
        }
        let words = graph.state(state).clone();
        let mut letter = vec![0; self.atoms.len().div_ceil(64)];
        for (i, atom) in self.atoms.iter().enumerate() {
            let bound = self.tracked.iter().chain(&atom.bound);
            bound.for_each(|(binder, number)| graph.machine.bind(binder, *number));
            let value = graph.machine.holds(atom.condition, &words).ok()?;
            letter[i / 64] |= u64::from(value) << (i % 64);
        }
        let letter = letter.into_boxed_slice();
        let all = || self.automaton.edges.iter().map(|edges| merge_edges(edges, &letter)).collect();
        let edges = self.by_letter.entry(letter.clone()).or_insert_with(all).clone();
        self.known.insert(state, edges.clone());
        Some(edges)
    }
}

/// A part of the product.
pub(super) struct Ball {
    pub nodes: Vec<BallNode>,
    /// Where the edges of each pair begin; pairs that were not looked at are missing.
    first: Vec<u32>,
    edges: Vec<BallEdge>,
    /// The nearest pair, if there is one, in which nothing can be done and the automaton accepts that.
    pub dead: Option<u32>,
    /// Whether the work was too much.
    pub is_cut: bool,
}

impl Ball {
    /// The product around pairs, of which all have the same depth, as far as runs shorter than `most` go.
    pub fn around<'s>(
        graph: &mut OriginalGraph<'s>,
        reader: &mut Reader<'_, 's>,
        sources: Vec<(StateNumber, StateId)>,
        depth: u32,
        most: u32,
        work: &mut Work,
    ) -> Self {
        let (first, edges) = (vec![0], Vec::new());
        let mut ball = Self { nodes: Vec::new(), first, edges, dead: None, is_cut: false };
        let mut numbers: HashMap<(StateNumber, StateId), u32> = HashMap::default();
        for (state, automaton) in sources {
            numbers.entry((state, automaton)).or_insert_with(|| {
                let switches = (0, u32::MAX);
                ball.nodes.push(BallNode { state, automaton, depth, parent: None, switches });
                ball.nodes.len() as u32 - 1
            });
        }
        let mut next = 0;
        while let Some(node) = ball.nodes.get(next).cloned() {
            if node.depth >= most {
                break;
            }
            poll();
            let is_last = node.depth + 1 >= most;
            if ball.expand(graph, reader, &mut numbers, next as u32, is_last, work).is_none() {
                ball.edges.truncate(ball.first[next] as usize);
                ball.is_cut = true;
                break;
            }
            ball.first.push(ball.edges.len() as u32);
            if ball.dead.is_some() {
                break;
            }
            next += 1;
        }
        ball
    }

    /// Finds the edges of a pair, unless it is one of the last: then only whether it is dead.
    fn expand<'s>(
        &mut self,
        graph: &mut OriginalGraph<'s>,
        reader: &mut Reader<'_, 's>,
        numbers: &mut HashMap<(StateNumber, StateId), u32>,
        from: u32,
        is_last: bool,
        work: &mut Work,
    ) -> Option<()> {
        let BallNode { state, automaton, depth, switches, .. } = self.nodes[from as usize];
        let read = reader.read(graph, state)?;
        let reading = &read[automaton.index()];
        if reading.is_empty() {
            return Some(());
        }
        let moves = graph.moves(state, work)?;
        if moves.is_dead {
            if accepts_for_ever(&read, automaton, reader.automaton.sets) {
                self.dead = Some(from);
            }
            return Some(());
        }
        if is_last {
            return Some(());
        }
        if !work.spend((moves.edges.len() * reading.len()) as u64) {
            return None;
        }
        for &(target_state, label) in &moves.edges {
            let executor = graph.instance(label).executor;
            let changes = u32::from(executor != switches.1 && switches.1 != u32::MAX);
            let switches = (switches.0 + changes, executor);
            for edge in reading {
                let nodes = &mut self.nodes;
                let target = *numbers.entry((target_state, edge.target)).or_insert_with(|| {
                    let (automaton, depth, parent) = (edge.target, depth + 1, Some((from, label)));
                    nodes.push(BallNode { state: target_state, automaton, depth, parent, switches });
                    nodes.len() as u32 - 1
                });
                let known = &mut nodes[target as usize];
                if known.depth == depth + 1 && switches.0 < known.switches.0 {
                    (known.parent, known.switches) = (Some((from, label)), switches);
                }
                self.edges.push(BallEdge { target, label, marks: edge.marks });
            }
        }
        Some(())
    }

    /// How many pairs were looked at: the first ones.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The edges of a pair that was looked at.
    pub fn edges(&self, node: u32) -> &[BallEdge] {
        match self.first.get(node as usize + 1) {
            Some(&end) => &self.edges[self.first[node as usize] as usize..end as usize],
            None => &[],
        }
    }

    /// The steps that lead to a pair, and the pair from which they start.
    pub fn way_to(&self, mut node: u32) -> (u32, Vec<(StateNumber, LabelNumber)>) {
        let mut way = Vec::new();
        while let Some((parent, label)) = self.nodes[node as usize].parent {
            way.push((self.nodes[parent as usize].state, label));
            node = parent;
        }
        way.reverse();
        (node, way)
    }
}

/// Whether an automaton that reads one letter for ever accepts, given its edges for the letter.
fn accepts_for_ever(read: &[Box<[MergedEdge]>], from: StateId, sets: u32) -> bool {
    let mut reached = vec![from.index()];
    let mut seen = vec![false; read.len()];
    seen[from.index()] = true;
    let mut next = 0;
    while let Some(&state) = reached.get(next) {
        for edge in &read[state] {
            if !std::mem::replace(&mut seen[edge.target.index()], true) {
                reached.push(edge.target.index());
            }
        }
        next += 1;
    }
    let targets = |state: usize, out: &mut Vec<usize>| {
        out.extend(read[state].iter().map(|edge| edge.target.index()).filter(|_| seen[state]));
    };
    crate::fair::components(read.len(), targets).into_iter().any(|component| {
        let inner = component.iter().filter(|state| seen[**state]).flat_map(|&state| &read[state]);
        let inner = inner.filter(|edge| component.contains(&edge.target.index()));
        let marks: Vec<Marks> = inner.map(|edge| edge.marks).collect();
        !marks.is_empty() && marks.iter().fold(Marks(0), |all, it| all.union(*it)) == Marks::all(sets)
    })
}
