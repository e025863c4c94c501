//! Who moves in a loop for ever, who waits for ever, and what fairness has to do with it, in sentences.
//!
//! Entry point: [`lines`].

use crate::output::state;
use burnside_trace::{Actor, Evidence, Fairness, Waiting, actors};
use burnside_ts::{Strength, System};
use std::collections::HashMap;

/// So many names stand in a sentence.
const MAX_NAMES: usize = 6;

/// What there is to say of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Part {
    Moves,
    NeverEnabled,
    /// Weak fairness does not ask for more: it is enabled in one state and not in another.
    NotAlways,
    /// Nothing is assumed of it.
    Free,
    /// Something is assumed of some of its rules, and that is kept or not: the units tell.
    Rules,
    /// The run is not fair to it.
    Neglected,
}

/// A sentence each; nothing if the run does not go around a loop.
pub fn lines(system: &System, evidence: &Evidence) -> Vec<String> {
    sentences(&actors(system, evidence))
}

fn sentences(actors: &[Actor]) -> Vec<String> {
    let all: Vec<(&str, Part)> = actors.iter().map(|it| (it.process.as_str(), part(it))).collect();
    let mut groups: HashMap<Part, (Vec<String>, usize)> = HashMap::new();
    all.iter().for_each(|(_, part)| groups.entry(*part).or_default().1 += 1);
    // Neighbours can only be told among all processes.
    let parts = [Part::Moves, Part::NeverEnabled, Part::NotAlways, Part::Rules, Part::Free, Part::Neglected];
    for (name, part) in state::compact(all.iter().map(|(name, part)| (*name, format!("{part:?}")))) {
        let part = parts.iter().find(|known| format!("{known:?}") == part).expect("one of them");
        groups.entry(*part).or_default().0.push(name);
    }
    let told = parts.iter().filter_map(|part| {
        let (names, count) = groups.get(part)?;
        Some(sentence(*part, &joined(names.clone()), *count == 1))
    });
    told.collect()
}

fn part(actor: &Actor) -> Part {
    match (actor.waits, actor.fairness) {
        (None, _) => Part::Moves,
        (Some(Waiting::NeverEnabled), _) => Part::NeverEnabled,
        (_, Fairness::None) => Part::Free,
        (_, Fairness::Rules) => Part::Rules,
        (Some(Waiting::Sometimes { .. }), Fairness::Process(Strength::Weak)) => Part::NotAlways,
        (_, Fairness::Process(_)) => Part::Neglected,
    }
}

fn sentence(part: Part, names: &str, one: bool) -> String {
    let (s, is, it) = if one { ("s", "is", "it") } else { ("", "are", "they") };
    match part {
        Part::Moves => format!("in the loop {names} move{s}, again and again"),
        Part::NeverEnabled => format!("{names} wait{s} for ever: {it} can do nothing anywhere in the loop"),
        Part::NotAlways => format!(
            "{names} wait{s} for ever: {it} could move at times but not at all times, so weak fairness is content \
             (strong fairness would not be)"
        ),
        Part::Free => format!("{names} could move and {is} never chosen: no fairness is assumed of {it}"),
        Part::Rules => {
            format!("{names} could move and {is} never chosen: fairness is assumed only of some of the rules")
        }
        Part::Neglected => format!("{names} could move and {is} never chosen, which is not fair"),
    }
    .replace("of they", "of them")
}

/// `a, b and c`
fn joined(mut names: Vec<String>) -> String {
    if names.len() > MAX_NAMES {
        let more = names.len() - (MAX_NAMES - 1);
        names.truncate(MAX_NAMES - 1);
        names.push(format!("{more} more"));
    }
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
