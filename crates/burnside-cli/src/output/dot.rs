//! State graphs for Graphviz.

use crate::commands::graph::Graph;
use crate::output::decode::TraceDecoder;
use crate::output::state;
use burnside_limits::poll;
use burnside_ts::visible_lines;
use std::io::{self, Write};

/// Writes the graph in DOT. Initial states have a double border, deadlocks are grey, faults are red.
pub fn write(out: &mut dyn Write, decoder: &TraceDecoder<'_>, graph: &Graph, name: &str) -> io::Result<()> {
    writeln!(out, "digraph \"{}\" {{", escape(name))?;
    writeln!(out, "  node [shape=box, style=rounded, fontname=\"monospace\"];")?;
    writeln!(out, "  edge [fontname=\"monospace\"];")?;
    for (id, state) in graph.states.iter().enumerate() {
        poll();
        let cells = state::compact(decoder.cells(state));
        let label: String =
            cells.iter().map(|(name, value)| format!("{} = {}\\l", escape(name), escape(value))).collect();
        writeln!(out, "  s{id} [label=\"{label}\"{}];", attributes(graph, id))?;
    }
    for (from, to, edge) in &graph.edges {
        poll();
        let label = escape(&decoder.system.show_label(edge.step.label()));
        writeln!(out, "  s{from} -> s{to} [label=\"{label}\"];")?;
    }
    for (i, faulting) in graph.faults.iter().enumerate() {
        let message = escape(&faulting.fault.describe(decoder.system));
        writeln!(out, "  f{i} [label=\"{message}\", shape=plaintext, fontcolor=red];")?;
        let Some((from, step)) = &faulting.from else { continue };
        let label = escape(&decoder.system.show_label(step.label()));
        writeln!(out, "  s{from} -> f{i} [label=\"{label}\", color=red];")?;
    }
    writeln!(out, "}}")
}

fn attributes(graph: &Graph, id: usize) -> String {
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
