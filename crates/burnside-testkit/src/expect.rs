//! What models say about themselves: in the language what must come out of checking them, in their first
//! comments which diagnostics there must be.
//!
//! ```text
//! //! error: unknown-name
//! //! warning: unused-variable
//! ```
//!
//! `error` and `warning` name diagnostics that must appear; without `error` there must be none. What is
//! expected of verdicts and figures is as `burnside test` sees it: what is said nothing about holds.
//!
//! Entry point: [`read`]; [`Check::verify`] holds an agreement against it.

use crate::compare::Agreement;
use crate::oracle::{Finding, Judgement};
use burnside::Verdict;
use burnside_lang::check::check;
use burnside_lang::expect::{Configuration, Expectations, Expected};
use burnside_lang::import::parse;

/// What a model says about itself.
#[derive(Clone, Debug, Default)]
pub struct Announced {
    /// What must come out of checking it.
    pub checks: Vec<Check>,
    /// Codes of errors that must be reported.
    pub errors: Vec<String>,
    /// Codes of warnings that must be reported.
    pub warnings: Vec<String>,
}

/// What must come out of one check.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Constants to set.
    pub settings: Vec<(String, String)>,
    /// Reachable states.
    pub states: Option<usize>,
    /// Steps between them.
    pub transitions: Option<usize>,
    configuration: Configuration,
    all: Expectations,
}

/// Reads what a model says about itself. A model with errors expects nothing but those.
pub fn read(source: &str) -> Announced {
    let mut found = Announced::default();
    for line in source.lines().map_while(|line| line.trim_start().strip_prefix("//!")) {
        let line = line.trim();
        if let Some(code) = line.strip_prefix("error:") {
            found.errors.push(code.trim().to_string());
        } else if let Some(code) = line.strip_prefix("warning:") {
            found.warnings.push(code.trim().to_string());
        }
    }
    if let Some(model) = check(&parse(source).file, &[]).model {
        let all = model.expectations;
        let check = |configuration: Configuration| Check {
            settings: configuration.set(),
            states: configuration.states.map(|states| states as usize),
            transitions: configuration.transitions.map(|transitions| transitions as usize),
            configuration,
            all: all.clone(),
        };
        found.checks = all.tests().into_iter().map(check).collect();
    }
    found
}

impl Check {
    /// Holds what came out of the check against what was expected.
    pub fn verify(&self, agreement: &Agreement) -> Result<(), String> {
        let graph = &agreement.exploration.graph;
        let counts = [
            ("states", self.configuration.states, graph.states()),
            ("transitions", self.configuration.transitions, graph.transitions()),
        ];
        for (name, expected, found) in counts {
            if expected.is_some_and(|expected| expected != found as u64) {
                return Err(format!("{name}: expected {expected:?}, found {found}"));
            }
        }
        for result in &agreement.report.results {
            let judged = agreement.exploration.properties.iter().find(|it| it.name == result.property);
            let found = match judged.map_or(Ok(None), |judged| self.elsewhere(judged))? {
                Some(found) => found,
                None => verdict(&result.verdict),
            };
            let name = &result.property;
            let expected = self.all.stated(Some(&self.configuration), name).unwrap_or(Expected::Holds);
            if found != expected {
                return Err(format!("{name}: expected {expected}, found {found}"));
            }
        }
        Ok(())
    }

    /// What the oracle says if the setting is not the usual one; the library agrees with it in all of them.
    fn elsewhere(&self, judged: &Judgement) -> Result<Option<Expected>, String> {
        let unfair = self.configuration.fair == Some(false);
        let finding = match (unfair, self.configuration.maximal == Some(true)) {
            (false, false) => return Ok(None),
            (true, false) => judged.without_fairness,
            (_, true) => judged.maximal[usize::from(unfair)],
        };
        match finding {
            Finding::Holds(_) => Ok(Some(Expected::Holds)),
            Finding::Violated(_) | Finding::Undefined(_) => Ok(Some(Expected::Violated)),
            Finding::NoStates => Ok(Some(Expected::Unknown)),
            Finding::Unaffordable => Err(format!("{} is too much for the oracle", judged.name)),
        }
    }
}

fn verdict(verdict: &Verdict) -> Expected {
    match verdict {
        Verdict::Holds => Expected::Holds,
        Verdict::Violated => Expected::Violated,
        Verdict::Unknown(_) => Expected::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blocks_are_read() {
        let text = "//! About.\n//! error: a-b\n//!\n//! warning: c\nconst N = 1; const B = true;\nvar x: 0..N;\n//! warning: d\n\
            process P { rule r when B { x = 0; } } check { N = 2; B = true; states = 3; }";
        let found = read(text);
        assert_eq!((found.errors, found.warnings), (vec!["a-b".to_string()], vec!["c".to_string()]));
        assert_eq!(found.checks.len(), 1);
        assert_eq!(found.checks[0].settings, [("N".into(), "2".into()), ("B".into(), "true".into())]);
        assert_eq!(found.checks[0].states, Some(3));
        assert!(read("var x: bool; check { states = three; }").checks.is_empty());
    }
}
