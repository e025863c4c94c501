//! Prints the sizes of the automata of formulas from the literature:
//! `cargo run --release -p burnside-logic --example patterns`. The last lines are the totals of
//! `docs/benchmarks.md`. With `--each`, a line for each pattern.

use std::collections::HashSet;
use std::time::Instant;

use burnside_logic::{Automaton, AutomatonLimits, Ltl, parse, translate};

#[path = "../tests/all/common/patterns.rs"]
mod patterns;

/// States, edges, letters on edges, and whether it is deterministic.
fn sizes(automaton: &Automaton) -> [usize; 4] {
    let letters = automaton.edges.iter().map(|edges| {
        let read = (0..1u64 << automaton.atoms).flat_map(|letter| {
            let read = edges.iter().filter(move |edge| edge.label.holds(&[letter]));
            read.map(move |edge| (letter, edge.target, edge.marks))
        });
        read.collect::<HashSet<_>>().len()
    });
    [automaton.len(), automaton.edge_count(), letters.sum(), automaton.is_deterministic().into()]
}

fn both(text: &str) -> Result<[[usize; 4]; 2], String> {
    let parsed = parse(text).map_err(|error| error.to_string())?;
    let atoms = parsed.names.len() as u32;
    let size = |formula: &Ltl| {
        translate(formula, atoms, &AutomatonLimits::default()).map(|automaton| sizes(&automaton))
    };
    let yes = size(&parsed.formula).map_err(|error| error.to_string())?;
    let no = size(&Ltl::Not(Box::new(parsed.formula))).map_err(|error| error.to_string())?;
    Ok([yes, no])
}

fn main() -> Result<(), String> {
    let each = std::env::args().any(|argument| argument == "--each");
    let mut totals = [[0; 4]; 2];
    let start = Instant::now();
    for (name, scopes) in patterns::PATTERNS {
        for (scope, text) in scopes.iter().enumerate() {
            let sizes = both(text)?;
            if each {
                println!("{name} {scope}: {:?} {:?} {text}", sizes[0], sizes[1]);
            }
            for (totals, sizes) in totals.iter_mut().zip(sizes) {
                totals.iter_mut().zip(sizes).for_each(|(total, size)| *total += size);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    for (name, n) in patterns::FAMILIES.iter().flat_map(|family| (1..=4).map(move |n| (family, n))) {
        let start = Instant::now();
        let sizes =
            both(&name.1(n)).map_or_else(|error| error, |sizes| format!("{:?} {:?}", sizes[0], sizes[1]));
        println!("{} {n}: {sizes} {:.3} s", name.0, start.elapsed().as_secs_f64());
    }
    println!("55 patterns, [states, edges, letters on edges, deterministic]: {:?}", totals[0]);
    println!("55 negations: {:?}", totals[1]);
    println!("{seconds:.3} s");
    Ok(())
}
