//! Automata as drawings for Graphviz.
//!
//! Entry point: [`print_dot`]. Edges between the same states with the same marks share an arrow; states that carry the
//! acceptance have a double border, edges show the numbers of their sets in braces.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::print::{has_marks_on_states, name, quote};
use crate::{Automaton, Cube, Marks, StateId};

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
        let mut arrows: BTreeMap<(StateId, Marks), Vec<String>> = BTreeMap::new();
        for edge in edges {
            let marks = if on_states { Marks::default() } else { edge.marks };
            arrows.entry((edge.target, marks)).or_default().push(label(&edge.label, names));
        }
        for ((target, marks), labels) in arrows {
            let text = labels.join(" || ") + &sets(marks);
            line(format_args!("{state} -> {} [label={}]", target.0, quote(&text)));
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

fn sets(marks: Marks) -> String {
    let sets: Vec<String> =
        (0..Marks::MOST).filter(|&set| marks.has(set)).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}
