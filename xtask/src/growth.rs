//! How the search on orbits grows: with the members of a family that nothing names, and on states that are
//! graphs.

use crate::process::{Done, check_model, root, target_directory};
use std::path::Path;

/// Clients of the resource controller.
const CLIENTS: [u32; 3] = [100, 1000, 4000];
/// Nodes of the graphs. There are 11, 34, 156, 1,044 and 12,346 of them up to renaming.
const NODES: [u32; 5] = [4, 5, 6, 7, 8];

/// Every state is an undirected graph: the worst case for canonical states.
const GRAPHS: &str = "\
const N = 4;
symmetric Node[N];
var edge: array[Node, Node] of bool;
process Author {
    rule draw(a: Node, b: Node) when a != b && !edge[a, b] { edge[a, b] = true; edge[b, a] = true; }
}
deadlock allowed;
";

/// Measures and prints both tables.
pub fn run(program: &Path) -> Done {
    println!("\n| clients of resource | orbits | seconds | growth exponent |\n|--:|--:|--:|--:|");
    table(program, &root().join("examples/resource.orb"), &CLIENTS, &["--property", "mutex"])?;
    let graphs = target_directory()?.join("graphs.orb");
    std::fs::write(&graphs, GRAPHS).map_err(|error| format!("{}: {error}", graphs.display()))?;
    println!("\n| nodes of a graph | graphs | seconds | microseconds per step |\n|--:|--:|--:|--:|");
    for nodes in NODES {
        let (orbits, transitions, seconds) = measure(program, &graphs, nodes, &[])?;
        println!("| {nodes} | {orbits} | {seconds:.3} | {:.1} |", seconds * 1e6 / transitions as f64);
    }
    Ok(())
}

fn table(program: &Path, model: &Path, sizes: &[u32], options: &[&str]) -> Done {
    let mut before: Option<(u32, f64)> = None;
    for &size in sizes {
        let (orbits, _, seconds) = measure(program, model, size, options)?;
        let exponent = before.map_or("-".to_string(), |(smaller, time)| {
            format!("{:.2}", (seconds / time).ln() / (f64::from(size) / f64::from(smaller)).ln())
        });
        println!("| {size} | {orbits} | {seconds:.3} | {exponent} |");
        before = Some((size, seconds));
    }
    Ok(())
}

/// Orbits, steps and seconds.
fn measure(program: &Path, model: &Path, size: u32, options: &[&str]) -> Result<(u64, u64, f64), String> {
    let document = check_model(program, model, &[("N".to_string(), size.to_string())], options)?;
    let figure = |name: &str| document["stats"][name].as_u64().ok_or("the report lacks figures".to_string());
    let seconds = document["seconds"].as_f64().ok_or("the report lacks figures".to_string())?;
    Ok((figure("states")?, figure("transitions")?, seconds))
}
