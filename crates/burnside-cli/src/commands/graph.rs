//! `burnside graph`: the state graph, or with `--quotient` the graph of orbits.

use crate::args::{GraphArgs, GraphFormat};
use crate::commands::symmetry;
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::output::decode::{DecodedFault, TraceDecoder};
use crate::output::document::Part;
use crate::output::progress::ProgressDisplay;
use crate::output::{Console, dot, json, plural, text};
use crate::supervisor::Supervisor;
use burnside_explicit::{Canoniser, EdgeReduction, EdgeStorage, EdgeTarget, NodeId, Quotient, QuotientEdge};
use burnside_limits::{Interrupt, Limits, Observer, Progress, Stats, Stop, catch};
use burnside_trace::Step;
use burnside_ts::{Fault, System};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::io::{self, Write};
use std::mem::ManuallyDrop;

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
    // The program ends with it: to give back millions of edges one by one would take a second.
    let mut graph = ManuallyDrop::new(Graph::explore(&input.model.system, args, supervisor));
    let limit = graph.faults.first().and_then(|faulting| input.model.net_limit(&faulting.fault));
    graph.stopped = graph.stopped.take().or(limit.map(|stop| stop.to_string()));
    if graph.initial == 0 && graph.faults.is_empty() && graph.stopped.is_none() {
        return Err(input.no_initial_state(input.model.system.machine().excluding()));
    }
    supervisor.phase("the graph was printed");
    // After a limit, too: without names nothing of the graph could be told.
    let decoder = Interrupt::new().enter(|| TraceDecoder::new(&input.model));
    let mut out = Spool { out: console.stdout(), text: Vec::new(), supervisor };
    let printed = supervisor.closing(|| print(&mut out, args, console, (&input, &decoder), &graph));
    let cut = printed.map_err(Failure::Stopped)??;
    out.flush()?;
    match graph.stopped.take().or(cut.map(|stop| supervisor.explain(&stop))) {
        None => Ok(Exit::Good),
        Some(reason) => {
            console.note(&format!("the graph is not complete: {reason}"));
            Ok(Exit::Unknown)
        }
    }
}

/// Standard output behind so much memory. What fits into it is written when it is whole, without a limit; of
/// more the reader gets the first part while the rest is made.
struct Spool<'s, W> {
    out: W,
    text: Vec<u8>,
    supervisor: &'s Supervisor,
}

/// The greatest part.
const SPOOL: usize = 4 << 20;

impl<W: Write> Write for Spool<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        if self.text.len() >= SPOOL {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.supervisor.writing();
        self.out.write_all(&self.text)?;
        self.text.clear();
        self.out.flush()
    }
}

/// Prints the graph, or as much of it as a limit allows, and then the reason: a graph of its own in any case,
/// and not more of it in memory than a part.
fn print(
    out: &mut impl Write,
    args: &GraphArgs,
    console: &Console,
    (input, decoder): (&Input, &TraceDecoder<'_>),
    graph: &Graph<'_>,
) -> io::Result<Option<Stop>> {
    let cut = RefCell::new(None);
    match (args.format, args.summary) {
        (GraphFormat::Dot, false) => return dot::write(out, decoder, graph, &input.source.path),
        (GraphFormat::Dot, true) => {
            let mut page = console.page(&mut *out);
            writeln!(page, "{}", text::header(&input.source.path, &input.model, console.out))?;
            writeln!(page, "{}", graph.summary())?;
            page.flush()?;
        }
        (GraphFormat::Json, true) => summary(input, graph).write_cut(out)?,
        (GraphFormat::Json, false) => document(input, decoder, graph, &cut).write_cut(out)?,
    }
    Ok(cut.into_inner())
}

impl<'s> Graph<'s> {
    /// Explores up to a number of states, or until the flag is raised.
    fn explore(system: &'s System, args: &GraphArgs, supervisor: &Supervisor) -> Self {
        let mut graph = Self::default();
        let canoniser = args.quotient.then(|| Canoniser::new(system, &system.symmetry, true));
        let reduction = if args.quotient { EdgeReduction::Distinct } else { EdgeReduction::All };
        let limits = Limits { states: Some(args.max_states), ..supervisor.limits() };
        let mut display = ProgressDisplay::new(args.progress, &limits);
        let explored = Quotient::new(system, canoniser, reduction, EdgeStorage::Recomputed, &limits)
            .and_then(|quotient| graph.walk(quotient, args.quotient, &mut display));
        graph.stopped = explored.err().map(|stop| match stop {
            Stop::Interrupted => limits.interrupt.stop().unwrap_or(stop).to_string(),
            Stop::States(most) => format!("there are more than {}", plural(most, "state", "states")),
            stop => stop.to_string(),
        });
        graph
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

    fn progress(&self, quotient: &Quotient<'_>, queue: u64) -> Progress {
        let (states, transitions) = (u64::from(quotient.len()), self.edges.len() as u64);
        let (depth, memory) = (self.depth as u64, quotient.bytes());
        let stats = Stats { states, transitions, depth, memory, ..Stats::default() };
        Progress { stats, queue, by_levels: true }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.quotient.as_ref().map_or(0, |quotient| quotient.len() as usize)
    }

    /// All states.
    pub fn states(&self) -> impl Iterator<Item = &[u64]> {
        self.quotient.iter().flat_map(|quotient| (0..quotient.len()).map(|id| quotient.state(NodeId(id))))
    }

    /// Whether the state is known to have no step.
    pub fn is_dead(&self, id: usize) -> bool {
        self.alive.get(id) == Some(&false)
    }

    fn figures(&self) -> Vec<(&'static str, Value)> {
        let faulting = self.faults.iter().filter(|fault| fault.from.is_some()).count();
        let mut figures = vec![("states", json!(self.len())), ("initial", json!(self.initial))];
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
fn summary<'a>(input: &Input, graph: &Graph<'_>) -> Part<'a> {
    let mut document = head(input, graph);
    document.extend(graph.figures().into_iter().map(|(name, figure)| (name, figure.into())));
    document.push(("complete", graph.stopped.is_none().into()));
    document.push(("reason", graph.stopped.clone().into()));
    Part::Object(document)
}

/// The whole graph. Whether it is one is known at the end.
fn document<'a>(
    input: &Input,
    decoder: &'a TraceDecoder<'_>,
    graph: &'a Graph<'_>,
    cut: &'a RefCell<Option<Stop>>,
) -> Part<'a> {
    let states = graph.states().enumerate().map(|(id, state)| {
        let cells = json::cells_part(decoder, state);
        Part::Object(vec![("id", id.into()), ("initial", (id < graph.initial).into()), ("cells", cells)])
    });
    let edges = graph.edges.iter().map(|edge| edge_part(decoder, edge));
    let faults = graph.faults.iter().map(|faulting| fault_document(decoder, faulting).into());
    let reason = move || graph.stopped.clone().or(cut.borrow().as_ref().map(Stop::to_string));
    let mut document = head(input, graph);
    document.extend([
        ("states", Part::cut(states, cut)),
        ("edges", Part::cut(edges, cut)),
        ("faults", Part::cut(faults, cut)),
        ("complete", Part::late(move || json!(reason().is_none()))),
        ("reason", Part::late(move || json!(reason()))),
    ]);
    Part::Object(document)
}

fn edge_part<'a>(decoder: &'a TraceDecoder<'_>, (from, to, edge): &(usize, usize, QuotientEdge)) -> Part<'a> {
    let mut members = json::step_members(decoder.step(&edge.step));
    members.extend([("from", (*from).into()), ("to", (*to).into())]);
    if let EdgeTarget::Node(_, Some(permutation)) = &edge.target {
        members.push(("motion", symmetry::show_permutation(&decoder.system.types, permutation).into()));
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
