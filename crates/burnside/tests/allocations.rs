//! No allocation per successor: a search over original states or over orbits allocates as often as its tables
//! grow, however many steps it looks at.
//!
//! The allocator of this program counts. Each model is checked twice, and the number of allocations may grow
//! by what doubling tables takes, while the number of transitions grows by thousands. Without symmetry the
//! two checks are of the same model, of its first states and of all: what is set up for each rule instance
//! comes in both. The count is of all threads, so there is one test.

use burnside::{Execution, Limits, LoadOptions, Model, Options, Search, Symmetry, check};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: everything is left to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the caller promises the same as to the allocator of the system.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the caller promises the same as to the allocator of the system.
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    // SAFETY: the caller promises the same as to the allocator of the system.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Transitions and allocations of a check of a property, of at most so many states.
fn figures(
    (example, property): (&str, &str),
    (size, states): (u32, u64),
    symmetry: Symmetry,
    machine: Execution,
) -> (u64, u64) {
    let path = format!("{}/../../examples/{example}.orb", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("an example");
    let model = Model::load(&text, &LoadOptions::new().set("N", size)).model.expect("it is correct");
    let limits = Limits { states: Some(states), ..Limits::default() };
    // Hunts beside the search set up machines of their own.
    let (search, properties) = (Search::Breadth, vec![property.to_string()]);
    let options = Options { properties, symmetry, machine, search, limits, ..Options::default() };
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let report = check(&model, &options, &mut ()).expect("it can be checked");
    (report.stats.transitions, ALLOCATIONS.load(Ordering::Relaxed) - before)
}

/// More than a search looks at before it makes tables.
const FIRST_STATES: u64 = 4_000;

#[test]
fn allocations_do_not_grow_with_transitions() {
    let cases = [
        ("mutex", "exclusion", 12, 12, Symmetry::None),
        ("resource", "deadlock", 11, 11, Symmetry::None),
        ("philosophers", "alone", 9, 9, Symmetry::None),
        ("german", "deadlock", 3, 3, Symmetry::None),
        ("mutex", "someone", 8, 11, Symmetry::None),
        ("mcs_lock", "entry", 3, 4, Symmetry::None),
        // With more than 34 clients there are long numbers to count with.
        ("mutex", "exclusion", 4, 34, Symmetry::Auto),
        ("resource", "deadlock", 5, 34, Symmetry::Auto),
        ("philosophers", "alone", 6, 10, Symmetry::Auto),
        ("german", "deadlock", 2, 3, Symmetry::Auto),
        ("filter_lock", "deadlock", 2, 3, Symmetry::Auto),
    ];
    for (example, property, small, large, symmetry) in cases {
        let searched = symmetry == Symmetry::None && !["someone", "entry"].contains(&property);
        let (small, small_states) = if searched { (large, FIRST_STATES) } else { (small, u64::MAX) };
        // Native code is made for both, and of the same model.
        let machine = if searched { Execution::Native } else { Execution::Interpreter };
        let (few, some) = figures((example, property), (small, small_states), symmetry, machine);
        let (many, more) = figures((example, property), (large, u64::MAX), symmetry, machine);
        let told =
            format!("{example}, {symmetry:?}: {few} transitions {some} allocations, {many} and {more}");
        assert!(many > 6 * few, "{told}");
        let grown = more.saturating_sub(some);
        // With symmetry the group and the plans of what is where grow with the members, too. A search for
        // runs has more tables that grow, and keeps each label once; what is set up for each rule instance
        // comes in the larger check only.
        let most = match symmetry {
            // Tables that grow, and the predecessors of each 4,096 nodes.
            Symmetry::None if searched => 60,
            Symmetry::None => 1_500,
            _ => 1_000,
        };
        assert!(grown <= most, "{told}");
    }
}
