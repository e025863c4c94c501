//! Automata as drawings for Graphviz.
//!
//! Entry point: [`print_dot`]. Edges between the same states with the same marks share an arrow; states that
//! carry the acceptance have a double border, edges show the numbers of their sets in braces.

use std::fmt::Write;

use super::print::{arrows, has_marks_on_states, name, quote, signature};
use crate::{Automaton, Cube};

/// The automaton in the DOT language; atom `i` is called `names[i]`, or `p` with its number.
pub fn print_dot(automaton: &Automaton, names: &[String], title: &str) -> String {
    let mut text = format!("digraph {} {{\n  rankdir=LR\n  node [shape=circle]\n", quote(title));
    let mut line =
        |line: std::fmt::Arguments<'_>| writeln!(text, "  {line}").expect("strings can be written to");
    for state in &automaton.initial {
        line(format_args!("start{} [shape=point, style=invis]", state.0));
        line(format_args!("start{0} -> {0}", state.0));
    }
    let on_states = automaton.sets == 1 && has_marks_on_states(automaton);
    for (state, edges) in automaton.edges.iter().enumerate() {
        let accepting = on_states && edges.first().is_some_and(|edge| edge.marks.has(0));
        line(format_args!(
            "{state} [label=\"{state}\"{}]",
            if accepting { ", shape=doublecircle" } else { "" }
        ));
        for ((target, marks), labels) in arrows(edges) {
            let labels: Vec<String> = labels.into_iter().map(|cube| label(cube, names)).collect();
            let marks = if on_states { String::new() } else { signature(marks) };
            line(format_args!("{state} -> {} [label={}]", target.0, quote(&(labels.join(" || ") + &marks))));
        }
    }
    text.push_str("}\n");
    text
}

fn label(cube: &Cube, names: &[String]) -> String {
    let literal = |(atom, positive)| format!("{}{}", if positive { "" } else { "!" }, name(atom, names));
    let literals: Vec<String> = cube.literals().map(literal).collect();
    if literals.is_empty() { "true".into() } else { literals.join(" && ") }
}
