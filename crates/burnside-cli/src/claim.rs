//! What evidence for a property claims, by the kind of the property.

use burnside::{Choice, Model};
use burnside_trace::Claim;
use burnside_ts::{Kind, Question};

static FAULT: Question = Question::Fault;
static DEADLOCK: Question = Question::Deadlock;

/// What a run against the property (or, if it asks for something reachable, for it) shows, an infinite run
/// also that it is fair if it is said to be. The run to a bound shows the value that is said. `None` if there
/// is no such property or no single run shows it.
pub fn claimed<'m>(
    model: &'m Model,
    kind: &str,
    property: &str,
    fair: bool,
    value: Option<i64>,
) -> Option<Claim<'m>> {
    let kind = Kind::named(kind)?;
    let question = match kind {
        Kind::Faults if property == kind.name() => &FAULT,
        Kind::Deadlock if property == kind.name() => &DEADLOCK,
        _ => {
            let known = model.system.properties.iter().find(|known| known.name == property)?;
            Some(&known.question).filter(|question| question.kind() == kind)?
        }
    };
    (kind != Kind::Bound || value.is_some()).then_some(Claim { question, fair, value })
}
