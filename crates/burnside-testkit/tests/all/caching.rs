//! The interpreter with a memory takes the steps of the plain one, which is the definition. On random models
//! of all kinds, on all examples and small models, and on nets. The tables are made before the first state.

use burnside_limits::Interrupt;
use burnside_testkit::cases::are_all;
use burnside_testkit::machines::{compare, folder, random_models, random_nets};
use burnside_ts::{CachingInterpreter, System};

fn caching(system: &System, most: usize) -> (usize, usize) {
    compare(&mut CachingInterpreter::after(system, Interrupt::default(), 0), most)
}

#[test]
fn models_at_random() {
    let (compared, faults) = random_models(40, &mut caching);
    assert!(!are_all() || compared > 50_000 && faults > 1_000, "{compared} {faults}");
}

#[test]
fn examples() {
    let compared = folder("examples", 500, &mut caching);
    assert!(!are_all() || compared > 20_000, "{compared}");
}

#[test]
fn small_models() {
    let compared = folder("tests/models", 60, &mut caching);
    assert!(!are_all() || compared > 2_000, "{compared}");
}

#[test]
fn nets() {
    let compared = random_nets(40, &mut caching);
    assert!(!are_all() || compared > 1_500, "{compared}");
}
