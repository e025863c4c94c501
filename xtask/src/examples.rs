//! `cargo xtask examples`: the examples do what their comments say.
//!
//! A comment line `//! check N=3 LOSSY=false: states=20 transitions=48 deadlock=holds mutex=violated` asks
//! for one check with these constants; in a net, whose comments are those of XML, the line starts with
//! `check`. `states` and `transitions` are exact; every property that is checked must be named (`faults` only
//! if it is violated).

use crate::process::{Done, build_tested, check_model, cores, root};
use crate::several::several;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One line that says what to expect.
#[derive(Debug, PartialEq, Eq)]
struct Expectation {
    settings: Vec<(String, String)>,
    expected: Vec<(String, String)>,
}

/// Runs the examples with these names, or all.
pub fn run(names: &[&str]) -> Done {
    let program = build_tested()?;
    let (mut checks, mut failures) = (Vec::new(), Vec::new());
    for path in paths(names)? {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("").to_string();
        let expectations = expectations(&text, prefix(&path)).map_err(|error| format!("{name}: {error}"))?;
        if expectations.is_empty() {
            failures.push(format!("{name}: no line says what to expect (`{}check …`)", prefix(&path)));
        }
        checks.extend(expectations.into_iter().map(|expectation| (name.clone(), path.clone(), expectation)));
    }
    let work = |(_, path, expectation): &(_, PathBuf, _)| check(&program, path, expectation);
    several(&checks, cores(), work, |(name, path, expectation), wrong: Vec<String>| {
        let settings = show(&expectation.settings);
        let again = wrong.first().map(|_| again(path));
        failures.extend(wrong.into_iter().map(|what| format!("{name} {settings}: {what}")).chain(again));
        Ok(())
    })?;
    if failures.is_empty() {
        println!("{} checks of examples are as expected", checks.len());
        return Ok(());
    }
    Err(format!("{}\n{} of the examples' expectations are wrong", failures.join("\n"), failures.len()))
}

/// The command that runs one example again.
fn again(path: &Path) -> String {
    format!("again: cargo xtask examples {}", path.file_name().unwrap_or_default().to_string_lossy())
}

fn paths(names: &[&str]) -> Result<Vec<PathBuf>, String> {
    let directory = root().join("examples");
    if !names.is_empty() {
        let file = |name: &&str| match Path::new(name).extension() {
            Some(_) => directory.join(name),
            None => directory.join(name).with_extension("orb"),
        };
        return Ok(names.iter().map(file).collect());
    }
    let entries = std::fs::read_dir(&directory).map_err(|error| format!("examples: {error}"))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "orb" || ending == "pnml"));
    paths.sort();
    Ok(paths)
}

/// What stands before `check` in a line that says what to expect.
fn prefix(path: &Path) -> &'static str {
    if path.extension().is_some_and(|ending| ending == "pnml") { "  " } else { "//! " }
}

/// The lines of a model that say what to expect.
fn expectations(text: &str, prefix: &str) -> Result<Vec<Expectation>, String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix)?.strip_prefix("check"));
    let lines = lines.filter(|line| line.starts_with([' ', ':']));
    let parse = |line: &str| {
        let (settings, expected) =
            line.split_once(':').ok_or_else(|| format!("no colon in `check{line}`"))?;
        Ok(Expectation { settings: pairs(settings)?, expected: pairs(expected)? })
    };
    lines.map(parse).collect()
}

fn pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let split = |word: &str| {
        let (name, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not NAME=VALUE"))?;
        Ok((name.to_string(), value.to_string()))
    };
    text.split_whitespace().map(split).collect()
}

fn show(settings: &[(String, String)]) -> String {
    settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// What is not as expected, in any symmetry mode. The figures are those of the original states; with symmetry
/// the sizes of the orbits must add up to them.
fn check(program: &Path, path: &Path, expectation: &Expectation) -> Vec<String> {
    let mut wrong = Vec::new();
    for mode in ["none", "auto", "exact", "fast"] {
        let found = match check_model(program, path, &expectation.settings, &["--symmetry", mode]) {
            Ok(document) => compare(&document, &expectation.expected, mode == "none"),
            Err(error) => vec![error],
        };
        wrong.extend(found.into_iter().map(|message| format!("--symmetry {mode}: {message}")));
    }
    wrong
}

/// What in the document is not as expected.
fn compare(document: &Value, expected: &[(String, String)], unreduced: bool) -> Vec<String> {
    let results = document["results"].as_array().map_or(&[][..], Vec::as_slice);
    let mut wrong = Vec::new();
    for (name, value) in expected {
        let found = match name.as_str() {
            "states" | "transitions" if unreduced => document["stats"][name].to_string(),
            "transitions" => continue,
            "states" => match document["stats"]["states_unreduced"].as_str() {
                Some(states) => states.to_string(),
                None => continue,
            },
            _ => match results.iter().find(|result| result["property"] == name.as_str()) {
                Some(result) => result["verdict"].as_str().unwrap_or("").to_string(),
                None => "no such property".to_string(),
            },
        };
        if found != *value {
            wrong.push(format!("{name}: expected {value}, found {found}"));
        }
    }
    for result in results {
        let name = result["property"].as_str().unwrap_or("");
        let known = expected.iter().any(|(expected, _)| expected == name);
        let normal = name == "faults" && result["verdict"] == "holds";
        if !known && !normal {
            wrong.push(format!("{name}: {}, and nothing is expected", result["verdict"]));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.into(), value.into())
    }

    #[test]
    fn lines_are_read() {
        let text = "//! check N=3: states=20 m=holds\n//! check: states=9\n//! checks nothing: x\n";
        let first = Expectation {
            settings: vec![pair("N", "3")],
            expected: vec![pair("states", "20"), pair("m", "holds")],
        };
        let second = Expectation { settings: vec![], expected: vec![pair("states", "9")] };
        assert_eq!(expectations(text, "//! "), Ok(vec![first, second]));
        assert!(expectations("//! check N: states=1", "//! ").is_err());
        let net = "<!--\n  A net.\n\n  check: states=9\n-->\n<check n=\"1\"/>";
        assert_eq!(expectations(net, "  ").map(|all| all.len()), Ok(1));
    }

    #[test]
    fn a_failure_tells_how_to_run_it_again() {
        let path = root().join("examples/heljanko_mutex.pnml");
        assert_eq!(again(&path), "again: cargo xtask examples heljanko_mutex.pnml");
        assert_eq!(paths(&["heljanko_mutex.pnml"]), Ok(vec![path]));
    }

    #[test]
    fn differences_are_found() {
        let document = json!({
            "stats": {"states": 20, "transitions": 48},
            "results": [
                {"property": "faults", "kind": "faults", "verdict": "holds"},
                {"property": "m", "kind": "invariant", "verdict": "violated"},
                {"property": "l", "kind": "ltl", "verdict": "unknown", "reason": "interrupted"},
            ],
        });
        let good = [pair("states", "20"), pair("m", "violated"), pair("l", "unknown")];
        assert_eq!(compare(&document, &good, true), Vec::<String>::new());
        // An answer that is not given is no better than a wrong one.
        let hoped = [pair("states", "20"), pair("m", "violated"), pair("l", "holds")];
        assert_eq!(compare(&document, &hoped, true).len(), 1);
        assert_eq!(
            compare(&document, &[pair("states", "21"), pair("m", "violated"), pair("l", "unknown")], true)
                .len(),
            1
        );
        assert_eq!(compare(&document, &[pair("l", "unknown")], true).len(), 1);
        assert_eq!(
            compare(&document, &[pair("m", "violated"), pair("l", "unknown"), pair("x", "holds")], true)
                .len(),
            1
        );
    }
}
