//! Sets of members that generators exchange, two of them at a time.
//!
//! Entry points: [`exchanged_sets`] and [`ExchangeTree`], by which any two members of a set can be exchanged.
//! Whether the group does more elsewhere is for others to find out ([`members`](crate::members)).

use crate::{Partition, Perm, Point};
use std::collections::HashMap;

/// An orbit, and which generators exchange which of its points (by their positions).
pub(crate) struct Exchanged {
    pub(crate) points: Vec<Point>,
    pub(crate) exchanges: Vec<(usize, usize, usize)>,
    /// All generators that move it.
    movers: Vec<usize>,
}

/// Orbits such that each generator exchanges two points of one of them, and moves none of the others.
pub(crate) fn exchanged_sets(degree: usize, generators: &[Perm]) -> Option<Vec<Exchanged>> {
    let mut covered = vec![false; generators.len()];
    let mut sets = exchanged_orbits(degree, generators);
    sets.retain(|set| {
        let fits = set.exchanges.len() == set.movers.len() && set.movers.iter().all(|&mover| !covered[mover]);
        set.movers.iter().filter(|_| fits).for_each(|&mover| covered[mover] = true);
        fits
    });
    covered.into_iter().all(|covered| covered).then_some(sets)
}

/// All orbits in which some generator exchanges two points and moves no others, the largest first.
fn exchanged_orbits(degree: usize, generators: &[Perm]) -> Vec<Exchanged> {
    let orbits = Partition::orbits(degree, generators);
    let (labels, mut classes) = (orbits.labels(), orbits.classes());
    // By orbit, the generators that move it, how many points, and the first and last of them.
    let mut moved: HashMap<Point, Vec<(usize, usize, [Point; 2])>> = HashMap::new();
    for (number, generator) in generators.iter().enumerate() {
        for x in generator.moved() {
            let movers = moved.entry(labels[x as usize]).or_default();
            match movers.last_mut() {
                Some((last, count, points)) if *last == number => {
                    points[1] = x;
                    *count += 1;
                }
                _ => movers.push((number, 1, [x; 2])),
            }
        }
    }
    classes.retain(|class| class.len() > 1);
    classes.sort_by_key(|class| std::cmp::Reverse(class.len()));
    let exchanged = |points: Vec<Point>| {
        let movers = &moved[&labels[points[0] as usize]];
        let place = |x: Point| points.binary_search(&x).expect("a point of the orbit");
        let swaps = movers.iter().filter(|mover| mover.1 == 2);
        let exchanges = swaps.map(|&(number, _, [a, b])| (place(a), place(b), number)).collect();
        Exchanged { exchanges, movers: movers.iter().map(|mover| mover.0).collect(), points }
    };
    let orbits = classes.into_iter().map(exchanged);
    orbits.filter(|orbit| !orbit.exchanges.is_empty()).collect()
}

/// Exchanges of two members of one set each, from generators that may move several sets at a time or more
/// than two members. What they generate is for the caller to compare; none if they do not connect the members
/// of each set.
pub(crate) fn taken_apart(degree: usize, generators: &[Perm]) -> Option<Vec<Perm>> {
    let mut sets: Vec<Exchanged> = Vec::new();
    for orbit in exchanged_orbits(degree, generators) {
        let signature = |set: &Exchanged| -> (Vec<usize>, Vec<usize>) {
            (set.exchanges.iter().map(|exchange| exchange.2).collect(), set.movers.clone())
        };
        // Orbits that move together are about the same members. A mistake here is found by those who compare
        // what is generated (`MemberAction::contains`), and so is one in what connects the members below.
        if !sets.iter().any(|set| signature(set) == signature(&orbit)) {
            sets.push(orbit);
        }
    }
    let mut count = vec![0; generators.len()];
    sets.iter().flat_map(|set| &set.movers).for_each(|&number| count[number] += 1);
    let mut all = Vec::new();
    for set in &sets {
        all.extend(pure_exchanges(set, generators, &count)?);
    }
    Some(all)
}

/// Exchanges that connect all members of a set, if there are such: those that move no other set, and what
/// other generators make of these.
fn pure_exchanges(set: &Exchanged, generators: &[Perm], count: &[usize]) -> Option<Vec<Perm>> {
    let mut connected = Partition::discrete(set.points.len());
    let mut found: Vec<(usize, usize, Perm)> = Vec::new();
    for &(a, b, number) in set.exchanges.iter().filter(|exchange| count[exchange.2] == 1) {
        if connected.join(a as Point, b as Point) {
            found.push((a, b, generators[number].clone()));
        }
    }
    let pure = |number: &usize| count[*number] == 1 && set.exchanges.iter().any(|it| it.2 == *number);
    let others: Vec<&Perm> =
        set.movers.iter().filter(|&number| !pure(number)).map(|&number| &generators[number]).collect();
    let mut next = 0;
    while next < found.len() && connected.len() > 1 {
        let (a, b, exchange) = found[next].clone();
        for by in &others {
            let image = |member: usize| set.points.binary_search(&by.image(set.points[member])).ok();
            let (a, b) = (image(a)?, image(b)?);
            if connected.join(a as Point, b as Point) {
                found.push((a, b, exchange.conjugate(by)));
            }
        }
        next += 1;
    }
    (connected.len() == 1).then(|| found.into_iter().map(|(.., perm)| perm).collect())
}

/// The members of a set, along a tree of its exchanges.
pub(crate) struct ExchangeTree {
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
        let mut tree = Self { parent: vec![(0, usize::MAX, 0); edges.len()] };
        let (mut seen, mut pending) = (vec![false; edges.len()], vec![(start, (start, usize::MAX, 0))]);
        while let Some((member, parent)) = pending.pop() {
            if std::mem::replace(&mut seen[member], true) {
                continue;
            }
            tree.parent[member] = parent;
            pending.extend(edges[member].iter().map(|&(to, number)| (to, (member, number, parent.2 + 1))));
        }
        tree
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Along any tree of exchanges, the generators on the way from a member to another, there and back,
    /// exchange these two and nothing else.
    #[test]
    fn any_two_members_are_exchanged() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let n = 2 + random.below(8);
            let names: Vec<Point> = {
                let mut names: Vec<Point> = (0..n as Point).collect();
                (1..n).for_each(|i| names.swap(i, random.below(i + 1)));
                names
            };
            let swap = |b: usize, a: usize| Perm::transposition(n, names[a], names[b]);
            let generators: Vec<Perm> = (1..n).map(|b| swap(b, random.below(b))).collect();
            let sets = exchanged_sets(n, &generators).unwrap();
            assert_eq!((sets.len(), sets[0].exchanges.len()), (1, n - 1));
            let tree = ExchangeTree::new(&sets[0]);
            for from in 0..n {
                for to in (0..n).filter(|&to| to != from) {
                    let path = tree.path(from, to);
                    let there_and_back = path.iter().rev().chain(path.iter().skip(1));
                    let exchange = there_and_back
                        .fold(Perm::identity(n), |product, &number| product.compose(&generators[number]));
                    assert_eq!(
                        exchange,
                        Perm::transposition(n, from as Point, to as Point),
                        "{generators:?}"
                    );
                }
            }
        }
    }
}
