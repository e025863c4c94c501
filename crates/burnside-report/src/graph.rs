//! State graphs and graphs of orbits, to be looked at.
//!
//! Entry points: [`Graph::explore`], [`document`].

use crate::decode::{DecodedFault, TraceDecoder};
use crate::document::Part;
use crate::input::Input;
use crate::json;
use crate::numbers::plural;
use crate::symmetry::show_permutation;
use burnside_explicit::{
    Canoniser, EdgeReduction, EdgeStorage, EdgeTarget, Node, NodeId, Quotient, QuotientEdge,
};
use burnside_limits::{Limits, Observer, Progress, Stats, Stop, catch};
use burnside_trace::Step;
use burnside_ts::{Fault, System};
use serde_json::{Value, json};
use std::cell::RefCell;

/// A state graph or a graph of orbits.
#[derive(Debug, Default)]
pub struct Graph<'s> {
    /// Packed states, or representatives of orbits, in the order in which they are found.
    quotient: Option<Quotient<'s>>,
    /// The first so many are the initial ones.
    pub initial: usize,
    /// Steps between states.
    pub edges: Vec<(usize, usize, QuotientEdge)>,
    /// Steps that fault.
    pub faults: Vec<Faulting>,
    /// For the states that were expanded: whether there is any step.
    alive: Vec<bool>,
    /// Greatest distance from an initial state.
    pub depth: usize,
    /// Why it is not complete.
    pub stopped: Option<Stop>,
    /// Whether its nodes are orbits.
    of_orbits: bool,
    /// Of a graph of orbits: how many states they have, and the edges without and with leaving out redundant
    /// ones.
    orbits: Option<(Option<String>, [u64; 3])>,
}

/// A fault, with where it happens; without, in the initialisation.
#[derive(Debug)]
pub struct Faulting {
    /// State and step.
    pub from: Option<(usize, Step)>,
    /// What.
    pub fault: Fault,
}

impl<'s> Graph<'s> {
    /// Explores up to a number of states, or until the flag is raised.
    pub fn explore(system: &'s System, orbits: bool, limits: &Limits) -> Self {
        Self::watched(system, orbits, limits, &mut ())
    }

    /// The same, and somebody is told how it gets on.
    pub fn watched(system: &'s System, orbits: bool, limits: &Limits, observer: &mut dyn Observer) -> Self {
        let mut graph = Self { of_orbits: orbits, ..Self::default() };
        let canoniser = orbits.then(|| Canoniser::new(system, &system.symmetry, true));
        let reduction = if orbits { EdgeReduction::Distinct } else { EdgeReduction::All };
        let explored = Quotient::new(system, canoniser, reduction, EdgeStorage::Recomputed, limits)
            .and_then(|quotient| graph.walk(quotient, orbits, observer));
        graph.stopped = explored.err().map(|stop| match stop {
            Stop::Interrupted => limits.interrupt.stop().unwrap_or(stop),
            stop => stop,
        });
        graph
    }

    /// Why it is not complete, as a sentence.
    pub fn reason(&self) -> Option<String> {
        self.stopped.as_ref().map(|stop| match stop {
            Stop::States(most) if self.of_orbits => {
                format!("there are more than {}", plural(*most, "orbit", "orbits"))
            }
            Stop::States(most) => format!("there are more than {}", plural(*most, "state", "states")),
            stop => stop.to_string(),
        })
    }

    fn walk(
        &mut self,
        mut quotient: Quotient<'s>,
        orbits: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Stop> {
        self.initial = quotient.initial().len();
        self.faults.extend(quotient.initial_fault().map(|fault| Faulting { from: None, fault }));
        // What was found before a limit is shown.
        let walked = catch(|| {
            self.expand_all(&mut quotient, observer)?;
            if orbits { self.count_orbits(&mut quotient) } else { Ok(()) }
        });
        self.quotient = Some(quotient);
        walked.unwrap_or(Err(Stop::Interrupted))
    }

    fn count_orbits(&mut self, quotient: &mut Quotient<'_>) -> Result<(), Stop> {
        let mut counts = [0; 3];
        let reductions = [EdgeReduction::All, EdgeReduction::Executors, EdgeReduction::Distinct];
        for (count, reduction) in counts.iter_mut().zip(reductions) {
            for id in 0..quotient.len() {
                *count += quotient.count_edges(NodeId(id), reduction)?;
            }
        }
        self.orbits = Some((quotient.unreduced().map(|states| states.to_string()), counts));
        Ok(())
    }

    fn expand_all(&mut self, quotient: &mut Quotient<'_>, observer: &mut dyn Observer) -> Result<(), Stop> {
        let (mut next, mut level_end) = (0, quotient.len());
        while next < quotient.len() {
            if next == level_end {
                level_end = quotient.len();
                self.depth += 1;
            }
            if next.is_multiple_of(1024) {
                observer.progress(&self.progress(quotient, u64::from(quotient.len() - next)));
            }
            let (edges, whole) = match quotient.edges(NodeId(next)) {
                Ok(edges) => (edges.into_owned(), Ok(())),
                Err(stopped) => (quotient.edges_that_fit(NodeId(next))?, Err(stopped)),
            };
            if whole.is_ok() {
                self.alive.push(!edges.is_empty() || quotient.is_outside(NodeId(next))?);
            }
            for edge in edges {
                match edge.target {
                    EdgeTarget::Fault(fault) => {
                        self.faults.push(Faulting { from: Some((next as usize, edge.step)), fault });
                    }
                    EdgeTarget::Node(to, _) => self.edges.push((next as usize, to.0 as usize, edge)),
                }
            }
            whole?;
            next += 1;
        }
        Ok(())
    }

    fn progress(&self, quotient: &Quotient<'_>, queue: u64) -> Progress {
        let (states, transitions) = (u64::from(quotient.len()), self.edges.len() as u64);
        let (depth, memory) = (self.depth as u64, quotient.bytes());
        let stats = Stats { states, transitions, depth, memory, ..Stats::default() };
        Progress { stats, queue, by_levels: true }
    }

    /// How many states there are.
    pub fn size(&self) -> usize {
        self.quotient.as_ref().map_or(0, |quotient| quotient.len() as usize)
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = Node<'_>> {
        self.quotient.iter().flat_map(|quotient| (0..quotient.len()).map(|id| quotient.state(NodeId(id))))
    }

    /// Whether the state is known to have no step.
    pub fn is_dead(&self, id: usize) -> bool {
        self.alive.get(id) == Some(&false)
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let faulting = self.faults.iter().filter(|fault| fault.from.is_some()).count();
        let mut figures = vec![("states", json!(self.size())), ("initial", json!(self.initial))];
        match &self.orbits {
            None => figures.push(("transitions", json!(self.edges.len() + faulting))),
            Some((unreduced, [all, executor, distinct])) => figures.extend([
                ("states_unreduced", json!(unreduced)),
                ("edges_all", json!(all)),
                ("edges_executor", json!(executor)),
                ("edges_distinct", json!(distinct)),
            ]),
        }
        let deadlocks = self.alive.iter().filter(|alive| !**alive).count();
        figures.extend([
            ("depth", json!(self.depth)),
            ("deadlocks", json!(deadlocks)),
            ("faults", json!(self.faults.len())),
        ]);
        figures
    }

    /// Figures for people.
    pub fn summary(&self) -> String {
        let line = |(name, figure): (&str, Value)| match figure {
            Value::String(text) => format!("  {name:<16} {text}"),
            other => format!("  {name:<16} {other}"),
        };
        self.figures().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

/// What stands before the lists.
fn head<'a>(input: &Input, graph: &Graph<'_>) -> Vec<(&'static str, Part<'a>)> {
    let figures = graph.figures().into_iter().map(|(name, figure)| (name.to_string(), figure));
    vec![
        ("burnside", env!("CARGO_PKG_VERSION").into()),
        ("format", json::FORMAT.into()),
        ("model", input.source.path.clone().into()),
        ("constants", json::constants(&input.model).into()),
        ("summary", json::object(figures).into()),
    ]
}

/// Figures alone.
pub fn summary<'a>(input: &Input, graph: &Graph<'_>) -> Part<'a> {
    let mut document = head(input, graph);
    document.extend(graph.figures().into_iter().map(|(name, figure)| (name, figure.into())));
    document.push(("complete", graph.stopped.is_none().into()));
    document.push(("reason", graph.reason().into()));
    document.push(("reason_code", graph.stopped.as_ref().map(Stop::code).into()));
    Part::Object(document)
}

/// The whole graph. Whether it is one is known at the end.
pub fn document<'a>(
    input: &Input,
    decoder: &'a TraceDecoder<'_>,
    graph: &'a Graph<'_>,
    cut: &'a RefCell<Option<Stop>>,
) -> Part<'a> {
    let states = graph.states().enumerate().map(|(id, state)| {
        let cells = json::cells_part(decoder, &state);
        Part::Object(vec![("id", id.into()), ("initial", (id < graph.initial).into()), ("cells", cells)])
    });
    let edges = graph.edges.iter().map(|edge| edge_part(decoder, edge));
    let faults = graph.faults.iter().map(|faulting| fault_document(decoder, faulting).into());
    let reason = move || graph.reason().or(cut.borrow().as_ref().map(Stop::to_string));
    let code = move || graph.stopped.as_ref().or(cut.borrow().as_ref()).map(Stop::code);
    let mut document = head(input, graph);
    document.extend([
        ("states", Part::cut(states, cut)),
        ("edges", Part::cut(edges, cut)),
        ("faults", Part::cut(faults, cut)),
        ("complete", Part::late(move || json!(reason().is_none()))),
        ("reason", Part::late(move || json!(reason()))),
        ("reason_code", Part::late(move || json!(code()))),
    ]);
    Part::Object(document)
}

fn edge_part<'a>(decoder: &'a TraceDecoder<'_>, (from, to, edge): &(usize, usize, QuotientEdge)) -> Part<'a> {
    let mut members = json::step_members(decoder.step(&edge.step));
    members.extend([("from", (*from).into()), ("to", (*to).into())]);
    if let EdgeTarget::Node(_, Some(permutation)) = &edge.target {
        members.push(("motion", show_permutation(&decoder.system.types, permutation).into()));
    }
    Part::Object(members)
}

fn fault_document(decoder: &TraceDecoder<'_>, faulting: &Faulting) -> Value {
    let (from, decoded) = match &faulting.from {
        Some((from, step)) => (Some(from), Some(decoder.step(step))),
        None => (None, None),
    };
    let during = if from.is_some() { "step" } else { "initialisation" };
    let mut document =
        json::decoded_fault(decoder, &DecodedFault { fault: faulting.fault, step: decoded, during });
    document["from"] = json!(from);
    document
}
