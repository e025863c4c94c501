//! Which states of an automaton are alike up to swapping two indices, as a comment in front of it.
//!
//! Entry point: [`described`]. The numbers in the names of the atoms are taken as indices: of `p1`,
//! `p(1)` and `"phase[Client#1] == idle"` it is 1. Swapping two of them must turn every atom into an atom of
//! the formula.

use burnside_logic::{Automaton, Form};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The automaton with bisimilar states made one, and a comment that says which states are related by each
/// swap.
pub fn described(automaton: &Automaton, names: &[String]) -> (Automaton, String) {
    let form = Form::of(automaton);
    let parts: Vec<Vec<String>> = names.iter().map(|name| parts(name)).collect();
    let indices: BTreeSet<String> = parts
        .iter()
        .flatten()
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .cloned()
        .collect();
    let indices: Vec<String> = in_order(indices);
    let mut text = String::from("/* states that are alike up to a swap of two indices\n");
    let mut whole = Vec::new();
    for (i, low) in indices.iter().enumerate() {
        for high in &indices[i + 1..] {
            let related = match images(&parts, low, high) {
                None => "not every atom has an image".to_string(),
                Some(images) => {
                    let found = form.related(&images);
                    if keeps_initial(form.automaton(), &found) {
                        whole.push(format!("({low} {high})"));
                    }
                    pairs(&found)
                }
            };
            let _ = writeln!(text, "   ({low} {high}): {related}");
        }
    }
    let whole = if whole.is_empty() { "none".to_string() } else { whole.join(" ") };
    let _ = writeln!(text, "   swaps that leave the formula as it is: {whole} */");
    (form.automaton().clone(), text)
}

/// A name in pieces that are numbers and pieces that are not.
fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for c in name.chars() {
        match parts.last_mut() {
            Some(last) if last.ends_with(|l: char| l.is_ascii_digit()) == c.is_ascii_digit() => last.push(c),
            _ => parts.push(c.to_string()),
        }
    }
    parts
}

/// Numbers by their size, however long they are.
fn in_order(indices: BTreeSet<String>) -> Vec<String> {
    let mut indices: Vec<String> = indices.into_iter().collect();
    indices.sort_by_key(|index| (index.len(), index.clone()));
    indices
}

/// Where a swap takes each atom, if it takes it to one.
fn images(names: &[Vec<String>], low: &str, high: &str) -> Option<Vec<u32>> {
    let swapped = |part: &String| match part {
        part if part == low => high.to_string(),
        part if part == high => low.to_string(),
        part => part.clone(),
    };
    let image = |name: &Vec<String>| {
        let moved: Vec<String> = name.iter().map(swapped).collect();
        names.iter().position(|other| *other == moved).map(|atom| atom as u32)
    };
    names.iter().map(image).collect()
}

/// Whether a swap takes each initial state to an initial one.
fn keeps_initial(automaton: &Automaton, found: &[Option<burnside_logic::Image>]) -> bool {
    let kept = |image: &burnside_logic::Image| automaton.initial.contains(&image.state);
    automaton.initial.iter().all(|state| found[state.index()].as_ref().is_some_and(kept))
}

/// Related states, each pair once.
fn pairs(found: &[Option<burnside_logic::Image>]) -> String {
    let pair = |(state, image): (usize, &Option<burnside_logic::Image>)| {
        let to = image.as_ref()?.state.index();
        (state <= to).then(|| format!("{state}~{to}"))
    };
    let pairs: Vec<String> = found.iter().enumerate().filter_map(pair).collect();
    if pairs.is_empty() { "none".to_string() } else { pairs.join(" ") }
}
