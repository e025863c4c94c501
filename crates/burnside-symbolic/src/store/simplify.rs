//! Smaller diagrams for functions that matter only on some valuations.
//!
//! Entry point: [`simplify`], the restriction of Coudert and Madre: where nobody cares, a branch is replaced by its sibling. The result may even be larger, then the old one is kept.

use super::{Out, Set, Stop};
use foldhash::HashMap;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node};

/// Pairs of nodes to look at; beyond that it no longer pays.
const PATIENCE: usize = 100_000;

// A function hashes by its node, which does not change.
#[allow(clippy::mutable_key_type)]
/// A set that agrees with another wherever somebody cares.
pub(super) fn simplify(set: &Set, care: &Set) -> Out<Set> {
    if care.is_empty() {
        return Ok(set.clone());
    }
    let mut known = HashMap::default();
    match walk(&set.0, &care.0, &mut known) {
        Ok(Some(simple)) if simple.node_count() < set.size() => Ok(Set(simple)),
        // What there is no room to simplify stays as it is.
        Ok(_) | Err(Stop::Nodes) => Ok(set.clone()),
        Err(stop) => Err(stop),
    }
}

type Known = HashMap<(BCDDFunction, BCDDFunction), BCDDFunction>;

// A function hashes by its node, which does not change.
#[allow(clippy::mutable_key_type)]
/// None if patience is over. The set of what somebody cares about is not empty. The depth is at most the number of variables.
fn walk(set: &BCDDFunction, care: &BCDDFunction, known: &mut Known) -> Out<Option<BCDDFunction>> {
    let (Some(level), Some(other)) = (level(set), level(care)) else { return Ok(Some(set.clone())) };
    let key = (set.clone(), care.clone());
    if let Some(simple) = known.get(&key) {
        return Ok(Some(simple.clone()));
    }
    if known.len() >= PATIENCE {
        return Ok(None);
    }
    let room = |_| Stop::Nodes;
    let (care_high, care_low) = if other <= level { halves(care) } else { (care.clone(), care.clone()) };
    let simple = if other < level {
        walk(set, &care_high.or(&care_low).map_err(room)?, known)?
    } else {
        let (high, low) = halves(set);
        if !care_high.satisfiable() {
            walk(&low, &care_low, known)?
        } else if !care_low.satisfiable() {
            walk(&high, &care_high, known)?
        } else {
            let (Some(high), Some(low)) = (walk(&high, &care_high, known)?, walk(&low, &care_low, known)?)
            else {
                return Ok(None);
            };
            Some(decision(set, level).map_err(room)?.ite(&high, &low).map_err(room)?)
        }
    };
    if let Some(simple) = &simple {
        known.insert(key, simple.clone());
    }
    Ok(simple)
}

fn halves(set: &BCDDFunction) -> (BCDDFunction, BCDDFunction) {
    set.cofactors().expect("it depends on a variable")
}

/// The variable at a level, as a function.
fn decision(set: &BCDDFunction, level: u32) -> oxidd::util::AllocResult<BCDDFunction> {
    set.with_manager_shared(|manager, _| BCDDFunction::var(manager, manager.level_to_var(level)))
}

/// The level of the first variable that a function depends on.
pub(super) fn level(set: &BCDDFunction) -> Option<u32> {
    set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        Node::Inner(node) => Some(node.level()),
        Node::Terminal(_) => None,
    })
}
