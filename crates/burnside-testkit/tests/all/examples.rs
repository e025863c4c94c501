//! The examples, in the configurations that the oracle can afford: every way of running them agrees, also
//! with what they say about themselves.

use burnside_testkit::cases::{Case, again, are_all, files};
use burnside_testkit::compare::{Compared, compare};
use burnside_testkit::expect;
use std::path::Path;

/// Configurations with more states are left to faster tests.
const LIMIT: usize = 1000;

#[test]
fn examples_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut run, mut problems) = (0, Vec::new());
    for path in files(folder, "orb") {
        let source = std::fs::read_to_string(&path).unwrap();
        let name = path.name();
        let expectations = expect::read(&source);
        if expectations.checks.is_empty() {
            problems.push(format!("{name} expects nothing"));
        }
        for check in
            expectations.checks.iter().filter(|check| check.states.is_none_or(|states| states <= LIMIT))
        {
            let result = compare(&source, &check.settings, LIMIT).and_then(|compared| match compared {
                Compared::TooLarge => Err("more states than it says".to_string()),
                Compared::Agree(agreement) => check.verify(&agreement),
            });
            run += 1;
            let told = |problem| format!("{name} {:?}: {problem}\n{}", check.settings, again(&name));
            problems.extend(result.err().map(told));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(!are_all() || run > 10, "only {run} configurations");
}
