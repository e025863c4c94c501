//! Sorts whose elements may be permuted only within blocks: representatives of all states of small worlds,
//! against orbits by brute force.

use burnside::{LoadOptions, Model, Options, check};
use burnside_explicit::Canoniser;
use burnside_perm::Natural;
use burnside_ts::builder::{SystemBuilder, any};
use burnside_ts::{
    Action, Interpreter, Machine, Outcome, Permutation, SortGroup, SortId, Symmetry, System, bits,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Systems without rules whose initial states are all states of some variables of a sort, in shapes that keys
/// suit and in shapes in which its members meet.
fn worlds(size: u32, sort_group: &SortGroup) -> Vec<System> {
    let shape = |which: u32| {
        let mut b = SystemBuilder::new();
        let s = b.symmetric("S", size);
        let flags = b.array(s, b.truth());
        let (maybe, set, map) = (b.optional(s), b.set(s), b.array(s, s));
        let pair = b.record("", &[("x", s), ("y", s)]);
        let (queue, bag) = (b.queue(2, s), b.bag(2, pair));
        let vars = match which {
            0 => vec![flags, maybe, s],
            1 => vec![set, queue],
            2 => vec![map],
            3 => vec![pair, pair, maybe],
            4 => vec![flags, bag],
            _ => vec![pair, set],
        };
        for (i, ty) in vars.into_iter().enumerate() {
            b.var(&format!("v{i}"), ty, any());
        }
        System { symmetry: Symmetry::product(vec![sort_group.clone()]), ..b.build().unwrap() }
    };
    (0..6).map(shape).collect()
}

/// All permutations of a sort within blocks.
fn permutations(size: u32, blocks: &[Vec<u32>]) -> Vec<Permutation> {
    let mut all = vec![Permutation { images: vec![(0..size).collect()] }];
    for block in blocks {
        // All orders of the block, by swapping each element to each place behind.
        for i in 0..block.len() {
            let swapped = |permutation: &Permutation| {
                let swap = |j: usize| {
                    let mut permutation = permutation.clone();
                    permutation.images[0].swap(block[i] as usize, block[j] as usize);
                    permutation
                };
                (i..block.len()).map(swap).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(swapped).collect();
        }
    }
    all
}

fn states(system: &System) -> Vec<Vec<u64>> {
    let mut found = BTreeSet::new();
    Interpreter::new(system).initial(&mut |outcome| {
        if let Outcome::State(state) = outcome {
            found.insert(state.to_vec());
        }
        ControlFlow::Continue(())
    });
    found.into_iter().collect()
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

/// Compares all representatives with orbits by brute force. How many states and orbits there are.
fn compare(system: &System, size: u32, blocks: &[Vec<u32>]) -> (usize, usize) {
    let (action, group) = (Action::new(system), permutations(size, blocks));
    let mut canoniser = Canoniser::new(system, &system.symmetry, true);
    assert!(canoniser.is_exact());
    assert_eq!(canoniser.order(), Natural::from(group.len() as u64));
    let mut orbits: BTreeMap<Vec<u64>, Vec<u64>> = BTreeMap::new();
    let mut sum = Natural::from(0u64);
    let all = states(system);
    for state in &all {
        let images: BTreeSet<Vec<u64>> =
            group.iter().map(|permutation| moved(&action, permutation, state)).collect();
        let mut out = state.clone();
        let permutation = canoniser.canonise(state, &mut out);
        assert!(group.contains(permutation) && moved(&action, permutation, state) == out);
        let least = images.first().unwrap().clone();
        match orbits.get(&least) {
            Some(known) => assert_eq!(*known, out),
            None => {
                let orbit = Natural::from(group.len() as u64).exact_div(&canoniser.stabiliser(&out));
                assert_eq!(orbit, Natural::from(images.len() as u64));
                sum = &sum + &orbit;
                orbits.insert(least, out);
            }
        }
        let classes = canoniser.classes(state);
        for (a, b) in (0..size).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let mut swap = Permutation { images: vec![(0..size).collect()] };
            swap.images[0].swap(a as usize, b as usize);
            let alike = group.contains(&swap) && moved(&action, &swap, state) == *state;
            assert_eq!(classes.lead(SortId(0), a) == classes.lead(SortId(0), b), alike);
        }
    }
    let representatives: BTreeSet<_> = orbits.values().collect();
    assert_eq!(representatives.len(), orbits.len(), "orbits share a representative");
    assert_eq!(sum, Natural::from(all.len() as u64));
    (all.len(), orbits.len())
}

#[test]
fn representatives_of_all_small_states() {
    let blocks = [
        (4, vec![vec![0, 1], vec![2, 3]]),
        (4, vec![vec![0, 3], vec![1, 2]]),
        (4, vec![vec![0, 2], vec![1, 3]]),
        (4, vec![vec![1, 2, 3]]),
        (5, vec![vec![0, 1], vec![2, 3]]),
        (5, vec![vec![0, 4], vec![1, 2, 3]]),
    ];
    let mut figures = Vec::new();
    for (size, blocks) in blocks {
        let systems = worlds(size, &SortGroup::blocks(blocks.clone()));
        figures.extend(systems.iter().map(|system| compare(system, size, &blocks)));
    }
    // Maps of four elements in two pairs to themselves: by Burnside's lemma (256 + 16 + 16 + 16) / 4.
    assert_eq!(figures[2], (256, 76));
    assert_eq!(figures[..6].iter().map(|it| it.0).collect::<Vec<_>>(), [320, 336, 256, 1280, 2448, 256]);
}

#[test]
fn what_blocks_allow_and_have_in_common() {
    let blocks = |all: &[&[u32]]| SortGroup::blocks(all.iter().map(|block| block.to_vec()).collect());
    let halves = blocks(&[&[0, 1, 2], &[3, 4, 5]]);
    assert_eq!(halves.meet(&blocks(&[&[0, 1, 3, 4], &[2, 5]]), 6), blocks(&[&[0, 1], &[3, 4]]));
    assert_eq!(halves.meet(&SortGroup::full((0..6).collect()), 6), halves);
    assert_eq!(halves.meet(&blocks(&[&[2, 3], &[1, 4]]), 6), SortGroup::Fixed);
    assert_eq!(halves.meet(&SortGroup::Rotations, 6), SortGroup::Fixed);
    assert_eq!(SortGroup::full(vec![0, 1, 2, 3, 4, 5]).meet(&SortGroup::Rotations, 6), SortGroup::Rotations);
    assert_eq!(SortGroup::full(vec![0, 1, 2]).meet(&SortGroup::Rotations, 4), SortGroup::Fixed);
    assert!(halves.allows(&[1, 2, 0, 3, 5, 4]) && !halves.allows(&[3, 1, 2, 0, 4, 5]));
    assert!(!blocks(&[&[0, 1], &[2, 3]]).allows(&[0, 1, 2, 4, 3]));
    assert_eq!(blocks(&[&[3, 4], &[7], &[0, 1]]), SortGroup::Full(vec![vec![0, 1], vec![3, 4]]));
}

const CLIENTS: &str = "
symmetric Client[4];
enum Phase { idle, waiting, inside }
var phase: array[Client] of Phase;
var friend: array[Client] of Client? = none;
fair process Worker[c: Client] {
    rule ask when phase[c] == idle { phase[c] = waiting; }
    strong fair rule enter when phase[c] == waiting && (forall d: Client { phase[d] != inside }) { phase[c] = inside; }
    rule leave(d: Client) when phase[c] == inside && friend[c] == none { phase[c] = idle; friend[c] = d; }
    rule forget when friend[c] != none { phase[c] = idle; friend[c] = none; }
}
invariant few = (count c: Client { phase[c] == inside }) <= 2;
ltl access = forall c: Client { G (phase[c] == waiting -> F phase[c] == inside) };
ltl settles = F G (exists c: Client { friend[c] != none });
ctl free = AG EF (forall c: Client { phase[c] == idle });
";

#[test]
fn verdicts_and_counts_are_those_without_symmetry() {
    let model = |sort_group: Option<SortGroup>| {
        let mut model = Model::load(CLIENTS, &LoadOptions::new()).model.unwrap();
        let system = Arc::make_mut(&mut model.system);
        let sort_group = sort_group.unwrap_or_else(|| system.symmetry.sorts[0].clone());
        let properties = system.properties.iter_mut().map(|property| &mut property.symmetry);
        properties.chain([&mut system.symmetry]).for_each(|symmetry| symmetry.sorts[0] = sort_group.clone());
        model
    };
    let run = |model: &Model| {
        let report = check(model, &Options::default(), &mut ()).unwrap();
        let verdicts: Vec<_> = report.results.into_iter().map(|it| (it.property, it.verdict)).collect();
        (verdicts, report.unreduced, report.stats.states)
    };
    let plain = run(&model(Some(SortGroup::Fixed)));
    let blocks = run(&model(Some(SortGroup::blocks(vec![vec![0, 2], vec![1, 3]]))));
    let whole = run(&model(None));
    assert_eq!((&blocks.0, &blocks.1), (&plain.0, &plain.1));
    assert_eq!((&whole.0, &whole.1), (&plain.0, &plain.1));
    assert!(whole.2 < blocks.2 && blocks.2 < plain.2, "{} {} {}", whole.2, blocks.2, plain.2);
}
