//! `cargo xtask fuzz`: random models, without end. The same comparison as in the tests, with other seeds.

use crate::process::{self, Done, cargo};

/// How many seeds one run of the test takes.
const BATCH: u64 = 500;

/// The test of the testkit's suites that takes seeds.
const AGREE: &str = "models_of_given_seeds_agree";

/// Takes seeds from the first on (1,000,000 if not given) up to the end, or until a model fails, for one of
/// the tests of the testkit; forged evidence also as files.
pub fn run(suite: &str, seeds: &[&str]) -> Done {
    let number =
        |text: &&str| text.parse::<u64>().map_err(|_| format!("`{text}` is not a seed: expected a number"));
    let mut first = seeds.first().map_or(Ok(1_000_000), number)?;
    let end = seeds.get(1).map_or(Ok(u64::MAX), number)?;
    if suite == "murphi" {
        crate::peers::tools::installed("rumur")?;
    }
    while first < end {
        let last = first.saturating_add(BATCH).min(end);
        println!("== seeds {first}..{last}");
        match suite {
            // Only a build with debug assertions takes injections.
            "limits" => test(&["-p", "burnside-cli", "--test", "inject", "models_of_given"], first, last)?,
            // Every model is small; what is proved of it must be so, and no changed proof must be believed.
            "every" => {
                test(
                    &["--release", "-p", "burnside-testkit", "--test", "all", "judged_rightly"],
                    first,
                    last,
                )?;
            }
            _ => {
                let agree = format!("{suite}::{AGREE}");
                test(&["--release", "-p", "burnside-testkit", "--test", "all", &agree], first, last)?;
            }
        }
        if suite == "evidence" {
            let files = ["--release", "-p", "burnside-cli", "--bin", "burnside", "files_of_given_seeds"];
            test(&files, first, last)?;
        }
        first = last;
    }
    Ok(())
}

/// Runs a test for some seeds.
fn test(args: &[&str], first: u64, last: u64) -> Done {
    let mut test = cargo(&["test", "--quiet"]);
    test.args(args).args(["--", "--nocapture"]);
    process::run(test.env("BURNSIDE_CASE", format!("{first}..{last}")))
}
