//! What evidence for a property claims, by the kind of the property.

use burnside::trace::Claimed;
use burnside::ts::{Claim, System};

/// What a run against the property (or, if it asks for something reachable, for it) shows, an infinite run also that it is fair if
/// it is said to be. `None` if there is no such property or no single run shows it.
pub fn claimed<'s>(system: &'s System, kind: &str, property: &str, fair: bool) -> Option<Claimed<'s>> {
    match kind {
        "faults" => return Some(Claimed::Faults),
        "deadlock" => return Some(Claimed::Deadlock),
        _ => {}
    }
    let found = system.properties.iter().find(|known| known.name == property)?;
    match (&found.claim, kind) {
        (Claim::Invariant(condition), "invariant") => Some(Claimed::Violates(condition)),
        (Claim::Reachable(condition), "reachable") => Some(Claimed::Reaches(condition)),
        (Claim::Never(sequence), "never") => Some(Claimed::Matches(sequence)),
        (Claim::Ltl(formula), "ltl") => Some(Claimed::Fails { formula, fair }),
        _ => None,
    }
}
