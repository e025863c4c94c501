//! Whether a finite run that somebody shows is one, and shows what it is said to show.

use super::Faults;
use super::explore::Exploration;
use super::sequence::Rest;
use crate::graph::StepLabel;
use std::collections::BTreeSet;

/// A finite run as text.
#[derive(Clone, Debug)]
pub struct ShownPath {
    /// The states, the first one initial.
    pub states: Vec<String>,
    /// The steps between them.
    pub steps: Vec<StepLabel>,
    /// How it ends.
    pub end: PathEnd,
}

/// How a finite run ends.
#[derive(Clone, Debug)]
pub enum PathEnd {
    /// In its last state.
    State,
    /// In a fault of a step, or of the initialisation; with the end of its text.
    Fault(Option<StepLabel>, String),
    /// In a fault of the property.
    Undefined,
}

/// What a finite run is said to show.
#[derive(Clone, Copy, Debug)]
pub enum PathClaim<'c> {
    /// A fault.
    Faults,
    /// A deadlock.
    Deadlock,
    /// What there is to show about a property.
    Property(&'c str),
}

/// The truth of what a property says about states; nothing where it faults.
#[derive(Clone, Debug)]
pub(super) enum OnStates {
    /// A condition, and the truth value that a run can show.
    Condition(Vec<Option<bool>>, bool),
    /// A forbidden sequence, with its conditions.
    Sequence(Rest, Vec<Vec<Option<bool>>>),
}

impl Exploration {
    /// Checks that the run is a run of the model and shows what is claimed.
    pub fn check_path(&self, claim: PathClaim<'_>, shown: &ShownPath) -> Result<(), String> {
        let number = |text: &String| self.numbers.get(text).copied().ok_or(format!("no state [{text}]"));
        let states: Vec<usize> = shown.states.iter().map(number).collect::<Result<_, _>>()?;
        if shown.states.first().is_some_and(|first| !self.graph.initial.contains(first)) {
            return Err("the first state is not initial".to_string());
        }
        if shown.steps.len() + 1 != states.len().max(1) {
            return Err(format!("{} steps for {} states", shown.steps.len(), states.len()));
        }
        for (pair, label) in states.windows(2).zip(&shown.steps) {
            if !self.steps[pair[0]].iter().any(|step| step.0 == *label && step.1 == pair[1]) {
                return Err(format!("no step {label:?} at {}", pair[0]));
            }
        }
        self.check_end(claim, shown, &states)
    }

    fn check_end(&self, claim: PathClaim<'_>, shown: &ShownPath, states: &[usize]) -> Result<(), String> {
        let last = states.last().copied();
        let is = match (claim, &shown.end, last) {
            (PathClaim::Faults, PathEnd::Fault(Some(label), text), Some(_)) => {
                let node = shown.states.last().map(|last| &self.graph.nodes[last]);
                node.into_iter()
                    .flat_map(|node| &node.faults)
                    .any(|(known, faults)| known.fits(label) && names(faults, text))
            }
            (PathClaim::Faults, PathEnd::Fault(None, text), None) => {
                self.graph.initial_faults.iter().any(|faults| names(faults, text))
            }
            (PathClaim::Deadlock, PathEnd::State, Some(last)) => self.dead[last],
            (PathClaim::Property(name), end, Some(last)) => {
                let judged = self.properties.iter().find(|judged| judged.name == name);
                let judged = judged.ok_or_else(|| format!("no property {name}"))?;
                match (&judged.on_states, end) {
                    (_, PathEnd::Fault(..)) => false,
                    (Some(OnStates::Condition(values, wanted)), PathEnd::State) => {
                        values[last] == Some(*wanted)
                    }
                    (Some(OnStates::Condition(values, _)), PathEnd::Undefined) => values[last].is_none(),
                    (Some(OnStates::Sequence(whole, values)), end) => {
                        matches(whole, values, states, matches!(end, PathEnd::Undefined))
                    }
                    (None, PathEnd::State) => false,
                    (None, PathEnd::Undefined) => matches!(judged.finding, super::Finding::Undefined(_)),
                }
            }
            _ => false,
        };
        if is { Ok(()) } else { Err("the end does not show it".to_string()) }
    }
}

fn names(faults: &Faults, text: &str) -> bool {
    faults.iter().any(|fault| fault.ends_with(text))
}

/// Whether a match of the sequence ends in the last state or, if asked, a condition faults there and nowhere
/// before.
fn matches(whole: &Rest, values: &[Vec<Option<bool>>], states: &[usize], undefined: bool) -> bool {
    if whole.is_complete() && !undefined {
        return true;
    }
    let mut before: BTreeSet<Rest> = BTreeSet::new();
    for (i, &state) in states.iter().enumerate() {
        let mut holds = |condition: usize| {
            values[condition][state].ok_or_else(|| Faults::from(["it faults".to_string()]))
        };
        let mut after = BTreeSet::new();
        for rest in before.iter().chain([whole]) {
            match rest.after(&mut holds) {
                Ok(left) => after.extend(left.into_iter().map(Rest::tidy)),
                Err(_) => return undefined && i + 1 == states.len(),
            }
        }
        before = after;
    }
    !undefined && before.iter().any(Rest::is_complete)
}
