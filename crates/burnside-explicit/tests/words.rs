//! States as words over the points of a large group: clients, servers and a point for each pair of them.
//! Representatives and stabilisers against all elements, with and without a base that is known.

use burnside_explicit::Canoniser;
use burnside_perm::{Group, Natural, Perm, Point};
use burnside_ts::builder::{SystemBuilder, any};
use burnside_ts::{Action, Permutation, SortGroup, SortId, SparsePermutation, Symmetry, System, bits};
use std::collections::BTreeSet;

const CLIENTS: u32 = 5;
const SERVERS: u32 = 4;
const POINTS: u32 = CLIENTS + SERVERS + CLIENTS * SERVERS;

/// What permutations of clients and servers do to the points. The pairs come first, so that those of the base
/// have to be renamed.
fn images(clients: &[u32], servers: &[u32]) -> Vec<u32> {
    let pairs = CLIENTS * SERVERS;
    let image = |x: u32| match x {
        x if x < pairs => clients[(x / SERVERS) as usize] * SERVERS + servers[(x % SERVERS) as usize],
        x if x < pairs + CLIENTS => pairs + clients[(x - pairs) as usize],
        x => pairs + CLIENTS + servers[(x - pairs - CLIENTS) as usize],
    };
    (0..POINTS).map(image).collect()
}

/// Two bits for each point, of which `width` are there.
fn world(width: u32, known: bool) -> System {
    let mut b = SystemBuilder::new();
    let point = b.symmetric("Point", POINTS);
    let value = b.range(0, (1i64 << width) - 1);
    let values = b.array(point, value);
    b.var("v", values, any());
    let (clients, servers): (Vec<u32>, Vec<u32>) = ((0..CLIENTS).collect(), (0..SERVERS).collect());
    // Strong for the clients and then the servers, each from the last up: neighbours are exchanged.
    let mut generators = Vec::new();
    for i in 1..SERVERS as usize {
        let mut swapped = servers.clone();
        swapped.swap(i - 1, i);
        generators.push((&Permutation { images: vec![images(&clients, &swapped)] }).into());
    }
    for i in 1..CLIENTS as usize {
        let mut swapped = clients.clone();
        swapped.swap(i - 1, i);
        generators.push((&Permutation { images: vec![images(&swapped, &servers)] }).into());
    }
    let first = CLIENTS * SERVERS;
    let base = (first..POINTS).map(|x| (SortId(0), x)).filter(|_| known).collect();
    let symmetry = Symmetry { generators, base, ..Symmetry::product(vec![SortGroup::Fixed]) };
    System { symmetry, ..b.build().unwrap() }
}

fn moved(action: &Action<'_>, permutation: &Permutation, state: &[u64]) -> Vec<u64> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut image = vec![0; padded.len()];
    action.state(permutation, &padded, &mut image);
    image.truncate(state.len());
    image
}

#[test]
fn clients_and_servers_by_brute_force() {
    let system = world(1, true);
    let perm = |it: &SparsePermutation| Perm::from_images(&it.written(&system.types).images[0]).unwrap();
    let generators: Vec<Perm> = system.symmetry.generators.iter().map(perm).collect();
    let back = |perm: Perm| Permutation { images: vec![(0..POINTS).map(|x: Point| perm.image(x)).collect()] };
    let elements: Vec<Permutation> =
        Group::chained(POINTS as usize, &generators).elements().map(back).collect();
    assert_eq!(elements.len(), 120 * 24);
    let _again = burnside_cases::Again;
    let mut seed = 5u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 33
    };
    for (width, known) in [(1, true), (2, true), (1, false)] {
        let system = world(width, known);
        let action = Action::new(&system);
        let mut canoniser = Canoniser::new(&system, &system.symmetry, true);
        assert!(canoniser.is_exact());
        assert_eq!(canoniser.order(), Natural::from(elements.len()));
        for round in 0..12 {
            let mut state = vec![0; system.words() + bits::SPARE];
            for x in 0..POINTS {
                let value = if random() % (round + 1) == 0 { random() % (1 << width) } else { 0 };
                bits::write(&mut state, x * width, width, value);
            }
            state.truncate(system.words());
            let images: Vec<Vec<u64>> = elements.iter().map(|by| moved(&action, by, &state)).collect();
            let (mut out, mut other) = (state.clone(), state.clone());
            let permutation = canoniser.canonise(&state, &mut out).clone();
            assert!(elements.contains(&permutation));
            assert_eq!(moved(&action, &permutation, &state), out);
            let fixing = images.iter().filter(|image| **image == state).count();
            assert_eq!(canoniser.stabiliser(&out), Natural::from(fixing));
            let orbit: BTreeSet<&Vec<u64>> = images.iter().collect();
            for image in orbit.into_iter().step_by(29) {
                canoniser.canonise(image, &mut other);
                assert_eq!(other, out);
            }
        }
    }
}
