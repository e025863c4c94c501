//! Parts of a frontier that are easier to go on from than the whole.
//!
//! Entry point: [`Approximator::under`]. The answer is always a subset, and of a nonempty set a nonempty one.

use super::generator::Generator;
use crate::space::Space;
use crate::store::{Bit, Out, Set};
use burnside_engine::Part;
use burnside_ts::{SortId, System, Type, Var};
use std::collections::{BTreeMap, BTreeSet};

impl From<Part> for Approximation {
    fn from(part: Part) -> Self {
        // A frontier of so many nodes is still easy to go on from.
        let nodes = 5_000;
        match part {
            Part::Whole => Approximation::None,
            Part::Density => Approximation::Density { nodes },
            Part::Random => Approximation::Random { seed: 1, nodes },
            Part::Slice => Approximation::Slice { moving: 2 },
            Part::Least => Approximation::Least,
            Part::Widen => Approximation::Widen,
        }
    }
}

/// How a part of a frontier is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approximation {
    /// All of it.
    #[default]
    None,
    /// From the top of the diagram the branch with more states, until the rest has at most so many nodes.
    Density {
        /// Nodes.
        nodes: usize,
    },
    /// Some value for some variable, both by chance, until the rest has at most so many nodes.
    Random {
        /// Where chance starts.
        seed: u64,
        /// Nodes.
        nodes: usize,
    },
    /// All but some members of every symmetric type have the local states that they have in one of the
    /// states.
    Slice {
        /// How many members of each type may move.
        moving: u32,
    },
    /// The states that no generator makes less; all if there are none.
    Least,
    /// Several searches: first only one member of each symmetric type leaves its initial state, then two and
    /// so on; what lies outside is left out. The last search leaves out nothing.
    Widen,
}

/// Chooses parts of frontiers, one after the other.
#[derive(Debug)]
pub(super) struct Approximator {
    approximation: Approximation,
    /// All variables of the frontier.
    bits: Vec<Bit>,
    /// Those of the members that do not move, for slices.
    resting: Vec<Bit>,
    /// The states that no generator makes less, if these are wanted.
    least: Set,
    chance: u64,
}

impl Approximator {
    pub fn new(
        space: &Space<'_>,
        approximation: Approximation,
        bits: &[Bit],
        generators: &[&Generator],
    ) -> Out<Self> {
        let resting = match approximation {
            Approximation::Slice { moving } => resting(space, moving, &[]),
            _ => Vec::new(),
        };
        let chance = if let Approximation::Random { seed, .. } = approximation { seed } else { 0 };
        let mut least = space.store.all();
        if approximation == Approximation::Least {
            least = super::representatives::least(space, generators, &least)?;
        }
        Ok(Self { approximation, bits: bits.to_vec(), resting, least, chance })
    }

    /// A part of some states.
    pub fn under(&mut self, space: &Space<'_>, states: &Set) -> Out<Set> {
        match self.approximation {
            Approximation::None | Approximation::Widen => Ok(states.clone()),
            Approximation::Density { nodes } => self.dense(space, states, nodes),
            Approximation::Random { nodes, .. } => self.random(space, states, nodes),
            Approximation::Slice { .. } => slice(space, &self.resting, states),
            Approximation::Least => {
                let part = states.and(&self.least)?;
                Ok(if part.is_empty() { states.clone() } else { part })
            }
        }
    }

    /// Goes down the branch with more states while there are too many nodes.
    fn dense(&self, space: &Space<'_>, states: &Set, nodes: usize) -> Out<Set> {
        let (mut values, mut rest) = (Vec::new(), states.clone());
        while rest.size() > nodes {
            let Some((bit, high, low)) = rest.branches() else { break };
            let heavy = high.count(&self.bits) >= low.count(&self.bits);
            values.push((bit, heavy));
            rest = if heavy { high } else { low };
        }
        rest.and(&space.store.point(values)?)
    }

    fn random(&mut self, space: &Space<'_>, states: &Set, nodes: usize) -> Out<Set> {
        let mut part = states.clone();
        while part.size() > nodes {
            let support = part.support();
            let Some(&bit) = support.get(self.number() as usize % support.len().max(1)) else { break };
            let value = self.number() & 1 == 1;
            let half = part.and(&space.store.point([(bit, value)])?)?;
            part = if half.is_empty() { part.and(&space.store.point([(bit, !value)])?)? } else { half };
            // A set of one state has a node for each bit: there is nothing left to choose.
            if space.store.point(bits_of(&part))? == part {
                break;
            }
        }
        Ok(part)
    }

    /// The next number by chance (SplitMix64).
    fn number(&mut self) -> u64 {
        self.chance = self.chance.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.chance ^ (self.chance >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The values of the variables that a set depends on, in some of its elements.
fn bits_of(set: &Set) -> Vec<(Bit, bool)> {
    let picked = set.pick().unwrap_or_default();
    set.support().into_iter().map(|bit| (bit, picked[bit.0 as usize])).collect()
}

/// The states of a set in which some variables are as in one of them.
fn slice(space: &Space<'_>, resting: &[Bit], states: &Set) -> Out<Set> {
    let Some(picked) = states.pick() else { return Ok(states.clone()) };
    let values = resting.iter().map(|&bit| (bit, picked[bit.0 as usize]));
    states.and(&space.store.point(values)?)
}

/// The states in which only one member of each symmetric type is not as in some initial state, those in which
/// only two are, and so on; from eight on twice as many each time, but never all. Members with named
/// variables come first.
pub(super) fn slices(space: &Space<'_>, named: &[Bit]) -> Out<Vec<Set>> {
    let Some(picked) = space.initial.pick() else { return Ok(Vec::new()) };
    let (mut out, mut moving) = (Vec::new(), 1);
    loop {
        let resting = resting(space, moving, named);
        if resting.is_empty() {
            return Ok(out);
        }
        out.push(space.store.point(resting.iter().map(|&bit| (bit, picked[bit.0 as usize])))?);
        // Of many members there are few slices, or else what holds would be searched too often.
        moving = if moving < 8 { moving + 1 } else { 2 * moving };
    }
}

/// The variables in arrays over symmetric types at all but some indices: first those with named variables
/// move, then the others in their order.
fn resting(space: &Space<'_>, moving: u32, named: &[Bit]) -> Vec<Bit> {
    let (system, current) = (space.system, &space.layout.current);
    let arrays = || system.vars.iter().filter_map(|var| Some((var, members(system, var)?)));
    let bits = |var: &Var, width: u32, member: u32| {
        let start = var.offset + member * width;
        (start..start + width).map(|bit| current[bit as usize])
    };
    let named: BTreeSet<Bit> = named.iter().copied().collect();
    let mut unnamed: BTreeMap<SortId, Vec<bool>> = BTreeMap::new();
    for (var, (sort, width)) in arrays() {
        let size = system.types.sort(sort).size;
        let flags = unnamed.entry(sort).or_insert_with(|| vec![true; size as usize]);
        for member in 0..size {
            flags[member as usize] &= !bits(var, width, member).any(|bit| named.contains(&bit));
        }
    }
    let mut out = Vec::new();
    for (var, (sort, width)) in arrays() {
        let flags = &unnamed[&sort];
        let mut order: Vec<u32> = (0..flags.len() as u32).collect();
        order.sort_by_key(|&member| flags[member as usize]);
        let rest = order.iter().skip(moving as usize);
        out.extend(rest.flat_map(|&member| bits(var, width, member)));
    }
    out
}

/// The symmetric type that a variable is an array over, and how wide an element is.
fn members(system: &System, var: &Var) -> Option<(SortId, u32)> {
    let types = &system.types;
    let Type::Array { index, element } = *types.get(var.ty) else { return None };
    let Type::Sort(sort) = *types.get(index) else { return None };
    Some((sort, types.width(element)))
}
