//! Permutation groups.
//!
//! [`Group`] answers what a search over orbits asks: order, membership, orbits, elements that carry one point
//! to another, stabilisers of points, sets and words; least images are in [`image`](crate::image), tuples in
//! [`tuple`](crate::tuple). What it costs depends on the form the group is kept in, which the constructors
//! choose and [`Group::kind`] tells: full groups and their Young subgroups, rings and products of those are
//! near-linear in the degree, at any degree; all others have a stabiliser chain ([`chain`](crate::chain)),
//! for degrees of some hundreds. Stabilisers come in the cheapest form again. Groups are immutable and cheap
//! to clone.

use crate::chain::Chain;
use crate::elements::Elements;
use crate::orbit::Orbit;
use crate::product::{Factor, Product};
use crate::ring::Ring;
use crate::{Natural, Partition, Perm, Point, Young, recognise, search};
use std::sync::Arc;

/// A group of permutations of `0..n`.
#[derive(Clone, Debug)]
pub struct Group {
    degree: usize,
    shape: Shape,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Young(Young),
    Ring(Ring),
    Product(Arc<Product>),
    Chain(Arc<Chain>),
}

/// The form in which a group is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupKind {
    /// The identity only.
    Trivial,
    /// All permutations.
    Full,
    /// All permutations that keep the cells of a partition.
    Young,
    /// Rotations of a ring.
    Rotations,
    /// Rotations and reflections of a ring.
    Dihedral,
    /// Independent groups on disjoint sets of points.
    Product,
    /// A stabiliser chain.
    Generated,
}

impl Group {
    pub(crate) fn new(degree: usize, shape: Shape) -> Group {
        Group { degree, shape }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Only the identity.
    pub fn trivial(degree: usize) -> Group {
        Group::young(Young::trivial(degree))
    }

    /// All permutations.
    pub fn symmetric(degree: usize) -> Group {
        Group::young(Young::full(degree))
    }

    /// All even permutations.
    pub fn alternating(degree: usize) -> Group {
        if degree < 3 {
            return Group::trivial(degree);
        }
        let long: Vec<Point> = ((degree as Point + 1) % 2..degree as Point).collect();
        let cycles = [Perm::cycle(degree, &[0, 1, 2]), Perm::cycle(degree, &long)]
            .map(|cycle| cycle.expect("a cycle"));
        Group::generated(degree, &cycles)
    }

    /// All rotations.
    pub fn cyclic(degree: usize) -> Group {
        Group::ring(degree, Ring::rotations(degree))
    }

    /// All rotations and reflections.
    pub fn dihedral(degree: usize) -> Group {
        Group::ring(degree, Ring::dihedral(degree))
    }

    fn ring(degree: usize, ring: Ring) -> Group {
        if ring.order().is_one() || degree == 0 {
            Group::trivial(degree)
        } else {
            Group::new(degree, Shape::Ring(ring))
        }
    }

    /// All permutations that keep the cells of a partition.
    pub fn young(young: Young) -> Group {
        Group::new(young.degree(), Shape::Young(young))
    }

    /// The group that the permutations generate, in the cheapest form that is recognised.
    ///
    /// # Panics
    /// When one of them has another degree.
    pub fn generated(degree: usize, generators: &[Perm]) -> Group {
        check_degrees(degree, generators);
        recognise::group(degree, generators, None)
    }

    /// The same, if it is recognised as a product of full groups, Young subgroups and groups of rings.
    ///
    /// # Panics
    /// When one of them has another degree.
    pub fn recognised(degree: usize, generators: &[Perm]) -> Option<Group> {
        check_degrees(degree, generators);
        recognise::simple_group(degree, generators)
    }

    /// The same for generators that the caller knows to be strong: for each of the points, those that fix all
    /// points below it generate all elements that do. Then nothing has to be searched, at degrees of many
    /// thousands too.
    ///
    /// # Panics
    /// When one of them has another degree.
    pub fn strongly_generated(degree: usize, generators: &[Perm]) -> Group {
        check_degrees(degree, generators);
        recognise::strong_group(degree, generators)
    }

    /// The group that the permutations generate, always as a stabiliser chain: what [`Group::generated`]
    /// falls back on, to compare with.
    pub fn chained(degree: usize, generators: &[Perm]) -> Group {
        check_degrees(degree, generators);
        Group::new(degree, Shape::Chain(Arc::new(Chain::new(degree, generators, None))))
    }

    /// The direct product that acts on consecutive blocks of points.
    pub fn product<'g>(groups: impl IntoIterator<Item = &'g Group>) -> Group {
        let mut degree = 0;
        let mut blocks = Vec::new();
        for group in groups {
            blocks.push(((degree..degree + group.degree as Point).collect(), group.clone()));
            degree += group.degree as Point;
        }
        Group::on_blocks(degree as usize, blocks)
    }

    /// The direct product of groups on disjoint blocks of `0..degree`, each block ascending and as long as
    /// its group's degree. Other points are fixed.
    ///
    /// # Panics
    /// When the blocks are not like that.
    pub fn on_blocks(degree: usize, blocks: impl IntoIterator<Item = (Vec<Point>, Group)>) -> Group {
        let mut covered = vec![false; degree];
        let mut factors = Vec::new();
        for (points, group) in blocks {
            assert_eq!(points.len(), group.degree, "a block has as many points as its group");
            assert!(points.is_sorted(), "the points of a block are ascending");
            for &x in &points {
                assert!(
                    !std::mem::replace(&mut covered[x as usize], true),
                    "the point {x} is twice in the blocks"
                );
            }
            flatten(points, group, &mut factors);
        }
        if factors.len() == 1 && factors[0].points.len() == degree {
            return factors.remove(0).group;
        }
        match all_young(degree, &factors) {
            Some(young) => Group::young(young),
            None => Group::new(degree, Shape::Product(Arc::new(Product::new(degree, factors)))),
        }
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The form in which it is kept.
    pub fn kind(&self) -> GroupKind {
        match &self.shape {
            Shape::Young(young) if young.cells().is_empty() => GroupKind::Trivial,
            Shape::Young(young) if young.is_full() => GroupKind::Full,
            Shape::Young(_) => GroupKind::Young,
            Shape::Ring(ring) if ring.has_reflections() => GroupKind::Dihedral,
            Shape::Ring(_) => GroupKind::Rotations,
            Shape::Product(_) => GroupKind::Product,
            Shape::Chain(_) => GroupKind::Generated,
        }
    }

    /// The independent groups it is a product of, each with its points; itself with all points if it is not
    /// kept as a product.
    pub fn factors(&self) -> Vec<(Vec<Point>, Group)> {
        match &self.shape {
            Shape::Product(product) => {
                product.factors().iter().map(|factor| (factor.points.clone(), factor.group.clone())).collect()
            }
            _ => vec![((0..self.degree as Point).collect(), self.clone())],
        }
    }

    /// Whether the identity is its only element.
    pub fn is_trivial(&self) -> bool {
        match &self.shape {
            Shape::Young(young) => young.cells().is_empty(),
            Shape::Ring(ring) => ring.order().is_one(),
            Shape::Product(_) => false,
            Shape::Chain(chain) => chain.levels().is_empty(),
        }
    }

    /// The number of elements.
    pub fn order(&self) -> Natural {
        match &self.shape {
            Shape::Young(young) => young.order(),
            Shape::Ring(ring) => ring.order(),
            Shape::Product(product) => product.order(),
            Shape::Chain(chain) => chain.order().clone(),
        }
    }

    /// Permutations that generate it; strong generators for a chain.
    pub fn generators(&self) -> Vec<Perm> {
        match &self.shape {
            Shape::Young(young) => young.generators(),
            Shape::Ring(ring) => ring.generators(),
            Shape::Product(product) => product.generators(),
            Shape::Chain(chain) => chain.generators().cloned().collect(),
        }
    }

    /// Whether the permutation is an element.
    pub fn contains(&self, perm: &Perm) -> bool {
        perm.degree() == self.degree
            && match &self.shape {
                Shape::Young(young) => young.contains(perm),
                Shape::Ring(ring) => ring.contains(perm),
                Shape::Product(product) => product.contains(perm),
                Shape::Chain(chain) => chain.sift(&mut perm.clone()).is_none(),
            }
    }

    /// Whether every element of `other` is an element.
    pub fn includes(&self, other: &Group) -> bool {
        other.generators().iter().all(|generator| self.contains(generator))
    }

    /// The orbits of points.
    pub fn orbits(&self) -> Partition {
        match &self.shape {
            Shape::Young(young) => young.orbits(),
            Shape::Product(product) => product.orbits(),
            Shape::Ring(ring) => Partition::orbits(self.degree, &ring.generators()),
            Shape::Chain(chain) => Partition::orbits(self.degree, chain.generators()),
        }
    }

    /// The orbit of a point, with an element for each of its points.
    pub fn orbit(&self, start: Point) -> Orbit {
        Orbit::new(self.degree, start, &self.generators())
    }

    /// An element that takes `x` to `y`, if there is one.
    pub fn carry(&self, x: Point, y: Point) -> Option<Perm> {
        if x == y {
            return Some(Perm::identity(self.degree));
        }
        match &self.shape {
            Shape::Young(young) => young.same(x, y).then(|| Perm::transposition(self.degree, x, y)),
            Shape::Ring(ring) => ring.carry(x, y),
            Shape::Product(product) => product.carry(x, y),
            Shape::Chain(chain) => Orbit::new(self.degree, x, chain.generators()).representative(y),
        }
    }

    /// The elements that fix a point.
    pub fn stabiliser(&self, point: Point) -> Group {
        self.pointwise_stabiliser(&[point])
    }

    /// The elements that fix each of the points.
    pub fn pointwise_stabiliser(&self, points: &[Point]) -> Group {
        let mut word = vec![0; self.degree];
        points.iter().enumerate().for_each(|(at, &x)| word[x as usize] = at + 1);
        self.word_stabiliser(&word)
    }

    /// The elements that map the set of the points to itself.
    pub fn set_stabiliser(&self, points: &[Point]) -> Group {
        let mut word = vec![false; self.degree];
        points.iter().for_each(|&x| word[x as usize] = true);
        self.word_stabiliser(&word)
    }

    /// The elements that keep every class of the partition.
    pub fn partition_stabiliser(&self, partition: &Partition) -> Group {
        self.word_stabiliser(&partition.labels())
    }

    /// The elements `g` with `g·word = word`: they keep every letter's set of cells.
    pub fn word_stabiliser<T: Ord>(&self, word: &[T]) -> Group {
        assert_eq!(word.len(), self.degree, "one letter for each point");
        match &self.shape {
            Shape::Young(young) => Group::young(young.fixing(word)),
            Shape::Ring(ring) => Group::ring(self.degree, ring.fixing(word)),
            Shape::Product(product) => product.fixing(word),
            Shape::Chain(chain) => {
                let found = search::fixing(chain, word);
                recognise::group(self.degree, &found.stabiliser, Some(&found.order))
            }
        }
    }

    /// The group with every point `x` renamed `by(x)`: if this fixes a word `w`, that fixes `by·w`.
    pub fn conjugate(&self, by: &Perm) -> Group {
        if let Shape::Young(young) = &self.shape {
            let renamed = |cell: &Vec<Point>| cell.iter().map(|&x| by.image(x)).collect();
            return Group::young(Young::from_cells(self.degree, young.cells().iter().map(renamed).collect()));
        }
        let generators: Vec<Perm> = self.generators().iter().map(|g| g.conjugate(by)).collect();
        recognise::group(self.degree, &generators, Some(&self.order()))
    }

    /// All elements, one by one: for small groups.
    pub fn elements(&self) -> Elements {
        Elements::new(self.chain())
    }

    fn chain(&self) -> Arc<Chain> {
        match &self.shape {
            Shape::Chain(chain) => chain.clone(),
            _ => Arc::new(Chain::new(self.degree, &self.generators(), Some(&self.order()))),
        }
    }
}

/// Groups are equal when they have the same elements, in whatever form they are kept.
impl PartialEq for Group {
    fn eq(&self, other: &Group) -> bool {
        self.degree == other.degree && self.order() == other.order() && self.includes(other)
    }
}

impl Eq for Group {}

fn check_degrees(degree: usize, generators: &[Perm]) {
    let same = generators.iter().all(|generator| generator.degree() == degree);
    assert!(same, "the generators are permutations of 0..{degree}");
}

/// Adds the group, or what it is a product of, to the factors.
fn flatten(points: Vec<Point>, group: Group, factors: &mut Vec<Factor>) {
    match &group.shape {
        _ if group.is_trivial() => {}
        Shape::Product(product) => factors.extend(product.factors().iter().map(|factor| Factor {
            points: factor.points.iter().map(|&i| points[i as usize]).collect(),
            group: factor.group.clone(),
        })),
        _ => factors.push(Factor { points, group }),
    }
}

fn all_young(degree: usize, factors: &[Factor]) -> Option<Young> {
    let mut cells = Vec::new();
    for factor in factors {
        let Shape::Young(young) = &factor.group.shape else { return None };
        cells.extend(
            young.cells().iter().map(|cell| cell.iter().map(|&i| factor.points[i as usize]).collect()),
        );
    }
    Some(Young::from_cells(degree, cells))
}
