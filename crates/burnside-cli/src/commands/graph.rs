//! `burnside graph`: the state graph, or with `--quotient` the graph of orbits.

use crate::args::{GraphArgs, GraphFormat};
use crate::exit::{Exit, Failure, Outcome};
use crate::input::{self, Input};
use crate::output::progress::ProgressDisplay;
use crate::output::{Console, dot, text};
use crate::supervisor::Supervisor;
use burnside_limits::{Interrupt, Limits, Stop};
use burnside_report::decode::TraceDecoder;
use burnside_report::graph::{Graph, document, summary};
use std::cell::RefCell;
use std::io::{self, Write};
use std::mem::ManuallyDrop;

/// Runs the command.
pub fn run(args: &GraphArgs, console: &Console, supervisor: &Supervisor) -> Outcome {
    supervisor.phase("the model was loaded");
    let input = input::load_and_warn(&args.model, console)?;
    supervisor.phase("the graph was explored");
    // The program ends with it: to give back millions of edges one by one would take a second.
    let limits = Limits { states: Some(args.max_states), ..supervisor.limits() };
    let mut display = ProgressDisplay::new(args.progress, &limits);
    let explored = Graph::watched(&input.model.system, args.quotient, &limits, &mut display);
    drop(display);
    let mut graph = ManuallyDrop::new(explored);
    let limit = graph.faults.first().and_then(|faulting| input.model.net_limit(&faulting.fault));
    graph.stopped = graph.stopped.take().or(limit);
    if graph.initial == 0 && graph.faults.is_empty() && graph.stopped.is_none() {
        return Err(input::no_initial_state(&input, input.model.system.machine().excluding()));
    }
    supervisor.phase("the graph was printed");
    // After a limit, too: without names nothing of the graph could be told.
    let decoder = Interrupt::new().enter(|| TraceDecoder::new(&input.model));
    let mut out = Spool { out: console.stdout(), text: Vec::new(), supervisor };
    let printed = supervisor.closing(|| print(&mut out, args, console, (&input, &decoder), &graph));
    let cut = printed.map_err(Failure::Stopped)??;
    out.flush()?;
    match graph.reason().or(cut.map(|stop| supervisor.explain(&stop))) {
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
