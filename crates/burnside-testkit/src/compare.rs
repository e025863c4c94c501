//! One model, every way of running it: the oracle, the interpreter, the packed search and the library must agree.
//!
//! Entry point: [`compare`]. What they disagree about comes back as text.

use crate::graph::{self, Graph};
use crate::oracle::{Exploration, Finding, Oracle};
use burnside::{Kind, Model, Options, PropertyResult, Report, Symmetry, Verdict};
use burnside_explicit::{Answer, Budget, Question};
use burnside_lang::diagnostic::Diagnostic;
use burnside_trace::End;
use burnside_ts::Expr;

/// What was compared.
#[derive(Clone, Debug)]
pub enum Compared {
    /// All agree. This is what they agree about.
    Agree(Box<Agreement>),
    /// More states or steps than allowed; nothing was compared.
    TooLarge,
}

/// What everyone says about a model.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// What the oracle found.
    pub exploration: Exploration,
    /// What the library reports.
    pub report: Report,
}

/// Loads a model that must be right.
pub fn load(source: &str, settings: &[(String, String)]) -> Result<Model, String> {
    let loaded = Model::load(source, settings);
    let errors: Vec<String> =
        loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| show_diagnostic(source, d)).collect();
    match loaded.model {
        Some(model) if errors.is_empty() && loaded.setting_errors.is_empty() => Ok(model),
        _ => Err(format!("does not load: {} {:?}", errors.join("; "), loaded.setting_errors)),
    }
}

fn show_diagnostic(source: &str, diagnostic: &Diagnostic) -> String {
    let span = diagnostic.primary.span;
    format!("{}: {} in `{}`", diagnostic.code, diagnostic.message, span.text(source))
}

/// Runs a model in every way, up to so many states.
pub fn compare(source: &str, settings: &[(String, String)], limit: usize) -> Result<Compared, String> {
    let model = load(source, settings)?;
    let Ok(exploration) = Oracle::new(&model.hir, source).explore(limit) else {
        return Ok(Compared::TooLarge);
    };
    let Some(interpreted) = graph::interpreted(&model.system, limit) else {
        return Err("the interpreter finds more states than the oracle".to_string());
    };
    if let Some(difference) = graph::difference(&exploration.graph, &interpreted) {
        return Err(difference);
    }
    searched(&model, &interpreted, &exploration)?;
    let mut report = None;
    for symmetry in [Symmetry::Fast, Symmetry::Auto, Symmetry::Exact, Symmetry::None] {
        let options = Options { symmetry, ..Options::default() };
        let checked = burnside::check(&model, &options, &mut ());
        let checked = checked.map_err(|error| format!("the library says, {symmetry:?}: {error:?}"))?;
        verdicts(&exploration, &checked).map_err(|problem| format!("{symmetry:?}: {problem}"))?;
        counted(&interpreted, &checked).map_err(|problem| format!("{symmetry:?}: {problem}"))?;
        report = Some(checked);
    }
    let report = report.expect("checked");
    Ok(Compared::Agree(Box::new(Agreement { exploration, report })))
}

/// A packed search that runs to the end finds as much.
fn searched(model: &Model, graph: &Graph, exploration: &Exploration) -> Result<(), String> {
    let always = Expr::Const(1);
    let outcome = burnside_explicit::search(
        &model.system,
        &[Question::Violation(&always)],
        None,
        &Budget::default(),
        &mut |_| {},
    );
    if !matches!(outcome.answers[..], [Answer::No]) {
        return Err(format!("the search has no end: {:?}", outcome.answers));
    }
    let found =
        (outcome.stats.states as usize, outcome.stats.transitions as usize, outcome.stats.depth as usize);
    let expected = (graph.states(), graph.transitions(), exploration.depth);
    match found == expected {
        true => Ok(()),
        false => {
            Err(format!("states, transitions, depth of the search: expected {expected:?}, got {found:?}"))
        }
    }
}

/// The orbits that the library found, if it found all, have all states together.
fn counted(graph: &Graph, report: &Report) -> Result<(), String> {
    let expected = graph.states().to_string();
    match report.unreduced.as_ref().map(ToString::to_string) {
        Some(found) if found != expected => Err(format!("the orbits have {found} states, not {expected}")),
        _ => Ok(()),
    }
}

/// The verdicts of the library are those of the oracle, with evidence that is as short as can be.
fn verdicts(exploration: &Exploration, report: &Report) -> Result<(), String> {
    for result in &report.results {
        let finding = match result.kind {
            Kind::Faults => exploration.faults,
            Kind::Deadlock => exploration.deadlock,
            _ => {
                let mut named = exploration.properties.iter().filter(|p| p.name == result.property);
                named.next().ok_or_else(|| format!("no property {}", result.property))?.finding
            }
        };
        if let Some(problem) = disagreement(finding, result) {
            return Err(format!(
                "{}: expected {finding:?}, got {:?}: {problem}",
                result.property, result.verdict
            ));
        }
    }
    Ok(())
}

fn disagreement(finding: Finding, result: &PropertyResult) -> Option<String> {
    let (verdict, length) = match finding {
        Finding::Holds(length) => (Verdict::Holds, length),
        Finding::Violated(length) => (Verdict::Violated, length),
        Finding::Undefined(length) => (Verdict::Violated, Some(length)),
        Finding::NoStates => {
            let unknown =
                matches!(&result.verdict, Verdict::Unknown(reason) if reason.contains("no initial state"));
            return (!unknown).then(|| "there is no initial state".to_string());
        }
        Finding::Unaffordable | Finding::Temporal => return None,
    };
    if result.verdict != verdict {
        return Some("the verdicts differ".to_string());
    }
    let found = result.evidence.as_ref().map(|evidence| evidence.steps.len());
    if found != length {
        return Some(format!("the shortest run has {length:?} steps, the one shown {found:?}"));
    }
    let undefined =
        result.evidence.as_ref().is_some_and(|evidence| matches!(evidence.end, End::Undefined(_)));
    (matches!(finding, Finding::Undefined(_)) && !undefined).then(|| "nothing is undefined".to_string())
}
