//! A direct factor of a generated group that permutes some members in all ways, each member being a cell of every orbit: columns side by side.
//!
//! Entry points: [`factors`], which takes a group apart, and [`Parallel::find`], which recognises such a factor. The members of a state are then
//! brought into order by sorting their cells, where a search in the group would be needed otherwise. A member is known by its point in the first
//! orbit that has cells; in another orbit, its point is the one that follows it under every generator. Points that follow no single
//! member (such as transitions between two of them) move by products of exchanges.

use burnside_perm::{Natural, Partition, Perm, Point};
use burnside_ts::bits;

/// Points that follow no single member are allowed for so many members only, for whether the group is faithful must be checked.
const MOST_MEMBERS: usize = 16;

/// The members and what moves them.
#[derive(Debug)]
pub(super) struct Parallel {
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

/// Takes generators apart: those that move the same points, directly or by others in between, belong together.
pub(super) fn factors(degree: usize, generators: &[Perm]) -> Vec<Vec<Perm>> {
    let mut together = Partition::discrete(degree);
    for generator in generators {
        let mut moved = generator.moved();
        if let Some(first) = moved.next() {
            moved.for_each(|point| {
                together.join(first, point);
            });
        }
    }
    let mut factors: Vec<(Point, Vec<Perm>)> = Vec::new();
    for generator in generators {
        let Some(first) = generator.moved().next() else { continue };
        let lead = together.find(first);
        match factors.iter_mut().find(|(known, _)| *known == lead) {
            Some((_, factor)) => factor.push(generator.clone()),
            None => factors.push((lead, vec![generator.clone()])),
        }
    }
    factors.into_iter().map(|(_, factor)| factor).collect()
}

impl Parallel {
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

    /// Brings the members of a state into order, in place; the permutation of the points that does it, if anything moves.
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

/// By member, the exchange of the first one with it, if the generators have exchanges of two members that connect all.
fn swaps(generators: &[Perm], base: &[Point]) -> Option<Vec<Perm>> {
    let exchanged = |generator: &Perm| {
        let mut moved = (0..base.len()).filter(|&member| generator.image(base[member]) != base[member]);
        match (moved.next(), moved.next(), moved.next()) {
            (Some(a), Some(b), None) => Some((a, b)),
            _ => None,
        }
    };
    let pairs: Vec<(usize, usize, &Perm)> = generators
        .iter()
        .filter_map(|generator| exchanged(generator).map(|(a, b)| (a, b, generator)))
        .collect();
    let mut found: Vec<Option<Perm>> = vec![None; base.len()];
    found[0] = Some(Perm::identity(generators.first()?.degree()));
    let mut next = vec![0];
    while let Some(from) = next.pop() {
        for &(a, b, generator) in pairs.iter().filter(|(a, b, _)| *a == from || *b == from) {
            let to = if a == from { b } else { a };
            if found[to].is_none() {
                let known = found[from].as_ref().expect("it was reached");
                found[to] = Some(if from == 0 { generator.clone() } else { known.conjugate(generator) });
                next.push(to);
            }
        }
    }
    found.into_iter().collect()
}

/// For each member its point in another orbit, if each has one.
fn mates(generators: &[Perm], base: &[Point], swaps: &[Perm], orbit: &[Point]) -> Option<Vec<Point>> {
    if orbit.len() != base.len() {
        return None;
    }
    let follow = |&first: &Point| -> Option<Vec<Point>> {
        let mates: Vec<Point> = swaps.iter().map(|swap| swap.image(first)).collect();
        let fits = |generator: &Perm| {
            base.iter().zip(&mates).all(|(&point, &mate)| {
                let to = base.iter().position(|&other| other == generator.image(point));
                to.is_some_and(|to| generator.image(mate) == mates[to])
            })
        };
        let mut sorted = mates.clone();
        sorted.sort_unstable();
        sorted.dedup();
        (sorted.len() == base.len() && generators.iter().all(fits)).then_some(mates)
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
    let is_product = |generator: &Perm| {
        let place = |point: Point| base.iter().position(|&other| other == point);
        let to: Option<Vec<usize>> = base.iter().map(|&point| place(generator.image(point))).collect();
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
