//! `cargo xtask bench papers`: the tables of the papers that Burnside follows, with our figures beside
//! theirs.
//!
//! The paper counts the server as a process, so its 10, 50 and 100 processes are 9, 49 and 99 clients. *Old*
//! is the two-phase method, *new* the one on the fly. Seconds and kilobytes of the paper are those of a
//! machine of 1997: only their ratios mean anything.

use crate::machine;
use crate::process::{Done, build_program, check_model, root};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A table of Gyuris and Sistla: a property of the resource controller, and what the paper says, old / new,
/// for each size.
struct Table {
    title: &'static str,
    property: &'static str,
    /// Product states, seconds and kilobytes.
    paper: [[(f64, f64); 3]; 3],
}

const CLIENTS: [u32; 3] = [9, 49, 99];
/// Beyond the paper, on the fly only.
const MORE_CLIENTS: u32 = 999;
const RUNS: usize = 3;

const TABLES: [Table; 2] = [
    Table {
        title: "Table 1: eventual access (violated)",
        property: "access",
        paper: [
            [(385.0, 91.0), (0.0, 0.0), (31.0, 13.0)],
            [(9943.0, 91.0), (37.0, 6.0), (1219.0, 216.0)],
            [(39893.0, 91.0), (481.0, 42.0), (6878.0, 830.0)],
        ],
    },
    Table {
        title: "Table 2: mutual exclusion (holds)",
        property: "exclusion",
        paper: [
            [(38.0, 38.0), (0.0, 0.0), (11.0, 10.0)],
            [(198.0, 198.0), (18.0, 6.0), (481.0, 221.0)],
            [(398.0, 398.0), (158.0, 44.0), (2903.0, 857.0)],
        ],
    },
];

/// Quotient states and transitions of the paper, old / new.
const QUOTIENTS: [(u64, u64, u64); 3] = [(38, 235, 107), (198, 6175, 1567), (398, 24850, 5642)];

/// Measures and prints the tables.
pub fn run() -> Done {
    let program = build_program()?;
    println!("{}", machine::describe());
    println!("\n### The quotient of the resource controller\n");
    println!(
        "| processes | states, paper | states | transitions, paper old / new | all / one per executor / one per instance |"
    );
    println!("|--:|--:|--:|--:|--:|");
    for (clients, (states, old, new)) in CLIENTS.into_iter().zip(QUOTIENTS) {
        let ours = quotient(&program, clients)?;
        let figure = |name: &str| ours[name].as_u64().unwrap_or_default();
        println!(
            "| {} | {states} | {} | {old} / {new} | {} / {} / {} |",
            clients + 1,
            figure("states"),
            figure("edges_all"),
            figure("edges_executor"),
            figure("edges_distinct")
        );
    }
    for table in &TABLES {
        print_table(&program, table)?;
    }
    Ok(())
}

fn print_table(program: &Path, table: &Table) -> Done {
    println!("\n### {}\n", table.title);
    println!(
        "| processes | product states, paper old / new | old / new | seconds, paper old / new | old / new | kB, paper old / new | old / new | verdicts |"
    );
    println!("|--:|--:|--:|--:|--:|--:|--:|---|");
    for (clients, paper) in CLIENTS.into_iter().zip(&table.paper) {
        let old = measure(program, table.property, clients, "two-phase")?;
        let new = measure(program, table.property, clients, "on-the-fly")?;
        let [(a, b), (c, d), (e, f)] = *paper;
        println!(
            "| {} | {a} / {b} | {} / {} | {c} / {d} | {:.3} / {:.3} | {e} / {f} | {} / {} | {} / {} |",
            clients + 1,
            old.pairs,
            new.pairs,
            old.seconds,
            new.seconds,
            old.bytes / 1024,
            new.bytes / 1024,
            old.verdict,
            new.verdict
        );
    }
    let new = measure(program, table.property, MORE_CLIENTS, "on-the-fly")?;
    let kilobytes = new.bytes / 1024;
    println!(
        "| {} | - | - / {} | - | - / {:.3} | - | - / {kilobytes} | - / {} |",
        MORE_CLIENTS + 1,
        new.pairs,
        new.seconds,
        new.verdict
    );
    Ok(())
}

struct PaperFigures {
    pairs: u64,
    seconds: f64,
    bytes: u64,
    verdict: String,
}

/// The fastest of some runs.
fn measure(program: &Path, property: &str, clients: u32, method: &str) -> Result<PaperFigures, String> {
    let options = ["--property", property, "--method", method];
    let settings = [("N".to_string(), clients.to_string())];
    let mut best: Option<PaperFigures> = None;
    for _ in 0..RUNS {
        let document = check_model(program, &root().join("examples/resource.orb"), &settings, &options)?;
        let results = document["results"].as_array().ok_or("the report has no results")?;
        let result =
            results.iter().find(|it| it["property"] == property).ok_or("the report lacks the property")?;
        let figure = |name: &str| result["stats"][name].as_u64().ok_or("the report lacks figures");
        let figures = PaperFigures {
            pairs: figure("product_states")?,
            bytes: figure("peak_memory")?,
            seconds: result["seconds"].as_f64().ok_or("the report lacks figures")?,
            verdict: result["verdict"].as_str().unwrap_or_default().to_string(),
        };
        if best.as_ref().is_none_or(|best| figures.seconds < best.seconds) {
            best = Some(figures);
        }
    }
    best.ok_or_else(|| "nothing was measured".into())
}

fn quotient(program: &Path, clients: u32) -> Result<Value, String> {
    let mut command = Command::new(program);
    command.current_dir(root()).args(["graph", "examples/resource.orb", "--quotient", "--summary"]);
    command.args(["--format", "json", "--set", &format!("N={clients}")]);
    let text = crate::process::output(&mut command)?;
    serde_json::from_str(&text).map_err(|error| format!("the summary of the quotient: {error}"))
}
