//! `cargo xtask test`: everything that must hold before a change is good.

use crate::process::{self, Done, cargo};
use crate::{contest, examples, tidy};
use std::time::Instant;

/// A part of the whole: its name and what it does.
type Part = (&'static str, fn() -> Done);

/// Runs all parts, in the order in which failures are cheapest, and stops at the first that fails.
pub fn run() -> Done {
    let parts: [Part; 7] = [
        ("tidy", tidy::run),
        ("format", format),
        ("clippy", clippy),
        ("docs", docs),
        ("tests", tests),
        ("examples", || examples::run(&[])),
        ("contest", contest::test),
    ];
    let start = Instant::now();
    let mut times = Vec::new();
    for (name, part) in parts {
        println!("== {name}");
        let began = Instant::now();
        part().map_err(|message| format!("{message}\n\nFAILED: {name}"))?;
        times.push(format!("{name} {:.0} s", began.elapsed().as_secs_f64()));
    }
    println!("\nok: {} ({:.0} s in all)", times.join(", "), start.elapsed().as_secs_f64());
    Ok(())
}

fn format() -> Done {
    process::run(&mut cargo(&["fmt", "--all", "--check"]))
}

fn clippy() -> Done {
    process::run(&mut cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn docs() -> Done {
    let mut command = cargo(&["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"]);
    process::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn tests() -> Done {
    process::run(&mut cargo(&["test", "--quiet", "--workspace"]))
}
