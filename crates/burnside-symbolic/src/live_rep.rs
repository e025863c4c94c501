//! Live_Rep: branching-time formulas about all paths are refuted on representatives, with the steps between
//! them.
//!
//! Entry point: [`live_rep`]. What is false there is false of the system, whatever the representatives are;
//! that nothing is found means nothing. So few will do: if wanted, only some members move at first, and more
//! if that was not enough.

use crate::ctl::CtlJudge;
use crate::graph::{Graph, Part};
use crate::ltl::units;
use crate::reduced::Reduction;
use crate::space::Space;
use crate::store::{Bit, Out, Set};
use crate::symmetry::{Outcome, Restricted, Settings, Statistics};
use crate::tree;
use burnside_limits::{Observer, Stop};
use burnside_trace::Tree;
use burnside_ts::{Formula, Path};

/// A state in which a formula is false, and the reason.
type Why = (Box<[u64]>, Tree);

/// What was found on some states only.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// An initial state in which the formula is false, and why.
    pub found: Option<Why>,
    /// Nodes of the relations between the last representatives.
    pub relation: usize,
    /// How these were found.
    pub statistics: Statistics,
}

/// Refutes a formula about all paths, if it is false on representatives.
pub fn live_rep<'s>(
    space: &Space<'s>,
    formula: &'s Formula,
    reduction: &Reduction,
    settings: &Settings,
    (fair, maximal): (bool, bool),
    observer: &mut dyn Observer,
) -> Out<Refuted> {
    if !is_universal(formula, true) {
        return Err(Stop::Inconclusive(
            "only formulas about all paths can be refuted on representatives".into(),
        ));
    }
    let named: Vec<Bit> = space.atoms_of(formula)?.iter().flat_map(Set::support).collect();
    let mut series = settings.series(space, &named)?.into_iter();
    loop {
        let settings = series.next().expect("there is a last search");
        let Outcome { representatives, statistics, complete, .. } =
            space.representatives(reduction, &settings, observer)?;
        let (found, relation) = on(space, formula, &representatives, (fair, maximal))?;
        if found.is_some() || complete || series.len() == 0 {
            return Ok(Refuted { found, relation, statistics });
        }
    }
}

/// Judges a formula on some states only, all reachable. An initial state where it is false, and why; and the
/// nodes of the relations.
fn on<'s>(
    space: &Space<'s>,
    formula: &'s Formula,
    representatives: &Set,
    (fair, maximal): (bool, bool),
) -> Out<(Option<Why>, usize)> {
    let units = units(space, fair)?;
    let restricted = Restricted::new(space, representatives)?;
    let graph = Graph::part(space, units.as_ref(), Part::Restricted(&restricted), !maximal)?;
    let ends = if maximal { space.dead(representatives)? } else { space.store.none() };
    let mut judge = CtlJudge::new(&graph, representatives.clone(), ends)?;
    let judged = judge.judge(formula, &mut Vec::new())?;
    // Only what goes on for ever inside counts.
    let bad = restricted.initial()?.and(&judge.fair)?.minus(&judged.holds)?;
    let found = match space.pick(&bad) {
        Some(state) => {
            let tree = tree::build(&judge, &judged, &state, false)?;
            Some((state, tree))
        }
        None => None,
    };
    Ok((found, restricted.relation_size()))
}

/// Whether all path quantifiers of a formula, with its negations pushed inwards, are about all paths.
fn is_universal(formula: &Formula, positive: bool) -> bool {
    let each = |formula: &Formula| is_universal(formula, positive);
    match formula {
        Formula::Not(inner) => is_universal(inner, !positive),
        Formula::Implies(sides) => is_universal(&sides[0], !positive) && each(&sides[1]),
        Formula::Iff(sides) => sides.iter().all(|side| each(side) && is_universal(side, !positive)),
        Formula::Temporal(path, _) if (path.unwrap_or(Path::All) == Path::All) != positive => false,
        _ => formula.children().iter().all(each),
    }
}
