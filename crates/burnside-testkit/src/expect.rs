//! Expectations that models carry in their first comments.
//!
//! ```text
//! //! check N=3: states=20 transitions=36 deadlock=holds faults=holds mutex=holds
//! //! error: unknown-name
//! //! warning: unused-variable
//! ```
//!
//! `check` may set constants before the colon. `states` and
//! `transitions` are those of the whole reachable graph; every other name is `faults`,
//! `deadlock` or a property, with `holds` or `violated`. `p.unfair` is the property
//! `p` without fairness, `p.maximal` if paths end in deadlocks. A
//! `deadlock` that is not said to be anything may be anything. `error` and
//! `warning` name diagnostics that must appear; without `error` there must be none.
//!
//! Entry point: [`read`]; [`Check::verify`] holds an agreement against it.

use crate::compare::Agreement;
use crate::oracle::Finding;
use burnside::Verdict;

/// What a model says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// What must come out of checking it.
    pub checks: Vec<Check>,
    /// Codes of errors that must be reported.
    pub errors: Vec<String>,
    /// Codes of warnings that must be reported.
    pub warnings: Vec<String>,
}

/// What must come out of one check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// Constants to set.
    pub settings: Vec<(String, String)>,
    /// Reachable states.
    pub states: Option<usize>,
    /// Steps between them.
    pub transitions: Option<usize>,
    /// Names with whether they hold.
    pub verdicts: Vec<(String, bool)>,
}

/// Reads the expectations in the first comments of a model.
pub fn read(source: &str) -> Result<Expectations, String> {
    let mut found = Expectations::default();
    for line in source.lines().map_while(|line| line.trim_start().strip_prefix("//!")) {
        let line = line.trim();
        if let Some(code) = line.strip_prefix("error:") {
            found.errors.push(code.trim().to_string());
        } else if let Some(code) = line.strip_prefix("warning:") {
            found.warnings.push(code.trim().to_string());
        } else if line.starts_with("check:") || line.starts_with("check ") {
            found.checks.push(check(&line["check".len()..]).map_err(|word| format!("`{word}` in `{line}`"))?);
        }
    }
    Ok(found)
}

fn check(line: &str) -> Result<Check, String> {
    let (settings, results) = line.split_once(':').ok_or("no colon")?;
    let pair = |word: &str| match word.split_once('=') {
        Some((name, value)) => Ok((name.to_string(), value.to_string())),
        None => Err(word.to_string()),
    };
    let settings = settings.split_whitespace().map(pair).collect::<Result<_, _>>()?;
    let mut check = Check { settings, ..Check::default() };
    for word in results.split_whitespace() {
        let (name, value) = pair(word)?;
        let number = || value.parse().map_err(|_| word.to_string());
        match (name.as_str(), value.as_str()) {
            ("states", _) => check.states = Some(number()?),
            ("transitions", _) => check.transitions = Some(number()?),
            (_, "holds") => check.verdicts.push((name, true)),
            (_, "violated") => check.verdicts.push((name, false)),
            _ => return Err(word.to_string()),
        }
    }
    Ok(check)
}

impl Check {
    /// Holds what came out of the check against what was expected.
    pub fn verify(&self, agreement: &Agreement) -> Result<(), String> {
        let graph = &agreement.exploration.graph;
        let counts =
            [("states", self.states, graph.states()), ("transitions", self.transitions, graph.transitions())];
        for (name, expected, found) in counts {
            if expected.is_some_and(|expected| expected != found) {
                return Err(format!("{name}: expected {expected:?}, found {found}"));
            }
        }
        self.verdicts.iter().try_for_each(|(name, holds)| self.verify_one(agreement, name, *holds))
    }

    fn verify_one(&self, agreement: &Agreement, name: &str, holds: bool) -> Result<(), String> {
        let (property, setting) = name.split_once('.').unwrap_or((name, ""));
        let judged = agreement.exploration.properties.iter().find(|judged| judged.name == property);
        let result = agreement.report.results.iter().find(|result| result.property == property);
        // In other settings the library agrees with the oracle too.
        let elsewhere = match (setting, judged) {
            ("", _) => None,
            ("unfair", Some(judged)) => Some(judged.without_fairness),
            ("maximal", Some(judged)) => Some(judged.maximal[0]),
            _ => return Err(format!("there is no property {name}")),
        };
        let found = match result {
            _ if elsewhere.is_some() => matches!(elsewhere, Some(Finding::Holds(_))),
            Some(result) => match &result.verdict {
                Verdict::Holds => true,
                Verdict::Violated => false,
                Verdict::Unknown(reason) => return Err(format!("{name} is unknown: {reason}")),
            },
            // Not checked because the model allows it; the oracle knows.
            None if name == "deadlock" => matches!(agreement.exploration.deadlock, Finding::Holds(_)),
            None => return Err(format!("there is no property {name}")),
        };
        match found == holds {
            true => Ok(()),
            false => Err(format!("{name}: expected {}", if holds { "holds" } else { "violated" })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_comments() {
        let text = "//! About.\n//! check N=2 B=true: states=3 p=holds\n//! error: a-b\n//!\n//! warning: c\nvar x: bool;\n//! check: x=holds";
        let found = read(text).unwrap();
        assert_eq!(found.errors, ["a-b"]);
        assert_eq!(found.warnings, ["c"]);
        assert_eq!(found.checks.len(), 1);
        assert_eq!(found.checks[0].settings, [("N".into(), "2".into()), ("B".into(), "true".into())]);
        assert_eq!(found.checks[0].states, Some(3));
        assert_eq!(found.checks[0].verdicts, [("p".to_string(), true)]);
        assert!(read("//! check: states=three").is_err());
    }
}
