//! `cargo xtask bench hunts`: how long it takes to find the deadlock of many philosophers, and how long the
//! run is that shows it; against SPIN's depth-first search.
//!
//! Processor time of the whole program on one thread, medians, by turns. SPIN is asked as [`crate::peers`]
//! does it, without its compilation; if it cannot be, that row is left out.

use crate::cpu::{self, Job};
use crate::machine;
use crate::peers::spin::{self, SpinQuestion};
use crate::peers::tools::Subject;
use crate::process::{Done, build_program, target_directory};
use crate::work::{self, dash, ratio, show};

/// Seconds that a program may take.
const LIMIT: u32 = 100;
const SIZES: [u32; 2] = [12, 14];
/// What the rows are called, and the options.
const WAYS: [(&str, &str); 8] = [
    ("`auto`", "--search auto"),
    ("`auto`, no symmetry", "--search auto --symmetry none"),
    ("`depth`", "--search depth"),
    ("`depth`, no symmetry", "--search depth --symmetry none"),
    ("`random`", "--search random"),
    ("`random`, no symmetry", "--search random --symmetry none"),
    ("`breadth`", "--search breadth"),
    ("`breadth`, no symmetry", "--search breadth --symmetry none"),
];

/// Measures and prints the table.
pub fn run() -> Done {
    let program = build_program()?;
    let folder = target_directory()?.join("hunts");
    println!("{}\n", machine::describe());
    println!("| philosophers | search | seconds | steps of the run | against SPIN |");
    println!("|--:|---|--:|--:|--:|");
    for n in SIZES {
        let subject = Subject { model: "philosophers", n, m: 0 };
        let ours = |options: &str| {
            let options = format!("{} -p deadlock {options}", subject.settings());
            work::hunt(&program, &work::example(subject.model), &options)
        };
        let mut rows: Vec<(&str, Job)> = WAYS.iter().map(|way| (way.0, ours(way.1))).collect();
        match spin::compile(&folder, subject, SpinQuestion::Deadlock) {
            Ok(compiled) => rows.push(("SPIN", compiled.job)),
            Err(why) => eprintln!("no row for SPIN: {why}"),
        }
        let timings = cpu::medians(&rows.iter().map(|(_, job)| job).collect::<Vec<_>>(), LIMIT);
        let peer = timings.get(WAYS.len()).unwrap_or(&Ok(None));
        for ((name, _), timing) in rows.iter().zip(&timings) {
            let steps = timing.clone()?.and_then(|took| took.count);
            let steps = dash(steps.map(|it| it as f64), 0);
            let ratio = dash(ratio(peer, timing), 2);
            println!("| {n} | {name} | {} | {steps} | {ratio} |", show(timing, LIMIT));
        }
    }
    Ok(())
}
