//! Sets before and after their variables were put in another order.

use super::reorder::{FIRST, LOOK};
use super::*;

/// Numbers without order, always the same.
pub(super) struct Chance(pub(super) u64);

/// The cases come one out of the other, so all of them are run again.
impl Drop for Chance {
    fn drop(&mut self) {
        drop(burnside_cases::Again);
    }
}

impl Chance {
    pub(super) fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }
}

fn store(bits: u32, limit: usize) -> Store {
    let store = Store::new(&Limits::of_nodes(limit as u64));
    store.add(bits).unwrap();
    store
}

/// Puts the variables in this order.
fn arrange(store: &Store, order: &[u32]) {
    store.manager.with_manager_exclusive(|manager| oxidd_reorder::set_var_order_seq(manager, order));
}

/// Whether each valuation is in the set, by its number.
fn table(store: &Store, set: &Set) -> Vec<bool> {
    let bits = store.len() as u32;
    (0..1u32 << bits).map(|row| set.0.eval((0..bits).map(|bit| (bit, row >> bit & 1 == 1)))).collect()
}

/// A union of random cubes.
pub(super) fn random(store: &Store, chance: &mut Chance) -> Set {
    let bits = store.len() as u32;
    let mut cube = || {
        store.point(
            (0..4)
                .map(|_| (Bit(chance.below(bits)), chance.below(2) == 1))
                .collect::<std::collections::BTreeMap<_, _>>(),
        )
    };
    store.union((0..12).map(|_| cube().unwrap()).collect()).unwrap()
}

/// The union over all i below k of those in which both i and i + k are true.
fn far_pairs(store: &Store, k: u32) -> Out<Set> {
    (0..k).try_fold(store.none(), |set, i| set.or(&store.bit(Bit(i)).and(&store.bit(Bit(i + k)))?))
}

#[test]
fn all_functions_of_three_variables_stay_what_they_are() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let store = store(3, 10_000);
        let point = |row: u32| store.point((0..3).map(|bit| (Bit(bit), row >> bit & 1 == 1))).unwrap();
        let of =
            |rows: u32| store.union((0..8).filter(|row| rows >> row & 1 == 1).map(point).collect()).unwrap();
        let sets: Vec<Set> = (0..256).map(of).collect();
        arrange(&store, &order);
        // All functions together have as many nodes in any order: half of those that depend on the variable
        // and none above.
        assert_eq!(store.reorder(), (256 - 16) / 2 + (16 - 4) / 2 + (4 - 2) / 2);
        for (rows, set) in sets.iter().enumerate() {
            assert_eq!(table(&store, set), (0..8).map(|row| rows >> row & 1 == 1).collect::<Vec<_>>());
            assert_eq!(*set, of(rows as u32));
        }
    }
}

#[test]
fn random_functions_stay_what_they_are() {
    let mut chance = Chance(1);
    for round in 0..20 {
        let store = store(12, 100_000);
        if round % 2 == 1 {
            (0..6).for_each(|pair| store.group(&[Bit(2 * pair), Bit(2 * pair + 1)]));
        }
        let sets: Vec<Set> = (0..6).map(|_| random(&store, &mut chance)).collect();
        let tables: Vec<Vec<bool>> = sets.iter().map(|set| table(&store, set)).collect();
        let all: Vec<Bit> = (0..12).map(Bit).collect();
        let supports: Vec<Vec<Bit>> = sets.iter().map(Set::support).collect();
        let before = store.collect();
        let after = store.reorder();
        assert!(after <= before, "{after} {before}");
        assert_eq!(after, store.collect());
        for ((set, rows), support) in sets.iter().zip(&tables).zip(&supports) {
            assert_eq!(table(&store, set), *rows);
            assert_eq!(set.count(&all), Natural::from(rows.iter().filter(|&&row| row).count() as u64));
            assert_eq!(set.support(), *support);
            let row = set.pick().unwrap().iter().rev().fold(0, |row, &bit| 2 * row + usize::from(bit));
            assert!(rows[row]);
        }
        let both = table(&store, &sets[0].and(&sets[1]).unwrap());
        assert!((0..1 << 12).all(|row| both[row] == (tables[0][row] && tables[1][row])));
    }
}

#[test]
fn renaming_works_across_a_reordering() {
    let store = store(20, 100_000);
    let far = far_pairs(&store, 10).unwrap();
    let swap = store.renaming((0..20).map(|bit| (Bit(bit), store.bit(Bit((bit + 1) % 20)))));
    let cube = store.cube((0..10).map(Bit)).unwrap();
    let (moved, left) = (far.renamed(&swap).unwrap(), far.exists(&cube).unwrap());
    store.reorder();
    assert_eq!(far.renamed(&swap).unwrap(), moved);
    assert_eq!(far.exists(&cube).unwrap(), left);
    assert_eq!(far.count(&(0..20).map(Bit).collect::<Vec<_>>()), Natural::from((1u64 << 20) - 59_049));
}

#[test]
fn far_pairs_become_linear() {
    for k in [3, 5, 10] {
        let store = store(2 * k, 100_000);
        let far = far_pairs(&store, k).unwrap();
        assert_eq!(far.size(), (1 << (k + 1)) - 1);
        store.reorder();
        assert_eq!(far.size(), 2 * k as usize + 1);
        let order = store.order();
        assert!(order.chunks(2).all(|pair| pair[0].0 % k == pair[1].0 % k), "{order:?}");
    }
}

/// What gains little is not done: the order stays as it was.
#[test]
fn small_gains_are_not_taken() {
    let store = store(4, 10_000);
    let far = far_pairs(&store, 2).unwrap();
    store.reorder();
    assert_eq!((far.size(), store.order()), (7, (0..4).map(Bit).collect()));
}

#[test]
fn groups_stay_side_by_side() {
    let store = store(16, 10_000);
    (0..8).for_each(|pair| store.group(&[Bit(2 * pair), Bit(2 * pair + 1)]));
    let far = far_pairs(&store, 8).unwrap();
    assert_eq!(far.size(), (1 << 9) - 1);
    store.reorder();
    let order = store.order();
    assert!(order.chunks(2).all(|pair| pair[0].0 % 2 == 0 && pair[1].0 == pair[0].0 + 1), "{order:?}");
    // Two groups with the variables a, b and c, d for (a and c) or (b and d): 1 + 2 + 2 + 1 nodes.
    assert_eq!(far.size(), 4 * 6 + 1);
}

#[test]
fn groups_with_a_variable_in_common_become_one() {
    let store = store(5, 1000);
    store.group(&[Bit(3), Bit(4)]);
    store.group(&[Bit(0), Bit(1)]);
    store.group(&[Bit(1), Bit(3)]);
    store.group(&[]);
    assert_eq!(*store.groups.borrow(), [0, 0, 2, 0, 0]);
}

/// Unions of products, one after another until no more fit.
fn fill(store: &Store, chance: &mut Chance) -> Vec<Set> {
    let mut product = || store.bit(Bit(chance.below(10))).and(&store.bit(Bit(chance.below(10) + 10)));
    let mut kept = vec![store.none()];
    while kept.len() < 200
        && let Ok(set) = product().and_then(|product| kept[kept.len() - 1].or(&product))
    {
        kept.push(set);
    }
    kept
}

#[test]
fn a_store_that_is_full_does_not_end_the_process() {
    for limit in 24..400 {
        let store = store(20, limit);
        (0..10).filter(|_| limit % 3 > 0).for_each(|pair| store.group(&[Bit(2 * pair), Bit(2 * pair + 1)]));
        let mut kept = fill(&store, &mut Chance(limit as u64));
        // With all of them there is hardly any room, with fewer a little.
        kept.truncate(kept.len() - kept.len().min(limit % 5));
        let all: Vec<Bit> = (0..20).map(Bit).collect();
        let counts: Vec<Natural> = kept.iter().map(|set| set.count(&all)).collect();
        let before = store.collect();
        assert!(store.reorder() <= before);
        assert_eq!(kept.iter().map(|set| set.count(&all)).collect::<Vec<_>>(), counts);
        let order = store.order();
        assert!(limit % 3 == 0 || order.chunks(2).all(|pair| pair[1].0 == pair[0].0 + 1), "{order:?}");
    }
}

#[test]
fn a_raised_flag_leaves_the_order() {
    let store = store(20, 100_000);
    let far = far_pairs(&store, 10).unwrap();
    store.ends.interrupt.raise(Stop::Interrupted);
    store.reorder();
    assert_eq!(store.order(), (0..20).map(Bit).collect::<Vec<_>>());
    assert_eq!(far.size(), (1 << 11) - 1);
}

#[test]
fn settling_reorders_when_there_are_many_nodes() {
    let store = store(40, 4_000_000);
    let small = far_pairs(&store, 10).unwrap();
    store.settle();
    assert_eq!((store.reorderings().0, small.size()), (0, (1 << 11) - 1));
    drop(small);
    let far = far_pairs(&store, 19).unwrap();
    // Too few nodes were made to spend so much time on an order.
    store.settle();
    assert_eq!((store.reorderings().0, far.size()), (0, (1 << 20) - 1));
    store.made.set(store.made.get() + 10_000_000);
    store.reordering(false);
    store.settle();
    assert_eq!(store.reorderings().0, 0);
    store.reordering(true);
    store.settle();
    assert_eq!((store.reorderings().0, far.size()), (1, 39));
    assert!(store.reorderings().1 > std::time::Duration::ZERO);
    store.settle();
    assert_eq!(store.reorderings().0, 1);
}

/// With few nodes made an order is looked for only if there is hardly room for more.
#[test]
fn close_to_the_limit_an_order_is_looked_for_at_once() {
    for (limit, times) in [(260_000, 1), (4_000_000, 0)] {
        let store = store(32, limit);
        let far = far_pairs(&store, 16).unwrap();
        store.settle();
        assert_eq!(store.reorderings().0, times, "{limit}: {}", far.size());
    }
}

/// After an order was looked for in vain, dead nodes alone are no reason to look again, close to the limit
/// neither.
#[test]
fn close_to_the_limit_an_order_is_not_looked_for_again_and_again() {
    let (store, mut chance) = (store(16, 30_000), Chance(5));
    let sets: Vec<Set> = (0..1).map(|_| noise(&store, 0, &mut chance)).collect();
    let live = store.collect();
    assert!(live > 30_000 / 4 && live < 30_000 / 2, "{live}");
    let mut schedule = store.reordering.get();
    (schedule.due, schedule.look) = (1, 1);
    store.reordering.set(schedule);
    store.made.set(100_000_000);
    store.settle();
    assert_eq!(store.reorderings().0, 1);
    for bit in 0..40 {
        drop(sets[0].minus(&store.bit(Bit(bit % 16))));
        store.settle();
    }
    assert_eq!(store.reorderings().0, 1);
}

/// Each valuation of the variables from the given one on is in it by chance: no order is much better than
/// another.
fn noise(store: &Store, bit: u32, chance: &mut Chance) -> Set {
    if bit as usize == store.len() {
        return store.constant(chance.below(2) == 1);
    }
    let (yes, no) = (noise(store, bit + 1, chance), noise(store, bit + 1, chance));
    store.bit(Bit(bit)).choose(&yes, &no).unwrap()
}

#[test]
fn settling_waits_longer_after_it_was_in_vain() {
    let (store, mut chance) = (store(14, 1_000_000), Chance(3));
    const SOON: usize = 10_000;
    let mut schedule = store.reordering.get();
    (schedule.due, schedule.look) = (SOON, SOON);
    store.reordering.set(schedule);
    store.made.set(100_000_000);
    let mut sets: Vec<Set> = (0..16).map(|_| noise(&store, 0, &mut chance)).collect();
    sets.truncate(1);
    // Too many nodes are dead for an order to matter.
    assert!(store.nodes() > SOON);
    store.settle();
    let schedule = store.reordering.get();
    assert_eq!((store.reorderings().0, schedule.due, schedule.look), (0, SOON, 4 * SOON));
    assert_eq!(store.nodes(), store.collect());
    sets.extend((0..24).map(|_| noise(&store, 0, &mut chance)));
    store.settle();
    let live = store.collect();
    let schedule = store.reordering.get();
    assert_eq!(
        (store.reorderings().0, schedule.due, schedule.look),
        (1, FIRST.max(4 * live), LOOK.max(4 * live))
    );
}
