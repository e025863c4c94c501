//! `cargo xtask bench hunts`: how long it takes to find the deadlock of many philosophers, and how long the
//! run is that shows it; against SPIN's depth-first search.
//!
//! Processor time of the whole program, medians, by turns. SPIN's model is generated, without its
//! compilation; if there is no `spin`, or the models for it are not there, that row is left out.

use crate::cpu::{self, Job};
use crate::machine;
use crate::process::{Done, build_program, output, root, target_directory};
use crate::symmetry::peers;
use serde_json::Value;
use std::process::Command;
use std::rc::Rc;

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
    let program = build_program()?.display().to_string();
    println!("{}\n", machine::describe());
    println!("| philosophers | search | seconds | steps of the run | against SPIN |");
    println!("|--:|---|--:|--:|--:|");
    for n in SIZES {
        let ours = |(_, options): &(&str, &str)| {
            let model = root().join("examples/philosophers.orb").display().to_string();
            let fixed = format!("--set N={n} --property deadlock --format json");
            let words = [program.clone(), "check".to_string(), model].into_iter();
            let options = fixed.split(' ').chain(options.split(' ')).map(String::from);
            Job { words: words.chain(options).collect(), read: Rc::new(length) }
        };
        let mut rows: Vec<(&str, Job)> = WAYS.iter().map(|way| (way.0, ours(way))).collect();
        match spin(n) {
            Ok(job) => rows.push(("SPIN", job)),
            Err(why) => eprintln!("no row for SPIN: {why}"),
        }
        let timings = cpu::medians(&rows.iter().map(|(_, job)| job).collect::<Vec<_>>(), LIMIT);
        let timings = timings.into_iter().collect::<Result<Vec<_>, _>>()?;
        let peer = timings.get(WAYS.len()).copied().flatten();
        for ((name, _), took) in rows.iter().zip(timings) {
            let Some(took) = took else {
                println!("| {n} | {name} | > {LIMIT} | - | - |");
                continue;
            };
            let ratio = peer.map(|peer| peer.seconds / took.seconds.max(0.001));
            let ratio = ratio.map_or("-".to_string(), |ratio| format!("{ratio:.2}"));
            let steps = took.count.map_or("-".to_string(), |steps| steps.to_string());
            println!("| {n} | {name} | {:.3} | {steps} | {ratio} |", took.seconds);
        }
    }
    Ok(())
}

/// The length of the run in a report of ours.
fn length(printed: &str) -> Result<Option<u64>, String> {
    let document: Value = serde_json::from_str(printed).map_err(|error| error.to_string())?;
    let results = document["results"].as_array().into_iter().flatten();
    let deadlock = results.into_iter().find(|result| result["property"] == "deadlock");
    let steps = deadlock.and_then(|result| result["evidence"]["steps"].as_array());
    Ok(Some(steps.ok_or("there is no run to a deadlock")?.len() as u64))
}

/// The same philosophers for SPIN, compiled.
fn spin(n: u32) -> Result<Job, String> {
    let peers = peers()?;
    output(Command::new("spin").arg("-V")).map_err(|_| "there is no `spin`".to_string())?;
    let folder = target_directory()?.join(format!("hunts/philosophers_{n}")).display().to_string();
    let mut script = Command::new(peers.join("spin.sh"));
    output(script.args(["philosophers", &folder]).env("N", n.to_string()))?;
    let options = ["-O2", "-DSAFETY", "-DNOREDUCE", "-w", "-o", "pan", "pan.c"];
    output(Command::new("cc").current_dir(&folder).args(options))?;
    let words = [&format!("{folder}/pan"), "-w20", "-m100000"].map(String::from);
    Ok(Job { words: words.into(), read: Rc::new(depth) })
}

/// The length of the run in a report of SPIN.
fn depth(printed: &str) -> Result<Option<u64>, String> {
    let found = printed.split("invalid end state (at depth ").nth(1).and_then(|rest| rest.split(')').next());
    let depth = found.and_then(|depth| depth.parse::<u64>().ok());
    depth.map(Some).ok_or_else(|| format!("it finds no deadlock:\n{printed}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read() {
        assert_eq!(depth("pan:1: invalid end state (at depth 764)\n"), Ok(Some(764)));
        assert!(depth("errors: 0").is_err());
        let report = r#"{"results": [{"property": "deadlock", "evidence": {"steps": [1, 2]}}]}"#;
        assert_eq!(length(report), Ok(Some(2)));
    }
}
