//! A part of a state graph or of a graph of orbits, to be drawn.
//!
//! Entry points: [`Picture::explore`], [`Picture::document`]. States are numbered in the order in which a
//! breadth-first search finds them, so that a number means the same state whenever and however far the graph
//! is explored.

use crate::decode::TraceDecoder;
use crate::graph::Graph;
use crate::json;
use crate::symmetry::show_permutation;
use burnside::{Limits, Model};
use burnside_explicit::{Canoniser, EdgeTarget};
use burnside_limits::poll;
use burnside_trace::Step;
use burnside_ts::{Permutation, Property, Question, System};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// So many edges are shown at most.
const MOST_EDGES: usize = 20_000;

/// A graph as far as it was explored.
#[derive(Debug)]
pub struct Picture {
    orbits: bool,
    states: Vec<Box<[u64]>>,
    initial: usize,
    edges: Vec<PictureEdge>,
    /// The distance of each state from the initial ones.
    depths: Vec<usize>,
    /// So many states were asked for.
    asked: u64,
    stopped: Option<String>,
}

#[derive(Debug)]
struct PictureEdge {
    from: usize,
    to: usize,
    step: Step,
    permutation: Option<Box<Permutation>>,
}

/// Which part is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// So many states at most.
    pub limit: usize,
    /// Those within some steps of a state, forwards and backwards; none: the first ones.
    pub around: Option<(usize, usize)>,
}

impl View {
    /// The first so many states.
    pub fn first(limit: usize) -> Self {
        Self { limit, around: None }
    }
}

impl Picture {
    /// Explores up to a number of states, or until a limit is reached.
    pub fn explore(system: &System, orbits: bool, states: u64, limits: &Limits) -> Self {
        let limits = Limits { states: Some(states), ..limits.clone() };
        let graph = Graph::explore(system, orbits, &limits);
        let known: Vec<Box<[u64]>> = graph.states().map(Into::into).collect();
        let mut depths = vec![0; known.len()];
        let edges = graph.edges.iter().map(|(from, to, edge)| {
            let permutation = match &edge.target {
                EdgeTarget::Node(_, permutation) => permutation.clone(),
                EdgeTarget::Fault(_) => None,
            };
            PictureEdge { from: *from, to: *to, step: edge.step.clone(), permutation }
        });
        let edges: Vec<PictureEdge> = edges.collect();
        let mut reached = graph.initial;
        for edge in &edges {
            // Edges come in the order of their sources, and a new state has the next number.
            if edge.to >= reached {
                depths[edge.to] = depths[edge.from] + 1;
                reached = edge.to + 1;
            }
        }
        let (initial, stopped) = (graph.initial, graph.reason());
        Self { orbits, states: known, initial, edges, depths, asked: states, stopped }
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether this is the whole graph.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none()
    }

    /// Whether it would be the same if so many states were asked for: a part of it is as good as that.
    pub fn covers(&self, states: u64) -> bool {
        self.is_complete() || self.asked >= states
    }

    /// A part of it as a document. Colours say of each state whether the property, a condition, is true
    /// there, by a system that differs from this one in that property only. An error if there is no such
    /// state.
    pub fn document(
        &self,
        model: &Model,
        view: &View,
        colour: Option<(&System, &Property)>,
    ) -> Result<Value, String> {
        let shown = self.shown(view)?;
        let decoder = TraceDecoder::new(model);
        let mut canoniser = self.orbits.then(|| Canoniser::new(&model.system, &model.system.symmetry, true));
        let mut colour = colour.map(|(system, property)| (system.machine(), property));
        let mut node = |&id: &usize| {
            poll();
            let state = &self.states[id];
            let orbit = canoniser.as_mut().and_then(|it| it.orbit(state)).map(|size| size.to_string());
            let truth = colour.as_mut().and_then(|(machine, property)| match &property.question {
                Question::Invariant(condition) => machine.holds(condition, state).ok(),
                _ => None,
            });
            json!({
                "id": id, "state": json::cells_part(&decoder, state).value(), "initial": id < self.initial,
                "orbit": orbit, "colour": truth, "depth": self.depths[id],
            })
        };
        let nodes: Vec<Value> = shown.keys().map(&mut node).collect();
        let within =
            self.edges.iter().filter(|edge| shown.contains_key(&edge.from) && shown.contains_key(&edge.to));
        let (mut edges, mut left_out) = (Vec::new(), 0);
        for edge in within {
            match edges.len() < MOST_EDGES {
                true => edges.push(self.edge(&decoder, edge)),
                false => left_out += 1,
            }
        }
        let whole = self.is_complete() && nodes.len() == self.states.len() && left_out == 0;
        let message = match (&self.stopped, left_out) {
            (Some(reason), 0) => Some(reason.clone()),
            (None, 0) => None,
            (_, left_out) => Some(format!("{left_out} edges are left out")),
        };
        Ok(json!({
            "mode": if self.orbits { "quotient" } else { "unreduced" },
            "complete": whole,
            "nodes": nodes,
            "edges": edges,
            "total_states_seen": self.states.len(),
            "message": message,
        }))
    }

    fn edge(&self, decoder: &TraceDecoder<'_>, edge: &PictureEdge) -> Value {
        let mut document = json::step(&decoder.step(&edge.step));
        document["from"] = json!(edge.from);
        document["to"] = json!(edge.to);
        let shown = edge.permutation.as_ref().map(|it| show_permutation(&decoder.system.types, it));
        document["permutation"] = json!(shown);
        document
    }

    /// The states that are shown, with their distances from where the view starts.
    fn shown(&self, view: &View) -> Result<BTreeMap<usize, usize>, String> {
        let Some((centre, radius)) = view.around else {
            return Ok((0..self.states.len().min(view.limit)).map(|id| (id, self.depths[id])).collect());
        };
        if centre >= self.states.len() {
            return Err(format!("there is no state {centre} in what was explored"));
        }
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        for edge in &self.edges {
            near[edge.from].push(edge.to);
            near[edge.to].push(edge.from);
        }
        let mut shown = BTreeMap::from([(centre, 0)]);
        let mut open = VecDeque::from([(centre, 0)]);
        while let Some((id, distance)) = open.pop_front() {
            if distance == radius {
                continue;
            }
            for &next in &near[id] {
                if shown.len() < view.limit && !shown.contains_key(&next) {
                    shown.insert(next, distance + 1);
                    open.push_back((next, distance + 1));
                }
            }
        }
        Ok(shown)
    }
}
