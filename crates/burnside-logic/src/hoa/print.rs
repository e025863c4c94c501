//! Automata as text.
//!
//! Entry point: [`print_hoa`]. Edges that differ in their cubes only are one edge with a disjunction as its
//! label. Acceptance is printed on states if all edges of each state have the same marks, so what `on_states`
//! makes looks as expected, and on edges otherwise.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::{Automaton, Cube, Edge, Marks, StateId};

/// The automaton in the Hanoi Omega-Automata format; atom `i` is called `names[i]`, or `p` with its number.
pub fn print_hoa(automaton: &Automaton, names: &[String], title: &str) -> String {
    let mut text = String::from("HOA: v1\n");
    let mut line =
        |line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("strings can be written to");
    if !title.is_empty() {
        line(format_args!("name: {}", quote(title)));
    }
    line(format_args!("tool: \"burnside\" \"{}\"", env!("CARGO_PKG_VERSION")));
    line(format_args!("States: {}", automaton.len()));
    for state in &automaton.initial {
        line(format_args!("Start: {}", state.0));
    }
    let names = (0..automaton.atoms).map(|atom| quote(&name(atom, names)));
    line(format_args!("AP: {}{}", automaton.atoms, names.fold(String::new(), |all, name| all + " " + &name)));
    line(format_args!("acc-name: {}", acceptance_name(automaton.sets)));
    line(format_args!("Acceptance: {} {}", automaton.sets, condition(automaton.sets)));
    let on_states = has_marks_on_states(automaton);
    let kind = if on_states { "state-acc" } else { "trans-acc" };
    let deterministic = if automaton.is_deterministic() { " deterministic" } else { "" };
    line(format_args!("properties: trans-labels explicit-labels {kind} no-univ-branch{deterministic}"));
    line(format_args!("--BODY--"));
    for (state, edges) in automaton.edges.iter().enumerate() {
        let marks = edges.first().filter(|_| on_states).map_or(String::new(), |edge| signature(edge.marks));
        line(format_args!("State: {state}{marks}"));
        for ((target, marks), labels) in arrows(edges) {
            let label = labels.into_iter().map(label).collect::<Vec<_>>().join(" | ");
            let marks = if on_states { String::new() } else { signature(marks) };
            line(format_args!("[{label}] {}{marks}", target.0));
        }
    }
    line(format_args!("--END--"));
    text
}

/// The cubes of the edges of a state, by where they lead and by their marks.
pub(super) fn arrows(edges: &[Edge]) -> BTreeMap<(StateId, Marks), Vec<&Cube>> {
    let mut arrows: BTreeMap<_, Vec<_>> = BTreeMap::new();
    edges.iter().for_each(|edge| arrows.entry((edge.target, edge.marks)).or_default().push(&edge.label));
    arrows
}

/// What an atom is called.
pub(super) fn name(atom: u32, names: &[String]) -> String {
    names.get(atom as usize).cloned().unwrap_or_else(|| format!("p{atom}"))
}

/// A text between quotes.
pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn acceptance_name(sets: u32) -> String {
    match sets {
        0 => "all".into(),
        1 => "Buchi".into(),
        _ => format!("generalized-Buchi {sets}"),
    }
}

fn condition(sets: u32) -> String {
    let sets: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
    if sets.is_empty() { "t".into() } else { sets.join("&") }
}

/// Whether the edges of each state have equal marks, and some have marks.
pub(super) fn has_marks_on_states(automaton: &Automaton) -> bool {
    let equal = |edges: &Vec<Edge>| edges.windows(2).all(|pair| pair[0].marks == pair[1].marks);
    automaton.sets > 0 && automaton.edges.iter().all(equal)
}

pub(super) fn signature(marks: Marks) -> String {
    let sets: Vec<String> =
        (0..Marks::MOST).filter(|&set| marks.has(set)).map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

fn label(cube: &Cube) -> String {
    let literals: Vec<String> = cube
        .literals()
        .map(|(atom, positive)| format!("{}{atom}", if positive { "" } else { "!" }))
        .collect();
    if literals.is_empty() { "t".into() } else { literals.join("&") }
}
