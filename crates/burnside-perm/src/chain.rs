//! Stabiliser chains: base and strong generating set of a group given by generators (Schreier and Sims).
//!
//! The base is the natural one, `0, 1, 2, …`: the level of `p` holds the orbit of `p`, with a transversal,
//! under the subgroup that fixes all points below `p`; levels whose orbit is `p` alone are left out. Every
//! element is then one product `u0·u1·…` of representatives, and the image of a word can be minimised letter
//! by letter ([`search`](crate::search)). Other bases are had by renaming points ([`Chain::renamed`]).
//!
//! Entry points: [`Chain::new`], [`Chain::strong`] for generators that are known to be strong, and
//! [`Chain::sift`]. The chain is first filled from random elements. What it
//! then holds is certainly part of the group, so if its order has reached an upper bound (the order is known,
//! or the group is as large as its orbits allow) it is complete; otherwise all Schreier generators are
//! sifted, and what is missing is added: the result never depends on luck. A sift costs O(n·levels·depth),
//! the Schreier test O(Σ orbit·generators) sifts: degrees of some hundreds.

use crate::orbit::{Orbit, Step};
use crate::random::{Random, Rattle};
use crate::{Natural, Partition, Perm, Point};
use burnside_limits::poll;
use std::sync::Arc;

/// So many random elements in a row must sift to the identity before the chain is believed to be worth a
/// proof.
const PATIENCE: usize = 12;
/// So often the search for random elements goes on although it seemed to be at its end.
const ROUNDS: usize = 20;
/// Transversals are written out in full as long as they have no more than so many images in all.
const EXPLICIT: usize = 1 << 22;
const NONE: u32 = u32::MAX;

/// One level.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) base: Point,
    pub(crate) orbit: Orbit,
    /// All orbits of the level's group that have more than one point.
    pub(crate) classes: Vec<Vec<Point>>,
    /// The representatives in the order of the orbit's points, or nothing where that would be too much.
    written: Vec<Perm>,
}

impl Level {
    /// `out := h·u`, where `u` leads to the orbit's point at `at`.
    #[inline]
    pub(crate) fn step_into(&self, h: &Perm, at: usize, out: &mut Perm) {
        match self.written.get(at) {
            Some(representative) => h.compose_into(representative, out),
            None => h.compose_into(&self.representative(at), out),
        }
    }

    pub(crate) fn representative(&self, at: usize) -> Perm {
        let walk = || self.orbit.representative(self.orbit.points()[at]).expect("a point of the orbit");
        self.written.get(at).cloned().unwrap_or_else(walk)
    }
}

/// A stabiliser chain.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    degree: usize,
    levels: Vec<Level>,
    /// The index of the level of each point.
    at: Vec<u32>,
    /// The strong generators, each with the least point it moves.
    strong: Vec<(Point, Arc<Step>)>,
    order: Natural,
}

impl Chain {
    /// The chain of the group that the permutations generate; `order` is its order, where that is known.
    pub(crate) fn new(degree: usize, generators: &[Perm], order: Option<&Natural>) -> Chain {
        Chain::with_patience(PATIENCE, degree, generators, order)
    }

    /// The chain of a group of which strong generators are known: for each of the points, those that fix all
    /// points below it generate all elements that do. Nothing is sifted.
    pub(crate) fn strong(degree: usize, generators: &[Perm]) -> Chain {
        let mut chain = Chain::trivial(degree);
        for generator in generators {
            if let Some(p) = generator.least_moved_from(0) {
                chain.add(p, Step::new(generator.clone()));
            }
        }
        chain.finish();
        chain
    }

    fn with_patience(patience: usize, degree: usize, generators: &[Perm], order: Option<&Natural>) -> Chain {
        let generators: Vec<Perm> = generators.iter().filter(|g| !g.is_identity()).map(Perm::dense).collect();
        let single = (generators.len() == 1).then(|| generators[0].order());
        let mut chain = Chain::trivial(degree);
        for generator in &generators {
            chain.absorb(generator.clone());
        }
        if !generators.is_empty() {
            let bound = order.cloned().or(single).unwrap_or_else(|| largest_order(degree, &generators));
            let mut rattle = Rattle::new(&generators);
            // Where the order is known, something is missing for certain, and luck costs less than a proof.
            let rounds = if order.is_some() { ROUNDS } else { 1 };
            for _ in 0..rounds {
                chain.fill(patience, &mut || rattle.next(), &bound);
            }
            if chain.product() != bound {
                chain.complete(&generators);
            }
        }
        chain.finish();
        debug_assert!(order.is_none_or(|order| *order == chain.order), "the given order is wrong");
        chain
    }

    /// The chain of the same group with every point `x` renamed `by(x)`.
    pub(crate) fn renamed(&self, by: &Perm) -> Chain {
        let mut chain = Chain::trivial(self.degree);
        let mut random = Random::new(2);
        let back = by.inverse();
        let mut source = || by.compose(&self.random_element(&mut random).compose(&back));
        while chain.product() != self.order {
            chain.fill(PATIENCE, &mut source, &self.order);
        }
        chain.finish();
        chain
    }

    fn trivial(degree: usize) -> Chain {
        Chain {
            degree,
            levels: Vec::new(),
            at: vec![NONE; degree],
            strong: Vec::new(),
            order: Natural::one(),
        }
    }

    pub(crate) fn degree(&self) -> usize {
        self.degree
    }

    pub(crate) fn order(&self) -> &Natural {
        &self.order
    }

    pub(crate) fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The strong generators.
    pub(crate) fn generators(&self) -> impl Iterator<Item = &Perm> {
        self.strong.iter().map(|(_, step)| &step.perm)
    }

    /// Divides the element by the representatives of the levels, from the top down. The least point that is
    /// still moved where this ends is returned: none, if the element is in the group.
    pub(crate) fn sift(&self, residue: &mut Perm) -> Option<Point> {
        let mut from = 0;
        while let Some(p) = residue.least_moved_from(from) {
            let image = residue.image(p);
            match self.levels.get(self.at[p as usize] as usize) {
                Some(level) if level.orbit.contains(image) => level.orbit.strip(image, residue),
                _ => return Some(p),
            }
            from = p + 1;
        }
        None
    }

    /// Sifts the element and adds what is left of it; whether there was something.
    fn absorb(&mut self, mut element: Perm) -> bool {
        poll();
        match self.sift(&mut element) {
            None => false,
            Some(p) => {
                self.add(p, Step::new(element));
                true
            }
        }
    }

    /// Adds a strong generator that fixes all points below `p` and moves `p`.
    fn add(&mut self, p: Point, step: Arc<Step>) {
        poll();
        if self.at[p as usize] == NONE {
            self.open(p);
        }
        for level in self.levels.iter_mut().filter(|level| level.base <= p) {
            poll();
            level.orbit.extend(step.clone());
        }
        self.strong.push((p, step));
    }

    /// Inserts the level of `p`, with the generators that are in it.
    fn open(&mut self, p: Point) {
        let mut orbit = Orbit::alone(self.degree, p);
        for (_, step) in self.strong.iter().filter(|(least, _)| *least >= p) {
            orbit.extend(step.clone());
        }
        let place = self.levels.partition_point(|level| level.base < p);
        self.levels.insert(place, Level { base: p, orbit, classes: Vec::new(), written: Vec::new() });
        for (at, level) in self.levels.iter().enumerate().skip(place) {
            self.at[level.base as usize] = at as u32;
        }
    }

    /// Absorbs elements of the group until the bound is reached or nothing new has come for a while.
    fn fill(&mut self, patience: usize, source: &mut dyn FnMut() -> Perm, bound: &Natural) {
        self.levels.iter_mut().for_each(|level| level.orbit.flatten());
        let (mut idle, mut full) = (0, self.product() == *bound);
        while !full && idle < patience {
            if self.absorb(source()) {
                idle = 0;
                full = self.product() == *bound;
            } else {
                idle += 1;
            }
        }
    }

    /// Sifts all Schreier generators, from the bottom up, and adds what does not sift to the identity.
    ///
    /// The top level may use the generators of the group instead of the strong ones: they generate the same
    /// and are fewer.
    fn complete(&mut self, generators: &[Perm]) {
        let given: Vec<Arc<Step>> = generators.iter().cloned().map(Step::new).collect();
        let mut next = self.levels.len();
        while next > 0 {
            next -= 1;
            self.levels[next].orbit.flatten();
            let strong: Vec<Arc<Step>> = self.levels[next].orbit.generators().cloned().collect();
            let few = next == 0 && given.len() < strong.len();
            if let Some((p, element)) = self.missing(next, if few { &given } else { &strong }) {
                self.add(p, Step::new(element));
                next = self.at[p as usize] as usize + 1;
            }
        }
    }

    /// What is left of the first Schreier generator of a level that is not in the levels below.
    fn missing(&self, level: usize, generators: &[Arc<Step>]) -> Option<(Point, Perm)> {
        let orbit = &self.levels[level].orbit;
        let mut residue = Perm::identity(self.degree);
        for &x in orbit.points() {
            let representative = orbit.representative(x).expect("a point of the orbit");
            for step in generators {
                let y = step.perm.image(x);
                poll();
                if orbit.last_step(y).is_some_and(|last| Arc::ptr_eq(last, step)) {
                    continue; // An edge of the tree: its Schreier generator is the identity.
                }
                step.perm.compose_into(&representative, &mut residue);
                orbit.strip(y, &mut residue);
                if let Some(p) = self.sift(&mut residue) {
                    return Some((p, residue));
                }
            }
        }
        None
    }

    fn product(&self) -> Natural {
        self.levels.iter().map(|level| Natural::from(level.orbit.len())).product()
    }

    /// Makes the trees flat, writes the transversals out and lists the orbits.
    fn finish(&mut self) {
        self.order = self.product();
        let mut orbits = Partition::discrete(self.degree);
        for level in self.levels.iter_mut().rev() {
            poll();
            let own = self.strong.iter().filter(|(least, _)| *least == level.base);
            own.for_each(|(_, step)| orbits.join_orbits(&step.perm));
            level.classes = orbits.classes();
            level.classes.retain(|class| class.len() > 1);
        }
        let mut room = EXPLICIT;
        for level in &mut self.levels {
            level.orbit.flatten();
            let images = level.orbit.len() * self.degree;
            if images <= room {
                room -= images;
                level.written = (0..level.orbit.len()).map(|at| level.representative(at)).collect();
            }
        }
    }

    /// An element, each with the same probability.
    fn random_element(&self, random: &mut Random) -> Perm {
        let mut element = Perm::identity(self.degree);
        for level in self.levels.iter().rev() {
            element.premultiply(&level.representative(random.below(level.orbit.len())));
        }
        element
    }
}

/// The order of the largest group with these orbits, and without odd elements if all generators are even.
fn largest_order(degree: usize, generators: &[Perm]) -> Natural {
    let orbits = Partition::orbits(degree, generators).classes();
    let mut bound: Natural = orbits.iter().map(|orbit| Natural::factorial(orbit.len() as u64)).product();
    if generators.iter().all(Perm::is_even) {
        bound.div_small(2);
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without random elements, what is missing must come from Schreier generators alone.
    #[test]
    fn complete_without_chance() {
        let mut random = Random::new(5);
        for round in 0..400 {
            let degree = 3 + round % 10;
            let count = 1 + random.below(3);
            let mut perm = || {
                let swap = |random: &mut Random| {
                    Perm::transposition(degree, random.below(degree) as Point, random.below(degree) as Point)
                };
                (0..2 + degree / 2).fold(Perm::identity(degree), |g, _| g.compose(&swap(&mut random)))
            };
            let generators: Vec<Perm> = (0..count).map(|_| perm()).collect();
            let (plain, usual) =
                (Chain::with_patience(0, degree, &generators, None), Chain::new(degree, &generators, None));
            assert_eq!(plain.order, usual.order);
            assert!(usual.generators().all(|g| plain.sift(&mut g.clone()).is_none()));
        }
    }
}
