//! Verdicts in words: how they are called, and what else there is to say in a line.
//!
//! Entry points: [`word`], [`note`] and, for a whole sentence, [`headline`].

use crate::fault;
use crate::numbers::plural;
use burnside::{Answer, Choice, Kind, Model, Verdict};
use burnside_trace::{End, Evidence};
use burnside_ts::visible;

/// How a verdict is called.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated => "violated",
        Verdict::Unknown(_) => "unknown",
    }
}

/// How long a run is.
pub fn in_steps(evidence: &Evidence) -> String {
    let count = |n: usize| plural(n as u64, "step", "steps");
    let steps = evidence.steps.len();
    let tried = match evidence.end {
        End::Loop(0) => return format!("a loop of {}", count(steps)),
        End::Loop(start) => return format!("a loop of {} after {}", count(steps - start), count(start)),
        End::Stutter if steps > 0 => return format!("ends after {}", count(steps)),
        End::Fault(Some(_), _) => 1,
        _ => 0,
    };
    match steps + tried {
        0 if evidence.states.is_empty() => "before the first state".into(),
        0 => "in an initial state".into(),
        n => format!("after {}", count(n)),
    }
}

/// What there is to say beside the verdict: why it is not known, how long the run that shows it is, or that
/// the property holds for a reason that was hardly meant, or only within the constraint. May be empty.
pub fn note(result: &Answer, run: Option<&Evidence>) -> String {
    let note = plain_note(result, run);
    match (result.within_constraint, note.is_empty()) {
        (false, _) => note,
        (true, true) => "within the constraint".to_string(),
        (true, false) => format!("within the constraint, {note}"),
    }
}

fn plain_note(result: &Answer, run: Option<&Evidence>) -> String {
    match (&result.verdict, run) {
        (Verdict::Unknown(stop), _) => match result.value_so_far {
            Some(value) => format!("{stop}; the greatest value so far is {value}"),
            None => stop.to_string(),
        },
        // Of a formula, not of a goal: it says where it is true, but nothing is reached.
        (Verdict::Holds, Some(run)) if result.kind == Kind::Ctl => in_steps(run),
        (Verdict::Holds, Some(run)) => format!("reached {}", in_steps(run)),
        (Verdict::Violated, Some(run)) => in_steps(run),
        (Verdict::Holds, None) => {
            result.vacuous.as_ref().map_or_else(String::new, |why| format!("vacuous: {why}"))
        }
        (Verdict::Violated, None) => String::new(),
    }
}

/// What came out, as a sentence that can stand alone: the property, the verdict, what is wrong, and where.
pub fn headline(model: &Model, result: &Answer, run: Option<&Evidence>) -> String {
    let what = match result.kind {
        Kind::Faults | Kind::Deadlock => visible(&result.property),
        kind => format!("{} `{}`", kind.name(), visible(&result.property)),
    };
    let what = result.value.map_or_else(|| what.clone(), |value| format!("{what} = {value}"));
    let note = note(result, run);
    let note = if note.is_empty() { note } else { format!(", {note}") };
    let wrong = match run.map(|run| &run.end).filter(|_| result.verdict == Verdict::Violated) {
        Some(End::Fault(_, fault)) => format!(": {}", fault::describe(&model.system, *fault)),
        Some(End::Undefined(fault)) => {
            format!(": its evaluation faults, {}", fault::describe(&model.system, *fault))
        }
        Some(_) if result.kind == Kind::Deadlock => ": no rule is enabled any more".to_string(),
        None if result.kind == Kind::Reachable && result.verdict == Verdict::Violated => {
            ": true in no reachable state".to_string()
        }
        _ => String::new(),
    };
    visible(&format!("{what}: {}{note}{wrong}", word(&result.verdict)))
}

/// The text of a property on one line.
pub fn quoted(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
