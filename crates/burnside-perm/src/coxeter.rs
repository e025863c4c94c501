//! The order of a group that permutes the members of some sets in all ways, each set on its own, whatever
//! else moves along: clients and servers, with a point for each pair of them.
//!
//! Entry point: [`order`]. Looked for are orbits such that each generator exchanges two points of just one of
//! them. On these orbits the group is a product of full symmetric groups, so it has at least as many
//! elements. It has no more if in each orbit the exchanges of neighbours, in some order of the points, keep
//! the relations of Coxeter's presentation of the symmetric group (on all points, not only on those of the
//! orbit), the generators are products of them, and generators of different orbits commute: then the group is
//! an image of that product. So the order is proved by relations that are as many as pairs of members, where
//! a stabiliser chain without a known order must sift every Schreier generator.

use crate::{Natural, Partition, Perm, Point};
use burnside_limits::poll;
use std::collections::HashMap;

/// With more members the relations are too many.
const MOST_MEMBERS: usize = 2_000;

/// The order of the group that the permutations generate, if it is found this way.
pub(crate) fn order(degree: usize, generators: &[Perm]) -> Option<Natural> {
    let sets = sets(degree, generators)?;
    let all: Vec<Moves> = generators.iter().map(Moves::new).collect();
    let apart = |a: &Set, b: &Set| {
        a.exchanges.iter().all(|&(.., x)| b.exchanges.iter().all(|&(.., y)| commute(&all[x], &all[y])))
    };
    let mut pairs = sets.iter().enumerate().flat_map(|(at, a)| sets[..at].iter().map(move |b| (a, b)));
    let proved =
        sets.iter().all(|set| is_symmetric(set, generators, &all)) && pairs.all(|(a, b)| apart(a, b));
    proved.then(|| sets.iter().map(|set| Natural::factorial(set.points.len() as u64)).product())
}

/// An orbit, and which generators exchange which of its points (by their positions).
struct Set {
    points: Vec<Point>,
    exchanges: Vec<(usize, usize, usize)>,
}

/// Orbits such that each generator exchanges two points of one of them, and moves none of the others.
fn sets(degree: usize, generators: &[Perm]) -> Option<Vec<Set>> {
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
    for points in classes.into_iter().filter(|class| (2..=MOST_MEMBERS).contains(&class.len())) {
        let movers = &moved[&labels[points[0] as usize]];
        if movers.iter().any(|(number, moved)| moved.len() != 2 || covered[*number]) {
            continue;
        }
        let place = |x: Point| points.binary_search(&x).expect("a point of the orbit");
        let exchanges = movers.iter().map(|(number, moved)| (place(moved[0]), place(moved[1]), *number));
        let exchanges: Vec<_> = exchanges.collect();
        exchanges.iter().for_each(|&(.., number)| covered[number] = true);
        sets.push(Set { points, exchanges });
    }
    covered.into_iter().all(|covered| covered).then_some(sets)
}

/// A permutation with the points that it moves.
struct Moves {
    perm: Perm,
    points: Vec<Point>,
}

impl Moves {
    fn new(perm: &Perm) -> Self {
        Self { perm: perm.clone(), points: perm.moved().collect() }
    }
}

/// Whether a product is the identity.
fn is_one(word: &[&Moves]) -> bool {
    let apply = |x: Point| word.iter().fold(x, |x, letter| letter.perm.image(x));
    word.iter().flat_map(|letter| &letter.points).all(|&x| apply(x) == x)
}

fn commute(a: &Moves, b: &Moves) -> bool {
    let both = |x: Point| a.perm.image(b.perm.image(x)) == b.perm.image(a.perm.image(x));
    a.points.iter().chain(&b.points).all(|&x| both(x))
}

/// Whether the exchanges of a set generate no more than its permutations.
fn is_symmetric(set: &Set, generators: &[Perm], all: &[Moves]) -> bool {
    let walk = Walk::new(set);
    let neighbours: Vec<Moves> =
        walk.order.windows(2).map(|pair| Moves::new(&walk.exchange(pair[0], pair[1], generators))).collect();
    let relations = (0..neighbours.len()).all(|i| {
        poll();
        let a = &neighbours[i];
        let braids = neighbours.get(i + 1).is_none_or(|b| is_one(&[a, b, a, b, a, b]));
        is_one(&[a, a]) && braids && neighbours.iter().skip(i + 2).all(|b| commute(a, b))
    });
    let place = walk.places();
    relations
        && set.exchanges.iter().all(|&(a, b, number)| {
            poll();
            let (low, high) = (place[a].min(place[b]), place[a].max(place[b]));
            let up = neighbours[low..high].iter();
            let down = neighbours[low..high - 1].iter().rev();
            let word: Vec<&Moves> = up.chain(down).chain([&all[number]]).collect();
            is_one(&word)
        })
}

/// The members of a set, along a tree of its exchanges.
struct Walk {
    /// As the tree is walked: a path is walked from end to end.
    order: Vec<usize>,
    /// By member but the first, the one it was reached from, by which generator, and how far that is from the
    /// first.
    parent: Vec<(usize, usize, usize)>,
}

impl Walk {
    fn new(set: &Set) -> Self {
        let mut edges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); set.points.len()];
        for &(a, b, number) in &set.exchanges {
            edges[a].push((b, number));
            edges[b].push((a, number));
        }
        let start = (0..edges.len()).min_by_key(|&member| edges[member].len()).expect("an orbit has points");
        let mut walk = Self { order: Vec::new(), parent: vec![(0, usize::MAX, 0); edges.len()] };
        let (mut seen, mut pending) = (vec![false; edges.len()], vec![(start, (start, usize::MAX, 0))]);
        while let Some((member, parent)) = pending.pop() {
            if std::mem::replace(&mut seen[member], true) {
                continue;
            }
            walk.order.push(member);
            walk.parent[member] = parent;
            pending.extend(edges[member].iter().map(|&(to, number)| (to, (member, number, parent.2 + 1))));
        }
        walk
    }

    /// By member, where it is in the order.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &member)| places[member] = place);
        places
    }

    /// A product of generators that exchanges two members.
    fn exchange(&self, from: usize, to: usize, generators: &[Perm]) -> Perm {
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
        let mut path = up.into_iter().chain(down.into_iter().rev()).map(|number| &generators[number]);
        let first = path.next().expect("they are different").clone();
        path.fold(first, |exchange, by| exchange.conjugate(by))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;
    use crate::random::Random;

    /// Clients and servers, and a point for each pair of them.
    fn pairs(clients: usize, servers: usize) -> (usize, Vec<Perm>) {
        let degree = clients + servers + clients * servers;
        let moved = |client: &dyn Fn(usize) -> usize, server: &dyn Fn(usize) -> usize| {
            let image = |x: Point| match x as usize {
                x if x < clients => client(x),
                x if x < clients + servers => clients + server(x - clients),
                x => {
                    let (i, j) = ((x - clients - servers) / servers, (x - clients - servers) % servers);
                    clients + servers + client(i) * servers + server(j)
                }
            };
            Perm::trusted(degree, |x| image(x) as Point)
        };
        let swap = |a: usize, b: usize| {
            move |x: usize| {
                if x == a {
                    b
                } else if x == b {
                    a
                } else {
                    x
                }
            }
        };
        let mut generators = Vec::new();
        // A path of clients, a star of servers.
        generators.extend((1..clients).map(|i| moved(&swap(i - 1, i), &|j| j)));
        generators.extend((1..servers).map(|j| moved(&|i| i, &swap(0, j))));
        (degree, generators)
    }

    #[test]
    fn pairs_of_members() {
        for (clients, servers) in [(2, 2), (3, 2), (4, 3), (5, 5)] {
            let (degree, generators) = pairs(clients, servers);
            let expected = &Natural::factorial(clients as u64) * &Natural::factorial(servers as u64);
            assert_eq!(order(degree, &generators), Some(expected.clone()));
            assert_eq!(Group::chained(degree, &generators).order(), expected);
        }
        let (degree, generators) = pairs(60, 20);
        let group = Group::generated(degree, &generators);
        assert_eq!(group.order(), &Natural::factorial(60) * &Natural::factorial(20));
    }

    /// What is found is right; and groups that do more elsewhere than they do on the members are not taken
    /// for less.
    #[test]
    fn never_wrong() {
        let mut random = Random::new(11);
        let (mut found, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let (members, more) = (2 + random.below(3), random.below(6));
            let degree = members + more;
            let generators: Vec<Perm> = (0..1 + random.below(4))
                .map(|_| {
                    let a = random.below(members);
                    let b = (a + 1 + random.below(members - 1)) % members;
                    let mut perm = Perm::transposition(degree, a as Point, b as Point);
                    for _ in 0..random.below(3).min(more) {
                        let (c, d) = (members + random.below(more), members + random.below(more));
                        if c != d {
                            perm = perm.compose(&Perm::transposition(degree, c as Point, d as Point));
                        }
                    }
                    perm
                })
                .collect();
            match order(degree, &generators) {
                Some(order) => {
                    assert_eq!(order, Group::chained(degree, &generators).order(), "{generators:?}");
                    found += 1;
                }
                None => refused += 1,
            }
        }
        assert!(found > 3_000 && refused > 3_000, "{found} {refused}");
    }
}
