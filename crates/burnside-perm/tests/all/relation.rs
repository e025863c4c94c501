//! A relation on points with values, what a labeller is shown of it, and isomorphisms found by trying.

use crate::naive::Dice;
use burnside_perm::{Graph, Judge, Labeller, Natural, Point};
use std::cmp::Ordering;

/// Points with keys, and a value for each two of them; zero is no edge. Points below `split` are in a class
/// of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    pub keys: Vec<u64>,
    pub split: usize,
    values: Vec<u8>,
}

/// How much the graph says of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of it: whoever keeps the graph keeps the relation, and nobody needs to be asked.
    All,
    /// Whether there is an edge, and not its value.
    Edges,
    /// The edges with the value 1, and no others.
    Ones,
    /// Not a single edge.
    Nothing,
}

impl Relation {
    pub fn empty(n: usize) -> Relation {
        Relation { keys: vec![0; n], split: 0, values: vec![0; n * n] }
    }

    pub fn undirected(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Relation {
        let mut relation = Relation::empty(n);
        pairs.into_iter().for_each(|(a, b)| relation.join(a, b, 1));
        relation
    }

    pub fn directed(n: usize, arcs: impl IntoIterator<Item = (usize, usize)>) -> Relation {
        let mut relation = Relation::empty(n);
        arcs.into_iter().for_each(|(a, b)| relation.set(a, b, 1));
        relation
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn get(&self, a: usize, b: usize) -> u8 {
        self.values[a * self.len() + b]
    }

    pub fn set(&mut self, a: usize, b: usize, value: u8) {
        let n = self.len();
        self.values[a * n + b] = value;
    }

    /// Sets both directions.
    pub fn join(&mut self, a: usize, b: usize, value: u8) {
        self.set(a, b, value);
        self.set(b, a, value);
    }

    /// The edges `a < b` of an undirected relation.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let n = self.len();
        (0..n).flat_map(|b| (0..b).map(move |a| (a, b))).filter(|&(a, b)| self.get(a, b) != 0).collect()
    }

    pub fn complement(&self) -> Relation {
        let mut other = self.clone();
        let n = self.len();
        for (a, b) in (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            other.set(a, b, u8::from(self.get(a, b) == 0));
        }
        other
    }

    /// Both, side by side. The points stay in one class.
    pub fn beside(&self, other: &Relation) -> Relation {
        let (n, m) = (self.len(), other.len());
        let mut both = Relation::empty(n + m);
        both.keys = [&self.keys[..], &other.keys].concat();
        for (part, first) in [(self, 0), (other, n)] {
            for (a, b) in (0..part.len()).flat_map(|a| (0..part.len()).map(move |b| (a, b))) {
                both.set(first + a, first + b, part.get(a, b));
            }
        }
        both
    }

    /// Removes the edges a-b and c-d and adds a-c and b-d, so that all degrees stay. Whether that is
    /// possible.
    pub fn switch(&mut self, [a, b, c, d]: [usize; 4]) -> bool {
        let different = a != b && a != c && a != d && b != c && b != d && c != d;
        if !different
            || self.get(a, b) == 0
            || self.get(c, d) == 0
            || self.get(a, c) != 0
            || self.get(b, d) != 0
        {
            return false;
        }
        for (x, y, value) in [(a, b, 0), (c, d, 0), (a, c, 1), (b, d, 1)] {
            self.join(x, y, value);
        }
        true
    }

    /// The relation with other names for its points, each within its class.
    pub fn shuffled(&self, dice: &mut Dice) -> Relation {
        let (front, back) = (dice.perm(self.split), dice.perm(self.len() - self.split));
        let name = |v: usize| match v < self.split {
            true => front.image(v as Point) as usize,
            false => self.split + back.image((v - self.split) as Point) as usize,
        };
        let mut other = self.clone();
        for a in 0..self.len() {
            other.keys[name(a)] = self.keys[a];
            (0..self.len()).for_each(|b| other.set(name(a), name(b), self.get(a, b)));
        }
        other
    }

    /// The relation with the points of an order called by their places.
    fn ordered(&self, order: &[Point]) -> Relation {
        let mut other = self.clone();
        for (a, &from) in order.iter().enumerate() {
            other.keys[a] = self.keys[from as usize];
            for (b, &to) in order.iter().enumerate() {
                other.set(a, b, self.get(from as usize, to as usize));
            }
        }
        other
    }

    fn graph(&self, sight: Sight) -> Graph {
        let n = self.len();
        let split = self.split as Point;
        let classes = if split == 0 { vec![0, n as Point] } else { vec![0, split, n as Point] };
        let mut graph = Graph::with_classes(classes, 1);
        graph.keys_mut().copy_from_slice(&self.keys);
        let edges = (0..n).flat_map(|a| (0..n).map(move |b| (a, b))).filter_map(|(a, b)| {
            let value = self.get(a, b);
            let shown = match sight {
                Sight::All => value,
                Sight::Edges => value.min(1),
                Sight::Ones => u8::from(value == 1),
                Sight::Nothing => 0,
            };
            (shown > 0).then_some((a as Point, b as Point, u32::from(shown)))
        });
        graph.link(edges);
        graph
    }

    /// The canonical form, and how many automorphisms there are.
    pub fn canonical(&self, labeller: &mut Labeller, sight: Sight) -> (Relation, Natural) {
        let mut judge = RelationJudge { relation: self, sight };
        assert!(labeller.run(&self.graph(sight), &mut judge, u64::MAX));
        let mut sorted = labeller.order().to_vec();
        sorted[..self.split].sort_unstable();
        sorted[self.split..].sort_unstable();
        assert!(sorted.iter().copied().eq(0..self.len() as Point), "classes stay where they are");
        (self.ordered(labeller.order()), labeller.automorphisms())
    }

    /// The canonical form if so much work is enough.
    pub fn attempt(&self, labeller: &mut Labeller, sight: Sight, work: u64) -> Option<(Relation, Natural)> {
        let mut judge = RelationJudge { relation: self, sight };
        let complete = labeller.run(&self.graph(sight), &mut judge, work);
        complete.then(|| (self.ordered(labeller.order()), labeller.automorphisms()))
    }

    /// The classes of twins, each sorted.
    pub fn twins(&self, labeller: &mut Labeller, sight: Sight) -> Vec<Vec<Point>> {
        let mut judge = RelationJudge { relation: self, sight };
        let mut classes = Vec::new();
        labeller.twins(&self.graph(sight), &mut judge, |class| classes.push(class.to_vec()));
        classes.iter_mut().for_each(|class| class.sort_unstable());
        classes.sort();
        classes
    }

    /// How many isomorphisms there are to another relation, up to a limit: point by point, all images are
    /// tried, each point next to one that has its image already where there is one.
    pub fn isomorphisms(&self, other: &Relation, limit: u64) -> u64 {
        if (self.len(), self.split) != (other.len(), other.split) {
            return 0;
        }
        let mut order: Vec<usize> = Vec::new();
        while order.len() < self.len() {
            let near = |v: &usize| order.iter().filter(|&&w| self.get(*v, w) != 0).count();
            let next = (0..self.len()).filter(|v| !order.contains(v)).max_by_key(near);
            order.push(next.expect("some point is left"));
        }
        self.extend(other, &order, &mut Vec::new(), limit)
    }

    fn extend(&self, other: &Relation, order: &[usize], images: &mut Vec<usize>, limit: u64) -> u64 {
        let Some(&point) = order.get(images.len()) else { return 1 };
        let mut count = 0;
        for image in 0..self.len() {
            let same_class = (point < self.split) == (image < self.split);
            let fits = same_class && self.keys[point] == other.keys[image] && !images.contains(&image) && {
                images.push(image);
                let fits = order.iter().zip(&*images).all(|(&a, &b)| {
                    self.get(a, point) == other.get(b, image) && self.get(point, a) == other.get(image, b)
                });
                images.pop();
                fits
            };
            if fits && count < limit {
                images.push(image);
                count += self.extend(other, order, images, limit - count);
                images.pop();
            }
        }
        count
    }
}

/// Answers what it is asked, and only that: where the graph says all it trusts it, so that nothing but the
/// labeller's own checks stands between a guess and a wrong result.
struct RelationJudge<'r> {
    relation: &'r Relation,
    sight: Sight,
}

impl RelationJudge<'_> {
    fn is_kept(&self, pairs: &[(Point, Point)]) -> bool {
        let mut image: Vec<usize> = (0..self.relation.len()).collect();
        pairs.iter().for_each(|&(from, to)| image[from as usize] = to as usize);
        let kept = |a: usize, b: usize| self.relation.get(image[a], image[b]) == self.relation.get(a, b);
        let mut moved = pairs.iter().map(|pair| pair.0 as usize);
        moved.all(|a| {
            self.relation.keys[image[a]] == self.relation.keys[a]
                && (0..image.len()).all(|b| kept(a, b) && kept(b, a))
        })
    }
}

impl Judge for RelationJudge<'_> {
    fn compare(&mut self, order: &[Point], best: &[Point]) -> Ordering {
        let Relation { keys, .. } = self.relation;
        let key = |order: &[Point], at: usize| keys[order[at] as usize];
        let value =
            |order: &[Point], a: usize, b: usize| self.relation.get(order[a] as usize, order[b] as usize);
        let n = order.len();
        let keys = (0..n).map(|at| key(order, at).cmp(&key(best, at)));
        let values = (0..n)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .map(|(a, b)| value(order, a, b).cmp(&value(best, a, b)));
        keys.chain(values).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn keeps(&mut self, pairs: &[(Point, Point)]) -> bool {
        self.sight == Sight::All || self.is_kept(pairs)
    }

    fn is_exact(&self) -> bool {
        self.sight == Sight::All
    }
}
