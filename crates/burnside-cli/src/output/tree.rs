//! Trees for people: each part says which formula is true or false where, and the runs that show it stand
//! beneath, indented under the step at which they begin.
//!
//! Entry point: [`TreePrinter::lines`]. A tree is told as lines, from the inside to the outside: the runs
//! that hang at a step are told before the run that they hang on. What is true or false all along a run is
//! said once.

use crate::output::trace::{Columns, First, Notes, TracePrinter};
use crate::output::view::View;
use crate::output::{Paint, fairness};
use burnside_report::decode::TraceDecoder;
use burnside_report::names::Names;
use burnside_report::reason::{ending, telling};
use burnside_trace::{Evidence, Place, Reason, Why, explain};
use burnside_ts::{Binder, Formula, Path};
use std::borrow::Cow;

/// Of so many steps the trees that hang there are shown, for each operand.
const MAX_HANGING: usize = 3;
/// A run that begins further away from a state that was shown shows its first state.
const REMEMBERED: usize = 20;

/// Prints trees.
pub struct TreePrinter<'a> {
    /// How to colour.
    pub paint: Paint,
    /// How much of states.
    pub view: &'a View,
    /// Tells runs.
    pub decoder: &'a TraceDecoder<'a>,
    /// The names in the formula.
    pub names: &'a Names<'a>,
    /// Whether fairness matters, and is explained.
    pub fair: bool,
}

/// Where a part of a tree stands.
struct Scope<'s> {
    /// The values of the names around it.
    bound: Vec<(&'s Binder, u64)>,
    /// In an initial state.
    initial: bool,
    /// How many steps since a state was shown, if one was.
    since_shown: Option<usize>,
}

impl<'a> TreePrinter<'a> {
    /// A whole tree, from an initial state.
    pub fn lines(&self, reason: &Reason<'_, '_>, state: &[u64]) -> Vec<String> {
        let mut scope = Scope { bound: Vec::new(), initial: true, since_shown: None };
        let mut lines = self.reason(reason, &mut scope);
        if scope.since_shown.is_none() {
            // No run shows it.
            let columns = Columns { number: 1, ..Columns::default() };
            let mut decoded = Vec::new();
            let mut printer =
                TracePrinter { paint: self.paint, indent: "  ", view: self.view, out: &mut decoded };
            printer.initial(self.decoder, state, columns).expect("memory can be written to");
            lines.extend(String::from_utf8_lossy(&decoded).lines().map(str::to_string));
        }
        lines
    }

    fn reason<'s>(&self, reason: &Reason<'s, '_>, scope: &mut Scope<'s>) -> Vec<String> {
        let place = if scope.initial { "in this initial state" } else { "here" };
        let mut lines = vec![self.claim(reason, place, scope)];
        match &reason.why {
            Why::Condition => {}
            Why::Omitted => {
                lines.push(format!("  {}", self.paint.dim("the run is not shown: there are too many")));
            }
            Why::Everywhere => lines.push(format!("  {}", self.paint.dim(everywhere(reason.formula)))),
            Why::Sides(sides) => {
                for (_, side) in sides {
                    lines.extend(indented(self.reason(side, scope), 2));
                }
            }
            Why::Value(binder, number, body) => {
                scope.bound.push((binder, *number));
                lines.extend(indented(self.reason(body, scope), 2));
                scope.bound.pop();
            }
            Why::Run(evidence, places) => {
                lines.extend(indented(self.run(reason, evidence, places, scope), 2));
            }
        }
        lines
    }

    /// `false here, c = Client#2: AF served(c)`
    fn claim<'s>(&self, reason: &Reason<'s, '_>, place: &str, scope: &Scope<'s>) -> String {
        let color = if reason.truth { Paint::good } else { Paint::bad };
        let value = if reason.truth { "true" } else { "false" };
        let bound = scope.bound.iter().map(|(binder, number)| {
            format!(", {} = {}", self.names.name(binder), self.names.value(binder, *number))
        });
        let bound = bound.collect::<String>();
        format!(
            "{}{bound}: {}",
            color(self.paint, &format!("{value} {place}")),
            self.names.show(reason.formula)
        )
    }

    fn run<'s>(
        &self,
        reason: &Reason<'s, '_>,
        evidence: &Evidence,
        places: &[Place<'s, '_>],
        scope: &mut Scope<'s>,
    ) -> Vec<String> {
        let known = scope.since_shown.filter(|steps| *steps <= REMEMBERED);
        let start = *scope.since_shown.insert(known.unwrap_or(0));
        let ending = ending(reason.formula);
        let mut notes = Notes::new();
        let mut rest = Vec::new();
        let end =
            ending.as_ref().and_then(|ending| places.iter().find(|place| place.operand == ending.operand));
        for operand in 0..2 {
            let of_operand = || places.iter().filter(|place| place.operand == operand);
            let is_ending = end.is_some_and(|end| end.operand == operand);
            let hanging = of_operand().filter(|place| !place.reason.is_condition() || is_ending);
            for place in hanging.clone().take(MAX_HANGING) {
                let mut inner = Scope {
                    bound: scope.bound.clone(),
                    initial: scope.initial && place.position == 0,
                    since_shown: Some(start + place.position),
                };
                notes.entry(place.position).or_default().extend(self.reason(&place.reason, &mut inner));
            }
            let more = hanging.count().saturating_sub(MAX_HANGING);
            if more > 0 {
                rest.push(
                    self.paint.dim(&format!("likewise after {more} more steps; `--trace FILE` records all")),
                );
            }
            let condition = of_operand().find(|place| place.reason.is_condition() && !is_ending);
            match (condition, end, &ending) {
                (None, ..) => {}
                (Some(place), Some(end), Some(ending)) => {
                    let claim = self.claim(&place.reason, ending.before, scope);
                    notes.entry(end.position).or_default().push(claim);
                }
                (Some(place), ..) => rest.push(self.claim(&place.reason, "all along", scope)),
            }
        }
        let first = First { initial: scope.initial, cells: known.is_none() };
        let mut decoded = Vec::new();
        let mut printer = TracePrinter { paint: self.paint, indent: "", view: self.view, out: &mut decoded };
        let telling = telling(reason.formula, evidence, places);
        printer.run_with(self.decoder, &telling, first, &notes).expect("memory can be written to");
        let mut lines: Vec<String> = String::from_utf8_lossy(&decoded).lines().map(str::to_string).collect();
        lines.extend(rest);
        if let Cow::Owned(_) = telling {
            let fair = if self.fair { "a fair run" } else { "the run" };
            lines.push(self.paint.dim(&format!("from here on {fair} goes on")));
        } else if self.fair {
            let units =
                fairness::lines(self.decoder.system, &explain(self.decoder.system, evidence), self.paint);
            lines.extend(fairness::explanation(&units, evidence, self.paint));
        }
        lines
    }
}

/// Why nothing is shown.
fn everywhere(formula: &Formula) -> &'static str {
    match formula {
        Formula::Forall(..) => "for all values",
        Formula::Exists(..) => "for no value",
        Formula::Temporal(Some(Path::All), _) => "on all runs from here",
        _ => "on no run from here",
    }
}

fn indented(lines: Vec<String>, by: usize) -> impl Iterator<Item = String> {
    lines.into_iter().map(move |line| format!("{}{line}", " ".repeat(by)).trim_end().to_string())
}
