//! The relation between representatives and the states of their orbits, and the graph of representatives.
//!
//! Entry points: [`create_xi`] closes the relation for given representatives (Create_ξ), [`orbit_to_xi`]
//! builds the whole orbit relation and chooses the least state of each orbit (Orbit_To_ξ, what the former is
//! measured against). [`Representatives`] is then the graph M' = (Rep, ξ⁻¹Rξ), whose relation is never built:
//! an image goes through the states. It is bisimilar to the system if all generators are good, they leave the
//! atoms alone and every reachable orbit has a representative.
//!
//! A relation is a set of pairs: the representative has the variables of a state, its state those of a state
//! after a step. Generators are functions, so one replacement of variables composes with them, and no third
//! set of variables is needed.

use super::action::Mover;
use super::generator::Generator;
use super::sigma::{Effort, close};
use super::word::word;
use crate::space::Space;
use crate::store::{Bit, Out, Renaming, Set};
use crate::vector::at_most;
use burnside_ts::Permutation;

/// Pairs of a representative and a state that is symmetric to it.
#[derive(Clone, Debug)]
pub struct Xi {
    /// The representatives.
    pub representatives: Set,
    /// The pairs.
    pub pairs: Set,
}

/// All states of the orbits of given representatives, paired with these.
pub fn create_xi(space: &Space<'_>, generators: &[&Generator], representatives: &Set) -> Out<Xi> {
    let mut pairs = representatives.and(&identity(space)?)?;
    let image = |generator: &Generator, pairs: &Set| generator.image_of_second(pairs);
    let permutations: Vec<&Permutation> = generators.iter().map(|it| it.permutation()).collect();
    for last in 0..generators.len() {
        let Some(word) = word(&permutations[..=last]) else {
            close(&space.store, &generators[..=last], &mut pairs, image, &Effort::default())?;
            continue;
        };
        for at in word {
            space.store.poll()?;
            pairs = pairs.or(&image(generators[at], &pairs)?)?;
        }
    }
    Ok(Xi { representatives: representatives.clone(), pairs })
}

/// The orbit relation on a set that generators map to itself, and from it the least states of all orbits with
/// their orbits.
pub fn orbit_to_xi(space: &Space<'_>, generators: &[&Generator], within: &Set) -> Out<Xi> {
    let orbits = create_xi(space, generators, within)?;
    let (now, next) = (digits(space, &space.layout.current), digits(space, &space.layout.next));
    let less = at_most(&space.store, &now, &next)?.not();
    let bettered = orbits.pairs.and_exists(&less, &space.store.cube(space.layout.next.iter().copied())?)?;
    let representatives = within.minus(&bettered)?;
    let pairs = orbits.pairs.and(&representatives)?;
    Ok(Xi { representatives, pairs })
}

/// The states of a set that no generator alone makes less. Every orbit has some: its least state. If the
/// generators swap neighbours among members whose states are all that moves, it has no others.
pub fn least(space: &Space<'_>, generators: &[&Generator], within: &Set) -> Out<Set> {
    let (store, layout) = (&space.store, &space.layout);
    let mover = Mover::new(space.system, store);
    let bits: Vec<Set> = layout.current.iter().map(|&bit| store.bit(bit)).collect();
    let here = digits(space, &layout.current);
    let mut states = within.clone();
    for generator in generators {
        let moved = mover.state(generator.permutation(), &bits)?;
        let order: Vec<Set> = significance(&layout.current).into_iter().map(|i| moved[i].clone()).collect();
        states = states.and(&at_most(store, &here, &order)?)?;
    }
    Ok(states)
}

/// The bits of states from the least significant to the most: the first variable decides first.
fn significance(bits: &[Bit]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bits.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(bits[i]));
    order
}

fn digits(space: &Space<'_>, bits: &[Bit]) -> Vec<Set> {
    significance(bits).into_iter().map(|i| space.store.bit(bits[i])).collect()
}

/// Each state paired with itself.
fn identity(space: &Space<'_>) -> Out<Set> {
    let (store, layout) = (&space.store, &space.layout);
    significance(&layout.current).into_iter().try_fold(store.all(), |set, i| {
        set.and(&store.bit(layout.current[i]).iff(&store.bit(layout.next[i]))?)
    })
}

/// The graph of representatives.
#[derive(Debug)]
pub struct Representatives<'q, 's> {
    space: &'q Space<'s>,
    xi: Xi,
    now: Set,
    next: Set,
    to_next: Renaming,
    to_now: Renaming,
}

impl<'q, 's> Representatives<'q, 's> {
    /// The graph of the representatives of a relation.
    pub fn new(space: &'q Space<'s>, xi: Xi) -> Out<Self> {
        let (store, layout) = (&space.store, &space.layout);
        // The pairs take nearly all the nodes and change no more: sifting them would take longer than all
        // that is left to do.
        store.defer();
        let renaming = |from: &[Bit], to: &[Bit]| {
            store.renaming(from.iter().zip(to).map(|(&from, &to)| (from, store.bit(to))))
        };
        Ok(Self {
            space,
            xi,
            now: store.cube(layout.current.iter().copied())?,
            next: store.cube(layout.next.iter().copied())?,
            to_next: renaming(&layout.current, &layout.next),
            to_now: renaming(&layout.next, &layout.current),
        })
    }

    /// The relation between representatives and states.
    pub fn xi(&self) -> &Xi {
        &self.xi
    }

    /// The nodes of the graph.
    pub fn within(&self) -> &Set {
        &self.xi.representatives
    }

    /// The representatives of initial states.
    pub fn initial(&self) -> Out<Set> {
        self.of(&self.space.initial)
    }

    /// The representatives of some states.
    pub fn of(&self, states: &Set) -> Out<Set> {
        states.renamed(&self.to_next)?.and_exists(&self.xi.pairs, &self.next)
    }

    /// The states in the orbits of some representatives.
    pub fn orbits(&self, representatives: &Set) -> Out<Set> {
        representatives.and_exists(&self.xi.pairs, &self.now)?.renamed(&self.to_now)
    }

    /// The representatives of states after a step from some representatives. As steps move with good
    /// generators, it is enough to step from the representatives themselves.
    pub fn image(&self, representatives: &Set) -> Out<Set> {
        self.of(&self.space.image(&representatives.and(self.within())?)?)
    }

    /// The representatives from which a step leads to the orbit of one of some representatives.
    pub fn preimage(&self, representatives: &Set) -> Out<Set> {
        self.space.preimage(&self.orbits(&representatives.and(self.within())?)?)?.and(self.within())
    }

    /// A path of states whose representatives are a given path of the graph; none if there is no such path,
    /// which cannot be if all generators are good.
    pub fn lift(&self, path: &[Box<[u64]>]) -> Out<Option<Vec<Box<[u64]>>>> {
        let mut states: Vec<Box<[u64]>> = Vec::new();
        for representative in path {
            let orbit = self.orbits(&self.space.point(representative)?)?;
            let here = match states.last() {
                Some(last) => orbit.and(&self.space.image(&self.space.point(last)?)?)?,
                None => orbit.and(&self.space.initial)?,
            };
            let Some(state) = self.space.pick(&here) else { return Ok(None) };
            states.push(state);
        }
        Ok(Some(states))
    }
}
