//! Sets of members that generators exchange, two of them at a time.
//!
//! Entry points: [`exchanged_sets`] and [`ExchangeTree`], by which any two members of a set can be exchanged.
//! Whether the group does more elsewhere is for others to find out ([`coxeter`](crate::coxeter),
//! [`members`](crate::members)).

use crate::{Partition, Perm, Point};
use std::collections::HashMap;

/// An orbit, and which generators exchange which of its points (by their positions).
pub(crate) struct Exchanged {
    pub(crate) points: Vec<Point>,
    pub(crate) exchanges: Vec<(usize, usize, usize)>,
}

/// Orbits such that each generator exchanges two points of one of them, and moves none of the others.
pub(crate) fn exchanged_sets(degree: usize, generators: &[Perm]) -> Option<Vec<Exchanged>> {
    let orbits = Partition::orbits(degree, generators);
    let (labels, classes) = (orbits.labels(), orbits.classes());
    // By orbit, the generators that move it, with the points that they move there.
    let mut moved: HashMap<Point, Vec<(usize, Vec<Point>)>> = HashMap::new();
    for (number, generator) in generators.iter().enumerate() {
        for x in generator.moved() {
            let movers = moved.entry(labels[x as usize]).or_default();
            match movers.last_mut() {
                Some((last, points)) if *last == number => points.push(x),
                _ => movers.push((number, vec![x])),
            }
        }
    }
    let mut covered = vec![false; generators.len()];
    let mut sets = Vec::new();
    for points in classes.into_iter().filter(|class| class.len() > 1) {
        let movers = &moved[&labels[points[0] as usize]];
        if movers.iter().any(|(number, moved)| moved.len() != 2 || covered[*number]) {
            continue;
        }
        let place = |x: Point| points.binary_search(&x).expect("a point of the orbit");
        let exchanges = movers.iter().map(|(number, moved)| (place(moved[0]), place(moved[1]), *number));
        let exchanges: Vec<_> = exchanges.collect();
        exchanges.iter().for_each(|&(.., number)| covered[number] = true);
        sets.push(Exchanged { points, exchanges });
    }
    covered.into_iter().all(|covered| covered).then_some(sets)
}

/// The members of a set, along a tree of its exchanges.
pub(crate) struct ExchangeTree {
    /// As the tree is walked: a path is walked from end to end.
    pub(crate) order: Vec<usize>,
    /// By member but the first, the one it was reached from, by which generator, and how far that is from the
    /// first.
    parent: Vec<(usize, usize, usize)>,
}

impl ExchangeTree {
    pub(crate) fn new(set: &Exchanged) -> Self {
        let mut edges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); set.points.len()];
        for &(a, b, number) in &set.exchanges {
            edges[a].push((b, number));
            edges[b].push((a, number));
        }
        let start = (0..edges.len()).min_by_key(|&member| edges[member].len()).expect("an orbit has points");
        let mut tree = Self { order: Vec::new(), parent: vec![(0, usize::MAX, 0); edges.len()] };
        let (mut seen, mut pending) = (vec![false; edges.len()], vec![(start, (start, usize::MAX, 0))]);
        while let Some((member, parent)) = pending.pop() {
            if std::mem::replace(&mut seen[member], true) {
                continue;
            }
            tree.order.push(member);
            tree.parent[member] = parent;
            pending.extend(edges[member].iter().map(|&(to, number)| (to, (member, number, parent.2 + 1))));
        }
        tree
    }

    /// By member, where it is in the order.
    pub(crate) fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &member)| places[member] = place);
        places
    }

    /// A product of generators that exchanges two members.
    pub(crate) fn exchange(&self, from: usize, to: usize, generators: &[Perm]) -> Perm {
        let path = self.path(from, to);
        let mut path = path.iter().map(|&number| &generators[number]);
        let first = path.next().expect("they are different").clone();
        path.fold(first, |exchange, by| exchange.conjugate(by))
    }

    /// The generators on the way from a member to another.
    pub(crate) fn path(&self, from: usize, to: usize) -> Vec<usize> {
        let (mut up, mut down) = (Vec::new(), Vec::new());
        let (mut a, mut b) = (from, to);
        while a != b {
            let (parent_a, by_a, depth_a) = self.parent[a];
            let (parent_b, by_b, depth_b) = self.parent[b];
            if depth_a >= depth_b {
                up.push(by_a);
                a = parent_a;
            } else {
                down.push(by_b);
                b = parent_b;
            }
        }
        up.extend(down.into_iter().rev());
        up
    }
}
