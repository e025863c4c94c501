//! The steps of one rule instance as a relation in parts, and images under it.
//!
//! The relation speaks only of the bits that the instance may change: the others are simply left alone. Its
//! parts are conjoined one after the other with a set of states, and each variable is quantified as soon as
//! no later part has it.

use crate::encode::Instance;
use crate::layout::Layout;
use crate::store::{Bit, Out, Renaming, Set, Store};
use std::collections::{BTreeMap, BTreeSet};

/// Parts are put together while they have at most so many nodes.
const PART: usize = 2000;

/// The steps of one rule instance.
#[derive(Debug)]
pub(crate) struct Relation {
    parts: Vec<RelationPart>,
    /// The bits that may change, by their variables before and after.
    written: Vec<(Bit, Bit)>,
    /// From the values after to the values before.
    forward: Renaming,
    /// From the values before to the values after.
    backward: Renaming,
}

#[derive(Debug)]
struct RelationPart {
    set: Set,
    /// What is quantified with it on the way to the states after.
    after: Set,
    /// What is quantified with it on the way to the states before.
    before: Set,
}

impl Relation {
    pub fn new(store: &Store, layout: &Layout, inputs: &[Bit], instance: &Instance) -> Out<Self> {
        let mut sets = vec![instance.fires.clone()];
        sets.extend(instance.assumed.iter().cloned());
        let mut writes: Vec<&(u32, Set)> = instance.writes.iter().collect();
        writes.sort_by_key(|(bit, _)| layout.current[*bit as usize]);
        let pair = |bit: u32| (layout.current[bit as usize], layout.next[bit as usize]);
        for (bit, value) in &writes {
            sets.push(store.bit(pair(*bit).1).iff(value)?);
        }
        let written: Vec<(Bit, Bit)> = writes.iter().map(|(bit, _)| pair(*bit)).collect();
        Self::of_parts(store, inputs, sets, &written)
    }

    /// A relation that is the conjunction of some sets and may change some bits, given by their variables
    /// before and after.
    pub fn of_parts(store: &Store, inputs: &[Bit], sets: Vec<Set>, written: &[(Bit, Bit)]) -> Out<Self> {
        let inputs: BTreeSet<Bit> = inputs.iter().copied().collect();
        let sets = clustered(store, sets, &inputs)?;
        let supports: Vec<BTreeSet<Bit>> =
            sets.iter().map(|set| set.support().into_iter().collect()).collect();
        let (current, next): (Vec<Bit>, Vec<Bit>) = written.iter().copied().unzip();
        let after = schedule(&supports, current.iter().chain(&inputs));
        let before = schedule(&supports, next.iter().chain(&inputs));
        let mut parts = Vec::new();
        for (i, set) in sets.into_iter().enumerate() {
            let (after, before) =
                (store.cube(after[i].iter().copied())?, store.cube(before[i].iter().copied())?);
            parts.push(RelationPart { set, after, before });
        }
        let renaming = |from: &[Bit], to: &[Bit]| {
            store.renaming(from.iter().zip(to).map(|(&from, &to)| (from, store.bit(to))))
        };
        Ok(Self {
            parts,
            written: written.to_vec(),
            forward: renaming(&next, &current),
            backward: renaming(&current, &next),
        })
    }

    /// The states after a step from some states.
    pub fn image(&self, states: &Set) -> Out<Set> {
        let mut set = states.clone();
        for part in &self.parts {
            set = set.and_exists(&part.set, &part.after)?;
            if set.is_empty() {
                return Ok(set);
            }
        }
        set.renamed(&self.forward)
    }

    /// The states from which a step leads to some states.
    pub fn preimage(&self, states: &Set) -> Out<Set> {
        let mut set = states.renamed(&self.backward)?;
        for part in &self.parts {
            set = set.and_exists(&part.set, &part.before)?;
            if set.is_empty() {
                break;
            }
        }
        Ok(set)
    }

    /// The steps from some states as pairs of states, with the bits that are left alone.
    pub fn pairs(&self, store: &Store, layout: &Layout, states: &Set) -> Out<Set> {
        let all = self.parts.iter().try_fold(states.clone(), |set, part| set.and(&part.set))?;
        let pairs = all.exists(&store.cube(self.inputs(layout))?)?;
        let mut kept: Vec<usize> =
            (0..layout.current.len()).filter(|&bit| !self.writes(layout.current[bit])).collect();
        kept.sort_by_key(|&bit| std::cmp::Reverse(layout.current[bit]));
        let frame = kept.into_iter().try_fold(store.all(), |set, bit| {
            set.and(&store.bit(layout.current[bit]).iff(&store.bit(layout.next[bit]))?)
        })?;
        pairs.and(&frame)
    }

    /// The same steps from some states; from others it may have steps that are none.
    pub fn simplified(&self, store: &Store, layout: &Layout, states: &Set) -> Out<Self> {
        let sets = self.parts.iter().map(|part| part.set.simplified(states)).collect::<Out<_>>()?;
        let inputs: Vec<Bit> = self.inputs(layout).into_iter().collect();
        Self::of_parts(store, &inputs, sets, &self.written)
    }

    fn writes(&self, bit: Bit) -> bool {
        self.written.iter().any(|(current, _)| *current == bit)
    }

    /// The variables that are not bits of states.
    fn inputs(&self, layout: &Layout) -> BTreeSet<Bit> {
        let bits: BTreeSet<Bit> = layout.current.iter().chain(&layout.next).copied().collect();
        let used = self.parts.iter().flat_map(|part| part.set.support());
        used.filter(|bit| !bits.contains(bit)).collect()
    }

    /// Nodes of all parts.
    pub fn size(&self) -> usize {
        self.parts.iter().map(|part| part.set.size()).sum()
    }
}

/// Puts parts together as long as they stay small, those about the same variables first. Inputs that no other
/// part has are quantified on the way.
fn clustered(store: &Store, mut sets: Vec<Set>, inputs: &BTreeSet<Bit>) -> Out<Vec<Set>> {
    let place = |set: &Set| set.support().into_iter().filter(|bit| !inputs.contains(bit)).max();
    sets.sort_by_cached_key(place);
    let supports: Vec<Vec<Bit>> = sets.iter().map(Set::support).collect();
    let mut uses: BTreeMap<Bit, usize> = BTreeMap::new();
    for &bit in supports.iter().flatten().filter(|bit| inputs.contains(bit)) {
        *uses.entry(bit).or_default() += 1;
    }
    let mut clusters: Vec<Set> = Vec::new();
    // How many parts are in the last cluster, by input.
    let mut inside: BTreeMap<Bit, usize> = BTreeMap::new();
    for (set, support) in sets.into_iter().zip(&supports) {
        let both = match clusters.last() {
            Some(last) => Some(last.and(&set)?).filter(|both| both.size() <= PART),
            None => None,
        };
        match both {
            Some(both) => *clusters.last_mut().expect("there is a last one") = both,
            None => {
                clusters.push(set);
                inside.clear();
            }
        }
        support
            .iter()
            .filter(|bit| inputs.contains(bit))
            .for_each(|&bit| *inside.entry(bit).or_default() += 1);
        let own: Vec<Bit> =
            inside.iter().filter(|(bit, count)| uses[bit] == **count).map(|(&bit, _)| bit).collect();
        if !own.is_empty() {
            let last = clusters.last_mut().expect("there is a last one");
            *last = last.exists(&store.cube(own)?)?;
        }
    }
    Ok(clusters)
}

/// For each part, the variables that no later part has. Those that no part has go with the first.
fn schedule<'b>(supports: &[BTreeSet<Bit>], bits: impl Iterator<Item = &'b Bit>) -> Vec<Vec<Bit>> {
    let mut out = vec![Vec::new(); supports.len()];
    for bit in bits {
        let last = supports.iter().rposition(|support| support.contains(bit)).unwrap_or(0);
        out[last].push(*bit);
    }
    out
}
