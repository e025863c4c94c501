//! `burnside graph`: the state graph, by a breadth-first walk with the interpreter.

use crate::args::{GraphArgs, GraphFormat};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::interrupt;
use crate::output::story::{Teller, ToldFault};
use crate::output::{Console, dot, json, plural, text};
use crate::run::{State, moves, own};
use burnside::trace::Step;
use burnside::ts::{Fault, Machine, System, Walk};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A state graph.
#[derive(Debug, Default)]
pub struct Graph {
    /// In the order in which they are found.
    pub states: Vec<State>,
    /// The first so many are the initial ones.
    pub initial: usize,
    /// Steps between states.
    pub edges: Vec<Edge>,
    /// Steps that fault.
    pub faults: Vec<Faulting>,
    /// For the states that were expanded: whether there is any step.
    alive: Vec<bool>,
    /// Greatest distance from an initial state.
    pub depth: usize,
    /// Why it is not complete.
    pub stopped: Option<String>,
    numbers: HashMap<State, usize>,
    limit: usize,
}

/// A step from a state to a state.
#[derive(Debug)]
pub struct Edge {
    /// From.
    pub from: usize,
    /// To.
    pub to: usize,
    /// The rule instance.
    pub step: Step,
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
    let limit = usize::try_from(args.max_states).unwrap_or(usize::MAX);
    let graph = Graph::explore(&input.model.system, limit, &stop);
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
    let teller = Teller::new(&input.model.system);
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
    fn explore(system: &System, limit: usize, stop: &Arc<AtomicBool>) -> Self {
        let mut graph = Self { limit, ..Self::default() };
        let mut machine = Machine::with_interrupt(system, Arc::clone(stop));
        graph.start(&mut machine);
        let (mut next, mut level_end) = (0, graph.states.len());
        while next < graph.states.len() && graph.stopped.is_none() {
            if next == level_end {
                level_end = graph.states.len();
                graph.depth += 1;
            }
            graph.expand(&mut machine, next);
            next += 1;
        }
        graph
    }

    fn start(&mut self, machine: &mut Machine<'_>) {
        let walk = machine.initial(|outcome| {
            match own(outcome) {
                Ok(state) => drop(self.number(state)),
                Err(fault) => self.faults.push(Faulting { from: None, fault }),
            }
            if self.stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.initial = self.states.len();
        if walk == Walk::Interrupted {
            self.stopped = Some("interrupted".into());
        }
    }

    fn expand(&mut self, machine: &mut Machine<'_>, from: usize) {
        let (moves, complete) = moves(machine, &self.states[from]);
        if !complete {
            self.stopped = Some("interrupted".into());
            return;
        }
        self.alive.push(!moves.is_empty());
        for found in moves {
            match found.after {
                Err(fault) => self.faults.push(Faulting { from: Some((from, found.step)), fault }),
                Ok(state) => {
                    if let Some(to) = self.number(state) {
                        self.edges.push(Edge { from, to, step: found.step });
                    }
                }
            }
        }
    }

    /// The number of a state; `None` if it is new and there is no room.
    fn number(&mut self, state: State) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&state) {
            return Some(number);
        }
        if self.states.len() == self.limit {
            self.stopped =
                Some(format!("there are more than {}", plural(self.limit as u64, "state", "states")));
            return None;
        }
        self.numbers.insert(state.clone(), self.states.len());
        self.states.push(state);
        Some(self.states.len() - 1)
    }

    /// Whether the state is known to have no step.
    pub fn is_dead(&self, id: usize) -> bool {
        self.alive.get(id) == Some(&false)
    }

    fn figures(&self) -> [(&'static str, usize); 6] {
        [
            ("states", self.states.len()),
            ("initial", self.initial),
            (
                "transitions",
                self.edges.len() + self.faults.iter().filter(|fault| fault.from.is_some()).count(),
            ),
            ("depth", self.depth),
            ("deadlocks", self.alive.iter().filter(|alive| !**alive).count()),
            ("faults", self.faults.len()),
        ]
    }

    fn summary(&self) -> String {
        let lines: Vec<_> = self.figures().map(|(name, figure)| format!("  {name:<12} {figure}")).into();
        lines.join("\n")
    }
}

fn document(input: &Input, teller: &Teller<'_>, graph: &Graph, summary: bool) -> Value {
    let mut document = json::head(&input.source.path);
    document.insert("constants".into(), json::constants(&input.model));
    document.insert("complete".into(), json!(graph.stopped.is_none()));
    let figures = graph.figures().map(|(name, figure)| (name.to_string(), json!(figure)));
    document.insert("summary".into(), json::object(figures));
    if !summary {
        let states = graph.states.iter().enumerate().map(|(id, state)| {
            json!({"id": id, "initial": id < graph.initial, "cells": json::cells(teller, state)})
        });
        document.insert("states".into(), states.collect());
        document.insert("edges".into(), graph.edges.iter().map(|edge| edge_document(teller, edge)).collect());
        let faults = graph.faults.iter().map(|faulting| fault_document(teller, faulting));
        document.insert("faults".into(), faults.collect());
    }
    Value::Object(document)
}

fn edge_document(teller: &Teller<'_>, edge: &Edge) -> Value {
    let mut document = json::step(&teller.step(&edge.step), None);
    document["from"] = json!(edge.from);
    document["to"] = json!(edge.to);
    document
}

fn fault_document(teller: &Teller<'_>, faulting: &Faulting) -> Value {
    let (from, told) = match &faulting.from {
        Some((from, step)) => (Some(from), Some(teller.step(step))),
        None => (None, None),
    };
    let during = if from.is_some() { "step" } else { "initialisation" };
    let mut document =
        json::told_fault(teller.system, &ToldFault { fault: faulting.fault, step: told, during });
    document["from"] = json!(from);
    document
}
