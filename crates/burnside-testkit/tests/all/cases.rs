//! A test that fails prints the command that runs the same case again, and the command does so.

use burnside_testkit::cases::{files, seeds};
use std::process::Command;

/// What fails on purpose, for the test below.
const PLANT: &str = "BURNSIDE_PLANT";
const SEED: &str = "cases::planted_seed";
const FILE: &str = "cases::planted_file";

#[test]
fn planted_seed() {
    if std::env::var_os(PLANT).is_some() {
        seeds(0..10).for_each(|seed| assert_ne!(seed, 7));
    }
}

#[test]
fn planted_file() {
    if std::env::var_os(PLANT).is_some() {
        for path in files("../../examples", "orb") {
            assert!(!path.ends_with("mutex.orb"));
        }
    }
}

/// Runs a planted test, with variables; what it prints if it fails.
fn run(test: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = Command::new(std::env::current_exe().expect("this is a program"));
    // A share or a case that this run was given is not for the other.
    command.env_remove("BURNSIDE_CASE").env_remove("BURNSIDE_TEST_SHARE");
    command.args(["--exact", test, "--test-threads=2"]).env(PLANT, "1").envs(variables.iter().copied());
    let output = command.output().expect("it can be run");
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_failure_tells_how_to_run_it_again() {
    for (test, case, other) in [(SEED, "7", "8"), (FILE, "mutex.orb", "resource.orb")] {
        let told = run(test, &[]).expect("it fails");
        let release = if cfg!(debug_assertions) { "" } else { " --release" };
        let line = format!(
            "again: BURNSIDE_CASE={case} cargo test{release} -p burnside-testkit --test all -- --exact {test}"
        );
        assert_eq!(told.lines().filter(|it| *it == line).count(), 1, "{told}");
        assert!(run(test, &[("BURNSIDE_CASE", case)]).is_some());
        assert_eq!(run(test, &[("BURNSIDE_CASE", other)]), None);
    }
}

#[test]
fn a_share_is_a_part() {
    assert!(run(SEED, &[("BURNSIDE_TEST_SHARE", "0.8")]).is_some());
    assert_eq!(run(SEED, &[("BURNSIDE_TEST_SHARE", "0.7")]), None);
}
