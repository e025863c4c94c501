//! Groups of random generators that permute the members of some sets, where every point is a tuple of members
//! (or something that looks like one), with cells of several widths: representatives, permutations to them,
//! stabilisers and the rules that need not be looked at, against all elements of the group.

use burnside::Natural;
use burnside_explicit::Canoniser;
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::generate::Rng;
use burnside_ts::builder::{SystemBuilder, any};
use burnside_ts::{Permutation, SortGroup, SortId, Symmetry, System, bits};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So many images of a state are brought into order, and all of smaller orbits.
const MOST_IMAGES: usize = 24;
const STATES: usize = 7;
const MOST_POINTS: usize = 130;

/// By position its set; and the ways to write a tuple otherwise that make it no other point.
#[derive(Clone)]
struct Shape {
    sets: Vec<usize>,
    alike: Vec<Vec<usize>>,
}

impl Shape {
    fn ordered(sets: &[usize]) -> Shape {
        Shape { sets: sets.to_vec(), alike: Vec::new() }
    }

    fn unordered(sets: &[usize], ways: &[&[usize]]) -> Shape {
        Shape { sets: sets.to_vec(), alike: ways.iter().map(|way| way.to_vec()).collect() }
    }

    /// One for random sets, most of them tuples that can be recognised.
    fn random(rng: &mut Rng, sizes: &[usize]) -> Shape {
        let s = rng.below(sizes.len());
        let t = (s + 1 + rng.below((sizes.len() - 1).max(1))) % sizes.len();
        let two = s != t;
        let swapped: &[&[usize]] = &[&[1, 0]];
        match rng.below(16) {
            0 | 1 => Shape::ordered(&[s, s]),
            2 | 3 => Shape::unordered(&[s, s], swapped),
            4..=7 if two => Shape::ordered(&[s, t]),
            8 if two => Shape::ordered(&[s, s, t]),
            9 if two => Shape::unordered(&[s, s, t], &[&[1, 0, 2]]),
            10 if two => Shape::unordered(&[t, s, s], &[&[0, 2, 1]]),
            11 if sizes.len() > 2 => Shape::ordered(&[0, 1, 2]),
            12 if sizes[s] < 5 => Shape::ordered(&[s, s, s]),
            13 if two => Shape::unordered(&[s, s, t, t], &[&[1, 0, 2, 3], &[0, 1, 3, 2], &[1, 0, 3, 2]]),
            // Halves of four members; whether an order of three is even.
            14 if sizes[s] == 4 => Shape::unordered(&[s; 4], &HALVES),
            15 if sizes[s] == 3 => Shape::unordered(&[s; 3], &[&[1, 2, 0], &[2, 0, 1]]),
            _ => Shape::ordered(&[s]),
        }
    }

    /// The least way to write a tuple.
    fn normal(&self, tuple: &[usize]) -> Vec<usize> {
        let ways = self.alike.iter().map(|way| way.iter().map(|&at| tuple[at]).collect());
        ways.chain([tuple.to_vec()]).min().unwrap_or_default()
    }

    /// All tuples of different members.
    fn tuples(&self, firsts: &[usize]) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for &set in &self.sets {
            let members = firsts[set]..firsts[set + 1];
            let longer = |tuple: &Vec<usize>| {
                let fits = members.clone().filter(|member| !tuple.contains(member)).collect::<Vec<_>>();
                fits.into_iter().map(|member| [&tuple[..], &[member]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let normal: BTreeSet<Vec<usize>> = all.iter().map(|tuple| self.normal(tuple)).collect();
        normal.into_iter().collect()
    }
}

const HALVES: [&[usize]; 7] =
    [&[1, 0, 2, 3], &[0, 1, 3, 2], &[1, 0, 3, 2], &[2, 3, 0, 1], &[3, 2, 0, 1], &[2, 3, 1, 0], &[3, 2, 1, 0]];

/// What an element of a sort is: a tuple of some shape, or nothing that moves.
type Element = Option<(usize, Vec<usize>)>;

/// Sorts of tuples, and a group.
struct World {
    shapes: Vec<Shape>,
    firsts: Vec<usize>,
    sorts: Vec<Vec<Element>>,
    /// By sort, its columns, each with the widths of its pieces.
    columns: Vec<Vec<&'static [u32]>>,
    rules: usize,
    generators: Vec<Vec<Vec<u32>>>,
    /// By element of the group and sort, the images of its elements.
    group: BTreeSet<Vec<Vec<u32>>>,
}

/// Brings items into some order.
fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    (1..items.len()).for_each(|i| items.swap(i, rng.below(i + 1)));
}

/// Permutations of all members: exchanges along a tree of each set, with changes that may make the group
/// another one.
fn exchanges(rng: &mut Rng, firsts: &[usize]) -> Vec<Vec<usize>> {
    let count = firsts[firsts.len() - 1];
    let exchange = |a: usize, b: usize| {
        let mut images: Vec<usize> = (0..count).collect();
        images.swap(a, b);
        images
    };
    let mut all = Vec::new();
    for set in firsts.windows(2) {
        let (first, end) = (set[0], set[1]);
        let cycles = rng.chance(15);
        if cycles {
            let mut cycle: Vec<usize> = (0..count).collect();
            cycle[first..end].rotate_left(1);
            all.push(cycle);
        }
        let last = if cycles { first + 2 } else { end };
        all.extend((first + 1..last).map(|b| exchange(first + rng.below(b - first), b)));
        if rng.chance(30) {
            all.push(exchange(first, end - 1));
        }
    }
    if rng.chance(25) {
        let (a, b) = (rng.below(all.len()), rng.below(all.len()));
        all[a] = all[b].iter().map(|&member| all[a][member]).collect();
    }
    if all.len() > 2 && rng.chance(12) {
        all.remove(rng.below(all.len()));
    }
    all.retain(|images| (0..).zip(images).any(|(member, &to)| member != to));
    shuffle(rng, &mut all);
    all
}

impl World {
    fn random(rng: &mut Rng) -> Option<World> {
        let sizes: &[&[usize]] = &[
            &[5, 4],
            &[4, 5],
            &[6, 2],
            &[2, 6],
            &[6, 3],
            &[4, 3],
            &[3, 3],
            &[5],
            &[6],
            &[4, 4, 2],
            &[5, 3, 2],
            &[3, 4, 2],
        ];
        let sizes = *rng.pick(sizes);
        let mut firsts = vec![0];
        sizes.iter().for_each(|size| firsts.push(firsts[firsts.len() - 1] + size));
        let mut shapes: Vec<Shape> = (0..sizes.len()).map(|set| Shape::ordered(&[set])).collect();
        shapes.retain(|_| rng.chance(85));
        (0..rng.between(1, 4)).for_each(|_| shapes.push(Shape::random(rng, sizes)));
        shuffle(rng, &mut shapes);
        let ruled = 1 + rng.below(2);
        (0..ruled).for_each(|_| shapes.push(Shape::random(rng, sizes)));
        let mut world = World {
            firsts,
            sorts: Vec::new(),
            columns: Vec::new(),
            rules: 0,
            generators: Vec::new(),
            group: BTreeSet::new(),
            shapes,
        };
        world.lay_out(rng, ruled);
        let points = world.sorts.iter().map(Vec::len).sum::<usize>();
        if points > MOST_POINTS || world.sorts.iter().any(Vec::is_empty) {
            return None;
        }
        let moves = exchanges(rng, &world.firsts);
        world.generate(&moves);
        Some(world)
    }

    /// Gives sorts to the shapes, the last ones to the rules, and columns to the other sorts.
    fn lay_out(&mut self, rng: &mut Rng, ruled: usize) {
        let widths: [&[u32]; 7] = [&[1], &[2], &[3], &[17], &[35, 35], &[40], &[40]];
        for (number, shape) in self.shapes.iter().enumerate() {
            let elements = shape.tuples(&self.firsts).into_iter().map(|tuple| Some((number, tuple)));
            let is_rule = number + ruled >= self.shapes.len();
            let joins = if is_rule { number + ruled > self.shapes.len() } else { rng.chance(25) };
            match self.sorts.last_mut().filter(|_| joins) {
                Some(sort) => sort.extend(elements),
                None => self.sorts.push(elements.collect()),
            }
        }
        let count = self.sorts.len();
        for (number, sort) in self.sorts.iter_mut().enumerate() {
            sort.extend((0..rng.below(3)).map(|_| None));
            shuffle(rng, sort);
            let columns = if number + 1 == count { 0 } else { 1 + rng.below(2) * rng.below(3) };
            self.columns.push((0..columns).map(|_| *rng.pick(&widths)).collect());
        }
        // The rules need not be last.
        self.rules = rng.below(count);
        self.sorts.swap(self.rules, count - 1);
        self.columns.swap(self.rules, count - 1);
    }

    /// All products of generators, first of members and with them of points.
    fn generate(&mut self, moves: &[Vec<usize>]) {
        let place = |sort: &[Element]| -> HashMap<Element, u32> { sort.iter().cloned().zip(0..).collect() };
        let places: Vec<HashMap<Element, u32>> = self.sorts.iter().map(|sort| place(sort)).collect();
        let image = |by: &[usize], (shape, tuple): &(usize, Vec<usize>)| {
            let moved: Vec<usize> = tuple.iter().map(|&member| by[member]).collect();
            Some((*shape, self.shapes[*shape].normal(&moved)))
        };
        for by in moves {
            let of_sort = |(sort, places): (&Vec<Element>, &HashMap<Element, u32>)| {
                let to = |(at, element): (u32, &Element)| {
                    element.as_ref().map_or(at, |element| places[&image(by, element)])
                };
                (0..).zip(sort).map(to).collect::<Vec<u32>>()
            };
            self.generators.push(self.sorts.iter().zip(&places).map(of_sort).collect());
        }
        let identity = |size: usize| (0..size as u32).collect::<Vec<u32>>();
        let start: Vec<usize> = (0..self.firsts[self.firsts.len() - 1]).collect();
        let mut seen = BTreeSet::from([start.clone()]);
        let sorts: Vec<Vec<u32>> = self.sorts.iter().map(|sort| identity(sort.len())).collect();
        let mut pending = vec![(start, sorts)];
        while let Some((members, sorts)) = pending.pop() {
            for (by, images) in moves.iter().zip(&self.generators) {
                let next: Vec<usize> = members.iter().map(|&member| by[member]).collect();
                if seen.insert(next.clone()) {
                    let moved = |(sort, by): (&Vec<u32>, &Vec<u32>)| {
                        sort.iter().map(|&element| by[element as usize]).collect()
                    };
                    pending.push((next, sorts.iter().zip(images).map(moved).collect()));
                }
            }
            self.group.insert(sorts);
        }
    }

    fn system(&self) -> System {
        let mut b = SystemBuilder::new();
        for (number, (sort, columns)) in self.sorts.iter().zip(&self.columns).enumerate() {
            let sort = b.symmetric(&format!("Sort{number}"), sort.len() as u32);
            for (at, pieces) in columns.iter().enumerate() {
                let mut ty = b.range(0, (1i64 << pieces[0]) - 1);
                if pieces.len() > 1 {
                    let index = b.range(0, pieces.len() as i64 - 1);
                    ty = b.array(index, ty);
                }
                let ty = b.array(sort, ty);
                b.var(&format!("v{number}_{at}"), ty, any());
            }
        }
        let generators =
            self.generators.iter().map(|images| (&Permutation { images: images.clone() }).into());
        let fixed = Symmetry::product(vec![SortGroup::Fixed; self.sorts.len()]);
        let generators = generators.collect();
        let symmetry = Symmetry { generators, ..fixed };
        System { symmetry, rule_sort: Some(SortId(self.rules as u32)), ..b.build().unwrap() }
    }

    /// By sort and element, what its cells hold, as one letter of those of the sort: zero holds nothing.
    /// Members of one colour are often alike.
    fn state(&self, rng: &mut Rng, salt: u64) -> Vec<Vec<u64>> {
        let colours = 1 + rng.below(3);
        let colour: Vec<usize> =
            self.firsts.iter().flat_map(|_| [0; 7]).map(|_| rng.below(colours)).collect();
        let (zero, noise, letters) = (rng.below(100) as u32, rng.pick(&[0, 0, 3, 30]), 2 + rng.below(3));
        let mut known: BTreeMap<(usize, Element), u64> = BTreeMap::new();
        let mut letter = |rng: &mut Rng, sort: usize, element: &Element| {
            let coloured = element.as_ref().map(|(shape, tuple)| {
                let colours: Vec<usize> = tuple.iter().map(|&member| colour[member]).collect();
                (*shape, self.shapes[*shape].normal(&colours))
            });
            let any = |rng: &mut Rng| if rng.chance(zero) { 0 } else { rng.below(letters) as u64 };
            if rng.chance(*noise) {
                return any(rng);
            }
            *known.entry((sort, coloured)).or_insert_with(|| any(rng))
        };
        let sorts = self.sorts.iter().enumerate().filter(|(sort, _)| *sort != self.rules);
        let mut state: Vec<Vec<u64>> = vec![Vec::new(); self.sorts.len()];
        for (sort, elements) in sorts {
            // Letters that hold the same are one.
            let holds = |letter: u64| {
                let columns = self.columns[sort].iter().enumerate();
                columns.map(|(number, pieces)| numbers(salt, letter, number, pieces)).collect::<Vec<_>>()
            };
            let same = |letter: u64| (0..letter).find(|&less| holds(less) == holds(letter)).unwrap_or(letter);
            state[sort] = elements.iter().map(|element| same(letter(rng, sort, element))).collect();
        }
        state
    }

    /// A state in words, with other numbers for another `salt`.
    fn words(&self, system: &System, salt: u64, state: &[Vec<u64>]) -> Vec<u64> {
        let mut words = vec![0; system.words() + bits::SPARE];
        let mut vars = system.vars.iter();
        for (letters, columns) in state.iter().zip(&self.columns) {
            for (number, pieces) in columns.iter().enumerate() {
                let mut offset = vars.next().unwrap().offset;
                for &letter in letters {
                    for (&width, value) in pieces.iter().zip(numbers(salt, letter, number, pieces)) {
                        bits::write(&mut words, offset, width, value);
                        offset += width;
                    }
                }
            }
        }
        words.truncate(system.words());
        words
    }
}

/// What a letter puts into the pieces of a column.
fn numbers(salt: u64, letter: u64, column: usize, pieces: &[u32]) -> Vec<u64> {
    let mut rng = Rng::new(salt ^ letter << 8 ^ column as u64);
    // Often but one bit, so that none may be lost.
    let mut number = |width: u32| match rng.below(4) {
        0 => 0,
        1 => rng.bits() & ((1 << width) - 1),
        _ => 1 << rng.below(width as usize),
    };
    pieces.iter().map(|&width| if letter == 0 { 0 } else { number(width) }).collect()
}

/// Whether an element leaves a state as it is.
fn fixes(by: &[Vec<u32>], state: &[Vec<u64>]) -> bool {
    let fixed = |(letters, by): (&Vec<u64>, &Vec<u32>)| {
        letters.iter().zip(by).all(|(&letter, &to)| letters[to as usize] == letter)
    };
    state.iter().zip(by).all(fixed)
}

fn moved(by: &[Vec<u32>], state: &[Vec<u64>]) -> Vec<Vec<u64>> {
    let mut image = state.to_vec();
    for ((image, letters), by) in image.iter_mut().zip(state).zip(by) {
        letters.iter().zip(by).for_each(|(&letter, &to)| image[to as usize] = letter);
    }
    image
}

/// All that is said of a state; how many rules need not be looked at.
fn judge(world: &World, canoniser: &mut Canoniser<'_>, rng: &mut Rng, system: &System) -> usize {
    let salt = rng.bits();
    let state = world.state(rng, salt);
    let words = |state: &[Vec<u64>]| world.words(system, salt, state);
    let packed = words(&state);
    let mut out = packed.clone();
    let permutation = canoniser.canonise(&packed, &mut out).clone();
    let known = canoniser.known_stabiliser();
    assert!(world.group.contains(&permutation.images), "not of the group: {permutation:?}");
    assert_eq!(words(&moved(&permutation.images, &state)), out, "moved otherwise");
    let fixing: Vec<&Vec<Vec<u32>>> = world.group.iter().filter(|by| fixes(by, &state)).collect();
    let order = Natural::from(fixing.len());
    assert_eq!(canoniser.stabiliser(&out), order, "stabiliser of the representative");
    assert_eq!(canoniser.stabiliser(&packed), order, "stabiliser of the state");
    assert!(known.is_none_or(|known| Natural::from(known) == order), "known stabiliser {known:?}");
    let size = Natural::from(world.group.len()).exact_div(&order);
    assert_eq!(canoniser.orbit(&out), Some(size), "size of the orbit");
    let step = (world.group.len() / MOST_IMAGES).max(1);
    let mut other = out.clone();
    for by in world.group.iter().skip(rng.below(step)).step_by(step) {
        canoniser.canonise(&words(&moved(by, &state)), &mut other);
        assert_eq!(other, out, "two representatives: {by:?}");
    }
    let covered = canoniser.covered(&packed).map(<[bool]>::to_vec).unwrap_or_default();
    let mut reached: Vec<bool> = covered.iter().map(|covered| !covered).collect();
    for by in &fixing {
        let to = |rule: usize| by[world.rules][rule] as usize;
        (0..covered.len()).for_each(|rule| reached[rule] |= !covered[to(rule)]);
    }
    assert!(reached.iter().all(|reached| *reached), "rules left out: {covered:?}");
    covered.iter().filter(|covered| **covered).count()
}

#[test]
fn tuples_by_brute_force() {
    let (mut worlds, mut large, mut covered) = (0, 0, 0);
    for seed in seeds(0..200) {
        let mut rng = Rng::new(seed);
        let Some(world) = World::random(&mut rng) else { continue };
        let system = world.system();
        let mut canoniser = Canoniser::new(&system, &system.symmetry, true);
        assert!(canoniser.is_exact());
        assert_eq!(canoniser.order(), Natural::from(world.group.len()));
        worlds += 1;
        large += usize::from(world.group.len() > 1_000);
        covered += (0..STATES).map(|_| judge(&world, &mut canoniser, &mut rng, &system)).sum::<usize>();
    }
    if are_all() {
        assert!(worlds > 150 && large > 60 && covered > 2_500, "{worlds} {large} {covered}");
    }
}
