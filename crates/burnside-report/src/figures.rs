//! Figures of searches for people.
//!
//! Entry points: [`of`] for an answer, [`of_report`] for all of them, [`state_space`] for its size.

use crate::json::StateSpace;
use crate::numbers::{plural, separated, thousands};
use burnside::{Answer, Counts, Kind, Report, Stats};
use burnside_perm::Natural;
use std::time::Duration;

/// States, what the search did, how deep it went and how long it took; some may be empty. Nothing if nothing
/// was searched, for what is not supported.
pub fn of(result: &Answer) -> Option<[String; 4]> {
    let stats = &result.stats;
    let figures = || {
        [
            match (&stats.diagrams, &result.unreduced) {
                (Some(_), Some(all)) => number_of_states(all),
                _ => plural(stats.states, "state", "states"),
            },
            effort(stats),
            match result.kind {
                // Its graph is judged, not searched from the initial states.
                Kind::Ctl if stats.diagrams.is_none() => String::new(),
                _ => format!("depth {}", thousands(stats.depth)),
            },
            seconds(result.time),
        ]
    };
    (stats.states > 0).then(figures)
}

/// The same of the main search, in a line.
pub fn of_report(report: &Report) -> String {
    format!("{}, {}, {}", states(report), effort(&report.stats), seconds(report.time))
}

/// The state space in one line.
pub fn state_space(counts: &StateSpace) -> String {
    let Counts { orbits, states, transitions, .. } = match counts {
        Ok(counts) => counts,
        Err(reason) => return format!("state space: unknown ({reason})"),
    };
    let known =
        |number: &Option<Natural>| number.as_ref().map_or_else(|| "?".to_string(), ToString::to_string);
    let (states, transitions) = (known(states), known(transitions));
    format!("state space: {states} markings, {transitions} firings; {orbits} orbits")
}

/// A number of states that may be larger than can be listed.
fn number_of_states(states: &Natural) -> String {
    format!("{} {}", separated(&states.to_string()), if states.is_one() { "state" } else { "states" })
}

/// What the search did: steps, or nodes of diagrams.
fn effort(stats: &Stats) -> String {
    match stats.diagrams {
        Some(diagrams) => plural(diagrams.nodes, "node", "nodes"),
        None => plural(stats.transitions, "transition", "transitions"),
    }
}

/// How many states were visited, and how many they stand for.
fn states(report: &Report) -> String {
    let visited = report.stats.states;
    if let (Some(_), Some(all)) = (&report.stats.diagrams, &report.unreduced) {
        return number_of_states(all);
    }
    match report.unreduced.as_ref().map(Natural::to_string) {
        Some(all) if all != visited.to_string() => {
            format!("{} of {} states", thousands(visited), separated(&all))
        }
        _ => plural(visited, "state", "states"),
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
