//! Native code takes the steps of the interpreter, which is the definition, and gives conditions the same
//! values. On random models of all kinds, on all examples and small models, and on nets. Everything is
//! compiled before the first state.

use burnside_limits::Interrupt;
use burnside_native::{NativeCode, NativeMachine};
use burnside_testkit::cases::are_all;
use burnside_testkit::machines::{compare, folder, random_models, random_nets};
use burnside_ts::System;
use std::sync::Arc;

/// Compares, and counts systems and those of them that have code for their steps.
fn native(systems: &mut (usize, usize)) -> impl FnMut(&System, usize) -> (usize, usize) {
    |system, most| {
        let code = Arc::new(NativeCode::new(system));
        systems.0 += 1;
        systems.1 += usize::from(code.has_steps());
        compare(&mut NativeMachine::after(code, Interrupt::default(), 0), most)
    }
}

#[test]
fn models_at_random() {
    let mut systems = (0, 0);
    let (compared, faults) = random_models(40, &mut native(&mut systems));
    println!("{} of {} systems compiled", systems.1, systems.0);
    assert!(!are_all() || compared > 50_000 && faults > 1_000, "{compared} {faults}");
    assert!(systems.1 * 10 > systems.0 * 9, "{systems:?}");
}

#[test]
fn examples() {
    let mut systems = (0, 0);
    let compared = folder("examples", 500, &mut native(&mut systems));
    println!("{} of {} systems compiled", systems.1, systems.0);
    assert!(!are_all() || compared > 20_000, "{compared}");
    assert!(systems.1 * 10 > systems.0 * 9, "{systems:?}");
}

#[test]
fn small_models() {
    let mut systems = (0, 0);
    let compared = folder("tests/models", 60, &mut native(&mut systems));
    println!("{} of {} systems compiled", systems.1, systems.0);
    assert!(!are_all() || compared > 2_000, "{compared}");
    assert!(systems.1 * 10 > systems.0 * 9, "{systems:?}");
}

#[test]
fn nets() {
    let mut systems = (0, 0);
    let compared = random_nets(40, &mut native(&mut systems));
    println!("{} of {} systems compiled", systems.1, systems.0);
    assert!(!are_all() || compared > 1_500, "{compared}");
}
