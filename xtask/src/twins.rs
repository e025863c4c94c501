//! `cargo xtask bench rust`: models written in Rust against their twins in `.orb`, whole checks with all
//! properties, with symmetry and without.
//!
//! The seconds are what each reports of its check, the fastest of some runs that take turns.

use crate::machine;
use crate::process::{self, Done, build_program, cargo, check_model, output, root, target_directory};
use std::path::Path;
use std::process::Command;

const RUNS: usize = 3;

/// The example, its twin, and the numbers of members with and without symmetry.
const TWINS: [(&str, &str, [u32; 2]); 3] = [
    ("lock", "resource", [200, 14]),
    ("two_phase_commit", "two_phase_commit", [6, 4]),
    ("register", "register", [7, 5]),
];

/// Measures and prints the table.
pub fn run() -> Done {
    let program = build_program()?;
    process::run(&mut cargo(&["build", "--release", "--quiet", "-p", "burnside", "--examples"]))?;
    println!("{}\n", machine::describe());
    println!(
        "| model | symmetry | states | Rust, s | `.orb`, s | Rust is faster by |\n|---|---|--:|--:|--:|--:|"
    );
    for (name, twin, sizes) in TWINS {
        for (members, symmetry) in sizes.into_iter().zip(["auto", "none"]) {
            let mut best = [f64::INFINITY; 2];
            let mut states = [0, 0];
            for _ in 0..RUNS {
                let measured =
                    [in_rust(name, members, symmetry)?, in_orb(&program, twin, members, symmetry)?];
                for (i, (count, seconds)) in measured.into_iter().enumerate() {
                    (best[i], states[i]) = (best[i].min(seconds), count);
                }
            }
            if states[0] != states[1] {
                return Err(format!("`{name}` has {} states in Rust and {} as a text", states[0], states[1]));
            }
            let [rust, orb] = best;
            let (states, ratio) = (states[0], orb / rust.max(1e-9));
            println!("| {name} {members} | {symmetry} | {states} | {rust:.3} | {orb:.3} | {ratio:.2} |");
        }
    }
    Ok(())
}

/// The states and the seconds of an example.
fn in_rust(name: &str, members: u32, symmetry: &str) -> Result<(u64, f64), String> {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let example = target_directory()?.join("release/examples").join(file);
    let text = output(Command::new(example).args([&members.to_string(), symmetry]))?;
    read(&text).ok_or_else(|| format!("`{name}` prints no figures"))
}

/// `38 of 5632 states, 71 transitions, 0.004 s`, in the last line.
fn read(text: &str) -> Option<(u64, f64)> {
    let last = text.lines().last()?;
    let states = last.split_whitespace().next()?.parse().ok()?;
    let seconds = last.rsplit(", ").next()?.strip_suffix(" s")?.parse().ok()?;
    Some((states, seconds))
}

fn in_orb(program: &Path, name: &str, members: u32, symmetry: &str) -> Result<(u64, f64), String> {
    let model = root().join("examples").join(name).with_extension("orb");
    let settings = [("N".to_string(), members.to_string())];
    let document = check_model(program, &model, &settings, &["--symmetry", symmetry])?;
    let figures = document["stats"]["states"].as_u64().zip(document["seconds"].as_f64());
    figures.ok_or_else(|| "the report lacks figures".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_lines() {
        let text = "mutex holds\n38 of 5632 states, 71 transitions, 0.250 s\n";
        assert_eq!(read(text), Some((38, 0.25)));
        assert_eq!(read("40 states, 3 transitions, 1.5 s"), Some((40, 1.5)));
        assert_eq!(read("nothing"), None);
    }
}
