//! State graphs for Graphviz.

use crate::output::state;
use burnside_limits::{Stop, catch, poll};
use burnside_report::decode::TraceDecoder;
use burnside_report::graph::{Faulting, Graph};
use burnside_ts::visible_lines;
use std::io::{self, Write};

/// Writes the graph in DOT. Initial states have a double border, deadlocks are grey, faults are red. A limit
/// ends it early, with the reason; what is written is a graph all the same.
pub fn write(
    out: &mut dyn Write,
    decoder: &TraceDecoder<'_>,
    graph: &Graph<'_>,
    name: &str,
) -> io::Result<Option<Stop>> {
    writeln!(out, "digraph \"{}\" {{", escape(name))?;
    writeln!(out, "  node [shape=box, style=rounded, fontname=\"monospace\"];")?;
    writeln!(out, "  edge [fontname=\"monospace\"];")?;
    let states = graph.states().enumerate().map(|(id, state)| state_line(decoder, graph, id, &state));
    let edges = graph.edges.iter().map(|(from, to, edge)| {
        let label = escape(&decoder.system.show_label(edge.step.label()));
        format!("  s{from} -> s{to} [label=\"{label}\"];\n")
    });
    let faults = graph.faults.iter().enumerate().map(|(i, faulting)| fault_lines(decoder, i, faulting));
    let mut lines = states.chain(edges).chain(faults);
    let cut = loop {
        match catch(|| {
            poll();
            lines.next()
        }) {
            Ok(Some(line)) => out.write_all(line.as_bytes())?,
            Ok(None) => break None,
            Err(stop) => break Some(stop),
        }
    };
    writeln!(out, "}}")?;
    Ok(cut)
}

fn state_line(decoder: &TraceDecoder<'_>, graph: &Graph<'_>, id: usize, state: &[u64]) -> String {
    let cells = state::compact(decoder.cells(state));
    let label: String =
        cells.iter().map(|(name, value)| format!("{} = {}\\l", escape(name), escape(value))).collect();
    format!("  s{id} [label=\"{label}\"{}];\n", attributes(graph, id))
}

fn fault_lines(decoder: &TraceDecoder<'_>, i: usize, faulting: &Faulting) -> String {
    let message = escape(&faulting.fault.describe(decoder.system));
    let node = format!("  f{i} [label=\"{message}\", shape=plaintext, fontcolor=red];\n");
    match &faulting.from {
        Some((from, step)) => {
            let label = escape(&decoder.system.show_label(step.label()));
            format!("{node}  s{from} -> f{i} [label=\"{label}\", color=red];\n")
        }
        None => node,
    }
}

fn attributes(graph: &Graph<'_>, id: usize) -> String {
    let initial = if id < graph.initial { ", peripheries=2" } else { "" };
    let dead = if graph.is_dead(id) { ", style=\"rounded,filled\", fillcolor=lightgrey" } else { "" };
    format!("{initial}{dead}")
}

fn escape(text: &str) -> String {
    visible_lines(text, false).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn quotes_are_escaped() {
        assert_eq!(escape("a \"b\" \\ c"), "a \\\"b\\\" \\\\ c");
        assert_eq!(escape("a\u{202e}b\nc"), "a\\\\u{202e}b\\nc");
    }
}
