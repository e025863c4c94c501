//! Canonical states of random systems with variables of every shape, under groups of every kind, against all
//! elements of the group by brute force: representatives, permutations to them, stabilisers, classes of
//! members that can be swapped, and numbers of states.

use burnside::{Natural, Weighing};
use burnside_explicit::{Canoniser, search};
use burnside_limits::{Interrupt, Limits};
use burnside_testkit::cases::{are_all, seeds};
use burnside_ts::builder::{SystemBuilder, any};
use burnside_ts::{
    Action, AnyMachine, Binder, Expr, Fault, Foreign, InitialSink, Machine, Outcome, Permutation, Question,
    Sink, SortGroup, SortId, SparsePermutation, StepFilter, Symmetry, System, Type, TypeId, Types, Undefined,
    Walk, bits,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % bound
    }

    fn up_to(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(u64::from(most - least) + 1) as u32
    }

    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    fn shuffled(&mut self, count: u32) -> Vec<u32> {
        let mut items: Vec<u32> = (0..count).collect();
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
        items
    }
}

/// How the members of some sorts are moved.
struct Plan {
    sizes: Vec<u32>,
    symmetry: Symmetry,
    /// All elements of the group.
    elements: BTreeSet<Vec<Vec<u32>>>,
}

const MOST_ELEMENTS: usize = 300;

/// So many images of a state are brought into order, and more of smaller orbits.
const MOST_IMAGES: usize = 60;

impl Plan {
    /// A random one with few elements, but not without any.
    fn new(random: &mut Random) -> Plan {
        loop {
            let plan = Plan::any(random);
            if (2..=MOST_ELEMENTS).contains(&plan.elements.len()) {
                return plan;
            }
        }
    }

    fn any(random: &mut Random) -> Plan {
        let count = random.up_to(1, 3);
        let (mut sizes, mut sorts, mut mirrored, mut still) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for sort in 0..count as usize {
            let (size, group) = match random.below(9) {
                0..=3 => {
                    let size = random.up_to(2, if count == 1 { 5 } else { 4 });
                    (size, SortGroup::full((0..size).collect()))
                }
                4 => blocks(random),
                5 => (random.up_to(2, 5), SortGroup::Rotations),
                6 => {
                    mirrored.push(sort);
                    (random.up_to(3, 5), SortGroup::Fixed)
                }
                _ => {
                    still.push(sort);
                    (random.up_to(1, 4), SortGroup::Fixed)
                }
            };
            sizes.push(size);
            sorts.push(group);
        }
        let mut symmetry = Symmetry::product(sorts);
        let identity: Vec<Vec<u32>> = sizes.iter().map(|&size| (0..size).collect()).collect();
        for sort in mirrored {
            let n = sizes[sort];
            for image in [&|x| (x + 1) % n, &|x| (n - x) % n] as [&dyn Fn(u32) -> u32; 2] {
                let mut images = identity.clone();
                images[sort] = (0..n).map(image).collect();
                symmetry.generators.push((&Permutation { images }).into());
            }
        }
        if !still.is_empty() && random.below(2) == 0 {
            for _ in 0..random.up_to(1, 2) {
                let mut images = identity.clone();
                still.iter().for_each(|&sort| images[sort] = random.shuffled(sizes[sort]));
                symmetry.generators.extend((images != identity).then(|| (&Permutation { images }).into()));
            }
        }
        Plan::of(sizes, symmetry, MOST_ELEMENTS)
    }

    /// With all elements, or some more than are wanted.
    fn of(sizes: Vec<u32>, symmetry: Symmetry, most: usize) -> Plan {
        let identity: Vec<Vec<u32>> = sizes.iter().map(|&size| (0..size).collect()).collect();
        let elements = elements(&identity, &symmetry, most);
        Plan { sizes, symmetry, elements }
    }
}

/// Some blocks of a sort, with members that stay.
fn blocks(random: &mut Random) -> (u32, SortGroup) {
    let size = random.up_to(3, 6);
    let members = random.shuffled(size);
    let (first, second) = (random.up_to(2, 3) as usize, random.up_to(0, 2) as usize);
    let mut blocks = Vec::new();
    for range in [0..first, first..first + second] {
        let mut block = members.get(range).unwrap_or(&[]).to_vec();
        block.sort_unstable();
        blocks.extend((block.len() > 1).then_some(block));
    }
    blocks.sort_unstable();
    (size, SortGroup::Full(blocks))
}

/// Where a generator takes the elements of all sorts.
fn written(identity: &[Vec<u32>], generator: &SparsePermutation) -> Vec<Vec<u32>> {
    let mut images = identity.to_vec();
    generator.moved().iter().for_each(|&(sort, from, to)| images[sort.index()][from as usize] = to);
    images
}

/// All elements of a group, or some more than are wanted.
fn elements(identity: &[Vec<u32>], symmetry: &Symmetry, most: usize) -> BTreeSet<Vec<Vec<u32>>> {
    let mut generators: Vec<Vec<Vec<u32>>> =
        symmetry.generators.iter().map(|permutation| written(identity, permutation)).collect();
    for (sort, group) in symmetry.sorts.iter().enumerate() {
        let mut add = |images: Vec<u32>| {
            let mut generator = identity.to_vec();
            generator[sort] = images;
            generators.push(generator);
        };
        let size = identity[sort].len() as u32;
        match group {
            SortGroup::Fixed => {}
            SortGroup::Rotations => add((0..size).map(|x| (x + 1) % size).collect()),
            SortGroup::Full(blocks) => {
                for pair in blocks.iter().flat_map(|block| block.windows(2)) {
                    let mut images = identity[sort].clone();
                    images.swap(pair[0] as usize, pair[1] as usize);
                    add(images);
                }
            }
        }
    }
    let mut all = BTreeSet::from([identity.to_vec()]);
    let mut next = vec![identity.to_vec()];
    while let Some(element) = next.pop()
        && all.len() <= most
    {
        for generator in &generators {
            let pairs = element.iter().zip(generator);
            let product: Vec<Vec<u32>> =
                pairs.map(|(a, b)| a.iter().map(|&x| b[x as usize]).collect()).collect();
            if all.insert(product.clone()) {
                next.push(product);
            }
        }
    }
    all
}

/// Makes types.
struct Shapes<'r> {
    b: SystemBuilder,
    sorts: Vec<TypeId>,
    serial: u32,
    random: &'r mut Random,
}

impl Shapes<'_> {
    fn plain(&mut self) -> TypeId {
        match self.random.below(8) {
            0 => self.b.range(3, 3),
            1 => self.b.range(-1, 3),
            2 => self.b.range(0, 1 << 17),
            3 => self.b.range(0, 1 << 40),
            4 => self.b.range(0, 2),
            _ => self.b.truth(),
        }
    }

    fn sort(&mut self) -> TypeId {
        self.random.of(&self.sorts)
    }

    /// A type with numbers.
    fn index(&mut self) -> TypeId {
        let sort = self.sort();
        match self.random.below(16) {
            0 => self.b.optional(sort),
            1 => {
                let inner = self.b.optional(sort);
                self.b.optional(inner)
            }
            2 => {
                let other = self.sort();
                self.record(&[sort, other])
            }
            3 => {
                let truth = self.b.truth();
                self.record(&[truth, sort])
            }
            4 => self.b.set(sort),
            5 => {
                let truth = self.b.truth();
                self.b.array(sort, truth)
            }
            6 => {
                let pair = self.record(&[sort]);
                self.b.optional(pair)
            }
            7 => self.b.range(1, 2),
            _ => sort,
        }
    }

    fn record(&mut self, parts: &[TypeId]) -> TypeId {
        self.serial += 1;
        let names = ["a", "b", "c"];
        let fields: Vec<(&str, TypeId)> = names.into_iter().zip(parts.iter().copied()).collect();
        let name = if self.random.below(2) == 0 { String::new() } else { format!("Record{}", self.serial) };
        self.b.record(&name, &fields)
    }

    fn any(&mut self, depth: u32) -> TypeId {
        if depth == 0 {
            let sort = self.sort();
            return match self.random.below(5) {
                0 | 1 => self.plain(),
                2 => self.b.optional(sort),
                _ => sort,
            };
        }
        match self.random.below(20) {
            18 | 19 => self.guarded(),
            0..=5 => {
                let (index, element) = (self.index(), self.any(depth - 1));
                self.b.array(index, element)
            }
            6 | 7 => {
                let element = self.index();
                self.b.set(element)
            }
            8 | 9 => {
                let count = self.random.up_to(1, 3);
                let parts: Vec<TypeId> = (0..count).map(|_| self.any(depth - 1)).collect();
                self.record(&parts)
            }
            10 | 11 => {
                let (capacity, element) = (self.random.up_to(1, 3), self.any(depth - 1));
                self.b.queue(capacity, element)
            }
            12 | 13 => {
                let (capacity, element) = (self.random.up_to(1, 3), self.any(depth - 1));
                self.b.bag(capacity, element)
            }
            14..=16 => {
                let inner = self.any(depth - 1);
                self.b.optional(inner)
            }
            _ => self.any(0),
        }
    }
}

impl Shapes<'_> {
    /// For each member something that may be there or not, and say nothing if it is there.
    fn guarded(&mut self) -> TypeId {
        let [holder, sort] = [self.sort(), self.sort()];
        let maybe = self.b.optional(sort);
        let inner = match self.random.below(5) {
            0 => self.b.set(sort),
            1 => {
                let plain = self.plain();
                self.b.array(sort, plain)
            }
            2 => {
                let plain = self.plain();
                self.record(&[maybe, plain])
            }
            3 => self.record(&[maybe, sort]),
            _ => maybe,
        };
        let element = match self.random.below(3) {
            0 => self.b.queue(2, inner),
            1 => self.b.bag(2, inner),
            _ => self.b.optional(inner),
        };
        self.b.array(holder, element)
    }
}

/// A system of variables with random types.
fn world(plan: &Plan, random: &mut Random) -> System {
    loop {
        let mut b = SystemBuilder::new();
        let sorts =
            plan.sizes.iter().enumerate().map(|(i, &size)| b.symmetric(&format!("S{i}"), size)).collect();
        let mut shapes = Shapes { b, sorts, serial: 0, random };
        for i in 0..shapes.random.up_to(1, 4) {
            let depth = shapes.random.up_to(0, 3);
            let ty = shapes.any(depth);
            shapes.b.var(&format!("v{i}"), ty, any());
        }
        match shapes.b.build() {
            Ok(system) if system.words() <= 24 => {
                return System { symmetry: plan.symmetry.clone(), ..system };
            }
            _ => {}
        }
    }
}

/// How the numbers of a state are chosen.
#[derive(Clone, Copy)]
enum Palette {
    /// All of them.
    Any,
    /// The first ones.
    Few,
    /// Mostly zero.
    Sparse,
}

struct Writer<'w> {
    types: &'w Types,
    random: &'w mut Random,
    palette: Palette,
    out: Vec<u64>,
}

impl Writer<'_> {
    fn number(&mut self, bound: u64) -> u64 {
        match self.palette {
            Palette::Any => self.random.below(bound),
            Palette::Few => self.random.below(bound.min(2)),
            Palette::Sparse => self.random.below(bound) * u64::from(self.random.below(4) == 0),
        }
    }

    /// Writes a value, as the interpreter keeps it but for the order of bags.
    fn value(&mut self, ty: TypeId, at: u32) {
        let types = self.types;
        match *types.get(ty) {
            Type::Array { index, element } => {
                let (count, width) = (types.size(index).unwrap() as u32, types.width(element));
                let repeated = self.random.below(8) == 0;
                for i in 0..count {
                    match repeated && i > 0 {
                        true => bits::copy_within(&mut self.out, at + i * width, at, width),
                        false => self.value(element, at + i * width),
                    }
                }
            }
            Type::Record(id) => {
                types.record(id).fields.iter().for_each(|field| self.value(field.ty, at + field.offset));
            }
            Type::Option(inner) if !types.is_scalar(ty) => {
                if self.number(2) == 1 {
                    bits::write(&mut self.out, at, 1, 1);
                    self.value(inner, at + 1);
                }
            }
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                let length = self.number(u64::from(capacity) + 1);
                bits::write(&mut self.out, at, slots.length, length);
                (0..length as u32).for_each(|i| self.value(element, at + slots.offset(i)));
            }
            Type::Set(_) => {
                for i in 0..types.width(ty) {
                    let bit = self.number(2);
                    bits::write(&mut self.out, at + i, 1, bit);
                }
            }
            _ => {
                let number = self.number(types.size(ty).unwrap());
                bits::write(&mut self.out, at, types.width(ty), number);
            }
        }
    }
}

/// What bits mean, without an order where there is none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Number(u64),
    Member(SortId, u32),
    Nothing,
    Something(Box<Meaning>),
    Parts(Vec<Meaning>),
    Map(BTreeMap<Meaning, Meaning>),
    Set(BTreeSet<Meaning>),
    /// Sorted.
    Bag(Vec<Meaning>),
}

impl Meaning {
    fn read(types: &Types, ty: TypeId, state: &[u64], at: u32) -> Meaning {
        let part = |ty: TypeId, distance: u32| Meaning::read(types, ty, state, at + distance);
        match *types.get(ty) {
            Type::Array { index, element } => {
                let width = types.width(element);
                let entry = |i: u64| (Meaning::numbered(types, index, i), part(element, i as u32 * width));
                Meaning::Map((0..types.size(index).unwrap()).map(entry).collect())
            }
            Type::Record(id) => {
                Meaning::Parts(types.record(id).fields.iter().map(|f| part(f.ty, f.offset)).collect())
            }
            Type::Option(inner) if !types.is_scalar(ty) => match bits::read(state, at, 1) {
                0 => Meaning::Nothing,
                _ => Meaning::Something(Box::new(part(inner, 1))),
            },
            Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                let length = bits::read(state, at, slots.length) as u32;
                let mut parts: Vec<Meaning> = (0..length).map(|i| part(element, slots.offset(i))).collect();
                match types.get(ty) {
                    Type::Queue { .. } => Meaning::Parts(parts),
                    _ => {
                        parts.sort();
                        Meaning::Bag(parts)
                    }
                }
            }
            Type::Set(element) => {
                let members = (0..types.width(ty)).filter(|&i| bits::read(state, at + i, 1) == 1);
                Meaning::Set(members.map(|i| Meaning::numbered(types, element, u64::from(i))).collect())
            }
            _ => Meaning::numbered(types, ty, bits::read(state, at, types.width(ty))),
        }
    }

    fn numbered(types: &Types, ty: TypeId, number: u64) -> Meaning {
        let size = |ty: TypeId| types.size(ty).unwrap();
        // Digits, the last one first.
        let mut rest = number;
        let mut digit = |ty: TypeId| {
            let digit = rest % size(ty);
            rest /= size(ty);
            Meaning::numbered(types, ty, digit)
        };
        match *types.get(ty) {
            Type::Sort(sort) => Meaning::Member(sort, number as u32),
            Type::Option(_) if number == 0 => Meaning::Nothing,
            Type::Option(inner) => Meaning::Something(Box::new(Meaning::numbered(types, inner, number - 1))),
            Type::Record(id) => {
                let mut parts: Vec<_> = types.record(id).fields.iter().rev().map(|f| digit(f.ty)).collect();
                parts.reverse();
                Meaning::Parts(parts)
            }
            Type::Array { index, element } => {
                let indices = (0..size(index)).rev().map(|i| Meaning::numbered(types, index, i));
                Meaning::Map(indices.map(|i| (i, digit(element))).collect())
            }
            Type::Set(element) => {
                let members = (0..size(element)).filter(|i| number >> i & 1 == 1);
                Meaning::Set(members.map(|i| Meaning::numbered(types, element, i)).collect())
            }
            _ => Meaning::Number(number),
        }
    }

    fn moved(&self, by: &[Vec<u32>]) -> Meaning {
        let all = |parts: &[Meaning]| -> Vec<Meaning> { parts.iter().map(|part| part.moved(by)).collect() };
        match self {
            Meaning::Number(_) | Meaning::Nothing => self.clone(),
            Meaning::Member(sort, member) => Meaning::Member(*sort, by[sort.index()][*member as usize]),
            Meaning::Something(inner) => Meaning::Something(Box::new(inner.moved(by))),
            Meaning::Parts(parts) => Meaning::Parts(all(parts)),
            Meaning::Map(map) => {
                Meaning::Map(map.iter().map(|(i, element)| (i.moved(by), element.moved(by))).collect())
            }
            Meaning::Set(members) => Meaning::Set(members.iter().map(|member| member.moved(by)).collect()),
            Meaning::Bag(parts) => {
                let mut parts = all(parts);
                parts.sort();
                Meaning::Bag(parts)
            }
        }
    }

    fn of_state(system: &System, state: &[u64]) -> Vec<Meaning> {
        let padded = [state, &[0; bits::SPARE]].concat();
        system.vars.iter().map(|var| Meaning::read(&system.types, var.ty, &padded, var.offset)).collect()
    }
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

fn state(system: &System, random: &mut Random) -> Vec<u64> {
    let palette = random.of(&[Palette::Any, Palette::Any, Palette::Few, Palette::Few, Palette::Sparse]);
    let out = vec![0; system.words() + bits::SPARE];
    let mut writer = Writer { types: &system.types, random, palette, out };
    for var in &system.vars {
        if writer.random.below(8) > 0 {
            writer.value(var.ty, var.offset);
        }
    }
    let mut out = writer.out;
    out.truncate(system.words());
    out
}

/// What was seen.
#[derive(Debug, Default)]
struct Seen {
    states: usize,
    symmetric: usize,
    images: usize,
    /// Worlds with states that were too hard.
    too_hard: usize,
}

/// So many states of each world are looked at.
const STATES: usize = 8;

/// A world with what canonises its states.
struct Trial<'s> {
    system: &'s System,
    action: Action<'s>,
    plan: &'s Plan,
    elements: Vec<Permutation>,
    exact: Canoniser<'s>,
    fast: Canoniser<'s>,
    /// Gives up early.
    limited: Canoniser<'s>,
}

impl<'s> Trial<'s> {
    fn new(system: &'s System, plan: &'s Plan, work: u64) -> Self {
        let permutation = |images: &Vec<Vec<u32>>| Permutation { images: images.clone() };
        let canoniser = |exact: bool| Canoniser::new(system, &plan.symmetry, exact);
        let trial = Trial {
            system,
            action: Action::new(system),
            plan,
            elements: plan.elements.iter().map(permutation).collect(),
            exact: canoniser(true),
            fast: canoniser(false),
            limited: canoniser(true).weighing(Weighing { work, ..Weighing::default() }),
        };
        assert!(trial.exact.is_exact());
        assert_eq!(trial.exact.order(), Natural::from(plan.elements.len()));
        trial
    }

    /// Compares one state with brute force; its orbit.
    fn compare(&mut self, state: &[u64], seen: &mut Seen) -> BTreeSet<Vec<u64>> {
        let images: Vec<Vec<u64>> = self.elements.iter().map(|by| moved(&self.action, by, state)).collect();
        let orbit: BTreeSet<Vec<u64>> = images.iter().cloned().collect();
        let fixing = images.iter().filter(|image| **image == *state).count();
        seen.states += 1;
        seen.images += orbit.len();
        seen.symmetric += usize::from(fixing > 1);
        let meaning = Meaning::of_state(self.system, state);
        for (by, image) in self.elements.iter().zip(&images).step_by(1 + self.elements.len() / 12) {
            let there: Vec<Meaning> = meaning.iter().map(|part| part.moved(&by.images)).collect();
            assert_eq!(Meaning::of_state(self.system, image), there, "{by:?}");
        }
        let mut out = state.to_vec();
        let mut other = state.to_vec();
        self.exact.canonise(state, &mut out);
        for image in orbit.iter().step_by(1 + orbit.len() / MOST_IMAGES) {
            let by = self.exact.canonise(image, &mut other).clone();
            assert_eq!(other, out, "another representative of {image:x?}");
            self.check(&by, image, &other);
            let by = self.fast.canonise(image, &mut other).clone();
            self.check(&by, image, &other);
            let by = self.limited.canonise(image, &mut other).clone();
            self.check(&by, image, &other);
            assert!(self.limited.too_hard().is_some() || other == out, "not given up, and yet another one");
        }
        assert_eq!(self.exact.stabiliser(&out), Natural::from(fixing));
        assert_eq!(self.exact.orbit(&out), Some(Natural::from(orbit.len())));
        self.classes(state);
        orbit
    }

    /// A permutation of the group leads to the image.
    fn check(&self, by: &Permutation, state: &[u64], image: &[u64]) {
        assert!(self.plan.elements.contains(&by.images), "{by:?} is not of the group");
        assert_eq!(moved(&self.action, by, state), image, "not where the permutation leads");
    }

    /// Members can be swapped if and only if the classes say so.
    fn classes(&mut self, state: &[u64]) {
        let classes = self.exact.classes(state);
        for (i, &size) in self.plan.sizes.iter().enumerate() {
            let is_full = matches!(self.plan.symmetry.sorts[i], SortGroup::Full(_));
            for (a, b) in (0..size).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let mut swap = Permutation::identity(&self.system.types);
                swap.images[i].swap(a as usize, b as usize);
                let can = is_full
                    && self.plan.elements.contains(&swap.images)
                    && moved(&self.action, &swap, state) == state;
                let sort = SortId(i as u32);
                let said = classes.lead(sort, a) == classes.lead(sort, b);
                assert_eq!(said, can, "{a} and {b} of sort {i} in {state:x?}");
            }
        }
    }
}

/// Its initial states are given, and there are no steps.
#[derive(Debug)]
struct Given(Vec<Vec<u64>>);

#[derive(Debug)]
struct GivenMachine<'s>(&'s System, &'s [Vec<u64>]);

impl Foreign for Given {
    fn machine<'s>(&'s self, system: &'s System, _: Option<Interrupt>) -> AnyMachine<'s> {
        Box::new(GivenMachine(system, &self.0))
    }

    fn value(&self, _: u32, _: &[i64], _: &[u64]) -> Result<i64, Fault> {
        Ok(0)
    }
}

impl<'s> Machine<'s> for GivenMachine<'s> {
    fn system(&self) -> &'s System {
        self.0
    }

    fn initial(&mut self, sink: InitialSink<'_>) -> Walk {
        match self.1.iter().try_for_each(|state| sink(Outcome::State(state))).is_continue() {
            true => Walk::Complete,
            false => Walk::Stopped,
        }
    }

    fn successors_filtered(&mut self, _: &[u64], _: StepFilter<'_>, _: &mut dyn Sink) -> Walk {
        Walk::Complete
    }

    fn value_filtered(&mut self, _: &'s Expr, _: &[u64], _: StepFilter<'_>) -> Result<i64, Undefined> {
        Ok(0)
    }

    fn bind(&mut self, _: &Binder, _: u64) {}
}

/// Some states of a world.
fn compare(
    plan: &Plan,
    mut system: System,
    random: &mut Random,
    make: fn(&System, &mut Random) -> Vec<u64>,
    seen: &mut Seen,
) {
    let work = random.of(&[1, 4, 20, 100]);
    let mut trial = Trial::new(&system, plan, work);
    let identity = Permutation::identity(&system.types);
    let (mut given, mut all) = (Vec::new(), BTreeSet::new());
    for _ in 0..STATES {
        // Bags are brought into order.
        let state = moved(&trial.action, &identity, &make(&system, random));
        let orbit = trial.compare(&state, seen);
        given.extend(orbit.iter().nth(random.below(orbit.len() as u64) as usize).cloned());
        given.push(state);
        all.extend(orbit);
    }
    seen.too_hard += usize::from(trial.limited.too_hard().is_some());
    // The same states as those of a search.
    system.foreign = Some(Arc::new(Given(given)));
    let searched = |canoniser: Canoniser<'_>| {
        search(&system, &[&Question::Fault], Some(canoniser), &Limits::default(), &mut ())
    };
    let exact = searched(Canoniser::new(&system, &plan.symmetry, true));
    assert_eq!(exact.unreduced, Some(Natural::from(all.len())));
    let weighing = Weighing { work, ..Weighing::default() };
    let limited = searched(Canoniser::new(&system, &plan.symmetry, true).weighing(weighing));
    assert!(limited.stats.states >= exact.stats.states);
    assert_eq!(limited.unreduced, exact.unreduced.filter(|_| limited.too_hard.is_none()));
}

#[test]
fn every_shape_under_every_group() {
    let mut seen = Seen::default();
    for seed in seeds(0..1_500) {
        let mut random = Random(seed);
        let plan = Plan::new(&mut random);
        let system = world(&plan, &mut random);
        compare(&plan, system, &mut random, state, &mut seen);
    }
    println!("{seen:?}");
    assert!(!are_all() || seen.symmetric > 3_000 && seen.states - seen.symmetric > 2_000, "{seen:?}");
}

/// Two sorts whose members meet in every way that is about few of them, for states in which every member has
/// as much of everything: cells are not split until a member is singled out.
fn regular_world(random: &mut Random) -> (Plan, System) {
    let (sizes, blocks) = match random.below(5) {
        0 => ([6, 1], [vec![(0..6).collect()], vec![]]),
        1 => ([4, 3], [vec![(0..4).collect()], vec![(0..3).collect()]]),
        2 => ([6, 2], [vec![(0..3).collect(), (3..6).collect()], vec![vec![0, 1]]]),
        3 => ([5, 3], [vec![(0..5).collect()], vec![vec![0, 2]]]),
        _ => ([4, 4], [vec![(0..4).collect()], vec![(0..4).collect()]]),
    };
    let group = |blocks: Vec<Vec<u32>>| match blocks.is_empty() {
        true => SortGroup::Fixed,
        false => SortGroup::Full(blocks),
    };
    let plan = Plan::of(sizes.to_vec(), Symmetry::product(blocks.map(group).to_vec()), 1_000);
    let mut b = SystemBuilder::new();
    let (s, t, truth) = (b.symmetric("S", sizes[0]), b.symmetric("T", sizes[1]), b.truth());
    let (maybe, set, row, small) = (b.optional(s), b.set(s), b.array(t, truth), b.range(0, 3));
    let (pair, triple) = (b.record("", &[("a", s), ("b", s)]), b.record("", &[("a", s), ("b", s), ("c", s)]));
    let sets = b.array(s, set);
    let types = [
        b.array(s, set),
        b.array(s, s),
        b.array(s, maybe),
        b.array(s, row),
        b.array(s, t),
        b.array(s, sets),
        b.array(s, pair),
        b.set(pair),
        b.set(triple),
        b.bag(sizes[0], triple),
        b.bag(sizes[0], pair),
        b.array(s, small),
        b.array(pair, small),
    ];
    for i in 0..random.up_to(1, 2) {
        let ty = random.of(&types);
        b.var(&format!("v{i}"), ty, any());
    }
    let system = System { symmetry: plan.symmetry.clone(), ..b.build().unwrap() };
    (plan, system)
}

/// A state in which functions are permutations, mostly, and sets are unions of these.
fn regular_state(system: &System, random: &mut Random) -> Vec<u64> {
    let mut out = vec![0; system.words() + bits::SPARE];
    for var in &system.vars {
        let layers = random.up_to(1, 3);
        let permutations: Vec<Vec<u32>> = (0..layers * 3).map(|_| random.shuffled(6)).collect();
        let mut regular =
            Regular { types: &system.types, permutations: &permutations, layers, out: &mut out };
        regular.value(var.ty, var.offset, 0);
        if random.below(3) == 0 {
            let bit = var.offset + random.below(u64::from(system.types.width(var.ty)).max(1)) as u32;
            let is_bits = matches!(system.types.get(var.ty), Type::Set(_));
            if is_bits {
                let flipped = 1 - bits::read(&out, bit, 1);
                bits::write(&mut out, bit, 1, flipped);
            }
        }
    }
    out.truncate(system.words());
    out
}

struct Regular<'r> {
    types: &'r Types,
    permutations: &'r [Vec<u32>],
    layers: u32,
    out: &'r mut Vec<u64>,
}

impl Regular<'_> {
    /// The image of a number, below a bound if the permutation keeps to it.
    fn image(&self, layer: u32, number: u32, bound: u64) -> u64 {
        let images = &self.permutations[layer as usize % self.permutations.len()];
        let bound = bound.min(6);
        let mut image = images[(u64::from(number) % bound) as usize];
        while u64::from(image) >= bound {
            image = images[image as usize];
        }
        u64::from(image)
    }

    /// Writes what is about the member with a number.
    fn value(&mut self, ty: TypeId, at: u32, number: u32) {
        let types = self.types;
        match *types.get(ty) {
            Type::Array { index, element } => {
                let width = types.width(element);
                for i in 0..types.size(index).unwrap() as u32 {
                    self.value(element, at + i * width, number + i);
                }
            }
            Type::Record(id) => {
                for (part, field) in (0..).zip(&types.record(id).fields) {
                    let image = self.image(part, number, types.size(field.ty).unwrap());
                    bits::write(self.out, at + field.offset, types.width(field.ty), image);
                }
            }
            Type::Bag { capacity, element } => {
                let slots = types.slots(capacity, element);
                bits::write(self.out, at, slots.length, u64::from(capacity));
                (0..capacity).for_each(|i| self.value(element, at + slots.offset(i), i));
            }
            Type::Set(element) => match *types.get(element) {
                Type::Record(_) => {
                    // Pairs or triples of the images of each number.
                    let (count, base) = (types.size(element).unwrap(), 6);
                    for i in 0..base {
                        let [a, b, c] = [0, 1, 2].map(|layer| self.image(layer, i, u64::MAX));
                        let member = (a * 36 + b * 6 + c) % count;
                        bits::write(self.out, at + member as u32, 1, 1);
                    }
                }
                _ => {
                    for layer in 0..self.layers {
                        let image = self.image(layer, number, u64::from(types.width(ty)));
                        bits::write(self.out, at + image as u32, 1, 1);
                    }
                }
            },
            _ => {
                let image = self.image(0, number, types.size(ty).unwrap());
                bits::write(self.out, at, types.width(ty), image);
            }
        }
    }
}

#[test]
fn regular_states() {
    let mut seen = Seen::default();
    for seed in seeds(0..120) {
        let mut random = Random(seed);
        let (plan, system) = regular_world(&mut random);
        compare(&plan, system, &mut random, regular_state, &mut seen);
    }
    println!("{seen:?}");
    assert!(!are_all() || seen.too_hard > 30 && seen.symmetric > 100, "{seen:?}");
}
