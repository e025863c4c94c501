//! Partitions of `0..n` that only ever get coarser.
//!
//! [`Partition`] is a union-find forest in which every parent is less than its child, so the root, the
//! representative of a class, is its least point. Entry points: [`Partition::discrete`],
//! [`Partition::orbits`], then [`Partition::join`] and its kin. A join or a look-up costs O(log n) amortised,
//! a join with the orbits of a permutation or with another partition O(n log n). Classes are never split.

use crate::{Perm, Point};
use burnside_limits::poll;

/// A partition of `0..n` into classes.
#[derive(Clone, Debug)]
pub struct Partition {
    parent: Vec<Point>,
    classes: usize,
}

impl Partition {
    /// Every point alone.
    pub fn discrete(degree: usize) -> Partition {
        Partition { parent: (0..degree as Point).collect(), classes: degree }
    }

    /// Makes every point alone again.
    pub fn clear(&mut self) {
        self.parent.iter_mut().enumerate().for_each(|(point, parent)| *parent = point as Point);
        self.classes = self.parent.len();
    }

    /// All points together.
    pub fn unit(degree: usize) -> Partition {
        Partition { parent: vec![0; degree], classes: degree.min(1) }
    }

    /// The orbits of the group that the permutations generate.
    pub fn orbits<'p>(degree: usize, generators: impl IntoIterator<Item = &'p Perm>) -> Partition {
        let mut partition = Partition::discrete(degree);
        generators.into_iter().for_each(|generator| partition.join_orbits(generator));
        partition
    }

    /// The classes of equal letters.
    pub fn of_word<T: Ord>(word: &[T]) -> Partition {
        let mut order: Vec<Point> = (0..word.len() as Point).collect();
        order.sort_by_key(|&x| &word[x as usize]);
        let mut partition = Partition::discrete(word.len());
        for pair in order.windows(2).filter(|pair| word[pair[0] as usize] == word[pair[1] as usize]) {
            partition.join(pair[0], pair[1]);
        }
        partition
    }

    /// The number of points.
    pub fn degree(&self) -> usize {
        self.parent.len()
    }

    /// The number of classes.
    pub fn len(&self) -> usize {
        self.classes
    }

    /// Whether there are no classes, because there are no points.
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    /// The least point of the class of `x`.
    #[inline]
    pub fn representative(&self, mut x: Point) -> Point {
        while self.parent[x as usize] != x {
            x = self.parent[x as usize];
        }
        x
    }

    /// The same, and the path to it is halved for the next time.
    #[inline]
    pub fn find(&mut self, mut x: Point) -> Point {
        while self.parent[x as usize] != x {
            let above = self.parent[self.parent[x as usize] as usize];
            self.parent[x as usize] = above;
            x = above;
        }
        x
    }

    /// Whether two points are in one class.
    #[inline]
    pub fn same(&self, a: Point, b: Point) -> bool {
        self.representative(a) == self.representative(b)
    }

    /// Unites the classes of two points; whether they were different.
    #[inline]
    pub fn join(&mut self, a: Point, b: Point) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
        self.classes -= usize::from(a != b);
        a != b
    }

    /// Unites every point with its image.
    pub fn join_orbits(&mut self, perm: &Perm) {
        poll();
        for (x, y) in perm.pairs() {
            self.join(x, y);
        }
    }

    /// Unites what is united in `other`.
    pub fn merge(&mut self, other: &Partition) {
        for x in 0..other.degree() as Point {
            self.join(x, other.parent[x as usize]);
        }
    }

    /// The partition in which `g(x)` and `g(y)` are together when `x` and `y` are here.
    pub fn image(&self, g: &Perm) -> Partition {
        poll();
        let mut image = Partition::discrete(self.degree());
        for x in 0..self.degree() as Point {
            image.join(g.image(x), g.image(self.parent[x as usize]));
        }
        image
    }

    /// Whether every class here lies in a class of `other`.
    pub fn refines(&self, other: &Partition) -> bool {
        (0..self.degree() as Point).all(|x| other.same(x, self.parent[x as usize]))
    }

    /// The representatives, ascending.
    pub fn representatives(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.degree() as Point).filter(|&x| self.parent[x as usize] == x)
    }

    /// The representative of each point.
    pub fn labels(&self) -> Vec<Point> {
        let mut labels = self.parent.clone();
        // A parent is less than its child, so its label is final when the child is reached.
        (0..labels.len()).for_each(|x| labels[x] = labels[labels[x] as usize]);
        labels
    }

    /// The classes, ordered by their representatives, each ascending.
    pub fn classes(&self) -> Vec<Vec<Point>> {
        let labels = self.labels();
        let mut classes: Vec<Vec<Point>> = vec![Vec::new(); labels.len()];
        labels.iter().enumerate().for_each(|(x, &label)| classes[label as usize].push(x as Point));
        classes.retain(|class| !class.is_empty());
        classes
    }

    /// The class of `x`, ascending.
    pub fn class(&self, x: Point) -> Vec<Point> {
        let label = self.representative(x);
        (label..self.degree() as Point).filter(|&y| self.representative(y) == label).collect()
    }
}

impl PartialEq for Partition {
    fn eq(&self, other: &Partition) -> bool {
        self.degree() == other.degree() && self.labels() == other.labels()
    }
}

impl Eq for Partition {}
