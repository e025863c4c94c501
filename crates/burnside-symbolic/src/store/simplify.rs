//! Smaller diagrams for functions that matter only on some valuations.
//!
//! Entry point: [`simplify`], the restriction of Coudert and Madre: where nobody cares, a branch is replaced
//! by its sibling. The result may even be larger, then the old one is kept.

use super::{Ends, Out, Set};
use foldhash::HashMap;
use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node};

/// Pairs of nodes to look at; beyond that it no longer pays.
const PATIENCE: usize = 100_000;

/// A set that agrees with another wherever somebody cares.
pub(super) fn simplify(set: &Set, care: &Set) -> Out<Set> {
    if care.is_empty() {
        return Ok(set.clone());
    }
    let mut simplifier = Simplifier { ends: &set.1, known: HashMap::default() };
    match simplifier.walk(&set.0, &care.0) {
        Ok(Some(simple)) if simple.node_count() < set.size() => Ok(set.with(simple)),
        // What there is no room to simplify stays as it is.
        Ok(_) => Ok(set.clone()),
        Err(stop) if stop.is_room() => Ok(set.clone()),
        Err(stop) => Err(stop),
    }
}

struct Simplifier<'e> {
    ends: &'e Ends,
    known: HashMap<(BCDDFunction, BCDDFunction), BCDDFunction>,
}

impl Simplifier<'_> {
    fn room(&self, made: AllocResult<BCDDFunction>) -> Out<BCDDFunction> {
        made.map_err(|full| self.ends.full(full))
    }

    /// None if patience is over. The set of what somebody cares about is not empty. The depth is at most the
    /// number of variables.
    fn walk(&mut self, set: &BCDDFunction, care: &BCDDFunction) -> Out<Option<BCDDFunction>> {
        let (Some(top), Some(other)) = (level(set), level(care)) else { return Ok(Some(set.clone())) };
        let key = (set.clone(), care.clone());
        if let Some(simple) = self.known.get(&key) {
            return Ok(Some(simple.clone()));
        }
        if self.known.len() >= PATIENCE {
            return Ok(None);
        }
        let simple = if other < top {
            let (high, low) = halves(care);
            self.walk(set, &self.room(high.or(&low))?)?
        } else {
            let care = if other == top { halves(care) } else { (care.clone(), care.clone()) };
            self.branch(set, top, care)?
        };
        if let Some(simple) = &simple {
            self.known.insert(key, simple.clone());
        }
        Ok(simple)
    }

    fn branch(
        &mut self,
        set: &BCDDFunction,
        top: u32,
        (care_high, care_low): (BCDDFunction, BCDDFunction),
    ) -> Out<Option<BCDDFunction>> {
        let (high, low) = halves(set);
        if !care_high.satisfiable() {
            return self.walk(&low, &care_low);
        }
        if !care_low.satisfiable() {
            return self.walk(&high, &care_high);
        }
        let Some(high) = self.walk(&high, &care_high)? else { return Ok(None) };
        let Some(low) = self.walk(&low, &care_low)? else { return Ok(None) };
        let bit = self.room(decision(set, top))?;
        Ok(Some(self.room(bit.ite(&high, &low))?))
    }
}

pub(super) fn halves(set: &BCDDFunction) -> (BCDDFunction, BCDDFunction) {
    set.cofactors().expect("it depends on a variable")
}

/// The variable at a level, as a function.
pub(super) fn decision(set: &BCDDFunction, level: u32) -> AllocResult<BCDDFunction> {
    set.with_manager_shared(|manager, _| BCDDFunction::var(manager, manager.level_to_var(level)))
}

/// The level of the first variable that a function depends on.
pub(super) fn level(set: &BCDDFunction) -> Option<u32> {
    set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        Node::Inner(node) => Some(node.level()),
        Node::Terminal(_) => None,
    })
}
