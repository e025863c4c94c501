//! Native code takes the steps of the interpreter, which is the definition, and gives conditions the same
//! values. On random models of all kinds, on all examples and small models, and on nets. Everything is
//! compiled before the first state.

use burnside_limits::Interrupt;
use burnside_native::{NativeCode, NativeMachine};
use burnside_testkit::cases::are_all;
use burnside_testkit::machines::{compare, folder, random_models, random_nets};
use burnside_ts::System;
use std::sync::Arc;

/// Compares, and counts rules and those of them that are compiled.
fn native(rules: &mut (usize, usize)) -> impl FnMut(&System, usize) -> (usize, usize) {
    |system, most| {
        let code = Arc::new(NativeCode::new(system));
        rules.0 += system.rules.len();
        rules.1 += code.compiled_rules();
        compare(&mut NativeMachine::after(code, Interrupt::default(), 0), most)
    }
}

#[test]
fn models_at_random() {
    let mut rules = (0, 0);
    let (compared, faults) = random_models(40, &mut native(&mut rules));
    println!("{} of {} rules compiled", rules.1, rules.0);
    assert!(!are_all() || compared > 50_000 && faults > 1_000, "{compared} {faults}");
    assert!(rules.1 * 10 > rules.0 * 9, "{rules:?}");
}

#[test]
fn examples() {
    let mut rules = (0, 0);
    let compared = folder("examples", 500, &mut native(&mut rules));
    println!("{} of {} rules compiled", rules.1, rules.0);
    assert!(!are_all() || compared > 20_000, "{compared}");
    assert!(rules.1 * 10 > rules.0 * 9, "{rules:?}");
}

#[test]
fn small_models() {
    let mut rules = (0, 0);
    let compared = folder("tests/models", 60, &mut native(&mut rules));
    println!("{} of {} rules compiled", rules.1, rules.0);
    assert!(!are_all() || compared > 2_000, "{compared}");
    assert!(rules.1 * 10 > rules.0 * 9, "{rules:?}");
}

#[test]
fn nets() {
    let mut rules = (0, 0);
    let compared = random_nets(40, &mut native(&mut rules));
    println!("{} of {} rules compiled", rules.1, rules.0);
    assert!(!are_all() || compared > 1_500, "{compared}");
}
