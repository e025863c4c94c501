//! The lines that the Model Checking Contest asks for.

use burnside::{Answer, Procedure, Report, Shortcut, Symmetry, Verdict};
use burnside_petri::Global;
use burnside_report::json::StateSpace;
use std::io::{self, Write};

/// One line for each formula; for the state space, if it was asked for, its figures.
pub fn report(out: &mut dyn Write, report: &Report, state_space: Option<&StateSpace>) -> io::Result<()> {
    for result in &report.results {
        let techniques = techniques(result);
        let what =
            if state_space.is_some() && is_figure(&result.property) { "STATE_SPACE" } else { "FORMULA" };
        writeln!(out, "{what} {} {} TECHNIQUES {techniques}", result.property, answer(result))?;
    }
    let Some(counts) = state_space else { return Ok(()) };
    let counts = counts.as_ref().ok();
    let known = |number: Option<String>| number.unwrap_or_else(|| UNKNOWN.to_string());
    let states = known(counts.and_then(|counts| counts.states.as_ref()).map(ToString::to_string));
    let transitions = known(counts.and_then(|counts| counts.transitions.as_ref()).map(ToString::to_string));
    let orbits = known(counts.map(|counts| counts.orbits.to_string()));
    let techniques = report.results.first().map_or_else(|| "EXPLICIT".to_string(), techniques);
    writeln!(out, "STATE_SPACE STATES {states} TECHNIQUES {techniques}")?;
    writeln!(out, "STATE_SPACE TRANSITIONS {transitions} TECHNIQUES {techniques}")?;
    writeln!(out, "STATE_SPACE ORBITS {orbits} TECHNIQUES {techniques}")
}

const UNKNOWN: &str = "CANNOT_COMPUTE";

/// Whether a property is a figure of the state space.
fn is_figure(property: &str) -> bool {
    [Global::MaxTokenInPlace, Global::MaxTokenPerMarking].iter().any(|figure| figure.name() == property)
}

fn answer(result: &Answer) -> String {
    match (&result.verdict, result.value) {
        (Verdict::Unknown(_), _) => UNKNOWN.to_string(),
        (_, Some(value)) => value.to_string(),
        (Verdict::Holds, _) => "TRUE".to_string(),
        (Verdict::Violated, _) => "FALSE".to_string(),
    }
}

fn techniques(result: &Answer) -> String {
    match result.method {
        Some(Procedure::Shortcut(Shortcut::Initial)) => return "TOPOLOGICAL".to_string(),
        Some(Procedure::Shortcut(Shortcut::Equation)) => return "STATE_EQUATION".to_string(),
        Some(Procedure::Shortcut(Shortcut::Walk)) => return "RANDOM_WALK".to_string(),
        _ => {}
    }
    let symmetry = if result.symmetry == Symmetry::None { "" } else { " SYMMETRIES" };
    format!("EXPLICIT{symmetry}")
}
