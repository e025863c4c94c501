//! Rings: representatives and stabilisers of states in every kind of layout, alone, with reflections and
//! together with other sorts, against all elements of the group by brute force.

use burnside_explicit::Canoniser;
use burnside_perm::Natural;
use burnside_ts::builder::{SystemBuilder, any};
use burnside_ts::{Action, Permutation, SortGroup, Symmetry, System, Type, TypeId, Types, bits};
use std::collections::BTreeSet;

/// SplitMix64.
struct Random(u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Random {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % bound
    }
}

/// What moves the sorts `R`, `Q` (rings) and `S` (symmetric), which have so many elements.
#[derive(Clone, Copy, Debug)]
struct Group {
    sizes: [u32; 3],
    /// Whether each of the rings is moved by generators, and may be reflected.
    mirrors: [bool; 2],
    /// What moves members of the symmetric sort.
    third: Third,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Third {
    /// All permutations.
    Full,
    /// A generator that exchanges the first two.
    Exchanged,
    Fixed,
}

impl Group {
    fn symmetry(self) -> Symmetry {
        let ring = |i: usize| if self.mirrors[i] { SortGroup::Fixed } else { SortGroup::Rotations };
        let full = match self.third {
            Third::Full => SortGroup::full((0..self.sizes[2]).collect()),
            Third::Exchanged | Third::Fixed => SortGroup::Fixed,
        };
        let mut symmetry = Symmetry::product(vec![ring(0), ring(1), full]);
        let identity = || self.sizes.map(|size| (0..size).collect::<Vec<u32>>()).to_vec();
        for i in (0..2).filter(|&i| self.mirrors[i]) {
            let n = self.sizes[i];
            for image in [&|x| (x + 1) % n, &|x| (n - x) % n] as [&dyn Fn(u32) -> u32; 2] {
                let mut images = identity();
                images[i] = (0..n).map(image).collect();
                symmetry.generators.push((&Permutation { images }).into());
            }
        }
        if self.third == Third::Exchanged {
            let mut images = identity();
            images[2].swap(0, 1);
            symmetry.generators.push((&Permutation { images }).into());
        }
        symmetry
    }

    fn elements(self) -> Vec<Permutation> {
        let ring = |i: usize| -> BTreeSet<Vec<u32>> {
            let n = self.sizes[i];
            let turns = (0..n).map(move |by| (0..n).map(|x| (x + by) % n).collect());
            let reflections = (0..n).map(move |by| (0..n).map(|x| (n + by - x) % n).collect());
            turns.chain(reflections.filter(|_| self.mirrors[i])).collect()
        };
        let mut full = vec![(0..self.sizes[2]).collect::<Vec<u32>>()];
        let moved = match self.third {
            Third::Full => self.sizes[2] as usize,
            Third::Exchanged => 2,
            Third::Fixed => 0,
        };
        for i in 0..moved {
            let swapped = |images: &Vec<u32>| {
                let swap = |j: usize| {
                    let mut images = images.clone();
                    images.swap(i, j);
                    images
                };
                (i..moved).map(swap).collect::<Vec<_>>()
            };
            full = full.iter().flat_map(swapped).collect();
        }
        let mut all = Vec::new();
        for r in ring(0) {
            for q in ring(1) {
                all.extend(
                    full.iter().map(|s| Permutation { images: vec![r.clone(), q.clone(), s.clone()] }),
                );
            }
        }
        all
    }
}

/// How many kinds of variables there are.
const KINDS: u64 = 25;

/// A system without rules whose variables have types of these kinds.
fn world(group: Group, kinds: &[u64]) -> System {
    let mut b = SystemBuilder::new();
    let (r, q) = (b.ring("R", group.sizes[0]), b.ring("Q", group.sizes[1]));
    let s = b.symmetric("S", group.sizes[2]);
    let (truth, small, wide) = (b.truth(), b.range(0, 2), b.range(0, 1 << 40));
    let (some_r, some_s) = (b.optional(r), b.optional(s));
    for (at, &kind) in kinds.iter().enumerate() {
        let name = |part: &str| format!("{part}{at}");
        let pair = b.record(&name("pair"), &[("to", r), ("kind", truth)]);
        let both = b.record(&name("both"), &[("from", r), ("to", some_r), ("by", s)]);
        let (row, queue, bag, set) = (b.array(r, truth), b.queue(2, r), b.bag(2, r), b.set(r));
        let ty = match kind {
            0 => row,
            1 => b.array(r, small),
            2 => b.array(q, small),
            3 => r,
            4 => some_r,
            5 => set,
            6 => b.array(r, some_r),
            7 => b.array(r, r),
            8 => b.array(r, row),
            9 => b.array(r, set),
            10 => queue,
            11 => b.array(r, queue),
            12 => bag,
            13 => b.array(r, bag),
            14 => b.array(r, q),
            15 => b.array(q, row),
            16 => b.array(s, r),
            17 => b.array(s, row),
            18 => b.array(r, some_s),
            19 => b.bag(3, both),
            20 => b.optional(pair),
            21 => {
                let maybe = b.optional(pair);
                b.array(r, maybe)
            }
            22 => b.array(r, wide),
            23 => b.array(r, both),
            _ => b.array(some_r, small),
        };
        b.var(&name("v"), ty, any());
    }
    System { symmetry: group.symmetry(), ..b.build().unwrap() }
}

/// Writes a random value, as the interpreter keeps it but for the order of bags.
fn value(types: &Types, ty: TypeId, random: &mut Random, out: &mut [u64], at: u32) {
    match *types.get(ty) {
        Type::Array { index, element } => {
            for i in 0..types.size(index).unwrap() as u32 {
                value(types, element, random, out, at + i * types.width(element));
            }
        }
        Type::Record(id) => {
            types.record(id).fields.iter().for_each(|f| value(types, f.ty, random, out, at + f.offset));
        }
        Type::Option(inner) if !types.is_scalar(ty) => {
            if random.below(2) == 1 {
                bits::write(out, at, 1, 1);
                value(types, inner, random, out, at + 1);
            }
        }
        Type::Queue { capacity, element } | Type::Bag { capacity, element } => {
            let slots = types.slots(capacity, element);
            let length = random.below(u64::from(capacity) + 1);
            bits::write(out, at, slots.length, length);
            (0..length as u32).for_each(|i| value(types, element, random, out, at + slots.offset(i)));
        }
        Type::Set(_) => {
            (0..types.width(ty)).for_each(|i| bits::write(out, at + i, 1, random.below(2)));
        }
        // Few of the values of large types: states that are alike in part say more.
        _ => bits::write(out, at, types.width(ty), random.below(types.size(ty).unwrap().min(4))),
    }
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

/// A random state; sometimes one that some rotations of both rings leave as it is, as far as that is easy.
fn state(system: &System, action: &Action<'_>, identity: &Permutation, random: &mut Random) -> Vec<u64> {
    let mut words = vec![0; system.words() + bits::SPARE];
    for var in &system.vars {
        if random.below(3) > 0 {
            value(&system.types, var.ty, random, &mut words, var.offset);
        }
    }
    if random.below(3) == 0 {
        for var in &system.vars {
            let Type::Array { index, element } = *system.types.get(var.ty) else { continue };
            let (count, width) = (system.types.size(index).unwrap() as u32, system.types.width(element));
            let period = (1..=count / 2).rfind(|&p| count.is_multiple_of(p)).unwrap_or(count);
            for i in period..count {
                bits::copy_within(
                    &mut words,
                    var.offset + i * width,
                    var.offset + (i - period) * width,
                    width,
                );
            }
        }
    }
    words.truncate(system.words());
    // Brings bags into order.
    moved(action, identity, &words)
}

/// Compares with brute force. How many states had a stabiliser.
fn compare(group: Group, kinds: &[u64], states: usize, random: &mut Random) -> usize {
    let system = world(group, kinds);
    let (action, elements) = (Action::new(&system), group.elements());
    let identity = Permutation::identity(&system.types);
    let mut canoniser = Canoniser::new(&system, &system.symmetry, true);
    let context = format!("{group:?} {kinds:?}");
    assert!(canoniser.is_exact(), "{context}");
    assert_eq!(canoniser.order(), Natural::from(elements.len()), "{context}");
    let mut symmetric = 0;
    for _ in 0..states {
        let state = state(&system, &action, &identity, random);
        let (mut out, mut other) = (state.clone(), state.clone());
        let permutation = canoniser.canonise(&state, &mut out).clone();
        assert!(elements.contains(&permutation), "{context}");
        assert_eq!(moved(&action, &permutation, &state), out, "{context}");
        let images: Vec<Vec<u64>> = elements.iter().map(|by| moved(&action, by, &state)).collect();
        let fixing = images.iter().filter(|image| **image == state).count();
        assert_eq!(canoniser.stabiliser(&out), Natural::from(fixing), "{context}");
        symmetric += usize::from(fixing > 1);
        let orbit: BTreeSet<&Vec<u64>> = images.iter().collect();
        for image in orbit.into_iter().step_by(1 + random.below(3) as usize) {
            canoniser.canonise(image, &mut other);
            assert_eq!(other, out, "{context}");
        }
    }
    symmetric
}

/// Each layout alone and pairs of layouts, for rings with and without reflections, of sizes with and without
/// divisors.
#[test]
fn representatives_and_stabilisers_by_brute_force() {
    let mut random = Random(17);
    let mut symmetric = 0;
    let groups = [
        ([4, 3, 3], Third::Full),
        ([6, 2, 2], Third::Full),
        ([5, 4, 2], Third::Fixed),
        ([2, 3, 2], Third::Full),
        ([4, 2, 3], Third::Exchanged),
    ];
    for (sizes, third) in groups {
        for mirrors in [[false, false], [true, false], [true, true]] {
            let mirrors = [mirrors[0] && sizes[0] > 2, mirrors[1] && sizes[1] > 2];
            let group = Group { sizes, mirrors, third };
            for kind in 0..KINDS {
                symmetric += compare(group, &[kind], 12, &mut random);
            }
            for _ in 0..25 {
                let kinds: Vec<u64> = (0..2 + random.below(3)).map(|_| random.below(KINDS)).collect();
                symmetric += compare(group, &kinds, 6, &mut random);
            }
        }
    }
    assert!(symmetric > 1_000, "{symmetric}");
}
