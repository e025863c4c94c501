//! Parts of a frontier that are easier to go on from than the whole.
//!
//! Entry point: [`Approximator::under`]. The answer is always a subset, and of a nonempty set a nonempty one.

use super::generator::Generator;
use crate::space::Space;
use crate::store::{Bit, Out, Set};
use burnside_ts::{System, Type};

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
    /// The last members of every symmetric type have the local states that they have in one of the states.
    Slice {
        /// How many members of each type.
        members: u32,
    },
    /// The states that no generator makes less; all if there are none.
    Least,
}

/// Chooses parts of frontiers, one after the other.
#[derive(Debug)]
pub(super) struct Approximator {
    approximation: Approximation,
    /// All variables of the frontier.
    bits: Vec<Bit>,
    /// Those of the last members, for slices.
    fixed: Vec<Bit>,
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
        let fixed = match approximation {
            Approximation::Slice { members } => last_members(space.system, members),
            _ => Vec::new(),
        };
        let fixed = fixed.into_iter().map(|bit| space.layout.current[bit as usize]).collect();
        let chance = if let Approximation::Random { seed, .. } = approximation { seed } else { 0 };
        let mut least = space.store.all();
        if approximation == Approximation::Least {
            least = super::representatives::least(space, generators, &least)?;
        }
        Ok(Self { approximation, bits: bits.to_vec(), fixed, least, chance })
    }

    /// A part of some states.
    pub fn under(&mut self, space: &Space<'_>, states: &Set) -> Out<Set> {
        match self.approximation {
            Approximation::None => Ok(states.clone()),
            Approximation::Density { nodes } => self.dense(space, states, nodes),
            Approximation::Random { nodes, .. } => self.random(space, states, nodes),
            Approximation::Slice { .. } => {
                let Some(picked) = states.pick() else { return Ok(states.clone()) };
                let values = self.fixed.iter().map(|&bit| (bit, picked[bit.0 as usize]));
                states.and(&space.store.point(values)?)
            }
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

/// The bits in the arrays over symmetric types at the last indices, by bit of the state.
fn last_members(system: &System, members: u32) -> Vec<u32> {
    let types = &system.types;
    let mut bits = Vec::new();
    for var in &system.vars {
        let Type::Array { index, element } = *types.get(var.ty) else { continue };
        let Type::Sort(sort) = *types.get(index) else { continue };
        let (size, width) = (types.sort(sort).size, types.width(element));
        let first = size.saturating_sub(members);
        bits.extend(var.offset + first * width..var.offset + size * width);
    }
    bits
}
