//! What evidence for a property claims, by the kind of the property.

use burnside::Model;
use burnside::trace::Claimed;
use burnside::ts::Claim;

/// What a run against the property (or, if it asks for something reachable, for it) shows, an infinite run also that it is fair if
/// it is said to be. The run to a bound shows the value that is said. `None` if there is no such property or no single run shows it.
pub fn claimed<'m>(
    model: &'m Model,
    kind: &str,
    property: &str,
    fair: bool,
    value: Option<i64>,
) -> Option<Claimed<'m>> {
    let system = &model.system;
    match kind {
        "faults" => return Some(Claimed::Faults),
        "deadlock" => return Some(Claimed::Deadlock),
        "automaton" => {
            let mut watchers = model.automata.iter().zip(&system.observed);
            let (automaton, observed) = watchers.find(|(_, observed)| observed.name == property)?;
            return Some(Claimed::Accepted { automaton, atoms: &observed.conditions, fair });
        }
        _ => {}
    }
    let found = system.properties.iter().find(|known| known.name == property)?;
    match (&found.claim, kind) {
        (Claim::Invariant(condition), "invariant") => Some(Claimed::Violates(condition)),
        (Claim::Reachable(condition), "reachable") => Some(Claimed::Reaches(condition)),
        (Claim::Bound(expr), "bound") => Some(Claimed::Attains(expr, value?)),
        (Claim::Never(sequence), "never") => Some(Claimed::Matches(sequence)),
        (Claim::Ltl(formula), "ltl") => Some(Claimed::Fails { formula, fair }),
        // A run, and not a tree, leads to a state in which a condition faults.
        (Claim::Ctl(formula), "ctl") => Some(Claimed::Fails { formula, fair }),
        _ => None,
    }
}
