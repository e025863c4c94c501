//! A direct factor of a generated group that permutes some members in all ways, each member being a cell of
//! every orbit: columns side by side.
//!
//! Entry points: [`factors`], which takes a group apart, and [`DiagonalFactor::find`], which recognises such
//! a factor. The members of a state are then brought into order by sorting their cells, where a search in the
//! group would be needed otherwise. A member is known by its point in the first orbit that has cells; in
//! another orbit, its point is the one that follows it under every generator. Points that follow no single
//! member (such as transitions between two of them) move by products of exchanges.

use burnside_perm::{Natural, Partition, Perm, Point};
use burnside_ts::bits;
use std::ops::Range;

/// Points that follow no single member are allowed for so many members only, for whether the group is
/// faithful must be checked.
const MOST_MEMBERS: usize = 16;

/// The members and what moves them.
#[derive(Debug)]
pub(super) struct DiagonalFactor {
    /// By member, its points: one of each orbit in which there is one for each member.
    members: Vec<Vec<Point>>,
    /// By member, its cells: first bit and width.
    cells: Vec<Vec<(u32, u32)>>,
    /// By member, the exchange with the first; none if the points above are all that moves.
    swaps: Option<Vec<Perm>>,
    /// The cells of all members, one after the other, while they are sorted.
    keys: Vec<u64>,
    order: Vec<usize>,
}

/// Takes generators apart: those that move the same points, directly or by others in between, belong
/// together. Only points with cells count, as long as what comes apart commutes all the same; it is a direct
/// product of what moves different cells if all but one of the factors are [`DiagonalFactor`].
pub(super) fn factors(
    degree: usize,
    generators: &[Perm],
    cells: &dyn Fn(Point) -> Vec<(u32, u32)>,
) -> Vec<Vec<Perm>> {
    let celled: Vec<bool> = (0..degree as Point).map(|point| !cells(point).is_empty()).collect();
    let split = |whole: Vec<Perm>| {
        let parts = connected(degree, &whole, &|point| celled[point as usize]);
        if commute(&parts) { parts } else { vec![whole] }
    };
    connected(degree, generators, &|_| true).into_iter().flat_map(split).collect()
}

/// Generators that are connected by points of a kind.
fn connected(degree: usize, generators: &[Perm], counts: &dyn Fn(Point) -> bool) -> Vec<Vec<Perm>> {
    let mut together = Partition::discrete(degree);
    for generator in generators {
        let mut moved = generator.moved().filter(|&point| counts(point));
        if let Some(first) = moved.next() {
            moved.for_each(|point| {
                together.join(first, point);
            });
        }
    }
    let mut factors: Vec<(Point, Vec<Perm>)> = Vec::new();
    for generator in generators {
        let first = generator.moved().find(|&point| counts(point)).or_else(|| generator.moved().next());
        let Some(first) = first else { continue };
        let lead = together.find(first);
        match factors.iter_mut().find(|(known, _)| *known == lead) {
            Some((_, factor)) => factor.push(generator.clone()),
            None => factors.push((lead, vec![generator.clone()])),
        }
    }
    factors.into_iter().map(|(_, factor)| factor).collect()
}

/// Whether the generators of each part commute with those of every other.
fn commute(parts: &[Vec<Perm>]) -> bool {
    let pairs =
        parts.iter().enumerate().flat_map(|(at, part)| parts[..at].iter().map(move |other| (part, other)));
    let mut generators = pairs.flat_map(|(a, b)| a.iter().flat_map(move |x| b.iter().map(move |y| (x, y))));
    generators.all(|(x, y)| x.compose(y) == y.compose(x))
}

impl DiagonalFactor {
    /// Recognises a factor. `cells` are those of a point.
    pub fn find(
        degree: usize,
        generators: &[Perm],
        cells: &dyn Fn(Point) -> Vec<(u32, u32)>,
    ) -> Option<Self> {
        let orbits =
            Partition::orbits(degree, generators).classes().into_iter().filter(|orbit| orbit.len() > 1);
        let (celled, bare): (Vec<_>, Vec<_>) = orbits.partition(|orbit| !cells(orbit[0]).is_empty());
        let base = celled.first()?.clone();
        let swaps = swaps(generators, &base)?;
        let mut members: Vec<Vec<Point>> = base.iter().map(|&point| vec![point]).collect();
        for orbit in &celled[1..] {
            let mates = mates(generators, &base, &swaps, orbit)?;
            members.iter_mut().zip(mates).for_each(|(member, mate)| member.push(mate));
        }
        let mut follows = true;
        for orbit in &bare {
            match mates(generators, &base, &swaps, orbit) {
                Some(mates) => members.iter_mut().zip(mates).for_each(|(member, mate)| member.push(mate)),
                None => follows = false,
            }
        }
        if !follows && (base.len() > MOST_MEMBERS || !is_symmetric(&swaps, generators, &base)) {
            return None;
        }
        let of_member = |member: &Vec<Point>| member.iter().flat_map(|&point| cells(point)).collect();
        Some(Self {
            cells: members.iter().map(of_member).collect(),
            order: (0..members.len()).collect(),
            keys: Vec::new(),
            members,
            swaps: (!follows).then_some(swaps),
        })
    }

    /// How many elements the factor has.
    pub fn order(&self) -> Natural {
        Natural::factorial(self.members.len() as u64)
    }

    /// Brings the members of a state into order, in place; the permutation of the points that does it, if
    /// anything moves.
    pub fn sort(&mut self, degree: usize, state: &mut [u64]) -> Option<Perm> {
        self.read(state);
        let width = self.width();
        let Self { keys, order, .. } = self;
        let key = |&member: &usize| &keys[member * width..(member + 1) * width];
        order.sort_by(|a, b| key(a).cmp(key(b)).then(a.cmp(b)));
        if order.iter().enumerate().all(|(at, &member)| at == member) {
            return None;
        }
        for (at, &member) in self.order.iter().enumerate() {
            for (cell, &(offset, bits)) in self.cells[at].iter().enumerate() {
                bits::write(state, offset, bits, self.keys[member * width + cell]);
            }
        }
        Some(self.perm(degree))
    }

    /// How many elements of the factor leave a state as it is.
    pub fn stabiliser(&mut self, state: &[u64]) -> Natural {
        self.read(state);
        let width = self.width();
        let mut keys: Vec<&[u64]> = self.keys.chunks(width.max(1)).collect();
        keys.sort_unstable();
        let alike = keys.chunk_by(|a, b| a == b).map(|class| Natural::factorial(class.len() as u64));
        alike.fold(Natural::one(), |order, factorial| &order * &factorial)
    }

    /// The same for the state that was brought into order last, times a number, if it is not too long.
    pub fn known_stabiliser(&self, times: u128) -> Option<u128> {
        let classes = self.order.chunk_by(|&a, &b| self.key(a) == self.key(b));
        classes.map(|class| 2..=class.len() as u128).try_fold(times, |order, mut factors| {
            factors.try_fold(order, |order, factor| order.checked_mul(factor))
        })
    }

    /// Notes which of the points in a range, which have no cells, are what members that are alike make of a
    /// point before them.
    pub fn covered(&mut self, state: &[u64], range: Range<Point>, covered: &mut [bool]) {
        self.read(state);
        let mut order = std::mem::take(&mut self.order);
        order.sort_by(|&a, &b| self.key(a).cmp(self.key(b)).then(a.cmp(&b)));
        for alike in order.chunk_by(|&a, &b| self.key(a) == self.key(b)) {
            for orbit in 0..self.members[0].len() {
                let points = || alike.iter().map(|&member| self.members[member][orbit]);
                let inside = points().filter(|point| range.contains(point));
                let first = points().min().unwrap_or_default();
                inside
                    .filter(|&point| point != first)
                    .for_each(|point| covered[(point - range.start) as usize] = true);
            }
        }
        self.order = order;
    }

    fn key(&self, member: usize) -> &[u64] {
        &self.keys[member * self.width()..][..self.width()]
    }

    fn width(&self) -> usize {
        self.cells[0].len()
    }

    fn read(&mut self, state: &[u64]) {
        self.keys.clear();
        let cells = self.cells.iter().flatten();
        self.keys.extend(cells.map(|&(offset, width)| bits::read(state, offset, width)));
    }

    /// The permutation that takes each member to its place in the order.
    fn perm(&self, degree: usize) -> Perm {
        let Some(swaps) = &self.swaps else {
            let mut images: Vec<Point> = (0..degree as Point).collect();
            for (at, &member) in self.order.iter().enumerate() {
                for (&from, &to) in self.members[member].iter().zip(&self.members[at]) {
                    images[from as usize] = to;
                }
            }
            return Perm::from_images(&images).expect("members are disjoint");
        };
        let mut to = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(at, &member)| to[member] = at);
        product(swaps, &to)
    }
}

/// By member, the exchange of the first one with it, if there are exchanges of two members that connect all.
fn swaps(generators: &[Perm], base: &[Point]) -> Option<Vec<Perm>> {
    let pairs = exchanges(generators, base)?;
    let mut with: Vec<Vec<(usize, &Perm)>> = vec![Vec::new(); base.len()];
    for (a, b, exchange) in &pairs {
        with[*a].push((*b, exchange));
        with[*b].push((*a, exchange));
    }
    let mut found: Vec<Option<Perm>> = vec![None; base.len()];
    found[0] = Some(Perm::identity(generators.first()?.degree()));
    let mut next = vec![0];
    while let Some(from) = next.pop() {
        for &(to, exchange) in &with[from] {
            if found[to].is_none() {
                let known = found[from].as_ref().expect("it was reached");
                found[to] = Some(if from == 0 { exchange.clone() } else { known.conjugate(exchange) });
                next.push(to);
            }
        }
    }
    found.into_iter().collect()
}

/// Exchanges of two members in the group: generators, and what generators make of them, as long as they
/// connect more members. What they connect then is mapped to itself, or to something apart from it, by every
/// generator, so that more of them would not connect more.
fn exchanges(generators: &[Perm], base: &[Point]) -> Option<Vec<(usize, usize, Perm)>> {
    let members = positions(generators.first()?.degree(), base);
    let exchanged = |generator: &Perm| {
        let mut moved = generator.moved().filter_map(|point| members[point as usize]);
        match (moved.next(), moved.next(), moved.next()) {
            (Some(a), Some(b), None) => Some((a, b, generator.clone())),
            _ => None,
        }
    };
    let member = |point: Point| members[point as usize];
    let mut connected = Partition::discrete(base.len());
    let mut found: Vec<(usize, usize, Perm)> = generators.iter().filter_map(exchanged).collect();
    found.retain(|&(a, b, _)| connected.join(a as Point, b as Point));
    let mut next = 0;
    while next < found.len() && connected.len() > 1 {
        let (a, b, exchange) = found[next].clone();
        for generator in generators {
            let (a, b) = (member(generator.image(base[a]))?, member(generator.image(base[b]))?);
            if connected.join(a as Point, b as Point) {
                found.push((a, b, exchange.conjugate(generator)));
            }
        }
        next += 1;
    }
    Some(found)
}

/// By point, which member it is.
fn positions(degree: usize, base: &[Point]) -> Vec<Option<usize>> {
    let mut positions = vec![None; degree];
    base.iter().enumerate().for_each(|(member, &point)| positions[point as usize] = Some(member));
    positions
}

/// For each member its point in another orbit, if each has one.
fn mates(generators: &[Perm], base: &[Point], swaps: &[Perm], orbit: &[Point]) -> Option<Vec<Point>> {
    if orbit.len() != base.len() {
        return None;
    }
    let members = positions(swaps.first()?.degree(), base);
    let follow = |&first: &Point| -> Option<Vec<Point>> {
        let mates: Vec<Point> = swaps.iter().map(|swap| swap.image(first)).collect();
        let mut sorted = mates.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if sorted.len() != base.len() {
            return None;
        }
        let mated = positions(members.len(), &mates);
        let fits = |generator: &Perm| {
            generator.pairs().all(|(point, to)| match (members[point as usize], mated[point as usize]) {
                (Some(member), _) => {
                    members[to as usize].is_some_and(|to| generator.image(mates[member]) == mates[to])
                }
                (None, Some(member)) => generator.image(base[member]) != base[member],
                (None, None) => true,
            })
        };
        generators.iter().all(fits).then_some(mates)
    };
    orbit.iter().find_map(follow)
}

/// Whether the exchanges generate just the permutations of the members, and the generators are among them.
fn is_symmetric(swaps: &[Perm], generators: &[Perm], base: &[Point]) -> bool {
    let all = || 1..swaps.len();
    let is_one = |perm: &Perm| perm.is_identity();
    let pairs = all().flat_map(|i| all().filter(move |&j| j != i).map(move |j| (i, j)));
    let relations = all().all(|i| is_one(&swaps[i].compose(&swaps[i])))
        && pairs.clone().all(|(i, j)| is_one(&swaps[i].compose(&swaps[j]).pow(3)))
        && pairs.flat_map(|(i, j)| all().filter(move |&l| l != i && l != j).map(move |l| (i, j, l))).all(
            |(i, j, l)| {
                let word = swaps[i].compose(&swaps[j]).compose(&swaps[i]).compose(&swaps[l]);
                is_one(&word.pow(2))
            },
        );
    let members = positions(swaps[0].degree(), base);
    let is_product = |generator: &Perm| {
        let to: Option<Vec<usize>> =
            base.iter().map(|&point| members[generator.image(point) as usize]).collect();
        to.is_some_and(|to| product(swaps, &to) == *generator)
    };
    relations && generators.iter().all(is_product)
}

/// The product of exchanges that takes each member where it is to go.
fn product(swaps: &[Perm], to: &[usize]) -> Perm {
    let mut perm = swaps[0].clone();
    let mut seen = vec![false; to.len()];
    for start in 0..to.len() {
        if seen[start] || to[start] == start {
            continue;
        }
        let mut cycle = Vec::new();
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            cycle.push(at);
            at = to[at];
        }
        // (0 c1)(0 cm)…(0 c2)(0 c1), where the first is the identity if the cycle starts at 0.
        for &member in cycle.iter().chain([&cycle[0]]) {
            perm = swaps[member].compose(&perm);
        }
    }
    perm
}

#[cfg(test)]
mod tests {
    use super::*;
    use burnside_perm::Group;

    /// `n` members with a point and two bits each, and a point without bits for each ordered pair of members.
    fn moved(n: u32, members: &[u32]) -> Perm {
        let pair = |i: u32, j: u32| n + i * n + j;
        let mut images: Vec<Point> = (0..n + n * n).collect();
        for i in 0..n {
            images[i as usize] = members[i as usize];
            for j in 0..n {
                images[pair(i, j) as usize] = pair(members[i as usize], members[j as usize]);
            }
        }
        Perm::from_images(&images).unwrap()
    }

    fn bits_of(n: u32) -> impl Fn(Point) -> Vec<(u32, u32)> {
        move |point| if point < n { vec![(2 * point, 2)] } else { Vec::new() }
    }

    /// Sorting gives two states the same image if and only if they are in one orbit, and orbits have the size
    /// that orders and stabilisers say.
    fn is_canonical(n: u32, generators: &[Perm], factors: &mut [DiagonalFactor]) {
        let degree = (n + n * n) as usize;
        let group: Vec<Perm> = Group::generated(degree, generators).elements().collect();
        let order = factors.iter().fold(Natural::one(), |order, factor| &order * &factor.order());
        assert_eq!(order, Natural::from(group.len()));
        let act = |perm: &Perm, state: u64| {
            (0..n).fold(0, |to, i| to | (state >> (2 * i) & 3) << (2 * perm.image(i)))
        };
        for state in 0..1u64 << (2 * n) {
            let mut words = vec![state, 0];
            let mut stabiliser = Natural::one();
            for factor in factors.iter_mut() {
                stabiliser = &stabiliser * &factor.stabiliser(&words);
                let before = words[0];
                let perm = factor.sort(degree, &mut words);
                assert_eq!(act(&perm.unwrap_or_else(|| Perm::identity(degree)), before), words[0]);
            }
            let orbit: std::collections::BTreeSet<u64> = group.iter().map(|perm| act(perm, state)).collect();
            assert!(orbit.contains(&words[0]));
            assert_eq!(&stabiliser * &Natural::from(orbit.len()), order);
            let images: std::collections::BTreeSet<u64> = orbit
                .iter()
                .map(|&other| {
                    let mut words = vec![other, 0];
                    factors.iter_mut().for_each(|factor| drop(factor.sort(degree, &mut words)));
                    words[0]
                })
                .collect();
            assert_eq!(images.len(), 1);
        }
    }

    fn found(n: u32, generators: &[Perm]) -> Option<Vec<DiagonalFactor>> {
        let degree = (n + n * n) as usize;
        let parts = factors(degree, generators, &bits_of(n));
        parts.iter().map(|part| DiagonalFactor::find(degree, part, &bits_of(n))).collect()
    }

    #[test]
    fn exchanges_come_from_one_exchange_and_cycles() {
        let generators = [moved(4, &[0, 2, 1, 3]), moved(4, &[1, 2, 3, 0])];
        let mut factors = found(4, &generators).unwrap();
        assert_eq!(factors.len(), 1);
        is_canonical(4, &generators, &mut factors);
        // The symmetries of a square have exchanges, but of opposite corners only.
        assert!(found(4, &[moved(4, &[0, 3, 2, 1]), moved(4, &[1, 2, 3, 0])]).is_none());
        // So do even permutations, none at all.
        assert!(found(4, &[moved(4, &[1, 2, 0, 3]), moved(4, &[0, 2, 3, 1])]).is_none());
    }

    #[test]
    fn points_without_cells_do_not_connect_what_commutes() {
        let generators = [moved(5, &[1, 0, 2, 3, 4]), moved(5, &[0, 1, 3, 4, 2]), moved(5, &[0, 1, 3, 2, 4])];
        let mut factors = found(5, &generators).unwrap();
        assert_eq!(factors.iter().map(|factor| factor.members.len()).collect::<Vec<_>>(), [2, 3]);
        is_canonical(5, &generators, &mut factors);
    }

    /// Exchanges of members 0 and 1, and of 2 and 3, that do not agree on how a third pair of points moves.
    #[test]
    fn what_does_not_commute_stays_together() {
        let perm = |text: &str| Perm::parse(7, text).unwrap();
        let generators = [perm("(0 1)(4 5)"), perm("(2 3)(5 6)")];
        let cells = |point| if point < 4 { vec![(point, 1)] } else { Vec::new() };
        assert_eq!(factors(7, &generators, &cells), [generators.to_vec()]);
        let generators = [perm("(0 1)(4 5)"), perm("(2 3)(4 5)")];
        assert_eq!(factors(7, &generators, &cells).len(), 2);
    }
}
