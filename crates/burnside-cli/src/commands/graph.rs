//! `burnside graph`: the state graph, or with `--quotient` the graph of orbits.

use crate::args::{GraphArgs, GraphFormat};
use crate::commands::symmetry;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::interrupt;
use crate::output::story::{Teller, ToldFault};
use crate::output::{Console, dot, json, plural, text};
use burnside::explicit::{Bounds, Canoniser, Degree, Edge, Holding, NodeId, Quotient, Stopped, Target};
use burnside::trace::Step;
use burnside::ts::{Fault, System};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A state graph or a graph of orbits.
#[derive(Debug, Default)]
pub struct Graph {
    /// Packed states, or representatives of orbits, in the order in which they are found.
    pub states: Vec<Box<[u64]>>,
    /// The first so many are the initial ones.
    pub initial: usize,
    /// Steps between states.
    pub edges: Vec<(usize, usize, Edge)>,
    /// Steps that fault.
    pub faults: Vec<Faulting>,
    /// For the states that were expanded: whether there is any step.
    alive: Vec<bool>,
    /// Greatest distance from an initial state.
    pub depth: usize,
    /// Why it is not complete.
    pub stopped: Option<String>,
    /// Of a graph of orbits: how many states they have, and the edges without and with leaving out redundant ones.
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
pub fn run(args: &GraphArgs, console: &Console) -> Outcome {
    let input = input::load_and_warn(&args.model, console)?;
    let stop = Arc::new(AtomicBool::new(false));
    interrupt::raise_on_interrupt(&stop);
    let graph = Graph::explore(&input.model.system, args, stop);
    print(args, console, &input, &graph)?;
    match &graph.stopped {
        None => Ok(Exit::Good),
        Some(reason) => {
            console.note(&format!("the graph is not complete: {reason}"));
            Ok(Exit::Unknown)
        }
    }
}

fn print(args: &GraphArgs, console: &Console, input: &Input, graph: &Graph) -> Result<(), Failure> {
    let teller = Teller::new(&input.model);
    let mut out = console.stdout();
    match (args.format, args.summary) {
        (GraphFormat::Dot, false) => dot::write(&mut out, &teller, graph, &input.source.path)?,
        (GraphFormat::Dot, true) => {
            writeln!(out, "{}", text::header(&input.source.path, &input.model, console.out))?;
            writeln!(out, "{}", graph.summary())?;
        }
        (GraphFormat::Json, summary) => writeln!(out, "{:#}", document(input, &teller, graph, summary))?,
    }
    Ok(out.flush()?)
}

impl Graph {
    /// Explores up to a number of states, or until the flag is raised.
    fn explore(system: &System, args: &GraphArgs, interrupt: Arc<AtomicBool>) -> Self {
        let mut graph = Self::default();
        let canoniser = args.quotient.then(|| Canoniser::new(system, &system.symmetry, true));
        let degree = if args.quotient { Degree::Distinct } else { Degree::All };
        let bounds = Bounds { nodes: Some(args.max_states), memory: None, interrupt };
        let explored = Quotient::new(system, canoniser, degree, Holding::Recomputed, &bounds)
            .and_then(|quotient| graph.walk(quotient, args.quotient));
        graph.stopped = explored.err().map(|stopped| match stopped {
            Stopped::Interrupted => "interrupted".to_string(),
            Stopped::Full(_) => format!("there are more than {}", plural(args.max_states, "state", "states")),
        });
        graph
    }

    fn walk(&mut self, mut quotient: Quotient<'_>, orbits: bool) -> Result<(), Stopped> {
        self.initial = quotient.initial().len();
        self.faults.extend(quotient.initial_fault().map(|fault| Faulting { from: None, fault }));
        let walked = self.expand_all(&mut quotient);
        self.states = (0..quotient.len()).map(|id| quotient.state(NodeId(id)).into()).collect();
        walked?;
        if orbits {
            let mut counts = [0; 3];
            for (count, degree) in counts.iter_mut().zip([Degree::All, Degree::Executors, Degree::Distinct]) {
                for id in 0..quotient.len() {
                    *count += quotient.count_edges(NodeId(id), degree)?;
                }
            }
            self.orbits = Some((quotient.unreduced().map(|states| states.to_string()), counts));
        }
        Ok(())
    }

    fn expand_all(&mut self, quotient: &mut Quotient<'_>) -> Result<(), Stopped> {
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
                    Target::Fault(fault) => {
                        self.faults.push(Faulting { from: Some((next as usize, edge.step)), fault });
                    }
                    Target::Node(to, _) => self.edges.push((next as usize, to.0 as usize, edge)),
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

fn document(input: &Input, teller: &Teller<'_>, graph: &Graph, summary: bool) -> Value {
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
        |(id, state)| json!({"id": id, "initial": id < graph.initial, "cells": json::cells(teller, state)}),
    );
    document.insert("states".into(), states.collect());
    document.insert("edges".into(), graph.edges.iter().map(|edge| edge_document(teller, edge)).collect());
    let faults = graph.faults.iter().map(|faulting| fault_document(teller, faulting));
    document.insert("faults".into(), faults.collect());
    Value::Object(document)
}

fn edge_document(teller: &Teller<'_>, (from, to, edge): &(usize, usize, Edge)) -> Value {
    let mut document = json::step(&teller.step(&edge.step), None);
    document["from"] = json!(from);
    document["to"] = json!(to);
    if let Target::Node(_, Some(motion)) = &edge.target {
        document["motion"] = json!(symmetry::show_motion(&teller.system.types, motion));
    }
    document
}

fn fault_document(teller: &Teller<'_>, faulting: &Faulting) -> Value {
    let (from, told) = match &faulting.from {
        Some((from, step)) => (Some(from), Some(teller.step(step))),
        None => (None, None),
    };
    let during = if from.is_some() { "step" } else { "initialisation" };
    let mut document = json::told_fault(teller, &ToldFault { fault: faulting.fault, step: told, during });
    document["from"] = json!(from);
    document
}
