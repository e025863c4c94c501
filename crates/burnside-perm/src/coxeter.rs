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

use crate::exchanges::{ExchangeTree, Exchanged, exchanged_sets};
use crate::{Natural, Perm, Point};
use burnside_limits::poll;

/// With more members the relations are too many.
const MOST_MEMBERS: usize = 2_000;

/// The order of the group that the permutations generate, if it is found this way.
pub(crate) fn order(degree: usize, generators: &[Perm]) -> Option<Natural> {
    let sets = exchanged_sets(degree, generators)?;
    if sets.iter().any(|set| set.points.len() > MOST_MEMBERS) {
        return None;
    }
    let all: Vec<Moves> = generators.iter().map(Moves::new).collect();
    let apart = |a: &Exchanged, b: &Exchanged| {
        a.exchanges.iter().all(|&(.., x)| b.exchanges.iter().all(|&(.., y)| commute(&all[x], &all[y])))
    };
    let mut pairs = sets.iter().enumerate().flat_map(|(at, a)| sets[..at].iter().map(move |b| (a, b)));
    let proved =
        sets.iter().all(|set| is_symmetric(set, generators, &all)) && pairs.all(|(a, b)| apart(a, b));
    proved.then(|| sets.iter().map(|set| Natural::factorial(set.points.len() as u64)).product())
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
fn is_symmetric(set: &Exchanged, generators: &[Perm], all: &[Moves]) -> bool {
    let walk = ExchangeTree::new(set);
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
