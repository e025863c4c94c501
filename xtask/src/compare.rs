//! `cargo xtask bench compare REV [NAME]...`: this tree against another revision (or a program's file), so
//! that a change that makes something slower is seen.
//!
//! The runs are those of our program in the other benchmarks: [`mod@bench`], [`symmetry`] and [`peers`], or
//! those that have one of the names in their own. Figures are processor time; both programs take turns and
//! the medians are compared. What looks slower is measured again, and marked if it still does.

use crate::cpu::{self, Timing};
use crate::machine;
use crate::process::{self, Done, build_program, output, root, target_directory};
use crate::work::{dash, mean, ratio, show, with_program};
use crate::{bench, peers, symmetry};
use std::path::PathBuf;
use std::process::Command;

/// Seconds of processor time for one run.
const LIMIT: u32 = 100;
/// A run is slower if its ratio is below this. The last digit of quick runs is noise.
const SLOWER: f64 = 1.0 / 1.05;
const NOISE: f64 = 0.002;

/// Measures and prints the table.
pub fn run(revision: &str, names: &[&str]) -> Done {
    let file = PathBuf::from(revision);
    let before = if file.is_file() { file } else { build_other(revision)? };
    let program = build_program()?;
    let mut all = bench::own(&program);
    all.extend(peers::own(&program));
    all.extend(symmetry::own(program)?);
    all.retain(|(name, _)| names.is_empty() || names.iter().any(|wanted| name.contains(wanted)));
    println!("{}\n", machine::describe());
    println!("| work | seconds | {revision} | ratio | |\n|---|--:|--:|--:|---|");
    let (mut ratios, mut slower, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for (name, job) in &all {
        let earlier = with_program(job, &before);
        let mut took = cpu::medians(&[job, &earlier], LIMIT);
        if is_slower(&took) {
            let again = cpu::medians(&[job, &earlier], LIMIT);
            took = if ratio(&again[1], &again[0]) > ratio(&took[1], &took[0]) { again } else { took };
        }
        // The other revision may lack an example or an option: a failure there is none.
        failures.extend(took[0].as_ref().err().cloned());
        let mark = if is_slower(&took) { "**slower**" } else { "" };
        slower.extend(Some(name.as_str()).filter(|_| !mark.is_empty()));
        let faster = ratio(&took[1], &took[0]);
        ratios.extend(faster);
        println!(
            "| {name} | {} | {} | {} | {mark} |",
            show(&took[0], LIMIT),
            show(&took[1], LIMIT),
            dash(faster, 2)
        );
    }
    println!("\nAbove 1: faster than {revision}. Geometric mean {}.", dash(mean(&ratios), 2));
    match slower.len() {
        0 => println!("Nothing is slower by more than 5 %."),
        count => println!("Slower by more than 5 %: {count} of {} ({}).", ratios.len(), slower.join("; ")),
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}

/// Whether the first is slower than the second by more than can be overlooked.
fn is_slower(took: &[Timing]) -> bool {
    match (&took[0], &took[1]) {
        (Ok(Some(now)), Ok(Some(before))) => before.seconds + NOISE < SLOWER * now.seconds,
        (Ok(None), Ok(Some(_))) => true,
        _ => false,
    }
}

/// Builds the program of another revision, beside this one.
fn build_other(revision: &str) -> Result<PathBuf, String> {
    let commit = output(Command::new("git").current_dir(root()).args([
        "rev-parse",
        "--verify",
        &format!("{revision}^{{commit}}"),
    ]))?;
    let target = target_directory()?.join("baseline");
    let tree = target.join(format!("tree-{}", commit.trim()));
    if !tree.exists() {
        let tree = tree.to_str().ok_or("the target directory is not text")?;
        process::run(Command::new("git").current_dir(root()).args([
            "worktree",
            "add",
            "--detach",
            "--force",
            tree,
            commit.trim(),
        ]))?;
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.current_dir(&tree).args(["build", "--release", "--quiet", "-p", "burnside-cli"]);
    process::run(build.env("CARGO_TARGET_DIR", target.join("build")))?;
    let program = target.join("build/release").join(format!("burnside{}", std::env::consts::EXE_SUFFIX));
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Took;

    #[test]
    fn what_is_slower_is_seen() {
        let took = |seconds| Ok(Some(Took { seconds, ..Took::default() }));
        assert!(is_slower(&[took(1.06), took(1.0)]));
        assert!(!is_slower(&[took(1.04), took(1.0)]));
        assert!(!is_slower(&[took(0.5), took(1.0)]));
        // A millisecond is what the clock gives or takes.
        assert!(!is_slower(&[took(0.004), took(0.003)]));
        assert!(is_slower(&[Ok(None), took(1.0)]));
        assert!(!is_slower(&[took(1.0), Err("no such option".into())]));
    }
}
