//! All functions of three variables, against truth tables.

use super::reorder_tests::{Chance, random};
use super::*;

fn store() -> Store {
    let store = Store::new(&Limits::of_nodes(10_000));
    store.add(3).unwrap();
    store
}

/// The set of the valuations whose number is in the table.
fn of_table(store: &Store, table: u8) -> Set {
    let point = |row: u32| store.point((0..3).map(|bit| (Bit(bit), row >> bit & 1 == 1))).unwrap();
    store.union((0..8).filter(|row| table >> row & 1 == 1).map(point).collect()).unwrap()
}

#[test]
fn operations_are_those_of_truth_tables() {
    let store = store();
    let sets: Vec<Set> = (0..=255).map(|table| of_table(&store, table)).collect();
    for (a, left) in sets.iter().enumerate() {
        assert_eq!(left.not(), sets[!(a as u8) as usize]);
        assert_eq!(left.count(&[Bit(0), Bit(1), Bit(2)]), Natural::from(u64::from((a as u8).count_ones())));
        for (b, right) in sets.iter().enumerate() {
            assert_eq!(left.and(right).unwrap(), sets[a & b]);
            assert_eq!(left.or(right).unwrap(), sets[a | b]);
            assert_eq!(left.minus(right).unwrap(), sets[a & !b]);
            assert_eq!(left.xor(right).unwrap(), sets[a ^ b]);
        }
    }
}

#[test]
fn quantifying_and_renaming() {
    let store = store();
    for table in 0..=255u8 {
        let set = of_table(&store, table);
        let cube = store.cube([Bit(1)]).unwrap();
        let expected = (0..8).filter(|row| table >> row & 1 == 1 || table >> (row ^ 2) & 1 == 1);
        assert_eq!(set.exists(&cube).unwrap(), of_table(&store, expected.fold(0, |t, row| t | 1 << row)));
        let swap = store.renaming([(Bit(0), store.bit(Bit(2))), (Bit(2), store.bit(Bit(0)))]);
        let moved = |row: u32| row & 2 | row >> 2 | (row & 1) << 2;
        let expected = (0..8).filter(|&row| table >> moved(row) & 1 == 1).fold(0, |t, row| t | 1 << row);
        assert_eq!(set.renamed(&swap).unwrap(), of_table(&store, expected));
    }
}

#[test]
fn simplified_sets_agree_where_somebody_cares() {
    let store = store();
    let sets: Vec<Set> = (0..=255).map(|table| of_table(&store, table)).collect();
    let mut smaller = 0;
    for set in &sets {
        for care in &sets {
            let simple = set.simplified(care).unwrap();
            assert_eq!(simple.and(care).unwrap(), set.and(care).unwrap());
            assert!(simple.size() <= set.size());
            smaller += usize::from(simple.size() < set.size());
        }
        let Some((bit, high, low)) = set.branches() else { continue };
        assert_eq!(store.bit(bit).choose(&high, &low).unwrap(), *set);
    }
    assert!(smaller > 256 * 128, "{smaller}");
}

#[test]
fn a_full_store_says_so_and_stays_good() {
    let store = Store::new(&Limits::of_nodes(1_000));
    store.add(40).unwrap();
    // Pairs far apart in the order: the number of nodes doubles with each.
    let far =
        (0..20).try_fold(store.none(), |set, i| set.or(&store.bit(Bit(i)).and(&store.bit(Bit(i + 20)))?));
    assert_eq!(far.unwrap_err(), Stop::Nodes(1_000));
    let near = store.bit(Bit(0)).and(&store.bit(Bit(1))).unwrap();
    assert_eq!(near.count(&[Bit(0), Bit(1), Bit(2)]), Natural::from(2u64));
}

/// Variables for which there was no room do not shift the later ones.
#[test]
fn variables_after_a_full_store() {
    let store = Store::new(&Limits::of_nodes(1_000));
    assert_eq!(store.add(2_000), Err(Stop::Nodes(1_000)));
    // Those that were made take all the room for good, so each later one fails too, but stays in its place.
    assert_eq!(store.add(3), Err(Stop::Nodes(1_000)));
    assert_eq!(store.len(), 2_003);
    assert_eq!(store.bit(Bit(7)).support(), [Bit(7)]);
    let small = Store::new(&Limits::of_nodes(1_000));
    let bits = small.add(10).unwrap().map(Bit);
    let mut sets: Vec<Set> = bits.map(|bit| small.bit(bit)).collect();
    let mut last = sets[0].clone();
    // Parities of more and more points, all kept, until there is no room.
    let full = loop {
        let point = small.point((0..10).map(|bit| (Bit(bit), sets.len() >> bit & 1 == 1)));
        match point.and_then(|point| last.xor(&point)) {
            Ok(set) => {
                last = set.clone();
                sets.push(set);
            }
            Err(stop) => break stop,
        }
    };
    assert_eq!(full, Stop::Nodes(1_000));
    // What the failed operation left behind may make room for some.
    while small.add(1).is_ok() {}
    let known = small.len() as u32;
    drop((sets, last));
    small.collect();
    let range = small.add(2).unwrap();
    assert_eq!(range, known..known + 2);
    for var in (0..known - 1).chain(range) {
        assert_eq!(small.bit(Bit(var)).support(), [Bit(var)]);
    }
}

#[test]
fn pieces_make_the_same_sets() {
    let store = Store::new(&Limits::of_nodes(1 << 20));
    store.add(14).unwrap();
    let interrupt = Interrupt::new();
    let ends = Ends::new(&Limits { interrupt: interrupt.clone(), ..Limits::default() });
    let split = Split { ends: &ends };
    let mut chance = Chance(5);
    for _ in 0..200 {
        let sets: [Set; 3] = std::array::from_fn(|_| random(&store, &mut chance));
        let [a, b, c] = sets.each_ref().map(|set| &set.0);
        let cube = store.cube((0..14).filter(|_| chance.below(3) == 0).map(Bit)).unwrap();
        let pairs =
            (0..14).filter(|bit| bit % 3 != 0).map(|bit| (Bit(bit), store.bit(Bit((bit * 5 + 3) % 14))));
        let renaming = store.renaming(pairs.chain([(Bit(0), sets[2].clone())]));
        let same = |pieces: Out<BCDDFunction>, whole: Out<Set>| assert!(pieces.unwrap() == whole.unwrap().0);
        same(split.binary([a, b], &|[a, b]| a.and(b)), sets[0].and(&sets[1]));
        same(split.binary([a, b], &|[a, b]| a.xor(b)), sets[0].xor(&sets[1]));
        same(split.binary([a, b], &|[a, b]| b.imp_strict(a)), sets[0].minus(&sets[1]));
        same(split.choose([a, b, c]), sets[0].choose(&sets[1], &sets[2]));
        same(split.exists(a, &cube.0), sets[0].exists(&cube));
        same(split.and_exists([a, b], &cube.0), sets[0].and_exists(&sets[1], &cube));
        same(split.renamed(a, &renaming), sets[0].renamed(&renaming));
    }
    interrupt.raise_part(Stop::Interrupted);
    let (a, b) = (random(&store, &mut chance), random(&store, &mut chance));
    assert!(matches!(split.binary([&a.0, &b.0], &|[a, b]| a.and(b)), Err(Stop::Interrupted)));
}

#[test]
fn work_on_a_large_store_can_be_stopped() {
    let interrupt = Interrupt::new();
    let store =
        Store::new(&Limits { nodes: Some(1 << 20), interrupt: interrupt.clone(), ..Limits::default() });
    store.add(36).unwrap();
    // Pairs that are far apart in the order: 2^18 nodes and more.
    let pair = |i: u32| store.bit(Bit(i)).and(&store.bit(Bit(i + 18)));
    let set = (0..17).try_fold(store.none(), |set, i| set.or(&pair(i)?)).unwrap();
    assert!(store.nodes() > LARGE);
    let more = set.or(&pair(17).unwrap()).unwrap();
    interrupt.raise_part(Stop::Interrupted);
    assert_eq!(set.or(&pair(17).unwrap_or_else(|_| store.all())), Err(Stop::Interrupted));
    interrupt.resume();
    assert_eq!(set.or(&pair(17).unwrap()), Ok(more));
}
