//! The contest's properties that every net has, as questions about a net: [`global`].
//!
//! On a coloured net the contest speaks of places and transitions as they are drawn: a place is safe or
//! stable by the number of all its tokens, whatever their colours, and a transition can fire if some binding
//! of it can. Only the greatest number of tokens in a place is that of one colour. Everything here is linear
//! in the net. The texts are words, not formulas, which would be as long as the net.

use crate::net::{Net, Place, PlaceId, TransitionId};
use crate::query::{Atom, Formula, NetQuestion, Query, Sum, Tokens};
use burnside_ts::{Compare, Path};

/// A property that every net has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Global {
    /// Some reachable marking has no successor.
    ReachabilityDeadlock,
    /// No place ever has more than one token.
    OneSafe,
    /// Every transition can fire some time.
    QuasiLiveness,
    /// From every reachable marking every transition can fire some time.
    Liveness,
    /// Some place always has as many tokens as at first.
    StableMarking,
    /// The greatest number of tokens of one colour in one place.
    MaxTokenInPlace,
    /// The greatest number of tokens in all places together.
    MaxTokenPerMarking,
}

impl Global {
    /// All of them.
    pub const ALL: [Global; 7] = [
        Global::ReachabilityDeadlock,
        Global::OneSafe,
        Global::QuasiLiveness,
        Global::Liveness,
        Global::StableMarking,
        Global::MaxTokenInPlace,
        Global::MaxTokenPerMarking,
    ];

    /// What the contest calls it.
    pub fn name(self) -> &'static str {
        match self {
            Global::ReachabilityDeadlock => "ReachabilityDeadlock",
            Global::OneSafe => "OneSafe",
            Global::QuasiLiveness => "QuasiLiveness",
            Global::Liveness => "Liveness",
            Global::StableMarking => "StableMarking",
            Global::MaxTokenInPlace => "MAX_TOKEN_IN_PLACE",
            Global::MaxTokenPerMarking => "MAX_TOKEN_PER_MARKING",
        }
    }

    /// What it says, in words.
    pub fn words(self) -> &'static str {
        match self {
            Global::ReachabilityDeadlock => "a marking without successor is reachable",
            Global::OneSafe => "no place ever has more than one token",
            Global::QuasiLiveness => "every transition can fire some time",
            Global::Liveness => "every transition can always fire again some time",
            Global::StableMarking => "some place always has as many tokens as at first",
            Global::MaxTokenInPlace => "the greatest number of tokens of one colour in one place",
            Global::MaxTokenPerMarking => "the greatest number of tokens in all places together",
        }
    }
}

/// The question whether, or how far, a net has a property.
pub fn global(net: &Net, which: Global) -> Query {
    let asked = match which {
        Global::ReachabilityDeadlock => NetQuestion::Reachable(Formula::Atom(Atom::Deadlock)),
        Global::OneSafe => NetQuestion::Invariant(all(places(net).map(|(id, _)| at_most_one(id)).collect())),
        Global::QuasiLiveness => NetQuestion::Ctl(all(fireable(net).map(possibly).collect())),
        Global::Liveness => NetQuestion::Ctl(all(fireable(net).map(possibly).map(always).collect())),
        Global::StableMarking => {
            NetQuestion::Ctl(any(places(net).map(|(id, place)| always(as_at_first(id, place))).collect()))
        }
        Global::MaxTokenInPlace => NetQuestion::Bound(each_colour(net)),
        Global::MaxTokenPerMarking => NetQuestion::Bound(vec![everything(net)]),
    };
    Query { name: which.name().into(), text: which.words().into(), asked }
}

fn places(net: &Net) -> impl Iterator<Item = (PlaceId, &Place)> {
    net.places.iter().enumerate().map(|(position, place)| (PlaceId(position as u32), place))
}

fn fireable(net: &Net) -> impl Iterator<Item = Formula> {
    let ids = (0..net.transitions.len()).map(|position| TransitionId(position as u32));
    ids.map(|id| Formula::Atom(Atom::Fireable(vec![id])))
}

fn possibly(formula: Formula) -> Formula {
    Formula::Finally(Some(Path::Some), Box::new(formula))
}

fn always(formula: Formula) -> Formula {
    Formula::Globally(Some(Path::All), Box::new(formula))
}

fn at_most_one(place: PlaceId) -> Formula {
    Formula::Atom(Atom::Compare(Compare::Le, whole(place), constant(1)))
}

fn as_at_first(id: PlaceId, place: &Place) -> Formula {
    let count: u128 = place.initial.iter().map(|&tokens| u128::from(tokens)).sum();
    // Where it does not fit, neither does the sum that it is compared with, and evaluating that faults.
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Formula::Atom(Atom::Compare(Compare::Eq, whole(id), constant(count)))
}

/// A sum for each colour of each place; for a net without places just 0.
fn each_colour(net: &Net) -> Vec<Sum> {
    let colours = |(id, place): (PlaceId, &Place)| -> Vec<Sum> {
        if place.domain.is_empty() {
            return vec![whole(id)];
        }
        let colour = |number| Tokens { place: id, colour: Some(net.colour(&place.domain, number)) };
        (0..place.initial.len())
            .map(|number| Sum { constant: 0, tokens: vec![(1, colour(number))] })
            .collect()
    };
    let sums: Vec<Sum> = places(net).flat_map(colours).collect();
    if sums.is_empty() { vec![constant(0)] } else { sums }
}

fn everything(net: &Net) -> Sum {
    let tokens = places(net).map(|(place, _)| (1, Tokens { place, colour: None }));
    Sum { constant: 0, tokens: tokens.collect() }
}

fn whole(place: PlaceId) -> Sum {
    Sum { constant: 0, tokens: vec![(1, Tokens { place, colour: None })] }
}

fn constant(constant: i64) -> Sum {
    Sum { constant, tokens: Vec::new() }
}

fn all(mut parts: Vec<Formula>) -> Formula {
    match (parts.len(), parts.pop()) {
        (_, None) => Formula::Atom(Atom::Constant(true)),
        (1, Some(only)) => only,
        (_, Some(last)) => {
            parts.push(last);
            Formula::And(parts)
        }
    }
}

fn any(mut parts: Vec<Formula>) -> Formula {
    match (parts.len(), parts.pop()) {
        (_, None) => Formula::Atom(Atom::Constant(false)),
        (1, Some(only)) => only,
        (_, Some(last)) => {
            parts.push(last);
            Formula::Or(parts)
        }
    }
}
