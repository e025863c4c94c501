//! Groups that permute the members of some sets in all ways, each set on its own, where every point is a
//! tuple of members: clients, servers, and a point for each pair of them.
//!
//! Entry point: [`MemberAction::find`]. Sets of members are orbits in which generators exchange two points at
//! a time. A point of another orbit is told which members it is about by exchanges that move it, the rest of
//! its orbit by following it; of each set a point may name one member or two, in order or not. It is then
//! checked that every generator does to every point what it does to its members and that the points of an
//! orbit have different members. So the group is the product of the symmetric groups of the sets, whose
//! elements need not be searched: O(moved points of all generators), and no stabiliser chain.

use crate::exchanges::{ExchangeTree, Exchanged, exchanged_sets, taken_apart};
use crate::{Natural, Partition, Perm, Point};
use burnside_limits::poll;

const UNKNOWN: u32 = u32::MAX;

/// A product of symmetric groups of members and what it does to points. Members are numbered, set by set.
#[derive(Clone, Debug)]
pub struct MemberAction {
    sets: Vec<Point>,
    orbits: Vec<MemberOrbit>,
}

/// An orbit of points, each with its members.
#[derive(Clone, Debug)]
pub struct MemberOrbit {
    points: Vec<Point>,
    /// How many members a point has, and the members of all points.
    arity: usize,
    members: Vec<Point>,
    /// The first of two positions whose members may change places without making it another point.
    unordered: Option<usize>,
    /// By position, the first member of its set, and how far apart two of them are in the index.
    axes: Vec<(Point, u32)>,
    /// By members, which of the points it is.
    index: Vec<u32>,
}

impl MemberAction {
    /// The group that the permutations generate, if it is such a product.
    pub fn find(degree: usize, generators: &[Perm]) -> Option<MemberAction> {
        if let Some(sets) = exchanged_sets(degree, generators) {
            return MemberAction::by_exchanges(degree, generators, &sets);
        }
        let exchanges = taken_apart(degree, generators)?;
        let sets = exchanged_sets(degree, &exchanges)?;
        let action = MemberAction::by_exchanges(degree, &exchanges, &sets)?;
        generators.iter().all(|generator| action.contains(generator)).then_some(action)
    }

    /// The same for generators that exchange two members of one set each.
    fn by_exchanges(degree: usize, generators: &[Perm], sets: &[Exchanged]) -> Option<MemberAction> {
        let search = MemberSearch::new(degree, generators, sets);
        let orbits = Partition::orbits(degree, generators).classes().into_iter();
        let orbits = orbits.filter(|orbit| orbit.len() > 1).map(|orbit| search.orbit(orbit));
        Some(MemberAction { orbits: orbits.collect::<Option<_>>()?, sets: search.firsts })
    }

    /// Whether a permutation does to all points what it does to members.
    fn contains(&self, perm: &Perm) -> bool {
        poll();
        let mut to: Vec<Point> = (0..*self.sets.last().unwrap_or(&0)).collect();
        for orbit in self.orbits.iter().filter(|orbit| orbit.arity == 1) {
            for (at, &x) in orbit.points.iter().enumerate() {
                let Ok(there) = orbit.points.binary_search(&perm.image(x)) else { return false };
                to[orbit.members[at] as usize] = orbit.members[there];
            }
        }
        let mut moved = 0;
        for orbit in &self.orbits {
            for (at, &x) in orbit.points.iter().enumerate() {
                let y = orbit.points[orbit.image(at, &to)];
                moved += usize::from(x != y);
                if perm.image(x) != y {
                    return false;
                }
            }
        }
        moved == perm.moved().count()
    }

    /// Where the members of each set begin; the last number is where the last end.
    pub fn sets(&self) -> &[Point] {
        &self.sets
    }

    /// The orbits with more than one point.
    pub fn orbits(&self) -> &[MemberOrbit] {
        &self.orbits
    }

    /// The number of elements.
    pub fn order(&self) -> Natural {
        self.sets.windows(2).map(|set| Natural::factorial(u64::from(set[1] - set[0]))).product()
    }
}

impl MemberOrbit {
    /// The points, ascending.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// How many members each of them has.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// The members of a point, given by its place in the list.
    #[inline]
    pub fn members(&self, at: usize) -> &[Point] {
        &self.members[at * self.arity..][..self.arity]
    }

    /// The first of two positions of members whose order does not matter.
    pub fn unordered(&self) -> Option<usize> {
        self.unordered
    }

    /// Where a point goes if each member goes to `to[member]`: both by their places in the list.
    #[inline]
    pub fn image(&self, at: usize, to: &[Point]) -> usize {
        let members = self.members(at);
        self.index[self.place(|position| to[members[position] as usize])] as usize
    }

    /// The place in the list of the point with some members, given by position. There must be such a point.
    #[inline]
    pub fn position(&self, members: impl Fn(usize) -> Point) -> usize {
        self.index[self.place(members)] as usize
    }

    #[inline]
    fn place(&self, members: impl Fn(usize) -> Point) -> usize {
        let mut place = 0;
        for (position, &(first, stride)) in self.axes.iter().enumerate() {
            place += ((members(position) - first) * stride) as usize;
        }
        match self.unordered {
            Some(at) if members(at) > members(at + 1) => {
                let [(_, a), (_, b)] = [self.axes[at], self.axes[at + 1]];
                let apart = members(at) - members(at + 1);
                place + (apart * b) as usize - (apart * a) as usize
            }
            _ => place,
        }
    }

    /// Makes the index; none if two points have the same members.
    fn indexed(mut self, sizes: &[u32]) -> Option<Self> {
        let mut stride = 1u32;
        for ((_, own), &size) in self.axes.iter_mut().zip(sizes).rev() {
            *own = stride;
            stride = stride.checked_mul(size)?;
        }
        // Of two members of a set at least half of all pairs are points; anything else is no orbit.
        if stride as usize > 8 * self.points.len() {
            return None;
        }
        self.index = vec![UNKNOWN; stride as usize];
        for at in 0..self.points.len() {
            let members = self.members(at);
            let place = self.place(|position| members[position]);
            if std::mem::replace(&mut self.index[place], at as u32) != UNKNOWN {
                return None;
            }
        }
        Some(self)
    }
}

/// What is known while the orbits are looked at.
struct MemberSearch<'s> {
    generators: &'s [Perm],
    trees: Vec<ExchangeTree>,
    firsts: Vec<Point>,
    /// By generator, its set and the members that it exchanges.
    exchanged: Vec<(usize, Point, Point)>,
    /// By member, the generators that exchange it, with the other member.
    at_member: Vec<Vec<(usize, Point)>>,
    /// By point, the generators that move it, and where to.
    movers: Vec<Vec<(u32, Point)>>,
}

/// The members of a point: of each set one or two.
#[derive(Default)]
struct Tuple {
    members: Vec<Point>,
    sets: Vec<usize>,
    unordered: Option<usize>,
}

impl<'s> MemberSearch<'s> {
    fn new(degree: usize, generators: &'s [Perm], sets: &[Exchanged]) -> Self {
        let mut firsts = vec![0];
        let mut exchanged = vec![(0, 0, 0); generators.len()];
        for (number, set) in sets.iter().enumerate() {
            let first = firsts[number];
            for &(a, b, generator) in &set.exchanges {
                exchanged[generator] = (number, first + a as Point, first + b as Point);
            }
            firsts.push(first + set.points.len() as Point);
        }
        let mut at_member = vec![Vec::new(); firsts[sets.len()] as usize];
        for (generator, &(_, a, b)) in exchanged.iter().enumerate() {
            at_member[a as usize].push((generator, b));
            at_member[b as usize].push((generator, a));
        }
        let mut movers: Vec<Vec<(u32, Point)>> = vec![Vec::new(); degree];
        for (generator, number) in generators.iter().zip(0..) {
            poll();
            generator.pairs().for_each(|(x, y)| movers[x as usize].push((number, y)));
        }
        let trees = sets.iter().map(ExchangeTree::new).collect();
        Self { generators, trees, firsts, exchanged, at_member, movers }
    }

    /// The members of an orbit's points, checked.
    fn orbit(&self, points: Vec<Point>) -> Option<MemberOrbit> {
        poll();
        let Tuple { members, sets, unordered } = self.tuple(points[0])?;
        let axes = sets.iter().map(|&set| (self.firsts[set], 0)).collect();
        let sizes: Vec<u32> = sets.iter().map(|&set| self.firsts[set + 1] - self.firsts[set]).collect();
        let (arity, index) = (members.len(), Vec::new());
        let members = self.follow(&points, &members, unordered)?;
        let orbit = MemberOrbit { points, arity, members, unordered, axes, index };
        let orbit = orbit.indexed(&sizes)?;
        let moved = |at: usize| self.movers[orbit.points[at] as usize].len();
        let all = (0..orbit.points.len()).all(|at| moved(at) == self.touching(orbit.members(at), unordered));
        all.then_some(orbit)
    }

    /// The members of a point that exchanges tell.
    fn tuple(&self, point: Point) -> Option<Tuple> {
        let mut tuple = Tuple::default();
        let mut sets: Vec<usize> =
            self.movers[point as usize].iter().map(|&(mover, _)| self.exchanged[mover as usize].0).collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let of_set = self.members_of(set, point)?;
            if let [a, b] = *of_set
                && self.exchange(set, a, b, point) == point
            {
                // One such pair is enough for what there is.
                if tuple.unordered.replace(tuple.members.len()).is_some() {
                    return None;
                }
            }
            tuple.sets.extend(of_set.iter().map(|_| set));
            tuple.members.extend(of_set);
        }
        Some(tuple)
    }

    /// The members of a set that a point is about: those whose exchange with most others moves it.
    fn members_of(&self, set: usize, point: Point) -> Option<Vec<Point>> {
        let (first, end) = (self.firsts[set], self.firsts[set + 1]);
        let mut alike = Partition::discrete((end - first) as usize);
        let moving = &self.movers[point as usize];
        for member in first..end {
            for &(generator, other) in &self.at_member[member as usize] {
                if other > member
                    && moving.binary_search_by_key(&(generator as u32), |mover| mover.0).is_err()
                {
                    alike.join(member - first, other - first);
                }
            }
        }
        let mut classes = alike.classes();
        classes.sort_by_key(|class| std::cmp::Reverse(class.len()));
        // The point is about two members at most, so one of any three is like most.
        let found = (0..classes.len().min(3)).filter_map(|most| self.unlike(set, &classes, most, point));
        found.min_by_key(Vec::len)
    }

    /// The members of a set whose exchange with a member of one class moves a point, if they are one or two.
    fn unlike(&self, set: usize, classes: &[Vec<Point>], most: usize, point: Point) -> Option<Vec<Point>> {
        let first = self.firsts[set];
        let mut members = Vec::new();
        for class in classes.iter().filter(|class| class[0] != classes[most][0]) {
            poll();
            if self.exchange(set, first + classes[most][0], first + class[0], point) != point {
                members.extend(class.iter().map(|member| first + member));
            }
            if members.len() > 2 {
                return None;
            }
        }
        members.sort_unstable();
        (!members.is_empty()).then_some(members)
    }

    /// Where the exchange of two members takes a point.
    fn exchange(&self, set: usize, a: Point, b: Point, point: Point) -> Point {
        let first = self.firsts[set];
        let path = self.trees[set].path((a - first) as usize, (b - first) as usize);
        let there_and_back = path.iter().rev().chain(path.iter().skip(1));
        there_and_back.fold(point, |point, &number| self.generators[number].image(point))
    }

    /// The members of all points of an orbit, of which the first has the given ones: what generators do to
    /// points, they do to their members.
    fn follow(&self, points: &[Point], start: &[Point], unordered: Option<usize>) -> Option<Vec<Point>> {
        let arity = start.len();
        let place = |x: Point| points.binary_search(&x).expect("orbits are closed");
        let mut members = vec![UNKNOWN; points.len() * arity];
        members[..arity].copy_from_slice(start);
        let mut pending = vec![0];
        let mut image = vec![0; arity];
        while let Some(at) = pending.pop() {
            poll();
            for &(mover, to) in &self.movers[points[at] as usize] {
                let (_, a, b) = self.exchanged[mover as usize];
                let to = place(to);
                image.copy_from_slice(&members[at * arity..][..arity]);
                image.iter_mut().for_each(|member| match *member {
                    x if x == a => *member = b,
                    x if x == b => *member = a,
                    _ => {}
                });
                if let Some(first) = unordered {
                    image[first..first + 2].sort_unstable();
                }
                let known = &mut members[to * arity..][..arity];
                if known[0] == UNKNOWN {
                    known.copy_from_slice(&image);
                    pending.push(to);
                } else if *known != *image {
                    return None;
                }
            }
        }
        Some(members)
    }

    /// How many generators change a tuple.
    fn touching(&self, members: &[Point], unordered: Option<usize>) -> usize {
        let all: usize = members.iter().map(|&member| self.at_member[member as usize].len()).sum();
        // Those that exchange two of the tuple were counted twice, and do nothing where order is nothing.
        let within = |at: usize, other: usize| {
            let exchanges = self.at_member[members[at] as usize].iter();
            let count = exchanges.filter(|exchange| exchange.1 == members[other]).count();
            if unordered == Some(at) { 2 * count } else { count }
        };
        all - (1..members.len()).map(|at| within(at - 1, at)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Group;
    use crate::random::Random;

    /// Points for all tuples of members of each shape, and what permutations of members do to them. A shape
    /// is a list of sets; two positions of one set hold different members, in either order if it is said.
    struct World {
        sizes: Vec<usize>,
        tuples: Vec<(usize, Vec<(usize, usize)>)>,
        unordered: Vec<bool>,
    }

    impl World {
        fn new(sizes: &[usize], shapes: &[(&[usize], bool)]) -> World {
            let mut tuples = Vec::new();
            for (number, &(shape, unordered)) in shapes.iter().enumerate() {
                let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
                for &set in shape {
                    let longer = |tuple: &Vec<(usize, usize)>| {
                        let next = (0..sizes[set]).map(move |member| (set, member));
                        let tuple = tuple.clone();
                        let fits = move |next: &(usize, usize)| match tuple.last() {
                            Some(last) if unordered => last < next,
                            _ => !tuple.contains(next),
                        };
                        next.filter(fits).collect::<Vec<_>>()
                    };
                    all = all
                        .iter()
                        .flat_map(|tuple| {
                            longer(tuple).into_iter().map(|next| [&tuple[..], &[next]].concat())
                        })
                        .collect();
                }
                tuples.extend(all.into_iter().map(|tuple| (number, tuple)));
            }
            World { sizes: sizes.to_vec(), tuples, unordered: shapes.iter().map(|shape| shape.1).collect() }
        }

        fn swap(&self, set: usize, a: usize, b: usize) -> Perm {
            let swapped = |&(of, member): &(usize, usize)| match member {
                _ if of != set => (of, member),
                x if x == a => (of, b),
                x if x == b => (of, a),
                x => (of, x),
            };
            let images = self.tuples.iter().map(|(shape, tuple)| {
                let mut tuple: Vec<(usize, usize)> = tuple.iter().map(swapped).collect();
                if self.unordered[*shape] {
                    tuple.sort_unstable();
                }
                let to = (*shape, tuple);
                self.tuples.iter().position(|other| *other == to).unwrap() as Point
            });
            Perm::from_images(&images.collect::<Vec<_>>()).unwrap()
        }

        /// Swaps along a random tree of each set, and some more. One may be a swap of two sets instead, where
        /// there are others that take it apart.
        fn generators(&self, random: &mut Random) -> Vec<Perm> {
            let mut generators = Vec::new();
            let mut last = Vec::new();
            for (set, &size) in self.sizes.iter().enumerate() {
                generators.extend((1..size).map(|b| self.swap(set, random.below(b), b)));
                last.push(generators.len() - 1);
                if random.below(2) == 0 {
                    generators.push(self.swap(set, 0, size - 1));
                }
            }
            if random.below(2) == 0 && self.sizes.iter().all(|&size| size > 2) {
                generators[last[0]] = generators[last[0]].compose(&generators[last[1]]);
                if random.below(2) == 0 {
                    generators.remove(last[1]);
                }
            }
            generators
        }
    }

    /// Every product of swaps does to the points what it does to their members.
    fn acts(action: &MemberAction, degree: usize, generators: &[Perm], random: &mut Random) {
        let base = action.orbits().iter().filter(|orbit| orbit.arity() == 1);
        let base: Vec<&MemberOrbit> = base.collect();
        for _ in 0..40 {
            let mut perm = Perm::identity(degree);
            (0..10).for_each(|_| perm = perm.compose(&generators[random.below(generators.len())]));
            let mut to: Vec<Point> = (0..*action.sets().last().unwrap()).collect();
            for orbit in &base {
                for (at, &x) in orbit.points().iter().enumerate() {
                    let there = orbit.points().binary_search(&perm.image(x)).unwrap();
                    to[orbit.members(at)[0] as usize] = orbit.members(there)[0];
                }
            }
            let mut images: Vec<Point> = (0..degree as Point).collect();
            for orbit in action.orbits() {
                for (at, &x) in orbit.points().iter().enumerate() {
                    images[x as usize] = orbit.points()[orbit.image(at, &to)];
                }
            }
            assert_eq!(Perm::from_images(&images).unwrap(), perm);
        }
    }

    #[test]
    fn points_are_tuples() {
        let mut random = Random::new(3);
        let shapes: [&[(&[usize], bool)]; 6] = [
            &[(&[0], false), (&[1], false), (&[0, 1], false)],
            &[(&[0], false), (&[0, 0], false), (&[1], false)],
            &[(&[0, 0], true), (&[0], false), (&[1], false), (&[1, 0], false)],
            &[(&[0], false), (&[1], false), (&[0, 0, 1], false)],
            &[(&[1], false), (&[0], false), (&[0], false), (&[1, 1], true), (&[1, 1], false)],
            &[(&[1], false), (&[0], false), (&[1, 0, 0], false), (&[0, 1], false)],
        ];
        for sizes in [[2, 2], [3, 2], [2, 4], [4, 3], [3, 5], [5, 4]] {
            for shapes in shapes {
                let world = World::new(&sizes, shapes);
                let degree = world.tuples.len();
                let generators = world.generators(&mut random);
                let found = MemberAction::find(degree, &generators);
                let action = found.unwrap_or_else(|| panic!("{sizes:?} {shapes:?}"));
                let order = Group::chained(degree, &generators).order();
                assert_eq!(action.order(), order);
                assert_eq!(Group::generated(degree, &generators).order(), order);
                acts(&action, degree, &generators, &mut random);
            }
        }
    }

    /// A generator that turns three members, but the points that are about them the other way round.
    #[test]
    fn twisted_generators_are_refused() {
        let mut random = Random::new(23);
        let shapes: [&[(&[usize], bool)]; 3] = [
            &[(&[0], false), (&[1], false), (&[0, 1], false)],
            &[(&[0], false), (&[0, 0], false), (&[1], false)],
            &[(&[0], false), (&[1], false), (&[0, 0], true)],
        ];
        for sizes in [[3, 2], [4, 3], [5, 2]] {
            for shapes in shapes {
                let world = World::new(&sizes, shapes);
                let degree = world.tuples.len();
                let mut generators = world.generators(&mut random);
                let turn = world.swap(0, 0, 1).compose(&world.swap(0, 1, 2));
                let back = turn.inverse();
                let is_member = |x: Point| world.tuples[x as usize].1.len() == 1;
                let twisted = |x: Point| if is_member(x) { turn.image(x) } else { back.image(x) };
                generators
                    .push(Perm::from_images(&(0..degree as Point).map(twisted).collect::<Vec<_>>()).unwrap());
                assert!(MemberAction::find(degree, &generators).is_none(), "{sizes:?} {shapes:?}");
            }
        }
    }

    /// What is found is right for whatever generators, and much is not.
    #[test]
    fn what_is_found_is_right() {
        let mut random = Random::new(17);
        let (mut found, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let (members, more) = (2 + random.below(4), random.below(7));
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
            match MemberAction::find(degree, &generators) {
                Some(action) => {
                    assert_eq!(action.order(), Group::chained(degree, &generators).order(), "{generators:?}");
                    found += 1;
                }
                None => refused += 1,
            }
        }
        assert!(found > 2_000 && refused > 2_000, "{found} {refused}");
    }

    #[test]
    fn many_members_in_no_time() {
        let (clients, servers) = (300, 60);
        let degree = clients + servers + clients * servers;
        let swapped = |set: usize, a: usize, b: usize| {
            let swap = |of: usize, x: usize| match x {
                _ if of != set => x,
                x if x == a => b,
                x if x == b => a,
                x => x,
            };
            Perm::trusted(degree, |x| {
                let x = x as usize;
                (if x < clients {
                    swap(0, x)
                } else if x < clients + servers {
                    clients + swap(1, x - clients)
                } else {
                    let pair = x - clients - servers;
                    clients + servers + swap(0, pair / servers) * servers + swap(1, pair % servers)
                }) as Point
            })
        };
        // A path of clients, a star of servers.
        let mut generators: Vec<Perm> = (1..clients).map(|i| swapped(0, i - 1, i)).collect();
        generators.extend((1..servers).map(|j| swapped(1, 0, j)));
        let action = MemberAction::find(degree, &generators).unwrap();
        assert_eq!(action.order(), &Natural::factorial(300) * &Natural::factorial(60));
        acts(&action, degree, &generators, &mut Random::new(1));
    }
}
