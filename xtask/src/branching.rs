//! `cargo xtask bench ctl`: the four algorithms for branching time on one graph: time and memory, and how
//! they grow with the formula.
//!
//! The graph is that of dining philosophers without symmetry: each thinks, is hungry, and eats if neither
//! neighbour does. Only judging is measured, not finding the graph.

use crate::machine;
use crate::process::{Done, build_program, check_model, target_directory};
use serde_json::Value;
use std::path::Path;

const MODEL: &str = "\
const N = 12;
type Seat = 0..N - 1;
enum Phase { thinking, hungry, eating }
process Philosopher[i: Seat] {
    var phase: Phase = thinking;
    rule sit when phase == thinking { phase = hungry; }
    rule eat when phase == hungry && forall j: Seat where j == (i + 1) % N || i == (j + 1) % N { phase[j] != eating } { phase = eating; }
    rule rise when phase == eating { phase = thinking; }
}
fn home(): bool = forall i: Seat { phase[i] == thinking };
fn fed(): bool = phase[0] == eating;
ctl f1 = EF fed();
ctl f2 = AG EF fed();
ctl f3 = AG EF home();
ctl f4 = AG (fed() -> EF (home() && EF fed()));
ctl f6 = AG EF (home() && EF (fed() && EF (home() && EF (fed() && EF home()))));
ctl s1 = E[phase[0] != eating U phase[0] == thinking && forall i: Seat where i != 0 { phase[i] == hungry }];
ctl u1 = AF fed();
ctl u2 = AG AF fed();
ctl u3 = A[!fed() U A[fed() U A[!fed() U fed()]]];
";

const FORMULAS: [&str; 9] = ["f1", "f2", "f3", "f4", "f6", "s1", "u1", "u2", "u3"];
const ALGORITHMS: [&str; 4] = ["new", "emc", "almc", "naive"];
/// The numbers of philosophers, and how often each is measured: finding the larger graph takes its time.
const SIZES: [(u32, usize); 2] = [(12, 3), (14, 1)];

/// Measures and prints the tables.
pub fn run() -> Done {
    let program = build_program()?;
    println!("{}", machine::describe());
    let path = target_directory()?.join("dining.orb");
    std::fs::write(&path, MODEL).map_err(|error| format!("{}: {error}", path.display()))?;
    for (members, runs) in SIZES {
        println!("\n### {members} philosophers\n");
        println!(
            "| formula | operations | algorithm | seconds | million states/s and temporal operator | bits/state beside the graph | bits/state by formula | stacks, bits/state |"
        );
        println!("|---|--:|---|--:|--:|--:|--:|--:|");
        for formula in FORMULAS {
            for algorithm in ALGORITHMS {
                println!("{}", row(&program, &path, (members, runs), [formula, algorithm])?);
            }
        }
    }
    println!(
        "\nBy formula: the operations and two more bitmaps, and one 32-bit number per state for `new`; twice the operations for `almc`, which keeps"
    );
    println!("whether each value is known; the predecessors for `emc`.");
    Ok(())
}

fn row(
    program: &Path,
    model: &Path,
    (members, runs): (u32, usize),
    [formula, algorithm]: [&str; 2],
) -> Result<String, String> {
    let settings = [("N".to_string(), members.to_string())];
    let options = ["--symmetry", "none", "--property", formula, "--ctl-algorithm", algorithm];
    let mut best: Option<(f64, Value)> = None;
    for _ in 0..runs {
        let document = check_model(program, model, &settings, &options)?;
        let results = document["results"].as_array().ok_or("the report has no results")?;
        let result =
            results.iter().find(|it| it["property"] == formula).ok_or("the report lacks the property")?;
        let judging = result["stats"]["judging"].clone();
        // The local algorithm finds the graph while it judges.
        let seconds = match algorithm {
            "almc" => result["seconds"].as_f64(),
            _ => judging["seconds"].as_f64(),
        };
        let seconds = seconds.ok_or("the report lacks figures")?;
        if best.as_ref().is_none_or(|(least, _)| seconds < *least) {
            best = Some((seconds, judging));
        }
    }
    let (seconds, judging) = best.ok_or("nothing was measured")?;
    let figure = |name: &str| judging[name].as_u64().unwrap_or_default();
    let (nodes, operations) = (figure("nodes"), figure("operations"));
    if nodes == 0 {
        return Ok(format!("| {formula} | - | {algorithm} | {seconds:.3} with the graph | - | - | - | - |"));
    }
    let beside = figure("bitmap_bytes") + figure("number_bytes") + figure("predecessor_bytes");
    let temporal = match formula {
        "f1" | "s1" | "u1" => 1,
        "f2" | "f3" | "u2" => 2,
        "f4" | "u3" => 3,
        _ => 6,
    };
    let limit = match algorithm {
        "new" => (operations + 2 + 32).to_string(),
        "emc" => format!("{} and predecessors", operations + 2),
        _ => (operations + 2).to_string(),
    };
    Ok(format!(
        "| {formula} | {operations} | {algorithm} | {seconds:.4} | {:.1} | {:.1} | {limit} | {:.1} |",
        nodes as f64 * f64::from(temporal) / seconds / 1e6,
        beside as f64 * 8.0 / nodes as f64,
        figure("stack_bytes") as f64 * 8.0 / nodes as f64
    ))
}
