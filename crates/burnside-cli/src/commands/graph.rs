//! `burnside graph`: the state graph, or with `--quotient` the graph of orbits.

use crate::args::{GraphArgs, GraphFormat};
use crate::commands::symmetry;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::output::decode::{DecodedFault, TraceDecoder};
use crate::output::document::plain;
use crate::output::{Console, dot, json, plural, text};
use crate::supervisor::Supervisor;
use burnside_explicit::{Canoniser, EdgeReduction, EdgeStorage, EdgeTarget, NodeId, Quotient, QuotientEdge};
use burnside_limits::{Limits, Stop, catch};
use burnside_trace::Step;
use burnside_ts::{Fault, System};
use serde_json::{Value, json};
use std::io::Write;

/// A state graph or a graph of orbits.
#[derive(Debug, Default)]
pub struct Graph {
    /// Packed states, or representatives of orbits, in the order in which they are found.
    pub states: Vec<Box<[u64]>>,
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
    pub stopped: Option<String>,
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

/// Runs the command.
pub fn run(args: &GraphArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("the model was loaded");
    let input = input::load_and_warn(&args.model, console)?;
    supervisor.phase("the graph was explored");
    let mut graph = Graph::explore(&input.model.system, args, supervisor);
    let limit = graph.faults.first().and_then(|faulting| input.model.net_limit(&faulting.fault));
    graph.stopped = graph.stopped.or(limit.map(|stop| stop.to_string()));
    if graph.initial == 0 && graph.faults.is_empty() && graph.stopped.is_none() {
        return Err(input.no_initial_state(input.model.system.machine().excluding()));
    }
    supervisor.phase("the graph was printed");
    let text = supervisor.closing(|| render(args, console, &input, &graph)).map_err(Failure::Stopped)??;
    supervisor.writing();
    let mut out = console.stdout();
    out.write_all(&text)?;
    out.flush()?;
    match &graph.stopped {
        None => Ok(Exit::Good),
        Some(reason) => {
            console.note(&format!("the graph is not complete: {reason}"));
            Ok(Exit::Unknown)
        }
    }
}

/// The whole text: a part of a document would be none.
fn render(args: &GraphArgs, console: &Console, input: &Input, graph: &Graph) -> Result<Vec<u8>, Failure> {
    let decoder = TraceDecoder::new(&input.model);
    let mut out = Vec::new();
    match (args.format, args.summary) {
        (GraphFormat::Dot, false) => dot::write(&mut out, &decoder, graph, &input.source.path)?,
        (GraphFormat::Dot, true) => {
            let mut page = console.page(&mut out);
            writeln!(page, "{}", text::header(&input.source.path, &input.model, console.out))?;
            writeln!(page, "{}", graph.summary())?;
            page.flush()?;
        }
        (GraphFormat::Json, summary) => {
            let document = format!("{:#}", document(input, &decoder, graph, summary));
            writeln!(out, "{}", plain(&document))?;
        }
    }
    Ok(out)
}

impl Graph {
    /// Explores up to a number of states, or until the flag is raised.
    fn explore(system: &System, args: &GraphArgs, supervisor: &Supervisor) -> Self {
        let mut graph = Self::default();
        let canoniser = args.quotient.then(|| Canoniser::new(system, &system.symmetry, true));
        let reduction = if args.quotient { EdgeReduction::Distinct } else { EdgeReduction::All };
        let limits = Limits { states: Some(args.max_states), ..supervisor.limits() };
        let explored = Quotient::new(system, canoniser, reduction, EdgeStorage::Recomputed, &limits)
            .and_then(|quotient| graph.walk(quotient, args.quotient));
        graph.stopped = explored.err().map(|stop| match stop {
            Stop::Interrupted => limits.interrupt.stop().unwrap_or(stop).to_string(),
            Stop::States(most) => format!("there are more than {}", plural(most, "state", "states")),
            stop => stop.to_string(),
        });
        graph
    }

    fn walk(&mut self, mut quotient: Quotient<'_>, orbits: bool) -> Result<(), Stop> {
        self.initial = quotient.initial().len();
        self.faults.extend(quotient.initial_fault().map(|fault| Faulting { from: None, fault }));
        // What was found before a limit is shown.
        let walked = catch(|| self.expand_all(&mut quotient)).unwrap_or(Err(Stop::Interrupted));
        self.states = (0..quotient.len()).map(|id| quotient.state(NodeId(id)).into()).collect();
        walked?;
        if orbits {
            let mut counts = [0; 3];
            for (count, reduction) in
                counts.iter_mut().zip([EdgeReduction::All, EdgeReduction::Executors, EdgeReduction::Distinct])
            {
                for id in 0..quotient.len() {
                    *count += quotient.count_edges(NodeId(id), reduction)?;
                }
            }
            self.orbits = Some((quotient.unreduced().map(|states| states.to_string()), counts));
        }
        Ok(())
    }

    fn expand_all(&mut self, quotient: &mut Quotient<'_>) -> Result<(), Stop> {
        let (mut next, mut level_end) = (0, quotient.len());
        while next < quotient.len() {
            if next == level_end {
                level_end = quotient.len();
                self.depth += 1;
            }
            let (edges, whole) = match quotient.edges(NodeId(next)) {
                Ok(edges) => (edges.into_owned(), Ok(())),
                Err(stopped) => (quotient.edges_that_fit(NodeId(next))?, Err(stopped)),
            };
            if whole.is_ok() {
                self.alive.push(!edges.is_empty());
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

    /// Whether the state is known to have no step.
    pub fn is_dead(&self, id: usize) -> bool {
        self.alive.get(id) == Some(&false)
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let faulting = self.faults.iter().filter(|fault| fault.from.is_some()).count();
        let mut figures = vec![("states", json!(self.states.len())), ("initial", json!(self.initial))];
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

    fn summary(&self) -> String {
        let line = |(name, figure): (&str, Value)| match figure {
            Value::String(text) => format!("  {name:<16} {text}"),
            other => format!("  {name:<16} {other}"),
        };
        self.figures().into_iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn document(input: &Input, decoder: &TraceDecoder<'_>, graph: &Graph, summary: bool) -> Value {
    let mut document = json::head(&input.source.path);
    document.insert("constants".into(), json::constants(&input.model));
    document.insert("complete".into(), json!(graph.stopped.is_none()));
    let figures = || graph.figures().into_iter().map(|(name, figure)| (name.to_string(), figure));
    document.insert("summary".into(), json::object(figures()));
    if summary {
        document.extend(figures());
        return Value::Object(document);
    }
    let states = graph.states.iter().enumerate().map(
        |(id, state)| json!({"id": id, "initial": id < graph.initial, "cells": json::cells(decoder, state)}),
    );
    document.insert("states".into(), states.collect());
    document.insert("edges".into(), graph.edges.iter().map(|edge| edge_document(decoder, edge)).collect());
    let faults = graph.faults.iter().map(|faulting| fault_document(decoder, faulting));
    document.insert("faults".into(), faults.collect());
    Value::Object(document)
}

fn edge_document(decoder: &TraceDecoder<'_>, (from, to, edge): &(usize, usize, QuotientEdge)) -> Value {
    let mut document = json::step(&decoder.step(&edge.step));
    document["from"] = json!(from);
    document["to"] = json!(to);
    if let EdgeTarget::Node(_, Some(permutation)) = &edge.target {
        document["motion"] = json!(symmetry::show_permutation(&decoder.system.types, permutation));
    }
    document
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
