//! Why an infinite run is fair, in few lines: units that are treated alike are shown as one,
//! `Client[1..998]`.
//!
//! Entry point: [`lines`]. Each unit is in exactly one line.

use crate::output::marks::MORE;
use crate::output::{Paint, pad, state, width_of};
use burnside_report::json::strength;
use burnside_trace::{End, Evidence, Treatment, UnitFairness};
use burnside_ts::{Strength, System, Units};
use std::collections::HashMap;

/// How many lines may say where the units of a process or rule are taken, or where they are disabled, before
/// one line says it for all.
const MAX_PLACES: usize = 6;
/// How many names stand in a line.
const MAX_NAMES: usize = 6;
/// Names that are longer than this stick out.
const WIDEST_NAMES: usize = 60;

/// Units that are treated alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Their names, put together.
    pub names: String,
    /// How fair they must be treated.
    pub strength: &'static str,
    /// How they are treated.
    pub how: String,
    /// Whether that is not fair.
    pub neglected: bool,
}

/// Says for people why an infinite run is fair, if there is anything to say: a heading, and a line for units
/// that are treated alike.
pub fn explanation(lines: &[Line], evidence: &Evidence, paint: Paint) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let heading = match (lines.iter().any(|line| line.neglected), &evidence.end) {
        (true, _) => paint.bad("this run is not fair:"),
        (false, End::Loop(_)) => paint.strong("why this run is fair, in the loop:"),
        (false, _) => paint.strong("why this run is fair, from there on:"),
    };
    let widest = |text: &dyn Fn(&Line) -> usize| lines.iter().map(text).max().unwrap_or(0);
    let names = widest(&|line| width_of(&line.names).min(WIDEST_NAMES));
    let strength = widest(&|line| line.strength.len());
    let decoded = lines.iter().map(|line| {
        let how = if line.neglected { paint.bad(&line.how) } else { line.how.clone() };
        let (names, strength) = (paint.actor(&pad(&line.names, names)), pad(line.strength, strength));
        format!("  {names}  {}  {how}", paint.dim(&strength))
    });
    std::iter::once(heading).chain(decoded).collect()
}

/// Says how all units are treated.
pub fn lines(system: &System, units: &[UnitFairness], paint: Paint) -> Vec<Line> {
    let places = Places::of(system, units);
    let decoded = units.iter().map(|unit| {
        let how =
            (unit.treatment == Treatment::Neglected, unit.strength == Strength::Strong, places.tell(unit));
        (unit, how)
    });
    // Units that are treated alike, in the order of the first of them.
    let mut groups: Vec<(&UnitFairness, String, usize)> = Vec::new();
    let mut known = HashMap::new();
    let mut cells = Vec::new();
    for (unit, how) in decoded {
        let group = *known.entry(how.clone()).or_insert(groups.len());
        if group == groups.len() {
            groups.push((unit, how.2, 0));
        }
        groups[group].2 += 1;
        cells.push((unit.name.as_str(), group.to_string()));
    }
    // Neighbours can only be told among all units.
    let mut names = vec![Vec::new(); groups.len()];
    for (name, group) in state::compact(cells) {
        names[group.parse::<usize>().expect("the number of a group")].push(name);
    }
    let lines = groups.into_iter().zip(names).map(|((first, how, count), names)| Line {
        names: joined(names, count, &paint.mark(MORE)),
        strength: strength(first.strength),
        how,
        neglected: first.treatment == Treatment::Neglected,
    });
    lines.collect()
}

/// The names of so many units.
fn joined(mut names: Vec<String>, count: usize, more: &str) -> String {
    if names.len() <= MAX_NAMES {
        return names.join(", ");
    }
    names.truncate(MAX_NAMES - 1);
    format!("{}, {more} ({count} in all)", names.join(", "))
}

/// Where the units of each process or rule are taken or disabled: how many different places, the first and
/// the last.
struct Places<'s> {
    units: Units<'s>,
    /// By family, and whether taken.
    all: HashMap<(usize, bool), Vec<usize>>,
}

impl<'s> Places<'s> {
    fn of(system: &'s System, units: &[UnitFairness]) -> Self {
        let mut places = Self { units: Units::new(system), all: HashMap::new() };
        for unit in units {
            if let Some((taken, at)) = place(unit.treatment) {
                places.all.entry((places.units.family(unit.unit), taken)).or_default().push(at);
            }
        }
        for list in places.all.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        places
    }

    fn tell(&self, unit: &UnitFairness) -> String {
        if let Some((taken, _)) = place(unit.treatment)
            && let list = &self.all[&(self.units.family(unit.unit), taken)]
            && list.len() > MAX_PLACES
            && let (Some(first), Some(last)) = (list.first(), list.last())
        {
            return match taken {
                true => format!("each taken in one of the steps {} to {}", first + 1, last + 1),
                false => format!("each disabled after one of the steps {first} to {last}"),
            };
        }
        match unit.treatment {
            Treatment::Executed(step) => format!("taken in step {}", step + 1),
            Treatment::Disabled(0) => "disabled in the initial state".into(),
            Treatment::Disabled(state) => format!("disabled after step {state}"),
            Treatment::NeverEnabled => "never enabled".into(),
            Treatment::Neglected if unit.strength == Strength::Weak => {
                "always enabled and never taken".into()
            }
            Treatment::Neglected => "enabled again and again and never taken".into(),
        }
    }
}

/// Whether the unit is taken (else disabled), and where.
fn place(treatment: Treatment) -> Option<(bool, usize)> {
    match treatment {
        Treatment::Executed(step) => Some((true, step)),
        Treatment::Disabled(state) => Some((false, state)),
        Treatment::NeverEnabled | Treatment::Neglected => None,
    }
}
