//! What evidence for a property claims, by the kind of the property.

use burnside::trace::Claimed;
use burnside::ts::{Claim, System};

/// What a run against the property (or, if it asks for something reachable, for it) shows. `None` if there is no such
/// property or no single finite run shows it.
pub fn claimed<'s>(system: &'s System, kind: &str, property: &str) -> Option<Claimed<'s>> {
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
        _ => None,
    }
}
