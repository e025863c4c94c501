//! Exact numbers of valuations.

use burnside_perm::Natural;
use foldhash::HashMap;
use oxidd::bcdd::BCDDFunction;
use oxidd::{BooleanFunction, Function, HasLevel, Manager, Node};

use super::Bit;

/// How many valuations of the given variables are in a set that depends on no others.
pub(super) fn count(set: &BCDDFunction, bits: &[Bit]) -> Natural {
    let mut levels: Vec<u32> =
        set.with_manager_shared(|manager, _| bits.iter().map(|bit| manager.var_to_level(bit.0)).collect());
    levels.sort_unstable();
    let powers: Vec<Natural> =
        std::iter::successors(Some(Natural::one()), |p| Some(p + p)).take(levels.len() + 1).collect();
    let mut counter = Counter { levels, powers, known: HashMap::default() };
    let total = counter.below(set);
    let top = counter.position(set);
    &total * &counter.powers[top]
}

struct Counter {
    /// The levels of the variables that count, ascending.
    levels: Vec<u32>,
    powers: Vec<Natural>,
    known: HashMap<BCDDFunction, Natural>,
}

impl Counter {
    /// How many of the variables are above the first that the set depends on.
    fn position(&self, set: &BCDDFunction) -> usize {
        let level = set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(node.level()),
            Node::Terminal(_) => None,
        });
        level.map_or(self.levels.len(), |level| self.levels.partition_point(|&other| other < level))
    }

    /// The valuations of the variables from the first that the set depends on.
    fn below(&mut self, set: &BCDDFunction) -> Natural {
        let Some((high, low)) = set.cofactors() else {
            return if set.valid() { Natural::one() } else { Natural::ZERO };
        };
        if let Some(known) = self.known.get(set) {
            return known.clone();
        }
        let here = self.position(set);
        let part = |counter: &mut Self, child: &BCDDFunction| {
            let skipped = counter.position(child) - here - 1;
            &counter.below(child) * &counter.powers[skipped]
        };
        let total = &part(self, &high) + &part(self, &low);
        self.known.insert(set.clone(), total.clone());
        total
    }
}
