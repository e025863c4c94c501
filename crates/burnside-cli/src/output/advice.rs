//! What may help when a limit was reached.

use crate::input::Input;
use burnside::{Answer, Engine, Report, Verdict};
use burnside_lang::hir::ConstantValue;
use burnside_limits::Stop;

/// States with more bits than this are too wide for decision diagrams.
const WIDEST: u32 = 4096;

/// What else could be tried, if a limit ended the check before everything was known.
pub fn advice(input: &Input, report: &Report) -> Option<String> {
    if !report.is_limited() {
        return None;
    }
    let constants = input.model.hir().into_iter().flat_map(|hir| &hir.constants);
    let mut ideas: Vec<String> = constants
        .filter_map(|constant| match constant.value {
            ConstantValue::Int(value @ 2..) => {
                Some(format!("a smaller constant (`--set {}={}`)", constant.name, value - 1))
            }
            _ => None,
        })
        .take(1)
        .collect();
    let explicit = report.results.iter().all(|result| result.engine == Engine::Explicit);
    if explicit && input.model.system.width <= WIDEST {
        ideas.push("sets of states instead of states (`--engine symbolic`)".to_string());
    }
    if !explicit {
        ideas.push("single states instead of sets (`--engine explicit`)".to_string());
    }
    let shared = |result: &Answer| matches!(result.verdict, Verdict::Unknown(Stop::Share(..)));
    if report.results.iter().any(shared) {
        ideas.push("a time for each property (`--property-timeout`)".to_string());
    }
    (!ideas.is_empty()).then(|| format!("more may be known with {}", ideas.join(", or with ")))
}
