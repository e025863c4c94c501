//! Native code takes the steps of the interpreter, which is the definition, and gives conditions the same
//! values. On random models of all kinds, on all examples and small models, and on nets. Everything is
//! compiled before the first state.

use burnside_limits::Interrupt;
use burnside_native::{NativeCode, NativeMachine};
use burnside_testkit::cases::are_all;
use burnside_testkit::machines::{compare, folder, random_models, random_nets};
use burnside_ts::System;
use std::sync::Arc;

/// How many systems there were, how many of them have code for their steps, and how many of these not for
/// every rule.
#[derive(Debug, Default)]
struct Compiled {
    systems: usize,
    with_code: usize,
    in_part: usize,
}

impl Compiled {
    fn are_most(&self) -> bool {
        println!("{self:?}");
        self.with_code * 10 > self.systems * 9
    }
}

/// Compares, and counts.
fn native(compiled: &mut Compiled) -> impl FnMut(&System, usize) -> (usize, usize) {
    |system, most| {
        let code = Arc::new(NativeCode::new(system));
        let without = code.has_steps();
        compiled.systems += 1;
        compiled.with_code += usize::from(without.is_some());
        compiled.in_part += usize::from(without.is_some_and(|rules| rules > 0));
        compare(&mut NativeMachine::after(code, Interrupt::default(), 0), most)
    }
}

#[test]
fn models_at_random() {
    let mut compiled = Compiled::default();
    let (compared, faults) = random_models(40, &mut native(&mut compiled));
    assert!(!are_all() || compared > 50_000 && faults > 1_000, "{compared} {faults}");
    assert!(compiled.are_most(), "{compiled:?}");
}

#[test]
fn examples() {
    let mut compiled = Compiled::default();
    let compared = folder("examples", 500, &mut native(&mut compiled));
    assert!(!are_all() || compared > 20_000, "{compared}");
    assert!(compiled.are_most(), "{compiled:?}");
}

#[test]
fn small_models() {
    let mut compiled = Compiled::default();
    let compared = folder("tests/models", 60, &mut native(&mut compiled));
    assert!(!are_all() || compared > 2_000, "{compared}");
    assert!(compiled.are_most(), "{compiled:?}");
}

#[test]
fn nets() {
    let mut compiled = Compiled::default();
    let compared = random_nets(40, &mut native(&mut compiled));
    assert!(!are_all() || compared > 1_500, "{compared}");
}
