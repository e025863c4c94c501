//! Direct products of groups that act on disjoint sets of points.
//!
//! A [`Product`] is a list of factors, each a group of degree `k` with the `k` points it acts on, ascending,
//! so that renaming keeps the order of points. Factors move independently; every question is put to each of
//! them with its part of the permutation or word, and the least image of a word is the one whose parts are
//! least. Invariant: at least one factor, none of them trivial or itself a product, no point in two.

use crate::search::ranks;
use crate::{Group, Natural, Partition, Perm, Point};

/// A group on some of the points.
#[derive(Clone, Debug)]
pub(crate) struct Factor {
    pub(crate) points: Vec<Point>,
    pub(crate) group: Group,
}

/// A direct product.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    degree: usize,
    factors: Vec<Factor>,
}

impl Factor {
    /// The part of a word that this factor moves, each letter replaced by its rank: the order of words is the
    /// same.
    fn part<T: Ord>(&self, word: &[T]) -> Vec<u32> {
        ranks(&self.points.iter().map(|&x| &word[x as usize]).collect::<Vec<_>>())
    }

    /// Writes what `local` does to these points.
    fn spread(&self, local: &Perm, images: &mut [Point]) {
        for (i, &x) in self.points.iter().enumerate() {
            images[x as usize] = self.points[local.image(i as Point) as usize];
        }
    }

    /// What the permutation does to these points, if it keeps them together.
    fn restrict(&self, perm: &Perm) -> Option<Perm> {
        let images: Option<Vec<Point>> = self.points.iter().map(|&x| self.local(perm.image(x))).collect();
        images.map(|images| Perm::trusted(images.len(), |i| images[i as usize]))
    }

    fn local(&self, x: Point) -> Option<Point> {
        self.points.binary_search(&x).ok().map(|i| i as Point)
    }
}

impl Product {
    /// The product of these factors, which keep the invariant.
    pub(crate) fn new(degree: usize, factors: Vec<Factor>) -> Product {
        Product { degree, factors }
    }

    pub(crate) fn factors(&self) -> &[Factor] {
        &self.factors
    }

    pub(crate) fn order(&self) -> Natural {
        self.factors.iter().map(|factor| factor.group.order()).product()
    }

    fn embed(&self, factor: &Factor, local: &Perm) -> Perm {
        let mut images: Vec<Point> = (0..self.degree as Point).collect();
        factor.spread(local, &mut images);
        Perm::trusted(self.degree, |x| images[x as usize])
    }

    pub(crate) fn generators(&self) -> Vec<Perm> {
        let of = |factor: &Factor| -> Vec<Perm> {
            factor.group.generators().iter().map(|local| self.embed(factor, local)).collect()
        };
        self.factors.iter().flat_map(of).collect()
    }

    pub(crate) fn orbits(&self) -> Partition {
        let mut orbits = Partition::discrete(self.degree);
        for factor in &self.factors {
            for (i, label) in factor.group.orbits().labels().into_iter().enumerate() {
                orbits.join(factor.points[i], factor.points[label as usize]);
            }
        }
        orbits
    }

    pub(crate) fn contains(&self, perm: &Perm) -> bool {
        let mut covered = vec![false; self.degree];
        self.factors.iter().flat_map(|factor| &factor.points).for_each(|&x| covered[x as usize] = true);
        let within =
            |factor: &Factor| factor.restrict(perm).is_some_and(|local| factor.group.contains(&local));
        perm.moved().all(|x| covered[x as usize]) && self.factors.iter().all(within)
    }

    /// An element that takes `x` to `y`, another point.
    pub(crate) fn carry(&self, x: Point, y: Point) -> Option<Perm> {
        let factor = self.factors.iter().find(|factor| factor.local(x).is_some())?;
        let local = factor.group.carry(factor.local(x)?, factor.local(y)?)?;
        Some(self.embed(factor, &local))
    }

    pub(crate) fn fixing<T: Ord>(&self, word: &[T]) -> Group {
        let of = |factor: &Factor| (factor.points.clone(), factor.group.word_stabiliser(&factor.part(word)));
        Group::on_blocks(self.degree, self.factors.iter().map(of))
    }

    pub(crate) fn orbit_size<T: Ord>(&self, word: &[T]) -> Natural {
        self.factors.iter().map(|factor| factor.group.orbit_size(&factor.part(word))).product()
    }

    pub(crate) fn minimiser<T: Ord>(&self, word: &[T]) -> Perm {
        let mut images: Vec<Point> = (0..self.degree as Point).collect();
        for factor in &self.factors {
            factor.spread(&factor.group.minimiser(&factor.part(word)), &mut images);
        }
        Perm::trusted(self.degree, |x| images[x as usize])
    }

    pub(crate) fn minimiser_and_stabiliser<T: Ord>(&self, word: &[T]) -> (Perm, Group) {
        let mut images: Vec<Point> = (0..self.degree as Point).collect();
        let mut blocks = Vec::new();
        for factor in &self.factors {
            let (local, stabiliser) = factor.group.minimiser_and_stabiliser(&factor.part(word));
            factor.spread(&local, &mut images);
            blocks.push((factor.points.clone(), stabiliser));
        }
        (Perm::trusted(self.degree, |x| images[x as usize]), Group::on_blocks(self.degree, blocks))
    }
}
