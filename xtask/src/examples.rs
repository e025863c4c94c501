//! `cargo xtask examples`: the examples do what they say, in every symmetry mode. `burnside test` does the
//! work; here is only what it is asked.

use crate::process::{self, Done, build_tested, root};
use std::path::PathBuf;
use std::process::Command;

/// All of them: the sizes of the orbits must add up to the states, and the verdicts be the same.
const SYMMETRIES: &str = "none,auto,exact,fast";

/// Runs the examples with these names, or all.
pub fn run(names: &[&str]) -> Done {
    let mut command = Command::new(build_tested()?);
    command.current_dir(root()).args(["test", "--quiet", "--symmetry", SYMMETRIES]).args(paths(names));
    process::run(&mut command)
}

/// The paths that are meant, as they can be typed.
fn paths(names: &[&str]) -> Vec<PathBuf> {
    let examples = PathBuf::from("examples");
    let file = |name: &&str| match PathBuf::from(name).extension() {
        Some(_) => examples.join(name),
        None => examples.join(name).with_extension("orb"),
    };
    if names.is_empty() { vec![examples] } else { names.iter().map(file).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_need_no_ending() {
        assert_eq!(paths(&[]), [PathBuf::from("examples")]);
        let wanted = ["examples/mutex.orb", "examples/heljanko_mutex.pnml"].map(PathBuf::from);
        assert_eq!(paths(&["mutex", "heljanko_mutex.pnml"]), wanted);
    }
}
