//! `cargo xtask bench local`: products of linear-time properties with indices inside, with local symmetries
//! of their automata and without.
//!
//! The whole product is looked at: the property holds, or the method is the one that builds it first.
//! Quantifiers stay where they are.

use crate::machine;
use crate::process::{Done, build_program, check_model, root, target_directory};
use std::path::{Path, PathBuf};

const RUNS: usize = 3;
const MEMBERS: std::ops::RangeInclusive<u32> = 2..=8;
/// Without local symmetries these would be too much.
const MORE: [u32; 4] = [12, 14, 20, 40];

const RESPONSE: &str = "G (forall c: Client { phase[c] == requested -> F phase[c] == using })";

const RING: &str = "G (forall s: Seat { eating(s) -> F !eating(s) })";

/// Measures and prints the tables.
pub fn run() -> Done {
    let program = build_program()?;
    println!("{}", machine::describe());
    println!("\n### Some leader is final: `exists p: Proc {{ F G (leader == p) }}`, violated\n");
    let leader = root().join("examples/leader.orb");
    table(&program, &leader, &["--property", "settles", "--method", "two-phase"], &MORE)?;
    println!("\n### Every request is answered: `{RESPONSE}`, violated\n");
    let resource = root().join("examples/resource.orb");
    table(&program, &resource, &["--ltl", RESPONSE, "--method", "two-phase"], &MORE)?;
    println!("\n### The same with strongly fair grants, on the fly, holds\n");
    table(&program, &strongly_fair(&resource)?, &["--ltl", RESPONSE], &MORE)?;
    println!(
        "\n### A ring, whose rotations cannot save more than a factor of N: `{RING}`, on the fly, holds\n"
    );
    table(&program, &root().join("examples/philosophers.orb"), &["--ltl", RING], &[])
}

/// The resource controller in which each grant is strongly fair.
fn strongly_fair(resource: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", resource.display());
    let text = std::fs::read_to_string(resource).map_err(failed)?;
    let path = target_directory()?.join("resource_strong.orb");
    std::fs::write(&path, text.replace("rule grant", "strong fair rule grant")).map_err(failed)?;
    Ok(path)
}

fn table(program: &Path, model: &Path, options: &[&str], more: &[u32]) -> Done {
    println!("| N | states in the product, none | local | ratio | seconds, none | local | ratio |");
    println!("|--:|--:|--:|--:|--:|--:|--:|");
    for members in MEMBERS {
        let (none, slow) = fastest(program, model, members, options, "none")?;
        let (local, fast) = fastest(program, model, members, options, "local")?;
        let (fewer, faster) = (none as f64 / local as f64, slow / fast.max(1e-9));
        println!("| {members} | {none} | {local} | {fewer:.1} | {slow:.4} | {fast:.4} | {faster:.1} |");
    }
    for &members in more {
        let (local, fast) = fastest(program, model, members, options, "local")?;
        println!("| {members} | - | {local} | - | - | {fast:.4} | - |");
    }
    println!();
    Ok(())
}

/// States in the product, and seconds of the fastest of some runs.
fn fastest(
    program: &Path,
    model: &Path,
    members: u32,
    options: &[&str],
    kind: &str,
) -> Result<(u64, f64), String> {
    let (states, mut best) = measure(program, model, members, options, kind)?;
    for _ in 1..RUNS {
        best = best.min(measure(program, model, members, options, kind)?.1);
    }
    Ok((states, best))
}

/// States in the product, and seconds.
fn measure(
    program: &Path,
    model: &Path,
    members: u32,
    options: &[&str],
    kind: &str,
) -> Result<(u64, f64), String> {
    let more = ["--keep-quantifiers", "--automaton-symmetry", kind];
    let settings = [("N".to_string(), members.to_string())];
    let document = check_model(program, model, &settings, &[options, &more].concat())?;
    let results = document["results"].as_array().ok_or("the report lacks results")?;
    let linear =
        results.iter().find(|result| result["kind"] == "ltl").ok_or("the report lacks the property")?;
    let states = linear["stats"]["product_states"].as_u64().ok_or("the report lacks figures")?;
    Ok((states, linear["seconds"].as_f64().ok_or("the report lacks figures")?))
}
